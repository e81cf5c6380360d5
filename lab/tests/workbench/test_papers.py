"""Figures of papers: each has a source, and none is impossible."""

import pytest

from lab.workbench.papers import PAPERS, RESULTS, find_results, make_paper_table, tell_differences


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: f"{r.experiment}-{r.paper}-{r.system}")
def test_figures_fit_together(result):
    assert result.paper in PAPERS and result.where and result.figures
    assert all(0 < value <= 1 for value in result.figures.values())
    if result.level == "entities" and {"P", "R", "F1"} <= set(result.figures):
        p, r, f = (result.figures[name] for name in ("P", "R", "F1"))
        # Means over folds and rounding make a difference; a slip of the pen makes a greater one.
        assert 2 * p * r / (p + r) == pytest.approx(f, abs=0.01)


def test_no_result_stands_twice():
    keys = [(r.experiment, r.paper, r.system, r.data, r.level) for r in RESULTS]
    assert len(keys) == len(set(keys))


def test_what_the_thesis_found():
    table = make_paper_table("single-class", "arvidsson-gerle")
    assert table.head == ["system", "data", "counted", "P", "R", "F1", "source"]
    assert table.rows[1] == [
        "KB-BERT, one class", "Corpus B", "tokens, weighted", ".948", ".961", ".955",
        "Arvidsson and Gerle 2022, 5.1.3",
    ]  # fmt: skip
    assert make_paper_table("evaluate").head[-2:] == ["leak", "source"]
    assert any("–" in row for row in make_paper_table("evaluate").rows)


def test_differences_are_told_once_a_paper():
    text = tell_differences(find_results("compare"))
    assert text.count("Arvidsson and Gerle 2022:") == 1 and "records, not chat" in text
