"""The experiments that train, with a training that is none: each variant is the tiny pipeline."""

import json
import shutil

import optuna
import pytest
import spacy
import typer
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import TrialState
from spacy.util import load_config

from components.conversations.conversation import make_docs
from components.measures.gold import check_message, write_messages
from lab.scripts import (
    ablate,
    cross_validate,
    learning_curve,
    rules_vs_model,
    search,
    single_class,
    train_on_surrogates,
)
from lab.workbench import random_search, training
from lab.workbench.natural_size import LEVERS, Source, make_training, make_variants
from lab.workbench.scored import MEASURES
from tests.conftest import EXAMPLES, ROOT
from training_tools.report.folder import read_outcomes

NATURAL = "natural_sizes"
# A name that neither a list nor the tiny pipeline knows.
UNLISTED = "Qvarlo"


def make_rows():
    rows = []
    for text, spans in [*EXAMPLES, (f"Hej, {UNLISTED} här igen", {UNLISTED: "PERSON"})] * 3:
        found = [
            {"start": text.index(phi), "end": text.index(phi) + len(phi), "label": label}
            for phi, label in spans.items()
        ]
        number = len(rows)
        row = {"id": f"m{number}", "text": f"{text} {number}", "spans": found}
        rows.append(row | ({"conversation": f"c{number // 2}"} if number < 4 else {}))
    return rows


@pytest.fixture
def trained(monkeypatch, tiny_path):
    """Puts the tiny pipeline in the place of each training, and says what was to be trained."""
    seen = []

    def train(recipe, train, dev, folder, *, seed=0, watch=None):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(tiny_path, folder / "model-last")
        seen.append((folder.name, recipe.overrides, train, dev, watch))
        return spacy.load(tiny_path, exclude=training.UNUSED)

    def read_rules(lists, patterns):
        return spacy.load(tiny_path, exclude=["transformer", "phi_ner", *training.UNUSED])

    # Reading all patterns takes seconds.
    monkeypatch.setattr(rules_vs_model, "rules_language", read_rules)
    for module in (training, train_on_surrogates):
        monkeypatch.setattr(module, "train_variant", train)
    monkeypatch.setattr(training, "THRESHOLDS", (0.2, 0.5))
    return seen


@pytest.fixture
def options(tmp_path, monkeypatch, lists_path):
    monkeypatch.chdir(ROOT)
    for name in ("train", "dev", "test", "other"):
        write_messages(tmp_path / f"{name}.jsonl", make_rows())
    train, dev, *tests = (tmp_path / f"{name}.jsonl" for name in ("train", "dev", "test", "other"))
    paths = {"train": train, "dev": dev, "tests": tests}
    folders = {"metrics": tmp_path / "metrics", "work": tmp_path / "work"}
    return {**paths, **folders, "lists": str(lists_path), "quick": True}


def run(command, options, **own):
    command(**options, **own)
    [outcome] = read_outcomes(options["metrics"])
    assert outcome.says.endswith(".") and outcome.paper and outcome.tables and outcome.plots
    assert "quick" in outcome.state
    text = json.dumps(outcome.figures)
    assert "Anna" not in text and "Knurvel" not in text
    left = [path for path in options["work"].rglob("*") if path.is_file()]
    assert not left
    return outcome


@pytest.mark.parametrize(
    ("command", "own", "names"),
    [
        (single_class.single_class, {}, ["one-class-0", "eight-classes-0"]),
        (learning_curve.learning_curve, {NATURAL: "none", "shares": "100,50"}, ["50-0", "100-0"]),
        (
            rules_vs_model.rules_vs_model,
            {},
            ["model-on-their-annotation-0", "model-on-gold-annotation-0"],
        ),
        (ablate.ablate, {}, ["as-it-is-0", "30-of-labels-spoiled-0", "dropout-0.5-0"]),
        (
            cross_validate.cross_validate,
            {"added": "other"},
            [f"{name}-part-{n}-0" for n in (1, 2) for name in ("alone", "with-another-source")],
        ),
        (
            train_on_surrogates.train_on_surrogates,
            {},
            [
                "trained-on-originals-0",
                "trained-on-surrogates-0",
                "trained-on-surrogates-0",
            ],
        ),
    ],
)
def test_experiment_runs_and_resumes(command, own, names, options, trained):
    if "added" in own:
        own = {"added": str(options["tests"][1])}
    run(command, options, **own)
    assert [name for name, *_ in trained] == names
    # All is there: nothing is trained again.
    run(command, options, **own)
    assert len(trained) == len(names)


def test_wrong_data_is_told_in_one_line(options, trained, capsys):
    path = options["tests"][1]
    row = {"text": "Hej Anna Hemligsson", "spans": [{"start": 4, "end": 99, "label": "PERSON"}]}
    path.write_text(json.dumps(row), encoding="utf8")
    with pytest.raises(typer.Exit):
        single_class.single_class(**options)
    said = capsys.readouterr().err
    assert "other.jsonl, line 1" in said and "Hemligsson" not in said and said.count("\n") == 1
    assert not trained


