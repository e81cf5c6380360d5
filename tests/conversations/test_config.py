"""One file of settings, or a dict, for all ways in."""

import pickle
from pathlib import Path

import pytest

from components import configure
from components.conversations.configuration import SETTINGS, configured, read_config
from components.shared.find_pipes import find_pipe
from components.surrogates.settings import OPTIONS
from tests.cases import read_cases

TOML = Path(__file__).with_name("settings.toml").read_text(encoding="utf8")
READ = {
    "dates": "month", "ages": "bands", "surrogate_numbers": "plausible", "mode": "careful",
    "clean": "html,control", "foreign": "rules", "classes": ["URL", "PLATE"], "allow": ["Lund"],
    "strategy": {"PID": "mask", "*": "label"}, "threshold": {"PERSON": 0.01, "default": 1.0},
    "deny": {"PERSON": ["Bagarn"]},
}  # fmt: skip


@pytest.fixture
def path(tmp_path):
    (tmp_path / "allow.txt").write_text("Lund\n", encoding="utf8")
    path = tmp_path / "settings.toml"
    path.write_text(TOML, encoding="utf-8-sig")
    return path


def test_file(path):
    """Files that it names lie beside it, wherever the command runs."""
    assert read_config(path) == read_config(str(path)) == READ
    assert read_config(READ) == READ
    assert pickle.loads(pickle.dumps(read_config(path))) == READ


@pytest.mark.parametrize("line, said", read_cases(__file__)["test_what_is_wrong_is_named"])
def test_what_is_wrong_is_named(path, line, said):
    path.write_text(line, encoding="utf8")
    with pytest.raises(ValueError, match="settings.toml") as error:
        read_config(path)
    assert said in str(error.value) and "Knurvel" not in str(error.value)
    name = line.split(" ")[0]
    assert name in str(error.value) or "TOML" in said


@pytest.mark.parametrize("data, said", [(b"\xff", "no text in UTF-8"), (None, "cannot be read")])
def test_files_that_cannot_be_read(path, data, said):
    path.write_bytes(data) if data else path.unlink()
    with pytest.raises(ValueError, match=said):
        read_config(path)


def test_all_choices_are_settings():
    assert {*OPTIONS, "strategy", "threshold"} < {*SETTINGS}


def get_settings(nlp):
    return {
        name: getattr(find_pipe(nlp, setting.pipe) if setting.pipe else nlp, name)
        for name, setting in SETTINGS.items()
    }


def test_pipeline_is_set_up_for_a_while(make_nlp, path):
    nlp = make_nlp()
    before = get_settings(nlp)
    with configured(nlp, path):
        # A threshold that is given beats that of the mode.
        expected = {**READ, "patterns": [], "mode": None}
        assert {**get_settings(nlp), "classes": ["URL", "PLATE"]} == expected
        text = nlp("Anna föddes 3 maj 1990, 900101-2385. Bagarn i Lund")._.deidentified
        assert "[PERSON]" in text and "***" in text and "2385" not in text
    assert get_settings(nlp) == before
    with configured(nlp, None):
        assert get_settings(nlp) == before
    configure(nlp, path, dates="year")
    assert get_settings(nlp)["dates"] == "year" and get_settings(nlp)["ages"] == "bands"


def test_a_mode_is_a_threshold(make_nlp):
    nlp = make_nlp()
    phi_ner = nlp.get_pipe("phi_ner")
    before = phi_ner.threshold
    with configured(nlp, {"mode": "careful"}):
        assert (phi_ner.mode, phi_ner.threshold) == ("careful", 0.05)
    assert phi_ner.threshold == before
    configure(nlp, {"threshold": 0.3}, mode="balanced")
    assert phi_ner.threshold == 0.12
    configure(nlp, {"mode": "careful"}, threshold=0.3)
    assert (phi_ner.mode, phi_ner.threshold) == (None, 0.3)


def test_pipeline_that_lacks_a_pipe(make_nlp):
    nlp = make_nlp()
    nlp.remove_pipe("phi_ner")
    with pytest.raises(ValueError, match="threshold: the pipeline has no phi_ner"):
        configure(nlp, {"threshold": 0.1})
