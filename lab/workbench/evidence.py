"""What the pipeline finds by, each source of evidence switched off on a trained pipeline."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import cast

from spacy.language import Language
from thinc.api import Model
from thinc.types import Floats2d

from components.model.chat_encoder import ChatEncoder
from components.model.encoder import get_network
from components.model.evidence import N_HITS, N_WORD, SHAPES, WIDTH
from components.model.phi_ner import PhiNer

# Column of the evidence: whether the word has the form of a surname.
SURNAME = WIDTH - N_WORD + 3


@contextmanager
def without_pipes(nlp: Language, *names: str) -> Iterator[None]:
    """Run a pipeline without some pipes: what they find has neither a voice of its own, nor does
    the model see it.

    nlp (Language): The pipeline.
    *names (str): The pipes.
    """
    with nlp.select_pipes(disable=[name for name in names if name in nlp.pipe_names]):
        yield


@contextmanager
def without_columns(nlp: Language, columns: slice) -> Iterator[None]:
    """Run a pipeline whose networks are blind to some of the evidence: their weights are zero.

    nlp (Language): The pipeline.
    columns (slice): The columns of the evidence.
    """
    layer = find_first_layer(cast(PhiNer, nlp.get_pipe("phi_ner")).model)
    weights = cast(Floats2d, layer.get_param("W"))
    width = weights.shape[1] - WIDTH
    blind = weights.copy()
    blind[:, width + columns.start : width + columns.stop] = 0
    layer.set_param("W", blind)
    try:
        with blinded_encoder(nlp, columns):
            yield
    finally:
        layer.set_param("W", weights)


@contextmanager
def blinded_encoder(nlp: Language, columns: slice) -> Iterator[None]:
    """Run a pipeline whose encoder is blind to some of the evidence, if it reads any.

    nlp (Language): The pipeline.
    columns (slice): The columns of the evidence.
    """
    pipe = nlp.get_pipe("transformer") if nlp.has_pipe("transformer") else None
    embedding = get_network(pipe.model).evidence if isinstance(pipe, ChatEncoder) else None
    if embedding is None:
        yield
        return
    weights = embedding.weight.data
    embedding.weight.data = weights.clone()
    embedding.weight.data[:, columns] = 0
    try:
        yield
    finally:
        embedding.weight.data = weights


def find_first_layer(model: Model) -> Model:
    """Find the layer of the tagger that reads the vectors and the evidence.

    model (Model): The network of `phi_ner`.
    RETURNS (Model): The layer.
    """
    width = model.layers[0].get_dim("nO")
    return next(
        layer
        for layer in model.walk()
        if layer.has_param("W") and layer.get_param("W").shape[-1] == width
    )


SOURCES: Mapping[str, Callable[[Language], AbstractContextManager[None]]] = {
    "rules": lambda nlp: without_pipes(nlp, "entity_ruler"),
    "lists": lambda nlp: without_pipes(nlp, "gazetteer_matcher"),
    "model": lambda nlp: without_pipes(nlp, "transformer", "phi_ner"),
    "surname grammar": partial(without_columns, columns=slice(SURNAME, SURNAME + 1)),
    "shape": partial(without_columns, columns=slice(N_HITS, N_HITS + len(SHAPES))),
}
