"""Counts of the errors of a pipeline: which kinds, of which classes, and by what."""

from collections import Counter
from collections.abc import Iterable, Sequence

from components.measures.faults import Fault
from components.measures.figures import NOTHING
from components.measures.gold import Row
from components.measures.spans import to_char_span
from components.merging.rules import merger_rules
from components.shared.labels import LABELS
from training_tools.report.outcome import WORDS

# What finds or drops, by the span group that tells of it.
RULE = "rule"
ORIGINS: dict[str, str] = WORDS["origins"]
# From the worst to the least; what each means is in `Fault`.
KINDS = ("missed", "cut", "spurious", "label", "bounds")


def get_family(by: str) -> str:
    """RETURNS (str): The origin, of `ORIGINS`, of what a fault is `by`."""
    return RULE if by in merger_rules else by.partition(":")[0].partition("+")[0]


def make_confusions(
    rows: Sequence[Row], faults: Sequence[Sequence[Fault]]
) -> dict[str, dict[str, int]]:
    """Count which class was taken for which: each annotated entity with the one found that covers most of it,
    and what was found beside.

    RETURNS (dict[str, dict[str, int]]): The counts by annotated class, then by class found; – is none.
    """
    counts = {gold: dict.fromkeys((*LABELS, NOTHING), 0) for gold in (*LABELS, NOTHING)}
    for row, own in zip(rows, faults):
        wrong = {(fault.start, fault.end, fault.gold) for fault in own}
        for span in row["spans"]:
            if to_char_span(span) not in wrong:
                counts[span["label"]][span["label"]] += 1
        for fault in own:
            counts[fault.gold][fault.found] += 1
    return counts


def count_faults(faults: Iterable[Fault]) -> dict[str, dict[str, dict[str, int]]]:
    """Count errors by `class`, `origin` (one of `ORIGINS`) and `found_by`.

    RETURNS (dict[str, dict[str, dict[str, int]]]): Of each of the three by name and kind of error.
    """
    tables: dict[str, dict[str, Counter[str]]] = {"class": {}, "origin": {}, "found_by": {}}
    for fault in faults:
        label = fault.found if fault.gold == NOTHING else fault.gold
        names = {"class": label, "origin": get_family(fault.by), "found_by": fault.by}
        for table, name in names.items():
            tables[table].setdefault(name, Counter())[fault.kind] += 1
    return {
        table: {
            name: {kind: counts[kind] for kind in KINDS}
            for name, counts in sorted(rows.items(), key=lambda item: (-item[1].total(), item[0]))
        }
        for table, rows in tables.items()
    }
