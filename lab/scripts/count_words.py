"""Count the words that Swedish text writes in lower case, for the word list that tells ordinary
words from names.
"""

import json
import re
from collections import Counter
from pathlib import Path

import typer
from wasabi import msg

from training_tools.errors import clean_errors
from training_tools.text_sources import Sources

# A word and whether it may stand first in its sentence, where anything is capitalised.
WORD = re.compile(r"(^|[.!?:…\"”»–-]\W*)?\b([a-zà-öø-ÿA-ZÀ-ÖØ-ß]{2,})\b")
HEADER = """\
# Words that Swedish text writes in lower case, and how often: in a million words.
# Counted by lab/scripts/count_words.py in the texts that the encoder was pretrained on (see its model
# card for the sources and their licences), by the weights of configs/pretrain.json.
word\tper_million
"""


def count_words(
    text_path: Path = typer.Argument(..., help="Folder of plain text, *.txt or *.txt.xz"),
    out_path: Path = typer.Argument(..., help="The word list"),
    config_path: Path = typer.Option(Path("configs/pretrain.json"), help="The sources"),
    least: int = typer.Option(3, help="Fewest times, weighted, that a word must be seen"),
    share: float = typer.Option(0.8, help="Least share in lower case, starts of sentences aside"),
) -> None:
    lower: Counter[str] = Counter()
    upper: Counter[str] = Counter()
    with clean_errors():
        weights = json.loads(config_path.read_text(encoding="utf8"))["sources"]
    sources = Sources(text_path, weights)
    for name, weight in weights.items():
        # Long texts of one kind must not drown the short ones.
        count: Counter[tuple[str, bool]] = Counter()
        with clean_errors():
            lines = sources.read(name)
        for line in lines:
            for start, word in WORD.findall(line):
                if word.islower():
                    count[word, True] += 1
                elif not start and word.istitle():
                    count[word.lower(), False] += 1
        for (word, is_lower), n in count.items():
            (lower if is_lower else upper)[word] += n * weight
    total = sum(lower.values())
    words = {
        word: n / total * 1e6
        for word, n in lower.items()
        if n >= least and n >= share * (n + upper[word])
    }
    rows = sorted(words.items(), key=lambda item: (-item[1], item[0]))
    body = "".join(f"{word}\t{n:.2f}\n" for word, n in rows)
    out_path.write_text(HEADER + body, encoding="utf8")
    msg.good(f"{len(rows)} words of {total / 1e6:.1f} million", out_path)


if __name__ == "__main__":
    typer.run(count_words)
