"""Pages of figures: of a corpus, for the README, of the rules."""

import json

import pytest
import spacy
import srsly
import typer

from components.measures.evaluation import evaluate_docs
from lab.scripts import results
from lab.scripts.ablate_rules import ablate_rules, count_changes, measure_rules
from lab.scripts.write_figures import write_figures
from training_tools.markdown import fill_block, get_state, make_table
from training_tools.pipeline_parts import SYSTEMS
from training_tools.report.folder import read_outcomes

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


@pytest.fixture
def measure(tiny_path):
    def run(data_path, metrics_path, page=None, title="", papers=False):
        results.results(tiny_path, data_path, metrics_path, page, "", title, False, False, papers)

    return run


def test_results_are_written_into_a_page(measure, data_path, tmp_path):
    page = make_page(tmp_path / "page.md", "natural", "other")
    measure(data_path, tmp_path / "m.json", page)
    text = page.read_text("utf8")
    assert "| rules | 1.000 / 1.000 / 1.000 | " in text
    assert text.count("STALE") == 1


def test_results_beside_the_papers(measure, data_path, tmp_path):
    measure(data_path, tmp_path / "m.json", papers=True)
    (outcome,) = read_outcomes(tmp_path)
    assert outcome.name == "evaluate" and outcome.tables[-1].title == "Beside the papers"
    assert "ours" in [row[-1] for row in outcome.tables[-1].rows]


@pytest.mark.parametrize(
    ("threshold", "text"),
    [(0.12, "0.12"), ({"PERSON": 0.05, "default": 0.5}, "PERSON 0.05, default 0.5")],
)
def test_threshold_of_the_page(tiny_path, threshold, text):
    nlp = spacy.load(tiny_path)
    nlp.get_pipe("phi_ner").threshold = threshold
    nothing = evaluate_docs("none", [], [], ["AGE"])
    page = results.make_page(nlp, dict.fromkeys(SYSTEMS, nothing))
    assert page.startswith(f"0 messages, 0 spans, threshold {text};")


def test_unknown_block(measure, data_path, tmp_path, capsys):
    page = make_page(tmp_path / "page.md", "other")
    with pytest.raises(typer.Exit):
        measure(data_path, tmp_path / "m.json", page)
    assert "<!-- natural -->" in "".join(capsys.readouterr())


def test_figures_of_the_readme(measure, data_path, tmp_path):
    metrics = tmp_path / "natural.json"
    measure(data_path, metrics, title="by nobody")
    page = make_page(tmp_path / "page.md", "figures")
    write_figures([metrics], [page])
    text = page.read_text("utf8")
    assert "| 2 by nobody | " in text and get_state() in text and "STALE" not in text


def test_figures_of_messages_without_phi(measure, tmp_path):
    """Only `clean` can be counted there."""
    srsly.write_jsonl(tmp_path / "bare.jsonl", ROWS[1:])
    metrics = tmp_path / "bare.json"
    measure(tmp_path / "bare.jsonl", metrics)
    figures = json.loads(metrics.read_text())["merged"]
    assert figures["strict"]["r"] is None and figures["clean"] is not None
    page = make_page(tmp_path / "page.md", "figures")
    write_figures([metrics], [page])
    assert "| 1 bare | – | – | – | " in page.read_text("utf8")


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
    assert "| `doubt.form` | " in text and "`phone.mobile`" in text and "STALE" not in text
