"""Pages of figures: of a corpus, for the README, of the rules."""

import json
from pathlib import Path

import pytest
import spacy
import srsly
import typer

from components.measures.evaluation import evaluate_docs
from components.measures.figures import write_share
from components.measures.gold import make_docs
from corpus_tools.markdown import fill_block, get_state, make_table
from corpus_tools.workbench.outcome import read_outcomes
from scripts.ablate_rules import ablate_rules, count_changes, measure_rules
from scripts.evaluate import SYSTEMS, evaluate
from scripts.evaluate import make_page as make_tables
from scripts.write_figures import write_figures

# The tiny model finds something or nothing; rules find the number.
ROWS = [
    {"text": "Ring 070-174 06 05!", "spans": [{"start": 5, "end": 18, "label": "PHONE"}]},
    {"text": "Hej", "spans": []},
]


@pytest.fixture
def data_path(tmp_path):
    path = tmp_path / "natural.jsonl"
    srsly.write_jsonl(path, [{"id": str(i), **row} for i, row in enumerate(ROWS)])
    return path


def make_page(path, *blocks):
    path.write_text("".join(f"a\n<!-- {b} -->\nSTALE\n<!-- /{b} -->\n" for b in blocks), "utf8")
    return path


def measure(model_path, data_path, metrics_path=None, page=None, **more):
    """What the command does by default, at threshold 1: rules alone find something."""
    disable = "surrogate_generator"
    options = {"context": False, "lower": False, "beside": "", "report": False, **more}
    evaluate(model_path, data_path, metrics_path, "", 1.0, disable, page, "", **options)


def test_evaluate_writes_its_page(tiny_path, data_path, tmp_path):
    page = make_page(tmp_path / "page.md", "natural", "other")
    measure(tiny_path, data_path, tmp_path / "m.json", page)
    text = page.read_text("utf8")
    assert "| merged | 1.000 / 1.000 / 1.000 (1.000-1.000) | 1.000 / 1.000 / 1.000 |" in text
    assert "| rules | 1.000 / 1.000 / 1.000 | " in text
    assert "| PHONE | 1.000 / 1.000 / 1.000 |" in text
    assert text.count("STALE") == 1
    figures = json.loads((tmp_path / "m.json").read_text())
    assert [*figures] == ["rules", "lists", "model", "merged", "careful"]
    assert figures["lists"]["strict"]["r"] == 0.0
    assert figures["merged"]["per_class"]["PHONE"]["redact"] == figures["merged"]["clean"] == 1.0
    assert figures["merged"]["messages"] == 2
    intervals = figures["merged"]["intervals"]
    assert intervals["strict"]["f"] == intervals["per_class"]["PHONE"]["p"] == [1.0, 1.0]
    assert [*intervals["per_class"]] == ["PHONE"]


def test_conversations_are_resampled_whole(tiny_path, tmp_path):
    """One message right and one wrong: the share of right ones moves, unless they are of one."""
    rows = [ROWS[0], {"text": "Bo", "spans": [{"start": 0, "end": 2, "label": "EMAIL"}]}]
    ranges = []
    for more in ({}, {"conversation": "a"}):
        srsly.write_jsonl(tmp_path / "data.jsonl", [{**row, **more} for row in rows])
        path = tmp_path / "m.json"
        measure(tiny_path, tmp_path / "data.jsonl", path)
        figures = json.loads(path.read_text())["rules"]
        assert figures["full"] == 0.5
        ranges.append(figures["intervals"]["full"])
    assert ranges == [[0.0, 1.0], [0.5, 0.5]]


def test_failed_messages_are_not_measured(tiny_path, data_path, tmp_path, monkeypatch, capsys):
    """A message that a pipe fails on is left without entities: it would count as clean."""
    monkeypatch.setattr("components.pipes.phi_ner.PhiNer.predict", lambda self, docs: 1 / 0)
    path = tmp_path / "m.json"
    with pytest.raises(typer.Exit):
        measure(tiny_path, data_path, path)
    said = "".join(capsys.readouterr())
    assert "2 of 2 messages failed" in said and "phi_ner (ZeroDivisionError" in said
    assert not path.exists()


