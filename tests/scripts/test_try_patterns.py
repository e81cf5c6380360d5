"""What an edit of patterns or lists changes is shown, and the cases of the patterns are checked."""

import shutil
from pathlib import Path

import pytest
import srsly
import typer

from scripts.try_patterns import CASES, PATTERNS, check_cases, compare, read_cases, try_patterns
from tests import cases

ROWS = [
    {"macro": "four", "regex": "\\d{4}"},
    {"id": "code.a", "label": "PID", "regex": "kod {four}"},
    {"id": "neg.b", "regex": "veto \\d{4}", "negative": True},
]
ROWS_OF_CASES = [
    {"id": "code.a", "finds": ["nu [[PID|kod 1234]]"], "leaves": ["kod 123"]},
    {"id": "neg.b", "finds": ["[[VETO|veto 1234]]"], "leaves": ["x"], "reason": "It is none."},
]
MESSAGES = "[[PID|kod 1234]] och kod 4321\n---\nhej kod 12\n---\nmin [[PERSON|Alva]] mår bra\n"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    folder = tmp_path / "old"
    (folder / "messages" / "natural" / "singles").mkdir(parents=True)
    (folder / "messages" / "natural" / "singles" / "a.txt").write_text(MESSAGES, encoding="utf8")
    (folder / "lists").mkdir()
    (folder / "lists" / "surnames.tsv").write_text("name\nEk\n", encoding="utf8")
    (folder / "lists" / "first_names.tsv").write_text("name\nBo\n", encoding="utf8")
    srsly.write_jsonl(folder / PATTERNS, ROWS)
    srsly.write_jsonl(folder / "optional_patterns.jsonl", [])
    srsly.write_jsonl(folder / CASES, ROWS_OF_CASES)
    return folder


@pytest.fixture
def new(old: Path) -> Path:
    return Path(shutil.copytree(old, old.parent / "new"))


def show(old: Path, new: Path) -> list[tuple[bool, str, str, str]]:
    return [
        (change.adds, change.text[slice(*change.hit[:2])], change.hit[3], change.where)
        for change in compare(old, new)
    ]


VETO = {"id": "neg.c", "regex": "(?P<phi>1234) och", "negative": True}
WHOLE = {**VETO, "regex": "(?P<phi>kod 1234) och"}
FEWER = {"macro": "four", "regex": "\\d{2,3}\\b"}
PLATE = {"id": "plate.a", "label": "PLATE", "regex": "hej"}
GONE = (False, "kod 1234", "code.a", "PHI")


@pytest.mark.parametrize(
    ("file", "rows", "changes"),
    [
        (PATTERNS, ROWS, []),
        (PATTERNS, [FEWER, *ROWS[1:]],
         [GONE, (False, "kod 4321", "code.a", "clean"), (True, "kod 12", "code.a", "clean")]),
        # A veto takes what it covers whole, no more.
        (PATTERNS, [*ROWS, VETO], [(True, "1234", "neg.c", "part")]),
        (PATTERNS, [*ROWS, WHOLE], [GONE, (True, "kod 1234", "neg.c", "part")]),
        ("optional_patterns.jsonl", [PLATE], [(True, "hej", "plate.a", "clean")]),
    ],
)  # fmt: skip
def test_edited_patterns(old: Path, new: Path, file: str, rows: list, changes: list):
    srsly.write_jsonl(new / file, rows)
    assert show(old, new) == changes


def test_a_list(old: Path, new: Path):
    (new / "lists" / "first_names.tsv").write_text("name\nBo\nAlva\n", encoding="utf8")
    assert show(old, new) == [(True, "Alva", "list of first_name", "PHI")]


@pytest.mark.parametrize(
    ("pattern", "case", "problem"), cases.read_cases(__file__)["cases_are_checked"]
)
def test_cases_are_checked(old: Path, pattern: dict, case: dict, problem: str):
    assert [*check_cases(old)] == []
    srsly.write_jsonl(old / PATTERNS, [*ROWS, *([pattern] if pattern else [])])
    rows = {row["id"]: row for row in [*ROWS_OF_CASES, *([case] if case else [])]}
    srsly.write_jsonl(old / CASES, [*rows.values()])
    (found,) = check_cases(old)
    assert problem in found


def test_command(old: Path, new: Path, capsys: pytest.CaptureFixture):
    srsly.write_jsonl(new / PATTERNS, [*ROWS[:2], ROWS[2] | {"regex": "hej"}])
    with pytest.raises(typer.Exit) as error:
        try_patterns(new, str(old), examples=1)
    said = capsys.readouterr()
    assert error.value.exit_code == 1
    assert "+ neg.b (clean): [[VETO|hej]] kod 12" in said.out
    assert "neg.b leaves" in said.out + said.err
    with pytest.raises(typer.Exit):
        try_patterns(new, "no-such-commit", examples=1)


ASSETS = Path(__file__).resolve().parents[2] / "assets"


def test_shipped_patterns_and_their_cases():
    assert [*check_cases(ASSETS)] == []
    assert len([*read_cases(ASSETS)]) > 1000
