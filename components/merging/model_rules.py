"""Rules for what the model and the patterns found: where a find ends, what speaks against it."""

import re

from ..shared.labels import NAMES, RULES_KEY
from ..text.hits import get_tokens
from .facts import Facts
from .finds import Find
from .rules import rule

# What the rules demand of the model's score.
FORMLESS = 0.2  # an age without a number, a place without a letter
LOWER = 0.25  # an unknown word in lower case as a name
UNCASED = 0.1  # the same in a message without any capital
KNOWN = 0.5  # a known word in lower case as a name
FIRST_WORD = 0.9  # a known word that begins a sentence as a name
UNLISTED = 0.9  # what the lists know as another class
PID_DIGITS = (4, 10, 12)
PHONE_DIGITS = 5  # at least
# What words of numbers hold.
NUMBER = re.compile(
    r"\d|\b(?:en|ett|nyfödd)\b|tv[åa]|tre|fyr|fem|sex|sju|[åa]tt|nio|nit|tio|elv|tolv|tju|hundr|"
    r"halv|one|two|four|five|six|seven|eight|nine|ten|teen|ty\b"
)
# Where behind an address somebody lives: `lgh 1101`, `2 tr`.
FLATS = frozenset(("lgh", "lägenhet"))
FLOORS = frozenset(("tr", "trappor", "trpp", "vån", "våning"))
# Punctuation that may begin or end a name.
OPENING, CLOSING = "\"'(”«", "\"')”»“’.!?-‐‑‒–−－"
HYPHENS = "-‐‑‒–−－"
# Patterns of dates that may as well be a share, a row of doses, or any number.
SHORT_DATES = frozenset(
    f"{RULES_KEY}:date.{form}"
    for form in ("slash", "slash_weekday", "dmy", "week", "week_list", "year")
)


@rule("edit.beside")
def leave_beside(facts: Facts, find: Find) -> list[Find]:
    """`[2025-03-30T14]:30` → `[2025-03-30]T14:30`: of a timestamp and its string only dates count."""
    doc, tokens = facts.doc, {*range(find.start, find.end)}
    beside = set(facts.beside)
    for date in facts.stamp_dates:
        start, end = date.start, date.end
        if tokens.isdisjoint(range(start, end)):
            continue
        while start > find.start and not doc[start - 1].whitespace_:
            start -= 1
        while end < find.end and not doc[end - 1].whitespace_:
            end += 1
        beside.update(range(start, end))
    cuts = sorted(tokens & beside - get_tokens(facts.stamp_dates))
    parts = zip([find.start, *(i + 1 for i in cuts)], [*cuts, find.end])
    return [find.change("edit.beside", start=start, end=end) for start, end in parts if start < end]


@rule("edit.flat", ["LOCATION"])
def end_at_flat(facts: Facts, find: Find) -> list[Find]:
    """`[Sländvägen 8 2 tr]` → `[Sländvägen 8] 2 tr`: a flat and a floor are no part of an address, nor is
    the c of `c/o`.
    """
    doc = facts.doc
    if doc[find.start : find.end + 2].text.lower().endswith("c/o") and find.end - find.start > 1:
        return [find.change("edit.flat", end=find.end - 1)]
    for i in range(find.start + 1, find.end - 1):
        after = doc[i + 1]
        floor = doc[i].is_digit and after.lower_ in FLOORS and doc[i - 1].text[:1].isalnum()
        if floor or (doc[i].lower_ in FLATS and after.is_digit):
            end = i - 1 if doc[i - 1].text == "," else i
            rest = i + 2
            while rest < find.end and doc[rest].is_punct:
                rest += 1
            parts = [(find.start, end), (rest, find.end)]
            return [find.change("edit.flat", start=a, end=b) for a, b in parts if a < b]
    return [find]


@rule("edit.punctuation", (*NAMES, "DATE", "AGE", "PID"))
def trim_punctuation(facts: Facts, find: Find) -> list[Find]:
    """`[Anna.]` → `[Anna].`: punctuation is outside, but for a quote, or the stop of an initial."""
    start, end, name = find.start, find.end, find.label in NAMES
    while start < end and _is_outside(facts, start, OPENING if name else ""):
        start += 1
    while start < end and _is_outside(facts, end - 1, CLOSING if name else ""):
        end -= 1
    return [find.change("edit.punctuation", start=start, end=end)] if start < end else []


