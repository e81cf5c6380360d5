"""What the word lists tell a check."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from components.text.casing import fold, to_ascii

Lists = Mapping[str, Sequence[Mapping[str, str]]]

WORD = re.compile(r"[^\W\d_]+")
# So many entries of the lists make a word a kind of thing, and the end of words an ending.
MANY = 10
ENDING_LENGTHS = range(3, 10)
# Of the words that end with the rest of an ending, how many have all of it.
WHOLE = 0.3
# Too short, or too seldom in lower case, for the lists to tell.
KIND_WORDS = """
ab hb kb if fc bk ik sk vc hc bvc bmm mvc bup st sankt sankta norra södra östra västra övre nedre
stora lilla gamla nya inre yttre centrala norr söder öster väster region regionen byrå byrån
verksamhet verksamheten enhet enheten center centrum team teamet klinik boende mottagning koh san santa saint los las new
uppgång riksväg länsväg väg vägen torg torget
"""
SHORT_KINDS = frozenset(KIND_WORDS.split())
# What stands in front of a kind, and makes another kind of it: `länssjukhus`.
HEAD_WORDS = """
läns central specialist universitets korttids region när barn ungdoms vuxen familje akut dag dygns
demens grupp service vård äldre hud ögon rehab fri grund hög mellan låg folk privat
"""
HEADS = tuple(HEAD_WORDS.split())
# In front of surnames, and of families.
PARTICLE_WORDS = "al el ibn bin ben von van de la der den af da di du fam familjen"
PARTICLES = frozenset(PARTICLE_WORDS.split())


class Known:
    """Looks names, places and organisations up in the word lists. Takes any word in any casing.

    lists (Lists): The rows of each list, by name (`read_lists`).
    """

    def __init__(self, lists: Lists) -> None:
        self.lists = lists

    def _rows(self, *names: str) -> Iterator[Mapping[str, str]]:
        for name in names:
            yield from self.lists.get(name, ())

    def _by(self, column: str, *names: str) -> dict[str, list[Mapping[str, str]]]:
        rows: dict[str, list[Mapping[str, str]]] = defaultdict(list)
        for row in self._rows(*names):
            if row.get(column):
                rows[fold(row[column])].append(row)
        return dict(rows)

    # People

    @cached_property
    def first_names(self) -> dict[str, list[Mapping[str, str]]]:
        """The rows of each first name."""
        return self._by("name", "first_names")

    @cached_property
    def surnames(self) -> dict[str, list[Mapping[str, str]]]:
        """The rows of each surname."""
        return self._by("name", "surnames")

    @cached_property
    def shared_names(self) -> dict[str, list[Mapping[str, str]]]:
        """The rows of each name that people of several origins bear."""
        return self._by("name", "shared_names")

    @cached_property
    def double_names(self) -> frozenset[str]:
        """Double first names that people bear."""
        return frozenset(self.doubles)

    @cached_property
    def doubles(self) -> dict[str, list[Mapping[str, str]]]:
        """The rows of each of them."""
        rows = self._by("name", "double_names", "first_names")
        return {name: own for name, own in rows.items() if "-" in name}

    @cached_property
    def names_of(self) -> dict[str, set[str]]:
        """What each nickname is short for."""
        return {
            nick: {fold(row["name"]) for row in rows}
            for nick, rows in self._by("nick", "nicknames").items()
        }

    @cached_property
    def titles(self) -> frozenset[str]:
        """Titles, roles and kinship words."""
        return frozenset(fold(row["word"]) for row in self._rows("titles"))

    def is_name(self, word: str) -> bool:
        """Whether a word is a name of a person.

        word (str): A word, folded.
        RETURNS (bool): Whether some list of names has it.
        """
        return word in self.first_names or word in self.surnames or word in self.names_of

    def get_base(self, word: str) -> str:
        """Read a name in the genitive.

        word (str): A word.
        RETURNS (str): The folded name; the word itself, if that is listed, or neither is.
        """
        word = fold(word)
        bare = re.sub(r"[':]?s$", "", word)
        listed = self.is_name(word) or word in self.places or not bare
        return bare if not listed and (self.is_name(bare) or bare in self.places) else word

    # Places and organisations

    @cached_property
    def places(self) -> dict[str, list[Mapping[str, str]]]:
        """The rows of each place."""
        return self._by("name", "places")

    @cached_property
    def postal(self) -> dict[str, set[str]]:
        """What the postal codes of each town begin with, where there is such a list."""
        return {
            town: {str(code) for row in rows for code in _read_ranges(row["codes"])}
            for town, rows in self._by("town", "postal").items()
        }

    @cached_property
    def organisations(self) -> dict[str, set[str]]:
        """The kinds of each organisation, by name and abbreviation."""
        kinds: dict[str, set[str]] = defaultdict(set)
        for column, name in (
            ("name", "organisations"),
            ("abbreviation", "organisations"),
            ("word", "units"),
        ):
            for word, rows in self._by(column, name).items():
                kinds[word].update(row["kind"] for row in rows)
        return dict(kinds)

    @cached_property
    def units(self) -> frozenset[str]:
        """Institutions in the definite form, of which any town has one."""
        return frozenset(fold(row["word"]) for row in self._rows("units"))

    @cached_property
    def types(self) -> dict[str, str]:
        """The type of each organisation, where the list has types."""
        rows_of = self._by("name", "organisations")
        types = {name: rows[0].get("type", "") for name, rows in rows_of.items()}
        return {name: type_ for name, type_ in types.items() if type_}

    @cached_property
    def nationwide(self) -> frozenset[str]:
        """What there is one of for the whole country."""
        return frozenset(fold(row["name"]) for row in self._rows("nationwide"))

    # Words

    @cached_property
    def ordinary(self) -> frozenset[str]:
        """Words that stand in any text: of the language, of medicine, drugs and titles."""
        words = {
            fold(row["word"]) for row in self._rows("words", "words_foreign", "words_everyday")
        }
        words.update(fold(row["term"]) for row in self._rows("terms", "eponyms"))
        words.update(fold(row["name"]) for row in self._rows("drugs"))
        return frozenset(words | self.titles)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Words that say what something is, and not which: many names hold them in lower case."""
        counts: Counter[str] = Counter()
        for row in self._rows("organisations", "places", "streets"):
            counts.update(word for word in WORD.findall(row["name"])[1:] if word.islower())
        many = {word for word, count in counts.items() if count >= MANY}
        return SHORT_KINDS | {*map(fold, many)} | self.units

    def is_kind(self, word: str) -> bool:
        """Whether a word says what something is, and not which: `sjukhus`, `länssjukhuset`.

        word (str): A word, folded.
        RETURNS (bool): Whether it does.
        """
        forms = {word, word.removesuffix("s")}
        forms |= {form[len(head) :] for form in forms for head in HEADS if form.startswith(head)}
        return not forms.isdisjoint(self.kinds)

    @cached_property
    def endings(self) -> frozenset[str]:
        """What many surnames, places and streets end with: a piece of which the last letters are
        mostly the end (`-ström` of `-tröm`), while many letters stand in front of it."""
        words = {
            word
            for row in self._rows("surnames", "places", "streets")
            for word in WORD.findall(fold(row["name"]))
        }
        counts = Counter(word[-n:] for word in words for n in ENDING_LENGTHS if n < len(word) - 1)
        found = {
            end
            for end, count in counts.items()
            if count >= MANY and count >= WHOLE * counts.get(end[1:], 0)
        }
        # As in addresses
        return frozenset(found | {to_ascii(end) for end in found})

    def get_core(self, word: str) -> str:
        """Read a word without what many words end with.

        word (str): A word, folded.
        RETURNS (str): What is left of it, two letters at least.
        """
        for length in reversed(ENDING_LENGTHS):
            for end in {word, word.removesuffix("s")}:
                if len(end) - length >= 2 and end[-length:] in self.endings:
                    return end[:-length]
        return word


def _read_ranges(text: str) -> Iterator[int]:
    """`111-118,120` is 111 to 118, and 120."""
    for part in text.split(","):
        low, _, high = part.partition("-")
        yield from range(int(low), int(high or low) + 1)
