"""The parrot attack: a tagger that learns from the output alone what surrogates look like, as the one did
that wrote them, and misses what that one has missed.

Carrell et al. (2019): The machine giveth and the machine taketh away: a parrot attack on clinical text
deidentified with hiding in plain sight. doi:10.1093/jamia/ocz114
"""

from collections.abc import Callable, Sequence

from sklearn.model_selection import GroupKFold

from components.measures.bootstrap import number_units
from components.measures.gold import Row
from components.measures.spans import Bounds, CharSpan
from lab.attack.missed import Output
from lab.measures.marks import Marked, touches
from lab.systems.base import System
from lab.systems.crf import Crf

# The attacker of the paper annotates half of the output.
FOLDS = 2


def attack_blindly(
    outputs: Sequence[Output], folds: int = FOLDS, make: Callable[[], System] = Crf
) -> list[Marked]:
    """Attack as in the paper: the attacker, who cannot tell surrogates from leaks, annotates all that looks
    like PHI in one part of the output, and lets a tagger learn from it. What looks like PHI in the other
    part and is not tagged he takes for missed by the pipeline, too. Here he annotates without a
    mistake, and knows what the pipeline leaves on purpose.

    outputs (Sequence[Output]): The output.
    folds (int): How many parts there are; each is attacked by what was learnt from the others.
    make (Callable[[], System]): Makes the tagger.
    RETURNS (list[Marked]): What he takes for leaks.
    """
    tagged = _cross_fit(
        outputs, [[*o.surrogates, *o.leaks, *o.stays] for o in outputs], folds, make
    )
    return _judge(
        outputs,
        [
            [span[:2] for span in (*o.surrogates, *o.leaks) if not touches(span, found)]
            for o, found in zip(outputs, tagged)
        ],
    )


def attack_seeing(
    outputs: Sequence[Output], folds: int = FOLDS, make: Callable[[], System] = Crf
) -> list[Marked]:
    """Attack where it is seen what was replaced, as it is with labels in place of surrogates. The tagger
    learns from these; what it tags beside them the attacker takes for missed.

    outputs (Sequence[Output]), folds (int), make (Callable[[], System]): As above.
    RETURNS (list[Marked]): What he takes for leaks.
    """
    seen: list[list[CharSpan]] = [[*o.surrogates, *o.stays] for o in outputs]
    tagged = _cross_fit(outputs, seen, folds, make)
    return _judge(
        outputs,
        [
            [span[:2] for span in found if not touches(span, known)]
            for found, known in zip(tagged, seen)
        ],
    )


def _cross_fit(
    outputs: Sequence[Output],
    annotated: Sequence[Sequence[CharSpan]],
    folds: int,
    make: Callable[[], System],
) -> list[list[CharSpan]]:
    """What taggers find in each message that have learnt from other conversations."""
    rows: list[Row] = [
        {
            "text": output.text,
            "spans": [dict(zip(("start", "end", "label"), span)) for span in sorted(spans)],
        }
        for output, spans in zip(outputs, annotated)
    ]
    found: list[list[CharSpan]] = [[] for _ in rows]
    units = number_units([output.row for output in outputs])
    for learned, told in GroupKFold(folds).split(rows, groups=units):
        system = make()
        system.fit([rows[place] for place in learned], [], 0)
        for place, spans in zip(told, system.find([rows[place]["text"] for place in told])):
            found[place] = spans
    return found


def _judge(outputs: Sequence[Output], marks: Sequence[list[Bounds]]) -> list[Marked]:
    units = number_units([output.row for output in outputs])
    return [
        Marked(unit, own, output.leaks, output.surrogates, output.stays)
        for unit, own, output in zip(units, marks, outputs)
    ]
