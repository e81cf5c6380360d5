"""From a trained pipeline to a wheel, installed in a new environment."""

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from importlib.metadata import packages_distributions, requires, version
from pathlib import Path

import pytest
import spacy
import srsly
import typer
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.testing import CliRunner
from weasel.util import get_checksum

import components
from components.cli.app import make_app
from components.shared.extras import EXTRAS
from scripts import prove_wheel as prove
from scripts.package_pipeline import (
    CERTIFICATE,
    build_wheel,
    drop_hub_parts,
    get_extras,
    keep_certificate,
    load_clean,
    package_pipeline,
    read_certificate,
    read_requirements,
    write_card,
    write_help,
)
from scripts.prove_wheel import (
    LIMITS,
    find_corpus_words,
    find_differences,
    find_excess,
    find_leaks,
    find_missing,
    find_needed,
    prove_wheel,
)
from tests.cases import cases
from tests.conftest import CANARY, EXAMPLES, ROOT
from training_tools.sbom import make_bill, read_card_licence

KEY = "a-key-that-nobody-must-see"


@pytest.fixture(scope="module")
def metrics_path(tiny_path, tmp_path_factory):
    """Figures of the tiny pipeline, and of another."""
    path = tmp_path_factory.mktemp("metrics")
    figures = {
        "messages": 7, "spans": 9, "redact": 0.123, "full": None, "clean": 0.456,
        "strict": {"p": 0.5, "r": 0.25, "f": 0.333},
        "per_class": {"AGE": {"p": 0.751, "r": 0.5, "f": 0.667, "redact": 0.789}},
        "file": "/home/me/test.jsonl", "state": "measured 2026-01-02 at commit abc",
    }  # fmt: skip
    own, other = {"pipeline": get_checksum(tiny_path)}, {"pipeline": "another", "redact": 0.987}
    srsly.write_json(path / "evaluation.json", {"merged": {**figures, **own}})
    srsly.write_json(path / "untouched.json", {"merged": {**figures, **other}})
    srsly.write_json(path / "threshold.json", {"best": 1})
    srsly.write_json(path / "rules.json", [1])
    return path


@pytest.fixture(scope="module")
def packages_path(tiny_path, metrics_path, tmp_path_factory):
    path = tmp_path_factory.mktemp("packages")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", KEY)
        url = "https://a.example"
        package_pipeline(tiny_path, path, "deid_chat", "0.1.0", metrics_path, url=url)
    return path


@pytest.fixture(scope="module")
def wheel_path(packages_path):
    return packages_path / "sv_deid_chat-0.1.0" / "dist" / "sv_deid_chat-0.1.0-py3-none-any.whl"


@pytest.fixture(scope="module")
def metadata(wheel_path):
    """The METADATA of the wheel: its head, its card."""
    with zipfile.ZipFile(wheel_path) as wheel:
        text = wheel.read("sv_deid_chat-0.1.0.dist-info/METADATA").decode("utf8")
    head, _, card = text.partition("\n\n")
    return head.splitlines(), card


@pytest.fixture(scope="module")
def installed_path(wheel_path, tmp_path_factory):
    """The files of the wheel."""
    path = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel_path) as wheel:
        wheel.extractall(path)
    return path


