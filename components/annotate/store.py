"""The file of an annotation: messages, and what each annotator has made of them.

It is an SQLite file in WAL mode. A change is on the disk before it is announced. Each change names
the revision that it was made on, and is refused if there is a newer one: of two windows none overwrites
the other. What `undo` takes back is kept until another change is made.
"""

import json
import os
import re
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from threading import RLock
from typing import Any

from ..measures.gold import Row
from ..tables.storage import take_lock
from ..vault import Vault, VaultError
from .edits import Mark

VERSION = 1
LAYER = re.compile(r"\w(?:[\w .-]{0,38}\w)?")
# What an annotator may say of a message.
OPEN, DONE, DOUBTFUL, SKIPPED = STATUSES = ("open", "done", "doubtful", "skipped")
SETTLED = "settled"
SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE messages (place INTEGER PRIMARY KEY, rank INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE states (
    place INTEGER NOT NULL REFERENCES messages, layer TEXT NOT NULL, revision INTEGER NOT NULL,
    step INTEGER NOT NULL, last_step INTEGER NOT NULL, status TEXT NOT NULL, seconds REAL NOT NULL,
    finished REAL NOT NULL, comment BLOB NOT NULL, PRIMARY KEY (place, layer)
) WITHOUT ROWID;
CREATE TABLE steps (
    place INTEGER NOT NULL REFERENCES messages, layer TEXT NOT NULL, step INTEGER NOT NULL,
    body BLOB NOT NULL, PRIMARY KEY (place, layer, step)
) WITHOUT ROWID;
CREATE TABLE decisions (
    number INTEGER PRIMARY KEY, place INTEGER NOT NULL REFERENCES messages, made REAL NOT NULL,
    body BLOB NOT NULL
);
"""


class StoreError(ValueError):
    """Why a file cannot be used. It holds nothing of any text."""


class ConflictError(Exception):
    """Somebody has changed the message since it was shown."""


@dataclass(frozen=True)
class State:
    """What an annotator (`layer`) has made of the message at a place.

    revision (int): How many changes there have been.
    step (int), last_step (int): How many of them count without those undone; up to which can be redone.
    finished (float): When it got its status, in seconds of the epoch; 0 if it is open.
    """

    place: int
    layer: str
    revision: int = 0
    step: int = 0
    last_step: int = 0
    status: str = OPEN
    seconds: float = 0.0
    finished: float = 0.0
    comment: str = ""
    marks: Sequence[Mark] = ()


class Store:
    """An annotation's file, which one process may have open.

    path (Path): The file; made if it is not there.
    vault (Vault | None): Encrypts all that may hold a piece of a message; None: nothing is encrypted.
    RAISES (StoreError): If the file is none of these, or another process has it open.
    RAISES (VaultError): If it was encrypted with another key.
    """

    def __init__(self, path: Path, vault: Vault | None = None) -> None:
        self.path = path
        self._vault = vault
        self._guard = RLock()
        try:
            self._lock = take_lock(str(path.with_name(f".{path.name}.lock")))
        except BlockingIOError:
            raise StoreError(f"Another process has {path} open: end it first.") from None
        is_new = not path.exists() or not path.stat().st_size
        # SQLite gives its other files the same rights.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        path.chmod(0o600)
        self._base = sqlite3.connect(path, check_same_thread=False, isolation_level="IMMEDIATE")
        try:
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = FULL")
            self._base.execute("PRAGMA secure_delete = ON")
            if is_new:
                self._make()
            self._demand_ours()
            self._read()
        except sqlite3.DatabaseError:
            self.close()
            raise StoreError(f"{path} is no file of an annotation: name another.") from None
        except (StoreError, VaultError):
            self.close()
            raise

    def _make(self) -> None:
        with self._base:
            self._base.executescript(f"BEGIN IMMEDIATE;{SCHEMA}")
            self._insert("meta", "version", str(VERSION).encode())
            self._insert("meta", "sealed", b"1" if self._vault else b"0")
            self._insert("meta", "probe", self._seal({}))

    def _demand_ours(self) -> None:
        if self.get_meta("version") != str(VERSION).encode():
            raise StoreError(f"{self.path} was made by another version: use that one.")
        sealed = self.get_meta("sealed") == b"1"
        if sealed and self._vault is None:
            raise StoreError(f"{self.path} is encrypted: add --encrypt, and set its key.")
        if self._vault is not None and not sealed:
            raise StoreError(
                f"{self.path} was made without encryption, and stays so: leave --encrypt out."
            )
        self._open(self.get_meta("probe"))

    def _read(self) -> None:
        self.rows: list[Row] = []
        self.suggestions: list[list[Mark]] = []
        ranks = []
        for rank, body in self._base.execute("SELECT rank, body FROM messages ORDER BY place"):
            content = self._open(body)
            self.rows.append(content["row"])
            self.suggestions.append(content["suggestions"])
            ranks.append(rank)
        # The places of the messages in the order in which they are to be annotated.
        self.order = sorted(range(len(ranks)), key=ranks.__getitem__)
        self._ranks = ranks
        self._states: dict[tuple[int, str], State] = {}
        for *values, comment in self._base.execute("SELECT * FROM states ORDER BY place"):
            state = State(*[*values, self._open(comment)])
            marks = self._read_step(state.place, state.layer, state.step)
            self._states[state.place, state.layer] = replace(state, marks=marks)
        # Who has annotated something.
        self.layers = sorted({layer for _, layer in self._states} - {SETTLED})
        self.decisions: dict[int, list[dict[str, Any]]] = {}
        for _, place, made, body in self._base.execute("SELECT * FROM decisions ORDER BY number"):
            self.decisions.setdefault(place, []).append({**self._open(body), "made": made})

    def _read_step(self, place: int, layer: str, step: int) -> list[Mark]:
        query = "SELECT body FROM steps WHERE place = ? AND layer = ? AND step = ?"
        row = self._base.execute(query, (place, layer, step)).fetchone()
        return self._open(row[0]) if row else self.suggestions[place]

    def close(self) -> None:
        """Close the file. What was saved is saved already."""
        self._base.close()
        if self._lock is not None:
            self._lock.close()

    def _seal(self, content: Any) -> bytes:
        data = json.dumps(content, ensure_ascii=False).encode("utf8")
        return data if self._vault is None else self._vault.seal_bytes(data)

    def _open(self, data: bytes) -> Any:
        return json.loads(data if self._vault is None else self._vault.open_bytes(data))

    def _insert(self, table: str, *values: Any, verb: str = "INSERT") -> None:
        places = ", ".join("?" * len(values))
        self._base.execute(f"{verb} INTO {table} VALUES ({places})", values)

    def get_meta(self, name: str) -> bytes:
        """RETURNS (bytes): A value that holds of the whole file; empty if there is none."""
        with self._guard:
            query = "SELECT value FROM meta WHERE name = ?"
            row = self._base.execute(query, (name,)).fetchone()
        return row[0] if row else b""

    def add(
        self,
        rows: Sequence[Row],
        suggestions: Sequence[Sequence[Mark]] = (),
        order: Sequence[int] = (),
    ) -> None:
        """Put messages into a new file, with suggested marks and places in order of annotation."""
        ranks = {place: rank for rank, place in enumerate(order or range(len(rows)))}
        with self._guard, self._base:
            for place, (row, found) in enumerate(zip(rows, suggestions or [()] * len(rows))):
                marks = [{**each, "suggested": True} for each in found]
                bare = {name: value for name, value in row.items() if name != "spans"}
                body = self._seal({"row": bare, "suggestions": marks})
                self._insert("messages", place, ranks[place], body)
            self._insert("meta", "digest", get_digest(rows).encode())
        self._read()

    def holds(self, rows: Sequence[Row]) -> bool:
        """RETURNS (bool): Whether these are the messages of this file."""
        return self.get_meta("digest").decode() == get_digest(rows)

    def get(self, place: int, layer: str) -> State:
        """RETURNS (State): What an annotator has made of a message."""
        default = State(place, layer, marks=self.suggestions[place])
        return self._states.get((place, layer), default)

    def get_states(self, layer: str) -> list[State]:
        """RETURNS (list[State]): What an annotator has made of all messages that were touched."""
        return [state for (_, name), state in [*self._states.items()] if name == layer]

    def find_next(self, layer: str, after: int | None = None) -> int | None:
        """The next message that an annotator has not finished; the first comes behind the last."""
        first = 0 if after is None else self._ranks[after] + 1
        places = (*self.order[first:], *self.order[:first])
        return next((place for place in places if self.get(place, layer).status == OPEN), None)

    def get_neighbour(self, place: int, step: int) -> int | None:
        """RETURNS (int | None): The message some steps further on in the order of annotation, if there is one."""
        rank = self._ranks[place] + step
        return self.order[rank] if 0 <= rank < len(self.order) else None

    def change(
        self,
        state: State,
        marks: Sequence[Mark] | None = None,
        *,
        status: str | None = None,
        comment: str | None = None,
        seconds: float = 0.0,
    ) -> State:
        """Save new marks, status or comment (None: it stays), or raise ConflictError."""
        new = replace(state, revision=state.revision + 1, seconds=state.seconds + seconds)
        is_step = marks is not None and [*marks] != [*state.marks]
        if marks is not None and is_step:
            step = state.step + 1
            new = replace(new, marks=[*marks], step=step, last_step=step)
        if status is not None:
            finished = time.time() if status != OPEN else 0.0
            new = replace(new, status=status, finished=finished)
        if comment is not None:
            new = replace(new, comment=comment)
        return self._save(state, new, is_step)

    def begin(self, state: State, marks: Sequence[Mark]) -> State:
        """Begin a message again with other marks, nothing to undo; it may raise ConflictError."""
        new = State(state.place, state.layer, state.revision + 1, marks=[*marks])
        return self._save(state, new, True)

    def undo(self, state: State, steps: int = 1) -> State:
        """Take back changes of marks (1), or redo one (-1); it may raise ConflictError."""
        step = state.step - steps
        if not 0 <= step <= state.last_step:
            return state
        with self._guard:
            marks = self._read_step(state.place, state.layer, step)
        return self._save(
            state, replace(state, revision=state.revision + 1, step=step, marks=marks)
        )

    def _save(self, old: State, new: State, is_step: bool = False) -> State:
        key = new.place, new.layer
        with self._guard:
            if self.get(*key).revision != old.revision:
                raise ConflictError
            with self._base:
                # In the order of the columns, the last one sealed; the marks are a step.
                *values, comment, _ = (getattr(new, each.name) for each in fields(State))
                self._insert("states", *values, self._seal(comment), verb="REPLACE")
                if is_step:
                    self._base.execute(
                        "DELETE FROM steps WHERE place = ? AND layer = ? AND step >= ?",
                        (*key, new.step),
                    )
                    self._insert("steps", *key, new.step, self._seal([*new.marks]))
            self._states[key] = new
            self.layers = sorted({*self.layers, new.layer} - {SETTLED})
        return new

    def decide(self, place: int, decision: Mapping[str, Any]) -> None:
        """Keep what was decided between annotators, and by whom."""
        made = time.time()
        with self._guard:
            with self._base:
                # SQLite gives it the next number.
                self._insert("decisions", None, place, made, self._seal(dict(decision)))
            self.decisions.setdefault(place, []).append({**decision, "made": made})


def check_layer(name: str) -> str:
    """Check and strip the name of an annotator, or raise StoreError."""
    name = name.strip()
    if not LAYER.fullmatch(name) or name == SETTLED:
        raise StoreError(
            "The name of an annotator has letters, digits, spaces, dots and hyphens, 40 at most, and is "
            f"not {SETTLED}."
        )
    return name


def get_digest(rows: Iterable[Row]) -> str:
    """RETURNS (str): The digest of the ids and texts of messages."""
    digest = sha256()
    for row in rows:
        digest.update(json.dumps([row.get("id"), row["text"]]).encode("ascii"))
    return digest.hexdigest()
