"""The pipe that reads messages with a BERT and gives each token a vector.

It stands where spacy-transformers' `transformer` would, for three reasons. Its forward pass is one
of its own, which switches nothing on the shared network, so that threads do not disturb one
another (thinc's shim sets the network to training after each prediction: with threads, dropout is
on in another's forward pass, and names get lost in silence). It aligns word pieces by their
offsets in the folded text. And its weights are saved as safetensors, which hold no code.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, repeat
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import safetensors.torch
import srsly
import torch
from spacy import util
from spacy.language import Language
from spacy.pipeline.tok2vec import Tok2Vec, Tok2VecListener
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import SimpleFrozenList, registry
from spacy.vocab import Vocab
from thinc.api import ArgsKwargs, Config, Model, PyTorchGradScaler, PyTorchShim, torch2xp, xp2torch
from thinc.types import Floats2d
from thinc.util import get_torch_default_device
from tokenizers import Tokenizer

from ..model.bert import Bert
from ..model.evidence import WIDTH, make_width_error, read_evidence
from ..model.packing import Batch, pack
from ..model.precision import AUTO, FULL, check_precision, choose_precision, reduce_precision
from ..model.windows import Window, get_windows
from ..swedish.folding import fold_text

# What the weights of the evidence are called in a file.
EVIDENCE = "evidence.weight"
# Of a context, so many characters are cut into pieces for each piece that is read.
CONTEXT_CHARS = 8

DEFAULT_MODEL = """
[model]
@architectures = "sv_deid_chat.Encoder.v1"
window = 500
overlap = 100
max_batch_pieces = 2048
mixed_precision = false
context_pieces = 32
context_dropout = 0.5
evidence = true
"""


class Strip(NamedTuple):
    """Windows as the network takes them when it predicts, one behind the other.

    ids (List[int]): The word pieces of all.
    lengths (List[int]): How many each window has.
    pieces (np.ndarray), tokens (np.ndarray): Pairs of a piece, counted over all windows, and its
        token, shape (n_pairs,).
    """

    ids: list[int]
    lengths: list[int]
    pieces: np.ndarray
    tokens: np.ndarray


class TokenEncoder(torch.nn.Module):
    """A BERT, and the mean of its vectors over the word pieces of each token.

    What rules and lists say of a token may be added to the embeddings of its pieces, so that all
    layers read it (lexicon features in the encoder, as Liu et al. 2021, Lexicon Enhanced Chinese
    Sequence Labeling Using BERT Adapter, have them between two of its layers).

    bert (Bert): The network.
    tokenizer (Tokenizer): Cuts a text into its word pieces.
    evidence (Optional[torch.Tensor]): Makes an embedding of the evidence, shape (width, WIDTH). None
        to read none.
    """

    def __init__(
        self, bert: Bert, tokenizer: Tokenizer, evidence: torch.Tensor | None = None
    ) -> None:
        super().__init__()
        self.bert = bert
        self.tokenizer = tokenizer
        self.evidence: torch.nn.Linear | None = None
        if evidence is not None:
            width, columns = evidence.shape
            self.evidence = torch.nn.Linear(columns, width, bias=False)
            self.evidence.weight.data = evidence.float()
        self.set_precision(FULL)
        # As these are state of the tokenizer, setting them for each text would need a lock.
        tokenizer.no_padding()
        tokenizer.no_truncation()

    def set_precision(self, precision: str) -> None:
        """precision (str): With how many bits to predict, see `components.model.precision`."""
        precision = choose_precision(precision, next(self.bert.parameters()).device)
        reader = self.bert if precision == FULL else reduce_precision(self.bert, precision)
        # In a tuple it is none of the modules that are trained, saved and moved.
        self._reader = (reader,)

    @property
    def reader(self) -> Bert:
        """RETURNS (Bert): The network that predicts."""
        return self._reader[0]

    def embed(self, evidence: torch.Tensor) -> torch.Tensor | None:
        """evidence (torch.Tensor): That of tokens, shape (n_tokens, WIDTH).
        RETURNS (Optional[torch.Tensor]): What is added to the embeddings of their pieces, shape (n_tokens,
            width), None if nothing is.
        """
        return None if self.evidence is None else self.evidence(evidence).float()

    def forward(
        self, batches: Sequence[Batch], counts: torch.Tensor, evidence: torch.Tensor
    ) -> torch.Tensor:
        """Read windows in training.

        batches (Sequence[Batch]): The windows.
        counts (torch.Tensor): How many pieces each token has in all of them, shape (n_tokens,).
        evidence (torch.Tensor): What rules and lists say of them, shape (n_tokens, WIDTH).
        RETURNS (torch.Tensor): The mean of each token, shape (n_tokens, width).
        """
        embedded = self.embed(evidence)
        sums = counts.new_zeros((len(counts), self.bert.width))
        for batch in batches:
            ids, tokens = batch.ids, batch.tokens
            added = place(embedded, batch.pieces, tokens, ids.numel())
            if added is not None:
                added = added.view(*ids.shape, -1)
            hidden = self.bert(ids, batch.positions, batch.mask, added).flatten(0, 1).float()
            sums = sums.index_add(0, tokens, hidden[batch.pieces])
        return sums / counts.clamp(min=1).unsqueeze(1)


def place(
    embedded: torch.Tensor | None, pieces: torch.Tensor, tokens: torch.Tensor, n_pieces: int
) -> torch.Tensor | None:
    """Give word pieces what was embedded of their tokens: a piece of two tokens, the sum.

    embedded (Optional[torch.Tensor]): Shape (n_tokens, width).
    pieces (torch.Tensor), tokens (torch.Tensor): Pairs of a piece and its token, shape (n_pairs,).
    n_pieces (int): How many pieces there are.
    RETURNS (Optional[torch.Tensor]): Shape (n_pieces, width), None if nothing was embedded.
    """
    if embedded is None:
        return None
    return embedded.new_zeros((n_pieces, embedded.shape[1])).index_add(0, pieces, embedded[tokens])


@registry.architectures("sv_deid_chat.Encoder.v1")
def build_encoder(
    window: int,
    overlap: int,
    max_batch_pieces: int,
    mixed_precision: bool,
    context_pieces: int = 0,
    context_dropout: float = 0.0,
    evidence: bool = False,
) -> Model[list[Doc], list[Floats2d]]:
    """Build an encoder. Its weights come when it is initialized, or loaded with the pipeline.

    window (int): The most characters that it reads in one go, 500 at most for 512 word pieces.
    overlap (int): Characters that two windows share.
    max_batch_pieces (int): The most word pieces that it reads in one go; in training, padding
        included.
    mixed_precision (bool): Whether to train with half precision where it is safe: on a GPU, and on a
        processor that computes with bf16, where a step takes some two thirds of the time.
    context_pieces (int): The most word pieces of `doc._.context` that it reads before a message.
    context_dropout (float): Share of the messages whose context is hidden in training, so that it
        also learns to read them alone.
    evidence (bool): Whether it reads what rules and lists say of each token, `doc._.evidence`.
    RETURNS (Model[List[Doc], List[Floats2d]]): A vector a token, shape (n_tokens, width).
    """
    if not 0 <= overlap < window:
        raise ValueError(f"overlap ({overlap}) must be at least 0 and less than window ({window}).")
    # bf16 has the range of fp32, so that on a CPU no gradient needs scaling.
    scaled = mixed_precision and get_torch_default_device().type == "cuda"
    shim = PyTorchShim(None, mixed_precision=scaled, grad_scaler=PyTorchGradScaler(scaled))
    attrs = {
        "window": window,
        "overlap": overlap,
        "max_batch_pieces": max_batch_pieces,
        "context_pieces": context_pieces,
        "context_dropout": context_dropout,
        "evidence": evidence,
        "mixed_precision": mixed_precision,
    }
    return Model("encoder", _forward, dims={"nO": None}, attrs=attrs, shims=[shim])


@registry.architectures("sv_deid_chat.EncoderListener.v1")
def build_listener(upstream: str) -> Tok2VecListener:
    """Build a listener that takes its width from the encoder.

    upstream (str): The name of the encoder's pipe, or "*".
    RETURNS (Tok2VecListener): The listener.
    """
    return EncoderListener(upstream, None)


class EncoderListener(Tok2VecListener):
    """Gives the vectors in doc.tensor, in training those of the batch that the encoder is at.

    upstream (str): The name of the encoder's pipe, or "*".
    width (Optional[int]): The width of the vectors, None if it is not known yet.
    """

    def __init__(self, upstream: str, width: int | None) -> None:
        super().__init__(upstream, width)  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Any, ...]:
        # Not the batch that it saw last.
        return EncoderListener, (self.upstream_name, self.maybe_get_dim("nO"))


def get_network(model: Model) -> TokenEncoder:
    """model (Model): An encoder.
    RETURNS (TokenEncoder): Its network.
    """
    network = model.shims[0]._model
    if network is None:
        raise ValueError(
            "The encoder has no weights yet. Load a trained pipeline, or call nlp.initialize()."
        )
    return network


def _forward(
    model: Model, docs: Sequence[Doc], is_train: bool
) -> tuple[list[Floats2d], Callable[[list[Floats2d]], list[Doc]]]:
    network = get_network(model)
    contexts = [doc._.context for doc in docs]
    if is_train:
        hidden = np.random.random(len(docs)) < model.attrs["context_dropout"]
        contexts = [None if hide else context for hide, context in zip(hidden, contexts)]
    windows = [
        *read_windows(
            docs,
            network,
            model.attrs["window"],
            model.attrs["overlap"],
            contexts,
            model.attrs["context_pieces"],
        )
    ]
    lengths = [len(doc) for doc in docs]
    if not is_train or not windows:
        vectors = predict(network, windows, gather(docs, network), model.attrs["max_batch_pieces"])
        return _split(torch2xp(vectors), lengths), lambda d_vectors: []
    shim: Any = model.shims[0]
    # What predicts with fewer bits would stay behind.
    network.set_precision(FULL)
    counts = torch.from_numpy(count_pieces(windows, sum(lengths))).to(shim.device)
    batches = [*pack(windows, model.attrs["max_batch_pieces"], network.bert.pad, shim.device)]
    reduced = model.attrs["mixed_precision"] and choose_precision(AUTO, shim.device) != FULL
    with torch.autocast("cpu", torch.bfloat16, enabled=reduced and shim.device.type == "cpu"):
        inputs = (batches, counts, gather(docs, network).to(shim.device))
        output, backprop_network = shim(ArgsKwargs(inputs, {}), True)

    def backprop(d_vectors: list[Floats2d]) -> list[Doc]:
        gradient = xp2torch(model.ops.xp.vstack(d_vectors), requires_grad=True)
        backprop_network(ArgsKwargs(((output,),), {"grad_tensors": gradient}))
        return []

    return _split(torch2xp(output), lengths), backprop


def _split(vectors: Any, lengths: Iterable[int]) -> list[Floats2d]:
    ends = np.cumsum([0, *lengths]).tolist()
    return [vectors[start:end] for start, end in pairwise(ends)]


def gather(docs: Sequence[Doc], network: TokenEncoder) -> torch.Tensor:
    """Gather what the encoder reads of rules and lists.

    docs (Sequence[Doc]): The documents.
    network (TokenEncoder): The network.
    RETURNS (torch.Tensor): The evidence of all tokens, shape (n_tokens, WIDTH), or (n_tokens, 0) if it
        reads none.
    """
    if network.evidence is None or not docs:
        return torch.zeros((sum(map(len, docs)), 0))
    return torch.from_numpy(np.concatenate([read_evidence(doc) for doc in docs]))


def predict(
    network: TokenEncoder, windows: Sequence[Window], evidence: torch.Tensor, max_pieces: int
) -> torch.Tensor:
    """Read windows, without any padding. Nothing of the network changes: any number of
    threads may do so at once.

    network (TokenEncoder): The network.
    windows (Sequence[Window]): The windows.
    evidence (torch.Tensor): What rules and lists say of all their tokens, see `gather`.
    max_pieces (int): The most word pieces that are read in one go.
    RETURNS (torch.Tensor): The vectors of the tokens, shape (n_tokens, width).
    """
    if network.training:
        # After a training only: a loaded network never trains.
        network.eval()
    device = next(network.parameters()).device
    n_tokens = len(evidence)
    counts = torch.from_numpy(count_pieces(windows, n_tokens)).to(device)
    bert = network.reader
    vectors = torch.zeros((n_tokens, bert.width), device=device)
    with torch.no_grad():
        embedded = network.embed(evidence.to(device))
        for strip in get_strips(windows, max_pieces):
            pieces, tokens = (torch.from_numpy(one).to(device) for one in strip[2:])
            added = place(embedded, pieces, tokens, len(strip.ids))
            hidden = bert.read(torch.tensor(strip.ids, device=device), strip.lengths, added)
            vectors.index_add_(0, tokens, hidden[pieces].float())
    return vectors / counts.clamp(min=1).unsqueeze(1)


def get_strips(windows: Iterable[Window], max_pieces: int) -> Iterator[Strip]:
    """Lay windows out for a prediction, the shortest first.

    windows (Iterable[Window]): The windows.
    max_pieces (int): The most word pieces in a strip of more than one window.
    YIELDS (Strip): The strips.
    """
    strip: list[Window] = []
    n_pieces = 0
    for window in sorted(windows, key=lambda window: len(window.ids)):
        if strip and n_pieces + len(window.ids) > max_pieces:
            yield _make_strip(strip)
            strip, n_pieces = [], 0
        strip.append(window)
        n_pieces += len(window.ids)
    if strip:
        yield _make_strip(strip)


def _make_strip(windows: Sequence[Window]) -> Strip:
    lengths = [len(window.ids) for window in windows]
    starts = np.cumsum([0, *lengths[:-1]]).tolist()
    return Strip(
        [piece for window in windows for piece in window.ids],
        lengths,
        np.concatenate([window.pieces + start for window, start in zip(windows, starts)]),
        np.concatenate([window.tokens for window in windows]),
    )


def count_pieces(windows: Iterable[Window], n_tokens: int) -> np.ndarray:
    """windows (Iterable[Window]): The windows.
    n_tokens (int): How many tokens they are of.
    RETURNS (np.ndarray): How many pieces each token has in all of them, shape (n_tokens,).
    """
    counts = np.zeros(n_tokens, dtype=np.float32)
    for window in windows:
        np.add.at(counts, window.tokens, 1.0)
    return counts


def read_windows(
    docs: Iterable[Doc],
    network: TokenEncoder,
    size: int,
    overlap: int,
    contexts: Iterable[str | None] = repeat(None),
    context_pieces: int = 0,
) -> Iterator[Window]:
    """Cut documents into windows, and these into word pieces.

    docs (Iterable[Doc]): The documents.
    network (TokenEncoder): The network.
    size (int): The most characters in a window.
    overlap (int): Characters that a window shares with the one before.
    contexts (Iterable[Optional[str]]): What was said before each document.
    context_pieces (int): The most word pieces of it before each window.
    YIELDS (Window): The windows. Tokens are counted over all documents.
    """
    most = network.bert.max_pieces
    n_before = 0
    for doc, context in zip(docs, contexts):
        folded = fold_text(doc.text)
        starts, ends = folded.get_bounds(doc)
        before = _read_context(context, network, context_pieces) if context else []
        for first, last in get_windows(doc, size, overlap):
            begin = int(starts[first])
            encoding = network.tokenizer.encode(folded.text[begin : int(ends[last - 1])])
            ids = encoding.ids
            offsets = np.asarray(encoding.offsets, dtype=np.int64).reshape(-1, 2) + begin
            if len(ids) > most:
                # One token of hundreds of signs.
                ids = [*ids[: most - 1], ids[-1]]
                offsets = np.concatenate((offsets[: most - 1], offsets[-1:]))
            pieces, tokens = _align(offsets, starts[first:last], ends[first:last])
            if before:
                # The message itself always has room.
                fitting = before[max(0, len(before) - (most - len(ids))) :]
                ids = [ids[0], *fitting, *ids[1:]]
                pieces = pieces + len(fitting)
            yield Window(ids, pieces, tokens + first + n_before)
        n_before += len(doc)


def _read_context(context: str, network: TokenEncoder, most: int) -> list[int]:
    """context (str): What was said before.
    network (TokenEncoder): The network.
    most (int): The most word pieces.
    RETURNS (List[int]): Its last word pieces, ended like a message.
    """
    if most <= 0:
        return []
    # Pieces are seldom longer: what is before so many characters can be left uncut.
    text = fold_text(context[-CONTEXT_CHARS * most :]).text
    ids = network.tokenizer.encode(text).ids
    return ids[1:][-most:] if len(ids) > 2 else []


def _align(
    offsets: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Pair word pieces and tokens that share a character.

    offsets (np.ndarray): Where each piece begins and ends, shape (n_pieces, 2). Special ones are
        empty.
    starts (np.ndarray), ends (np.ndarray): Where each token begins and ends, shape (n_tokens,).
    RETURNS (Tuple[np.ndarray, np.ndarray]): Pieces and their tokens, each of shape (n_pairs,).
    """
    real = np.flatnonzero(offsets[:, 0] < offsets[:, 1])
    first = np.searchsorted(ends, offsets[real, 0], side="right")
    last = np.searchsorted(starts, offsets[real, 1], side="left")
    n = np.maximum(last - first, 0)
    pieces = np.repeat(real, n)
    within = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
    return pieces, np.repeat(first, n) + within


