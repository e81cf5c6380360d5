"""The pipe that finds what users ask for besides the eight classes, and leaves what they allow."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, cast

from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example

from ..known.known_matcher import get_standing
from ..rules.phi_entity_ruler import KEYS, PatternType, PhiEntityRuler
from ..rules.regex import BoundedRegex, RunawayRegexError
from ..shared.failures import SetupError, logger
from ..shared.labels import BUILT_IN, CUSTOM_KEY, DOUBTED_KEY, OPTIONAL_LABELS
from ..shared.saved_pipe import Part, SavedPipe
from ..text.extensions import set_extensions
from ..text.hits import get_tokens, iter_hits, make_span, write_hits
from ..text.message import fold_doc
from . import code_validators  # noqa: F401
from .overlay import Piece, lay_over, make_step, read_entity, take_out, write_entities
from .own import REPLACING, check_label, check_phrases, read_replacing
from .phrase_list import PhraseList

ALL = "all"
ALLOW, DENY = "allow", "deny"

Deny = Mapping[str, Sequence[str]]


class OptionalPatterns(PhiEntityRuler):
    """The patterns of the optional classes, in the format of the `PhiEntityRuler`."""

    known_labels = BUILT_IN


class OwnPatterns(PhiEntityRuler):
    """A user's own patterns: any label, regexes that give up rather than run away."""

    keys = frozenset((*KEYS, *REPLACING))
    regex_type = BoundedRegex

    def _check_label(self, label: str, where: str) -> None:
        check_label(label, where)


def choose_classes(classes: str | Sequence[str]) -> tuple[str, ...]:
    """The optional classes that are asked for ("all": each), in order, or a ValueError."""
    names = [classes] if isinstance(classes, str) else [*classes]
    if any(isinstance(name, str) and name.lower() == ALL for name in names):
        return OPTIONAL_LABELS
    unknown = [str(name) for name in names if str(name).upper() not in OPTIONAL_LABELS]
    if unknown:
        raise ValueError(
            f"{', '.join(unknown)}: no such optional class. There are: "
            f"{', '.join(OPTIONAL_LABELS)}; or all of them: {ALL}."
        )
    wanted = {name.upper() for name in names}
    return tuple(label for label in OPTIONAL_LABELS if label in wanted)


