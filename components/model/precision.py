"""Networks that predict with fewer bits: two to five times as fast on a processor with instructions for
it, and with almost the same vectors.
"""

import copy
import warnings

import torch

from .bert import Bert

AUTO = "auto"
FULL = "fp32"
PRECISIONS = (AUTO, FULL, "bf16", "int8")


def check_precision(precision: str) -> str:
    """precision (str): The name of a precision.
    RETURNS (str): The same.
    RAISES (ValueError): If there is none of that name.
    """
    if precision not in PRECISIONS:
        names = ", ".join(PRECISIONS)
        raise ValueError(f"precision must be one of {names}, not {precision!r}.")
    return precision


def choose_precision(precision: str, device: torch.device) -> str:
    """Choose for "auto": bf16 where the processor computes with it, else fp32. int8 is never chosen,
    as it changes the vectors more.
    """
    if precision == "int8" and device.type != "cpu":
        raise ValueError(f"precision int8 is for CPUs; on {device.type} use bf16 or fp32.")
    if precision != AUTO:
        return precision
    return "bf16" if _has_bf16(device) else FULL


def _has_bf16(device: torch.device) -> bool:
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    # Which of them there are differs between versions of torch.
    names = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return device.type == "cpu" and any(getattr(torch.cpu, name, bool)() for name in names)


def reduce_precision(bert: Bert, precision: str) -> Bert:
    """Make a network that computes with fewer bits. It shares the embeddings, whose size is most of
    a small network's, and has layers of its own.
    """
    reduced = copy.copy(bert)
    reduced._modules = dict(bert._modules)
    if precision == "bf16":
        reduced.encoder = copy.deepcopy(bert.encoder).to(torch.bfloat16)
    else:
        with warnings.catch_warnings():
            # That it moves to a package of its own.
            warnings.simplefilter("ignore")
            reduced.encoder = torch.ao.quantization.quantize_dynamic(
                bert.encoder, {torch.nn.Linear}, dtype=torch.qint8
            )
    # It never trains, though the other may be about to.
    reduced.encoder.eval()
    return reduced
