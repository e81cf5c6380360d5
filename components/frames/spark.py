"""Functions for Spark's `mapInPandas` and `applyInPandas`, and for `mapInArrow` and `applyInArrow`, by
which no type goes through pandas. A worker process loads the pipeline once; nothing of it, and no
key, travels from the driver.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from spacy.language import Language

from ..model.backend import set_threads
from ..shared.extras import load_extra
from ..shared.failures import SetupError
from ..shared.secret import has_secret
from ..surrogates.surrogate_generator import KEY_VARIABLE
from .frame import deidentify_parts, read_frame_settings
from .frame_columns import Columns, make_columns, open_frame, read_ids
from .own_pipeline import Load, get_pipeline


class Job(NamedTuple):
    """What the driver tells the workers: the columns, those that the rows of a conversation are sorted
    by, the messages in a batch, what loads the pipeline, a name for what it
    loads, and what is set of it."""

    columns: Columns
    order: tuple[str, ...]
    batch_size: int | None
    load: Load | None
    name: str
    settings: dict[str, Any]


def make_partition_function(
    *,
    text: str | Sequence[str] = "text",
    conversation: str | None = None,
    known: str | Mapping[str, str] | None = None,
    batch_size: int | None = None,
    clean: str | None = None,
    foreign: str | None = None,
    load: Load | None = None,
    config: str | Path | Mapping[str, Any] | None = None,
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Make a function for `df.mapInPandas(function, schema)` or `df.mapInArrow(function, schema)`. The
    schema is that of `df`, without the columns of `known`.

    With `conversation`, each partition must hold its conversations whole, the rows of each next to
    each other: `df.repartition("conversation").sortWithinPartitions("conversation", "time")`. Where
    they are not next to each other the function raises a ValueError; that a conversation is in two
    partitions it cannot know.

    text (str | Sequence[str]): The column with the text, or several.
    conversation (str | None): The column with the conversation's id; default: all rows stand alone.
    known (str | Mapping[str, str] | None): As `deidentify_frame` takes it.
    batch_size (int | None): Messages in a batch; default: the pipeline's own.
    clean (str | None), foreign (str | None): As `deidentify_frame` takes them.
    load (Callable[[], Language] | None): Loads the pipeline in a worker, where it may set SV_DEID_KEY
        before; default: that of the installed package, as it is.
    config (str | Path | Mapping[str, Any] | None): What is set of it, or a TOML file of that, read at once
        (`components.conversations.configuration.SETTINGS`). It travels with the function, lists of phrases too.
    RETURNS (Callable[[Iterable[DataFrame]], Iterator[DataFrame]]): The function. It may be pickled.
    """
    return partial(
        _map_partition,
        _make_job(
            text,
            conversation,
            known,
            (),
            read_frame_settings(config, clean, foreign),
            batch_size,
            load,
        ),
    )


def make_group_function(
    *,
    conversation: str,
    text: str | Sequence[str] = "text",
    known: str | Mapping[str, str] | None = None,
    order: str | Sequence[str] = (),
    batch_size: int | None = None,
    clean: str | None = None,
    foreign: str | None = None,
    load: Load | None = None,
    config: str | Path | Mapping[str, Any] | None = None,
) -> Callable[[Any], Any]:
    """Make a function for `df.groupBy("conversation").applyInPandas(function, schema)`, or for
    `applyInArrow`. The schema is that of `df`, without the columns of `known`.

    Each group is one call, with no more than its messages to fill a batch: `make_partition_function`
    is faster. Spark makes floats of the integers of a group in which some are missing before
    `applyInPandas` hands them over: those from 2**53 on change. `applyInArrow` keeps them.

    conversation (str): The column with the conversation's id.
    order (str | Sequence[str]): What the rows of a group, which Spark hands over in any order, are
        sorted by.
    text, known, batch_size, clean, foreign, load, config: As `make_partition_function` takes them.
    RETURNS (Callable[[DataFrame], DataFrame]): The function. It may be pickled.
    """
    keys = (order,) if isinstance(order, str) else tuple(order)
    return partial(
        _apply_group,
        _make_job(
            text,
            conversation,
            known,
            keys,
            read_frame_settings(config, clean, foreign),
            batch_size,
            load,
        ),
    )


