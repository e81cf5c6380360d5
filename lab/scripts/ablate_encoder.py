"""Ablate the encoder: train over random weights, over the first stage of pretraining, over both,
and over both without any list; same corpus, same seeds. Finished trainings are not run again.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import mean, stdev

import srsly
import typer
from transformers import AutoConfig, AutoModel, AutoTokenizer, set_seed
from wasabi import msg

import components  # noqa: F401
from components.lists.lists import read_lists
from components.measures.gold import Row, read_messages
from components.measures.scores import Scores
from components.measures.spans import get_entities, to_char_spans
from components.shared.labels import NAMES
from training_tools.assembly import load_trained
from training_tools.errors import clean_errors

# In single quotes: spaCy splits the overrides as a shell does.
WITHOUT_LISTS = (
    """--nlp.pipeline='["entity_ruler","evidence_reader","transformer","phi_ner","span_merger","doc_cleaner"]' """
    """--training.annotating_components='["entity_ruler"]'"""
)
WORD = re.compile(r"[^\W\d_]+")


def ablate_encoder(
    corpus_path: Path = typer.Argument(..., help="Folder of train.spacy, dev.spacy, train.jsonl"),
    encoder_path: Path = typer.Argument(..., help="The encoder after both stages"),
    language_path: Path = typer.Argument(..., help="The encoder after the first stage"),
    work_path: Path = typer.Argument(..., help="Where the trainings go"),
    chat_path: Path = typer.Argument(..., help="Annotated messages to evaluate on, JSONL"),
    ner_path: Path = typer.Argument(..., help="Sentences with names to evaluate on, JSONL"),
    config_path: Path = typer.Option(Path("configs/small.cfg"), help="The config"),
    seeds: str = typer.Option("0,1,2", help="Seeds, comma-separated"),
) -> None:
    random_path = make_random(encoder_path, work_path / "random")
    variants = {
        "no pretraining": (random_path, ""),
        "language": (language_path, ""),
        "language and names": (encoder_path, ""),
        "language and names, no lists": (encoder_path, WITHOUT_LISTS),
    }
    with clean_errors():
        sets = {"chat": read_messages(chat_path), "ner": read_messages(ner_path)}
        known = gather_words(read_messages(corpus_path / "train.jsonl"), Path("assets/lists"))
    sets["ner, lower"] = [lower(row) for row in sets["ner"]]
    results: dict[str, list[dict[str, float]]] = {}
    for name, (encoder, overrides) in variants.items():
        for seed in seeds.split(","):
            output = work_path / f"{name.replace(', ', '-').replace(' ', '-')}-{seed}"
            if not (output / "model-last").exists():
                train(config_path, output, encoder, seed, corpus_path, overrides)
            results.setdefault(name, []).append(measure(output / "model-last", sets, known))
            msg.text(f"{name}, seed {seed}: {results[name][-1]}")
    srsly.write_json(work_path / "ablation.json", results)
    print_table(results)


def make_random(encoder_path: Path, output_path: Path) -> Path:
    """Write an encoder of the same shape and tokenizer with random weights.

    encoder_path (Path): The trained encoder.
    output_path (Path): Where the random one goes.
    RETURNS (Path): There.
    """
    set_seed(0)
    AutoModel.from_config(AutoConfig.from_pretrained(encoder_path)).save_pretrained(output_path)
    AutoTokenizer.from_pretrained(encoder_path).save_pretrained(output_path)
    return output_path


def train(
    config: Path, output: Path, encoder: Path, seed: str, corpus: Path, overrides: str
) -> None:
    """Train one pipeline in a process of its own.

    config (Path): The config.
    output (Path): Where the pipeline goes.
    encoder (Path): The encoder.
    seed (str): The seed.
    corpus (Path): Folder of the corpus.
    overrides (str): Further overrides of the config.
    """
    paths = f"--paths.train={corpus}/train.spacy --paths.dev={corpus}/dev.spacy"
    env = {**os.environ, "SPACY_CONFIG_OVERRIDES": f"{paths} {overrides}".strip()}
    command = [sys.executable, "-B", "-m", "scripts.train", str(config), str(output)]
    command += ["--encoder", str(encoder), "--seed", seed]
    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL)


def lower(row: Row) -> Row:
    """RETURNS (Row): The row in lower case, where that keeps every letter's place."""
    text = row["text"].lower()
    return {**row, "text": text} if len(text) == len(row["text"]) else row


def gather_words(rows: Iterable[Row], lists: Path) -> set[str]:
    """Gather the words that a pipeline has met in training.

    rows (Iterable[Row]): The training messages.
    lists (Path): Folder of the lists; all their cells count.
    RETURNS (set[str]): The words, lower-cased.
    """
    texts = [row["text"] for row in rows]
    texts += [
        " ".join(cells.values()) for all_ in read_lists(str(lists)).values() for cells in all_
    ]
    return {word for text in texts for word in WORD.findall(text.lower())}


def is_unseen(text: str, known: set[str]) -> bool:
    """Tell whether no word of a name was met in training, with or without a genitive s.

    text (str): The name.
    known (set[str]): The words met.
    RETURNS (bool): Whether all its words are new.
    """
    words = WORD.findall(text.lower())
    return bool(words) and not any(w in known or w.removesuffix("s") in known for w in words)


def measure(model_path: Path, sets: dict[str, list[Row]], known: set[str]) -> dict[str, float]:
    """Measure one pipeline.

    model_path (Path): The pipeline.
    sets (dict[str, list[Row]]): Annotated messages by name of the set.
    known (set[str]): The words met in training.
    RETURNS (dict[str, float]): Measures from 0 to 1; "unseen" is the share of names covered of
        which no word was met in training.
    """
    nlp = load_trained(model_path, exclude=["surrogate_generator"])
    out: dict[str, float] = {}
    for name, rows in sets.items():
        labels = None if name == "chat" else NAMES
        scores, unseen = Scores(labels), Scores(NAMES)
        for row, doc in zip(rows, nlp.pipe([row["text"] for row in rows])):
            gold = to_char_spans(row["spans"])
            found = get_entities(doc)
            scores.add(doc.text, gold, found)
            new = [span for span in gold if is_unseen(doc.text[span[0] : span[1]], known)]
            # Covered is covered, whatever the class.
            unseen.add(doc.text, new, [(start, end, NAMES[0]) for start, end, _ in found])
        out |= {
            f"{name}: strict": scores.entity().f1,
            f"{name}: redact": scores.redact(),
            f"{name}: unseen": unseen.redact(),
            f"{name}: unseen names": unseen.entity().gold,
        }
        if labels is None:
            out |= {f"{name}: full": scores.full, f"{name}: clean": scores.clean}
    return out


def print_table(results: dict[str, list[dict[str, float]]]) -> None:
    """Print mean and standard deviation over the seeds as a Markdown table.

    results (dict[str, list[dict[str, float]]]): Measures of each seed, by variant.
    """
    names = list(next(iter(results.values()))[0])
    print(f"| variant | {' | '.join(names)} |\n{'| --- ' * (len(names) + 1)}|")
    for variant, runs in results.items():
        cells = []
        for name in names:
            values = [run[name] for run in runs]
            spread = f" ± {stdev(values):.3f}" if len(values) > 1 else ""
            cells.append(f"{mean(values):.3f}{spread}" if max(values) <= 1 else f"{values[0]:.0f}")
        print(f"| {variant} | {' | '.join(cells)} |")


if __name__ == "__main__":
    typer.run(ablate_encoder)
