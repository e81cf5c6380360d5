"""Choose the decision threshold on the dev split: the one with the best F-beta over tokens."""

from pathlib import Path

import numpy as np
import spacy
import srsly
import typer
from wasabi import msg, table

import components  # noqa: F401
from components.decoding import decode
from components.scoring import Scores
from corpus_tools.jsonl import read_messages

THRESHOLDS = (0.02, 0.05, 0.08, 0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def tune_threshold(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(..., help="Annotated messages of the dev split, JSONL"),
    output_path: Path = typer.Argument(..., help="Where the pipeline with its threshold goes"),
    metrics_path: Path = typer.Argument(..., help="Where to write the curve, JSON"),
    beta: float = typer.Option(2.0, help="Weight of recall against precision"),
) -> None:
    nlp = spacy.load(model_path, disable=["span_merger", "surrogate_generator"])
    phi_ner = nlp.get_pipe("phi_ner")
    messages = read_messages(data_path)
    scores = {threshold: Scores() for threshold in THRESHOLDS}
    with nlp.select_pipes(disable=["phi_ner", "doc_cleaner"]):
        docs = list(nlp.pipe([message["text"] for message in messages]))
    for start in range(0, len(docs), nlp.batch_size):
        batch = docs[start : start + nlp.batch_size]
        for doc, probs, message in zip(batch, phi_ner.predict(batch), messages[start:]):
            gold = [(span["start"], span["end"], span["label"]) for span in message["spans"]]
            for threshold in THRESHOLDS:
                spans = decode(np.asarray(probs), phi_ner.labels, threshold)
                found = [
                    (doc[first].idx, doc[last - 1].idx + len(doc[last - 1]), label)
                    for first, last, label, _ in spans
                ]
                scores[threshold].add(doc.text, gold, found)
    rows, curve = [], []
    for threshold, all_ in scores.items():
        token, strict = all_.token_one_class, all_.entity()
        weighted = beta**2 * token.precision + token.recall
        f_beta = (1 + beta**2) * token.precision * token.recall / weighted if weighted else 0.0
        curve.append({"threshold": threshold, "p": token.precision, "r": token.recall,
                      "f_beta": f_beta, "strict_f": strict.f1, "redact": all_.redact()})
        rows.append([f"{value:.3f}" for value in curve[-1].values()])
    print(table(rows, header=list(curve[0]), divider=True))
    best = max(curve, key=lambda row: (row["f_beta"], -row["threshold"]))
    # Load anew with all pipes, so that none is lost in saving.
    nlp = spacy.load(model_path)
    nlp.get_pipe("phi_ner").threshold = best["threshold"]
    nlp.config["components"]["phi_ner"]["threshold"] = best["threshold"]
    nlp.to_disk(output_path)
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, {"beta": beta, "best": best, "curve": curve})
    msg.good(f"Threshold {best['threshold']} (F{beta:g} {best['f_beta']:.3f})", output_path)


if __name__ == "__main__":
    typer.run(tune_threshold)
