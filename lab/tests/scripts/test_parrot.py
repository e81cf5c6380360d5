"""The command of the parrot attack."""

import json
import os
import re

import pytest
import spacy
import typer

from components.measures.gold import write_messages
from components.surrogates.surrogate_generator import KEY_VARIABLE
from lab.attack.parrot import CHOOSING
from lab.scripts.parrot import parrot
from lab.tests.scripts.test_attack import NAMES, TOWNS, make_row
from training_tools.report.folder import read_outcomes


@pytest.fixture(scope="module")
def model(tiny_path, tmp_path_factory):
    """A pipeline whose model finds nothing, and whose rules and lists do not know some words."""
    nlp = spacy.load(tiny_path)
    nlp.get_pipe("phi_ner").threshold = 1.0
    path = tmp_path_factory.mktemp("model")
    nlp.to_disk(path)
    return path


def write(path, missed):
    """Forty messages; a word of some is annotated that no pipeline knows."""
    rows = [make_row(number) for number in range(40)]
    for row in rows[:missed]:
        row["text"] += " och Xyzzyvik"
        start = len(row["text"]) - len("Xyzzyvik")
        row["spans"].append({"start": start, "end": start + len("Xyzzyvik"), "label": "LOCATION"})
    write_messages(path, rows)
    return path


def test_command(tmp_path, model, lists_path, monkeypatch):
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    page = tmp_path / "page.md"
    page.write_text("# Attacks\n\n<!-- parrot -->\n<!-- /parrot -->\n")
    path = write(tmp_path / "messages.jsonl", 12)
    parrot(model, [path], metrics=tmp_path, lists=lists_path, page=page)
    (outcome,) = read_outcomes(tmp_path)
    attacks = outcome.figures["attacks"]
    # The unknown places, and what else the model does not find.
    assert {each["classes"]["LOCATION"]["leaks"] for each in attacks.values()} == {12}
    # They look like nothing else.
    assert attacks[CHOOSING]["classes"]["LOCATION"]["told"] == 12
    text = page.read_text()
    assert outcome.says in text and "| published: parrot | 310 | .681 | .525 |" in text
    said = set(re.findall(r"\w+", text + json.dumps(outcome.figures)))
    assert said.isdisjoint([*NAMES, *TOWNS, "Xyzzyvik"])
    assert KEY_VARIABLE not in os.environ
    parrot(model, [path], metrics=tmp_path, lists=lists_path)
    assert read_outcomes(tmp_path)[0].figures == outcome.figures


def test_no_pipeline(tmp_path, lists_path, capsys):
    path = write(tmp_path / "messages.jsonl", 1)
    with pytest.raises(typer.Exit):
        parrot(tmp_path, [path], metrics=tmp_path, lists=lists_path)
    assert "no trained pipeline" in capsys.readouterr().err


def test_nothing_missed(tmp_path, model, lists_path, capsys):
    row = {"id": "m", "text": "Hej, det gör ont", "spans": []}
    write_messages(tmp_path / "messages.jsonl", [row])
    parrot(model, [tmp_path / "messages.jsonl"], metrics=tmp_path, lists=lists_path)
    assert "Nothing was missed" in capsys.readouterr().out and not read_outcomes(tmp_path)
