"""What computes the encoder: numpy, which spaCy brings, or torch, which is an extra of the wheel. thinc
imports torch wherever it is installed; this project imports it only where it is used.
"""

from typing import Any

from thinc.compat import has_torch
from thinc.util import get_torch_default_device
from threadpoolctl import threadpool_info, threadpool_limits

from ..shared.extras import load_extra

AUTO = "auto"
NUMPY, TORCH = "numpy", "torch"
BACKENDS = (AUTO, NUMPY, TORCH)
FULL, HALF = "fp32", "bf16"
PRECISIONS = (AUTO, FULL, HALF)


def load_torch() -> Any:
    """RETURNS (module): torch, or an ExtraError if it is not installed."""
    return load_extra("torch", TORCH)


def choose_backend(backend: str, precision: str) -> str:
    """Choose a backend. "auto" is torch where it is installed and faster: on a GPU, and on a processor that
    computes with bf16. It is torch, too, where bf16 is asked for.

    RAISES (ExtraError): If torch is needed and not installed.
    """
    if backend == AUTO:
        has_gpu = has_torch and get_torch_default_device().type != "cpu"
        is_faster = has_gpu or (has_torch and choose_precision(AUTO) == HALF)
        backend = TORCH if is_faster or precision == HALF else NUMPY
    if backend == TORCH:
        load_torch()
    elif precision == HALF:
        raise ValueError("numpy computes in fp32 only: set backend to torch, or precision to auto.")
    return backend


def choose_precision(precision: str) -> str:
    """Choose for "auto", with torch: bf16 where the device computes with it, else fp32."""
    if precision != AUTO:
        return precision
    return HALF if _has_bf16() else FULL


def _has_bf16() -> bool:
    torch, device = load_torch(), get_torch_default_device()
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    # Which of them there are differs between versions of torch.
    names = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return device.type == "cpu" and any(getattr(torch.cpu, name, bool)() for name in names)


def set_threads(threads: int) -> None:
    """Set how many threads numpy and torch compute with in this process."""
    threadpool_limits(threads, user_api="blas")
    if has_torch:
        load_torch().set_num_threads(threads)


def get_threads() -> int:
    """RETURNS (int): How many threads numpy or torch computes with in this process, as it is."""
    if has_torch:
        return int(load_torch().get_num_threads())
    return max((pool["num_threads"] for pool in threadpool_info()), default=1)
