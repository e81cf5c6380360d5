"""What is in a corpus: how often and how varied each class is, lengths, casing, and whether its
splits are apart. Counts alone leave this module, never a value, a message or an id.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean, quantiles
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz import fuzz, process
from spacy.language import Language

from components.lists.lists import Lists
from components.measures.gold import Row
from components.shared.labels import LABELS
from components.text.compounds import PARTICLES
from training_tools.generator.noise import NAMES
from training_tools.generator.people import split_of

CASINGS = ("lower", "mixed", "upper", "none")
NAME_CASINGS = ("lower", "title", "upper", "mixed")
# Spans in a message.
LOADS = {"0": (0, 0), "1": (1, 1), "2": (2, 2), "3 to 5": (3, 5), "6 and more": (6, 10**9)}

# Tables 4.3 and 4.4 of Arvidsson and Gerle: number and uniqueness of the entities in two corpora
# of real Swedish medical chat that they annotated by hand.
THESIS = {
    "thesis, AS": {
        "PERSON": (7030, 0.206), "LOCATION": (294, 0.459), "ORGANISATION": (4064, 0.067),
        "PID": (400, 0.955), "PHONE": (294, 0.609), "EMAIL": (35, 0.971), "DATE": (276, 0.793),
        "AGE": (78, 0.474),
    },
    "thesis, B": {
        "PERSON": (694, 0.474), "LOCATION": (68, 0.412), "ORGANISATION": (79, 0.430),
        "PID": (31, 0.968), "PHONE": (23, 0.870), "EMAIL": (3, 0.667), "DATE": (250, 0.644),
        "AGE": (9, 0.444),
    },
}  # fmt: skip
THESIS_TOTAL = {"thesis, AS": (12_471, 0.217), "thesis, B": (1157, 0.520)}

# Frames under so many words repeat as they must: `ok tack`.
MIN_FRAME = 5
BLOCK = 512
# `Ben` is a first name where it does not stand behind one.
BEFORE_SURNAMES = PARTICLES | {"ben"}
NAME_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


class Profile:
    """The counts of one set of messages.

    name (str): what the set is called in the report.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.tokens: list[int] = []
        self.characters: list[int] = []
        self.spans: list[int] = []
        self.in_conversation = 0
        self.conversations: set[str] = set()
        self.phi_characters = 0
        self.casing: Counter[str] = Counter()
        self.name_casing: Counter[str] = Counter()
        self.values: dict[str, Counter[str]] = {label: Counter() for label in LABELS}

    def add(self, rows: Iterable[Row], nlp: Language) -> "Profile":
        """Count messages.

        rows (Iterable[Row]): the messages.
        nlp (Language): splits them into tokens.
        RETURNS (Profile): itself.
        """
        for row in rows:
            text, spans = row["text"], row["spans"]
            doc = nlp.make_doc(text)
            self.tokens.append(sum(not token.is_space for token in doc))
            self.characters.append(len(text))
            self.spans.append(len(spans))
            self.casing[message_casing(text)] += 1
            if row.get("conversation"):
                self.in_conversation += 1
                self.conversations.add(row["conversation"])
            for span in spans:
                value = text[span["start"] : span["end"]]
                self.values[span["label"]][" ".join(value.casefold().split())] += 1
                self.phi_characters += len(value)
                if span["label"] in NAMES:
                    self.name_casing[name_casing(value)] += 1
        return self

    def join(self, other: "Profile") -> "Profile":
        """Add the counts of another set.

        other (Profile): the other set.
        RETURNS (Profile): itself.
        """
        self.tokens += other.tokens
        self.characters += other.characters
        self.spans += other.spans
        self.in_conversation += other.in_conversation
        self.conversations |= other.conversations
        self.phi_characters += other.phi_characters
        self.casing += other.casing
        self.name_casing += other.name_casing
        for label, values in other.values.items():
            self.values[label] += values
        return self

    def metrics(self) -> dict[str, Any]:
        """Sum up the counts.

        RETURNS (dict[str, Any]): numbers only. A value is counted as unique however it is cased;
            uniqueness is the number of unique values by the number of entities, as in the thesis.
        """
        messages = len(self.tokens)
        frequency = {label: values.total() for label, values in self.values.items()}
        total = sum(frequency.values())
        unique = {label: len(values) for label, values in self.values.items()}
        names = self.name_casing.total()
        return {
            "messages": messages,
            "without_phi": _share(self.spans.count(0), messages),
            "conversations": len(self.conversations),
            "messages_in_conversations": self.in_conversation,
            "tokens": {"total": sum(self.tokens), **_spread(self.tokens)},
            "characters": {"total": sum(self.characters), **_spread(self.characters)},
            "entities": total,
            "unique": sum(unique.values()),
            "uniqueness": _share(sum(unique.values()), total),
            "entities_per_message": _share(total, messages),
            "entities_per_100_tokens": 100 * _share(total, sum(self.tokens)),
            "characters_in_phi": _share(self.phi_characters, sum(self.characters)),
            "load": {
                name: _share(sum(low <= n <= high for n in self.spans), messages)
                for name, (low, high) in LOADS.items()
            },
            "casing": {kind: _share(self.casing[kind], messages) for kind in CASINGS},
            "name_casing": {kind: _share(self.name_casing[kind], names) for kind in NAME_CASINGS},
            "classes": {
                label: {
                    "frequency": frequency[label],
                    "share": _share(frequency[label], total),
                    "unique": unique[label],
                    "uniqueness": _share(unique[label], frequency[label]),
                }
                for label in LABELS
            },
        }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _spread(numbers: Sequence[int]) -> dict[str, float]:
    """Mean, median and the range that holds nine in ten."""
    if len(numbers) < 2:
        numbers = [*numbers, *numbers] or [0, 0]
    cuts = quantiles(numbers, n=20, method="inclusive")
    return {
        "mean": round(fmean(numbers), 1),
        "median": cuts[9],
        "p5": round(cuts[0], 1),
        "p95": round(cuts[18], 1),
        "longest": max(numbers),
    }


