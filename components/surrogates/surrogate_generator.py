"""The pipe that writes the de-identified text."""

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from ..known.known_matcher import read_known
from ..shared.failures import SetupError, is_masked, mark_failed, mask_whole
from ..shared.labels import (
    BUILT_IN,
    CUSTOM_KEY,
    GAZETTEER_KEY,
    KNOWN_KEY,
    PHI_KEY,
    RULES_KEY,
    SINGLE_CLASS,
)
from ..shared.saved_pipe import Part, SavedPipe
from ..shared.words import read_words
from ..text.extensions import set_extensions
from ..text.folding import fold_text
from ..text.message import get_length, open_doc, write_original
from . import Mention, make_classes
from .core.chooser import Chooser
from .core.key import KEY_VARIABLE, read_key
from .core.lazy_classes import Lists
from .core.mentions import as_people, get_text_spans, join_repeated, write_replacements
from .optional.custom_classes import get_own_strategy, make_own
from .settings import (
    DEFAULTS,
    OTHERS,
    STRATEGIES,
    Choice,
    Strategy,
    check_strategy,
)

__all__ = ["KEY_VARIABLE", "STRATEGIES", "SurrogateGenerator", "read_key"]

Rows = Sequence[Mapping[str, str]]

COLUMNS = read_words(__file__, "columns.txt")


@Language.factory(
    "surrogate_generator",
    requires=["doc.ents"],
    assigns=["doc._.deidentified", "doc._.replacements"],
    default_config={
        "strategy": "surrogate",
        "required": [RULES_KEY, GAZETTEER_KEY, PHI_KEY],
        "known_key": KNOWN_KEY,
        "custom_key": CUSTOM_KEY,
        **DEFAULTS,
    },
)
def make_surrogate_generator(
    nlp: Language,
    name: str,
    strategy: str | dict[str, str],
    required: list[str],
    known_key: str,
    custom_key: str,
    surrogate_numbers: str,
    dates: str,
    ages: str,
) -> "SurrogateGenerator":
    """Create a surrogate generator. The settings are the arguments of `SurrogateGenerator`."""
    return SurrogateGenerator(
        name,
        strategy=strategy,
        required=required,
        known_key=known_key,
        custom_key=custom_key,
        surrogate_numbers=surrogate_numbers,
        dates=dates,
        ages=ages,
    )


