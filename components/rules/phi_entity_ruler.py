"""The rules find PHI by its form and by the words around it. Their hits are evidence for
later pipes, in `doc.spans["rules"]`. The hits of negative patterns (doses, clock times) are in
`doc.spans["vetoes"]`. None of them goes to `doc.ents`.
"""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from spacy.errors import Warnings
from spacy.language import Language
from spacy.matcher import Matcher, PhraseMatcher
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example

from ..shared.labels import LABELS, RULES_KEY, VETOES_KEY
from ..shared.saved_pipe import Part, SavedPipe
from ..text import extensions  # noqa: F401
from ..text.folding import fold_text
from ..text.hits import make_span, write_hits
from ..text.message import fold_doc
from ..text.validators import Validator, validators
from .literals import VERSION, Prefilter
from .regex import Regex, Required, is_agreed

PatternType = dict[str, Any]

MACRO = re.compile(r"\{([a-z_]+)\}")
DERIVED = "derived.msgpack"


class Rule(NamedTuple):
    """One pattern, ready to use."""

    id: str
    label: str
    regex: Regex | None
    validator: Validator | None
    score: float
    failed_score: float
    negative: bool
    context: bool
    unless: Regex | None


# What a pattern may say.
KEYS = {*Rule._fields, "pattern"}


