"""Surrogates of personal identity numbers."""

import datetime as dt
import re
from collections.abc import Sequence

from stdnum import luhn

from .casing import fold
from .date import get_weeks
from .keyed import Mention, Scope

COORDINATION = 60  # added to the day of birth in a samordningsnummer
DIGIT = re.compile(r"[0-9oO]")
# Serial numbers of Skatteverket's test numbers, which belong to nobody.
MALE, FEMALE = 239, 238
OLDEST = 1890  # up to this year of birth they are 980 to 989
RECENT = 30  # two digits below this are a year of this century


class PidSurrogates:
    """Replaces personnummer and samordningsnummer by test numbers of Skatteverket, which belong
    to nobody: serial number 238 for women, 239 for men, a valid check digit.

    The birth date moves by the offset of the scope's dates: so people born on different days stay
    different, and a birth date written elsewhere agrees. Twins of one sex and message are moved
    on by weeks. Spelling and grouping stay, a month or
    day that does not exist stays so. The last four digits alone follow the whole number where
    the message has it; else they turn into other four of the same sex.
    """

    def surrogates(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        """Replace the mentions of a message.

        mentions (Sequence[Mention]): The mentions.
        scope (Scope): The conversation or message.
        RETURNS (list[str]): Their surrogates.
        """
        numbers = [_digits(mention.text) for mention in mentions]
        chosen: dict[str, str] = {}
        taken = {number[-10:] for number in numbers}
        for number in numbers:
            if len(number) in (10, 12) and number[-10:] not in chosen:
                plus = any(
                    "+" in m.text for m, n in zip(mentions, numbers) if n[-10:] == number[-10:]
                )
                new = _choose(_century(number, plus), scope, taken)
                taken.add(new[2:])
                chosen[number[-10:]] = new
        endings = {number[-4:]: new[-4:] for number, new in chosen.items()}
        out = []
        for mention, number in zip(mentions, numbers):
            if len(number) in (10, 12):
                new = chosen[number[-10:]][-len(number) :]
            elif len(number) == 4:
                new = endings.get(number) or _last_four(number, scope)
            else:
                new = scope.digits(number, "pid")
            out.append(_write(mention.text, new))
        return out

    def identities(self, mentions: Sequence[Mention], conversation: bool) -> list[str]:
        """Tell which mentions are the same number.

        mentions (Sequence[Mention]): The mentions of a message.
        conversation (bool): Whether the names are to hold for other messages, too. Then a
            number goes by its last four digits.
        RETURNS (list[str]): A name for each mention, the same for the same number.
        """
        numbers = [_digits(mention.text) for mention in mentions]
        if conversation:
            return [number[-4:] or fold(m.text) for number, m in zip(numbers, mentions)]
        whole = {number[-4:]: number[-10:] for number in numbers if len(number) >= 10}
        return [
            number[-10:] if len(number) >= 10 else whole.get(number, number) or fold(m.text)
            for number, m in zip(numbers, mentions)
        ]


def _write(text: str, number: str) -> str:
    digits = iter(number)
    return DIGIT.sub(lambda _: next(digits), text)


def _digits(text: str) -> str:
    return "".join("0" if c in "oO" else c for c in DIGIT.findall(text))


def _century(number: str, plus: bool) -> str:
    if len(number) == 12:
        return number
    century = (20 if int(number[:2]) < RECENT else 19) - plus
    return f"{century}{number}"


def _choose(number: str, scope: Scope, taken: set[str]) -> str:
    """Another twelve digits for twelve digits."""
    year, month, day = int(number[:4]), int(number[4:6]), int(number[6:8])
    added = COORDINATION if day > COORDINATION else 0
    weeks = get_weeks(scope)
    step = 1 if weeks > 0 else -1
    while True:
        born = _shift(year, month, day - added, weeks)
        if born is None:
            # An impossible date stays one: only the year moves.
            date = f"{(year + weeks) % 10000:04d}{number[4:8]}"
        else:
            date = f"{born.year:04d}{born.month:02d}{born.day + added:02d}"
        serial = MALE if int(number[10]) % 2 else FEMALE
        if int(date[:4]) <= OLDEST:
            serial = 980 + 2 * scope.number(5, "pid", number) + int(number[10]) % 2
        new = f"{date}{serial}"
        new += luhn.calc_check_digit(new[2:])
        if new[2:] not in taken:
            return new
        weeks += step


def _shift(year: int, month: int, day: int, weeks: int) -> dt.date | None:
    try:
        return dt.date(year, month, day) + dt.timedelta(weeks=weeks)
    except (ValueError, OverflowError):
        return None


def _last_four(number: str, scope: Scope) -> str:
    """Other last four digits with the same sex: a permutation of them without fixed points."""
    first, sex, last = int(number[:2]), int(number[2]), int(number[3])
    index = (first * 5 + sex // 2) * 10 + last
    index = next(scope.cycle(5000, index, "pid", str(sex % 2)))
    return f"{index // 50:02d}{index // 10 % 5 * 2 + sex % 2}{index % 10}"
