"""Teach the pretrained encoder what names look like: token classification of people, places and
organisations on open Swedish corpora, in several casings, half of the people under other names,
together with masked language modelling so that it forgets nothing.
"""

import random
import time
from pathlib import Path

import numpy as np
import torch
import typer
from transformers import BertForMaskedLM, BertTokenizerFast
from wasabi import msg

from components.labels import NAMES
from components.measures.gold import Row, read_messages
from components.swedish.lists import read_lists
from scripts.pretrain_encoder import get_continues, mask_words
from training_tools.generator.people import Population

TAGS = ["O", *(f"{bi}-{label}" for label in NAMES for bi in "BI")]
IGNORE = -100
# How many of the people get another name: who is in the news has a name to know by heart.
RENAMED = 0.5


def pretrain_names(
    encoder_path: Path = typer.Argument(..., help="The encoder, changed in place"),
    ner_path: Path = typer.Argument(..., help="Folder of annotated sentences, *.jsonl"),
    work_path: Path = typer.Option(Path("pretraining"), help="Packed text of the first stage"),
    lists_path: Path = typer.Option(Path("assets/lists"), help="Lists to draw other names from"),
    epochs: int = typer.Option(5, help="Passes over the sentences"),
    batch_size: int = typer.Option(
        48, help="Sentences in a step, beside half as many blocks of text"
    ),
    learning_rate: float = typer.Option(3e-4, help="Peak learning rate"),
    threads: int = typer.Option(0, help="CPU threads, 0 for all"),
    seed: int = typer.Option(0, help="Seed of everything random"),
) -> None:
    if threads:
        torch.set_num_threads(threads)
    torch.manual_seed(seed)
    rng = random.Random(seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = BertTokenizerFast.from_pretrained(encoder_path)
    model = BertForMaskedLM.from_pretrained(encoder_path, torch_dtype=torch.float32).to(device)
    head = torch.nn.Linear(model.config.hidden_size, len(TAGS)).to(device)
    sentences = [row for path in sorted(ner_path.glob("*.jsonl")) for row in read_messages(path)]
    people = Population(read_lists(str(lists_path)), "train", invent=0.3)
    # Of one pass over the text.
    blocks = np.concatenate([np.load(path) for path in work_path.glob("blocks-*-0-*-of-*.npy")])
    continues = get_continues(tokenizer).to(device)
    params = [*model.parameters(), *head.parameters()]
    optimizer = torch.optim.AdamW(params, lr=learning_rate, weight_decay=0.01, fused=True)
    steps = epochs * (len(sentences) // batch_size)
    step, clock = 0, time.time()
    model.train()
    for _ in range(epochs):
        rng.shuffle(sentences)
        losses: list[torch.Tensor] = []
        for start in range(0, len(sentences) - batch_size + 1, batch_size):
            share = min((step + 1) / (0.1 * steps), (steps - step) / (0.9 * steps))
            for group in optimizer.param_groups:
                group["lr"] = learning_rate * share
            rows = [rename(row, people, rng) for row in sentences[start : start + batch_size]]
            batch, tags = encode(rows, tokenizer, rng)
            chosen = np.random.default_rng([seed, step]).integers(0, len(blocks), batch_size // 2)
            ids = torch.from_numpy(blocks[chosen].astype(np.int64)).to(device)
            random_ = torch.Generator(device).manual_seed(step)
            inputs, masked, targets = mask_words(ids, continues, tokenizer, random_)
            with torch.autocast(device, dtype=torch.bfloat16):
                named = head(model.bert(**batch.to(device)).last_hidden_state)
                hidden = model.bert(inputs).last_hidden_state
                guessed = model.cls(hidden.flatten(0, 1)[masked])
            ner = torch.nn.functional.cross_entropy(
                named.float().flatten(0, 1), tags.to(device).flatten(), ignore_index=IGNORE
            )
            mlm = torch.nn.functional.cross_entropy(guessed.float(), targets)
            optimizer.zero_grad()
            (2 * ner + mlm).backward()
            torch.nn.utils.clip_grad_norm_(params, 1.0)
            optimizer.step()
            losses.append(torch.stack((ner.detach(), mlm.detach())))
            step += 1
        ner_mean, mlm_mean = torch.stack(losses).mean(0).tolist()
        seconds = time.time() - clock
        msg.text(f"step {step}/{steps}  ner {ner_mean:.3f}  mlm {mlm_mean:.3f}  {seconds:.0f} s")
    model.half().save_pretrained(encoder_path)
    msg.good("Encoder that knows names", encoder_path)


def rename(row: Row, people: Population, rng: random.Random) -> Row:
    """Give people other names of as many words, genitives kept."""
    text, spans, end = "", [], 0
    for span in row["spans"]:
        text += row["text"][end : span["start"]]
        end = span["end"]
        name = row["text"][span["start"] : end]
        if span["label"] == "PERSON" and rng.random() < RENAMED:
            origin, gender = people.origin(rng), rng.choice("fm")
            *firsts, last = name.split(" ")
            draw = people.last if firsts or rng.random() < 0.5 else people.first
            new = [*(people.first(origin, gender, rng) for _ in firsts), draw(origin, gender, rng)]
            name = " ".join(new) + ("s" if last.endswith("s") and rng.random() < 0.7 else "")
        spans.append({**span, "start": len(text), "end": len(text) + len(name)})
        text += name
    return {**row, "text": text + row["text"][end:], "spans": spans}


def encode(sentences: list[dict], tokenizer: BertTokenizerFast, rng: random.Random) -> tuple:
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
