"""Surrogates of ages."""

import re
from collections.abc import Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from .casing import fold, like_case
from .keyed import Mention, Scope

ADULT = 18
OLD = 90
MAX_DIGITS = 3  # a longer number is no age
# No age changes by more.
MAX_SHIFT = 2

TO_NINETEEN = """noll ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton
sexton sjutton arton nitton"""
ONES = TO_NINETEEN.split()
TENS = ["tjugo", "trettio", "fyrtio", "femtio", "sextio", "sjuttio", "åttio", "nittio", "hundra"]


def spell(number: int) -> str:
    """Write a number in Swedish words.

    number (int): A number from 0 to 199.
    RETURNS (str): The words, written as one.
    """
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10 - 2] + (ONES[number % 10] if number % 10 else "")
    return "hundra" + (spell(number - 100) if number > 100 else "")


WORDS: dict[str, int] = {spell(number): number for number in range(1, 120)}
# Spoken forms: `femti`, `femtifem`, and `en` for one.
WORDS.update({word.replace("tio", "ti"): n for word, n in WORDS.items() if n >= 30})
WORDS["en"] = 1
LONGEST_FIRST = sorted(WORDS, key=len, reverse=True)
NUMBER = re.compile(
    rf"(?P<digits>\d+)(?P<decimals>[.,]\d+)?|(?<![^\W\d_])(?P<word>{'|'.join(LONGEST_FIRST)})"
    r"(?![^\W\d_])|(?<![^\W\d_])(?P<head>" + "|".join(LONGEST_FIRST) + r")(?=år|mån|veck)",
    re.IGNORECASE,
)
LETTERS = re.compile(r"[^\W\d_]+")
UNIT = re.compile(
    r"(?P<years>år|year|y\b)|(?P<months>m[åa]n|mth|month|\bm\b)|(?P<weeks>v(?:eck|\b|k))|"
    r"(?P<days>dag|dygn|day|d\b)",
    re.IGNORECASE,
)


class AgeSurrogates:
    """Shifts ages by one or two, all ages of a scope by the same number and in their own unit.

    Nobody comes of age or stops being a child by it, nobody turns 90 or stops being 90, babies
    in weeks and months stay below a year, toddlers in months below two. At those limits the
    shift turns round. The form of writing stays: digits, words, `55-årig`, decimals.
    """

    def surrogates(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        """Replace the mentions of a message.

        mentions (Sequence[Mention]): The mentions.
        scope (Scope): The conversation or message.
        RETURNS (list[str]): Their surrogates.
        """
        return [self._replace(mention.text, scope) for mention in mentions]

    def identities(self, mentions: Sequence[Mention], conversation: bool) -> list[str]:
        """Tell which mentions are the same age.

        mentions (Sequence[Mention]): The mentions of a message.
        conversation (bool): Whether the names are to hold for other messages, too.
        RETURNS (list[str]): A name for each mention, the same for the same age.
        """
        out = []
        for mention in mentions:
            matches = list(NUMBER.finditer(mention.text))
            values = [
                f"{m['digits'] or _value(m)}{m['decimals'] or ''}{_unit(mention.text, m)}"
                for m in matches
            ]
            out.append(" ".join(values) or fold(mention.text))
        return out

    def _replace(self, text: str, scope: Scope) -> str:
        if not NUMBER.search(text):
            return self._replace_unread(text, scope)

        def write(match: "re.Match[str]") -> str:
            if match["digits"] and len(match["digits"]) > MAX_DIGITS:
                return scope.digits(match["digits"], "age") + (match["decimals"] or "")
            new = shift(_value(match), _unit(text, match), scope)
            if match["digits"]:
                return str(new).zfill(len(match["digits"]) if match[0][0] == "0" else 1) + (
                    match["decimals"] or ""
                )
            return like_case(match[0], spell(new))

        return NUMBER.sub(write, text)

    @staticmethod
    def _replace_unread(text: str, scope: Scope) -> str:
        """An age with a misspelled number, or none: that becomes an adult's age, as what was
        taken for an age must not stay."""
        for match in LETTERS.finditer(text):
            near = process.extractOne(
                fold(match[0]), LONGEST_FIRST, scorer=OSA.distance, score_cutoff=1
            )
            if near and len(match[0]) > 4:
                word = like_case(match[0], spell(shift(WORDS[near[0]], "years", scope)))
                return text[: match.start()] + word + text[match.end() :]
        return f"{25 + scope.number(50, 'age', fold(text))} år"


def _value(match: "re.Match[str]") -> int:
    return (
        int(match["digits"]) if match["digits"] else WORDS[(match["word"] or match["head"]).lower()]
    )


def _unit(text: str, match: "re.Match[str]") -> str:
    found = UNIT.search(text, match.end())
    return found.lastgroup or "years" if found else "years"


def shift(age: int, unit: str, scope: Scope) -> int:
    """Shift an age.

    age (int): The age.
    unit (str): "years", "months", "weeks" or "days".
    scope (Scope): The conversation or message.
    RETURNS (int): Another age in the same stage of life.
    """
    step = (-2, -1, 1, 2)[scope.number(2 * MAX_SHIFT, "age")]
    if unit == "years":
        bounds = ((0, ADULT - 1), (ADULT, OLD - 1), (OLD, 10**9))
    elif unit == "months":
        bounds = ((1, 11), (12, 23), (24, 10**9))
    else:
        bounds = ((0 if age == 0 else 1, 10**9),)
    low, high = next((low, high) for low, high in bounds if low <= max(age, low) <= high)
    for candidate in (age + step, age - step):
        if max(low, 1 if age else 0) <= candidate <= high:
            return candidate
    return age + (1 if age < high else -1)
