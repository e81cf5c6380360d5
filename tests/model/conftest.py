import pytest
import torch


@pytest.fixture(params=[False, True])
def able(request, monkeypatch):
    """Whether the processor computes with bf16."""
    for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        monkeypatch.setattr(torch.cpu, name, lambda: request.param, raising=False)
    return request.param