@Language.factory(
    "custom_ruler",
    requires=["doc.ents"],
    assigns=["doc.spans", "doc.ents"],
    default_config={"classes": [], "patterns": [], "allow": [], "deny": {}},
)
class CustomRuler(SavedPipe):
    """Find what users ask for besides the eight classes, and change `doc.ents` by it. By default nothing
    is asked for, and the pipe does nothing.

    - classes: optional classes that are switched on, such as URL or IBAN; or "all".
    - patterns: dicts as the `PhiEntityRuler` takes them, with any "label" in capitals.
      A pattern of a label of the user's own may say how it is replaced: "strategy", and for the
      strategy `surrogate` either "surrogates", a list, or "template", in which each `#` becomes a
      digit and each `?` a letter. Without them it is replaced by its label: `[TEAM]`.
    - deny: phrases by label that are always PHI; a plain list is of the label PERSON. They are found as whole words, also joined with other
      words, and in the genitive.
    - allow: phrases that are never PHI, as whole words. They are taken out of any entity; the rest of it
      stays. Allow beats everything, also deny, but not what is known of the participants
      (`doc.spans["known"]`).

    The hits are in doc.spans["custom"]; span.id_ is the id of the pattern, or "deny". A hit is united
    with the entities that it touches, and the longest decides the label. What is taken out is in
    doc.spans["doubted"], with span.id_ "allow". All settings may be changed on the loaded pipe.

    If a user's regex runs away on a message, that message fails and is masked whole.
    """

    def __init__(
        self,
        nlp: Language,
        name: str = "custom_ruler",
        *,
        classes: str | Sequence[str] = (),
        patterns: Sequence[PatternType] = (),
        allow: Sequence[str] = (),
        deny: Deny | Sequence[str] = MappingProxyType({}),
    ) -> None:
        set_extensions()
        self.name = name
        self.optional: list[PatternType] = []
        self._chosen: OptionalPatterns | None = None
        # What the patterns need of the pipeline, which itself cannot be pickled.
        self.vocab = nlp.vocab
        self.tokenizer = nlp.tokenizer
        self.classes = classes
        self.patterns = patterns
        self.allow = allow
        self.deny = deny
        self._configured = self._get_settings()

    # Settings

    @property
    def classes(self) -> tuple[str, ...]:
        """The optional classes that are switched on."""
        return self._classes

    @classes.setter
    def classes(self, classes: str | Sequence[str]) -> None:
        self._classes = choose_classes(classes)
        self._chosen = None

    @property
    def patterns(self) -> list[PatternType]:
        """The user's own patterns."""
        return self._own.patterns

    @patterns.setter
    def patterns(self, patterns: Sequence[PatternType]) -> None:
        own = OwnPatterns(cast(Any, self))
        own.add_patterns(patterns)
        rows = (pattern for pattern in patterns if "macro" not in pattern)
        self._replacing = read_replacing(dict(zip(own.ids, rows)))
        self._own = own

    @property
    def allow(self) -> list[str]:
        """The phrases that are never PHI."""
        return [*self._allow]

    @allow.setter
    def allow(self, phrases: Sequence[str]) -> None:
        self._allow = check_phrases(phrases, ALLOW)
        self._allowed = PhraseList(self._allow)

    @property
    def deny(self) -> dict[str, list[str]]:
        """The phrases that are always PHI, by label."""
        return {label: [*phrases] for label, phrases in self._deny.items()}

    @deny.setter
    def deny(self, phrases: Deny | Sequence[str]) -> None:
        by_label = phrases if isinstance(phrases, Mapping) else {"PERSON": phrases}
        for label in by_label:
            check_label(label, DENY)
        self._deny = {
            label: check_phrases(own, f"{DENY}, {label}") for label, own in by_label.items() if own
        }
        self._denied = {label: PhraseList(own) for label, own in self._deny.items()}

    @property
    def own_labels(self) -> set[str]:
        """The labels of the user's own patterns and phrases."""
        return {pattern["label"] for pattern in self.patterns if "label" in pattern} | {*self._deny}

    # Data

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        patterns: Iterable[PatternType] | None = None,
    ) -> None:
        """Give the pipe the patterns of the optional classes, which are saved with it."""
        if patterns is not None:
            self._set_optional(patterns)
            # Raises now if one cannot be used.
            OptionalPatterns(cast(Any, self)).add_patterns(self.optional)

    def _set_optional(self, patterns: Iterable[PatternType]) -> None:
        self.optional = [*patterns]
        self._chosen = None

    def prepare(self) -> None:
        """Make the patterns of the classes that are on now, not with the first message."""
        if self._classes:
            self._get_chosen()

    def _get_chosen(self) -> OptionalPatterns:
        if self._chosen is None:
            labels = {pattern.get("label") for pattern in self.optional}
            missing = [label for label in self._classes if label not in labels]
            if missing:
                raise SetupError(
                    f"'{self.name}' has no patterns for {', '.join(missing)}. Give it some: "
                    "initialize(list, patterns=...), or the block [initialize.components."
                    f"{self.name}.patterns] of the config."
                )
            chosen = OptionalPatterns(cast(Any, self))
            chosen.add_patterns(
                pattern
                for pattern in self.optional
                if "macro" in pattern or pattern.get("label") in self._classes
            )
            self._chosen = chosen
        return self._chosen

    # Work

    def __call__(self, doc: Doc) -> Doc:
        """Write the hits to doc.spans["custom"], and change doc.ents by them."""
        finds = bool(self._classes or len(self._own) or self._deny)
        if not finds and not self._allow:
            return doc
        hits = [*self._find(doc)] if finds else []
        write_hits(doc, CUSTOM_KEY, hits)
        doc.spans[CUSTOM_KEY].attrs["replacing"] = {
            label: self._replacing[label]
            for label in {span.label_ for span, _ in hits} & self._replacing.keys()
        }
        allowed = self._get_allowed(doc)
        touched = get_tokens(span for span, _ in hits) | allowed
        if touched.isdisjoint(get_tokens(doc.ents)) and not hits:
            return doc
        pieces = lay_over(doc, map(read_entity, doc.ents), (_read_hit(*hit) for hit in hits))
        if allowed:
            pieces = [*self._take_out(doc, pieces, allowed)]
        write_entities(doc, pieces)
        return doc

    def _find(self, doc: Doc) -> Iterator[tuple[Span, float]]:
        if self._classes:
            yield from self._get_chosen().match(doc)[0]
        if len(self._own):
            try:
                yield from self._own.match(doc)[0]
            except RunawayRegexError:
                logger.warning("A pattern of your own takes too long on a message: simplify it.")
                raise
        for label, phrases in self._denied.items():
            for start, end in phrases.find(fold_doc(doc), joined=True):
                yield make_span(doc, start, end, label, DENY), 1.0

    def _get_allowed(self, doc: Doc) -> set[int]:
        """The tokens that are wholly of allowed phrases, and of nothing that is known."""
        if not self._allow:
            return set()
        allowed: set[int] = set()
        for start, end in self._allowed.find(fold_doc(doc), joined=False):
            span = doc.char_span(start, end)
            if span is not None:
                allowed.update(range(span.start, span.end))
        return allowed - get_tokens(span for span, _ in get_standing(doc)) if allowed else allowed

    def _take_out(self, doc: Doc, pieces: Iterable[Piece], allowed: set[int]) -> Iterator[Piece]:
        doubted = [*iter_hits(doc, DOUBTED_KEY)]
        n_before = len(doubted)
        for piece in pieces:
            if allowed.isdisjoint(range(piece.start, piece.end)):
                yield piece
                continue
            span = Span(doc, piece.start, piece.end, label=piece.label, span_id=ALLOW)
            doubted.append((span, piece.score))
            yield from take_out(doc, piece, allowed, ALLOW)
        if len(doubted) > n_before:
            write_hits(doc, DOUBTED_KEY, doubted)

    # Serialisation: the patterns of the optional classes, and what was changed on the loaded pipe.

    def _get_settings(self) -> dict[str, Any]:
        return {
            "classes": [*self._classes],
            "patterns": self.patterns,
            "allow": self.allow,
            "deny": self.deny,
        }

    def get_parts(self) -> dict[str, Part]:
        # The phrases of the settings are saved in plain text.
        return {
            "patterns.jsonl": Part(lambda: self.optional, self._set_optional),
            "cfg": Part(self._get_cfg, self._set_cfg),
        }


def _read_hit(span: Span, score: float) -> Piece:
    step = make_step(f"{CUSTOM_KEY}:{span.id_}", span, span.label_, score)
    return Piece(span.start, span.end, span.label_, CUSTOM_KEY, score, (step,))
