"""Pretrain the small Swedish encoder."""

import json
import time
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
import typer
from transformers import BertConfig, BertForMaskedLM
from wasabi import msg

from training_tools.pretraining import Passes, Steps, get_masked_loss, get_tokenizer
from training_tools.text_sources import Noise, Sources

# A small model that sees its text a few dozen times does not overfit, and dropout costs a quarter of
# the time on a CPU.
NO_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
SAVE_EVERY, PRINT_EVERY = 500, 100


def pretrain_encoder(
    text_path: Annotated[Path, typer.Argument(help="Folder of text: *.txt, *.txt.xz, *.jsonl")],
    out_path: Annotated[Path, typer.Argument(help="Where the encoder goes")],
    work_path: Annotated[Path, typer.Option(help="Checkpoints and packed text")] = Path(
        "pretraining"
    ),
    config_path: Annotated[Path, typer.Option(help="Shape, sources and steps")] = Path(
        "configs/pretrain.json"
    ),
    seed: Annotated[int, typer.Option(help="Seed of everything random")] = 0,
) -> None:
    """Train a WordPiece tokenizer and a BERT, by masked language modelling of whole words over plain text
    with noise. Resumes where it stopped.
    """
    torch.manual_seed(seed)
    config = json.loads(config_path.read_text(encoding="utf8"))
    steps, batch_size = config["steps"], config["batch_size"]
    sources = Sources(text_path, config["sources"])
    work_path.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = get_tokenizer(sources, config, work_path, seed)
    text = Passes(
        sources,
        Noise(**config["noise"]),
        config["width"],
        tokenizer.backend_tokenizer.to_str(),
        work_path,
        config["passes"],
        seed,
    )
    checkpoint_path = work_path / "checkpoint.pt"
    state = None
    if checkpoint_path.exists():
        state = torch.load(checkpoint_path, map_location=device, weights_only=True)
    shape = BertConfig(vocab_size=len(tokenizer), **config["shape"], **NO_DROPOUT)
    model = BertForMaskedLM(shape)
    if not state:
        embeddings = model.bert.embeddings.word_embeddings
        embeddings.weight.data = skip_gram(text.load(0), embeddings.weight.data, seed)
    model.to(device)  # type: ignore[arg-type]
    trainer = Steps(model.parameters(), config["learning_rate"], steps, warmup=0.05)
    start = 0
    if state:
        model.load_state_dict(state["model"])
        trainer.optimizer.load_state_dict(state["optimizer"])
        start = state["step"]
        msg.info(f"Resuming at step {start}")
    model.train()
    losses: list[torch.Tensor] = []
    clock = time.time()
    for step, batch in enumerate(text.iter_batches(start, steps, batch_size), start=start):
        loss = get_masked_loss(model, batch, tokenizer, seed * 10**9 + step)
        trainer.make(step, loss)
        losses.append(loss.detach())
        if (step + 1) % PRINT_EVERY == 0:
            speed = (step + 1 - start) * batch.size / (time.time() - clock)
            mean = torch.stack(losses).mean().item()
            losses.clear()
            msg.text(f"step {step + 1:>6}  loss {mean:.3f}  {speed:,.0f} pieces/s")
        if (step + 1) % SAVE_EVERY == 0 or step + 1 == steps:
            state = {"model": model.state_dict(), "optimizer": trainer.optimizer.state_dict()}
            partial = checkpoint_path.with_suffix(".partial")
            torch.save({**state, "step": step + 1}, partial)
            partial.replace(checkpoint_path)
    out_path.mkdir(parents=True, exist_ok=True)
    model.half().save_pretrained(out_path)
    tokenizer.save_pretrained(out_path)
    msg.good(
        f"Encoder of {sum(p.numel() for p in model.parameters()) / 1e6:.1f} M parameters", out_path
    )


def skip_gram(blocks: np.ndarray, weight: torch.Tensor, seed: int) -> torch.Tensor:
    """First embeddings by skip-gram, of the scale of random ones, which sit on a long plateau."""
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
    return torch.from_numpy(array).float()


if __name__ == "__main__":
    typer.run(pretrain_encoder)
