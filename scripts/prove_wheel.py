"""Prove a wheel: build it again, install it in a new virtual environment outside the project, run it there
from Python and from the command line without a network, and look for what must not be in it. Where torch
is installed here, a second environment has it, too, and must give the same.
"""

import itertools
import json
import os
import re
import secrets
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path
from typing import Annotated, Any

import spacy
import srsly
import typer
from packaging.utils import canonicalize_name
from thinc.compat import has_torch
from wasabi import msg

import components  # noqa: F401
from components.model.backend import FULL, NUMPY, TORCH
from components.shared.extras import EXTRAS
from components.surrogates.surrogate_generator import KEY_VARIABLE
from components.vault import VAULT_KEY_VARIABLE, Vault
from scripts.package_pipeline import PROBE, PYTHONS, build_wheel
from training_tools.markdown import fill_block, get_state
from training_tools.sbom import make_bill

ROOT = Path(__file__).resolve().parent.parent
ENCODERS = ROOT / "assets/encoder"
# Of a training here, if there was one.
CORPUS = Path("corpus/train.jsonl")
SHAPE = ("vocab_size", "hidden_size", "num_hidden_layers")
# Of a wheel with the encoder of the project: its size, that of an environment with it, and the seconds
# that import and loading take.
LIMITS = {"mb": 60, "environment_mb": 650, "seconds": 5}
# So many processes have a pipeline in memory at once.
AT_ONCE = 2

EXAMPLE = (
    "Hej! Jag heter Anna Lindgren, 900101-2385, och undrar över mitt provsvar. Ring mig på "
    "070-174 06 05 eller skriv till anna.lindgren@example.com. MVH Anna"
)
ROWS: list[dict[str, Any]] = [
    {"id": 1, "text": EXAMPLE, "more": [1.5, None]},
    {"text": "", "id": 2},
]
CONVERSATION = ["lindgren här igen", EXAMPLE, "hälsa annas mamma"]
PARTICIPANT = re.compile(r"\b(?:anna|lindgren)s?\b", re.IGNORECASE)
MODULE = ("-m", "sv_deid_chat")
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

USE = """
import importlib.util
import json
import sys
import time
import warnings

start = time.perf_counter()
import spacy
import sv_deid_chat

imported = time.perf_counter()
asked = json.loads(sys.argv[1])
assert importlib.util.find_spec("components") is None, "the project's components can be seen"
there = [name for name in asked["optional"] if importlib.util.find_spec(name) is not None]
assert not there, f"the environment has {there}"
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    before = time.perf_counter()
    nlp = spacy.load("sv_deid_chat")
    loaded = time.perf_counter()
    for name, value in asked["settings"].items():
        setattr(nlp.get_pipe("transformer"), name, value)
    docs = [nlp(text) for text in asked["messages"]]
    docs += sv_deid_chat.deidentify_conversation(
        nlp, asked["conversation"], conversation_id="1", known={"name": "Anna Lindgren"}
    )
try:
    sv_deid_chat.deidentify_frame(None)
except sv_deid_chat.components.shared.extras.ExtraError as error:
    extra = str(error)
result = {
    "extra": extra,
    "import_seconds": round(imported - start, 2),
    "load_seconds": round(loaded - before, 2),
    "backend": sv_deid_chat.components.model.chat_encoder.describe_backend(nlp),
    "pipes": nlp.pipe_names,
    "labels": nlp.get_pipe("phi_ner").labels,
    "threshold": nlp.get_pipe("phi_ner").threshold,
    "groups": sorted(docs[0].spans),
    "scored": all(ent._.score > 0 for ent in docs[0].ents),
    "found": [
        [[ent.start_char, ent.end_char, ent.label_, ent._.source] for ent in doc.ents]
        for doc in docs
    ],
    "deidentified": [doc._.deidentified for doc in docs],
    "replacements": docs[0]._.replacements,
    "warnings": [str(w.message) for w in caught if issubclass(w.category, UserWarning)],
}
nlp.get_pipe("surrogate_generator").strategy = "label"
nlp.to_disk("saved")
result["labelled"] = nlp(asked["messages"][0])._.deidentified
print(json.dumps(result, default=dict))
"""
# What is the same whatever computes.
SAME = ("found", "deidentified")


