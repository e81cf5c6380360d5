"""What becomes of the rows of a block."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc

from ..conversations.conversation import finish_conversation, make_docs, read_docs
from ..known.known_matcher import KnownMatcher
from ..language.garbage import spare_old_objects
from ..reports.copied_columns import Found, count_cells, find_values
from ..reports.summary import Summary
from ..shared.failures import SetupError
from ..shared.find_pipes import find_pipe
from ..surrogates.surrogate_generator import SurrogateGenerator
from ..tables.errors import RowError
from ..tables.times import move_time
from ..text.languages import is_foreign
from ..text.message import get_language
from ..vault import Vault
from .rows import Row, get_known, group_rows, read_row
from .run_settings import REPLACEMENTS, Settings

# The policy that leaves messages in other languages out.
REJECT = "reject"


class Result(NamedTuple):
    """What became of a row.

    changes (Mapping[str, Any]): Its new values by column.
    reason (str): Why it is rejected; empty if it is not.
    entry (Sequence[str]): Its reference and its token for the vault; empty without one.
    replacements (Any): What stands where, of a row that is sampled.
    """

    changes: Mapping[str, Any]
    reason: str = ""
    entry: Sequence[str] = ()
    replacements: Any = None


@dataclass
class Message:
    """A text of a row."""

    row: Row
    field: str
    doc: Doc


class Processor:
    """Runs the pipeline on the rows of a block: first on each text, then on each conversation.

    vault (Vault | None), run (str), counter (Any): As `Task` has them.
    n_process (int): Processes that read them.
    """

    # Whether rows in a language that the pipeline rejects become rejects.
    rejects = True
    read_row = staticmethod(read_row)

    def __init__(
        self,
        nlp: Language,
        settings: Settings,
        vault: Vault | None = None,
        run: str = "",
        counter: Any = None,
        n_process: int = 1,
    ) -> None:
        self.nlp = nlp
        self.settings = settings
        self.vault = vault
        self.run = run
        self.counter = counter
        self.n_process = n_process

    def process(
        self, rows: Sequence[Row], others: Iterable[Row] = ()
    ) -> tuple[list[Result], Summary]:
        results: dict[int, Result] = {}  # by the row's identity: numbers are those of a file
        summary = Summary()
        # What a zone's texts bring to the vocabulary is gone after it: memory stays constant.
        with self.nlp.memory_zone(), spare_old_objects():
            groups = group_rows(rows, others)
            conversations = [self._make_messages(group) for group in groups]
            self._read([message for messages in conversations for message in messages])
            for group, messages in zip(groups, conversations):
                self._finish([message for message in messages if not message.row.reason])
                times = self._move_times(group, messages)
                by_row: dict[int, list[Message]] = defaultdict(list)
                for message in messages:
                    by_row[id(message.row)].append(message)
                for row in group:
                    if row.reason:
                        continue
                    own = by_row[id(row)]
                    with _rejecting([row]):
                        results[id(row)] = self._take(row, own, times.get(id(row), {}))
                        self._count(summary, row, own)
                self._count_columns(summary, group, messages)
        for row in rows:
            if row.reason:
                summary.add_reject(row.reason)
                results[id(row)] = Result({}, row.reason)
        return [results[id(row)] for row in rows], summary

    def _make_messages(self, rows: Sequence[Row]) -> list[Message]:
        """The texts of a conversation, or of a row that stands alone, in order."""
        known = get_known(rows)
        for row in rows:
            if row.reason:
                continue
            if self.settings.vault_field in row.taken:
                row.reason = f"field {self.settings.vault_field!r} is taken: the vault needs it"
            elif known and not find_pipe(self.nlp, KnownMatcher):
                row.reason = "participants are known, but the pipeline has no known_matcher"
        messages = []
        for row in rows:
            if not row.reason:
                with _rejecting([row]):
                    messages += [
                        Message(row, field, self.nlp.make_doc(text))
                        for field, text in row.texts.items()
                    ]
        make_docs(
            self.nlp,
            [message.doc for message in messages],
            conversation_id=rows[0].conversation,
            known=known,
        )
        return messages

    def _read(self, messages: Sequence[Message]) -> None:
        """Run all pipes but the last on the messages."""
        docs = [message.doc for message in messages]
        size = self.settings.batch_size
        docs = read_docs(self.nlp, docs, size, self.n_process, self._count_message)
        rejecting = self.rejects and getattr(self.nlp, "foreign", None) == REJECT
        for message, doc in zip(messages, docs):
            message.doc = doc
            if rejecting and doc._.withheld is not None:
                message.row.reason = f"its language is {get_language(doc)}"

    def _count_message(self) -> None:
        if self.counter is not None:
            with self.counter.get_lock():
                self.counter.value += 1

    def _finish(self, messages: Sequence[Message]) -> None:
        """Write the surrogates of a conversation."""
        with _rejecting([message.row for message in messages]):
            finish_conversation(self.nlp, [message.doc for message in messages])

    def _count(self, summary: Summary, row: Row, messages: Sequence[Message]) -> None:
        written = [m.doc for m in messages if m.field != self.settings.author_field]
        summary.add_row(written, [get_language(doc) or "" for doc in written])
        summary.alone += row.conversation is None
        for message in messages:
            if message.field == self.settings.author_field:
                summary.add_entities(message.doc)

    def _count_columns(
        self, summary: Summary, rows: Sequence[Row], messages: Sequence[Message]
    ) -> None:
        """Look at what stands beside the texts of a conversation."""
        values = [(label, value) for row in rows for label, value in row.known]
        for message in messages:
            if not message.row.reason:
                values += find_values(message.doc)
        found = Found(values)
        if values:
            for beside in {id(row.beside): row.beside for row in rows}.values():
                count_cells(summary.columns, beside, found)
        for row in rows:
            if not row.reason:
                moved = self.settings.time_fields
                fields = {name: cell for name, cell in row.fields.items() if name not in moved}
                count_cells(summary.columns, fields, found)

    def _move_times(
        self, rows: Sequence[Row], messages: Sequence[Message]
    ) -> dict[int, dict[str, Any]]:
        """The times of the rows of a conversation, moved as its dates are, by the row's identity."""
        moved: dict[int, dict[str, Any]] = {}
        names = self.settings.time_fields
        generator = find_pipe(self.nlp, SurrogateGenerator) if names else None
        if generator is not None:
            docs = [message.doc for message in messages if not message.row.reason]
            days = generator.get_days(docs, rows[0].conversation)
            for row in rows:
                if row.reason:
                    continue
                with _rejecting([row]):
                    times = {name: move_time(row.fields.get(name), days, name) for name in names}
                    moved[id(row)] = {
                        name: time.isoformat() if isinstance(time, date) else time
                        for name, time in times.items()
                        if name in row.fields
                    }
        return moved

    def _take(self, row: Row, messages: Sequence[Message], times: Mapping[str, Any]) -> Result:
        if not messages:
            return Result(times)  # all its texts are empty cells
        changes: dict[str, Any] = {}
        replacements: dict[str, list[dict[str, Any]]] = {}
        for message in messages:
            doc = message.doc
            if doc._.failed is not None:
                raise RowError(f"the pipeline failed on it: {doc._.failed}")
            changes[message.field] = doc._.deidentified
            replacements[message.field] = doc._.replacements
        more = {**times}
        one = len(self.settings.text_columns) == 1
        entries = next(iter(replacements.values())) if one else replacements
        if self.settings.spans:
            more[REPLACEMENTS] = entries
        languages = [get_language(message.doc) for message in messages]
        foreign = [language for language in languages if is_foreign(language)]
        if foreign and self.settings.language_field:
            more[self.settings.language_field] = foreign[0]
        if taken := [name for name in more if name in row.taken]:
            raise RowError(f"field {taken[0]!r} is taken: the output needs it")
        entry: Sequence[str] = ()
        if self.vault is not None:
            (field,) = changes
            reference = f"{self.run}-{row.number}"
            fields = {**row.fields, **more}
            token = self.vault.seal_text(
                messages[0].doc.text,
                changes[field],
                replacements[field],
                reference,
                fields,
            )
            more[self.settings.vault_field] = reference
            entry = reference, token
        sampled = entries if row.is_sampled else None
        return Result({**changes, **more}, entry=entry, replacements=sampled)


@contextmanager
def _rejecting(rows: Iterable[Row]) -> Iterator[None]:
    """Reject rows that something fails on."""
    try:
        yield
    except SetupError:
        raise
    except Exception as error:  # noqa: BLE001
        for row in rows:
            # The message of an error of the pipeline may quote the text.
            own = isinstance(error, RowError)
            row.reason = (
                str(error) if own else f"the pipeline failed on it ({type(error).__name__})"
            )
