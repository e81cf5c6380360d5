"""De-identification of a frame: pandas, polars or pyarrow, by narwhals."""

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc

from ..conversations.configuration import configured, read_settings
from ..conversations.conversation import fill_buffers, make_docs, process
from ..known.known_matcher import group_known
from ..reports.concerns import LIKELY
from ..reports.copied_columns import Found, count_cells, find_copied, find_values, write_concerns
from ..text.languages import is_foreign
from ..text.message import get_language
from .frame_columns import Columns, FrameRow, make_columns, open_frame, read_others, read_rows
from .own_pipeline import get_pipeline

# The row and the column of a text.
Cell = tuple[int, int]
# A zone of memory is one of the whole process.
_zone = Lock()


class Conversation(NamedTuple):
    """The messages of a conversation in their order; the id is None for what stands alone."""

    id: str | None
    texts: list[str]
    known: list[tuple[str, str]]


class Message(NamedTuple):
    """What became of a message, whether a pipe failed on it, so that it is masked whole, whether it is in
    another language, and what was found in it: labels and values."""

    text: str
    failed: bool
    foreign: bool
    found: list[tuple[str, str]]


def deidentify_frame(
    df: Any,
    *,
    text: str | Sequence[str] = "text",
    conversation: str | None = None,
    known: str | Mapping[str, str] | None = None,
    nlp: Language | None = None,
    batch_size: int | None = None,
    n_process: int = 1,
    clean: str | None = None,
    foreign: str | None = None,
    config: str | Path | Mapping[str, Any] | None = None,
) -> Any:
    """De-identify the texts of a frame. Under the same SV_DEID_KEY each becomes what the command
    line makes of it.

    All other columns stay AS THEY ARE, as do the order of the rows and the index: a name in
    another column stays there. A warning names each that holds what is replaced in the texts. Where there is no text (None, NaN, null), there is none after it.

    Rows with the same conversation id, wherever they are in the frame, are one conversation: what
    one of them tells is found in all. A row without an id stands alone. If a row has several texts,
    each is a message, one after the other, of the row's conversation, or of one that is the row's
    own.

    A message that a pipe fails on is masked whole; a warning tells how many were.

    df (pandas.DataFrame | polars.DataFrame | pyarrow.Table): The frame, which stays as it is.
    text (str | Sequence[str]): The column with the text, or several.
    conversation (str | None): The column with the conversation's id, strings or integers.
    known (str | Mapping[str, str] | None): The column with what is known of the participants, in the
        form that `components.known.known_matcher.read_known` tells; or, by its fields, the columns
        with each: {"name": "patient_name", "pid": "pnr"}. It is found in all messages of the
        conversation. These columns are left out of the result, but for those that are texts, too.
    nlp (Language | None): The pipeline, which no other thread may use meanwhile. Default: that of
        the installed package, loaded once for the process.
    batch_size (int | None): Messages in a batch; default: the pipeline's own.
    n_process (int): Processes for the first pass.
    clean (str | None): What is cleaned away before a text is read: steps of `components.text.cleaning.clean`;
        default: the pipeline's own (`nlp.clean`).
    foreign (str | None): What becomes of messages in other languages: "flag", "rules" or "mask"
        (`components.language.policies`); default: the pipeline's own (`nlp.foreign`). A warning counts
        them.
    config (str | Path | Mapping[str, Any] | None): What is set of the pipeline meanwhile, or a TOML file of
        it: strategy, threshold, dates, ages and so on (`components.conversations.configuration.SETTINGS`).
    RETURNS (pandas.DataFrame | polars.DataFrame | pyarrow.Table): A new frame of the same kind.
    RAISES (TypeError): If it is no such frame, or a lazy one.
    RAISES (ValueError): If a column or a setting is not there or holds what cannot be read. The message quotes
        no text.
    """
    columns = make_columns(text, conversation, known)
    settings = read_frame_settings(config, clean, foreign)
    frame = open_frame(df)
    likely = [
        name for name in frame.columns if LIKELY.search(str(name)) and name not in columns.texts
    ]
    if conversation is None and likely and len(frame) > 1:
        warnings.warn(
            "Each row is read alone: the same person gets another surrogate in each message. Name the "
            f"column that tells the conversation (conversation=…): {', '.join(map(repr, likely))}?",
            UserWarning,
            stacklevel=2,
        )
    nlp = get_pipeline() if nlp is None else nlp
    with configured(nlp, settings):
        return deidentify_opened(nlp, frame, columns, batch_size, n_process).to_native()


