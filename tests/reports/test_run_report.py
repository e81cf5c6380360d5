"""The report of a run."""

import json
import stat
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
import spacy
import srsly

from components.reports.run_facts import About, describe_pipeline
from components.reports.run_report import write_report
from components.reports.summary import Summary
from tests.custom.test_optional_patterns import PATTERNS
from tests.pages import Page
from tests.reports.making import make_doc, make_message, make_summary

PLANTED = "Knurvel"


def make_about(**more):
    start = datetime(2026, 5, 3, 12, 0, tzinfo=timezone(timedelta(hours=2)))
    return About(start, 3.0, True, **more)


def write(tmp_path, summary, about=None):
    about = about or make_about()
    write_report(tmp_path / "report.html", summary, about)
    write_report(tmp_path / "report.JSON", summary, about)
    report = json.loads((tmp_path / "report.JSON").read_text(encoding="utf8"))
    return Page((tmp_path / "report.html").read_text(encoding="utf8")), report


def get_numbers(value):
    if isinstance(value, dict):
        for each in value.values():
            yield from get_numbers(each)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value


def test_all_counts_are_on_the_page(tmp_path):
    page, report = write(tmp_path, make_summary())
    assert report["counts"] == make_summary().to_dict()
    assert page.get_table("Entities by class")["ORGANISATION"] == ["1", "0", "1"]
    assert page.get_table("Entities by what found them") == {
        "found by": ["entities", "PERSON", "LOCATION", "ORGANISATION", "AGE"],
        "phi": ["1", "0", "1", "0", "0"], "phi+gazetteer": ["1", "1", "0", "0", "0"],
        "rules": ["1", "0", "0", "0", "1"], "rules+phi": ["1", "0", "0", "1", "0"],
    }  # fmt: skip
    assert page.get_table("Entities by each of those")["phi"] == ["3", "1"]
    confidence = page.get_table("Entities by confidence")
    assert (confidence["0.3"], confidence["0.9"][0]) == (["1", "0", "1", "0", "0"], "3")
    lengths = page.get_table("Messages by length")
    assert (lengths["1 to 9"], lengths["20 to 49"], lengths["50 to 99"]) == (["2"], ["0"], ["2"])
    assert page.get_table("Messages by entities")["4"] == ["1"]
    assert page.get_table("Messages by language")["fi"] == ["1", "33.3\u00a0%"]
    assert page.get_table("Rows that were rejected") == {
        "reason": ["count"],
        "the participants of line … cannot be read": ["2"],
        "not valid JSON": ["1"],
    }
    assert page.get_table("Messages that were masked")["phi_ner (ValueError, a.py line 3)"] == ["1"]
    assert page.get_table("Messages that were withheld")["language (fi)"] == ["1"]
    cells = {cell for table in page.tables for row in table[1:] for cell in row}
    assert {f"{number:,}" for number in get_numbers(report["counts"])} - cells == {"162"}
    assert "162 characters, 32.4 a message." in " ".join(page.words)


def test_figures(tmp_path):
    _, report = write(tmp_path, make_summary())
    # Lengths of five messages: 2, 4, one of 16 to 19, of 50 to 62, of 80 to 99.
    assert report["figures"] == {
        "rejected_share": pytest.approx(3 / 7, abs=1e-6), "failed_share": 0.2, "withheld_share": 0.2,
        "empty_share": 0.2, "touched_share": 0.75, "foreign_share": pytest.approx(1 / 3, abs=1e-6),
        "unknown_language_share": 0.0, "doubtful_share": 0.25, "sure_share": 0.75,
        "entities_per_message": pytest.approx(4 / 3, abs=1e-6),
        "length_mean": 32.4, "length_p10": 2, "length_median": 17.5,
        "length_p90": pytest.approx(80 + 0.5 * 19), "length_p99": pytest.approx(80 + 0.95 * 19),
    }  # fmt: skip


def test_page_loads_nothing_and_can_be_heard(tmp_path):
    page, _ = write(tmp_path, make_summary())
    assert not any({"src", "href", "onload"} & {*attributes} for _, attributes in page.tags)
    assert not {"script", "link", "iframe", "img"} & {tag for tag, _ in page.tags}
    text = (tmp_path / "report.html").read_text(encoding="utf8")
    assert "default-src 'none'" in text
    assert "@import" not in text and "url(" not in text
    assert text.count("<caption>") == text.count("<table>") == len(page.tables) > 5
    heads = [attributes.get("scope") for tag, attributes in page.tags if tag == "th"]
    assert {*heads} == {"col", "row"}
    drawn = [attributes for tag, attributes in page.tags if attributes.get("class") == "bar"]
    assert drawn and all(attributes["aria-hidden"] == "true" for attributes in drawn)


def test_nothing_of_a_message(tmp_path, tmp_path_factory):
    summary = Summary()
    found = (PLANTED, "PERSON", "phi", 0.5, f"{PLANTED}ine")
    summary.add_row([make_doc(f"Hej {PLANTED} !", found)], [PLANTED])
    options = {"vault": Path(f"{PLANTED}.jsonl"), "files": [Path(PLANTED)], "keep": ["AGE"]}
    _, report = write(tmp_path, summary, make_about(options=options))
    assert report["about"]["options"] == {"vault": "given", "files": ["given"], "keep": ["AGE"]}
    for path in tmp_path.iterdir():
        assert PLANTED.lower() not in path.read_text(encoding="utf8").lower()


