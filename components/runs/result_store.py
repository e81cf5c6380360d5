"""What became of the rows, until they are written."""

import json
import re
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
BLOCK = re.compile(r"[/\\]block-(\d+)\.jsonl$")


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


class Store:
    """Keeps the results of blocks: in memory, until they are written.

    summary (Summary): The sum of all.
    n_done (int): How many rows have a result.
    n_before (int): How many of them an earlier run had done.
    """

    def __init__(self) -> None:
        self.summary = Summary()
        self.n_done = self.n_before = 0
        self._lines: dict[int, bytes] = {}

    def put(self, block: Block, data: bytes) -> None:
        head, *lines = data.splitlines()
        self._lines.update(zip(block.rows, lines))
        self._count(block, head)

    def has(self, row: int) -> bool:
        return row in self._lines

    def get(self, row: int) -> Result:
        """What became of a row. It is not asked for again."""
        return load_result(self._lines.pop(row))

    def close(self) -> None:
        """Close what is open; nothing is asked for any more."""

    def _count(self, block: Block, head: bytes) -> None:
        self.summary.merge(Summary.from_dict(json.loads(head)))
        self.n_done += len(block.rows)


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
        found = map(BLOCK.search, self._storage.find(self._folder))
        return {int(match[1]) for match in found if match}

    def find(self, block: Block) -> None:
        """Take the results of a block that an earlier run has kept."""
        with self._storage.open(get_block_path(self._folder, block.number)) as file:
            self._place(block, file.read())
        self.n_before = self.n_done

    def put(self, block: Block, data: bytes) -> None:
        self._storage.write(get_block_path(self._folder, block.number), data)
        self._place(block, data)

    def _place(self, block: Block, data: bytes) -> None:
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
