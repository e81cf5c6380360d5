"""Pretrain the small Swedish encoder: a WordPiece tokenizer and a BERT, by masked language
modelling of whole words over plain text with noise. Resumes where it stopped. With `--encoder` it
begins from a pretrained one, the committed one for example, and reads on.
"""

import itertools
import json
import multiprocessing
import os
import random
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

import numpy as np
import torch
import typer
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import BertConfig, BertForMaskedLM, BertTokenizerFast
from wasabi import msg

from training_tools.text_sources import CONTINUES, Noise, Sources, add_noise, pack

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
EMOJI = "😀😁😂🤣😃😄😅😊😉😍😘🙂🙃😐😕🙁😞😢😭😡😱🤒🤕🤢🤮🤧😷😴🤔🙄😬😓😩😔🥰🥲😇🤗👍👎👌🙏💪👋❤💙💚💛💜🖤💔✨🎉🎂🌸🌞☀⭐✅❌❗❓📞📧📅📷🏥💊💉🩹🩺🤰👶👧👦👩👨👵👴🐶🐱➡→•"
CHAT_WORDS = [
    "mvh",
    "tel",
    "nr",
    "pnr",
    "pga",
    "ist",
    "ngn",
    "nån",
    "nåt",
    "dom",
    "å",
    "oxå",
    "iaf",
    "kl",
    "ca",
    "ev",
    "resp",
    "vc",
    "bvc",
    "mvc",
    "bup",
    "ssk",
    "dsk",
    "usk",
    "dr",
    "tack",
    "hej",
    "hejsan",
    "hejhej",
    "jo",
    "nä",
    "nej",
    "mm",
    "osv",
    "bl",
    "a",
    "t",
    "ex",
    "fm",
    "em",
    "em.",
    "imorgon",
    "igår",
    "idag",
    "ikväll",
    "e",
    "de",
    "ja",
]
# One emoji is one word: glued to a name, it would make the name an unknown word.
EMOJI_SPLIT = Regex(r"[\p{Emoji_Presentation}\p{Extended_Pictographic}\x{FE0F}\x{200D}→•_@/]")
MASK_RATE = 0.15
# A small model that sees its text a few dozen times does not overfit, and dropout costs a quarter of
# the time on a CPU.
NO_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


