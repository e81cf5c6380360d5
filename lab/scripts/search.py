"""Search for the settings of the training with which the dev set is scored best."""

from collections.abc import Sequence
from itertools import accumulate
from shlex import quote
from typing import Annotated, Any

import typer
from optuna.trial import FrozenTrial, TrialState

from components.measures.figures import write_share
from lab.workbench.bench import Bench
from lab.workbench.options import with_bench
from lab.workbench.random_search import FINAL, NAME, Space, get_counts, get_score, run_search
from lab.workbench.telling import get_figures, make_tables
from lab.workbench.training import write_overrides
from training_tools.report.outcome import Outcome, Plot, Table
from training_tools.report.plots import Line, draw_lines

TRIALS, QUICK_TRIALS = 20, 4
OWN = "the config"


@with_bench
def search(
    bench: Bench,
    trials: Annotated[
        int | None, typer.Option(min=2, help=f"How many trainings; default {TRIALS}")
    ] = None,
) -> None:
    """Draw learning rate, dropout, epochs, batch size and warm-up at random, train, and end what
    does worse than half of those before. It begins with the settings of the config, and goes on
    where it was.
    """
    space = Space.from_bench(bench)
    study = run_search(bench, space, trials or (QUICK_TRIALS if bench.quick else TRIALS))
    done = study.get_trials(states=FINAL)
    complete = [trial for trial in done if trial.state == TrialState.COMPLETE]
    best, own = max(complete, key=get_score), done[0]
    # They were chosen by the dev set alone.
    tested = {"the best": best, OWN: own}
    results = {name: {"counts": get_counts(trial), "runs": []} for name, trial in tested.items()}
    overrides = space.make_overrides(best.params, bench.recipe.config)
    pasted = write_overrides(overrides)
    outcome = Outcome(
        name=NAME,
        title="Which settings of the training are best?",
        says=tell(done, best, own),
        figures={
            "best": {"score": get_score(best), "settings": best.params, "overrides": overrides},
            "environment": {"SPACY_CONFIG_OVERRIDES": pasted},
            "tests": get_figures(results),
            "trials": [describe(trial) for trial in done],
        },
        tables=[
            make_table(done),
            *make_tables(results, base=OWN),
            Table(
                "The best as values of the config",
                ["name", "value"],
                [[f"`{name}`", f"{value:g}"] for name, value in overrides.items()],
            ),
        ],
        plots=make_plots(done),
        paper=(
            "Arvidsson and Gerle 2022, 5.1.1, trained KB-BERT 81 times in 22 hours: best were a "
            "learning rate of 5.44e-5, dropout .323, 4 epochs, batches of 32, 497 steps of "
            "warm-up. What differs: they chose by the loss on the validation part, without "
            "pruning; for another encoder the range of the learning rate is moved, so that their "
            "best is where the config is."
        ),
    )
    bench.publish(outcome)
    typer.echo(f"\nexport SPACY_CONFIG_OVERRIDES={quote(pasted)}")


def describe(trial: FrozenTrial) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): The settings of a trial, how it ended, and its scores on the
    way.
    """
    return {
        "trial": trial.number,
        "settings": trial.params,
        "state": trial.state.name.lower(),
        "scores": list(trial.intermediate_values.values()),
    }


def make_table(trials: Sequence[FrozenTrial]) -> Table:
    """Make the table of the trials.

    trials (Sequence[FrozenTrial]): The trials.
    RETURNS (Table): A row for each, the best first.
    """
    names = list(trials[0].params)
    rows = [
        [
            str(trial.number),
            *(f"{trial.params[name]:.3g}" for name in names),
            write_share(get_score(trial)),
            "" if trial.state == TrialState.COMPLETE else f"after {len(trial.intermediate_values)}",
        ]
        for trial in sorted(trials, key=get_score, reverse=True)
    ]
    head = ["trial", *names, "score on the dev set", "pruned"]
    return Table("The trials; the first is the config as it is", head, rows)


def make_plots(trials: Sequence[FrozenTrial]) -> list[Plot]:
    """Draw the course of the search, and the score by learning rate.

    trials (Sequence[FrozenTrial]): The trials, in their order.
    RETURNS (list[Plot]): The plots.
    """
    places = range(1, len(trials) + 1)
    scores = [get_score(trial) for trial in trials]
    course = {
        "each": Line(places, scores),
        "best so far": Line(places, list(accumulate(scores, max))),
    }
    rates = sorted((trial.params["learning rate"], get_score(trial)) for trial in trials)
    by_rate = {"each": Line(*zip(*rates))}
    label = "learning rate of the encoder"
    return [
        Plot(
            "Score on the dev set, trial by trial",
            draw_lines(course, "trial", "score", xticks=places),
        ),
        Plot(f"Score by {label}", draw_lines(by_rate, label, "score", xscale="log")),
    ]


def tell(trials: Sequence[FrozenTrial], best: FrozenTrial, own: FrozenTrial) -> str:
    """Say what came out.

    trials (Sequence[FrozenTrial]): The trials.
    best (FrozenTrial): The best of them.
    own (FrozenTrial): That with the settings of the config.
    RETURNS (str): Two sentences.
    """
    settings = ", ".join(f"{name} {value:.3g}" for name, value in best.params.items())
    pruned = sum(trial.state == TrialState.PRUNED for trial in trials)
    which = "the config as it is" if best.number == own.number else settings
    return (
        f"Best of {len(trials)} trainings, {pruned} of them ended early, was {which}, with a "
        f"score of {get_score(best):.3f} on the dev set (mean of F1 and recall of the model). The "
        f"settings of the config have {get_score(own):.3f}; one seed each, so that small "
        "differences are chance."
    )


if __name__ == "__main__":
    typer.run(search)
