"""Which systems are compared, and how much each of them may learn."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from spacy.util import load_config

from components.text import tokenizer
from lab.systems import base, crf, ensemble, linear_chain, lstm, spacy_cnn, thesis_rules
from lab.systems.base import System
from lab.systems.pipeline import Pipeline
from lab.workbench.bench import Bench
from lab.workbench.cells import digest
from scripts.check_encoder import is_local

KB_CONFIG = Path("configs/kb_bert.cfg")
OURS, ENSEMBLE, KB_BERT = "pipeline", "ensemble", "kb-bert"
# Those that see different things: features, letters, convolutions, a pretrained encoder.
MEMBERS = ("crf", "lstm-crf", "spacy-cnn", OURS)


@dataclass(frozen=True)
class Amount:
    """How much those systems learn that are not the project's.

    iterations (int): Of the conditional random field.
    lstm_epochs (int), cnn_epochs (int): How often the networks read all messages, at most.
    lstm_batch (int): How many messages an LSTM learns from at a time.
    kb_steps (int): Steps over KB-BERT, with 32 messages each.
    rounds (int): How often finding is timed.
    """

    iterations: int
    lstm_epochs: int
    lstm_batch: int
    cnn_epochs: int
    kb_steps: int
    rounds: int


QUICK = Amount(60, 12, 16, 6, 60, 1)
# Iterations of García-Pablos et al., epochs and batch of Berg and Dalianis, epochs of Sánchez, steps of
# the config.
FULL = Amount(100, 20, 64, 20, 1130, 3)


@dataclass(frozen=True)
class Entry:
    """A system of the comparison.

    title (str): What tables call it.
    short (str): What plots call it.
    make (Callable[[], System] | None): Makes it; None for the one that is made of others.
    hangs_on (Mapping[str, Any]): What it learns depends on, beside the messages.
    is_there (bool): Whether all is there that it needs.
    """

    title: str
    short: str
    make: Callable[[], System] | None
    hangs_on: Mapping[str, Any]
    is_there: bool = True


def make_roster(
    bench: Bench, amount: Amount, *, trained: Path | None = None, kb_bert: str = ""
) -> dict[str, Entry]:
    """List the systems.

    bench (Bench): How the project's pipeline is trained.
    amount (Amount): How much the others learn.
    trained (Path | None): A pipeline to take in place of training one.
    kb_bert (str): Folder of KB-BERT's weights; empty for those that its config names, if they were
        fetched before.
    RETURNS (dict[str, Entry]): By name, in the order of tables.
    """
    recipe = bench.recipe
    lists = Path(recipe.lists)
    kb_bert = kb_bert or load_config(KB_CONFIG)["paths"]["encoder"]
    kb_recipe = replace(
        recipe, steps=amount.kb_steps, config=KB_CONFIG, overrides={}, encoder=kb_bert
    )
    epochs, batch = amount.lstm_epochs, amount.lstm_batch
    ours = {**describe(bench), "trained": digest(trained) if trained else ""}
    roster = {
        "thesis-rules": Entry(
            "rule script of the thesis",
            "rules",
            lambda: thesis_rules.ThesisRules(lists),
            {**hang_on(thesis_rules), "lists": digest(lists)},
        ),
        "crf": Entry(
            "CRF",
            "CRF",
            lambda: crf.Crf(amount.iterations),
            hang_on(crf, iterations=amount.iterations),
        ),
        "lstm": Entry(
            "BiLSTM",
            "BiLSTM",
            lambda: lstm.Lstm(crf=False, epochs=epochs, batch=batch),
            hang_on(lstm, epochs=epochs, batch=batch),
        ),
        "lstm-crf": Entry(
            "BiLSTM-CRF",
            "BiLSTM-CRF",
            lambda: lstm.Lstm(crf=True, epochs=epochs, batch=batch),
            hang_on(lstm, linear_chain, epochs=epochs, batch=batch),
        ),
        "spacy-cnn": Entry(
            "spaCy's CNN",
            "spaCy",
            lambda: spacy_cnn.SpacyCnn(amount.cnn_epochs),
            hang_on(spacy_cnn, epochs=amount.cnn_epochs),
        ),
        OURS: Entry("this project's", "ours", lambda: Pipeline(recipe, trained=trained), ours),
        "pipeline-without-lists": Entry(
            "this project's, without lists",
            "ours, no lists",
            lambda: Pipeline(recipe, lists=False, trained=trained),
            {**ours, "lists": False},
        ),
        KB_BERT: Entry(
            "this project's over KB-BERT",
            "KB-BERT",
            lambda: Pipeline(kb_recipe),
            describe(replace(bench, recipe=kb_recipe)),
            is_local(kb_bert),
        ),
    }
    votes = {name: roster[name].hangs_on for name in MEMBERS}
    roster[ENSEMBLE] = Entry(
        "votes of CRF, BiLSTM-CRF, spaCy's CNN, this project's",
        "votes",
        None,
        {**hang_on(ensemble), **votes},
    )
    return roster


def hang_on(*modules: ModuleType, **settings: Any) -> dict[str, Any]:
    """Tell what a system's learning depends on.

    *modules (ModuleType): Its code, beside that which all share.
    **settings (Any): Its settings.
    RETURNS (dict[str, Any]): A digest of the code, and the settings.
    """
    files = (Path(str(module.__file__)) for module in (*modules, base, tokenizer))
    return {"code": digest(*files), **settings}


def describe(bench: Bench) -> dict[str, Any]:
    """bench (Bench): How a pipeline is trained.
    RETURNS (dict[str, Any]): What that depends on, beside the messages.
    """
    described = bench.describe()
    return {name: described[name] for name in ("recipe", "pipeline")}


def get_names(chosen: str, roster: Mapping[str, Entry]) -> list[str]:
    """chosen (str): Names of systems, comma-separated; empty for all.
    roster (Mapping[str, Entry]): All systems.
    RETURNS (list[str]): The names, in the order of the roster.
    RAISES (ValueError): If there is no system of that name.
    """
    wanted = [name.strip() for name in chosen.split(",") if name.strip()] or [*roster]
    unknown = [name for name in wanted if name not in roster]
    if unknown:
        raise ValueError(f"There is no system {unknown[0]}: choose of {', '.join(roster)}.")
    return [name for name in roster if name in wanted]
