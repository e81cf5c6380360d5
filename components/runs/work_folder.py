"""The folder beside the output in which a run keeps what it has done."""

import hashlib
import hmac
import json
import os
from collections.abc import Mapping
from typing import Any, BinaryIO

from spacy.language import Language

from ..tables.errors import FileError
from ..tables.source import Opener
from ..tables.storage import Disk, Storage, take_lock

JOB = "job.json"
LOCK = "lock"
# Of scrypt: so slow that nobody tries keys out on a job description.
COST = {"n": 2**14, "r": 8, "p": 1}
CHUNK = 1 << 20


class WorkFolder:
    """The folder of a run: its job description and a file for each block that is done. It holds what
    comes out, nothing of what goes in, and no key.
    """

    def __init__(self, storage: Storage, path: str) -> None:
        self.storage = storage
        self.path = path
        self._lock: BinaryIO | None = None

    def begin(self, job: Mapping[str, Any], key: bytes | None, run: str, resume: bool) -> str:
        """Begin a run, or go on with one that was stopped, if there is one."""
        self.storage.make_folder(self.path)
        self._take_lock()
        try:
            return self._begin(job, key, run, resume)
        except BaseException:
            self.leave()
            raise

    @property
    def is_begun(self) -> bool:
        """RETURNS (bool): Whether there is a run to go on with."""
        return self.storage.exists(f"{self.path}/{JOB}")

    def _begin(self, job: Mapping[str, Any], key: bytes | None, run: str, resume: bool) -> str:
        old = self._read_job()
        if not resume:
            if old is not None and old.get("key"):
                raise FileError(
                    "A run that was stopped has left what it had done. Go on with it (--resume), or "
                    f"delete {self.path} to start again."
                )
            self._clear()
        elif old is not None:
            differs = [name for name in job if job[name] != old.get(name)]
            if key is None or describe_key(key, old.get("key")) != old.get("key"):
                differs.append("key")
            if differs:
                raise FileError(
                    "The run that was stopped was another one: "
                    f"{', '.join(_describe(name, job, old) for name in differs)}. Run it as it was, "
                    f"or delete {self.path} to start again."
                )
            return old["run"]
        else:
            self._clear()  # what a worker of a run that is gone has left
        told = {**job, "run": run, "key": describe_key(key) if key is not None else None}
        self.storage.write(f"{self.path}/{JOB}", json.dumps(told, indent=1).encode("ascii"))
        return run

    def _read_job(self) -> dict[str, Any] | None:
        path = f"{self.path}/{JOB}"
        if not self.is_begun:
            return None
        with self.storage.open(path) as file:
            try:
                return json.loads(file.read())
            except ValueError:
                raise FileError(f"{path} is damaged: delete {self.path}.") from None

    def _clear(self) -> None:
        for path in self.storage.find(self.path):
            if not path.endswith(LOCK):
                self.storage.remove(path)

    def _take_lock(self) -> None:
        if not isinstance(self.storage, Disk):
            return
        try:
            self._lock = take_lock(f"{self.path}/{LOCK}")
        except BlockingIOError:
            raise FileError(
                f"Another run is writing this OUT now: it works in {self.path}."
            ) from None

    def leave(self) -> None:
        """Let another run have the folder."""
        if self._lock is not None:
            self._lock.close()

    def remove(self) -> None:
        """Remove the folder, and let go of it only then."""
        self.storage.remove(self.path)
        self.leave()


def _describe(name: str, job: Mapping[str, Any], old: Mapping[str, Any]) -> str:
    """What is other in a job: of options, which."""
    new, was = job.get(name), old.get(name)
    if isinstance(new, dict) and isinstance(was, dict):
        other = sorted(key for key in {*new, *was} if new.get(key) != was.get(key))
        return f"other options ({', '.join(other)})"
    return {
        "key": "another key",
        "files": "other files, or changed ones",
        "lists": "other lists",
    }.get(name, f"another {name}")


def describe_key(key: bytes, old: Mapping[str, str] | None = None) -> dict[str, str]:
    """Make what tells whether a key is the same, and nothing else of it."""
    salt = bytes.fromhex(old["salt"]) if old else os.urandom(16)
    return {"salt": salt.hex(), "check": hashlib.scrypt(key, salt=salt, dklen=16, **COST).hex()}


def digest_lists(lists: Mapping[str, Any], key: bytes) -> str:
    """A digest under the key."""
    data = json.dumps(lists, sort_keys=True).encode("ascii")
    return hmac.new(key, b"lists\0" + data, hashlib.sha256).hexdigest()


def digest_pipeline(nlp: Language, key: bytes) -> str:
    """Its name and version, and a digest of all that it holds, under the key."""
    digest = hmac.new(key, nlp.to_bytes(), hashlib.sha256).hexdigest()[:16]
    return f"{nlp.meta.get('name')} {nlp.meta.get('version')} {digest}"


def digest_file(open_file: Opener) -> str:
    """A digest of what a file holds."""
    digest = hashlib.blake2b(digest_size=16)
    with open_file() as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
