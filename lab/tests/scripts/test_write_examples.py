import json
import re

import spacy

from components.measures.gold import parse_message, read_messages
from lab.scripts.write_examples import compare, mark, write_examples
from tests.conftest import ROOT
from tests.surrogates.hand_lists import LISTS, make_doc


def test_examples_are_ten():
    paths = (ROOT / "lab" / "examples").glob("*.jsonl")
    rows = [row for path in paths for row in read_messages(path)]
    assert len({row.get("conversation") or row["id"] for row in rows}) == 10
    assert len({row["id"] for row in rows}) == len(rows)
    assert {row["author"] for row in rows} == {"patient", "caregiver"}


def test_mark():
    assert mark("Hej|\nEva*, i Lund", [(5, 8), (13, 17)]) == r"Hej\|<br><b>Eva</b>\*, i <b>Lund</b>"
    assert mark("<b>", []) == r"\<b>"


def test_compare():
    text = "dr Eva Berg, Lund. Hej Bo"
    spans = [(0, 11, "PERSON"), (13, 17, "LOCATION")]
    row = parse_message(
        json.dumps(
            {"text": text, "spans": [{"start": a, "end": b, "label": c} for a, b, c in spans]}
        )
    )
    doc = make_doc("dr [Eva Berg|PERSON], Lund. [Hej|PERSON] Bo")
    assert doc.text == text
    assert compare([row], [doc]) == ["Missed: `dr`, `Lund`.\n", "Taken for PHI: `Hej`.\n"]
    assert compare([row], [make_doc("[dr Eva Berg|PERSON], [Lund|LOCATION]. Hej Bo")]) == []


def test_page_is_the_same_each_time(tmp_path, monkeypatch):
    monkeypatch.setenv("SV_DEID_KEY", "another key for the tests")
    nlp = spacy.blank("sv")
    patterns = [{"label": "PERSON", "pattern": name} for name in ("Saga", "Therese")]
    nlp.add_pipe("entity_ruler").add_patterns(patterns)
    config = {"required": []}
    nlp.add_pipe("surrogate_generator", config=config).initialize(list, lists=LISTS)
    nlp.to_disk(tmp_path / "model")
    pages = []
    for name in ("one.md", "two.md"):
        write_examples(tmp_path / "model", ROOT / "lab" / "examples", tmp_path / name)
        pages.append((tmp_path / name).read_text(encoding="utf8"))
    assert pages[0] == pages[1]
    headings = re.findall(r"^## (\d+)\.", pages[0], re.MULTILINE)
    assert headings == [str(i) for i in range(1, 11)]
    befores = [line.split(" | ")[1:] for line in pages[0].splitlines() if "<b>Saga</b>" in line]
    assert befores and all("Saga" in before and "Saga" not in after for before, after in befores)
