"""Make an installable package of a trained pipeline: the components go in, and what training left
behind stays out (strings of the training texts, paths of this machine).
"""

import ast
import json
import shutil
import subprocess
import sys
from functools import partial
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from tempfile import TemporaryDirectory

import spacy
import srsly
import typer
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from spacy import util
from spacy.language import Language
from thinc.api import Config
from wasabi import msg

import components
from components.cli import deidentify, evaluate, explain, restore
from components.extras import EXTRAS, get_packages
from corpus_tools.sbom import make_bill

ROOT = Path(components.__file__).parents[1]
# The files of the package that are not code, and where they come from.
PAPERS = {"README.md": "docs/model_card.md", "LICENSE": "LICENSE", "NOTICE": "NOTICE"}
# The folder of the package with the help of its commands.
HELP = "help"
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
    requirements_path: Path = typer.Option(
        Path("requirements.txt"), help="The project's requirements, with bounds", exists=True
    ),
    extras_path: Path = typer.Option(
        Path("requirements-extras.txt"), help="Those of the extras, with bounds", exists=True
    ),
) -> None:
    requirements = get_requirements(requirements_path)
    extras = get_extras(extras_path)
    nlp = load_clean(model_path)
    package = f"{nlp.lang}_{name}"
    nlp.meta.update(
        name=name,
        version=version,
        description=DESCRIPTION,
        spacy_version=str(Requirement(requirements[0]).specifier),
        requirements=requirements,
    )
    main_path = output_path / f"{package}-{version}"
    code_path = main_path / package
    data_path = code_path / main_path.name
    if main_path.exists():
        shutil.rmtree(main_path)
    data_path.mkdir(parents=True)
    nlp.to_disk(data_path)
    if get_output(spacy.load(data_path)) != get_output(spacy.load(model_path)):
        msg.fail("The cleaned pipeline gives another result than the trained one", exits=1)
    shutil.copytree(
        Path(components.__file__).parent,
        code_path / "components",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    for path in (ROOT / "scripts" / "package").glob("*.py"):
        shutil.copy(path, code_path)
    write_help(package, code_path / HELP)
    for paper, source in PAPERS.items():
        shutil.copy(ROOT / source, main_path / paper)
    (code_path / "py.typed").touch()
    srsly.write_json(code_path / "meta.json", nlp.meta)
    template = (ROOT / "scripts" / "package" / "pyproject.toml.in").read_text(encoding="utf8")
    # A JSON string or list of strings is valid TOML.
    values = {
        "package": package,
        "version": version,
        "description": DESCRIPTION,
        "requirements": requirements,
        "subpackages": f"{package}.*",
        "data": f"{data_path.name}/**",
        "help": f"{HELP}/*.txt",
    }
    filled = {key: json.dumps(value) for key, value in values.items()}
    filled["extras"] = "\n".join(f"{name} = {json.dumps(needs)}" for name, needs in extras.items())
    (main_path / "pyproject.toml").write_text(template.format(**filled), encoding="utf8")
    msg.good("Made the package", main_path)
    wheel_path = build_wheel(main_path)
    msg.good(f"Built the wheel ({wheel_path.stat().st_size / 1e6:.1f} MB)", wheel_path)
    bill_path = wheel_path.with_suffix(".cdx.json")
    bill_path.write_text(make_bill(wheel_path), encoding="utf8")
    msg.good("Listed what it is made of and what it needs", bill_path)


def write_help(package: str, path: Path) -> None:
    """Write the help of the commands, so that asking for it does not import the pipeline.

    package (str): The name of the package.
    path (Path): The folder for it.
    """
    load = partial(spacy.load, package)
    apps = {
        "deidentify": (f"python -m {package}", deidentify.make_app(load)),
        "evaluate": (f"python -m {package}.evaluate", evaluate.make_app(load)),
        "explain": (f"python -m {package}.explain", explain.make_app(load)),
        "restore": (f"python -m {package}.restore", restore.make_app()),
    }
    path.mkdir()
    for name, (program, app) in apps.items():
        command = typer.main.get_command(app)
        with command.make_context(program, [], resilient_parsing=True) as context:
            (path / f"{name}.txt").write_text(f"{context.get_help()}\n", encoding="utf8")


def get_requirements(path: Path) -> list[str]:
    """Choose what the components need among the project's requirements.

    path (Path): The project's requirements.txt.
    RETURNS (List[str]): Lines of it, spaCy's first.
    RAISES (ValueError): If something that the components import is not in it, nor comes with spaCy;
        or is of an extra, and so must be imported by `components.extras.load_extra`.
    """
    declared = read_requirements(path)
    with_spacy = {_get_name(line) for line in requires("spacy") or []}
    distributions = packages_distributions()
    found = ["spacy"]
    imports = get_imports(Path(components.__file__).parent)
    check_imports(imports)
    for module in sorted(imports):
        found.append(canonicalize_name(distributions.get(module, [module])[0]))
    missing = [name for name in found if name not in declared and name not in with_spacy]
    if missing:
        raise ValueError(f"The components need {', '.join(missing)}: add it to {path}.")
    return [declared[name] for name in dict.fromkeys(found) if name in declared]


def get_extras(path: Path) -> dict[str, list[str]]:
    """Choose what the extras need among the requirements.

    path (Path): The requirements-extras.txt of the project.
    RETURNS (dict[str, list[str]]): The lines of each extra, `all` those of all.
    RAISES (ValueError): If a package has no line with bounds.
    """
    declared = read_requirements(path)
    extras = {}
    for extra in EXTRAS:
        names = [_get_name(package) for package in get_packages(extra)]
        missing = [
            name
            for name in names
            if name not in declared or not Requirement(declared[name]).specifier
        ]
        if missing:
            raise ValueError(
                f"The extra {extra!r} needs {', '.join(missing)}: add it to {path}, with bounds."
            )
        extras[extra] = [declared[name] for name in names]
    return {**extras, "all": sorted({line for lines in extras.values() for line in lines})}


def read_requirements(path: Path) -> dict[str, str]:
    """Read a file of requirements, and those that it refers to.

    path (Path): The file.
    RETURNS (dict[str, str]): Its lines, by the name of the package.
    """
    declared: dict[str, str] = {}
    for line in map(str.strip, path.read_text(encoding="utf8").splitlines()):
        if line.startswith("-r "):
            declared |= read_requirements(path.parent / line.removeprefix("-r ").strip())
        elif line and not line.startswith("#"):
            declared[_get_name(line)] = line
    return declared


def _get_name(requirement: str) -> str:
    return canonicalize_name(Requirement(requirement).name)


def get_imports(path: Path) -> set[str]:
    """Find what modules import, wherever in them the import stands.

    path (Path): The folder of the modules.
    RETURNS (set[str]): Other packages than Python's own.
    """
    modules: set[str] = set()
    for file in path.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf8"))):
            if isinstance(node, ast.Import):
                modules.update(alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules.add(node.module.split(".")[0])
    # Python's own from 3.11 on; before, another package stands in for it.
    return modules - {*sys.stdlib_module_names, "tomllib"}


def check_imports(modules: set[str]) -> None:
    """Look for imports of what the wheel does without.

    modules (set[str]): What is imported.
    RAISES (ValueError): If that is among it.
    """
    optional = modules & {module for names in EXTRAS.values() for module in names}
    if optional:
        raise ValueError(
            f"The components import {', '.join(sorted(optional))}, which only an extra brings: use "
            "components.extras.load_extra."
        )


def load_clean(path: Path) -> Language:
    """Load a pipeline without what training left in it: into a new vocabulary, with no more of
    the config than makes the pipes.

    path (Path): The trained pipeline.
    RETURNS (Language): The cleaned pipeline.
    """
    trained = util.load_config(path / "config.cfg", interpolate=True)
    config = Config({block: trained[block] for block in ("nlp", "components")})
    nlp = util.load_model_from_config(config, auto_fill=True)
    return nlp.from_disk(path, exclude=["vocab", "config"])


def get_output(nlp: Language) -> dict[str, list[tuple[int, int, str]]]:
    """Run a pipeline on the probe.

    nlp (Language): The pipeline.
    RETURNS (Dict[str, List[Tuple[int, int, str]]]): What it finds, by kind of evidence.
    """
    doc = nlp(PROBE)
    groups = {"ents": doc.ents, **doc.spans}
    return {
        key: [(span.start_char, span.end_char, span.label_) for span in group]
        for key, group in groups.items()
    }


def build_wheel(path: Path) -> Path:
    """Build a wheel with the build tools that are installed, without network.

    path (Path): The folder of the package.
    RETURNS (Path): The wheel, in the subfolder `dist`.
    """
    with TemporaryDirectory() as build_path:
        shutil.copytree(path, build_path, dirs_exist_ok=True)
        command = [sys.executable, "-m", "pip", "wheel", build_path, "--quiet", "--no-index"]
        command += ["--no-deps", "--no-build-isolation", "--wheel-dir", str(path / "dist")]
        subprocess.run([*command, "--disable-pip-version-check"], check=True)
    return next((path / "dist").glob("*.whl"))


if __name__ == "__main__":
    typer.run(package_pipeline)
