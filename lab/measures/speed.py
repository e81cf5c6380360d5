"""What the speed of the pipeline is measured against: stock spaCy over the same encoder, and the
bare forward passes of the encoder.
"""

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, cast

import numpy as np
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from transformers import PreTrainedTokenizerFast

from components.model.backend import AUTO
from components.model.chat_encoder import ChatEncoder
from components.model.decoding import get_tags
from components.model.encoder import EncoderListener, get_network
from components.model.phi_ner import PhiNer
from components.model.tagger import build_phi_tagger
from components.model.torch_network import Bert
from components.model.windows import get_strips, read_windows
from components.shared.labels import LABELS

# KB-BERT's shape; the vocabulary is that of the encoder it is measured beside.
KB_SHAPE = {
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
}
NER = {
    "model": {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": "ner",
        "extra_state_tokens": False,
        "hidden_width": 64,
        "maxout_pieces": 2,
        "use_upper": False,
        "tok2vec": {
            "@architectures": "spacy-transformers.TransformerListener.v1",
            "grad_factor": 1.0,
            "pooling": {"@layers": "reduce_mean.v1"},
        },
    }
}


class Timing(NamedTuple):
    """Seconds of several rounds.

    seconds (float): Their median.
    spread (float): The difference of the slowest and the fastest, as a share of it.
    """

    seconds: float
    spread: float


def time_rounds(runs: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, Timing]:
    """Time several runs side by side: one after the other, round by round, so that what else the
    machine does meets all of them.

    runs (Mapping[str, Callable]): The runs by name.
    rounds (int): How many rounds, after one that does not count.
    RETURNS (Dict[str, Timing]): Their times.
    """
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            if number:
                seconds[name].append(time.perf_counter() - start)
    return {
        name: Timing(median(all_), (max(all_) - min(all_)) / median(all_))
        for name, all_ in seconds.items()
    }


def make_stock(folder: Path) -> Language:
    """Make a pipeline of spaCy's `transformer` and `ner` in their default settings, untrained.

    folder (Path): The encoder, as transformers saves it.
    RETURNS (Language): The pipeline.
    """
    # By its config alone it would get the special tokens of BERT, which another tokenizer has not.
    config = json.loads((folder / "config.json").read_text(encoding="utf8"))
    tokenizer: Any = PreTrainedTokenizerFast(
        tokenizer_file=str(folder / "tokenizer.json"),
        model_max_length=config["max_position_embeddings"],
    )
    tokenizer.pad_token = tokenizer.convert_ids_to_tokens(config["pad_token_id"])
    tokenizer.save_pretrained(folder)
    nlp = spacy.blank("sv")
    nlp.add_pipe("transformer", config={"model": {"name": str(folder.resolve())}})
    ner = nlp.add_pipe("ner", config=NER)
    for label in LABELS:
        ner.add_label(label)  # type: ignore[attr-defined]
    doc = nlp.make_doc("Anna Lind bor i Kiruna")
    example = Example.from_dict(doc, {"entities": [(0, 9, "PERSON"), (16, 22, "LOCATION")]})
    nlp.initialize(lambda: [example])
    return nlp


def compute_with(nlp: Language, backend: str, precision: str) -> None:
    """Let the encoder of a pipeline compute with another backend and precision."""
    encoder = cast(ChatEncoder, nlp.get_pipe("transformer"))
    # A backend refuses the precisions that it does not have.
    encoder.precision, encoder.backend = AUTO, backend
    encoder.precision = precision


