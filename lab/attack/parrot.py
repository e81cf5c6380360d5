"""The parrot attack: a tagger that learns from the output alone what surrogates look like, as the one did
that wrote them, and misses what that one has missed.

Carrell et al. (2019): The machine giveth and the machine taketh away: a parrot attack on clinical text
deidentified with hiding in plain sight. doi:10.1093/jamia/ocz114
"""

from collections.abc import Sequence

from sklearn.model_selection import GroupKFold

from components.measures.bootstrap import number_units
from components.measures.gold import Row
from components.measures.spans import Bounds, CharSpan, join_spans
from lab.attack.missed import Output
from lab.measures.marks import Marked, touches
from lab.systems.crf import Crf, Rated

BLIND = "takes for missed all that it does not tag"
CHOOSING = "takes as many as there are, those it is least sure of"
SEEING = "sees what was replaced, and takes for missed what it tags beside it"
# The attacker of the paper annotates half of the output.
FOLDS = 2
TAGGED = 0.5


def attack(outputs: Sequence[Output], folds: int = FOLDS) -> dict[str, list[Marked]]:
    """Attack an output in three ways.

    BLIND is the attack of the paper: the attacker, who cannot tell surrogates from leaks, annotates all that
    looks like PHI in one part of the output, and a tagger learns from it. What looks like PHI in the other
    part and is not tagged he takes for missed by the pipeline, too. Here he annotates without a mistake, and
    knows what the pipeline leaves on purpose. CHOOSING knows how many leaks there are, and takes those that
    the same tagger would tag last. SEEING is the attack where it is seen what was replaced, as it is with
    labels in place of surrogates: the tagger learns from that.

    outputs (Sequence[Output]): The output.
    folds (int): How many parts there are; each is attacked by what was learnt from the others.
    RETURNS (dict[str, list[Marked]]): By each of them, what he takes for leaks.
    """
    rated = _rate(outputs, [[*o.surrogates, *o.leaks, *o.stays] for o in outputs], folds)
    doubts = [
        [(span, _get_doubt(span, tokens)) for span in (*o.surrogates, *o.leaks)]
        for o, tokens in zip(outputs, rated)
    ]
    n_leaks = sum(len(o.leaks) for o in outputs)
    highest = sorted((doubt for own in doubts for _, doubt in own), reverse=True)
    limits = {BLIND: TAGGED, CHOOSING: highest[n_leaks] if n_leaks < len(highest) else -1.0}
    marks = {
        name: [[span[:2] for span, doubt in own if doubt > limit] for own in doubts]
        for name, limit in limits.items()
    }
    seen: list[list[CharSpan]] = [[*o.surrogates, *o.stays] for o in outputs]
    rated = _rate(outputs, seen, folds)
    marks[SEEING] = [
        [span for span in join_spans(o.text, _get_tagged(tokens)) if not touches(span, known)]
        for o, tokens, known in zip(outputs, rated, seen)
    ]
    units = number_units([output.row for output in outputs])
    return {
        name: [
            Marked(unit, own, o.leaks, o.surrogates, o.stays)
            for unit, own, o in zip(units, each, outputs)
        ]
        for name, each in marks.items()
    }


def _rate(
    outputs: Sequence[Output], annotated: Sequence[Sequence[CharSpan]], folds: int
) -> list[list[Rated]]:
    """Rate the tokens of each message by taggers that have learnt from other conversations."""
    rows: list[Row] = [
        {
            "text": output.text,
            "spans": [dict(zip(("start", "end", "label"), span)) for span in sorted(spans)],
        }
        for output, spans in zip(outputs, annotated)
    ]
    rated: list[list[Rated]] = [[] for _ in rows]
    units = number_units([output.row for output in outputs])
    for learned, told in GroupKFold(folds).split(rows, groups=units):
        crf = Crf()
        crf.fit([rows[place] for place in learned], [], 0)
        for place, tokens in zip(told, crf.rate([rows[place]["text"] for place in told])):
            rated[place] = tokens
    return rated


def _get_doubt(span: CharSpan, tokens: Sequence[Rated]) -> float:
    """How sure the tagger is that no token of a span is PHI."""
    return min((token[2] for token in tokens if touches(token, [span])), default=1.0)


def _get_tagged(tokens: Sequence[Rated]) -> list[Bounds]:
    return [token[:2] for token in tokens if token[2] < TAGGED]
