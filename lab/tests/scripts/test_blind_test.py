"""The commands of the blind test, one after the other."""

import json
import re

import pytest
import typer

from lab.measures.replacing import GENERATOR, make_replacing_language
from lab.scripts.blind_test import Kind, blind_test
from lab.scripts.score_blind_test import score_blind_test
from tests.surrogates.hand_lists import LISTS


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Messages and lists in a folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SV_DEID_KEY", "a key for the tests only")
    (tmp_path / "lists").mkdir()
    for name, rows in LISTS.items():
        lines = ["\t".join(rows[0]), *("\t".join(row.values()) for row in rows)]
        (tmp_path / "lists" / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf8")
    names = ["Anna", "Eva", "Karin", "Lena", "Sara", "Maria", "Ulla", "Greta"]
    rows = [
        {
            "id": f"m{i}",
            "text": f"Hej {name}!",
            "spans": [{"start": 4, "end": 4 + len(name), "label": "PERSON"}],
        }
        for i, name in enumerate(names)
    ]
    path = tmp_path / "messages.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf8")
    return tmp_path


def make(data, **options):
    defaults = {"number": 8, "seed": 0, "numbers": True, "min_phi": 1, "overwrite": False}
    names = (data / name for name in ("messages.jsonl", "form", "key.jsonl"))
    blind_test(*names, lists=data / "lists", **{**defaults, **options})
    return [json.loads(line) for line in (data / "form/form.jsonl").read_text().splitlines()]


def test_from_messages_to_figures(data, capsys):
    form = make(data)
    key = [json.loads(line) for line in (data / "key.jsonl").read_text().splitlines()]
    lines = (data / "messages.jsonl").read_text().splitlines()
    originals = {row["id"]: row["text"] for row in map(json.loads, lines)}
    for card, row in zip(form, key):
        assert (card["text"] == originals[row["source"]]) == (row["answer"] == "original")
    (data / "eve.jsonl").write_text(
        "".join(json.dumps({"id": row["id"], "answer": row["answer"]}) + "\n" for row in key)
    )
    score_blind_test(data / "key.jsonl", [data / "eve.jsonl"], data / "m/figures.json", 0)
    figures = json.loads((data / "m/figures.json").read_text())
    assert figures["all"]["balanced_accuracy"] == 1.0
    assert figures["classes"]["PERSON"]["share_told"] == 1.0
    said = capsys.readouterr().out
    assert "eve" in said and "1.000 [1.000, 1.000]" in said
    assert not any(row["text"] in said for row in form)


def test_same_key_and_seed_same_form(data, monkeypatch):
    form = make(data)
    assert form == make(data, overwrite=True) != make(data, overwrite=True, seed=1)
    monkeypatch.setenv("SV_DEID_KEY", "another key for the tests")
    assert form != make(data, overwrite=True)


def test_fewer_than_asked_for(data, capsys):
    assert len(make(data, number=100)) == 8
    assert "fewer cards than the 100" in " ".join(capsys.readouterr().out.split())


@pytest.fixture
def leaky(data, monkeypatch):
    """A pipeline that finds one of the names only."""

    def load(path):
        nlp = make_replacing_language(LISTS)
        nlp.get_pipe(GENERATOR).required = []
        ruler = nlp.add_pipe("entity_ruler", before=GENERATOR)
        ruler.add_patterns(
            [{"label": "PERSON", "pattern": name} for name in ("Anna", "Eva", "Sara")]
        )
        return nlp

    monkeypatch.setattr("spacy.load", load)
    (data / "meta.json").write_text("{}")
    return {"kind": Kind.leaks, "model": data}


def test_from_what_a_pipeline_misses_to_figures(data, leaky, capsys):
    form = make(data, number=6, **leaky)
    assert len(form) == 6
    said = "".join(capsys.readouterr().out.split())
    assert "6cardswith3leaks" in said
    rows = [
        {"id": card["id"], "real": re.findall("Karin|Lena|Maria|Ulla|Greta", card["text"])}
        for card in form
    ]
    answers = "".join(json.dumps(row) + "\n" for row in rows)
    (data / "eve.jsonl").write_text(answers)
    paths = data / "key.jsonl", [data / "eve.jsonl"], data / "m/figures.json", 0
    score_blind_test(*paths, data / "form/form.jsonl")
    figures = json.loads((data / "m/figures.json").read_text())
    assert figures["all"]["recall"] == 1.0 and figures["leaky"] == 3
    said = capsys.readouterr().out
    assert "1.000 (1.000-1.000)" in said and ".268" in said
    assert not any(row["text"] in said for row in form)
    with pytest.raises(typer.Exit):
        score_blind_test(*paths)
    assert "--form" in capsys.readouterr().err


def test_a_pipeline_is_needed(data, capsys):
    with pytest.raises(typer.Exit):
        make(data, kind=Kind.leaks)
    assert "--model" in capsys.readouterr().err


def test_leaks_without_numbers(data, leaky):
    with (data / "messages.jsonl").open("a", encoding="utf8") as file:
        for i in range(8):
            file.write("\n" + json.dumps({"id": f"n{i}", "text": f"Hej {i} Eva", "spans": []}))
    form = make(data, number=100, numbers=False, **leaky)
    assert len(form) == 8 and not any(char.isdigit() for card in form for char in card["text"])


@pytest.mark.parametrize(
    ("options", "said"),
    [({"min_phi": 2}, "Too few messages"), ({"overwrite": False}, "--overwrite")],
)
def test_wrong_use(data, capsys, options, said):
    if "overwrite" in options:
        make(data)
    with pytest.raises(typer.Exit):
        make(data, **options)
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_two_readers_of_one_name(data, capsys):
    form = make(data)
    for folder in ("a", "b"):
        (data / folder).mkdir()
        row = {"id": form[0]["id"], "answer": "original"}
        (data / folder / "eve.jsonl").write_text(json.dumps(row))
    paths = [data / folder / "eve.jsonl" for folder in ("a", "b")]
    with pytest.raises(typer.Exit):
        score_blind_test(data / "key.jsonl", paths, data / "figures.json", 0)
    assert "Two readers are called eve" in capsys.readouterr().err
    assert not (data / "figures.json").exists()
