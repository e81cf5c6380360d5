"""Answers to a blind test, and how well the readers told what was changed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import cohen_kappa_score

from components.measures.bootstrap import RESAMPLES, get_middle, resample
from components.measures.gold import group_conversations, parse_object
from lab.measures.blind_test import ANSWERS, CERTAINTIES, CHANGED

# What is counted of answers: changed and told, changed and missed, original and taken for changed,
# original and left.
TOLD, MISSED, MISTAKEN, LEFT = OUTCOMES = ("told", "missed", "mistaken", "left")


class Judged(NamedTuple):
    """An answer beside the right one.

    reader (str): Who answered.
    id (str): The message.
    unit (int): The conversation, as a number.
    answer (str): The answer.
    certainty (int | None): How sure the reader was.
    outcome (str): One of `OUTCOMES`.
    classes (Sequence[str]): The classes of what may be changed in the message.
    """

    reader: str
    id: str
    unit: int
    answer: str
    certainty: int | None
    outcome: str
    classes: Sequence[str]


Key = dict[str, dict[str, Any]]


def read_key(path: Path) -> Key:
    """Read the right answers.

    path (Path): What was written with the test.
    RETURNS (Key): Of each message's id `answer`, `classes` and `unit`, the number of its
        conversation.
    RAISES (ValueError): If it is no key.
    """
    rows = []
    for where, row in read_objects(path):
        demand(isinstance(row.get("id"), str), f"{where}: 'id' is missing or no string")
        demand(row.get("answer") in ANSWERS, f"{where}: the answer is none of {_list(ANSWERS)}")
        rows.append(row)
    demand(bool(rows), f"{path} is empty: give the key that was written with the form.")
    key = {
        rows[place]["id"]: {
            "answer": rows[place]["answer"],
            "classes": rows[place].get("classes", []),
            "unit": unit,
        }
        for unit, places in enumerate(group_conversations(rows))
        for place in places
    }
    demand(len(key) == len(rows), f"{path} has an id twice: give one key.")
    return key


def read_answers(path: Path, reader: str, key: Key) -> list[Judged]:
    """Read what a reader answered. Messages without an answer are allowed.

    path (Path): JSONL: `id`, `answer` and, if you like, `certainty` from 1 to 3.
    reader (str): Who answered.
    key (Key): The right answers.
    RETURNS (list[Judged]): The answers.
    RAISES (ValueError): If there are none, or they are no answers to this test.
    """
    answers: dict[str, Judged] = {}
    for where, row in read_objects(path):
        id_, answer, certainty = str(row.get("id")), str(row.get("answer")), row.get("certainty")
        demand(id_ in key, f"{where}: its id is not in the key. Are they answers to another test?")
        demand(id_ not in answers, f"{where}: a second answer to one message")
        demand(answer in ANSWERS, f"{where}: the answer is none of {_list(ANSWERS)}")
        demand(
            certainty is None or certainty in CERTAINTIES,
            f"{where}: the certainty is none of {_list(CERTAINTIES)}",
        )
        right = key[id_]
        if right["answer"] == CHANGED:
            outcome = TOLD if answer == CHANGED else MISSED
        else:
            outcome = MISTAKEN if answer == CHANGED else LEFT
        answers[id_] = Judged(
            reader, id_, right["unit"], answer, certainty, outcome, right["classes"]
        )
    demand(bool(answers), f"{path} holds no answer.")
    return [*answers.values()]


def read_objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read a file of JSON objects, one a line.

    path (Path): The file.
    YIELDS (tuple[str, dict[str, Any]]): Where each stands, and the object.
    RAISES (ValueError): If a line is none. Quotes nothing of it.
    """
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if line.strip():
            where = f"{path}, line {number}"
            try:
                yield where, parse_object(line)
            except ValueError as error:
                raise ValueError(f"{where}: {error}") from None


def demand(holds: bool, message: str) -> None:
    """RAISES (ValueError): If something does not hold."""
    if not holds:
        raise ValueError(message)


