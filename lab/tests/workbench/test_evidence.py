"""Each source of evidence is off while it is, and on again after."""

import numpy as np
import pytest
import spacy
import torch

from components.model.encoder import get_network
from components.model.evidence import N_HITS, WIDTH
from components.shared.labels import GAZETTEER_KEY, PHI_KEY, RULES_KEY
from lab.workbench.evidence import SOURCES, SURNAME, find_first_layer, without_columns
from lab.workbench.training import UNUSED

TEXT = "Hej, jag heter Anna Lind och är 34 år."


@pytest.fixture(scope="module")
def nlp(tiny_path):
    return spacy.load(tiny_path, exclude=UNUSED)


@pytest.mark.parametrize(
    ("source", "key"), [("rules", RULES_KEY), ("lists", GAZETTEER_KEY), ("model", PHI_KEY)]
)
def test_pipe_is_off(nlp, source, key):
    assert nlp(TEXT).spans[key]
    with SOURCES[source](nlp):
        assert key not in nlp(TEXT).spans
    assert nlp(TEXT).spans[key]


@pytest.mark.parametrize("source", ["surname grammar", "shape"])
def test_model_is_blind_to_columns(nlp, source):
    """What a column says makes no difference, and the others still do."""
    layer = find_first_layer(nlp.get_pipe("phi_ner").model)
    weights = layer.get_param("W").copy()
    with SOURCES[source](nlp):
        blind = layer.get_param("W")
        changed = np.flatnonzero((blind != weights).any(axis=0)) - (weights.shape[1] - WIDTH)
    wanted = [SURNAME] if source == "surname grammar" else list(range(N_HITS, N_HITS + 7))
    assert list(changed) == wanted
    assert (layer.get_param("W") == weights).all()


def test_weights_come_back_after_an_error(nlp):
    layer = find_first_layer(nlp.get_pipe("phi_ner").model)
    weights = layer.get_param("W").copy()
    with pytest.raises(RuntimeError), without_columns(nlp, slice(0, WIDTH)):
        before = layer.predict(np.ones((1, weights.shape[1]), dtype="f"))
        vector = np.ones((1, weights.shape[1]), dtype="f")
        vector[:, -WIDTH:] = 5
        assert np.allclose(layer.predict(vector), before)
        raise RuntimeError
    assert (layer.get_param("W") == weights).all()


def test_encoder_is_blind_too(nlp):
    embedding = get_network(nlp.get_pipe("transformer").model).evidence
    torch.nn.init.normal_(embedding.weight)
    weights = embedding.weight.detach().clone()
    with pytest.raises(RuntimeError), SOURCES["shape"](nlp):
        blind = (embedding.weight == 0).all(dim=0).nonzero().flatten().tolist()
        assert blind == list(range(N_HITS, N_HITS + 7))
        raise RuntimeError
    assert (embedding.weight == weights).all()
