"""How well something does on a corpus: all measures, each with its interval."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import srsly
from spacy.language import Language
from spacy.tokens import Doc

from ..shared.labels import LABELS
from .bootstrap import Interval, count_units, get_intervals, get_shares
from .figures import nest, write_share
from .gold import Row, check_message, process_gold, read_gold
from .scores import Prf, Scores, add_up
from .spans import CharSpan, get_entities, to_rows

# What tables call the measures.
PRFS, RATES, HEADLINES = srsly.read_yaml(Path(__file__).with_name("measures.yaml")).values()


@dataclass
class Evaluation:
    """How well something does on a corpus.

    shares (dict[str, float | None]): All measures; None where nothing can be counted.
    intervals (dict[str, Interval]): Their 95 % intervals.
    n_units (int), n_leaky (int): How many conversations, and messages of none, there are; those with a leak.
    """

    corpus: str
    labels: Sequence[str]
    scores: Scores
    shares: dict[str, float | None]
    intervals: dict[str, Interval]
    n_units: int
    n_leaky: int

    def write(self, name: str) -> str:
        """RETURNS (str): A measure with its interval, see `write_share`."""
        return write_share(self.shares[name], self.intervals.get(name))

    def write_prf(self, name: str) -> list[str]:
        """RETURNS (list[str]): Precision, recall, and F1 with its interval."""
        shares = [write_share(self.shares[f"{name}.{measure}"]) for measure in "pr"]
        return [*shares, self.write(f"{name}.f")]

    def get_figures(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): All measures, from 0 to 1, None where nothing can be counted;
        the numbers of messages, sentences and spans, and under `intervals` low and high.
        """
        return {
            **nest(self.shares),
            "corpus": self.corpus,
            "messages": self.scores.n_messages,
            "sentences": self.scores.messages["sentences"],
            "spans": self.scores.entity().gold,
            "intervals": nest({name: list(ends) for name, ends in self.intervals.items()}),
        }


def evaluate(
    nlp: Language, gold: str | Path | Iterable[Mapping[str, Any] | Doc], *, context: bool = False
) -> Evaluation:
    """Measure what a pipeline finds in annotated messages.

    nlp (Language): The pipeline.
    gold (str | Path | Iterable[dict | Doc]): The annotated messages: a JSONL file, its rows, or docs whose
        entities are the right ones.
    context (bool): Whether a message is read with what was said before it in its conversation.
    RETURNS (Evaluation): The measures: `shares["redact"]`, `get_figures()`.
    RAISES (ValueError): If there is no message, or one is not annotated as it should be.
    """
    if isinstance(gold, (str, Path)):
        name, rows = Path(gold).stem, read_gold(gold)
    else:
        name, rows = "gold", [check_message(_to_row(item)) for item in gold]
    if not rows:
        raise ValueError("There is no message to measure on.")
    return evaluate_docs(name, rows, process_gold(nlp, rows, context))


def _to_row(item: Mapping[str, Any] | Doc) -> Row:
    if not isinstance(item, Doc):
        return dict(item)
    row = {"text": item.text, "spans": to_rows(get_entities(item))}
    conversation = item._.conversation_id
    return {**row, "conversation": conversation} if conversation else row


def evaluate_docs(
    corpus: str,
    messages: Sequence[Row],
    docs: Sequence[Doc],
    labels: Sequence[str] = LABELS,
    get_spans: Callable[[Doc], Sequence[CharSpan]] | None = None,
) -> Evaluation:
    """Measure what was found in the annotated messages of a corpus.

    docs (Sequence[Doc]): What a pipeline made of each message.
    labels (Sequence[str]): The classes that count.
    get_spans (Callable[[Doc], Sequence[CharSpan]] | None): What was found. Default: `doc.ents`.
    """
    # All classes are no choice: what a pipeline of one class finds, which is none of them, counts, too.
    chosen = None if set(labels) == set(LABELS) else labels
    units = count_units(messages, [*map(get_spans or get_entities, docs)], chosen)
    scores = add_up(units, chosen)
    return Evaluation(
        corpus,
        labels,
        scores,
        get_shares(scores.get_ratios(labels), labels),
        get_intervals(units, labels),
        len(units),
        sum(unit.messages["full"] < unit.messages["phi"] for unit in units),
    )


def tabulate_measures(evaluation: Evaluation) -> list[list[str]]:
    """RETURNS (list[list[str]]): A row for each of `PRFS`: its title, precision, recall, F1."""
    return [[title, *evaluation.write_prf(name)] for name, title in PRFS.items()]


def tabulate_side_by_side(evaluations: Sequence[Evaluation]) -> list[list[str]]:
    """RETURNS (list[list[str]]): A row for each measure (of `PRFS` the F1), a column for each corpus."""
    rows = [
        [f"{title} F1", *(each.write(f"{name}.f") for each in evaluations)]
        for name, title in PRFS.items()
    ]
    return rows + tabulate_rates(evaluations)


def tabulate_rates(evaluations: Sequence[Evaluation]) -> list[list[str]]:
    """RETURNS (list[list[str]]): A row for each of `RATES`, a column for each corpus."""
    return [[title, *(each.write(name) for each in evaluations)] for name, title in RATES.items()]


def tabulate_classes(evaluation: Evaluation) -> list[list[str]]:
    """RETURNS (list[list[str]]): A row for each class: strict and token precision, recall and F1, redact,
    and how many spans are annotated.
    """
    rows = []
    for label in evaluation.labels:
        strict, token = (
            write_prf(get(label)) for get in (evaluation.scores.entity, evaluation.scores.token)
        )
        redact = evaluation.write(f"per_class.{label}.redact")
        rows.append([label, strict, token, redact, str(evaluation.scores.entity(label).gold)])
    return rows


def write_prf(prf: Prf, interval: Interval | None = None) -> str:
    """RETURNS (str): Precision, recall and F1, the last with its interval if it has one."""
    p, r, f = (ratio.share for ratio in prf.ratios.values())
    return " / ".join([write_share(p), write_share(r), write_share(f, interval)])


def name_corpora(paths: Sequence[Path]) -> list[str]:
    """Name corpora by their files without suffix, or by whole paths where names would be the same."""
    stems = [path.stem for path in paths]
    return [
        stem if stems.count(stem) == 1 else path.with_suffix("").as_posix()
        for stem, path in zip(stems, paths)
    ]
