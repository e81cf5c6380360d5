"""The trainable pipe that finds PHI: a softmax over BILUO tags, marginals over the well-formed sequences, and
a decoder whose threshold may be changed on a loaded pipeline.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast
from unicodedata import category

import numpy as np
from spacy.attrs import IS_ASCII, IS_SPACE
from spacy.language import Language
from spacy.pipeline import TrainablePipe
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Config, Model
from thinc.types import Floats2d

from ..shared.choices import check_choice
from ..shared.labels import LABELS, PHI_KEY
from ..text.encoded import get_encoded_tokens
from ..text.hits import write_hits
from . import tagger  # noqa: F401
from .decoding import decode, get_marginals, get_nll, get_tags
from .evidence import check_width

# The key of a threshold by class for the classes that have none of their own.
DEFAULT = "default"
Threshold = float | dict[str, float]
# Thresholds by name: for the best F1, and for those who would rather spoil a text than leak.
BALANCED, CAREFUL = "balanced", "careful"
MODES = (BALANCED, CAREFUL)


def check_threshold(value: Any, labels: Sequence[str]) -> Threshold:
    """Check a threshold: a number, or one by class. Without labels, any class may be."""
    if not isinstance(value, Mapping):
        return _to_probability(value, "threshold")
    check_classes(value, labels)
    return {
        label: _to_probability(number, f"threshold of {label}") for label, number in value.items()
    }


def check_classes(threshold: Mapping[str, float], labels: Sequence[str]) -> None:
    """Check that a threshold by class is whole. Before the labels are known, any class may be."""
    if DEFAULT not in threshold:
        raise ValueError(
            f"threshold by class needs the key {DEFAULT!r}: the threshold of all other classes."
        )
    unknown = [label for label in threshold if labels and label not in (*labels, DEFAULT)]
    if unknown:
        raise ValueError(
            f"threshold has classes that the model does not know: {', '.join(map(repr, unknown))}. "
            f"Known: {', '.join(labels)}, {DEFAULT}."
        )


def _to_probability(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise ValueError(f"{name} must be a number from 0 to 1, not {value!r}.")
    return float(value)


DEFAULT_MODEL = """
[model]
@architectures = "sv_deid_chat.PhiTagger.v2"
hidden_width = 128
context_layers = 2

