"""project.yml: a command runs again when what it hangs on has changed, and only then."""

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
# Scripts that import no more of `components` than they need, see there.
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
OUTPUTS = {
    fill(path)
    for command in PROJECT["commands"]
    for key in ("outputs", "outputs_no_cache")
    for path in command.get(key, [])
}
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
    read = {word for word in words if word in OUTPUTS or (ROOT / word).exists()} - set(CODE)
    own = {fill(path) for c in PROJECT["commands"] if c["name"] == name for path in get_outputs(c)}
    for word in words:
        if word.endswith(".cfg"):
            config = load_config(ROOT / word)
            take_out(config)
            read |= find_paths(
                {key: config.interpolate()[key] for key in ("corpora", "initialize")}
            )
    if name == "tune":
        for path in (ROOT / "configs").glob("*.cfg"):
            config = load_config(path)
            take_out(config)
            read |= find_paths(config.interpolate()[BLOCK])
    for script in get_scripts(name):
        constants = (
            n.value for n in ast.walk(parse(MODULES[script])) if isinstance(n, ast.Constant)
        )
        texts = {value for value in constants if isinstance(value, str)}
        read |= {text for text in texts if re.fullmatch(r"(assets|docs|configs)/\S+", text)}
    # What it writes, it does not hang on; a folder for outputs is no asset.
    read = {path for path in read if "/" in path and not path.startswith("-")}
    return {path for path in read if not any(lies_in(output, [path]) for output in own)}


def get_outputs(command):
    return [*command.get("outputs", []), *command.get("outputs_no_cache", [])]


def find_paths(values) -> set[str]:
    if isinstance(values, dict):
        return set().union(*(find_paths(value) for value in values.values()))
    is_path = isinstance(values, str) and values.startswith(("assets/", "corpus/"))
    return {values} if is_path else set()


@pytest.mark.parametrize("name", COMMANDS)
def test_all_that_a_command_hangs_on_is_named(name):
    deps = COMMANDS[name]
    needed = set().union(*map(gather_code, get_scripts(name))) | read_assets(name)
    missing = sorted(path for path in needed if not lies_in(path, deps))
    assert not missing, f"add these to the deps of {name!r} in project.yml: {missing}"


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_else_is_named(name):
    code = set().union(*map(gather_code, get_scripts(name)))
    others = read_assets(name)
    for dep in COMMANDS[name]:
        if dep.startswith(CODE):
            used = any(lies_in(path, [dep]) for path in code) or dep == "scripts/package"
            assert used, f"take {dep} out of the deps of {name!r} in project.yml"
        elif dep.startswith("assets/"):
            used = any(lies_in(path, [dep]) for path in others)
            assert used, f"take {dep} out of the deps of {name!r} in project.yml"


def test_what_needs_no_training():
    """Neither the command line nor what replaces; nor a folder, in which Python leaves its caches."""
    deps = [dep for dep in COMMANDS["train"] if dep.startswith(CODE)]
    rooms = ("cli", "surrogates", "jobs", "tables", "frames", "reports", "merging", "__init__.py")
    assert not [dep for dep in deps if dep.startswith(tuple(f"components/{r}" for r in rooms))]
    assert all((ROOT / dep).is_file() for dep in deps)
    assert "assets/optional_patterns.jsonl" not in COMMANDS["train"]
    assert "assets/patterns.jsonl" in COMMANDS["train"]


def test_commands_leave_no_caches():
    """They would count in the checksums of folders."""
    lines = [line for lines in SCRIPTS.values() for line in lines if line[0] == "python"]
    assert lines and all(line[1] == "-B" for line in lines)
