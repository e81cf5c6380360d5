"""Message skeletons: what may stand in them, and a parser that names mistakes by file and line.

The format is described in `docs/messages.md`.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from components.shared.labels import LABELS
from training_tools.generator.tables import read_tables

_TABLES: dict[str, Any] = {
    name: tuple(words) if isinstance(words, list) else words
    for name, words in read_tables("messages").items()
}
PID_FORMS, PHONE_FORMS = _TABLES["pid_forms"], _TABLES["phone_forms"]
AGE_FORMS, AGE_GROUPS = _TABLES["age_forms"], _TABLES["age_groups"]
DATE_FORMS, NAME_FORMS = _TABLES["date_forms"], _TABLES["name_forms"]
MODIFIERS, CONSTRAINTS = _TABLES["modifiers"], _TABLES["constraints"]
PLACE_KINDS, ORGANISATION_KINDS = _TABLES["place_kinds"], _TABLES["organisation_kinds"]
WOMEN, MEN, ROLES = (frozenset(_TABLES[name]) for name in ("women", "men", "roles"))

# What a person has beside a name, and the forms it may take: `{person.age.words}`.
BELONGINGS: dict[str, tuple[str, tuple[str, ...]]] = {
    "pid": ("PID", PID_FORMS),
    "phone": ("PHONE", PHONE_FORMS),
    "email": ("EMAIL", ()),
    "birth": ("DATE", DATE_FORMS),
    "age": ("AGE", AGE_FORMS),
}
KINDS: dict[str, tuple[str | None, tuple[str, ...]]] = {
    "person": (None, ()),
    **{kind: BELONGINGS[kind] for kind in ("phone", "email", "pid")},
    "age": ("AGE", AGE_FORMS + AGE_GROUPS),
    "date": ("DATE", DATE_FORMS),
    **dict.fromkeys(PLACE_KINDS, ("LOCATION", ())),
    "street": ("LOCATION", ("name",)),
    **dict.fromkeys(ORGANISATION_KINDS, ("ORGANISATION", ())),
    **dict.fromkeys(("hospital", "authority"), ("ORGANISATION", ("abbr",))),
    **dict.fromkeys(_TABLES["other_kinds"], (None, ())),
}
ALIASES: dict[str, tuple[str, ...]] = {
    **{f"pid{form}": ("pid", form) for form in PID_FORMS},
    **{form: ("pid", form) for form in ("last4", "samordning")},
    **{form: ("phone", form) for form in ("mobile", "landline")},
    **{f"phone{form}": ("phone", form) for form in PHONE_FORMS},
    "birthyear": ("birth", "year"),
    **{f"age{form}": ("age", form) for form in AGE_FORMS},
}
NAME_LABELS = ("PERSON", "LOCATION", "ORGANISATION")
LAST_MARKS: dict[str, str] = _TABLES["last_marks"]

WEEKDAYS = frozenset(
    form for day in read_tables("dates")["weekdays"] for form in (day, f"{day}en", day[:3])
)


@dataclass(frozen=True)
class Problem:
    """A mistake in a file of messages, or a warning about one."""

    file: str
    line: int
    text: str
    warning: bool = False

    def __str__(self) -> str:
        kind = "warning: " if self.warning else ""
        return f"{self.file}:{self.line}: {kind}{self.text}"


@dataclass(frozen=True)
class Slot:
    """One `{…}`: `forms` has the aliases resolved, `label` is None where the slot is not PHI."""

    kind: str
    number: int
    forms: tuple[str, ...]
    modifiers: tuple[str, ...]
    label: str | None


@dataclass(frozen=True)
class Piece:
    """A stretch of a skeleton: literal text or a slot. Pieces of the same `group` are one span."""

    content: str | Slot
    label: str | None
    group: int


@dataclass(frozen=True)
class Turn:
    """One message of a unit; `author` is None in a single message."""

    pieces: tuple[Piece, ...]
    source: str
    author: str | None = None


@dataclass
class Wishes:
    """What the skeleton demands of one person."""

    gender: str | None = None
    group: str | None = None
    kin: int | None = None


@dataclass(frozen=True)
class Unit:
    """A single message or a whole conversation: what is filled, and goes into a split, together."""

    name: str
    file: str
    line: int
    turns: tuple[Turn, ...]
    people: dict[int, Wishes] = field(default_factory=dict)

    @property
    def is_conversation(self) -> bool:
        return self.turns[0].author is not None

    @property
    def has_phi(self) -> bool:
        return any(piece.label for turn in self.turns for piece in turn.pieces)

    @property
    def digest(self) -> str:
        """Depends on the text alone, so that a unit stays in its split when others are added."""
        text = "\n".join(f"{turn.author}\n{turn.source}" for turn in self.turns)
        return hashlib.sha256(text.encode("utf8")).hexdigest()


class _Block:
    """Parses the messages of one unit and collects the mistakes."""

    BRACKET = r"\[\[(?P<label>[^\[\]|\n]*)\||\[\[|\]\]"
    WHOLE = re.compile(BRACKET)
    TOKEN = re.compile(rf"\{{(?P<slot>[^{{}}\n]*)\}}|{BRACKET}|[{{}}]")
    SLOT = re.compile(r"([a-zåäö]+)([1-9]\d*)?(?:\(([^()]*)\))?((?:\.[a-z0-9]+)*)")

    def __init__(self, file: str, problems: list[Problem], slots: bool, titles: bool) -> None:
        self.file = file
        self.titles = titles
        self.problems = problems
        self.token = self.TOKEN if slots else self.WHOLE
        self.people: dict[int, Wishes] = {}
        self.mentioned: set[int] = set()
        self.kinships: list[tuple[int, int, int]] = []

    def complain(self, line: int, text: str, warning: bool = False) -> None:
        self.problems.append(Problem(self.file, line, text, warning))

    def parse(self, text: str, line: int) -> tuple[Piece, ...]:
        """Turn the text of one message into pieces."""
        pieces: list[Piece] = []
        label, group, opened, end = None, 0, line, 0
        inside = False
        for match in self.token.finditer(text):
            here = line + text.count("\n", 0, match.start())
            if match.start() > end:
                pieces.append(Piece(text[end : match.start()], label, group if inside else -1))
            end = match.end()
            token, found = match.group(), match.groupdict()
            if found.get("slot") is not None:
                slot = self.slot(found["slot"], here)
                if slot is None:
                    continue
                if not inside:
                    group += 1
                elif slot.label not in (None, label) and not {slot.label, label} <= {*NAME_LABELS}:
                    self.complain(here, f"a {slot.label} slot cannot stand in a {label} bracket")
                own = label if inside else slot.label
                pieces.append(Piece(slot, own, group if own else -1))
            elif found["label"] is not None:
                if inside:
                    self.complain(here, "a bracket inside a bracket")
                if found["label"] not in LABELS:
                    # What stands there may be the name instead of the label.
                    self.complain(here, f"unknown label; labels are {' '.join(LABELS)}")
                label, inside, opened = found["label"], True, here
                group += 1
            elif token == "]]":
                if not inside:
                    self.complain(here, "']]' without its '[[LABEL|'")
                label, inside = None, False
            elif token == "[[":
                self.complain(here, "'[[' must be followed by a label and '|': [[PERSON|Anna]]")
            else:
                self.complain(here, f"a lone {token!r}: slots look like {{person.first}}")
        if end < len(text):
            pieces.append(Piece(text[end:], label, group if inside else -1))
        if inside:
            self.complain(opened, "the bracket that opens here is never closed")
        self.check(pieces, line)
        return tuple(pieces)

    def slot(self, source: str, line: int) -> Slot | None:
        match = self.SLOT.fullmatch(source)
        if not match or match.group(1) not in KINDS:
            kinds = " ".join(KINDS)
            self.complain(line, f"unknown slot {{{source}}}; kinds are {kinds}")
            return None
        kind, number = match.group(1), int(match.group(2) or 1)
        parts = match.group(4).split(".")[1:]
        cut = len(parts)
        while cut and parts[cut - 1] in MODIFIERS:
            cut -= 1
        forms, modifiers = parts[:cut], tuple(parts[cut:])
        label: str | None
        if kind == "person":
            self.person(number, match.group(3), source, line)
            resolved = self.person_form(forms, source, line)
            if resolved is None:
                return None
            forms, label = resolved
        else:
            if match.group(3) is not None:
                self.complain(line, f"only a person takes constraints, not {{{source}}}")
            label, known = KINDS[kind]
            if kind == "pid":
                forms = [form.removeprefix("pid") for form in forms]
            for form in forms:
                if form not in known:
                    choice = " ".join(known + MODIFIERS)
                    self.complain(line, f"unknown form {form!r} in {{{source}}}; known: {choice}")
                    return None
        return Slot(kind, number, tuple(forms), modifiers, label)

    def person_form(self, forms: list[str], source: str, line: int) -> tuple[list[str], str] | None:
        if not forms:
            self.complain(line, f"{{{source}}} needs a form: {{person.first}}, {{person.full}} …")
            return None
        head, *rest = [*ALIASES.get(forms[0], (forms[0],)), *forms[1:]]
        if head in NAME_FORMS and not rest:
            return [head], "PERSON"
        if head in BELONGINGS:
            label, known = BELONGINGS[head]
            if all(form in known for form in rest):
                return [head, *rest], label
        choice = " ".join([*NAME_FORMS, *BELONGINGS, *ALIASES, *MODIFIERS])
        self.complain(line, f"unknown form {'.'.join(forms)!r} in {{{source}}}; known: {choice}")
        return None

    def person(self, number: int, constraints: str | None, source: str, line: int) -> None:
        wishes = self.people.setdefault(number, Wishes())
        first = number not in self.mentioned
        self.mentioned.add(number)
        for word in (constraints or "").split(",") if constraints is not None else ():
            word = word.strip()
            kin = re.fullmatch(r"of=([1-9]\d*)", word)
            value: int | str
            if kin:
                name, value = "kin", (other := int(kin.group(1)))
                self.kinships.append((number, other, line))
            elif word in CONSTRAINTS:
                name, value = ("gender" if word in "fm" else "group"), word
            else:
                known = " ".join((*CONSTRAINTS, "of=1"))
                self.complain(line, f"unknown constraint {word!r} in {{{source}}}; known: {known}")
                continue
            current = getattr(wishes, name)
            if current not in (None, value):
                self.complain(line, f"{{{source}}} contradicts what was said of person {number}")
            elif current is None and not first:
                text = f"{{{source}}}: constraints belong to the first mention of person {number}"
                self.complain(line, text, warning=True)
            setattr(wishes, name, value)

    def check(self, pieces: list[Piece], line: int) -> None:
        """Look at edges and neighbours: what the guidelines say of spans holds for every one."""
        here = line
        for previous, piece, following in zip([None, *pieces], pieces, [*pieces[1:], None]):
            starts = piece.label and (previous is None or previous.group != piece.group)
            ends = piece.label and (following is None or following.group != piece.group)
            content = piece.content
            text = content if isinstance(content, str) else ""
            if piece.label and text:
                self.check_edges(text, piece.label, bool(starts), bool(ends), here)
            before = previous.content if previous and isinstance(previous.content, str) else ""
            after = following.content if following and isinstance(following.content, str) else ""
            if starts and self.titles:
                self.check_before(before, piece, previous, here)
            if ends and after[:1].isalpha() and piece.label in (*NAME_LABELS, "DATE", "AGE"):
                text = "a letter right after the span: take it into the bracket, or use .gen"
                self.complain(here, text)
            if isinstance(content, Slot):
                self.check_repeats(content, before, after, here)
                if content.kind == "person" and content.label == "PERSON":
                    self.infer_gender(content, before if previous and not starts else "", here)
            here += text.count("\n")

    def check_edges(self, text: str, label: str, starts: bool, ends: bool, line: int) -> None:
        if "\n" in text:
            self.complain(line, "a span cannot go on over the end of a line")
        if (starts and text[0].isspace()) or (ends and text[-1].isspace()):
            self.complain(line, "white space at the edge of a bracket")
            return
        if starts and not (text[0].isalnum() or (label == "PHONE" and text[0] in "+(")):
            self.complain(line, f"{text[0]!r} at the start of a bracket")
        own_mark = label in LAST_MARKS and re.search(LAST_MARKS[label], text)
        if ends and not (text[-1].isalnum() or own_mark):
            self.complain(line, f"{text[-1]!r} at the end of a bracket")

    def check_before(self, before: str, piece: Piece, previous: Piece | None, line: int) -> None:
        if before[-1:].isalpha() and piece.label in NAME_LABELS:
            self.complain(line, "a letter right before the span: take it into the bracket")
        match = re.search(r"([^\W\d_]+|\b(?:dr|doc|prof|leg)\.)( den)? $", before, re.IGNORECASE)
        word = match.group(1).lower().removesuffix(".") if match else ""
        if not word or match is None:
            return
        title = word in WOMEN | MEN | ROLES or word.endswith(_TABLES["role_endings"])
        if piece.label == "PERSON" and title and not match.group(2):
            text = f"{word!r} directly before a name belongs to the span: [[PERSON|{word} …]]"
            self.complain(line, text)
        form = piece.content.forms if isinstance(piece.content, Slot) else ()
        named = {"week", "month", "monthyear", "year", "holiday"} & set(form)
        if piece.label == "DATE" and word in WEEKDAYS and not named:
            text = f"{word!r} directly before a date belongs to the span: [[DATE|{word} …]]"
            self.complain(line, text)

    def check_repeats(self, slot: Slot, before: str, after: str, line: int) -> None:
        """A word that the slot brings along must not be written once more beside it."""
        before, after = before.lower(), after.lower()
        unit = {"bare", "adj", "noun"}.isdisjoint(slot.forms)
        if slot.label == "AGE" and unit and re.match(r" ?(år|mån)", after):
            self.complain(line, "the age brings its unit; use .bare and a bracket")
        if "week" in slot.forms and re.search(r"\b(v\.?|vecka|veckan) ?$", before):
            self.complain(line, "the week brings its 'v' or 'vecka'")
        own = {"price": ("kr", ":-"), "municipality": ("kommun",), "county": ("län",)}
        if slot.kind in own and after.removeprefix(" ").startswith(own[slot.kind]):
            self.complain(line, f"the {slot.kind} brings its {own[slot.kind][0]!r}")

    def infer_gender(self, slot: Slot, before: str, line: int) -> None:
        words = re.findall(r"[^\W\d_]+", before.lower())
        gender = next((g for w in words for g, ws in (("f", WOMEN), ("m", MEN)) if w in ws), None)
        wishes = self.people[slot.number]
        if gender and wishes.gender is None:
            wishes.gender = gender
        elif gender and wishes.gender != gender:
            wanted = "a woman" if gender == "f" else "a man"
            text = f"{words[-1]!r} is {wanted}, person {slot.number} is not: give ({gender})"
            self.complain(line, text)

    def finish(self) -> dict[int, Wishes]:
        for number, other, line in self.kinships:
            if other not in self.people or other == number:
                self.complain(line, f"of={other}: there is no other person {other} in here")
            elif self.people[other].kin is not None:
                self.complain(line, f"of={other}: person {other} is given by of= itself")
        return self.people


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    start = 1
    for block in re.split(r"^[^\S\n]*---[^\S\n]*$\n?", text, flags=re.MULTILINE):
        if block.strip():
            body = re.sub(r"\A(?:[^\S\n]*\n)+", "", block)
            yield start + block.count("\n") - body.count("\n"), body.split("\n")
        start += block.count("\n") + 1


def _turns(start: int, lines: list[str], block: _Block) -> Iterator[tuple[int, str | None, str]]:
    author, first, gathered = None, start, []
    for number, line in enumerate([*lines, "@"], start=start):
        if not line.startswith("@"):
            gathered.append(line)
            continue
        text = "\n".join(gathered)
        if text.strip():
            if author is None:
                block.complain(first, "text before the first @patient or @caregiver")
            skipped = len(text) - len(text.lstrip())
            yield first + text.count("\n", 0, skipped), author, text.strip()
        elif author is not None:
            block.complain(first - 1, f"the turn of @{author} is empty")
        author, first, gathered = line[1:].strip(), number + 1, []
        if line != "@" and author not in ("patient", "caregiver"):
            block.complain(number, "unknown author: @patient or @caregiver")


def parse_file(
    path: Path, conversations: bool, name: str, slots: bool = True, titles: bool = True
) -> tuple[list[Unit], list[Problem]]:
    """Parse one file of messages. Without `titles`, titles and weekdays in front of a span need not
    belong to it: some sentences are built to mislead (`har sonen Perthes som läkare`).
    """
    problems: list[Problem] = []
    units: list[Unit] = []
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        return [], [Problem(str(path), 1, "the file is not UTF-8")]
    for start, lines in _blocks(text):
        block = _Block(str(path), problems, slots, titles)
        if conversations:
            sources = list(_turns(start, lines, block))
        else:
            sources = [(start, None, "\n".join(lines).rstrip())]
            if lines[0].startswith(("@patient", "@caregiver")):
                block.complain(start, "a conversation among the single messages")
        turns = tuple(
            Turn(block.parse(source, line), source, author) for line, author, source in sources
        )
        people = block.finish()
        if turns:
            units.append(Unit(f"{name}-{len(units) + 1:03d}", str(path), start, turns, people))
    return units, problems


def parse_folder(folder: Path, slots: bool = True) -> tuple[list[Unit], list[Problem]]:
    """Parse `singles/*.txt` and `conversations/*.txt` of a folder of messages."""
    units: list[Unit] = []
    problems: list[Problem] = []
    for part in ("singles", "conversations"):
        for path in sorted((folder / part).glob("*.txt")):
            name = f"{part}/{path.stem}"
            found, wrong = parse_file(path, part == "conversations", name, slots)
            units += found
            problems += wrong
    return units, problems


def load_units(folder: Path, slots: bool = True) -> list[Unit]:
    """RAISES (ValueError): If a folder has a mistake, by file and line, or no message."""
    units, problems = parse_folder(folder, slots)
    mistakes = [str(problem) for problem in problems if not problem.warning]
    if mistakes:
        raise ValueError("Mistakes in the messages:\n" + "\n".join(mistakes))
    if not units:
        raise ValueError(f"No messages in {folder}: expected singles/*.txt, conversations/*.txt")
    return units


def frame(unit: Unit) -> str:
    """What is left of a unit when its slots become their kinds: equal frames are one message."""
    parts = [
        piece.content if isinstance(piece.content, str) else f" {piece.content.kind} "
        for turn in unit.turns
        for piece in turn.pieces
    ]
    return " ".join(re.findall(r"\w+", "".join(parts).lower()))
