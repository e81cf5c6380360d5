"""The report of a run, for people (HTML) and for programs (JSON). It holds nothing of any text."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..tables.storage import Disk
from .concerns import find_concerns
from .copied_columns import CELLS, FORM, FOUND
from .pages import NOTHING, render, write_number, write_share
from .run_facts import About
from .shares import get_figures, turn
from .summary import ALL_SOURCES, CONFIDENCES, ENTITIES, LENGTHS, Summary, order_labels

SUFFIXES = (".html", ".json")
TITLE = "De-identification of messages"
# Of which bins of lengths the page makes one.
COARSE = (0, 1, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000)


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
    found = turn(summary.found)
    sources = Counter({source: counts.total() for source, counts in found.items()})
    labels = order_labels((*summary.found, *summary.replaced, *summary.kept))
    confidence, sure_labels = (
        sum(summary.confidence.values(), Counter()),
        order_labels(summary.confidence),
    )
    rows: dict[str, Sequence[Sequence[str | int]]] = {
        "classes": [
            [
                name,
                sum(summary.found.get(name, {}).values()),
                summary.replaced[name],
                summary.kept[name],
            ]
            for name in labels
        ],
        "sources": [
            [source, total, *(found[source][label] for label in labels)]
            for source, total in _sort(sources)
        ],
        "each": [
            [
                name,
                sum(n for source, n in sources.items() if name in source.split("+")),
                sources[name],
            ]
            for name in ALL_SOURCES
        ],
        "confidence": [
            [tenth, confidence[tenth], *(summary.confidence[name][tenth] for name in sure_labels)]
            for tenth in map(str, CONFIDENCES)
        ],
        "lengths": _count_bins(summary.lengths, LENGTHS, COARSE),
        "entities": _count_bins(summary.entities, ENTITIES, ENTITIES),
        "languages": [
            [name, count, write_share(count / summary.languages.total())]
            for name, count in _sort(summary.languages)
        ],
        "columns": [
            [name, label, counts[CELLS], counts[f"{FOUND} {label}"], counts[f"{FORM} {label}"]]
            for name, held in summary.find_copied().items()
            for counts in (summary.columns[name],)
            for label in held
        ],
        "rejected": _sort(summary.rejected),
        "failed": _sort(summary.failed),
        "withheld": _sort(summary.withheld),
        "run": _list_settings(report["about"]),
    }
    heads = {"sources": labels, "confidence": sure_labels}
    return render(
        "run_report.html", title=TITLE, **report, summary=summary, rows=rows, labels=heads
    )


def _sort(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


def _count_bins(
    counts: Counter[str], bounds: Sequence[int], coarse: Sequence[int]
) -> list[tuple[str, int]]:
    """The messages of each bin, up to the last with something in it."""
    sums = Counter({bound: 0 for bound in coarse})
    for bound in bounds:
        sums[max(low for low in coarse if low <= bound)] += counts[str(bound)]
    last = max((place for place, low in enumerate(coarse) if sums[low]), default=0)
    ends = [high - 1 for high in coarse[1:]] + [None]
    return [
        (
            f"{low:,}" if low == end else f"{low:,} to {end:,}" if end else f"{low:,} and more",
            sums[low],
        )
        for low, end in zip(coarse[: last + 1], ends)
    ]


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