# What is saved anywhere, and a pipe alone, with no import but spaCy's.
LOAD = """
import sys
import spacy

nlp = spacy.load(sys.argv[1])
spacy.blank("sv").add_pipe("phi_entity_ruler")
print(nlp(sys.argv[2])._.deidentified)
"""


class Wrong(Exception):
    """A command of the wheel does not do what it should."""


def prove_wheel(
    packages_path: Path = typer.Argument(..., help="Folder of packages, or a wheel", exists=True),
    metrics_path: Path = typer.Option(Path("metrics/wheel.json"), help="Where the results go"),
    corpus_path: Path = typer.Option(
        CORPUS, "--corpus", help="The training messages, JSONL: none of their words may be in it"
    ),
    offline: bool = typer.Option(
        False, help="Take the requirements from this environment, not from the package index"
    ),
    page_path: Annotated[
        Path | None,
        typer.Option("--page", help="Page whose block `wheel` takes the digest", exists=True),
    ] = None,
) -> None:
    wheel_path = get_wheel(packages_path)
    mb = round(wheel_path.stat().st_size / 1e6, 1)
    digest = sha256(wheel_path.read_bytes()).hexdigest()
    msg.info(f"{wheel_path.name}, {mb} MB")
    msg.text(f"SHA-256 {digest}")
    failures = [*find_leaks(wheel_path)]
    if corpus_path.exists():
        failures += find_corpus_words(wheel_path, corpus_path)
    else:
        msg.info(f"Nothing was trained here: there is no {corpus_path} to look for in the wheel")
    keys = {VAULT_KEY_VARIABLE: Vault.new_key(), KEY_VARIABLE: secrets.token_hex()}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        msg.text("Installing it in a new virtual environment ...")
        env = Environment(Path(folder).resolve() / "plain", wheel_path, keys, offline)
        # Alone, for its times.
        result, failed = env.run_python()
        failures += failed
        msg.text("Running it there, and building it again ...")
        checks = [env.run_command_line(), env.evaluate(), env.run_filter(), env.explain_and_scan()]
        # A wheel that does not lie in the folder of its package cannot be built again.
        if wheel_path.resolve().parent.with_name("pyproject.toml").exists():
            checks.append(find_differences(wheel_path))
        if not failed:
            checks.append(env.load_saved(result["labelled"]))
            if has_torch and TORCH not in env.needed:
                path = Path(folder).resolve() / TORCH
                checks.insert(0, prove_backend(path, wheel_path, keys, result))
        if not offline:
            others = [v for v in PYTHONS if v != sysconfig.get_python_version()]
            checks += [find_missing(wheel_path, version) for version in others]
        failures += itertools.chain.from_iterable(pool.map(gather, checks))
        failures += env.find_network_access()
    metrics: dict[str, Any] = {"wheel": wheel_path.name, "sha256": digest, "mb": mb}
    metrics |= {"offline": offline, "environment_mb": env.mb, "install_seconds": env.seconds}
    for key in ("import_seconds", "load_seconds", "backend", "pipes", "labels", "threshold"):
        metrics[key] = result.get(key)
    metrics["seconds"] = round(
        sum(metrics[f"{part}_seconds"] or 0 for part in ("import", "load")), 2
    )
    if is_embedded(wheel_path):
        failures += find_excess(metrics)
    metrics["failures"] = failures
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    metrics_path.write_text(json.dumps(metrics, indent=2) + "\n", encoding="utf8")
    for failure in failures:
        msg.fail(failure)
    if failures:
        raise typer.Exit(1)
    if page_path is not None:
        line = f"SHA-256 of `{wheel_path.name}`: `{digest}`, {get_state()}."
        fill_block(page_path, "wheel", line)
    msg.good("Nothing in it of this machine, the training messages or the key; no network access")
    if not offline:
        msg.good(f"Its environment has {env.mb} MB, installed in {env.seconds} s")
    msg.good(f"Import and loading take {metrics['seconds']} s", ", ".join(result["pipes"]))
    if TORCH not in env.needed:
        told = "Torch gives the same" if has_torch else "Torch is not installed here: not compared"
        msg.info(f"{told}: {result['backend']} computes without the extra")
    msg.text(EXAMPLE)
    msg.text(result["deidentified"][0])


