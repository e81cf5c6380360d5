"""The reader of the training corpus."""

from collections.abc import Callable, Iterable
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Corpus, Example
from spacy.util import registry

from components.text import extensions  # noqa: F401


@registry.readers("sv_deid_chat.Corpus.v1")
def read_corpus(path: Path, limit: int = 0) -> Callable[[Language], Iterable[Example]]:
    """Read annotated messages, each with its `_.context`, from a `.spacy` file, up to a limit."""
    return ChatCorpus(path, limit=limit)


class ChatCorpus(Corpus):
    """spaCy's corpus, in which a message keeps what was said before it."""

    def _make_example(self, nlp: Language, reference: Doc, gold_preproc: bool) -> Example:
        example = super()._make_example(nlp, reference, gold_preproc)
        example.predicted._.context = reference._.context
        return example
