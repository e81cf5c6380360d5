"""Scores of surrogates: whether one entity stays one, and different ones different, for somebody who
reads nothing but the surrogates; and whether a pipeline finds them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from spacy.tokens import Doc

from components.measures.spans import get_entities
from components.shared.labels import LABELS
from lab.measures.stranger import NUMBERS, Stranger
from lab.measures.surrogate_mentions import Mention, get_digits, get_words

# A date may move to where another one was, and so may an age.
MOVING = ("DATE", "AGE")


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
        originals, surrogates = ({*get_entities(read)} for read in (first, second))
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
