"""What became of the rows, until they are written."""

import json
from abc import ABC, abstractmethod
from array import array
from collections import OrderedDict
from collections.abc import Sequence
from typing import BinaryIO

from ..reports.summary import Summary
from ..tables.storage import Storage
from .index import Block
from .processing import Result

# So many files of results are open at a time.
OPEN_FILES = 200


def get_block_path(folder: str, number: int) -> str:
    """Where the results of a block are kept."""
    return f"{folder}/block-{number:06}.jsonl"


def dump_results(results: Sequence[Result], summary: Summary) -> bytes:
    """Write what became of the rows of a block."""
    lines = [json.dumps(summary.to_dict()), *(json.dumps(result) for result in results)]
    return ("\n".join(lines) + "\n").encode("ascii")


def load_result(line: bytes) -> Result:
    """Read a line of `dump_results`."""
    return Result(*json.loads(line))


class Store(ABC):
    """Keeps the results of blocks.

    n_done (int): How many rows have a result.
    n_before (int): How many of them an earlier run had done.
    """

    def __init__(self) -> None:
        self.summary = Summary()
        self.n_done = self.n_before = 0

    def _count(self, block: Block, head: bytes) -> None:
        self.summary.merge(Summary.from_dict(json.loads(head)))
        self.n_done += len(block.rows)

    @abstractmethod
    def put(self, block: Block, data: bytes | None) -> None:
        """Keep the results of a block."""

    @abstractmethod
    def has(self, row: int) -> bool:
        """Whether there is a result."""

    @abstractmethod
    def get(self, row: int) -> Result:
        """What became of it. It is not asked for again."""

    def close(self) -> None:  # noqa: B027
        """Close what is open; nothing is asked for any more."""


class MemoryStore(Store):
    """Keeps results in memory until they are written."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: dict[int, bytes] = {}

    def put(self, block: Block, data: bytes | None) -> None:
        assert data is not None
        head, *lines = data.splitlines()
        self._lines.update(zip(block.rows, lines))
        self._count(block, head)

    def has(self, row: int) -> bool:
        return row in self._lines

    def get(self, row: int) -> Result:
        return load_result(self._lines.pop(row))


class FolderStore(Store):
    """Keeps the results of each block in a file of its own, that is there when it is whole.

    n_rows (int): How many rows there are.
    """

    def __init__(self, storage: Storage, folder: str, n_rows: int) -> None:
        super().__init__()
        self._storage = storage
        self._folder = folder
        self._blocks = array("i", [-1]) * n_rows
        self._starts = array("q", [0]) * n_rows
        self._files: OrderedDict[int, BinaryIO] = OrderedDict()

    def find_done(self) -> set[int]:
        """RETURNS (set[int]): The blocks whose results are there."""
        names = (path.replace("\\", "/").rsplit("/", 1)[-1] for path in self._list())
        return {int(name[6:-6]) for name in names if name.startswith("block-")}

    def _list(self) -> list[str]:
        return [path for path in self._storage.find(self._folder) if path.endswith(".jsonl")]

    def put(self, block: Block, data: bytes | None) -> None:
        path = get_block_path(self._folder, block.number)
        if data is None:
            with self._storage.open(path) as file:
                data = file.read()
        else:
            self._storage.write(path, data)
        start = data.index(b"\n") + 1
        self._count(block, data[:start])
        for row in block.rows:
            self._blocks[row] = block.number
            self._starts[row] = start
            start = data.index(b"\n", start) + 1

    def has(self, row: int) -> bool:
        return self._blocks[row] >= 0

    def get(self, row: int) -> Result:
        number = self._blocks[row]
        file = self._files.pop(number, None)
        if file is None:
            if len(self._files) >= OPEN_FILES:
                self._files.popitem(last=False)[1].close()
            file = self._storage.open(get_block_path(self._folder, number))
        self._files[number] = file
        if file.tell() != self._starts[row]:
            file.seek(self._starts[row])
        return load_result(file.readline())

    def close(self) -> None:
        """Close the files."""
        while self._files:
            self._files.popitem()[1].close()
