"""Sessions: which placeholder stands for what, in memory, so that a caller can restore it."""

import json
import re
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any

from ...shared.labels import NAMES
from ...surrogates import Mention
from ...surrogates.core.mentions import TextSpan, class_of, make_mention, replace_spans

PLACEHOLDER = re.compile(r"\[[A-ZÅÄÖ][A-ZÅÄÖ0-9_]{0,39}_[0-9]{1,9}\]")
# What may become one when more is said.
BEGINNING = re.compile(r"\[(?:[A-ZÅÄÖ][A-ZÅÄÖ0-9_]{0,49})?\Z")
# A string of a JSON text; what follows tells whether it is a key.
STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"(?P<key>\s*:)?')
# The class of placeholders that stand for what the author has typed as if it were one.
TYPED = "TYPED"
# What is looked for in later texts of a session.
REMEMBERED = (*NAMES, "PID", "PHONE", "EMAIL")

# Tells which mentions of a class are the same (`SurrogateGenerator.identify`).
Identify = Callable[[str, Sequence[Mention]], Sequence[str]]
# A label, and the class of what has it.
Kind = tuple[str, str]
# The placeholders of each kind, in the order in which they came.
Used = dict[Kind, dict[str, None]]


class SessionsFull(RuntimeError):
    """There are so many sessions, or so much in one, that more is refused."""


class Session:
    """What placeholders stand for. The pipeline numbers them by request, a session by itself: an
    entity that comes again has its number, and what the author types like a placeholder is
    replaced, too. The messages of a conversation are linked with those of earlier requests. A
    placeholder is used again only for what is one with all that it stands for. A session holds
    `limit` spellings at most.
    """

    def __init__(self, identify: Identify, limit: int = 10_000) -> None:
        self.identify = identify
        self.limit = limit
        # What each placeholder is restored to; its spellings, and where they came first.
        self._values: dict[str, str] = {}
        self._forms: dict[str, dict[str, Mention]] = {}
        # Placeholders by kind and what they are restored to; those of each conversation.
        self._made: dict[tuple[Kind, str], str] = {}
        self._used: dict[str, Used] = defaultdict(dict)
        self._numbers: dict[str, int] = {}
        self._n_texts = 0
        self._lock = Lock()

    @property
    def known(self) -> dict[str, list[str]]:
        """RETURNS (dict[str, list[str]]): What was found, in the form of a known participant."""
        known: dict[str, list[str]] = defaultdict(list)
        for placeholder, forms in [*self._forms.items()]:
            label, _, _ = placeholder[1:].rpartition("_")
            if label in REMEMBERED:
                known[label.lower()] += forms
        return dict(known)

    def replace(
        self, texts: Sequence[str], results: Sequence[Mapping[str, Any]], conversation: str = ""
    ) -> list[dict[str, Any]]:
        """Write the session's placeholders into results, or raise SessionsFull."""
        with self._lock:
            if conversation:
                return self._replace(texts, results, self._used[conversation])
            return [self._replace([one], [its], {})[0] for one, its in zip(texts, results)]

    def _replace(
        self, texts: Sequence[str], results: Sequence[Mapping[str, Any]], used: Used
    ) -> list[dict[str, Any]]:
        spans = [_get_spans(text, result) for text, result in zip(texts, results)]
        said: dict[Kind, list[tuple[str, Mention]]] = defaultdict(list)
        for text, own in zip(texts, spans):
            self._n_texts += 1
            for span in own:
                mention = make_mention(span, text, self._n_texts)
                said[_get_kind(span)].append((span.text, mention))
        chosen = {
            kind: iter(self._link(kind, own, used.setdefault(kind, {})))
            for kind, own in said.items()
        }
        out = []
        for text, result, own in zip(texts, results, spans):
            places = (
                (span.start_char, span.end_char, span.label_, next(chosen[_get_kind(span)]))
                for span in own
            )
            new, replacements = replace_spans(text, places)
            changed = {} if result["failed"] else {"text": new, "replacements": replacements}
            out.append({**result, **changed})
        return out

    def _link(
        self, kind: Kind, said: Sequence[tuple[str, Mention]], used: dict[str, None]
    ) -> list[str]:
        """The placeholders of what somebody has said."""
        again = (self._made.get((kind, form)) for form, _ in said)
        old = [
            (placeholder, mention)
            for placeholder in dict.fromkeys((*used, *filter(None, again)))
            for mention in self._forms[placeholder].values()
        ]
        names = self.identify(kind[1], [mention for _, mention in (*old, *said)])
        named: dict[str, set[str]] = defaultdict(set)
        for (placeholder, _), name in zip(old, names):
            named[placeholder].add(name)
        # What a placeholder stands for may have turned out to be two: nobody else gets it.
        placeholders: dict[str, str] = {}
        for placeholder, own in named.items():
            if len(own) == 1:
                placeholders.setdefault(own.pop(), placeholder)
        new = names[len(old) :]
        for name in dict.fromkeys(new):
            if name not in placeholders:
                forms = [form for (form, _), other in zip(said, new) if other == name]
                placeholders[name] = self._make(kind, _get_fullest(forms))
        for (form, mention), name in zip(said, new):
            self._forms[placeholders[name]].setdefault(form, mention)
        if sum(map(len, self._forms.values())) > self.limit:
            raise SessionsFull
        used.update((placeholders[name], None) for name in new)
        return [placeholders[name] for name in new]

    def _make(self, kind: Kind, value: str) -> str:
        label = kind[0]
        number = self._numbers[label] = self._numbers.get(label, 0) + 1
        placeholder = f"[{label}_{number}]"
        self._values[placeholder] = value
        self._forms[placeholder] = {}
        self._made[kind, value] = placeholder
        return placeholder

    def restore(self, text: str, more: bool = False) -> tuple[str, str]:
        """Put what placeholders stand for in their place. If the text goes on (`more`), what of its
        end may begin a placeholder comes back apart. Unknown ones stay. A whole JSON text stays one: its
        keys, numbers and white space are the same.
        """
        rest = BEGINNING.search(text) if more else None
        end = rest.start() if rest else len(text)
        return self._restore(text[:end]), text[end:]

    def _restore(self, text: str) -> str:
        if _is_json(text):
            return STRING.sub(self._restore_string, text)
        return PLACEHOLDER.sub(lambda match: self._values.get(match[0], match[0]), text)

    def _restore_string(self, match: re.Match[str]) -> str:
        """A string of a JSON text. It may be a JSON text itself, as the arguments of a tool call are."""
        old = "" if match["key"] else json.loads(match[0])
        new = self._restore(old)
        return match[0] if new == old else json.dumps(new, ensure_ascii="\\u" in match[0])


