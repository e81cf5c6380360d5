"""An outcome is written, and read again as it was."""

from lab.workbench.experiments import write_markdown, write_page
from training_tools.report.folder import read_outcomes, write_outcome
from training_tools.report.outcome import Headline, Outcome, Plot, Table
from training_tools.report.plots import Line, draw_bars, draw_lines


def test_round_trip(tmp_path):
    svg = draw_lines({"ours": Line([1, 2], [0.5, 0.75], [0.4, 0.7], [0.6, 0.8])}, "messages", "F1")
    outcome = Outcome(
        name="learning-curve",
        title="How many messages?",
        says="More is better.",
        figures={"f": 0.75},
        tables=[Table("By size", ["size", "F1"], [["1", ".500"], ["2", ".750"]])],
        plots=[Plot("F1 by size", svg)],
        paper="The same there.",
    )
    path = write_outcome(outcome, tmp_path)
    assert path == tmp_path / "outcomes" / "learning-curve.json"
    assert read_outcomes(tmp_path) == [outcome]
    page = write_markdown(outcome)
    assert "| 2 | .750 |" in page and "![F1 by size](learning-curve-1.svg)" in page
    assert (path.parent / "learning-curve-1.svg").read_text() == svg


def test_another_corpus_is_told(tmp_path, capsys):
    for data, told in [("a", False), ("a", False), ("b", True)]:
        write_outcome(Outcome("errors", "t", "s", {}, data=data), tmp_path)
        said = capsys.readouterr().out
        assert ("had errors on a; now it has b" in said) == told


def test_headlines_and_data_are_written(tmp_path):
    headline = Headline("12", "6 to 19", "of 1,000 messages tell something")
    outcome = Outcome("leaks", "t", "s", {}, data="own (3 messages)", headlines=(headline,))
    write_outcome(outcome, tmp_path)
    page = write_markdown(outcome)
    assert "**12** (6 to 19) of 1,000 messages tell something" in page
    assert f"*own (3 messages); {outcome.state}*" in page
    assert read_outcomes(tmp_path)[0].headlines == (headline,)


def test_plots_are_the_same_bytes_again():
    lines = {"a": Line([1, 2], [0.1, 0.2]), "b": Line([1, 2], [0.2, 0.1])}
    svg = draw_lines(lines, "x", "y", xscale="log")
    assert svg.startswith("<svg") and svg == draw_lines(lines, "x", "y", xscale="log")
    bars = {"F1": Line(["ours", "theirs"], [0.9, 0.8], [0.8, 0.7], [0.95, 0.9])}
    assert "theirs" in draw_bars(bars, "F1")


def test_a_page_of_the_documentation(tmp_path):
    page = tmp_path / "experiments.md"
    page.write_text("# Experiments\n\n<!-- experiments -->\nold\n<!-- /experiments -->\n\nend\n")
    svg = draw_lines({"a": Line([1, 2], [0.1, 0.2])}, "x", "y")
    for name in ("search", "ablate"):
        outcome = Outcome(name, f"About {name}", "It helps.", {}, plots=[Plot("x by y", svg)])
        write_outcome(outcome, tmp_path)
    write_page(tmp_path, page)
    text = page.read_text()
    assert "old" not in text and text.endswith("end\n")
    assert text.index("## About ablate") < text.index("## About search")
    assert "![x by y](experiments/search-1.svg)" in text
    assert (tmp_path / "experiments" / "search-1.svg").read_text() == svg
