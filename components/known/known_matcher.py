"""The pipe that finds what is known of the participants."""

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span

from ..lists.words import get_commonness
from ..shared.labels import GAZETTEER_KEY, KNOWN_KEY, LABELS, NEGATIVE
from ..text.extensions import set_extensions
from ..text.folding import fold_text
from ..text.hits import get_tokens, iter_hits, make_span, write_hits
from ..text.message import fold_doc
from ..text.numbers import POSTAL_CODE, read_phone
from ..text.spreadsheet import read_shown
from ..text.validators import digits_of
from .email_finder import get_addresses
from .value_finder import ValueFinder
from .words import COMPOUND, EXACT, TYPO, WORD, WORDS

# The fields of a participant. A label may be a field, too.
FIELDS = {
    "name": "PERSON",
    "pid": "PID",
    "phone": "PHONE",
    "email": "EMAIL",
    "address": "LOCATION",
    **{label.lower(): label for label in LABELS},
}
# The fields by which a name of FHIR is told from other participants.
HUMAN_NAME = {"family", "given", "text"}
SCORES = {EXACT: 1.0, WORD: 0.9, TYPO: 0.8}
# A known name in lower case is a hit unless it is a word that is seen 30 times in a million words:
# `maj`, `per` and `sten` are, `björn` is not. With a typing error no listed word is a hit.
ORDINARY = {WORD: get_commonness(30), TYPO: get_commonness(0.1)}

# The least length of a value that is looked for, in digits or letters.
MIN_PHONE, MIN_NAME, MIN_OTHER = 5, 2, 2
PID_LENGTHS = frozenset((4, 10, 12))
# Written where nothing is known.
PLACEHOLDERS = frozenset(WORDS["placeholders"])


@Language.factory("known_matcher", assigns=["doc.spans"])
class KnownMatcher:
    """Find the values of doc._.known, whatever their casing, genitive, separators and small typing
    errors, and the parts of names.

    doc.spans["known"] holds the hits, span.id_ how sure each is: "exact"; "word" for a single word
    in lower case where no name is expected; "typo". The span_merger leaves out a "word" or "typo"
    that is an ordinary word; everything else becomes PHI.
    """

    def __init__(self, nlp: Language | None = None, name: str = "known_matcher") -> None:
        set_extensions()
        self.name = name

    def __call__(self, doc: Doc) -> Doc:
        """Write the hits of what is known (`doc._.known`) to doc.spans["known"]."""
        values = read_known(doc._.known)
        write_hits(doc, KNOWN_KEY, find_values(doc, ValueFinder(values)) if values else [])
        return doc


def read_known(known: Any) -> list[tuple[str, str]]:
    """Read what is known of the participants.

    known (Any): A list of dicts, one for each participant, or one such dict; from a field ("name",
        "pid", "phone", "email", "address" or one of the eight labels) to a string, a list of
        strings or None. In a list, a string is a name, and a `HumanName` of FHIR is read.
    RETURNS (list[tuple[str, str]]): Pairs of label and value. A value that identifies nobody (`+46`,
        `okänd`) is ignored with a warning.
    RAISES (ValueError): If it is something else. The message quotes nothing of it.
    """
    if known is None:
        return []
    participants = [known] if isinstance(known, Mapping) else known
    if not isinstance(participants, (list, tuple)):
        raise ValueError(  # noqa: TRY004
            f"What is known of the participants must be a list of dicts, not {_kind(known)}."
        )
    values = []
    for number, participant in enumerate(participants, 1):
        where = f"What is known of participant {number}"
        if isinstance(participant, str):
            participant = {"name": participant}
        elif isinstance(participant, Mapping) and HUMAN_NAME & participant.keys():
            given = participant.get("given") or []
            parts = [*(given if isinstance(given, list) else [given]), participant.get("family")]
            whole = " ".join(part for part in parts if isinstance(part, str))
            participant = {"name": [whole, participant.get("text")]}
        if not isinstance(participant, Mapping):
            raise ValueError(f"{where} must be a dict, not {_kind(participant)}.")  # noqa: TRY004
        for field, value in participant.items():
            label = FIELDS.get(field.lower()) if isinstance(field, str) else None
            if label is None:
                raise ValueError(f"{where} has an unknown field. Known: {', '.join(FIELDS)}.")
            for item in value if isinstance(value, (list, tuple)) else [value]:
                if item is not None and not isinstance(item, str):
                    raise ValueError(
                        f"{where}, field {field.lower()!r}: it must be a string or a list of "
                        f"strings, not {_kind(item)}."
                    )
                if not item or not item.strip():
                    continue
                if is_informative(label, item):
                    values.append((label, item))
                else:
                    warnings.warn(
                        f"{where}, field {field.lower()!r}: a value is too short, or not of its "
                        "kind, to identify anybody, and is ignored.",
                        UserWarning,
                        stacklevel=2,
                    )
    return values


