"""Show what an edit of patterns or word lists changes, without any model: on the natural messages, and
on the cases of the patterns.

    python -m scripts.try_patterns
    python -m scripts.try_patterns --against main --examples 10
"""

import io
import re
import subprocess
import tarfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, NamedTuple

import srsly
import typer
from spacy.tokens import Doc, SpanGroup
from wasabi import msg, table

from components.custom.custom_ruler import OptionalPatterns
from components.lists.gazetteer_matcher import GazetteerMatcher
from components.lists.lists import SOURCES, read_lists
from components.lists.neighbours import FUZZY_MIN
from components.measures.formats.registry import chat_language
from components.rules.phi_entity_ruler import MACRO, PhiEntityRuler
from components.rules.regex import Regex, Required
from training_tools.errors import clean_errors
from training_tools.generator.natural import read_natural

PATTERNS, OPTIONAL, LISTS = "patterns.jsonl", "optional_patterns.jsonl", "lists"
CASES = "pattern_cases.jsonl"
MARK = re.compile(r"\[\[([A-Z]+)\|(.+?)\]\]", re.DOTALL)
VETO = "VETO"
CONTEXT = 30
# The columns of the lists that hold words.
COLUMNS = {"word", *(column for _, column in SOURCES)}
HEADER = ("pattern", "adds", "PHI", "part", "clean", "takes", "PHI", "part", "clean")

NLP = chat_language()

Row = dict[str, Any]
Hit = tuple[int, int, str, str]
"""Start, end, label, id of the pattern or kind of the list."""
Pipe = PhiEntityRuler | GazetteerMatcher
Pair = tuple[Callable[[str], bool], Pipe, Pipe]
"""Whether two versions of a pipe may find other things in a text, and these."""


class Case(NamedTuple):
    """A made-up message that a pattern finds something in, or leaves."""

    id: str
    finds: bool
    said: str | None
    text: str
    marked: list[tuple[int, int, str]]


class Change(NamedTuple):
    """A hit that an edit adds or takes."""

    adds: bool
    hit: Hit
    text: str
    where: str


def try_patterns(
    assets: Annotated[Path, typer.Option(help="The folder of patterns and lists.")] = Path(
        "assets"
    ),
    against: Annotated[
        str, typer.Option(help="A commit to compare with, or such a folder.")
    ] = "HEAD",
    examples: Annotated[int, typer.Option(help="Examples of each pattern, each way.")] = 3,
) -> None:
    """Show what an edit of the patterns or lists adds and takes on the natural messages."""
    with clean_errors(), TemporaryDirectory() as folder:
        old = Path(against) if Path(against).is_dir() else _check_out(against, assets, Path(folder))
        changes = [*compare(old, assets)]
        wrong = [*check_cases(assets)]
    if changes:
        print(_tabulate(changes))
        _show_examples(changes, examples)
    else:
        msg.info("Nothing changes on the natural messages.")
    for line in wrong:
        msg.fail(line)
    if wrong:
        raise typer.Exit(1)
    msg.good("Each pattern finds and leaves its cases.")


