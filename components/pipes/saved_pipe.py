"""How pipes are saved: each of their parts as a file of a folder, or all of them as bytes."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import srsly
from spacy import util
from spacy.pipeline import Pipe
from spacy.util import SimpleFrozenList

# How to get a part as plain data, and how to set it.
Part = tuple[Callable[[], Any], Callable[[Any], None]]
READERS = {".jsonl": srsly.read_jsonl, ".msgpack": srsly.read_msgpack}
WRITERS = {".jsonl": srsly.write_jsonl, ".msgpack": srsly.write_msgpack}


class SavedPipe(Pipe):
    """A pipe with parts that are saved. Files without a suffix are JSON."""

    # The files that a folder may lack.
    optional_files: frozenset[str] = frozenset()

    def _get_parts(self) -> dict[str, Part]:
        """RETURNS (dict[str, Part]): The parts by file, in the order in which they are loaded."""
        raise NotImplementedError

    def to_bytes(self, *, exclude: Iterable[str] = SimpleFrozenList()) -> bytes:
        """Serialise the pipe.

        exclude (Iterable[str]): Parts to leave out: names of files without suffix.
        RETURNS (bytes): The serialised pipe.
        """
        parts = self._get_parts().items()
        getters = {file: lambda get=get: srsly.msgpack_dumps(get()) for file, (get, _) in parts}
        return util.to_bytes(getters, exclude)

    def from_bytes(
        self, bytes_data: bytes, *, exclude: Iterable[str] = SimpleFrozenList()
    ) -> "SavedPipe":
        """Load the pipe, in place of what it has.

        bytes_data (bytes): What `to_bytes` gave.
        exclude (Iterable[str]): Parts to leave out.
        RETURNS (SavedPipe): The pipe itself.
        """
        parts = self._get_parts().items()
        setters = {
            file: lambda data, set_=set_: set_(srsly.msgpack_loads(data))
            for file, (_, set_) in parts
        }
        util.from_bytes(bytes_data, setters, exclude)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = SimpleFrozenList()) -> None:
        """Save the pipe.

        path (str | Path): The folder.
        exclude (Iterable[str]): Parts to leave out: names of files without suffix.
        """
        parts = self._get_parts().items()
        writers = {
            file: lambda p, get=get: WRITERS.get(p.suffix, srsly.write_json)(p, get())
            for file, (get, _) in parts
        }
        util.to_disk(path, writers, exclude)

    def from_disk(
        self, path: str | Path, *, exclude: Iterable[str] = SimpleFrozenList()
    ) -> "SavedPipe":
        """Load the pipe, in place of what it has.

        path (str | Path): The folder. Its files may be edited.
        exclude (Iterable[str]): Parts to leave out.
        RETURNS (SavedPipe): The pipe itself.
        """
        readers = {
            file: lambda p, set_=set_: set_(READERS.get(p.suffix, srsly.read_json)(p))
            for file, (_, set_) in self._get_parts().items()
            if file not in self.optional_files or (Path(path) / file).exists()
        }
        util.from_disk(path, readers, exclude)
        return self
