"""Names: of people of the conversation, and such as people bear."""

import datetime as dt
import re
from collections.abc import Iterator
from itertools import pairwise

from rapidfuzz.distance import OSA

from components.text.casing import fold
from lab.measures.surrogate_mentions import Mention
from lab.surrogate_checks.base import Case, Check, Talk, gather, tell
from lab.surrogate_checks.known import WORD, Known
from lab.surrogate_checks.traces import get_telling_words

LETTER = r"[^\W\d_]"
INITIALS = re.compile(rf"(?:{LETTER}[.:\s-]*){{1,3}}s?")
# Three letters and more, one by one: `E-v-a`, `K A R I N`.
SPELLED = re.compile(rf"{LETTER}(?P<by>[\s.,-]+){LETTER}(?:(?P=by){LETTER})+\.?")
LONG = 4  # letters, which are no initials any more
# `1890-1930 1995-`
SPAN = re.compile(r"(\d{4})-(\d{4})?")
RARE = "3"
SLIPS = 2  # letters in which spellings of a name differ
HYPHENATED = re.compile(rf"{LETTER}{{2,}}-{LETTER}{{2,}}")


def is_spelled_out(text: str, known: Known) -> bool:
    """Whether a name is spelled out: `E-v-a`, `K A R I N`.

    text (str): A mention.
    known (Known): The lists.
    RETURNS (bool): Whether it is.
    """
    if not SPELLED.fullmatch(text):
        return False
    letters = _letters(text)
    return len(letters) >= LONG or known.is_name(letters)


def _letters(text: str) -> str:
    return "".join(WORD.findall(fold(text)))


def is_initials(mention: Mention, known: Known) -> bool:
    """Whether a mention is initials: `LN` and `A.K.` are, `Bo`, `Lo` and `E-v-a` are not.

    mention (Mention): The mention.
    known (Known): The lists.
    RETURNS (bool): Whether it is.
    """
    text = mention.original
    if not INITIALS.fullmatch(text) or is_spelled_out(text, known):
        return False
    parts = WORD.findall(text)
    apart = all(len(part) == 1 for part in parts)
    return apart or (len(parts) == 1 and text.isupper() and not known.is_name(fold(text)))


def _get_initials(words: list[str]) -> set[str]:
    """What may stand for a name: `Eva Berg` is E, B and EB."""
    firsts = [word[0] for word in words]
    return {*firsts, "".join(firsts), *(firsts[:1] and [firsts[0] + firsts[-1]])}


def check_initials(talk: Talk, known: Known) -> Check:
    """Initials of a person of the conversation become the initials of that person's surrogate."""
    names: list[tuple[Mention, set[str]]] = []
    initials: list[Mention] = []
    for mention in talk.of("PERSON"):
        words = get_name(mention.original, known)
        if is_initials(mention, known):
            initials.append(mention)
        elif words:
            names.append((mention, _get_initials(words)))

    def find() -> Iterator[Case | None]:
        for mention in initials:
            old, new = _letters(mention.original), _letters(mention.surrogate)
            people = [name for name, letters in names if old in letters]
            fits = [
                name
                for name in people
                if new in _get_initials(get_name(name.surrogate, known) or [new])
            ]
            if people:
                yield None if fits else tell(mention, f"not of {people[0].surrogate}")

    return gather(find())


def get_name(text: str, known: Known) -> list[str]:
    """Read the words of a name, both of a double one.

    text (str): A mention or a surrogate.
    known (Known): The lists.
    RETURNS (list[str]): Folded words of two letters and more.
    """
    return [word for word in get_telling_words("PERSON", text, known) if len(word) > 1]


def check_double_names(talk: Talk, known: Known) -> Check:
    """A double first name is one that the lists know."""

    def find() -> Iterator[Case | None]:
        for mention in talk.of("PERSON"):
            for match in HYPHENATED.finditer(mention.surrogate):
                name = re.sub(r"(?<=.)s$", "", fold(match[0]))
                names = {fold(match[0]), name}
                surname = HYPHENATED.search(mention.original)
                first = name.split("-")[0]
                if names & known.double_names:
                    yield None
                elif surname and not {*fold(surname[0]).split("-")} & known.first_names.keys():
                    # Two surnames, one of which is a first name, too.
                    continue
                elif not names & known.surnames.keys() and first in known.first_names:
                    yield tell(mention, "a name made up of two")

    return gather(find())


