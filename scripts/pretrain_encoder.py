"""Pretrain the small Swedish encoder: a WordPiece tokenizer and a BERT, by masked language
modelling of whole words over plain text with casing and typing noise. Resumes where it stopped.
"""

import itertools
import json
import lzma
import random
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
import typer
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import BertConfig, BertForMaskedLM, BertTokenizerFast
from wasabi import msg

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
BLOCK = 64
MASK_RATE = 0.15
# A small model that sees its text two or three times does not overfit, and dropout costs a quarter
# of the time on a CPU.
NO_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


def pretrain_encoder(
    text_path: Path = typer.Argument(..., help="Folder of plain text, *.txt or *.txt.xz"),
    out_path: Path = typer.Argument(..., help="Where the encoder goes"),
    work_path: Path = typer.Option(Path("pretraining"), help="Checkpoints and packed text"),
    config_path: Path = typer.Option(Path("configs/pretrain.json"), help="Shape and sources"),
    steps: int = typer.Option(8000, help="Optimizer steps in all"),
    batch_size: int = typer.Option(64, help="Blocks of 64 word pieces in a step"),
    learning_rate: float = typer.Option(1e-3, help="Peak learning rate"),
    save_every: int = typer.Option(500, help="Steps between checkpoints"),
    threads: int = typer.Option(0, help="CPU threads, 0 for all"),
    seed: int = typer.Option(0, help="Seed of everything random"),
) -> None:
    if threads:
        torch.set_num_threads(threads)
    torch.manual_seed(seed)
    config = json.loads(config_path.read_text(encoding="utf8"))
    work_path.mkdir(parents=True, exist_ok=True)
    tokenizer = get_tokenizer(text_path, config, work_path, seed)
    blocks = get_blocks(text_path, config, tokenizer, work_path, seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = BertForMaskedLM(BertConfig(vocab_size=len(tokenizer), **config["shape"], **NO_DROPOUT))
    checkpoint_path = work_path / "checkpoint.pt"
    if not checkpoint_path.exists():
        model.bert.embeddings.word_embeddings.weight.data = skip_gram(
            blocks, model, work_path, seed
        )
    model.to(device)  # type: ignore[arg-type]
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=learning_rate, weight_decay=0.01, fused=True
    )
    start = 0
    if checkpoint_path.exists():
        state = torch.load(checkpoint_path, map_location=device, weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        start = state["step"]
        msg.info(f"Resuming at step {start}")
    continues = get_continues(tokenizer)
    model.train()
    losses: list[float] = []
    clock, tokens = time.time(), 0
    for step in range(start, steps):
        # 5 % warm-up, then linear to zero
        share = min((step + 1) / (0.05 * steps), (steps - step) / (0.95 * steps))
        for group in optimizer.param_groups:
            group["lr"] = learning_rate * share
        rng = np.random.default_rng([seed, step])
        rows = rng.integers(0, len(blocks), batch_size)
        inputs, masked, targets = mask_words(blocks[rows], continues, tokenizer, rng)
        with torch.autocast(device, dtype=torch.bfloat16):
            hidden = model.bert(inputs.to(device)).last_hidden_state
            scores = model.cls(hidden.flatten(0, 1)[masked.to(device)])
        loss = torch.nn.functional.cross_entropy(scores.float(), targets.to(device))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        tokens += inputs.numel()
        if (step + 1) % 100 == 0:
            mean = sum(losses[-100:]) / len(losses[-100:])
            speed = tokens / (time.time() - clock)
            msg.text(f"step {step + 1:>6}  loss {mean:.3f}  {speed:,.0f} tokens/s")
        if (step + 1) % save_every == 0 or step + 1 == steps:
            state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
            partial = checkpoint_path.with_suffix(".partial")
            torch.save({**state, "step": step + 1}, partial)
            partial.replace(checkpoint_path)
    out_path.mkdir(parents=True, exist_ok=True)
    model.half().save_pretrained(out_path)
    tokenizer.save_pretrained(out_path)
    msg.good(
        f"Encoder of {sum(p.numel() for p in model.parameters()) / 1e6:.1f} M parameters", out_path
    )


def read_source(text_path: Path, name: str) -> list[str]:
    """Read the lines of one source.

    text_path (Path): Folder of the sources.
    name (str): File name without its ending.
    RETURNS (List[str]): Its lines.
    """
    packed, plain = text_path / f"{name}.txt.xz", text_path / f"{name}.txt"
    if packed.exists():
        return lzma.decompress(packed.read_bytes()).decode("utf8").splitlines()
    if plain.exists():
        return plain.read_text(encoding="utf8").splitlines()
    raise FileNotFoundError(f"No {packed.name} or {plain.name} in {text_path}.")


def iter_lines(text_path: Path, sources: dict[str, float], rng: random.Random) -> Iterator[str]:
    """Yield the lines of all sources, each as often as its weight says, with noise.

    text_path (Path): Folder of the sources.
    sources (Dict[str, float]): How often to read each; a fraction takes a random part.
    rng (random.Random): Source of randomness.
    YIELDS (str): A line.
    """
    for name, weight in sources.items():
        lines = read_source(text_path, name)
        repeats, rest = int(weight), weight - int(weight)
        parts = [lines] * repeats + [rng.sample(lines, int(len(lines) * rest))]
        for line in itertools.chain.from_iterable(parts):
            yield add_noise(line, rng)


def add_noise(line: str, rng: random.Random) -> str:
    """Write a line as people type: a quarter in lower case, a few in capitals, some with slips.

    line (str): The line.
    rng (random.Random): Source of randomness.
    RETURNS (str): The line as typed.
    """
    fate = rng.random()
    if fate < 0.25:
        line = line.lower()
    elif fate < 0.28:
        line = line.upper()
    if rng.random() < 0.1:
        chars = list(line)
        for _ in range(max(1, len(chars) // 60)):
            i = rng.randrange(len(chars))
            if chars[i].isalpha():
                chars[i] = rng.choice(["", chars[i] * 2, chars[i - 1]])
        line = "".join(chars)
    return line


def get_tokenizer(text_path: Path, config: dict, work_path: Path, seed: int) -> BertTokenizerFast:
    """Load the tokenizer of an earlier run or train it: cased WordPiece, digits one by one.

    text_path (Path): Folder of the sources.
    config (dict): The pretraining config.
    work_path (Path): Where the tokenizer is kept.
    seed (int): Seed of the noise.
    RETURNS (BertTokenizerFast): The tokenizer.
    """
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
            vocab_size=config["vocab_size"],
            special_tokens=SPECIAL,
            initial_alphabet=sorted(
                set(EMOJI + "@/_#*|+-=<>°µ½åäöÅÄÖéüáćčšžđłńóøæñçğışë\ufe0f\u200d")
            ),
            limit_alphabet=400,
            show_progress=False,
        )
        lines = iter_lines(text_path, config["sources"], random.Random(seed))
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


def get_blocks(
    text_path: Path, config: dict, tokenizer: BertTokenizerFast, work_path: Path, seed: int
) -> np.ndarray:
    """Load the packed text of an earlier run or make it: lines in random order, each ended by
    [SEP], cut to blocks that start with [CLS].

    text_path (Path): Folder of the sources.
    config (dict): The pretraining config.
    tokenizer (BertTokenizerFast): The tokenizer.
    work_path (Path): Where the blocks are kept.
    seed (int): Seed of order and noise.
    RETURNS (np.ndarray): Word piece ids, shape (n_blocks, 64), uint16.
    """
    path = work_path / "blocks.npy"
    if not path.exists():
        rng = random.Random(seed + 1)
        lines = list(iter_lines(text_path, config["sources"], rng))
        rng.shuffle(lines)
        ids: list[np.ndarray] = []
        for start in range(0, len(lines), 10000):
            encoded = tokenizer.backend_tokenizer.encode_batch_fast(
                [line + " [SEP]" for line in lines[start : start + 10000]], add_special_tokens=False
            )
            ids.extend(np.array(encoding.ids, dtype=np.uint16) for encoding in encoded)
        stream = np.concatenate(ids)
        width = BLOCK - 1
        body = stream[: len(stream) // width * width].reshape(-1, width)
        first = np.full((len(body), 1), tokenizer.cls_token_id, dtype=np.uint16)
        np.save(path, np.hstack([first, body]))
        msg.good(f"Packed {body.size / 1e6:.1f} M word pieces of {len(lines)} lines")
    return np.load(path, mmap_mode="r")


def skip_gram(
    blocks: np.ndarray, model: BertForMaskedLM, work_path: Path, seed: int
) -> torch.Tensor:
    """First embeddings, by skip-gram over the word pieces: random ones sit on a long plateau.

    blocks (np.ndarray): Word piece ids, shape (n_blocks, 64).
    model (BertForMaskedLM): Gives the shape and the scale.
    work_path (Path): Where the embeddings are kept.
    seed (int): Seed of gensim.
    RETURNS (torch.Tensor): Embeddings, shape (n_vocab, hidden_size).
    """
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
    return torch.tensor([piece.startswith("##") for piece in pieces])


def mask_words(
    blocks: np.ndarray,
    continues: torch.Tensor,
    tokenizer: BertTokenizerFast,
    rng: np.random.Generator,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Mask whole words: 80 % of them by [MASK], 10 % by random pieces, 10 % kept (BERT).

    blocks (np.ndarray): Word piece ids, shape (batch, 64).
    continues (torch.Tensor): Whether a piece goes on a word, shape (n_vocab,).
    tokenizer (BertTokenizerFast): For the special ids.
    rng (np.random.Generator): Source of randomness.
    RETURNS (Tuple[torch.Tensor, torch.Tensor, torch.Tensor]): Input ids (batch, 64), positions in
        the flattened batch to be predicted (n_masked,), and their true ids (n_masked,), -100 where
        a position only fills up. Their number is always the same: on a CPU each new shape costs
        a new kernel, and memory.
    """
    ids = torch.from_numpy(blocks.astype(np.int64))
    words = torch.cumsum(~continues[ids], dim=1)
    draw = torch.from_numpy(rng.random((len(ids), BLOCK + 1), dtype=np.float32))
    masked = (torch.gather(draw, 1, words) < MASK_RATE) & (ids > tokenizer.mask_token_id)
    fate = torch.from_numpy(rng.random((len(ids), BLOCK + 1), dtype=np.float32)).gather(1, words)
    inputs = ids.clone()
    inputs[masked & (fate < 0.8)] = tokenizer.mask_token_id
    swap = masked & (fate >= 0.8) & (fate < 0.9)
    inputs[swap] = torch.from_numpy(rng.integers(5, len(tokenizer), int(swap.sum())))
    size = int(ids.numel() * (MASK_RATE + 0.01))
    positions = torch.zeros(size, dtype=torch.int64)
    targets = torch.full((size,), -100)
    found = masked.flatten().nonzero().squeeze(1)[:size]
    positions[: len(found)] = found
    targets[: len(found)] = ids.flatten()[found]
    return inputs, positions, targets


if __name__ == "__main__":
    typer.run(pretrain_encoder)