class SurrogateGenerator(SavedPipe):
    """Writes the text of a doc with all entities replaced to `doc._.deidentified`, and what was
    replaced to `doc._.replacements`: a list, in order, of dicts with `start`, `end` (characters
    of the text), `label`, `replacement`, `out_start`, `out_end` (characters of the new text), and
    `kept: True` where what stands there is meant to be its original: `vårdcentralen`, a county,
    all that the strategy keeps.
    It never changes `doc.ents`.

    A surrogate depends on the key, on the scope and on the entity, by HMAC-SHA256, and on nothing
    that happened before. The scope is the conversation, if `doc._.conversation_id` is set: then
    all its messages agree, on any machine, in any order. Else it is the message: the same text
    gets the same surrogates under the same key. `surrogates.core.scope.Scope` tells what is guaranteed
    of the choices. `replace_conversation` takes a whole conversation, and guarantees more.

    The key is read from the environment variable SV_DEID_KEY when the pipe is made; without it
    a random one is drawn for this pipe. It is part of no config, file, byte string or pickle: a
    pickled pipe reads it again. Set the variable wherever processes are spawned, not forked.

    Strategies:

    - surrogate: something else of the same kind.
    - numbered: `[PERSON_1]`, the same number for the same entity, numbered as they come, but for
      numbers that an author typed in brackets; a name in several parts is one placeholder. In a
      message of a conversation whose other messages are not at hand the number is made by the
      key, of four digits (`[PERSON_4711]`), so that messages agree in any order.
    - label: `[PERSON]`.
    - mask: `***`.
    - remove: nothing.
    - keep: the entity itself, as `kept`. It is no surrogate of anything else.

    `dates`, `ages` and `surrogate_numbers` tell how one class is replaced
    (`surrogates.settings.OPTIONS`). They may be set on the loaded pipe, too.

    A doc that a pipe failed on (`doc._.failed`), or that is withheld (`doc._.withheld`), is masked
    whole. A doc is refused if a pipe that finds PHI has not read it, as it would look as if there were
    none: `required` names the span groups that a doc must have. It may be changed on the loaded pipe.

    Loading reads the lists. The pools that surrogates are drawn from are made of them when the
    first entity of a class is replaced (`surrogates.core.lazy_classes`, which tells what that means for threads).

    name (str): The name of the pipe.
    strategy (Strategy): One of these for all labels, or a dict from label to one of these;
        labels that it lacks get what it has for "*", else surrogates.
    required (Iterable[str]): Span groups that a doc must have.
    known_key (str): The span group that a doc with known values (`doc._.known`) must have, too.
    custom_key (str): The span group that names classes of a user's own.
    surrogate_numbers (str), dates (str), ages (str): Values of `surrogates.settings.OPTIONS`.
    """

    takes_failed = True
    surrogate_numbers = Choice()
    dates = Choice()
    ages = Choice()

    def __init__(
        self,
        name: str = "surrogate_generator",
        *,
        strategy: Strategy = "surrogate",
        required: Iterable[str] = (),
        known_key: str = KNOWN_KEY,
        custom_key: str = CUSTOM_KEY,
        surrogate_numbers: str = DEFAULTS["surrogate_numbers"],
        dates: str = DEFAULTS["dates"],
        ages: str = DEFAULTS["ages"],
    ) -> None:
        set_extensions()
        self.name = name
        self.strategy = strategy
        self.required = list(required)
        self._key = read_key()
        self._lists = Lists({})
        self.known_key = known_key
        self.custom_key = custom_key
        self.options = dict(DEFAULTS)
        self.surrogate_numbers, self.dates, self.ages = surrogate_numbers, dates, ages
        self._configured = self._get_settings()

    @property
    def strategy(self) -> Strategy:
        """What to write in the place of an entity: a strategy, or one for each label."""
        return self._strategy

    @strategy.setter
    def strategy(self, strategy: Strategy) -> None:
        self._strategy = check_strategy(strategy)

    def get_strategy(self, label: str) -> str:
        """Tell what is written in the place of entities of a label.

        label (str): The label.
        RETURNS (str): A strategy.
        """
        if isinstance(self._strategy, str):
            return self._strategy
        return self._strategy.get(label, self._strategy.get(OTHERS, "surrogate"))

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
            self._set_lists(
                {name: get_columns(name, lists[name]) for name in COLUMNS if name in lists}
            )
            # All classes are made now, so that lists that cannot be used are found.
            [*self._classes.values()]

    def _set_lists(self, columns: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        self._lists = Lists(columns)
        self.make_classes()

    def make_classes(self) -> None:
        """Make the surrogates again after a setting was changed."""
        self._classes = make_classes(self._lists, self.options)
        self._chooser = Chooser(self._classes, self.get_strategy)

    # Work

    def __call__(self, doc: Doc) -> Doc:
        """Write `doc._.deidentified` and `doc._.replacements`.

        doc (Doc): A doc with entities.
        RETURNS (Doc): The same doc.
        """
        conversation = _get_conversation(doc)
        self._replace_safely([doc], conversation, whole=conversation is None)
        return doc

    def identify(self, label: str, mentions: Sequence[Mention]) -> list[str]:
        """Tell which mentions of a class are of one person, place, date or number.

        label (str): The class.
        mentions (Sequence[Mention]): The mentions of a message or a whole conversation.
        RETURNS (list[str]): A name for each mention, the same for the same; its text, if the generator
            does not know the class.
        """
        if label in self._classes:
            return self._classes[label].identities(mentions)
        return [mention.text for mention in mentions]

    def replace_conversation(self, docs: Sequence[Doc]) -> None:
        """Write `doc._.deidentified` and `doc._.replacements` of all messages of a conversation.

        As all of them are at hand, their mentions are linked: a person, a
        date, a place is one wherever it is mentioned, no two have one surrogate, and none has an
        original of the conversation as its surrogate. The order of the messages makes no
        difference but for the numbers of the strategy `numbered`, which are given as they come.

        docs (Sequence[Doc]): The messages, with entities.
        """
        ids = {_get_conversation(doc) for doc in docs}
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
        sound = [doc for doc in docs if not is_masked(doc)]
        try:
            opened = [open_doc(doc) for doc in sound]
            self._replace(opened, conversation, whole)
            for own, doc in zip(opened, sound):
                write_original(own, doc)
        except SetupError:
            raise
        except Exception as error:  # noqa: BLE001
            for doc in sound:
                mark_failed(doc, self.name, error)
        for doc in docs:
            if is_masked(doc):
                mask_whole(doc)

    def _check(self, docs: Iterable[Doc]) -> None:
        for doc in docs:
            if is_masked(doc) or not get_length(doc):
                continue
            needed = [*self.required, *([self.known_key] if read_known(doc._.known) else [])]
            missing = [key for key in needed if key not in doc.spans]
            if missing:
                groups = ", ".join(f"doc.spans[{key!r}]" for key in missing)
                raise SetupError(
                    f"'{self.name}' got a doc without {groups}: the pipe that writes it has not run, and "
                    "what it finds would stay in the text. Add the pipe; or, if it is meant, say so: "
                    f"nlp.get_pipe({self.name!r}).required = "
                    f"{[key for key in self.required if key not in missing]}"
                )
            if self.required and not doc.has_annotation("ENT_IOB"):
                raise SetupError(
                    f"'{self.name}' got a doc without entities: the pipe that makes them of what was "
                    "found (doc.ents) has not run. Add it in front; or, if it is meant, say so: "
                    f"nlp.get_pipe({self.name!r}).required = []"
                )

    def _replace(self, docs: Sequence[Doc], conversation: Any, whole: bool) -> None:
        own = get_own_classes(docs, self.custom_key)
        replaced = {*BUILT_IN, SINGLE_CLASS, *own}
        texts = [doc.text for doc in docs]
        entities = [
            get_text_spans(text, [ent for ent in doc.ents if ent.label_ in replaced])
            for doc, text in zip(docs, texts)
        ]
        entities = as_people(texts, entities, self._is_listed)
        # The messages of a conversation mostly share one list.
        sources = {id(doc._.known): doc._.known for doc in docs}
        known = dict.fromkeys(
            (label, fold_text(value).text)
            for source in sources.values()
            for label, value in read_known(source)
        )
        chooser = self._get_chooser(own) if own else self._chooser
        new = chooser.choose(self._key, texts, entities, conversation, whole, known)
        for doc, text, ents, surrogates in zip(docs, texts, entities, new):
            if self.get_strategy("PERSON") == "numbered":
                ents, surrogates = join_repeated(text, ents, surrogates)
            write_replacements(doc, text, ents, surrogates)

    def get_days(self, docs: Sequence[Doc], conversation: Any = None) -> int:
        """Tell by how many days the dates of a conversation move, or those of messages of none.

        docs (Sequence[Doc]): All its messages, after they were replaced.
        conversation (Any): Its id.
        RETURNS (int): The days; 0 if dates become no other dates.
        """
        if self.get_strategy("DATE") != "surrogate" or self.dates != "shift":
            return 0
        texts = [open_doc(doc).text for doc in docs if not is_masked(doc)]
        return self._chooser.get_days(
            self._key, texts, None if conversation == "" else conversation
        )

    def _is_listed(self, text: str) -> bool:
        return any(self._classes[label].is_listed(text) for label in ("LOCATION", "ORGANISATION"))

    def _get_chooser(self, own: Mapping[str, Mapping[str, Any]]) -> Chooser:
        """A chooser that knows classes of a user's own, too."""
        made = {label: make_own(label, settings) for label, settings in own.items()}

        def get_strategy(label: str) -> str:
            strategy = self.get_strategy(label)
            return get_own_strategy(own[label], strategy) if label in own else strategy

        # The last one's labels come first.
        return Chooser(ChainMap(made, cast(Any, self._classes)), get_strategy)

    # Serialisation. The key is in none of it.

    def _get_settings(self) -> dict[str, Any]:
        strategy = self._strategy if isinstance(self._strategy, str) else dict(self._strategy)
        return {"strategy": strategy, "required": [*self.required], **self.options}

    def get_parts(self) -> dict[str, Part]:
        return {
            "cfg": Part(self._get_cfg, self._set_cfg),
            "lists.msgpack": Part(lambda: self._lists.columns, self._set_lists),
        }

    def __reduce__(self) -> tuple[Any, ...]:
        # The reduction of the base class would take the key along.
        keys = {"known_key": self.known_key, "custom_key": self.custom_key}
        return _unpickle, (self.name, {**self._configured, **keys}, self.to_bytes())


def _get_conversation(doc: Doc) -> Any:
    """The id of a doc's conversation; an empty one is none."""
    return None if doc._.conversation_id == "" else doc._.conversation_id


def get_own_classes(docs: Iterable[Doc], key: str) -> dict[str, Mapping[str, Any]]:
    """Get the classes of a user's own that were found, by the `custom_ruler` or by a component of theirs: by
    label what its patterns tell ("strategy", "surrogates", "template")."""
    own: dict[str, Mapping[str, Any]] = {}
    for doc in docs:
        group = doc.spans.get(key, ())
        replacing = group.attrs.get("replacing", {}) if len(group) else {}
        for span in (*group, *doc.ents):
            if span.label_ not in (*BUILT_IN, SINGLE_CLASS):
                own.setdefault(span.label_, replacing.get(span.label_, {}))
    return dict(sorted(own.items()))


def get_columns(name: str, rows: Rows) -> dict[str, list[str]]:
    """Get the cells of a list by column; those that a row lacks are empty.

    RAISES (ValueError): If a row lacks the first column.
    """
    first = COLUMNS[name][0]
    if not all(first in row for row in rows):
        raise ValueError(f"The list {name} needs a column {first!r}.")
    return {column: [row.get(column, "") for row in rows] for column in COLUMNS[name]}


def _unpickle(name: str, configured: dict[str, Any], data: bytes) -> SurrogateGenerator:
    pipe = SurrogateGenerator(name, **configured)
    pipe.from_bytes(data)
    return pipe
