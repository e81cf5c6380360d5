"""Make an installable package of a trained pipeline, with the components in it and without what
training left behind: the strings of the training texts, paths of this machine, file names.
"""

import shutil
from pathlib import Path

import typer
from wasabi import msg

PROBE = """Hej! Min son Elias Lindgren, 190504-2385, 6 år, fick feber den 3 mars. Vi bor på
Storgatan 12, 852 30 Sundsvall, och ringde vårdcentralen. Nås på 070-174 06 05 eller
anna.lindgren@example.com. MVH//Anna"""
# Not imported by the components, but bounds on them keep the pipeline working.
INDIRECT = ("torch", "transformers")

INIT = '''"""Finds personal health information in Swedish medical chat messages and replaces it."""

from pathlib import Path

from spacy.language import Language
from spacy.util import get_model_meta, load_model_from_init_py

from . import components  # noqa: F401

__version__ = get_model_meta(Path(__file__).parent)["version"]


def load(**overrides) -> Language:
    """Load the pipeline.

    **overrides: Arguments of `spacy.load`, e.g. `disable`.
    RETURNS (Language): The pipeline.
    """
    return load_model_from_init_py(__file__, **overrides)
'''

MAIN = """from . import load
from .components.cli import main

if __name__ == "__main__":
    main(load)
"""

PYPROJECT = """[build-system]
requires = ["setuptools>=70.1"]
build-backend = "setuptools.build_meta"

[project]
name = {package}
version = {version}
description = {description}
readme = "README.md"
requires-python = ">=3.10"
dependencies = {requirements}

[project.entry-points.spacy_models]
{package} = {package}

[tool.setuptools.packages.find]
include = [{include}]

[tool.setuptools.package-data]
{package} = ["meta.json", {data}]
"""


def package_pipeline(
    model_path: Path = typer.Argument(..., help="The trained pipeline", exists=True),
    output_path: Path = typer.Argument(..., help="Folder for the package"),
    name: str = typer.Option("deid_chat", help="Name, without the language"),
    version: str = typer.Option("0.1.0", help="Version"),
    requirements_path: Path = typer.Option(
        Path("requirements.txt"), help="Where the bounds of the requirements stand", exists=True
    ),
) -> None:
    requirements = get_requirements(requirements_path)
    msg.good("Requirements", ", ".join(requirements))
    nlp = load_clean(model_path)
    package = f"{nlp.lang}_{name}"
    main_path = output_path / f"{package}-{version}"
    code_path = main_path / package
    data_path = code_path / main_path.name
    if main_path.exists():
        shutil.rmtree(main_path)
    nlp.meta.update(
        name=name,
        version=version,
        description="Finds personal health information in Swedish medical chat messages and "
        "replaces it by realistic surrogates",
        requirements=requirements,
        spacy_version=requirements[0].removeprefix("spacy"),
    )
