"""The pipe that writes the de-identified text."""

import os
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

import srsly
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import SimpleFrozenList, from_bytes, from_disk, to_bytes, to_disk

from .extensions import set_extensions
from .labels import LABELS
from .surrogates import (
    AgeSurrogates,
    DateSurrogates,
    EmailSurrogates,
    LocationSurrogates,
    Mention,
    OrganisationSurrogates,
    PersonSurrogates,
    PhoneSurrogates,
    PidSurrogates,
    Scope,
)

Strategy = str | Mapping[str, str]
Rows = Sequence[Mapping[str, str]]

KEY_VARIABLE = "SV_DEID_KEY"
STRATEGIES = ("surrogate", "numbered", "label", "mask", "remove")
MASK = "***"
# A model trained with one class does not tell which of the eight it found.
SINGLE_CLASS = "PHI"
COLUMNS = {
    "first_names": ("name", "gender", "origin", "ambiguous"),
    "surnames": ("name", "origin", "gender", "ambiguous"),
    "nicknames": ("nick", "name"),
    "titles": ("word", "kind", "gender"),
    "places": ("name", "kind", "within", "prep"),
    "streets": ("name",),
    "street_parts": ("part", "position"),
    "organisations": ("name", "kind", "abbreviation"),
    "units": ("word",),
}
BEFORE = 12  # how much of the text in front of an entity is read


@Language.factory(
    "surrogate_generator",
    requires=["doc.ents"],
    assigns=["doc._.deidentified", "doc._.replacements"],
    default_config={"strategy": "surrogate"},
)
def make_surrogate_generator(
    nlp: Language, name: str, strategy: str | dict[str, str]
) -> "SurrogateGenerator":
    """Create a surrogate generator.

    nlp (Language): The pipeline.
    name (str): The name of the pipe.
    strategy (str | dict[str, str]): What to write in the place of an entity, for all
        labels or by label.
    RETURNS (SurrogateGenerator): The pipe.
    """
    return SurrogateGenerator(name, strategy=strategy)


