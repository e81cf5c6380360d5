"""What the pages say is so."""

import ast
import logging
import re
import subprocess
from functools import cache
from xml.etree import ElementTree

import pytest
import srsly
import typer
from thinc.api import Config

import components
from components.cli.app import make_app
from components.merging.rules import STAGES, get_rules
from components.shared.failures import logger
from components.shared.labels import BUILT_IN, LABELS, PRESIDIO_NAMES
from tests.conftest import ROOT, find_blocks
from training_tools.markdown import fill_block, get_state
from training_tools.steps import fit_steps, plan_size

PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
EACH = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
# The pages for those who answer for the messages, each in English and in Swedish.
TRUST = ROOT / "docs" / "trust"
TRUSTED = sorted(page.name.removesuffix(".sv.md") for page in TRUST.glob("*.sv.md"))
EACH_TRUSTED = pytest.mark.parametrize("name", TRUSTED)


def read(page):
    return (ROOT / page).read_text("utf8")


@EACH
def test_commands_of_the_project(page):
    """Commands, workflows and scripts that a page runs are there, in the project or the laboratory."""
    text = page.read_text("utf8")
    for name, where in re.findall(r"spacy project run ([a-z][a-z0-9-]+)(?: (lab\b))?", text):
        project = srsly.yaml_loads(read(f"{where or '.'}/project.yml"))
        names = {command["name"] for command in project["commands"]}
        assert name in names | set(project.get("workflows", ())), name
    variables = srsly.yaml_loads(read("project.yml"))["vars"]
    assert set(re.findall(r"--vars\.(\w+)", text)) <= set(variables)
    for name in re.findall(r"python -m scripts\.(\w+)", text):
        assert (ROOT / "scripts" / f"{name}.py").exists(), name


@cache
def get_options(*names):
    """Those of some commands of the command line, or of all."""
    commands = typer.main.get_command(make_app(lambda: None)).commands
    params = [each for name in names or commands for each in commands[name].params]
    return {option for each in params for option in each.opts}


@EACH
def test_options_of_the_command_line(page):
    text = page.read_text("utf8")
    for name, rest in re.findall(r"sv-deid-chat (\w+)([^\n`#]*)", text):
        assert {*re.findall(r"--[a-z][a-z-]+", rest)} - {"--help"} <= get_options(name), rest


@EACH
def test_python(page):
    """Blocks of Python can be read, and what they import from the package is public."""
    for block in find_blocks(page, "python"):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and node.module == "sv_deid_chat":
                assert {alias.name for alias in node.names} <= set(components.__all__)


def test_names_of_presidio():
    told = read("docs/gateway.md").partition("- Classes: ")[2].partition("\n- ")[0]
    renamed = {name for label, name in PRESIDIO_NAMES.items() if name != label}
    assert {*re.findall(r"`([A-Z_]+)`", told)} == renamed | {*LABELS} & {*PRESIDIO_NAMES.values()}


def test_rules_of_the_merger():
    """The table has all rules, and the text the stages in their order."""
    text = read("docs/rules.md")
    told = re.findall(r"^\| `(\w+\.\w+)` \|", text, re.MULTILINE)
    assert sorted(told) == sorted(get_rules())
    stages = text[text.index("Stages in their order") :].partition("\n\n")[0]
    assert tuple(re.findall(r"\*(\w+)\*", stages)) == STAGES


def test_the_wheel_names_no_page_that_it_lacks():
    files = [
        path for name in ("components", "scripts/package") for path in (ROOT / name).rglob("*")
    ]
    texts = [path.read_text("utf8") for path in files if path.suffix in (".py", ".html", ".js")]
    assert texts and not re.findall(r"docs/[\w/.-]+\.md", "\n".join(texts))


def test_rules_that_are_named_are_there():
    """In what tells how to switch a rule off."""
    pages = [*(ROOT / "components").rglob("*.py"), *(ROOT / "docs").rglob("*.md")]
    texts = "".join(path.read_text("utf8") for path in pages)
    lists = "".join(re.findall(r"disable = (\[[^]]*\])", texts))
    named = {*re.findall(r'"(\w+\.\w+)"', lists)}
    assert named and named <= set(get_rules())


def test_the_tree_has_all_folders():
    text = read("docs/architecture.md")
    tree = text[text.index("## Folders") : text.index("## The way of a table")]
    tops, parts = (
        set(re.findall(rf"^{blanks}(\w+)/", tree, re.MULTILINE)) for blanks in ("", "  ")
    )
    assert parts == {path.parent.name for path in (ROOT / "components").glob("*/__init__.py")}
    out = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, encoding="utf8", check=True
    )
    kept = {name.split("/")[0] for name in out.stdout.splitlines() if "/" in name}
    made = set(re.findall(r"^(\w+)/ +made by", tree, re.MULTILINE))
    assert tops - made == {name for name in kept if not name.startswith(".")} - made


def test_the_readers_figures_are_those_that_were_measured():
    text = read("docs/surrogates.md")
    told = text[text.index("## Can a reader tell?") :].partition("\n## ")[0]
    figures = set(re.findall(r"\.\d{3}\b", told))
    assert figures and figures <= set(re.findall(r"\.\d{3}\b", read("lab/docs/attacks.md")))


def test_the_steps_with_a_head_are_those_of_the_configs():
    for size in ("small", "mini"):
        config = Config().from_disk(ROOT / "configs" / f"{size}.cfg", interpolate=False)
        messages = plan_size(config, has_head=True)
        assert fit_steps(config, messages)["training.max_steps"] == 100
    for page in ("docs/training.md", "CHANGELOG.md"):
        assert re.search(r"goes on from\s+(the head|it)\s+for a hundred\s+steps", read(page)), page
    for page in ("docs/model_card.md", "docs/messages.md"):
        assert f"{messages:,} messages" in read(page) or f"reads, {messages:,} with" in read(page)


