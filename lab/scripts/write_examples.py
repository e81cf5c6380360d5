"""Write the page of examples: messages and conversations before and after, as a trained pipeline
de-identifies them.
"""

import os
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

import spacy
import typer
from spacy.tokens import Doc
from wasabi import msg

import components  # noqa: F401
from components.conversations.conversation import deidentify_conversation
from components.measures.gold import Row, read_messages
from components.surrogates.surrogate_generator import KEY_VARIABLE
from training_tools.errors import clean_errors, demand_pipeline

# Not secret: it makes the page the same each time. Never use it for real messages.
KEY = "a key for demonstration only"
INTRODUCTION = """# Examples

Ten messages and conversations before and after, made by `python -m lab.scripts.write_examples`: do not
edit this page. They were written for it, and nobody in them exists. What the pipeline found is
**bold**, and so is what it wrote in its place. Whatever it missed or took too much of is told below
each example.

The key of the surrogates is `{key}`.
"""
# Punctuation that means something in a cell of a Markdown table.
ESCAPED = str.maketrans({char: f"\\{char}" for char in "\\`*_|<[]#~"} | {"\n": "<br>", "\r": ""})


def write_examples(
    model_path: Path = typer.Argument(..., help="The trained pipeline", exists=True),
    examples_path: Path = typer.Argument(
        Path("lab/examples"), help="Folder of annotated messages, JSONL", exists=True
    ),
    page_path: Path = typer.Argument(Path("lab/docs/examples.md"), help="The page"),
) -> None:
    os.environ[KEY_VARIABLE] = KEY
    with clean_errors():
        paths = sorted(examples_path.glob("*.jsonl"))
        rows = [row for path in paths for row in read_messages(path)]
        demand_pipeline(model_path)
    if not rows:
        msg.fail(f"No examples (*.jsonl) in {examples_path}", exits=1)
    nlp = spacy.load(model_path)
    examples = [
        list(group) for _, group in groupby(rows, lambda row: row.get("conversation") or row["id"])
    ]
    # Single messages first.
    examples.sort(key=lambda example: len(example) > 1)
    sections = [INTRODUCTION.format(key=KEY)]
    for number, example in enumerate(examples, 1):
        docs = deidentify_conversation(
            nlp, [row["text"] for row in example], conversation_id=f"example {number}"
        )
        sections.append(write_example(number, example, docs))
    page_path.write_text("\n".join(sections), encoding="utf8")
    msg.good(f"{len(examples)} examples", page_path)


def write_example(number: int, rows: Sequence[Row], docs: Sequence[Doc]) -> str:
    """Write the section of an example.

    number (int): Its number.
    rows (Sequence[Row]): Its annotated messages.
    docs (Sequence[Doc]): Their docs, de-identified.
    RETURNS (str): Markdown.
    """
    lines = [
        f"## {number}. {'A message' if len(rows) == 1 else 'A conversation'}\n",
        "| from | before | after |",
        "| --- | --- | --- |",
    ]
    for row, doc in zip(rows, docs):
        before = [(entry["start"], entry["end"]) for entry in doc._.replacements]
        after = [(entry["out_start"], entry["out_end"]) for entry in doc._.replacements]
        cells = (row["author"], mark(doc.text, before), mark(doc._.deidentified, after))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", *compare(rows, docs)])


def mark(text: str, pieces: Iterable[tuple[int, int]]) -> str:
    """Write a text as a cell of a table.

    text (str): The text.
    pieces (Iterable[tuple[int, int]]): Start and end of what is to be bold, in order.
    RETURNS (str): Markdown.
    """
    out, position = [], 0
    for start, end in pieces:
        # `<b>` because `**` is none within a word or next to punctuation.
        out.append(
            f"{text[position:start].translate(ESCAPED)}<b>{text[start:end].translate(ESCAPED)}</b>"
        )
        position = end
    return "".join(out) + text[position:].translate(ESCAPED)


def compare(rows: Sequence[Row], docs: Sequence[Doc]) -> list[str]:
    """Tell what the pipeline did not find as it is annotated.

    rows (Sequence[Row]): The annotated messages.
    docs (Sequence[Doc]): Their docs.
    RETURNS (list[str]): Lines of Markdown.
    """
    missed: list[str] = []
    extra: list[str] = []
    for row, doc in zip(rows, docs):
        gold = {i for span in row["spans"] for i in range(span["start"], span["end"])}
        found = {i for ent in doc.ents for i in range(ent.start_char, ent.end_char)}
        missed += _pick(row["text"], gold - found)
        extra += _pick(row["text"], found - gold)
    return [
        f"{name}: {', '.join(f'`{piece}`' for piece in dict.fromkeys(pieces))}.\n"
        for name, pieces in (("Missed", missed), ("Taken for PHI", extra))
        if pieces
    ]


def _pick(text: str, positions: set[int]) -> list[str]:
    """The stretches of a text at these positions, without punctuation and white space."""
    kept = "".join(char if i in positions else "\n" for i, char in enumerate(text))
    return [piece.strip() for piece in kept.split("\n") if any(char.isalnum() for char in piece)]


if __name__ == "__main__":
    typer.run(write_examples)
