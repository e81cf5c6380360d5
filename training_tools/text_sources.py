"""Plain text as an encoder reads it: with noise, its words cut in several ways, packed to blocks."""

import json
import lzma
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from components.measures.gold import group_conversations, read_messages

SEPARATOR = " [SEP] "
CONTINUES = "##"  # how a piece of WordPiece begins that goes on a word
# Lines that are cut by the same pieces.
GROUP = 400


@dataclass(frozen=True)
class Noise:
    """Shares, from 0 to 1, of lines in lower case, in capitals and with slips of the keys, and of pieces
    that half of the groups of lines do without (dropout of the longest match, Hiraoka 2022).
    """

    lower: float = 0.25
    upper: float = 0.03
    slips: float = 0.1
    dropped: float = 0.0


@dataclass(frozen=True)
class Sources:
    """Texts, and how often each is read in a pass; of a fraction, a random part. A text is `*.txt` or
    `*.txt.xz`, a paragraph a line, or `*.jsonl`, messages in the guidelines' format.
    """

    path: Path
    weights: dict[str, float]

    def read(self, name: str) -> list[str]:
        packed, plain, rows = (self.path / f"{name}.{end}" for end in ("txt.xz", "txt", "jsonl"))
        if packed.exists():
            return lzma.decompress(packed.read_bytes()).decode("utf8").splitlines()
        if plain.exists():
            return plain.read_text(encoding="utf8").splitlines()
        if rows.exists():
            return _join_conversations(rows)
        raise FileNotFoundError(f"No {packed.name}, {plain.name} or {rows.name} in {self.path}.")

    def draw(self, rng: random.Random, part: int = 0, parts: int = 1) -> Iterator[str]:
        for name, weight in self.weights.items():
            lines = self.read(name)[part::parts]
            for _ in range(int(weight)):
                yield from lines
            yield from rng.sample(lines, int(len(lines) * (weight % 1)))


def _join_conversations(path: Path) -> list[str]:
    rows = read_messages(path)
    turns = [" ".join(row["text"].split()) for row in rows]
    return [
        SEPARATOR.join(turns[place] for place in places) for places in group_conversations(rows)
    ]


def add_noise(line: str, noise: Noise, rng: random.Random) -> str:
    """Write a line as people type."""
    fate = rng.random()
    if fate < noise.lower:
        line = SEPARATOR.join(turn.lower() for turn in line.split(SEPARATOR))
    elif fate < noise.lower + noise.upper:
        line = line.upper()
    if rng.random() < noise.slips:
        chars = list(line)
        for _ in range(max(1, len(chars) // 60)):
            i = rng.randrange(len(chars))
            if chars[i].islower():
                chars[i] = rng.choice(["", chars[i] * 2, chars[i - 1]])
        line = "".join(chars)
    return line


def drop_pieces(tokenizer: Tokenizer, share: float, rng: random.Random) -> Tokenizer:
    """Make a tokenizer that lacks some pieces of more than one letter. The others keep their ids."""
    config = json.loads(tokenizer.to_str())
    special = {token["content"] for token in config["added_tokens"]}

    def stays(piece: str) -> bool:
        single = len(piece.removeprefix(CONTINUES)) <= 1
        return piece in special or single or rng.random() >= share

    vocab = config["model"]["vocab"]
    config["model"]["vocab"] = {piece: id_ for piece, id_ in vocab.items() if stays(piece)}
    return Tokenizer.from_str(json.dumps(config))


def pack(
    sources: Sources,
    tokenizer: Tokenizer,
    noise: Noise,
    width: int,
    seed: str,
    part: int,
    parts: int,
) -> np.ndarray:
    """Pack lines in random order, each ended by [SEP], into blocks that start with [CLS].

    RETURNS (np.ndarray): Ids of word pieces, shape (n_blocks, width), uint16.
    """
    rng = random.Random(f"{seed}/{part}")
    lines = list(sources.draw(rng, part, parts))
    rng.shuffle(lines)
    ids: list[np.ndarray] = []
    for start in range(0, len(lines), GROUP):
        group = [add_noise(line, noise, rng) + SEPARATOR for line in lines[start : start + GROUP]]
        cutter = tokenizer
        if noise.dropped and rng.random() < 0.5:
            cutter = drop_pieces(tokenizer, noise.dropped, rng)
        encoded = cutter.encode_batch_fast(group, add_special_tokens=False)
        ids.extend(np.array(encoding.ids, dtype=np.uint16) for encoding in encoded)
    stream = np.concatenate(ids)
    body = stream[: len(stream) // (width - 1) * (width - 1)].reshape(-1, width - 1)
    first = np.full((len(body), 1), tokenizer.token_to_id("[CLS]"), dtype=np.uint16)
    return np.hstack([first, body])
