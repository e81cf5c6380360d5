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

from ..extensions import set_extensions
from ..failures import MASK, SetupError, mark_failed, mask_whole
from ..labels import GAZETTEER_KEY, KNOWN_KEY, LABELS, PHI_KEY, RULES_KEY, SINGLE_CLASS
from ..surrogates import Mention, Scope, make_classes
from ..surrogates.linking import Linker
from ..surrogates.mentions import class_of, in_own_order, make_mention, write_replacements
from ..swedish.folding import fold_text
from .known_matcher import read_known

Strategy = str | Mapping[str, str]
Rows = Sequence[Mapping[str, str]]

KEY_VARIABLE = "SV_DEID_KEY"
STRATEGIES = ("surrogate", "numbered", "label", "mask", "remove")
# Who writes what must have been looked for.
READERS = {
    KNOWN_KEY: "known_matcher",
    RULES_KEY: "entity_ruler",
    GAZETTEER_KEY: "gazetteer_matcher",
    PHI_KEY: "phi_ner",
}
COLUMNS = {
    "first_names": ("name", "gender", "origin", "ambiguous", "common", "era"),
    "surnames": ("name", "origin", "gender", "ambiguous", "common"),
    "nicknames": ("nick", "name", "ambiguous", "common"),
    "double_names": ("name", "gender", "origin", "era"),
    "titles": ("word", "kind", "gender"),
    "places": ("name", "kind", "within", "prep", "ambiguous"),
    "streets": ("name", "ambiguous"),
    "street_parts": ("part", "position"),
    "organisations": ("name", "kind", "abbreviation"),
    "units": ("word",),
}


@Language.factory(
    "surrogate_generator",
    requires=["doc.ents"],
    assigns=["doc._.deidentified", "doc._.replacements"],
    default_config={
        "strategy": "surrogate",
        "required": [RULES_KEY, GAZETTEER_KEY, PHI_KEY],
    },
)
def make_surrogate_generator(
    nlp: Language, name: str, strategy: str | dict[str, str], required: list[str]
) -> "SurrogateGenerator":
    """Create a surrogate generator.

    nlp (Language): The pipeline.
    name (str): The name of the pipe.
    strategy (str | dict[str, str]): What to write in the place of an entity, for all
        labels or by label.
    required (list[str]): Span groups that a doc must have.
    RETURNS (SurrogateGenerator): The pipe.
    """
    return SurrogateGenerator(name, strategy=strategy, required=required)