def _make_job(
    text: str | Sequence[str],
    conversation: str | None,
    known: str | Mapping[str, str] | None,
    order: tuple[str, ...],
    settings: dict[str, Any],
    batch_size: int | None,
    load: Load | None,
) -> Job:
    columns = make_columns(text, conversation, known)
    # Each function that the workers get may load another pipeline, or set it up otherwise.
    name = uuid4().hex if load is not None or settings else ""
    return Job(columns, order, batch_size, load, name, settings)


# Without type hints: by them Spark would choose what it hands over.
def _map_partition(job, frames):  # type: ignore[no-untyped-def]
    nlp = None
    opened = (open_frame(_make_table(frame)) for frame in frames)
    for parts in _read_conversations(opened, job.columns):
        nlp = nlp or _get_worker_pipeline(job)
        for part in deidentify_parts(nlp, parts, job.columns, job.batch_size):
            done = part.to_native()
            # mapInArrow wants batches.
            yield from done.to_batches() if part.implementation.is_pyarrow() else [done]


def _apply_group(job, frame):  # type: ignore[no-untyped-def]
    nlp = _get_worker_pipeline(job)
    part = open_frame(frame)
    if job.order:
        part = part.sort(*job.order)
    (done,) = deidentify_parts(nlp, [part], job.columns, job.batch_size)
    return done.to_native()


def _make_table(frame: Any) -> Any:
    """A table of a batch of Arrow, whatever else as it is."""
    if type(frame).__name__ != "RecordBatch":
        return frame
    return load_extra("pyarrow", "parquet").Table.from_batches([frame])


def _get_worker_pipeline(job: Job) -> Language:
    set_threads(1)
    nlp = get_pipeline(job.load, job.name, job.settings)
    if not has_secret(KEY_VARIABLE):
        raise SetupError(
            f"{KEY_VARIABLE} is not set in the environment of this Spark worker: each would draw a key "
            "of its own, and give other surrogates. Set it on the workers, in spark-env.sh or as a "
            "secret of the cluster; not as spark.executorEnv, which Spark shows and logs."
        )
    return nlp


def _read_conversations(frames: Iterable[Any], columns: Columns) -> Iterator[list[Any]]:
    """Cut the frames of a partition so that no conversation is cut: what comes together, in parts. A
    part is of one frame, since in the next one a column may be of another type: pandas' integers are
    floats where some are missing."""
    if columns.conversation is None:
        yield from ([frame] for frame in frames)
        return
    seen: set[str] = set()
    held: list[Any] = []
    going: str | None = None
    for frame in frames:
        ids = read_ids(frame, columns.conversation)
        # From there on it is the conversation that may go on in the next frame.
        cut = len(ids)
        while cut and ids[cut - 1] is not None and ids[cut - 1] == ids[-1]:
            cut -= 1
        if cut or (ids and ids[0] != going):
            _see_once({going, *ids[:cut]}, seen, columns.conversation)
            parts = [*held, frame[:cut]] if cut else held
            if parts:
                yield parts
            held = []
        if cut < len(ids):
            held.append(frame[cut:])
            going = ids[-1]
        elif ids:
            going = None
    if held:
        _see_once({going}, seen, columns.conversation)
        yield held


def _see_once(ids: set[str | None], seen: set[str], name: str) -> None:
    whole = {id for id in ids if id is not None}
    if not seen.isdisjoint(whole):
        raise ValueError(
            f"The rows of a conversation are not next to each other in their partition: "
            f"df.repartition({name!r}).sortWithinPartitions({name!r}, ...) before mapInPandas."
        )
    seen |= whole
