"""Choose the decision threshold on the dev split: the one with which the merged result has the best
F-beta over tokens, classes taken as one.
"""

from pathlib import Path
from typing import cast

import spacy
import srsly
import typer
from spacy.util import minibatch
from wasabi import msg, table

import components  # noqa: F401
from components.model.scoring import Scores
from components.pipes.phi_ner import PhiNer
from corpus_tools.errors import clean_errors
from corpus_tools.formats.jsonl import read_messages

THRESHOLDS = (0.02, 0.05, 0.08, 0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


def tune_threshold(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(..., help="Annotated messages of the dev split, JSONL"),
    output_path: Path = typer.Argument(..., help="Where the pipeline with its threshold goes"),
    metrics_path: Path = typer.Argument(..., help="Where to write the curve, JSON"),
    beta: float = typer.Option(2.0, help="Weight of recall against precision"),
) -> None:
    with clean_errors():
        messages = read_messages(data_path)
    nlp = spacy.load(model_path, disable=["surrogate_generator", "doc_cleaner"])
    phi_ner, span_merger = cast(PhiNer, nlp.get_pipe("phi_ner")), nlp.get_pipe("span_merger")
    scores = {threshold: Scores() for threshold in THRESHOLDS}
    with nlp.select_pipes(disable=["phi_ner", "span_merger"]):
        stream = nlp.pipe([message["text"] for message in messages])
        for batch in minibatch(zip(stream, messages), nlp.batch_size):
            docs = [doc for doc, _ in batch]
            probs = phi_ner.predict(docs)
            for threshold in THRESHOLDS:
                phi_ner.threshold = threshold
                phi_ner.set_annotations(docs, probs)
                for doc, message in batch:
                    gold = [
                        (span["start"], span["end"], span["label"]) for span in message["spans"]
                    ]
                    ents = span_merger(doc).ents
                    found = [(ent.start_char, ent.end_char, ent.label_) for ent in ents]
                    scores[threshold].add(doc.text, gold, found)
    rows, curve = [], []
    for threshold, all_ in scores.items():
        token, strict = all_.token_one_class, all_.entity()
        curve.append(
            {
                "threshold": threshold,
                "p": token.precision,
                "r": token.recall,
                "f_beta": get_f_beta(token.precision, token.recall, beta),
                "strict_f": strict.f1,
                "redact": all_.redact(),
            }
        )
        rows.append([f"{value:.3f}" for value in curve[-1].values()])
    print(table(rows, header=list(curve[0]), divider=True))
    # The lowest of several: it misses least.
    best = max(curve, key=lambda row: (row["f_beta"], -row["threshold"]))
    # Load anew with all pipes, so that none is lost in saving.
    nlp = spacy.load(model_path)
    cast(PhiNer, nlp.get_pipe("phi_ner")).threshold = best["threshold"]
    nlp.get_pipe_config("phi_ner")["threshold"] = best["threshold"]
    nlp.to_disk(output_path)
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, {"beta": beta, "best": best, "curve": curve})
    msg.good(f"Threshold {best['threshold']} (F{beta:g} {best['f_beta']:.3f})", output_path)


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
