"""Whose information is left more often than that of others: redact by group, and how far each group is from the
mean.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from babel import Locale

from components.measures.bootstrap import get_middle, get_middle_ratio, resample
from components.measures.gold import Row, group_conversations
from components.measures.spans import CharSpan, find_left, to_char_spans
from components.surrogates.core.scope import Mention
from components.surrogates.people.name_forms import Part
from components.surrogates.people.name_origins import HOME, Origins
from components.surrogates.people.name_reader import NameReader
from components.text.casing import fold
from lab.workbench.scored import Share

Group = tuple[str, str]
"""What is told apart (`origin`), and which it is (`Arabic`)."""

# Of fewer entities nothing is reported.
LEAST = 30
ORIGIN = "origin of the name"
GENDER = "gender of the name"
OTHER_ORIGINS = "other origins"
LISTED = "in the lists"
LOOK = "unlisted, by its look"
# Codes of the lists that are none of ISO 639-1, or not of the language.
CODES = {
    "af": "Afghan", "bal": "Baltic", "bks": "Bosnian, Croatian, Serbian", "eaf": "East African", "lk": "Sri Lankan",
    "sami": "Sami", "syr": "Assyrian, Syriac", "uz": "Central Asian", "waf": "West African",
}  # fmt: skip
GENDERS = {"f": "women's", "m": "men's", "n": "women's and men's", "": "not told"}
# What rows may tell of who wrote them.
FIELDS = ("author", "writer", "kind")
PUNCTUATION = frozenset(".,;:!?…")
# A shorter message needs no punctuation.
LONG = 8  # words
QUARTILES = (0.25, 0.5, 0.75)


class Entity(NamedTuple):
    """An annotated entity.

    unit (int): The number of its conversation, or of its message of none.
    label (str): Its class.
    redacted (bool): Whether no letter or digit of it is left.
    groups (Sequence[Group]): The groups that its name is of, if it is one.
    writers (Sequence[Group]): The groups that its message is of.
    """

    unit: int
    label: str
    redacted: bool
    groups: Sequence[Group]
    writers: Sequence[Group]


class Gap(NamedTuple):
    """How a group fares.

    group (Group): The group.
    entities (int): How many entities it has.
    redact (Share): Of these the share of which nothing is left.
    gap (Share): That less the share of all.
    """

    group: Group
    entities: int
    redact: Share
    gap: Share


class NameGroups:
    """Tells where names come from and whose they are, by the lists.

    lists (Mapping[str, Sequence[Mapping[str, str]]]): The lists.
    """

    def __init__(self, lists: Mapping[str, Sequence[Mapping[str, str]]]) -> None:
        self.reader = NameReader(lists)
        self._origins = {
            "first": Origins(self.reader.first),
            "surname": Origins(self.reader.surnames),
        }

    def tell(self, names: Sequence[str]) -> list[list[Group]]:
        """Tell the groups of names.

        names (Sequence[str]): Those of a conversation.
        RETURNS (list[list[Group]]): The groups of each: all origins and genders that its parts have; of one with
            a part that is in no list, what that looks like.
        """
        return [self._tell(name.parts) for name in self.reader.read([*map(Mention, names)])]

    def _tell(self, parts: Sequence[Part]) -> list[Group]:
        parts = [part for part in parts if part.role != "initial"]
        if not parts:
            return [(LISTED, "initials only")]
        rows = [self._look_up(part) for part in parts]
        unlisted = [part for part, row in zip(parts, rows) if row is None]
        if unlisted:
            return [(LISTED, "no"), (LOOK, self._tell_look(unlisted))]
        origins = {write_origin(row["origin"]) for row in rows if row}
        genders = {row["gender"] for row in rows if row} - {""} or {""}
        return [
            (LISTED, "yes"),
            *((ORIGIN, each) for each in sorted(origins)),
            *((GENDER, GENDERS[each]) for each in sorted(genders)),
        ]

    def _tell_look(self, parts: Sequence[Part]) -> str:
        if all(part.form != fold(part.word) for part in parts):
            return "a slip from a listed one"
        foreign = any(self._origins[part.role].guess(part.form) for part in parts)
        return "does not look Swedish" if foreign else "may be Swedish"

    def _look_up(self, part: Part) -> Mapping[str, str] | None:
        """The row of a name as it is spelled."""
        form = fold(part.word)
        first = self.reader.first.get(form)
        for name in self.reader.nicks.get(form, ()) if first is None else ():
            first = first or self.reader.first.get(name)
        surname = self.reader.surnames.get(form)
        return surname or first if part.role == "surname" else first or surname


def write_origin(code: str) -> str:
    """RETURNS (str): The origin that a code of the lists stands for."""
    return CODES.get(code) or Locale("en").languages.get(code or HOME, code)


def tell_writer(row: Row, corpus: str, limits: Sequence[int]) -> list[Group]:
    """Tell what a message says of how it was written.

    row (Row): The message.
    corpus (str): The name of its set.
    limits (Sequence[int]): The quartiles of the length, in words.
    RETURNS (list[Group]): The groups that it is of.
    """
    text = row["text"]
    covered = {i for span in row["spans"] for i in range(span["start"], span["end"])}
    signs = {text[i] for i in range(len(text)) if i not in covered}
    words = len(text.split())
    case = {(True, False): "all capitals", (False, True): "no capitals"}.get(
        (any(map(str.isupper, text)), any(map(str.islower, text))), "both"
    )
    bare = words >= LONG and not signs & PUNCTUATION
    return [
        ("set", corpus),
        ("capitals", case),
        ("punctuation", f"none in {LONG} words or more" if bare else "some, or short"),
        ("length", _write_quartile(words, limits)),
        *((name, str(row[name])) for name in FIELDS if row.get(name)),
    ]


def _write_quartile(words: int, limits: Sequence[int]) -> str:
    number = int(np.searchsorted(limits, words))
    low = limits[number - 1] + 1 if number else 1
    return f"{low}-{limits[number]} words" if number < len(limits) else f"{low} words and more"


def read_entities(
    corpora: Mapping[str, Sequence[Row]],
    found: Mapping[str, Sequence[Sequence[CharSpan]]],
    names: NameGroups,
) -> list[Entity]:
    """Put the annotated entities of several sets into groups.

    corpora (Mapping[str, Sequence[Row]]): The messages of each set.
    found (Mapping[str, Sequence[Sequence[CharSpan]]]): What was found in each.
    names (NameGroups): Tells the groups of names.
    RETURNS (list[Entity]): The entities.
    """
    lengths = [len(row["text"].split()) for rows in corpora.values() for row in rows]
    limits = np.quantile(lengths, QUARTILES, method="lower").tolist()
    entities: list[Entity] = []
    unit = 0
    for corpus, rows in corpora.items():
        for places in group_conversations(rows):
            own = [
                (rows[i], found[corpus][i], span)
                for i in places
                for span in to_char_spans(rows[i]["spans"])
            ]
            people = [
                row["text"][start:end] for row, _, (start, end, label) in own if label == "PERSON"
            ]
            groups = iter(names.tell(people))
            entities += [
                Entity(
                    unit,
                    span[2],
                    not find_left(row["text"], [span], spans),
                    next(groups) if span[2] == "PERSON" else (),
                    tell_writer(row, corpus, limits),
                )
                for row, spans, span in own
            ]
            unit += 1
    return entities


def pool_origins(groups: Sequence[Sequence[Group]]) -> list[list[Group]]:
    """Make one group of the origins that few entities have.

    groups (Sequence[Sequence[Group]]): The groups of each entity.
    RETURNS (list[list[Group]]): The same, with the rare origins as `OTHER_ORIGINS`.
    """
    counts = Counter(group for own in groups for group in own)
    other = {
        group: (ORIGIN, OTHER_ORIGINS)
        for group in counts
        if group[0] == ORIGIN and counts[group] < LEAST
    }
    return [list(dict.fromkeys(other.get(group, group) for group in own)) for own in groups]


def measure(
    units: Sequence[int], redacted: Sequence[bool], groups: Sequence[Sequence[Group]]
) -> tuple[Share, list[Gap]]:
    """Measure redact of all entities and of each group, on the same samples of the conversations.

    units (Sequence[int]): The conversation of each entity.
    redacted (Sequence[bool]): Whether nothing of it is left.
    groups (Sequence[Sequence[Group]]): Its groups.
    RETURNS (tuple[Share, list[Gap]]): The share of all, and the groups of `LEAST` entities and more.
    """
    sizes = Counter(group for own in groups for group in own)
    columns = {group: i for i, group in enumerate(sizes, start=1)}
    numbers = {unit: i for i, unit in enumerate(dict.fromkeys(units))}
    counts = np.zeros((len(numbers), 1 + len(columns), 2))
    for unit, done, own in zip(units, redacted, groups):
        for column in (0, *(columns[group] for group in own)):
            counts[numbers[unit], column] += (done, 1)
    parts, wholes = np.moveaxis(resample(counts), 2, 0)
    shares = np.divide(parts, wholes, out=np.full(parts.shape, np.nan), where=wholes > 0)
    done, every = counts.sum(axis=0).T
    values = done / every

    def get_share(column: int) -> Share:
        interval = get_middle_ratio(parts[:, column], wholes[:, column])
        return Share(float(values[column]), *(interval or (0.0, 1.0)))

    gaps = []
    for group, column in columns.items():
        if sizes[group] >= LEAST:
            drawn = shares[:, column] - shares[:, 0]
            gap = Share(float(values[column] - values[0]), *get_middle(drawn[~np.isnan(drawn)]))
            gaps.append(Gap(group, sizes[group], get_share(column), gap))
    return get_share(0), gaps


def find_worst(gaps: Iterable[Gap]) -> Gap | None:
    """RETURNS (Gap | None): The group furthest below the mean, if one is below it."""
    worst = min(gaps, key=lambda gap: gap.gap.value, default=None)
    return worst if worst and worst.gap.value < 0 else None
