"""A message as it is read. Its text is cleaned and folded once, its language is detected once, and all of
it travels with the doc. The pipes read a doc of the cleaned text. Their finds are written to the doc of the
original.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import NamedTuple

from spacy.tokens import Doc, Span

from ..shared.labels import CUSTOM_KEY, KNOWN_KEY
from .cleaning.clean import clean_text, parse_steps
from .cleaning.json_text import find_parts
from .cleaning.originals import apply_to_original
from .folding import Folded, fold_text
from .hits import get_tokens
from .languages import detect_language
from .sections import Whole, merge_sections

# Attributes that are not copied from one doc to the other.
OWN = ("cleaned", "folded", "commonness", "evidence", "deidentified", "replacements")
# The key of `doc.user_data` under which a message travels.
KEY = "sv_deid_chat.message"
UNDETECTED = ""


class Message(NamedTuple):
    """What is read of a message: the cleaned text and how it was cleaned, its folded form, and its
    language, UNDETECTED before anybody asks for it.
    """

    steps: tuple[str, ...]
    cleaned: Folded
    folded: Folded
    language: str | None = UNDETECTED

    @property
    def is_changed(self) -> bool:
        """Whether anything was cleaned away."""
        return self.cleaned.text != self.cleaned.original


def read_message(doc: Doc, steps: tuple[str, ...] | None = None) -> Message:
    """Get what is read of a message, made again for other steps only. None: those of before."""
    message = doc.user_data.get(KEY)
    # A doc that was loaded has a list, and a part of a doc may have the message of the whole.
    if (
        isinstance(message, Message)
        and steps in (None, message.steps)
        and len(message.cleaned.original) == get_length(doc)
    ):
        return message
    if steps is None:
        steps = parse_steps(doc._.cleaned or "none")
    return _keep_message(doc, clean_text(doc.text, steps), steps)


def _keep_message(doc: Doc, cleaned: Folded, steps: tuple[str, ...]) -> Message:
    message = doc.user_data[KEY] = Message(steps, cleaned, fold_text(cleaned.text))
    return message


def get_length(doc: Doc) -> int:
    """Measure the text of a doc without building `doc.text`, which is slow."""
    if not len(doc):
        return 0
    last = doc[-1]
    return last.idx + len(last) + len(last.whitespace_)


def fold_doc(doc: Doc) -> Folded:
    """The folded text of a doc that the pipes read. It is folded once."""
    message = read_message(doc)
    # A pipe that is called alone reads the original.
    return fold_text(message.cleaned.original) if message.is_changed else message.folded


def get_language(doc: Doc) -> str | None:
    """The language of the cleaned text. It is detected once."""
    message = read_message(doc)
    if message.language == UNDETECTED:
        message = message._replace(language=detect_language(message.cleaned.text))
        doc.user_data[KEY] = message
    return message.language


def make_doc(tokenize: Callable[[str], Doc], text: str, steps: tuple[str, ...]) -> Doc:
    """Make the doc of the original, whose tokens end where those of the cleaned text do."""
    cleaned = clean_text(text, steps)
    doc = tokenize(cleaned.text)
    if cleaned.text != text:
        doc = Doc(doc.vocab, *_add_markup(doc, cleaned))
    _keep_message(doc, cleaned, steps)
    return doc


def _add_markup(doc: Doc, cleaned: Folded) -> tuple[list[str], list[bool]]:
    """The words of the original, and whether a space follows each."""
    text = cleaned.original
    words: list[str] = []
    spaces: list[bool] = []
    end = 0
    for token in doc:
        start, stop = cleaned.to_original(token.idx, token.idx + len(token))
        pieces = [piece for piece in (text[end:start], text[start:stop]) if piece]
        words += pieces
        spaces += [False] * len(pieces)
        end = stop
        if token.whitespace_ and text[end : end + 1] == " ":
            spaces[-1] = True
            end += 1
    rest = [text[end:]] if text[end:] else []
    return words + rest, spaces + [False] * len(rest)


def open_doc(doc: Doc, steps: tuple[str, ...] | None = None) -> Doc:
    """Get the doc that the pipes read, with everything that was found so far.

    steps (tuple[str, ...] | None): How to clean it, which is written to `doc._.cleaned` if it changes
        anything; None: as it was cleaned before.
    RETURNS (Doc): The doc of the cleaned text: the same doc where nothing is cleaned away.
    RAISES (ValueError): If an entity is in what was cleaned away.
    """
    if steps is not None:
        doc._.cleaned = ",".join(steps) if read_message(doc, steps).is_changed else ""
    if not doc._.cleaned:
        return doc
    message = read_message(doc)
    cleaned = message.cleaned
    words: list[str] = []
    spaces: list[bool] = []
    for piece in _cut(doc, cleaned):
        if piece == " " and words and not spaces[-1]:
            spaces[-1] = True
        elif piece:
            words.append(piece)
            spaces.append(False)

    def place(start: int, end: int) -> tuple[int, int]:
        first, last = cleaned.to_folded(start), cleaned.to_folded(end)
        if first >= last:
            raise ValueError("There is a find in what was cleaned away.")
        return first, last

    own = Doc(doc.vocab, words=words, spaces=spaces)
    own.user_data[KEY] = message._replace(cleaned=Folded(cleaned.text, cleaned.text))
    _copy_attributes(doc, own)
    merge_sections(own, [(Whole(len(cleaned.text), place), doc)])
    return own


def _cut(doc: Doc, folded: Folded) -> Iterable[str]:
    """The cleaned text of each token, and of the space after it."""
    for token in doc:
        start, end = token.idx, token.idx + len(token)
        for stop in (end, end + len(token.whitespace_)):
            yield folded.text[folded.to_folded(start) : folded.to_folded(stop)]
            start = stop


def close_doc(own: Doc, doc: Doc) -> None:
    """Write what the pipes found in the cleaned text to the doc of the original."""
    if own is not doc:
        _copy_attributes(own, doc)
        cleaned = read_message(doc).cleaned
        _leave_names_of_fields(own, cleaned)
        merge_sections(doc, [(Whole(len(cleaned.original), cleaned.to_original), own)])


def _leave_names_of_fields(own: Doc, folded: Folded) -> None:
    """Take out names of fields, as in `{"bor": "Lund"}`, unless they are known or asked for."""
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
    """Write what was replaced in the cleaned text (`own`) to the doc of the original."""
    if own is not doc:
        written = apply_to_original(read_message(doc).cleaned, own._.replacements)
        doc._.deidentified, doc._.replacements = written


def _copy_attributes(source: Doc, target: Doc) -> None:
    for key, value in source.user_data.items():
        # spaCy keeps the attributes of spans there, too, by their characters.
        if isinstance(key, tuple) and key[2:] == (None, None) and key[1] not in OWN:
            target.user_data[key] = value
