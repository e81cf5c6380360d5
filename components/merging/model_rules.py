"""Rules for what the model found: where it ends, how many it is, whether it can be what the model
takes it for. Each says what rules and lists have against it.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from spacy.tokens import Span

from ..hits import get_tokens
from ..labels import NAMES
from .finds import Find
from .reading import MAX_SHORT, ZIP, Reading
from .rules import rule

# What the rules demand of the model's score, by what is to be believed. They depend on the encoder:
# the `span_merger` has them in its config.
SCORES: Mapping[str, float] = MappingProxyType(
    {
        "formless": 0.5,  # what has not the form of its class
        "figures": 0.8,  # a date in figures of a form that no rule knows
        "beyond": 0.97,  # what lies around a rule's hit
        "sure": 0.95,  # what would else be cut off
        "vetoed": 1.0,  # a number of which a pattern says that it is none, as a date or an age
        "role": 0.6,  # an ordinary word in lower case before a name
        "bare": 0.2,  # a bare number as an age
        "plain": 0.5,  # known words as a name
        "opening": 0.9,  # a known word that begins a sentence as a name
        "common": 0.3,  # a common word that is somebody's name, too
        "lower": 0.25,  # an unknown word in lower case as a name
        "uncased": 0.25,  # the same in a message without any capital
        "unlisted": 0.95,  # what the lists know as another class
        "eponym": 0.97,  # what is named after somebody as a person
    }
)
# Classes whose rules know where a find begins and ends, and how many digits of the find may be
# beyond the rule's hit: the hour behind a date.
RULED = ("DATE", "AGE", "PID")
MAX_BEYOND = 3
# How many digits a number has that no rule knows.
PID_DIGITS = (4, 10, 12)
PHONE_DIGITS = 5
# What a number is glued to that is part of a code: `TX4-0098812-7`.
HYPHENS = "-‐‑‒–−－"
JOINED = re.compile(rf"[^\W_]|[{HYPHENS}]")
# What words of numbers hold, and what is nothing but a number in words.
NUMBER = re.compile(
    r"\b(?:en|ett|nyfödd)\b|tv[åa]|tre|fyr|fem|sex|sju|[åa]tt|nio|nit|tio|elv|tolv|tju|hundr|halv|one|two|four|five|six|"
    r"seven|eight|nine|ten|teen|ty\b"
)
BARE_WORDS = re.compile(
    r"(?:(?:ett|en|tv[åa]|tre|fyra|fem|sex|sju|[åa]tta|nio|tio|elva|tolv|(?:tret|fjor|fem|sex|sjut|ar|nit)ton|tju(?:go)?|"
    r"(?:tret|f[yö]r|fem|sex|sjut|[åa]t|nit)tio?|hundra|och|o)\s?)+"
)
UNITS = frozenset(("år", "månad", "månader", "mån", "vecka", "veckor", "dag", "dagar", "dgr"))
# What stands in front of a title or a name and is no part of it.
POSSESSIVES = frozenset((
    "min", "mitt", "mina", "din", "ditt", "dina", "sin", "sitt", "sina", "vår", "våran", "vårt", "våra",
    "er", "ert", "era", "hans", "hennes", "deras",
))  # fmt: skip
ADJECTIVES = frozenset((
    "gamle", "gamla", "gammel", "lilla", "lille", "stackars", "kära", "käre", "snälla", "snälle",
    "nya", "nye", "förre", "blivande",
))  # fmt: skip
# What stands in front of a name or a date and is no part of it, at the start of a sentence, too (`Hos Birgit`);
# and what may be a name itself where it has a capital (`Ang Lee`), or at all (`Sen Li`).
PREPOSITIONS = frozenset((
    "hos", "från", "åt", "av", "angående", "fd", "sedan", "före", "efter", "innan", "since",
))  # fmt: skip
NAMESAKES = {"ang": ("PERSON", "DATE"), "sen": ("DATE",), "on": ("DATE",)}
# Where behind an address somebody lives: `lgh 1101`, `2 tr`.
FLATS = frozenset(("lgh", "lägenhet"))
FLOORS = frozenset(("tr", "trappor", "trpp", "vån", "våning"))
# What a company's name may end in, though a list knows it as an abbreviation of something else.
COMPANY_FORMS = frozenset(("AB", "HB", "KB"))
# The pattern of a year that stands alone, which may belong to the date in front of it.
YEAR_RULE = "date.year"
# Behind these an eponym is rather a method: `opererad enligt Hartmann`.
ACCORDING = frozenset(("enligt", "enl", "modum"))
# Compounds of a name that are people.
PEOPLE = (
    "familj", "släkt", "klan", "gäng", "par", "mak", "barn", "son", "dotter", "döttr", "tvilling",
    "syst", "bröd", "brors", "mamma", "pappa", "mormor", "morfar", "farmor", "farfar", "moster",
    "faster", "morbror", "farbror", "kusin", "flick", "pojk",
)  # fmt: skip
# Beside these a name is somebody's: `Sixten heter min son`.
CALLED = frozenset(("heter", "hette"))
CONJUNCTIONS = frozenset(("och", "eller", "samt", "o", "å", "el", "elr", "&"))
# A day and its month, or not.
FRACTION = re.compile(r"(\d{1,2})\s?/\s?(\d{1,2})")
MONTHS = 12
# So short a conjunction may be somebody's initial, or begin his name.
MAX_INITIAL = 2
# The ending of an ordinal number: `6:e`, `2a`.
ORDINAL = frozenset(("e", "a", ":e", ":a"))


@rule("bound.rule_hit", RULED)
def bound_rule_hit(reading: Reading, find: Find) -> list[Find]:
    """`[6 mars kl 8]` → `[6 mars] kl 8`: where a rule knows the date, it ends there, unless the model is sure."""
    if find.score >= reading.scores["beyond"]:
        return []
    within = {i: reading.rules[i] for i in range(find.start, find.end) if i in reading.rules}
    hits = [hit for hit in dict.fromkeys(within.values()) if hit.label_ == find.label]
    rest = set(range(find.start, find.end)) - get_tokens(hits)
    digits = sum(sum(map(str.isdigit, reading.doc[i].text)) for i in rest)
    if digits > MAX_BEYOND:
        return []
    return [find.change("bound.rule_hit", start=hit.start, end=hit.end) for hit in hits]


@rule("bound.flat", ["LOCATION"])
def bound_flat(reading: Reading, find: Find) -> list[Find]:
    """`[Sländvägen 8 2 tr]` → `[Sländvägen 8] 2 tr`: flat and floor are no part of an address."""
    doc = reading.doc
    for i in range(find.start + 1, find.end - 1):
        after = doc[i + 1]
        floor = doc[i].is_digit and after.lower_ in FLOORS and doc[i - 1].text[:1].isalnum()
        if floor or (doc[i].lower_ in FLATS and after.is_digit):
            end = i - 1 if doc[i - 1].text == "," else i
            rest = i + 2
            while rest < find.end and doc[rest].is_punct:
                rest += 1
            parts = [(find.start, end), (rest, find.end)]
            return [find.change("bound.flat", start=a, end=b) for a, b in parts if a < b]
    return []


@rule("trim.punctuation", (*NAMES, *RULED))
def trim_punctuation(reading: Reading, find: Find, i: int, first: bool) -> bool | None:
    """`[Anna.]` → `[Anna].`: punctuation is outside, but for a quote, or an initial's full stop."""
    token = reading.doc[i]
    if not token.is_punct:
        return None
    if token.text in HYPHENS and token.i and reading.doc[token.i - 1].whitespace_:
        return True
    if find.label in NAMES:
        if first:
            return token.text not in "\"'(”«"
        return True if token.text in ",;:" or reading.is_full_stop(i) else None
    return True