@Language.factory(
    "phi_entity_ruler",
    assigns=["doc.spans"],
    default_config={"spans_key": RULES_KEY, "vetoes_key": VETOES_KEY},
)
class PhiEntityRuler(SavedPipe):
    """Match patterns, check the hits, resolve overlaps and write them to `doc.spans`.

    A pattern is a dict:

    - "label", one of the eight classes. A negative pattern needs none.
    - "id": by default the label and the place among the patterns, `person.1`.
    - "regex": matched on the folded text, regardless of case. Its
      group `phi`, if it has one, is the hit. Or "pattern", in the format of spaCy's `Matcher` (list of
      dicts) or `PhraseMatcher` (string).
    - "score": 1.0 by default. It becomes "failed_score" where the "validator" of that name rejects the
      hit: half of the score by default, 0 for no hit.
    - "negative": the hit vetoes the hits that it covers and that do not score higher, and the dates and
      ages that it overlaps with.
    - "context": the regex is matched on the message before (`doc._.context`), a line end and the
      message. A hit counts if it is in the message.
    - "unless": a regex. Where it matches in the message or the one before, the pattern is not run.

    A dict with "macro" and "regex" names a piece of regex that later ones can insert: `{month}`.
    """

    # What a pattern may have, its labels, and what runs its regex.
    keys = frozenset(KEYS)
    known_labels: Sequence[str] = LABELS
    optional_files = frozenset([DERIVED])
    regex_type = Regex

    def __init__(
        self,
        nlp: Language,
        name: str = "entity_ruler",
        *,
        spans_key: str = RULES_KEY,
        vetoes_key: str = VETOES_KEY,
    ) -> None:
        """Create a ruler without patterns.

        nlp (Language): The pipeline whose vocabulary and tokenizer phrase patterns need.
        spans_key (str): The span group of the hits. The pipes behind read "rules".
        vetoes_key (str): The span group of the hits of negative patterns. A second ruler needs groups
            of its own.
        """
        self.vocab = nlp.vocab
        # Not the pipeline, which cannot be pickled once it is initialized.
        self.tokenizer = nlp.tokenizer
        self.name = name
        self.spans_key = spans_key
        self.vetoes_key = vetoes_key
        # The loaded literals, for the patterns that are loaded next.
        self._loaded: dict[str, Any] = {}
        self.clear()

    def clear(self) -> None:
        """Remove all patterns."""
        self._patterns: list[PatternType] = []
        self._macros: dict[str, str] = {}
        self._rules: dict[str, Rule] = {}
        self._searches: list[tuple[Rule, Regex]] = []
        self._prefilter: Prefilter | None = None
        # The literals that saved regexes require, by regex: each of these has been checked.
        self._derived: dict[str, Required] = {}
        self._matcher = Matcher(self.vocab)
        self._phrases = PhraseMatcher(self.vocab, attr="LOWER")

    def __len__(self) -> int:
        """RETURNS (int): The number of patterns, macros not counted."""
        return len(self._rules)

    @property
    def labels(self) -> tuple[str, ...]:
        """RETURNS (tuple[str, ...]): The labels that the patterns can give."""
        return tuple(sorted({rule.label for rule in self._rules.values() if not rule.negative}))

    @property
    def ids(self) -> tuple[str, ...]:
        """RETURNS (tuple[str, ...]): The ids of the patterns."""
        return tuple(self._rules)

    @property
    def regexes(self) -> dict[str, re.Pattern]:
        """RETURNS (dict[str, re.Pattern]): The regexes by id, with the macros in them."""
        return {rule.id: rule.regex.compiled for rule in self._rules.values() if rule.regex}

    @property
    def patterns(self) -> list[PatternType]:
        """RETURNS (list[dict]): The patterns and macros, as they were added."""
        return [dict(pattern) for pattern in self._patterns]

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        patterns: Iterable[PatternType] | None = None,
    ) -> None:
        """Replace the patterns by some that were read. `nlp.initialize` calls it."""
        self.clear()
        if patterns is not None:
            self.add_patterns(patterns)

    def add_patterns(self, patterns: Iterable[PatternType]) -> None:
        """Add patterns and macros, or raise ValueError at the first that is malformed."""
        for pattern in patterns:
            number = len(self._patterns) + 1
            if not isinstance(pattern, dict):
                kind = type(pattern).__name__
                raise ValueError(f"Pattern {number} is a {kind}, not a dict.")  # noqa: TRY004
            if "macro" in pattern:
                self._add_macro(pattern)
            else:
                default_id = f"{str(pattern.get('label', '')).lower()}.{number}"
                self._add_rule(pattern, pattern.get("id", default_id))
            self._patterns.append(dict(pattern))

    def _add_macro(self, pattern: PatternType) -> None:
        name = pattern["macro"]
        if not isinstance(name, str) or not MACRO.fullmatch(f"{{{name}}}"):
            raise ValueError(
                f"Macro {name!r}: the name must be lower-case letters and underscores."
            )
        if set(pattern) != {"macro", "regex"}:
            raise ValueError(f'Macro {name!r}: give "macro" and "regex", nothing else.')
        regex = f"(?:{self._expand(pattern['regex'], f'Macro {name!r}')})"
        if regex not in self._derived:
            with _naming(f"Macro {name!r}"):
                re.compile(regex, re.IGNORECASE)
        self._macros[name] = regex

    def _add_rule(self, pattern: PatternType, rule_id: Any) -> None:
        if not isinstance(rule_id, str) or not rule_id:
            raise ValueError(f'The "id" {rule_id!r} of a pattern must be a non-empty string.')
        where = f"Pattern {rule_id!r}"
        if rule_id in self._rules:
            raise ValueError(f"{where}: this id is taken by another pattern.")
        if unknown := set(pattern) - self.keys:
            raise ValueError(
                f"{where}: unknown keys {sorted(unknown)}. Known: {sorted(self.keys)}."
            )
        negative = pattern.get("negative", False)
        label = pattern.get("label", "")
        if not isinstance(label, str) or not (label or negative):
            raise ValueError(f'{where}: it needs a "label", a non-empty string.')
        if label:
            self._check_label(label, where)
        if ("regex" in pattern) == ("pattern" in pattern):
            raise ValueError(f'{where}: it needs either a "regex" or a "pattern".')
        score = self._number(pattern.get("score", 1.0), where)
        failed_score = self._number(pattern.get("failed_score", 0.5 * score), where)
        validator = None
        if "validator" in pattern:
            if pattern["validator"] not in validators:
                names = ", ".join(sorted(validators.get_all()))
                raise ValueError(f"{where}: unknown validator. Registered are: {names}.")
            validator = validators.get(pattern["validator"])
        regex = None
        if "regex" in pattern:
            regex = self._make_regex(pattern["regex"], where)
        else:
            self._add_token_pattern(rule_id, pattern["pattern"], where)
        context = pattern.get("context", False)
        if context and regex is None:
            raise ValueError(f'{where}: "context" needs a "regex".')
        unless = None
        if "unless" in pattern:
            with _naming(where):
                # Seldom looked for: not worth its literals.
                unless = self.regex_type(self._expand(pattern["unless"], where), [])
        rule = Rule(
            rule_id, label, regex, validator, score, failed_score, negative, context, unless
        )
        self._rules[rule_id] = rule
        if regex is not None:
            self._searches.append((rule, regex))
            self._prefilter = None

    def _check_label(self, label: str, where: str) -> None:
        if label not in self.known_labels:
            names = ", ".join(self.known_labels)
            raise ValueError(f"{where}: unknown label {label!r}. Give one of {names}.")

    def _add_token_pattern(
        self, rule_id: str, tokens: str | list[dict[str, Any]], where: str
    ) -> None:
        if isinstance(tokens, str) and tokens.strip():
            self._phrases.add(rule_id, [self.tokenizer(tokens)])
        elif isinstance(tokens, list):
            try:
                self._matcher.add(rule_id, [tokens])
            except (ValueError, TypeError) as error:
                raise ValueError(f"{where}: not a token pattern. {error}") from None
        else:
            raise ValueError(f'{where}: "pattern" must be a list of dicts or a string.')

    def _number(self, score: Any, where: str) -> float:
        if isinstance(score, (int, float)) and 0 <= score <= 1:
            return float(score)
        raise ValueError(f"{where}: a score must be a number from 0 to 1.")

    def _expand(self, regex: Any, where: str) -> str:
        """Write the macros out."""
        try:
            return MACRO.sub(lambda match: self._macros[match[1]], regex)
        except TypeError:
            raise ValueError(f'{where}: "regex" must be a string.') from None
        except KeyError as error:
            raise ValueError(f"{where}: no macro {error} was defined before it.") from None

    def _make_regex(self, pattern: Any, where: str) -> Regex:
        pattern = self._expand(pattern, where)
        literals = self._derived.get(pattern)
        with _naming(where):
            regex = self.regex_type(pattern, literals)
        if literals is None and regex.find("", True):
            raise ValueError(f"{where}: the regex matches the empty string.")
        return regex

    def __call__(self, doc: Doc) -> Doc:
        """Write the hits to `doc.spans`, their scores to the group's `attrs["scores"]`."""
        if not self._rules:
            warnings.warn(Warnings.W036.format(name=self.name), stacklevel=2)
        hits, vetoes = self.match(doc)
        doc.spans[self.vetoes_key] = SpanGroup(doc, name=self.vetoes_key, spans=vetoes)
        write_hits(doc, self.spans_key, hits)
        return doc

    def match(self, doc: Doc) -> tuple[list[tuple[Span, float]], list[Span]]:
        """The hits that nothing rules out, with scores, in order; those of negative patterns."""
        negative: list[Span] = []
        vetoes = [0.0] * len(doc)
        hits: list[tuple[Span, float]] = []
        for rule, span, score in self._candidates(doc):
            if rule.negative:
                negative.append(span)
                for i in range(span.start, span.end):
                    vetoes[i] = max(vetoes[i], score)
            else:
                hits.append((span, score))
        hits = [(span, score) for span, score in hits if not _is_vetoed(span, score, vetoes)]
        hits.sort(key=lambda hit: (hit[0].start_char - hit[0].end_char, -hit[1], hit[0].start))
        taken = bytearray(len(doc))
        kept = []
        for span, score in hits:
            if not any(taken[span.start : span.end]):
                taken[span.start : span.end] = b"\1" * len(span)
                kept.append((span, score))
        return sorted(kept, key=lambda hit: hit[0].start), negative

    def _candidates(self, doc: Doc) -> Iterable[tuple[Rule, Span, float]]:
        folded = fold_doc(doc)
        if self._prefilter is None:
            self._prefilter = Prefilter([regex.literals for _, regex in self._searches])
        said = f"{fold_text(doc._.context).text}\n" if doc._.context else ""
        joined = said + folded.text
        agreed = is_agreed(joined)
        silenced: dict[str, bool] = {}
        for i in self._prefilter.find(joined):
            rule, regex = self._searches[i]
            if rule.unless is not None:
                if rule.unless.pattern not in silenced:
                    silenced[rule.unless.pattern] = bool(rule.unless.find(joined, agreed))
                if silenced[rule.unless.pattern]:
                    continue
            before = len(said) if rule.context else 0
            for start, end in regex.find(joined if rule.context else folded.text, agreed):
                start, end = start - before, end - before
                if 0 <= start < end:
                    span = make_span(doc, *folded.to_original(start, end), rule.label, rule.id)
                    yield rule, span, self._score(rule, folded.text[start:end])
        for matcher in (self._matcher, self._phrases):
            # An empty matcher warns.
            for key, start, end in matcher(doc) if len(matcher) else ():
                rule = self._rules[self.vocab.strings[key]]
                span = Span(doc, start, end, label=rule.label, span_id=rule.id)
                yield rule, span, self._score(rule, fold_text(span.text).text)

    def _score(self, rule: Rule, text: str) -> float:
        if rule.validator is None or rule.validator(text):
            return rule.score
        return rule.failed_score

    def _get_derived(self) -> dict[str, Any]:
        """The literals that the regexes require, which take long to derive."""
        literals: dict[str, Required] = {regex: [] for regex in self._macros.values()}
        literals |= {
            regex.pattern: [sorted(one) for one in regex.literals] for _, regex in self._searches
        }
        return {"version": VERSION, "literals": literals}

    def get_parts(self) -> dict[str, Part]:
        # The file of the patterns may be edited: only the literals of the very same regex are used.
        return {
            DERIVED: Part(self._get_derived, self._set_derived),
            "patterns.jsonl": Part(lambda: self._patterns, self._set_patterns),
        }

    def _set_derived(self, derived: dict[str, Any]) -> None:
        self._loaded = derived

    def _set_patterns(self, patterns: Iterable[PatternType]) -> None:
        derived, self._loaded = self._loaded, {}
        self.clear()
        if derived.get("version") == VERSION:
            self._derived = derived["literals"]
        self.add_patterns(patterns)


def _is_vetoed(span: Span, score: float, vetoes: Sequence[float]) -> bool:
    """Whether vetoes cover a hit. A date or an age makes no sense without a part of it."""
    covered = (veto >= score for veto in vetoes[span.start : span.end])
    return any(covered) if span.label_ in ("DATE", "AGE") else all(covered)


@contextmanager
def _naming(where: str) -> Iterator[None]:
    """Say which pattern has a regex that cannot be used."""
    try:
        yield
    except re.error as error:
        raise ValueError(f"{where}: not a regular expression, {error}.") from None