@pytest.mark.parametrize(
    ("command", "own", "said"),
    [
        (learning_curve.learning_curve, {"shares": "0"}, "--shares takes per cent"),
        (ablate.ablate, {"noise": "100"}, "from 0 to 99"),
        (cross_validate.cross_validate, {"folds": 30}, "fewer --folds"),
    ],
)
def test_wrong_options_are_told(command, own, said, options, trained, capsys):
    with pytest.raises(typer.Exit):
        command(**options, **own)
    assert said in capsys.readouterr().err and not trained


def test_single_class_changes_the_class_alone(options, trained):
    outcome = run(single_class.single_class, options)
    (_, one, *_), (_, eight, *_) = trained
    assert {**eight, "components.phi_ner.single_class": True} == one
    # The same pipeline twice: no difference.
    assert "+0.0 points (+0.0 to +0.0), which may be chance" in outcome.says


def test_full_setting_has_more(options, trained):
    options = {**options, "quick": False, "steps": 5}
    rules_vs_model.rules_vs_model(**options)
    assert len(trained) == 4
    pipelines = [overrides.get("nlp.pipeline") for _, overrides, *_ in trained]
    kept = ["evidence_reader", "transformer", "phi_ner", "span_merger", "custom_ruler"]
    assert pipelines == [kept] * 2 + [None] * 2
    # The rules know no name that no list has; gold does.
    rules, gold = ([span for row in trained[i][2] for span in row["spans"]] for i in (0, 1))
    assert gold == [span for row in make_rows() for span in row["spans"]] != rules
    trained.clear()
    ablate.ablate(**options)
    assert len(trained) == 1 + 2 + 2 + 1 + 3
    without = trained[-1][1]["nlp.pipeline"]
    assert "entity_ruler" not in without and "gazetteer_matcher" not in without


def test_ablation_reads_the_corpora_in_all_ways(options, trained):
    figures = run(ablate.ablate, options).figures
    assert list(figures["Casing of names"]) == ["as written", "title", "lower", "upper", "mixed"]
    off = {
        name: own["measures"]["test"]["strict F1"][0]
        for name, own in figures["Evidence at prediction"].items()
    }
    assert len(off) == 6 and len(set(off.values())) > 2
    assert len(figures["Training"]) == 3


def test_conversations_are_held_out_whole():
    rows = make_rows()
    parts = cross_validate.fold(rows, 3)
    assert sorted(row["id"] for part in parts for row in part) == sorted(row["id"] for row in rows)
    for name in ("c0", "c1"):
        assert sum(any(row.get("conversation") == name for row in part) for part in parts) == 1
    assert [len(part) for part in parts] == [4, 4, 4]
    with pytest.raises(ValueError, match="fewer --folds"):
        cross_validate.fold(rows[:4], 3)


def test_each_message_is_held_out_once(options, trained):
    run(cross_validate.cross_validate, options, added=str(options["tests"][1]), folds=3)
    alone = [rows for name, _, rows, *_ in trained if name.startswith("alone")]
    ids = [row["id"] for rows in alone for row in rows]
    assert all(ids.count(row["id"]) == 2 for row in make_rows())
    added = [rows for name, _, rows, *_ in trained if name.startswith("with")]
    assert [len(rows) for rows in added] == [len(rows) + 12 for rows in alone]


def test_deidentified_messages_are_annotated_where_they_were_changed(tiny_nlp):
    rows = make_rows()
    made = train_on_surrogates.deidentify(tiny_nlp, rows)
    assert len(made) == len(rows)
    for row in made:
        check_message(row)
    assert not any("34 år" in row["text"] or "070-1740605" in row["text"] for row in made)
    first = next(row for row in made if row["id"] == "m0")
    doc = make_docs(tiny_nlp, [rows[0]["text"]])[0]
    assert len(first["spans"]) == len(tiny_nlp(doc).ents)


def test_surrogates_are_trained_on_in_place_of_originals(options, trained):
    run(train_on_surrogates.train_on_surrogates, options)
    other, half, surrogates = (rows for _, _, rows, *_ in trained)
    assert not {row["id"] for row in half} & {row["id"] for row in other}
    assert [row["id"] for row in surrogates] == [row["id"] for row in other]
    assert [row["text"] for row in surrogates] != [row["text"] for row in other]


# The search


def rate(overrides):
    """How good a training with these overrides is: the nearer its dropout to a half, the better."""
    return 1 - abs(overrides["training.dropout"] - 0.5)


