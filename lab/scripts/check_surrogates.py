"""Check the surrogates of annotated messages for what would give them away to a reader. No trained
pipeline is needed: the annotated spans are replaced.

    python -m lab.scripts.check_surrogates messages.jsonl metrics/surrogate_checks.json --cases

What is wrong where is shown by `--cases` only, as it holds PHI. The figures hold counts.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import srsly
import typer
from wasabi import msg, table

from components.lists.lists import read_lists
from components.measures.gold import read_messages
from components.surrogates.surrogate_generator import KEY_VARIABLE
from lab.measures.replacing import KEY, make_replacing_language, replace_gold
from lab.surrogate_checks import CHECKS, Check, Known, add, make_talks, run_checks
from training_tools.errors import clean_errors


def check_surrogates(
    messages: Annotated[Path, typer.Argument(help="Annotated messages, JSONL")],
    metrics: Annotated[Path, typer.Argument(help="Where to write the counts, JSON")],
    lists: Annotated[Path, typer.Option(help="Word lists")] = Path("assets/lists"),
    keys: Annotated[int, typer.Option(help="Do it under so many keys, and sum", min=1)] = 1,
    cases: Annotated[bool, typer.Option(help="Print what is wrong where, which is PHI")] = False,
) -> None:
    """Check surrogates for what would give them away."""
    key = os.environ.setdefault(KEY_VARIABLE, KEY)
    with clean_errors():
        rows = read_messages(messages)
        rows_of_lists = read_lists(str(lists))
        known = Known(rows_of_lists)
        found = []
        for number in range(keys):
            os.environ[KEY_VARIABLE] = f"{key} {number}" if number else key
            docs = replace_gold(make_replacing_language(rows_of_lists), rows)
            found.append(run_checks(make_talks(rows, docs), known))
    checks = {name: add(one[name] for one in found) for name in CHECKS}
    print_checks(checks, cases)
    metrics.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics, get_counts(checks))
    msg.good("Counts written", metrics)


def get_counts(checks: Mapping[str, Check]) -> dict[str, dict[str, int]]:
    """Leave out the cases.

    checks (Mapping[str, Check]): The checks.
    RETURNS (dict[str, dict[str, int]]): How often each was `checked` and `failed`.
    """
    return {
        name: {"checked": check.checked, "failed": check.failed} for name, check in checks.items()
    }


def print_checks(checks: Mapping[str, Check], cases: bool = False) -> None:
    """Print the counts.

    checks (Mapping[str, Check]): The checks.
    cases (bool): Whether to print what is wrong where.
    """
    msg.divider("What gives surrogates away")
    rows = [
        (
            name,
            check.checked,
            check.failed,
            f"{check.failed / check.checked:.3f}" if check.checked else "–",
        )
        for name, check in checks.items()
    ]
    print(table(rows, header=("", "checked", "failed", "share"), divider=True))
    for name, check in checks.items():
        if cases and check.cases:
            msg.divider(f"{name} (PHI)")
            for case in check.cases:
                print(f"{case.message}: {case.original!r} > {case.surrogate!r}: {case.why}")


if __name__ == "__main__":
    typer.run(check_surrogates)
