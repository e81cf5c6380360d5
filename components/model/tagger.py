"""The tagger: the network of `phi_ner`."""

from typing import Any

from spacy.tokens import Doc
from spacy.util import registry
from thinc.api import Dropout, Model, Softmax_v2, chain, residual, with_array
from thinc.types import Floats2d

from .evidence import with_evidence
from .layers import make_mish, make_neighbours


@registry.architectures("sv_deid_chat.PhiTagger.v2")
def build_phi_tagger(
    tok2vec: Model[list[Doc], list[Floats2d]],
    hidden_width: int,
    context_layers: int,
    nO: int | None = None,
) -> Model[list[Doc], list[Floats2d]]:
    """Build the tagger: token vectors and evidence, a hidden layer, further ones that see
    the neighbours (what lists and rules say of them is news to the encoder), a softmax.

    tok2vec (Model[list[Doc], list[Floats2d]]): Gives the token vectors, e.g. a listener to the
        encoder.
    hidden_width (int): Width of the hidden layers.
    context_layers (int): How many layers see one neighbour more on each side.
    nO (int | None): Number of tags, set at initialization.
    RETURNS (Model[list[Doc], list[Floats2d]]): Tag probabilities, shape (n_tokens, n_tags).
    """
    output = Softmax_v2(nO)
    hidden: Model = chain(make_mish(hidden_width), Dropout(0.0))
    context = [
        residual(chain(make_neighbours(), make_mish(hidden_width, 3 * hidden_width), Dropout(0.0)))
        for _ in range(context_layers)
    ]
    model: Model = chain(
        with_evidence(tok2vec),
        with_array(chain(hidden, *context, output), pad=context_layers),
    )
    model.set_ref("output_layer", output)
    return model


@registry.architectures("sv_deid_chat.PhiTagger.v1")
def refuse_old_tagger(**kwargs: Any) -> Model[list[Doc], list[Floats2d]]:
    """Refuse a pipeline that was trained with an earlier version."""
    raise ValueError(
        "The model was trained with another version, in which the encoder did not read what rules and lists "
        "say. Train it again, or install the version that it was trained with."
    )
