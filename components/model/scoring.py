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


class Prf(NamedTuple):
    """Precision, recall and F1 of some counts; 0 where nothing can be counted."""

    true: int
    predicted: int
    gold: int

    @property
    def precision(self) -> float:
        return self.true / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        return self.true / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        both = self.predicted + self.gold
        return 2 * self.true / both if both else 0.0


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
        redacted, gold = self.counts["redacted"], self.counts["gold"]
        if label:
            return redacted[label] / gold[label] if gold[label] else 0.0
        return sum(redacted.values()) / sum(gold.values()) if gold else 0.0

    @property
    def full(self) -> float:
        """RETURNS (float): Share of messages with PHI in which nothing is left."""
        return self.messages["full"] / self.messages["phi"] if self.messages["phi"] else 0.0

    @property
    def clean(self) -> float:
        """RETURNS (float): Share of messages without PHI left untouched."""
        return self.messages["clean"] / self.messages["no_phi"] if self.messages["no_phi"] else 0.0


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
