"""Prove a wheel: install it in a new virtual environment outside the project, without a network
run it from Python and from the command line, and look for what must not be in it.
"""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile
from collections.abc import Collection, Iterable, Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import spacy
import srsly
import typer
from packaging.utils import canonicalize_name
from wasabi import msg

import components  # noqa: F401
from components.batch.vault import VAULT_KEY_VARIABLE, Vault
from components.extras import EXTRAS
from components.pipes.surrogate_generator import KEY_VARIABLE
from scripts.package_pipeline import PYTHONS
from training_tools.sbom import make_bill

ROOT = Path(__file__).resolve().parent.parent
ENCODERS = ROOT / "assets/encoder"
# Of a training here, if there was one.
CORPUS = Path("corpus/train.jsonl")
SHAPE = ("vocab_size", "hidden_size", "num_hidden_layers")
# For a wheel with the encoder of the project.
MAX_MB = 60
MAX_SECONDS = 5

EXAMPLE = (
    "Hej! Jag heter Anna Lindgren, 900101-2385, och undrar över mitt provsvar. Ring mig på "
    "070-174 06 05 eller skriv till anna.lindgren@example.com. MVH Anna"
)
CONVERSATION = ["lindgren här igen", EXAMPLE, "hälsa annas mamma"]
PARTICIPANT = re.compile(r"\b(?:anna|lindgren)s?\b", re.IGNORECASE)
FOUND = {"900101-2385": "PID", "070-174 06 05": "PHONE", "anna.lindgren@example.com": "EMAIL"}

# Runs at the start of every Python in the new environment. A library may go on after an error, so
# what it tried is kept.
NO_NETWORK = """
import os
import sys


def refuse(event, args):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"):
        if event == "socket.connect" and isinstance(args[1], (str, bytes)):
            return  # a Unix socket
        with open(os.environ["NETWORK_LOG"], "a") as file:
            file.write(f"{event} {args[1:]}\\n")
        raise OSError("the network is out of bounds")


sys.addaudithook(refuse)
"""

# In an environment that sees more than the wheel requires: all else is as if it were not installed.
ONLY_NEEDED = """
import re
import sys
from importlib.machinery import PathFinder

NEEDED = frozenset({needed!r})
HIDDEN = frozenset({hidden!r})


class NeededFinder(PathFinder):
    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        if fullname in HIDDEN:
            return None
        return PathFinder.find_spec(fullname, path, target)

    @classmethod
    def find_distributions(cls, *args, **kwargs):
        for found in PathFinder.find_distributions(*args, **kwargs):
            if re.sub("[-_.]+", "-", found.metadata["Name"] or "").lower() in NEEDED:
                yield found


sys.meta_path[:] = [NeededFinder if finder is PathFinder else finder for finder in sys.meta_path]
"""

USE = """
import importlib.util
import json
import sys
import time
import warnings

import spacy
import sv_deid_chat

assert importlib.util.find_spec("components") is None, "the project's components can be seen"
optional = json.loads(sys.argv[3])
there = [name for name in optional if importlib.util.find_spec(name) is not None]
assert not there, f"the plain wheel brings {there}"
start = time.perf_counter()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    nlp = spacy.load("sv_deid_chat")
    seconds = time.perf_counter() - start
    doc = nlp(json.loads(sys.argv[1]))
    conversation = sv_deid_chat.deidentify_conversation(
        nlp, json.loads(sys.argv[2]), known={"name": "Anna Lindgren"}
    )
try:
    sv_deid_chat.deidentify_frame(None)
except sv_deid_chat.components.extras.ExtraError as error:
    extra = str(error)
result = {
    "extra": extra,
    "load_seconds": round(seconds, 2),
    "version": nlp.meta["version"],
    "pipes": nlp.pipe_names,
    "labels": nlp.get_pipe("phi_ner").labels,
    "threshold": nlp.get_pipe("phi_ner").threshold,
    "groups": sorted(doc.spans),
    "ents": [[ent.text, ent.label_, ent._.source, ent._.score] for ent in doc.ents],
    "deidentified": doc._.deidentified,
    "replacements": doc._.replacements,
    "conversation": [doc._.deidentified for doc in conversation],
    "warnings": [str(w.message) for w in caught if issubclass(w.category, UserWarning)],
}
nlp.get_pipe("surrogate_generator").strategy = "label"
nlp.to_disk("saved")
result["labelled"] = nlp(json.loads(sys.argv[1]))._.deidentified
print(json.dumps(result, default=dict))
"""


