"""Report how many gold spans of a corpus fall on token boundaries. The rest can never be found by
a token-based recogniser; they are listed, without their text unless asked for.

    python -m lab.scripts.check_alignment corpus/dev.jsonl --show-text
"""

from collections import Counter
from pathlib import Path
from typing import Annotated

import spacy
import typer

import components  # noqa: F401
from components.measures.gold import read_messages
from components.text.hits import make_span
from training_tools.errors import clean_errors

CONFIG = {"nlp": {"tokenizer": {"@tokenizers": "sv_deid_chat.ChatTokenizer.v1"}}}


def check_alignment(
    corpora: Annotated[list[Path], typer.Argument(help="JSONL files with gold spans.")],
    show_text: Annotated[
        bool, typer.Option(help="Print the text of the spans, which is PHI, and its tokens.")
    ] = False,
) -> None:
    """Report how many gold spans fall on token boundaries of the chat tokenizer."""
    nlp = spacy.blank("sv", config=CONFIG)
    for path in corpora:
        total: Counter[str] = Counter()
        misaligned: Counter[str] = Counter()
        with clean_errors():
            rows = read_messages(path)
        for row in rows:
            doc = nlp.make_doc(row["text"])
            for span in row["spans"]:
                start, end, label = span["start"], span["end"], span["label"]
                total[label] += 1
                if doc.char_span(start, end) is None:
                    misaligned[label] += 1
                    line = f"{row['id']}\t{label}\t{start}\t{end}"
                    if show_text:
                        around = make_span(doc, start, end, label)
                        line += f"\t{row['text'][start:end]!r}\t{[token.text for token in around]}"
                    print(line)
        spans_total, off = sum(total.values()), sum(misaligned.values())
        rate = (spans_total - off) / spans_total if spans_total else 1.0
        print(f"{path.name}: {spans_total - off} of {spans_total} spans aligned, {rate:.2%}")
        for label in sorted(total):
            print(f"  {label}: {total[label] - misaligned[label]} of {total[label]}")


if __name__ == "__main__":
    typer.run(check_alignment)
