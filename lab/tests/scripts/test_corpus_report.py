import json
import os
import subprocess
import sys

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from components.measures.gold import write_messages
from lab.measures.corpus import (
    Overlap,
    Profile,
    find_overlaps,
    find_twins,
    mask,
    message_casing,
    name_casing,
)
from lab.scripts.corpus_report import END, START, corpus_report, place, read_sets
from tests.conftest import ROOT
from training_tools.formats.docs import chat_language
from training_tools.generator.people import split_of

LISTS = {
    "first_names": [{"name": name} for name in ("Anna", "Bo", "Eva", "Karin")],
    "nicknames": [{"nick": "Lasse", "name": "Lars"}],
    "titles": [{"word": "läkare"}],
}


def row(text: str, *spans: tuple[str, str], **rest) -> dict:
    found = [
        {"start": text.index(value), "end": text.index(value) + len(value), "label": label}
        for value, label in spans
    ]
    return {"id": "x", "text": text, "spans": found, **rest}


ROWS = [
    row("Hej Anna Ek i LUND", ("Anna Ek", "PERSON"), ("LUND", "LOCATION"), conversation="c1"),
    row("hej anna  ek", ("anna  ek", "PERSON"), conversation="c1"),
    row("HEJ DÅ"),
    row("123"),
]


@pytest.fixture(scope="module")
def nlp():
    return chat_language()


def test_counts(nlp):
    found = Profile("x").add(ROWS, nlp).metrics()
    assert (found["messages"], found["entities"], found["conversations"]) == (4, 3, 1)
    assert found["messages_in_conversations"] == 2 and found["without_phi"] == 0.5
    # However they are cased and spaced, two mentions are one value.
    person = found["classes"]["PERSON"]
    assert (person["frequency"], person["unique"], person["uniqueness"]) == (2, 1, 0.5)
    assert person["share"] == pytest.approx(2 / 3, abs=1e-4)
    assert (found["unique"], found["uniqueness"]) == (2, pytest.approx(2 / 3, abs=1e-4))
    assert found["tokens"]["total"] == 5 + 3 + 2 + 1
    assert found["entities_per_100_tokens"] == pytest.approx(100 * 3 / 11, abs=0.01)
    assert found["characters"]["longest"] == 18
    assert found["casing"] == {"lower": 0.25, "mixed": 0.25, "upper": 0.25, "none": 0.25}
    assert found["load"]["0"] == 0.5 and found["load"]["1"] == found["load"]["2"] == 0.25
    assert found["name_casing"]["title"] == found["name_casing"]["upper"]
    assert found["classes"]["PID"]["uniqueness"] == 0.0


def test_joined_splits_share_values(nlp):
    one, two = (Profile("x").add([ROWS[i]], nlp) for i in (0, 1))
    assert one.join(two).metrics() == Profile("y").add(ROWS[:2], nlp).metrics()
    assert one.metrics()["classes"]["PERSON"]["unique"] == 1


@pytest.mark.parametrize(
    "text, casing",
    [("hej", "lower"), ("HEJ!", "upper"), ("Hej", "mixed"), ("12 :)", "none"), ("", "none")],
)
def test_message_casing(text, casing):
    assert message_casing(text) == casing


@pytest.mark.parametrize(
    "text, casing",
    [
        ("anna", "lower"), ("Anna Ek", "title"), ("ANNA", "upper"), ("A", "title"),
        ("mamma Anna", "mixed"), ("Anna ek", "title"), ("112", "lower"),
    ],
)  # fmt: skip
def test_name_casing(text, casing):
    assert name_casing(text) == casing


def test_mask_hides_the_spans_only():
    assert mask(ROWS[0]) == "hej person i location"


LONG = "jag har ont i magen sen flera dagar och ringer {}, tack"


def twin(name: str, text: str = LONG) -> dict:
    return row(text.format(name), (name, "PERSON"))


def test_twins_differ_in_their_spans_alone():
    splits = {"train": [ROWS[0], twin("Anna")], "test": [ROWS[2], twin("Ali Hassan")]}
    (found,) = find_twins(splits, 85)
    assert (found.one, found.other, found.likeness) == ("train 2", "test 2", 100)
    nearly = twin("Bo", LONG.replace("flera", "några"))
    (found,) = find_twins({"train": [twin("Anna")], "test": [nearly]}, 85)
    assert 85 <= found.likeness < 100
    assert not find_twins({"train": [twin("Anna")], "test": [nearly]}, 99)


def test_twins_are_sought_between_splits_and_not_among_short_messages():
    assert not find_twins({"train": [twin("Anna"), twin("Bo")], "test": []}, 85)
    assert not find_twins({"train": [row("ok tack")], "test": [row("ok tack")]}, 85)


def person(name: str, **rest) -> dict:
    return row(f"{name} ringde", (name, "PERSON"), **rest)


@pytest.mark.parametrize(
    "one, other, shared",
    [
        ("Anna Ekfeldt", "BO EKFELDT", 1),
        ("Anna von Ekfeldt", "Bo Ekfeldt", 0),
        ("Anna von Ekfeldt", "Bo von Ekfeldt", 1),
        ("Ekfeldt, Anna", "Bo Ekfeldt", 0),
        ("Anna Karin", "Eva Karin", 0),
        ("Ekfeldt", "Bo Ekfeldt", 0),
        ("Anna E", "Bo E", 0),
        ("Anna läkare", "Bo läkare", 0),
    ],
)
def test_shared_surnames(one, other, shared):
    splits = {"train": [person(one)], "test": [person(other)]}
    assert find_overlaps(splits, LISTS) == [Overlap("train", "test", shared, 0)]


