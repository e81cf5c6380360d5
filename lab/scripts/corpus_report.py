"""Report what is in a corpus, beside other sets of messages, and check that its splits are apart.

    python -m lab.scripts.corpus_report corpus/train.jsonl corpus/dev.jsonl corpus/test.jsonl \
        --beside real=mine.jsonl --messages assets/messages --metrics metrics/corpus.json

Each file is a split, called by its stem or by what stands in front of a `=`. The tables are those
of the thesis for any corpus: frequency and uniqueness of each class, as annotated by rules (its
Table 4.1: give what `annotate-rules` wrote), in a sample (4.2), by split (4.3), and in another
corpus (4.4: `--beside`). They hold counts, never a value: a report on real messages is no PHI.

Fails with exit code 1 if two splits share a message but for what stands in its spans, or nearly;
if they share a surname; or if two skeletons (`--messages`) are one message.
"""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from components.lists.lists import read_lists
from components.measures.gold import Row, read_messages
from components.shared.labels import LABELS
from lab.measures.corpus import Profile, find_overlaps, find_twins, number, table, write_report
from scripts.lint_messages import twins as skeleton_twins
from training_tools.errors import clean_errors
from training_tools.formats.docs import chat_language
from training_tools.generator.skeletons import load_units

START, END = "<!-- corpus-report: start -->", "<!-- corpus-report: end -->"
SHOWN = 10


def corpus_report(
    corpora: Annotated[list[str], typer.Argument(help="JSONL files, one a split: [NAME=]FILE")],
    beside: Annotated[
        list[str], typer.Option(help="[NAME=]FILE to compare with; files of one name are one set")
    ] = [],  # noqa: B006
    lists: Annotated[Path, typer.Option(help="Word lists, to tell surnames")] = Path(
        "assets/lists"
    ),
    messages: Annotated[str, typer.Option(help="Folder of skeletons to check")] = "",
    output: Annotated[
        str, typer.Option(help="Markdown file; only what is between its marks is replaced")
    ] = "",
    metrics: Annotated[str, typer.Option(help="JSON file")] = "",
    plot: Annotated[str, typer.Option(help="Picture (.svg, .png), needs matplotlib")] = "",
    similar: Annotated[float, typer.Option(help="Likeness in per cent of near-duplicates")] = 85.0,
    check: Annotated[bool, typer.Option(help="Fail if the splits are not apart")] = True,
) -> None:
    """Report what is in a corpus and check that its splits are apart."""
    with clean_errors():
        pyplot = load_pyplot() if plot else None
        splits, others = read_sets(corpora), read_sets(beside)
        words = read_lists(str(lists))
        units = load_units(Path(messages)) if messages else []
    nlp = chat_language()
    profiles = {name: Profile(name).add(rows, nlp) for name, rows in splits.items()}
    whole = Profile("all")
    for profile in profiles.values():
        whole.join(profile)
    compared = {name: Profile(name).add(rows, nlp) for name, rows in others.items()}
    found = {
        "splits": {name: profile.metrics() for name, profile in profiles.items()},
        "all": whole.metrics(),
        "beside": {name: profile.metrics() for name, profile in compared.items()},
    }

    alike = find_twins(splits, similar)
    overlaps = find_overlaps(splits, words)
    copies = skeleton_twins(units, similar)
    found["checks"] = {
        "similar": similar,
        "near_duplicates_between_splits": len(alike),
        "shared_surnames": {f"{o.one}, {o.other}": o.shared for o in overlaps},
        "surnames_by_slip": {f"{o.one}, {o.other}": o.slips for o in overlaps},
        "skeletons": len(units),
        "near_duplicate_skeletons": len(copies),
    }
    text = write_report(found["splits"], found["all"], found["beside"])
    text += "\n### Are the splits apart?\n\n" + write_checks(found["checks"])
    if pyplot is not None:
        draw(pyplot, Path(plot), {"all": whole, **compared})
        where = Path(plot).name
        text += f"\n![Shares, uniqueness and lengths]({where})\n"
    if metrics:
        Path(metrics).parent.mkdir(parents=True, exist_ok=True)
        Path(metrics).write_text(json.dumps(found, indent=2) + "\n", encoding="utf8")
    if output:
        place(Path(output), text)
    else:
        typer.echo(text)

    if check:
        troubles = [f"{twin}: move one of them, or drop it" for twin in alike[:SHOWN]]
        if len(alike) > SHOWN:
            troubles.append(f"… {len(alike) - SHOWN} more pairs of messages that are alike")
        troubles += [
            f"{o.one} and {o.other} share {o.shared} surnames: deal them out by person"
            for o in overlaps
            if o.shared
        ]
        troubles += [str(problem) for problem in copies]
        for trouble in troubles:
            typer.echo(trouble, err=True)
        if troubles:
            raise typer.Exit(1)


