"""What the pages say is so."""

import logging
import re
import subprocess

import pytest
import srsly

from components.failures import logger
from components.labels import BUILT_IN
from components.merging.rules import STAGES
from tests.conftest import ROOT
from training_tools.markdown import fill_block, get_state


def read(page):
    return (ROOT / page).read_text("utf8")


def test_stages_of_the_rules():
    text = read("docs/rules.md")
    told = text[text.index("Stages in their order") : text.index("The first rule of a stage")]
    assert tuple(re.findall(r"\*(\w+)\*", told)) == STAGES


def test_paths_of_contributing_are_there():
    text = read("CONTRIBUTING.md")
    paths = re.findall(r"`((?:assets|components|configs|docs|scripts|tests)/[^\s`]+)`", text)
    assert paths
    assert not [path for path in paths if not [*ROOT.glob(path)]]


def test_cases_of_patterns_are_where_contributing_says():
    [path] = re.findall(r"a case in `(\S+)`", read("CONTRIBUTING.md"))
    text = read(path)
    rows = srsly.read_jsonl(ROOT / "assets/patterns.jsonl")
    labels = {row["label"] for row in rows if "label" in row and not row.get("negative")}
    assert labels and all(f"<{label}:" in text for label in labels)


def test_model_card_tells_what_is_found():
    text = read("docs/model_card.md")
    assert "not among the classes" not in text and "JSONL files" not in text
    assert {"URL", "PLATE"} <= set(BUILT_IN) and all(f"`{label}`" in text for label in BUILT_IN)


def test_the_logger_has_one_name():
    """In the wheel the modules have other names than in the project."""
    assert logger is logging.getLogger("sv_deid_chat")
    files = [*(ROOT / "components").rglob("*.py")]
    assert not [file for file in files if "getLogger(__name__)" in file.read_text("utf8")]


@pytest.fixture
def repository(tmp_path):
    def run(*arguments):
        subprocess.run(["git", "-C", str(tmp_path), *arguments], check=True, capture_output=True)

    (tmp_path / "docs").mkdir()
    for name in ("docs/page.md", "README.md"):
        (tmp_path / name).write_text("<!-- a -->\n<!-- /a -->\n", "utf8")
    (tmp_path / "code.py").write_text("1\n", "utf8")
    run("init", "-q")
    run("add", ".")
    run("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "a")
    return tmp_path


def test_figures_are_of_a_commit(repository, monkeypatch):
    """Pages that a command has written before do not count, code does."""
    monkeypatch.chdir(repository)
    pages = repository / "docs" / "page.md", repository / "README.md"
    for page in pages:
        fill_block(page, "a", "1")
    assert "at commit" in get_state() and "dirty" not in get_state()
    (repository / "code.py").write_text("2\n", "utf8")
    assert get_state().endswith("-dirty")
    for page in pages:
        with pytest.raises(ValueError, match="(?s)of no commit.*code.py"):
            fill_block(page, "a", "2")
        assert "1" in page.read_text("utf8")
