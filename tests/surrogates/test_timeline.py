"""PID, DATE and AGE of one conversation tell one story."""

import datetime as dt
import re
from collections import defaultdict

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from stdnum import luhn

from components.surrogates import AgeSurrogates, DateSurrogates, Mention, PidSurrogates, Scope
from components.surrogates.numbers.pid_forms import read_pid
from components.surrogates.time.date_offset import get_offset
from components.surrogates.time.date_patterns import MONTHS, WEEKDAYS
from components.surrogates.time.timeline import BORN, get_timeline, read_birth

CLASSES = {"PID": PidSurrogates(), "DATE": DateSurrogates(), "AGE": AgeSurrogates()}
MARKED = re.compile(r"\[([^|]*)\|([A-Z]*)\]")


def replace(messages: list[str], scope: str, whole: bool = True) -> list[str]:
    """Replace the marked mentions of messages, in the order in which they stand."""
    mentions, places = defaultdict(list), defaultdict(list)
    for i, message in enumerate(messages):
        for match in MARKED.finditer(message):
            before = message[max(0, match.start() - 12) : match.start()]
            mention = Mention(match[1], before, message=i, start=match.start())
            mentions[match[2]].append(mention)
            places[match[2]].append((i, match.start()))
    scope = Scope(b"key", scope, True, mentions=mentions, whole=whole)
    new = {}
    for label, replacer in CLASSES.items():
        new.update(zip(places[label], replacer.surrogates(mentions[label], scope)))
    return [new[place] for place in sorted(new)]


def move(date: dt.date, scope: str) -> dt.date:
    return date + dt.timedelta(weeks=get_offset(Scope(b"key", scope, True)).weeks)


def get_age(born: dt.date, now: dt.date) -> int:
    return now.year - born.year - ((now.month, now.day) < (born.month, born.day))


def test_pid_birth_date_and_age_agree(scope):
    pid, born, compact, year, age = replace(
        ["[870312-2389|PID], född [1987-03-12|DATE],", "alltså [12 mars 1987|DATE]",
         "född [-87|DATE], [37 år|AGE]"],
        scope,
    )  # fmt: skip
    date = dt.date.fromisoformat(born)
    assert pid[:6] == f"{date:%y%m%d}"
    assert compact.startswith(f"{date.day} ") and compact.endswith(str(date.year))
    assert year == f"-{date:%y}"
    older = int(age.split()[0]) - 37
    moved = move(dt.date(1987, 3, 12), scope)
    assert date == moved.replace(year=moved.year - older) and older in (-2, -1, 1, 2)


@pytest.mark.parametrize(
    "born", ["född [{}|DATE]", "född den [{}|DATE]", "f. [{}|DATE]", "f [{}|DATE]",
             "födelsedatum: [{}|DATE]", "born on [{}|DATE]", "föddes [{}|DATE]"],
)  # fmt: skip
def test_birth_date_without_a_pid(scope, born):
    message = born.format("2001-05-20")
    date, _, age = replace([message, "[2024-09-01|DATE] är jag [23|AGE]"], scope)
    now = move(dt.date(2024, 9, 1), scope)
    assert get_age(dt.date.fromisoformat(date), now) == int(age)


def test_born_is_not_any_word():
    assert BORN.search("jag är född ") and BORN.search("är född den ") and BORN.search("F. ")
    assert not BORN.search("i fredags ") and not BORN.search("efter den ")
    assert not BORN.search("född i Lund ") and not BORN.search("uppföljning f.o.m ")


@given(st.dates(dt.date(1925, 1, 1), dt.date(2024, 1, 1)), st.dates(dt.date(2019, 1, 1), dt.date(2026, 1, 1)))  # fmt: skip
def test_age_at_the_time_is_still_true(scope, born, now):
    age = get_age(born, now)
    # People born on a leap day, or then, have their birthday on another day in most years.
    assume(age > 0 and (born.month, born.day) not in ((2, 28), (2, 29), (3, 1)))
    pid, date, new = replace([f"[{born:%Y%m%d}-2388|PID] [{now}|DATE]", f"[{age} år|AGE]"], scope)
    new, birth = int(new.split()[0]), read_birth(pid)
    moved = dt.date.fromisoformat(date)
    # Around a birthday, also over the turn of the year.
    assume((moved - dt.date(moved.year, birth[1], birth[2])).days % 365 not in (0, 1, 364))
    assert get_age(dt.date(*birth), moved) == new
    assert (new < 18) == (age < 18) and (new < 90) == (age < 90)