def _is_json(text: str) -> bool:
    """Whether a text is a JSON object or array."""
    if not text.lstrip().startswith(("{", "[")):
        return False
    try:
        json.loads(text, parse_int=str)  # int() takes no very long number
    except (ValueError, RecursionError):
        return False
    return True


def _get_spans(text: str, result: Mapping[str, Any]) -> list[TextSpan]:
    """What is replaced in a message, where it is not masked whole, and what an author typed like it."""
    if result["failed"]:
        return []
    found = [entry for entry in result["replacements"] if not entry.get("kept")]
    places = [(entry["start"], entry["end"], entry["label"]) for entry in found]
    begin = 0
    for start, end, _ in (*places, (len(text), 0, "")):
        places += [(*typed.span(), TYPED) for typed in PLACEHOLDER.finditer(text, begin, start)]
        begin = end
    return [TextSpan(*place, text[place[0] : place[1]]) for place in sorted(places)]


def _get_kind(span: TextSpan) -> Kind:
    return span.label_, class_of(span)


def _get_fullest(forms: Sequence[str]) -> str:
    """The longest spelling that is no genitive of another."""
    plain = [form for form in forms if not (form.endswith("s") and form[:-1] in forms)]
    return max(plain, key=len)


class Sessions:
    """The sessions of all callers, up to a limit. One that was not used for some seconds is gone."""

    def __init__(self, identify: Identify, limit: int = 1000, seconds: float = 1800.0) -> None:
        self.identify = identify
        self.limit = limit
        self.seconds = seconds
        # The one that was asked for last is last.
        self._sessions: dict[str, tuple[Session, float]] = {}

    def __len__(self) -> int:
        self._drop_old()
        return len(self._sessions)

    def new(self) -> str:
        """RETURNS (str): The id of a new session, which nobody can guess; SessionsFull at the limit."""
        if len(self) >= self.limit:
            raise SessionsFull
        id = secrets.token_urlsafe(24)
        self._sessions[id] = (Session(self.identify), time.monotonic())
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