def _check_out(commit: str, assets: Path, folder: Path) -> Path:
    """Write the patterns and lists of a commit to a folder."""
    paths = [assets / name for name in (PATTERNS, OPTIONAL, LISTS)]
    command = ["git", "archive", commit, "--", *map(str, paths)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        raise ValueError(f"{commit}: neither a folder nor a commit that holds {assets}.")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder / assets


def compare(old: Path, new: Path) -> Iterator[Change]:
    """Compare what two folders of patterns and lists find in the messages of the new one."""
    pairs = [
        _compare_patterns(PhiEntityRuler, *(_read(path / PATTERNS) for path in (old, new))),
        _compare_patterns(OptionalPatterns, *(_read(path / OPTIONAL) for path in (old, new))),
        _compare_lists(*(read_lists(str(path / LISTS)) for path in (old, new))),
    ]
    finders = [pair for pair in pairs if pair is not None]
    if not finders:
        return
    for row in chain.from_iterable(read_natural(new / "messages" / "natural")):
        for may_differ, old_pipe, new_pipe in finders:
            if may_differ(row["text"]):
                before, after = _find(old_pipe, row["text"]), _find(new_pipe, row["text"])
                for hit in sorted(before ^ after):
                    yield Change(hit in after, hit, row["text"], _place(hit, row["spans"]))


def _read(path: Path) -> list[Row]:
    return [*srsly.read_jsonl(path)]


def _place(hit: Hit, spans: Iterable[Row]) -> str:
    start, end, label, _ = hit
    touched = [span for span in spans if span["start"] < end and start < span["end"]]
    if any((s["start"], s["end"], s["label"]) == (start, end, label) for s in touched):
        return "PHI"
    return "part" if touched else "clean"


def _find(pipe: Pipe, text: str) -> set[Hit]:
    doc = NLP.make_doc(text)
    if isinstance(pipe, GazetteerMatcher):
        spans = pipe(doc).spans["gazetteer"]
        return {(s.start_char, s.end_char, s.label_, f"list of {s.id_}") for s in spans}
    hits, vetoes = pipe.match(doc)
    found = {(s.start_char, s.end_char, s.label_, s.id_) for s, _ in hits}
    return found | {(s.start_char, s.end_char, VETO, s.id_) for s in vetoes}


def _compare_patterns(kind: type[PhiEntityRuler], old: list[Row], new: list[Row]) -> Pair | None:
    before, after = _write_out(old), _write_out(new)
    changed = {name for name in before | after if before.get(name) != after.get(name)}
    if not changed:
        return None
    # Others may change with them, but only where one of these hits.
    few = [kind(NLP), kind(NLP)]
    for ruler, rows in zip(few, (old, new)):
        ruler.add_patterns(row for row in rows if "macro" in row or row["id"] in changed)

    def may_differ(text: str) -> bool:
        return any(any(ruler.match(NLP.make_doc(text))) for ruler in few)

    return may_differ, _make_ruler(kind, old), _make_ruler(kind, new)


def _write_out(rows: Iterable[Row]) -> dict[str, str]:
    """Write patterns as JSON, with their macros in them."""
    macros: dict[str, str] = {}
    patterns: dict[str, str] = {}
    for row in rows:
        text = MACRO.sub(lambda match: macros.get(match[1], match[0]), srsly.json_dumps(row))
        if "macro" in row:
            macros[row["macro"]] = text
        else:
            patterns[row["id"]] = text
    return patterns


class _SimpleRegex(Regex):
    """A regex that is run on each text: for a few texts its literals are not worth deriving."""

    def __init__(self, pattern: str, literals: Required | None = None) -> None:
        super().__init__(pattern, ())


def _make_ruler(kind: type[PhiEntityRuler], rows: Iterable[Row]) -> PhiEntityRuler:
    ruler = kind(NLP)
    ruler.regex_type = _SimpleRegex
    ruler.add_patterns(rows)
    return ruler


def _compare_lists(old: dict[str, list[Row]], new: dict[str, list[Row]]) -> Pair | None:
    both = [
        {(stem, *row.items()) for stem, rows in lists.items() for row in rows}
        for lists in (old, new)
    ]
    cells = chain.from_iterable(row[1:] for row in both[0] ^ both[1])
    changed = {cell.lower() for column, cell in cells if column in COLUMNS and cell}
    if not changed:
        return None
    # A word that is long enough is found with a slip in it, too, which leaves one half as it is.
    parts = {word for word in changed if len(word) < FUZZY_MIN}
    for word in changed - parts:
        parts |= {word[: len(word) // 2], word[len(word) // 2 :]}
    parts = {part for part in parts if any(map(str.isalpha, part))}
    any_part = re.compile("|".join(map(re.escape, sorted(parts))))
    matchers = (GazetteerMatcher(), GazetteerMatcher())
    for matcher, lists in zip(matchers, (old, new)):
        matcher.initialize(list, lists=lists)
    return lambda text: bool(any_part.search(text.lower())), *matchers


def _tabulate(changes: Iterable[Change]) -> str:
    counts: dict[str, Counter] = defaultdict(Counter)
    for change in changes:
        counts[change.hit[3]].update([(change.adds, ""), (change.adds, change.where)])
    keys = [(adds, where) for adds in (True, False) for where in ("", "PHI", "part", "clean")]
    rows = [[name, *(count[key] or "" for key in keys)] for name, count in sorted(counts.items())]
    return table(rows, header=HEADER, divider=True, aligns=["l", *"r" * len(keys)])


def _show_examples(changes: Iterable[Change], n: int) -> None:
    shown: Counter = Counter()
    for change in changes:
        start, end, label, name = change.hit
        shown[name, change.adds] += 1
        if shown[name, change.adds] <= n:
            before = change.text[max(0, start - CONTEXT) : start]
            marked = (
                f"{before}[[{label}|{change.text[start:end]}]]{change.text[end : end + CONTEXT]}"
            )
            print(
                "+" if change.adds else "-", f"{name} ({change.where}):", " ".join(marked.split())
            )


def read_cases(assets: Path) -> Iterator[Case]:
    """Read the cases of the patterns. A case is a message in which all hits are marked,
    `[[DATE|3 mars]]`, also those of other patterns. Hits of a negative pattern are marked `[[VETO|9]]`
    in its own cases. A list of two strings is what was said before, and the message.
    """
    for row in srsly.read_jsonl(assets / CASES):
        for key in ("finds", "leaves"):
            for case in row[key]:
                said, marked = (None, case) if isinstance(case, str) else case
                text, spans, end = "", [], 0
                for match in MARK.finditer(marked):
                    text += marked[end : match.start()]
                    spans.append((len(text), len(text) + len(match[2]), match[1]))
                    text, end = text + match[2], match.end()
                yield Case(row["id"], key == "finds", said, text + marked[end:], spans)


def check_cases(assets: Path) -> Iterator[str]:
    """Check that each pattern has cases and that each case holds, by that very pattern."""
    patterns = {row["id"]: row for row in _read(assets / PATTERNS) if "id" in row}
    rows = {row["id"]: row for row in _read(assets / CASES)}
    for name in rows.keys() - patterns.keys():
        yield f"{name}: no such pattern, but cases of it in {CASES}."
    for name, pattern in patterns.items():
        row = rows.get(name, {})
        if not row.get("finds") or not row.get("leaves"):
            yield f"{name}: give a case that it finds and one that it leaves in {CASES}."
        if pattern.get("negative") and not row.get("reason"):
            yield f"{name}: a veto needs a reason in {CASES}."
    ruler = _make_ruler(PhiEntityRuler, _read(assets / PATTERNS))
    for case in read_cases(assets):
        if case.id in patterns and (problem := check_case(ruler, case)):
            yield problem


def check_case(ruler: PhiEntityRuler, case: Case) -> str | None:
    doc = NLP.make_doc(case.text)
    doc._.context = case.said
    doc = ruler(doc)
    vetoes = [span for span in doc.spans["vetoes"] if span.id_ == case.id]
    own = [*vetoes, *(span for span in doc.spans["rules"] if span.id_ == case.id)]
    found = _get_spans(doc, doc.spans["rules"]) + _get_spans(doc, vetoes, VETO)
    if bool(own) != case.finds:
        return f"{case.id} {'leaves' if case.finds else 'finds'} {case.text!r}."
    if sorted(found) != sorted(case.marked):
        texts = [(case.text[start:end], label) for start, end, label in found]
        return f"{case.id}: {case.text!r} has these hits: {texts}."
    return None


def _get_spans(doc: Doc, spans: SpanGroup | list, label: str = "") -> list[tuple[int, int, str]]:
    return [(span.start_char, span.end_char, label or span.label_) for span in spans]


if __name__ == "__main__":
    typer.run(try_patterns)
