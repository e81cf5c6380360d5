"""The errors of a pipeline: their counts as an outcome, without a message, and a page that quotes the
messages.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from spacy import displacy
from spacy.tokens import Doc

from components.measures.faults import Fault
from components.measures.figures import NOTHING
from components.measures.gold import Row
from components.shared.labels import LABELS
from training_tools.report.fault_counts import KINDS, ORIGINS, get_family
from training_tools.report.html import make_page, make_table
from training_tools.report.outcome import Outcome, Plot, Table
from training_tools.report.plots import draw_matrix

Counts = Mapping[str, Mapping[str, int]]
Case = tuple[Row, Doc, Sequence[Fault]]

WARNING = """<p class="warning">This page quotes messages with the personal information in them: keep it
where they are kept, and delete it when it is read.</p>"""
MEANING = {
    "missed": "nothing of it is covered",
    "cut": "some of its letters or digits are left",
    "spurious": "found where nothing is annotated",
    "label": "covered, of another class",
    "bounds": "covered, begins or ends elsewhere",
}
# On one line, as white space is shown.
ENTITY = '<mark style="background: {bg}">{text}<small>{label}</small></mark>'
# Pale, with black on them in light and dark.
COLOURS = ("#f4b6c2", "#b7d7f0", "#f7d9a8", "#cfc1ec", "#bfe3c0", "#f2e394", "#a9dfd8", "#e2c9b4")
PAPER = (
    "Lange et al. 2019, table 4 (MEDDOCAN, development part): confusions are rare, most of them "
    "with nothing at all, the others between related classes, such as hospitals and institutions, "
    "streets and places. García-Pablos et al. 2020 (NUBes-PHI): hospitals are taken for places."
)


def make_error_outcome(
    data: str, confusions: Counts, counts: Mapping[str, Counts], n_messages: int
) -> Outcome:
    """Count what is wrong."""
    names = (*LABELS, NOTHING)
    matrix = [[confusions[gold][found] for found in names] for gold in names]
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
    rows = [[gold, *_write_counts(row)] for gold, row in zip(names, matrix)]
    by_origin = {ORIGINS[origin]: kinds for origin, kinds in counts["origin"].items()}
    plot = draw_matrix(matrix, names, names, xlabel="found", ylabel="annotated")
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
        plots=[Plot(f"{title}; green: of the same class", plot)],
        paper=PAPER,
        data=data,
    )


def _tabulate(title: str, first: str, counts: Counts) -> Table:
    rows = [[name, *_write_counts(kinds[kind] for kind in KINDS)] for name, kinds in counts.items()]
    return Table(title, [first, *KINDS], rows)


def _write_counts(counts: Iterable[int]) -> list[str]:
    return [str(count or "") for count in counts]


def make_faults_page(name: str, outcome: Outcome, cases: Sequence[Case], left_out: int = 0) -> str:
    """Write the page of errors: their counts, and the messages with them."""
    meanings = [f"<li><b>{kind}</b>: {meaning}</li>" for kind, meaning in MEANING.items()]
    parts = [
        WARNING,
        *(make_table(table.head, table.rows, table.title) for table in outcome.tables),
        f"<ul>{''.join(meanings)}</ul>\n<h2>Messages</h2>",
        _list_cases(cases),
        *(_show(number, case) for number, case in enumerate(cases)),
    ]
    if left_out:
        parts.append(f"<p>{left_out} more messages have errors; --most shows more.</p>")
    return make_page(f"Errors on {name}", parts)


def _list_cases(cases: Sequence[Case]) -> str:
    """Links to the messages: by class and by what found the error or dropped it."""
    groups: dict[tuple[str, str], dict[int, None]] = {}
    for number, (_, _, faults) in enumerate(cases):
        for fault in faults:
            label = fault.found if fault.gold == NOTHING else fault.gold
            groups.setdefault((label, ORIGINS[get_family(fault.by)]), {})[number] = None
    lines = []
    for (label, origin), numbers in sorted(groups.items(), key=lambda group: -len(group[1])):
        links = " ".join(f'<a href="#message-{number}">{number + 1}</a>' for number in numbers)
        lines.append(f"<li>{escape(label)}, {escape(origin)}: {links}</li>")
    return f"<ul>{''.join(lines)}</ul>"


def _show(number: int, case: Case) -> str:
    row, doc, faults = case
    found = [
        {"start": ent.start_char, "end": ent.end_char, "label": ent.label_} for ent in doc.ents
    ]
    lines = []
    for fault in faults:
        score = "" if fault.score is None else f" {fault.score:.2f}"
        error = f"{fault.kind} {fault.gold} → {fault.found}, {fault.by}{score}"
        text = doc.text[fault.start : fault.end]
        lines.append(f"<li>{escape(error)}: <q>{escape(text)}</q></li>")
    return (
        f'<div class="message" id="message-{number}"><b>{number + 1}. {escape(str(row["id"]))}</b>\n'
        f"annotated{_draw(doc.text, row['spans'])}\nfound{_draw(doc.text, found)}\n"
        f"<ul>{''.join(lines)}</ul></div>"
    )


def _draw(text: str, spans: Sequence[Mapping[str, Any]]) -> str:
    drawn = {"text": text, "ents": sorted(spans, key=lambda span: span["start"]), "title": None}
    options = {"colors": dict(zip(LABELS, COLOURS)), "template": ENTITY}
    return displacy.render(drawn, style="ent", manual=True, options=options, jupyter=False)