def message_casing(text: str) -> str:
    """Tell how a message is cased: `lower`, `upper`, `mixed`, or `none` where it has no letter."""
    if text.upper() == text.lower():
        return "none"
    return "lower" if text == text.lower() else "upper" if text == text.upper() else "mixed"


def name_casing(text: str) -> str:
    """Tell how a name is cased: `lower`, `upper`, `title` where it begins with a capital and is not
    all capitals, a lone capital too, or `mixed`, which begins with a small letter."""
    letters = [char for char in text if char.isalpha()]
    if not letters or not letters[0].isupper():
        return "lower" if not any(map(str.isupper, letters)) else "mixed"
    return "upper" if len(letters) > 1 and all(map(str.isupper, letters)) else "title"


# Whether the splits are apart


class Twins(NamedTuple):
    """Two messages of different splits that are one frame, or nearly. Messages are named by the
    split and their number in it, never by id or text."""

    one: str
    other: str
    likeness: float

    def __str__(self) -> str:
        return f"{self.one} and {self.other} are {self.likeness:.0f} % alike"


def mask(row: Row) -> str:
    """Put the class in the place of each span: equal frames are one message.

    row (Row): the message.
    RETURNS (str): lower-case words.
    """
    text, parts, end = row["text"], [], 0
    for span in row["spans"]:
        parts += [text[end : span["start"]], f" {span['label']} "]
        end = span["end"]
    return " ".join(re.findall(r"\w+", "".join([*parts, text[end:]]).casefold()))


