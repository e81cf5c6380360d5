"""Certify a pipeline: how many conversations and messages leak at most, with confidence, in each of its
modes. The set is drawn for it, and spent by it.
"""

import hashlib
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import spacy
import srsly
import typer
from spacy.language import Language
from wasabi import msg
from weasel.util import get_checksum

import components  # noqa: F401
from components.conversations.configuration import configured
from components.conversations.conversation import pipe_conversations
from components.measures.figures import write_share
from components.measures.gate import get_upper_bound
from components.measures.gold import Row, demand_sound, group_conversations, read_gold
from components.measures.scores import Scores
from components.measures.spans import get_entities, to_char_spans
from components.model.phi_ner import PhiNer
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.markdown import demand_clean, fill_block, get_state, make_table, write_threshold

BLOCK = "certificate"
PRECISION = 10_000
EXCHANGEABLE = """*Exchangeable* means: if your conversations and those of the set were shuffled, nothing would tell which
are yours. If yours are of another kind (another care, other writers, dictation, other columns), nothing is promised: annotate
some hundred of your own, drawn at random, and run `certify` on them."""


def certify(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(
        ..., help="The annotated messages that are spent on it, JSONL"
    ),
    certificate_path: Path = typer.Argument(..., help="Where to write the certificate, JSON"),
    delta: float = typer.Option(0.05, help="How often the promises may be wrong, both at once"),
    pages: list[Path] = typer.Option([], "--page", help="A page with a block for the certificate"),
) -> None:
    with clean_errors():
        if not 0 < delta < 1:
            raise ValueError("--delta must lie between 0 and 1, e.g. 0.05.")
        rows = read_gold(data_path)
        demand_pipeline(model_path)
        for page in pages:
            demand_clean(page)
        told = {
            "set": data_path.stem,
            "set_sha256": hashlib.sha256(data_path.read_bytes()).hexdigest(),
            "pipeline": get_checksum(model_path),
        }
        demand_unspent(certificate_path, told)
    nlp = spacy.load(model_path)
    with clean_errors():
        certificate = {**told, "state": get_state(), **measure(nlp, rows, delta)}
    certificate_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(certificate_path, certificate)
    text = write_certificate(certificate)
    print(text)
    with clean_errors():
        for page in pages:
            fill_block(page, BLOCK, text)
            msg.good("Page written", page)


def demand_unspent(path: Path, told: dict[str, Any]) -> None:
    """Complain of a set that another pipeline was certified on: who looks twice may choose, and a promise
    that was chosen by its own set holds no more.

    path (Path): Where the last certificate lies, if there is one.
    told (dict[str, Any]): The digests of the set and of the pipeline.
    RAISES (ValueError): If the set is spent.
    """
    if not path.exists():
        return
    last = srsly.read_json(path)
    if last["set_sha256"] == told["set_sha256"] and last["pipeline"] != told["pipeline"]:
        raise ValueError(
            f"{told['set']} is spent: {path} certifies another pipeline by it. Draw and annotate a new "
            "set, by writers or patients whom nobody has read."
        )


def measure(nlp: Language, rows: Sequence[Row], delta: float) -> dict[str, Any]:
    """Bound the share of units that leak, in each mode of a pipeline.

    nlp (Language): The pipeline.
    rows (Sequence[Row]): The annotated messages.
    delta (float): How often any of the bounds may be wrong.
    RETURNS (dict[str, Any]): How many `units` there are, and how many of them hold PHI; by mode its
        `threshold`, how many units leak, and `alpha`, the bound.

    Angelopoulos, Bates, Candès, Jordan and Lei (2021): Learn then Test, with Bonferroni's correction.
    Losses are 0 or 1, so the smallest alpha whose test does not fail is Clopper's and Pearson's bound.
    """
    groups = group_conversations(rows)
    thresholds = cast(PhiNer, nlp.get_pipe("phi_ner")).thresholds
    modes = {}
    for mode, threshold in thresholds.items():
        with configured(nlp, {"mode": mode}):
            leaks = count_leaks(nlp, rows, groups)
        alpha = get_upper_bound(leaks, len(groups), delta / len(thresholds))
        modes[mode] = {"threshold": threshold, "leaks": leaks, "alpha": alpha}
    return {
        "delta": delta,
        "units": len(groups),
        "units_with_phi": sum(any(rows[i]["spans"] for i in group) for group in groups),
        "messages": len(rows),
        "modes": modes,
    }


def count_leaks(nlp: Language, rows: Sequence[Row], groups: Sequence[Sequence[int]]) -> int:
    """Count the units in which a letter or digit of what is annotated is left, read as in use: a
    conversation as a whole, a message of none alone.

    nlp (Language): The pipeline.
    rows (Sequence[Row]): The messages.
    groups (Sequence[Sequence[int]]): Which of them make a unit.
    RETURNS (int): How many units leak.
    """
    leaks = 0
    talks = pipe_conversations(nlp, [[rows[i]["text"] for i in group] for group in groups])
    for group, docs in zip(groups, talks):
        demand_sound(docs)
        scores = Scores()
        for i, doc in zip(group, docs):
            scores.add(doc.text, to_char_spans(rows[i]["spans"]), get_entities(doc))
        leaks += scores.messages["full"] < scores.messages["phi"]
    return leaks


def write_certificate(certificate: dict[str, Any]) -> str:
    """RETURNS (str): The certificate in Markdown."""
    units, delta = certificate["units"], certificate["delta"]
    rows = [
        [
            mode,
            write_threshold(own["threshold"]),
            f"{own['leaks']} of {units}",
            write_share(own["leaks"] / units),
            # Never rounded to a lower one.
            f"**{math.ceil(own['alpha'] * PRECISION) / PRECISION:.4f}**",
        ]
        for mode, own in certificate["modes"].items()
    ]
    head = ["mode", "threshold", "units that leak", "share", "at most"]
    return f"""{make_table(head, rows)}

With confidence {1 - delta:g}, no more than the share in the last column leaks, in all modes at once, of conversations and
single messages that are exchangeable with the {units} of `{certificate["set"]}` ({certificate["messages"]} messages;
{certificate["units_with_phi"]} units hold PHI), on which nothing was trained or chosen. A unit is a conversation, or a message of
none; it leaks if any letter or digit of what is annotated is left uncovered. Learn then Test (Angelopoulos and others 2021): exact
binomial tests with Bonferroni's correction, delta {delta:g}.

{EXCHANGEABLE}

Set `{certificate["set_sha256"][:16]}`, pipeline `{certificate["pipeline"][:16]}`, {certificate["state"]}."""


if __name__ == "__main__":
    typer.run(certify)
