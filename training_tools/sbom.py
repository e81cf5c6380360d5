"""The bill of materials of a wheel: what it is made of and what it needs (CycloneDX, ECMA-424)."""

import re
from collections.abc import Sequence
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import srsly
from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import License
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

# How the names of the files end that hold weights, and of those that the word lists were written into.
WEIGHTS = ("/model.safetensors", "/model")
FILLED = ("/gazetteer_matcher/entries.msgpack", "/surrogate_generator/lists.msgpack")
# The licence of what names none itself.
IN_NOTICE = "see NOTICE"


def make_bill(
    wheel_path: Path, encoder: str = "", lists: str = "", extras: Sequence[str] = ()
) -> str:
    """Make the bill of a wheel: itself, its weights, its word lists, and all that it requires, in the
    versions that are installed here. The card of the encoder and the heads of the lists name licences.
    """
    name, version, *_ = parse_wheel_filename(wheel_path.name)
    bill = Bom()
    root = Component(
        name=name,
        version=str(version),
        type=ComponentType.APPLICATION,
        hashes=[_hash(wheel_path.read_bytes())],
        purl=PackageURL("pypi", name=name, version=str(version)),
        bom_ref=name,
    )
    bill.metadata.component = root
    list_paths = sorted(Path(lists).glob("*.tsv")) if lists else []
    licences = {path: read_list_licence(path) for path in list_paths}
    sources = [
        _make_part(path.name, ComponentType.DATA, path.read_bytes(), licence)
        for path, licence in licences.items()
    ]
    card_licence = read_card_licence(Path(encoder, "README.md"))
    files: list[Component] = []
    with ZipFile(wheel_path) as wheel:
        metadata = next(n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
        lines = wheel.read(metadata).decode("utf8").splitlines()
        for file in sorted(wheel.namelist()):
            if file.endswith(WEIGHTS):
                kind = ComponentType.MACHINE_LEARNING_MODEL
                files.append(_make_part(file, kind, wheel.read(file), card_licence))
            elif file.endswith(FILLED):
                own = sorted({*licences.values()}) or [IN_NOTICE]
                files.append(_make_part(file, ComponentType.DATA, wheel.read(file), *own))
                bill.register_dependency(files[-1], sources)
    parts: dict[str, Component] = {}
    required = [line.split(":", 1)[1] for line in lines if line.startswith("Requires-Dist:")]
    needed = _add(required, ["", *extras], parts, bill)
    bill.components.update([*files, *sources, *parts.values()])
    bill.register_dependency(root, [*files, *needed])
    return JsonV1Dot6(bill).output_as_string(indent=2) + "\n"


def read_card_licence(path: Path) -> str:
    """Read the licence in the header of the card of an encoder."""
    text = path.read_text(encoding="utf8") if path.is_file() else ""
    header = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    values = srsly.yaml_loads(header[1]) if header else {}
    return str(values.get("license") or IN_NOTICE)


def read_list_licence(path: Path) -> str:
    """Read the licence in the head of a word list."""
    lines = path.read_text(encoding="utf8").splitlines()
    head = " ".join(line for line in lines if line.startswith("#"))
    return "CC0-1.0" if "CC0 1.0" in head else IN_NOTICE


def read_package_licence(package: Distribution) -> str:
    """Read the licence that a package names in its metadata."""
    metadata: Any = package.metadata
    named = metadata.get("License-Expression") or metadata.get("License") or ""
    # Some have the whole text in this field.
    if named and "\n" not in named.strip():
        return named.strip()
    classifiers = metadata.get_all("Classifier") or []
    licences = (line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License ::"))
    return next(licences, "")


def _make_part(name: str, kind: ComponentType, data: bytes, *licences: str) -> Component:
    return Component(
        name=name, type=kind, hashes=[_hash(data)], licenses=_make_licences(*licences), bom_ref=name
    )


def _make_licences(*texts: str) -> list[License]:
    return [LicenseFactory().make_from_string(text) for text in texts if text]


def _hash(data: bytes) -> HashType:
    return HashType(alg=HashAlgorithm.SHA_256, content=sha256(data).hexdigest())


def _add(
    requirements: Sequence[str], extras: Sequence[str], parts: dict[str, Component], bill: Bom
) -> list[Component]:
    """Add what is required, and what that requires, as far as it is installed here."""
    direct = []
    for requirement in map(Requirement, requirements):
        marker = requirement.marker
        if marker and not any(marker.evaluate({"extra": extra}) for extra in extras):
            continue
        name = canonicalize_name(requirement.name)
        if name not in parts:
            try:
                found = distribution(name)
            except PackageNotFoundError:
                continue
            parts[name] = Component(
                name=name,
                version=found.version,
                licenses=_make_licences(read_package_licence(found)),
                purl=PackageURL("pypi", name=name, version=found.version),
                bom_ref=name,
            )
            bill.register_dependency(parts[name], _add(found.requires or [], [""], parts, bill))
        direct.append(parts[name])
    return direct
