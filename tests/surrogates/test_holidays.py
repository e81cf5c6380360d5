import datetime as dt

import pytest
import spacy
import srsly

from components.surrogates import DateSurrogates, Mention, Scope
from components.surrogates.time.date_offset import get_offset
from components.surrogates.time.holidays import NAMED_DAYS, SELDOM, get_easter, read_holiday
from components.text.hits import write_hits
from tests.cases import cases
from tests.conftest import ROOT
from tests.strategies import KEYS

CONFIG = {"nlp": {"tokenizer": {"@tokenizers": "sv_deid_chat.ChatTokenizer.v1"}}}

DAYS = [day.name for day in NAMED_DAYS.values() if day.form in (0, 4)]
SEASONS = [day.name for day in NAMED_DAYS.values() if day.form not in (0, 4)]


def replace(text: str, scope: str, before: str = "") -> str:
    return DateSurrogates().surrogates([Mention(text, before)], Scope(b"key", scope))[0]


@cases
def test_easter(year, month, day):
    assert get_easter(year) == dt.date(year, month, day)


@cases
def test_date_of_a_named_day(name, year, date):
    assert NAMED_DAYS[name].get_date(year) == dt.date(year, *date)


@pytest.mark.parametrize("name", NAMED_DAYS)
def test_another_holiday_of_the_season(name):
    old = NAMED_DAYS[name]
    for scope in KEYS:
        holiday = read_holiday(replace(name, scope))
        assert holiday and not holiday.ending
        new = holiday.day
        assert new.form == old.form and new.stem != old.stem and new.name not in SELDOM
        if old.form == 0:
            away = (new.get_date(2025) - old.get_date(2025)).days
            assert min(away % 365.25, -away % 365.25) <= 110


@cases
def test_greetings_fit_any_season(scope, text, before):
    assert replace(text, scope, before).lower() == "helg"
    assert replace(text, scope).lower() != "helg"


@pytest.mark.parametrize("year", [2019, 2023])
def test_year_behind_a_holiday(scope, year):
    holiday = read_holiday(replace(f"julafton {year}", scope))
    moved = dt.date(year, 12, 24) + dt.timedelta(days=get_offset(Scope(b"key", scope)).days)
    assert abs(holiday.day.get_date(int(holiday.year)) - moved).days <= 50


@cases
def test_what_is_glued_to_a_holiday_stays(text, ending):
    for scope in KEYS:
        new = replace(text, scope)
        assert new != text and new.endswith(ending) and new[0].isupper() == text[0].isupper()
        assert read_holiday(new).ending == ending


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("sv", config=CONFIG)
    patterns = srsly.read_jsonl(ROOT / "assets" / "patterns.jsonl")
    nlp.add_pipe("phi_entity_ruler", name="entity_ruler").initialize(list, patterns=patterns)
    nlp.add_pipe("span_merger")
    return nlp


def find(nlp, text: str, name: str) -> list[tuple[str, str]]:
    """What is found where a model took the name for a date."""
    with nlp.select_pipes(disable=["span_merger"]):
        doc = nlp(text)
    start = text.index(name)
    span = doc.char_span(start, start + len(name), "DATE")
    write_hits(doc, "phi", [(span, 0.9)])
    return [(ent.text, ent.label_) for ent in nlp.get_pipe("span_merger")(doc).ents]


@pytest.mark.parametrize("name", DAYS)
def test_a_day_with_a_name_is_found_and_read(nlp, name):
    doc = nlp(f"vi ses på {name}.")
    assert [(span.text, span.label_) for span in doc.spans["rules"]] == [(name, "DATE")]


@pytest.mark.parametrize("name", SEASONS)
def test_a_season_is_no_date_but_with_a_year(nlp, name):
    assert find(nlp, f"vi ses efter {name}.", name) == []
    assert find(nlp, f"vi sågs {name} 2019.", f"{name} 2019") == [(f"{name} 2019", "DATE")]


@cases
def test_what_the_patterns_find_is_read(nlp, text):
    doc = nlp(f"vi ses {text}.")
    assert [span.text for span in doc.spans["rules"]] == [text]
    assert read_holiday(text)
