"""Make the training corpus: fill the message skeletons from the word lists.

Writes `train`, `dev` and `test`, each as JSONL and as `.spacy`. The same seed and material give
the same bytes on every machine.
"""

import time
from collections import Counter
from pathlib import Path

import typer

from components.swedish.lists import read_lists
from corpus_tools.errors import clean_errors
from corpus_tools.formats.docs import chat_language, write_docs
from corpus_tools.formats.jsonl import write_messages
from corpus_tools.generator.corpus import make_split, partition, read_extra
from corpus_tools.generator.skeletons import load_units


def make_corpus(
    messages: Path,
    lists: Path,
    out: Path,
    size: int = 8000,
    dev_size: int = 600,
    test_size: int = 600,
    seed: int = 0,
    invent: float = 0.25,
    extra: str = "",
    skeletons: int = 0,
) -> None:
    """Make the corpus.

    messages (Path): the folder of message skeletons.
    lists (Path): the folder of word lists.
    out (Path): the folder to write to.
    size (int): how many messages of training to make.
    dev_size (int): how many messages of dev to make.
    test_size (int): how many messages of test to make.
    seed (int): the seed.
    invent (float): the share of names, places and organisations that are in no list.
    extra (str): a JSONL file of annotated messages that join the training; empty for none.
    skeletons (int): how many skeletons to train on, for a learning curve: each number takes in
        all that a smaller one does; 0 for all.
    """
    with clean_errors():
        own = read_extra(Path(extra), size) if extra else []
        parts = partition(load_units(messages))
        words = read_lists(str(lists))
        if skeletons:
            parts["train"] = sorted(parts["train"], key=lambda unit: unit.digest)[:skeletons]
    nlp = chat_language()
    out.mkdir(parents=True, exist_ok=True)
    for split, count in (("train", size), ("dev", dev_size), ("test", test_size)):
        start = time.perf_counter()
        rows = make_split(parts[split], words, split, count, seed, invent)
        if split == "train":
            rows += own
        write_messages(out / f"{split}.jsonl", rows)
        misaligned = write_docs(out / f"{split}.spacy", rows, nlp)
        labels = Counter(span["label"] for row in rows for span in row["spans"])
        spans = labels.total()
        typer.echo(
            f"{split}: {len(rows)} messages from {len(parts[split])} skeletons "
            f"in {time.perf_counter() - start:.1f} s; {spans} spans, {misaligned} "
            f"({misaligned / max(spans, 1):.2%}) off token boundaries"
        )
        typer.echo("  " + ", ".join(f"{label} {n}" for label, n in sorted(labels.items())))
    if own:
        typer.echo(f"  with {len(own)} rows from {extra}, repeats counted")


if __name__ == "__main__":
    typer.run(make_corpus)
