"""Evaluate the surrogates of annotated conversations: whether one entity stays one, different
ones different, what gives them away to a reader (`lab.scripts.check_surrogates`), whether the
pipeline finds the surrogates where it would find the originals, and what becomes of dates, ages and
numbers that it has to find itself.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import spacy
import srsly
import typer
from spacy.language import Language
from spacy.tokens import Doc
from wasabi import msg, table

import components  # noqa: F401
from components.conversations.conversation import pipe_conversations
from components.lists.lists import read_lists
from components.measures.gold import read_messages
from components.shared.labels import LABELS
from components.surrogates.surrogate_generator import KEY_VARIABLE
from lab.measures.coreference import read_coreference
from lab.measures.predicted import count_predicted, tabulate_predicted
from lab.measures.replacing import KEY, replace_gold
from lab.measures.stranger import Stranger
from lab.measures.surrogate_mentions import count_kept, get_conversation, get_mentions
from lab.measures.surrogate_scores import (
    count_collisions,
    count_found,
    count_gender_clashes,
    count_identities,
)
from lab.scripts.check_surrogates import get_counts, print_checks
from lab.surrogate_checks import Known, make_talks, run_checks
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.markdown import fill_block, get_state


def evaluate_surrogates(
    model_path: Path = typer.Argument(..., help="The trained pipeline", exists=True),
    data_path: Path = typer.Argument(..., help="Annotated conversations, JSONL", exists=True),
    metrics_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    coreference_path: Path | None = typer.Option(
        None, "--coreference", help="Which spans are one entity, JSONL", exists=True
    ),
    lists_path: Path = typer.Option(Path("assets/lists"), "--lists", help="Word lists"),
    page: Annotated[
        Path | None, typer.Option(help="A page to write the table of what was found into")
    ] = None,
    show_cases: Annotated[
        bool, typer.Option("--cases", help="Print what is wrong where, which is PHI")
    ] = False,
) -> None:
    os.environ.setdefault(KEY_VARIABLE, KEY)
    with clean_errors():
        rows = read_messages(data_path)
        annotated = read_coreference(coreference_path) if coreference_path else {}
        lists = read_lists(str(lists_path))
        demand_pipeline(model_path)
    nlp = spacy.load(model_path)
    conversations: dict[str, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        conversations[get_conversation(row)].append(i)
    docs = replace_gold(nlp, rows)
    mentions = get_mentions(rows, docs, annotated)
    checks = run_checks(make_talks(rows, docs), Known(lists))
    before = read(nlp, [row["text"] for row in rows], conversations)
    after = read(nlp, [doc._.deidentified for doc in docs], conversations)
    stranger = Stranger(lists)
    figures = {
        "messages": len(rows),
        "conversations": len(conversations),
        "mentions": _by_label(Counter(mention.label for mention in mentions)),
        "kept": _by_label(count_kept(docs)),
        "identity": count_identities(mentions, stranger),
        "collisions": _by_label(count_collisions(mentions)),
        "gender_clashes": count_gender_clashes(mentions, stranger),
        "checks": get_counts(checks),
        "found": count_found(docs, before, after),
        "predicted": count_predicted(rows, before),
    }
    print_tables(figures)
    print_checks(checks, show_cases)
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, figures)
    msg.good("Figures written", metrics_path)
    if page is not None:
        state = f"`{data_path.stem}`, {len(rows)} messages; {get_state()}."
        with clean_errors():
            fill_block(page, "predicted", f"{tabulate_predicted(figures['predicted'])}\n\n{state}")
        msg.good("Page written", page)


def read(
    nlp: Language, texts: Sequence[str], conversations: Mapping[str, Sequence[int]]
) -> list[Doc]:
    """Let the pipeline find the entities, in whole conversations as it does in use.

    nlp (Language): The pipeline.
    texts (Sequence[str]): The texts.
    conversations (Mapping[str, Sequence[int]]): Which of them make a conversation, by its id.
    RETURNS (list[Doc]): The docs, one for each text.
    """
    docs = [nlp.make_doc(text) for text in texts]
    for name, indices in conversations.items():
        for i in indices:
            docs[i]._.conversation_id = name
    done = pipe_conversations(nlp, [[docs[i] for i in ids] for ids in conversations.values()])
    for indices, messages in zip(conversations.values(), done):
        for i, doc in zip(indices, messages):
            docs[i] = doc
    return docs


def _by_label(counts: Mapping[str, int]) -> dict[str, int]:
    return {"ALL": sum(counts.values()), **{k: counts[k] for k in LABELS if counts.get(k)}}


def print_tables(figures: dict[str, Any]) -> None:
    """Print the figures.

    figures (dict[str, Any]): What `evaluate_surrogates` writes.
    """
    msg.divider("One entity, one identity")
    _print(figures["identity"], ("mentions", "same", "share", "linkable", "linkable_share"))
    msg.divider("The pipeline reads again")
    _print(
        figures["found"],
        ("mentions", "originals", "surrogates", "share", "share_of_both", "share_covered"),
    )
    print(tabulate_predicted(figures["predicted"]))
    kept = ", ".join(f"{label} {count}" for label, count in figures["kept"].items())
    print(f"meant to stay, in no figure: {kept}")
    msg.divider("Wanted: none")
    clashes = {
        f"gender clashes, {name}": {"ALL": row["clashes"], "checked": row["checked"]}
        for name, row in figures["gender_clashes"].items()
    }
    for name, counts in {"collisions": figures["collisions"], **clashes}.items():
        print(f"{name}: {', '.join(f'{key} {count}' for key, count in counts.items())}")


def _print(rows: dict[str, dict[str, Any]], names: Sequence[str]) -> None:
    def show(value: float | None) -> str:
        return f"{value:.3f}" if isinstance(value, float) else str("" if value is None else value)

    cells = [[label, *(show(row[name]) for name in names)] for label, row in rows.items()]
    print(table(cells, header=["", *names], divider=True))


if __name__ == "__main__":
    typer.run(evaluate_surrogates)
