"""Attack what a pipeline truly misses in annotated messages: a tagger that learns from the output alone is
to tell leaks from surrogates. Needs a trained pipeline; the figures hold nothing of a message.

    python -m lab.scripts.parrot training/small/model-tuned messages.jsonl more.jsonl
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import spacy
import typer
from wasabi import msg, table

import components  # noqa: F401
from components.lists.lists import read_lists
from components.measures.figures import NOTHING, write_share
from components.measures.gold import Row, read_gold
from components.surrogates.surrogate_generator import KEY_VARIABLE
from lab.attack.missed import list_items, write_outputs
from lab.attack.parrot import BLIND, CHOOSING, FOLDS, SEEING, attack
from lab.attack.talks import use_key
from lab.attack.telling import tell_leaks
from lab.measures.marks import SHARES, measure_marks
from lab.measures.replacing import KEY
from lab.places import METRICS
from lab.surrogate_checks.known import Known
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.markdown import demand_clean, fill_block, make_table
from training_tools.report.folder import write_outcome
from training_tools.report.outcome import Outcome, Table, describe_rows

BLOCK = "parrot"
# Carrell et al. 2019 (ocz114): 211 of 310 leaks, 191 surrogates; 2020 (ocaa095): means of four readers.
PUBLISHED = (
    ("published: parrot", "310", ".681", ".525"),
    ("published: four human readers", NOTHING, ".268", ".372"),
)
PAPER = (
    "Carrell et al. found 211 of 310 leaks with a parrot, beside 191 surrogates (2019, doi:10.1093/jamia/ocz114); "
    "four readers found .268, of what they marked .372 were leaks (2020, doi:10.1093/jamia/ocaa095). "
    "Precision depends on how many leaks there are for each surrogate: only recall can be compared."
)


def parrot(
    model: Annotated[Path, typer.Argument(help="The trained pipeline")],
    messages: Annotated[list[Path], typer.Argument(help="Annotated messages, JSONL")],
    metrics: Annotated[Path, typer.Option(help="Folder of the figures")] = METRICS,
    lists: Annotated[Path, typer.Option(help="Word lists")] = Path("assets/lists"),
    folds: Annotated[
        int, typer.Option(min=2, help="Parts of the output; each is attacked by the others")
    ] = FOLDS,
    page: Annotated[Path | None, typer.Option(help="A page to write the table into")] = None,
    seed: Annotated[int, typer.Option(help="Of the samples that the intervals come from")] = 0,
) -> None:
    """Attack what a pipeline misses."""
    with clean_errors():
        demand_pipeline(model)
        corpora = [_read(path) for path in messages]
        known = Known(read_lists(str(lists)))
        if page is not None:
            demand_clean(page)
    rows = [row for own in corpora for row in own]
    with use_key(os.environ.get(KEY_VARIABLE, KEY)), clean_errors():
        outputs = write_outputs(spacy.load(model), rows)
    if not any(output.leaks for output in outputs):
        msg.warn(
            "Not attacked.", "Nothing was missed in these messages: give more, or harder ones."
        )
        return
    attacks = {name: measure_marks(own, seed) for name, own in attack(outputs, folds).items()}
    figures = {
        "attacks": attacks,
        "traits": tell_leaks([list_items(outputs)], known, seed=seed)["all"],
        "folds": folds,
    }
    outcome = make_outcome(figures, "; ".join(map(describe_rows, messages, corpora)))
    for part in outcome.tables:
        msg.divider(part.title)
        print(table(part.rows, header=part.head, divider=True))
    msg.good(outcome.says, write_outcome(outcome, metrics))
    if page is not None:
        with clean_errors():
            fill_block(page, BLOCK, write_page(outcome))
        msg.good("Page written", page)


def _read(path: Path) -> list[Row]:
    """Two files may call their conversations the same."""
    rows = read_gold(path)
    return [
        {**row, "conversation": f"{path.stem} {row['conversation']}"}
        if row.get("conversation")
        else row
        for row in rows
    ]


def make_outcome(figures: Mapping[str, Any], data: str) -> Outcome:
    """Make the outcome.

    figures (Mapping[str, Any]): `attacks` by attacker, `traits`, `folds`.
    data (str): What it was measured on.
    RETURNS (Outcome): The outcome.
    """
    attacks = figures["attacks"]
    rows = [
        [f"a parrot that {name}", str(each["leaks"]), *_write(each), str(each["marks"])]
        for name, each in attacks.items()
    ]
    traits = figures["traits"]
    if traits["auc"] is not None:
        share = write_share(traits["precision"])
        cells = [str(traits["leaks"]), share, share, write_share(traits["base"])]
        rows.append(
            ["one who chooses as many by rarity, number series and the like", *cells, cells[0]]
        )
    rows += [[*row, NOTHING, NOTHING] for row in PUBLISHED]
    classes = [
        [
            label,
            str(count["leaks"]),
            *(str(each["classes"][label]["told"]) for each in attacks.values()),
        ]
        for label, count in attacks[BLIND]["classes"].items()
    ]
    head = ["attacker", "leaks", "recall", "precision", "precision by chance", "marked"]
    by_class = ["class of the leak", "leaks", "not tagged", "least sure", "replaced is seen"]
    return Outcome(
        name="parrot",
        title="Can a program that has only the output tell what was missed?",
        says=describe(figures),
        figures=dict(figures),
        tables=[
            Table("Leaks told (95 % intervals)", head, rows),
            Table("By class", by_class, classes),
        ],
        paper=PAPER,
        reader="manager",
        data=data,
    )


def describe(figures: Mapping[str, Any]) -> str:
    """Say what came out.

    figures (Mapping[str, Any]): As above.
    RETURNS (str): Three sentences.
    """
    (blind, right, base), (chosen, *_), (seen, seen_right, _) = (
        _write(figures["attacks"][name]) for name in (BLIND, CHOOSING, SEEING)
    )
    text = (
        f"Of {figures['attacks'][BLIND]['leaks']} entities that were truly missed and should have been changed, "
        f"a parrot that learns from the output leaves {blind} untagged; of all that it leaves so "
        f"{right} was missed (by chance {base}). Of as many as there are leaks, those it is least sure "
        f"of, {chosen} are. Where it is seen what was replaced, as with labels in place of surrogates, what is "
        f"tagged beside it holds {seen} of the leaks, and {seen_right} of it is one."
    )
    traits = figures["traits"]
    if traits["auc"] is None:
        return text
    return (
        f"{text} By rarity and the like a leak looks more like one than a surrogate of its "
        f"class in {write_share(traits['auc'], traits['interval'])} of pairs (.5: it hides)."
    )


def _write(each: Mapping[str, Any]) -> list[str]:
    shares = [write_share(each[name], each["intervals"].get(name)) for name in SHARES]
    return [*shares, write_share(each["base"])]


def write_page(outcome: Outcome) -> str:
    """Write the outcome as a block of a page.

    outcome (Outcome): The outcome.
    RETURNS (str): Markdown.
    """
    tables = [make_table(part.head, part.rows) for part in outcome.tables]
    return "\n\n".join([outcome.says, *tables, f"{outcome.measured}."])


if __name__ == "__main__":
    typer.run(parrot)
