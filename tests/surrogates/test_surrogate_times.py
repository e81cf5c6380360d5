"""The settings `dates` and `ages` of the surrogate_generator, and how dates are written."""

import pytest
import spacy

from tests.surrogates.hand_lists import KEY, make_doc, make_generator

MESSAGE = (
    "Född [1987-03-12|DATE], nu [37 år|AGE]. Tid [11 mars 2024|DATE], [93|AGE], [mars 2021|DATE]"
)
COARSE = "Född 1987-03, nu 35-39 år. Tid mars 2024, 90+, mars 2021"
NAME = "surrogate_generator"


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("SV_DEID_KEY", KEY)


def test_coarse_dates_and_bands():
    doc = make_generator(dates="month", ages="bands")(make_doc(MESSAGE))
    assert doc._.deidentified == COARSE
    # What is coarse enough is kept.
    assert [entry.get("kept") for entry in doc._.replacements] == [None] * 4 + [True]
    doc = make_generator(dates="year")(make_doc("[11 mars 2024|DATE] [3 mars|DATE]"))
    assert doc._.deidentified == "2024 2024"


def test_settings_of_a_saved_pipeline(tmp_path):
    nlp = spacy.blank("sv")
    nlp.add_pipe(NAME, config={"required": [], "dates": "year"}).ages = "bands"
    nlp.to_disk(tmp_path / "nlp")
    pipe = spacy.load(tmp_path / "nlp").get_pipe(NAME)
    assert (pipe.dates, pipe.ages, pipe.strategy) == ("year", "bands", "surrogate")
    config = {"components": {NAME: {"dates": "month", "strategy": "mask"}}}
    pipe = spacy.load(tmp_path / "nlp", config=config).get_pipe(NAME)
    assert (pipe.dates, pipe.strategy) == ("month", "mask")


@pytest.mark.parametrize("dash", ["–", "-", "—"])
@pytest.mark.parametrize(
    ("text", "label"),
    [("3{}9 maj", "DATE"), ("2019{}2021", "DATE"), ("7{}8 år", "AGE")],
)
def test_dash_stays_as_it_is_written(text, label, dash):
    doc = make_generator()(make_doc(f"[{text.format(dash)}|{label}]"))
    new = doc._.deidentified
    assert new.count(dash) == 1 and not set(new) & {*"–-—"} - {dash}
    assert doc._.replacements[0]["replacement"] == new
    assert doc._.replacements[0]["out_end"] == len(new)
