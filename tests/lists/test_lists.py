"""Reading of the lists, and the lists themselves."""

from pathlib import Path

import pytest

from components.lists.lists import SOURCES, read_list, read_lists

LISTS = Path(__file__).resolve().parents[2] / "assets" / "lists"


def test_reads_rows(tmp_path):
    path = tmp_path / "names.tsv"
    path.write_text("# facts\nname\tgender\nAnna\tf\nBo\tm\n", encoding="utf8")
    assert read_lists(tmp_path) == {
        "names": [{"name": "Anna", "gender": "f"}, {"name": "Bo", "gender": "m"}]
    }


def test_wrong_lists(tmp_path):
    with pytest.raises(ValueError, match="No lists"):
        read_lists(tmp_path)
    (tmp_path / "names.tsv").write_text("name\tgender\nAnna\n", encoding="utf8")
    with pytest.raises(ValueError, match="names.tsv, line 2: 1 cells, expected 2"):
        read_list(tmp_path / "names.tsv")


@pytest.mark.parametrize("path", sorted(LISTS.glob("*.tsv")), ids=lambda path: path.stem)
def test_embedded_list(path):
    first = path.read_text(encoding="utf8").splitlines()[0]
    assert first.startswith("#"), "a list begins with where its facts come from"
    rows = read_list(path)
    assert len({tuple(row.values()) for row in rows}) == len(rows)
    key = next(iter(rows[0]))
    assert all(row[key] == row[key].strip() != "" for row in rows)


def test_gazetteer_reads_the_embedded_lists():
    lists = read_lists(LISTS)
    for stem, column in SOURCES:
        assert column in lists[stem][0]