def get_wheel(path: Path) -> Path:
    if path.is_file():
        return path
    wheels = sorted(path.glob("*/dist/*.whl"), key=lambda wheel: wheel.stat().st_mtime)
    if not wheels:
        msg.fail(f"No wheel in {path}", "Make one: spacy project run package", exits=1)
    return wheels[-1]


def find_excess(metrics: Mapping[str, Any]) -> Iterator[str]:
    """Find what is too large or too slow for a wheel with the encoder of the project."""
    for name, most in LIMITS.items():
        # Offline there is no environment of its own.
        if (metrics[name] or 0) > most:
            yield f"{name} is {metrics[name]}, not {most} at most"


def find_differences(wheel_path: Path) -> Iterator[str]:
    """Build a wheel again, from the folder of its package, and compare."""
    with tempfile.TemporaryDirectory() as folder:
        again = build_wheel(wheel_path.resolve().parents[1], Path(folder))
        if again.read_bytes() != wheel_path.read_bytes():
            yield "Built again from the folder of the package, the wheel has other bytes"


def prove_backend(
    path: Path, wheel_path: Path, keys: Mapping[str, str], result: Mapping[str, Any]
) -> Iterator[str]:
    """Run a wheel in an environment that has torch, as this one has it, and compare with the result of one
    without. Torch computes in full precision there, as numpy does.
    """
    env = Environment(path, wheel_path, keys, offline=True, extras=[TORCH])
    other, failures = env.run_python({"backend": TORCH, "precision": FULL})
    failures += env.find_network_access()
    if other and not (result["backend"].startswith(NUMPY) and other["backend"].startswith(TORCH)):
        failures.append(f"{result['backend']} and {other['backend']} compute the encoder")
    failures += [f"{key!r} is another" for key in SAME if other and other[key] != result[key]]
    yield from (f"With torch: {failure}" for failure in failures)


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
    """Tell whether the wheel holds an encoder of the shape of the project's own."""
    with zipfile.ZipFile(wheel_path) as wheel:
        name = next(name for name in wheel.namelist() if name.endswith("transformer/config.json"))
        shape = [json.loads(wheel.read(name))[key] for key in SHAPE]
    own = (json.loads(path.read_text(encoding="utf8")) for path in ENCODERS.glob("*/config.json"))
    return any(shape == [config[key] for key in SHAPE] for config in own)


def find_needed(wheel_path: Path, extras: Sequence[str] = ()) -> list[str]:
    """Find the wheel itself, and what of the packages that are installed here it requires."""
    bill = json.loads(make_bill(wheel_path, extras=extras))
    parts = [bill["metadata"]["component"], *bill["components"]]
    return [part["name"] for part in parts if "purl" in part]


def link(packages: Iterable[str], site_path: Path) -> None:
    """Let another environment see packages of this one."""
    for found in map(distribution, packages):
        for name in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            if not (site_path / name).exists():
                (site_path / name).symlink_to(Path(str(found.locate_file(name))))


