"""Measure how well a pipeline tells the senses of one word or number apart: on sets of pairs and triples,
as written and in lower case, for its parts and for what comes out.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import spacy
import srsly
import typer
from spacy.language import Language
from wasabi import msg

import components  # noqa: F401
from components.conversations.configuration import configured
from components.measures.figures import write_share
from components.measures.gold import Row, process_gold
from components.measures.spans import CharSpan, get_entities
from components.model.phi_ner import CAREFUL, PhiNer
from components.shared.find_pipes import find_pipe
from components.shared.labels import PHI_KEY
from lab.measures.contrast import Group, is_right, name_sides, read_groups
from lab.workbench.evidence import SOURCES
from training_tools.binomial import get_exact_interval
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.markdown import fill_block, get_state, make_table
from training_tools.pipeline_parts import MERGED, get_spans

BASE = "rules and lists"
MODEL = "model"
ALL = "ALL"
CASINGS = {"as written": False, "lower case": True}
Found = list[list[CharSpan]]
Counts = dict[str, Any]


def contrast(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    metrics_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    set_paths: list[Path] = typer.Argument(..., help="Contrast sets, see lab/measures/contrast.py"),
    page: Path | None = typer.Option(None, help="A page to write the tables into"),
) -> None:
    with clean_errors():
        sets = {path.stem: read_groups(path) for path in set_paths}
        demand_pipeline(model_path)
    nlp = spacy.load(model_path, disable=["surrogate_generator", "doc_cleaner"])
    with clean_errors():
        figures = {name: measure(nlp, groups) for name, groups in sets.items()}
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, figures)
    tables = "\n\n".join(write_tables(name, own) for name, own in figures.items())
    print(tables)
    if page is not None:
        with clean_errors():
            fill_block(page, "contrast", f"{tables}\n\n{get_state().capitalize()}.")
        msg.good("Page written", page)


def measure(nlp: Language, groups: Sequence[Group]) -> dict[str, Any]:
    """Score each part of a pipeline on a contrast set.

    nlp (Language): The pipeline.
    groups (Sequence[Group]): The set.
    RETURNS (dict[str, Any]): The names of the `sides`, and under `counts` by casing and by system what
        `count` gives.
    """
    rows = [row for group in groups for row in group.rows]
    counts = {
        casing: {system: count(groups, found) for system, found in find(nlp, rows, lower).items()}
        for casing, lower in CASINGS.items()
    }
    return {"sides": name_sides(groups), "counts": counts}


def find(nlp: Language, rows: Sequence[Row], lower: bool) -> dict[str, Found]:
    """RETURNS (dict[str, Found]): What each part of a pipeline finds in messages."""
    with SOURCES["model"](nlp):
        found = {BASE: [get_entities(doc) for doc in process_gold(nlp, rows, lower=lower)]}
    docs = process_gold(nlp, rows, lower=lower)
    found[MODEL] = [get_spans(doc, PHI_KEY) for doc in docs]
    found[MERGED] = [get_entities(doc) for doc in docs]
    phi_ner = find_pipe(nlp, PhiNer)
    if phi_ner is not None and CAREFUL in phi_ner.thresholds:
        with configured(nlp, {"mode": CAREFUL}):
            careful = process_gold(nlp, rows, lower=lower)
        found[CAREFUL] = [get_entities(doc) for doc in careful]
    return found


def count(groups: Sequence[Group], found: Found) -> dict[str, Counts]:
    """Count what is right.

    groups (Sequence[Group]): The set.
    found (Found): What was found in each of its messages, one group after the other.
    RETURNS (dict[str, Counts]): By kind, and under `ALL`: the groups, those with all sides right, and for
        the first, second and third side how often it is right of how many.
    """
    counts: dict[str, Counts] = {
        kind: {"groups": [0, 0], "sides": [[0, 0] for _ in name_sides(groups)]}
        for kind in (ALL, *sorted({group.kind for group in groups} - {""}))
    }
    left = iter(found)
    for group in groups:
        right = [is_right(row, next(left)) for row in group.rows]
        for kind in dict.fromkeys((ALL, group.kind or ALL)):
            _add(counts[kind]["groups"], all(right))
            for pair, is_so in zip(counts[kind]["sides"], right):
                _add(pair, is_so)
    return counts


def _add(pair: list[int], is_right: bool) -> None:
    pair[0] += is_right
    pair[1] += 1


def write_tables(name: str, figures: Mapping[str, Any]) -> str:
    """Write the shares of a set: of each side, and of the groups with all sides right.

    name (str): The set.
    figures (Mapping[str, Any]): What `measure` gives.
    RETURNS (str): Markdown.
    """
    sides, counts = figures["sides"], figures["counts"]
    rows = [
        [casing, system, *_write_shares(own[ALL])]
        for casing, systems in counts.items()
        for system, own in systems.items()
    ]
    plain, lower = (counts[casing][MERGED] for casing in CASINGS)
    kinds = [
        [kind, str(own["groups"][1]), *_write_shares(own), _write_shares(lower[kind])[-1]]
        for kind, own in plain.items()
        if kind != ALL
    ]
    tables = [f"`{name}`, {plain[ALL]['groups'][1]} groups"]
    tables.append(make_table(["", "", *sides, "all"], rows))
    if kinds:
        tables.append(make_table([MERGED, "groups", *sides, "all", "all, lower case"], kinds))
    return "\n\n".join(tables)


def _write_shares(counts: Counts) -> list[str]:
    cells = [write_share(right / of if of else None) for right, of in counts["sides"]]
    right, of = counts["groups"]
    return [*cells, write_share(right / of, get_exact_interval(right, of))]


if __name__ == "__main__":
    typer.run(contrast)
