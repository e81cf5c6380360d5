"""Make the training corpus."""

import time
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Annotated

import typer
from spacy.util import load_config

from components.lists.lists import read_lists
from components.measures.gold import write_messages
from training_tools.errors import clean_errors
from training_tools.formats.docs import chat_language, write_docs
from training_tools.generator.corpus import (
    make_extra,
    make_natural,
    make_pass,
    make_split,
    mix,
    partition,
    read_extra,
)
from training_tools.generator.natural import Thread, deal, gather_threads, get_digest, read_natural
from training_tools.generator.pseudonyms import Pseudonyms
from training_tools.generator.skeletons import load_units
from training_tools.generator.sources import make_wide_classes
from training_tools.head import choose_head
from training_tools.options import Encoder, FromHead
from training_tools.public_lists import read_rare_names
from training_tools.steps import plan_size


def make_corpus(
    messages: Annotated[Path, typer.Argument(help="Folder of the message skeletons")],
    lists: Annotated[Path, typer.Argument(help="Folder of the word lists")],
    out: Annotated[Path, typer.Argument(help="Folder to write to")],
    size: Annotated[
        int,
        typer.Option(help="How many messages of training to make; 0: as many as --config plans"),
    ] = 8000,
    dev_size: Annotated[
        int, typer.Option(help="How many of dev; a tenth of the natural ones joins them")
    ] = 600,
    test_size: Annotated[int, typer.Option(help="How many of test")] = 600,
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes")] = 0,
    invent: Annotated[
        float, typer.Option(help="Share of names, places, organisations that are in no list")
    ] = 0.25,
    natural: Annotated[
        str, typer.Option(help="Folder of messages that are written whole; empty for none")
    ] = "",
    natural_share: Annotated[
        float, typer.Option(help="Share of the messages of training that come from them")
    ] = 0.5,
    names: Annotated[
        str,
        typer.Option(
            help="Folder of public lists of names: of people whose names are mixed, half have one of these; "
            "empty for none"
        ),
    ] = "",
    extra: Annotated[
        str,
        typer.Option(
            help="Annotated messages, JSONL, to join the training with other names, places, dates and "
            "numbers; empty for none"
        ),
    ] = "",
    keep_originals: Annotated[bool, typer.Option(help="Leave these as they are")] = False,
    config_path: Annotated[
        str, typer.Option("--config", help="The config that the corpus is for")
    ] = "",
    encoder: Encoder = "",
    from_head: FromHead = True,
) -> None:
    """Fill the message skeletons from the word lists, and put other names, places, dates and numbers into
    messages that are written whole. Writes train, dev and test, each as JSONL and as .spacy.
    """

    @cache
    def get_pseudonyms(split: str) -> Pseudonyms:
        rng = Random(f"{seed}/{split}/pseudonyms")
        ordinary = make_wide_classes(words, split, invent, rng)
        return Pseudonyms(ordinary, make_wide_classes(words, split, invent, rng, rare))

    with clean_errors():
        if not 0 <= natural_share <= 1:
            raise ValueError("--natural-share is a share: give a number from 0 to 1")
        own = read_extra(Path(extra)) if extra else []
        if not size:
            given = {"paths.encoder": encoder} if encoder else {}
            config = load_config(config_path, overrides=given, interpolate=True)
            has_head = from_head and choose_head(config) is not None
            size = plan_size(config, has_head, len(own))
        skeletons = partition(load_units(messages))
        words = read_lists(str(lists))
        rare = read_rare_names(Path(names), words) if names else {}
        whole: dict[str, list[Thread]] = {split: [] for split in skeletons}
        if natural:
            train, dev = deal(read_natural(Path(natural)))
            train.sort(key=get_digest)
            wanted = round(size * natural_share)
            whole["train"] = make_natural(train, get_pseudonyms("train"), wanted, seed)
            whole["dev"] = make_pass(dev, get_pseudonyms("dev"), seed, "dev-natural")
        sizes = {"train": size - sum(map(len, whole["train"])), "dev": dev_size, "test": test_size}
        if own:
            replacer = None if keep_originals else get_pseudonyms("train")
            whole["train"] += make_extra(own, replacer, size, seed)
    nlp = chat_language()
    out.mkdir(parents=True, exist_ok=True)
    for split, count in sizes.items():
        start = time.perf_counter()
        made = make_split(skeletons[split], words, split, count, seed, invent)
        rows = mix([*gather_threads(made), *whole[split]], seed)
        write_messages(out / f"{split}.jsonl", rows)
        misaligned = write_docs(out / f"{split}.spacy", rows, nlp)
        labels = Counter(span["label"] for row in rows for span in row["spans"])
        spans = labels.total()
        typer.echo(
            f"{split}: {len(rows)} messages, {len(made)} of them from {len(skeletons[split])} skeletons, "
            f"in {time.perf_counter() - start:.1f} s; {spans} spans, {misaligned} "
            f"({misaligned / max(spans, 1):.2%}) off token boundaries"
        )
        typer.echo("  " + ", ".join(f"{label} {n}" for label, n in sorted(labels.items())))


if __name__ == "__main__":
    typer.run(make_corpus)
