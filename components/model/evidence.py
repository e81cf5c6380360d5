"""The evidence: token features from rules, lists and word shapes, and the pipe that gathers it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from spacy.attrs import IDS
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Model
from thinc.types import Floats2d

from ..lists.lists import KINDS, LABEL_OF_KIND
from ..lists.surnames import has_surname_form
from ..shared.labels import GAZETTEER_KEY, LABELS, NEGATIVE, RULES_KEY, TITLE, VETOES_KEY
from ..text.extensions import set_extensions
from ..text.folding import fold_text
from ..text.hits import iter_hits

SHAPES = [
    f"IS_{shape}" for shape in ("TITLE", "UPPER", "LOWER", "ALPHA", "DIGIT", "PUNCT", "SPACE")
]
ATTRS = [IDS[name] for name in (*SHAPES, "SPACY", "LENGTH")]
N_CONTEXT = 7
# Two columns for each label or kind: the first token of a hit, and the others.
RULE_COLUMN = {label: 2 * i for i, label in enumerate(LABELS)}
GAZETTEER_COLUMN = {kind: 2 * (len(LABELS) + i) for i, kind in enumerate(KINDS)}
N_HITS = 2 * (len(LABELS) + len(KINDS))
# The columns of list entries that are no names.
NO_NAMES = [
    GAZETTEER_COLUMN[kind] + column
    for kind, label in LABEL_OF_KIND.items()
    if label in (NEGATIVE, TITLE)
    for column in (0, 1)
]
# How common the word is; whether it is a compound of common words; whether it is neither and all
# letters; whether it has the form of a surname; whether a negative pattern (dose, clock time)
# covers it.
N_WORD = 5
WIDTH = N_HITS + len(SHAPES) + N_CONTEXT + N_WORD
WORDS_KEY = "words"
# The name of the weights by which an encoder reads it.
WEIGHTS = "evidence.weight"


def with_evidence(tok2vec: Model[list[Doc], list[Floats2d]]) -> Model:
    """Append the evidence to vectors: (n_tokens, width) becomes (n_tokens, width + WIDTH)."""
    return Model("with_evidence", _forward, init=_init, layers=[tok2vec], dims={"nO": None})


def check_width(model: Model) -> None:
    """Check that a loaded network reads as many columns of evidence as are given here."""
    width, vectors = model.maybe_get_dim("nO"), model.layers[0].maybe_get_dim("nO")
    if width is not None and vectors is not None and width - vectors != WIDTH:
        raise make_width_error(width - vectors)


def make_width_error(width: int) -> ValueError:
    """The error of a network that reads so many columns of evidence."""
    return ValueError(
        f"The model was trained with another version: it reads {width} columns of evidence, this "
        f"version gives {WIDTH}. Train it again, or install the version that it was trained with."
    )


def _init(model: Model, X=None, Y=None) -> None:
    tok2vec = model.layers[0]
    tok2vec.initialize(X=X)
    if X is not None:
        model.set_dim("nO", tok2vec.predict(X)[0].shape[1] + WIDTH)


def _forward(model: Model, docs: list[Doc], is_train: bool) -> tuple[list[Floats2d], Callable]:
    xp = model.ops.xp
    vectors, backprop_vectors = model.layers[0](docs, is_train)
    width = model.get_dim("nO") - WIDTH
    output = []
    for doc, vector in zip(docs, vectors):
        # The transformer gives an empty document no width.
        vector = vector if len(doc) else xp.zeros((0, width), dtype="float32")
        output.append(xp.hstack([vector, xp.asarray(read_evidence(doc))]))

    def backprop(d_output: list[Floats2d]) -> list[Doc]:
        d_vectors = [
            xp.ascontiguousarray(d[:, : vector.shape[1]]) for d, vector in zip(d_output, vectors)
        ]
        return backprop_vectors(d_vectors)

    return output, backprop


def read_evidence(doc: Doc) -> np.ndarray:
    """Read what the `evidence_reader` has written, or compute it where there is no such pipe."""
    known = doc._.evidence
    return get_evidence(doc) if known is None else known


def get_evidence(doc: Doc, hide: dict[str, float] | None = None) -> np.ndarray:
    """The evidence, shape (n_tokens, WIDTH). `hide` is the share to leave out, by span group."""
    features = np.zeros((len(doc), WIDTH), dtype=np.float32)
    if not len(doc):
        return features
    hide = hide or {}
    _add_hits(features, doc, RULES_KEY, RULE_COLUMN, hide, by_label=True)
    _add_hits(features, doc, GAZETTEER_KEY, GAZETTEER_COLUMN, hide, by_label=False)
    array = doc.to_array(ATTRS).astype(np.float32)
    shapes = array[:, : len(SHAPES)]
    features[:, N_HITS : N_HITS + len(SHAPES)] = shapes
    _, upper, lower, alpha, _, _, space, spaced, length = array.T
    context = features[:, N_HITS + len(SHAPES) : -N_WORD]
    n_alpha = max(1.0, float(alpha.sum()))
    context[:, 0] = float((lower * alpha).sum()) / n_alpha
    context[:, 1] = float((upper * alpha).sum()) / n_alpha
    context[1:, 2] = 1.0 - spaced[:-1]
    context[:, 3] = 1.0 - spaced
    context[0, 4] = 1.0
    context[1:, 4] = space[:-1]
    context[-1, 5] = 1.0
    context[:-1, 5] = space[1:]
    context[:, 6] = np.minimum(length, 20) / 20
    _add_words(features, doc, alpha, hide)
    return features


def _add_words(features: np.ndarray, doc: Doc, alpha: np.ndarray, hide: dict[str, float]) -> None:
    words = features[:, -N_WORD:]
    if doc._.commonness is not None:
        words[:, :2] = doc._.commonness
        if hide.get(WORDS_KEY):
            words[np.random.random(len(doc)) < hide[WORDS_KEY], :2] = 0.0
        words[:, 2] = alpha * ~words[:, :2].any(axis=1)
        name_hide = hide.get(GAZETTEER_KEY, 0.0)
        for i in _find_surnames(features, doc, alpha):
            words[i, 3] = not name_hide or np.random.random() >= name_hide
    rule_hide = hide.get(RULES_KEY, 0.0)
    for span in doc.spans.get(VETOES_KEY, ()):
        if not rule_hide or np.random.random() >= rule_hide:
            words[span.start : span.end, 4] = 1.0


def _find_surnames(features: np.ndarray, doc: Doc, alpha: np.ndarray) -> Iterator[int]:
    """Find the unknown words that look like a surname, but for what a list calls something else."""
    common, compound = features[:, -N_WORD], features[:, -N_WORD + 1].tolist()
    for i in np.flatnonzero((alpha > 0) & (common == 0)).tolist():
        word = fold_text(doc[i].text).text.lower()
        if has_surname_form(word, compound[i] > 0) and not features[i, NO_NAMES].any():
            yield i


def _add_hits(
    features: np.ndarray,
    doc: Doc,
    key: str,
    columns: dict[str, int],
    hide: dict[str, float],
    by_label: bool,
) -> None:
    for span, score in iter_hits(doc, key):
        column = columns.get(span.label_ if by_label else span.id_)
        share = hide.get(RULES_KEY if span.label_ == NEGATIVE else key, 0.0)
        if column is None or (share and np.random.random() < share):
            continue
        features[span.start, column] = max(features[span.start, column], score)
        inside = features[span.start + 1 : span.end, column + 1]
        np.maximum(inside, score, out=inside)


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