def run_python(folder, *arguments, **environment):
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env={**os.environ, **environment},
        capture_output=True, encoding="utf8", timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def corpus_path(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "train.jsonl"
    rows = [json.dumps({"text": text, "spans": []}) for text, _ in EXAMPLES]
    path.write_text("\n".join(rows) + "\n", encoding="utf8")
    return path


def test_wheel_works_in_a_new_environment(packages_path, corpus_path, tmp_path):
    metrics_path = tmp_path / "wheel.json"
    prove_wheel(packages_path, metrics_path, corpus_path, offline=True)
    metrics = json.loads(metrics_path.read_text(encoding="utf8"))
    assert metrics["failures"] == []
    assert metrics["load_seconds"] > 0 and metrics["import_seconds"] > 0
    assert metrics["backend"].startswith("numpy ")
    wheel = packages_path / "sv_deid_chat-0.1.0" / "dist" / metrics["wheel"]
    assert metrics["sha256"] == sha256(wheel.read_bytes()).hexdigest()


def test_what_torch_gives_is_compared(packages_path, monkeypatch, tmp_path, capsys):
    """A result that is another with torch is told."""
    run_python = prove.Environment.run_python

    def run_and_change(self, settings=None):
        result, failures = run_python(self, settings)
        return (result | {"deidentified": ["another"]} if settings else result), failures

    monkeypatch.setattr(prove.Environment, "run_python", run_and_change)
    for name in ("run_command_line", "run_filter", "explain_and_scan", "evaluate"):
        monkeypatch.setattr(prove.Environment, name, lambda self: iter(()))
    with pytest.raises(typer.Exit):
        prove_wheel(packages_path, tmp_path / "wheel.json", Path("none"), offline=True)
    failures = srsly.read_json(tmp_path / "wheel.json")["failures"]
    assert failures == ["With torch: 'deidentified' is another"]


def test_what_is_too_large_or_slow_is_told():
    assert not list(find_excess({**LIMITS, "environment_mb": None}))
    large = {name: most + 1 for name, most in LIMITS.items()}
    assert [line.partition(" ")[0] for line in find_excess(large)] == [*LIMITS]


def test_wheel_is_the_same_on_another_machine(wheel_path, tmp_path, monkeypatch):
    """Other dates, modes and places of the files, another time zone: the same bytes."""
    package_path = tmp_path / "another"
    shutil.copytree(wheel_path.parents[1], package_path, copy_function=shutil.copyfile)
    for number, path in enumerate(sorted(package_path.rglob("*.*"))):
        os.utime(path, (1e9 + number, 1e9 + number))
        path.chmod(0o755)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    again = build_wheel(package_path, tmp_path)
    assert again.read_bytes() == wheel_path.read_bytes()
    with zipfile.ZipFile(again) as wheel:
        assert not wheel.testzip()
        parts = wheel.infolist()
    assert {(part.date_time[0], part.external_attr >> 16) for part in parts} == {(1980, 0o100644)}


def test_another_wheel_is_told(wheel_path, tmp_path):
    package_path = tmp_path / "another"
    shutil.copytree(wheel_path.parents[1], package_path)
    (package_path / "LICENSE").write_text("Another", encoding="utf8")
    assert len([*find_differences(package_path / "dist" / wheel_path.name)]) == 1


def test_help_does_not_hang_on_the_terminal(packages_path, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    write_help("sv_deid_chat", tmp_path / "help")
    made = packages_path / "sv_deid_chat-0.1.0" / "sv_deid_chat" / "help"
    texts = [
        {p.name: p.read_text("utf8") for p in path.iterdir()} for path in (made, tmp_path / "help")
    ]
    assert texts[0] == texts[1]


def test_wheel_is_complete(wheel_path, metadata):
    with zipfile.ZipFile(wheel_path) as wheel:
        names = set(wheel.namelist())
    # Templates and word lists, too.
    parts = (
        file for file in (ROOT / "components").rglob("*.*") if file.parent.name != "__pycache__"
    )
    files = [file.relative_to(ROOT).as_posix() for file in parts]
    files += [
        "__init__.py",
        "__main__.py",
        "meta.json",
        "sv_deid_chat-0.1.0/config.cfg",
        "pipeline.py",
    ]
    files += ["registered.py", "command_line.py", "arrow.py", "py.typed"]
    assert {f"sv_deid_chat/{file}" for file in files} <= names
    assert {
        f"sv_deid_chat-0.1.0.dist-info/licenses/{file}" for file in ("LICENSE", "NOTICE")
    } <= names
    head, card = metadata
    assert "## Limits and risks" in card
    needs = [line.split(": ")[1] for line in head if line.startswith("Requires-Dist")]
    plain = " ".join(need for need in needs if "extra ==" not in need)
    for name in ("spacy", "tokenizers", "safetensors", "threadpoolctl", "babel", "phonenumbers"):
        assert name in plain
    # Only a training needs them.
    assert "torch" not in plain and "transformers" not in " ".join(head)


def test_wheel_describes_itself(wheel_path, metadata, tiny_path):
    """Card and meta.json are of this pipeline: nothing of a figure that the project has published."""
    head, card = metadata
    with zipfile.ZipFile(wheel_path) as wheel:
        metas = [wheel.read(name) for name in wheel.namelist() if name.endswith("/meta.json")]
    assert card.startswith("# Model card: `sv_deid_chat` 0.1.0\n")
    threshold = spacy.load(tiny_path).get_pipe("phi_ner").threshold
    assert f"Threshold {threshold:g}, chosen on the dev split." in card
    row = "| `test.jsonl` | 7 | 9 | .500 / .250 / .333 | .123 | – | .456 | 2026-01-02 at"
    assert row in card and "| `AGE` | .751 / .500 / .667 | .789 |" in card
    published = (ROOT / "docs" / "model_card.md").read_text("utf8")
    block = published.partition("<!-- figures -->")[2].partition("<!-- /figures -->")[0]
    numbers = set(re.findall(r"\d?\.\d{2,}", block))
    assert len(numbers) > 20 and not numbers & set(re.findall(r"\d?\.\d{2,}", card))
    assert "commit abc" in card and ".987" not in card
    assert len(metas) == 2
    for meta in map(json.loads, metas):
        assert (meta["author"], meta["license"]) == ("The sv_deid_chat authors", "MIT")
        assert (meta["url"], meta["threshold"]) == ("https://a.example", threshold)
        assert meta["performance"]["`test.jsonl`"]["redact"] == 0.123
    assert {"Author: The sv_deid_chat authors", "License-Expression: MIT"} <= set(head)
    assert "https://a.example" in " ".join(head)


def test_card_without_figures():
    template = (ROOT / "docs" / "model_card.md").read_text("utf8")
    card = write_card(template, "sv_mine", "2.0", {"AGE": 0.25, "default": 0.5}, {})
    assert card.startswith("# Model card: `sv_mine` 2.0\n")
    assert "Threshold AGE 0.25, default 0.5, chosen" in card
    assert "Nothing was measured of this pipeline." in card


def test_card_for_a_hub():
    """The card has the header that a hub reads; the README of a wheel has none, and no digest."""
    template = (ROOT / "docs" / "model_card.md").read_text("utf8")
    header = srsly.yaml_loads(template.split("---\n")[1])
    assert (header["language"], header["license"]) == ("sv", "mit")
    assert header["pipeline_tag"] == "token-classification" and "spacy" in header["tags"]
    digest = "SHA-256 of `a.whl`: `0123`, measured.\n"
    card = re.sub("(?<=<!-- wheel -->\n)(?s:.*)(?=<!-- /wheel -->)", digest, template)
    assert digest in card
    dropped = drop_hub_parts(card)
    assert dropped.startswith("# Model card") and digest not in dropped
    assert "<!-- figures -->" in dropped and "<!-- certificate -->" in dropped
    assert drop_hub_parts(dropped) == dropped


def test_certificate_is_of_the_pipeline():
    certificate = "Set `1`, pipeline `0123456789abcdef`, measured\n"
    card = f"A\n<!-- certificate -->\n{certificate}<!-- /certificate -->\nB\n"
    assert keep_certificate(card, "0123456789abcdef0123") == f"A\n{certificate}B\n"
    assert "No certificate" in keep_certificate(card, "f" * 32)
    template = (ROOT / "docs" / "model_card.md").read_text("utf8")
    assert "No certificate" in keep_certificate(template, "f" * 32)
    path = ROOT / CERTIFICATE
    pipeline = json.loads(path.read_text("utf8"))["pipeline"]
    assert read_certificate(path, pipeline)["modes"]["balanced"]["alpha"] < 1
    assert not read_certificate(path, "f" * 32) and not read_certificate(path / "none", pipeline)
    # The page and the file are of the same one.
    assert "No certificate" not in keep_certificate(template, pipeline)


def test_bill_of_materials(wheel_path):
    bill = json.loads(wheel_path.with_suffix(".cdx.json").read_text(encoding="utf8"))
    assert bill["bomFormat"] == "CycloneDX"
    root = bill["metadata"]["component"]
    assert (root["name"], root["version"]) == ("sv-deid-chat", "0.1.0")
    assert root["hashes"][0]["content"] == sha256(wheel_path.read_bytes()).hexdigest()
    parts = {part["bom-ref"]: part for part in bill["components"]}
    assert parts["numpy"]["purl"].startswith("pkg:pypi/numpy@")
    assert parts["thinc"]["version"] == version("thinc")
    weights = "sv_deid_chat/sv_deid_chat-0.1.0/transformer/model.safetensors"
    with zipfile.ZipFile(wheel_path) as wheel:
        digest = sha256(wheel.read(weights)).hexdigest()
    assert parts[weights]["hashes"][0]["content"] == digest
    # The encoder of the tests has no card.
    assert parts[weights]["licenses"] == [{"license": {"name": "see NOTICE"}}]
    assert parts["places.tsv"]["hashes"]
    assert parts["numpy"]["licenses"] and parts["spacy"]["licenses"] == [{"license": {"id": "MIT"}}]
    needs = {item["ref"]: item.get("dependsOn", []) for item in bill["dependencies"]}
    assert {"spacy", "safetensors", weights} <= set(needs["sv-deid-chat"])
    filled = "sv_deid_chat/sv_deid_chat-0.1.0/surrogate_generator/lists.msgpack"
    assert filled in needs["sv-deid-chat"] and "places.tsv" in needs[filled]
    assert "thinc" in needs["spacy"]
    assert not {"pytest", "transformers", "torch"} & set(parts)
    assert {"torch", "sv-deid-chat"} <= set(find_needed(wheel_path, ["torch"]))
    assert "places.tsv" not in find_needed(wheel_path)


def test_bill_has_the_lists(wheel_path):
    """With the licence that the head of each names."""
    paths = sorted((ROOT / "assets" / "lists").glob("*.tsv"))
    bill = json.loads(make_bill(wheel_path, lists=str(paths[0].parent)))
    parts = {part["bom-ref"]: part for part in bill["components"]}
    assert len(paths) > 20
    for path in paths:
        part = parts[path.name]
        assert part["hashes"][0]["content"] == sha256(path.read_bytes()).hexdigest()
        own = {"name": "see NOTICE"} if path.name == "words.tsv" else {"id": "CC0-1.0"}
        assert part["licenses"] == [{"license": own}]
    held = parts["sv_deid_chat/sv_deid_chat-0.1.0/gazetteer_matcher/entries.msgpack"]
    assert [each["license"] for each in held["licenses"]] == [
        {"id": "CC0-1.0"}, {"name": "see NOTICE"}
    ]  # fmt: skip


def test_notice_names_each_list():
    notice = (ROOT / "NOTICE").read_text("utf8").partition("\n2. ")[0]
    named = set(re.findall(r"\w+\.tsv", notice))
    assert named == {path.name for path in (ROOT / "assets" / "lists").glob("*.tsv")}


def test_licence_of_an_encoder(tmp_path):
    assert read_card_licence(ROOT / "assets/encoder/sv-chat-small/README.md") == "mit"
    assert read_card_licence(ROOT / "assets/encoder/sv-chat-mini/README.md") == "see NOTICE"
    assert read_card_licence(tmp_path / "README.md") == "see NOTICE"


def test_lock_has_the_digest_of_each_file():
    """And no place that is of this machine."""
    text = (ROOT / "requirements.lock").read_text("utf8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    places = r"\bhttps?:|\bfile:|-url\b|-links\b|(?<!\w)/\w"
    assert not [line for line in lines if re.search(places, line)]
    pinned = " ".join(lines).replace("\\", "").split()
    names = {re.split("==", word)[0] for word in pinned if "==" in word}
    assert text.count("==") == sum(
        "--hash=sha256:" in lines[i + 1] for i, line in enumerate(lines) if "==" in line
    )
    assert set(read_requirements(ROOT / "requirements.txt")) - {"tomli"} <= names


def test_wheel_keeps_no_secret(wheel_path, tiny_path):
    # Another process may have trained it, over an encoder of its own.
    encoder = spacy.util.load_config(tiny_path / "config.cfg")["paths"]["encoder"]
    assert encoder and Path(encoder).is_absolute()
    secrets = [CANARY, CANARY.lower(), KEY, encoder, str(Path(encoder).parent), str(ROOT)]
    with zipfile.ZipFile(wheel_path) as wheel:
        for name in wheel.namelist():
            data = wheel.read(name)
            assert not [secret for secret in secrets if secret.encode() in data], name
    # The test would be empty if training left none of it behind.
    assert CANARY in (tiny_path.parent / "trained-words.txt").read_text(encoding="utf8")


def test_leaks_are_found(tmp_path, corpus_path, monkeypatch):
    monkeypatch.setenv("SV_DEID_KEY", KEY)
    path = tmp_path / "leaky.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("a/config.cfg", f'name = "{ROOT}/encoder"')
        wheel.writestr("a/tokenizer", KEY)
        wheel.writestr("a/vocab/strings.json", json.dumps([CANARY, "PERSON"]))
    leaks = list(find_leaks(path))
    assert any("a/config.cfg" in leak for leak in leaks)
    assert "the value of SV_DEID_KEY is in a/tokenizer" in leaks
    assert not any(KEY in leak for leak in leaks)
    assert list(find_corpus_words(path, corpus_path)) == [
        "1 words of the training messages are in a/vocab/strings.json"
    ]


def test_cleaned_pipeline_gives_the_same(tiny_path, tmp_path):
    load_clean(tiny_path).to_disk(tmp_path)
    trained, cleaned = spacy.load(tiny_path), spacy.load(tmp_path)
    for text, _ in EXAMPLES:
        before, after = trained(text), cleaned(text)
        assert [token.text for token in before] == [token.text for token in after]
        for key in ("rules", "gazetteer", "phi"):
            assert before.spans[key].attrs["scores"] == after.spans[key].attrs["scores"]
        assert [(e.start, e.end, e.label_, e._.source) for e in before.ents] == [
            (e.start, e.end, e.label_, e._.source) for e in after.ents
        ]


def test_nobody_is_sent_to_an_index_for_the_package():
    """Its name is on none, so that anybody could take it."""
    files = [
        path for name in ("components", "scripts", "docs") for path in (ROOT / name).rglob("*.*")
    ]
    for path in [*files, ROOT / "README.md", ROOT / "project.yml"]:
        if path.suffix in (".py", ".md", ".yml", ".in"):
            text = path.read_text(encoding="utf8")
            assert not re.search(r"pip install[^\n]{0,40}[ '\"]sv[_-]deid[_-]chat(?!-)", text), path


def find_imports(path: Path) -> set[str]:
    """What modules import, wherever in them. Those of an extra may import what it brings: nothing
    else imports them before it has looked for it.
    """
    places = [path / place for place in ("serve", "annotate")]
    places += [path / "model" / f"torch_{name}.py" for name in ("bert", "network")]
    modules = set()
    for file in path.rglob("*.py"):
        if any(file.is_relative_to(place) for place in places):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf8"))):
            if isinstance(node, ast.Import):
                modules.update(alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules.add(node.module.split(".")[0])
    # Python's own from 3.11 on.
    return modules - {*sys.stdlib_module_names, "tomllib"}


def test_requirements_are_what_the_components_import():
    found = find_imports(ROOT / "components")
    # `components.shared.extras.load_extra` imports these.
    assert not found & {module for modules in EXTRAS.values() for module in modules}
    distributions = packages_distributions()
    needed = {canonicalize_name(distributions.get(module, [module])[0]) for module in found}
    with_spacy = {canonicalize_name(Requirement(line).name) for line in requires("spacy")}
    declared = {*read_requirements(ROOT / "requirements-wheel.txt")}
    assert needed - with_spacy <= declared <= needed


def test_each_extra_has_its_bounds():
    extras = get_extras(ROOT / "requirements-extras.txt")
    assert extras.keys() == {*EXTRAS, "all"}
    for extra, lines in extras.items():
        assert all(line.count(">=") == 1 and "<" in line for line in lines), extra
    assert extras["all"] == sorted({line for extra in EXTRAS for line in extras[extra]})


def test_requirements_of_requirements(tmp_path):
    (tmp_path / "own.txt").write_text("# A comment\nb[x]>=2\n\n-r more/others.txt\nb<3\n")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "others.txt").write_text("C_d>=1,<2\n")
    assert read_requirements(tmp_path / "own.txt") == {"b": "b[x]>=2", "c-d": "C_d>=1,<2"}


def test_requirements_of_the_wheel(wheel_path, metadata):
    """What it demands is no narrower than what it needs; the project's own bounds are."""
    head, _ = metadata
    assert {line for line in head if line.startswith("Provides-Extra")} == {
        f"Provides-Extra: {extra}" for extra in (*EXTRAS, "all")
    }
    needs = [Requirement(line.split(": ")[1]) for line in head if line.startswith("Requires-Dist")]
    assert [str(need.marker)[:5] for need in needs if need.name == "narwhals"] == ["extra"] * 2
    # What the environment of the proof sees.
    needed = find_needed(wheel_path)
    assert {"narwhals", "pyarrow", "pandas", "pytest", "torch"}.isdisjoint(needed)
    assert needed[0] == "sv-deid-chat" and {"spacy", "numpy"} <= set(needed)
    bounds = {need.name: need.specifier for need in needs}
    assert "2.99" in bounds["torch"] and "0.23.3" in bounds["tokenizers"]
    assert "Classifier: Programming Language :: Python :: 3.14" in head


USE_FRAMES = """
import os, pickle
import pandas as pd
import pyarrow as pa
import sv_deid_chat
from sv_deid_chat import deidentify_conversation, deidentify_frame
from sv_deid_chat.components.frames import own_pipeline
from sv_deid_chat.arrow import make_partition_function

texts = ["Hej, jag heter Anna Lind", "anna igen"]
df = pd.DataFrame({"text": texts, "id": [7, 7]})
done = deidentify_frame(df, conversation="id")["text"].tolist()
(nlp,) = own_pipeline._loaded.values()
assert deidentify_frame(df, conversation="id")["text"].tolist() == done
assert list(own_pipeline._loaded.values()) == [nlp], "loaded twice"
docs = deidentify_conversation(sv_deid_chat.load(), texts, conversation_id="7")
assert [doc._.deidentified for doc in docs] == done != texts
function = pickle.loads(pickle.dumps(make_partition_function(conversation="id")))
(batch,) = function([pa.RecordBatch.from_pandas(df)])
assert batch["text"].to_pylist() == done
assert list(own_pipeline._loaded.values()) == [nlp], "loaded twice"
"""


def test_what_cannot_be_installed_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    path = tmp_path / "some-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        text = "Metadata-Version: 2.1\nName: some\nVersion: 1.0\n"
        text += "Requires-Dist: no-such-thing; python_version < '3.14'\n"
        wheel.writestr("some-1.0.dist-info/METADATA", text)
        wheel.writestr("some-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr("some-1.0.dist-info/RECORD", "")
    [said] = find_missing(path, "3.13")
    assert said.startswith("It cannot be installed on Python 3.13") and "no-such-thing" in said


USE_WITH_THE_PROJECT = """
import sys
import components
import spacy
from spacy.language import Language

assert "sv_deid_chat" not in sys.modules
nlp = spacy.load(sys.argv[1])
assert type(nlp).__module__ == "components.language.language", type(nlp)
assert type(nlp.get_pipe("phi_ner")).__module__ == "components.model.phi_ner"
print(len(nlp("Ring 070-1740605").ents))
"""


def test_installed_wheel_beside_the_project(installed_path, tiny_path):
    """The project's own code counts, and nothing is registered twice."""
    path = os.pathsep.join([str(ROOT), str(installed_path)])
    done = run_python(installed_path, "-c", USE_WITH_THE_PROJECT, str(tiny_path), PYTHONPATH=path)
    assert int(done.stdout) >= 1


# Every module first: one with the name of a function would hide it.
USE_FUNCTIONS = """
import importlib, pkgutil
import pandas as pd
import sv_deid_chat

for module in pkgutil.walk_packages(sv_deid_chat.__path__, "sv_deid_chat."):
    try:
        importlib.import_module(module.name)
    except ModuleNotFoundError as error:
        # Of an extra.
        assert not error.name.startswith("sv_deid_chat"), error
for package in (sv_deid_chat, sv_deid_chat.components):
    nlp = sv_deid_chat.load()
    text = "Ring 070-1740605"
    package.configure(nlp, {"dates": "month"})
    assert package.deidentify(nlp, text) != text
    (doc,) = package.deidentify_conversation(nlp, [text])
    ((again,),) = package.pipe_conversations(nlp, [[text]])
    assert doc._.deidentified and again._.deidentified
    assert package.deidentify_frame(pd.DataFrame({"text": [text]}), nlp=nlp)["text"][0] != text
    assert package.clean_text("<b>Bo</b>").text == "Bo"
    assert text in package.explain(nlp, text)
    gold = [{"text": text, "spans": [{"start": 5, "end": 16, "label": "PHONE"}]}]
    assert package.evaluate(nlp, gold).get_figures()
    assert callable(package.Vault)
"""


def test_no_module_hides_a_function(installed_path):
    run_python(installed_path, "-c", USE_FUNCTIONS, SV_DEID_KEY=KEY)


def test_frames_with_the_pipeline_of_the_package(installed_path):
    run_python(installed_path, "-c", USE_FRAMES, SV_DEID_KEY=KEY)


@cases
def test_help_imports_no_pipeline(installed_path, arguments, program, command):
    """Of each command, and of the script that the wheel installs."""
    script = "from sv_deid_chat.command_line import main\nmain()\n"
    (installed_path / "sv-deid-chat").write_text(script, encoding="utf8")
    (points,) = installed_path.glob("*.dist-info/entry_points.txt")
    assert "sv-deid-chat = sv_deid_chat.command_line:main" in points.read_text(encoding="utf8")
    arguments = ["-X", "importtime", *arguments.split(), "--help"]
    done = run_python(installed_path, *arguments, PYTHONPATH=str(installed_path))
    lines = done.stderr.splitlines()
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}
    assert "sv_deid_chat" in imported
    assert imported.isdisjoint(("spacy", "thinc", "torch", "numpy"))
    app = make_app(spacy.load, command)
    shown = CliRunner().invoke(app, ["--help"], prog_name=program, terminal_width=78).stdout
    assert done.stdout == shown


@cases
def test_only_help_leaves_the_pipeline_out(monkeypatch, arguments, asks):
    path = ROOT / "scripts" / "package" / "command_line.py"
    spec = importlib.util.spec_from_file_location("sv_deid_chat.command_line", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    arguments = ["python", *arguments.split()]
    monkeypatch.setattr(sys, "orig_argv", arguments)
    monkeypatch.setattr(sys, "argv", arguments[1:])
    assert module.asks_for_help() == asks
    assert module.is_command() == any(
        each.startswith("sv_deid_chat") or each.endswith("sv-deid-chat") for each in arguments
    )


@cases
def test_threads_of_commands_wait_passively(tmp_path, arguments, own, waits):
    """It is said before anything is imported that reads it; a program of one's own is left alone."""
    folder = tmp_path / "sv_deid_chat"
    folder.mkdir()
    for name in ("__init__.py", "registered.py", "command_line.py"):
        shutil.copy(ROOT / "scripts" / "package" / name, folder)
    names = ["__version__", "components", "load", *components.__all__]
    code = "import os\nprint(*map(os.environ.get, ('OMP_WAIT_POLICY', 'KMP_BLOCKTIME')))\n"
    code += "".join(f"{name} = None\n" for name in names)
    (folder / "pipeline.py").write_text(code, encoding="utf8")
    (folder / "__main__.py").touch()
    hidden = ("OMP_WAIT_POLICY", "KMP_BLOCKTIME")
    env = {key: value for key, value in os.environ.items() if key not in hidden}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=tmp_path,
        env={**env, **own},
        capture_output=True,
        check=True,
        encoding="utf8",
    )
    assert done.stdout.strip() == waits
