"""The attack as an outcome."""

from collections.abc import Mapping
from typing import Any

from components.measures.figures import write_share
from lab.attack.reader import OUTCOMES
from training_tools.report.outcome import Outcome, Plot, Table
from training_tools.report.plots import Line, draw_bars

SHOWN = {
    "top1": "found at the first guess",
    "top5": "among the first five",
    "above": "others ranked below, mean",
}
MOST = 3
PAPER = (
    "None of the papers attacks its output. In 001 two readers were asked which records had been changed; "
    "no program was."
)


def make_outcome(figures: Mapping[str, Any]) -> Outcome:
    """Make the outcome.

    figures (Mapping[str, Any]): `linking`, `signals`, `leaks`, `frequency` and what they were
        measured on; and `reader`, if a program was asked.
    RETURNS (Outcome): The outcome.
    """
    return Outcome(
        name="attack",
        title="Who is it? Re-identification by an attacker who knows the tool",
        says=describe(figures),
        figures=dict(figures),
        tables=[
            _tabulate_linking(figures["linking"]),
            _tabulate_signals(figures["signals"]),
            _tabulate_leaks(figures["leaks"]),
            _tabulate_frequency(figures["frequency"]),
            _tabulate_words(figures["rare_words"]),
            *([_tabulate_reader(figures["reader"])] if "reader" in figures else []),
        ],
        plots=[
            Plot(
                "Each signal by itself: others ranked below (.5 is chance)", _draw_signals(figures)
            ),
            Plot("Leaks told from surrogates, AUC (.5 is chance)", _draw_leaks(figures)),
        ],
        paper=PAPER,
        reader="manager",
    )


def describe(figures: Mapping[str, Any]) -> str:
    """Say what came out.

    figures (Mapping[str, Any]): The figures.
    RETURNS (str): Three sentences.
    """
    linking, leaks = figures["linking"], figures["leaks"]["all"]
    found = write_share(linking["top1"], linking["intervals"]["top1"])
    five = write_share(linking["top5"], linking["intervals"]["top5"])
    losses = rank_signals(figures["signals"], linking)
    most = ", ".join(f"{name} ({write_share(loss)})" for name, loss in losses[:MOST])
    hidden = f" (labels instead of {', '.join(figures['hidden'])})" if figures["hidden"] else ""
    text = (
        f"With a register of {figures['register']} people who are alike, visits and all, an attacker "
        f"finds {found} of {figures['people']} at the first guess{hidden} (chance "
        f"{write_share(linking['chance']['top1'])}), {five} among five. "
    )
    if losses:
        text += f"What helps most, by what is lost among five without it: {most}. "
    if leaks["auc"] is None:
        return f"{text}Of leaks there are too few to tell whether they hide."
    return (
        f"{text}Without a register: a missed entity looks more like one than a surrogate of its class "
        f"does in {write_share(leaks['auc'], leaks['interval'])} of pairs (.5: it hides)."
    )


def rank_signals(
    signals: Mapping[str, Mapping[str, Any]], linking: Mapping[str, Any]
) -> list[tuple[str, float]]:
    """Rank the signals by what the attacker loses without each.

    signals (Mapping[str, Mapping[str, Any]]): What `ablate` gives.
    linking (Mapping[str, Any]): The measures with all of them.
    RETURNS (list[tuple[str, float]]): Those without which fewer people are among five, by how many.
    """
    losses = [(name, linking["top5"] - row["without"]["top5"]) for name, row in signals.items()]
    return sorted((one for one in losses if one[1] > 0), key=lambda one: -one[1])


def _tabulate_linking(linking: Mapping[str, Any]) -> Table:
    rows = [
        [
            shown,
            write_share(linking[name], linking["intervals"][name]),
            _round(linking["chance"][name]),
        ]
        for name, shown in SHOWN.items()
    ]
    return Table("People found in the register (95 % intervals)", ["", "measured", "chance"], rows)


