"""Additions to spaCy's training: frozen embeddings, a slower encoder, less memory."""

import ctypes
from collections.abc import Callable
from typing import Any

from spacy.language import Language
from spacy.util import registry
from thinc.api import Ops, Optimizer, xp2torch
from thinc.types import FloatsXd

from ..shared.extras import load_extra
from .backend import AUTO, FULL, TORCH, choose_precision, load_torch
from .encoder import get_network
from .evidence import WEIGHTS


@registry.callbacks("sv_deid_chat.release_memory.v1")
def configure_release_memory(every: int) -> Callable[[Language, dict[str, Any]], None]:
    """Configure a callback for `[training.before_update]` that returns free memory to the system.

    Batches differ in shape, and their arrays leave gaps in the heap of glibc. Without it a training on a CPU
    grows by some 11 MB a step, to 13 GB and more. Without glibc it does nothing.
    """
    malloc_trim = _find_malloc_trim()

    def release_memory(nlp: Language, args: dict[str, Any]) -> None:
        if malloc_trim is not None and args["step"] % every == 0:
            malloc_trim(0)

    return release_memory


@registry.optimizers("sv_deid_chat.Adam.v1")
def configure_adam(learn_rate: Any, encoder_scale: float, L2: float, grad_clip: float) -> Optimizer:
    """Configure Adam with a lower learning rate for the encoder than for the rest."""
    optimizer = EncoderAdam(
        learn_rate, L2=L2, grad_clip=grad_clip, L2_is_weight_decay=True, use_averages=False
    )
    optimizer.encoder_scale = encoder_scale
    return optimizer


class EncoderAdam(Optimizer):
    """Adam with a lower learning rate for the encoder, which must not forget the language."""

    encoder_scale: float

    def __call__(
        self, key: tuple[int, str], weights: FloatsXd, gradient: FloatsXd, *, lr_scale: float = 1.0
    ) -> tuple[FloatsXd, FloatsXd]:
        # Parameters of torch have dotted names, those of thinc have none. Those that read the evidence are
        # no part of the pretrained encoder.
        if "." in key[1] and key[1] != WEIGHTS:
            lr_scale *= self.encoder_scale
        return super().__call__(key, weights, gradient, lr_scale=lr_scale)

    def _adam(
        self,
        ops: Ops,
        weights: FloatsXd,
        gradient: FloatsXd,
        lr_scale: float,
        key: tuple[int, str],
        nr_upd: int,
    ) -> tuple[FloatsXd, FloatsXd]:
        torch = load_torch()
        # In half the time of thinc's, and in several threads.
        for moments in (self.mom1, self.mom2):
            if key not in moments:
                moments[key] = ops.alloc(weights.shape)
        load_extra("torch.optim.adamw", TORCH).adamw(
            [xp2torch(weights)],
            [xp2torch(gradient)],
            [xp2torch(self.mom1[key])],
            [xp2torch(self.mom2[key])],
            max_exp_avg_sqs=[],
            state_steps=[torch.tensor(nr_upd - 1.0)],
            fused=True,
            amsgrad=False,
            beta1=self.b1,
            beta2=self.b2,
            lr=float(self.learn_rate) * lr_scale,
            weight_decay=0.0,
            eps=self.eps,
            maximize=False,
        )
        return weights, gradient


@registry.callbacks("sv_deid_chat.freeze_embeddings.v1")
def configure_freeze_embeddings(component: str) -> Callable[[Language], Language]:
    """Configure a callback for `[initialize.after_init]` that freezes the embeddings of the word
    pieces. The training corpus has only some of them: trained further, these move away from their
    neighbours, which other people's messages hold.
    """

    def freeze_embeddings(nlp: Language) -> Language:
        encoder: Any = nlp.get_pipe(component)
        network: Any = get_network(encoder.model)
        network.bert.embeddings.word_embeddings.requires_grad_(False)
        return nlp

    return freeze_embeddings


@registry.callbacks("sv_deid_chat.bf16_on_cpu.v1")
def configure_bf16_on_cpu(component: str) -> Callable[[Language], Language]:
    """Configure a callback for `[initialize.after_init]` that lets a `transformer` of spacy-transformers
    compute in bf16 on a processor that has it: in half the time. Elsewhere it changes nothing. On a
    GPU `mixed_precision` of the pipe's model does the like.
    """

    def compute_in_bf16(nlp: Language) -> Language:
        pipe: Any = nlp.get_pipe(component)
        network = pipe.model.transformer
        if network.device.type == "cpu" and choose_precision(AUTO) != FULL:
            network.forward = _run_in_bf16(network.forward)
        return nlp

    return compute_in_bf16


def _run_in_bf16(forward: Callable[..., Any]) -> Callable[..., Any]:
    torch = load_torch()

    def run(*args: Any, **kwargs: Any) -> Any:
        with torch.autocast("cpu", torch.bfloat16):
            output = forward(*args, **kwargs)
        return type(output)({name: value.float() for name, value in output.items()})

    return run


def _find_malloc_trim() -> Callable[[int], int] | None:
    try:
        return ctypes.CDLL("libc.so.6").malloc_trim
    except (OSError, AttributeError):
        return None