def find_missing(wheel_path: Path, version: str) -> Iterator[str]:
    """Look whether all that the wheel requires is there for another Python. Nothing is installed."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet"]
    command += ["--disable-pip-version-check", "--ignore-installed", "--only-binary=:all:"]
    with tempfile.TemporaryDirectory() as target:
        command += ["--target", target, "--python-version", version, str(wheel_path)]
        done = subprocess.run(command, capture_output=True, encoding="utf8", check=False)
    if done.returncode != 0:
        yield f"It cannot be installed on Python {version}: {done.stderr}"


def gather(check: Iterable[str]) -> list[str]:
    """Make a check until its end, or until a command fails."""
    found: list[str] = []
    try:
        found.extend(check)
    except Wrong as error:
        found.append(str(error))
    return found


class Environment:
    """A virtual environment with nothing but the wheel and its requirements."""

    def __init__(
        self,
        path: Path,
        wheel_path: Path,
        keys: Mapping[str, str],
        offline: bool,
        extras: Sequence[str] = (),
    ) -> None:
        """Make the environment in a folder. Offline it sees what the wheel and some of its extras
        require in this environment, and needs no index. Programs find the keys in their variables.
        """
        self.path = path
        self.log_path = path / "network.log"
        self.keys = keys
        self.needed = find_needed(wheel_path, extras)
        path.mkdir()
        venv_path = path / "venv"
        builder = venv.EnvBuilder(with_pip=not offline)
        builder.create(venv_path)
        self.python = Path(builder.ensure_directories(venv_path).env_exe)
        paths = sysconfig.get_paths(vars={"base": str(venv_path), "platbase": str(venv_path)})
        site_path = Path(paths["purelib"])
        options = ["--quiet", "--disable-pip-version-check", "--no-warn-script-location"]
        if offline:
            link(self.needed[1:], site_path)
            options += ["--no-index", "--no-deps"]
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "install", *options]
        start = time.perf_counter()
        self._run(*pip, wheel_path.resolve(), check=True)
        # What is not all there has no size.
        self.seconds = None if offline else round(time.perf_counter() - start)
        self.mb = None if offline else get_mb(venv_path)
        (site_path / "no_network.py").write_text(NO_NETWORK, encoding="utf8")
        (site_path / "no_network.pth").write_text("import no_network\n", encoding="utf8")

    def _run(
        self, *command: str | Path, check: bool = False, stdin: str = ""
    ) -> subprocess.CompletedProcess:
        hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "HF_HUB_OFFLINE", "HF_HOME")
        env = {key: value for key, value in os.environ.items() if key not in hidden}
        # A home without caches: what must be fetched would be fetched now.
        env |= {"NETWORK_LOG": str(self.log_path), "HF_HOME": str(self.path / "hf")}
        return subprocess.run(
            [*map(str, command)],
            cwd=self.path,
            env={**env, "PYTHONUTF8": "1", **self.keys},
            input=stdin,
            capture_output=True,
            check=check,
            encoding="utf8",
        )

    def _call(self, *args: str, stdin: str = "", script: bool = False, status: int = 0) -> str:
        """Run a command of the package, by its script or as a module, and give what it prints."""
        program = [self.python.with_name("sv-deid-chat")] if script else [self.python, *MODULE]
        done = self._run(*program, *args, stdin=stdin)
        if done.returncode != status:
            raise Wrong(f"sv-deid-chat {args[0]} exits with {done.returncode}: {done.stderr}")
        return done.stdout

    def run_command_line(self) -> Iterator[str]:
        """Run the script `sv-deid-chat` from file to file, and restore what it replaced."""
        lines = [json.dumps(row, ensure_ascii=False) for row in ROWS]
        text = "\n".join([lines[0], '{"text": 1}', lines[1]]) + "\n"
        (self.path / "in.jsonl").write_text(text, encoding="utf8")
        files = ("out.jsonl", "vault.jsonl")
        self._call("run", "in.jsonl", files[0], "--vault", files[1], script=True, status=1)
        rejects = srsly.read_jsonl(self.path / "out.jsonl.rejects.jsonl")
        if [reject["line"] for reject in rejects] != [2]:
            yield "`sv-deid-chat run IN OUT` rejects other lines than the wrong one"
        sealed = srsly.read_jsonl(self.path / "out.jsonl")
        # A token for the vault is added.
        yield from _check_rows([{key: row[key] for key in own} for own, row in zip(ROWS, sealed)])
        self._call("restore", *files, "restored.jsonl")
        if list(srsly.read_jsonl(self.path / "restored.jsonl")) != ROWS:
            yield "`sv-deid-chat restore` does not give the original rows back"

    def run_filter(self) -> Iterator[str]:
        """Run `python -m sv_deid_chat` as a filter."""
        lines = [json.dumps(row, ensure_ascii=False) for row in ROWS]
        done = self._call("-", "-", stdin="\n".join(lines))
        yield from _check_rows([*map(json.loads, done.splitlines())])

    def explain_and_scan(self) -> Iterator[str]:
        """Explain the example, and count what is found in the rows."""
        shown = self._call("explain", EXAMPLE)
        if EXAMPLE not in shown or "rules:" not in shown:
            yield "`sv-deid-chat explain` does not say what was found"
        srsly.write_jsonl(self.path / "scanned.jsonl", ROWS)
        if "PID" not in self._call("scan", "scanned.jsonl"):
            yield "`sv-deid-chat scan` does not count what is found"

    def evaluate(self) -> Iterator[str]:
        """Measure, and keep limits, on annotated messages."""
        spans = [
            {"start": EXAMPLE.index(text), "end": EXAMPLE.index(text) + len(text), "label": label}
            for text, label in FOUND.items()
        ]
        srsly.write_jsonl(self.path / "gold.jsonl", [{"text": EXAMPLE, "spans": spans}])
        if EXAMPLE in self._call("evaluate", "gold.jsonl", "--output", "figures.json"):
            yield "`sv-deid-chat evaluate` shows a message"
        if srsly.read_json(self.path / "figures.json")["gold"]["redact"] != 1:
            yield "`sv-deid-chat evaluate` does not find what the pipeline finds"
        self._call("gate", "gold.jsonl", "--min-redact", "1")

    def run_python(
        self, settings: Mapping[str, str] | None = None
    ) -> tuple[dict[str, Any], list[str]]:
        """Load the pipeline, with some settings of the encoder, and process the examples. Gives the
        result and what is wrong with it.
        """
        optional = {module for modules in EXTRAS.values() for module in modules}
        asked = {
            "optional": sorted(m for m in optional if canonicalize_name(m) not in self.needed),
            "settings": settings or {},
            "messages": [EXAMPLE, PROBE],
            "conversation": CONVERSATION,
        }
        done = self._run(self.python, "-c", USE, json.dumps(asked))
        if done.returncode != 0:
            return {}, [f"Loading and running it fails: {done.stderr}"]
        result = json.loads(done.stdout)
        return result, list(_check_result(result))

    def load_saved(self, labelled: str) -> Iterator[str]:
        """Load in a new process the pipeline that `run_python` saved."""
        done = self._run(self.python, "-c", LOAD, "saved", EXAMPLE)
        if done.returncode != 0:
            yield f"`spacy.load` of a saved pipeline fails: {done.stderr}"
        elif done.stdout.rstrip("\n") != labelled:
            yield "A saved pipeline gives another result"

    def find_network_access(self) -> list[str]:
        log = self.log_path.read_text(encoding="utf8") if self.log_path.exists() else ""
        return [f"Network access: {line}" for line in log.splitlines()]


def get_mb(path: Path) -> int:
    files = [file for file in path.rglob("*") if not file.is_symlink() and file.is_file()]
    return round(sum(file.stat().st_size for file in files) / 1e6)


def _check_rows(got: list[dict[str, Any]]) -> Iterator[str]:
    if [{**row, "text": ""} for row in ROWS] != [{**row, "text": ""} for row in got]:
        yield "The command line changes the order of rows or other fields"
    left = [thing for thing in FOUND if any(thing in row["text"] for row in got)]
    if left:
        yield f"The command line leaves {left}"


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
    if not result["scored"]:
        yield "An entity has no score"
    deidentified, ents = result["deidentified"][0], result["found"][0]
    for text, label in FOUND.items():
        if not any(
            text in EXAMPLE[start:end] and found == label and "rules" in source
            for start, end, found, source in ents
        ):
            yield f"{text!r} is not found as {label}"
        if text in deidentified:
            yield f"{text!r} is left in the de-identified text"
    if any(PARTICIPANT.search(text) for text in result["deidentified"][-len(CONVERSATION) :]):
        yield "A known participant is left in a conversation"
    text, end, out_end = "", 0, 0
    for item in result["replacements"]:
        text += EXAMPLE[end : item["start"]] + item["replacement"]
        end, out_end = item["end"], item["out_end"]
        if deidentified[item["out_start"] : out_end] != item["replacement"]:
            yield f"The offsets of the replacement at {item['start']} are wrong"
    if text + EXAMPLE[end:] != deidentified:
        yield "The replacements do not make up the de-identified text"


if __name__ == "__main__":
    typer.run(prove_wheel)