def check_rare_names(talk: Talk, known: Known) -> Check:
    """No surrogate is a name that hardly anybody bears, where the lists tell which these are. One that
    is another surrogate in another spelling may be: so was its original."""
    people = [mention for mention in talk.of("PERSON") if not is_initials(mention, known)]
    words_of = [
        tuple(get_name(text, known) for text in (mention.original, mention.surrogate))
        for mention in people
    ]

    def is_spelling(old: list[str], name: str) -> bool:
        return any(
            _is_near(name, other)
            and _get_common(other, known) - {RARE}
            and any(_is_near(a, b) for a in old for b in before)
            for before, after in words_of
            for other in after
        )

    def find() -> Iterator[Case | None]:
        for mention, (old, new) in zip(people, words_of):
            words = [known.get_base(word) for word in new]
            double = {
                part
                for name in map("-".join, pairwise(words))
                if name in known.double_names
                for part in name.split("-")
            }
            for name in words:
                # `Simons` is rare, but may be of Simon.
                bare = name.removesuffix("s") if mention.surrogate.lower().endswith("s") else name
                common = _get_common(name, known) | (_get_common(bare, known) - {RARE})
                # `Pelle` is rare, but common for short; so is `Inge` but in `Per-Inge`.
                if common and name not in known.names_of and name not in double:
                    rare = common == {RARE} and not is_spelling(old, name)
                    yield tell(mention, f"{name} is rare") if rare else None

    return gather(find())


def _get_common(name: str, known: Known) -> set[str]:
    rows = [*known.first_names.get(name, ()), *known.surnames.get(name, ())]
    return {row["common"] for row in rows if row.get("common")}


def _is_near(one: str, other: str) -> bool:
    """Whether two words are spellings of one name, and not the same."""
    return one != other and OSA.distance(one, other, score_cutoff=SLIPS) <= SLIPS


def check_eras(talk: Talk, known: Known) -> Check:
    """A first name becomes one that was given in the same years, where the list tells these. Who goes
    by a nickname and a name has the years of the name."""
    given = {
        known.get_base(words[0])
        for mention in talk.of("PERSON")
        if (words := get_name(mention.original, known))
    }

    def find() -> Iterator[Case | None]:
        for mention in talk.of("PERSON"):
            words = get_name(mention.original, known)
            nick = known.get_base(words[0]) if words else ""
            if known.names_of.get(nick, set()) & (given - {nick}):
                continue
            old, new = (_get_era(text, known) for text in (mention.original, mention.surrogate))
            if old and new:
                yield None if old & new else tell(mention, f"{min(old)} to {min(new)}")

    return gather(find())


def _get_era(text: str, known: Known) -> set[int]:
    """The years in which a first name was mainly given; empty where these are unknown."""
    words = [known.get_base(word) for word in get_name(text, known)]
    if not words:
        return set()
    double = known.doubles.get("-".join(words[:2]), ()) if HYPHENATED.search(text) else ()
    return {
        year
        for row in double or known.first_names.get(words[0], ())
        for low, high in SPAN.findall(row.get("era", ""))
        for year in range(int(low), int(high or dt.date.today().year) + 1)
    }


def check_nicknames(talk: Talk, known: Known) -> Check:
    """Where somebody has a name and a nickname, so has the surrogate, and they belong together."""
    people = talk.of("PERSON")
    firsts = [
        tuple(
            known.get_base(words[0]) if (words := get_name(text, known)) else ""
            for text in (mention.original, mention.surrogate)
        )
        for mention in people
    ]
    by_name: dict[str, set[str]] = {}
    for old, new in firsts:
        by_name.setdefault(old, set()).add(new)

    def find() -> Iterator[Case | None]:
        for mention, (nick, new) in zip(people, firsts):
            names = {
                name
                for full in known.names_of.get(nick, set()) - {nick}
                for name in by_name.get(full, ())
            }
            if names:
                fits = known.names_of.get(new, set()) - {new}
                yield None if fits & names else tell(mention, f"short for none of {sorted(names)}")

    return gather(find())


def check_spelled_out(talk: Talk, known: Known) -> Check:
    """A name that is spelled out becomes a name that is spelled out."""

    def find() -> Iterator[Case | None]:
        surrogates = {
            word for mention in talk.of("PERSON") for word in get_name(mention.surrogate, known)
        }
        for mention in talk.of("PERSON"):
            if not is_spelled_out(mention.original, known):
                continue
            name = _letters(mention.surrogate)
            if not SPELLED.fullmatch(mention.surrogate):
                yield tell(mention, "no more spelled out")
            elif known.is_name(known.get_base(name)) or name in surrogates:
                yield None
            else:
                yield tell(mention, "read together it is no name")

    return gather(find())
