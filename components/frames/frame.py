"""De-identification of a frame: pandas, polars or pyarrow, by narwhals."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from spacy.language import Language

from ..conversations.configuration import configured, read_settings
from ..conversations.conversation import fill_buffers
from ..known.known_matcher import KnownMatcher
from ..reports.concerns import LIKELY
from ..reports.copied_columns import write_concerns
from ..reports.shares import count_foreign
from ..reports.summary import Summary
from ..runs.processing import Message, Processor, Result
from ..runs.rows import Row
from ..runs.run_settings import Settings
from ..shared.failures import SetupError
from ..shared.find_pipes import find_pipe
from .frame_columns import Columns, make_columns, open_frame, read_rows
from .own_pipeline import get_pipeline

# A zone of memory is one of the whole process.
_zone = Lock()


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
        (`nlp.foreign`); default: the pipeline's own. A warning counts them.
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
    if (columns.known is not None or columns.known_columns) and not find_pipe(nlp, KnownMatcher):
        raise SetupError(
            "Participants are known, but the pipeline has no 'known_matcher' to find them. Add it: "
            "nlp.add_pipe('known_matcher', first=True)."
        )
    size = batch_size or nlp.batch_size
    settings = Settings(columns.texts, language_field="", batch_size=size)
    processor = FrameProcessor(nlp, settings, n_process=n_process)
    summary = Summary()
    # By column: the rows that have a text, and what it becomes.
    places: dict[str, list[int]] = {name: [] for name in columns.texts}
    texts: dict[str, list[str]] = {name: [] for name in columns.texts}
    groups = _group(read_rows(frame, columns))
    for some in fill_buffers(groups, lambda rows: sum(len(row.texts) for row in rows), size):
        rows = [row for group in some for row in group]
        with _zone:
            results, counts = processor.process(rows)
        summary.merge(counts)
        for row, result in zip(rows, results):
            if result.reason:
                raise ValueError(f"Row {row.number} (the first one is 0): {result.reason}.")
            for name, text in result.changes.items():
                places[name].append(row.number)
                texts[name].append(text)
    for concern in _find_concerns(summary, getattr(nlp, "foreign", None)):
        warnings.warn(concern, UserWarning, stacklevel=3)
    for name, where in places.items():
        if where:
            # Kind of strings and missing values stay what they are.
            series = frame.get_column(name).scatter(where, texts[name])
            frame = frame.with_columns(series.alias(name))
    return frame.drop(columns.dropped)


class FrameProcessor(Processor):
    """Processes the rows of a frame. A message that a pipe fails on, or that the pipeline rejects for its
    language, stays, masked whole."""

    rejects = False

    def _take(self, row: Row, messages: Sequence[Message], times: Mapping[str, Any]) -> Result:
        return Result({message.field: message.doc._.deidentified for message in messages})


def _group(rows: Sequence[Row]) -> list[list[Row]]:
    groups: dict[str | int, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.number if row.conversation is None else row.conversation, []).append(
            row
        )
    return [*groups.values()]


def _find_concerns(summary: Summary, policy: str | None) -> Iterator[str]:
    if n_failed := summary.failed.total():
        yield (
            f"{n_failed} messages came out masked whole, as a pipe failed on them: the log "
            "(components.shared.failures) tells which pipe, and how."
        )
    if n_foreign := count_foreign(summary):
        yield (
            f"{n_foreign} messages are in another language than Swedish, Norwegian, Danish or English: "
            f"more may be left in them. What was done with them: {policy!r}. To mask them whole, give "
            "foreign='mask'."
        )
    yield from write_concerns(summary.find_copied(), "text=[…, {!r}]", "move it by as much")


def read_frame_settings(
    config: str | Path | Mapping[str, Any] | None, clean: str | None, foreign: str | None
) -> dict[str, Any]:
    """Read what is set of the pipeline for a frame."""
    settings = read_settings(config, clean=clean, foreign=foreign)
    if settings.get("foreign") == "reject":
        raise ValueError("foreign: a frame keeps its rows: 'flag', 'rules' or 'mask'.")
    return settings
