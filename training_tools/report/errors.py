"""The errors of a pipeline: an outcome of counts, without a message, and a page that quotes messages."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup
from spacy import displacy
from spacy.tokens import Doc

from components.measures.faults import Fault
from components.measures.figures import NOTHING
from components.measures.gold import Row
from components.shared.labels import LABELS
from training_tools.report.fault_counts import KINDS, ORIGINS, get_family
from training_tools.report.folder import ENVIRONMENT, render
from training_tools.report.outcome import Outcome, Table

Counts = Mapping[str, Mapping[str, int]]
Case = tuple[Row, Doc, Sequence[Fault]]

# On one line, as white space is shown.
ENTITY = '<mark style="background: {bg}">{text}<small>{label}</small></mark>'
# Pale, with black on them in light and dark.
COLOURS = ("#f4b6c2", "#b7d7f0", "#f7d9a8", "#cfc1ec", "#bfe3c0", "#f2e394", "#a9dfd8", "#e2c9b4")


def make_error_outcome(
    data: str, confusions: Counts, counts: Mapping[str, Counts], n_messages: int
) -> Outcome:
    names = (*LABELS, NOTHING)
    n_faults = sum(sum(kinds.values()) for kinds in counts["class"].values())
    left = sum(kinds["missed"] + kinds["cut"] for kinds in counts["class"].values())
    says = (
        f"{n_faults} errors in {n_messages} messages: {left} leave something, the others take too "
        "much or another class."
    )
    if counts["origin"]:
        most = max(counts["origin"], key=lambda name: sum(counts["origin"][name].values()))
        number = sum(counts["origin"][most].values())
        says += f" Most of them, {number}, come from this: {ORIGINS[most]}."
    title = "Taken for: annotated down, found across"
    rows = [[gold, *_write_counts(confusions[gold][of] for of in names)] for gold in names]
    by_origin = {ORIGINS[origin]: kinds for origin, kinds in counts["origin"].items()}
    return Outcome(
        name="errors",
        title="What is taken for what, and by what?",
        says=says,
        figures={"confusions": confusions, **counts},
        tables=[
            Table(title, ["", *names], rows),
            _tabulate("Errors by class", "class", counts["class"]),
            _tabulate("Errors by what found, or dropped, it", "found by", by_origin),
            _tabulate("The same, one by one", "found by", counts["found_by"]),
        ],
        data=data,
    )


def _tabulate(title: str, first: str, counts: Counts) -> Table:
    rows = [[name, *_write_counts(kinds[kind] for kind in KINDS)] for name, kinds in counts.items()]
    return Table(title, [first, *KINDS], rows)


def _write_counts(counts: Iterable[int]) -> list[str]:
    return [str(count or "") for count in counts]


def make_faults_page(name: str, outcome: Outcome, cases: Sequence[Case], left_out: int = 0) -> str:
    """Write the page of errors: their counts, and the messages with them."""
    return render(
        "errors.html",
        f"Errors on {name}",
        outcome=outcome,
        groups=_group_cases(cases),
        cases=cases,
        left_out=left_out,
    )


def _group_cases(cases: Sequence[Case]) -> list[tuple[tuple[str, str], list[int]]]:
    """The numbers of the messages, by class and by what found the error or dropped it."""
    groups: dict[tuple[str, str], dict[int, None]] = {}
    for number, (_, _, faults) in enumerate(cases, start=1):
        for fault in faults:
            label = fault.found if fault.gold == NOTHING else fault.gold
            groups.setdefault((label, ORIGINS[get_family(fault.by)]), {})[number] = None
    return sorted(
        ((key, [*numbers]) for key, numbers in groups.items()), key=lambda group: -len(group[1])
    )


def _draw(text: str, spans: Sequence[Mapping[str, Any]]) -> Markup:
    drawn = {"text": text, "ents": sorted(spans, key=lambda span: span["start"]), "title": None}
    options = {"colors": dict(zip(LABELS, COLOURS)), "template": ENTITY}
    return Markup(displacy.render(drawn, style="ent", manual=True, options=options, jupyter=False))


ENVIRONMENT.filters["draw"] = _draw
