"""Blocks are processed on the workers of a Ray cluster, by Ray Data (https://docs.ray.io/en/latest/data/).
The driver deals them out by number and place; the workers read, process and write for themselves.
"""

import logging
import os
import pickle
import signal
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from ..shared.extras import load_extra
from ..tables.places import Place
from ..tables.storage import get_storage
from .blocks import Task, Works
from .engines import Done, RunError
from .in_files import InFile
from .ray_worker import Assignment, Worker, forget_tries
from .result_store import get_block_path
from .work_folder import describe_key

EXTRA = "ray"
# A block is begun so many times more after a worker came to a sudden end on it.
TRIES = 5
# Blocks that a worker has been given, the one at work among them.
IN_FLIGHT = 2
# Seconds until a shared folder shows what another node has written.
PATIENCE = 60.0
# Of Ray, in this process and in a cluster that it starts: no word to its makers, no noise.
ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_BACKEND_LOG_LEVEL": "fatal",
}


@dataclass(frozen=True)
class Cluster:
    """What is asked of a cluster.

    address (str | None): Where it is; None: as Ray finds it (RAY_ADDRESS, a cluster of this machine), or
        else one that is started on this machine for the run.
    n_workers (int | None): The most workers, each with a pipeline; None: as many as there are CPUs, or
        GPUs.
    gpus_per_worker (float): GPUs of each, or a share of one; 0: it works on the CPU.
    """

    address: str | None = None
    n_workers: int | None = None
    gpus_per_worker: float = 0.0


class RayActor:
    """A worker, as Ray Data calls it.

    assignment (Assignment): What all workers are told.
    """

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self._worker: Worker | None = None

    def __call__(self, item: dict[str, Any]) -> dict[str, Any]:
        if self._worker is None:
            self._worker = Worker(self._assignment)
        index, block = pickle.loads(item["places"])
        context = load_extra("ray", EXTRA).get_runtime_context()
        error = self._worker.do(block, index, context.was_current_actor_reconstructed)
        return {"number": block.number, "error": error}


@dataclass(frozen=True)
class RayEngine:
    """Processes blocks on a Ray cluster.

    task (Task): How.
    files (Sequence[InFile]): What is read.
    folder (str): Path or address of the work folder, where workers write what became of the blocks.
    umask (int): Bits that files in it lack.
    keys (Mapping[str, bytes]): The keys that workers must have, by the variable of their environment.
    cluster (Cluster): What is asked of the cluster.
    """

    task: Task
    files: Sequence[InFile]
    folder: str
    umask: int
    keys: dict[str, bytes]
    cluster: Cluster = Cluster()

    def __call__(self, works: Works) -> Iterator[Done]:
        """Process blocks."""
        if not works.numbers:
            return
        forget_tries(*get_storage(self.folder))
        with using_ray(self.cluster) as ray:
            try:
                for row in self._deal(ray, works):
                    if row["error"]:
                        raise RunError(row["error"])
                    self._await(row["number"])
                    yield works.plan.get(row["number"]), None
            except RunError:
                raise
            except Exception as error:  # noqa: BLE001
                # What Ray says may quote what it was given.
                raise RunError(_explain(error)) from None

    def _deal(self, ray: Any, works: Works) -> Iterator[dict[str, Any]]:
        """Have the blocks processed, and tell of each what it came to."""
        index = works.reader.index
        items = []
        for number in works.numbers:
            items.append({"places": pickle.dumps(index.cut(works.plan.get(number)))})
        n_workers = min(get_n_workers(ray, self.cluster), len(items))
        dataset = ray.data.from_items(items, override_num_blocks=len(items)).map(
            RayActor,
            fn_constructor_args=(self._assign(),),
            compute=ray.data.ActorPoolStrategy(
                min_size=1,
                max_size=n_workers,
                initial_size=n_workers,
                max_tasks_in_flight_per_actor=IN_FLIGHT,
            ),
            num_cpus=1,
            num_gpus=self.cluster.gpus_per_worker or None,
        )
        del items
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        return iter(dataset.iter_rows())

    def _assign(self) -> Assignment:
        sizes = []
        for file in self.files:
            storage, path = get_storage(file.path)
            sizes.append(storage.get_size(path))
        return Assignment(
            task=self.task,
            files=[replace(file, path=Place(file.path).absolute) for file in self.files],
            sizes=sizes,
            folder=Place(self.folder).absolute,
            umask=self.umask,
            keys={variable: describe_key(key) for variable, key in self.keys.items()},
            on_gpu=bool(self.cluster.gpus_per_worker),
            n_tries=TRIES,
        )

    def _await(self, number: int) -> None:
        """Wait until this machine sees what a worker has written."""
        storage, folder = get_storage(self.folder)
        path = get_block_path(folder, number)
        end = time.monotonic() + PATIENCE
        while not storage.exists(path):
            if time.monotonic() > end:
                raise RunError(
                    f"A worker has written {path} where this machine does not see it: OUT must lie in a "
                    "folder that all nodes share under the same path, or in an object store."
                )
            time.sleep(0.2)


def load_ray() -> Any:
    """Ray, with Ray Data."""
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    load_extra("ray.data", EXTRA)
    return load_extra("ray", EXTRA)


@contextmanager
def using_ray(cluster: Cluster) -> Iterator[Any]:
    """Have a cluster, and leave it, unless this process has it anyway."""
    ray = load_ray()
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = context.print_on_execution_start = False
    if ray.is_initialized():
        yield ray
        return
    address = cluster.address or os.environ.get("RAY_ADDRESS")
    if address and address.startswith("ray://"):
        raise RunError("A client (ray://) cannot run it: run the command on a node of the cluster.")
    with _keeping_handlers():
        try:
            _knock(address or "")
            ray.init(
                address,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        except Exception as error:  # noqa: BLE001
            raise RunError(
                f"Ray cannot be reached at {address or 'this machine'} ({type(error).__name__}): name a node of a running "
                "cluster, or none to run on this machine."
            ) from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Find out at once whether there is a cluster: Ray itself takes minutes."""
    host, _, port = address.rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()


@contextmanager
def _keeping_handlers() -> Iterator[None]:
    """Ray puts its own handler for SIGTERM, which would end the run without a word."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, handler)


def get_n_workers(ray: Any, cluster: Cluster) -> int:
    """Tell how many workers there may be."""
    resources = ray.cluster_resources()
    room = int(resources.get("CPU", 0))
    if cluster.gpus_per_worker:
        room = min(room, int(resources.get("GPU", 0) / cluster.gpus_per_worker))
    if not room:
        what = "GPU" if cluster.gpus_per_worker else "CPU"
        raise RunError(f"The cluster has no free {what}: look at `ray status`, and add nodes.")
    return cluster.n_workers or room


def _explain(error: Exception) -> str:
    """Why Ray gave up. What it says itself may quote what it was given."""
    name = type(error).__name__
    if "ModuleNotFoundError" in str(error):
        return "A node lacks a package: install this one, with its extra [ray], on all nodes."
    return f"Ray gave up ({name}): look at `ray status` and the logs of Ray."
