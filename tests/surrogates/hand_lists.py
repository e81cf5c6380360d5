"""Small lists for the tests of the surrogates, and makers of pipes and docs."""

from collections.abc import Iterable, Sequence

import spacy
from spacy.tokens import Doc, Span

from components.lists.lists import read_list
from components.surrogates.surrogate_generator import SurrogateGenerator
from tests.cases import read_cases
from tests.conftest import ROOT

FIRST, SURNAMES, PLACES, ORGANISATIONS, AUTHORITIES, UNITS, DOUBLE_NAMES, TITLES = (
    dict(rows) for rows in read_cases(__file__).values()
)


def _rows(columns: str, rows: Iterable[Sequence[str]]) -> list[dict[str, str]]:
    """Make rows of a list: the columns that they lack are empty."""
    names = columns.split()
    return [dict.fromkeys(names, "") | dict(zip(names, row)) for row in rows]


def _each(lists: dict) -> list[tuple[str, ...]]:
    """Each name of the lists, with what they are of."""
    keys = {key: key if isinstance(key, tuple) else (key,) for key in lists}
    return [(name, *keys[key]) for key, names in lists.items() for name in names.split()]


_STREETS = "Stor Ring Skol Kyrko Kungs Järn Ängs Bergs Sjö"
LISTS = {
    "first_names": _rows("name gender origin ambiguous", _each(FIRST)),
    "surnames": _rows("name origin gender ambiguous", _each(SURNAMES)),
    "nicknames": _rows(
        "nick name gender ambiguous",
        [("Jocke", "Joakim", "m"), ("Kalle", "Karl", "m"), ("Lasse", "Lars", "m")],
    ),
    "double_names": _rows("name gender origin era", [(*row, "sv") for row in _each(DOUBLE_NAMES)]),
    "titles": _rows("word kind gender", [(word, *rest) for word, rest in TITLES.items()]),
    "places": _rows("name kind within prep ambiguous", _each(PLACES)),
    "streets": _rows(
        "name ambiguous",
        [(stem + suffix,) for suffix in ("gatan", "vägen") for stem in _STREETS.split()],
    ),
    "street_parts": _rows(
        "part position", [("gatan", "suffix"), ("vägen", "suffix"), ("Ek", "stem")]
    ),
    "organisations": _rows(
        "name kind abbreviation place ambiguous",
        [(n, kind) for kind, names in ORGANISATIONS.items() for n in names.split(",")]
        + [(name, "authority", short) for name, short in AUTHORITIES.items()],
    ),
    **{
        name: read_list(ROOT / "assets" / "lists" / f"{name}.tsv")
        for name in ("organisation_words", "organisation_names")
    },
    "units": _rows("word kind ambiguous", UNITS.items()),
    "nationwide": _rows("name", [("1177",), ("112",), ("Riksdagen",)]),
}

NLP = spacy.blank("sv")
KEY = "a key for the tests"


def make_generator(**config: object) -> SurrogateGenerator:
    """Make a pipe that has these lists and its key from the environment."""
    # What is to be replaced is given, nothing has to find it.
    config = {"required": [], **config}
    pipe = spacy.blank("sv").add_pipe("surrogate_generator", config=config)
    pipe.initialize(list, lists=LISTS)
    return pipe


def make_doc_of(words: list[str], labels: list[str], conversation: str | None = None) -> Doc:
    """Make a doc of pieces of text, each an entity if it has a label."""
    doc = Doc(NLP.vocab, words=words, spaces=[False] * len(words))
    doc.ents = [Span(doc, i, i + 1, label) for i, label in enumerate(labels) if label]
    doc._.conversation_id = conversation
    return doc


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
    return make_doc_of(words, labels, conversation)