@rule("trim.number_of_list", ["PERSON"])
def trim_number_of_list(reading: Reading, find: Find, i: int, first: bool) -> bool | None:
    """`[1 Ek]` → `1 [Ek]`: a number in front of a name is that of a row or a bed."""
    return True if first and reading.doc[i].is_digit and find.end > i + 1 else None


@rule("trim.word_of_number", ["PHONE"])
def trim_word_of_number(reading: Reading, find: Find, i: int, first: bool) -> bool | None:
    """`[011-15 88 21 genast]` → `[011-15 88 21] genast`: an ordinary word behind its figures. `[… 21 Zlatko]` stays."""
    if first or i in reading.named or not reading.is_known(i):
        return None
    return True if reading.doc[i - 1].is_digit else None


@rule("trim.possession", ["PERSON"])
def trim_possession(reading: Reading, find: Find, i: int, first: bool) -> bool | None:
    """`[Zlatkos ben]` → `[Zlatkos] ben`: a common word behind a genitive, though somebody is called so (Ben)."""
    return True if not first and i > find.start and reading.is_possessed(i) else None


@rule("trim.decimal", RULED)
def trim_decimal(reading: Reading, find: Find, i: int, first: bool) -> bool | None:
    """`[27/11 42],9 kg` → `[27/11] 42,9 kg`: what is left of a decimal behind a date is no part of it."""
    doc = reading.doc
    if first or i == find.start or not doc[i].is_digit or not doc[i - 1].whitespace_:
        return None
    comma, decimals = doc[i + 1 : i + 2].text, doc[i + 2 : i + 3].text
    glued = not doc[i].whitespace_ and comma == "," and not doc[i + 1].whitespace_
    return True if glued and decimals[:1].isdigit() else None


