"""The pipe that makes the final entities of what rules, lists and the model found."""

import warnings
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import srsly
from spacy import util
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.scorer import Scorer
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import SimpleFrozenList, registry

from .. import extensions  # noqa: F401
from ..hits import iter_hits, write_hits
from ..labels import CONVERSATION_KEY, DOUBTED_KEY, KNOWN_KEY, PHI_KEY, RULES_KEY
from ..merging.chain import Chain
from ..merging.finds import Find, Step, make_find, unite
from ..merging.model_rules import SCORES
from ..merging.reading import Reading
from ..merging.rules import BALANCED, CAREFUL, check_mode, get_lossy, get_rules
from .known_matcher import get_standing


@registry.scorers("sv_deid_chat.merger_scorer.v1")
def make_merger_scorer() -> Callable[[Iterable[Example]], dict[str, Any]]:
    return _score_ents


def _score_ents(examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
    return Scorer.score_spans(
        list(examples), "ents", has_annotation=lambda doc: doc.has_annotation("ENT_IOB")
    )


@Language.factory(
    "span_merger",
    requires=["doc.spans"],
    assigns=["doc.ents", "token.ent_type", "token.ent_iob"],
    default_config={
        "standalone": [
            "first_name",
            "nickname",
            "surname",
            "place",
            "organisation",
            "abbreviation",
            "unit",
        ],
        "disable": [],
        "scores": {},
        "mode": BALANCED,
        "scorer": {"@scorers": "sv_deid_chat.merger_scorer.v1"},
    },
    default_score_weights={"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0, "ents_per_type": None},
)
def make_span_merger(
    nlp: Language,
    name: str,
    standalone: list[str],
    disable: list[str],
    scores: dict[str, float],
    mode: str,
    scorer: Callable | None,
) -> "SpanMerger":
    """Create a span merger.

    nlp (Language): The pipeline.
    name (str): The name of the pipe.
    standalone (List[str]): Kinds of list entries that need no other evidence.
    disable (List[str]): Ids of rules that are left out.
    scores (Dict[str, float]): What the rules demand of the model, where it differs from `SCORES`.
    mode (str): "balanced" or "careful".
    scorer (Optional[Callable]): The scoring method.
    RETURNS (SpanMerger): The pipe.
    """
    return SpanMerger(
        name, standalone=standalone, disable=disable, scores=scores, mode=mode, scorer=scorer
    )


class SpanMerger(Pipe):
    """Merge the evidence into doc.ents.

    Spans that overlap become one span with the union of their boundaries: what any of them covers
    stays covered. Precedence (what is known of the participants, rules, the model, what other
    messages of the conversation say, lists) decides the label only.

    All else is decided by small rules, each with an id (`trim.edge_word`), in stages: where a find of
    the model ends (bound, trim, split), whether it is dropped (doubt), its label (relabel), whether
    what a pattern found needs the model's word (confirm), which list entries count on their own (stand), and what belongs to a find that stands beside it
    (widen, join). `components.merging` has them, `docs/rules.md` lists them. A rule can be
    switched off, on the loaded pipe too, and what rules demand of the model's score can be changed:

        nlp.get_pipe("span_merger").disable = ["doubt.title"]
        nlp.get_pipe("span_merger").scores = {"eponym": 0.99}

    The mode "careful" is for those who would rather spoil a text than leak: nothing that the model has
    found above its threshold is dropped or cut, but for signs without a letter or a digit.

        nlp.get_pipe("span_merger").mode = "careful"

    span._.source names the evidence ("rules+phi"), span._.score is its highest score, span._.trace
    what found it and which rules changed it. What was found and dropped is in doc.spans["doubted"],
    with the id of the rule in span.id_.
    """

    def __init__(
        self,
        name: str = "span_merger",
        *,
        standalone: Sequence[str] = (),
        disable: Iterable[str] = (),
        scores: Mapping[str, float] = MappingProxyType({}),
        mode: str = BALANCED,
        scorer: Callable | None = None,
    ) -> None:
        """Create the pipe. Rules and scores that do not exist (any more) are left out, with a warning.

        name (str): The pipe's name.
        standalone (Sequence[str]): Kinds of list entries that need no other evidence.
        disable (Iterable[str]): Ids of rules that are left out.
        scores (Mapping[str, float]): What the rules demand of the model, where it differs from `SCORES`.
        mode (str): "balanced" or "careful".
        scorer (Optional[Callable]): The scoring method.
        """
        self.name = name
        self.standalone = set(standalone)
        self._scores = dict(SCORES)
        self._set({"disable": disable, "scores": scores, "mode": mode})
        self._configured = self._get_settings()
        self.scorer = scorer

    @property
    def mode(self) -> str:
        """ "balanced", or "careful": nothing that the model has found is dropped or cut."""
        return self._mode

    @mode.setter
    def mode(self, mode: str) -> None:
        self._mode = check_mode(mode)
        self.disable = self._disable

    @property
    def scores(self) -> Mapping[str, float]:
        """What the rules demand of the model's score, by name. Read-only: set those that change."""
        return MappingProxyType(self._scores)

    @scores.setter
    def scores(self, scores: Mapping[str, float]) -> None:
        self._scores = {**self._scores, **_check_scores(scores)}

    @property
    def disable(self) -> list[str]:
        """The ids of the rules that are left out."""
        return list(self._disable)

    @disable.setter
    def disable(self, disable: Iterable[str]) -> None:
        if isinstance(disable, str):
            raise TypeError(f"disable must be a list of ids: [{disable!r}].")
        disable = list(disable)
        unknown = sorted(set(disable).difference(get_rules()))
        if unknown:
            raise ValueError(
                f"No such rules: {', '.join(unknown)}. Rules: {', '.join(sorted(get_rules()))}."
            )
        self._chain = Chain([*disable, *(get_lossy() if self.mode == CAREFUL else ())])
        self._disable = disable

    def __call__(self, doc: Doc) -> Doc:
        """Write the merged entities to doc.ents.

        doc (Doc): The document.
        RETURNS (Doc): The same document.
        """
        reading = Reading(doc, self.scores, self.standalone)
        doubted: list[Find] = []
        finds = unite(self._get_finds(reading, doubted))
        ents = []
        for find in self._chain.complete(reading, finds) if finds else ():
            ent = Span(doc, find.start, find.end, label=find.label)
            ent._.source = find.source
            ent._.score = find.score
            ent._.trace = [_describe(doc, step) for step in find.get_steps()]
            ents.append(ent)
        doc.ents = ents
        write_hits(doc, DOUBTED_KEY, (_make_doubted(doc, find) for find in doubted))
        return doc

    def _get_finds(self, reading: Reading, doubted: list[Find]) -> Iterator[Find]:
        doc = reading.doc
        for span, score in get_standing(doc):
            yield make_find(span.start, span.end, span.label_, KNOWN_KEY, score, span.id_)
        for span, score in iter_hits(doc, RULES_KEY):
            find = make_find(span.start, span.end, span.label_, RULES_KEY, score, span.id_)
            yield from self._chain.confirm(reading, find, doubted)
        for span, score in iter_hits(doc, CONVERSATION_KEY):
            yield make_find(span.start, span.end, span.label_, CONVERSATION_KEY, score, span.id_)
        for span, score in iter_hits(doc, PHI_KEY):
            find = make_find(span.start, span.end, span.label_, PHI_KEY, score)
            yield from self._chain.judge(reading, find, doubted)
        yield from self._chain.stand(reading)

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        return self.scorer(examples, **kwargs) if self.scorer is not None else {}

    # Serialisation: what was changed on the loaded pipe. What is from the config stays there.

    def _get_settings(self) -> dict[str, Any]:
        return {"disable": self.disable, "scores": dict(self.scores), "mode": self.mode}

    def _get_cfg(self) -> dict[str, Any]:
        changed = {
            name: value
            for name, value in self._get_settings().items()
            if value != self._configured[name]
        }
        if "scores" in changed:
            changed["scores"] = dict(self.scores.items() - self._configured["scores"].items())
        return changed

    def _load_cfg(self, cfg: Mapping[str, Any]) -> None:
        self._set({**self._configured, **cfg})

    def _set(self, settings: Mapping[str, Any]) -> None:
        self._mode = check_mode(settings["mode"])
        self.disable = _leave_unknown("rules", settings["disable"], get_rules())
        scores = settings["scores"]
        self.scores = {name: scores[name] for name in _leave_unknown("scores", scores, SCORES)}

    def to_bytes(self, *, exclude: Iterable[str] = SimpleFrozenList()) -> bytes:
        """Serialise the rules and scores that were changed.

        exclude (Iterable[str]): What to leave out: "cfg".
        RETURNS (bytes): The pipe.
        """
        return util.to_bytes(
            {"cfg": lambda: srsly.json_dumps(self._get_cfg()).encode("utf8")}, exclude
        )

    def from_bytes(
        self, bytes_data: bytes, *, exclude: Iterable[str] = SimpleFrozenList()
    ) -> "SpanMerger":
        """Load the pipe.

        bytes_data (bytes): What `to_bytes` made.
        exclude (Iterable[str]): What to leave out: "cfg".
        RETURNS (SpanMerger): This pipe.
        """
        util.from_bytes(bytes_data, {"cfg": lambda b: self._load_cfg(srsly.json_loads(b))}, exclude)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = SimpleFrozenList()) -> None:
        """Save the rules and scores that were changed.

        path (Union[str, Path]): The folder.
        exclude (Iterable[str]): What to leave out: "cfg".
        """
        util.to_disk(path, {"cfg": lambda p: srsly.write_json(p, self._get_cfg())}, exclude)

    def from_disk(
        self, path: str | Path, *, exclude: Iterable[str] = SimpleFrozenList()
    ) -> "SpanMerger":
        """Load the pipe.

        path (Union[str, Path]): The folder.
        exclude (Iterable[str]): What to leave out: "cfg".
        RETURNS (SpanMerger): This pipe.
        """
        # Pipelines that were saved before there was anything to save have no such file.
        util.from_disk(
            path,
            {"cfg": lambda p: self._load_cfg(srsly.read_json(p) if p.exists() else {})},
            exclude,
        )
        return self


def _leave_unknown(what: str, names: Iterable[str], known: Container[str]) -> list[str]:
    """Leave out what a config or a saved pipe names and this version does not have."""
    if isinstance(names, str):
        raise TypeError(f"disable must be a list of ids: [{names!r}].")
    names = list(names)
    unknown = [name for name in names if name not in known]
    if unknown:
        warnings.warn(
            f"span_merger: {what} that do not exist are left out: {', '.join(unknown)}.",
            UserWarning,
            stacklevel=2,
        )
    return [name for name in names if name in known]


def _check_scores(scores: Mapping[str, float]) -> Mapping[str, float]:
    unknown = sorted(set(scores) - set(SCORES))
    if unknown:
        raise ValueError(f"scores: {', '.join(unknown)}: no such. There are: {', '.join(SCORES)}.")
    wrong = [name for name, score in scores.items() if not 0 <= score <= 1]
    if wrong:
        raise ValueError(f"scores: {', '.join(wrong)} must be numbers from 0 to 1.")
    return scores


def _make_doubted(doc: Doc, find: Find) -> tuple[Span, float]:
    id = find.trace[-1].by
    return Span(doc, find.start, find.end, label=find.label, span_id=id), find.score


def _describe(doc: Doc, step: Step) -> dict[str, Any]:
    """A step by characters in place of tokens."""
    span = doc[step.start : step.end]
    return {**step._asdict(), "start": span.start_char, "end": span.end_char}
