"""Scores of surrogates: whether one entity stays one, and different ones different, for somebody who
reads nothing but the surrogates; and whether a pipeline finds them.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from rapidfuzz.distance import OSA
from spacy.tokens import Doc

from components.labels import LABELS
from components.swedish.casing import fold

Lists = Mapping[str, Sequence[Mapping[str, str]]]

NUMBERS = ("PID", "PHONE")
# A date may move to where another one was, and so may an age.
MOVING = ("DATE", "AGE")
WORD = re.compile(r"[^\W_]+")
MIN_STEM = 3  # `lovis` and `Lovisa` share one


class Mention(NamedTuple):
    """An entity where it stands, before and after.

    conversation (str): The conversation.
    label (str): The class.
    entity (str): What was annotated as one person, place or number, within the conversation.
    gender (str): The annotated gender, "" if there is none.
    before (str): What stands in front of it.
    original (str): The original.
    surrogate (str): The surrogate.
    """

    conversation: str
    label: str
    entity: str
    gender: str
    before: str
    original: str
    surrogate: str


class Stranger:
    """Reads the names of a conversation with nothing to go by but the names and the word lists.

    lists (Lists): `first_names`, `surnames`, `nicknames`, `titles`.
    """

    def __init__(self, lists: Lists) -> None:
        self.nicks: dict[str, set[str]] = defaultdict(set)
        for row in lists.get("nicknames", ()):
            self.nicks[fold(row["nick"])].add(fold(row["name"]))
        self.genders: dict[str, set[str]] = defaultdict(set)
        for row in lists.get("first_names", ()):
            self.genders[fold(row["name"])].add(row["gender"])
        for row in lists.get("surnames", ()):
            # It might be either.
            self.genders.pop(fold(row["name"]), None)
        self.titles = {fold(row["word"]): row["gender"] for row in lists.get("titles", ())}

    def get_gender(self, words: Iterable[str]) -> str:
        """Tell the gender of a name.

        words (Iterable[str]): Its folded words.
        RETURNS (str): "f" or "m", "" where no word tells.
        """
        for word in words:
            genders = self.genders.get(word) or self.genders.get(word.removesuffix("s")) or set()
            if genders in ({"f"}, {"m"}):
                return min(genders)
        return ""

    def get_title_gender(self, mention: Mention) -> str:
        """Tell what gender the titles and kinship words in and in front of a mention demand.

        mention (Mention): A mention of a person.
        RETURNS (str): "f" or "m", "" where none tells.
        """
        words = WORD.findall(fold(mention.original))
        ahead = re.search(r"([^\W\d_]+)\s+$", mention.before)
        own = words[: len(words) - len(get_words(mention)[0])]
        genders = [self.titles.get(w) for w in [*([fold(ahead[1])] if ahead else []), *own]]
        return next((gender for gender in reversed(genders) if gender in ("f", "m")), "")

    def read_as_one(self, one: Mention, other: Mention) -> tuple[bool, bool]:
        """Whether a stranger would take two mentions of a class for the same: all words of the
        shorter are in the longer, if only as initial, nickname, stem or slip of the pen.

        one (Mention): The one.
        other (Mention): The other.
        RETURNS (tuple[bool, bool]): Whether the originals go for the same, whether the
            surrogates do.
        """
        if one.label in NUMBERS:
            before = _compare_digits(one.original, other.original)
            after = _compare_digits(one.surrogate, other.surrogate)
            # A slip in an original may be kept.
            return before <= 1, after <= min(before, 1)
        (a, x), (b, y) = get_words(one), get_words(other)
        return self._same(one.label, a, b), self._same(one.label, x, y)

    def _same(self, label: str, one: list[str], other: list[str]) -> bool:
        if label not in ("PERSON", "LOCATION"):
            return one == other
        short, long = sorted((one, other), key=lambda words: (len(words), sum(map(len, words))))
        if len(short) == 1 < len(long) and "".join(w[0] for w in long).startswith(short[0]):
            return True
        return all(any(self._same_word(label, a, b) for b in long) for a in short)

    def _same_word(self, label: str, one: str, other: str) -> bool:
        short, long = sorted((one, other), key=len)
        if one == other or one.isdecimal() or other.isdecimal():
            return one == other
        if label == "PERSON":
            if len(short) == 1:
                return long.startswith(short)
            if self._names_of(one) & self._names_of(other):
                return True
        if len(short) >= MIN_STEM and long.startswith(short):
            return True
        return len(short) > 4 and OSA.distance(short, long) <= 1

    def _names_of(self, word: str) -> set[str]:
        return {word, word.removesuffix("s")}.union(
            *(self.nicks.get(form, ()) for form in (word, word.removesuffix("s")))
        )


def get_words(mention: Mention) -> tuple[list[str], list[str]]:
    """Read the words of an original and of its surrogate. Titles and kinship words that were
    carried over to the surrogate say nothing of who it is, and are left out of both.

    mention (Mention): The mention.
    RETURNS (tuple[list[str], list[str]]): Folded words.
    """
    original = WORD.findall(fold(mention.original))
    surrogate = WORD.findall(fold(mention.surrogate))
    if mention.label == "PERSON":
        while len(original) > 1 and len(surrogate) > 1 and original[0] == surrogate[0]:
            original, surrogate = original[1:], surrogate[1:]
    return original, surrogate


def get_digits(text: str) -> str:
    """Read a number without its spelling: grouping, country code, century, a letter O.

    text (str): A phone number or personnummer.
    RETURNS (str): Its digits.
    """
    digits = re.sub(r"\D", "", re.sub("[oO]", "0", text))
    return digits.removeprefix("00").removeprefix("46").removeprefix("0")[-10:]


def _compare_digits(one: str, other: str) -> int:
    short, long = sorted((get_digits(one), get_digits(other)), key=len)
    return OSA.distance(short, long[-4:] if len(short) == 4 else long)


def _by_entity(mentions: Iterable[Mention]) -> dict[tuple[str, str, str], list[Mention]]:
    entities: dict[tuple[str, str, str], list[Mention]] = defaultdict(list)
    for mention in mentions:
        entities[mention.conversation, mention.label, mention.entity].append(mention)
    return entities


def count_identities(mentions: Sequence[Mention], stranger: Stranger) -> dict[str, dict[str, Any]]:
    """Count the mentions that keep the identity of their entity. The surrogates of an entity are
    joined where they read as one; the mentions in the largest such group have its identity. That
    is told of all mentions, and of those whose originals read as one: that somebody goes by two
    names that share nothing is known to the annotator only.

    mentions (Sequence[Mention]): The mentions.
    stranger (Stranger): Reads them.
    RETURNS (dict[str, dict[str, Any]]): Counts by class, for entities with several mentions.
    """
    counts: dict[str, Counter[str]] = {label: Counter() for label in LABELS}
    for (_, label, _), group in _by_entity(mentions).items():
        if len(group) < 2 or label in MOVING:
            continue
        linked = {
            (i, j): stranger.read_as_one(group[i], group[j])
            for i, j in combinations(range(len(group)), 2)
        }
        words = [get_words(mention) for mention in group]
        before, after = (
            _join(
                [
                    label == "PERSON" and all(len(word) == 1 for word in pair[side])
                    for pair in words
                ],
                [pair for pair, as_one in linked.items() if as_one[side]],
            )
            for side in (0, 1)
        )
        linkable = [joined for joined in before if len(joined) > 1]
        counts[label].update(
            entities=1,
            mentions=len(group),
            same=max(map(len, after)),
            linkable=sum(map(len, linkable)),
            linkable_same=sum(max(len(a & b) for b in after) for a in linkable),
        )
    total = sum(counts.values(), Counter())
    return {
        label: {
            **{name: row[name] for name in ("entities", "mentions", "same")},
            "share": _share(row["same"], row["mentions"]),
            **{name: row[name] for name in ("linkable", "linkable_same")},
            "linkable_share": _share(row["linkable_same"], row["linkable"]),
        }
        for label, row in {"ALL": total, **counts}.items()
        if row["mentions"] or label == "ALL"
    }


def _join(initials: Sequence[bool], pairs: Sequence[tuple[int, int]]) -> list[set[int]]:
    """Group mentions so that those of a pair are in one group. Mere initials are no bridge between
    two names: they join the larger group.

    initials (Sequence[bool]): For each mention whether it is that.
    pairs (Sequence[tuple[int, int]]): Which mentions read as one.
    RETURNS (list[set[int]]): The groups.
    """
    group_of = {i: {i} for i in range(len(initials))}

    def unite(i: int, j: int) -> None:
        group_of[i] |= group_of[j]
        group_of.update(dict.fromkeys(group_of[j], group_of[i]))

    names: dict[int, list[int]] = defaultdict(list)
    for i, j in pairs:
        if not initials[i] and not initials[j]:
            unite(i, j)
        elif not initials[i] or not initials[j]:
            names[i if initials[i] else j].append(j if initials[i] else i)
    for i, others in names.items():
        unite(max(others, key=lambda j: len(group_of[j])), i)
    for i, j in pairs:
        if initials[i] and initials[j] and 1 in (len(group_of[i]), len(group_of[j])):
            unite(i, j)
    return list({id(group): group for group in group_of.values()}.values())


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def count_collisions(mentions: Sequence[Mention]) -> Counter[str]:
    """Count the pairs of entities of a conversation and class that have the same surrogate, or
    of which one name is a part of the other's (`dr Berg`, `Eva Berg`), where the originals had
    not. Initials are not looked at: people share them.

    mentions (Sequence[Mention]): The mentions.
    RETURNS (Counter[str]): The number of pairs by class.
    """
    entities: dict[tuple[str, str], list[list[Mention]]] = defaultdict(list)
    for (conversation, label, _), group in _by_entity(mentions).items():
        if label not in MOVING:
            entities[conversation, label].append(group)
    counts: Counter[str] = Counter()
    for (_, label), groups in entities.items():
        for one, other in combinations(groups, 2):
            counts[label] += any(_collide(a, b) for a in one for b in other)
    return counts


def _collide(one: Mention, other: Mention) -> bool:
    (a, x), (b, y) = get_words(one), get_words(other)
    if one.label in NUMBERS:
        before, after = (
            get_digits(one.original) == get_digits(other.original),
            get_digits(one.surrogate) == get_digits(other.surrogate),
        )
        return after and not before
    return _contains(one.label, x, y) and not _contains(one.label, a, b)


def _contains(label: str, one: Iterable[str], other: Iterable[str]) -> bool:
    if label not in ("PERSON", "LOCATION"):
        return [*one] == [*other]
    a, b = ({word if len(word) < 4 else word.removesuffix("s") for word in w} for w in (one, other))
    short = min(a, b, key=len)
    return (a <= b or b <= a) and any(len(word) > 1 for word in short)


def count_gender_clashes(
    mentions: Sequence[Mention], stranger: Stranger
) -> dict[str, dict[str, int]]:
    """Count the people whose new first name is of the wrong gender.

    mentions (Sequence[Mention]): The mentions.
    stranger (Stranger): Knows the genders.
    RETURNS (dict[str, dict[str, int]]): The `clashes` among the mentions `checked`: with a title
        or kinship word next to the name, and with the annotated gender.
    """
    counts: dict[str, Counter[str]] = {"next_to_it": Counter(), "annotated": Counter()}
    for mention in mentions:
        if mention.label != "PERSON":
            continue
        gender = stranger.get_gender(get_words(mention)[1])
        for name, wanted in (
            ("next_to_it", stranger.get_title_gender(mention)),
            ("annotated", mention.gender),
        ):
            if gender and wanted:
                counts[name].update(checked=1, clashes=gender != wanted)
    return {
        name: {"checked": row["checked"], "clashes": row["clashes"]} for name, row in counts.items()
    }


def count_found(
    docs: Sequence[Doc], before: Sequence[Doc], after: Sequence[Doc]
) -> dict[str, dict[str, Any]]:
    """Count what the pipeline finds, with the same class and bounds: of the originals in the
    texts, and of the surrogates in the de-identified texts. What is meant to stay is neither.

    docs (Sequence[Doc]): Replaced docs.
    before (Sequence[Doc]): What the pipeline made of their texts.
    after (Sequence[Doc]): What it made of the de-identified texts.
    RETURNS (dict[str, dict[str, Any]]): By class: the `mentions`; the `originals` and the
        `surrogates` found; `both`, the surrogates found of the originals found, with their
        `share_of_both`, which tells whether a surrogate looks like what it stands for; and the
        surrogates `covered` by entities of any class.
    """
    counts: dict[str, Counter[str]] = {label: Counter() for label in LABELS}
    for doc, first, second in zip(docs, before, after):
        originals, surrogates = (
            {(ent.start_char, ent.end_char, ent.label_) for ent in read.ents}
            for read in (first, second)
        )
        covered = {i for ent in second.ents for i in range(ent.start_char, ent.end_char)}
        for entry in doc._.replacements:
            if entry.get("kept"):
                continue
            label, bounds = entry["label"], range(entry["out_start"], entry["out_end"])
            original = (entry["start"], entry["end"], label) in originals
            surrogate = (entry["out_start"], entry["out_end"], label) in surrogates
            counts[label].update(
                mentions=1,
                originals=original,
                surrogates=surrogate,
                both=original and surrogate,
                covered=covered.issuperset(bounds),
            )
    total = sum(counts.values(), Counter())
    return {
        label: {
            **{name: row[name] for name in ("mentions", "originals", "surrogates", "both")},
            "covered": row["covered"],
            "share": _share(row["surrogates"], row["mentions"]),
            "share_of_originals": _share(row["originals"], row["mentions"]),
            "share_of_both": _share(row["both"], row["originals"]),
            "share_covered": _share(row["covered"], row["mentions"]),
        }
        for label, row in {"ALL": total, **counts}.items()
        if row["mentions"] or label == "ALL"
    }