def read_sets(named: list[str]) -> dict[str, list[Row]]:
    """Read sets of messages.

    named (list[str]): `NAME=FILE`, or a file that is called by its stem.
    RETURNS (dict[str, list[Row]]): the messages of each set; files of one name are one.
    """
    sets: dict[str, list[Row]] = {}
    for source in named:
        name, equals, file = source.partition("=")
        path = Path(file if equals and not Path(source).exists() else source)
        name = name if path != Path(source) else path.stem
        rows = read_messages(path)
        if not rows:
            raise ValueError(f"{path} holds no messages")
        sets.setdefault(name, []).extend(rows)
    return sets


def write_checks(checks: dict[str, Any]) -> str:
    """Write what the checks found, as a markdown table."""
    name = f"messages of two splits that are at least {checks['similar']:g} % alike"
    rows = [[name, number(checks["near_duplicates_between_splits"])]]
    for pair, shared in checks["shared_surnames"].items():
        slips = checks["surnames_by_slip"][pair]
        note = f" ({slips} more by a slip of the pen)" if slips else ""
        rows.append([f"surnames that {pair.replace(', ', ' and ')} share", f"{shared}{note}"])
    if checks["skeletons"]:
        name = f"near-duplicates among {number(checks['skeletons'])} skeletons"
        rows.append([name, number(checks["near_duplicate_skeletons"])])
    return table(["", "found"], rows)


def place(path: Path, text: str) -> None:
    """Write the report into a file: between the marks, if it has them, else instead of it.

    path (Path): the markdown file.
    text (str): the report.
    """
    before, after = "# Corpus\n\n", ""
    if path.exists():
        old = path.read_text(encoding="utf8")
        if START in old and END in old:
            before, rest = old.split(START, 1)
            after = rest.split(END, 1)[1]
    path.parent.mkdir(parents=True, exist_ok=True)
    after = after or "\n"
    path.write_text(f"{before}{START}\n\n{text}\n{END}{after}", encoding="utf8", newline="\n")


def load_pyplot() -> Any:
    """Import matplotlib, which only the plots need."""
    try:
        import matplotlib
        from matplotlib import pyplot
    except ImportError:
        message = "Plots need matplotlib: pip install 'matplotlib>=3.8,<4', or leave out --plot"
        raise ValueError(message) from None
    matplotlib.use("agg")
    # The same counts give the same file.
    matplotlib.rcParams.update({"svg.hashsalt": "corpus", "svg.fonttype": "none"})
    return pyplot


def draw(pyplot: Any, path: Path, profiles: dict[str, Profile]) -> None:
    """Draw shares, uniqueness and lengths side by side.

    pyplot (Any): matplotlib's.
    path (Path): the picture to write.
    profiles (dict[str, Profile]): the sets.
    """
    figure, (shares, uniqueness, lengths) = pyplot.subplots(1, 3, figsize=(14, 4))
    width = 0.8 / len(profiles)
    for index, (name, profile) in enumerate(profiles.items()):
        classes = profile.metrics()["classes"]
        spots = [spot + (index - (len(profiles) - 1) / 2) * width for spot in range(len(LABELS))]
        for axes, key in ((shares, "share"), (uniqueness, "uniqueness")):
            heights = [100 * classes[label][key] for label in LABELS]
            axes.bar(spots, heights, width, label=name)
        bins = range(0, 130, 5)
        weights = [100 / len(profile.tokens)] * len(profile.tokens)
        capped = [min(count, bins[-1]) for count in profile.tokens]
        lengths.hist(capped, bins, weights=weights, histtype="step", label=name, linewidth=1.5)
    for axes, title in ((shares, "Share of entities, %"), (uniqueness, "Uniqueness, %")):
        axes.set_title(title)
        axes.set_xticks(range(len(LABELS)), LABELS, rotation=30, ha="right", fontsize=7)
    lengths.set_title("Tokens in a message, % of messages")
    shares.legend()
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    dateless = {"Date": None} if path.suffix == ".svg" else None
    figure.savefig(path, metadata=dateless, dpi=120)
    pyplot.close(figure)


if __name__ == "__main__":
    typer.run(corpus_report)
