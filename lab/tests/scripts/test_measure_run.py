"""The measure of a run of the command."""

import json

from lab.scripts.measure_run import measure_run, thin, write_rows


def test_figures(tiny_path, tmp_path, monkeypatch):
    monkeypatch.setattr("lab.scripts.measure_run.SECONDS", 0.05)
    messages, page = tmp_path / "messages.jsonl", tmp_path / "page.md"
    messages.write_text('{"text": "Hej Anna Lind"}\n{"text": "ring 070-174 06 05"}\n')
    page.write_text("<!-- run -->\n<!-- /run -->\n")
    output, plot = tmp_path / "metrics" / "run.json", tmp_path / "run.svg"
    measure_run(tiny_path, messages, output, 4000, "1", page, plot)
    figures = json.loads(output.read_text())["1"]
    assert figures["rows_per_second"] > 0
    assert figures["memory"][-1][0] <= 4000 and figures["memory"][-1][1] > 100
    assert "core hours for a million rows" in page.read_text()
    assert "<svg" in plot.read_text()


def test_rows_of_conversations_are_mixed(tmp_path):
    write_rows(tmp_path / "rows.jsonl", ["Hej", "Nej"], 20)
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    ids = [row["conversation"] for row in rows]
    assert sorted(ids) == [n // 5 for n in range(20)] and ids != sorted(ids)


def test_thin():
    assert thin([(n, n) for n in range(1000)], 10) == [
        *((n, n) for n in range(0, 1000, 100)),
        (999, 999),
    ]
