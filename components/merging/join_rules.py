"""Rules for what belongs to a find beside it, and for which list entries count on their own."""

import re
from collections.abc import Collection, Iterator

from spacy.tokens import Span

from ..known.known_matcher import find_values
from ..known.value_finder import ValueFinder
from ..known.words import get_words
from ..shared.labels import CONVERSATION_KEY, GAZETTEER_KEY, NAMES, PHI_KEY
from ..text.casing import to_ascii
from .facts import Facts
from .finds import SOURCES, Find, make_find, merge
from .judge import MIN_SCORE, Judge, seek_names
from .rules import rule

# Letters of a name that is looked for in addresses; of one that may stand beside any word there.
MIN_IN_ADDRESS, SURE_IN_ADDRESS = 3, 5
LETTERS = re.compile(r"[^\W\d_]+")


@rule("join.again", NAMES)
def join_again(facts: Facts, finds: list[Find]) -> list[Find]:
    """`[Anna Drevstam], ring drevstam` → `…, ring [drevstam]`: a word of a name that is no ordinary word."""
    sure = [find for find in finds if find.label in NAMES and find.score >= MIN_SCORE]
    if not sure:
        return finds
    doc, taken = facts.doc, {i for find in finds for i in range(find.start, find.end)}
    left = {token.lower_ for token in doc if token.i not in taken}
    left |= {word.removesuffix("s") for word in left}
    names = [
        (find.label, name)
        for find in sure
        for name in seek_names(doc[find.start : find.end], find.label, facts.in_titles)
        if not left.isdisjoint(word.key for word in get_words(name))
    ]
    if not names:
        return finds
    judge = Judge(facts)
    again = [
        make_find(span.start, span.end, span.label_, CONVERSATION_KEY, score, by="join.again")
        for span, score in find_values(doc, ValueFinder(names, errors=0))
        if not taken.issuperset(range(span.start, span.end)) and judge.is_name(span)
    ]
    return [*finds, *again]


@rule("join.word", NAMES)
def join_word(facts: Facts, finds: list[Find]) -> list[Find]:
    """`[Gun]-Britt` → `[Gun-Britt]`: a name grows over letters, and hyphens between letters."""
    return [
        find.change(
            "join.word",
            start=facts.get_word(find.start)[0],
            end=facts.get_word(find.end - 1)[1],
        )
        if find.label in NAMES
        else find
        for find in finds
    ]


@rule("join.initial", ["PERSON"])
def join_initial(facts: Facts, finds: list[Find]) -> list[Find]:
    """`[Per] S` → `[Per S]`, but `[Per] I dag`: a capital behind a name that is no word."""
    doc = facts.doc
    joined = []
    for find in finds:
        initial, end = doc[find.end : find.end + 1].text, find.end
        if find.label == "PERSON" and len(initial) == 1 and initial.isupper():
            last = end + 1 == len(doc) or doc[end].whitespace_ or doc[end + 1].is_punct
            if initial not in "IÅÖ" and last and facts.end_before(end) == end:
                find = find.change("join.initial", end=end + 1)
        joined.append(find)
    return joined


@rule("join.parts", NAMES)
def join_parts(facts: Facts, finds: list[Find]) -> list[Find]:
    """`[Anna] [Ydremo]` → `[Anna Ydremo]`, `[FK] [Borås]` → `[FK Borås]`: parts of one name.

    `[Annas] [Bo]`, `[Ek] [mamma Eva]` and `[Apoteket] [Storgatan 12]` stay apart.
    """
    joined: list[Find] = []
    for find in finds:
        last = joined[-1] if joined else None
        if last is not None and _is_part(facts, last, find):
            joined[-1] = merge([last, find], "join.parts", last.label)
        else:
            joined.append(find)
    return joined


def _is_part(facts: Facts, last: Find, find: Find) -> bool:
    if facts.end_before(find.start) != last.end:
        return False
    if last.label == find.label == "PERSON":
        owner = facts.doc[last.end - 1].lower_.endswith("s") and find.start in facts.first_names
        return not owner and all(find.start != start for start, _ in facts.titles)
    if last.label == "ORGANISATION" and find.label in ("LOCATION", "ORGANISATION"):
        return not any(token.is_digit for token in facts.doc[find.start : find.end])
    return False


