"""What a worker of a cluster does: it reads its blocks itself, and writes what became of them to the
work folder. Nothing of a text and no key comes to it or goes from it in any other way.
"""

import json
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import spacy

from ..model.backend import set_threads
from ..shared.extras import ExtraError
from ..shared.failures import SetupError, describe_error
from ..shared.secret import read_secret
from ..surrogates.surrogate_generator import read_key
from ..tables.errors import FileError
from ..tables.source import Source
from ..tables.storage import Storage, get_storage
from .blocks import Reader, Task
from .engines import RunError
from .in_files import InFile, Sources
from .index import Block, Index
from .processing import Processor
from .result_store import get_block_path
from .work_folder import JOB, describe_key, digest_pipeline


@dataclass(frozen=True)
class Assignment:
    """What all workers of a run are told. It can be pickled, and holds no key.

    task (Task): How blocks are processed.
    files (Sequence[InFile]): What is read.
    sizes (Sequence[int]): Bytes of each file.
    folder (str): Path or address of the work folder.
    umask (int): Bits that files in it lack.
    keys (Mapping[str, Mapping[str, str]]): The variables of the environment with keys, and what tells
        whether a key is the right one (`describe_key`).
    on_gpu (bool): Whether the pipeline runs on a GPU.
    n_tries (int): A block that was begun so many times more after a worker's sudden end on it is given
        up, and the run with it.
    """

    task: Task
    files: Sequence[InFile]
    sizes: Sequence[int]
    folder: str
    umask: int
    keys: Mapping[str, Mapping[str, str]]
    on_gpu: bool = False
    n_tries: int = 5


class Worker:
    """Processes blocks, with a pipeline of its own.

    assignment (Assignment): What all workers are told.
    """

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self._storage, self._folder = get_storage(assignment.folder, assignment.umask)
        self._sources = Sources(assignment.files, self._open_file)
        self._processor: Processor | None = None

    def do(self, block: Block, index: Index, is_second: bool = False) -> str:
        """Process a block, unless it is done, and write what became of it."""
        try:
            self._do(block, index, is_second)
        except (ExtraError, FileError, RunError, SetupError) as error:
            return str(error)
        except Exception as error:  # noqa: BLE001
            # What it says may quote a text.
            return f"A worker on {socket.gethostname()} failed: {describe_error(error)}."
        return ""

    def _do(self, block: Block, index: Index, is_second: bool) -> None:
        if self._processor is None:
            self._check_environment()
        path = get_block_path(self._folder, block.number)
        if self._storage.exists(path):
            return
        if is_second:
            self._mark_try(block)
        if self._processor is None:
            self._processor = self._load()
        settings = self.assignment.task.settings
        (work,) = Reader(self._sources, index, settings).read([block])
        self._storage.write(path, work.do(self._processor))

    def _mark_try(self, block: Block) -> None:
        for n in range(self.assignment.n_tries):
            path = get_try_path(self._folder, block.number, n)
            if not self._storage.exists(path):
                self._storage.write(path, b"")
                return
        raise RunError(
            f"Workers came to a sudden end on block {block.number} again and again, the last one on "
            f"{socket.gethostname()}: as a rule, memory has run out. Have fewer workers on a node "
            "(--workers)."
        )

    def _open_file(self, number: int) -> Source:
        file = self.assignment.files[number]
        storage, path = get_storage(file.path)
        if not storage.exists(path) or storage.get_size(path) != self.assignment.sizes[number]:
            raise RunError(
                f"A worker on {socket.gethostname()} does not find {file.name} as this machine sees it: "
                "IN must lie in a folder that all nodes share under the same path, or in an object "
                "store."
            )
        return file.open()

    def _check_environment(self) -> None:
        host = socket.gethostname()
        self._check_keys(host)
        if not self._storage.exists(f"{self._folder}/{JOB}"):
            raise RunError(
                f"A worker on {host} cannot see {self.assignment.folder}: OUT must lie in a folder that "
                "all nodes share under the same path, or in an object store."
            )

    def _load(self) -> Processor:
        # As each of several processes on one machine has: the same bytes, and no core is fought for.
        set_threads(1)
        if self.assignment.on_gpu:
            try:
                spacy.require_gpu()
            except Exception as error:  # noqa: BLE001
                raise RunError(
                    f"A worker on {socket.gethostname()} cannot use its GPU ({type(error).__name__}): install CuPy and "
                    "PyTorch for its CUDA there, or leave --gpus-per-worker out."
                ) from None
        processor = self.assignment.task.make_processor()
        with self._storage.open(f"{self._folder}/{JOB}") as file:
            wanted = json.loads(file.read())["pipeline"]
        if digest_pipeline(processor.nlp, read_key()) != wanted:
            raise RunError(
                f"The pipeline on {socket.gethostname()} is another one than on the machine that began "
                "the run: install the same wheel on all nodes."
            )
        return processor

    def _check_keys(self, host: str) -> None:
        for variable, told in self.assignment.keys.items():
            key = read_secret(variable)
            if key is None:
                raise RunError(
                    f"A worker on {host} has no {variable}: set it on each node, to the same key, before "
                    "you start Ray there."
                )
            if describe_key(key.encode("utf8", "surrogateescape"), told) != told:
                raise RunError(
                    f"A worker on {host} has another {variable} than this machine: set it on each node, "
                    "to the same key, before you start Ray there."
                )


def get_try_path(folder: str, number: int, n: int) -> str:
    """The file that tells of a further try of a block."""
    return f"{folder}/try-{number:06}-{n}"


def forget_tries(storage: Storage, folder: str) -> None:
    """Begin anew with counting tries."""
    for path in storage.find(folder):
        if path.replace("\\", "/").rsplit("/", 1)[-1].startswith("try-"):
            storage.remove(path)
