"""Teach the pretrained encoder what names look like."""

import random
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
import typer
from torch.nn.functional import cross_entropy
from transformers import AutoTokenizer, BertForMaskedLM, PreTrainedTokenizerBase
from wasabi import msg

from components.lists.lists import read_lists
from components.measures.gold import Row, read_messages
from components.shared.labels import NAMES
from training_tools.generator.natural import cut
from training_tools.generator.noise import assemble
from training_tools.generator.people import Population
from training_tools.pretraining import Steps, get_masked_loss

TAGS = ["O", *(f"{bi}-{label}" for label in NAMES for bi in "BI")]
IGNORE = -100
# How many of the people get another name: who is in the news has a name to know by heart.
RENAMED = 0.5
# Passes over the sentences; sentences in a step, beside half as many blocks of text.
EPOCHS, BATCH = 5, 48
RATE = 3e-4


def pretrain_names(
    encoder_path: Annotated[Path, typer.Argument(help="The encoder, changed in place")],
    ner_path: Annotated[Path, typer.Argument(help="Folder of annotated sentences, *.jsonl")],
    work_path: Annotated[Path, typer.Option(help="Packed text of the first stage")] = Path(
        "pretraining"
    ),
    seed: Annotated[int, typer.Option(help="Seed of everything random")] = 0,
) -> None:
    """Train token classification of people, places and organisations on open Swedish corpora, in several
    casings, half of the people under other names; with masked language modelling, so that nothing is
    forgotten.
    """
    torch.manual_seed(seed)
    rng = random.Random(seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = AutoTokenizer.from_pretrained(encoder_path)
    model = BertForMaskedLM.from_pretrained(encoder_path, torch_dtype=torch.float32).to(device)
    head = torch.nn.Linear(model.config.hidden_size, len(TAGS)).to(device)
    sentences = [row for path in sorted(ner_path.glob("*.jsonl")) for row in read_messages(path)]
    people = Population(read_lists("assets/lists"), "train", invent=0.3)
    # Of one pass over the text.
    blocks = np.concatenate([np.load(path) for path in work_path.glob("blocks-*-0-*-of-*.npy")])
    steps = EPOCHS * (len(sentences) // BATCH)
    trainer = Steps([*model.parameters(), *head.parameters()], RATE, steps, warmup=0.1)
    step, clock = 0, time.time()
    model.train()
    for _ in range(EPOCHS):
        rng.shuffle(sentences)
        losses: list[torch.Tensor] = []
        for start in range(0, len(sentences) - BATCH + 1, BATCH):
            rows = [rename(row, people, rng) for row in sentences[start : start + BATCH]]
            batch, tags = encode(rows, tokenizer, rng)
            with torch.autocast(device, dtype=torch.bfloat16):
                named = head(model.bert(**batch.to(device)).last_hidden_state)
            ner = cross_entropy(
                named.float().flatten(0, 1), tags.to(device).flatten(), ignore_index=IGNORE
            )
            chosen = np.random.default_rng([seed, step]).integers(0, len(blocks), BATCH // 2)
            mlm = get_masked_loss(model, blocks[chosen], tokenizer, step)
            trainer.make(step, 2 * ner + mlm)
            losses.append(torch.stack((ner.detach(), mlm.detach())))
            step += 1
        ner_mean, mlm_mean = torch.stack(losses).mean(0).tolist()
        seconds = time.time() - clock
        msg.text(f"step {step}/{steps}  ner {ner_mean:.3f}  mlm {mlm_mean:.3f}  {seconds:.0f} s")
    model.half().save_pretrained(encoder_path)
    msg.good("Encoder that knows names", encoder_path)


def rename(row: Row, people: Population, rng: random.Random) -> Row:
    """Give people other names of as many words, genitives kept."""
    segments = []
    for segment in cut(row):
        if segment.label == "PERSON" and rng.random() < RENAMED:
            origin, gender = people.origin(rng), rng.choice("fm")
            *firsts, last = segment.text.split(" ")
            draw = people.last if firsts or rng.random() < 0.5 else people.first
            new = [*(people.first(origin, gender, rng) for _ in firsts), draw(origin, gender, rng)]
            ending = "s" if last.endswith("s") and rng.random() < 0.7 else ""
            segment = replace(segment, text=" ".join(new) + ending)
        segments.append(segment)
    text, spans = assemble(segments)
    return {**row, "text": text, "spans": spans}


def encode(sentences: list[Row], tokenizer: PreTrainedTokenizerBase, rng: random.Random) -> tuple:
    """Encode sentences with the tag of each word piece. Casing changes, letters stay in place."""
    texts = []
    for row in sentences:
        fate = rng.random()
        text = row["text"]
        text = text.lower() if fate < 0.45 else text.upper() if fate < 0.52 else text
        texts.append(text if len(text) == len(row["text"]) else row["text"])
    batch = tokenizer(
        texts, padding=True, truncation=True, max_length=128, return_offsets_mapping=True,
        return_tensors="pt",
    )  # fmt: skip
    offsets = batch.pop("offset_mapping").tolist()
    tags = torch.full(batch["input_ids"].shape, IGNORE)
    for i, row in enumerate(sentences):
        for j, (start, end) in enumerate(offsets[i]):
            if start == end:
                continue
            tags[i, j] = 0
            for span in row["spans"]:
                if span["start"] <= start < span["end"]:
                    tag = f"{'B' if start == span['start'] else 'I'}-{span['label']}"
                    tags[i, j] = TAGS.index(tag)
    return batch, tags


if __name__ == "__main__":
    typer.run(pretrain_names)