def _tabulate_signals(signals: Mapping[str, Mapping[str, Any]]) -> Table:
    rows = []
    for name, row in signals.items():
        alone, without = row["alone"], row["without"]
        rows.append(
            [
                name,
                str(row["told"]),
                write_share(row["kept"]),
                write_share(alone["above"], alone["intervals"]["above"]),
                write_share(without["top1"], without["intervals"]["top1"]),
                write_share(without["top5"], without["intervals"]["top5"]),
            ]
        )
    head = [
        "",
        "told",
        "kept",
        "alone: others below",
        "without: first guess",
        "without: first five",
    ]
    return Table(
        "What the attacker uses: how many conversations tell it, how often it is kept", head, rows
    )


def _tabulate_leaks(leaks: Mapping[str, Any]) -> Table:
    rows = []
    for name, row in {"all": leaks["all"], **leaks["classes"]}.items():
        counts = [name, str(row["items"]), str(row["leaks"])]
        if row["auc"] is None:
            rows.append([*counts, *["–"] * 4])
            continue
        auc = write_share(row["auc"], row["interval"])
        best = "–"
        if row["traits"]:
            trait = max(row["traits"], key=lambda one: row["traits"][one])
            best = f"{trait} ({write_share(row['traits'][trait])})"
        rows.append([*counts, auc, write_share(row["precision"]), write_share(row["base"]), best])
    head = ["", "entities", "leaks", "AUC", "precision", "by chance", "best trait (AUC)"]
    return Table("Leaks among surrogates, told by the output alone", head, rows)


def _tabulate_frequency(frequency: Mapping[str, Any]) -> Table:
    rows = [
        [name, write_share(row["found"]), write_share(row["mean"], row["chance"])]
        for name, row in frequency.items()
    ]
    return Table("Originals guessed by frequency", ["", "guessed", "by chance (95 %)"], rows)


def _tabulate_words(words: Mapping[str, Any]) -> Table:
    row = [
        str(words["conversations"]),
        write_share(words["share"], words["interval"]),
        f"{words['mean']:.2f}",
    ]
    title = "Rare words left beside what is annotated: in no list, and in no other conversation"
    return Table(title, ["conversations", "have any", "mean"], [row])


def _tabulate_reader(reader: Mapping[str, Any]) -> Table:
    rows = [
        [
            side,
            write_share(each["share"], each["interval"]),
            _round(each["chance"]),
            *(str(each[name]) for name in ("asked", *OUTCOMES)),
        ]
        for side, each in reader.items()
    ]
    title = "Who is it, of a few people of the register? Told by a program that reads"
    return Table(title, ["reading", "found", "by chance", "asked", *OUTCOMES], rows)


def _round(value: float) -> str:
    return f"{value:.4f}".removeprefix("0")


def _draw_signals(figures: Mapping[str, Any]) -> str:
    rows = {"all": figures["linking"]}
    rows |= {name: row["alone"] for name, row in figures["signals"].items() if row["told"]}
    return _draw(rows, "others ranked below", "above", lambda row: row["intervals"]["above"])


def _draw_leaks(figures: Mapping[str, Any]) -> str:
    leaks = figures["leaks"]
    rows = {"all": leaks["all"], **leaks["classes"]}
    rows = {name: row for name, row in rows.items() if row["auc"] is not None}
    return _draw(rows, "AUC", "auc", lambda row: row["interval"] or [row["auc"]] * 2)


def _draw(rows: Mapping[str, Any], shown: str, name: str, get_bounds: Any) -> str:
    values = [row[name] for row in rows.values()]
    bounds = [get_bounds(row) for row in rows.values()]
    lows = [min(low, value) for (low, _), value in zip(bounds, values)]
    highs = [max(high, value) for (_, high), value in zip(bounds, values)]
    return draw_bars({shown: Line([*rows], values, lows, highs)}, shown)
