"""project.yml: a command runs again when what it needs has changed, and only then."""

import ast
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import srsly
from spacy.util import load_config

from tests.conftest import ROOT
from training_tools.assembly import BLOCK, take_out

PROJECT = srsly.read_yaml(ROOT / "project.yml")
CODE = ("components", "training_tools", "scripts")
# Scripts whose results do not depend on what a package's `__init__` imports.
BARE = {"scripts.train": "components"}


def fill(text):
    return re.sub(r"\$\{vars\.(\w+)\}", lambda match: str(PROJECT["vars"][match[1]]), text)


COMMANDS = {
    command["name"]: [fill(path) for path in command.get("deps", [])]
    for command in PROJECT["commands"]
    if not command.get("no_skip") and command.get("outputs", command.get("outputs_no_cache"))
}
SCRIPTS = {
    command["name"]: [shlex.split(fill(line)) for line in command["script"]]
    for command in PROJECT["commands"]
}


def get_outputs(command) -> set[str]:
    return {fill(path) for key in ("outputs", "outputs_no_cache") for path in command.get(key, [])}


OUTPUTS = {command["name"]: get_outputs(command) for command in PROJECT["commands"]}
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for folder in CODE
    for path in (ROOT / folder).rglob("*.py")
}


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf8"))


def find_imports(module: str) -> Iterator[str]:
    """What of the project a module imports, wherever in it, and the packages around that."""
    path = MODULES[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    names = []
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            above = parts[: len(parts) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    for name in [*names, package]:
        while name:
            if name in MODULES:
                yield name
            name = name.rpartition(".")[0]


def gather_code(start: str) -> set[str]:
    """The files with code that a script imports."""
    seen, ahead = set(), [start]
    while ahead:
        module = ahead.pop()
        if module not in seen and module != BARE.get(start):
            seen.add(module)
            ahead += find_imports(module)
    files = {MODULES[module] for module in seen}
    is_code = {path: any(not isinstance(n, ast.Expr) for n in parse(path).body) for path in files}
    return {path.relative_to(ROOT).as_posix() for path in files if is_code[path]}


def get_scripts(name: str) -> set[str]:
    return {word for line in SCRIPTS[name] for word in line if word.startswith("scripts.")}


def lies_in(path: str, places: list[str]) -> bool:
    return any(path == place or path.startswith(f"{place}/") for place in places)


def read_assets(name: str) -> set[str]:
    """The files that a command reads: those that its line names, and those of its config."""
    words = {word for line in SCRIPTS[name] for word in line}
    made = set().union(*OUTPUTS.values())
    read = {word for word in words if word in made or (ROOT / word).exists()} - set(CODE)
    for word in words:
        if word.endswith(".cfg"):
            config = read_config(ROOT / word)
            read |= find_paths([config["corpora"], config["initialize"]])
    if name == "tune":
        read |= find_paths([read_config(path)[BLOCK] for path in (ROOT / "configs").glob("*.cfg")])
    for script in get_scripts(name):
        constants = {
            n.value for n in ast.walk(parse(MODULES[script])) if isinstance(n, ast.Constant)
        }
        texts = {value for value in constants if isinstance(value, str)}
        read |= {text for text in texts if re.fullmatch(r"(assets|docs|configs)/\S+", text)}
    # What it writes is none of its needs; a folder for outputs is no asset.
    read = {path for path in read if "/" in path and not path.startswith("-")}
    return {path for path in read if not any(lies_in(output, [path]) for output in OUTPUTS[name])}


def read_config(path: Path):
    config = load_config(path)
    take_out(config)
    return config.interpolate()


def find_paths(values) -> set[str]:
    if isinstance(values, dict | list):
        each = values.values() if isinstance(values, dict) else values
        return set().union(*map(find_paths, each))
    is_path = isinstance(values, str) and values.startswith(("assets/", "corpus/"))
    return {values} if is_path else set()


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_needs_is_named_and_nothing_else(name):
    deps = COMMANDS[name]
    code, assets = set().union(*map(gather_code, get_scripts(name))), read_assets(name)
    missing = sorted(path for path in code | assets if not lies_in(path, deps))
    assert not missing, f"add these to the deps of {name!r} in project.yml: {missing}"
    for dep in deps:
        if dep.startswith((*CODE, "assets/")) and dep != "scripts/package":
            used = any(lies_in(path, [dep]) for path in code | assets)
            assert used, f"take {dep} out of the deps of {name!r} in project.yml"


def test_what_needs_no_training():
    """Neither the command line nor what replaces."""
    deps = [dep for dep in COMMANDS["train"] if dep.startswith("components")]
    rooms = {"shared", "text", "rules", "lists", "model", "language"}
    assert set(deps) == {f"components/{room}" for room in rooms}
    assert "assets/optional_patterns.jsonl" not in COMMANDS["train"]
    assert "assets/patterns.jsonl" in COMMANDS["train"]


def test_commands_leave_no_caches():
    """They would count in the checksums of folders."""
    lines = [line for lines in SCRIPTS.values() for line in lines if line[0] == "python"]
    assert lines and all(line[1] == "-B" for line in lines)


def test_nothing_depends_on_the_laboratory():
    files = [path for folder in (*CODE, "tests") for path in (ROOT / folder).rglob("*.py")]
    lab = re.compile(r"^\s*(from|import) lab\b", re.MULTILINE)
    assert files and not [path for path in files if lab.search(path.read_text("utf8"))]


def test_scripts_of_the_laboratory_are_there():
    lab = srsly.read_yaml(ROOT / "lab" / "project.yml")
    lines = " ".join(line for command in lab["commands"] for line in command.get("script", []))
    scripts = set(re.findall(r"\blab\.scripts\.(\w+)", lines))
    assert scripts
    assert not [name for name in scripts if not (ROOT / "lab/scripts" / f"{name}.py").exists()]
