"""The settings of a run: which columns hold what, and what is done with them."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from spacy.language import Language

from ..conversations.configuration import RUN, configure, describe_settings, load_table
from ..known.known_matcher import get_dropped
from ..shared.find_pipes import find_pipe
from ..surrogates.surrogate_generator import SurrogateGenerator
from ..tables.nested import REPLACEMENTS, Names, Paths, is_path
from ..tables.storage import UMASK

# Settings of the pipeline that have an option of their own.
NAMED = ("strategy", "threshold", "clean", "foreign", "mode")


@dataclass(frozen=True)
class Settings:
    """The settings of a run. It holds no key, and can be pickled.

    conversation_field (str): The column with the conversation's id, which a row may lack.
    known_field (str): The column with what is known of the participants, which a row may lack.
    known_columns (tuple[tuple[str, str], ...]): Pairs of a field of what is known of a participant and
        the column with it.
    author_field (str): The column with who wrote a message: a further text of the row; empty: none.
    time_fields (tuple[str, ...]): Columns with times, which move as the dates of the texts do. By the
        first one those of a conversation are read in order; without one, by their order in the file.
    spans (bool): Whether to tell what stands where.
    language_field (str): The column that tells the language of messages in other languages; empty: none.
    no_formulas (bool): Whether no cell of a CSV file that is written is one that a spreadsheet calculates.
    vault_field (str): The column that leads to the vault; empty without one.
    custom (Mapping[str, Any]): What is set of the pipeline (`components.conversations.configuration.SETTINGS`).
        It may name people.
    """

    text_fields: tuple[str, ...] = ("text",)
    conversation_field: str = "conversation"
    known_field: str = "known"
    known_columns: tuple[tuple[str, str], ...] = ()
    author_field: str = ""
    time_fields: tuple[str, ...] = ()
    spans: bool = False
    keep: tuple[str, ...] = ()
    batch_size: int = 64
    language_field: str = "language"
    no_formulas: bool = False
    vault_field: str = ""
    custom: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text_columns(self) -> tuple[str, ...]:
        """RETURNS (tuple[str, ...]): All columns that are read as text, in order."""
        return (*([self.author_field] if self.author_field else []), *self.text_fields)

    def make_paths(self) -> Paths | None:
        """RETURNS (Paths | None): What finds the texts in JSON, if a column is named by a path: then all are.
        RAISES (FileError): If a path is none.
        """
        known = (self.known_field, *(column for _, column in self.known_columns))
        single = (self.conversation_field, *self.time_fields)
        if not self.text_fields or not any(map(is_path, (*self.text_columns, *single, *known))):
            return None
        return Paths(Names(self.text_fields, self.author_field, single, known))

    @property
    def required_columns(self) -> list[str]:
        known = [column for _, column in self.known_columns]
        return [*self.text_columns, *self.time_fields, *known]

    @property
    def new_columns(self) -> list[str]:
        """RETURNS (list[str]): The columns that may come to a table."""
        names = [REPLACEMENTS] if self.spans else []
        return [*names, *(name for name in (self.language_field, self.vault_field) if name)]

    @property
    def dropped_columns(self) -> list[str]:
        """RETURNS (list[str]): The columns that are left out, if they are there."""
        return [self.known_field, *get_dropped(self.known_columns, self.text_columns)]

    @property
    def read_columns(self) -> list[str]:
        return [*self.required_columns, self.conversation_field, self.known_field]

    def describe(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): What the output depends on, for JSON. Of lists that may name
        people, only which there are.
        """
        described = {name: list(v) if isinstance(v, tuple) else v for name, v in vars(self).items()}
        described["known_columns"] = [f"{field}={column}" for field, column in self.known_columns]
        custom = describe_settings(self.custom)
        named = {name: custom.pop(name, None) for name in NAMED}
        return {**described, **named, "custom": custom}

    def configure(self, nlp: Language) -> None:
        configure(nlp, self.custom)
        generator = find_pipe(nlp, SurrogateGenerator)
        if self.keep and generator:
            old = generator.strategy
            named = {"*": old} if isinstance(old, str) else old
            generator.strategy = {**named, **dict.fromkeys(self.keep, "keep")}


