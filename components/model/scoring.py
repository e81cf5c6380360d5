"""Measures of de-identification, and the scorers of the pipes."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from spacy.scorer import Scorer
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import registry

CharSpan = tuple[int, int, str]


@registry.scorers("sv_deid_chat.group_scorer.v1")
def make_group_scorer(spans_key: str) -> Callable[[Iterable[Example]], dict[str, Any]]:
    """Make a scorer of a span group of the prediction against the entities of the reference.

    spans_key (str): The span group.
    RETURNS (Callable): The scorer; its scores are named by the span group.
    """
    return partial(_score_group, spans_key=spans_key)


def _score_group(examples: Iterable[Example], spans_key: str, **kwargs: Any) -> dict[str, Any]:
    def get_spans(doc: Doc, attr: str) -> Sequence[Span]:
        return doc.spans.get(spans_key, doc.ents)

    return Scorer.score_spans(
        list(examples),
        spans_key,
        getter=get_spans,
        has_annotation=lambda doc: spans_key in doc.spans or doc.has_annotation("ENT_IOB"),
        allow_overlap=True,
    )


class Ratio(NamedTuple):
    """A measure before the division: ratios of parts of a corpus add up, their values do not."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        """RETURNS (float): The measure, 0 where nothing can be counted."""
        return self.part / self.whole if self.whole else 0.0


class Prf(NamedTuple):
    """Precision, recall and F1 of some counts; 0 where nothing can be counted."""

    true: int
    predicted: int
    gold: int

    @property
    def ratios(self) -> dict[str, Ratio]:
        """RETURNS (dict[str, Ratio]): The three measures: `p`, `r`, `f`."""
        return {
            "p": Ratio(self.true, self.predicted),
            "r": Ratio(self.true, self.gold),
            "f": Ratio(2 * self.true, self.predicted + self.gold),
        }

    @property
    def precision(self) -> float:
        return self.ratios["p"].value

    @property
    def recall(self) -> float:
        return self.ratios["r"].value

    @property
    def f1(self) -> float:
        return self.ratios["f"].value


class Scores:
    """Counts over messages: add one message after the other, then read the measures.

    Entity level is strict: both offsets and the class must be right. Token level counts the
    tokens (runs of letters and digits, other characters one by one) inside of spans. *Redact* is
    the share of gold entities whose every letter and digit is covered by predicted spans of any
    class; *full* the share of messages with PHI in which all entities are; *clean* the share of
    messages without PHI in which nothing is predicted.
    """

    def __init__(self, labels: Sequence[str] | None = None) -> None:
        """Create empty counts.

        labels (Optional[Sequence[str]]): Only these classes count, e.g. for a corpus in which
            only some are annotated. Default: all.
        """
        self.labels = set(labels) if labels else None
        self.counts: dict[str, Counter] = {
            name: Counter()
            for name in (
                "true",
                "predicted",
                "gold",
                "redacted",
                "tok_true",
                "tok_pred",
                "tok_gold",
            )
        }
        self.one: Counter = Counter()
        self.messages: Counter = Counter()

    def add(self, text: str, gold: Iterable[CharSpan], predicted: Iterable[CharSpan]) -> None:
        """Count one message.

        text (str): The message.
        gold (Iterable[Tuple[int, int, str]]): Start, end and label of the true spans.
        predicted (Iterable[Tuple[int, int, str]]): The same of the spans found.
        """
        gold, predicted = self._select(gold), self._select(predicted)
        self._add_entities(gold, predicted)
        self._add_tokens(text, gold, predicted)
        covered = {i for start, end, _ in predicted for i in range(start, end)}
        left = 0
        for start, end, label in gold:
            if all(i in covered for i in range(start, end) if text[i].isalnum()):
                self.counts["redacted"][label] += 1
            else:
                left += 1
        if gold:
            self.messages["phi"] += 1
            self.messages["full"] += not left
        else:
            self.messages["no_phi"] += 1
            self.messages["clean"] += not predicted

    def update(self, other: "Scores") -> None:
        """Count what another has counted, too.

        other (Scores): Of other messages.
        """
        for name, counter in other.counts.items():
            self.counts[name].update(counter)
        self.one.update(other.one)
        self.messages.update(other.messages)

    def _select(self, spans: Iterable[CharSpan]) -> list[CharSpan]:
        return [span for span in spans if self.labels is None or span[2] in self.labels]

    def _add_entities(self, gold: list[CharSpan], predicted: list[CharSpan]) -> None:
        for name, spans in (("gold", gold), ("predicted", predicted)):
            self.counts[name].update(label for _, _, label in spans)
        self.counts["true"].update(label for _, _, label in set(gold) & set(predicted))
        bounds = {span[:2] for span in gold} & {span[:2] for span in predicted}
        self.one.update(true=len(bounds), gold=len(gold), predicted=len(predicted))

    def _add_tokens(self, text: str, gold: list[CharSpan], predicted: list[CharSpan]) -> None:
        is_gold = _label_tokens(text, gold)
        is_predicted = _label_tokens(text, predicted)
        self.counts["tok_gold"].update(is_gold.values())
        self.counts["tok_pred"].update(is_predicted.values())
        both = is_gold.keys() & is_predicted.keys()
        same = [is_gold[i] for i in both if is_gold[i] == is_predicted[i]]
        self.counts["tok_true"].update(same)
        self.one.update(tok_true=len(both), tok_gold=len(is_gold), tok_pred=len(is_predicted))

    def entity(self, label: str | None = None) -> Prf:
        """RETURNS (Prf): Strict entity scores of a class, or of all classes together."""
        return self._prf("true", "predicted", "gold", label)

    def token(self, label: str | None = None) -> Prf:
        """RETURNS (Prf): Token scores of a class, or of all classes together."""
        return self._prf("tok_true", "tok_pred", "tok_gold", label)

    def _prf(self, true: str, predicted: str, gold: str, label: str | None) -> Prf:
        counters = (self.counts[name] for name in (true, predicted, gold))
        return Prf(*(c[label] if label else sum(c.values()) for c in counters))

    @property
    def entity_one_class(self) -> Prf:
        """RETURNS (Prf): Entity scores with the classes taken as one."""
        return Prf(self.one["true"], self.one["predicted"], self.one["gold"])

    @property
    def token_one_class(self) -> Prf:
        """RETURNS (Prf): Token scores with the classes taken as one."""
        return Prf(self.one["tok_true"], self.one["tok_pred"], self.one["tok_gold"])

    def redact(self, label: str | None = None) -> float:
        """RETURNS (float): Share of gold entities wholly covered, 0 where there are none."""
        return self._redact(label).value

    def _redact(self, label: str | None) -> Ratio:
        counters = (self.counts[name] for name in ("redacted", "gold"))
        return Ratio(*(c[label] if label else sum(c.values()) for c in counters))

    @property
    def full(self) -> float:
        """RETURNS (float): Share of messages with PHI in which nothing is left."""
        return self._full.value

    @property
    def _full(self) -> Ratio:
        return Ratio(self.messages["full"], self.messages["phi"])

    @property
    def clean(self) -> float:
        """RETURNS (float): Share of messages without PHI left untouched."""
        return self._clean.value

    @property
    def _clean(self) -> Ratio:
        return Ratio(self.messages["clean"], self.messages["no_phi"])

    def get_ratios(self, labels: Sequence[str]) -> dict[str, Ratio]:
        """Give all measures before the division.

        labels (Sequence[str]): The classes whose own measures are wanted.
        RETURNS (dict[str, Ratio]): By name: `strict.f`, `redact`, `per_class.PERSON.r`, ….
        """
        prfs = {
            "strict": self.entity(),
            "strict_one_class": self.entity_one_class,
            "token": self.token(),
            "token_one_class": self.token_one_class,
        }
        shares = {"redact": self._redact(None), "full": self._full, "clean": self._clean}
        classes = {f"per_class.{label}": self.entity(label) for label in labels}
        redacted = {f"per_class.{label}.redact": self._redact(label) for label in labels}
        return _name_ratios(prfs) | shares | _name_ratios(classes) | redacted


def _name_ratios(prfs: dict[str, Prf]) -> dict[str, Ratio]:
    return {
        f"{name}.{measure}": ratio
        for name, prf in prfs.items()
        for measure, ratio in prf.ratios.items()
    }


def _label_tokens(text: str, spans: list[CharSpan]) -> dict[int, str]:
    """Map the start of each token inside of a span to the span's label."""
    labels: dict[int, str] = {}
    for start, end, label in spans:
        inside = False
        for i in range(start, end):
            word = text[i].isalnum()
            if not text[i].isspace() and not (inside and word):
                labels[i] = label
            inside = word
    return labels