[model.tok2vec]
@architectures = "sv_deid_chat.EncoderListener.v1"
upstream = "*"
"""


@Language.factory(
    "phi_ner",
    requires=["doc._.evidence"],
    assigns=["doc.spans"],
    default_config={
        "model": Config().from_str(DEFAULT_MODEL)["model"],
        "threshold": 0.5,
        "thresholds": {BALANCED: 0.12, CAREFUL: 0.05},
        "single_class": False,
        "spans_key": PHI_KEY,
        "scorer": {"@scorers": "sv_deid_chat.group_scorer.v1", "spans_key": PHI_KEY},
    },
    default_score_weights={f"{PHI_KEY}_f": 1.0, f"{PHI_KEY}_p": 0.0, f"{PHI_KEY}_r": 0.0},
)
def make_phi_ner(
    nlp: Language,
    name: str,
    model: Model[list[Doc], list[Floats2d]],
    threshold: Threshold,
    thresholds: dict[str, Threshold],
    single_class: bool,
    spans_key: str,
    scorer: Callable | None,
) -> "PhiNer":
    return PhiNer(
        nlp.vocab,
        model,
        name,
        threshold=threshold,
        thresholds=thresholds,
        single_class=single_class,
        spans_key=spans_key,
        scorer=scorer,
    )


class PhiNer(TrainablePipe):
    """Find PHI with a token classifier.

    A token is PHI when the summed probability of all PHI tags exceeds `threshold`. It is that among
    the well-formed sequences of tags of the whole message. A lower threshold finds more and errs
    more. A dict has a threshold for each class, e.g. `{"PERSON": 0.05, "default": 0.12}`; that of a
    token's likeliest class counts, "default" for the classes that it lacks. The threshold may be set
    on a loaded pipeline; for one message it is multiplied by `doc._.threshold_factor`. `mode` sets it
    to one of two: "balanced" for the best F1, "careful" for those who would rather spoil a text than
    leak.

    doc.spans["phi"] holds the spans, its attrs["scores"] their probabilities.
    """

    def __init__(
        self,
        vocab: Vocab,
        model: Model[list[Doc], list[Floats2d]],
        name: str = "phi_ner",
        *,
        threshold: float | Mapping[str, float] = 0.5,
        thresholds: Mapping[str, Threshold] = MappingProxyType({}),
        single_class: bool = False,
        spans_key: str = PHI_KEY,
        scorer: Callable | None = None,
    ) -> None:
        """Create the pipe.

        name (str): The pipe's name, the key of its loss.
        threshold (float | Mapping[str, float]): Least PHI probability of a token, 0 to 1, or
            one by class.
        thresholds (Mapping[str, Threshold]): The threshold of each mode.
        single_class (bool): Train with the one class PHI instead of the eight (better recall, and
            far better on another customer's text: Arvidsson and Gerle 2022, table 6.3).
        spans_key (str): The span group of the hits. The pipes behind read "phi".
        """
        self.vocab = vocab
        self.model = model
        self.name = name
        self.scorer = scorer
        self.spans_key = spans_key
        self.cfg: dict[str, Any] = {"labels": [], "single_class": single_class}
        self.threshold = threshold
        self.thresholds = {
            check_choice("mode", mode, MODES): check_threshold(value, ())
            for mode, value in thresholds.items()
        }

    @property
    def labels(self) -> tuple[str, ...]:
        """RETURNS (tuple[str, ...]): The labels, fixed at initialization."""
        return tuple(self.cfg["labels"])

    @property
    def threshold(self) -> float | Mapping[str, float]:
        """The least summed PHI probability of a PHI token, or one by class."""
        value = self.cfg["threshold"]
        return MappingProxyType(value) if isinstance(value, dict) else value

    @threshold.setter
    def threshold(self, value: float | Mapping[str, float]) -> None:
        self.cfg["threshold"] = check_threshold(value, self.labels)

    @property
    def mode(self) -> str | None:
        """RETURNS (str | None): The mode whose threshold is set, None for any other threshold."""
        return next((mode for mode in MODES if self.thresholds.get(mode) == self.threshold), None)

    @mode.setter
    def mode(self, mode: str) -> None:
        if check_choice("mode", mode, MODES) not in self.thresholds:
            raise ValueError(f"mode: '{self.name}' has no threshold for {mode!r}.")
        self.threshold = self.thresholds[mode]

    def get_limits(self, factor: float = 1.0) -> float | list[float]:
        """The threshold of a message as a number, or one for each label."""
        value = self.threshold
        if isinstance(value, Mapping):
            return [factor * value.get(label, value[DEFAULT]) for label in self.labels]
        return factor * value

    @property
    def single_class(self) -> bool:
        """RETURNS (bool): Whether the pipe knows the one class PHI only."""
        return self.cfg["single_class"]

    def predict(self, docs: Iterable[Doc]) -> list[Floats2d]:
        """Compute the tag probabilities of each document, shape (n_tokens, n_tags): how likely each tag is, given
        that all tags of the document are well-formed.
        """
        docs = list(docs)
        if not any(len(doc) for doc in docs):
            nothing = np.zeros((0, len(get_tags(self.labels))), dtype="float32")
            return [cast(Floats2d, nothing) for _ in docs]
        scores = [np.array(self.model.ops.to_numpy(each)) for each in self.model.predict(docs)]
        for doc, scored in zip(docs, scores):
            # Emoji and other symbols identify nobody, and no name goes on in the next line. The
            # encoder has not read what is encoded.
            scored[_get_apart(doc)] = np.eye(1, scored.shape[1])
            for start, end in get_encoded_tokens(doc):
                scored[start:end] = np.eye(1, scored.shape[1])
        return cast(list[Floats2d], get_marginals(scores, len(self.labels)))

    def set_annotations(self, docs: Iterable[Doc], scores: list[Floats2d]) -> None:
        """Decode the probabilities to doc.spans["phi"]."""
        for doc, scored in zip(docs, scores):
            decoded = decode(scored, self.labels, self.get_limits(doc._.threshold_factor))
            trimmed = [(_trim(doc, start, end), label, p) for start, end, label, p in decoded]
            found = ((Span(doc, *ends, label=label), p) for ends, label, p in trimmed if ends)
            write_hits(doc, self.spans_key, found)

    def get_loss(
        self, examples: Iterable[Example], scores: list[Floats2d]
    ) -> tuple[float, list[Floats2d]]:
        """Compute how unlikely the gold tags are among all well-formed ones, and the gradient with respect to
        the softmax' input. Tokens whose gold tag is missing (off the token boundaries, not annotated)
        may have any.

        RETURNS (tuple[float, list[Floats2d]]): The summed negative log likelihood and the gradients, of
            the shapes of `scores`.
        """
        index = {tag: i for i, tag in enumerate(get_tags(self.labels))}
        truth = [
            [self._get_index(tag, index) for tag in example.get_aligned_ner()]
            for example in examples
        ]
        probs = [cast(np.ndarray, self.model.ops.to_numpy(scored)) for scored in scores]
        loss, gradients = get_nll(probs, truth, len(self.labels))
        return loss, [self.model.ops.asarray2f(cast(Floats2d, each)) for each in gradients]

    def _get_index(self, tag: str | None, index: dict[str, int]) -> int | None:
        if tag is None or tag == "-":
            return None
        if tag != "O" and self.single_class:
            tag = f"{tag[:1]}-{self.labels[0]}"
        if tag not in index:
            raise ValueError(
                f"The training data has the label {tag[2:]!r}, which '{self.name}' does not know. "
                f"It knows {', '.join(self.labels)}."
            )
        return index[tag]

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        labels: list[str] | None = None,
    ) -> None:
        """Set the labels (default: all eight, or PHI alone), and initialize the model."""
        self.cfg["labels"] = list(labels or (["PHI"] if self.single_class else LABELS))
        if isinstance(self.threshold, Mapping):
            check_classes(self.threshold, self.labels)
        sample = []
        for example in get_examples():
            if len(example.predicted):
                sample.append(example.predicted)
            if len(sample) == 10:
                break
        if not sample:
            raise ValueError(f"'{self.name}' needs at least one message to initialize from.")
        n_tags = len(get_tags(self.labels))
        target = [self.model.ops.alloc2f(len(doc), n_tags) for doc in sample]
        self.model.initialize(X=sample, Y=target)

    def from_bytes(self, bytes_data: bytes, *, exclude: Iterable[str] = ()) -> "PhiNer":
        """Load what `to_bytes` gave, unless it was trained with another version's evidence."""
        super().from_bytes(bytes_data, exclude=exclude)
        check_width(self.model.layers[0])
        return self

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "PhiNer":
        """Load a folder, unless the model was trained with another version's evidence."""
        super().from_disk(path, exclude=exclude)
        check_width(self.model.layers[0])
        return self

    def add_label(self, label: str) -> int:
        raise ValueError(
            f"The labels of '{self.name}' are fixed when it is initialized: give "
            "`labels` in [initialize.components.phi_ner] and train again."
        )


def _get_apart(doc: Doc) -> list[int]:
    """Find the tokens that are line breaks, or have only symbols and their modifiers (emoji, arrows)."""
    is_space, is_ascii = doc.to_array([IS_SPACE, IS_ASCII]).reshape(-1, 2).T.astype(bool)
    candidates = np.flatnonzero(is_space | ~is_ascii).tolist()
    return [i for i in candidates if _is_apart(doc[i].text)]


def _is_apart(text: str) -> bool:
    if text.isspace():
        return "\n" in text
    return all(category(c) in ("So", "Sm", "Sk", "Cf", "Mn") for c in text)


def _trim(doc: Doc, start: int, end: int) -> tuple[int, int] | None:
    """Take white space off the edges of a span."""
    while start < end and doc[start].is_space:
        start += 1
    while end > start and doc[end - 1].is_space:
        end -= 1
    return (start, end) if start < end else None