def pretrain_encoder(
    text_path: Path = typer.Argument(..., help="Folder of text: *.txt, *.txt.xz, *.jsonl"),
    out_path: Path = typer.Argument(..., help="Where the encoder goes"),
    work_path: Path = typer.Option(Path("pretraining"), help="Checkpoints and packed text"),
    config_path: Path = typer.Option(Path("configs/pretrain.json"), help="Shape and sources"),
    encoder_path: Path | None = typer.Option(
        None, "--encoder", help="A pretrained one to begin from"
    ),
    steps: int = typer.Option(8000, help="Optimizer steps in all"),
    passes: int = typer.Option(4, help="How often to draw and pack the text anew"),
    batch_size: int = typer.Option(64, help="Blocks of word pieces in a step"),
    learning_rate: float = typer.Option(1e-3, help="Peak learning rate"),
    save_every: int = typer.Option(500, help="Steps between checkpoints"),
    threads: int = typer.Option(0, help="CPU threads, 0 for all"),
    compiled: bool = typer.Option(False, help="Compile the network: faster on a GPU"),
    seed: int = typer.Option(0, help="Seed of everything random"),
) -> None:
    if threads:
        torch.set_num_threads(threads)
    torch.manual_seed(seed)
    config = json.loads(config_path.read_text(encoding="utf8"))
    sources = Sources(text_path, config["sources"])
    noise = Noise(**config["noise"])
    work_path.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if encoder_path is None:
        tokenizer = get_tokenizer(sources, config["vocab_size"], work_path, seed)
    else:
        tokenizer = BertTokenizerFast.from_pretrained(encoder_path)
    # Each process of the pool is one thread of its own.
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    parts = threads or os.cpu_count() or 1
    pool = ProcessPoolExecutor(parts, multiprocessing.get_context("spawn"))
    packed = start_packing(
        pool, parts, sources, tokenizer, noise, config["width"], work_path, passes, seed
    )
    checkpoint_path = work_path / "checkpoint.pt"
    state = None
    if checkpoint_path.exists():
        state = torch.load(checkpoint_path, map_location=device, weights_only=True)
    start = state["step"] if state else 0
    first = load_pass(packed[start * passes // steps])
    if encoder_path is None:
        shape = BertConfig(vocab_size=len(tokenizer), **config["shape"], **NO_DROPOUT)
        model = BertForMaskedLM(shape)
        if not state:
            embeddings = model.bert.embeddings.word_embeddings
            embeddings.weight.data = skip_gram(first, model, work_path, seed)
    else:
        model = BertForMaskedLM.from_pretrained(
            encoder_path, torch_dtype=torch.float32, **NO_DROPOUT
        )
    model.to(device)  # type: ignore[arg-type]
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=learning_rate, weight_decay=0.01, fused=True
    )
    if state:
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        msg.info(f"Resuming at step {start}")
    if compiled:
        model.bert.compile()
    model.train()
    continues = get_continues(tokenizer).to(device)
    losses: list[torch.Tensor] = []
    clock, tokens = time.time(), 0
    batches = iter_batches(packed, first, start, steps, batch_size, seed)
    for step, batch in enumerate(batches, start=start):
        # 5 % warm-up, then linear to zero
        share = min((step + 1) / (0.05 * steps), (steps - step) / (0.95 * steps))
        for group in optimizer.param_groups:
            group["lr"] = learning_rate * share
        random_ = torch.Generator(device).manual_seed(seed * 10**9 + step)
        blocks = torch.from_numpy(batch.astype(np.int64)).to(device)
        inputs, masked, targets = mask_words(blocks, continues, tokenizer, random_)
        with torch.autocast(device, dtype=torch.bfloat16):
            hidden = model.bert(inputs).last_hidden_state
            scores = model.cls(hidden.flatten(0, 1)[masked])
        loss = torch.nn.functional.cross_entropy(scores.float(), targets)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.detach())
        tokens += inputs.numel()
        if (step + 1) % 100 == 0:
            mean = torch.stack(losses[-100:]).mean().item()
            losses.clear()
            speed = tokens / (time.time() - clock)
            msg.text(f"step {step + 1:>6}  loss {mean:.3f}  {speed:,.0f} pieces/s")
        if (step + 1) % save_every == 0 or step + 1 == steps:
            state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
            partial = checkpoint_path.with_suffix(".partial")
            torch.save({**state, "step": step + 1}, partial)
            partial.replace(checkpoint_path)
    pool.shutdown()
    out_path.mkdir(parents=True, exist_ok=True)
    model.half().save_pretrained(out_path)
    tokenizer.save_pretrained(out_path)
    msg.good(
        f"Encoder of {sum(p.numel() for p in model.parameters()) / 1e6:.1f} M parameters", out_path
    )


def start_packing(
    pool: ProcessPoolExecutor,
    parts: int,
    sources: Sources,
    tokenizer: BertTokenizerFast,
    noise: Noise,
    width: int,
    work_path: Path,
    passes: int,
    seed: int,
) -> list[list[Future]]:
    """Begin to pack the text, in processes beside the training."""
    cuts = tokenizer.backend_tokenizer.to_str()
    return [
        [
            pool.submit(
                pack_part, sources, cuts, noise, width, f"{seed}/{number}", part, parts, work_path
            )
            for part in range(parts)
        ]
        for number in range(passes)
    ]


def pack_part(
    sources: Sources,
    cuts: str,
    noise: Noise,
    width: int,
    seed: str,
    part: int,
    parts: int,
    work_path: Path,
) -> Path:
    path = work_path / f"blocks-{seed.replace('/', '-')}-{part}-of-{parts}.npy"
    if not path.exists():
        blocks = pack(sources, Tokenizer.from_str(cuts), noise, width, seed, part, parts)
        partial = path.with_suffix(".partial.npy")
        np.save(partial, blocks)
        partial.replace(path)
    return path


def load_pass(packed: list[Future]) -> np.ndarray:
    """RETURNS (np.ndarray): All blocks of a pass, shape (n_blocks, width), uint16."""
    return np.concatenate([np.load(future.result()) for future in packed])


