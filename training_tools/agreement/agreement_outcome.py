"""The agreement of annotators as an outcome."""

from collections.abc import Mapping
from typing import Any

from components.measures.agreement import MEASURES
from components.measures.figures import write_share
from components.shared.labels import LABELS
from training_tools.agreement.differences import KINDS
from training_tools.report.outcome import Outcome, Table

HEAD = ("κ, tokens", "F1, tokens", "F1, entities")
# Up to these it is called so (McHugh 2012).
BANDS = ((0.0, "no"), (0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))


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
