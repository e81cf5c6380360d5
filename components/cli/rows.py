"""The rows of the command line, and the conversations that they make."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from ..pipes.known_matcher import group_known, read_known
from .vault import VAULT_FIELD, Vault

# A chunk is all that is held in memory; within it, rows are sorted by length for speed.
CHUNK_ROWS = 2000
CHUNK_BYTES = 4_000_000
# A conversation stays in one chunk as long as that is no more than so many times as large.
CHUNK_GROWTH = 2
# So many lines may be wrong before the file is taken for something else than JSONL.
LOOKED_AT = 10
# What may stand between the cells of a CSV file.
DELIMITERS = ",;\t"


class RowError(ValueError):
    """Why a row, or a file, cannot be processed. The message holds nothing of any text."""


class Counts:
    """How many entities of each label were replaced, and how many were kept."""

    def __init__(self) -> None:
        self.replaced: Counter[str] = Counter()
        self.kept: Counter[str] = Counter()

    def add(self, replacements: Iterable[Mapping[str, Any]]) -> None:
        """Count the entities of a message.

        replacements (Iterable[Mapping[str, Any]]): Its `doc._.replacements`.
        """
        for entry in replacements:
            (self.kept if entry.get("kept") else self.replaced)[entry["label"]] += 1

    def update(self, other: "Counts") -> None:
        """Add other counts.

        other (Counts): The counts.
        """
        self.replaced.update(other.replaced)
        self.kept.update(other.kept)

    def __str__(self) -> str:
        lists = [
            ", ".join(f"{label} {count}" for label, count in sorted(counter.items()))
            for counter in (self.replaced, self.kept)
        ]
        return f"Replaced: {lists[0] or 'nothing'}." + (f" Kept: {lists[1]}." if lists[1] else "")


class Row:
    """One line of the input, on its way to the output."""

    def __init__(self, number: int, line: bytes) -> None:
        """Keep the line.

        number (int): Its number in the file, from 1.
        line (bytes): The line.
        """
        self.number = number
        self.line = line
        self.data: dict[str, Any] = {}
        self.text = ""
        self.conversation: str | None = None
        self.known: list[tuple[str, str]] = []
        # How many of each label were replaced, and kept; None of a row that is not processed.
        self.counts: Counts | None = None
        self.reason = ""
        self.reference = ""
        self.token = ""
        # Whether it is known what conversation the row belongs to.
        self.is_placed = False
        # The number of a line whose participants, who are this row's, cannot be read; 0 for none.
        self.unreadable = 0

    def parse(self, text_field: str, conversation_field: str, known_field: str = "known") -> None:
        """Read the line.

        text_field (str): The field with the text.
        conversation_field (str): The field with the conversation's id, which a row may lack.
        known_field (str): The field with what is known of the participants, which a row may lack.
            It is left out of the output.
        RAISES (RowError): If the row has no text that can be processed.
        """
        try:
            self.data = json.loads(self.line.decode("utf-8-sig" if self.number == 1 else "utf8"))
        except UnicodeDecodeError:
            raise RowError("not UTF-8") from None
        except (ValueError, RecursionError):
            raise RowError("not valid JSON") from None
        if not isinstance(self.data, dict):
            raise RowError("not a JSON object")
        # A row without a text may still tell who takes part in the conversation.
        conversation = self.data.get(conversation_field)
        if isinstance(conversation, bool) or not isinstance(conversation, (str, int, type(None))):
            raise RowError(f"field {conversation_field!r} is neither a string nor an integer")
        self.conversation = None if conversation is None else str(conversation)
        self.is_placed = True
        try:
            self.known = read_known(self.data.pop(known_field, None))
        except ValueError as error:
            self.unreadable = self.number
            raise RowError(f"field {known_field!r}: {error}") from None
        if text_field not in self.data:
            raise RowError(f"no field {text_field!r}")
        self.text = self.data[text_field]
        if not isinstance(self.text, str):
            raise RowError(f"field {text_field!r} is not a string")
        if any("\ud800" <= char <= "\udfff" for char in self.text):
            raise RowError(f"field {text_field!r} holds a lone UTF-16 surrogate")

    def make_doc(self, nlp: Language, known: Mapping[str, list[str]] | None = None) -> Doc:
        """Tokenize the text and tell the pipes the conversation.

        nlp (Language): The pipeline.
        known (Optional[Mapping[str, List[str]]]): What is known of all participants, by label.
        RETURNS (Doc): The text, ready for the pipes.
        """
        doc = nlp.make_doc(self.text)
        doc._.conversation_id = self.conversation
        doc._.known = known
        return doc

    def take(
        self, doc: Doc, text_field: str, spans: bool, vault: Vault | None = None, run: str = ""
    ) -> None:
        """Put the de-identified text in place of the original.

        doc (Doc): The processed text.
        text_field (str): The field with the text.
        spans (bool): Whether to add the field "replacements".
        vault (Optional[Vault]): Seals the original, if it is to be kept.
        run (str): The name of the run. With the number of the line it is that of the row.
        RAISES (RowError): If a pipe has failed on it.
        """
        if doc._.failed is not None:
            raise RowError(f"the pipeline failed on it: {doc._.failed}")
        if spans:
            self.data["replacements"] = doc._.replacements
        if vault is not None:
            self.reference = f"{run}-{self.number}"
            fields = {name: value for name, value in self.data.items() if name != text_field}
            self.token = vault.seal(doc, self.reference, fields)
            self.data[VAULT_FIELD] = self.reference
        self.data[text_field] = doc._.deidentified
        self.counts = Counts()
        self.counts.add(doc._.replacements)

    def dump(self) -> bytes:
        """RETURNS (bytes): The row as a line of JSON."""
        try:
            return json.dumps(self.data, ensure_ascii=False).encode("utf8") + b"\n"
        except UnicodeEncodeError:
            # Another field holds a lone surrogate, which only an escape can keep.
            return json.dumps(self.data).encode("ascii") + b"\n"


def check_jsonl(source: Iterable[bytes]) -> Iterator[bytes]:
    """Look whether this may be JSONL: whether one of the first lines is a JSON object.

    source (Iterable[bytes]): The lines.
    RETURNS (Iterator[bytes]): All lines, those that were looked at included.
    RAISES (RowError): If it is something else, with a word on how to convert it if it may be CSV.
    """
    lines = iter(source)
    seen: list[bytes] = []
    wrong: list[bytes] = []
    for line in lines:
        seen.append(line)
        if not line.strip():
            continue
        if _is_object(line):
            return chain(seen, lines)
        wrong.append(line)
        if len(wrong) == LOOKED_AT:
            break
    if wrong:
        raise RowError(
            "The input is not JSONL, one JSON object a line, in UTF-8, such as "
            f'{{"text": "Hej"}}.{_tell_way_from_csv(wrong[0])}'
        )
    return iter(seen)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line.decode("utf-8-sig")), dict)
    except (ValueError, RecursionError):
        return False


def _tell_way_from_csv(line: bytes) -> str:
    """What to do if a file that begins with this line is CSV; nothing if it is none."""
    text = line.decode("utf-8-sig", "replace")
    delimiter = max(DELIMITERS, key=text.count)
    if delimiter not in text or "\0" in text or text.startswith(("{", "[")):
        return ""
    return (
        " If it is CSV with a column text, convert it: "
        'python -c "import csv, json; [print(json.dumps(row)) for row in csv.DictReader('
        f"open('messages.csv', encoding='utf-8-sig', newline=''), delimiter={delimiter!r})]\""
        " > messages.jsonl"
    )


def read_chunks(
    source: Iterable[bytes], text_field: str, conversation_field: str, known_field: str
) -> Iterator[list[Row]]:
    """Read rows, as many at a time as can be held in memory. A conversation, which is neighbouring
    rows with the same id, is in one chunk.

    source (Iterable[bytes]): The lines.
    text_field (str): The field with the text.
    conversation_field (str): The field with the conversation's id.
    known_field (str): The field with what is known of the participants.
    YIELDS (List[Row]): The rows. Those that cannot be processed have their reason.
    """
    rows: list[Row] = []
    size = 0
    conversation: str | None = None
    # What the part of a cut conversation that is gone knew of the participants, and could not read.
    carried: list[tuple[str, str]] = []
    unreadable = 0
    for number, line in enumerate(source, 1):
        if not line.strip():
            continue
        row = Row(number, line)
        try:
            row.parse(text_field, conversation_field, known_field)
        except RowError as error:
            row.reason = str(error)
        goes_on = row.conversation == conversation is not None or not row.is_placed
        fill = max(len(rows) / CHUNK_ROWS, size / CHUNK_BYTES)
        if rows and fill >= (CHUNK_GROWTH if goes_on else 1):
            yield rows
            gone = [old for old in rows if old.conversation == conversation]
            carried += [pair for old in gone for pair in old.known]
            unreadable = max([unreadable, *(old.unreadable for old in gone)])
            rows, size = [], 0
        rows.append(row)
        size += len(line)
        if row.is_placed:
            if row.conversation == conversation is not None:
                row.known.extend(carried)
                row.unreadable = row.unreadable or unreadable
            conversation, carried, unreadable = row.conversation, [], 0
    if rows:
        yield rows


def get_conversations(rows: Iterable[Row]) -> list[list[Row]]:
    """Find the conversations. Rows that one of their conversation cannot tell the participants of
    get a reason: a conversation of unknown people is not safe.

    rows (Iterable[Row]): The rows, in order.
    RETURNS (List[List[Row]]): Neighbouring rows with the same id; a row without id stands alone.
    """
    conversations: list[list[Row]] = []
    placed = (row for row in rows if row.is_placed)
    for conversation, members in groupby(placed, key=lambda row: row.conversation):
        if conversation is None:
            conversations.extend([row] for row in members)
        else:
            conversations.append(list(members))
    for group in conversations:
        unreadable = next((row.unreadable for row in group if row.unreadable), 0)
        for row in group if unreadable else ():
            row.reason = row.reason or f"the participants of line {unreadable} cannot be read"
    return conversations


def get_known(rows: Iterable[Row]) -> dict[str, list[str]] | None:
    """Gather what the rows of a conversation know of the participants.

    rows (Iterable[Row]): The rows.
    RETURNS (Optional[Dict[str, List[str]]]): The values by label, None if nothing is known.
    """
    return group_known(pair for row in rows for pair in row.known)
