"""Surrogates of personal identity numbers."""

import datetime as dt
import re
from collections.abc import Iterable, Sequence

from rapidfuzz.distance import OSA
from stdnum import luhn

from ..validators import digits_of
from .casing import fold
from .keyed import Mention, Scope
from .lives import COORDINATION, Lives, get_century, get_lives

DIGIT = re.compile(r"[0-9oO]")
# Serial numbers of Skatteverket's test numbers, which belong to nobody.
MALE, FEMALE = 239, 238
OLDEST = 1890  # up to this year of birth they are 980 to 989


class PidSurrogates:
    """Replaces personnummer and samordningsnummer by test numbers of Skatteverket, which belong
    to nobody: serial number 238 for women, 239 for men, a valid check digit.

    The birth date moves as `Lives` tells, so that it agrees with ages, and with birth dates that
    are written elsewhere. Twins of one sex are moved apart by weeks. Spelling and grouping stay, a
    month or day that does not exist stays so. A number with a wrong check digit gets a right one,
    that of the valid number that it misspells, if there is one. The last four digits alone follow
    the whole number where it is at hand, as does a slip in them; else they turn into other four of
    the same sex.
    """

    def surrogates(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        """Replace the mentions of a message.

        mentions (Sequence[Mention]): The mentions.
        scope (Scope): The conversation or message.
        RETURNS (list[str]): Their surrogates.
        """
        numbers = [digits_of(mention.text) for mention in mentions]
        lives = get_lives(scope)
        whole: dict[str, str] = {}
        for mention, number in zip(mentions, numbers):
            if len(number) == 12 or len(number) == 10 and number not in whole:
                whole[number[-10:]] = get_century(number, "+" in mention.text)
        taken = {*whole, *(digits_of(value)[-10:] for value in scope.known.get("PID", ()))}
        chosen: dict[str, str] = {}
        # In an order of their own, as the later of twins gives way to the earlier, and a
        # misspelled number follows the right one.
        for number in sorted(whole, key=lambda number: (not luhn.is_valid(number), number)):
            near = _find_near(number, chosen)
            chosen[number] = chosen[near] if near else _choose(whole[number], lives, scope, taken)
            taken.add(chosen[number][2:])
        endings = {number[-4:]: new[-4:] for number, new in chosen.items()}
        out = []
        for mention, number in zip(mentions, numbers):
            if len(number) in (10, 12):
                new = chosen[number[-10:]][-len(number) :]
            elif len(number) == 4:
                near = next((n for n in endings if _is_slip(n, number)), None)
                if number in endings:
                    new = endings[number]
                else:
                    new = _slip(near, number, endings[near]) if near else _last_four(number, scope)
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
        numbers = [digits_of(mention.text) for mention in mentions]
        if conversation:
            return [number[-4:] or fold(m.text) for number, m in zip(numbers, mentions)]
        whole = {number[-4:]: number[-10:] for number in numbers if len(number) >= 10}
        return [
            number[-10:] if len(number) >= 10 else whole.get(number, number) or fold(m.text)
            for number, m in zip(numbers, mentions)
        ]


def _is_slip(right: str, wrong: str) -> bool:
    """Whether two numbers of one length differ in one digit or in the order of two."""
    return OSA.distance(right, wrong, score_cutoff=1) == 1


def _slip(right: str, wrong: str, new: str) -> str:
    """Misspell a number as another one is misspelled."""
    if sorted(right) == sorted(wrong):
        i = next(i for i, (a, b) in enumerate(zip(right, wrong)) if a != b)
        return new[:i] + new[i + 1] + new[i] + new[i + 2 :]
    return "".join(str((int(c) + int(b) - int(a)) % 10) for a, b, c in zip(right, wrong, new))


def _write(text: str, number: str) -> str:
    digits = iter(number)
    return DIGIT.sub(lambda _: next(digits), text)


def _find_near(number: str, known: Iterable[str]) -> str | None:
    """The number that one with a wrong check digit misspells: one typing error away."""
    if luhn.is_valid(number):
        return None
    return next((other for other in known if OSA.distance(number, other, score_cutoff=1) < 2), None)


def _choose(number: str, lives: Lives, scope: Scope, taken: set[str]) -> str:
    """Another twelve digits for twelve digits."""
    year, month, day = int(number[:4]), int(number[4:6]), int(number[6:8])
    added = COORDINATION if day > COORDINATION else 0
    born = lives.move_birth(year, month, day - added)
    step = dt.timedelta(weeks=1 if lives.weeks > 0 else -1)
    while True:
        if born is None:
            # An impossible date stays one: only the year moves.
            year = (year + lives.weeks) % 10000
            date = f"{year:04d}{number[4:8]}"
        else:
            date = f"{born.year:04d}{born.month:02d}{born.day + added:02d}"
            born += step
        serial = MALE if int(number[10]) % 2 else FEMALE
        if int(date[:4]) <= OLDEST:
            serial = 980 + 2 * scope.number(5, "pid", number) + int(number[10]) % 2
        new = f"{date}{serial}"
        new += luhn.calc_check_digit(new[2:])
        if new[2:] not in taken:
            return new


def _last_four(number: str, scope: Scope) -> str:
    """Other last four digits with the same sex: a permutation of them without fixed points."""
    first, sex, last = int(number[:2]), int(number[2]), int(number[3])
    index = (first * 5 + sex // 2) * 10 + last
    index = next(scope.cycle(5000, index, "pid", str(sex % 2)))
    return f"{index // 50:02d}{index // 10 % 5 * 2 + sex % 2}{index % 10}"
