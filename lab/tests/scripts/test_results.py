"""Pages of figures: of a corpus, for the README, of the rules."""

import json
import re

import pytest
import spacy
import srsly
import typer

from components.measures.evaluation import evaluate_docs
from components.measures.figures import write_share
from lab.scripts import results
from lab.scripts.ablate_rules import ablate_rules, count_changes, measure_rules
from lab.scripts.write_figures import write_figures
from lab.workbench.printed import PRINTED, SHARES, write_headline
from tests.conftest import ROOT
from training_tools.markdown import fill_block, get_state, make_table
from training_tools.pipeline_parts import SYSTEMS
from training_tools.report.folder import read_outcomes

BLOCK = re.compile("<!-- ([a-z-]+) -->")
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
    page = make_page(tmp_path / "page.md", "natural", "figures")
    measure(data_path, tmp_path / "m.json", page, title="by nobody")
    write_figures(tmp_path / PRINTED, ["natural"], [page])
    text = page.read_text("utf8")
    assert "| 2 by nobody | " in text and get_state() in text and "STALE" not in text


def read_rows(page, block):
    """The rows of the tables of a block, and what stands beside them."""
    _, _, rest = page.read_text("utf8").partition(f"<!-- {block} -->\n")
    lines = rest.partition(f"<!-- /{block} -->")[0].splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]
    return rows, "\n".join(line for line in lines if not line.startswith("|"))


def check_results(page, kept):
    """What the page of results prints of what comes out is what is kept."""
    for name, figures in kept.items():
        rows, said = read_rows(page, name)
        size = "{messages} messages, {spans} spans, threshold {threshold}; {state}.".format(
            **figures
        )
        assert size in said, name
        (merged,) = (row for row in rows if row[0] == "merged")
        strict = write_strict(figures["strict"], figures["intervals"]["strict"])
        shares = [write_share(figures[each], figures["intervals"][each]) for each in SHARES]
        assert [merged[1], *merged[5:]] == [strict, *shares], name
        head = next(row for row in rows if row[0] == "strict P / R / F1")
        told = {row[0]: (row[head.index("merged")], row[-2]) for row in rows}
        for label, own in figures["per_class"].items():
            assert told[label] == (write_strict(own), write_share(own["redact"])), (name, label)


def write_strict(prf, interval=None):
    p, r, f = (prf[measure] for measure in "prf")
    return f"{write_share(p)} / {write_share(r)} / {write_share(f, interval)}"


def test_what_is_kept_is_what_is_printed(measure, data_path, tmp_path):
    page = make_page(tmp_path / "page.md", "natural", "bare")
    measure(data_path, tmp_path / "m.json", page)
    srsly.write_jsonl(tmp_path / "bare.jsonl", ROWS[1:])
    measure(tmp_path / "bare.jsonl", tmp_path / "n.json", page)
    kept = srsly.read_json(tmp_path / PRINTED)
    assert kept.keys() == {"natural", "bare"}
    check_results(page, kept)
    kept["bare"]["clean"] -= 0.001
    with pytest.raises(AssertionError):
        check_results(page, kept)


def test_pages_of_the_project_print_the_same_figures():
    kept = srsly.read_json(ROOT / "lab" / "docs" / PRINTED)
    page = ROOT / "lab" / "docs" / "results.md"
    measured = [name for name in BLOCK.findall(page.read_text("utf8")) if name != "thresholds"]
    assert sorted(kept) == sorted(measured)
    check_results(page, kept)
    project = (ROOT / "lab" / "project.yml").read_text("utf8")
    (names,) = re.findall(rf"write_figures lab/docs/{PRINTED} ([^-\n][^\n]*?) --page", project)
    chosen = [kept[name] for name in names.split()]
    for path in ("README.md", "docs/model_card.md"):
        rows, said = read_rows(ROOT / path, "figures")
        assert rows[2:] == [write_headline(figures) for figures in chosen], path
        assert all(figures["state"] in said for figures in chosen), path


def test_figures_of_messages_without_phi(measure, tmp_path):
    """Only `clean` can be counted there."""
    srsly.write_jsonl(tmp_path / "bare.jsonl", ROWS[1:])
    metrics = tmp_path / "bare.json"
    measure(tmp_path / "bare.jsonl", metrics)
    figures = json.loads(metrics.read_text())["merged"]
    assert figures["strict"]["r"] is None and figures["clean"] is not None
    page = make_page(tmp_path / "page.md", "bare", "figures")
    measure(tmp_path / "bare.jsonl", metrics, page, title="bare")
    write_figures(tmp_path / PRINTED, ["bare"], [page])
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