@rule("join.title", ["PERSON"])
def join_title(facts: Facts, finds: list[Find]) -> list[Find]:
    """`min mamma [Anna]` → `min [mamma Anna]`: titles and kinship words in front of a name."""
    taken = {i for find in finds for i in range(find.start, find.end)}
    joined = []
    for find in finds:
        start = facts.title_parts.get(find.start)
        if start is None:
            start = facts.titles_by_end.get(facts.end_before(find.start))
        if find.label == "PERSON" and start is not None and start not in taken:
            find = find.change("join.title", start=start)
        joined.append(find)
    return joined


@rule("join.address", ["PERSON"])
def join_address(facts: Facts, finds: list[Find]) -> list[Find]:
    """`@[anna].ek90` → `@[anna.ek90]`: a handle, a web address or a password with a name in it is replaced
    whole. So is one with a name that is found elsewhere in the message: `[Anna Ek], @annaek`.
    """
    if not facts.addresses:
        return finds
    names = {
        to_ascii(facts.doc[i].text): find
        for find in reversed(finds)
        for i in range(find.start, find.end)
        if find.label == "PERSON" and i not in facts.in_titles
    }
    for start, end in facts.addresses:
        while end - start > 1 and facts.doc[end - 1].is_punct:
            end -= 1
        text = facts.doc[start:end].text
        within = [find for find in finds if find.start < end and start < find.end]
        if any(find.label != "PERSON" and not _is_misread(find, start, end) for find in within):
            continue
        owner = merge(within, "join.address") if within else None
        owner = owner or next((names[name] for name in _get_held(text, names)), None)
        if owner is None:
            continue
        if within:
            start, end = min(start, owner.start), max(end, owner.end)
        whole = owner.change("join.address", start=start, end=end, label="PERSON")
        finds = sorted({*finds} - {*within} | {whole}, key=lambda find: find.start)
    return finds


def _is_misread(find: Find, start: int, end: int) -> bool:
    """Whether the model took a web address for one of e-mail: no pattern does, nor an `(at)`."""
    by_model = find.label == "EMAIL" and find.rank >= SOURCES.index(PHI_KEY)
    return by_model and start <= find.start < find.end <= end


def _get_held(text: str, names: Collection[str]) -> Iterator[str]:
    """The names in an address. A short one is no part of another word: no `Eva` in `evakuering`."""
    for word in map(to_ascii, LETTERS.findall(text)):
        for name in names:
            if len(name) < MIN_IN_ADDRESS or not word.startswith(name) and not word.endswith(name):
                continue
            rest = word.removeprefix(name) if word.startswith(name) else word.removesuffix(name)
            if len(name) >= SURE_IN_ADDRESS or len(rest) <= 1 or rest in names:
                yield name


@rule("stand.unambiguous")
def stand_unambiguous(facts: Facts) -> Iterator[Find]:
    """`i Visby` → `i [Visby]`: what is nothing else, of the kinds in `standalone`."""
    for hit, score in _iter_hits(facts):
        if hit.id_ in facts.standalone and score == 1.0:
            yield make_find(hit.start, hit.end, hit.label_, GAZETTEER_KEY, score, hit.id_)


@rule("stand.first_and_last", ["PERSON"])
def stand_first_and_last(facts: Facts) -> Iterator[Find]:
    """`Bo Sommar` → `[Bo Sommar]`: each may be an ordinary word, both with a capital are a person."""
    firsts: dict[int | None, Span] = {}
    for hit, _ in _iter_hits(facts):
        if not hit.text.istitle():
            continue
        if hit.id_ == "first_name":
            firsts[hit.end] = hit
        first = firsts.get(facts.end_before(hit.start)) if hit.id_ == "surname" else None
        if first is not None:
            ends = first.start, hit.end
            yield make_find(*ends, "PERSON", GAZETTEER_KEY, 1.0, "first_name+surname")


def _iter_hits(facts: Facts) -> Iterator[tuple[Span, float]]:
    """The hits that are no part of a disease, a drug, a term or a timestamp's time."""
    for hit, score in facts.hits:
        if (facts.negative | facts.beside).isdisjoint(range(hit.start, hit.end)):
            yield hit, score
