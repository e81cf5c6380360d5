"""The controls of the page: the settings of the pipeline, and those that a form asks for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from spacy.language import Language

from ...conversations.configuration import read_config
from ...custom.custom_ruler import CustomRuler
from ...known.known_matcher import FIELDS, is_informative
from ...model.phi_ner import DEFAULT, PhiNer
from ...shared.find_pipes import find_pipe
from ...shared.labels import LABELS, OPTIONAL_LABELS
from ...surrogates.settings import OPTIONS, OTHERS
from ...surrogates.surrogate_generator import SurrogateGenerator

KNOWN_FIELDS = ("name", "pid", "phone", "email", "address")
SPLITS = ("one", "paragraphs", "lines")
KEEP = "keep"


@dataclass(frozen=True)
class Own:
    """The settings of the pipeline: those by class, and those of all other classes."""

    threshold: float
    thresholds: Mapping[str, float]
    labels: Sequence[str]
    strategy: str
    strategies: Mapping[str, str]
    options: Mapping[str, str]
    classes: Sequence[str]
    optional: Sequence[str]

    @classmethod
    def of(cls, nlp: Language) -> "Own":
        """Read what a pipeline has set."""
        model = find_pipe(nlp, PhiNer)
        generator = find_pipe(nlp, SurrogateGenerator)
        ruler = find_pipe(nlp, CustomRuler)
        threshold = model.threshold if model else 0.0
        thresholds = dict(threshold) if isinstance(threshold, Mapping) else {DEFAULT: threshold}
        strategy = generator.strategy if generator else KEEP
        strategies = {OTHERS: strategy} if isinstance(strategy, str) else dict(strategy)
        found = {pattern.get("label") for pattern in ruler.optional} if ruler else set()
        return cls(
            threshold=thresholds.pop(DEFAULT),
            thresholds=thresholds,
            labels=model.labels if model else (),
            strategy=strategies.pop(OTHERS, "surrogate"),
            strategies=strategies,
            options=dict(generator.options) if generator else {},
            classes=ruler.classes if ruler else (),
            optional=[label for label in OPTIONAL_LABELS if label in found],
        )


@dataclass
class Asked:
    """What a form asks for, as it is written there; settings as in `Own`. `split` is one of
    `SPLITS`; of columns None or empty is what fits.
    """

    text: str = ""
    split: str = "one"
    together: bool = True
    text_column: str = ""
    conversation_column: str | None = None
    threshold: str = ""
    strategy: str = ""
    thresholds: dict[str, str] = field(default_factory=dict)
    strategies: dict[str, str] = field(default_factory=dict)
    ticked: list[str] = field(default_factory=lambda: [*LABELS])
    classes: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    known: list[dict[str, str]] = field(default_factory=list)
    page: int = 1
    with_spans: bool = False

    @classmethod
    def from_own(cls, own: Own, **more: Any) -> "Asked":
        """A form that nobody has filled in yet: the settings of the pipeline."""
        values: dict[str, Any] = {
            "threshold": f"{own.threshold:g}",
            "thresholds": {label: f"{number:g}" for label, number in own.thresholds.items()},
            "strategy": own.strategy,
            "strategies": dict(own.strategies),
            "classes": [*own.classes],
            "options": dict(own.options),
        }
        return cls(**{**values, **more})

    @classmethod
    def from_form(cls, form: Any) -> "Asked":
        """Read a form (`starlette.datastructures.FormData`)."""

        def get(name: str) -> str:
            value = form.get(name, "")
            return value.strip() if isinstance(value, str) else ""

        def get_all(name: str) -> list[str]:
            return [value for value in form.getlist(name) if isinstance(value, str)]

        columns = [get_all(f"known_{name}") for name in KNOWN_FIELDS]
        page = get("page")
        text = form.get("text", "")
        return cls(
            # A browser sends line ends as CR and LF, whatever was pasted.
            text=text.replace("\r\n", "\n") if isinstance(text, str) else "",
            split=get("split") or SPLITS[0],
            together="together" in form,
            text_column=get("text_column"),
            conversation_column=get("conversation_column")
            if "conversation_column" in form
            else None,
            threshold=get("threshold"),
            thresholds=_by_label(get, "threshold"),
            strategy=get("strategy"),
            strategies=_by_label(get, "strategy"),
            ticked=get_all("label"),
            classes=get_all("class"),
            options={name: get(name) for name in OPTIONS if get(name)},
            known=[dict(zip(KNOWN_FIELDS, cells)) for cells in zip(*columns)],
            page=int(page) if page.isdecimal() and len(page) < 6 else 1,
            with_spans="with_spans" in form,
        )

    def get_settings(self, own: Own) -> dict[str, Any]:
        """Read the settings that differ from the pipeline's; ValueError for a wrong one."""
        base = Asked.from_own(own)
        settings: dict[str, Any] = {}
        if (self.threshold, self.thresholds) != (base.threshold, base.thresholds):
            number = _read_number(self.threshold) if self.threshold else own.threshold
            by_label = {label: _read_number(text) for label, text in self.thresholds.items()}
            settings["threshold"] = {**by_label, DEFAULT: number} if by_label else number
        strategy = self.strategy or own.strategy
        kept = {label: KEEP for label in LABELS if label not in self.ticked}
        strategies = {**self.strategies, **kept}
        if (strategy, strategies) != (own.strategy, own.strategies):
            settings["strategy"] = {**strategies, OTHERS: strategy} if strategies else strategy
        if {*self.classes} != {*own.classes}:
            settings["classes"] = self.classes
        changed = self.options.items() - own.options.items()
        return read_config({**settings, **dict(changed)})

    def get_known(self) -> list[dict[str, str]]:
        """RETURNS (list[dict[str, str]]): What is known of each participant and identifies somebody."""
        ignored = {*self.get_uninformative()}
        known = [
            {name: v for name, v in values.items() if v.strip() and (number, name) not in ignored}
            for number, values in enumerate(self.known, 1)
        ]
        return [*filter(None, known)]

    def get_uninformative(self) -> list[tuple[int, str]]:
        """RETURNS (list[tuple[int, str]]): Participant and field of each value that identifies nobody."""
        return [
            (number, name)
            for number, participant in enumerate(self.known, 1)
            for name, value in participant.items()
            if value.strip() and not is_informative(FIELDS[name], value)
        ]


def _by_label(get: Any, name: str) -> dict[str, str]:
    values = ((label, get(f"{name}_{label}")) for label in LABELS)
    return {label: value for label, value in values if value}


def _read_number(text: str) -> float:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise ValueError(f"threshold must be a number from 0 to 1, not {text[:20]!r}.") from None
