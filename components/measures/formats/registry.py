"""The formats of annotated messages: one table for the pages and for the scripts."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import spacy
from spacy.language import Language

from ...text import tokenizer  # noqa: F401
from ..gold import LabelMap, Row, read_messages, write_messages
from .brat import read_brat, write_brat
from .conll import read_conll, write_conll
from .label_studio import read_label_studio, write_label_studio
from .table import read_csv, write_csv

Layers = dict[str, list[Row]]
"""Messages by annotator; under "" as the file has them."""


class Format(NamedTuple):
    """A format of annotated messages: its title, the suffixes of its files (the empty one is a
    folder), and functions that read and write it. Errors name file and line, never the text.
    """

    title: str
    suffixes: Sequence[str]
    read: Callable[[Path, LabelMap | None], Any]
    write: Callable[[Path, Sequence[Row], Language, str], Any]


def _plain(write: Callable[[Path, Sequence[Row]], None]) -> Callable[..., None]:
    return lambda path, rows, nlp, annotator: write(path, rows)


BRAT = "brat"
FORMATS = {
    "jsonl": Format(
        "JSONL", (".jsonl",), partial(read_messages, annotated=False), _plain(write_messages)
    ),
    "csv": Format("CSV", (".csv", ".tsv"), read_csv, _plain(write_csv)),
    "json": Format(
        "Label Studio (JSON)",
        (".json",),
        read_label_studio,
        lambda path, rows, nlp, annotator: write_label_studio(path, rows, annotator),
    ),
    "conll": Format(
        "CoNLL (IOB2)",
        (".conll", ".iob", ".iob2"),
        read_conll,
        lambda path, rows, nlp, annotator: write_conll(path, rows, nlp),
    ),
    BRAT: Format("brat (zip)", ("",), read_brat, _plain(write_brat)),
}


def find_format(path: Path, formats: Mapping[str, Format] = FORMATS) -> str:
    """Find the format of a path by its suffix (a folder is brat's), or raise ValueError."""
    suffix = "" if path.is_dir() else path.suffix.lower()
    keys = {suffix: key for key, format in formats.items() for suffix in format.suffixes}
    if suffix not in keys:
        known = ", ".join(filter(None, keys))
        raise ValueError(f"{path} is neither a folder of brat nor a file {known}: name such a one.")
    return keys[suffix]


def read_layers(
    path: Path, labels: LabelMap | None = None, formats: Mapping[str, Format] = FORMATS
) -> Layers:
    """Read messages in any format. A ValueError names file and line, never the text."""
    read = formats[find_format(path, formats)].read(path, labels)
    if labels is not None:
        labels.check(path)
    return read if isinstance(read, dict) else {"": read}


def chat_language() -> Language:
    """Make a pipeline without pipes that splits text as the project's pipeline does."""
    config = {"@tokenizers": "sv_deid_chat.ChatTokenizer.v1"}
    return spacy.blank("sv", config={"nlp": {"tokenizer": config}})