def test_paths_of_contributing_are_there():
    text = read("CONTRIBUTING.md")
    paths = re.findall(r"`((?:assets|components|configs|docs|scripts|tests)/[^\s`]+)`", text)
    assert paths and all([*ROOT.glob(path)] for path in paths)


def test_model_card_tells_what_is_found():
    text = read("docs/model_card.md")
    assert "not among the classes" not in text and "JSONL files" not in text
    assert {"URL", "PLATE"} <= set(BUILT_IN) and all(f"`{label}`" in text for label in BUILT_IN)


def test_the_logger_has_one_name():
    """In the wheel the modules have other names than in the project."""
    assert logger is logging.getLogger("sv_deid_chat")
    files = [*(ROOT / "components").rglob("*.py")]
    assert not [file for file in files if "getLogger(__name__)" in file.read_text("utf8")]


def describe_markdown(text):
    """What two languages of a page have in common: levels of headings, shapes of tables, and code."""
    heads = re.findall(r"^#+(?= )", text, re.MULTILINE)
    rows = [line.count("|") for line in text.splitlines() if line.startswith("|")]
    return heads, rows, sorted(re.findall(r"`[^`]+`", text))


@EACH_TRUSTED
def test_trust_in_both_languages(name):
    english, swedish = (
        (TRUST / f"{name}{ending}").read_text("utf8") for ending in (".md", ".sv.md")
    )
    assert describe_markdown(swedish) == describe_markdown(english)
    assert f"({name}.sv.md)" in english and f"({name}.md)" in swedish
    assert swedish.count("ej kontrollerat") == english.count("not checked")


def test_trust_is_short():
    """It has no page in one language only, and two pages of print each."""
    words = {
        page.name: len(re.findall(r"\S*\w\S*", page.read_text("utf8")))
        for page in TRUST.glob("*.md")
    }
    assert words.keys() == {f"{name}{end}" for name in TRUSTED for end in (".md", ".sv.md")}
    assert max(words.values()) <= 850


# What a row of the rules begins with, in English and in Swedish.
ANSWERS = {"Yes": "Ja", "No": "Nej", "Open": "Öppet", "Depends": "Beror på"}
CHECKED = {"wording": "ordalydelsen", "second hand": "i andra hand", "from memory": "ur minnet"}


def read_rules(page):
    """Of each question: its answer in a word, the numbers of its articles, and how it was checked."""
    cells = [line.strip("| ").split(" | ") for line in read(page).splitlines() if "| **" in line]
    rows = [
        (re.match(r"\*\*(.+?)\.?\*\*", answer)[1], where, state)
        for _, answer, where, state in cells
    ]
    return [
        (answer, re.findall(r"\d+|\b[IVX]+\b", re.sub(r"\(http\S+\)", "", where)), state)
        for answer, where, state in rows
    ]


def test_rules_are_the_same_in_both_languages():
    english, swedish = (read_rules(f"docs/trust/regulation{end}") for end in (".md", ".sv.md"))
    assert len(english) > 15
    for (answer, numbers, state), translated in zip(english, swedish, strict=True):
        (said,) = [CHECKED[word] for word in CHECKED if state.startswith(word)]
        assert translated[:2] == (ANSWERS[answer], numbers) and translated[2].startswith(said)


def test_intended_purpose_is_one_sentence_everywhere():
    (purpose,) = re.findall(r"^> (.+\.)$", read("docs/trust/regulation.md"), re.MULTILINE)
    assert ". " not in purpose
    said = typer.main.get_command(make_app(lambda: None)).help
    for text in (read("README.md"), read("docs/model_card.md"), said):
        assert purpose in " ".join(text.split())


@EACH_TRUSTED
def test_trust_names_options(name):
    """Options are named alone there, without their command."""
    named = re.findall(r"(?<=`)--[a-z-]+", (TRUST / f"{name}.md").read_text("utf8"))
    assert {*named} <= get_options()


@pytest.mark.parametrize("page", ["dpia.md", "dpia.sv.md"])
def test_figures_of_the_impact_assessment_are_of_the_readme(page):
    """Each row is a row of the README, but for the F1, and with a Swedish comma in Swedish."""
    text = (TRUST / page).read_text("utf8")
    rows = re.findall(r"^\| (\d+ .+?) \| (.+) \|$", text, re.MULTILINE)
    known = dict(re.findall(r"^\| (\d+ .+?) \| .+? \| (.+) \|$", read("README.md"), re.MULTILINE))
    assert len(rows) >= 3
    for name, figures in rows:
        assert re.sub(r"\b0(?=\.)", "", figures.replace(",", ".")) == known[name]
    # The worst of each measure is among them.
    for column in range(3):
        cells = {row: each.split(" | ")[column] for row, each in known.items()}
        worst = min(cell for cell in cells.values() if cell != "–")
        assert worst in [cells[name] for name, _ in rows]
    quoted = re.findall(r'"(\d+ [^"]+)"', text)
    assert {*quoted} <= known.keys()


def test_picture_of_holders():
    """It loads nothing, and is the same in both languages but for its words."""
    shapes = []
    for name in ("holders.svg", "holders.sv.svg"):
        root = ElementTree.fromstring((TRUST / name).read_text("utf8"))
        parts = [*root.iter()]
        values = [value for part in parts for value in part.attrib.values()]
        assert not [value for value in values if "//" in value]
        assert all((part.text or "").strip() for part in parts if part.tag.endswith("text"))
        shapes.append([(part.tag, part.attrib) for part in parts])
    assert shapes[0] == shapes[1]


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
