"""What a table looks like to those who read and write it."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

from .encodings import UTF_8
from .errors import FileError

# What a program calls a field. Any other name may be data.
FIELD = re.compile(r"[a-z][A-Za-z0-9_]*")
# How what a file holds beside its rows is called, where it stands among columns.
BESIDE = "workbook: "
Opener = Callable[[], BinaryIO]


class ReadOptions(NamedTuple):
    """How a file is read. A format takes what concerns it.

    delimiter (str): What stands between the cells of a CSV file; empty: what fits.
    encoding (str): How the characters of a CSV file are written; empty: found out.
    has_header (bool): Whether the first row of a CSV file names its columns; else numbers do, from 1.
    limit (int): The most bytes that the rows of Parquet, or a workbook, may unpack to; 0: any. For lines,
        see `unpack`.
    texts (Sequence[str]): The columns with texts, by which the sheets of a workbook are chosen.
    paths (Any): Where in JSON the texts stand (`nested.Paths`); None: in fields of each object, which is a row.
    """

    compression: str = ""
    delimiter: str = ""
    encoding: str = UTF_8
    has_header: bool = True
    limit: int = 0
    texts: Sequence[str] = ()
    paths: Any = None


DEFAULTS = ReadOptions()
FIND_ENCODING = ReadOptions(encoding="")


class Edits(NamedTuple):
    """What becomes of the columns of a file that is written. A format takes what concerns it.

    added (Sequence[str]): Columns that come to it.
    dropped (Sequence[str]): Columns that are left out.
    texts (Sequence[str]): Columns that may get other values.
    delimiter (str): What stands between the cells of a CSV file; empty: as in what is read.
    no_formulas (bool): Whether an apostrophe goes before what a spreadsheet would calculate.
    """

    added: Sequence[str] = ()
    dropped: Sequence[str] = ()
    texts: Sequence[str] = ()
    delimiter: str = ""
    no_formulas: bool = False


class Record(ABC):
    """A row as it was read.

    position (int): Where it lies in the file: what `Source.read` takes.
    line (int): Its number for people, from 1: of a line, or of a row where there are none.
    size (int): About how many bytes it takes.
    path (str): Where in its document it stands; empty where it is one.
    conversation (str | None): Its conversation where no column tells it.
    beside (Mapping[str, Sequence[str]]): What its file holds that is no row and is copied, by what it is,
        after `BESIDE`.
    """

    __slots__ = ("line", "position", "size")

    path = ""
    conversation: str | None = None

    # Whether all rows have the same columns, and null is an empty cell.
    has_cells = False
    beside: Mapping[str, Sequence[str]] = {}

    def __init__(self, position: int, line: int, size: int) -> None:
        self.position = position
        self.line = line
        self.size = size

    @property
    def document(self) -> Any:
        """RETURNS (Any): What it is written with, whole or not at all."""
        return self

    @abstractmethod
    def get_values(self) -> dict[str, Any]:
        """Read the row.

        RETURNS (dict[str, Any]): Its values by column, a new dict each time.
        RAISES (RowError): If it cannot be read.
        """


class Source(ABC):
    """A file of rows.

    name (str): What it is called, for errors.
    kind (str): The name of its format.
    encoding (str): How its characters are written.
    has_header (bool | None): Whether its first row names its columns; else numbers do. None where no row does.
    n_rows (int | None): How many rows it says that it has; None if it says nothing.
    columns (Sequence[str] | None): The columns that all rows have; None where each row has its own.
    counts (str): What `Record.line` counts: "line" or "row".
    others (Sequence[str]): Columns with words, numbers or dates, of a file that is not read row by row.
    paths (Any): As `ReadOptions` has them.
    """

    name = ""
    kind = ""
    encoding = UTF_8
    has_header: bool | None = None
    n_rows: int | None = None
    columns: Sequence[str] | None = None
    counts = "line"
    others: Sequence[str] = ()
    paths: Any = None

    @abstractmethod
    def scan(self, columns: Sequence[str] | None = None) -> Iterator[Record]:
        """Read all rows, from first to last.

        columns (Sequence[str] | None): The columns that are needed, where the file has others apart;
            None for all.
        RAISES (FileError): If the file is not what its name says.
        """

    @abstractmethod
    def read(
        self,
        positions: Sequence[int],
        columns: Sequence[str] | None = None,
        others: Sequence[str] = (),
    ) -> Iterator[Record]:
        """Read some rows.

        positions (Sequence[int]): Their positions, in rising order. Rows that follow on those of the
            last call are read without looking for them.
        columns (Sequence[str] | None): The columns that are needed; None for all.
        others (Sequence[str]): Columns that are read, too; a cell that cannot be is left out.
        YIELDS (Record): The rows, in this order.
        """

    def locate(self, record: Record) -> dict[str, int]:
        """RETURNS (dict[str, int]): Where people find a row."""
        path = {"path": record.path} if record.path else {}
        return {self.counts: record.line, **path}

    @abstractmethod
    def close(self) -> None:
        """Let go of the file and of what is held of it. What is read later opens it again."""


class Target(ABC):
    """A file that rows are written to.

    n_rows (int): How many have been written.
    """

    n_rows = 0

    @abstractmethod
    def write(self, record: Record, changes: Mapping[str, Any]) -> None:
        """Write a row."""

    @abstractmethod
    def finish(self) -> None:
        """Write what is left."""


def name_fields(names: Iterable[str]) -> str:
    """Name columns in an error: those that are called as a program calls a field. Others may be data."""
    names = [*names]
    shown = [repr(name) for name in names if FIELD.fullmatch(name)]
    n_hidden = len(names) - len(shown)
    return ", ".join([*shown, *([f"{n_hidden} with other names"] if n_hidden else [])])


def demand_single(columns: Sequence[str], name: str) -> None:
    """Refuse a table in which two columns have the same name.

    RAISES (FileError): If there are two.
    """
    for number, column in enumerate(columns, 1):
        first = columns.index(column) + 1
        if first < number:
            raise FileError(
                f"{name} has two columns of one name, the columns {first} and {number}: rename one."
            )


def demand_small(n_bytes: int, limit: int, name: str) -> None:
    """Refuse a file that holds too much when it is unpacked.

    limit (int): How much it may; 0: any.
    RAISES (FileError): If it holds more.
    """
    if 0 < limit < n_bytes:
        raise FileError(f"{name} unpacks to over {limit >> 20} MiB: give less at a time.")
