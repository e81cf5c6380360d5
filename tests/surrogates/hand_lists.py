"""Small lists for the tests of the surrogates, and a maker of docs."""

from collections.abc import Sequence

import spacy
from spacy.tokens import Doc

from tests.cases import read_cases

FIRST, SURNAMES, PLACES, ORGANISATIONS, AUTHORITIES, UNITS, DOUBLE_NAMES, TITLES = (
    dict(rows) for rows in read_cases(__file__).values()
)


def _rows(columns: str, rows: Sequence[Sequence[str]]) -> list[dict[str, str]]:
    return [dict(zip(columns.split(), row, strict=True)) for row in rows]


LISTS = {
    "first_names": _rows(
        "name gender origin ambiguous",
        [(name, *key, "") for key, names in FIRST.items() for name in names.split()],
    ),
    "surnames": _rows(
        "name origin gender ambiguous",
        [(name, origin, "", "") for origin, names in SURNAMES.items() for name in names.split()],
    ),
    "nicknames": _rows(
        "nick name gender ambiguous",
        [("Jocke", "Joakim", "m", ""), ("Kalle", "Karl", "m", ""), ("Lasse", "Lars", "m", "")],
    ),
    "double_names": _rows(
        "name gender origin era",
        [(name, g, "sv", "") for g, names in DOUBLE_NAMES.items() for name in names.split()],
    ),
    "titles": _rows("word kind gender", [(word, *rest) for word, rest in TITLES.items()]),
    "places": _rows(
        "name kind within prep ambiguous",
        [(n, k, w, p, "") for (k, w, p), names in PLACES.items() for n in names.split()],
    ),
    "streets": _rows(
        "name ambiguous",
        [
            (f"{stem}{suffix}", "")
            for suffix in ("gatan", "vägen")
            for stem in "Stor Ring Skol Kyrko Kungs Järn Ängs Bergs Sjö".split()  # noqa: SIM905
        ],
    ),
    "street_parts": _rows(
        "part position", [("gatan", "suffix"), ("vägen", "suffix"), ("Ek", "stem")]
    ),
    "organisations": _rows(
        "name kind abbreviation place ambiguous",
        [(n, kind, "", "", "") for kind, names in ORGANISATIONS.items() for n in names.split(",")]
        + [(name, "authority", short, "", "") for name, short in AUTHORITIES.items()],
    ),
    "units": _rows("word kind ambiguous", [(word, kind, "") for word, kind in UNITS.items()]),
    "nationwide": _rows("name", [("1177",), ("112",), ("Riksdagen",)]),
}

NLP = spacy.blank("sv")


def make_doc(marked: str, label: str | None = None, conversation: str | None = None) -> Doc:
    """Make a doc from a text with its entities in brackets, as in `Hej [Anna|PERSON]!`.

    marked (str): The text.
    label (str | None): The label of entities that name none.
    conversation (str | None): The id of the conversation.
    RETURNS (Doc): The doc.
    """
    words, labels = [], []
    for i, piece in enumerate(marked.replace("]", "[").split("[")):
        if not piece:
            continue
        text, _, own = piece.partition("|") if i % 2 else (piece, "", "")
        words.append(text)
        labels.append((own or label) if i % 2 else "")
    doc = Doc(NLP.vocab, words=words, spaces=[False] * len(words))
    doc.ents = [
        doc[i : i + 1].char_span(0, len(words[i]), label=own) for i, own in enumerate(labels) if own
    ]
    doc._.conversation_id = conversation
    return doc
