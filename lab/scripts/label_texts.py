"""Label plain text by trained pipelines, and add it to a training corpus."""

import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import spacy
import typer
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from wasabi import msg

import components  # noqa: F401
from components.model.decoding import decode
from components.text.hits import make_span
from training_tools.errors import clean_errors
from training_tools.formats.docs import chat_language
from training_tools.text_sources import Sources

# How many messages of each text: what people typed themselves counts most.
TEXTS = {
    "forum-news-absabank": 6000,
    "learner-swell": 7000,
    "everyday-tatoeba": 5000,
    "everyday-commonvoice": 1500,
    "medical-1177-sentences": 900,
    "faq-authorities": 430,
    "examples-dictionary-learner": 3000,
    "mt-mixed": 3000,
    "treebank-talbanken": 1500,
    "government-web": 2000,
    "riksdag-interpellations": 1500,
    "medical-pubmedqa-mt": 1000,
    "stories-african-storybook": 300,
}
LONGEST = 400
SENTENCE_END = re.compile(r"(?<=[.!?…]) +(?=[A-ZÅÄÖ\d])")
# Held out: one text in so many is left to measure on.
HELD_OUT = 10
LOWER = 0.3
# A token with less PHI is none, one with more is; what lies between is taught as unknown.
LEAST, MOST = 0.03, 0.9


def label_texts(
    corpus_path: Annotated[Path, typer.Argument(help="The corpus to add to, .spacy")],
    text_path: Annotated[Path, typer.Argument(help="Folder of plain text, as assets/text")],
    teachers: Annotated[list[Path], typer.Argument(help="Trained pipelines; their mean counts")],
    seed: Annotated[int, typer.Option(help="Seed of everything random")] = 0,
) -> None:
    """Label plain text by the mean of trained pipelines, and add it to a training corpus: three in ten in lower
    case, with the labels of the text as it was. Tokens that they are in doubt of are left unlabelled.
    """
    rng = random.Random(seed)
    with clean_errors():
        messages = [*cut_texts(Sources(text_path, {}), rng)]
        corpus = DocBin(store_user_data=True).from_disk(corpus_path)
    nlps = [spacy.load(path, exclude=["doc_cleaner"]) for path in teachers]
    blank = chat_language()
    labels: Any = nlps[0].get_pipe("phi_ner")
    counts: Counter[str] = Counter()
    for text, probs in zip(messages, predict(nlps, messages)):
        # A text that is cleaned before it is read has other tokens.
        if len(probs) != len(blank.make_doc(text)):
            continue
        doc = make_doc(blank, text, probs, labels.labels, rng.random() < LOWER)
        counts.update(entity.label_ for entity in doc.ents)
        counts["unknown tokens"] += sum(token.ent_iob == 0 for token in doc)
        corpus.add(doc)
    corpus.to_disk(corpus_path)
    msg.good(f"Added {len(messages)} messages, {dict(counts)}", corpus_path)


def cut_texts(sources: Sources, rng: random.Random) -> Iterator[str]:
    """Cut texts into messages of some sentences, but for those that are held out."""
    for name, count in TEXTS.items():
        made = [
            message
            for line in sources.read(name)
            if not is_held_out(line)
            for message in cut(line, rng)
        ]
        yield from rng.sample(made, min(count, len(made)))


def is_held_out(line: str) -> bool:
    """Whether a line is left to measure on."""
    return int(hashlib.sha256(line.encode("utf8")).hexdigest()[:8], 16) % HELD_OUT == 0


def cut(line: str, rng: random.Random) -> Iterator[str]:
    """Cut a paragraph into messages of one to five sentences."""
    message, left = "", 0
    for sentence in SENTENCE_END.split(line.strip()):
        if message and (not left or len(message) + len(sentence) > LONGEST):
            yield message
            message, left = "", 0
        left = left - 1 if message else rng.randrange(5)
        message = f"{message} {sentence}" if message else sentence[: 3 * LONGEST]
    if message:
        yield message


def predict(nlps: Sequence[Language], texts: Sequence[str], size: int = 64) -> Iterator[np.ndarray]:
    """Predict the probabilities of each text's tags."""
    for start in range(0, len(texts), size):
        batch = texts[start : start + size]
        every = []
        for nlp in nlps:
            docs = [nlp.make_doc(text) for text in batch]
            for name, pipe in nlp.pipeline:
                if name == "phi_ner":
                    every.append(pipe.predict(docs))
                    break
                docs = [*pipe.pipe(docs)] if hasattr(pipe, "pipe") else [pipe(doc) for doc in docs]
        yield from (np.mean(of_text, axis=0) for of_text in zip(*every))


def make_doc(
    nlp: Language, text: str, probs: np.ndarray, labels: Sequence[str], lower: bool
) -> Doc:
    """Make a doc of the training, with what is sure of its labels."""
    read = nlp.make_doc(text)
    mass = 1.0 - probs[:, 0]
    sure = [
        (read[start].idx, read[end - 1].idx + len(read[end - 1]), label)
        for start, end, label, score in decode(probs, labels, 0.5)
        if score >= MOST and mass[start:end].min() >= MOST
    ]
    doubt = [(token.idx, token.idx + len(token)) for token in read if mass[token.i] > LEAST]
    typed = text.lower()
    doc = nlp.make_doc(typed) if lower and len(typed) == len(text) else read
    found = [
        make_span(doc, start, end, label) for start, end, label in sure if doc.char_span(start, end)
    ]
    inside = {token.i for span in found for token in span}
    unknown = [
        doc[token.i : token.i + 1]
        for token in doc
        if token.i not in inside
        and any(token.idx < end and start < token.idx + len(token) for start, end in doubt)
    ]
    doc.set_ents(found, missing=unknown, default="outside")
    return doc


if __name__ == "__main__":
    typer.run(label_texts)