def test_all_ages_of_a_child_at_once(scope):
    new = [int(text) for text in replace([f"[{age}|AGE]" for age in range(1, 18)], scope)]
    assert all(0 < age < 18 for age in new) and all(a != b for a, b in zip(new, range(1, 18)))


def test_baby(scope):
    pid, age, date = replace(
        ["[20240305-4196|PID] är [10 veckor|AGE] och var hos er [2024-05-16|DATE]"], scope
    )
    born = dt.date(*read_birth(pid))
    weeks = (dt.date.fromisoformat(date) - born).days // 7
    assert abs(weeks - int(age.split()[0])) <= 1 and weeks > 0


def test_weekday_of_a_birth_date_is_true(scope):
    (new,) = replace(["född [torsdag 12 mars 1987|DATE]"], scope)
    weekday, day, month, year = new.split()
    date = dt.date(int(year), MONTHS[month][0], int(day))
    assert date.weekday() == WEEKDAYS[weekday][0]


def test_messages_one_at_a_time_agree(scope):
    messages = [
        "[870312-2389|PID] [37 år|AGE]", "[19870312-2389|PID]", "[870312-2389|PID] [17|AGE]",
    ]  # fmt: skip
    numbers = [replace([message], scope, whole=False)[0] for message in messages]
    assert len({number[-11:] for number in numbers}) == 1


@pytest.mark.parametrize(
    "text", ["19900130-2385", "900130+2385", "9001302385", "9 0 0 1 3 0 2 3 8 5"]
)
def test_read_birth(text):
    assert read_birth(text) == (1890 if "+" in text else 1990, 1, 30)
    assert read_birth(text.replace("30", "90", 1)) == read_birth(text) or " " in text
    assert read_birth(text + "111") is None


def test_lives_are_shared_in_a_scope_and_do_not_keep_it():
    scope = Scope(b"key", "scope")
    assert get_timeline(scope) is get_timeline(scope)
    assert get_timeline(Scope(b"key", "scope")) is not get_timeline(scope)


@pytest.mark.parametrize("born", ["född [1987|DATE]", "född -[87|DATE]", "är en [87:a|DATE]"])
@pytest.mark.parametrize("age", [17, 18, 37, 89])
def test_year_of_birth_moves_with_the_age(scope, born, age):
    """Together with the date of today, without a birth date."""
    born = born.replace("1987", str(2024 - age)).replace("87", f"{(2024 - age) % 100:02d}")
    year, new, now = replace([f"{born}, [{age} år|AGE]", "[2024-12-24|DATE]"], scope)
    assert now[:4] == str(move(dt.date(2024, 12, 24), scope).year)
    years = get_offset(Scope(b"key", scope, True)).years
    written = int(re.sub(r"\D", "", year)) % 100
    assert written == (2024 + years - int(new.split()[0])) % 100


@pytest.mark.parametrize("year", ["05", "12", "01", "29"])
def test_two_digits_of_a_birth_year(scope, year):
    (new,) = replace([f"född [{year}|DATE]"], scope)
    assert len(new) == 2 and new.isdecimal() and new != year


SPOKEN = "nitton åttiosju noll tre tolv tjugotre åttionio"


@pytest.mark.parametrize(
    "text", [SPOKEN, SPOKEN.removeprefix("nitton "), "NITTONHUNDRAÅTTIOSJU noll tre tolv - tjugotre åttinio",
             "870312 tjugotre åttionio", "åtta sju noll tre ett två två tre åtta nio"],
)  # fmt: skip
def test_personnummer_in_words(scope, text):
    """It stays in words, and is the same as in digits."""
    spoken, digits = replace([f"[{text}|PID]", "[19870312-2389|PID]"], scope)
    assert spoken.lower() != text.lower() and read_pid(spoken) in (
        digits.replace("-", ""),
        digits[2:].replace("-", ""),
    )
    assert any(map(str.isdecimal, spoken)) == any(map(str.isdecimal, text))
    assert luhn.is_valid(read_pid(spoken)[-10:]) and read_pid(spoken)[-2] in "8"


def test_last_four_in_words(scope):
    whole, last = replace(["[870312-2389|PID]", "[tjugotre åttionio|PID]"], scope)
    # None stays itself.
    assert (read_pid(last) == whole[-4:]) == (whole[-4:] != "2389")
    (alone,) = replace(["[tjugotre åttionio|PID]"], scope)
    assert alone != "tjugotre åttionio" and len(read_pid(alone)) == 4
