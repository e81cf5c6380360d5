"""Make an installable package of a trained pipeline: the components go in, and what training left
behind stays out (strings of the training texts, paths of this machine).
"""

import json
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import spacy
import srsly
import typer
from catalogue import REGISTRY
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from spacy import util
from spacy.language import Language
from thinc.api import Config
from typer.core import TyperGroup
from wasabi import msg
from weasel.util import get_checksum

import components
from components.cli.app import make_app
from components.measures.figures import write_share
from components.model.backend import FULL
from components.model.chat_encoder import ChatEncoder
from components.model.phi_ner import PhiNer
from components.shared.extras import EXTRAS
from components.shared.find_pipes import find_pipes
from training_tools.conversion import find_stock, make_lean
from training_tools.markdown import make_table, write_threshold
from training_tools.sbom import make_bill

ROOT = Path(components.__file__).parents[1]
# The files of the package that are not code, and where they come from.
PAPERS = ("LICENSE", "NOTICE")
CARD = "docs/model_card.md"
# What may be promised, as `certify` of the laboratory writes it.
CERTIFICATE = "docs/certificate.json"
# What an encoder needs that stays as it was trained.
STOCK = "spacy-transformers"
# On which all that the wheel requires is there.
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
# The folder of the components that serves.
SERVE = "serve"
# What those who annotate read beside the messages, and where it goes in that folder.
GUIDELINES, GUIDELINES_PLACE = ("docs/labels.md", "docs/labels.sv.md"), "templates/annotate"
# The folder of the package with the help of its commands, and how wide a line of it is at most.
HELP, HELP_WIDTH = "help", 78
# Of each file in the wheel: the first date that a ZIP can hold.
WHEEL_DATE = (1980, 1, 1, 0, 0, 0)
# What was measured that goes into `meta.json`.
FIGURES = ("messages", "spans", "strict", "redact", "full", "clean", "per_class", "state")
AUTHOR, LICENCE = "The sv_deid_chat authors", "MIT"
DESCRIPTION = (
    "Finds personal health information in Swedish medical chat messages and replaces it by "
    "realistic surrogates"
)
PROBE = (
    "Hej! Min son Elias Lindgren, 190504-2385, 6 år, fick feber den 3 mars.\nVi bor på Storgatan "
    "12, 852 30 Sundsvall, och ringde vårdcentralen. Nås på 070-174 06 05 eller "
    "elias@example.com 😊\n\nMVH//Anna"
)