def _list(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


def score_answers(
    key: Key, readers: Mapping[str, Sequence[Judged]], *, seed: int = 0
) -> dict[str, Any]:
    """Score the readers.

    key (Key): The right answers.
    readers (Mapping[str, Sequence[Judged]]): Each reader's answers.
    seed (int): Of the samples that the intervals come from.
    RETURNS (dict[str, Any]): `all` readers' measures and each one's (`readers`), `agreement` of
        each two, and shares by class (`classes`) and by how sure they were (`certainty`).
    """
    everything = [judged for answers in readers.values() for judged in answers]
    return {
        "messages": len(key),
        "changed": sum(row["answer"] == CHANGED for row in key.values()),
        "all": measure(everything, seed),
        "readers": {name: measure(answers, seed) for name, answers in readers.items()},
        "agreement": measure_agreement(readers),
        "classes": _count_by(
            (class_, judged) for judged in everything for class_ in judged.classes
        ),
        "certainty": _count_by(
            (str(judged.certainty), judged) for judged in everything if judged.certainty
        ),
    }


def measure(answers: Sequence[Judged], seed: int = 0) -> dict[str, Any]:
    """Measure answers. Balanced accuracy is the mean of the shares of changed and of original
    messages that were told right: .5 for who guesses, however often he says which.

    answers (Sequence[Judged]): Answers, of one reader or of several.
    seed (int): Of the samples.
    RETURNS (dict[str, Any]): Counts of `OUTCOMES`; `recall` and `precision` of "changed",
        `balanced_accuracy`, None where nothing is to be counted; their `intervals`, by bootstrap
        over conversations.
    """
    units: dict[int, Counter[str]] = defaultdict(Counter)
    for judged in answers:
        units[judged.unit][judged.outcome] += 1
    counts = np.array([[unit[outcome] for outcome in OUTCOMES] for unit in units.values()])
    measures = _get_measures(counts.sum(axis=0, keepdims=True))
    samples = _get_measures(resample(counts, resamples=RESAMPLES, seed=seed))
    return {
        "answers": len(answers),
        **{name: int(count) for name, count in zip(OUTCOMES, counts.sum(axis=0))},
        **{name: _as_share(values[0]) for name, values in measures.items()},
        "intervals": {
            name: list(get_middle(values[~np.isnan(values)]))
            for name, values in samples.items()
            if not np.isnan(measures[name][0])
        },
    }


def _get_measures(counts: np.ndarray) -> dict[str, np.ndarray]:
    """The measures of each sample of counts, NaN where there is nothing to count."""
    told, missed, mistaken, left = counts.astype("f8").T
    with np.errstate(invalid="ignore"):
        recall = told / (told + missed)
        return {
            "recall": recall,
            "precision": told / (told + mistaken),
            "balanced_accuracy": (recall + left / (left + mistaken)) / 2,
        }


def _as_share(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _measure_kappa(one: Sequence[Any], other: Sequence[Any]) -> float | None:
    """Cohen's kappa; None if both have said one and the same of all, as agreement by chance would."""
    return float(cohen_kappa_score(one, other)) if len({*one, *other}) > 1 else None


def measure_agreement(readers: Mapping[str, Sequence[Judged]]) -> dict[str, Any]:
    """Measure whether the readers say the same of a message, right or wrong.

    readers (Mapping[str, Sequence[Judged]]): Each reader's answers.
    RETURNS (dict[str, Any]): Of each two readers (`pairs`) the `messages` that both answered, the
        share of the `same` answers and Cohen's `kappa`; and the means over the pairs.
    """
    by_reader = {
        name: {judged.id: judged.answer for judged in answers} for name, answers in readers.items()
    }
    pairs = [_compare(*pair) for pair in combinations(by_reader.items(), 2)]
    return {
        name: float(np.mean(values)) if values else None
        for name in ("same", "kappa")
        for values in [[pair[name] for pair in pairs if pair[name] is not None]]
    } | {"pairs": pairs}


def _compare(one: tuple[str, dict[str, str]], other: tuple[str, dict[str, str]]) -> dict[str, Any]:
    (name, answers), (other_name, others) = one, other
    both = [id_ for id_ in answers if id_ in others]
    same = kappa = None
    if both:
        same = sum(answers[id_] == others[id_] for id_ in both) / len(both)
        kappa = _measure_kappa([answers[id_] for id_ in both], [others[id_] for id_ in both])
    return {"readers": [name, other_name], "messages": len(both), "same": same, "kappa": kappa}


def _count_by(rows: Iterable[tuple[str, Judged]]) -> dict[str, dict[str, Any]]:
    """Of the changed messages how many were told, of the original ones how many mistaken."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for name, judged in rows:
        counts[name][judged.outcome] += 1
    return {
        name: {
            "changed": row[TOLD] + row[MISSED],
            "told": row[TOLD],
            "share_told": _divide(row[TOLD], row[TOLD] + row[MISSED]),
            "original": row[MISTAKEN] + row[LEFT],
            "mistaken": row[MISTAKEN],
            "share_mistaken": _divide(row[MISTAKEN], row[MISTAKEN] + row[LEFT]),
        }
        for name, row in sorted(counts.items())
    }


def _divide(part: int, whole: int) -> float | None:
    return part / whole if whole else None
