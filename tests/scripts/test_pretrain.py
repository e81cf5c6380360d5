"""The parts of the two pretraining scripts that need no training."""

import random
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from components.lists.lists import read_lists
from scripts.pretrain_names import IGNORE, TAGS, encode, rename
from tests.cases import message
from tests.conftest import ROOT
from training_tools.generator.people import Population
from training_tools.pretraining import get_continues, mask_words
from training_tools.text_sources import Noise, Sources, pack

ROW = message("[Anna Bergs|PERSON] bror [Per|PERSON] bor i [Lund|LOCATION].")


@pytest.fixture(scope="module")
def people() -> Population:
    return Population(read_lists(str(ROOT / "assets" / "lists")), "train", invent=0.3)


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return AutoTokenizer.from_pretrained(ROOT / "assets" / "encoder" / "sv-chat-mini")


def test_renamed_people(people: Population):
    texts = set()
    for seed in range(40):
        row = rename(ROW, people, random.Random(seed))
        parts = [row["text"][span["start"] : span["end"]] for span in row["spans"]]
        assert row["text"] == f"{parts[0]} bror {parts[1]} bor i Lund."
        assert [span["label"] for span in row["spans"]] == ["PERSON", "PERSON", "LOCATION"]
        assert parts[2] == "Lund" and parts[0].strip() == parts[0]
        texts.update(parts[:2])
    assert {"Anna Bergs", "Per"} < texts and len(texts) > 30


@given(st.integers(0, 10**6))
def test_tags_cover_the_names(tokenizer: PreTrainedTokenizerFast, seed: int):
    batch, tags = encode([ROW], tokenizer, random.Random(seed))
    pieces = tokenizer.convert_ids_to_tokens(batch["input_ids"][0])
    named = {}
    for piece, tag in zip(pieces, tags[0].tolist()):
        if tag not in (0, IGNORE):
            named.setdefault(TAGS[tag][2:], []).append((TAGS[tag][0], piece.removeprefix("##")))
    assert sum(bi == "B" for bi, _ in named["PERSON"]) == 2
    assert "".join(piece for _, piece in named["LOCATION"]).lower() == "lund"
    assert tags[0][0] == tags[0][-1] == IGNORE


def test_whole_words_are_masked(tokenizer: PreTrainedTokenizerFast):
    ids = tokenizer("Provsvaren från hudkliniken kommer på onsdag eftermiddag.")["input_ids"]
    blocks = torch.tensor([(ids * 64)[:64]] * 8)
    continues = get_continues(tokenizer)
    random_ = torch.Generator().manual_seed(0)
    inputs, masked, targets = mask_words(blocks, continues, tokenizer, random_)
    real = masked[targets != -100]
    flat, words = blocks.flatten(), (~continues[blocks.flatten()]).cumsum(0)
    assert torch.equal(flat[real], targets[targets != -100])
    assert 0.05 < len(real) / len(flat) < 0.3
    chosen = set(words[real].tolist())
    rest = sorted(set(range(len(flat))) - set(real.tolist()))
    assert chosen.isdisjoint(
        words[[i for i in rest if flat[i] > max(tokenizer.all_special_ids)]].tolist()
    )
    assert torch.equal(inputs.flatten()[rest], flat[rest])


def test_blocks_are_of_the_lines(tokenizer: PreTrainedTokenizerFast, tmp_path: Path):
    lines = ["Hej, jag heter Anna.", "Provet togs i fredags."]
    (tmp_path / "chat.txt").write_text("\n".join(lines), encoding="utf8")
    noise = Noise(lower=0, upper=0, slips=0, dropped=0.9)
    cut = tokenizer.backend_tokenizer
    blocks = pack(Sources(tmp_path, {"chat": 8}), cut, noise, 9, "0", 0, 1)
    begins, ends = tokenizer("")["input_ids"]
    assert (blocks[:, 0] == begins).all() and not (blocks[:, 1:] == begins).any()
    assert (blocks == ends).sum() > 8 and tokenizer.unk_token_id not in blocks
    letters = "".join(tokenizer.convert_ids_to_tokens(blocks[:, 1:].flatten()))
    assert letters.replace("##", "").count("heter") == 8
