"""What becomes of a message in a language that the pipeline was not made for."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from spacy.language import Language
from spacy.tokens import Doc

from ..hits import write_hits
from ..labels import PHI_KEY
from ..languages import is_foreign
from .language import GENERATOR

POLICIES = ("flag", "rules", "mask", "reject")
# What the threshold of the `phi_ner` is multiplied by for a foreign message (docs/languages.md).
FOREIGN_FACTOR = 0.01
# What reads Swedish; rules, lists and what is known do not need to.
MODEL = ("transformer", "phi_ner")


def read_messages(
    nlp: Language,
    docs: Iterable[Doc],
    policy: str = "flag",
    *,
    batch_size: int | None = None,
    n_process: int = 1,
    languages: Sequence[str | None] | None = None,
) -> Iterator[Doc]:
    """Find what is to be replaced: apply all pipes but the `surrogate_generator`, and deal with
    messages in another language than Swedish, Norwegian, Danish or English as the policy says. No
    pipe is changed for it. The policies:

    - flag: read with a far lower threshold (`doc._.threshold_factor`), since the model finds less
      in a language that it has not learnt. Who calls tells of `doc._.language` in the output.
    - rules: read by rules, lists and what is known alone, not by the model.
    - mask: not read. `doc._.withheld` says why, and the `surrogate_generator` masks the text whole.
    - reject: the same. Who calls leaves out what has `doc._.withheld`.

    nlp (Language): The pipeline.
    docs (Iterable[Doc]): The messages, that no pipe has read.
    policy (str): One of `POLICIES`.
    batch_size (Optional[int]): Messages in a batch; default: the pipeline's own.
    n_process (int): Processes.
    languages (Optional[Sequence[Optional[str]]]): Their languages, if they have been looked for.
    RETURNS (Iterator[Doc]): The messages in order, for the `surrogate_generator` or for
        `components.messages.conversation.finish_conversation`.
    RAISES (ValueError): If there is no such policy.
    """
    if policy not in POLICIES:
        raise ValueError(f"There is no policy {policy!r}. There are: {', '.join(POLICIES)}.")
    return _read(nlp, docs, policy, batch_size, n_process, languages)


def _read(
    nlp: Language,
    docs: Iterable[Doc],
    policy: str,
    batch_size: int | None,
    n_process: int,
    languages: Sequence[str | None] | None,
) -> Iterator[Doc]:
    # What does not go with the others, with its place among all. `nlp.pipe` reads ahead.
    apart: deque[tuple[int, Doc]] = deque()

    def admit() -> Iterator[Doc]:
        for place, doc in enumerate(docs):
            language = doc._.language if languages is None else languages[place]
            foreign = doc._.failed is None and is_foreign(language)
            if foreign and policy != "flag":
                apart.append((place, doc))
                continue
            if foreign:
                doc._.threshold_factor = FOREIGN_FACTOR
            yield doc

    n_done = 0
    for doc in nlp.pipe(admit(), batch_size=batch_size, n_process=n_process, disable=[GENERATOR]):
        while apart and apart[0][0] == n_done:
            yield _treat(nlp, apart.popleft()[1], policy)
            n_done += 1
        yield doc
        n_done += 1
    for _, doc in apart:
        yield _treat(nlp, doc, policy)


def _treat(nlp: Language, doc: Doc, policy: str) -> Doc:
    if policy == "rules":
        # That the model has found nothing is meant: the surrogate_generator asks for it.
        write_hits(doc, PHI_KEY, ())
        return nlp(doc, disable=[GENERATOR, *MODEL])
    doc._.withheld = f"language ({doc._.language})"
    return doc