def test_names_of_files_only_if_told(tmp_path):
    page, report = write(tmp_path, make_summary(), make_about(names=("<a>.csv",), format="csv"))
    assert report["about"]["input"] == {"files": 1, "format": "csv", "names": ["<a>.csv"]}
    assert page.get_table("What ran")["names"] == ["<a>.csv"]


def test_about_the_run(tmp_path):
    about = make_about(resumed_rows=1, threshold={"PERSON": 0.05, "default": 0.1}, strategy="mask")
    page, report = write(tmp_path, make_summary(), about)
    assert report["about"]["start"] == "2026-05-03T10:00:00+00:00"
    # Seven rows, of which an earlier run had done one.
    assert report["about"]["rows_per_second"] == 2.0
    rows = page.get_table("What ran")
    assert rows["threshold"] == ["PERSON 0.05, default 0.1"]
    assert rows["strategy"] == ["mask"]
    assert rows["began (UTC)"] == ["2026-05-03 10:00:00"]
    assert rows["SV_DEID_KEY was set"] == ["yes"]


def test_key_is_nowhere(tmp_path, tiny_nlp, monkeypatch):
    monkeypatch.setenv("SV_DEID_KEY", PLANTED * 4)
    _, report = write(tmp_path, make_summary(), make_about(**describe_pipeline(tiny_nlp)))
    assert report["about"]["strategy"] == "surrogate"
    assert report["about"]["threshold"] == tiny_nlp.get_pipe("phi_ner").threshold
    assert {*report["about"]["versions"]} == {"pipeline", "spaCy", "encoder", "Python", "platform"}
    assert all(PLANTED not in path.read_text() for path in tmp_path.iterdir())


def test_report_of_nothing(tmp_path):
    page, report = write(tmp_path, Summary(), make_about())
    assert report["warnings"] == ["No row came out."]
    assert report["figures"]["touched_share"] is None
    assert "–" in page.words


@pytest.mark.parametrize("name", ["report", "report.txt", "report.html.gz"])
def test_other_suffixes_are_refused(tmp_path, name):
    with pytest.raises(ValueError, match=r"\.html or \.json"):
        write_report(tmp_path / name, Summary(), make_about())
    assert not [*tmp_path.iterdir()]


def test_owner_only_and_whole_or_not_at_all(tmp_path, monkeypatch):
    write(tmp_path, make_summary())
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}
    before = (tmp_path / "report.html").read_bytes()
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_report(tmp_path / "report.html", Summary(), make_about())
    assert (tmp_path / "report.html").read_bytes() == before
    assert len([*tmp_path.iterdir()]) == 2


def test_many_messages_add_up(tmp_path):
    summary = Summary()
    for _ in range(1200):
        summary.add_row([make_message()])
    page, _ = write(tmp_path, summary)
    assert page.get_table("Entities by class")["PERSON"] == ["1,200", "1,200", "0"]
    assert "Nobody looked for their languages." in page.words


def test_optional_classes_and_own_ones_are_counted(tmp_path):
    nlp = spacy.blank("sv")
    patterns = [{"label": "TEAM", "regex": "lag röd"}]
    nlp.add_pipe("custom_ruler", config={"deny": {"PERSON": ["Lillen"]}, "patterns": patterns})
    nlp.get_pipe("custom_ruler").initialize(list, patterns=srsly.read_jsonl(PATTERNS))
    nlp.get_pipe("custom_ruler").classes = "all"
    nlp.add_pipe("surrogate_generator", config={"strategy": "label", "required": []})
    doc = nlp("Lillen i lag röd har bil ABC 123, se https://exempel.example/sida")
    summary = Summary()
    summary.add_row([doc])
    assert summary.replaced == {"PERSON": 1, "TEAM": 1, "PLATE": 1, "URL": 1}
    assert summary.entities == {"4": 1}
    assert summary.found == {label: {"custom": 1} for label in summary.replaced}
    page, _ = write(tmp_path, summary)
    _, *rows = page.get_table("Entities by class").items()
    assert rows == [(label, ["1", "1", "0"]) for label in ("PERSON", "URL", "PLATE", "TEAM")]
    assert page.get_table("Entities by what found them")["custom"] == ["4", "1", "1", "1", "1"]


def test_counts_of_a_pipeline(tmp_path, tiny_nlp):
    texts = ["Jag heter Anna Lind, 34 år, bor i Lund. 070-1740605 " + PLANTED, "", "vårdcentralen"]
    docs = [*tiny_nlp.pipe(texts)]
    summary = Summary()
    summary.add_row(docs[:1])
    summary.add_row(docs[1:])
    n_entities = sum(len(doc.ents) for doc in docs)
    found = sum(counter.total() for counter in summary.found.values())
    assert found == summary.replaced.total() + summary.kept.total() == n_entities > 3
    assert (summary.rows, summary.messages, summary.empty) == (2, 3, 1)
    assert "other" not in {source for counter in summary.found.values() for source in counter}
    write(tmp_path, summary, make_about(**describe_pipeline(tiny_nlp)))
    for path in tmp_path.iterdir():
        text = path.read_text(encoding="utf8")
        words = {
            word for doc in docs for each in (doc.text, doc._.deidentified) for word in each.split()
        }
        assert not [word for word in words if len(word) > 4 and word in text]
