"""The scorers of the pipes."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from spacy.scorer import Scorer
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import registry


@registry.scorers("sv_deid_chat.group_scorer.v1")
def make_group_scorer(spans_key: str) -> Callable[[Iterable[Example]], dict[str, Any]]:
    """Make a scorer of a span group of the prediction against the entities of the reference."""
    return partial(_score_group, spans_key=spans_key)


def _score_group(examples: Iterable[Example], spans_key: str, **kwargs: Any) -> dict[str, Any]:
    def get_spans(doc: Doc, attr: str) -> Sequence[Span]:
        return doc.spans.get(spans_key, doc.ents)

    return Scorer.score_spans(
        list(examples),
        spans_key,
        getter=get_spans,
        has_annotation=lambda doc: spans_key in doc.spans or doc.has_annotation("ENT_IOB"),
        allow_overlap=True,
    )


@registry.scorers("sv_deid_chat.merger_scorer.v1")
def make_merger_scorer() -> Callable[[Iterable[Example]], dict[str, Any]]:
    """Make a scorer of the entities."""
    return make_group_scorer("ents")
