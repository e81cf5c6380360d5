"""What the stages of pretraining share: the tokenizer, packed text, masking of whole words, steps."""

import itertools
import multiprocessing
import os
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from torch.nn.functional import cross_entropy
from transformers import BertForMaskedLM, BertTokenizerFast, PreTrainedTokenizerBase

from training_tools.text_sources import CONTINUES, Noise, Sources, add_noise, pack

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
# One emoji is one word: glued to a name, it would make the name an unknown word.
EMOJI_SPLIT = Regex(r"[\p{Emoji_Presentation}\p{Extended_Pictographic}\x{FE0F}\x{200D}→•_@/]")
MASK_RATE = 0.15


def get_tokenizer(
    sources: Sources, config: Mapping[str, Any], work_path: Path, seed: int
) -> BertTokenizerFast:
    """Load the tokenizer of an earlier run or train it by a config: cased WordPiece, digits one by one."""
    path = work_path / "tokenizer"
    if path.exists():
        return BertTokenizerFast.from_pretrained(path)
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=60))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.BertNormalizer(strip_accents=False, lowercase=False)]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(EMOJI_SPLIT, "isolated"),
            pre_tokenizers.BertPreTokenizer(),
            pre_tokenizers.Digits(individual_digits=True),
        ]
    )
    trainer = trainers.WordPieceTrainer(
        vocab_size=config["vocab_size"],
        special_tokens=SPECIAL,
        initial_alphabet=sorted({*config["letters"]}),
        limit_alphabet=400,
        show_progress=False,
    )
    rng = random.Random(seed)
    lines = (add_noise(line, Noise(), rng) for line in sources.draw(rng))
    sample = itertools.islice(lines, 0, None, 3)
    chat_words = config["chat_words"].split() * 500
    tokenizer.train_from_iterator(itertools.chain(sample, chat_words), trainer)
    cls, sep = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", sep), ("[CLS]", cls))
    BertTokenizerFast(
        tokenizer_object=tokenizer, do_lower_case=False, strip_accents=False, model_max_length=512
    ).save_pretrained(path)
    return BertTokenizerFast.from_pretrained(path)


@dataclass(frozen=True)
class Passes:
    """Text for a training, packed again in each pass by all cores, if no earlier run has packed it."""

    sources: Sources
    noise: Noise
    width: int
    tokenizer: str
    work_path: Path
    count: int
    seed: int

    def load(self, turn: int) -> np.ndarray:
        """RETURNS (np.ndarray): All blocks of a pass, shape (n_blocks, width), uint16."""
        parts = os.cpu_count() or 1
        with multiprocessing.get_context("spawn").Pool(parts) as pool:
            paths = pool.starmap(self._pack, [(turn, part, parts) for part in range(parts)])
        return np.concatenate([np.load(path) for path in paths])

    def _pack(self, turn: int, part: int, parts: int) -> Path:
        path = self.work_path / f"blocks-{self.seed}-{turn}-{part}-of-{parts}.npy"
        if not path.exists():
            # A process for each core: no threads in it.
            os.environ["TOKENIZERS_PARALLELISM"] = "false"
            cutter, seed = Tokenizer.from_str(self.tokenizer), f"{self.seed}/{turn}"
            blocks = pack(self.sources, cutter, self.noise, self.width, seed, part, parts)
            partial = path.with_suffix(".partial.npy")
            np.save(partial, blocks)
            partial.replace(path)
        return path

    def iter_batches(self, start: int, steps: int, batch_size: int) -> Iterator[np.ndarray]:
        """Draw batches of blocks, those of a pass after those of another."""
        loaded = None
        for step in range(start, steps):
            turn = step * self.count // steps
            if turn != loaded:
                loaded, blocks = turn, self.load(turn)
            drawn = np.random.default_rng([self.seed, step])
            yield blocks[drawn.integers(0, len(blocks), batch_size)]


@cache
def get_continues(tokenizer: PreTrainedTokenizerBase) -> torch.Tensor:
    """RETURNS (torch.Tensor): Whether a word piece goes on a word, shape (n_vocab,)."""
    pieces = tokenizer.convert_ids_to_tokens([*range(len(tokenizer))])
    return torch.tensor([piece.startswith(CONTINUES) for piece in pieces])


def mask_words(
    ids: torch.Tensor,
    continues: torch.Tensor,
    tokenizer: PreTrainedTokenizerBase,
    random_: torch.Generator,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Mask whole words: 80 % of them by [MASK], 10 % by random pieces, 10 % kept (BERT). Gives the input
    ids, the positions in the flattened batch to predict, and their true ids, -100 where a position only
    fills up: their number is always the same, as each new shape costs a new kernel.
    """
    # The last of the special pieces, which come first.
    mask = tokenizer.mask_token_id
    n_words = (len(ids), ids.shape[1] + 1)
    words = torch.cumsum(~continues[ids], dim=1)
    draw = torch.rand(n_words, generator=random_, device=ids.device)
    masked = (torch.gather(draw, 1, words) < MASK_RATE) & (ids > mask)
    fate = torch.rand(n_words, generator=random_, device=ids.device).gather(1, words)
    other = torch.randint(mask + 1, len(tokenizer), ids.shape, generator=random_, device=ids.device)
    inputs = torch.where(masked & (fate < 0.8), mask, ids)
    inputs = torch.where(masked & (fate >= 0.8) & (fate < 0.9), other, inputs)
    size = int(ids.numel() * (MASK_RATE + 0.01))
    flat = masked.flatten()
    positions = flat.byte().argsort(descending=True, stable=True)[:size]
    targets = torch.where(flat[positions], ids.flatten()[positions], -100)
    return inputs, positions, targets


def get_masked_loss(
    model: BertForMaskedLM, blocks: np.ndarray, tokenizer: PreTrainedTokenizerBase, seed: int
) -> torch.Tensor:
    """RETURNS (torch.Tensor): The loss of predicting what is masked in blocks of word pieces."""
    device = model.device
    ids = torch.from_numpy(blocks.astype(np.int64)).to(device)
    random_ = torch.Generator(device).manual_seed(seed)
    continues = get_continues(tokenizer).to(device)
    inputs, masked, targets = mask_words(ids, continues, tokenizer, random_)
    with torch.autocast(device.type, dtype=torch.bfloat16):
        hidden = model.bert(inputs).last_hidden_state
        scores = model.cls(hidden.flatten(0, 1)[masked])
    return cross_entropy(scores.float(), targets)


class Steps:
    """Steps of AdamW: the learning rate rises in a share of them (warmup), then falls to zero."""

    def __init__(
        self, parameters: Iterable[torch.nn.Parameter], rate: float, steps: int, warmup: float
    ) -> None:
        self.parameters = [*parameters]
        self.rate, self.steps, self.warmup = rate, steps, warmup
        self.optimizer = torch.optim.AdamW(self.parameters, lr=rate, weight_decay=0.01, fused=True)

    def make(self, step: int, loss: torch.Tensor) -> None:
        """Make the step of a number, from 0 on, by its loss."""
        rising = (step + 1) / (self.warmup * self.steps)
        falling = (self.steps - step) / ((1 - self.warmup) * self.steps)
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * min(rising, falling)
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
