"""What the pages of an annotation ask for: the store, the words, the measures."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from threading import Lock
from typing import Annotated, Any

from pydantic import Field
from spacy.language import Language

from ..measures.agreement import Matched, measure_agreement
from ..measures.evaluation import Evaluation, evaluate_docs
from ..measures.formats.registry import chat_language
from ..measures.gold import Row, group_conversations, process_gold
from ..measures.spans import Bounds, CharSpan, to_char_spans
from ..text.sentences import count_sentences
from . import edits
from .edits import EditError, Mark, find_words
from .search import History, Hit, look_up, search
from .settling import Stretch, dump_choices, find_stretches
from .store import DONE, DOUBTFUL, OPEN, SETTLED, STATUSES, State, Store

# Samples of the intervals of the agreement, which is computed while somebody waits.
RESAMPLES = 200
# Seconds of one look at a message that count as work: who has gone away does not read.
MOST_SECONDS = 300.0
# A message that was on screen for less was not read.
SEEN = 0.3
# Turns of a conversation that are shown above a message.
TURNS = 30


@dataclass(frozen=True)
class Progress:
    """How many messages of an annotator have which status; the time and sentences of finished ones."""

    counts: dict[str, int]
    seconds: float
    sentences: int

    @property
    def messages(self) -> int:
        """RETURNS (int): All messages."""
        return sum(self.counts.values())

    @property
    def finished(self) -> int:
        """RETURNS (int): Messages that have a status."""
        return self.messages - self.counts[OPEN]

    @property
    def messages_a_minute(self) -> float:
        """RETURNS (float): Messages a minute; 0 before there is anything to measure."""
        return 60 * self.finished / self.seconds if self.seconds else 0.0

    @property
    def sentences_a_minute(self) -> float:
        """RETURNS (float): Sentences a minute; 0 before there is anything to measure."""
        return 60 * self.sentences / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class Change:
    """What an annotator does to a message.

    action (str): `mark`, `erase`, `accept`, `undo`, `redo`, `status` or `comment`.
    exact (bool): Whether letters count; else whole words.
    seconds (float): How long the message was looked at since the last change.
    """

    action: Annotated[str, Field(max_length=20)]
    start: int = 0
    end: int = 0
    label: Annotated[str, Field(max_length=40)] = ""
    exact: bool = False
    status: Annotated[str, Field(max_length=20)] = ""
    comment: Annotated[str, Field(max_length=5000)] = ""
    seconds: float = 0.0


class Desk:
    """An annotation at work: its file, and what loads a pipeline to measure, if there is one."""

    def __init__(self, store: Store, load: Callable[[], Language] | None = None) -> None:
        self.store = store
        self.nlp = chat_language()
        self._load = load
        self._splitting, self._measuring = Lock(), Lock()
        self._pipeline: Language | None = None
        self.get_words = lru_cache(maxsize=4096)(self._find_words)
        # What each annotator has last marked by a search.
        self._bulk: dict[str, list[State]] = {}
        self._agreement: tuple[Any, dict[str, Any] | None] = ((), None)
        self._conversations = {
            place: unit for unit in group_conversations(store.rows) for place in unit
        }
        self._sentences = [count_sentences(row["text"]) for row in store.rows]

    def _find_words(self, place: int) -> list[Bounds]:
        # The vocabulary would grow with each text.
        with self._splitting, self.nlp.memory_zone():
            return find_words(self.nlp, self.get_text(place))

    @property
    def can_measure(self) -> bool:
        """RETURNS (bool): Whether there is a pipeline."""
        return self._load is not None

    def get_text(self, place: int) -> str:
        """RETURNS (str): The text of a message."""
        return self.store.rows[place]["text"]

    def get_earlier(self, place: int) -> list[int]:
        """RETURNS (list[int]): The messages of a conversation before one, the last ones."""
        unit = self._conversations[place]
        return unit[: unit.index(place)][-TURNS:]

    def apply(self, state: State, change: Change, by: str = "") -> State:
        """Apply a change to what was shown, and save it. Who finishes a settled answer has decided.

        RAISES (EditError, ConflictError): If it makes no sense, or the message was changed
            meanwhile.
        """
        if change.action in ("undo", "redo"):
            return self.store.undo(state, 1 if change.action == "undo" else -1)
        seconds = min(max(change.seconds, 0.0), MOST_SECONDS)
        if change.action == "comment":
            return self.store.change(state, comment=change.comment, seconds=seconds)
        if change.action == "status":
            if change.status not in STATUSES:
                raise EditError("no_status")
            if change.status != OPEN and state.seconds + seconds < SEEN:
                raise EditError("unseen")
            # Who finishes a message has accepted what was suggested.
            marks = edits.accept(state.marks) if change.status == DONE else None
            if marks is not None and state.layer == SETTLED:
                layers = self.find_layers(state.place).items()
                choices = {name: to_char_spans(each.marks) for name, each in layers}
                text = self.get_text(state.place)
                whole = Stretch(0, len(text), choices, whole=True)
                self._decide(state.place, whole, to_char_spans(marks), by)
            return self.store.change(state, marks, status=change.status, seconds=seconds)
        return self.store.change(state, self._edit(state, change), seconds=seconds)

    def _edit(self, state: State, change: Change) -> list[Mark]:
        if change.action == "accept":
            return edits.accept(state.marks)
        bounds = change.start, change.end
        if change.action == "erase":
            return edits.erase(state.marks, bounds)
        text, words = self.get_text(state.place), self.get_words(state.place)
        bounds = edits.settle_bounds(text, words, *bounds, change.exact)
        if change.action == "mark":
            return edits.mark(state.marks, bounds, change.label)
        raise EditError("no_action")

    def find(self, pattern: str, whole: bool = False) -> list[Hit]:
        """Find a regular expression, perhaps as whole words; SearchError if it cannot be used."""
        texts = ((place, self.get_text(place)) for place in range(len(self.store.rows)))
        return search(texts, rf"(?<!\w)(?:{pattern})(?!\w)" if whole else pattern)

    def mark_all(self, layer: str, hits: Iterable[Hit], label: str) -> int:
        """Mark all hits where nothing is marked yet, and count the new marks."""
        bulk: list[State] = []
        self._bulk[layer] = bulk
        made = 0
        # A search goes from message to message.
        for place, found in groupby(hits, key=lambda hit: hit.place):
            state = self.store.get(place, layer)
            text, words = self.get_text(place), self.get_words(place)
            marks = [*state.marks]
            for hit in found:
                bounds = edits.settle_bounds(text, words, hit.start, hit.end)
                if len(edits.erase(marks, bounds)) == len(marks):
                    marks = edits.mark(marks, bounds, label)
                    made += 1
            if len(marks) > len(state.marks):
                bulk.append(self.store.change(state, marks))
        return made

    def take_back(self, layer: str) -> int:
        """Take back the marks of the last search that nobody changed, and count the messages."""
        states = self._bulk.pop(layer, [])
        unchanged = [state for state in states if self.store.get(state.place, layer) == state]
        for state in unchanged:
            self.store.undo(state)
        return len(unchanged)

    def look_up(self, layer: str, words: str, but: int) -> History:
        """Find out how words were annotated in the messages that an annotator has finished, but for one."""
        finished = (
            (state.place, self.get_text(state.place), state.marks)
            for state in self.store.get_states(layer)
            if state.status in (DONE, DOUBTFUL) and state.place != but
        )
        return look_up(words, finished)

    def get_progress(self, layer: str) -> Progress:
        """RETURNS (Progress): How far an annotator has come."""
        finished = [state for state in self.store.get_states(layer) if state.status != OPEN]
        counts = Counter(state.status for state in finished)
        counts[OPEN] = len(self.store.rows) - len(finished)
        return Progress(
            {status: counts[status] for status in STATUSES},
            sum(state.seconds for state in finished),
            sum(self._sentences[state.place] for state in finished),
        )

    def get_rows(self, layer: str, doubtful: bool = True) -> list[Row]:
        """The finished messages of an annotator, or those of `SETTLED`, with spans and comments."""
        if layer == SETTLED:
            return [*self._iter_settled()]
        wanted = (DONE, DOUBTFUL) if doubtful else (DONE,)
        states = sorted(self.store.get_states(layer), key=lambda state: state.place)
        return [self._to_row(state) for state in states if state.status in wanted]

    def _to_row(self, state: State) -> Row:
        row = {**self.store.rows[state.place], "spans": edits.accept(state.marks)}
        return {**row, "comment": state.comment} if state.comment else row

    def find_layers(self, place: int) -> dict[str, State]:
        """RETURNS (dict[str, State]): What those have made of a message who have finished it."""
        states = {name: self.store.get(place, name) for name in self.store.layers}
        return {name: state for name, state in states.items() if state.status in (DONE, DOUBTFUL)}

    def find_stretches(self, place: int, least: int = 2) -> list[Stretch]:
        """RETURNS (list[Stretch]): What those have marked in a message who have finished it, if enough have."""
        layers = {name: state.marks for name, state in self.find_layers(place).items()}
        decisions = self.store.decisions.get(place, ())
        return find_stretches(layers, decisions) if len(layers) >= least else []

    def _iter_settled(self) -> Iterator[Row]:
        for place, row in enumerate(self.store.rows):
            stretches = self.find_stretches(place, 1)
            if self.find_layers(place) and all(stretch.settled for stretch in stretches):
                yield {**row, "spans": [span for each in stretches for span in each.get_spans()]}

    def find_disputed(self) -> list[tuple[int, bool]]:
        """RETURNS (list[tuple[int, bool]]): The messages in which annotators differ, and whether all is decided."""
        disputed = []
        for place in range(len(self.store.rows)):
            stretches = [each for each in self.find_stretches(place) if not each.agreed]
            if stretches:
                disputed.append((place, all(each.settled for each in stretches)))
        return disputed

    def decide(self, place: int, number: int, variant: int, by: str) -> None:
        """Decide which variant of a stretch is right, or raise EditError if there is none."""
        stretches = self.find_stretches(place)
        if not 0 <= number < len(stretches) or not 0 <= variant < len(stretches[number].variants):
            raise EditError("no_choice")
        stretch = stretches[number]
        self._decide(place, stretch, stretch.variants[variant][0], by)

    def _decide(self, place: int, stretch: Stretch, spans: Sequence[CharSpan], by: str) -> None:
        decision = {
            "start": stretch.start,
            "end": stretch.end,
            "whole": stretch.whole,
            "choices": dump_choices(stretch),
            "spans": [[*span] for span in spans],
            "by": by,
        }
        self.store.decide(place, decision)

    def begin_settling(self, place: int) -> State:
        """Mark a message again: what was begun already, else what is settled, or most marked."""
        state = self.store.get(place, SETTLED)
        if state.revision and state.status == OPEN:
            return state
        stretches = self.find_stretches(place)
        return self.store.begin(state, [mark for each in stretches for mark in each.get_marks()])

    def get_agreement(self) -> dict[str, Any] | None:
        """RETURNS (dict[str, Any] | None): The agreement on messages that two or more have finished, if any."""
        states = [state for name in self.store.layers for state in self.store.get_states(name)]
        version = tuple((state.layer, state.place, state.revision) for state in states)
        if self._agreement[0] != version:
            matched: Matched = []
            for place in sorted({state.place for state in states}):
                layers = self.find_layers(place)
                if len(layers) > 1:
                    matched.append({name: self._to_row(state) for name, state in layers.items()})
            figures = measure_agreement(matched, resamples=RESAMPLES) if matched else None
            self._agreement = version, figures
        return self._agreement[1]

    def evaluate(self, layer: str) -> Evaluation | None:
        """Measure the pipeline on the finished messages of an annotator; None if there are none."""
        assert self._load is not None
        rows = self.get_rows(layer)
        if not rows:
            return None
        with self._measuring:
            self._pipeline = self._pipeline or self._load()
            docs = process_gold(self._pipeline, rows, context=True)
        return evaluate_docs(layer, rows, docs)
