"""Reading of the word lists (`assets/lists/*.tsv`)."""

import csv
from pathlib import Path

from spacy.util import registry

from ..shared.labels import NEGATIVE, TITLE

Lists = dict[str, list[dict[str, str]]]

# From list and column to (label, kind).
SOURCES: dict[tuple[str, str], tuple[str, str]] = {
    ("first_names", "name"): ("PERSON", "first_name"),
    ("nicknames", "nick"): ("PERSON", "nickname"),
    ("surnames", "name"): ("PERSON", "surname"),
    ("titles", "word"): (TITLE, "title"),
    ("places", "name"): ("LOCATION", "place"),
    ("streets", "name"): ("LOCATION", "street"),
    ("organisations", "name"): ("ORGANISATION", "organisation"),
    ("organisations", "abbreviation"): ("ORGANISATION", "abbreviation"),
    ("units", "word"): ("ORGANISATION", "unit"),
    ("drugs", "name"): (NEGATIVE, "drug"),
    ("eponyms", "term"): (NEGATIVE, "eponym"),
    ("terms", "term"): (NEGATIVE, "term"),
}
LABEL_OF_KIND = {kind: label for label, kind in SOURCES.values()}
KINDS = tuple(LABEL_OF_KIND)
# The score of an entry that a word is only with a slip: `barnklinikn`.
SLIP = 0.4


@registry.readers("sv_deid_chat.lists.v1")
def read_lists(path: str) -> Lists:
    """Read every list of a folder, by file stem. A list is a TSV file: lines that start with `#` tell where its
    facts come from, then a row of column names, then the entries.

    RAISES (ValueError): If the folder holds no list, or a row has too many or too few cells.
    """
    files = sorted(Path(path).glob("*.tsv"))
    if not files:
        raise ValueError(f"No lists (*.tsv) in {path}. Give the folder that holds them.")
    return {file.stem: read_list(file) for file in files}


def read_list(path: Path) -> list[dict[str, str]]:
    """Read one list."""
    rows = []
    with path.open(encoding="utf8", newline="") as file:
        reader = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        lines = (cells for cells in reader if cells and not cells[0].startswith("#"))
        header = next(lines, [])
        for cells in lines:
            if len(cells) != len(header):
                raise ValueError(
                    f"{path}, line {reader.line_num}: {len(cells)} cells, expected {len(header)} "
                    f"({', '.join(header)})"
                )
            rows.append(dict(zip(header, cells)))
    return rows