def test_only_made_messages_have_slips():
    name = next(f"Holm{n}" for n in "abcdefghij" if split_of(f"Holm{n}") == "train")
    ours = [person(f"Anna {name}", skeleton="a")]
    theirs = person(f"Bo {name}", skeleton="b")
    assert find_overlaps({"train": ours, "test": [theirs]}, LISTS)[0][2:] == (0, 1)
    # Twice is no slip, and neither is once in real messages.
    assert find_overlaps({"train": ours, "test": [theirs] * 2}, LISTS)[0][2:] == (1, 0)
    real = {"train": [person(f"Anna {name}")], "test": [person(f"Bo {name}")]}
    assert find_overlaps(real, LISTS)[0][2:] == (1, 0)


def test_files_of_one_name_are_one_set(tmp_path):
    for stem in ("a", "b"):
        write_messages(tmp_path / f"{stem}.jsonl", ROWS)
    found = read_sets(
        [f"real={tmp_path}/a.jsonl", f"real={tmp_path}/b.jsonl", f"{tmp_path}/a.jsonl"]
    )
    assert {name: len(rows) for name, rows in found.items()} == {"real": 8, "a": 4}


def test_only_what_is_between_the_marks_is_replaced(tmp_path):
    path = tmp_path / "docs" / "corpus.md"
    place(path, "one")
    assert path.read_text(encoding="utf8") == f"# Corpus\n\n{START}\n\none\n{END}\n"
    path.write_text(f"Own words\n{START}\nold\n{END}\nMore\n", encoding="utf8")
    place(path, "two")
    assert path.read_text(encoding="utf8") == f"Own words\n{START}\n\ntwo\n{END}\nMore\n"


APP = typer.Typer()
APP.command()(corpus_report)


def run(*options: str) -> Result:
    return CliRunner().invoke(APP, options)


@pytest.fixture
def corpus(tmp_path) -> list[str]:
    """Two splits that are apart."""
    write_messages(tmp_path / "train.jsonl", [*ROWS, twin("Anna Hemligsson")])
    write_messages(tmp_path / "test.jsonl", [row("en annan sak, får jag boka om tiden")])
    return [str(tmp_path / "train.jsonl"), str(tmp_path / "test.jsonl")]


def test_report_holds_counts_and_no_values(corpus, tmp_path):
    real = tmp_path / "real.jsonl"
    write_messages(real, [{**person("Eva Gömdström"), "id": "19121212-1212"}])
    metrics, plot = tmp_path / "m" / "corpus.json", tmp_path / "p" / "corpus.svg"
    options = [*corpus, "--beside", f"mine={real}", "--metrics", str(metrics)]
    pytest.importorskip("matplotlib")
    outs = []
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-m", "lab.scripts.corpus_report", *options, "--plot", str(plot)],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        outs.append((done.stdout, metrics.read_bytes(), plot.read_bytes()))
    assert outs[0] == outs[1]
    found = json.loads(outs[0][1])
    assert found["splits"]["train"]["messages"] == 5 and found["all"]["messages"] == 6
    assert found["beside"]["mine"]["classes"]["PERSON"]["unique"] == 1
    assert found["checks"]["near_duplicates_between_splits"] == 0
    written = "".join([outs[0][0], *(out.decode("utf8") for out in outs[0][1:])]).lower()
    assert "| person |" in written
    for secret in ("hemligsson", "gömdström", "191212", "lund", "magen", "ringde", str(tmp_path)):
        assert secret not in written


def test_overlap_fails_without_naming_anybody(corpus, tmp_path):
    write_messages(tmp_path / "dev.jsonl", [twin("Karin Hemligsson")])
    done = run(*corpus, str(tmp_path / "dev.jsonl"))
    assert done.exit_code == 1
    assert "train 5 and dev 1 are 100 % alike" in done.stderr
    assert "train and dev share 1 surnames" in done.stderr
    assert "hemligsson" not in (done.stdout + done.stderr).lower()
    assert run(*corpus, str(tmp_path / "dev.jsonl"), "--no-check").exit_code == 0


def test_skeletons_that_are_one_message_fail(corpus, tmp_path):
    folder = tmp_path / "messages" / "singles"
    folder.mkdir(parents=True)
    text = "jag heter {{person.first}} och vill boka om tiden {end}"
    skeletons = [text.format(end="nu"), "en helt annan fråga om {drug}", text.format(end="nu")]
    (folder / "a.txt").write_text("\n---\n".join(skeletons), encoding="utf8")
    done = run(*corpus, "--messages", str(tmp_path / "messages"))
    assert done.exit_code == 1 and "the same message as" in done.stderr
    (folder / "a.txt").write_text("\n---\n".join(skeletons[:2]), encoding="utf8")
    done = run(*corpus, "--messages", str(tmp_path / "messages"))
    assert done.exit_code == 0, done.stderr
    assert "| near-duplicates among 2 skeletons | 0 |" in done.stdout


def test_plot_without_matplotlib_says_what_to_install(corpus, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = run(*corpus, "--plot", str(tmp_path / "x.svg"))
    assert done.exit_code == 1 and "pip install 'matplotlib" in done.stderr
    assert "Traceback" not in done.stderr


def test_malformed_line_is_named_without_its_text(corpus, tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"text": "Anna Hemligsson"}\n', encoding="utf8")
    done = run(*corpus, "--beside", str(path))
    assert done.exit_code == 1 and "bad.jsonl, line 1" in done.stderr
    assert "Hemligsson" not in done.stderr + done.stdout and "Traceback" not in done.stderr
