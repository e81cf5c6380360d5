import json
from collections import Counter
from pathlib import Path

import pytest
import typer

import components  # noqa: F401
from scripts.import_lists import import_lists, write_lists
from tests.conftest import run_python
from training_tools.public_lists import make_guesser, merge_lists, read_rare_names

# Own lists, and public files.
OWN, PUBLIC = json.loads(Path(__file__).with_name("public_lists.json").read_text("utf8")).values()


@pytest.fixture
def public(tmp_path) -> Path:
    folder = tmp_path / "public"
    folder.mkdir()
    for name, text in PUBLIC.items():
        (folder / name).write_bytes(text.encode("utf8"))
    return folder


@pytest.fixture
def merged(public):
    before = json.dumps(OWN)
    merged = merge_lists(OWN, public)
    assert json.dumps(OWN) == before
    return merged


def named(rows: list[dict[str, str]], name: str) -> list[dict[str, str]]:
    return [row for row in rows if row["name"] == name]


def test_first_names(merged):
    rows = merged["first_names"]
    counts = Counter(row["name"] for row in rows)
    # Each stands once for each digit of its bearers.
    assert (counts["Anna"], counts["Bo"], counts["Lovali"], counts["Hjalle"]) == (6, 5, 2, 3)
    # A name of our own that the statistics lack; one too rare to be added; one that is a surname.
    assert counts["Ylva"] == 1 and not {"Sällan", "Granqvist"} & set(counts)
    of = {row["name"]: row for row in rows}
    assert [of[name]["gender"] for name in ("Lovali", "Hjalle", "Robinne")] == ["f", "m", "n"]
    assert [of[name]["ambiguous"] for name in ("Sommar", "Lovali")] == ["1", ""]
    assert [of[name]["common"] for name in ("Lovali", "Anna")] == ["3", "1"]


def test_surnames(merged):
    rows = merged["surnames"]
    of = {row["name"]: row for row in rows}
    assert len(named(rows, "Lindberg")) == 5 and "Ovanlig" not in of and "Granqvist" in of
    # The letters tell the origin.
    assert (of["Testberg"]["origin"], of["Krasinski"]["origin"]) == ("sv", "pl")
    assert make_guesser(OWN["surnames"]).predict(["Wojnowski"]) == ["pl"]


def test_rare_names_are_those_that_the_own_lists_lack(public):
    rare = read_rare_names(public, {**OWN, "nicknames": [{"name": "Hjalmar", "nick": "Hjalle"}]})
    assert rare["first_names"] == [
        ("Hjalle", "m"), ("Lovali", "f"), ("Robinne", "n"), ("Sommar", "f"), ("Sällan", "f"),
    ]  # fmt: skip
    assert rare["surnames"] == [(n, "") for n in ("Granqvist", "Krasinski", "Ovanlig", "Testberg")]


def test_names_have_the_columns_of_our_own(merged):
    for key in ("first_names", "surnames"):
        assert {row["common"] for row in merged[key]} <= {"1", "2", "3"}
        assert {tuple(row) for row in merged[key]} == {tuple(OWN[key][0])}


def test_places(merged):
    # In the county of their municipality. The file puts it in Skåne, where another of the name is.
    (row,) = named(merged["places"], "Testby")
    assert [*row.values()] == ["Testby", "village", "Kalmar", "i", ""]
    assert named(merged["places"], "Bergby")[0]["within"] == ""
    assert [row["kind"] for row in named(merged["places"], "Umeå")] == ["city"]
    assert not named(merged["places"], "Aby och Beby") and not named(merged["places"], "Locality")
    codes = [(row["code"], row["town"]) for row in merged["postal_codes"]]
    assert codes == [("903 25", "Umeå"), ("987 65", "Östra Provby")]
    assert named(merged["places"], "Östra Provby")


def test_care_units_streets_and_drugs(merged):
    found = {row["name"]: (row["kind"], row["place"]) for row in merged["organisations"]}
    assert found["Testby hälsocentral"] == ("care_unit", "Testby")
    assert found["Testby sjukhus"] == ("hospital", "Testby")
    assert "Gamla sporthallen" not in found and found["Capio"] == ("care_brand", "")
    assert [row["name"] for row in merged["streets"]] == ["Storgatan", "Provgränd", "Åttavägen"]
    # Names are no drugs.
    assert [row["name"] for row in merged["drugs"]] == ["Alvedon", "Testofen"]


@pytest.mark.parametrize("missing", PUBLIC)
def test_each_file_is_optional(public, missing):
    (public / missing).unlink()
    assert merge_lists(OWN, public)


def test_no_file_at_all(tmp_path):
    with pytest.raises(ValueError, match="spacy project assets --extra"):
        merge_lists(OWN, tmp_path)


@pytest.mark.parametrize("name", sorted(set(PUBLIC) - {"siteNames.js", "drugs.txt"}))
def test_file_of_another_format_is_named(public, name):
    (public / name).write_text("<html>404: Not Found</html>\n", encoding="utf8")
    with pytest.raises(ValueError, match=name):
        merge_lists(OWN, public)


def test_script_writes_the_same_bytes_in_every_process(public, tmp_path):
    own = tmp_path / "own"
    write_lists(own, OWN, "For the test.")
    import_lists(own, public, tmp_path / "1")
    args = ["scripts.import_lists", own, public, tmp_path / "2"]
    done = run_python(*args, options=["-m"], PYTHONHASHSEED="2")
    assert done.returncode == 0, done.stderr
    outs = [{path.name: path.read_bytes() for path in (tmp_path / n).iterdir()} for n in "12"]
    assert outs[0] == outs[1] and "postal_codes.tsv" in outs[0]
    assert "first_names: 6 entries, 10 with the public files" in done.stdout


def test_script_spares_the_own_lists(public, tmp_path, capsys):
    own = tmp_path / "own"
    write_lists(own, OWN, "For the test.")
    before = {path.name: path.read_bytes() for path in own.iterdir()}
    with pytest.raises(typer.Exit):
        import_lists(own, public, own)
    assert "another folder" in capsys.readouterr().err
    assert before == {path.name: path.read_bytes() for path in own.iterdir()}