# What is saved anywhere, and a pipe alone, with no import but spaCy's.
LOAD = """
import sys
import spacy

nlp = spacy.load(sys.argv[1])
spacy.blank("sv").add_pipe("phi_entity_ruler")
print(nlp(sys.argv[2])._.deidentified)
"""


def prove_wheel(
    packages_path: Path = typer.Argument(..., help="Folder of packages, or a wheel", exists=True),
    metrics_path: Path = typer.Option(Path("metrics/wheel.json"), help="Where the results go"),
    corpus_path: Path = typer.Option(
        CORPUS, "--corpus", help="The training messages, JSONL: none of their words may be in it"
    ),
    offline: bool = typer.Option(
        False, help="Take the requirements from this environment, not from the package index"
    ),
) -> None:
    wheel_path = get_wheel(packages_path)
    mb = round(wheel_path.stat().st_size / 1e6, 1)
    msg.info(f"{wheel_path.name}, {mb} MB")
    failures = [*find_leaks(wheel_path)]
    if corpus_path.exists():
        failures += find_corpus_words(wheel_path, corpus_path)
    else:
        msg.info(f"Nothing was trained here: there is no {corpus_path} to look for in the wheel")
    with tempfile.TemporaryDirectory() as folder:
        msg.text("Installing it in a new virtual environment ...")
        env = Environment(Path(folder).resolve(), wheel_path, offline)
        failures += env.run_command_line()
        result, failed = env.run_python()
        failures += failed
        if not failed:
            failures += env.load_saved(result["labelled"])
        failures += [f"Network access: {line}" for line in env.get_network_log()]
        if not offline:
            failures += find_missing(wheel_path, PYTHONS[-2:])
    if is_embedded(wheel_path):
        if mb > MAX_MB:
            failures.append(f"The wheel has {mb} MB, at most {MAX_MB} are allowed")
        if result.get("load_seconds", 0) > MAX_SECONDS:
            failures.append(f"Loads in {result['load_seconds']} s, not in {MAX_SECONDS}")
    metrics = {"wheel": wheel_path.name, "mb": mb, "offline": offline, "failures": failures}
    for key in ("load_seconds", "pipes", "labels", "threshold"):
        metrics[key] = result.get(key)
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    metrics_path.write_text(json.dumps(metrics, indent=2) + "\n", encoding="utf8")
    for failure in failures:
        msg.fail(failure)
    if failures:
        raise typer.Exit(1)
    msg.good("Nothing in it of this machine, the training messages or the key")
    msg.good("Never touches the network")
    msg.good(f"Loads in {result['load_seconds']} s", ", ".join(result["pipes"]))
    msg.text(EXAMPLE)
    msg.text(result["deidentified"])


def get_wheel(path: Path) -> Path:
    """Find the wheel."""
    if path.is_file():
        return path
    wheels = sorted(path.glob("*/dist/*.whl"), key=lambda wheel: wheel.stat().st_mtime)
    if not wheels:
        msg.fail(f"No wheel in {path}", "Make one: spacy project run package", exits=1)
    return wheels[-1]


def find_leaks(wheel_path: Path) -> Iterator[str]:
    """Look for paths of this machine and for the keys."""
    places = {str(ROOT), str(Path.home()), tempfile.gettempdir(), "/home/", "/Users/", "/tmp/"}
    secrets = {place.encode(): place for place in places if len(place) > 1}
    for key in (KEY_VARIABLE, VAULT_KEY_VARIABLE):
        if os.environ.get(key):
            secrets[os.environ[key].encode()] = f"the value of {key}"
    with zipfile.ZipFile(wheel_path) as wheel:
        for name in wheel.namelist():
            data = wheel.read(name)
            yield from (
                f"{what} is in {name}" for secret, what in secrets.items() if secret in data
            )


