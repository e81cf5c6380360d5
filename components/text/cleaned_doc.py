"""The pipes read a doc of the cleaned text. Their finds are written to the doc of the original."""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import NamedTuple

from spacy.tokens import Doc, Span

from ..shared.hits import get_tokens
from ..shared.labels import CUSTOM_KEY, KNOWN_KEY
from .cleaning.clean import clean_text, parse_steps
from .cleaning.json_text import find_parts
from .cleaning.originals import apply_to_original
from .folding import Folded, fold_doc
from .languages import detect_language
from .sections import merge_sections

# Attributes that are not copied from one doc to the other.
OWN = ("cleaned", "folded", "commonness", "evidence", "deidentified", "replacements")

# The key under which the detected language is kept.
LANGUAGE = "sv_deid_chat.language"


class Whole(NamedTuple):
    """All of a text as one section, whose characters have other places in the other text.

    last (int): Where the other text ends.
    place (Callable[[int, int], tuple[int, int]]): Finds a stretch in the other text.
    first (int): Where it begins.
    """

    last: int
    place: Callable[[int, int], tuple[int, int]]
    first: int = 0


def make_doc(tokenize: Callable[[str], Doc], text: str, steps: tuple[str, ...]) -> Doc:
    """Tokenize the cleaned text, and make the doc of the original with the same boundaries: a find in the
    cleaned text then has tokens of the original, too. What is cleaned away becomes tokens of its own.

    tokenize (Callable[[str], Doc]): The tokenizer.
    text (str): The original.
    steps (tuple[str, ...]): What is cleaned away.
    RETURNS (Doc): The doc of the original.
    """
    folded = clean_text(text, steps)
    doc = tokenize(folded.text)
    if folded.text == text:
        return doc
    words: list[str] = []
    spaces: list[bool] = []
    end = 0

    def add(until: int) -> None:
        if end < until:
            words.append(text[end:until])
            spaces.append(False)

    for token in doc:
        start, stop = folded.to_original(token.idx, token.idx + len(token))
        add(start)
        end = start
        add(stop)
        end = stop
        if token.whitespace_ and text[end : end + 1] == " ":
            spaces[-1] = True
            end += 1
    add(len(text))
    return Doc(doc.vocab, words=words, spaces=spaces)


def mark_cleaned(doc: Doc, steps: tuple[str, ...]) -> None:
    """Write the steps that clean a doc to `doc._.cleaned`, nothing where they change nothing.

    doc (Doc): The doc of the original.
    steps (tuple[str, ...]): The steps of the cleaning.
    """
    # `doc.text` is slow, and the folded text is needed later.
    text = fold_doc(doc).original
    cleaned = ",".join(steps) if clean_text(text, steps).text != text else ""
    if doc._.cleaned != cleaned:
        doc._.cleaned = cleaned
        doc.user_data.pop(LANGUAGE, None)


def get_language(doc: Doc) -> str | None:
    """Get the language of a message. It is detected once.

    doc (Doc): The doc of the original.
    RETURNS (str | None): The language of the cleaned text (`components.text.languages`).
    """
    if LANGUAGE not in doc.user_data:
        text = _clean(doc).text if doc._.cleaned else fold_doc(doc).original
        doc.user_data[LANGUAGE] = detect_language(text)
    language: str | None = doc.user_data[LANGUAGE]
    return language


def open_doc(doc: Doc) -> Doc:
    """Get the doc that the pipes read, with everything that was found so far.

    doc (Doc): The doc of the original.
    RETURNS (Doc): The doc of the cleaned text: the same doc where nothing is cleaned away.
    RAISES (ValueError): If an entity is in what was cleaned away.
    """
    if not doc._.cleaned:
        return doc
    folded = _clean(doc)
    words: list[str] = []
    spaces: list[bool] = []
    for piece in _cut(doc, folded):
        if piece == " " and words and not spaces[-1]:
            spaces[-1] = True
        elif piece:
            words.append(piece)
            spaces.append(False)

    def place(start: int, end: int) -> tuple[int, int]:
        first, last = folded.to_folded(start), folded.to_folded(end)
        if first >= last:
            raise ValueError("There is a find in what was cleaned away.")
        return first, last

    own = Doc(doc.vocab, words=words, spaces=spaces)
    _copy_attributes(doc, own)
    merge_sections(own, [(Whole(len(folded.text), place), doc)])
    return own


def _cut(doc: Doc, folded: Folded) -> Iterable[str]:
    """The cleaned text of each token, and of the space after it."""
    for token in doc:
        start, end = token.idx, token.idx + len(token)
        for stop in (end, end + len(token.whitespace_)):
            yield folded.text[folded.to_folded(start) : folded.to_folded(stop)]
            start = stop


def close_doc(own: Doc, doc: Doc) -> None:
    """Write what the pipes found in the cleaned text to the doc of the original.

    own (Doc): What `open_doc` gave.
    doc (Doc): The doc of the original.
    """
    if own is not doc:
        _copy_attributes(own, doc)
        _leave_names_of_fields(own, _clean(doc))
        merge_sections(doc, [(Whole(len(doc.text), _clean(doc).to_original), own)])


def _leave_names_of_fields(own: Doc, folded: Folded) -> None:
    """The name of a field, as in `{"bor": "Lund"}`, tells nothing of anybody, unless it is known or
    asked for.
    """
    names = [part for part in find_parts(folded.original) if part.is_name]
    if not names:
        return
    asked = get_tokens(span for key in (KNOWN_KEY, CUSTOM_KEY) for span in own.spans.get(key, ()))

    def is_name(ent: Span) -> bool:
        start, end = folded.to_original(ent.start_char, ent.end_char)
        at = bisect_right(names, start, key=lambda part: part.start) - 1
        return at >= 0 and end <= names[at].end and asked.isdisjoint(range(ent.start, ent.end))

    own.ents = [ent for ent in own.ents if not is_name(ent)]


def write_original(own: Doc, doc: Doc) -> None:
    """Write what was replaced in the cleaned text to the doc of the original.

    own (Doc): What `open_doc` gave, after the `surrogate_generator`.
    doc (Doc): The doc of the original.
    """
    if own is not doc:
        written = apply_to_original(_clean(doc), own._.replacements)
        doc._.deidentified, doc._.replacements = written


def _clean(doc: Doc) -> Folded:
    return clean_text(doc.text, parse_steps(doc._.cleaned))


def _copy_attributes(source: Doc, target: Doc) -> None:
    for key, value in source.user_data.items():
        # spaCy keeps the attributes of spans there, too, by their characters.
        if isinstance(key, tuple) and key[2:] == (None, None) and key[1] not in OWN:
            target.user_data[key] = value
