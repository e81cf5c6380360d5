"""What a training tells of itself."""

import io

import pytest
import spacy

from training_tools import training_log


@pytest.mark.parametrize(("seconds", "lines"), [(10, 3), (31, 9), (1, 0)])
def test_a_line_every_half_minute(monkeypatch, seconds, lines):
    nlp = spacy.blank("sv", config={"training": {"max_steps": 9}})
    clock = iter(range(0, 1000, seconds))
    monkeypatch.setattr(training_log.time, "monotonic", lambda: next(clock))
    out = io.StringIO()
    log_step, _ = training_log.make_rate_logger(False)(nlp, out, out)
    out.truncate(0)
    for _ in range(10):
        log_step(None)
    said = [line for line in out.getvalue().splitlines() if line.strip("\0").startswith("Step")]
    assert len(said) in (lines, lines + 1)
    assert all(" of 9, " in line and line.endswith(" minutes left") for line in said)
