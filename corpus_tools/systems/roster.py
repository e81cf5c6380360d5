"""Which systems are compared, and how much each of them may learn."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from spacy.util import load_config

from corpus_tools.systems.base import System
from corpus_tools.systems.crf import Crf
from corpus_tools.systems.lstm import Lstm
from corpus_tools.systems.pipeline import Pipeline
from corpus_tools.systems.spacy_cnn import SpacyCnn
from corpus_tools.systems.thesis_rules import ThesisRules
from corpus_tools.workbench.training import Recipe
from scripts.check_encoder import is_local

CONFIGS = Path("configs")
LISTS = Path("assets/lists")
OURS, ENSEMBLE, KB_BERT = "pipeline", "ensemble", "kb-bert"
# Those that see different things: features, letters, convolutions, a pretrained encoder.
MEMBERS = ("crf", "lstm-crf", "spacy-cnn", OURS)


@dataclass(frozen=True)
class Setting:
    """How much of everything there is: the code is the same.

    train (int | None), dev (int | None), test (int | None): How many messages of each at most.
    seeds (tuple[int, ...]): The seeds of what chance has a part in.
    iterations (int): Of the conditional random field.
    lstm_epochs (int), cnn_epochs (int): How often the others read all messages, at most.
    lstm_batch (int): How many messages an LSTM learns from at a time.
    steps (int): Steps of the pipeline's training.
    kb_steps (int): Those over KB-BERT, with 32 messages each.
    rounds (int): How often finding is timed.
    """

    train: int | None
    dev: int | None
    test: int | None
    seeds: tuple[int, ...]
    iterations: int
    lstm_epochs: int
    lstm_batch: int
    cnn_epochs: int
    steps: int
    kb_steps: int
    rounds: int


SETTINGS = {
    "quick": Setting(2000, 200, 300, (0,), 60, 12, 16, 4, 120, 60, 1),
    # Iterations of García-Pablos et al., epochs and batch of Berg and Dalianis, epochs of Sánchez,
    # steps of the configs.
    "full": Setting(None, None, None, (0, 1, 2), 100, 20, 64, 20, 2800, 1130, 3),
}


@dataclass(frozen=True)
class Entry:
    """A system of the comparison.

    title (str): What tables call it.
    short (str): What plots call it.
    make (Callable[[], System] | None): Makes it; None for the one that is made of others.
    is_there (bool): Whether all is there that it needs.
    """

    title: str
    short: str
    make: Callable[[], System] | None
    is_there: bool = True


def make_roster(
    setting: Setting,
    *,
    config: Path = CONFIGS / "mini.cfg",
    lists: Path = LISTS,
    trained: Path | None = None,
    kb_bert: str = "",
    gpu_id: int = -1,
) -> dict[str, Entry]:
    """List the systems.

    setting (Setting): How much they may learn.
    config (Path): The config of the pipeline.
    lists (Path): The folder of word lists.
    trained (Path | None): A pipeline to take in place of training one.
    kb_bert (str): Folder of KB-BERT's weights; empty for those that its config names, if they were
        fetched before.
    gpu_id (int): GPU for the pipelines' trainings, -1 for the CPU.
    RETURNS (dict[str, Entry]): By name, in the order of tables.
    """
    recipe = Recipe(setting.steps, config, lists=str(lists), gpu_id=gpu_id)
    kb_config = CONFIGS / "kb_bert.cfg"
    kb_bert = kb_bert or load_config(kb_config)["paths"]["encoder"]
    kb_recipe = Recipe(
        setting.kb_steps, kb_config, encoder=kb_bert, lists=str(lists), gpu_id=gpu_id
    )
    return {
        "thesis-rules": Entry("rule script of the thesis", "rules", lambda: ThesisRules(lists)),
        "crf": Entry("CRF", "CRF", lambda: Crf(setting.iterations)),
        "lstm": Entry("BiLSTM", "BiLSTM", lambda: make_lstm(setting, crf=False)),
        "lstm-crf": Entry("BiLSTM-CRF", "BiLSTM-CRF", lambda: make_lstm(setting, crf=True)),
        "spacy-cnn": Entry("spaCy's CNN", "spaCy", lambda: SpacyCnn(setting.cnn_epochs)),
        OURS: Entry("this project's", "ours", lambda: Pipeline(recipe, trained=trained)),
        "pipeline-without-lists": Entry(
            "this project's, without lists",
            "ours, no lists",
            lambda: Pipeline(recipe, lists=False, trained=trained),
        ),
        KB_BERT: Entry(
            "this project's over KB-BERT",
            "KB-BERT",
            lambda: Pipeline(kb_recipe),
            is_local(kb_bert),
        ),
        ENSEMBLE: Entry("votes of CRF, BiLSTM-CRF, spaCy's CNN, this project's", "votes", None),
    }


def make_lstm(setting: Setting, *, crf: bool) -> Lstm:
    """setting (Setting): How much it may learn.
    crf (bool): See `Lstm`.
    RETURNS (Lstm): The system.
    """
    return Lstm(crf=crf, epochs=setting.lstm_epochs, batch=setting.lstm_batch)


def get_setting(name: str) -> Setting:
    """name (str): What the user has chosen.
    RETURNS (Setting): The setting.
    RAISES (ValueError): If there is none of that name.
    """
    if name not in SETTINGS:
        raise ValueError(f"There is no setting {name}: choose {' or '.join(SETTINGS)}.")
    return SETTINGS[name]


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
