"""Choose the decision threshold on the dev split: the one with which the merged result has the best
F-beta over tokens, classes taken as one. Then, if wished, one for each class.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple, cast

import numpy as np
import spacy
import srsly
import typer
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import minibatch
from thinc.types import Floats2d
from wasabi import msg, table

import components  # noqa: F401
from components.model.decoding import find_phi
from components.model.scoring import CharSpan, Prf, Scores
from components.pipes.phi_ner import DEFAULT, PhiNer
from corpus_tools.errors import clean_errors
from corpus_tools.formats.jsonl import read_messages

# Differences in F-beta that another seed would turn round.
NOISE = 0.001
THRESHOLDS = (0.02, 0.05, 0.08, 0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
# What shares differ in by rounding alone.
ROUNDING = 1e-9

Thresholds = dict[str, float]


def tune_threshold(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(..., help="Annotated messages of the dev split, JSONL"),
    output_path: Path = typer.Argument(..., help="Where the pipeline with its threshold goes"),
    metrics_path: Path = typer.Argument(..., help="Where to write the curve, JSON"),
    beta: float = typer.Option(2.0, help="Weight of recall against precision"),
    by_class: Annotated[
        bool, typer.Option("--by-class", help="Choose one for each class, for the best F-beta")
    ] = False,
    max_clean_loss: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Choose the lowest for each class with which the share of messages without PHI "
            "left untouched falls no more than this below that of the one threshold, e.g. 0.005",
        ),
    ] = None,
) -> None:
    with clean_errors():
        if by_class and max_clean_loss is not None:
            raise ValueError("Give --by-class or --max-clean-loss, not both.")
        messages = read_messages(data_path)
    nlp = spacy.load(model_path, disable=["surrogate_generator", "doc_cleaner"])
    outcomes = Outcomes(nlp, messages)
    curve = [
        {"threshold": value, **outcomes.measure(value).get_figures(beta)} for value in THRESHOLDS
    ]
    print_table(curve)
    best = choose(curve)
    threshold: float | Thresholds = best["threshold"]
    metrics: dict[str, Any] = {"beta": beta, "best": best, "curve": curve}
    if by_class or max_clean_loss is not None:
        one = dict.fromkeys((*outcomes.phi_ner.labels, DEFAULT), best["threshold"])
        if max_clean_loss is None:
            threshold = raise_f_beta(one, outcomes.measure, beta)
        else:
            with clean_errors():
                threshold = lower(one, outcomes.measure, max_clean_loss)
        figures = outcomes.measure(threshold).get_figures(beta)
        metrics["by_class"] = {"thresholds": threshold, **figures}
        print_table([{**best, "threshold": "one"}, {"threshold": "by class", **figures}])
        print(table(threshold.items(), header=["class", "threshold"], divider=True))
    # Load anew with all pipes, so that none is lost in saving.
    nlp = spacy.load(model_path)
    cast(PhiNer, nlp.get_pipe("phi_ner")).threshold = threshold
    nlp.get_pipe_config("phi_ner")["threshold"] = threshold
    nlp.to_disk(output_path)
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, metrics)
    chosen = metrics.get("by_class", best)
    msg.good(f"Threshold {threshold} (F{beta:g} {chosen['f_beta']:.3f})", output_path)


class Counts(NamedTuple):
    """What the measures of some messages are made of."""

    token_true: int = 0
    token_predicted: int = 0
    token_gold: int = 0
    true: int = 0
    predicted: int = 0
    gold: int = 0
    redacted: int = 0
    clean: int = 0
    without_phi: int = 0

    @classmethod
    def from_scores(cls, scores: Scores) -> "Counts":
        """scores (Scores): The scores of the messages.
        RETURNS (Counts): Their counts, which can be summed up.
        """
        redacted = sum(scores.counts["redacted"].values())
        messages = (scores.messages["clean"], scores.messages["no_phi"])
        return cls(*scores.token_one_class, *scores.entity(), redacted, *messages)

    def get_clean(self) -> float:
        return self.clean / self.without_phi if self.without_phi else 0.0

    def get_figures(self, beta: float) -> dict[str, float]:
        """beta (float): How many times as much recall counts.
        RETURNS (dict[str, float]): The measures.
        """
        token = Prf(self.token_true, self.token_predicted, self.token_gold)
        return {
            "p": token.precision,
            "r": token.recall,
            "f_beta": get_f_beta(token.precision, token.recall, beta),
            "strict_f": Prf(self.true, self.predicted, self.gold).f1,
            "redact": self.redacted / self.gold if self.gold else 0.0,
            "clean": self.get_clean(),
        }


class Outcomes:
    """What comes out with each threshold. The probabilities are computed once; the rest follows from
    which tokens are PHI, and is remembered by that.

    nlp (Language): The pipeline.
    messages (Sequence[Mapping]): Annotated messages.
    """

    def __init__(self, nlp: Language, messages: Sequence[Mapping[str, Any]]) -> None:
        self.phi_ner = cast(PhiNer, nlp.get_pipe("phi_ner"))
        self.span_merger = nlp.get_pipe("span_merger")
        self.messages: list[tuple[Doc, list[CharSpan], dict[bytes, Counts]]] = []
        all_probs: list[Any] = []
        with nlp.select_pipes(disable=["phi_ner", "span_merger"]):
            stream = nlp.pipe([message["text"] for message in messages])
            for batch in minibatch(zip(stream, messages), nlp.batch_size):
                docs = [doc for doc, _ in batch]
                all_probs += map(self.phi_ner.model.ops.to_numpy, self.phi_ner.predict(docs))
                for doc, message in batch:
                    spans = message["spans"]
                    gold = [(span["start"], span["end"], span["label"]) for span in spans]
                    self.messages.append((doc, gold, {}))
        self.probs = cast(Floats2d, np.vstack(all_probs))

    def measure(self, threshold: float | Thresholds) -> Counts:
        """Measure the merged result.

        threshold (Union[float, Dict[str, float]]): The threshold.
        RETURNS (Counts): What the measures are made of.
        """
        self.phi_ner.threshold = threshold
        is_phi = find_phi(self.probs, self.phi_ner.limits)
        rows = []
        start = 0
        for doc, gold, known in self.messages:
            end = start + len(doc)
            key = is_phi[start:end].tobytes()
            if key not in known:
                self.phi_ner.set_annotations([doc], [self.probs[start:end]])
                ents = self.span_merger(doc).ents
                found = [(ent.start_char, ent.end_char, ent.label_) for ent in ents]
                scores = Scores()
                scores.add(doc.text, gold, found)
                known[key] = Counts.from_scores(scores)
            rows.append(known[key])
            start = end
        return Counts(*map(sum, zip(*rows)))


def raise_f_beta(
    thresholds: Thresholds, measure: Callable[[Thresholds], Counts], beta: float
) -> Thresholds:
    """Give each class in turn the threshold with which F-beta over tokens is best, the lowest of
    several, until none is better than what it has.

    thresholds (Dict[str, float]): Where to begin.
    measure (Callable[[Dict[str, float]], Counts]): Measures thresholds.
    beta (float): How many times as much recall counts.
    RETURNS (Dict[str, float]): The thresholds.
    """
    best = measure(thresholds).get_figures(beta)["f_beta"]
    before = None
    while thresholds != before:
        before = thresholds
        for label in _get_classes(thresholds):
            for value in THRESHOLDS:
                changed = {**thresholds, label: value}
                f_beta = measure(changed).get_figures(beta)["f_beta"]
                if f_beta > best + ROUNDING:
                    best, thresholds = f_beta, changed
    return thresholds


def lower(
    thresholds: Thresholds, measure: Callable[[Thresholds], Counts], max_clean_loss: float
) -> Thresholds:
    """Lower the thresholds of the classes step by step, each time that of the class with which most
    entities are covered then, of several the one with which most messages without PHI are left
    untouched, as long as no more of these are lost than allowed.

    thresholds (Dict[str, float]): Where to begin.
    measure (Callable[[Dict[str, float]], Counts]): Measures thresholds.
    max_clean_loss (float): The most that the share of messages without PHI left untouched may fall.
    RETURNS (Dict[str, float]): The thresholds.
    RAISES (ValueError): If there are no messages without PHI.
    """
    counts = measure(thresholds)
    if not counts.without_phi:
        raise ValueError(
            "--max-clean-loss needs messages without PHI among those of the dev split."
        )
    least = counts.get_clean() - max_clean_loss - ROUNDING
    while True:
        steps = []
        for label in _get_classes(thresholds):
            below = [value for value in THRESHOLDS if value < thresholds[label]]
            if below:
                changed = {**thresholds, label: below[-1]}
                outcome = measure(changed)
                if outcome.get_clean() >= least and outcome.redacted >= counts.redacted:
                    steps.append((outcome, changed))
        if not steps:
            return thresholds
        counts, thresholds = max(steps, key=lambda step: (step[0].redacted, step[0].clean))


def _get_classes(thresholds: Thresholds) -> list[str]:
    return [label for label in thresholds if label != DEFAULT]


def print_table(rows: Sequence[Mapping[str, Any]]) -> None:
    """rows (Sequence[Mapping[str, Any]]): Cells by column, shares as numbers."""
    cells = [[f"{v:.3f}" if isinstance(v, float) else v for v in row.values()] for row in rows]
    print(table(cells, header=list(rows[0]), divider=True))


def choose(curve: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
    """Choose the threshold with the best F-beta. Among those that are as good but for noise, that
    with the best redact, then the best strict F1, then the lowest: it misses least.

    curve (Sequence[Mapping[str, float]]): The measures at each threshold.
    RETURNS (Mapping[str, float]): Those of the chosen one.
    """
    least = max(row["f_beta"] for row in curve) - NOISE
    as_good = [row for row in curve if row["f_beta"] >= least]
    return max(as_good, key=lambda row: (row["redact"], row["strict_f"], -row["threshold"]))


def get_f_beta(precision: float, recall: float, beta: float) -> float:
    """The weighted harmonic mean of precision and recall.

    precision (float): The precision.
    recall (float): The recall.
    beta (float): How many times as much recall counts.
    RETURNS (float): The mean, 0 if both are.
    """
    weighted = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / weighted if weighted else 0.0


if __name__ == "__main__":
    typer.run(tune_threshold)
