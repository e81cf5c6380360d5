"""Surrogates of ages."""

import re
from collections.abc import Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from ..swedish.casing import fold, like_case
from .age_forms import LONGEST_FIRST, MAX_DIGITS, WORDS, Age, read_ages, spell
from .keyed import Mention, Pool, Scope
from .lives import Lives, get_lives
from .replacer import Replacer

LETTERS = re.compile(r"[^\W\d_]+")
LONG_NUMBER = re.compile(rf"\d{{{MAX_DIGITS + 1},}}")
# `i 50-årsåldern`: five years off is as close as the next.
ABOUT = re.compile(r"årsålder", re.IGNORECASE)
MISSPELLED = 5  # a shorter word has too many neighbours
ADULTS = Pool(f"{age} år" for age in range(25, 75))


class AgeSurrogates(Replacer):
    """Shifts ages by one or two, all ages of a scope by the same number in their own unit, and
    with them the birth dates of the same people (see `Lives`).

    Nobody comes of age or stops being a child by it, nobody turns 90 or stops being 90, babies
    in weeks and months stay below a year, toddlers in months below two. The form of writing
    stays: digits, words, `55-årig`, decimals.
    """

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        lives = get_lives(scope)
        return [self._replace(mention.text, lives, scope) for mention in mentions]

    def identities(self, mentions: Sequence[Mention], conversation: bool) -> list[str]:
        """Tell which mentions are the same age.

        mentions (Sequence[Mention]): The mentions of a message.
        conversation (bool): Whether the names are to hold for other messages, too.
        RETURNS (list[str]): A name for each mention, the same for the same age.
        """
        out = []
        for mention in mentions:
            values = [
                f"{age.value}{age.match['decimals'] or ''}{age.unit}"
                for age in read_ages(mention.text)
            ]
            out.append(" ".join(values) or fold(mention.text))
        return out

    def _replace(self, text: str, lives: Lives, scope: Scope) -> str:
        ages = read_ages(text)
        if not ages:
            return self._repair(text, lives, scope)
        about = [match.start() for match in ABOUT.finditer(text)]
        out: list[str] = []
        position = 0
        for age in ages:
            start, end = age.match.span()
            round_age = bool(about) and end <= about[-1]
            out += (_replace_long(text[position:start], scope), _write(age, lives, round_age))
            position = end
        return "".join(out) + _replace_long(text[position:], scope)

    @staticmethod
    def _repair(text: str, lives: Lives, scope: Scope) -> str:
        """An age with a misspelled number, or none: that becomes an adult's age, as what was
        taken for an age must not stay."""
        if LONG_NUMBER.search(text):
            return _replace_long(text, scope)
        for match in LETTERS.finditer(text):
            if len(match[0]) < MISSPELLED:
                continue
            near = process.extractOne(
                fold(match[0]), LONGEST_FIRST, scorer=OSA.distance, score_cutoff=1
            )
            if near:
                word = like_case(match[0], spell(lives.get_age(WORDS[near[0]])))
                return text[: match.start()] + word + text[match.end() :]
        return f"{25 + scope.number(50, 'age', fold(text))} år"

    def _get_pool(self) -> Pool:
        return ADULTS


def _replace_long(text: str, scope: Scope) -> str:
    return LONG_NUMBER.sub(lambda match: scope.digits(match[0], "age"), text)


def _write(age: Age, lives: Lives, about: bool) -> str:
    """Another number in the form of an age."""
    match = age.match
    about = about and age.unit == "years" and age.value % 5 == 0
    new = lives.get_age(age.value, "about" if about else age.unit)
    if not match["digits"]:
        return like_case(match[0], spell(new))
    width = len(match["digits"]) if match[0][0] == "0" else 1
    return str(new).zfill(width) + (match["decimals"] or "")
