"""Feed hostile messages to the pipeline, and check what must hold of any: none raises, offsets hold,
what the rules found is gone, nothing stays itself.
"""

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import cast

import spacy
import srsly
import typer
from spacy.language import Language
from spacy.tokens import Doc
from tqdm import tqdm
from wasabi import msg

import components  # noqa: F401
from components.measures.gold import read_messages
from components.shared.labels import DOUBTED_KEY, RULES_KEY
from components.surrogates.surrogate_generator import SurrogateGenerator
from components.text.casing import fold
from components.text.folding import fold_text
from lab.measures.mutations import make_input
from training_tools.errors import clean_errors

ENCODER = ["transformer", "phi_ner"]
MAX_SHOWN = 20


def fuzz(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(..., help="Real-looking messages to begin with, JSONL"),
    metrics_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    count: int = typer.Option(10_000, help="Messages through rules, lists and surrogates"),
    whole: int = typer.Option(1_000, help="Messages through the whole pipeline"),
    n_process: int = typer.Option(1, help="Processes"),
    seed: int = typer.Option(0, help="Seed: message 17 of a seed is always the same"),
) -> None:
    with clean_errors():
        texts = [row["text"] for row in read_messages(data_path)]
    nlp = spacy.load(model_path)
    figures = {}
    for name, disable, n in (("rules and lists", ENCODER, count), ("whole", [], whole)):
        generator = cast(SurrogateGenerator, nlp.get_pipe("surrogate_generator"))
        generator.required = [] if disable else [RULES_KEY, "phi"]
        start = time.time()
        found = list(run(nlp, texts, seed, n, disable, n_process))
        faults = Counter(fault for _, fault in found)
        for i, fault in found[:MAX_SHOWN]:
            msg.fail(f"{name}, message {i} of seed {seed}: {fault}")
        seconds = round(time.time() - start, 1)
        figures[name] = {"messages": n, "seconds": seconds, "faults": dict(faults)}
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, {"seed": seed, **figures})
    if any(figure["faults"] for figure in figures.values()):
        msg.fail("Faults found", metrics_path, exits=1)
    msg.good(f"{count} and {whole} messages, no fault", metrics_path)


def run(
    nlp: Language, texts: list[str], seed: int, count: int, disable: list[str], n_process: int
) -> Iterator[tuple[int, str]]:
    """Feed messages and check what comes out.

    nlp (Language): The pipeline.
    texts (List[str]): Real-looking messages.
    seed (int): The seed.
    count (int): How many messages.
    disable (List[str]): Pipes to leave out.
    n_process (int): Processes.
    YIELDS (Tuple[int, str]): The number of a message and what is wrong with it.
    """
    inputs = (make_input(texts, Random(f"{seed}-{i}")) for i in range(count))
    pairs = ((text, (i, text)) for i, text in enumerate(inputs))
    with nlp.memory_zone():
        docs = nlp.pipe(pairs, as_tuples=True, disable=disable, n_process=n_process)
        for doc, (i, text) in tqdm(docs, total=count, disable=None):
            yield from ((i, fault) for fault in find_faults(doc, text))


def find_faults(doc: Doc, text: str) -> Iterator[str]:
    """Check what must hold of any message.

    doc (Doc): What came out.
    text (str): What went in.
    YIELDS (str): What is wrong.
    """
    if doc._.failed is not None:
        yield f"failed: {doc._.failed}"
        return
    if len(doc.text) != len(text):
        yield "the text has another length"
    out, back, end = doc._.deidentified, "", 0
    for item in doc._.replacements:
        original = doc.text[item["start"] : item["end"]]
        if item["start"] < end or not original:
            yield "replacements overlap"
        if out[item["out_start"] : item["out_end"]] != item["replacement"]:
            yield "offsets in the output are wrong"
        if fold(fold_text(original).text) == fold(item["replacement"]) and not item.get("kept"):
            yield f"a {item['label']} stays itself"
        back += doc.text[end : item["start"]] + item["replacement"]
        end = item["end"]
    if back + doc.text[end:] != out:
        yield "the replacements do not make up the output"
    covered = {i for ent in doc.ents for i in range(ent.start, ent.end)}
    # A pattern's find that the model is to confirm may be dropped, and is told.
    doubted = (span for span in doc.spans.get(DOUBTED_KEY, ()) if span.id_.startswith("confirm."))
    covered |= {i for span in doubted for i in range(span.start, span.end)}
    for hit in doc.spans.get(RULES_KEY, ()):
        if not covered.issuperset(range(hit.start, hit.end)):
            yield f"a {hit.label_} of the rules is left"


if __name__ == "__main__":
    typer.run(fuzz)
