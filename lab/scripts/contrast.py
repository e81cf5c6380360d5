"""Measure how well a pipeline tells the senses of one word or number apart: on sets of pairs and triples,
as written and in lower case, for its parts and for what comes out.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import spacy
import srsly
import typer
from spacy.language import Language
from wasabi import msg

import components  # noqa: F401
from components.find_pipes import find_pipe
from components.labels import PHI_KEY
from components.measures.figures import NOTHING, write_share
from components.measures.gold import Row, process_gold
from components.measures.spans import CharSpan, get_entities
from components.messages.configuration import configured
from components.model.threshold import CAREFUL
from components.pipes.phi_ner import PhiNer
from lab.measures.contrast import Group, is_right, read_groups
from lab.workbench.evidence import SOURCES
from training_tools.binomial import get_exact_interval
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.markdown import fill_block, get_state, make_table
from training_tools.pipeline_parts import MERGED, get_spans

BASE = "rules and lists"
MODEL = "model"
CASINGS = {"as written": False, "lower case": True}
Found = list[list[CharSpan]]
Figures = dict[str, dict[str, dict[str, Any]]]
"""The counts of a set by casing and by system."""


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


def measure(nlp: Language, groups: Sequence[Group]) -> Figures:
    """Score each part of a pipeline on a contrast set.

    nlp (Language): The pipeline.
    groups (Sequence[Group]): The set.
    RETURNS (Figures): The counts.
    """
    rows = [row for group in groups for row in group.rows]
    return {
        casing: {system: count(groups, found) for system, found in find(nlp, rows, lower).items()}
        for casing, lower in CASINGS.items()
    }


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


def count(groups: Sequence[Group], found: Found) -> dict[str, Any]:
    """Count what is right.

    groups (Sequence[Group]): The set.
    found (Found): What was found in each of its messages, one group after the other.
    RETURNS (dict[str, Any]): The groups, those with `all` sides right, by name of a side how often it
        is `right` of how many `sides`; and under `kinds` the same for each kind.
    """
    counts: dict[str, dict[str, Counter[str]]] = {}
    left = iter(found)
    for group in groups:
        sides = [is_right(row, next(left)) for row in group.rows]
        for kind in dict.fromkeys(("", group.kind)):
            own = counts.setdefault(kind, {"": Counter(), "right": Counter(), "sides": Counter()})
            own[""].update(groups=1, all=all(sides))
            for name, right in zip(group.name_sides(), sides):
                own["sides"][name] += 1
                own["right"][name] += right
    written = {
        kind: {**own[""], "right": dict(own["right"]), "sides": dict(own["sides"])}
        for kind, own in counts.items()
    }
    return {**written.pop(""), "kinds": written}


def write_tables(name: str, figures: Figures) -> str:
    """Write the shares of a set: of each side, and of the groups with all sides right.

    name (str): The set.
    figures (Figures): What `measure` counted.
    RETURNS (str): Markdown.
    """
    written = figures["as written"][MERGED]
    sides = [*written["sides"]]
    rows = [
        [casing, system, *_share_sides(own, sides), _share_groups(own)]
        for casing, systems in figures.items()
        for system, own in systems.items()
    ]
    tables = [f"`{name}`, {written['groups']} groups", make_table(["", "", *sides, "all"], rows)]
    kinds = written["kinds"]
    if kinds:
        lower = figures["lower case"][MERGED]["kinds"]
        head = ["merged", "groups", *sides, "all", "all, lower case"]
        rows = [
            [kind, str(own["groups"]), *_share_sides(own, sides)]
            + [_share_groups(own), _share_groups(lower[kind])]
            for kind, own in kinds.items()
        ]
        tables.append(make_table(head, rows))
    return "\n\n".join(tables)


def _share_sides(counts: Mapping[str, Any], sides: Sequence[str]) -> list[str]:
    return [
        write_share(counts["right"][side] / counts["sides"][side])
        if side in counts["sides"]
        else NOTHING
        for side in sides
    ]


def _share_groups(counts: Mapping[str, Any]) -> str:
    right, groups = counts["all"], counts["groups"]
    return write_share(right / groups, get_exact_interval(right, groups))


if __name__ == "__main__":
    typer.run(contrast)
