"""The way back for a caller: which placeholder stands for what, in memory, as long as somebody asks."""

import re
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...labels import NAMES
from ...surrogates.core.mentions import replace_spans

PLACEHOLDER = re.compile(r"\[[A-ZÅÄÖ][A-ZÅÄÖ0-9_]{0,39}_[0-9]{1,9}\]")
# What may become one when more is said.
BEGINNING = re.compile(r"\[(?:[A-ZÅÄÖ][A-ZÅÄÖ0-9_]{0,49})?\Z")
# The class of placeholders that stand for what the author has typed as if it were one.
TYPED = "TYPED"
# What is looked for in later texts of a session.
REMEMBERED = (*NAMES, "PID", "PHONE", "EMAIL")

# Its class, and what tells it apart in a request.
Entity = tuple[str, str]


class SessionsFull(RuntimeError):
    """There are so many sessions, or so much in one, that more is refused."""


class Session:
    """What placeholders stand for. They are numbered anew, since the pipeline numbers those of one request:
    an entity that comes again has its number, and what the author types like a placeholder is replaced by
    one itself. So each placeholder in a text of the session is ours, and means one thing.

    limit (int): Entities at most.
    """

    def __init__(self, limit: int = 10_000) -> None:
        self.limit = limit
        # The spellings of each placeholder, in the order in which they came.
        self._forms: dict[str, list[str]] = {}
        # Placeholders by class and spelling.
        self._known: dict[tuple[str, str], str] = {}
        self._numbers: dict[str, int] = {}

    @property
    def known(self) -> dict[str, list[str]]:
        """RETURNS (dict[str, list[str]]): What was found, as what is known of a participant."""
        known: dict[str, list[str]] = {}
        for label, form in self._known:
            if label in REMEMBERED:
                known.setdefault(label.lower(), []).append(form)
        return known

    def replace(
        self, texts: Sequence[str], results: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Write the placeholders of the session.

        texts (Sequence[str]): The originals of one conversation.
        results (Sequence[Mapping[str, Any]]): What the pipeline made of them, with the strategy `numbered`.
        RETURNS (list[dict[str, Any]]): The same with other placeholders.
        RAISES (SessionsFull): If the session holds too much.
        """
        mentions: dict[Entity, list[str]] = {}
        for text, result in zip(texts, results):
            for entry in _get_replaced(result):
                form = text[entry["start"] : entry["end"]]
                mentions.setdefault(_get_entity(entry, form), []).append(form)
        own = {entity: self._name(entity[0], forms) for entity, forms in mentions.items()}
        return [self._write(text, result, own) for text, result in zip(texts, results)]

    def _write(
        self, text: str, result: Mapping[str, Any], own: Mapping[Entity, str]
    ) -> dict[str, Any]:
        if result["failed"]:
            return dict(result)
        new, replacements = replace_spans(text, self._get_spans(text, result, own))
        return {**result, "text": new, "replacements": replacements}

    def _get_spans(
        self, text: str, result: Mapping[str, Any], own: Mapping[Entity, str]
    ) -> Iterator[tuple[int, int, str, str]]:
        end = 0
        for entry in _get_replaced(result):
            start = entry["start"]
            yield from self._get_typed(text, end, start)
            end = entry["end"]
            yield start, end, entry["label"], own[_get_entity(entry, text[start:end])]
        yield from self._get_typed(text, end, len(text))

    def _get_typed(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, str, str]]:
        for typed in PLACEHOLDER.finditer(text, start, end):
            yield *typed.span(), TYPED, self._name(TYPED, [typed.group()])

    def _name(self, label: str, forms: Sequence[str]) -> str:
        """The placeholder of an entity: that which its fullest spelling has, else a new one. A spelling of
        two (`Anna`, where there is another Anna) tells nothing: alone it is an entity of its own.
        """
        placeholder = self._known.get((label, _get_fullest(forms)))
        if not placeholder:
            number = self._numbers[label] = self._numbers.get(label, 0) + 1
            placeholder = f"[{label}_{number}]"
        own = self._forms.setdefault(placeholder, [])
        for form in forms:
            if form not in own:
                own.append(form)
            if self._known.setdefault((label, form), placeholder) != placeholder:
                self._known[label, form] = ""
        if len(self._known) > self.limit:
            raise SessionsFull
        return placeholder

    def restore(self, text: str, more: bool = False) -> tuple[str, str]:
        """Put what placeholders stand for in their place.

        text (str): A text with placeholders. What is none of ours stays.
        more (bool): Whether the text goes on.
        RETURNS (tuple[str, str]): The text, and what of its end may be the beginning of a placeholder.
        """
        rest = BEGINNING.search(text) if more else None
        end = rest.start() if rest else len(text)
        return PLACEHOLDER.sub(self._restore, text[:end]), text[end:]

    def _restore(self, match: re.Match[str]) -> str:
        forms = self._forms.get(match.group())
        return _get_fullest(forms) if forms else match.group()


def _get_replaced(result: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What is replaced in a message, where it is not masked whole."""
    if result["failed"]:
        return []
    return [entry for entry in result["replacements"] if not entry.get("kept")]


def _get_entity(entry: Mapping[str, Any], form: str) -> Entity:
    """What tells the entities of a request apart: their placeholders. A class of a user's own may have
    none.
    """
    old = entry["replacement"]
    return entry["label"], old if PLACEHOLDER.fullmatch(old) else form


def _get_fullest(forms: Sequence[str]) -> str:
    """The longest spelling that is no genitive of another."""
    plain = [form for form in forms if not (form.endswith("s") and form[:-1] in forms)]
    return max(plain, key=len)


class Sessions:
    """The sessions of all callers. One that nobody has asked for a while is gone.

    limit (int): Sessions at most.
    seconds (float): How long one lives when nobody asks for it.
    """

    def __init__(self, limit: int = 1000, seconds: float = 1800.0) -> None:
        self.limit = limit
        self.seconds = seconds
        # The one that was asked for last is last.
        self._sessions: dict[str, tuple[Session, float]] = {}

    def __len__(self) -> int:
        self._drop_old()
        return len(self._sessions)

    def new(self) -> str:
        """RETURNS (str): The id of a new session, which nobody can guess.
        RAISES (SessionsFull): If there are too many.
        """
        if len(self) >= self.limit:
            raise SessionsFull
        id = secrets.token_urlsafe(24)
        self._sessions[id] = (Session(), time.monotonic())
        return id

    def get(self, id: str) -> Session | None:
        """RETURNS (Session | None): A session; None if there is none of that id."""
        self._drop_old()
        session, _ = self._sessions.pop(id, (None, 0.0))
        if session is not None:
            self._sessions[id] = (session, time.monotonic())
        return session

    def drop(self, id: str) -> None:
        """Forget a session."""
        self._sessions.pop(id, None)

    def _drop_old(self) -> None:
        until = time.monotonic() - self.seconds
        for id, (_, used) in [*self._sessions.items()]:
            if used > until:
                break
            del self._sessions[id]