def find_twins(splits: dict[str, list[Row]], similar: float) -> list[Twins]:
    """Find messages that two splits share but for what stands in their spans.

    splits (dict[str, list[Row]]): the messages of each split.
    similar (float): from which likeness in per cent on two frames are twins.
    RETURNS (list[Twins]): one for each pair of different frames.
    """
    frames: dict[str, dict[str, int]] = {}
    for name, rows in splits.items():
        frames[name] = {}
        for number, row in enumerate(rows, start=1):
            frame = mask(row)
            if len(frame.split()) >= MIN_FRAME:
                frames[name].setdefault(frame, number)
    twins = []
    for one, other in combinations(splits, 2):
        ours, theirs = list(frames[one]), list(frames[other])
        for start in range(0, len(ours), BLOCK):
            block = ours[start : start + BLOCK]
            likeness = process.cdist(
                block, theirs, scorer=fuzz.ratio, score_cutoff=similar, dtype=np.float32
            )
            for i, j in np.argwhere(likeness):
                twins.append(
                    Twins(
                        f"{one} {frames[one][block[i]]}",
                        f"{other} {frames[other][theirs[j]]}",
                        float(likeness[i, j]),
                    )
                )
    return twins


def gather_surnames(rows: Iterable[Row], lists: Lists) -> Counter[str]:
    """Gather the surnames of a split: what follows a listed first name and is none itself.

    rows (Iterable[Row]): the messages.
    lists (Lists): the word lists; `first_names`, `nicknames` and `titles` are used.
    RETURNS (Counter[str]): how often each occurs, with its particle.
    """
    firsts = {row["name"].casefold() for row in lists["first_names"]}
    firsts |= {row["nick"].casefold() for row in lists.get("nicknames", ())}
    titles = {row["word"].casefold() for row in lists.get("titles", ())}
    others = firsts | titles
    found: Counter[str] = Counter()
    for row in rows:
        for span in row["spans"]:
            text = row["text"][span["start"] : span["end"]]
            if span["label"] != "PERSON" or "," in text:
                continue
            words = [word.casefold() for word in NAME_WORD.findall(text)]
            start = len(words) - 1
            while start > 0 and words[start - 1] in BEFORE_SURNAMES:
                start -= 1
            if start < 1 or len(words[-1]) < 3 or words[-1] in others:
                continue
            # `son Ren`: a kinship word that is a first name elsewhere.
            if words[start - 1] in firsts - titles:
                found[" ".join(words[start:])] += 1
    return found


class Overlap(NamedTuple):
    """How many surnames two splits share. In made messages one that occurs a single time in the
    split to which it does not belong is a slip of the pen (`Holmer` for `Hollmer`)."""

    one: str
    other: str
    shared: int
    slips: int


def find_overlaps(splits: dict[str, list[Row]], lists: Lists) -> list[Overlap]:
    """Count the surnames that two splits share.

    splits (dict[str, list[Row]]): the messages of each split.
    lists (Lists): the word lists.
    RETURNS (list[Overlap]): one for each pair of splits.
    """
    surnames = {name: gather_surnames(rows, lists) for name, rows in splits.items()}
    made = {name: all(map(_is_made, rows)) for name, rows in splits.items()}
    overlaps = []
    for one, other in combinations(splits, 2):
        shared = slips = 0
        for surname in surnames[one].keys() & surnames[other].keys():
            owner = split_of(surname.split()[-1])
            stray = [name for name in (one, other) if name != owner and made[name]]
            if len(stray) == 1 and surnames[stray[0]][surname] == 1:
                slips += 1
            else:
                shared += 1
        overlaps.append(Overlap(one, other, shared, slips))
    return overlaps


def _is_made(row: Row) -> bool:
    """Whether its names were drawn by the split: from a skeleton, or a natural one's pseudonyms."""
    return "skeleton" in row or "-natural" in str(row.get("id"))


# Writing


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a markdown table: the first column to the left, numbers to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def number(count: float) -> str:
    """Write a number with a space between thousands, as the thesis does."""
    return f"{count:,.1f}".removesuffix(".0").replace(",", " ")