@rule("trim.determiner", ["PERSON"])
def trim_determiner(reading: Reading, find: Find, i: int, first: bool) -> bool | None:
    """`[min doktor Ek]` → `min [doktor Ek]`, `[gamle Knut]` → `gamle [Knut]`, but `[Min Nguyen]`"""
    token = reading.doc[i]
    if not first or find.end == i + 1 or not token.whitespace_:
        return None
    if token.lower_ in POSSESSIVES:
        title = i + 1 in reading.title_starts
        return True if title or (token.is_lower and i not in reading.first_names) else None
    return True if token.lower_ in ADJECTIVES and (token.is_lower or reading.begins(i)) else None


@rule("trim.preposition", ["PERSON", "DATE"])
def trim_preposition(reading: Reading, find: Find, i: int, first: bool) -> bool | None:
    """`[Hos Birgit]` → `Hos [Birgit]`, `[Sen 26:e]` → `Sen [26:e]`, but `[Sen Li]`, `[Ang Lee]`"""
    token = reading.doc[i]
    if not first or find.end == i + 1 or not token.whitespace_:
        return None
    if find.label in NAMESAKES.get(token.lower_, ()):
        return True if token.is_lower or find.label == "DATE" else None
    return True if token.lower_ in PREPOSITIONS and (token.is_lower or reading.begins(i)) else None


@rule("trim.conjunction", (*NAMES, "DATE", "AGE"))
def trim_conjunction(reading: Reading, find: Find, i: int, first: bool) -> bool | None:
    """`[Anna och]` → `[Anna] och`, `[elr johanna]` → `elr [johanna]`, but `[anna o]`, `[el mansour]` .95 stay."""
    text = reading.doc[i].text
    listed = find.label in NAMES and i in reading.named
    short = len(text) <= MAX_INITIAL and find.score >= reading.scores["sure"]
    return True if text in CONJUNCTIONS and not listed and not short else None


@rule("trim.sure")
def trim_sure(reading: Reading, find: Find, i: int, first: bool) -> bool | None:
    """`[Drottning Silvias barnsjukhus]` .99 stays: of what the model is sure no part is cut.

    Where rules and lists have something against all of it, it is; and so is a title in lower case in front
    of an organisation's capital.
    """
    if find.score < reading.scores["sure"]:
        return None
    if (
        find.label == "ORGANISATION"
        and i in reading.titles
        and _is_lower_before_capital(reading, i)
    ):
        return None
    vetoed, no_names = reading.vetoed, reading.no_names
    against = all(j in vetoed or j in no_names for j in get_words(reading, find))
    return None if against else False


@rule("trim.veto")
def trim_veto(reading: Reading, find: Find, i: int, first: bool) -> bool | None:
    """`[Gävle 8.30]` → `[Gävle] 8.30`: doses and clock times are of no class, unless the model is sure enough."""
    return True if i in reading.vetoed and find.score < reading.scores["vetoed"] else None


@rule("trim.term", NAMES)
def trim_term(reading: Reading, find: Find, i: int, first: bool) -> bool | None:
    """`[Anna EKG]` → `[Anna] EKG`: drugs, diseases and terms are no part of a name."""
    if find.label == "ORGANISATION" and (first or reading.doc[i].text in COMPANY_FORMS):
        return None
    if find.label == "PERSON" and i in reading.eponyms:
        return None
    return True if i in reading.no_names else None


@rule("trim.title", ["ORGANISATION"])
def trim_title(reading: Reading, find: Find, i: int, first: bool) -> bool | None:
    """`[distriktssköterska Näsby vårdcentral]` → `distriktssköterska [Näsby vårdcentral]`"""
    return True if first and i in reading.titles and i not in reading.named else None


