"""A function for engines that hand over batches of Arrow: Spark's `mapInArrow`, Ray Data's `map_batches`.
A worker process loads the pipeline once; nothing of it, and no key, travels from the driver.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from spacy.language import Language

from ..model.backend import set_threads
from ..shared.extras import load_extra
from ..shared.failures import SetupError
from ..shared.secret import has_secret
from ..surrogates.surrogate_generator import KEY_VARIABLE
from .frame import deidentify_opened, read_frame_settings
from .frame_columns import make_columns, open_frame, read_ids
from .own_pipeline import Load, get_pipeline


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
    """Make a function that de-identifies the batches of a partition: for Spark, `df.mapInArrow(function,
    schema)`. What it gives has the columns of what it takes, without those of `known`.

    With `conversation`, each partition must hold its conversations whole, the rows of each next to
    each other. If they are not, the function raises a ValueError. It cannot know that a conversation
    is in two partitions: what one part tells is then not found in the other.

    text (str | Sequence[str]): The column with the text, or several.
    conversation (str | None): The column with the conversation's id; default: all rows stand alone.
    known (str | Mapping[str, str] | None): As `deidentify_frame` takes it.
    batch_size (int | None): Messages in a batch; default: the pipeline's own.
    clean (str | None), foreign (str | None): As `deidentify_frame` takes them.
    load (Callable[[], Language] | None): Loads the pipeline in a worker, where it may set SV_DEID_KEY
        before; default: that of the installed package, as it is.
    config (str | Path | Mapping[str, Any] | None): What is set of it, or a TOML file of that, read at once
        (`components.conversations.configuration.SETTINGS`). It travels with the function, lists of phrases too.
    RETURNS (Callable[[Iterable[RecordBatch]], Iterator[RecordBatch]]): The function. It may be pickled.
    """
    columns = make_columns(text, conversation, known)
    settings = read_frame_settings(config, clean, foreign)
    # Each function that the workers get may load another pipeline, or set it up otherwise.
    name = uuid4().hex if load is not None or settings else ""
    return partial(_map_batches, columns, batch_size, load, name, settings)


# Without type hints: by them Spark would choose what it hands over.
def _map_batches(columns, batch_size, load, name, settings, batches):  # type: ignore[no-untyped-def]
    nlp = None
    for table in _read_conversations(batches, columns.conversation):
        nlp = nlp or _get_worker_pipeline(load, name, settings)
        done = deidentify_opened(nlp, open_frame(table), columns, batch_size)
        yield from done.to_native().to_batches()


def _get_worker_pipeline(load: Load | None, name: str, settings: dict[str, Any]) -> Language:
    set_threads(1)
    nlp = get_pipeline(load, name, settings)
    if not has_secret(KEY_VARIABLE):
        raise SetupError(
            f"{KEY_VARIABLE} is not set in the environment of this worker: each would draw a key of its "
            "own, and give other surrogates. Set it on the workers before they start: in spark-env.sh, "
            "before `ray start`, or as a secret of the cluster. Do not use spark.executorEnv or Ray's "
            "runtime_env: they are shown and logged."
        )
    return nlp


def _read_conversations(batches: Iterable[Any], name: str | None) -> Iterator[Any]:
    """Make tables of the batches of a partition, so that no conversation is cut."""
    make_table = load_extra("pyarrow", "parquet").Table.from_batches
    if name is None:
        yield from (make_table([batch]) for batch in batches)
        return
    seen: set[str] = set()
    held: list[Any] = []
    going: str | None = None
    for batch in batches:
        ids = read_ids(open_frame(make_table([batch])), name)
        # From there on it is the conversation that may go on in the next batch.
        cut = len(ids)
        while cut and ids[cut - 1] is not None and ids[cut - 1] == ids[-1]:
            cut -= 1
        if cut or (ids and ids[0] != going):
            _see_once({going, *ids[:cut]}, seen, name)
            parts = [*held, batch.slice(0, cut)] if cut else held
            if parts:
                yield make_table(parts)
            held = []
        if cut < len(ids):
            held.append(batch.slice(cut))
            going = ids[-1]
        elif ids:
            going = None
    if held:
        _see_once({going}, seen, name)
        yield make_table(held)


def _see_once(ids: set[str | None], seen: set[str], name: str) -> None:
    whole = {id for id in ids if id is not None}
    if not seen.isdisjoint(whole):
        raise ValueError(
            "The rows of a conversation are not next to each other in their partition: sort it by "
            f"{name!r} first."
        )
    seen |= whole