def write_report(
    corpus: dict[str, dict[str, Any]], whole: dict[str, Any], beside: dict[str, dict[str, Any]]
) -> str:
    """Write the tables.

    corpus (dict[str, dict[str, Any]]): the metrics of each split.
    whole (dict[str, Any]): the metrics of all splits together.
    beside (dict[str, dict[str, Any]]): the metrics of the sets to compare with.
    RETURNS (str): markdown.
    """
    splits = corpus if len(corpus) > 1 else {}
    sets = {**splits, "all": whole, **beside}
    return "\n".join(
        [
            "### Size\n",
            table(["", *sets], _size_rows(list(sets.values()))),
            "### Frequency and uniqueness by class\n",
            "Uniqueness: how many different values, whatever their casing, by how many entities.\n",
            table(["class", "uniqueness", "all", "share", *splits], _class_rows(whole, splits)),
            "### Side by side\n",
            "Entities, their share of all, and their uniqueness.\n",
            table(*_comparison({"all": whole, **beside})),
            "### PHI in a message\n",
            table(["entities", *sets], _share_rows(sets, "load")),
            "### Casing of messages\n",
            table(["", *sets], _share_rows(sets, "casing")),
            "### Casing of names\n",
            "Persons, places and organisations.\n",
            table(["", *sets], _share_rows(sets, "name_casing")),
        ]
    )


def _size_rows(sets: list[dict[str, Any]]) -> list[list[str]]:
    rows = [
        ["messages", *[number(m["messages"]) for m in sets]],
        ["without PHI", *[percent(m["without_phi"]) for m in sets]],
        ["conversations", *[number(m["conversations"]) for m in sets]],
        ["messages in conversations", *[number(m["messages_in_conversations"]) for m in sets]],
        ["tokens", *[number(m["tokens"]["total"]) for m in sets]],
    ]
    for unit in ("tokens", "characters"):
        for key, name in (("mean", "mean"), ("median", "median")):
            rows.append([f"{unit} in a message, {name}", *[number(m[unit][key]) for m in sets]])
        spread = [f"{number(m[unit]['p5'])} to {number(m[unit]['p95'])}" for m in sets]
        rows.append([f"{unit}, nine in ten", *spread])
    return [
        *rows,
        ["entities", *[number(m["entities"]) for m in sets]],
        ["entities in a message", *[f"{m['entities_per_message']:.2f}" for m in sets]],
        ["entities in 100 tokens", *[f"{m['entities_per_100_tokens']:.2f}" for m in sets]],
        ["characters in PHI", *[percent(m["characters_in_phi"]) for m in sets]],
    ]


def _class_rows(whole: dict[str, Any], splits: dict[str, dict[str, Any]]) -> list[list[str]]:
    rows = []
    for label, counts in whole["classes"].items():
        by_split = [number(m["classes"][label]["frequency"]) for m in splits.values()]
        uniqueness = percent(counts["uniqueness"])
        frequency, share = number(counts["frequency"]), percent(counts["share"])
        rows.append([label, uniqueness, frequency, share, *by_split])
    total = [number(m["entities"]) for m in splits.values()]
    rows.append(["total", percent(whole["uniqueness"]), number(whole["entities"]), "", *total])
    return rows


def _comparison(sets: dict[str, dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    def cell(frequency: int, total: int, uniqueness: float) -> str:
        share = f"{percent(frequency / total)}, " if total else ""
        return f"{number(frequency)} ({share}{percent(uniqueness)})"

    rows = []
    for label in LABELS:
        row = [label]
        for m in sets.values():
            counts = m["classes"][label]
            row.append(cell(counts["frequency"], m["entities"], counts["uniqueness"]))
        for name, classes in THESIS.items():
            frequency, uniqueness = classes[label]
            row.append(cell(frequency, THESIS_TOTAL[name][0], uniqueness))
        rows.append(row)
    total = [cell(m["entities"], 0, m["uniqueness"]) for m in sets.values()]
    thesis = [cell(count, 0, uniqueness) for count, uniqueness in THESIS_TOTAL.values()]
    rows.append(["total", *total, *thesis])
    return ["class", *sets, *THESIS], rows


def _share_rows(sets: dict[str, dict[str, Any]], key: str) -> list[list[str]]:
    kinds = next(iter(sets.values()))[key]
    return [[kind, *[percent(m[key][kind]) for m in sets.values()]] for kind in kinds]