def is_informative(label: str, value: str) -> bool:
    """Whether a value can identify somebody. `+46`, `-` and `okänd` cannot."""
    value = fold_text(value).text.strip()
    signs = [char for char in value.lower() if char.isalnum()]
    if len({*signs}) < 2 or "".join(signs) in PLACEHOLDERS:
        return False
    if label == "PHONE":
        return len(read_phone(value).digits) >= MIN_PHONE
    if label == "PID":
        return len(digits_of(value)) in PID_LENGTHS
    if label == "EMAIL":
        return bool(next(get_addresses(re.sub(r"\s*@\s*", "@", value)), None))
    if label == "PERSON":
        return sum(map(str.isalpha, value)) >= MIN_NAME
    if label == "LOCATION":
        return bool(re.search(r"[^\W\d_]{3}", value) or POSTAL_CODE.search(value))
    return len(signs) >= MIN_OTHER


def make_known_columns(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Name the columns of what is known, such as ("name", "patient_name"), or raise ValueError."""
    made = tuple((field.strip().lower(), column) for field, column in pairs)
    for field, column in made:
        if field not in FIELDS or not column:
            raise ValueError(
                f"Name what is known by field and column (name=patient_name,pid=pnr). Fields: "
                f"{', '.join(FIELDS)}."
            )
    return made


def parse_known_columns(text: str) -> tuple[tuple[str, str], ...]:
    """Parse `name=patient_name,pid=pnr` into pairs of field and column, or raise ValueError."""
    pairs = (part.partition("=") for part in text.split(",") if part.strip())
    return make_known_columns((field, column.strip()) for field, _, column in pairs)


def read_known_columns(
    values: Mapping[str, Any], columns: Iterable[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Read what a row's columns know of a participant. A ValueError quotes nothing of a cell."""
    known = []
    for field, column in columns:
        value = values.get(column)
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # of a column in which some are missing
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str):
            value = read_shown(value)
        try:
            known += read_known({field: value})
        except ValueError:
            raise ValueError(f"field {column!r} is neither a string nor an integer") from None
    return known


def get_dropped(columns: Iterable[tuple[str, str]], texts: Sequence[str]) -> list[str]:
    """The columns with what is known that are not written: all but those read as texts."""
    return [name for name in dict.fromkeys(name for _, name in columns) if name not in texts]


def _kind(value: Any) -> str:
    return type(value).__name__


def group_known(values: Iterable[tuple[str, str]]) -> dict[str, list[str]] | None:
    """Group pairs of label and value by label, None if nothing is known."""
    known: dict[str, list[str]] = {}
    for label, value in dict.fromkeys(values):
        known.setdefault(label, []).append(value)
    return known or None


def find_values(doc: Doc, finder: ValueFinder) -> list[tuple[Span, float]]:
    """Find values in a document: spans, whose id_ is how sure each is, and their scores."""
    return [
        (make_span(doc, start, end, label, kind), SCORES[kind])
        for start, end, label, kind in finder.find(fold_doc(doc))
    ]


def is_ordinary(span: Span, least: float) -> bool:
    """Whether all words of a hit are at least so ordinary, 0 to 1. A compound counts only for hits with a typing
    error and for compounds: `milena` (mil, ena) is a name. False without a list of words.
    """
    commonness = span.doc._.commonness
    words = [token.i for token in span if token.is_alpha]
    if commonness is None or not words:
        return False
    known, compound = np.asarray(commonness)[words].T
    return bool(((known >= least) | ((compound > 0) & (span.id_ in (TYPO, COMPOUND)))).all())


def get_negative(doc: Doc) -> set[int]:
    """The indices of the words of a document that are of the name of a disease, test or drug."""
    return get_tokens(hit for hit in doc.spans.get(GAZETTEER_KEY, ()) if hit.label_ == NEGATIVE)


def get_standing(doc: Doc) -> Iterator[tuple[Span, float]]:
    """Get the known hits that are no ordinary words."""
    hits = list(iter_hits(doc, KNOWN_KEY))
    negative = get_negative(doc) if hits else set()
    for span, score in hits:
        if span.id_ in ORDINARY and is_ordinary(span, ORDINARY[span.id_]):
            continue
        if span.id_ == TYPO and not negative.isdisjoint(range(span.start, span.end)):
            continue
        yield span, score
