"""Measure whether the information of some people is left more often than that of others: of names by origin and
gender, of all classes by kind of writer.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import spacy
import srsly
import typer
from wasabi import msg, table

import components  # noqa: F401
from components.lists.lists import read_lists
from components.measures.evaluation import name_corpora
from components.measures.gold import process_gold, read_gold
from components.measures.spans import get_entities
from lab.measures.fairness import (
    LEAST,
    Entity,
    Gap,
    Group,
    NameGroups,
    find_worst,
    measure,
    pool_origins,
    read_entities,
)
from lab.places import METRICS
from lab.workbench.scored import Share, write_cells, write_gain
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.markdown import demand_clean, fill_block, get_state, make_table

HEAD = ("", "group", "entities", "redact", "points from the mean")
# A group further below the mean is one too many.
GOAL = 0.01


def fairness(
    model_path: Annotated[Path, typer.Argument(help="The trained pipeline")],
    data_paths: Annotated[
        list[Path], typer.Argument(help="Annotated messages, JSONL; all are pooled")
    ],
    metrics: Annotated[Path, typer.Option(help="Where to write the figures, JSON")] = METRICS
    / "fairness.json",
    page: Annotated[Path | None, typer.Option(help="A page to write the tables into")] = None,
    lists: Annotated[Path, typer.Option(help="Word lists")] = Path("assets/lists"),
) -> None:
    with clean_errors():
        corpora = {
            name: read_gold(path) for name, path in zip(name_corpora(data_paths), data_paths)
        }
        demand_pipeline(model_path)
        names = NameGroups(read_lists(str(lists)))
        if page is not None:
            demand_clean(page)
    nlp = spacy.load(model_path, disable=["surrogate_generator"])
    with clean_errors():
        found = {
            name: [get_entities(doc) for doc in process_gold(nlp, rows)]
            for name, rows in corpora.items()
        }
    parts = compare(read_entities(corpora, found, names))
    for title, (share, gaps) in parts.items():
        msg.divider(title)
        print(table(tabulate(gaps), header=HEAD, divider=True))
        msg.text(tell(title, share, gaps))
    sizes = {name: len(rows) for name, rows in corpora.items()}
    metrics.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics, {"messages": sizes, "state": get_state(), **get_figures(parts)})
    msg.good("Figures written", metrics)
    if page is not None:
        with clean_errors():
            fill_block(page, "fairness", write_page(parts, sizes))
        msg.good("Page written", page)


Parts = dict[str, tuple[Share, list[Gap]]]
"""By what was compared: the share of all, and the groups."""


def compare(entities: Sequence[Entity]) -> Parts:
    """Compare names, and writers."""
    people = [entity for entity in entities if entity.label == "PERSON"]
    writers = [entity.writers for entity in entities]
    compared: dict[str, tuple[Sequence[Entity], Sequence[Sequence[Group]]]] = {
        "PERSON, by name": (people, pool_origins([person.groups for person in people])),
        "All classes, by writer": (entities, writers),
    }
    parts = {}
    for title, (own, groups) in compared.items():
        if own:
            units, redacted = zip(*((entity.unit, entity.redacted) for entity in own))
            parts[title] = measure(units, redacted, groups)
    return parts


def tabulate(gaps: Sequence[Gap]) -> list[list[str]]:
    """RETURNS (list[list[str]]): A row for each group, the worst of each kind first."""
    kinds = list(dict.fromkeys(gap.group[0] for gap in gaps))
    ordered = sorted(gaps, key=lambda gap: (kinds.index(gap.group[0]), gap.gap.value))
    return [
        [*gap.group, f"{gap.entities:,}", *write_cells({"": gap.redact}, [""]), write_gain(gap.gap)]
        for gap in ordered
    ]


def tell(title: str, share: Share, gaps: Sequence[Gap]) -> str:
    """Say which group is furthest below the mean, and which are too far."""
    (mean,) = write_cells({"": share}, [""])
    says = f"{title}: redact {mean}. "
    worst = find_worst(gaps)
    if worst is None:
        return f"{says}No group is below the mean."
    chance = "" if worst.gap.is_sure else ", which may be chance"
    says += f"Furthest below is {_name(worst)}: {write_gain(worst.gap)} points{chance}. "
    far = [_name(gap) for gap in gaps if gap.gap.value < -GOAL and gap.gap.high < 0]
    says += f"More than a point below, and surely below: {'; '.join(far) or 'none'}. "
    return f"{says}By chance alone one group in forty seems surely below."


def _name(gap: Gap) -> str:
    return ": ".join(gap.group)


def get_figures(parts: Parts) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): All figures, from 0 to 1."""
    return {
        title: {
            "redact": share._asdict(),
            "worst": _name(worst) if (worst := find_worst(gaps)) else None,
            "groups": [
                {"kind": kind, "group": name, "entities": entities}
                | {"redact": redact._asdict(), "gap": gap._asdict()}
                for (kind, name), entities, redact, gap in gaps
            ],
        }
        for title, (share, gaps) in parts.items()
    }


def write_page(parts: Parts, sizes: dict[str, int]) -> str:
    """Write the tables as Markdown."""
    sets = ", ".join(f"{name} ({size:,})" for name, size in sizes.items())
    blocks = [
        f"Messages: {sets}; {get_state()}. Groups of {LEAST} entities and more. In brackets: 95 % intervals."
    ]
    for title, (share, gaps) in parts.items():
        blocks += [tell(title, share, gaps), make_table(HEAD, tabulate(gaps))]
    return "\n\n".join(blocks)


if __name__ == "__main__":
    typer.run(fairness)
