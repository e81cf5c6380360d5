"""Counts over messages, and the measures of de-identification that are made of them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..shared.labels import DIRECT
from ..text.sentences import count_sentences
from .spans import CharSpan, find_characters, find_left, label_tokens, match, match_merged


class Ratio(NamedTuple):
    """A measure before the division: ratios of parts of a corpus add up, their values do not."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        """RETURNS (float): The measure, 0 where nothing can be counted: for sums and comparisons."""
        return self.part / self.whole if self.whole else 0.0

    @property
    def share(self) -> float | None:
        """RETURNS (float | None): The measure, None where nothing can be counted: for people."""
        return self.part / self.whole if self.whole else None


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
    def f2(self) -> Ratio:
        """RETURNS (Ratio): F2, in which recall weighs twice as much as precision."""
        return Ratio(5 * self.true, self.predicted + 4 * self.gold)

    @property
    def precision(self) -> float:
        return self.ratios["p"].value

    @property
    def recall(self) -> float:
        return self.ratios["r"].value

    @property
    def f1(self) -> float:
        return self.ratios["f"].value


# By label.
COUNTS = (
    ("exact", "overlap", "predicted", "gold", "redacted")
    + ("tok_true", "tok_pred", "tok_gold")
)  # fmt: skip


class Scores:
    """Counts over messages: add one message after the other, then read the measures.

    Entity level: *strict* counts a found span whose offsets are right, *relaxed* one that overlaps a
    gold span, *partial* half of it unless the offsets are right; no span counts twice. Token level
    counts the tokens (runs of letters and digits, other characters one by one) inside of spans. All of
    them with the class, which must be right, and with all classes taken as one.

    *Redact* is the share of gold entities whose every letter and digit is covered by predicted spans
    of any class; *full* the share of messages with PHI in which all entities are; *clean* the share of
    messages without PHI in which nothing is predicted. *Left* is the number of entities that are not
    redacted for each message, *leaky* the share of all messages that have one of these, *spoilt* the
    share of all messages without PHI in which something is predicted.

    *Redact* is told of direct identifiers (`DIRECT`) and of the other classes, too; *full* and *clean* of
    conversations: all messages of one that have PHI, or have none, are. *Characters left* is the share of
    the letters and digits of PHI that nothing predicted covers, *characters spoilt* the share of all
    others that something covers.

    *Leak* is the number of entities without a strict match for each sentence, and *merged spans* the
    strict measure of spans without class, those joined that only other signs than letters and digits
    part: both as at MEDDOCAN (Marimon et al. 2019), where other sentences were counted than those of
    `count_sentences`.
    """

    def __init__(self, labels: Sequence[str] | None = None) -> None:
        """Create empty counts."""
        self.labels = set(labels) if labels else None
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in COUNTS}
        self.one: Counter[str] = Counter()
        self.messages: Counter[str] = Counter()

    def add(self, text: str, gold: Iterable[CharSpan], predicted: Iterable[CharSpan]) -> None:
        """Count one message.

        text (str): The message.
        gold (Iterable[tuple[int, int, str]]): Start, end and label of the true spans.
        predicted (Iterable[tuple[int, int, str]]): The same of the spans found.
        """
        gold, predicted = self._select(gold), self._select(predicted)
        self._add_entities(text, gold, predicted)
        self._add_tokens(text, gold, predicted)
        self._add_characters(text, gold, predicted)
        left = find_left(text, gold, predicted)
        self.counts["redacted"].update(span[2] for span in gold if span not in left)
        self.messages["sentences"] += count_sentences(text)
        if gold:
            self.messages["phi"] += 1
            self.messages["full"] += not left
        else:
            self.messages["no_phi"] += 1
            self.messages["clean"] += not predicted

    def close_conversation(self) -> None:
        """Count all messages that were added as those of one conversation."""
        for holds, all_are in (("phi", "full"), ("no_phi", "clean")):
            if self.messages[holds]:
                self.messages[f"conversations_{holds}"] += 1
                self.messages[f"conversations_{all_are}"] += (
                    self.messages[holds] == self.messages[all_are]
                )

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

    def _add_entities(self, text: str, gold: list[CharSpan], predicted: list[CharSpan]) -> None:
        for name, spans in (("gold", gold), ("predicted", predicted)):
            self.counts[name].update(label for _, _, label in spans)
        true, found = ([span[:2] for span in spans] for spans in (gold, predicted))
        for label in {span[2] for span in gold}:
            own = match(_get_bounds(gold, label), _get_bounds(predicted, label))
            self.counts["exact"][label] += own.exact
            self.counts["overlap"][label] += own.overlapping
        same = match(true, found)
        merged = match_merged(text, true, found)
        self.one.update(exact=same.exact, overlap=same.overlapping)
        self.one.update(gold=len(gold), predicted=len(predicted))
        self.one.update(merged_true=merged[0], merged_pred=merged[1], merged_gold=merged[2])

    def _add_tokens(self, text: str, gold: list[CharSpan], predicted: list[CharSpan]) -> None:
        is_gold = label_tokens(text, gold)
        is_predicted = label_tokens(text, predicted)
        self.counts["tok_gold"].update(is_gold.values())
        self.counts["tok_pred"].update(is_predicted.values())
        both = is_gold.keys() & is_predicted.keys()
        same = [is_gold[i] for i in both if is_gold[i] == is_predicted[i]]
        self.counts["tok_true"].update(same)
        self.one.update(tok_true=len(both), tok_gold=len(is_gold), tok_pred=len(is_predicted))

    def _add_characters(self, text: str, gold: list[CharSpan], predicted: list[CharSpan]) -> None:
        phi, covered = find_characters(text, gold), find_characters(text, predicted)
        self.one.update(phi=len(phi), left=len(phi - covered))
        self.one.update(other=sum(map(str.isalnum, text)) - len(phi), spoilt=len(covered - phi))

    def _sum(self, name: str, label: str | None = None) -> int:
        counter = self.counts[name]
        return counter[label] if label else counter.total()

    def entity(self, label: str | None = None) -> Prf:
        """RETURNS (Prf): Strict entity scores of a class, or of all classes together."""
        return Prf(*(self._sum(name, label) for name in ("exact", "predicted", "gold")))

    def token(self, label: str | None = None) -> Prf:
        """RETURNS (Prf): Token scores of a class, or of all classes together."""
        return Prf(*(self._sum(name, label) for name in ("tok_true", "tok_pred", "tok_gold")))

    def relaxed(self, label: str | None = None) -> Prf:
        """RETURNS (Prf): Entity scores of a class, or of all, for which an overlap is enough."""
        true = self._sum("exact", label) + self._sum("overlap", label)
        return Prf(true, self._sum("predicted", label), self._sum("gold", label))

    def partial(self, label: str | None = None) -> Prf:
        """RETURNS (Prf): Entity scores of a class, or of all, with half a point for an overlap: in
        halves, so that they are whole numbers.
        """
        halves = 2 * self._sum("exact", label) + self._sum("overlap", label)
        return Prf(halves, 2 * self._sum("predicted", label), 2 * self._sum("gold", label))

    @property
    def entity_one_class(self) -> Prf:
        """RETURNS (Prf): Entity scores with the classes taken as one."""
        return Prf(self.one["exact"], self.one["predicted"], self.one["gold"])

    @property
    def relaxed_one_class(self) -> Prf:
        """RETURNS (Prf): The same for which an overlap is enough."""
        true = self.one["exact"] + self.one["overlap"]
        return Prf(true, self.one["predicted"], self.one["gold"])

    @property
    def partial_one_class(self) -> Prf:
        """RETURNS (Prf): The same with half a point for an overlap, in halves."""
        halves = 2 * self.one["exact"] + self.one["overlap"]
        return Prf(halves, 2 * self.one["predicted"], 2 * self.one["gold"])

    @property
    def token_one_class(self) -> Prf:
        """RETURNS (Prf): Token scores with the classes taken as one."""
        return Prf(self.one["tok_true"], self.one["tok_pred"], self.one["tok_gold"])

    @property
    def merged_spans(self) -> Prf:
        """RETURNS (Prf): Strict scores without class of spans that are joined."""
        return Prf(self.one["merged_true"], self.one["merged_pred"], self.one["merged_gold"])

    @property
    def leak(self) -> Ratio:
        """RETURNS (Ratio): Entities without a strict match for each sentence."""
        return Ratio(self._sum("gold") - self._sum("exact"), self.messages["sentences"])

    @property
    def n_messages(self) -> int:
        """RETURNS (int): How many messages were counted."""
        return self.messages["phi"] + self.messages["no_phi"]

    def redact(self, label: str | None = None) -> float:
        """RETURNS (float): Share of gold entities wholly covered, 0 where there are none."""
        return self._redact(label).value

    def _redact(self, label: str | None) -> Ratio:
        return Ratio(self._sum("redacted", label), self._sum("gold", label))

    @property
    def redact_direct(self) -> Ratio:
        """RETURNS (Ratio): Redact of direct identifiers."""
        done, gold = (
            sum(self.counts[name][label] for label in DIRECT) for name in ("redacted", "gold")
        )
        return Ratio(done, gold)

    @property
    def redact_other(self) -> Ratio:
        """RETURNS (Ratio): Redact of the other classes."""
        every, direct = self._redact(None), self.redact_direct
        return Ratio(every.part - direct.part, every.whole - direct.whole)

    @property
    def full(self) -> float:
        """RETURNS (float): Share of messages with PHI in which nothing is left."""
        return self._full.value

    @property
    def _full(self) -> Ratio:
        return Ratio(self.messages["full"], self.messages["phi"])

    @property
    def full_conversations(self) -> Ratio:
        """RETURNS (Ratio): Conversations with PHI in which nothing is left."""
        return Ratio(self.messages["conversations_full"], self.messages["conversations_phi"])

    @property
    def clean_conversations(self) -> Ratio:
        """RETURNS (Ratio): Conversations whose messages without PHI are all left untouched."""
        return Ratio(self.messages["conversations_clean"], self.messages["conversations_no_phi"])

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
        RETURNS (dict[str, Ratio]): By name: `strict.f`, `redact`, `per_class.PERSON.r`,
            `per_class.PERSON.token.r`, ….
        """
        prfs = {
            "strict": self.entity(),
            "strict_one_class": self.entity_one_class,
            "relaxed": self.relaxed(),
            "relaxed_one_class": self.relaxed_one_class,
            "partial": self.partial(),
            "partial_one_class": self.partial_one_class,
            "token": self.token(),
            "token_one_class": self.token_one_class,
            "merged_spans": self.merged_spans,
        }
        ratios = _name_ratios(prfs)
        ratios |= {"redact": self._redact(None), "full": self._full, "clean": self._clean}
        ratios |= {
            "strict.f2": self.entity().f2,
            "redact_direct": self.redact_direct,
            "redact_other": self.redact_other,
            "conversations.full": self.full_conversations,
            "conversations.clean": self.clean_conversations,
            "characters.left": Ratio(self.one["left"], self.one["phi"]),
            "characters.spoilt": Ratio(self.one["spoilt"], self.one["other"]),
            "leak": self.leak,
            "left": Ratio(self._sum("gold") - self._sum("redacted"), self.n_messages),
            "leaky": Ratio(self.messages["phi"] - self.messages["full"], self.n_messages),
            "spoilt": Ratio(self.messages["no_phi"] - self.messages["clean"], self.n_messages),
        }
        for label in labels:
            own = {
                f"per_class.{label}": self.entity(label),
                f"per_class.{label}.relaxed": self.relaxed(label),
                f"per_class.{label}.partial": self.partial(label),
                f"per_class.{label}.token": self.token(label),
            }
            ratios |= _name_ratios(own) | {f"per_class.{label}.redact": self._redact(label)}
        return ratios


def add_up(parts: Iterable[Scores], labels: Sequence[str] | None = None) -> Scores:
    """Add up the counts of a corpus.

    parts (Iterable[Scores]): The counts of its parts.
    labels (Sequence[str] | None): The classes that count. Default: all.
    RETURNS (Scores): Their sum.
    """
    total = Scores(labels)
    for part in parts:
        total.update(part)
    return total


def _get_bounds(spans: Iterable[CharSpan], label: str) -> list[tuple[int, int]]:
    return [(start, end) for start, end, own in spans if own == label]


def _name_ratios(prfs: dict[str, Prf]) -> dict[str, Ratio]:
    return {
        f"{name}.{measure}": ratio
        for name, prf in prfs.items()
        for measure, ratio in prf.ratios.items()
    }
