"""The pipe that gathers what rules and lists say of each token, for the networks behind it."""

from collections.abc import Iterable
from typing import Any

from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc
from spacy.training import Example

from ..extensions import set_extensions
from ..labels import GAZETTEER_KEY, RULES_KEY
from ..model.evidence import WORDS_KEY, get_evidence


@Language.factory(
    "evidence_reader",
    requires=["doc.spans", "doc._.commonness"],
    assigns=["doc._.evidence"],
    default_config={"rule_dropout": 0.02, "gazetteer_dropout": 0.2, "word_dropout": 0.15},
)
def make_evidence_reader(
    nlp: Language, name: str, rule_dropout: float, gazetteer_dropout: float, word_dropout: float
) -> "EvidenceReader":
    return EvidenceReader(
        name,
        rule_dropout=rule_dropout,
        gazetteer_dropout=gazetteer_dropout,
        word_dropout=word_dropout,
    )


class EvidenceReader(Pipe):
    """Write what rules and lists say of each token to doc._.evidence, see `components.model.evidence`.
    Encoder and tagger read it, so both see the same.

    The messages that they learn from are filled from the same lists that the gazetteer reads, so
    without care they would learn to trust the lists alone and miss every name that is in none. In
    training each list hit is therefore hidden with the probability `gazetteer_dropout`. Rules can be
    trusted more: where none hits, there is hardly a date or a number to be found. So can the lists of
    drugs, diseases and terms: nobody is called so.

    The form of a surname is like a list of names: the invented ones of the messages are built of
    the same parts, so it is hidden at `gazetteer_dropout`, too. A word that `word_dropout` makes
    unknown shows its form like any unknown word, so that the model meets the form of a surname on
    words that are none.
    """

    def __init__(
        self,
        name: str = "evidence_reader",
        *,
        rule_dropout: float = 0.0,
        gazetteer_dropout: float = 0.0,
        word_dropout: float = 0.0,
    ) -> None:
        """Create the pipe.

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
        """Write all of the evidence.

        doc (Doc): The document, behind rules and lists.
        RETURNS (Doc): The same document.
        """
        doc._.evidence = get_evidence(doc)
        return doc

    def update(
        self, examples: Iterable[Example], *, losses: dict[str, float] | None = None, **kwargs: Any
    ) -> dict[str, float]:
        """Write the evidence of a batch of training, part of it hidden. Nothing is learnt here.

        examples (Iterable[Example]): The batch.
        losses (dict[str, float] | None): The losses so far.
        RETURNS (dict[str, float]): The same.
        """
        for example in examples:
            doc = example.predicted
            doc._.evidence = get_evidence(doc, self.hide)
        return losses if losses is not None else {}
