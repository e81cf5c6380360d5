"""How do the systems of the papers compare with the project's own?"""

from pathlib import Path
from typing import Annotated

import typer
from wasabi import msg

from lab.systems.measuring import Comparison
from lab.systems.roster import FULL, QUICK, get_names, make_roster
from lab.systems.telling import Standing, make_outcome
from lab.workbench.bench import Bench
from lab.workbench.experiments import write_markdown
from lab.workbench.options import with_bench
from training_tools.report.folder import write_outcome


@with_bench
def compare(
    bench: Bench,
    systems: Annotated[str, typer.Option(help="Only these, comma-separated; empty for all")] = "",
    ours: Annotated[
        Path | None, typer.Option(help="A trained pipeline, in place of training one")
    ] = None,
    kb_bert: Annotated[
        str, typer.Option(help="Folder of KB-BERT's weights, if they were not fetched")
    ] = "",
    threads: Annotated[int, typer.Option(min=1, help="CPU threads while they learn")] = 1,
) -> None:
    """Let all learn from the same messages, and measure them on the same. What a system has learnt is
    kept, and what was measured of it: a comparison that was interrupted goes on.
    """
    amount = QUICK if bench.quick else FULL
    roster = make_roster(bench, amount, trained=ours, kb_bert=kb_bert)
    names = get_names(systems, roster)
    there = [name for name in names if roster[name].is_there]
    for name in names:
        if name not in there:
            msg.warn(f"{roster[name].title}: not measured, its weights are not there")
    runs = Comparison(bench, roster, amount.rounds, threads).run(there)
    standings = {name: Standing(roster[name], runs.get(name, ())) for name in names}
    outcome = make_outcome(bench, standings)
    typer.echo(write_markdown(outcome))
    msg.good("Comparison written", write_outcome(outcome, bench.metrics))


if __name__ == "__main__":
    typer.run(compare)
