"""The report of a run, for people (HTML) and for programs (JSON). It holds nothing of any text."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..tables.storage import Disk
from .concerns import find_concerns
from .copied_columns import CELLS, FORM, FOUND
from .pages import NOTHING, render, write_number, write_share
from .run_facts import About
from .shares import add_up, get_figures, turn
from .summary import ALL_SOURCES, CONFIDENCES, ENTITIES, LENGTHS, Summary, order_labels

SUFFIXES = (".html", ".json")
TITLE = "De-identification of messages"
# Of which bins of lengths the page makes one.
COARSE = (0, 1, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000)


class Table(NamedTuple):
    """A table of the page: what it shows, the names of its columns, its cells by row, and whether a bar
    draws the second cell of each row."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str | int]]
    bars: bool = False


def write_report(path: Path, summary: Summary, about: About) -> None:
    """Write the report of a run, for its owner only.

    path (Path): The file, which tells by its suffix what it is to be: `.html` or `.json`.
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
    """Put together what a report tells."""
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
    summary = Summary.from_dict(report["counts"])
    tables = {
        "entities": _tabulate_entities(summary),
        "confidence": _tabulate_confidence(summary),
        "messages": Table(
            "Messages",
            ["which", "messages"],
            [
                ["all", summary.messages],
                ["empty", summary.empty],
                ["in which something was replaced", summary.touched],
                ["masked whole, as the pipeline failed", summary.failed.total()],
                ["masked whole, withheld", summary.withheld.total()],
            ],
        ),
        "lengths": _tabulate_bins("length in characters", summary.lengths, LENGTHS, COARSE),
        "entities_of_messages": _tabulate_bins("entities", summary.entities, ENTITIES, ENTITIES),
        "languages": Table(
            "Messages by language (ISO 639)",
            ["language", "messages", "share"],
            [
                [name, count, write_share(count / summary.languages.total())]
                for name, count in _sort(summary.languages)
            ],
            bars=True,
        ),
        "columns": _tabulate_columns(summary),
        "reasons": [
            Table(caption, ["reason", "count"], _sort(counts))
            for caption, counts in (
                ("Rows that were rejected, by reason", summary.rejected),
                ("Messages that were masked whole, by the pipe that failed", summary.failed),
                ("Messages that were withheld and masked whole, by reason", summary.withheld),
            )
            if counts
        ],
        "run": Table("What ran, and how", ["setting", "value"], _list_settings(report["about"])),
    }
    return render("run_report.html", title=TITLE, **report, summary=summary, tables=tables)


def _sort(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


def _tabulate_entities(summary: Summary) -> list[Table]:
    labels = order_labels((*summary.found, *summary.replaced, *summary.kept))
    if not labels:
        return []
    found = {label: summary.found.get(label, Counter()).total() for label in labels}
    sources = turn(summary.found)
    totals = Counter({source: counts.total() for source, counts in sources.items()})
    each = {
        name: sum(total for source, total in totals.items() if name in source.split("+"))
        for name in ALL_SOURCES
    }
    return [
        Table(
            "Entities by class",
            ["class", "found", "replaced", "kept"],
            [[name, found[name], summary.replaced[name], summary.kept[name]] for name in labels],
            bars=True,
        ),
        Table(
            "Entities by what found them",
            ["found by", "entities", *labels],
            [
                [source, total, *(sources[source][label] for label in labels)]
                for source, total in _sort(totals)
            ],
        ),
        Table(
            "Entities by each of those that found them: one that several found is counted for each",
            ["found by", "entities", "by it alone"],
            [[name, count, totals[name]] for name, count in each.items()],
            bars=True,
        ),
    ]


def _tabulate_confidence(summary: Summary) -> Table | None:
    total = add_up(summary.confidence.values())
    if not total:
        return None
    labels = order_labels(summary.confidence)
    return Table(
        "Entities by confidence: the highest score among what found them",
        ["from", "entities", *labels],
        [
            [tenth, total[tenth], *(summary.confidence[label][tenth] for label in labels)]
            for tenth in map(str, CONFIDENCES)
        ],
        bars=True,
    )


def _tabulate_columns(summary: Summary) -> Table:
    return Table(
        "Cells of columns beside the texts that hold what is replaced in the texts, or are of a form",
        ["column", "holds", "cells", "found in the texts", "of the form"],
        [
            [name, label, counts[CELLS], counts[f"{FOUND} {label}"], counts[f"{FORM} {label}"]]
            for name, labels in summary.find_copied().items()
            for counts in (summary.columns[name],)
            for label in labels
        ],
    )


def _tabulate_bins(
    unit: str, counts: Counter[str], bounds: Sequence[int], coarse: Sequence[int]
) -> Table:
    """The bins up to the last with something in it."""
    sums = Counter({bound: 0 for bound in coarse})
    for bound in bounds:
        sums[max(low for low in coarse if low <= bound)] += counts[str(bound)]
    last = max((place for place, low in enumerate(coarse) if sums[low]), default=0)
    ends = [high - 1 for high in coarse[1:]] + [None]
    rows = [
        (
            f"{low:,}" if low == end else f"{low:,} to {end:,}" if end else f"{low:,} and more",
            sums[low],
        )
        for low, end in zip(coarse[: last + 1], ends)
    ]
    return Table(f"Messages by {unit}", [unit, "messages"], rows, bars=True)


def _list_settings(about: dict[str, Any]) -> list[tuple[str, str]]:
    source = about["input"]
    rows = {
        "began (UTC)": about["start"].removesuffix("+00:00").replace("T", " "),
        "took": _write_seconds(about["seconds"]),
        "rows a second": write_number(about["rows_per_second"]),
        "rows of an earlier run that was resumed": f"{about['resumed_rows']:,}",
        "processes": str(about["processes"]),
        "SV_DEID_KEY was set": _write_setting(about["key_was_set"]),
        "threshold": _write_setting(about["threshold"]),
        "strategy": _write_setting(about["strategy"]),
        "input files": f"{source['files']:,}",
        "format": source["format"] or NOTHING,
        **({"names": ", ".join(source["names"])} if source["names"] else {}),
        **{f"option {name}": _write_setting(value) for name, value in about["options"].items()},
        **about["versions"],
    }
    return [*rows.items()]


def _write_setting(value: Any) -> str:
    if value is None:
        return NOTHING
    if isinstance(value, dict):
        return ", ".join(f"{name} {_write_setting(each)}" for name, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(_write_setting, value)) or NOTHING
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _write_seconds(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s"