def deidentify_opened(
    nlp: Language,
    frame: Any,
    columns: Columns,
    batch_size: int | None = None,
    n_process: int = 1,
) -> Any:
    """De-identify the texts of a frame that `open_frame` has opened."""
    conversations = _group(read_rows(frame, columns))
    done = deidentify_conversations(
        nlp,
        (conversation for conversation, _ in conversations),
        batch_size=batch_size,
        n_process=n_process,
    )
    # By column: the rows that have a text, and what it becomes.
    places: dict[int, list[int]] = {}
    texts: dict[int, list[str]] = {}
    n_failed = n_foreign = 0
    others = read_others(frame, columns)
    counts: dict[str, Counter[str]] = {}
    has_dates = False
    for (conversation, own), messages in zip(conversations, done):
        values = [pair for message in messages for pair in message.found]
        has_dates = has_dates or any(label == "DATE" for label, _ in values)
        found = Found([*conversation.known, *values])
        for row in dict.fromkeys(row for row, _ in own):
            count_cells(counts, others[row], found)
        for (row, column), message in zip(own, messages):
            places.setdefault(column, []).append(row)
            texts.setdefault(column, []).append(message.text)
            n_failed += message.failed
            n_foreign += message.foreign
    said = []
    if n_failed:
        said.append(
            f"{n_failed} messages came out masked whole, as a pipe failed on them: the log "
            "(components.shared.failures) tells which pipe, and how."
        )
    if n_foreign:
        policy = getattr(nlp, "foreign", None)
        said.append(
            f"{n_foreign} messages are in another language than Swedish, Norwegian, Danish or English: "
            f"more may be left in them. What was done with them: {policy!r}. To mask them whole, give "
            "foreign='mask'."
        )
    copied = find_copied(counts, has_dates)
    said += write_concerns(copied, "text=[…, {!r}]", "move it by as much")
    for concern in said:
        warnings.warn(concern, UserWarning, stacklevel=3)
    for column, where in places.items():
        name = columns.texts[column]
        # Kind of strings and missing values stay what they are.
        series = frame.get_column(name).scatter(where, texts[column])
        frame = frame.with_columns(series.alias(name))
    return frame.drop(columns.dropped)


def _group(rows: Sequence[FrameRow]) -> list[tuple[Conversation, list[Cell]]]:
    """The conversations, in the order in which they begin, and where their messages are."""
    groups: list[tuple[Conversation, list[Cell]]] = []
    by_id: dict[str, tuple[Conversation, list[Cell]]] = {}
    for i, row in enumerate(rows):
        group = by_id.get(row.conversation) if row.conversation is not None else None
        if group is None:
            group = (Conversation(row.conversation, [], []), [])
            groups.append(group)
            if row.conversation is not None:
                by_id[row.conversation] = group
        conversation, places = group
        conversation.known.extend(row.known)
        for k, text in enumerate(row.texts):
            if text is not None:
                conversation.texts.append(text)
                places.append((i, k))
    return groups


def read_frame_settings(
    config: str | Path | Mapping[str, Any] | None, clean: str | None, foreign: str | None
) -> dict[str, Any]:
    """Read what is set of the pipeline for a frame."""
    settings = read_settings(config, clean=clean, foreign=foreign)
    if settings.get("foreign") == "reject":
        raise ValueError("foreign: a frame keeps its rows: 'flag', 'rules' or 'mask'.")
    return settings


def deidentify_conversations(
    nlp: Language,
    conversations: Iterable[Conversation],
    batch_size: int | None = None,
    n_process: int = 1,
) -> Iterator[list[Message]]:
    """De-identify conversations as the command line does: what one message tells is found in all of
    its conversation, and what is known of the participants in all of them; a message that stands
    alone is read alone.
    """
    size = batch_size or nlp.batch_size
    for some in fill_buffers(conversations, lambda one: len(one.texts), size):
        with _zone, nlp.memory_zone():
            made = [
                make_docs(nlp, own.texts, conversation_id=own.id, known=group_known(own.known))
                for own in some
            ]
            done = [[*map(_take, docs)] for docs in process(nlp, made, batch_size, n_process)]
        yield from done


def _take(doc: Doc) -> Message:
    failed, foreign = doc._.failed is not None, is_foreign(get_language(doc))
    return Message(doc._.deidentified, failed, foreign, [*find_values(doc)])