class SurrogateGenerator(Pipe):
    """Writes the text of a doc with all entities replaced to `doc._.deidentified`, and what was
    replaced to `doc._.replacements`: a list, in order, of dicts with `start`, `end` (characters
    of the text), `label`, `replacement`, `out_start`, `out_end` (characters of the new text).
    It never changes `doc.ents`.

    A surrogate depends on the key, on the scope and on the entity, by HMAC-SHA256, and on nothing
    that happened before. The scope is the conversation, if `doc._.conversation_id` is set: then
    all its messages agree, on any machine, in any order. Else it is the message: the same text
    gets the same surrogates under the same key. `surrogates.keyed.Scope` tells what is guaranteed
    of the choices.

    The key is read from the environment variable SV_DEID_KEY when the pipe is made; without it
    a random one is drawn for this pipe. It is part of no config, file, byte string or pickle: a
    pickled pipe reads it again. Set the variable wherever processes are spawned, not forked.

    Strategies:

    - surrogate: something else of the same kind.
    - numbered: `[PERSON_1]`, the same number for the same entity. In a message that belongs to
      no conversation entities are numbered as they come. In a conversation the number is made by
      the key, of four digits (`[PERSON_4711]`), so that messages agree in any order.
    - label: `[PERSON]`.
    - mask: `***`.
    - remove: nothing.

    name (str): The name of the pipe.
    strategy (Strategy): One of these for all labels, or a dict from label to one of these;
        labels that it lacks get surrogates.
    """

    def __init__(
        self, name: str = "surrogate_generator", *, strategy: Strategy = "surrogate"
    ) -> None:
        set_extensions()
        self.name = name
        self.strategy = strategy
        self._configured = self._plain_strategy()
        self._key = _read_key()
        self._set_lists({})

    @property
    def strategy(self) -> Strategy:
        """What to write in the place of an entity: a strategy, or one for each label."""
        return self._strategy

    @strategy.setter
    def strategy(self, strategy: Strategy) -> None:
        if isinstance(strategy, str):
            _check_strategy(strategy)
            self._strategy: Strategy = strategy
            return
        if not isinstance(strategy, Mapping):
            raise TypeError(
                f"strategy must be a string or a dict from label to string, got "
                f"{type(strategy).__name__}. Strategies: {', '.join(STRATEGIES)}."
            )
        unknown = set(strategy) - {*LABELS, SINGLE_CLASS}
        if unknown:
            raise ValueError(
                f"strategy names unknown labels: {', '.join(map(str, sorted(unknown, key=str)))}. "
                f"Labels: {', '.join(LABELS)}."
            )
        for value in strategy.values():
            _check_strategy(value)
        # Read-only: a change of one label goes through this setter, too.
        self._strategy = MappingProxyType(dict(strategy))

    def _plain_strategy(self) -> str | dict[str, str]:
        return self._strategy if isinstance(self._strategy, str) else dict(self._strategy)

    def _strategy_of(self, label: str) -> str:
        if isinstance(self._strategy, str):
            return self._strategy
        return self._strategy.get(label, "surrogate")

    # Lists

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        lists: Mapping[str, Rows] | None = None,
    ) -> None:
        """Give the pipe the lists that it draws surrogates from. They travel with it from then on.

        get_examples (Callable[[], Iterable[Example]]): Not used.
        nlp (Language | None): Not used.
        lists (Mapping[str, Rows] | None): The rows of each list, by name (`read_lists`).
        """
        if lists is not None:
            self._set_lists(lists)

    def _set_lists(self, lists: Mapping[str, Rows]) -> None:
        for name, columns in COLUMNS.items():
            if any(columns[0] not in row for row in lists.get(name, ())):
                raise ValueError(f"The list {name} needs a column {columns[0]!r}.")
        self._lists: dict[str, list[dict[str, str]]] = {
            name: [{column: row.get(column, "") for column in columns} for row in lists[name]]
            for name, columns in COLUMNS.items()
            if name in lists
        }
        person = PersonSurrogates(self._lists)
        location = LocationSurrogates(self._lists)
        self._email = EmailSurrogates(person)
        # In this order: places follow from LOCATION, the names in addresses from PERSON.
        self._classes = {
            "PERSON": person,
            "LOCATION": location,
            "ORGANISATION": OrganisationSurrogates(self._lists, location),
            "PID": PidSurrogates(),
            "PHONE": PhoneSurrogates(),
            "EMAIL": self._email,
            "DATE": DateSurrogates(),
            "AGE": AgeSurrogates(),
        }

    # Work

    def __call__(self, doc: Doc) -> Doc:
        """Write `doc._.deidentified` and `doc._.replacements`.

        doc (Doc): A doc with entities.
        RETURNS (Doc): The same doc.
        """
        entities = [ent for ent in doc.ents if ent.label_ in LABELS or ent.label_ == SINGLE_CLASS]
        text = doc.text
        replacements: list[dict[str, Any]] = []
        out: list[str] = []
        position = length = 0
        for entity, new in zip(entities, self._replace(doc, entities)):
            start, end = entity.start_char, entity.end_char
            out.append(text[position:start])
            length += start - position
            replacements.append(
                {
                    "start": start,
                    "end": end,
                    "label": entity.label_,
                    "replacement": new,
                    "out_start": length,
                    "out_end": length + len(new),
                }
            )
            out.append(new)
            length += len(new)
            position = end
        doc._.deidentified = "".join(out) + text[position:]
        doc._.replacements = replacements
        return doc

    def _replace(self, doc: Doc, entities: Sequence[Span]) -> list[str]:
        new = [""] * len(entities)
        by_label: dict[str, list[int]] = {}
        for i, entity in enumerate(entities):
            strategy = self._strategy_of(entity.label_)
            if strategy == "label":
                new[i] = f"[{entity.label_}]"
            elif strategy == "mask":
                new[i] = MASK
            by_label.setdefault(_class_of(entity), []).append(i)
        if all(self._strategy_of(e.label_) not in ("surrogate", "numbered") for e in entities):
            return new
        text = doc.text
        mentions = [
            Mention(e.text, text[max(0, e.start_char - BEFORE) : e.start_char]) for e in entities
        ]
        scope = self._get_scope(doc, mentions)
        people = [mentions[i] for i in by_label.get("PERSON", ())]
        for label, replacer in self._classes.items():
            indices = by_label.get(label, ())
            if not indices:
                continue
            own = [mentions[i] for i in indices]
            strategies = [self._strategy_of(entities[i].label_) for i in indices]
            if "surrogate" in strategies:
                if label == "EMAIL":
                    surrogates = self._email.surrogates(own, scope, people)
                else:
                    surrogates = replacer.surrogates(own, scope)
                for i, strategy, surrogate in zip(indices, strategies, surrogates):
                    new[i] = surrogate if strategy == "surrogate" else new[i]
            if "numbered" in strategies:
                identities = replacer.identities(own, scope.conversation)
                numbers = self._number(label, identities, scope)
                for i, strategy, number in zip(indices, strategies, numbers):
                    if strategy == "numbered":
                        new[i] = f"[{entities[i].label_}_{number}]"
        return new

    @staticmethod
    def _number(label: str, identities: Sequence[str], scope: Scope) -> list[int]:
        if scope.conversation:
            return [1000 + scope.number(9000, "number", label, name) for name in identities]
        numbers = {name: i for i, name in enumerate(dict.fromkeys(identities), start=1)}
        return [numbers[name] for name in identities]

    def _get_scope(self, doc: Doc, mentions: Sequence[Mention]) -> Scope:
        originals = [mention.text for mention in mentions]
        conversation = doc._.conversation_id
        if conversation is None:
            digest = sha256(doc.text.encode("utf8", "surrogatepass")).hexdigest()
            return Scope(self._key, digest, originals=originals)
        return Scope(self._key, str(conversation), conversation=True, originals=originals)

    # Serialisation. The key is in none of it.

    def _get_cfg(self) -> dict[str, Any]:
        # A strategy that was set on the loaded pipe is kept; one from the config stays there,
        # so that overriding the config has its effect.
        strategy = self._plain_strategy()
        return {} if strategy == self._configured else {"strategy": strategy}

    def _set_cfg(self, cfg: Mapping[str, Any]) -> None:
        if "strategy" in cfg:
            self.strategy = cfg["strategy"]

    def _pack_lists(self) -> bytes:
        columns = {
            name: {column: [row[column] for row in rows] for column in COLUMNS[name]}
            for name, rows in self._lists.items()
        }
        return srsly.msgpack_dumps(columns)

    def _unpack_lists(self, data: bytes) -> None:
        columns = srsly.msgpack_loads(data)
        self._set_lists(
            {
                name: [dict(zip(cells, row)) for row in zip(*cells.values())]
                for name, cells in columns.items()
            }
        )

    def to_bytes(self, *, exclude: Iterable[str] = SimpleFrozenList()) -> bytes:
        """Serialise the lists and a strategy that was changed.

        exclude (Iterable[str]): What to leave out: "cfg", "lists".
        RETURNS (bytes): The pipe.
        """
        return to_bytes(
            {"cfg": lambda: srsly.json_dumps(self._get_cfg()), "lists": self._pack_lists}, exclude
        )

    def from_bytes(
        self, bytes_data: bytes, *, exclude: Iterable[str] = SimpleFrozenList()
    ) -> "SurrogateGenerator":
        """Load the pipe.

        bytes_data (bytes): What `to_bytes` made.
        exclude (Iterable[str]): What to leave out: "cfg", "lists".
        RETURNS (SurrogateGenerator): This pipe.
        """
        from_bytes(
            bytes_data,
            {"cfg": lambda b: self._set_cfg(srsly.json_loads(b)), "lists": self._unpack_lists},
            exclude,
        )
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = SimpleFrozenList()) -> None:
        """Save the lists and a strategy that was changed.

        path (str | Path): The folder.
        exclude (Iterable[str]): What to leave out: "cfg", "lists".
        """
        to_disk(
            path,
            {
                "cfg": lambda p: srsly.write_json(p, self._get_cfg()),
                "lists": lambda p: p.write_bytes(self._pack_lists()),
            },
            exclude,
        )

    def from_disk(
        self, path: str | Path, *, exclude: Iterable[str] = SimpleFrozenList()
    ) -> "SurrogateGenerator":
        """Load the pipe.

        path (str | Path): The folder.
        exclude (Iterable[str]): What to leave out: "cfg", "lists".
        RETURNS (SurrogateGenerator): This pipe.
        """
        from_disk(
            path,
            {
                "cfg": lambda p: self._set_cfg(srsly.read_json(p)),
                "lists": lambda p: self._unpack_lists(p.read_bytes()),
            },
            exclude,
        )
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # The reduction of the base class would take the key along.
        return _unpickle, (self.name, self._configured, self.to_bytes())


