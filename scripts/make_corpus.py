"""Make the training corpus: fill the message skeletons from the word lists, and put other names,
places, dates and numbers into messages that are written whole.

Writes `train`, `dev` and `test`, each as JSONL and as `.spacy`. The same seed and material give
the same bytes on every machine.
"""

import time
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import typer

from components.swedish.lists import read_lists
from training_tools.errors import clean_errors
from training_tools.formats.docs import chat_language, write_docs
from training_tools.formats.jsonl import write_messages
from training_tools.generator.corpus import (
    make_extra,
    make_natural,
    make_pass,
    make_split,
    mix,
    partition,
    read_extra,
)
from training_tools.generator.natural import Thread, deal, gather_threads, read_natural, take
from training_tools.generator.pseudonyms import Pseudonyms
from training_tools.generator.skeletons import load_units
from training_tools.generator.sources import make_wide_classes


def make_corpus(
    messages: Path,
    lists: Path,
    out: Path,
    size: int = 8000,
    dev_size: int = 600,
    test_size: int = 600,
    seed: int = 0,
    invent: float = 0.25,
    natural: str = "",
    natural_share: float = 0.5,
    natural_size: int | None = None,
    pseudonyms: bool = True,
    extra: str = "",
    keep_originals: bool = False,
    skeletons: int = 0,
) -> None:
    """Make the corpus.

    messages (Path): The folder of message skeletons.
    lists (Path): The folder of word lists.
    out (Path): The folder to write to.
    size (int): How many messages of training to make.
    dev_size (int): How many messages of dev to make; a tenth of the natural ones joins them.
    test_size (int): How many messages of test to make.
    seed (int): The seed.
    invent (float): The share of names, places and organisations that are in no list.
    natural (str): The folder of messages that are written whole; empty for none.
    natural_share (float): The share of the messages of training that come from them.
    natural_size (int | None): How many of them to train on, for a learning curve: each number
        takes in all that a smaller one does; all if it is not given.
    pseudonyms (bool): Whether they get other names, places, dates and numbers.
    extra (str): a JSONL file of annotated messages that join the training, with other names,
        places, dates and numbers; empty for none.
    keep_originals (bool): Whether these keep theirs.
    skeletons (int): How many skeletons to train on, for a learning curve: each number takes in
        all that a smaller one does; 0 for all.
    """

    @cache
    def get_pseudonyms(split: str) -> Pseudonyms:
        rng = Random(f"{seed}/{split}/pseudonyms")
        return Pseudonyms(make_wide_classes(words, split, invent, rng))

    with clean_errors():
        if not 0 <= natural_share <= 1:
            raise ValueError("--natural-share is a share: give a number from 0 to 1")
        own = read_extra(Path(extra)) if extra else []
        parts = partition(load_units(messages))
        words = read_lists(str(lists))
        if skeletons:
            parts["train"] = sorted(parts["train"], key=lambda unit: unit.digest)[:skeletons]
        whole: dict[str, list[Thread]] = {split: [] for split in parts}
        if natural:
            train, dev = deal(read_natural(Path(natural)))
            train = take(train, natural_size)
            wanted = round(size * natural_share)
            source = get_pseudonyms if pseudonyms else lambda split: None
            whole["train"] = make_natural(train, source("train"), wanted, seed)
            whole["dev"] = make_pass(dev, source("dev"), seed, "dev-natural")
        sizes = {"train": size - sum(map(len, whole["train"])), "dev": dev_size, "test": test_size}
        if own:
            replacer = None if keep_originals else get_pseudonyms("train")
            whole["train"] += make_extra(own, replacer, size, seed)
    nlp = chat_language()
    out.mkdir(parents=True, exist_ok=True)
    for split, count in sizes.items():
        start = time.perf_counter()
        made = make_split(parts[split], words, split, count, seed, invent)
        rows = mix([*gather_threads(made), *whole[split]], seed)
        write_messages(out / f"{split}.jsonl", rows)
        misaligned = write_docs(out / f"{split}.spacy", rows, nlp)
        labels = Counter(span["label"] for row in rows for span in row["spans"])
        spans = labels.total()
        typer.echo(
            f"{split}: {len(rows)} messages, {len(made)} of them from {len(parts[split])} skeletons, "
            f"in {time.perf_counter() - start:.1f} s; {spans} spans, {misaligned} "
            f"({misaligned / max(spans, 1):.2%}) off token boundaries"
        )
        typer.echo("  " + ", ".join(f"{label} {n}" for label, n in sorted(labels.items())))


if __name__ == "__main__":
    typer.run(make_corpus)
