"""Surrogates of the numbers of people in the other Nordic countries."""

import datetime as dt
from collections.abc import Iterator

from stdnum.fi import hetu
from stdnum.is_ import kennitala
from stdnum.no import fodselsnummer

from ..core.scope import Scope
from ..time.clock import get_recent
from ..time.timeline import get_timeline
from .codes import DIGITS, Codes, draw_characters

# Signs of the century in a Finnish code.
SIGNS = {"+": 1800} | dict.fromkeys("-UVWXY", 1900) | dict.fromkeys("ABCDEF", 2000)
FINNISH_CONTROL = "0123456789ABCDEFHJKLMNPRSTUVWXY"
NO_MONTH = 80  # added to the month of Norwegian numbers that belong to nobody
NO_DAY, N_DAYS = 72, 8  # on these days nobody is born, and no company founded


class NordicIds(Codes):
    """Replaces the numbers of people in Denmark, Finland, Norway and Iceland by such as belong to nobody,
    with right check digits: a Finnish one has an individual number from 900 on (those of tests), a
    Norwegian one 80 added to its month (as the test population of Skatteetaten has), a Danish or Icelandic
    one a day from 72 to 79. The birth date moves as that of a personnummer does; the sex stays.
    """

    def read(self, text: str) -> str:
        core = "".join(char for char in text.upper() if char.isalnum() or char in "+-")
        return core if _is_finnish(core) else "".join(filter(str.isalnum, core))

    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        if _is_finnish(core):
            yield from _draw_finnish(core, scope)
        elif len(core) == 11 and core.isdecimal():
            yield from _draw_norwegian(core, scope)
        elif len(core) == 10 and core.isdecimal():
            yield from _draw_others(core, scope)
        else:
            kinds = [DIGITS if char.isdigit() else FINNISH_CONTROL[10:] for char in core]
            yield from draw_characters(core, kinds, scope, "nordic")

    def write(self, text: str, core: str, new: str) -> str:
        has_sign = _is_finnish(core)
        characters = iter(new)
        out = []
        for char in text:
            if char.isalnum() or has_sign and char in "+-":
                other = next(characters, "")
                char = other.lower() if char.islower() else other
            out.append(char)
        return "".join(out)


def _is_finnish(core: str) -> bool:
    """Whether it is a Finnish code: with a letter, or with digits alone that fit."""
    has_form = len(core) == 11 and core[:6].isdecimal() and core[6] in SIGNS
    if not has_form or not core[7:10].isdecimal():
        return False
    return any(map(str.isalpha, core)) or bool(hetu.is_valid(core, allow_temporary=True))


def _move(core: str, century: int, scope: Scope) -> str:
    """Another birth date, six digits."""
    day, month, year = int(core[:2]), int(core[2:4]), century + int(core[4:6])
    born = get_timeline(scope).move_birth(year, month, day)
    # A day that does not exist gets one that does.
    return f"{born or dt.date(1950 + scope.number(50, 'nordic', core), 1 + month % 12, 8):%d%m%y}"


def _guess_century(core: str) -> int:
    return 2000 if int(core[4:6]) < get_recent() else 1900


def _draw_finnish(core: str, scope: Scope) -> Iterator[str]:
    date = _move(core, SIGNS[core[6]], scope)
    for serial in draw_characters(core[7:10], ["9", DIGITS, DIGITS], scope, "finnish", core):
        if int(serial) % 2 == int(core[9]) % 2:
            control = hetu._calc_checksum(date + serial)
            yield f"{date}{core[6]}{serial}{control}"


def _draw_norwegian(core: str, scope: Scope) -> Iterator[str]:
    date = _move(f"{int(core[0]) % 4}{core[1:]}", _guess_century(core), scope)
    date = f"{date[:2]}{int(date[2:4]) + NO_MONTH}{date[4:]}"
    for serial in draw_characters(core[6:9], [DIGITS] * 3, scope, "norwegian", core):
        first = fodselsnummer.calc_check_digit1(date + serial)
        second = fodselsnummer.calc_check_digit2(date + serial + first)
        if len(first + second) == 2 and int(serial) % 2 == int(core[8]) % 2:
            yield f"{date}{serial}{first}{second}"


def _draw_others(core: str, scope: Scope) -> Iterator[str]:
    date = _move(core, _guess_century(core), scope)
    date = f"{NO_DAY + int(date[:2]) % N_DAYS}{date[2:]}"
    is_icelandic = core[9] in "09" and kennitala.checksum(core) == 0
    kinds = [DIGITS] * 3 + [core[9] if is_icelandic else DIGITS[int(core[9]) % 2 :: 2]]
    for last in draw_characters(core[6:], kinds, scope, "nordic", core):
        if not is_icelandic or kennitala.checksum(date + last) == 0:
            yield date + last
