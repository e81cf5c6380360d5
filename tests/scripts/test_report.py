"""`spacy project run report` on messages of one's own: no corpus, no training."""

import json
import subprocess
import sys

import srsly

from tests.conftest import ROOT
from training_tools.report.folder import read_outcomes

ROWS = [
    {"text": "Ring 070-174 06 05!", "spans": [{"start": 5, "end": 18, "label": "PHONE"}]},
    # An error for sure: no phone number is without figures.
    {"text": "Hej Knurvelstock", "spans": [{"start": 4, "end": 16, "label": "PHONE"}]},
]
NEEDED = ["assets", "components", "training_tools", "scripts", "project.yml"]


def test_report_of_own_messages(tiny_path, tmp_path):
    for name in NEEDED:
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "training" / "mini").mkdir(parents=True)
    (tmp_path / "training" / "mini" / "model-tuned").symlink_to(tiny_path)
    srsly.write_jsonl(tmp_path / "mine.jsonl", ROWS)
    command = [sys.executable, "-m", "spacy", "project", "run", "report", ".", "--vars.test"]
    done = subprocess.run(
        [*command, "mine.jsonl"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    outcomes = {outcome.name: outcome for outcome in read_outcomes(tmp_path / "metrics")}
    assert {"evaluate", "leaks", "errors"} <= set(outcomes)
    assert all(outcome.data.startswith("mine (2 messages") for outcome in outcomes.values())
    page = (tmp_path / "metrics" / "report.html").read_text("utf8")
    assert "Knurvelstock" not in page
    for outcome in outcomes.values():
        assert f'id="outcome-{outcome.name}"' in page
    figures = json.loads((tmp_path / "metrics" / "report.json").read_text("utf8"))
    assert set(figures) == {"rules", "lists", "model", "merged", "careful"}
    # The page of errors is another one: it quotes messages.
    assert "Knurvelstock" in (tmp_path / "metrics" / "errors.html").read_text("utf8")
