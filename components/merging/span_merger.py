"""The pipe that makes the final entities of what rules, lists and the model found."""

import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span

from ..known.known_matcher import get_standing
from ..model import scoring  # noqa: F401
from ..shared.labels import CONVERSATION_KEY, DOUBTED_KEY, KNOWN_KEY, OWN_KEY, PHI_KEY, RULES_KEY
from ..shared.saved_pipe import Part, SavedPipe
from ..text import extensions  # noqa: F401
from ..text.hits import iter_hits, write_hits
from . import join_rules, model_rules  # noqa: F401
from .facts import Facts
from .finds import Find, Step, make_find, unite
from .rules import STAGES, Rule, get_rules


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
class SpanMerger(SavedPipe):
    """Merge the evidence into doc.ents.

    Spans that overlap become one span with the union of their boundaries: what any of them covers
    stays covered. Precedence (what is known of the participants, entities that a component of the
    user's own has set, rules, the model, what other messages of the conversation say, lists)
    decides the label only.

    All else is decided by small rules, each with an id (`doubt.form`), in stages: where a find of
    the model ends and which label it has (edit), whether it is dropped (doubt), whether what a
    pattern found is dropped where the model finds nothing (confirm), which list entries count on
    their own (stand), and what belongs to a find that stands beside it (join).
    A rule can be switched off, on the loaded pipe too:

        nlp.get_pipe("span_merger").disable = ["doubt.form"]

    span._.source names the evidence ("rules+phi"), span._.score is its highest score, span._.trace
    what found it and which rules changed it. What was found and dropped is in doc.spans["doubted"],
    with the id of the rule in span.id_.
    """

    # An older pipeline may lack it.
    optional_files = frozenset(["cfg"])

    def __init__(
        self,
        nlp: Language | None = None,
        name: str = "span_merger",
        *,
        standalone: Sequence[str] = (),
        disable: Sequence[str] = (),
        scorer: Callable | None = None,
    ) -> None:
        """Create the pipe. Rules that do not exist (any more) are left out, with a warning.

        standalone (Sequence[str]): Kinds of list entries that need no other evidence.
        disable (Sequence[str]): Ids of rules that are left out.
        """
        self.name = name
        self.standalone = set(standalone)
        self.disable = _leave_unknown(disable)
        self._configured = self._get_settings()
        self.scorer = scorer

    @property
    def disable(self) -> list[str]:
        """The ids of the rules that are left out."""
        return list(self._disable)

    @disable.setter
    def disable(self, disable: Iterable[str]) -> None:
        known, unknown = _part_unknown(disable)
        if unknown:
            raise ValueError(
                f"No such rules: {', '.join(sorted({*unknown}))}. "
                f"Rules: {', '.join(sorted(get_rules()))}."
            )
        self._chain = Chain(known)
        self._disable = known

    def __call__(self, doc: Doc) -> Doc:
        """Write the merged entities to doc.ents."""
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

    def get_parts(self) -> dict[str, Part]:
        return {"cfg": Part(self._get_cfg, self._set_cfg)}

    def _get_settings(self) -> dict[str, Any]:
        return {"disable": self.disable}

    def _set_cfg(self, cfg: Mapping[str, Any]) -> None:
        self.disable = _leave_unknown(cfg.get("disable", self._configured["disable"]))


def _part_unknown(disable: Iterable[str]) -> tuple[list[str], list[str]]:
    """The ids of rules that there are, and of others."""
    if isinstance(disable, str):
        raise TypeError(f"disable must be a list of ids: [{disable!r}].")
    disable, rules = list(disable), get_rules()
    return [id for id in disable if id in rules], [id for id in disable if id not in rules]


def _leave_unknown(disable: Iterable[str]) -> list[str]:
    """Leave out rules that a config or a saved pipe names and this version does not have."""
    known, unknown = _part_unknown(disable)
    if unknown:
        warnings.warn(
            f"span_merger: rules that do not exist are left out: {', '.join(unknown)}.",
            UserWarning,
            stacklevel=2,
        )
    return known


def _make_doubted(doc: Doc, find: Find) -> tuple[Span, float]:
    id = find.trace[-1].by
    return Span(doc, find.start, find.end, label=find.label, span_id=id), find.score


def _describe(doc: Doc, step: Step) -> dict[str, Any]:
    """A step by characters in place of tokens."""
    span = doc[step.start : step.end]
    return {**step._asdict(), "start": span.start_char, "end": span.end_char}


class Chain:
    """Asks the rules of each stage, but for those in `disable`, in the order of their registration."""

    def __init__(self, disable: Collection[str] = ()) -> None:
        self._rules: dict[str, list[Rule]] = {stage: [] for stage in STAGES}
        for id, rule in get_rules().items():
            if id not in disable:
                self._rules[rule.stage].append(rule)

    def judge(self, facts: Facts, find: Find, doubted: list[Find]) -> list[Find]:
        """Apply the rules for finds of the model. `doubted` gets what they take away."""
        finds = [find]
        for rule in self._rules["edit"]:
            finds = [part for each in finds for part in _edit(rule, facts, each, doubted)]
        return [each for each in finds if self._stays(facts, each, "doubt", doubted)]

    def confirm(self, facts: Facts, find: Find, doubted: list[Find]) -> bool:
        """RETURNS (bool): Whether what a pattern found stays. If not, `doubted` gets it."""
        return self._stays(facts, find, "confirm", doubted)

    def _stays(self, facts: Facts, find: Find, stage: str, doubted: list[Find]) -> bool:
        for rule in self._rules[stage]:
            if find.label in rule.labels and rule.apply(facts, find):
                doubted += _leave(find, rule.id, ())
                return False
        return True

    def stand(self, facts: Facts) -> list[Find]:
        """RETURNS (list[Find]): What the lists know, where it counts on its own."""
        return [find for rule in self._rules["stand"] for find in rule.apply(facts)]

    def join(self, facts: Facts, finds: list[Find]) -> list[Find]:
        """RETURNS (list[Find]): Finds that do not overlap, with what stands beside them."""
        for rule in self._rules["join"]:
            finds = unite(rule.apply(facts, finds))
        return finds


def _edit(rule: Rule, facts: Facts, find: Find, doubted: list[Find]) -> list[Find]:
    if find.label not in rule.labels:
        return [find]
    parts = rule.apply(facts, find)
    doubted += _leave(find, rule.id, parts)
    return parts


def _leave(find: Find, id: str, parts: Iterable[Find]) -> list[Find]:
    """What a rule takes from a find: what lies outside the parts that are left."""
    ends = [find.start, *(end for part in parts for end in (part.start, part.end)), find.end]
    gaps = [(start, end) for start, end in zip(ends[::2], ends[1::2]) if start < end]
    steps = [Step(id, start, end, find.label, find.score) for start, end in gaps]
    return [
        find._replace(start=step.start, end=step.end, trace=(find.trace, step)) for step in steps
    ]