def _unpickle(name: str, strategy: str | dict[str, str], data: bytes) -> SurrogateGenerator:
    return SurrogateGenerator(name, strategy=strategy).from_bytes(data)


def _check_strategy(strategy: Any) -> None:
    if strategy not in STRATEGIES:
        raise ValueError(f"Unknown strategy {strategy!r}. Strategies: {', '.join(STRATEGIES)}.")


def _read_key() -> bytes:
    """The key from the environment, or a random one."""
    key = os.environ.get(KEY_VARIABLE)
    if key is None:
        return secrets.token_bytes(32)
    if not key:
        raise ValueError(
            f"{KEY_VARIABLE} is set, but empty. Give it a long random value, or unset it: then "
            "every loaded pipeline draws a key of its own."
        )
    return key.encode("utf8", "surrogateescape")


def _class_of(entity: Span) -> str:
    """The class of an entity; of one found by a single-class model what it looks like."""
    if entity.label_ in LABELS:
        return entity.label_
    text = entity.text
    digits = sum(c.isdigit() for c in text)
    if "@" in text:
        return "EMAIL"
    if digits in (10, 12) and not text.startswith(("0", "+", "(")):
        return "PID"
    if digits >= 7 and text.lstrip("(").startswith(("0", "+")):
        return "PHONE"
    if digits and any(unit in text.lower() for unit in ("år", "mån", "veckor")):
        return "AGE"
    return "DATE" if digits else "PERSON"
