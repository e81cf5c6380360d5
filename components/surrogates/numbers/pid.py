"""Surrogates of personal identity numbers."""

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence

from stdnum import luhn

from ...lists.neighbours import Neighbours
from ...text.casing import fold
from ...text.numbers import split_day
from ...text.validators import digits_of
from ..core.pools import Pool
from ..core.replacer import Replacer
from ..core.scope import Mention, Scope
from ..time.timeline import Timeline, get_century, get_timeline
from .pid_forms import get_letters, read_pid, split_glued, write_pid

# Serial numbers of Skatteverket's test numbers, which belong to nobody.
MALE, FEMALE = 239, 238
OLDEST = 1890  # up to this year of birth they are 980 to 989
LAST = 4  # digits that may stand alone


class PidSurrogates(Replacer):
    """Replaces personnummer and samordningsnummer by test numbers of Skatteverket, which belong
    to nobody: serial number 238 for women, 239 for men, a valid check digit.

    The birth date moves as `Timeline` tells, so that it agrees with ages, and with birth dates that
    are written elsewhere. Twins of one sex are moved apart by weeks. Spelling and grouping stay,
    spoken numbers stay in words; a month or day that does not exist stays so. A number with a wrong check digit gets a right one,
    that of the valid number that it misspells, if there is one. One with a digit too many or too few stays so,
    letters in it stay; of two that are glued together each is replaced. The last four digits alone follow
    the whole number where it is at hand, as does a slip in them; else they turn into other four of
    the same sex.

    chooser (type[PidChooser] | None): Chooses the whole numbers; by default `PidChooser`.
    """

    def __init__(self, chooser: "type[PidChooser] | None" = None) -> None:
        self.chooser = chooser or PidChooser

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        parts = [split_glued(mention.text) for mention in mentions]
        single = [
            mention._replace(text=text) for mention, texts in zip(mentions, parts) for text in texts
        ]
        new = iter(self._replace_single(single, scope))
        return ["".join(next(new) for _ in texts) for texts in parts]

    def _replace_single(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        numbers = [read_pid(mention.text) for mention in mentions]
        timeline = get_timeline(scope)
        whole: dict[str, str] = {}
        letters: dict[str, str] = {}
        for mention, number in zip(mentions, numbers):
            if len(number) == 12 or len(number) == 10 and number not in whole:
                whole[number[-10:]] = get_century(number, "+" in mention.text)
                letters[number[-10:]] = get_letters(mention.text)
        taken = {*whole, *(digits_of(value)[-10:] for value in scope.ledger.known.get("PID", ()))}
        chooser = self.chooser(timeline, scope, taken)
        chosen: dict[str, str] = {}
        right = Neighbours()
        # In an order of their own, as the later of twins gives way to the earlier, and a
        # misspelled number follows the right one.
        for number in sorted(whole, key=lambda number: (not luhn.is_valid(number), number)):
            # With a wrong check digit it is one with a typing error.
            near = [] if luhn.is_valid(number) else right.find(number)
            new = near and chooser.slip(near[0], number, chosen[near[0]])
            chosen[number] = new or chooser.choose(whole[number], letters[number])
            right.add(number)
        endings = Endings(chosen)
        out = []
        for mention, number in zip(mentions, numbers):
            if not number:
                out.append(self._replace_unread(mention.text, scope))
                continue
            if len(number) in (10, 12):
                new = chosen[number[-10:]][-len(number) :]
            elif len(number) == LAST:
                new = endings.replace(number, scope)
            else:
                new = scope.digits(number, "pid")
            out.append(write_pid(mention.text, new))
        return out

    def _get_pool(self) -> Pool:
        return MADE

    def identities(self, mentions: Sequence[Mention]) -> list[str]:
        numbers = [read_pid(mention.text) for mention in mentions]
        whole = {number[-10:] for number in numbers if len(number) >= 10}
        endings = Counter(number[-LAST:] for number in whole)
        # The last four digits are of the one number that ends so.
        last = {number[-LAST:]: number for number in whole if endings[number[-LAST:]] == 1}
        return [
            number[-10:] if len(number) >= 10 else last.get(number, number) or fold(m.text)
            for number, m in zip(numbers, mentions)
        ]


def _slip(right: str, wrong: str, new: str) -> str:
    """Misspell a number as another one is misspelled."""
    if sorted(right) == sorted(wrong):
        i = next(i for i, (a, b) in enumerate(zip(right, wrong)) if a != b)
        return new[:i] + new[i + 1] + new[i] + new[i + 2 :]
    return "".join(str((int(c) + int(b) - int(a)) % 10) for a, b, c in zip(right, wrong, new))


class PidChooser:
    """Chooses whole numbers, none that is taken (ten digits each). What is chosen is added to
    these."""

    def __init__(self, timeline: Timeline, scope: Scope, taken: set[str]) -> None:
        self.timeline = timeline
        self.scope = scope
        self.taken = taken
        # By date, sex and letters: where the search for a free date goes on.
        self._reached: dict[tuple[str, int, str], str] = {}

    def choose(self, number: str, letters: str = "") -> str:
        """Choose another number of twelve digits. Its letters tell a reserve number from a
        personnummer, so that both may be of one birth date."""
        year, month, (day, added) = int(number[:4]), int(number[4:6]), split_day(int(number[6:8]))
        born = self.timeline.move_birth(year, month, day)
        sex = int(number[10]) % 2
        date = f"{born:%Y%m}{born.day + added:02d}".zfill(8) if born else self._next(number[:8])
        while True:
            start = date, sex, letters
            date = self._reached.get(start, date)
            new = f"{date}{self.get_serial(number, date, sex)}"
            new += self.get_check(new)
            self._reached[start] = date = self._next(date)
            if letters + new[2:] not in self.taken:
                self.taken.add(letters + new[2:])
                return new

    def slip(self, right: str, wrong: str, new: str) -> str:
        """Misspell a number as another one is misspelled, so that a correction stays one; "" where
        it might be somebody's, or is taken."""
        ten = _slip(right, wrong, new[2:])
        if ten in self.taken or ten == wrong or luhn.is_valid(ten):
            return ""
        self.taken.add(ten)
        return new[:2] + ten

    def get_serial(self, number: str, date: str, sex: int) -> str:
        """Get a serial number, three digits, that belongs to nobody. The sex is 1 for men."""
        if int(date[:4]) <= OLDEST:
            return str(980 + 2 * self.scope.number(5, "pid", number) + sex)
        return str(MALE if sex else FEMALE)

    def get_check(self, digits: str) -> str:
        """Get the check digit of eleven digits."""
        return luhn.calc_check_digit(digits[2:])

    def _next(self, date: str) -> str:
        """The same day of the week before; of a day that does not exist the same in another
        year."""
        day, added = split_day(int(date[6:]))
        try:
            born = dt.date(int(date[:4]), int(date[4:6]), day) - dt.timedelta(weeks=1)
        except (ValueError, OverflowError):
            return f"{(int(date[:4]) + self.timeline.years) % 10000:04d}{date[4:]}"
        return f"{born.year:04d}{born.month:02d}{born.day + added:02d}"


class Endings:
    """The last four digits of numbers, which follow the whole ones."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self._new = {number[-LAST:]: new[-LAST:] for number, new in chosen.items()}
        self._near = Neighbours(self._new, shortest=LAST)

    def replace(self, number: str, scope: Scope) -> str:
        """Replace four digits by those of the surrogate, with the same slip in them; else by
        others."""
        new = self._new.get(number)
        if new is None:
            near = next((other for other in self._near.find(number) if len(other) == LAST), None)
            new = _slip(near, number, self._new[near]) if near else number
        return new if new != number else _last_four(number, scope)


def _last_four(number: str, scope: Scope) -> str:
    """Other last four digits with the same sex: a permutation of them without fixed points."""
    first, sex, last = int(number[:2]), int(number[2]), int(number[3])
    index = (first * 5 + sex // 2) * 10 + last
    index = next(scope.cycle(5000, index, "pid", str(sex % 2)))
    return f"{index // 50:02d}{index // 10 % 5 * 2 + sex % 2}{index % 10}"


def _make(born: dt.date) -> str:
    digits = f"{born:%y%m%d}{FEMALE}"
    return f"{digits[:6]}-{digits[6:]}{luhn.calc_check_digit(digits)}"


# What somebody may be given of whose number no digit is left.
MADE = Pool(_make(dt.date(1950, 1, 1) + dt.timedelta(days=61 * n)) for n in range(200))
