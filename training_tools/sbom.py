"""The bill of materials of a wheel: what it is made of and what it needs (CycloneDX, ECMA-424)."""

from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from zipfile import ZipFile

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

WEIGHTS = "model.safetensors"


def make_bill(wheel_path: Path) -> str:
    """Make the bill of a wheel: itself, its weights, and all that it requires, in the versions that
    are installed here, which are those that it was tested with.

    wheel_path (Path): The wheel.
    RETURNS (str): The bill, JSON.
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
    parts: dict[str, Component] = {}
    with ZipFile(wheel_path) as wheel:
        metadata = next(n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
        lines = wheel.read(metadata).decode("utf8").splitlines()
        for file in wheel.namelist():
            if file.endswith(WEIGHTS):
                parts[file] = Component(
                    name=file,
                    type=ComponentType.MACHINE_LEARNING_MODEL,
                    hashes=[_hash(wheel.read(file))],
                    bom_ref=file,
                )
    weights = [*parts.values()]
    required = [line.split(":", 1)[1] for line in lines if line.startswith("Requires-Dist:")]
    needed = _add(required, parts, bill)
    bill.components.update(parts.values())
    bill.register_dependency(root, [*weights, *needed])
    return JsonV1Dot6(bill).output_as_string(indent=2) + "\n"


def _hash(data: bytes) -> HashType:
    return HashType(alg=HashAlgorithm.SHA_256, content=sha256(data).hexdigest())


def _add(requirements: list[str], parts: dict[str, Component], bill: Bom) -> list[Component]:
    """Add what is required, and what that requires, as far as it is installed: what is not is for
    other platforms or extras.
    """
    direct = []
    for requirement in map(Requirement, requirements):
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
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
                purl=PackageURL("pypi", name=name, version=found.version),
                bom_ref=name,
            )
            bill.register_dependency(parts[name], _add(found.requires or [], parts, bill))
        direct.append(parts[name])
    return direct
