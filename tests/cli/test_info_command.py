"""The sheet for a ticket: what is installed and what is on, and nothing that must not leave the machine."""

import json

import pytest
from typer.testing import CliRunner

from components.cli.app import make_app
from components.reports.evidence import digest_file, digest_folder
from tests.conftest import CANARY, ROOT

KEY = "a-key-that-no-sheet-may-hold"


@pytest.fixture
def run(load, tmp_path, monkeypatch):
    monkeypatch.setenv("SV_DEID_KEY", KEY)
    (tmp_path / "deny.txt").write_text(f"{CANARY}\n", encoding="utf8")
    config = tmp_path / "c.toml"
    config.write_text(
        'deny = "deny.txt"\nclasses = ["URL"]\ndates = "month"\n[threshold]\nAGE = 0.25\ndefault = 0.5\n'
        "[serve]\npresidio = true\n"
    )

    def run_info(*args):
        done = CliRunner().invoke(make_app(load), ["info", *args, "--config", str(config)])
        assert done.exit_code == 0, done.output
        assert not [each for each in (KEY, CANARY, str(tmp_path), str(ROOT)) if each in done.output]
        return done.output

    return run_info


def test_json(run, load, tiny_path, monkeypatch):
    nlp = load()
    monkeypatch.setitem(nlp.meta, "certificate", {"set": "a", "modes": {"careful": {"alpha": 0.1}}})
    sheet = json.loads(run("--json"))
    assert sheet["versions"]["pipeline"].startswith(nlp.meta["name"])
    weights = digest_file(tiny_path / "transformer" / "model.safetensors")
    assert sheet["digests"]["weights"] == weights
    assert sheet["digests"]["pipeline"] == digest_folder(tiny_path)
    assert sheet["certificate"]["modes"]["careful"]["alpha"] == 0.1
    assert sheet["key_is_set"] and {"PERSON", "URL"} <= {*sheet["classes"]}
    assert (sheet["settings"]["dates"], sheet["settings"]["deny"]) == ("month", True)
    assert sheet["settings"]["threshold"] == {"AGE": 0.25, "default": 0.5}
    assert (sheet["serve"]["presidio"], sheet["serve"]["queue"]) == (True, 64)
    assert sheet["threads"]["computing"] and {"serve", "json"} <= {*sheet["extras"]}


def test_for_people(run, load, monkeypatch):
    monkeypatch.setitem(load().meta, "certificate", {"modes": {"careful": {"alpha": 0.1}}})
    text = " ".join(run().split())
    assert (
        "settings dates month" in text
        and "threshold AGE 0.25" in text
        and "settings deny yes" in text
        and "key_is_set yes" in text
    )
    assert "certificate modes careful alpha 0.1" in text and "LOCATION" in text
    monkeypatch.delenv("SV_DEID_KEY")
    monkeypatch.setitem(load().meta, "certificate", None)
    text = " ".join(run().split())
    assert "certificate none" in text and "key_is_set no" in text


@pytest.mark.parametrize(
    "line", ["[serve]\npresidio = 1", "[serve]\nport = 1", "serve = 1", "x = 1"]
)
def test_wrong_settings(load, tmp_path, line):
    (tmp_path / "c.toml").write_text(line)
    args = ["--config", str(tmp_path / "c.toml")]
    for command in ("info", "serve"):
        done = CliRunner().invoke(make_app(lambda: pytest.fail("loaded")), [command, *args])
        assert done.exit_code == 2 and "c.toml" in done.stderr, done.output