def package_pipeline(
    model_path: Path = typer.Argument(..., help="The trained pipeline", exists=True),
    output_path: Path = typer.Argument(..., help="Folder for packages"),
    name: str = typer.Option("deid_chat", help="Name of the package, without the language"),
    version: str = typer.Option("0.1.0", help="Version of the package"),
    metrics_path: Annotated[
        Path, typer.Option("--metrics", help="Folder of what `evaluate` measured")
    ] = Path("metrics"),
    author: Annotated[str, typer.Option(help="Who made the package")] = AUTHOR,
    url: Annotated[str, typer.Option(help="Where more is to be read of it")] = "",
) -> None:
    nlp = load_clean(model_path)
    requirements = [*read_requirements(ROOT / "requirements-wheel.txt").values()]
    if find_stock(nlp):
        requirements.append(read_requirements(ROOT / "requirements.txt")[STOCK])
    extras = get_extras(ROOT / "requirements-extras.txt")
    package = f"{nlp.lang}_{name}"
    nlp.meta.update(
        name=name,
        version=version,
        description=DESCRIPTION,
        spacy_version=str(Requirement(requirements[0]).specifier),
        requirements=requirements,
        author=author,
        license=LICENCE,
        url=url,
        threshold=cast(PhiNer, nlp.get_pipe("phi_ner")).threshold,
    )
    checksum = get_checksum(model_path)
    measured = read_measured(metrics_path, checksum)
    nlp.meta["performance"] = {
        name: {key: figures[key] for key in FIGURES} for name, figures in measured.items()
    }
    nlp.meta["certificate"] = read_certificate(ROOT / CERTIFICATE, checksum)
    main_path = output_path / f"{package}-{version}"
    code_path = main_path / package
    data_path = code_path / main_path.name
    if main_path.exists():
        shutil.rmtree(main_path)
    data_path.mkdir(parents=True)
    nlp.to_disk(data_path)
    if get_output(data_path) != get_output(model_path):
        msg.fail("The cleaned pipeline gives another result than the trained one", exits=1)
    shutil.copytree(
        Path(components.__file__).parent,
        code_path / "components",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    for page in GUIDELINES:
        shutil.copy(ROOT / page, code_path / "components" / SERVE / GUIDELINES_PLACE)
    for path in (ROOT / "scripts" / "package").glob("*.py"):
        shutil.copy(path, code_path)
    write_help(package, code_path / HELP)
    for paper in PAPERS:
        shutil.copy(ROOT / paper, main_path / paper)
    template = drop_hub_parts((ROOT / CARD).read_text(encoding="utf8"))
    template = keep_certificate(template, checksum)
    card = write_card(template, package, version, nlp.meta["threshold"], measured)
    (main_path / "README.md").write_text(card, encoding="utf8")
    (code_path / "py.typed").touch()
    srsly.write_json(code_path / "meta.json", nlp.meta)
    template = (ROOT / "scripts" / "package" / "pyproject.toml.in").read_text(encoding="utf8")
    # A JSON string or list of strings is valid TOML.
    values = {
        "package": package,
        "version": version,
        "author": author,
        "licence": LICENCE,
        "description": DESCRIPTION,
        "requirements": requirements,
        "classifiers": [f"Programming Language :: Python :: {version}" for version in PYTHONS],
        "subpackages": f"{package}.*",
        "data": f"{data_path.name}/**",
        "help": f"{HELP}/*.txt",
        "serve": f"{package}.components.{SERVE}",
        "script": package.replace("_", "-"),
        "command_line": f"{package}.command_line:main",
    }
    filled = {key: json.dumps(value) for key, value in values.items()}
    filled["extras"] = "\n".join(f"{name} = {json.dumps(needs)}" for name, needs in extras.items())
    filled["urls"] = f"[project.urls]\nHomepage = {json.dumps(url)}\n" if url else ""
    filled["entry_points"] = write_entry_points(package)
    (main_path / "pyproject.toml").write_text(template.format(**filled), encoding="utf8")
    msg.good("Made the package", main_path)
    wheel_path = build_wheel(main_path)
    msg.good(f"Built the wheel ({wheel_path.stat().st_size / 1e6:.1f} MB)", wheel_path)
    bill_path = wheel_path.with_suffix(".cdx.json")
    paths = util.load_config(model_path / "config.cfg").interpolate()["paths"]
    bill_path.write_text(make_bill(wheel_path, paths["encoder"], paths["lists"]), encoding="utf8")
    msg.good("Listed what it is made of and what it needs", bill_path)


def read_measured(folder: Path, pipeline: str) -> dict[str, dict[str, Any]]:
    """Read what was measured of a pipeline, and nothing that was measured of another."""
    measured = {}
    for path in sorted(folder.glob("*.json")):
        figures = srsly.read_json(path)
        merged = figures.get("merged") if isinstance(figures, dict) else None
        if isinstance(merged, dict) and merged.get("pipeline") == pipeline:
            # The name alone: a path may tell of this machine.
            name = f"`{Path(merged['file']).name}`"
            measured[merged.get("title") or name] = merged
    return measured


def read_certificate(path: Path, pipeline: str) -> dict[str, Any] | None:
    """Read the certificate, if there is one and it is of this pipeline."""
    certificate = srsly.read_json(path) if path.exists() else {}
    return certificate if certificate.get("pipeline") == pipeline else None


def drop_hub_parts(card: str) -> str:
    """Drop from a model card the header that a model hub reads and the digest of the wheel."""
    card = re.sub(r"\A---\n.*?\n---\n+", "", card, flags=re.DOTALL)
    return re.sub(r"<!-- wheel -->\n.*?<!-- /wheel -->\n+", "", card, flags=re.DOTALL)


def keep_certificate(card: str, pipeline: str) -> str:
    """Keep the certificate of a model card if it is of this pipeline, else say that there is none."""

    def choose(block: re.Match[str]) -> str:
        is_own = f"pipeline `{pipeline[:16]}`" in block[1]
        return block[1] if is_own else "No certificate has been issued for this pipeline.\n"

    block = "<!-- certificate -->\n(.*?)<!-- /certificate -->\n"
    return re.sub(block, choose, card, flags=re.DOTALL)


def write_card(
    template: str,
    package: str,
    version: str,
    threshold: float | Mapping[str, float],
    measured: Mapping[str, Mapping[str, Any]],
) -> str:
    """Write the model card of a package: the project's, with the figures of this pipeline."""
    head, begin, rest = template.partition("<!-- figures -->\n")
    _, end, tail = rest.partition("<!-- /figures -->\n")
    if not begin or not end:
        raise ValueError(f"{CARD} has no block <!-- figures --> … <!-- /figures -->.")
    parts = [f"Threshold {write_threshold(threshold)}, chosen on the dev split."]
    rows = [
        [name, str(each["messages"]), str(each["spans"]), _write_prf(each["strict"])]
        + [write_share(each[rate]) for rate in ("redact", "full", "clean")]
        + [each["state"].removeprefix("measured ")]
        for name, each in measured.items()
    ]
    if rows:
        columns = ["messages", "number", "entities", "strict P / R / F1", "redact", "full", "clean"]
        parts.append(make_table([*columns, "measured"], rows))
        name, most = max(measured.items(), key=lambda item: item[1]["spans"])
        parts.append(f"By class, on the messages {name}:")
        by_class = most["per_class"].items()
        cells = [[f"`{k}`", _write_prf(own), write_share(own["redact"])] for k, own in by_class]
        parts.append(make_table(["class", "strict P / R / F1", "redact"], cells))
    else:
        parts.append("Nothing was measured of this pipeline.")
    text = "\n\n".join(parts)
    _, _, head = head.partition("\n")
    return f"# Model card: `{package}` {version}\n{head}{text}\n\n{tail.lstrip()}"


def _write_prf(figures: Mapping[str, float | None]) -> str:
    return " / ".join(write_share(figures[name]) for name in "prf")


def write_entry_points(package: str) -> str:
    """Write the entry points by which spaCy finds what the components register, so that a saved
    pipeline loads without an import of the package.
    """
    groups: dict[str, list[str]] = {}
    for (library, *rest), function in sorted(REGISTRY.items()):
        module = getattr(function, "__module__", "")
        if library in ("spacy", "thinc") and module.partition(".")[0] == components.__name__:
            registry, name = rest
            attribute = "__".join([library, registry, name.replace(".", "__")])
            # spaCy looks for factories by another name than it keeps them by.
            group = f"{library}_{registry.removeprefix('internal_')}"
            line = f'"{name}" = "{package}.registered:{attribute}"'
            groups.setdefault(group, []).append(line)
    return "\n\n".join(
        "\n".join([f"[project.entry-points.{group}]", *lines]) for group, lines in groups.items()
    )


def write_help(package: str, path: Path) -> None:
    """Write the help of the commands, so that asking for it does not import the pipeline."""
    load = partial(spacy.load, package)
    path.mkdir()
    command = typer.main.get_command(make_app(load, "run"))
    _write_help(path / "run.txt", command, f"python -m {package}")
    script = package.replace("_", "-")
    group = cast(TyperGroup, typer.main.get_command(make_app(load)))
    _write_help(path / f"{script}.txt", group, script)
    for name, command in group.commands.items():
        _write_help(path / f"{script} {name}.txt", command, f"{script} {name}")


def _write_help(path: Path, command: Any, program: str) -> None:
    # The width of the terminal where the package is made must not count.
    options: dict[str, Any] = {"resilient_parsing": True, "terminal_width": HELP_WIDTH}
    with command.make_context(program, [], **options) as context:
        path.write_text(f"{context.get_help()}\n", encoding="utf8")


def get_extras(path: Path) -> dict[str, list[str]]:
    """Choose what the extras need among the requirements."""
    declared = read_requirements(path)
    extras = {
        extra: [declared[_get_name(package)] for package in EXTRAS[extra]] for extra in EXTRAS
    }
    return {**extras, "all": sorted({line for lines in extras.values() for line in lines})}


def read_requirements(path: Path) -> dict[str, str]:
    """Read a file of requirements, and those that it refers to."""
    declared: dict[str, str] = {}
    for line in map(str.strip, path.read_text(encoding="utf8").splitlines()):
        if line.startswith("-r "):
            declared = {
                **read_requirements(path.parent / line.removeprefix("-r ").strip()),
                **declared,
            }
        elif line and not line.startswith("#"):
            declared.setdefault(_get_name(line), line)
    return declared


def _get_name(requirement: str) -> str:
    return canonicalize_name(Requirement(requirement).name)


def load_clean(path: Path) -> Language:
    """Load a pipeline into a new vocabulary, without what only its training needs."""
    trained = util.load_config(path / "config.cfg", interpolate=True)
    config = Config({block: trained[block] for block in ("nlp", "components")})
    nlp = util.load_model_from_config(config, auto_fill=True)
    nlp.from_disk(path, exclude=["vocab", "config"])
    make_lean(nlp)
    return nlp


def get_output(path: Path) -> dict[str, list[tuple[int, int, str]]]:
    """Run a saved pipeline on the probe, in full precision."""
    nlp = spacy.load(path)
    for encoder in find_pipes(nlp, ChatEncoder):
        encoder.precision = FULL
    doc = nlp(PROBE)
    groups = {"ents": doc.ents, **doc.spans}
    return {
        key: [(span.start_char, span.end_char, span.label_) for span in group]
        for key, group in groups.items()
    }


def build_wheel(path: Path, folder: Path | None = None) -> Path:
    """Build a wheel with the installed build tools, into `dist` or another folder."""
    folder = folder or path / "dist"
    folder.mkdir(exist_ok=True)
    with TemporaryDirectory() as build_path, TemporaryDirectory() as built_path:
        left = shutil.ignore_patterns("dist", "__pycache__")
        shutil.copytree(path, build_path, dirs_exist_ok=True, ignore=left)
        command = [sys.executable, "-m", "pip", "wheel", build_path, "--quiet", "--no-index"]
        command += ["--no-deps", "--no-build-isolation", "--wheel-dir", built_path]
        subprocess.run([*command, "--disable-pip-version-check"], check=True)
        [built] = Path(built_path).glob("*.whl")
        return repack(built, folder / built.name)


def repack(built_path: Path, path: Path) -> Path:
    """Write a wheel with its files in order, with one date and mode: always the same bytes."""
    with ZipFile(built_path) as built, ZipFile(path, "w") as wheel:
        # What describes the wheel stands at its end.
        for name in sorted(built.namelist(), key=lambda name: (".dist-info/" in name, name)):
            info = ZipInfo(name, WHEEL_DATE)
            info.create_system = 3  # Unix, whatever this machine has
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            wheel.writestr(info, built.read(name), ZIP_DEFLATED, compresslevel=6)
    return path


if __name__ == "__main__":
    typer.run(package_pipeline)
