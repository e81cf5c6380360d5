"""Grammar and casing, and numbers and addresses that stay what they are."""

import re
from collections.abc import Iterator

from components.text.casing import fold
from lab.measures.surrogate_mentions import Mention, get_digits
from lab.surrogate_checks.base import Case, Check, Talk, gather, tell
from lab.surrogate_checks.known import WORD, Known
from lab.surrogate_checks.traces import is_functional, is_same

COMPANY = re.compile(r"\b(?:AB|HB|KB|IF|BK|IK|FF|FC)\b")
ACRONYM, INITIALS = 5, 3  # letters
SHORT = 2  # letters of what `Vos` would be the genitive of
NAMES = ("PERSON", "LOCATION", "ORGANISATION")
# The areas in which numbers are set aside for fiction.
SHORTEST = 8  # digits of a landline number
AREAS = ("08", "031", "040", "0980")
FOREIGN = re.compile(r"\s*(?:\+|00)\W*(?!46)\d")
NOT_LANDLINES = ("07", "010", "020", "0200", "0771", "0900", "0939", "0944")


def check_capitals(talk: Talk, known: Known) -> Check:
    """A surrogate has capitals where its original has. `SSAB` may become `Scania`, as it is called."""

    def find() -> Iterator[Case | None]:
        for mention in talk.of(*NAMES):
            old, new = (
                _get_casing(text, mention.label) for text in (mention.original, mention.surrogate)
            )
            if old and new:
                yield None if old & new else tell(mention, "other capitals")

    return gather(find())


def _get_casing(text: str, label: str) -> set[str]:
    """How it is written; several where it may be an acronym or initials, none where no letter tells."""
    if text[:1].isdecimal():
        return set()
    letters = [char for char in COMPANY.sub("", text) if char.isalpha()]
    if not letters:
        return set()
    if not any(char.isupper() for char in letters):
        return {"lower"}
    first = "title" if letters[0].isupper() else "mixed"
    if all(char.isupper() for char in letters):
        longest = ACRONYM if label == "ORGANISATION" else INITIALS
        return {"upper", first} if len(letters) <= longest else {"upper"}
    return {first}


def check_genitives(talk: Talk, known: Known) -> Check:
    """A name in the genitive becomes one, and no other does."""

    def find() -> Iterator[Case | None]:
        for mention in talk.of("PERSON", "LOCATION"):
            if is_same(mention):
                continue
            was, is_now = (
                _is_genitive(text, known) for text in (mention.original, mention.surrogate)
            )
            if was and not fold(mention.surrogate).endswith(("s", "x", "z")):
                yield tell(mention, "no genitive any more")
            elif was is False and is_now:
                yield tell(mention, "a genitive that was none")
            elif was is not None:
                yield None

    return gather(find())


def _is_genitive(text: str, known: Known) -> bool | None:
    """Whether a listed name is in the genitive; None where no list knows it."""
    words = WORD.findall(fold(text))
    if not words:
        return None
    word = words[-1]
    if fold(text) in known.places or word in known.places or known.is_name(word):
        return False
    base = known.get_base(word)
    return True if base != word and len(base) > SHORT else None


def check_areas(talk: Talk, known: Known) -> Check:
    """A landline number gets another area, and stays a landline."""

    def find() -> Iterator[Case | None]:
        for mention in talk.of("PHONE"):
            old, new = (f"0{get_digits(t)}" for t in (mention.original, mention.surrogate))
            foreign = FOREIGN.match(mention.original)
            if foreign or len(old) < SHORTEST or old.startswith(NOT_LANDLINES):
                continue
            area = next((area for area in AREAS if new.startswith(area)), None)
            if area is None:
                yield tell(mention, "no landline any more")
            else:
                yield tell(mention, f"still {area}") if old.startswith(area) else None

    return gather(find())


def check_offices(talk: Talk, known: Known) -> Check:
    """The e-mail address of an office stays one, and that of a person becomes no office's."""

    def find() -> Iterator[Case | None]:
        for mention in talk.of("EMAIL"):
            was, is_now = is_functional(mention.original), is_functional(mention.surrogate)
            words = WORD.findall(fold(mention.original).partition("@")[0])
            if was:
                yield None if is_now else tell(mention, "an office became a person")
            elif any(map(known.is_name, words)):
                yield tell(mention, "a person became an office") if is_now else None

    return gather(find())


def check_different(talk: Talk, known: Known) -> Check:
    """Two numbers or addresses that differ stay different, a slip and its correction included."""

    def find() -> Iterator[Case | None]:
        for label in ("PID", "PHONE", "EMAIL"):
            first: dict[str, Mention] = {}
            for mention in talk.of(label):
                first.setdefault(_normalise(label, mention.original), mention)
            taken: dict[str, Mention] = {}
            for mention in first.values():
                new = _normalise(label, mention.surrogate)
                other = taken.setdefault(new, mention)
                if len(first) > 1:
                    yield None if other is mention else tell(mention, f"as for {other.original}")

    return gather(find())


def _normalise(label: str, text: str) -> str:
    return re.sub(r"\s", "", fold(text)) if label == "EMAIL" else get_digits(text)
