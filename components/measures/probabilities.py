"""What `phi_ner` thinks of each token, beside what the pipeline makes of it."""

from collections.abc import Iterable, Iterator
from typing import cast

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import minibatch
from thinc.types import Floats2d

from ..conversations.configuration import configured
from ..language.language import ChatLanguage
from ..model.phi_ner import PhiNer
from .gold import demand_sound


def iter_probabilities(nlp: Language, docs: Iterable[Doc | str]) -> Iterator[tuple[Doc, Floats2d]]:
    """Run a pipeline up to its tagger, and let that look.

    YIELDS (tuple[Doc, Floats2d]): The doc, to which `phi_ner.set_annotations` and then `span_merger`
        may be applied, and its tag probabilities, shape (n_tokens, n_tags).
    RAISES (ValueError): If a pipe fails on a message.
    """
    phi_ner = cast(PhiNer, nlp.get_pipe("phi_ner"))
    behind = nlp.pipe_names[nlp.pipe_names.index("phi_ner") :]
    # The tagger needs the tokens that the pipes before it have read: those of the text as it is.
    as_it_is = {"clean": "none"} if isinstance(nlp, ChatLanguage) else {}
    with nlp.select_pipes(disable=behind), configured(nlp, as_it_is):
        for batch in minibatch(nlp.pipe(docs), nlp.batch_size):
            demand_sound(batch)
            for doc, probs in zip(batch, phi_ner.predict(batch)):
                yield doc, cast(Floats2d, np.asarray(phi_ner.model.ops.to_numpy(probs)))