def _is_outside(facts: Facts, i: int, inside: str) -> bool:
    """Whether a token is punctuation, and none that may be part of a name."""
    token = facts.doc[i]
    dash = token.text in HYPHENS and i > 0 and facts.doc[i - 1].whitespace_
    return bool(token.is_punct and (dash or token.text not in inside or facts.is_full_stop(i)))


@rule("edit.url", ["EMAIL", "LOCATION", "ORGANISATION"])
def leave_out_url(facts: Facts, find: Find) -> list[Find]:
    """`[www.1177.se|EMAIL]` → nothing: a web address is no PHI."""
    parts = [find]
    for start, end in facts.urls:
        if find.label == "EMAIL" and not start <= find.start < find.end <= end:
            continue  # `anna snabel-a example.se`
        ends = [
            pair
            for part in parts
            for pair in ((part.start, min(part.end, start)), (max(part.start, end), part.end))
        ]
        parts = [find.change("edit.url", start=a, end=b) for a, b in ends if a < b]
    return [
        part
        for part in parts
        if part == find or not all(map(facts.is_known, range(part.start, part.end)))
    ]


@rule("edit.listed", NAMES)
def relabel_listed(facts: Facts, find: Find) -> list[Find]:
    """`[Volvo|PERSON]` .80 → `[Volvo|ORGANISATION]`: lists know these words as one other class."""
    listed = facts.listed.get((find.start, find.end), set())
    if find.score < UNLISTED and len(listed) == 1:
        return [find.change("edit.listed", label=next(iter(listed)))]
    return [find]


@rule("doubt.form")
def doubt_form(facts: Facts, find: Find) -> bool:
    """`[721214-69|PID]`, `[veckor|AGE]` .10 → nothing: it has not the form of its class."""
    text = facts.doc[find.start : find.end].text.lower()
    digits = sum(map(str.isdigit, text))
    if find.label == "PID":
        return digits + text.count("o") not in PID_DIGITS
    if find.label == "PHONE":
        return digits < PHONE_DIGITS
    if find.label == "AGE" and find.score < FORMLESS:
        return not NUMBER.search(text)
    if find.label == "LOCATION" and find.score < FORMLESS:
        return not any(map(str.isalpha, text))
    return not any(map(str.isalnum, text))


@rule("doubt.lower_case", NAMES)
def doubt_lower_case(facts: Facts, find: Find) -> bool:
    """`[ojoj]` .20, `[firman]` .40 → nothing: a name in no list and without a capital needs a score."""
    text, tokens = facts.doc[find.start : find.end].text, range(find.start, find.end)
    capital = not text.islower() and not (facts.is_shouted and text.isupper())
    # Behind an @, any word looks like a name: `@alla`.
    sure = find.score >= KNOWN and facts.doc[max(0, find.start - 1)].text != "@"
    if sure or capital or not facts.named.isdisjoint(tokens):
        return False
    # A compound of known words is no person, but may be a place: `slottsskolan`.
    if all(facts.is_known(i, compounds=find.label == "PERSON") for i in tokens):
        return True
    return find.score < (UNCASED if facts.is_uncased else LOWER)


@rule("doubt.title", ["LOCATION", "ORGANISATION"])
def doubt_title(facts: Facts, find: Find) -> bool:
    """`till [Rektorn|ORGANISATION]` → nothing: a title is no place."""
    return (find.start, find.end) in facts.titles and find.score < FIRST_WORD


@rule("doubt.opening_word", NAMES)
def doubt_opening_word(facts: Facts, find: Find) -> bool:
    """`[Kurvan] planar ut` .60 → nothing: a known word that has its capital from the sentence."""
    i = find.start
    if find.score >= FIRST_WORD or find.end > i + 1 or i in facts.named:
        return False
    return facts.doc[i].is_title and facts.is_known(i) and facts.begins(i)


@rule("confirm.weak_pattern", ["DATE", "AGE", "PERSON"])
def confirm_weak_pattern(facts: Facts, find: Find) -> bool:
    """`[3/10] i vila`, `räcker [5 år]` → nothing: what has no form of its own, unless the model finds it."""
    if facts.modelled is None or (find.label == "DATE" and find.trace[0].by not in SHORT_DATES):
        return False
    return facts.modelled.isdisjoint(range(find.start, find.end))
