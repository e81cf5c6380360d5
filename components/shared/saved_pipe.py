"""How pipes are saved: each of their parts as a file of a folder, or all of them as bytes."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import srsly
from spacy import util
from spacy.pipeline import Pipe
from spacy.util import SimpleFrozenList

READERS = {".jsonl": srsly.read_jsonl, ".msgpack": srsly.read_msgpack}
WRITERS = {".jsonl": srsly.write_jsonl, ".msgpack": srsly.write_msgpack}


class Part(NamedTuple):
    """A part of a pipe: how to get it as plain data, and how to set it."""

    get: Callable[[], Any]
    set: Callable[[Any], None]

    def to_bytes(self) -> bytes:
        return srsly.msgpack_dumps(self.get())

    def from_bytes(self, data: bytes) -> None:
        self.set(srsly.msgpack_loads(data))

    def to_disk(self, path: Path) -> None:
        WRITERS.get(path.suffix, srsly.write_json)(path, self.get())

    def from_disk(self, path: Path) -> None:
        self.set(READERS.get(path.suffix, srsly.read_json)(path))


class SavedPipe(Pipe):
    """A pipe with parts that are saved."""

    # The files that a folder may lack.
    optional_files: frozenset[str] = frozenset()
    # The settings as the config has them.
    _configured: dict[str, Any]

    def get_parts(self) -> dict[str, Part]:
        """RETURNS (dict[str, Part]): The parts by file, in the order in which they are loaded. A file
        without a suffix is JSON.
        """
        raise NotImplementedError

    def _get_settings(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): What may be set on the loaded pipe, by attribute."""
        raise NotImplementedError

    def _get_cfg(self) -> dict[str, Any]:
        # What was set on the loaded pipe is kept; what is from the config stays there, so that
        # overriding the config has its effect.
        settings = self._get_settings()
        return {key: value for key, value in settings.items() if value != self._configured[key]}

    def _set_cfg(self, cfg: Mapping[str, Any]) -> None:
        for key in cfg.keys() & self._configured.keys():
            setattr(self, key, cfg[key])

    # As spaCy's own pipes do it. `exclude` names files without their suffix.

    def to_bytes(self, *, exclude: Iterable[str] = SimpleFrozenList()) -> bytes:
        """Serialise the pipe."""
        getters = {file: part.to_bytes for file, part in self.get_parts().items()}
        return util.to_bytes(getters, exclude)

    def from_bytes(
        self, bytes_data: bytes, *, exclude: Iterable[str] = SimpleFrozenList()
    ) -> "SavedPipe":
        """Load what `to_bytes` gave, in place of what the pipe has."""
        setters: dict[str, Callable[[bytes], None]] = {
            file: part.from_bytes for file, part in self.get_parts().items()
        }
        util.from_bytes(bytes_data, setters, exclude)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = SimpleFrozenList()) -> None:
        """Save the pipe to a folder."""
        writers: dict[str, Callable[[Path], None]] = {
            file: part.to_disk for file, part in self.get_parts().items()
        }
        util.to_disk(path, writers, exclude)

    def from_disk(
        self, path: str | Path, *, exclude: Iterable[str] = SimpleFrozenList()
    ) -> "SavedPipe":
        """Load the files of a folder, which may be edited, in place of what the pipe has."""
        readers: dict[str, Callable[[Path], None]] = {
            file: part.from_disk
            for file, part in self.get_parts().items()
            if file not in self.optional_files or (Path(path) / file).exists()
        }
        util.from_disk(path, readers, exclude)
        return self
