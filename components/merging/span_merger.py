"""The pipe that makes the final entities of what rules, lists and the model found."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import srsly
from spacy import util
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.scorer import Scorer
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import SimpleFrozenList, registry

from ..known.known_matcher import get_standing
from ..shared.hits import iter_hits, write_hits
from ..shared.labels import (
    CONVERSATION_KEY,
    DOUBTED_KEY,
    KNOWN_KEY,
    OWN_KEY,
    PHI_KEY,
    RULES_KEY,
)
from ..text import extensions  # noqa: F401
from .chain import Chain
from .facts import Facts
from .finds import Find, Step, make_find, unite
from .rules import get_rules


@registry.scorers("sv_deid_chat.merger_scorer.v1")
def make_merger_scorer() -> Callable[[Iterable[Example]], dict[str, Any]]:
    return _score_ents


def _score_ents(examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
    return Scorer.score_spans(
        list(examples), "ents", has_annotation=lambda doc: doc.has_annotation("ENT_IOB")
    )


@Language.factory(
    "span_merger",
    requires=["doc.spans"],
    assigns=["doc.ents", "token.ent_type", "token.ent_iob"],
    default_config={
        "standalone": [
            "first_name",
            "nickname",
            "surname",
            "place",
            "organisation",
            "abbreviation",
            "unit",
        ],
        "disable": [],
        "scorer": {"@scorers": "sv_deid_chat.merger_scorer.v1"},
    },
    default_score_weights={"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0, "ents_per_type": None},
)
def make_span_merger(
    nlp: Language, name: str, standalone: list[str], disable: list[str], scorer: Callable | None
) -> "SpanMerger":
    return SpanMerger(name, standalone=standalone, disable=disable, scorer=scorer)


class SpanMerger(Pipe):
    """Merge the evidence into doc.ents.

    Spans that overlap become one span with the union of their boundaries: what any of them covers
    stays covered. Precedence (what is known of the participants, entities that a component of the
    user's own has set, rules, the model, what other messages of the conversation say, lists)
    decides the label only.

    All else is decided by small rules, each with an id (`doubt.form`), in stages: where a find of
    the model ends and which label it has (edit), whether it is dropped (doubt), whether what a
    pattern found is dropped where the model finds nothing (confirm), which list entries count on
    their own (stand), and what belongs to a find that stands beside it (join).
    `components.merging` has them. A rule can be switched off, on the loaded pipe too:

        nlp.get_pipe("span_merger").disable = ["doubt.form"]

    span._.source names the evidence ("rules+phi"), span._.score is its highest score, span._.trace
    what found it and which rules changed it. What was found and dropped is in doc.spans["doubted"],
    with the id of the rule in span.id_.
    """

    def __init__(
        self,
        name: str = "span_merger",
        *,
        standalone: Sequence[str] = (),
        disable: Iterable[str] = (),
        scorer: Callable | None = None,
    ) -> None:
        """Create the pipe. Rules that do not exist (any more) are left out, with a warning.

        name (str): The pipe's name.
        standalone (Sequence[str]): Kinds of list entries that need no other evidence.
        disable (Iterable[str]): Ids of rules that are left out.
        scorer (Callable | None): The scoring method.
        """
        self.name = name
        self.standalone = set(standalone)
        self.disable = self._configured = _leave_unknown(disable)
        self.scorer = scorer

    @property
    def disable(self) -> list[str]:
        """The ids of the rules that are left out."""
        return list(self._disable)

    @disable.setter
    def disable(self, disable: Iterable[str]) -> None:
        if isinstance(disable, str):
            raise TypeError(f"disable must be a list of ids: [{disable!r}].")
        disable, rules = list(disable), get_rules()
        unknown = sorted(set(disable).difference(rules))
        if unknown:
            raise ValueError(
                f"No such rules: {', '.join(unknown)}. Rules: {', '.join(sorted(rules))}."
            )
        self._chain = Chain(disable)
        self._disable = disable

    def __call__(self, doc: Doc) -> Doc:
        """Write the merged entities to doc.ents.

        doc (Doc): The document.
        RETURNS (Doc): The same document.
        """
        facts = Facts(doc, self.standalone)
        doubted: list[Find] = []
        finds = unite(self._get_finds(facts, doubted))
        ents = []
        for find in self._chain.join(facts, finds) if finds else ():
            ent = Span(doc, find.start, find.end, label=find.label)
            ent._.source = find.source
            ent._.score = find.score
            ent._.trace = [_describe(doc, step) for step in find.get_steps()]
            ents.append(ent)
        doc.ents = ents
        write_hits(doc, DOUBTED_KEY, (_make_doubted(doc, find) for find in doubted))
        return doc

    def _get_finds(self, facts: Facts, doubted: list[Find]) -> Iterator[Find]:
        doc = facts.doc
        for span, score in get_standing(doc):
            yield make_find(span.start, span.end, span.label_, KNOWN_KEY, score, span.id_)
        for ent in doc.ents:
            # Of a component that is none of ours, perhaps with more around it since the first pass.
            if not ent._.source or OWN_KEY in ent._.source.split("+"):
                yield make_find(ent.start, ent.end, ent.label_, OWN_KEY, ent._.score or 1.0)
        for span, score in iter_hits(doc, RULES_KEY):
            find = make_find(span.start, span.end, span.label_, RULES_KEY, score, span.id_)
            if self._chain.confirm(facts, find, doubted):
                yield find
        for span, score in iter_hits(doc, CONVERSATION_KEY):
            yield make_find(span.start, span.end, span.label_, CONVERSATION_KEY, score, span.id_)
        for span, score in iter_hits(doc, PHI_KEY):
            find = make_find(span.start, span.end, span.label_, PHI_KEY, score)
            yield from self._chain.judge(facts, find, doubted)
        yield from self._chain.stand(facts)

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        return self.scorer(examples, **kwargs) if self.scorer is not None else {}

    # Serialisation: what was changed on the loaded pipe. What is from the config stays there.

    def _get_cfg(self) -> dict[str, Any]:
        return {"disable": self.disable} if self.disable != self._configured else {}

    def _load_cfg(self, cfg: Mapping[str, Any]) -> None:
        self.disable = _leave_unknown(cfg.get("disable", self._configured))

    def to_bytes(self, *, exclude: Iterable[str] = SimpleFrozenList()) -> bytes:
        """Serialise which rules are left out.

        exclude (Iterable[str]): What to leave out: "cfg".
        RETURNS (bytes): The pipe.
        """
        return util.to_bytes(
            {"cfg": lambda: srsly.json_dumps(self._get_cfg()).encode("utf8")}, exclude
        )

    def from_bytes(
        self, bytes_data: bytes, *, exclude: Iterable[str] = SimpleFrozenList()
    ) -> "SpanMerger":
        """Load the pipe.

        bytes_data (bytes): What `to_bytes` made.
        exclude (Iterable[str]): What to leave out: "cfg".
        RETURNS (SpanMerger): This pipe.
        """
        util.from_bytes(bytes_data, {"cfg": lambda b: self._load_cfg(srsly.json_loads(b))}, exclude)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = SimpleFrozenList()) -> None:
        """Save which rules are left out.

        path (str | Path): The folder.
        exclude (Iterable[str]): What to leave out: "cfg".
        """
        util.to_disk(path, {"cfg": lambda p: srsly.write_json(p, self._get_cfg())}, exclude)

    def from_disk(
        self, path: str | Path, *, exclude: Iterable[str] = SimpleFrozenList()
    ) -> "SpanMerger":
        """Load the pipe.

        path (str | Path): The folder.
        exclude (Iterable[str]): What to leave out: "cfg".
        RETURNS (SpanMerger): This pipe.
        """
        util.from_disk(
            path,
            {"cfg": lambda p: self._load_cfg(srsly.read_json(p) if p.exists() else {})},
            exclude,
        )
        return self


def _leave_unknown(disable: Iterable[str]) -> list[str]:
    """Leave out rules that a config or a saved pipe names and this version does not have."""
    if isinstance(disable, str):
        raise TypeError(f"disable must be a list of ids: [{disable!r}].")
    disable, rules = list(disable), get_rules()
    unknown = [id for id in disable if id not in rules]
    if unknown:
        warnings.warn(
            f"span_merger: rules that do not exist are left out: {', '.join(unknown)}.",
            UserWarning,
            stacklevel=2,
        )
    return [id for id in disable if id in rules]


def _make_doubted(doc: Doc, find: Find) -> tuple[Span, float]:
    id = find.trace[-1].by
    return Span(doc, find.start, find.end, label=find.label, span_id=id), find.score


def _describe(doc: Doc, step: Step) -> dict[str, Any]:
    """A step by characters in place of tokens."""
    span = doc[step.start : step.end]
    return {**step._asdict(), "start": span.start_char, "end": span.end_char}
