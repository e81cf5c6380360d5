"""The agreement of annotators: which messages are the same, how spans differ, and all as an outcome."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from components.measures.agreement import MEASURES, OUTSIDE, Matched
from components.measures.figures import write_share
from components.measures.gold import Row, Span
from components.measures.spans import to_char_span, to_char_spans
from components.shared.labels import LABELS
from training_tools.report.outcome import Outcome, Table

# How two spans that are not the same may differ.
AGREED, BOUNDS, CLASS, BOTH, ONE_ONLY = KINDS = (
    "agreed",
    "other bounds",
    "other class",
    "other bounds and class",
    "one only",
)
# By whether the bounds are the same, and the class.
KIND_OF = {(True, True): AGREED, (False, True): BOUNDS, (True, False): CLASS, (False, False): BOTH}
HEAD = ("κ, tokens", "F1, tokens", "F1, entities")
# Up to these it is called so (McHugh 2012).
BANDS = ((0.0, "no"), (0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))

Differences = Counter[tuple[str, str, str]]
"""How often the one's class stands against the other's, and in which of `KINDS`."""


def count_differences(matched: Matched) -> dict[str, Any]:
    """Count how the spans of each two annotators differ, by class and kind, and which classes they are."""
    differences = Differences()
    names = sorted({name for rows in matched for name in rows})
    for one, other in combinations(names, 2):
        for rows in matched:
            if one in rows and other in rows:
                differences += find_differences(rows[one]["spans"], rows[other]["spans"])
    return {
        "by_class": _count_by_class(differences),
        "confusions": _list_confusions(differences),
    }


def find_differences(one: Sequence[Span], other: Sequence[Span]) -> Differences:
    """Find how the spans of a message differ: each is compared with the one that it shares most with."""
    overlaps = [
        (min(a["end"], b["end"]) - max(a["start"], b["start"]), a["label"] == b["label"], i, j)
        for i, a in enumerate(one)
        for j, b in enumerate(other)
    ]
    found = Differences()
    left, right = set(range(len(one))), set(range(len(other)))
    for shared, same_class, i, j in sorted(overlaps, reverse=True):
        if shared > 0 and i in left and j in right:
            left.remove(i)
            right.remove(j)
            same_bounds = to_char_span(one[i])[:2] == to_char_span(other[j])[:2]
            found[one[i]["label"], other[j]["label"], KIND_OF[same_bounds, same_class]] += 1
    found.update((one[i]["label"], OUTSIDE, ONE_ONLY) for i in left)
    found.update((OUTSIDE, other[j]["label"], ONE_ONLY) for j in right)
    return found


def _count_by_class(differences: Differences) -> dict[str, dict[str, int]]:
    """Of each class how many spans differ in which of `KINDS`, whichever of the two has it."""
    rows = {label: dict.fromkeys(KINDS, 0) for label in LABELS}
    for (one, other, kind), count in differences.items():
        for label in {one, other} - {OUTSIDE}:
            rows[label][kind] += count
    return rows


def _list_confusions(differences: Mapping[tuple[str, str, str], int]) -> list[dict[str, Any]]:
    """Which class stands against which, in whatever order, most frequent first."""
    counts: Counter[tuple[str, ...]] = Counter()
    for (one, other, _), count in differences.items():
        if one != other:
            counts[tuple(sorted((one, other)))] += count
    return [{"classes": list(pair), "spans": count} for pair, count in counts.most_common()]


def match_messages(annotators: Mapping[str, Sequence[Row]]) -> Matched:
    """Bring together what several annotators made of the same message: by its id; by its text, where
    the files have no id in common (those without ids get the name of their file).
    """
    if len(annotators) < 2:
        raise ValueError("Agreement needs the files of two annotators at least.")
    key = "id" if _has_common(annotators, "id") else "text"
    if not _has_common(annotators, key):
        raise ValueError(
            f"{', '.join(annotators)} have no message in common, neither by id nor by text: give "
            "what was annotated of the same messages."
        )
    matched: dict[str, dict[str, Row]] = {}
    for name, rows in annotators.items():
        for row in rows:
            of_message = matched.setdefault(row[key], {})
            if name in of_message:
                raise ValueError(
                    f"{name} has the message {row['id']} twice (the same {key}): leave one out."
                )
            of_message[name] = row
    differ = [
        next(iter(rows.values()))["id"]
        for rows in matched.values()
        if len({row["text"] for row in rows.values()}) > 1
    ]
    if differ:
        raise ValueError(
            f"The texts of {len(differ)} messages differ between annotators, the first is "
            f"{differ[0]}: annotate the same text, and change nothing of it."
        )
    return [rows for rows in matched.values() if len(rows) > 1]


def _has_common(annotators: Mapping[str, Sequence[Row]], key: str) -> bool:
    counts = Counter(value for rows in annotators.values() for value in {row[key] for row in rows})
    return max(counts.values(), default=0) > 1


def find_disputed(matched: Matched) -> list[Row]:
    """Choose the messages whose spans differ, with those of each annotator under `annotators`."""
    disputed = []
    for rows in matched:
        spans = {
            name: [[*span] for span in to_char_spans(row["spans"])] for name, row in rows.items()
        }
        first, *others = spans.values()
        if any(other != first for other in others):
            disputed.append({**next(iter(rows.values())), "annotators": spans})
    return disputed


def make_outcome(figures: Mapping[str, Any], data: str = "") -> Outcome:
    mean = figures["mean"]
    rows = [["mean", *_write(mean)]]
    if len(figures["pairs"]) > 1:
        rows += [[" / ".join(pair["annotators"]), *_write(pair)] for pair in figures["pairs"]]
    classes = [[label, *_write(mean, f".{label}")] for label in LABELS]
    by_class = figures["differences"]["by_class"]
    kinds = [[label, *(str(by_class[label][kind]) for kind in KINDS)] for label in LABELS]
    confusions = [
        [" / ".join(row["classes"]), str(row["spans"])]
        for row in figures["differences"]["confusions"]
    ]
    tables = [
        Table("Annotators (95 % intervals)", ["", *HEAD], rows),
        Table("Classes, mean of the pairs", ["", *HEAD], classes),
        Table("Spans of either annotator, by what the other has there", ["", *KINDS], kinds),
    ]
    if confusions:
        title = "Which class stands against which (none: nothing)"
        tables.append(Table(title, ["classes", "spans"], confusions))
    return Outcome(
        name="agreement",
        title="Do the annotators agree?",
        says=describe(figures),
        figures=dict(figures),
        tables=tables,
        data=data,
    )


def describe(figures: Mapping[str, Any]) -> str:
    mean = figures["mean"]
    who = f"{len(figures['annotators'])} annotators on {figures['messages']} messages"
    if mean["kappa"] is None:
        return f"{who}: nobody has marked anything, so κ cannot be computed."
    kappa = write_share(mean["kappa"], mean["intervals"].get("kappa"))
    band = next((name for top, name in BANDS if mean["kappa"] <= top), "almost perfect")
    share = write_share(mean["f"], mean["intervals"].get("f"))
    return f"{who}: κ {kappa} over tokens, {band} agreement (McHugh 2012); F1 of entities {share}."


def _write(figures: Mapping[str, Any], suffix: str = "") -> list[str]:
    names = [f"{name}{suffix}" for name in MEASURES]
    return [
        "–" if figures[name] is None else write_share(figures[name], figures["intervals"].get(name))
        for name in names
    ]