@Language.factory(
    "chat_encoder",
    requires=["doc._.evidence"],
    assigns=["doc.tensor"],
    default_config={"model": Config().from_str(DEFAULT_MODEL)["model"], "precision": AUTO},
)
def make_chat_encoder(
    nlp: Language, name: str, model: Model[list[Doc], list[Floats2d]], precision: str
) -> "ChatEncoder":
    return ChatEncoder(nlp.vocab, model, name, precision=precision)


class ChatEncoder(Tok2Vec):
    """Write a vector for each token to doc.tensor, which listeners in later pipes read. A loaded
    pipe never trains by itself: its dropout is off, and any number of threads may use it.

    On disk it is a folder as the library transformers makes them: config.json, model.safetensors,
    tokenizer.json.
    """

    def __init__(
        self,
        vocab: Vocab,
        model: Model[list[Doc], list[Floats2d]],
        name: str = "transformer",
        *,
        precision: str = AUTO,
    ) -> None:
        """Create the pipe.

        vocab (Vocab): The shared vocabulary.
        model (Model[List[Doc], List[Floats2d]]): The encoder.
        name (str): The pipe's name.
        precision (str): With how many bits a loaded pipe predicts: "fp32", "bf16", "int8", or "auto"
            for bf16 where the processor computes with it, else fp32. It trains, and is saved, in fp32.
        """
        super().__init__(vocab, model, name)
        self._precision = check_precision(precision)

    @property
    def precision(self) -> str:
        """RETURNS (str): With how many bits a loaded pipe predicts. It may be set on one; what is
        saved is that of the config.
        """
        return self._precision

    @precision.setter
    def precision(self, value: str) -> None:
        get_network(self.model).set_precision(check_precision(value))
        self._precision = value

    @property
    def bert(self) -> Bert:
        """RETURNS (Bert): The network."""
        return get_network(self.model).bert

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        pretrained: Mapping[str, Any] | None = None,
    ) -> None:
        """Begin with a pretrained encoder, and tell the listeners its width.

        get_examples (Callable[[], Iterable[Example]]): Not used.
        nlp (Optional[Language]): Not used.
        pretrained (Optional[Mapping[str, Any]]): The encoder's "config", its "weights" and its
            "tokenizer" as JSON, as `training_tools.encoders.read_encoder` reads them.
        """
        if pretrained is None:
            raise ValueError(
                f"'{self.name}' got no encoder to begin with. Give it one in "
                f"[initialize.components.{self.name}.pretrained]."
            )
        self.set_network(pretrained["config"], pretrained["weights"], pretrained["tokenizer"])

    def set_network(
        self, config: Mapping[str, Any], weights: Mapping[str, torch.Tensor], tokenizer: str
    ) -> None:
        """Take another network, in fp32, and tell the listeners its width.

        config (Mapping[str, Any]): Its shape, with the names of transformers' `BertConfig`.
        weights (Mapping[str, torch.Tensor]): Its weights. Where those of the evidence are missing, it
            has to learn to read it.
        tokenizer (str): Its tokenizer, as JSON.
        """
        with torch.device("meta"):
            bert = Bert(config)
        of_bert = {k: v.float() for k, v in weights.items() if k != EVIDENCE}
        bert.load_state_dict(of_bert, assign=True)
        evidence = None
        if self.model.attrs["evidence"]:
            evidence = weights.get(EVIDENCE, torch.zeros((bert.width, WIDTH)))
        # Weights that were only laid out are no parameters to train.
        bert.requires_grad_(True)
        network = TokenEncoder(bert, Tokenizer.from_str(tokenizer), evidence)
        network.to(get_torch_default_device()).eval()
        network.set_precision(FULL)
        self.model.shims[0]._model = network
        for model in (self.model, *self.listeners):
            model.set_dim("nO", bert.width, force=True)

    def _get_state(self) -> dict[str, bytes]:
        network = get_network(self.model)
        # Where it was trained from is nobody's business.
        config = {k: v for k, v in network.bert.config.items() if k != "_name_or_path"}
        config.update(torch_dtype="float32", architectures=["BertModel"])
        weights = {k: v.contiguous() for k, v in network.bert.state_dict().items()}
        if network.evidence is not None:
            weights[EVIDENCE] = network.evidence.weight.detach().contiguous()
        return {
            "config.json": json.dumps(config, indent=2, sort_keys=True).encode("utf8") + b"\n",
            "model.safetensors": safetensors.torch.save(weights, metadata={"format": "pt"}),
            "tokenizer.json": network.tokenizer.to_str().encode("utf8"),
        }

    def _set_state(self, state: Mapping[str, bytes]) -> None:
        weights = safetensors.torch.load(state["model.safetensors"])
        width = weights[EVIDENCE].shape[1] if EVIDENCE in weights else 0
        if width != (WIDTH if self.model.attrs["evidence"] else 0):
            raise make_width_error(width)
        tokenizer = state["tokenizer.json"].decode("utf8")
        self.set_network(json.loads(state["config.json"]), weights, tokenizer)
        get_network(self.model).set_precision(self.precision)

    def to_bytes(self, *, exclude: Iterable[str] = SimpleFrozenList()) -> bytes:
        """Serialise the encoder.

        exclude (Iterable[str]): Parts to leave out: "model".
        RETURNS (bytes): The serialised pipe.
        """
        return util.to_bytes({"model": lambda: srsly.msgpack_dumps(self._get_state())}, exclude)

    def from_bytes(
        self, bytes_data: bytes, *, exclude: Iterable[str] = SimpleFrozenList()
    ) -> "ChatEncoder":
        """Load an encoder.

        bytes_data (bytes): What `to_bytes` gave.
        exclude (Iterable[str]): Parts to leave out: "model".
        RETURNS (ChatEncoder): The pipe itself.
        """
        setters = {"model": lambda data: self._set_state(srsly.msgpack_loads(data))}
        util.from_bytes(bytes_data, setters, exclude)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = SimpleFrozenList()) -> None:
        """Save the encoder as the files of a folder.

        path (Union[str, Path]): The folder.
        exclude (Iterable[str]): Parts to leave out: "model".
        """
        path = Path(path)
        path.mkdir(parents=True, exist_ok=True)
        if "model" not in exclude:
            for name, content in self._get_state().items():
                (path / name).write_bytes(content)

    def from_disk(
        self, path: str | Path, *, exclude: Iterable[str] = SimpleFrozenList()
    ) -> "ChatEncoder":
        """Load an encoder from a folder.

        path (Union[str, Path]): The folder.
        exclude (Iterable[str]): Parts to leave out: "model".
        RETURNS (ChatEncoder): The pipe itself.
        """
        path = Path(path)
        if "model" not in exclude:
            names = ("config.json", "model.safetensors", "tokenizer.json")
            self._set_state({name: (path / name).read_bytes() for name in names})
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        attrs = dict(self.model.attrs)
        return _unpickle, (self.vocab, self.name, attrs, self.precision, self.to_bytes())


def _unpickle(
    vocab: Vocab, name: str, attrs: dict[str, Any], precision: str, data: bytes
) -> ChatEncoder:
    model = build_encoder(**attrs)
    return ChatEncoder(vocab, model, name, precision=precision).from_bytes(data)
