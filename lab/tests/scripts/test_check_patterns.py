"""The script that checks the time of patterns."""

import json
import math
import re
from pathlib import Path

import pytest
import srsly
import typer

from lab.scripts.check_patterns import MAX_GROWTH, PIECES, check_patterns, get_pieces, measure


@pytest.mark.parametrize(
    ("regex", "piece", "grows"),
    [
        (r"(?:a+)+b", "a", True), (r"(?<![^\W_])\w*b", "a_", True),
        (r"(?<![^\W_])\w{0,40}b", "a_", False), (r"\s+x", " ", True), (r"a", "a", False),
    ],
)  # fmt: skip
def test_growth_is_seen(regex: str, piece: str, grows: bool):
    assert (measure("x", re.compile(regex), piece).growth > MAX_GROWTH) == grows


def test_hanging_pattern_is_stopped():
    assert measure("x", re.compile(r"(?:a|a)*b"), "a").growth == math.inf


def test_pieces_hold_the_words_of_the_pattern():
    pieces = list(get_pieces(re.compile(r"(?:personnummer|pnr)\b \w*")))
    assert len(set(PIECES)) >= 30
    assert {"pnr ", "personnummer_", "pnr 1 "} <= set(pieces)
    assert set(PIECES) <= set(pieces)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture):
    patterns, metrics = tmp_path / "patterns.jsonl", tmp_path / "metrics" / "patterns.json"
    rows = [{"id": "x.slow", "label": "PID", "regex": r"(?<![^\W_])a\w*b"}]
    srsly.write_jsonl(patterns, rows)
    with pytest.raises(typer.Exit) as error:
        check_patterns(patterns, metrics)
    said = capsys.readouterr()
    assert error.value.exit_code == 1 and "x.slow on" in said.out + said.err
    figures = json.loads(metrics.read_text(encoding="utf8"))
    assert figures["patterns"] == 1 and figures["slow"][0]["id"] == "x.slow"
    srsly.write_jsonl(patterns, [{"id": "x.quick", "label": "PID", "regex": r"\d{4}"}])
    check_patterns(patterns, metrics)
    figures = json.loads(metrics.read_text(encoding="utf8"))
    assert figures["slow"] == [] and figures["slowest"][0]["id"] == "x.quick"