@dataclass(frozen=True)
class Limit:
    """How many rows may be rejected before the run counts as failed.

    share (Fraction | None): So large a share of all rows.
    """

    share: Fraction | None = None
    number: int | None = None

    @classmethod
    def parse(cls, value: object) -> "Limit":
        """Read a limit: "1%", or a number."""
        text = str(value)
        with suppress(ValueError, ZeroDivisionError):
            if text.endswith("%"):
                share = Fraction(text[:-1]) / 100
                if 0 <= share <= 1:
                    return cls(share=share)
            elif int(text) >= 0:
                return cls(number=int(text))
        raise ValueError(f"{text!r} is no limit: give a share of the rows (1%) or a number (20).")

    def is_passed(self, n_rejected: int, n_rows: int) -> bool:
        if self.number is not None:
            return n_rejected > self.number
        return n_rejected > (self.share or 0) * n_rows


@dataclass(frozen=True)
class RunOptions:
    """What the table [run] of a file of settings may hold.

    delimiter (str): What stands between the cells of a CSV file; empty: what fits.
    fail_on_rejects (Limit | None): How many rows may be rejected; None: OUT is written with what is left.
    report_names (bool): Whether the report names the files that were read.
    umask (int): Rights that new files lack.
    """

    batch_size: int = 64
    delimiter: str = ""
    fail_on_rejects: Limit | None = None
    language_field: str = "language"
    no_formulas: bool = False
    report_names: bool = False
    sample_size: int = 100
    umask: int = UMASK


def read_run_options(path: Path | None) -> RunOptions:
    """Read the table [run] of a file of settings, as `read_table`."""
    return RunOptions(**read_table(path, RUN, RUN_OPTIONS))


def read_table(
    path: Path | None, name: str, options: Mapping[str, Callable[[Any], Any]]
) -> dict[str, Any]:
    """Read the table of a command in a file of settings.

    path (Path | None): The TOML file; None: nothing is set.
    name (str): The table, one of `TABLES`.
    options (Mapping[str, Callable[[Any], Any]]): What may stand in it, and what reads its value.
    RAISES (ValueError): If there is no such setting, or it cannot have that value.
    """
    table = load_table(path).get(name, {}) if path is not None else {}
    _demand(dict, f"{path}: a table [{name}]", table)
    read = {}
    for key, value in table.items():
        if key not in options:
            raise ValueError(
                f"{path}, [{name}], {key}: there is no such setting. There are: {', '.join(options)}."
            )
        try:
            read[key] = options[key](value)
        except ValueError as error:
            raise ValueError(f"{path}, [{name}], {key}: {error}") from None
    return read


def _demand(kind: type, what: str, value: Any) -> Any:
    if type(value) is not kind:
        raise ValueError(f"{what} is needed.")
    return value


def _read_number(value: Any) -> int:
    if _demand(int, "a number", value) < 1:
        raise ValueError("a number from 1 on is needed.")
    return value


def parse_delimiter(value: Any) -> str:
    """Read what stands between cells: one character, or tab."""
    text = _demand(str, "a character", value)
    sign = {r"\t": "\t", "tab": "\t"}.get(text, text)
    if len(sign) > 1 or sign in ('"', "\r", "\n", "\0", "\\"):
        raise ValueError(f"{text!r} is no delimiter: one character, or tab.")
    return sign


def parse_umask(value: Any) -> int:
    """Read the bits that new files lack, given as octal digits."""
    text = _demand(str, "a string of octal digits", value)
    if not re.fullmatch("[0-7]{1,3}", text) or int(text, 8) & 0o700:
        raise ValueError(f"{text!r} is no umask that leaves files to their owner: 077, 027, 022.")
    return int(text, 8)


RUN_OPTIONS: dict[str, Callable[[Any], Any]] = {
    "batch_size": _read_number,
    "delimiter": parse_delimiter,
    "fail_on_rejects": Limit.parse,
    "language_field": partial(_demand, str, "a string"),
    "no_formulas": partial(_demand, bool, "true or false"),
    "report_names": partial(_demand, bool, "true or false"),
    "sample_size": _read_number,
    "umask": parse_umask,
}
# Those of `serve`: whether it answers in Presidio's shape, too.
SERVE_OPTIONS: dict[str, Callable[[Any], Any]] = {
    "presidio": partial(_demand, bool, "true or false")
}