def find_corpus_words(wheel_path: Path, corpus_path: Path) -> Iterator[str]:
    """Look for words of the training messages in the vocabulary."""
    words: set[str] = set()
    for row in srsly.read_jsonl(corpus_path):
        words.update(re.findall(r"[^\W\d_]{5,}", row["text"]))
    blank = spacy.blank("sv")
    known = set(blank.vocab.strings)
    with zipfile.ZipFile(wheel_path) as wheel:
        for name in wheel.namelist():
            if name.endswith("gazetteer_matcher/entries.msgpack"):
                entries = srsly.msgpack_loads(wheel.read(name))["entries"]
                known.update(word for entry in entries for word in entry.split())
        for name in wheel.namelist():
            if name.endswith("strings.json"):
                found = words.intersection(json.loads(wheel.read(name)))
                left = [word for word in found if word not in known and word.lower() not in known]
                if left:
                    yield f"{len(left)} words of the training messages are in {name}"


def is_embedded(wheel_path: Path) -> bool:
    """RETURNS (bool): Whether the wheel holds an encoder of the shape of the project's own."""
    with zipfile.ZipFile(wheel_path) as wheel:
        name = next(name for name in wheel.namelist() if name.endswith("transformer/config.json"))
        shape = [json.loads(wheel.read(name))[key] for key in SHAPE]
    own = (json.loads(path.read_text(encoding="utf8")) for path in ENCODERS.glob("*/config.json"))
    return any(shape == [config[key] for key in SHAPE] for config in own)


def find_needed(wheel_path: Path) -> list[str]:
    """Find what of the packages that are installed here a wheel requires, and what that requires."""
    bill = json.loads(make_bill(wheel_path))
    return [part["name"] for part in [bill["metadata"]["component"], *bill["components"]]]


def find_hidden(needed: Collection[str]) -> list[str]:
    """Find the modules that are installed here and of no such package."""
    return sorted(
        module
        for module, packages in packages_distributions().items()
        if not any(canonicalize_name(package) in needed for package in packages)
    )


def find_missing(wheel_path: Path, versions: Iterable[str]) -> Iterator[str]:
    """Look whether all that the wheel requires is there for other Pythons. Nothing is installed."""
    for version in versions:
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet"]
        command += ["--disable-pip-version-check", "--ignore-installed", "--only-binary=:all:"]
        with tempfile.TemporaryDirectory() as target:
            command += ["--target", target, "--python-version", version, str(wheel_path)]
            done = subprocess.run(command, capture_output=True, encoding="utf8", check=False)
        if done.returncode != 0:
            yield f"It cannot be installed on Python {version}: {done.stderr}"