def iter_batches(
    packed: list[list[Future]],
    blocks: np.ndarray,
    start: int,
    steps: int,
    batch_size: int,
    seed: int,
) -> Iterator[np.ndarray]:
    """Draw the batches, those of a pass after those of another."""
    number = start * len(packed) // steps
    for step in range(start, steps):
        if step * len(packed) // steps != number:
            number = step * len(packed) // steps
            blocks = load_pass(packed[number])
        yield blocks[np.random.default_rng([seed, step]).integers(0, len(blocks), batch_size)]


def get_tokenizer(
    sources: Sources, vocab_size: int, work_path: Path, seed: int
) -> BertTokenizerFast:
    """Load the tokenizer of an earlier run or train it: cased WordPiece, digits one by one."""
    path = work_path / "tokenizer"
    if not path.exists():
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
            vocab_size=vocab_size,
            special_tokens=SPECIAL,
            initial_alphabet=sorted(
                set(EMOJI + "@/_#*|+-=<>°µ½åäöÅÄÖéüáćčšžđłńóøæñçğışë\ufe0f\u200d")
            ),
            limit_alphabet=400,
            show_progress=False,
        )
        rng = random.Random(seed)
        lines = (add_noise(line, Noise(), rng) for line in sources.draw(rng))
        sample = (line for i, line in enumerate(lines) if i % 3 == 0)
        tokenizer.train_from_iterator(itertools.chain(sample, CHAT_WORDS * 500), trainer)
        cls, sep = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
        tokenizer.post_processor = processors.BertProcessing(("[SEP]", sep), ("[CLS]", cls))
        BertTokenizerFast(
            tokenizer_object=tokenizer,
            do_lower_case=False,
            strip_accents=False,
            model_max_length=512,
        ).save_pretrained(path)
    return BertTokenizerFast.from_pretrained(path)


def skip_gram(
    blocks: np.ndarray, model: BertForMaskedLM, work_path: Path, seed: int
) -> torch.Tensor:
    """First embeddings, by skip-gram over the word pieces: random ones sit on a long plateau."""
    path = work_path / "skipgram.npy"
    weight = model.bert.embeddings.word_embeddings.weight.data
    if not path.exists():
        from gensim.models import Word2Vec

        rows = np.random.default_rng(seed).permutation(len(blocks))[:120000]
        sentences = [[str(i) for i in block] for block in blocks[np.sort(rows)]]
        vectors = Word2Vec(
            sentences,
            vector_size=weight.shape[1],
            window=4,
            min_count=1,
            sg=1,
            negative=5,
            sample=1e-4,
            epochs=1,
            workers=torch.get_num_threads(),
            seed=seed,
        ).wv
        array = weight.numpy().copy()
        for key in vectors.index_to_key:
            array[int(key)] = vectors[key]
        array *= weight.numpy().std() / array.std()
        np.save(path, array)
    return torch.from_numpy(np.load(path)).float()


def get_continues(tokenizer: BertTokenizerFast) -> torch.Tensor:
    """RETURNS (torch.Tensor): Whether a word piece goes on a word, shape (n_vocab,)."""
    pieces = tokenizer.convert_ids_to_tokens([*range(len(tokenizer))])
    return torch.tensor([piece.startswith(CONTINUES) for piece in pieces])


def mask_words(
    ids: torch.Tensor,
    continues: torch.Tensor,
    tokenizer: BertTokenizerFast,
    random_: torch.Generator,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Mask whole words: 80 % of them by [MASK], 10 % by random pieces, 10 % kept (BERT).

    ids (torch.Tensor): Ids of word pieces, shape (batch, width).
    continues (torch.Tensor): Whether a piece goes on a word, shape (n_vocab,).
    tokenizer (BertTokenizerFast): For the special ids.
    random_ (torch.Generator): Source of randomness, where the ids are.
    RETURNS (tuple[torch.Tensor, torch.Tensor, torch.Tensor]): Input ids (batch, width), positions
        in the flattened batch to be predicted (n_masked,), and their true ids (n_masked,), -100
        where a position only fills up. Their number is always the same: each new shape costs a new
        kernel on a CPU, and on a GPU finding out the number costs a wait.
    """
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


if __name__ == "__main__":
    typer.run(pretrain_encoder)
