"""Surrogates of what a pipeline found by itself: of annotated dates, ages and numbers, how many are
replaced, and by something that is a date, an age or a number.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from spacy.tokens import Doc

from components.measures.figures import write_share
from components.measures.gold import Row
from components.measures.spans import find_characters, to_char_spans
from components.surrogates.numbers.pid_forms import read_pid
from components.surrogates.time.age_forms import read_ages
from components.surrogates.time.date_forms import DateReading, parse, parse_range
from components.surrogates.time.holidays import read_holiday
from components.text.validators import is_personnummer, is_phone, is_spoken_phone, make_date
from training_tools.binomial import get_exact_interval
from training_tools.markdown import make_table

LAST_FOUR = 4
LEAP_YEAR = 2000
LAST_WEEK = 53
SHARES = ("one", "valid", "original_valid", "kept", "otherwise", "exposed")


def is_valid_date(text: str) -> bool:
    """Whether a text is a date, a part of one or a range, and in the calendar."""
    reading = parse(text)
    if reading:
        return _is_in_calendar(reading)
    both = parse_range(text)
    if both:
        return _is_in_calendar(both[0]) and _is_in_calendar(both[2])
    return read_holiday(text) is not None


def _is_in_calendar(reading: DateReading) -> bool:
    year, week = reading.number("y") or LEAP_YEAR, reading.number("w")
    days = [(reading.number("m", second), reading.number("d", second)) for second in (False, True)]
    # Of `3-5 maj` both days are in one month, and a day alone may be in January.
    months = [month for month, _ in days if month is not None] or [1]
    fits = all(
        make_date(year, months[0] if month is None else month, 1 if day is None else day)
        for month, day in days
    )
    return fits and (week is None or 1 <= week <= LAST_WEEK)


def is_valid_pid(text: str) -> bool:
    """Whether a text is a personnummer whose date and check digit hold, or the last four digits of one."""
    digits = read_pid(text)
    return len(digits) == LAST_FOUR or is_personnummer(digits)


VALIDATORS: Mapping[str, Callable[[str], bool]] = {
    "DATE": is_valid_date,
    "AGE": lambda text: bool(read_ages(text)),
    "PID": is_valid_pid,
    "PHONE": lambda text: is_phone(text) or is_spoken_phone(text),
}


def count_predicted(rows: Sequence[Row], docs: Sequence[Doc]) -> dict[str, dict[str, int]]:
    """Count what becomes of annotated dates, ages and numbers.

    rows (Sequence[Row]): Annotated messages.
    docs (Sequence[Doc]): What the pipeline made of each, surrogates included.
    RETURNS (dict[str, dict[str, int]]): By class: the `entities`; those covered by `one` prediction
        of their class, of these those whose surrogate is `valid`, whose original is, and which are
        `kept` as they are meant to; those covered `otherwise`; and those `exposed`, of which a
        letter or digit is left.
    """
    counts: dict[str, Counter[str]] = {label: Counter() for label in VALIDATORS}
    for row, doc in zip(rows, docs):
        for start, end, label in to_char_spans(row["spans"]):
            if label in VALIDATORS:
                counts[label].update(_judge(doc, start, end, label))
    names = ("entities", *SHARES)
    return {label: {name: own[name] for name in names} for label, own in counts.items()}


def _judge(doc: Doc, start: int, end: int, label: str) -> dict[str, int]:
    signs = find_characters(doc.text, [(start, end, label)])
    around = [r for r in doc._.replacements if r["start"] < end and start < r["end"]]
    whole = [r for r in around if r["label"] == label and signs <= {*range(r["start"], r["end"])}]
    if len(around) == 1 and whole:
        is_valid = VALIDATORS[label]
        return {
            "entities": 1,
            "one": 1,
            "valid": is_valid(whole[0]["replacement"]),
            "original_valid": is_valid(doc.text[start:end]),
            "kept": bool(whole[0].get("kept")),
        }
    covered = {i for r in around for i in range(r["start"], r["end"])}
    return {"entities": 1, "otherwise": signs <= covered, "exposed": not signs <= covered}


def tabulate_predicted(counts: Mapping[str, Mapping[str, int]]) -> str:
    """RETURNS (str): The shares as a Markdown table, those that are exposed with their exact 95 % interval."""
    rows = []
    for label, own in counts.items():
        entities, one = own["entities"], own["one"]
        if entities:
            cells: list[float | None] = [one / entities]
            cells += [own[name] / one if one else None for name in SHARES[1:4]]
            cells += [own["otherwise"] / entities]
            exposed = own["exposed"]
            interval = get_exact_interval(exposed, entities)
            shares = [*map(write_share, cells), write_share(exposed / entities, interval)]
            rows.append([label, str(entities), *shares])
    head = ["", "entities", *(name.replace("_", " ") for name in SHARES)]
    return make_table([cell.replace("original", "the original") for cell in head], rows)