@rule("trim.title_behind", ["PERSON"])
def trim_title_behind(reading: Reading, find: Find, i: int, first: bool) -> bool | None:
    """`[Zlatko Ek ssk]` → `[Zlatko Ek] ssk`: a title in lower case behind a name is no part of it."""
    return True if not first and i in reading.titles and reading.doc[i].is_lower else None


@rule("trim.possessed", ["ORGANISATION"])
def trim_possessed(reading: Reading, find: Find, i: int, first: bool) -> bool | None:
    """`[Migrationsverkets boende]` → `[Migrationsverkets] boende`"""
    possessed = not first and i - 1 in reading.possessors and reading.is_plain(i, find.label)
    return True if possessed else None


@rule("trim.ordinary_word", ["PERSON"])
def trim_ordinary_word(reading: Reading, find: Find, i: int, first: bool) -> bool | None:
    """`[Hälsar Fanny]` → `Hälsar [Fanny]`, `[anna säger]` → `[anna] säger`; `[bonden Valfrid]` .80 stays.

    In lower case in front of a name it may be somebody's role, if the model is rather sure.
    """
    role = first and reading.doc[i].is_lower and find.score >= reading.scores["role"]
    return True if not role and reading.is_ordinary(i, first) else None


@rule("split.places", ["LOCATION"])
def split_places(reading: Reading, find: Find, at: int, i: int) -> int | None:
    """`[Ronna Lund]` → `[Ronna] [Lund]`: two places in a row, or an address and its place."""
    return i if i in reading.place_starts and i - 1 in reading.place_ends else None


@rule("split.zip", ["LOCATION"])
def split_zip(reading: Reading, find: Find, at: int, i: int) -> int | None:
    """`[Tvärgränd 3c 68531 Torsby]` → `[Tvärgränd 3c] [68531 Torsby]`: a postal code behind a house number."""
    doc = reading.doc
    house = doc[i - 1].text[:1].isdigit() or (
        doc[i - 2].text[:1].isdigit() and len(doc[i - 1]) == 1
    )
    behind = i > at + 1 and house and bool(doc[i - 1].whitespace_)
    return i if behind and ZIP.match(doc.text, doc[i].idx) else None


@rule("split.dates", ["DATE"])
def split_dates(reading: Reading, find: Find, at: int, i: int) -> int | None:
    """`[3/8 9/8]` → `[3/8] [9/8]`: two dates in a row, each of which a pattern found. `[3/8 2023]` stays."""
    hit, before = reading.rules.get(i), reading.rules.get(i - 1)
    if hit is None or before is None or hit.start != i or before.end != i or hit.id_ == YEAR_RULE:
        return None
    return i if hit.label_ == before.label_ == "DATE" else None


@rule("split.people", ["PERSON"])
def split_people(reading: Reading, find: Find, at: int, i: int) -> int | None:
    """`[Elsy, Bo]` → `[Elsy], [Bo]`, but `[Ros, Hjördis]` where a line, a sentence or a cell begins, or by the lists."""
    token = reading.doc[i]
    if token.text != "," or not token.whitespace_:
        return None
    one_word = not any(reading.doc[j].whitespace_ for j in range(at, i - 1))
    kinds = reading.kinds_of_names
    listed = kinds.get(at) == {"surname"} and "first_name" in kinds.get(i + 1, ())
    begins = at not in reading.titles and reading.begins_entry(at)
    return None if one_word and (listed or begins) else i + 1


@rule("doubt.signs_only")
def doubt_signs_only(reading: Reading, find: Find) -> bool | None:
    """`[./]` → nothing: what has no letter and no digit."""
    return None if any(char.isalnum() for char in get_text(reading, find)) else True


@rule("doubt.single_letter", NAMES)
def doubt_single_letter(reading: Reading, find: Find) -> bool | None:
    """`[K]` as a place → nothing: a single letter is a person's, unless a list has it (Å)."""
    text = get_text(reading, find)
    if len(text) != 1 or find.start in reading.named:
        return None
    sure = text.isupper() or find.score >= reading.scores["formless"]
    return None if find.label == "PERSON" and sure else True


@rule("doubt.title", ["PERSON"])
def doubt_title(reading: Reading, find: Find) -> bool | None:
    """`[psykolog]` → nothing: no more than a title."""
    return True if all(i in reading.titles for i in get_words(reading, find)) else None


