"""The network is laid out without what torch needs to compile networks, whose import takes a second."""

import subprocess
import sys

import torch

from tests.conftest import ROOT

LAY_OUT = """
import sys
import torch
from components.model.torch_network import Bert

shape = dict(
    model_type="bert", hidden_act="gelu", hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
    intermediate_size=16, vocab_size=20, max_position_embeddings=10, type_vocab_size=2, pad_token_id=0,
    layer_norm_eps=1e-12, hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
)
with torch.device("meta"):
    Bert(shape)
assert "torch._dynamo" not in sys.modules
assert float(Bert(shape).embeddings.word_embeddings.weight.detach().std()) > 0.5
"""


def test_a_network_that_is_laid_out_needs_no_compiler():
    done = subprocess.run(
        [sys.executable, "-c", LAY_OUT], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_another_default_of_torch_changes_nothing(tiny_nlp):
    want = tiny_nlp("Hej, jag heter Anna Lind")
    torch.set_default_dtype(torch.float64)
    try:
        doc = tiny_nlp("Hej, jag heter Anna Lind")
    finally:
        torch.set_default_dtype(torch.float32)
    assert not doc._.failed and doc._.deidentified == want._.deidentified
