"""The pipe that gathers what rules and lists say of each token, for encoder and tagger."""

from collections.abc import Iterable
from typing import Any

from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc
from spacy.training import Example

from ..shared.labels import GAZETTEER_KEY, RULES_KEY
from ..text.extensions import set_extensions
from .evidence import WORDS_KEY, get_evidence


@Language.factory(
    "evidence_reader",
    requires=["doc.spans", "doc._.commonness"],
    assigns=["doc._.evidence"],
    default_config={"rule_dropout": 0.02, "gazetteer_dropout": 0.2, "word_dropout": 0.15},
)
class EvidenceReader(Pipe):
    """Write what rules and lists say of each token to doc._.evidence.
    Encoder and tagger read it, so both see the same.

    The training messages are filled from the same lists that the gazetteer reads. The model would learn
    to trust the lists alone, and miss every name that is in none. So each list hit is hidden in
    training with the probability `gazetteer_dropout`. Rules, and the lists of drugs, diseases and terms,
    can be trusted more: their hits are hidden with the probability `rule_dropout`.

    The form of a surname is hidden with `gazetteer_dropout`, too: made-up surnames have the same parts. A
    word that `word_dropout` makes unknown shows its form, so that the model also sees the form of a
    surname on other words.
    """

    def __init__(
        self,
        nlp: Language | None = None,
        name: str = "evidence_reader",
        *,
        rule_dropout: float = 0.0,
        gazetteer_dropout: float = 0.0,
        word_dropout: float = 0.0,
    ) -> None:
        """Create the pipe.

        nlp (Language | None): Not used.
        name (str): The pipe's name.
        rule_dropout (float): Share of the rule hits hidden in training, 0 to 1.
        gazetteer_dropout (float): Share of the list hits hidden in training, 0 to 1.
        word_dropout (float): Share of the words that are made unknown in training, 0 to 1.
        """
        set_extensions()
        self.name = name
        self.hide = {
            RULES_KEY: rule_dropout,
            GAZETTEER_KEY: gazetteer_dropout,
            WORDS_KEY: word_dropout,
        }

    def __call__(self, doc: Doc) -> Doc:
        """Write all of the evidence of a document, behind rules and lists."""
        doc._.evidence = get_evidence(doc)
        return doc

    def update(
        self, examples: Iterable[Example], *, losses: dict[str, float] | None = None, **kwargs: Any
    ) -> dict[str, float]:
        """Write the evidence of a batch of training, part of it hidden. Nothing is learnt here."""
        for example in examples:
            doc = example.predicted
            doc._.evidence = get_evidence(doc, self.hide)
        return losses if losses is not None else {}