class SurrogateGenerator(Pipe):
    """Writes the text of a doc with all entities replaced to `doc._.deidentified`, and what was
    replaced to `doc._.replacements`: a list, in order, of dicts with `start`, `end` (characters
    of the text), `label`, `replacement`, `out_start`, `out_end` (characters of the new text), and
    `kept: True` where a surrogate is meant to be its original: `vårdcentralen`, a county.
    It never changes `doc.ents`.

    A surrogate depends on the key, on the scope and on the entity, by HMAC-SHA256, and on nothing
    that happened before. The scope is the conversation, if `doc._.conversation_id` is set: then
    all its messages agree, on any machine, in any order. Else it is the message: the same text
    gets the same surrogates under the same key. `surrogates.keyed.Scope` tells what is guaranteed
    of the choices. `replace_conversation` takes a whole conversation, and guarantees more.

    The key is read from the environment variable SV_DEID_KEY when the pipe is made; without it
    a random one is drawn for this pipe. It is part of no config, file, byte string or pickle: a
    pickled pipe reads it again. Set the variable wherever processes are spawned, not forked.

    Strategies:

    - surrogate: something else of the same kind.
    - numbered: `[PERSON_1]`, the same number for the same entity, numbered as they come. In a
      message of a conversation whose other messages are not at hand the number is made by the
      key, of four digits (`[PERSON_4711]`), so that messages agree in any order.
    - label: `[PERSON]`.
    - mask: `***`.
    - remove: nothing.

    A doc that a pipe failed on (`doc._.failed`) is masked whole. One that a pipe has not read which
    is to find PHI is refused, lest it looks as if there were none: `required` names the span groups
    that a doc must have, and may be set on the loaded pipe where it is meant that one is missing.

    name (str): The name of the pipe.
    strategy (Strategy): One of these for all labels, or a dict from label to one of these;
        labels that it lacks get surrogates.
    required (Iterable[str]): Span groups that a doc must have.
    """

    takes_failed = True

    def __init__(
        self,
        name: str = "surrogate_generator",
        *,
        strategy: Strategy = "surrogate",
        required: Iterable[str] = (),
    ) -> None:
        set_extensions()
        self.name = name
        self.strategy = strategy
        self.required = list(required)
        self._configured_required = list(required)
        self._configured = self._plain_strategy()
        self._key = read_key()
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
        self._classes = make_classes(self._lists)
        self._linker = Linker(self._classes)

    # Work

    def __call__(self, doc: Doc) -> Doc:
        """Write `doc._.deidentified` and `doc._.replacements`.

        doc (Doc): A doc with entities.
        RETURNS (Doc): The same doc.
        """
        conversation = doc._.conversation_id
        self._replace_safely([doc], conversation, whole=conversation is None)
        return doc

    def replace_conversation(self, docs: Sequence[Doc]) -> None:
        """Write `doc._.deidentified` and `doc._.replacements` of all messages of a conversation.

        As all of them are at hand, their mentions are linked (`components.surrogates.linking`): a person, a
        date, a place is one wherever it is mentioned, no two have one surrogate, and none has an
        original of the conversation as its surrogate. The order of the messages makes no
        difference but for the numbers of the strategy `numbered`, which are given as they come.

        docs (Sequence[Doc]): The messages, with entities.
        """
        ids = {doc._.conversation_id for doc in docs}
        if len(ids) > 1:
            raise ValueError(
                "The messages are of several conversations: their _.conversation_id differs. "
                "Replace one conversation at a time."
            )
        if docs:
            self._replace_safely(docs, ids.pop(), whole=True)

    def _replace_safely(self, docs: Sequence[Doc], conversation: Any, whole: bool) -> None:
        """Mask what has failed, and what the replacing itself fails on."""
        self._check(docs)
        sound = [doc for doc in docs if doc._.failed is None]
        try:
            self._replace(sound, conversation, whole)
        except SetupError:
            raise
        except Exception as error:  # noqa: BLE001
            for doc in sound:
                mark_failed(doc, self.name, error)
        for doc in docs:
            if doc._.failed is not None:
                mask_whole(doc)

    def _check(self, docs: Iterable[Doc]) -> None:
        for doc in docs:
            if doc._.failed is not None or not doc.text:
                continue
            needed = [*self.required, *([KNOWN_KEY] if read_known(doc._.known) else [])]
            missing = [key for key in needed if key not in doc.spans]
            if missing:
                pipes = ", ".join(READERS.get(key, key) for key in missing)
                groups = ", ".join(f"doc.spans[{key!r}]" for key in missing)
                raise SetupError(
                    f"'{self.name}' got a doc that has not been read by {pipes} ({groups} is not "
                    "there): what that finds would stay in the text. Add the pipe; or, if it is "
                    f"meant, say so: nlp.get_pipe({self.name!r}).required = "
                    f"{[key for key in self.required if key not in missing]}"
                )
            if self.required and not doc.has_annotation("ENT_IOB"):
                raise SetupError(
                    f"'{self.name}' got a doc without entities: the span_merger, which makes them of "
                    "what was found, has not run. Add it in front; or, if it is meant, say so: "
                    f"nlp.get_pipe({self.name!r}).required = []"
                )

    def _replace(self, docs: Sequence[Doc], conversation: Any, whole: bool) -> None:
        entities = [
            [ent for ent in doc.ents if ent.label_ in LABELS or ent.label_ == SINGLE_CLASS]
            for doc in docs
        ]
        texts = [doc.text for doc in docs]
        # The messages of a conversation mostly share one list.
        sources = {id(doc._.known): doc._.known for doc in docs}
        known = dict.fromkeys(
            (label, fold_text(value).text)
            for source in sources.values()
            for label, value in read_known(source)
        )
        new = self._choose(texts, entities, conversation, whole, known)
        for doc, text, own, surrogates in zip(docs, texts, entities, new):
            write_replacements(doc, text, own, surrogates)

    def _choose(
        self,
        texts: Sequence[str],
        entities: Sequence[list[Span]],
        conversation: Any,
        whole: bool,
        known: Iterable[tuple[str, str]],
    ) -> list[list[str]]:
        """Choose what to write for each entity of each message."""
        new = [[""] * len(own) for own in entities]
        places: dict[str, list[tuple[int, int]]] = {}
        needed = set()
        order = in_own_order(texts, entities)
        for i in order:
            for j, entity in enumerate(entities[i]):
                strategy = self._strategy_of(entity.label_)
                if strategy == "label":
                    new[i][j] = f"[{entity.label_}]"
                elif strategy == "mask":
                    new[i][j] = MASK
                elif strategy != "remove":
                    needed.add(strategy)
                places.setdefault(class_of(entity), []).append((i, j))
        if not needed:
            return new
        number = {i: n for n, i in enumerate(order)}
        mentions = {
            label: [make_mention(entities[i][j], texts[i], number[i]) for i, j in where]
            for label, where in places.items()
        }
        scope = self._get_scope(texts, mentions, conversation, whole, known)
        # In an order in which each class finds what it builds upon.
        for label, replacer in self._classes.items():
            if label not in places:
                continue
            where, own = places[label], mentions[label]
            strategies = [self._strategy_of(entities[i][j].label_) for i, j in where]
            if "surrogate" in strategies:
                surrogates = replacer.surrogates(own, scope)
                for (i, j), strategy, surrogate in zip(where, strategies, surrogates):
                    if strategy == "surrogate":
                        new[i][j] = surrogate
            if "numbered" in strategies:
                numbers = self._number(label, where, own, scope)
                for (i, j), strategy, n in zip(where, strategies, numbers):
                    if strategy == "numbered":
                        new[i][j] = f"[{entities[i][j].label_}_{n}]"
        return new

    def _number(
        self, label: str, where: Sequence[tuple[int, int]], own: Sequence[Mention], scope: Scope
    ) -> list[int]:
        """Number the mentions of a class: as they come, or by key if other messages of the
        conversation are not at hand."""
        if not scope.whole:
            identities = self._classes[label].identities(own, True)
            return [1000 + scope.number(9000, "number", label, name) for name in identities]
        clusters = self._linker.link(label, own)
        numbers: dict[int, int] = {}
        for _, cluster in sorted(zip(where, clusters)):
            numbers.setdefault(cluster, len(numbers) + 1)
        return [numbers[cluster] for cluster in clusters]

    def _get_scope(
        self,
        texts: Sequence[str],
        mentions: Mapping[str, Sequence[Mention]],
        conversation: Any,
        whole: bool,
        known: Iterable[tuple[str, str]],
    ) -> Scope:
        originals = [mention.text for own in mentions.values() for mention in own]
        if conversation is None:
            content = "\0".join(sorted(texts)).encode("utf8", "surrogatepass")
            name = sha256(content).hexdigest()
            return Scope(self._key, name, False, originals, mentions, known=known)
        return Scope(self._key, str(conversation), True, originals, mentions, whole, known)

    # Serialisation. The key is in none of it.

    def _get_cfg(self) -> dict[str, Any]:
        # What was set on the loaded pipe is kept; what is from the config stays there, so that
        # overriding the config has its effect.
        strategy = self._plain_strategy()
        cfg: dict[str, Any] = {} if strategy == self._configured else {"strategy": strategy}
        if self.required != self._configured_required:
            cfg["required"] = self.required
        return cfg

    def _set_cfg(self, cfg: Mapping[str, Any]) -> None:
        if "strategy" in cfg:
            self.strategy = cfg["strategy"]
        self.required = list(cfg.get("required", self.required))

    def _get_columns(self) -> dict[str, dict[str, list[str]]]:
        return {
            name: {column: [row[column] for row in rows] for column in COLUMNS[name]}
            for name, rows in self._lists.items()
        }

    def _set_columns(self, columns: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
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
            {
                "cfg": lambda: srsly.json_dumps(self._get_cfg()),
                "lists": lambda: srsly.msgpack_dumps(self._get_columns()),
            },
            exclude,
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
            {
                "cfg": lambda b: self._set_cfg(srsly.json_loads(b)),
                "lists": lambda b: self._set_columns(srsly.msgpack_loads(b)),
            },
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
                "lists": lambda p: srsly.write_msgpack(p, self._get_columns()),
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
                "lists": lambda p: self._set_columns(srsly.read_msgpack(p)),
            },
            exclude,
        )
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # The reduction of the base class would take the key along.
        configured = (self._configured, self._configured_required)
        return _unpickle, (self.name, *configured, self.to_bytes())


def _unpickle(
    name: str, strategy: str | dict[str, str], required: list[str], data: bytes
) -> SurrogateGenerator:
    return SurrogateGenerator(name, strategy=strategy, required=required).from_bytes(data)


def _check_strategy(strategy: Any) -> None:
    if strategy not in STRATEGIES:
        raise ValueError(f"Unknown strategy {strategy!r}. Strategies: {', '.join(STRATEGIES)}.")


def read_key() -> bytes:
    """The key from the environment, or a random one."""
    key = os.environ.get(KEY_VARIABLE)
    if key is None:
        return secrets.token_bytes(32)
    data = key.encode("utf8", "surrogateescape")
    if len(data) < 16:
        raise ValueError(
            f"{KEY_VARIABLE} must have at least 16 bytes, lest somebody guesses it. Make one with "
            '`python -c "import secrets; print(secrets.token_hex(32))"`, or unset it: then every '
            "loaded pipeline draws a key of its own."
        )
    return data
