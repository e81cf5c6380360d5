"""What a gate found, for those who were not there: figures, and what they depend on. It holds nothing of any
text, and no name of a file.
"""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from spacy.language import Language

from ..measures.evaluation import Evaluation, tabulate_classes, tabulate_side_by_side
from ..measures.gate import CHECKS, Check, count_leaks, tabulate_checks
from ..model.phi_ner import PhiNer
from ..shared.find_pipes import find_pipe, get_encoder_names
from .pages import render
from .run_facts import describe_pipeline

CODE = Path(__file__).parents[1]
# The file of an encoder in its folder, and that of spacy-transformers.
WEIGHTS = ("model.safetensors", "model")


def make_evidence(
    nlp: Language,
    evaluation: Evaluation,
    checks: Sequence[Check],
    gold_path: Path,
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """Put together what a gate found.

    nlp (Language): The pipeline, as it was loaded from disk and set up.
    settings (Mapping[str, Any]): What was set, but for the threshold and its mode.
    """
    model = find_pipe(nlp, PhiNer)
    about = describe_pipeline(nlp)
    figures = evaluation.get_figures()
    # It is the name of a file.
    del figures["corpus"]
    return {
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "passed": all(check.passed for check in checks),
        "checks": [{**check._asdict(), "passed": check.passed} for check in checks],
        "leaks": count_leaks(evaluation),
        "figures": figures,
        "settings": {
            **settings,
            "threshold": about["threshold"],
            "mode": model.mode if model else None,
        },
        "versions": about["versions"],
        "digests": {
            **digest_pipeline(nlp),
            "messages": digest_file(gold_path),
        },
    }


def digest_pipeline(nlp: Language) -> dict[str, str]:
    """RETURNS (dict[str, str]): Digests of a pipeline on disk, its code, and the weights of its encoder."""
    digests = {"pipeline": digest_folder(nlp.path), "code": digest_folder(CODE)}
    paths = (nlp.path / name / file for name in get_encoder_names(nlp) for file in WEIGHTS)
    for path in filter(Path.is_file, paths):
        digests["weights"] = digest_file(path)
    return digests


def digest_file(path: Path) -> str:
    """RETURNS (str): The SHA-256 digest of a file, as `sha256sum` gives it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def digest_folder(folder: Path) -> str:
    """RETURNS (str): A digest of the names and contents of all files of a folder but Python's caches."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    files = sorted(path.relative_to(folder).as_posix() for path in found)
    lines = (f"{digest_file(folder / file)}  ./{file}\n" for file in files)
    return hashlib.sha256("".join(lines).encode("utf8")).hexdigest()


def write_markdown(
    evidence: Mapping[str, Any], evaluation: Evaluation, checks: Sequence[Check]
) -> str:
    """RETURNS (str): The evidence for people."""
    return render(
        "evidence.md",
        evidence=evidence,
        verdict=write_verdict(evidence["passed"]),
        head=CHECKS,
        checks=tabulate_checks(checks),
        measures=tabulate_side_by_side([evaluation]),
        classes=tabulate_classes(evaluation),
    )


def write_verdict(passed: bool) -> str:
    return "All limits are kept." if passed else "NOT all limits are kept."


def write_junit(evidence: Mapping[str, Any], checks: Sequence[Check], seconds: float) -> bytes:
    """RETURNS (bytes): JUnit XML, a test case for each limit."""
    return render("junit.xml", evidence=evidence, checks=checks, seconds=seconds).encode("utf8")
