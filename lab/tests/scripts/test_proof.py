"""What is measured for those who answer for the messages: each command on a tiny pipeline."""

import re

import pytest
import spacy
import srsly
import typer

from lab.scripts.certify import certify
from lab.scripts.contrast import contrast
from lab.scripts.stability import stability
from training_tools.binomial import get_p_value

# Rules find the number, and nothing finds the name.
NUMBER = {"text": "Ring 070-174 06 05!", "spans": [{"start": 5, "end": 18, "label": "PHONE"}]}
NAME = {"text": "Xqz ringde", "spans": [{"start": 0, "end": 3, "label": "PERSON"}]}
NOTHING = {"text": "Hej", "spans": []}


@pytest.fixture(scope="module")
def model_path(tiny_path, tmp_path_factory):
    """Its model finds nothing, or everything."""
    nlp = spacy.load(tiny_path)
    nlp.get_pipe("phi_ner").threshold = 1.0
    nlp.get_pipe_config("phi_ner")["thresholds"] = {"balanced": 1.0, "careful": 0.0}
    path = tmp_path_factory.mktemp("tuned") / "model"
    nlp.to_disk(path)
    return path


def write(path, rows):
    srsly.write_jsonl(path, [{"id": str(i), **row} for i, row in enumerate(rows)])
    return path


def make_page(path, block):
    path.write_text(f"a\n<!-- {block} -->\nSTALE\n<!-- /{block} -->\nb\n", encoding="utf8")
    return path


def read_block(page):
    text = page.read_text(encoding="utf8")
    assert "STALE" not in text and text.startswith("a\n<!--") and text.endswith("-->\nb\n")
    return text


def test_contrast(model_path, tmp_path, capsys):
    path = tmp_path / "numbers.txt"
    path.write_text(
        "# phone\nring [[PHONE|070-174 06 05]]\nvänta 070\n\nring [[PHONE|070-1740606]]\nhej\n\n"
        "[[PERSON|Xqz]] ringde\nhej\n",
        encoding="utf8",
    )
    page = make_page(tmp_path / "page.md", "contrast")
    contrast(model_path, tmp_path / "m.json", [path], page)
    figures = srsly.read_json(tmp_path / "m.json")["numbers"]
    assert figures["sides"] == ["PHONE", "no PHI"]
    for systems in figures["counts"].values():
        assert [*systems] == ["rules and lists", "model", "merged", "careful"]
        assert systems["rules and lists"]["ALL"] == {"groups": [2, 3], "sides": [[2, 3], [3, 3]]}
        # At this threshold the model finds nothing, in the careful mode too much.
        assert systems["model"]["ALL"]["sides"] == [[0, 3], [3, 3]]
        assert systems["careful"]["ALL"]["sides"][1][0] < systems["merged"]["ALL"]["sides"][1][0]
    assert "`numbers`, 3 groups" in read_block(page)
    assert not re.search("Xqz|0606", capsys.readouterr().out + read_block(page))


def test_stability(model_path, tmp_path, capsys):
    data = write(tmp_path / "d.jsonl", [NUMBER, NAME, NOTHING])
    page = make_page(tmp_path / "page.md", "stability")
    stability(model_path, data, tmp_path / "m.json", page, seed=0)
    figures = srsly.read_json(tmp_path / "m.json")
    assert figures["batch: one by one"] == {
        "messages": 2, "entities": 2, "changed": 0, "lost": 0, "won": 0, "interval": [0, 0],
    }  # fmt: skip
    assert "| batch: one by one | 2 | 2 | .000 (.000-.000) |" in read_block(page)
    assert "Xqz" not in capsys.readouterr().out


def test_certificate(model_path, tmp_path, capsys):
    rows = [{**NUMBER, "conversation": "c"}, {**NAME, "conversation": "c"}, NAME]
    data = write(tmp_path / "d.jsonl", [*rows, *[NOTHING] * 20, *[NUMBER] * 38])
    pages = [make_page(tmp_path / f"{name}.md", "certificate") for name in "pq"]
    path = tmp_path / "certificate.json"
    certify(model_path, data, path, 0.05, pages)
    certificate = srsly.read_json(path)
    assert (certificate["units"], certificate["units_with_phi"], certificate["messages"]) == (
        60,
        40,
        61,
    )
    balanced, careful = certificate["modes"]["balanced"], certificate["modes"]["careful"]
    assert (balanced["leaks"], careful["leaks"]) == (2, 0)
    for mode in (balanced, careful):
        # Both promises hold at once, so each may be wrong half as often.
        assert get_p_value(mode["leaks"], 60, mode["alpha"]) == pytest.approx(0.025)
    for page in pages:
        text = read_block(page)
        assert "| balanced | 1 | 2 of 60 | .033 | **0.1153** |" in text
        assert "*Exchangeable* means" in text and certificate["set_sha256"][:16] in text
    assert "Xqz" not in path.read_text("utf8") + capsys.readouterr().out


def test_a_set_is_spent_once(model_path, tiny_path, tmp_path, capsys):
    data, path = write(tmp_path / "d.jsonl", [NUMBER]), tmp_path / "certificate.json"
    certify(model_path, data, path, 0.05, [])
    certify(model_path, data, path, 0.05, [])
    with pytest.raises(typer.Exit):
        certify(tiny_path, data, path, 0.05, [])
    assert "d is spent" in capsys.readouterr().err
    write(data, [NUMBER, NOTHING])
    certify(model_path, data, path, 0.05, [])
    assert srsly.read_json(path)["units"] == 2


def test_a_share_is_one(model_path, tmp_path, capsys):
    data = write(tmp_path / "d.jsonl", [NUMBER])
    with pytest.raises(typer.Exit):
        certify(model_path, data, tmp_path / "c.json", 1.0, [])
    assert "--delta" in capsys.readouterr().err and not (tmp_path / "c.json").exists()
