"""Linking of conversations to people: who is it, of all in the register?"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from components.measures.bootstrap import RESAMPLES, get_middle, resample
from lab.attack.facts import Facts
from lab.attack.signals import SIGNALS, compare_all

TOPS = (1, 5)
STEPS = 50
# What the best rounding of sums can tell apart.
DIGITS = 6


class Links(NamedTuple):
    """How high each conversation's person ranks.

    ratios (np.ndarray): What each signal says, see `compare_all`.
    is_told (Mapping[str, np.ndarray]): Which conversations tell it.
    kept (Mapping[str, float]): The share of conversations, of those that tell it, in which the
        attacker takes a fact for the person's own.
    """

    ratios: np.ndarray
    is_told: Mapping[str, np.ndarray]
    kept: Mapping[str, float]


def link(told: Sequence[Facts], register: Sequence[Facts]) -> Links:
    """Compare conversations with a register, the first people of which are theirs.

    told (Sequence[Facts]): What each conversation tells, after it was de-identified.
    register (Sequence[Facts]): The people.
    RETURNS (Links): What was compared.
    """
    ratios, is_told = compare_all(told, register)
    kept = {name: _estimate_kept(ratios[row], is_told[name]) for row, name in enumerate(SIGNALS)}
    return Links(ratios, is_told, kept)


def _estimate_kept(ratios: np.ndarray, chosen: np.ndarray) -> float:
    """Estimate how often a fact is kept: where it is, it fits the person; where it is not, it fits as it
    fits anybody. By maximum likelihood, on conversations whose person is known.
    """
    own = np.diagonal(ratios)[chosen].astype("f8")
    if not len(own):
        return 0.0
    kept = 0.5
    for _ in range(STEPS):
        kept = float(np.mean(kept * own / (kept * own + 1 - kept)))
    # Nobody knows for certain.
    return min(kept, 1 - 1 / (len(own) + 2))


def rank(links: Links, signals: Collection[str] = tuple(SIGNALS)) -> np.ndarray:
    """Rank everybody for each conversation by how likely it is theirs: records are linked as by Fellegi
    and Sunter (1969), with the weights of an attacker who has tried the tool on messages of his own:
    they are estimated on every other conversation, and used on the rest.

    links (Links): What was compared.
    signals (Collection[str]): The signals that the attacker uses.
    RETURNS (np.ndarray): Of each conversation how many people rank before its person, and how many the
        same, the person among them: shape (conversations, 2).
    """
    n_told = links.ratios.shape[1]
    halves = np.arange(n_told) % 2
    scores = np.zeros(links.ratios.shape[1:])
    for row, name in enumerate(SIGNALS):
        if name not in signals:
            continue
        for half in (0, 1):
            kept = _estimate_kept(links.ratios[row], links.is_told[name] & (halves != half))
            mine = links.is_told[name] & (halves == half)
            if kept and mine.any():
                scores[mine] += np.log(1 - kept + kept * links.ratios[row][mine])
    scores = scores.round(DIGITS)
    own = np.diagonal(scores)[:, None]
    return np.stack([(scores > own).sum(axis=1), (scores == own).sum(axis=1)], axis=1)


def measure(
    ranks: Sequence[np.ndarray], size: int, *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Any]:
    """Measure how many people are found.

    ranks (Sequence[np.ndarray]): What `rank` gives, under each key, of the same conversations.
    size (int): How many people are in the register.
    resamples (int): How many samples of conversations are drawn.
    seed (int): Of the draw.
    RETURNS (dict[str, Any]): `top1` and `top5`, the share of conversations whose person ranks so high,
        equals in random order; `above`, the share of the other people who rank below (.5 by chance);
        `chance` of each, and `intervals` by bootstrap over conversations.
    """
    before, same = (np.stack(part).astype("f8") for part in zip(*(each.T for each in ranks)))
    shares = {f"top{top}": np.clip((top - before) / same, 0, 1) for top in TOPS}
    shares["above"] = 1 - (before + (same - 1) / 2) / (size - 1)
    chance = {f"top{top}": min(1.0, top / size) for top in TOPS} | {"above": 0.5}
    # The keys of a conversation are one unit.
    units = {name: values.mean(axis=0) for name, values in shares.items()}
    n_units = len(units["above"])
    samples = resample(np.stack([*units.values()], axis=1), resamples=resamples, seed=seed)
    intervals = {name: list(get_middle(samples[:, i] / n_units)) for i, name in enumerate(units)}
    values = {name: float(values.mean()) for name, values in units.items()}
    return {**values, "chance": chance, "intervals": intervals}


def ablate(links: Sequence[Links], size: int, seed: int = 0) -> dict[str, dict[str, Any]]:
    """Measure what each signal is worth to the attacker.

    links (Sequence[Links]): What was compared, under each key.
    size (int): How many people are in the register.
    seed (int): Of the samples.
    RETURNS (dict[str, dict[str, Any]]): Of each signal the measures if it is used `alone`, and of all
        `without` it, how many conversations tell it (`told`), and in which share it is `kept`.
    """
    figures = {}
    for name in SIGNALS:
        others = [other for other in SIGNALS if other != name]
        figures[name] = {
            "alone": measure([rank(one, [name]) for one in links], size, seed=seed),
            "without": measure([rank(one, others) for one in links], size, seed=seed),
            "told": int(np.mean([one.is_told[name].sum() for one in links])),
            "kept": float(np.mean([one.kept[name] for one in links])),
        }
    return figures