@rule("doubt.eponym", NAMES)
def doubt_eponym(reading: Reading, find: Find) -> bool | None:
    """`[Sjögrens]`, `[Beck]` → nothing: a disease or a scale, unless the model is sure."""
    if not all(i in reading.eponyms for i in get_words(reading, find)):
        return None
    before = reading.doc[find.start - 1].lower_ if find.start else ""
    genitive = get_text(reading, find).endswith("s")
    return find.score < reading.scores["eponym" if genitive or before in ACCORDING else "formless"]


@rule("doubt.unknown_lower", NAMES)
def doubt_unknown_lower(reading: Reading, find: Find) -> bool | None:
    """`[ojoj]` .20 → nothing: without the capital of a name and in no list, the model must be a little sure."""
    unknown = reading.named.isdisjoint(get_words(reading, find))
    low = find.score < reading.scores["uncased" if reading.is_uncased else "lower"]
    text = get_text(reading, find)
    without_capital = text.islower() or (reading.is_shouted and text.isupper())
    return True if low and unknown and without_capital else None


@rule("doubt.plain_words", NAMES)
def doubt_plain_words(reading: Reading, find: Find) -> bool | None:
    """`[firman]`, `[MEDICINEN]` .30 → nothing: known words without the capital of a name."""
    if find.score >= reading.scores["plain"]:
        return None
    plain = all(reading.is_plain(i, find.label) for i in get_words(reading, find))
    return True if plain else None


@rule("doubt.opening_word", NAMES)
def doubt_opening_word(reading: Reading, find: Find) -> bool | None:
    """`[Kurvan] planar ut` .60 → nothing: a known word that has its capital from the sentence."""
    i = find.start
    if find.end > i + 1 or i in reading.named or not reading.doc[i].is_title:
        return None
    low = find.score < reading.scores["opening"]
    return True if low and reading.is_known(i) and reading.begins(i) else None


@rule("doubt.common_name", ["PERSON"])
def doubt_common_name(reading: Reading, find: Find) -> bool | None:
    """`på [lager]`, `[Antal] besök` .30 → nothing: more often a word than a name."""
    i = find.start
    if find.end > i + 1 or not reading.is_common(i):
        return None
    capital = not reading.doc[i].is_lower and not reading.begins(i)
    return None if capital or find.score >= reading.scores["common"] else True


@rule("doubt.term", NAMES)
def doubt_term(reading: Reading, find: Find) -> bool | None:
    """`[ischias]` .30 → nothing: a term in lower case, even if a place is called so."""
    if find.score >= reading.scores["plain"] or not get_text(reading, find).islower():
        return None
    return True if all(i in reading.negative for i in get_words(reading, find)) else None


@rule("doubt.namesake", NAMES)
def doubt_namesake(reading: Reading, find: Find) -> bool | None:
    """`[katten Sixten]`, `[Edinburgh-enkäten]` → nothing: called like somebody, and nobody.

    Once a message has told that Sixten is a cat, he is one wherever it names him. A weekday (`Tor 19.40`)
    is somebody if the model is sure.
    """
    if not reading.namesakes:
        return None
    words = get_words(reading, find)
    if find.score >= reading.scores["sure"] and reading.weekdays.issuperset(words):
        return None
    again = find.label == "PERSON" and get_text(reading, find) in reading.pets
    nobody = all(i in reading.namesakes or i in reading.no_names for i in words)
    return True if (again and not _is_called(reading, find)) or nobody else None


@rule("doubt.code", ["LOCATION", "ORGANISATION"])
def doubt_code(reading: Reading, find: Find) -> bool | None:
    """`lotnr [FK]2309` → nothing: letters that figures are glued to are part of a code."""
    after = reading.around(get_span(reading, find))[1]
    code = after[:1].isdigit() and get_text(reading, find).isupper()
    return True if code else None


@rule("doubt.compound", ["PERSON"])
def doubt_compound(reading: Reading, find: Find) -> bool | None:
    """`[Robin-bandage]` → nothing: a thing that is named after somebody. `[Ek-barnen]` are people."""
    last = find.end - 1
    if last - find.start != 2 or reading.doc[last - 1].text not in HYPHENS:
        return None
    tail = reading.doc[last]
    if not (reading.doc[find.start].is_title and tail.is_lower and len(tail) > MAX_SHORT):
        return None
    thing = reading.is_known(last) and last not in reading.named
    return True if thing and not tail.text.startswith(PEOPLE) else None


