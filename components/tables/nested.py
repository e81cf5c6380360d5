"""Texts that stand deep in JSON: by JSONPath (RFC 9535), which python-jsonpath reads. A row is a text; a
document with its texts is an object of a JSON file.
"""

import base64
import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from ..shared.extras import load_extra
from .errors import FileError, RowError
from .jsonl import CUT, JsonRecord, New, dump_json
from .source import FIELD, Record, name_fields

# What begins or holds this is a path, and no name of a column.
PATH = re.compile(r"base64:|\$|.*\[[*\d?'\"-]")
BASE64 = "base64:"
# Lists and objects in each other.
MAX_DEPTH = 64
# Bits of a position for the number of a text in its document.
SHIFT = 20
# A value of a document that has a column of its own.
TAKEN = object()
REPLACEMENTS = "replacements"
Location = tuple[str | int, ...]
Match = tuple[Location, Any]


class Names(NamedTuple):
    """Paths, by what stands there.

    texts (tuple[str, ...]): A row for each.
    author (str): Who wrote it, read with the first text of its message; empty: none.
    single (tuple[str, ...]): One value a text.
    several (tuple[str, ...]): What is told of all texts beside it: of participants.
    """

    texts: tuple[str, ...]
    author: str = ""
    single: tuple[str, ...] = ()
    several: tuple[str, ...] = ()


def is_path(name: str) -> bool:
    """Tell whether a column is named by a path."""
    return PATH.match(name) is not None


