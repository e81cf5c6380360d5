"""Measures of the parts of a pipeline: rules, lists and model alone, and all of them merged."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import srsly
from spacy.language import Language
from spacy.tokens import Doc
from wasabi import msg

from components.conversations.configuration import configured
from components.measures.evaluation import Evaluation, evaluate_docs
from components.measures.gold import Row, process_gold
from components.measures.spans import CharSpan, get_entities
from components.model.phi_ner import CAREFUL, PhiNer
from components.shared.find_pipes import find_pipe
from components.shared.labels import GAZETTEER_KEY, LABELS, PHI_KEY, RULES_KEY
from training_tools.markdown import get_state

MERGED = "merged"
SYSTEMS = {"rules": RULES_KEY, "lists": GAZETTEER_KEY, "model": PHI_KEY, MERGED: None}


def evaluate_systems(
    nlp: Language, name: str, messages: Sequence[Row], context: bool = False, lower: bool = False
) -> tuple[list[Doc], dict[str, Evaluation]]:
    """Run a pipeline on annotated messages, and measure each of its parts."""
    docs = process_gold(nlp, messages, context, lower)
    systems = {
        system: evaluate_docs(name, messages, docs, LABELS, lambda doc, key=key: get_spans(doc, key))  # type: ignore[misc]
        for system, key in SYSTEMS.items()
    }  # fmt: skip
    phi_ner = find_pipe(nlp, PhiNer)
    if phi_ner is not None and CAREFUL in phi_ner.thresholds:
        with configured(nlp, {"mode": CAREFUL}):
            careful = process_gold(nlp, messages, context, lower)
        systems[CAREFUL] = evaluate_docs(name, messages, careful)
    return docs, systems


def get_spans(doc: Doc, key: str | None) -> list[CharSpan]:
    """Give what a part of the pipeline found, by its span group."""
    if key is None:
        return get_entities(doc)
    found = [(span.start_char, span.end_char, span.label_) for span in doc.spans.get(key, ())]
    # Lists also hold what speaks against PHI, and titles; and one word may be in several.
    return [span for span in dict.fromkeys(found) if key != GAZETTEER_KEY or span[2] in LABELS]


def write_figures(
    path: Path,
    results: Mapping[str, Mapping[str, Evaluation]],
    files: Sequence[Path],
    pipeline: str | None,
    title: str = "",
) -> None:
    """Write the figures. Those of another corpus that lie there are kept: they move to a file with the
    corpus in its name (`own/b.jsonl`: `metrics/evaluation-own-b.json`), as do those of all corpora but
    the first. No checksum of the pipeline means that it was not measured as it is.
    """
    measured = {"title": title, "pipeline": pipeline, "state": get_state()}
    path.parent.mkdir(parents=True, exist_ok=True)

    def name_file(file: str) -> Path:
        name = re.sub(r"[^\w.]+", "-", str(Path(file).with_suffix(""))).strip("-.")
        return path.with_name(f"{path.stem}-{name}.json")

    kept = demand_figures(path)
    before = str(files[0]) if kept is None else kept[MERGED]["file"]
    if before != str(files[0]):
        path.replace(name_file(before))
        msg.info(f"What was measured on {before} is now in {name_file(before)}")
    for number, (corpus, file) in enumerate(zip(results, files)):
        target = name_file(str(file)) if number else path
        figures = {
            system: {**each.get_figures(), "file": str(file), **measured}
            for system, each in results[corpus].items()
        }
        srsly.write_json(target, figures)
        msg.good(f"Figures of {corpus} written", target)


def demand_figures(path: Path) -> Any:
    """RETURNS (Any): The figures that lie in a file already, None if there is no file."""
    if not path.exists():
        return None
    try:
        figures = srsly.read_json(path)
        return figures if figures[MERGED]["messages"] >= 0 else None
    except (ValueError, TypeError, KeyError):
        raise ValueError(
            f"{path} holds something else than figures of this command: name another file."
        ) from None