def take_shape(nlp: Language, shape: Mapping[str, int]) -> None:
    """Give a pipeline an encoder of another shape, with random weights. What its model finds is
    nothing then.

    nlp (Language): The pipeline.
    shape (Mapping[str, int]): What changes in the encoder's config.
    """
    encoder = cast(ChatEncoder, nlp.get_pipe("transformer"))
    network = get_network(encoder.model)
    config = {**network.config, **shape}
    weights = Bert(config).state_dict().items()
    listener = EncoderListener(encoder.name, config["hidden_size"])
    encoder.listener_map.clear()
    encoder.add_listener(listener, "phi_ner")
    arrays = {name: weight.numpy() for name, weight in weights}
    encoder.set_network(config, arrays, network.tokenizer.to_str(), network.backend)
    encoder.precision = encoder.precision
    ner = cast(PhiNer, nlp.get_pipe("phi_ner"))
    doc = encoder(nlp.make_doc("Hej"))
    tags = get_tags(ner.labels)
    shape_of_tagger = nlp.config["components"][ner.name]["model"]
    ner.model = build_phi_tagger(
        listener, shape_of_tagger["hidden_width"], shape_of_tagger["context_layers"], nO=len(tags)
    )
    ner.model.initialize(X=[doc], Y=[ner.model.ops.alloc2f(len(doc), len(tags))])
    ner.threshold = 1.0


def make_bare(nlp: Language, docs: list[Doc]) -> Callable[[], None]:
    """Make a run of nothing but forward passes: the word pieces lie ready.

    nlp (Language): The pipeline whose encoder it is, in the precision that it predicts with.
    docs (List[Doc]): The messages.
    RETURNS (Callable[[], None]): The run.
    """
    model = cast(ChatEncoder, nlp.get_pipe("transformer")).model
    network, attrs = get_network(model), model.attrs
    most = network.max_pieces
    windows = read_windows(docs, network.tokenizer, most, attrs["window"], attrs["overlap"])
    strips = [
        (np.asarray(strip.ids), strip.lengths)
        for strip in get_strips(windows, attrs["max_batch_pieces"])
    ]

    def run() -> None:
        for ids, lengths in strips:
            network.read(ids, lengths)

    return run


def time_pipes(nlp: Language, texts: list[str], rounds: int) -> dict[str, float]:
    """Time each pipe alone.

    nlp (Language): The pipeline.
    texts (List[str]): The messages.
    rounds (int): How many rounds.
    RETURNS (Dict[str, float]): The median of the milliseconds a message, by pipe.
    """
    seconds: dict[str, list[float]] = {}
    for _ in range(rounds):
        start = time.perf_counter()
        docs = [nlp.make_doc(text) for text in texts]
        seconds.setdefault("tokenizer", []).append(time.perf_counter() - start)
        for name, pipe in nlp.pipeline:
            start = time.perf_counter()
            stream = getattr(pipe, "pipe", None)
            docs = [*stream(docs, batch_size=nlp.batch_size)] if stream else [*map(pipe, docs)]
            seconds.setdefault(name, []).append(time.perf_counter() - start)
    return {name: 1000 * median(all_) / len(texts) for name, all_ in seconds.items()}


def get_memory(
    path: str, texts: list[str], n_messages: int, every: int = 10_000
) -> dict[int, float]:
    """Measure the memory of this process while a pipeline works, in zones of a thousand messages,
    each of which has a word that was never seen before.

    path (str): The pipeline.
    texts (List[str]): Messages, which are repeated.
    n_messages (int): How many to process.
    every (int): After how many to measure.
    RETURNS (Dict[int, float]): The megabytes in use after so many messages.
    """
    nlp = spacy.load(path)
    memory: dict[int, float] = {}
    stream = islice(_make_variants(texts), n_messages)
    done = 0
    while batch := [*islice(stream, min(1000, every))]:
        with nlp.memory_zone():
            for _ in nlp.pipe(batch):
                pass
        done += len(batch)
        if done % every == 0 or done == n_messages:
            memory[done] = _read_memory()
    return memory


def _make_variants(texts: list[str]) -> Iterator[str]:
    for number in range(10**9):
        yield from (f"{text} ref{number:x}x{i}" for i, text in enumerate(texts))


def _read_memory() -> float:
    # Not the peak of `getrusage`, which a process inherits from the one that starts it.
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