@rule("doubt.place_form", ["LOCATION"])
def doubt_place_form(reading: Reading, find: Find) -> bool | None:
    """`rum [12]` .30 → nothing: figures alone are a place only as a house or a postal code."""
    formed = any(map(str.isalpha, get_text(reading, find)))
    return None if formed or find.score >= reading.scores["formless"] else True


@rule("doubt.age_form", ["AGE"])
def doubt_age_form(reading: Reading, find: Find) -> bool | None:
    """`gravid 12 [veckor]` → nothing: a unit, or another word without a number, unless the model is rather sure."""
    text = get_text(reading, find).lower()
    if text in UNITS:
        return True
    number = any(map(str.isdigit, text)) or NUMBER.search(text)
    return None if number or find.score >= reading.scores["formless"] else True


@rule("doubt.bare_age", ["AGE"])
def doubt_bare_age(reading: Reading, find: Find) -> bool | None:
    """`[10]`, `[tolv]` .08 → nothing: a bare number as an age needs a score."""
    text = get_text(reading, find).lower()
    bare = not any(map(str.isalpha, text)) or BARE_WORDS.fullmatch(text)
    return True if bare and find.score < reading.scores["bare"] else None


@rule("doubt.date_form", ["DATE"])
def doubt_date_form(reading: Reading, find: Find) -> bool | None:
    """`[10- 12]` .70 → nothing: of a date that no rule knows the model is sure, more so without letters."""
    text = get_text(reading, find)
    if text in ORDINAL:
        return True
    formed = any(map(str.isalpha, text))
    return None if find.score >= reading.scores["formless" if formed else "figures"] else True


@rule("doubt.no_day", ["DATE"])
def doubt_no_day(reading: Reading, find: Find) -> bool | None:
    """`tryck [28/24]` → nothing: a fraction that is neither a day, a month and its year, nor two years in a row."""
    match = FRACTION.fullmatch(get_text(reading, find))
    if match is None:
        return None
    first, last = map(int, match.groups())
    dated = min(first, last) <= MONTHS or last == first + 1
    return None if dated else True


@rule("doubt.joined_number", ["PID", "PHONE"])
def doubt_joined_number(reading: Reading, find: Find) -> bool | None:
    """`TX4-[0098812345]` → nothing: a number that is glued to more is part of a code."""
    around = reading.around(get_span(reading, find))
    return True if any(map(JOINED.search, around)) else None


@rule("doubt.pid_digits", ["PID"])
def doubt_pid_digits(reading: Reading, find: Find) -> bool | None:
    """`[721214-69]` → nothing: a personnummer has 4, 10 or 12 digits. One too many or too few a pattern finds."""
    digits = sum(char.isdigit() or char in "oO" for char in get_text(reading, find))
    return None if digits in PID_DIGITS else True


@rule("doubt.phone_digits", ["PHONE"])
def doubt_phone_digits(reading: Reading, find: Find) -> bool | None:
    """`[0-10]` → nothing: a phone number has five digits at least."""
    digits = sum(map(str.isdigit, get_text(reading, find)))
    return None if digits >= PHONE_DIGITS else True


@rule("relabel.listed", NAMES)
def relabel_listed(reading: Reading, find: Find) -> str | None:
    """`[Volvo|PERSON]` .80 → `[Volvo|ORGANISATION]`: lists know just these words as one other class."""
    listed = reading.listed.get((find.start, find.end), set())
    if find.score < reading.scores["unlisted"] and len(listed) == 1:
        return next(iter(listed))
    return None


def _is_called(reading: Reading, find: Find) -> bool:
    beside = [i for i in (find.start - 1, find.end) if 0 <= i < len(reading.doc)]
    return any(reading.doc[i].lower_ in CALLED for i in beside)


def _is_lower_before_capital(reading: Reading, i: int) -> bool:
    following = reading.doc[i + 1 : i + 2].text
    return reading.doc[i].is_lower and following[:1].isupper()


def get_span(reading: Reading, find: Find) -> Span:
    return reading.doc[find.start : find.end]


def get_text(reading: Reading, find: Find) -> str:
    return get_span(reading, find).text


def get_words(reading: Reading, find: Find) -> list[int]:
    return [i for i in range(find.start, find.end) if not reading.doc[i].is_punct]