@pytest.mark.parametrize(
    ("threshold", "text"),
    [(0.12, "0.12"), ({"PERSON": 0.05, "default": 0.5}, "PERSON 0.05, default 0.5")],
)
def test_threshold_of_the_page(tiny_path, threshold, text):
    nlp = spacy.load(tiny_path)
    nlp.get_pipe("phi_ner").threshold = threshold
    nothing = evaluate_docs("none", [], [], ["AGE"])
    page = make_tables(nlp, dict.fromkeys(SYSTEMS, nothing))
    assert page.startswith(f"0 messages, 0 spans, threshold {text};")


def test_figures_of_another_corpus_are_kept(tiny_path, data_path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    other = Path("own") / "natural.jsonl"
    other.parent.mkdir()
    srsly.write_jsonl(other, ROWS[:1])
    path = tmp_path / "m" / "evaluation.json"
    # The same corpus again: its figures are written anew.
    for _ in range(2):
        measure(tiny_path, Path("natural.jsonl"), path)
        assert [file.name for file in path.parent.iterdir()] == ["evaluation.json"]
    measure(tiny_path, other, path)
    assert "is now in" in capsys.readouterr().out
    kept = json.loads((path.parent / "evaluation-natural.json").read_text())
    assert kept["merged"]["messages"] == 2
    assert json.loads(path.read_text())["merged"]["messages"] == 1
    assert json.loads(path.read_text())["merged"]["file"] == "own/natural.jsonl"
    measure(tiny_path, Path("natural.jsonl"), path, beside="own/natural.jsonl")
    assert json.loads(path.read_text())["merged"]["messages"] == 2
    beside = json.loads((path.parent / "evaluation-own-natural.json").read_text())
    assert beside["merged"]["messages"] == 1


def test_other_files_are_not_overwritten(tiny_path, data_path, tmp_path, capsys):
    for content in ("mine", '{"merged": 1}', "[]"):
        path = tmp_path / "mine.json"
        path.write_text(content)
        with pytest.raises(typer.Exit):
            measure(tiny_path, data_path, path)
        assert "something else" in "".join(capsys.readouterr()) and path.read_text() == content


def test_an_empty_file_is_an_error(tiny_path, tmp_path, capsys):
    (tmp_path / "none.jsonl").touch()
    with pytest.raises(typer.Exit):
        measure(tiny_path, tmp_path / "none.jsonl", tmp_path / "m.json")
    assert "holds no message" in "".join(capsys.readouterr())
    assert not (tmp_path / "m.json").exists()


def test_corpora_side_by_side_in_the_report(tiny_path, data_path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [{**row, "author": "patient"} for row in ROWS[:1]] + ROWS[1:]
    srsly.write_jsonl("b.jsonl", rows)
    measure(tiny_path, data_path, beside="b.jsonl", report=True)
    assert "side by side" in capsys.readouterr().out
    leaks, evaluated = sorted(read_outcomes(), key=lambda outcome: outcome.reader, reverse=True)
    assert (leaks.name, evaluated.name) == ("leaks", "evaluate")
    head = [name for name in evaluated.tables[0].head if name]
    assert head == ["natural", "b"]
    # Nothing is left of one number in two messages, which is little to go by.
    assert leaks.headlines[0].figure == "0" and leaks.headlines[0].interval == "0 to 842"
    assert [row[0] for row in leaks.tables[0].rows] == [
        "natural",
        "b",
        "b: patient",
        "b: author not told",
    ]
    page = Path("metrics/report.html").read_text("utf8")
    assert "Does it leak?" in page and "070" not in page


def test_unknown_block(tiny_path, data_path, tmp_path, capsys):
    page = make_page(tmp_path / "page.md", "other")
    with pytest.raises(typer.Exit):
        measure(tiny_path, data_path, None, page)
    assert "<!-- natural -->" in "".join(capsys.readouterr())


def test_figures_of_the_readme(tiny_path, data_path, tmp_path):
    metrics = tmp_path / "natural.json"
    measure(tiny_path, data_path, metrics)
    page = make_page(tmp_path / "page.md", "figures")
    write_figures(page, [metrics])
    text = page.read_text("utf8")
    assert (
        "| 2 by three independent writers, read by nobody here | 1.000 (1.000-1.000) | 1.000"
        in text
    )
    assert get_state() in text and "STALE" not in text


@pytest.mark.parametrize(
    ("share", "interval", "text"),
    [
        (0.8961, (0.88, 0.9114), ".896 (.880-.911)"),
        (1, None, "1.000"),
        (0.9996, [0.99949, 1.0], "1.000 (.999-1.000)"),
        (0.0, (0.0, 0.0), ".000 (.000-.000)"),
    ],
)
def test_shares(share, interval, text):
    assert write_share(share, interval) == text


def test_figures_of_messages_without_phi(tiny_path, tmp_path):
    """Only `clean` can be counted there."""
    srsly.write_jsonl(tmp_path / "bare.jsonl", ROWS[1:])
    metrics = tmp_path / "bare.json"
    measure(tiny_path, tmp_path / "bare.jsonl", metrics)
    figures = json.loads(metrics.read_text())["merged"]
    assert figures["strict"] == {"p": None, "r": None, "f": None} and figures["clean"] == 1.0
    page = make_page(tmp_path / "page.md", "figures")
    write_figures(page, [metrics])
    assert "| 1 bare | – | – | – | 1.000 (1.000-1.000) |" in page.read_text("utf8")


def test_table():
    assert make_table(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_block_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match="<!-- figures -->"):
        fill_block(make_page(tmp_path / "page.md", "other"), "figures", "new")


def test_changes_by_a_rule():
    gold = [[(0, 4, "PERSON")], [(0, 4, "PERSON")], [], [(0, 4, "AGE")]]
    with_rule = [[(0, 4, "PERSON")], [], [], [(0, 2, "AGE")]]
    without = [[(0, 6, "PERSON")], [(0, 4, "PERSON")], [], [(0, 3, "AGE")]]
    counts = count_changes(gold, with_rule, without)
    assert counts == {"fired": 3, "better": 1, "worse": 1}


def test_what_rules_are_worth(tiny_path):
    nlp = spacy.load(tiny_path, disable=["surrogate_generator", "doc_cleaner"])
    merger = nlp.get_pipe("span_merger")
    merger.disable = ["edit.flat"]
    with nlp.select_pipes(disable=["span_merger"]):
        docs = [nlp("kanske 1234"), nlp("Hej")]
    # What the model is taken to have found is too short for a phone number, and nothing.
    span = docs[0].char_span(7, 11, "PHONE")
    docs[0].spans["phi"] = spacy.tokens.SpanGroup(docs[0], spans=[span], attrs={"scores": [0.99]})
    docs[1].spans["phi"] = spacy.tokens.SpanGroup(docs[1], attrs={"scores": []})
    figures = measure_rules(merger, docs, [[], []])
    assert merger.disable == ["edit.flat"] and "edit.flat" not in figures["rules"]
    row = figures["rules"]["doubt.form"]
    assert (row["fired"], row["better"], row["worse"]) == (1, 1, 0)
    assert row["clean"] == pytest.approx(0.5)
    assert figures["rules"]["doubt.opening_word"]["fired"] == 0


def test_ablation_writes_its_page(tiny_path, data_path, tmp_path):
    page = make_page(tmp_path / "page.md", "rules", "patterns")
    ablate_rules(tiny_path, data_path, tmp_path / "rules.json", page, lower=True)
    figures = json.loads((tmp_path / "rules.json").read_text())
    assert figures["messages"] == 4
    text = page.read_text("utf8")
    assert "| `doubt.title` | PERSON |" in text and "`phone.mobile`" in text and "STALE" not in text


def test_messages_in_lower_case_and_with_context(tiny_nlp):
    rows = [
        {"text": "Hur gammal är DU, Bo?", "spans": [], "conversation": "a"},
        {"text": "İ 52", "spans": [], "conversation": "a"},
    ]
    first, second = make_docs(tiny_nlp, rows, True, True)
    assert (first.text, second.text) == ("hur gammal är du, bo?", "İ 52")
    assert (first._.context, second._.context) == (None, "hur gammal är du, bo?")
    assert [doc._.context for doc in make_docs(tiny_nlp, rows)] == [None, None]
