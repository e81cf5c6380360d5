"""The pipe that gives each token the vector of a BERT.

The wheel has it in the place of spacy-transformers' `transformer`, for three reasons. Its forward pass
changes nothing on the shared network, so threads do not disturb one another (thinc's shim turns
dropout on after each prediction, in the middle of another thread's forward pass, and names get lost
without an error). It aligns word pieces by their offsets in the folded text. Its weights are saved as
safetensors, which hold no code.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy
import srsly
from spacy import util
from spacy.language import Language
from spacy.pipeline.tok2vec import Tok2Vec
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import SimpleFrozenList
from spacy.vocab import Vocab
from thinc.api import Config, Model
from thinc.compat import has_torch
from thinc.types import Floats2d

from ..shared.choices import check_choice
from ..shared.find_pipes import find_pipes
from .backend import AUTO, BACKENDS, NUMPY, PRECISIONS, TORCH, choose_backend
from .encoder import build_encoder, change_backend, get_network, set_network
from .evidence import WEIGHTS, WIDTH, make_width_error

FILES = ("config.json", "model.safetensors", "tokenizer.json")

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


@Language.factory(
    "chat_encoder",
    requires=["doc._.evidence"],
    assigns=["doc.tensor"],
    default_config={
        "model": Config().from_str(DEFAULT_MODEL)["model"],
        "backend": AUTO,
        "precision": AUTO,
    },
)
def make_chat_encoder(
    nlp: Language,
    name: str,
    model: Model[list[Doc], list[Floats2d]],
    backend: str,
    precision: str,
) -> "ChatEncoder":
    return ChatEncoder(nlp.vocab, model, name, backend=backend, precision=precision)


class ChatEncoder(Tok2Vec):
    """Write a vector for each token to doc.tensor, where the listeners of later pipes read it. The
    dropout of a loaded pipe is off, and any number of threads may use it.

    On disk the pipe is a folder of the library transformers: config.json, model.safetensors (in half
    precision), tokenizer.json.
    """

    def __init__(
        self,
        vocab: Vocab,
        model: Model[list[Doc], list[Floats2d]],
        name: str = "transformer",
        *,
        backend: str = AUTO,
        precision: str = AUTO,
    ) -> None:
        """Create the pipe.

        backend (str): What a loaded pipe predicts with: "numpy", "torch", or "auto": torch where it is
            installed and the processor computes with bf16, or a GPU is in use; else numpy. Training
            always takes torch.
        precision (str): With how many bits a loaded pipe predicts: "fp32", "bf16" (torch alone), or
            "auto": bf16 with torch if the processor computes with it, else fp32. Training is in fp32,
            saving in fp16.
        """
        super().__init__(vocab, model, name)
        self._backend = check_choice("backend", backend, BACKENDS)
        self._precision = check_choice("precision", precision, PRECISIONS)

    @property
    def backend(self) -> str:
        """What a loaded pipe predicts with. Setting it changes the loaded pipe, not what is saved."""
        return self._backend

    @backend.setter
    def backend(self, value: str) -> None:
        self._set_reader(check_choice("backend", value, BACKENDS), self._precision)

    @property
    def precision(self) -> str:
        """With how many bits it predicts. Setting it changes the loaded pipe, not what is saved."""
        return self._precision

    @precision.setter
    def precision(self, value: str) -> None:
        self._set_reader(self._backend, check_choice("precision", value, PRECISIONS))

    def _set_reader(self, backend: str, precision: str) -> None:
        """Predict with another backend or precision."""
        network = change_backend(self.model, choose_backend(backend, precision))
        network.set_precision(precision)
        self._backend, self._precision = backend, precision

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        pretrained: Mapping[str, Any] | None = None,
    ) -> None:
        """Begin with a pretrained encoder (`sv_deid_chat.encoder.v1`). It needs torch."""
        if pretrained is None:
            raise ValueError(
                f"'{self.name}' got no encoder to begin with. Give it one in "
                f"[initialize.components.{self.name}.pretrained]."
            )
        self.set_network(pretrained["config"], pretrained["weights"], pretrained["tokenizer"])

    def set_network(
        self,
        config: Mapping[str, Any],
        weights: Mapping[str, np.ndarray],
        tokenizer: str,
        backend: str = TORCH,
    ) -> None:
        """Take another network, in fp32, and set the width of the listeners. See `set_network`."""
        network = set_network(self.model, backend, config, weights, tokenizer)
        for listener in self.listeners:
            listener.set_dim("nO", network.width, force=True)

    def _get_state(self) -> dict[str, bytes]:
        network = get_network(self.model)
        # The path that it was trained from may be private.
        config = {k: v for k, v in network.config.items() if k != "_name_or_path"}
        config.update(torch_dtype="float16", architectures=["BertModel"])
        weights = {
            name: np.ascontiguousarray(weight, dtype=np.float16)
            for name, weight in network.get_weights().items()
        }
        return {
            "config.json": json.dumps(config, indent=2, sort_keys=True).encode("utf8") + b"\n",
            "model.safetensors": safetensors.numpy.save(weights, metadata={"format": "pt"}),
            "tokenizer.json": network.tokenizer.to_str().encode("utf8"),
        }

    def _set_state(self, state: Mapping[str, bytes]) -> None:
        weights = safetensors.numpy.load(state["model.safetensors"])
        width = weights[WEIGHTS].shape[1] if WEIGHTS in weights else 0
        if width != (WIDTH if self.model.attrs["evidence"] else 0):
            raise make_width_error(width)
        self.set_network(
            json.loads(state["config.json"]),
            weights,
            state["tokenizer.json"].decode("utf8"),
            choose_backend(self.backend, self.precision),
        )
        get_network(self.model).set_precision(self.precision)

    def to_bytes(self, *, exclude: Iterable[str] = SimpleFrozenList()) -> bytes:
        """Serialise the encoder. `exclude` may name its one part, "model", here and below."""
        return util.to_bytes({"model": lambda: srsly.msgpack_dumps(self._get_state())}, exclude)

    def from_bytes(
        self, bytes_data: bytes, *, exclude: Iterable[str] = SimpleFrozenList()
    ) -> "ChatEncoder":
        """Load what `to_bytes` gave."""
        setters = {"model": lambda data: self._set_state(srsly.msgpack_loads(data))}
        util.from_bytes(bytes_data, setters, exclude)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = SimpleFrozenList()) -> None:
        """Save the encoder as the files of a folder."""
        path = Path(path)
        path.mkdir(parents=True, exist_ok=True)
        if "model" not in exclude:
            for name, content in self._get_state().items():
                (path / name).write_bytes(content)

    def from_disk(
        self, path: str | Path, *, exclude: Iterable[str] = SimpleFrozenList()
    ) -> "ChatEncoder":
        """Load an encoder from a folder."""
        path = Path(path)
        if "model" not in exclude:
            self._set_state({name: (path / name).read_bytes() for name in FILES})
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        settings = {"backend": self.backend, "precision": self.precision}
        return _unpickle, (self.vocab, self.name, dict(self.model.attrs), settings, self.to_bytes())


def describe_backend(nlp: Language) -> str:
    """RETURNS (str): What computes the encoder of a pipeline, with its version: "numpy 2.3.1"."""
    encoders = [get_network(encoder.model).backend for encoder in find_pipes(nlp, ChatEncoder)]
    # The `transformer` of spacy-transformers has torch.
    backend = encoders[0] if encoders else TORCH if has_torch else NUMPY
    return f"{backend} {version(backend)}"


def _unpickle(
    vocab: Vocab, name: str, attrs: dict[str, Any], settings: dict[str, str], data: bytes
) -> ChatEncoder:
    return ChatEncoder(vocab, build_encoder(**attrs), name, **settings).from_bytes(data)
