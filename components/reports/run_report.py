"""The report of a run, for people (HTML) and for programs (JSON). It holds nothing of any text."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ..tables.storage import Disk
from .concerns import find_concerns, write_percent
from .copied_columns import CELLS, FORM, FOUND
from .html_page import make_page, make_table
from .run_facts import About
from .shares import add_up, get_figures, turn
from .summary import ALL_SOURCES, CONFIDENCES, ENTITIES, LENGTHS, Summary, order_labels

SUFFIXES = (".html", ".json")
TITLE = "De-identification of messages"
# Of which bins of lengths the page makes one.
COARSE = (0, 1, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000)
NOTHING = "–"


def write_report(path: Path, summary: Summary, about: About) -> None:
    """Write the report of a run, for its owner only.

    path (Path): The file, which tells by its suffix what it is to be: `.html` or `.json`.
    summary (Summary): The counts.
    about (About): The run.
    RAISES (ValueError): If it has another suffix.
    RAISES (OSError): If it cannot be written.
    """
    check_suffix(path)
    report = make_report(summary, about)
    is_json = path.suffix.lower() == ".json"
    text = json.dumps(report, indent=2, ensure_ascii=False) + "\n" if is_json else _draw(report)
    Disk().write(str(path), text.encode("utf8"))


def check_suffix(path: Path) -> None:
    """Look whether a report can be written to a path, before there is one."""
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"A report is a file that ends with {' or '.join(SUFFIXES)}.")


def make_report(summary: Summary, about: About) -> dict[str, Any]:
    """Put together what a report tells.

    summary (Summary): The counts.
    about (About): The run.
    RETURNS (dict[str, Any]): For JSON: `warnings`, `about`, `figures` and `counts`.
    """
    n_rows = summary.rows + summary.rejected.total()
    return {
        "warnings": find_concerns(summary, about.has_key),
        "about": about.to_dict(n_rows),
        "figures": {
            name: None if value is None else round(value, 6)
            for name, value in get_figures(summary).items()
        },
        "counts": summary.to_dict(),
    }


def _draw(report: dict[str, Any]) -> str:
    summary, figures = Summary.from_dict(report["counts"]), report["figures"]
    parts = [
        *_warn(report["warnings"]),
        _draw_cards(summary, figures, report["about"]),
        *_draw_entities(summary),
        *_draw_confidence(summary, figures),
        *_draw_messages(summary, figures),
        *_draw_columns(summary),
        *_draw_reasons(summary),
        *_draw_about(report["about"]),
    ]
    return make_page(TITLE, parts)


def _warn(warnings: Sequence[str]) -> Iterator[str]:
    yield (
        '<p class="soft">Counts only: nothing of any message is in this report. They tell what was '
        "replaced, not what was missed.</p>"
    )
    if warnings:
        items = "".join(f"<li>{escape(text)}</li>" for text in warnings)
        yield f'<section class="warnings"><p><b>To be looked at</b></p><ul>{items}</ul></section>'
    else:
        yield '<p class="fine">Nothing stands out.</p>'


def _draw_cards(summary: Summary, figures: dict[str, Any], about: dict[str, Any]) -> str:
    cards = {
        "rows de-identified": f"{summary.rows:,}",
        "rows rejected": f"{summary.rejected.total():,}",
        "messages touched": _write_share(figures["touched_share"]),
        "entities replaced": f"{summary.replaced.total():,}",
        "entities kept": f"{summary.kept.total():,}",
        "rows a second": _write_number(about["rows_per_second"]),
    }
    items = "".join(f"<li><b>{value}</b>{escape(name)}</li>" for name, value in cards.items())
    return f'<ul class="cards">{items}</ul>'


def _draw_entities(summary: Summary) -> Iterator[str]:
    yield "<h2>What was found</h2>"
    labels = order_labels((*summary.found, *summary.replaced, *summary.kept))
    if not labels:
        yield "<p>Nothing.</p>"
        return
    found = {label: summary.found.get(label, Counter()).total() for label in labels}
    yield make_table(
        "Entities by class",
        ["class", "found", "replaced", "kept"],
        [[label, found[label], summary.replaced[label], summary.kept[label]] for label in labels],
        bars=True,
    )
    sources = turn(summary.found)
    order = sorted(sources, key=lambda source: (-sources[source].total(), source))
    yield make_table(
        "Entities by what found them",
        ["found by", "entities", *labels],
        [
            [source, sources[source].total(), *(sources[source][label] for label in labels)]
            for source in order
        ],
    )
    each = {
        name: sum(
            counter.total() for source, counter in sources.items() if name in source.split("+")
        )
        for name in ALL_SOURCES
    }
    yield make_table(
        "Entities by each of those that found them: one that several found is counted for each",
        ["found by", "entities", "by it alone"],
        [[name, count, sources.get(name, Counter()).total()] for name, count in each.items()],
        bars=True,
    )


def _draw_confidence(summary: Summary, figures: dict[str, Any]) -> Iterator[str]:
    total = add_up(summary.confidence.values())
    if not total:
        return
    yield "<h2>How sure it was</h2>"
    yield (
        f"<p>{_write_share(figures['sure_share'])} of the entities have a confidence of 0.9 or more, "
        f"{_write_share(figures['doubtful_share'])} one under 0.5.</p>"
    )
    labels = order_labels(summary.confidence)
    tenths = [str(tenth) for tenth in CONFIDENCES]
    yield make_table(
        "Entities by confidence: the highest score among what found them",
        ["from", "entities", *labels],
        [
            [tenth, total[tenth], *(summary.confidence[label][tenth] for label in labels)]
            for tenth in tenths
        ],
        bars=True,
    )


def _draw_messages(summary: Summary, figures: dict[str, Any]) -> Iterator[str]:
    yield "<h2>The messages</h2>"
    yield make_table(
        "Messages",
        ["which", "messages"],
        [
            ["all", summary.messages],
            ["empty", summary.empty],
            ["in which something was replaced", summary.touched],
            ["masked whole, as the pipeline failed", summary.failed.total()],
            ["masked whole, withheld", summary.withheld.total()],
        ],
    )
    if summary.messages:
        length = {
            name: _write_number(figures[f"length_{name}"], 0) for name in ("p10", "p90", "p99")
        }
        yield (
            f"<p>{summary.characters:,} characters, {_write_number(figures['length_mean'])} a message. "
            f"About half of the messages have {_write_number(figures['length_median'], 0)} or less, one "
            f"in ten {length['p10']} or less, nine in ten {length['p90']} or less, 99 of 100 "
            f"{length['p99']} or less.</p>"
        )
        yield _draw_histogram("length in characters", summary.lengths, LENGTHS, COARSE)
        yield f"<p>{_write_number(figures['entities_per_message'], 2)} entities a message.</p>"
        yield _draw_histogram("entities", summary.entities, ENTITIES, ENTITIES)
    if summary.languages:
        languages = sorted(summary.languages.items(), key=lambda each: (-each[1], each[0]))
        yield make_table(
            "Messages by language (ISO 639)",
            ["language", "messages", "share"],
            [
                [name, count, _write_share(count / summary.languages.total())]
                for name, count in languages
            ],
            bars=True,
        )
    else:
        yield "<p>Nobody looked for their languages.</p>"


def _draw_columns(summary: Summary) -> Iterator[str]:
    copied = summary.find_copied()
    if not copied:
        return
    yield "<h2>Columns that are copied as they are</h2>"
    yield make_table(
        "Cells of columns beside the texts that hold what is replaced in the texts, or are of a form",
        ["column", "holds", "cells", "found in the texts", "of the form"],
        [
            [
                name,
                label,
                counts[CELLS],
                counts[f"{FOUND} {label}"],
                counts[f"{FORM} {label}"],
            ]
            for name, labels in copied.items()
            for counts in (summary.columns[name],)
            for label in labels
        ],
    )


def _draw_histogram(
    unit: str, counts: Counter[str], bounds: Sequence[int], coarse: Sequence[int]
) -> str:
    """Draw the bins up to the last with something in it."""
    sums = Counter({bound: 0 for bound in coarse})
    for bound in bounds:
        sums[max(low for low in coarse if low <= bound)] += counts[str(bound)]
    caption = f"Messages by {unit}"
    last = max((place for place, low in enumerate(coarse) if sums[low]), default=0)
    ends = [high - 1 for high in coarse[1:]] + [None]
    rows = [
        (
            f"{low:,}" if low == end else f"{low:,} to {end:,}" if end else f"{low:,} and more",
            sums[low],
        )
        for low, end in zip(coarse[: last + 1], ends)
    ]
    return make_table(caption, [unit, "messages"], rows, bars=True)


def _draw_reasons(summary: Summary) -> Iterator[str]:
    for caption, counts in (
        ("Rows that were rejected, by reason", summary.rejected),
        ("Messages that were masked whole, by the pipe that failed", summary.failed),
        ("Messages that were withheld and masked whole, by reason", summary.withheld),
    ):
        if counts:
            reasons = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
            yield f"<h2>{caption.split(',')[0]}</h2>"
            yield make_table(caption, ["reason", "count"], reasons)


def _draw_about(about: dict[str, Any]) -> Iterator[str]:
    yield "<h2>The run</h2>"
    source = about["input"]
    rows = {
        "began (UTC)": about["start"].removesuffix("+00:00").replace("T", " "),
        "took": _write_seconds(about["seconds"]),
        "rows a second": _write_number(about["rows_per_second"]),
        "rows of an earlier run that was resumed": f"{about['resumed_rows']:,}",
        "processes": str(about["processes"]),
        "SV_DEID_KEY was set": "yes" if about["key_was_set"] else "no",
        "threshold": _write_setting(about["threshold"]),
        "strategy": _write_setting(about["strategy"]),
        "input files": f"{source['files']:,}",
        "format": source["format"] or NOTHING,
        **({"names": ", ".join(source["names"])} if source["names"] else {}),
        **{f"option {name}": _write_setting(value) for name, value in about["options"].items()},
        **about["versions"],
    }
    yield make_table("What ran, and how", ["setting", "value"], [*rows.items()])


def _write_setting(value: Any) -> str:
    if value is None:
        return NOTHING
    if isinstance(value, dict):
        return ", ".join(f"{name} {_write_setting(each)}" for name, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(_write_setting, value)) or NOTHING
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _write_share(share: float | None) -> str:
    # The sign stays on the line of the number.
    return NOTHING if share is None else write_percent(share).replace(" ", "\u00a0")


def _write_number(value: float | None, digits: int = 1) -> str:
    return NOTHING if value is None else f"{value:,.{digits}f}"


def _write_seconds(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s"
