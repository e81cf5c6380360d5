"""The page of errors. It quotes messages."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from spacy import displacy
from spacy.tokens import Doc

from components.labels import LABELS
from components.measures.faults import KINDS, NOTHING, ORIGINS, Fault, get_family
from components.measures.gold import Row
from training_tools.report.html import make_page, make_table

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


def make_faults_page(
    name: str,
    confusions: Mapping[str, Mapping[str, int]],
    counts: Mapping[str, Mapping[str, Mapping[str, int]]],
    cases: Sequence[Case],
    left_out: int = 0,
) -> str:
    """Write the page of errors: who is taken for whom, errors by class and by what found them, and the
    messages with them.

    name (str): The name of the corpus.
    confusions (Mapping[str, Mapping[str, int]]): What `make_confusions` gives.
    counts (Mapping[str, Mapping[str, Mapping[str, int]]]): What `count_faults` gives.
    cases (Sequence[Case]): The messages to show, each with its errors.
    left_out (int): How many more have errors.
    RETURNS (str): HTML.
    """
    columns = (*LABELS, NOTHING)
    matrix: list[list[str | int]] = [
        [gold, *(confusions[gold][found] for found in columns)] for gold in columns
    ]
    parts = [
        WARNING,
        "<h2>Taken for</h2>\n<p>Annotated down, found across; – is none.</p>",
        make_table(["", *columns], matrix),
        "<h2>Errors by class</h2>\n<ul>"
        + "".join(f"<li><b>{kind}</b>: {meaning}</li>" for kind, meaning in MEANING.items())
        + "</ul>",
        make_table(["class", *KINDS], _get_rows(counts["class"])),
        "<h2>Errors by what found, or dropped, it</h2>",
        make_table(
            ["found by", *KINDS],
            _get_rows({ORIGINS[name]: kinds for name, kinds in counts["origin"].items()}),
        ),
        make_table(["one by one", *KINDS], _get_rows(counts["found_by"])),
        "<h2>Messages</h2>",
        _list_cases(cases),
        *(_show(number, case) for number, case in enumerate(cases)),
    ]
    if left_out:
        parts.append(f"<p>{left_out} more messages have errors; --most shows more.</p>")
    return make_page(f"Errors on {name}", parts)


def _get_rows(counts: Mapping[str, Mapping[str, int]]) -> Iterator[list[str | int]]:
    for name, kinds in counts.items():
        yield [name, *(kinds[kind] for kind in KINDS)]


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
        told = f"{fault.kind} {fault.gold} → {fault.found}, {fault.by}{score}"
        text = doc.text[fault.start : fault.end]
        lines.append(f"<li>{escape(told)}: <q>{escape(text)}</q></li>")
    return (
        f'<div class="message" id="message-{number}"><b>{number + 1}. {escape(str(row["id"]))}</b>\n'
        f"annotated{_draw(doc.text, row['spans'])}\nfound{_draw(doc.text, found)}\n"
        f"<ul>{''.join(lines)}</ul></div>"
    )


def _draw(text: str, spans: Sequence[Mapping[str, Any]]) -> str:
    drawn = {"text": text, "ents": sorted(spans, key=lambda span: span["start"]), "title": None}
    options = {"colors": dict(zip(LABELS, COLOURS)), "template": ENTITY}
    return displacy.render(drawn, style="ent", manual=True, options=options, jupyter=False)