class Environment:
    """A virtual environment with nothing but the wheel and its requirements: no extras."""

    def __init__(self, path: Path, wheel_path: Path, offline: bool) -> None:
        """Make the environment."""
        self.path = path
        self.log_path = path / "network.log"
        self.vault_key = Vault.new_key()
        venv_path = path / "venv"
        builder = venv.EnvBuilder(with_pip=not offline)
        builder.create(venv_path)
        self.python = builder.ensure_directories(venv_path).env_exe
        paths = sysconfig.get_paths(vars={"base": str(venv_path), "platbase": str(venv_path)})
        site_path = Path(paths["purelib"])
        options = ["--quiet", "--disable-pip-version-check", "--no-warn-script-location"]
        # Python compiles what is imported; pip would compile all of PyTorch.
        options.append("--no-compile")
        if offline:
            here = dict.fromkeys(sysconfig.get_path(key) for key in ("purelib", "platlib"))
            (site_path / "requirements.pth").write_text("\n".join(here) + "\n", encoding="utf8")
            options += ["--no-index", "--no-deps", "--ignore-installed"]
        self._run(["-m", "pip", "install", *options, str(wheel_path.resolve())], check=True)
        modules = {"no_network": NO_NETWORK}
        if offline:
            needed = find_needed(wheel_path)
            modules["only_needed"] = ONLY_NEEDED.format(needed=needed, hidden=find_hidden(needed))
        for name, code in modules.items():
            (site_path / f"{name}.py").write_text(code, encoding="utf8")
            (site_path / f"{name}.pth").write_text(f"import {name}\n", encoding="utf8")

    def _run(
        self, args: list[str], check: bool = False, stdin: str = "", program: Path | None = None
    ) -> subprocess.CompletedProcess:
        hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "HF_HUB_OFFLINE", "HF_HOME")
        env = {key: value for key, value in os.environ.items() if key not in hidden}
        # A home without caches: what must be fetched would be fetched now.
        own = {
            "NETWORK_LOG": str(self.log_path),
            "HF_HOME": str(self.path / "hf"),
            "PYTHONUTF8": "1",
            VAULT_KEY_VARIABLE: self.vault_key,
        }
        return subprocess.run(
            [str(program or self.python), *args],
            cwd=self.path,
            env={**env, **own},
            input=stdin,
            capture_output=True,
            check=check,
            encoding="utf8",
        )

    def run_command_line(self) -> Iterator[str]:
        """Run `python -m sv_deid_chat` from file to file, and as a filter."""
        rows = [{"id": 1, "text": EXAMPLE, "more": [1.5, None]}, {"text": "", "id": 2}]
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        in_path, out_path = self.path / "in.jsonl", self.path / "out.jsonl"
        in_path.write_text("\n".join([lines[0], '{"text": 1}', lines[1]]) + "\n", encoding="utf8")
        done = self._run(["-m", "sv_deid_chat", in_path.name, out_path.name])
        rejects_path = self.path / "out.jsonl.rejects.jsonl"
        if done.returncode != 1 or not rejects_path.exists():
            yield f"`python -m sv_deid_chat IN OUT` exits with {done.returncode}: {done.stderr}"
            return
        rejects = list(srsly.read_jsonl(rejects_path))
        if [reject["line"] for reject in rejects] != [2]:
            yield "`python -m sv_deid_chat IN OUT` rejects other lines than the wrong one"
        yield from _check_rows(rows, list(srsly.read_jsonl(out_path)))
        yield from self._restore(in_path)
        done = self._run(["-m", "sv_deid_chat", "explain", EXAMPLE])
        if done.returncode != 0 or EXAMPLE not in done.stdout or "rules:" not in done.stdout:
            yield f"`python -m sv_deid_chat explain` exits with {done.returncode}: {done.stderr}"
        yield from self._evaluate()
        done = self._run(["-m", "sv_deid_chat", "scan", str(in_path)])
        if done.returncode != 1 or "PID" not in done.stdout:
            yield f"`python -m sv_deid_chat scan` exits with {done.returncode}: {done.stderr}"
        done = self._run(["-m", "sv_deid_chat", "-", "-"], stdin="\n".join(lines))
        if done.returncode != 0:
            yield f"`python -m sv_deid_chat - -` exits with {done.returncode}: {done.stderr}"
            return
        yield from _check_rows(rows, [json.loads(line) for line in done.stdout.splitlines()])

    def _evaluate(self) -> Iterator[str]:
        spans = [
            {"start": EXAMPLE.index(text), "end": EXAMPLE.index(text) + len(text), "label": label}
            for text, label in FOUND.items()
        ]
        gold_path, figures_path = self.path / "gold.jsonl", self.path / "figures.json"
        srsly.write_jsonl(gold_path, [{"text": EXAMPLE, "spans": spans}])
        args = [gold_path.name, "--output", figures_path.name]
        done = self._run(["-m", "sv_deid_chat", "evaluate", *args])
        if done.returncode != 0 or EXAMPLE in done.stdout:
            yield f"`python -m sv_deid_chat evaluate` exits with {done.returncode}: {done.stderr}"
        elif srsly.read_json(figures_path)["gold"]["redact"] != 1:
            yield "`python -m sv_deid_chat evaluate` does not find what the pipeline finds"
        done = self._run(["-m", "sv_deid_chat", "gate", gold_path.name, "--min-redact", "1"])
        if done.returncode != 0:
            yield f"`python -m sv_deid_chat gate` exits with {done.returncode}: {done.stderr}"

    def _restore(self, in_path: Path) -> Iterator[str]:
        files = {name: self.path / f"{name}.jsonl" for name in ("sealed", "vault", "restored")}
        args = [str(in_path), str(files["sealed"]), "--vault", str(files["vault"])]
        script = Path(str(self.python)).with_name("sv-deid-chat")
        done = self._run(["run", *args], program=script)
        if done.returncode != 1:
            yield f"`sv-deid-chat run IN OUT` exits with {done.returncode}: {done.stderr}"
        done = self._run(["-m", "sv_deid_chat", "restore", *map(str, files.values())])
        if done.returncode != 0:
            yield f"`python -m sv_deid_chat restore` exits with {done.returncode}: {done.stderr}"
        elif [row["text"] for row in srsly.read_jsonl(files["restored"])] != [EXAMPLE, ""]:
            yield "`python -m sv_deid_chat restore` does not give the original texts back"

    def run_python(self) -> tuple[dict[str, Any], list[str]]:
        """Load the pipeline and process the example."""
        optional = sorted({module for modules in EXTRAS.values() for module in modules})
        arguments = [json.dumps(item) for item in (EXAMPLE, CONVERSATION, optional)]
        done = self._run(["-c", USE, *arguments])
        if done.returncode != 0:
            return {}, [f"Loading and running it fails: {done.stderr}"]
        result = json.loads(done.stdout)
        return result, list(_check_result(result))

    def load_saved(self, labelled: str) -> Iterator[str]:
        """Load in a new process the pipeline that `run_python` saved."""
        done = self._run(["-c", LOAD, "saved", EXAMPLE])
        if done.returncode != 0:
            yield f"`spacy.load` of a saved pipeline fails: {done.stderr}"
        elif done.stdout.rstrip("\n") != labelled:
            yield "A saved pipeline gives another result"

    def get_network_log(self) -> list[str]:
        """RETURNS (list[str]): What was tried to reach."""
        if not self.log_path.exists():
            return []
        return self.log_path.read_text(encoding="utf8").splitlines()


