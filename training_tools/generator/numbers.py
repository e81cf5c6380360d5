"""Numbers: personnummer, phones, and all the numbers in medical chat that identify nobody."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate, pairwise
from random import Random

from stdnum import luhn

from components.text.numbers import COORDINATION
from training_tools.generator.tables import read_tables, weighted

TABLES = read_tables("numbers")
AREA_CODES: list[str] = TABLES["area_codes"]
MOBILE_CODES = ("70", "72", "73", "76", "79")
GROUPINGS: dict[int, list[list[int]]] = TABLES["groupings"]


def digits(count: int, rng: Random, first: str = "0123456789") -> str:
    """Draw digits; the first one from `first`."""
    return rng.choice(first) + "".join(rng.choice("0123456789") for _ in range(count - 1))


@dataclass(frozen=True)
class Pid:
    """A personnummer: how it is written is a matter of style."""

    born: date
    serial: str
    check: str
    coordination: bool = False
    hundred: bool = False

    def write(self, style: str, rng: Random) -> str:
        template = weighted(TABLES["pid_styles"][style], rng)
        year = f"{self.born.year:04d}"
        day = self.born.day + (COORDINATION if self.coordination else 0)
        month, last = f"{self.born.month:02d}", self.serial + self.check
        short = f"{year[2:]}{month}{day:02d}"
        separator = "+" if self.hundred and "{c}" not in template else "-"
        if template == "{letters}":
            return " ".join([*short, "-", *last] if rng.random() < 0.5 else [*short, *last])
        text = template.format(c=year[:2], y=year[2:], m=month, d=f"{day:02d}", n=last, s=separator)
        return _slip(text, rng) if style == "typo" and rng.random() < 0.8 else text


def _slip(text: str, rng: Random) -> str:
    """Make a typing mistake that leaves the number of digits as it is."""
    places = [index for index, char in enumerate(text) if char.isdigit()]
    zeros = [index for index in places if text[index] == "0"]
    chars = list(text)
    if zeros and rng.random() < 0.4:
        for index in zeros if rng.random() < 0.5 else [rng.choice(zeros)]:
            chars[index] = "O" if index % 3 else "o"
    elif rng.random() < 0.5:
        here = rng.randrange(len(places) - 1)
        one, two = places[here], places[here + 1]
        chars[one], chars[two] = chars[two], chars[one]
    else:
        chars[rng.choice(places)] = digits(1, rng)
    return "".join(chars)


def draw_pid(born: date, gender: str, rng: Random, today: date, coordination: bool = False) -> Pid:
    """Draw a personnummer; one in five has a wrong check digit."""
    serial = f"{rng.randrange(100):02d}" + rng.choice("02468" if gender == "f" else "13579")
    day = born.day + (COORDINATION if coordination else 0)
    check = luhn.calc_check_digit(f"{born.year % 100:02d}{born.month:02d}{day:02d}{serial}")
    if rng.random() < 0.2:
        check = rng.choice([digit for digit in "0123456789" if digit != check])
    return Pid(born, serial, check, coordination, today.year - born.year >= 100)


@dataclass(frozen=True)
class Phone:
    """A phone number: area code without its zero, and subscriber number."""

    area: str
    subscriber: str
    country: str = ""

    def write(self, glued: bool, rng: Random) -> str:
        if self.country:
            return self._foreign(glued, rng)
        area, subscriber = self.area, self.subscriber
        if area in MOBILE_CODES and rng.random() < 0.15:
            # Many people take the digit after 070 for a part of the code: 0701-23 45 67.
            area, subscriber = area + subscriber[0], subscriber[1:]
        sizes = rng.choice(GROUPINGS[len(subscriber)])
        groups = [subscriber[a:b] for a, b in pairwise(accumulate(sizes, initial=0))]
        template = weighted(TABLES["glued_styles" if glued else "phone_styles"], rng)
        return template.format(
            a="0" + area,
            i=area,
            u=subscriber,
            g=" ".join(groups),
            dashed="-".join(groups),
            dotted=".".join(groups),
        )

    def _foreign(self, glued: bool, rng: Random) -> str:
        prefix = rng.choice(("+", "+", "+", "00"))
        if glued:
            return prefix + self.country + self.subscriber
        groups, start, rest = [], 0, len(self.subscriber)
        while rest:
            size = rest if rest < 4 else rng.choice((2, 3))
            groups.append(self.subscriber[start : start + size])
            start, rest = start + size, rest - size
        joined = rng.choice((" ", " ", "", "-")).join(groups)
        return prefix + self.country + rng.choice((" ", " ", "-", "")) + joined


def draw_phone(kind: str, rng: Random) -> Phone:
    if kind == "any":
        kind = rng.choices(("mobile", "landline", "foreign"), (66, 29, 5))[0]
    if kind == "mobile":
        return Phone(rng.choice(MOBILE_CODES), digits(7, rng))
    if kind == "foreign":
        country, length = rng.choice([*TABLES["country_codes"].items()])
        return Phone("", digits(length, rng, "123456789"), country)
    area = rng.choice(AREA_CODES)
    most = 9 - len(area)
    length = rng.choice([size for size in (5, 6, 6, 7, 8) if 7 - len(area) <= size <= most])
    return Phone(area, digits(length, rng, "123456789"))


def lab(rng: Random) -> str:
    """Draw a lab value: Hb 118, INR 2,4."""
    name, low, high, decimals = rng.choice(TABLES["labs"])
    value = rng.randint(low, high)
    number = f"{value // 10},{value % 10}" if decimals else str(value)
    return name + rng.choice((" ", " ", " ", ": ", " på ", " = ")) + number


def time(rng: Random, bare: bool) -> str:
    hour, minute = rng.randint(6, 21), 5 * rng.randrange(12)
    text = rng.choice(TABLES["times"]).format(h=hour, m=minute)
    return text if bare else rng.choice(("kl ", "kl. ", "kl ", "klockan ")) + text


def price(rng: Random) -> str:
    """Draw a price: 1 450 kr, 300:-."""
    kronor = rng.choice((rng.randint(20, 400), 50 * rng.randint(2, 40), rng.randint(400, 25000)))
    spaced = f"{kronor // 1000} {kronor % 1000:03d}" if kronor >= 1000 else str(kronor)
    return rng.choice(TABLES["prices"]).format(n=kronor, s=spaced)


def case_number(rng: Random) -> str:
    """Draw a case, booking, order, OCR or receipt number; some look like a personnummer."""
    letters, long = "ABCDEFGHJKLMNPRSTUVXYZ", (5, 6, 7, 8, 10, 10, 11, 12, 13, 16)

    def plain() -> str:
        return digits(rng.choice(long), rng, "123456789")

    kinds: Sequence[Callable[[], str]] = (
        lambda: digits(6, rng) + "-" + digits(4, rng),
        lambda: f"{rng.randint(2018, 2026)}-" + digits(rng.randint(4, 6), rng),
        lambda: (
            rng.choice(TABLES["case_starts"])
            + rng.choice(("-", "", " "))
            + digits(rng.randint(4, 9), rng)
        ),
        lambda: f"{rng.randint(10, 99)}/{rng.randint(100, 9999)}",
        lambda: f"dnr {rng.randint(2018, 2026)}/{rng.randint(100, 99999)}",
        lambda: "".join(rng.choice(letters) for _ in range(3)) + digits(3, rng),
        lambda: " ".join(digits(4, rng) for _ in range(rng.randint(2, 4))),
        plain,
        plain,
    )
    return rng.choice(kinds)()


def organisation_number(rng: Random) -> str:
    """Draw an organisation number: its third digit is at least two, so that it is no date."""
    text = rng.choice("2579") + digits(1, rng) + rng.choice("23456789") + digits(3, rng)
    return text + rng.choice(("-", "-", "")) + digits(4, rng)


def pregnancy_week(rng: Random, bare: bool) -> str:
    """Draw a week of pregnancy: v 32+4. `bare` where `v` or `vecka` stands in front already."""
    week = str(rng.randint(5, 41))
    text = f"{week}+{rng.randrange(7)}" if rng.random() < 0.7 else week
    return text if bare else rng.choice(("v ", "v.", "vecka ", "v", "graviditetsvecka ")) + text


def blood_pressure(rng: Random) -> str:
    """Draw a blood pressure: 135/85."""
    high, low = rng.randint(95, 195), rng.randint(50, 110)
    return f"{high}{rng.choice(('/', '/', '/', ' / '))}{low}"
