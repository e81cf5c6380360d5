"""Casing and typing noise, segment by segment, so that no span moves off its text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from components.measures.gold import Span
from components.shared.labels import NAMES
from training_tools.generator.filling import Segment
from training_tools.generator.tables import read_tables

# Casing of a message: as written; all lower; only the names lower; all lower but the names;
# all upper. The first row for patients and single messages, the second for caregivers.
CASINGS = ("written", "lower", "names", "plain", "upper")
PATIENT_CASING = (52, 33, 8, 3, 4)
CAREGIVER_CASING = (84, 9, 4, 2, 1)

TABLES = read_tables("noise")
BARE_LETTERS = str.maketrans("åäöÅÄÖéÉüÜ", "aaoAAOeEuU")
REGARDS = re.compile(r"\b[Mm]vh\b")
WORD = re.compile(r"[^\W\d_]{4,}")
MIN_SWAPPED = 5
ORDINARY = re.compile(rf"\b[a-zåäö]{{{MIN_SWAPPED},}}\b")


@dataclass(frozen=True)
class Style:
    """How somebody types."""

    casing: str = "written"
    typos: float = 0.0
    chatty: float = 0.0
    spacing: float = 0.0
    bare_letters: bool = False
    drops_stop: bool = False
    emoji: float = 0.0
    swaps: float = 0.0


def draw_style(author: str | None, rng: Random) -> Style:
    weights = CAREGIVER_CASING if author == "caregiver" else PATIENT_CASING
    careful = 0.3 if author == "caregiver" else 1.0
    return Style(
        casing=rng.choices(CASINGS, weights)[0],
        typos=careful * rng.choice((0, 0, 0, 0, 0, 0.004, 0.01, 0.01, 0.02, 0.05)),
        chatty=rng.choice((0.3, 0.6, 0.9)) if rng.random() < 0.15 * careful else 0.0,
        spacing=rng.choice((0.02, 0.1)) if rng.random() < 0.12 * careful else 0.0,
        bare_letters=rng.random() < 0.015 * careful,
        drops_stop=rng.random() < 0.25,
        emoji=0.04 * careful,
        swaps=rng.choice((0, 0, 0, 0.05, 0.1, 0.3)),
    )


def apply(
    segments: Sequence[Segment], style: Style, rng: Random, words: Sequence[str] = ()
) -> tuple[str, list[Span]]:
    """Type a message in somebody's way."""
    if words and style.swaps:
        segments = [_swap(segment, style, rng, words) for segment in segments]
    typed = [_type(segment, style, rng) for segment in segments]
    last = typed[-1]
    if style.drops_stop and not last.label and re.search(r"(?<!\.)\.$", last.text):
        typed[-1] = replace(last, text=last.text[:-1])
    if rng.random() < style.emoji:
        gap = rng.choice((" ", " ", " ", ""))
        typed.append(Segment(gap + rng.choice(TABLES["emoji"]), None, -1, False))
    return assemble(typed)


def gather_words(sources: Iterable[str]) -> list[str]:
    """Gather the ordinary words of skeletons: lower case, outside of slots and brackets."""
    bare = (re.sub(r"\[\[[^\]]*\]\]|\{[^}]*\}", " ", source) for source in sources)
    return sorted({word for source in bare for word in ORDINARY.findall(source)})


def assemble(segments: Sequence[Segment]) -> tuple[str, list[Span]]:
    spans: list[Span] = []
    text, open_group = "", -1
    for segment in segments:
        start = len(text)
        text += segment.text
        if segment.label and segment.group == open_group:
            spans[-1]["end"] = len(text)
        elif segment.label:
            spans.append({"start": start, "end": len(text), "label": segment.label})
        open_group = segment.group
    return text, spans


def _type(segment: Segment, style: Style, rng: Random) -> Segment:
    text = segment.text
    if segment.label is None:
        if segment.literal:
            text = _words(text, style, rng)
            text = REGARDS.sub(lambda _: rng.choice(TABLES["regards"]), text)
        if style.spacing:
            text = re.sub(
                r"(?<=\w[.,!?]) (?!\d)", lambda _: "" if rng.random() < style.spacing else " ", text
            )
            text = re.sub(
                r"(?<=\S) (?=\S)", lambda _: "  " if rng.random() < style.spacing / 4 else " ", text
            )
    if style.typos and (segment.label in NAMES or (segment.label is None and segment.literal)):
        rate = 2 * style.typos if segment.label else style.typos
        text = WORD.sub(lambda m: _slip(m.group(), rng) if rng.random() < rate else m.group(), text)
    if style.bare_letters:
        text = text.translate(BARE_LETTERS)
    if not segment.fixed:
        text = _case(text, segment.label, style.casing)
    return replace(segment, text=text)


def _case(text: str, label: str | None, casing: str) -> str:
    if casing == "upper":
        return text.upper()
    named = label in NAMES
    if casing == "lower" or (casing == "names" and named) or (casing == "plain" and not named):
        return text.lower()
    return text


def _words(text: str, style: Style, rng: Random) -> str:
    if not style.chatty:
        return text

    def chat(match: re.Match[str]) -> str:
        forms = TABLES["chat_words"].get(match.group())
        return rng.choice(forms) if forms and rng.random() < style.chatty else match.group()

    return re.sub(r"\b[^\W\d_]+\b", chat, text)


def _swap(segment: Segment, style: Style, rng: Random, words: Sequence[str]) -> Segment:
    """Put other ordinary words in the place of some, so that a word of no skeleton is not taken for a name."""
    if segment.label is not None or not segment.literal:
        return segment
    # The words next to a slot show what it holds.
    inside = [match.span() for match in ORDINARY.finditer(segment.text)][1:-1]
    text = segment.text
    for start, end in reversed(inside):
        if rng.random() < style.swaps:
            text = text[:start] + rng.choice(words) + text[end:]
    return replace(segment, text=text)


def _slip(word: str, rng: Random) -> str:
    """Mistype a word: never its first letter, so that its edges stay."""
    here = rng.randrange(1, len(word) - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:here] + word[here + 1 :]
    if kind == 1:
        return word[:here] + word[here] + word[here:]
    if kind == 2:
        return word[:here] + word[here + 1] + word[here] + word[here + 2 :]
    letter = rng.choice(TABLES["neighbours"].get(word[here].lower(), word[here]))
    return word[:here] + (letter.upper() if word[here].isupper() else letter) + word[here + 1 :]
