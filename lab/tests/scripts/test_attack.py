"""The command that attacks surrogates."""

import os
import re
import sys
from types import SimpleNamespace

import pytest
import typer

from components.measures.gold import write_messages
from components.surrogates.surrogate_generator import KEY_VARIABLE
from lab.scripts.attack import attack
from training_tools.report.folder import read_outcomes

NAMES = ["Anna", "Eva", "Karin", "Lena", "Bo", "Erik", "Karl", "Lars", "Nils", "Olof"]
TOWNS = ["Lund", "Malmö", "Ystad", "Eslöv", "Höör"]


def make_row(number):
    name, town, age = NAMES[number % 10], TOWNS[number % 5], f"{20 + 3 * number} år"
    text = f"{name}, {age}, i {town}"
    spans = []
    for phi, label in ((name, "PERSON"), (age, "AGE"), (town, "LOCATION")):
        start = text.index(phi)
        spans.append({"start": start, "end": start + len(phi), "label": label})
    return {"id": f"m{number}", "text": text, "spans": spans}


def test_command(tmp_path, lists_path, monkeypatch):
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    write_messages(tmp_path / "messages.jsonl", [make_row(number) for number in range(20)])
    options = {"lists": lists_path, "keys": 2, "others": 30, "missed": 0.3}
    attack(tmp_path / "messages.jsonl", metrics=tmp_path, **options)
    (outcome,) = read_outcomes(tmp_path)
    figures = outcome.figures
    assert figures["people"] == 20 and figures["register"] == 50
    # Twenty ages, three years apart: they move by two at most, and help most.
    assert figures["signals"]["age"]["kept"] > 0.9
    assert figures["signals"]["age"]["alone"]["above"] > 0.85
    assert figures["signals"]["first name"]["kept"] < 0.5
    assert (
        figures["leaks"]["all"]["items"] <= 120 and figures["leaks"]["classes"]["AGE"]["leaks"] > 0
    )
    assert {*figures["frequency"]} == {"PERSON", "LOCATION"}
    assert "20 at the first guess (chance .020)" in outcome.says and outcome.reader == "manager"
    # No program reads but where one is named.
    assert "reader" not in figures
    assert len(outcome.tables) == 5 and len(outcome.plots) == 2
    said = set(re.findall(r"\w+", str(outcome)))
    assert said.isdisjoint([*NAMES, *TOWNS])
    assert KEY_VARIABLE not in os.environ
    attack(tmp_path / "messages.jsonl", metrics=tmp_path, **options)
    assert read_outcomes(tmp_path)[0].figures == figures


def test_a_program_reads(tmp_path, lists_path, capsys):
    write_messages(tmp_path / "messages.jsonl", [make_row(number) for number in range(20)])
    options = {"metrics": tmp_path, "lists": lists_path, "keys": 1, "others": 30, "asked": 15}
    reader = f"{__name__}:read_ages"
    sys.modules[__name__] = sys.modules.get(__name__, SimpleNamespace(read_ages=read_ages))
    attack(tmp_path / "messages.jsonl", reader=reader, **options)
    (outcome,) = read_outcomes(tmp_path)
    before, after = (outcome.figures["reader"][side] for side in ("originals", "surrogates"))
    assert before["asked"] == after["asked"] == 15 and before["chance"] == 0.1
    # It knows ages, and some of the candidates are of one age; surrogates are years off.
    assert before["share"] > 0.7 and after["share"] < 0.5
    assert len(outcome.tables) == 6
    with pytest.raises(typer.Exit):
        attack(tmp_path / "messages.jsonl", reader="no_such_module:read", **options)
    assert "There is no reader" in capsys.readouterr().err


def read_ages(prompt):
    """Say who is as old as somebody in the conversation, if one is."""
    text = re.search("<konversation>(.*?)</konversation>", prompt, re.DOTALL)[1]
    age = re.search(r"\d+", text)[0]
    same = re.findall(rf"(?m)^(\d+)\..*ålder {age};", prompt)
    return same[0] if len(same) == 1 else "0"


def test_labels_instead(tmp_path, lists_path, capsys):
    write_messages(tmp_path / "messages.jsonl", [make_row(number) for number in range(20)])
    options = {"metrics": tmp_path, "lists": lists_path, "keys": 1, "others": 30}
    attack(tmp_path / "messages.jsonl", hide="AGE, PERSON", **options)
    (outcome,) = read_outcomes(tmp_path)
    assert outcome.figures["signals"]["age"]["told"] == 0
    assert outcome.figures["linking"]["top5"] < 0.3
    assert "(labels instead of AGE, PERSON)" in outcome.says
    with pytest.raises(typer.Exit):
        attack(tmp_path / "messages.jsonl", hide="NAME", **options)
    assert "NAME" in capsys.readouterr().err


def test_too_little_told(tmp_path, lists_path, capsys):
    write_messages(tmp_path / "messages.jsonl", [{"id": "m", "text": "Hej", "spans": []}])
    attack(tmp_path / "messages.jsonl", metrics=tmp_path, lists=lists_path)
    assert "Only 0 conversations tell anything" in capsys.readouterr().out
    assert not read_outcomes(tmp_path)