@pytest.fixture
def searched(monkeypatch):
    """A training that is as good as `rate` says, from the first score on."""
    seen = []

    def train(recipe, train, dev, folder, *, seed, watch):
        folder.mkdir(parents=True)
        seen.append(recipe.overrides)
        for step in range(6):
            watch(step, rate(recipe.overrides) * step / 5)

    def score(nlp, rows):
        return [[[1, 2]] * len(MEASURES)]

    monkeypatch.setattr(random_search, "train_variant", train)
    monkeypatch.setattr(random_search, "tune", lambda nlp, dev: 0.5)
    monkeypatch.setattr(random_search, "score", score)
    return seen


def open_journal(options):
    storage = JournalStorage(JournalFileBackend(str(options["metrics"] / "search.journal")))
    return optuna.load_study(study_name=None, storage=storage)


def test_search_begins_with_the_config_prunes_and_goes_on(options, searched):
    outcome = run(search.search, options, trials=8)
    assert len(searched) == 8
    config = load_config(ROOT / "configs" / "mini.cfg")
    assert searched[0]["training.dropout"] == config["training"]["dropout"]
    assert searched[0]["training.optimizer.learn_rate.initial_rate"] == pytest.approx(0.002)
    assert searched[0]["training.max_steps"] == 60 and searched[0]["training.batcher.size"] == 250
    trials = outcome.figures["trials"]
    pruned = [trial for trial in trials if trial["state"] == "pruned"]
    assert pruned and all(len(trial["scores"]) < 5 for trial in pruned)
    assert outcome.figures["tests"]["the best"]["measures"]["test"]["redact"][0] == 0.5
    best = outcome.figures["best"]["overrides"]
    assert best == pytest.approx(max(searched, key=rate))
    # It goes on, and draws nothing twice.
    run(search.search, options, trials=10)
    assert len(searched) == 10
    assert len({overrides["training.dropout"] for overrides in searched}) == 10


def test_search_begins_a_killed_training_anew(options, searched, monkeypatch):
    fake = random_search.train_variant
    calls = []

    def kill(*args, **kwargs):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        fake(*args, **kwargs)

    monkeypatch.setattr(random_search, "train_variant", kill)
    with pytest.raises(KeyboardInterrupt):
        search.search(**options, trials=3)
    killed = open_journal(options).trials[-1]
    assert killed.state == TrialState.RUNNING
    run(search.search, options, trials=3)
    assert searched[1]["training.dropout"] == killed.params["dropout"]
    assert len(searched) == 3


def test_overrides_fit_kb_berts_ranges(options, searched):
    """For its config, the ranges are those of the thesis."""
    space = random_search.Space(5.44e-5, 0.05, 1130, 32, 0.323, 0.44)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    drawn = [space.suggest(study.ask()) for _ in range(200)]
    rates = [settings["learning rate"] for settings in drawn]
    assert 1e-6 <= min(rates) < 2e-6 and 5e-5 < max(rates) <= 1.0001e-4
    assert {settings["epochs"] for settings in drawn} == {3, 4, 5, 6, 7, 8}
    assert {settings["batch size"] for settings in drawn} == {8, 16, 32}
    config = ROOT / "configs" / "kb_bert.cfg"
    overrides = space.make_overrides({**space.get_own(), "epochs": 8, "batch size": 16}, config)
    assert overrides["training.max_steps"] == 2260 and overrides["training.batcher.size"] == 16
    assert overrides["training.optimizer.learn_rate.warmup_steps"] == round(0.44 * 2260)
    assert overrides["training.optimizer.learn_rate.initial_rate"] == pytest.approx(0.001088)


# Natural messages


def test_points_of_the_curves(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    folder = ROOT / "assets" / "examples"
    source = Source(folder, folder, folder, 10)
    variants = make_variants(source, [0, 300], tmp_path)
    # Without natural messages there is no other point without pseudonyms.
    assert len(variants) == 5
    assert (
        len({json.dumps(variant.describe(), sort_keys=True) for variant in variants.values()}) == 5
    )
    for lever in LEVERS:
        blind = (
            "components.transformer.model.context_pieces"
            in variants[lever.name_point(300)].overrides
        )
        assert blind != lever.context


def test_training_messages_are_made(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    messages, natural = tmp_path / "messages", tmp_path / "natural"
    for folder, text in (
        (messages, "Hej, jag heter {person.full}."),
        (natural, "Hej [[PERSON|Anna]]"),
    ):
        (folder / "singles").mkdir(parents=True)
        (folder / "conversations").mkdir()
        lines = "\n---\n".join(f"{text} {number}" for number in range(40))
        (folder / "singles" / "a.txt").write_text(lines, encoding="utf8")
    source = Source(messages, natural, ROOT / "assets" / "lists", 20)
    assert 0 < source.count() <= 40
    path = make_training(source, 5, False, tmp_path / "work")
    assert path.is_file()
    text = (tmp_path / "work" / "train.jsonl").read_text(encoding="utf8")
    assert text.count("train-natural-") >= 5
