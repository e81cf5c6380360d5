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

    def named(self, name: str) -> dict[str, Ratio]:
        """RETURNS (dict[str, Ratio]): The three measures by name: `strict.p`, …."""
        return {f"{name}.{measure}": ratio for measure, ratio in self.ratios.items()}

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


# In place of a label: all classes are taken as one.
ONE = "one class"
# What is counted by label.
COUNTS = (
    *("exact", "overlap", "predicted", "gold", "redacted"),
    *("tok_true", "tok_pred", "tok_gold", "merged_true", "merged_pred", "merged_gold"),
)


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

    *Redact* is also given for direct identifiers (`DIRECT`) and for the other classes; *full* and *clean* of
    conversations: all messages of one that have PHI, or have none, are. *Characters left* is the share of
    the letters and digits of PHI that nothing predicted covers, *characters spoilt* the share of all
    others that something covers.

    *Leak* is the number of entities without a strict match for each sentence, and *merged spans* the
    strict measure of spans without class, those joined that only other signs than letters and digits
    part: both as at MEDDOCAN (Marimon et al. 2019), where other sentences were counted than those of
    `count_sentences`.
    """

    def __init__(self, labels: Sequence[str] | None = None) -> None:
        """Create empty counts of some classes. Default: all."""
        self.labels = set(labels) if labels else None
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in COUNTS}
        # Of messages, conversations, sentences, letters and digits.
        self.messages: Counter[str] = Counter()

    def add(self, text: str, gold: Iterable[CharSpan], predicted: Iterable[CharSpan]) -> None:
        """Count one message, by start, end and label of its true spans and of those found."""
        gold, predicted = self._select(gold), self._select(predicted)
        self._add_entities(text, gold, predicted)
        self._add_tokens(text, gold, predicted)
        phi, covered = find_characters(text, gold), find_characters(text, predicted)
        self.messages.update(phi_signs=len(phi), left_signs=len(phi - covered))
        self.messages["other_signs"] += sum(map(str.isalnum, text)) - len(phi)
        self.messages["spoilt_signs"] += len(covered - phi)
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
        """Add the counts of other messages."""
        for name, counter in other.counts.items():
            self.counts[name].update(counter)
        self.messages.update(other.messages)

    def _select(self, spans: Iterable[CharSpan]) -> list[CharSpan]:
        return [span for span in spans if self.labels is None or span[2] in self.labels]

    def _add_entities(self, text: str, gold: list[CharSpan], predicted: list[CharSpan]) -> None:
        for name, spans in (("gold", gold), ("predicted", predicted)):
            self.counts[name].update(label for _, _, label in spans)
            self.counts[name][ONE] += len(spans)
        true, found = ([span[:2] for span in spans] for spans in (gold, predicted))
        pairs = {
            label: (_get_bounds(gold, label), _get_bounds(predicted, label)) for *_, label in gold
        }
        for label, bounds in {**pairs, ONE: (true, found)}.items():
            matches = match(*bounds)
            self.counts["exact"][label] += matches.exact
            self.counts["overlap"][label] += matches.overlapping
        for name, n in zip(("true", "pred", "gold"), match_merged(text, true, found)):
            self.counts[f"merged_{name}"][ONE] += n

    def _add_tokens(self, text: str, gold: list[CharSpan], predicted: list[CharSpan]) -> None:
        is_gold = label_tokens(text, gold)
        is_predicted = label_tokens(text, predicted)
        both = is_gold.keys() & is_predicted.keys()
        same = [is_gold[i] for i in both if is_gold[i] == is_predicted[i]]
        for name, labels, n in (
            ("tok_gold", is_gold.values(), len(is_gold)),
            ("tok_pred", is_predicted.values(), len(is_predicted)),
            ("tok_true", same, len(both)),
        ):
            self.counts[name].update(labels)
            self.counts[name][ONE] += n

    def _sum(self, name: str, label: str | None = None) -> int:
        counter = self.counts[name]
        return counter[label] if label else counter.total() - counter[ONE]

    def entity(self, label: str | None = None) -> Prf:
        """RETURNS (Prf): Strict scores, of a class or `ONE`, as below. Default: all together."""
        return Prf(*(self._sum(name, label) for name in ("exact", "predicted", "gold")))

    def token(self, label: str | None = None) -> Prf:
        """RETURNS (Prf): Token scores."""
        return Prf(*(self._sum(name, label) for name in ("tok_true", "tok_pred", "tok_gold")))

    def relaxed(self, label: str | None = None) -> Prf:
        """RETURNS (Prf): Entity scores for which an overlap is enough."""
        exact, predicted, gold = self.entity(label)
        return Prf(exact + self._sum("overlap", label), predicted, gold)

    def partial(self, label: str | None = None) -> Prf:
        """RETURNS (Prf): Entity scores with half a point for an overlap, all counts doubled."""
        exact, predicted, gold = self.entity(label)
        return Prf(2 * exact + self._sum("overlap", label), 2 * predicted, 2 * gold)

    @property
    def merged_spans(self) -> Prf:
        """RETURNS (Prf): Strict scores without class of spans that are joined."""
        return Prf(*(self.counts[f"merged_{name}"][ONE] for name in ("true", "pred", "gold")))

    @property
    def n_messages(self) -> int:
        """RETURNS (int): How many messages were counted."""
        return self.messages["phi"] + self.messages["no_phi"]

    def redact(self, label: str | None = None) -> float:
        """RETURNS (float): Share of gold entities wholly covered, 0 where there are none."""
        return self._redact(label).value

    def _redact(self, label: str | None = None) -> Ratio:
        return Ratio(self._sum("redacted", label), self._sum("gold", label))

    @property
    def full(self) -> float:
        """RETURNS (float): Share of messages with PHI in which nothing is left."""
        return self._divide("full", "phi").value

    @property
    def clean(self) -> float:
        """RETURNS (float): Share of messages without PHI left untouched."""
        return self._divide("clean", "no_phi").value

    def _divide(self, part: str, whole: str) -> Ratio:
        return Ratio(self.messages[part], self.messages[whole])

    def get_ratios(self, labels: Sequence[str] = ()) -> dict[str, Ratio]:
        """RETURNS (dict[str, Ratio]): All measures: `strict.f`, `per_class.PERSON.token.r`, …."""
        kinds = {
            "strict": self.entity,
            "relaxed": self.relaxed,
            "partial": self.partial,
            "token": self.token,
        }
        ratios: dict[str, Ratio] = {}
        for kind, get in kinds.items():
            ratios |= get().named(kind) | get(ONE).named(f"{kind}_one_class")
        ratios |= self.merged_spans.named("merged_spans")
        every, direct = self._redact(), [self._redact(label) for label in DIRECT]
        n_direct = Ratio(*map(sum, zip(*direct)))
        ratios |= {
            "redact": every,
            "full": self._divide("full", "phi"),
            "clean": self._divide("clean", "no_phi"),
            "strict.f2": self.entity().f2,
            "redact_direct": n_direct,
            "redact_other": Ratio(every.part - n_direct.part, every.whole - n_direct.whole),
            "conversations.full": self._divide("conversations_full", "conversations_phi"),
            "conversations.clean": self._divide("conversations_clean", "conversations_no_phi"),
            "characters.left": self._divide("left_signs", "phi_signs"),
            "characters.spoilt": self._divide("spoilt_signs", "other_signs"),
            "leak": Ratio(self._sum("gold") - self._sum("exact"), self.messages["sentences"]),
            "left": Ratio(every.whole - every.part, self.n_messages),
            "leaky": Ratio(self.messages["phi"] - self.messages["full"], self.n_messages),
            "spoilt": Ratio(self.messages["no_phi"] - self.messages["clean"], self.n_messages),
        }
        for label in labels:
            for kind, get in kinds.items():
                suffix = "" if kind == "strict" else f".{kind}"
                ratios |= get(label).named(f"per_class.{label}{suffix}")
            ratios[f"per_class.{label}.redact"] = self._redact(label)
        return ratios


def add_up(parts: Iterable[Scores], labels: Sequence[str] | None = None) -> Scores:
    """Add up the counts of parts of a corpus."""
    total = Scores(labels)
    for part in parts:
        total.update(part)
    return total


def _get_bounds(spans: Iterable[CharSpan], label: str) -> list[tuple[int, int]]:
    return [(start, end) for start, end, own in spans if own == label]
