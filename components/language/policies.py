"""What becomes of a message in a language that the pipeline was not made for."""

from spacy.tokens import Doc

from ..text.languages import is_foreign
from ..text.message import get_language

POLICIES = ("flag", "rules", "mask", "reject")
# What the threshold of the `phi_ner` is multiplied by for a foreign message.
FOREIGN_FACTOR = 0.01


def apply_policy(doc: Doc, policy: str) -> bool:
    """Deal with a message in another language than Swedish, Norwegian, Danish or English, before the
    pipes read it. The policies:

    - flag: read with a far lower threshold (`doc._.threshold_factor`), since the model finds less
      in a language that it has not learnt. Who calls tells of `doc._.language` in the output.
    - rules: read by rules, lists and what is known alone, not by the model.
    - mask: not read. `doc._.withheld` says why, and the `surrogate_generator` masks the text whole.
    - reject: the same. Who calls leaves out what has `doc._.withheld`.

    doc (Doc): The message.
    policy (str): One of `POLICIES`.
    RETURNS (bool): Whether the model is not to read it.
    """
    language = get_language(doc)
    if not is_foreign(language):
        return False
    if policy == "flag":
        doc._.threshold_factor = FOREIGN_FACTOR
    elif policy != "rules":
        doc._.withheld = f"language ({language})"
    return policy == "rules"