def _check_rows(rows: list[dict[str, Any]], got: list[dict[str, Any]]) -> Iterator[str]:
    if [{**row, "text": ""} for row in rows] != [{**row, "text": ""} for row in got]:
        yield "`python -m sv_deid_chat` changes the order of rows or other fields"
    left = [thing for thing in FOUND if any(thing in row["text"] for row in got)]
    if left:
        yield f"`python -m sv_deid_chat` leaves {left}"


def _check_result(result: dict[str, Any]) -> Iterator[str]:
    pipes = ["known_matcher", "entity_ruler", "gazetteer_matcher", "evidence_reader", "transformer"]
    pipes += ["phi_ner", "span_merger", "surrogate_generator"]
    if [pipe for pipe in result["pipes"] if pipe in pipes] != pipes:
        yield f"The pipes are {result['pipes']}"
    if not {"known", "rules", "gazetteer", "phi"} <= set(result["groups"]):
        yield f"The span groups are {result['groups']}"
    if not result["labels"]:
        yield "phi_ner has no labels"
    if ".whl[frames]" not in result["extra"]:
        yield "Without an extra, it is not told which one is missing"
    if result["warnings"]:
        yield f"Warnings: {result['warnings']}"
    for text, label in FOUND.items():
        sources = [
            source
            for ent, ent_label, source, score in result["ents"]
            if text in ent and ent_label == label and score > 0
        ]
        if not any("rules" in source for source in sources):
            yield f"{text!r} is not found as {label}"
        if text in result["deidentified"]:
            yield f"{text!r} is left in the de-identified text"
    if any(PARTICIPANT.search(text) for text in result["conversation"]):
        yield "A known participant is left in a conversation"
    text, end, out_end = "", 0, 0
    for item in result["replacements"]:
        text += EXAMPLE[end : item["start"]] + item["replacement"]
        end, out_end = item["end"], item["out_end"]
        if result["deidentified"][item["out_start"] : out_end] != item["replacement"]:
            yield f"The offsets of the replacement at {item['start']} are wrong"
    if text + EXAMPLE[end:] != result["deidentified"]:
        yield "The replacements do not make up the de-identified text"


if __name__ == "__main__":
    typer.run(prove_wheel)
