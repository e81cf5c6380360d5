"""Plain text as an encoder reads it."""

import json
import lzma
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from tests.conftest import ROOT
from training_tools.text_sources import SEPARATOR, Noise, Sources, add_noise, drop_pieces, pack

ENCODER = ROOT / "assets" / "encoder" / "sv-chat-mini"
LINES = ["Mamma har feber sedan i går.", "Provsvaren kommer på onsdag.", "Hej Åsa!", "52"] * 20
STILL = Noise(lower=0.0, upper=0.0, slips=0.0)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.from_file(str(ENCODER / "tokenizer.json"))


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    (tmp_path / "plain.txt").write_text("\n".join(LINES) + "\n", encoding="utf8")
    (tmp_path / "packed.txt.xz").write_bytes(lzma.compress("\n".join(LINES).encode()))
    rows = [
        {"id": "1", "text": "Hur gammal\när du?", "spans": [], "conversation": "a"},
        {"id": "2", "text": "Ensam", "spans": []},
        {"id": "3", "text": "52", "spans": [], "conversation": "a"},
    ]
    (tmp_path / "chat.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf8")
    return Sources(tmp_path, {"plain": 1.5, "packed": 0.25, "chat": 2})


def test_sources(sources: Sources):
    assert sources.read("plain") == sources.read("packed") == LINES
    assert sources.read("chat") == [f"Hur gammal är du?{SEPARATOR}52", "Ensam"]
    with pytest.raises(FileNotFoundError, match=r"other\.txt\.xz, other\.txt or other\.jsonl"):
        sources.read("other")


def test_weights(sources: Sources):
    lines = list(sources.draw(random.Random(0)))
    assert len(lines) == 80 + 40 + 20 + 2 * 2
    parts = [list(sources.draw(random.Random(0), part, 4)) for part in range(4)]
    assert sum(map(len, parts)) == len(lines)
    assert all("Ensam" not in part or part.count("Ensam") == 2 for part in parts)


def test_noise():
    rng = random.Random(0)
    line = f"Hej Åsa{SEPARATOR}Mamma 52"
    assert add_noise(line, STILL, rng) == line
    assert add_noise(line, Noise(1.0, 0.0, 0.0), rng) == f"hej åsa{SEPARATOR}mamma 52"
    assert add_noise(line, Noise(0.0, 1.0, 0.0), rng) == line.upper()
    typed = {add_noise(line, Noise(0.0, 0.0, 1.0), random.Random(i)) for i in range(50)}
    assert len(typed) > 10 and all(SEPARATOR in text and "52" in text for text in typed)


@given(st.integers(0, 10**6), st.sampled_from(LINES))
def test_dropped_pieces_spell_the_same(tokenizer: Tokenizer, seed: int, line: str):
    other = drop_pieces(tokenizer, 0.5, random.Random(seed))
    pieces = other.encode(line, add_special_tokens=False).tokens
    assert "".join(piece.removeprefix("##") for piece in pieces) == line.replace(" ", "")
    assert all(tokenizer.token_to_id(piece) == other.token_to_id(piece) for piece in pieces)


@pytest.mark.parametrize("noise", [STILL, Noise(dropped=0.3)])
def test_blocks(sources: Sources, tokenizer: Tokenizer, noise: Noise):
    blocks = pack(sources, tokenizer, noise, 16, "0/1", 1, 2)
    assert blocks.dtype == np.uint16 and blocks.shape[1] == 16 and len(blocks) > 10
    assert (blocks[:, 0] == tokenizer.token_to_id("[CLS]")).all()
    assert (blocks[:, 1:] != tokenizer.token_to_id("[CLS]")).all()
    assert tokenizer.token_to_id("[SEP]") in blocks
    np.testing.assert_array_equal(blocks, pack(sources, tokenizer, noise, 16, "0/1", 1, 2))
    other = pack(sources, tokenizer, noise, 16, "0/2", 1, 2)
    assert blocks.shape != other.shape or not np.array_equal(blocks, other)