class PathRecord(Record):
    """A text of a document, and what belongs to it.

    values (dict[str, Any]): By the paths that were given, and what stands beside by the fields of the document.
    places (dict[str, Location]): Where the values stand that may change.
    reason (str): Why the document cannot be read.
    """

    __slots__ = ("_document", "conversation", "dropped", "path", "places", "reason", "values")

    def __init__(
        self, document: JsonRecord, number: int, n_rows: int = 1, reason: str = ""
    ) -> None:
        position = (document.position << SHIFT) + number
        super().__init__(position, document.line, document.size // n_rows)
        self._document = document
        self.path = ""
        self.conversation = None
        self.reason = reason
        self.values: dict[str, Any] = {}
        self.places: dict[str, Location] = {}
        self.dropped: Mapping[str, Sequence[Location]] = {}

    @property
    def document(self) -> JsonRecord:
        return self._document

    def get_values(self) -> dict[str, Any]:
        if self.reason:
            raise RowError(self.reason)
        return dict(self.values)

    def add_edits(
        self, edits: dict[str | int, Any], changes: Mapping[str, Any], dropped: Collection[str]
    ) -> None:
        """Tell `edit_json` what becomes of the text."""
        cut = [location for name in dropped for location in self.dropped.get(name, ())]
        for location in sorted(cut, key=len):
            _put(edits, location, CUT)
        for name, value in changes.items():
            if name == REPLACEMENTS:
                told = edits.setdefault(REPLACEMENTS, New({})).value
                for column, entries in (value if isinstance(value, dict) else {"": value}).items():
                    told[write_path(self.places[column]) if column else self.path] = entries
            elif value != self.values[name]:
                is_packed = name.startswith(BASE64)
                packed = base64.b64encode(value.encode()).decode() if is_packed else value
                _put(edits, self.places[name], New(packed))


class Paths:
    """Finds the texts of documents.

    shift (int): As `LineSource` has it.
    RAISES (FileError): If a path is none.
    """

    shift = SHIFT

    def __init__(self, names: Names) -> None:
        self.names = names
        self._library = load_extra("jsonpath", "json")
        self._environment = self._library.JSONPathEnvironment(strict=True)
        every = (*names.texts, names.author, *names.single, *names.several)
        self._compiled = {name: self._compile(name) for name in filter(None, every)}

    def _compile(self, name: str) -> Any:
        path = name.removeprefix(BASE64)
        root = "" if path.startswith("$") else "$" if path.startswith("[") else "$."
        try:
            return self._environment.compile(f"{root}{path}")
        except self._library.JSONPathError as error:
            reason = str(error).splitlines()[0]
            raise FileError(f"{name!r} is no path of JSON (RFC 9535): {reason}.") from None

    def iter_rows(self, document: JsonRecord) -> Iterator[PathRecord]:
        """The texts of a document, in order; one row where it has none or cannot be read."""
        try:
            rows = self._make_rows(document)
        except RowError as error:
            rows = [PathRecord(document, 0, reason=str(error))]
        yield from rows

    def _make_rows(self, document: JsonRecord) -> list[PathRecord]:
        root = document.load(_make_object)
        _demand_shallow(root)
        found = {name: self._find(name, root) for name in self._compiled}
        texts = self._demand_texts(root, found)
        marks = _mark(location for matches in found.values() for location, _ in matches)
        order = {location: n for n, location in enumerate(_iter_places(root, marks))}
        texts.sort(key=lambda text: order.get(text[1], 0))
        rows = [PathRecord(document, n, len(texts)) for n in range(len(texts))]
        if len(rows) >> SHIFT:
            raise RowError(f"over {1 << SHIFT:,} texts")
        owners: dict[Location, PathRecord] = {}
        dropped = {name: [each for each, _ in found[name]] for name in self.names.several}
        conversation = hashlib.blake2b(document.data, digest_size=16).hexdigest()
        for row, (name, location, value) in zip(rows, texts):
            row.conversation, row.dropped = conversation, dropped
            row.values[name] = value
            if value is not None:
                row.path, row.places[name] = write_path(location), location
            for n in range(len(location), -1, -1):
                owners.setdefault(location[:n], row)
        _share(root, marks, (), owners)
        places = [location for _, location, _ in texts]
        for name in (*self.names.single, *self.names.several, self.names.author):
            self._join(name, found.get(name, ()), rows, places, owners)
        return rows

    def _find(self, name: str, root: Any) -> list[Match]:
        return [(match.parts, match.obj) for match in self._compiled[name].finditer(root)]

    def _demand_texts(
        self, root: Any, found: Mapping[str, list[Match]]
    ) -> list[tuple[str, Location, str | None]]:
        """The texts by path and place, or one that is null where lists for them are empty."""
        texts: list[tuple[str, Location, str | None]] = []
        places: set[Location] = set()
        readers = [name for name in (*self.names.texts, self.names.author) if name]
        for name in readers:
            for location, value in found[name]:
                if location in places:
                    raise RowError(
                        f"{name!r} fits a text that another path fits, too: name it once"
                    )
                places.add(location)
                if name == self.names.author:
                    continue
                if value is not None and not isinstance(value, str):
                    raise RowError(
                        f"{name!r} fits no text, but {describe(value)}, at {hide_path(location)}"
                    )
                texts.append((name, location, _unpack(name, value, location)))
        around = {place[:n] for place in places for n in range(len(place))}
        for name in self.names.several:
            if any(location in around for location, _ in found[name]):
                raise RowError(
                    f"{name!r} tells of participants, and holds a text: name its parts (--known)"
                )
        if not texts:
            fits = [self._fit(name, root) for name in self.names.texts]
            if all(reason for _, reason in fits):
                raise RowError("; ".join(reason for _, reason in fits))
            texts.append((next(name for name, reason in fits if not reason), (), None))
        return texts

    def _fit(self, name: str, root: Any) -> tuple[str, str]:
        """Tell as far as what a path fits; nothing if it ends in empty lists or null."""
        whole = self._compiled[name]
        for n in range(len(whole.segments) - 1, -1, -1):
            path = type(whole)(env=whole.env, segments=whole.segments[:n])
            matches = [*path.finditer(root)]
            if matches:
                break
        if all(match.obj is None or match.obj == [] for match in matches):
            return name, ""
        first = matches[0]
        return name, f"{name!r} fits nothing: {hide_path(first.parts)} is {describe(first.obj)}"

    def _join(
        self,
        name: str,
        matches: Iterable[Match],
        rows: Sequence[PathRecord],
        places: Sequence[Location],
        owners: Mapping[Location, PathRecord],
    ) -> None:
        """Give each text the values of a path that lie in the same elements of lists."""
        inside = {place[:n] for place in places for n, part in enumerate(place) if _is_number(part)}
        own: dict[Location, list[Match]] = {}
        for location, value in matches:
            n = next(n for n in range(len(location), -1, -1) if location[:n] in owners)
            # Not in the text's own field, and in no element that has no text.
            if location[:n] not in inside:
                own.setdefault(location[:n], []).append((location, value))
        for row, place in zip(rows, places):
            near = [n for n in range(len(place), -1, -1) if place[:n] in own]
            if near and name in self.names.several:
                told = [value for n in near for _, value in own[place[:n]]]
                lists = (value if isinstance(value, list) else [value] for value in told)
                row.values[name] = [*chain.from_iterable(lists)]
            elif near:
                around = place[: near[0]]
                if len(own[around]) > 1:
                    raise RowError(f"{name!r} fits {len(own[around])} values of {hide_path(place)}")
                # Who wrote several texts is read with the first.
                if name != self.names.author or owners[around] is row:
                    ((row.places[name], row.values[name]),) = own[around]


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = name_fields({name for name in names if names.count(name) > 1})
        raise RowError(f"an object has two fields of one name: {twice}")
    return made


def _demand_shallow(root: Any) -> None:
    level, depth = [root], 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise RowError(f"lists and objects are in each other over {MAX_DEPTH} levels deep")
        inner = [value for each in level for _, value in _iter_items(each)]
        level = [value for value in inner if isinstance(value, (dict, list))]


def _unpack(name: str, value: str | None, location: Location) -> str | None:
    """Read the text in Base64, where it is asked for."""
    if value is None or not name.startswith(BASE64):
        return value
    try:
        return base64.b64decode("".join(value.split()), validate=True).decode("utf8")
    except ValueError:
        raise RowError(
            f"{name!r} fits no Base64 of a text in UTF-8, at {hide_path(location)}"
        ) from None


def _mark(locations: Iterator[Location]) -> dict[str | int, Any]:
    marks: dict[str | int, Any] = {}
    for location in sorted(locations, key=len, reverse=True):
        if location:
            _put(marks, location, TAKEN)
    return marks


def _put(tree: dict[str | int, Any], location: Location, value: Any) -> None:
    """Set what becomes of a value. What is cut stays so with all that is in it, and what changes is not cut."""
    for part in location[:-1]:
        tree = tree.setdefault(part, {})
        if not isinstance(tree, dict):
            return
    last = location[-1]
    if isinstance(value, New) and not isinstance(tree.get(last), dict):
        tree[last] = value
    else:
        tree.setdefault(last, value)


def _iter_places(
    value: Any, marks: Mapping[str | int, Any], at: Location = ()
) -> Iterator[Location]:
    """The places that are marked, in the order of the document."""
    for key, inner in _iter_items(value):
        mark = marks.get(key)
        if mark is TAKEN:
            yield (*at, key)
        elif mark is not None:
            yield from _iter_places(inner, mark, (*at, key))


def _share(
    value: Any,
    marks: Mapping[str | int, Any],
    at: Location,
    owners: Mapping[Location, PathRecord],
) -> None:
    """Give what stands beside the texts to the first one of the innermost element in which it stands."""
    owner = next(owners[at[:n]] for n in range(len(at), -1, -1) if at[:n] in owners)
    for key, inner in _iter_items(value):
        mark = marks.get(key)
        if mark is None:
            parts = (*at, key)
            for part in reversed(parts[1:]):
                inner = [inner] if _is_number(part) else {part: inner}
            top = str(parts[0])
            values = owner.values
            values[top] = _merge(values[top], inner) if top in values else inner
        elif mark is not TAKEN:
            _share(inner, mark, (*at, key), owners)


def _merge(one: Any, other: Any) -> Any:
    if isinstance(one, list):
        one.extend(other)
    else:
        for key, value in other.items():
            one[key] = _merge(one[key], value) if key in one else value
    return one


def _iter_items(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)


def _is_number(part: str | int) -> bool:
    return isinstance(part, int)


def write_path(location: Location) -> str:
    """Write where a value stands, as a path."""
    return f"${''.join(map(_write_part, location))}"


def _write_part(part: str | int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    return f".{part}" if FIELD.fullmatch(part) else f"[{dump_json(part)}]"


def hide_path(location: Location) -> str:
    """Write where a value stands, for errors: without keys that may be data."""
    shown = (part if _is_number(part) or FIELD.fullmatch(str(part)) else "…" for part in location)
    return write_path(tuple(shown))


def describe(value: Any) -> str:
    """Tell what a value of JSON is, and nothing of what it holds."""
    if isinstance(value, dict):
        return f"an object with {name_fields(value)}" if value else "an empty object"
    if isinstance(value, list):
        return f"a list with {describe(value[0])}" if value else "an empty list"
    kinds = {str: "a text", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")
