"""What an output shows of the originals."""

import os.path
import re
from collections.abc import Iterator

from components.text.casing import fold
from lab.measures.surrogate_mentions import Mention
from lab.surrogate_checks.base import Case, Check, Talk, gather, tell
from lab.surrogate_checks.known import PARTICLES, WORD, Known

SHARING = ("PERSON", "LOCATION", "ORGANISATION", "EMAIL")
RUN = 4  # letters in a row
WHOLE = 3  # a word so long shows in one that is as much longer and begins with it: `Eva`, `Evalena`
SHORTEST = 3  # a word of so many letters is looked for in the output
COMPOUND = 4  # and one of so many in longer words
INHABITANTS = re.compile(r"bo(?:r|rna|n)?s?$")
# `Soc.sekr.` stands in front of a name.
ABBREVIATED = re.compile(r"(?:[^\W\d_]{2,}\.|[^\W\d_]{2,3}-(?=[^\W\d_]+\.))+")
TITLE_WORDS = frozenset(
    ("gode", "mannen", "mäster", "pan", "biträdande", "at", "st", "lss", "fysion")
)
# What says of the name of an organisation what it is, in whatever compound.
KIND_STEM = re.compile(
    r"sjuk(?:hus|vård)\w*|(?:s?tand|barn|hus|familje|specialist)?läkar\w*|central\w*|polis\w*|s?försäkring\w*|"
    r"apote[ka]\w*|tolk\w*|\w*kyrka\w*|camping\w*|trafik\w*|förbund\w*|region\w*|^(?:tak|plåt|lss|ica|hk)$"
)
SIDES = ("över", "neder", "norr", "söder", "öster", "väster", "upp", "mellan")
# A postal code is one number: its beginning is the area's.
NUMBER = re.compile(r"\b\d{3}\s\d\d\b|\d+")
# Places too large to point at anybody.
LARGE = {"county", "continent", "province", "worldregion"}
LARGE_WORDS = re.compile(r"\b(län|region|regionen|landsting\w*)\b")
# What an office, and no person, is called in its address.
FUNCTION_WORDS = """
noreply no-reply donotreply do-not-reply svaraej svara-ej info information kontakt contact support
boka bokningen reservation ombokning brevlada brevlåda kontoret epost support service helpdesk hc vc halsocentral
kundservice kundtjanst kundtjänst kansli kansliet expedition expeditionen reception receptionen
registrator diarium bokning tidbokning remiss remisser mottagning mottagningen vardcentral
vardcentralen vårdcentralen faktura fakturor ekonomi lon lön personal hr jobb rekrytering press
webmaster postmaster admin office hello hej mail post brev skola rektor skolskoterska bvc mvc apotek
apoteket order butik butiken styrelsen medlem patientnamnden patientnamnd arkiv journal
"""
FUNCTIONS = frozenset(FUNCTION_WORDS.split())


def is_meant_to_stay(mention: Mention, known: Known) -> bool:
    """Whether an original points at nobody: one of its kind in the whole country, an institution that
    any town has, a county.

    mention (Mention): The mention.
    known (Known): The lists.
    RETURNS (bool): Whether it may stay.
    """
    text = fold(mention.original)
    forms = {text, re.sub(r"[':]?s$", "", text)}
    if mention.label == "ORGANISATION":
        return not forms.isdisjoint(known.units | known.nationwide)
    if mention.label == "LOCATION":
        rows = [row for form in forms for row in known.places.get(form, ())]
        return any(row["kind"] in LARGE for row in rows) or bool(LARGE_WORDS.search(text))
    return False


def is_functional(address: str) -> bool:
    """Whether an e-mail address is that of an office.

    address (str): The address.
    RETURNS (bool): Whether it is.
    """
    local = fold(address).partition("@")[0]
    return local in FUNCTIONS or re.split(r"[.+_-]", local)[0] in FUNCTIONS


def get_telling_words(label: str, text: str, known: Known) -> list[str]:
    """Read the words of an original or a surrogate that tell which one it is: no titles, no kinds.

    label (str): Its class.
    text (str): The text.
    known (Known): The lists.
    RETURNS (list[str]): Folded words.
    """
    folded = fold(text)
    if label == "EMAIL":
        return WORD.findall(folded.partition("@")[0])
    if label == "PERSON":
        words = WORD.findall(ABBREVIATED.sub("", text)) or WORD.findall(text)
        while len(words) > 1 and _is_title(words[0], known):
            del words[0]
        return [word for word in map(fold, words) if word not in PARTICLES]
    return [word for word in WORD.findall(folded) if not known.is_kind(word)]


def _is_title(word: str, known: Known) -> bool:
    """`sköterska`, and `ögonsköterska` by its end. `Bo` and `Bror` may be names, `bror` is none."""
    folded = fold(word)
    if folded in TITLE_WORDS:
        return True
    if word[0].isupper() and known.is_name(folded):
        return False
    return folded in known.titles or any(
        folded[start:] in known.titles for start in range(2, len(folded) - COMPOUND)
    )


def get_shared(mention: Mention, known: Known) -> str:
    """Find what a surrogate shares with its original.

    mention (Mention): The mention.
    known (Known): The lists.
    RETURNS (str): A word, some letters or a number, "" if it shares none.
    """
    old, new = (
        get_telling_words(mention.label, text, known)
        for text in (mention.original, mention.surrogate)
    )
    for one in old:
        for other in new:
            pair = (one, other)
            if mention.label in ("LOCATION", "ORGANISATION") and (one != other or len(old) > 1):
                pair = _cut_common_noun(one, other, known)
            if mention.label == "ORGANISATION":
                pair = KIND_STEM.sub("", pair[0]), KIND_STEM.sub("", pair[1])
            if shared := _compare(*map(known.get_core, pair)):
                return shared
            short, long = sorted((one, other), key=len)
            if len(short) >= WHOLE and len(long) - len(short) >= WHOLE and long.startswith(short):
                return short
    if mention.label == "PERSON":
        return ""
    numbers, others = (
        NUMBER.findall(text.partition("@")[0]) for text in (mention.original, mention.surrogate)
    )
    return next((number for number in numbers if number in others), "")


def _cut_common_noun(one: str, other: str, known: Known) -> tuple[str, str]:
    """Take away what two words say of their kind: `Pfizersprutan` and `Modernasprutan` are both a
    `spruta`, a `Bröstcentrum` is one wherever it is, `Överkalix` and `Övertorneå` lie upstream."""
    if INHABITANTS.search(one) and INHABITANTS.search(other):
        return INHABITANTS.sub("", one), INHABITANTS.sub("", other)
    for side in SIDES:
        if one.startswith(side) and other.startswith(side):
            return one[len(side) :], other[len(side) :]
    common = os.path.commonprefix([one[::-1], other[::-1]])[::-1]
    for start in range(len(common) - COMPOUND + 1):
        noun = common[start:]
        if noun in known.ordinary or noun in known.kinds:
            rest, other_rest = one.removesuffix(noun), other.removesuffix(noun)
            if rest == other_rest and {rest, rest.removesuffix("s")} & known.ordinary:
                return "", ""
            return rest, other_rest
    return one, other


def _compare(one: str, other: str) -> str:
    if one == other and len(one) > 1:
        return one
    runs = (one[i : i + RUN] for i in range(len(one) - RUN + 1))
    return next((run for run in runs if run in other), "")


def check_shared_letters(talk: Talk, known: Known) -> Check:
    """No surrogate shares a word, four letters in a row or a number with its original, beyond titles,
    kinds and endings."""

    def find() -> Iterator[Case | None]:
        for mention in talk.of(*SHARING):
            if is_meant_to_stay(mention, known) or is_same(mention):
                continue
            if mention.label == "EMAIL" and is_functional(mention.original):
                continue
            shared = get_shared(mention, known)
            yield tell(mention, f"both hold {shared!r}") if shared else None

    return gather(find())


def is_same(mention: Mention) -> bool:
    """Whether a surrogate is its original, but for casing, spaces and hyphens.

    mention (Mention): The mention.
    RETURNS (bool): Whether it is.
    """
    old, new = (re.sub(r"[\s-]", "", fold(text)) for text in (mention.original, mention.surrogate))
    return old == new


def check_unchanged(talk: Talk, known: Known) -> Check:
    """Nothing stays as it is that points at somebody."""
    return gather(
        tell(mention, "unchanged") if is_same(mention) else None
        for mention in talk.mentions
        if not is_meant_to_stay(mention, known)
    )


def check_pet_forms(talk: Talk, known: Known) -> Check:
    """No new name is short for an old one, nor an old one for a new one."""

    def find() -> Iterator[Case | None]:
        for mention in talk.of("PERSON"):
            old, new = (
                {known.get_base(word) for word in get_telling_words("PERSON", text, known)}
                for text in (mention.original, mention.surrogate)
            )
            if not any(map(known.is_name, old)):
                continue
            pet = _find_pet(old, new, known) or _find_pet(new, old, known)
            yield tell(mention, f"{pet} is a form of the other") if pet else None

    return gather(find())


def _find_pet(nicks: set[str], names: set[str], known: Known) -> str:
    return next((nick for nick in sorted(nicks) if known.names_of.get(nick, set()) & names), "")


def check_remaining(talk: Talk, known: Known) -> Check:
    """No word of an original is anywhere in the output of its conversation, nor begins a longer word
    there. What its own surrogate shares is not told again."""
    words: dict[str, Mention] = {}
    staying: set[str] = set()
    for mention in talk.of("PERSON", "LOCATION", "ORGANISATION"):
        telling = get_telling_words(mention.label, mention.original, known)
        if is_meant_to_stay(mention, known):
            staying.update(telling)
        elif not get_shared(mention, known):
            own = set(WORD.findall(fold(mention.surrogate)))
            words.update(
                (known.get_base(word), mention)
                for word in telling
                if len(word) >= SHORTEST and word not in own
            )
    tokens: dict[str, str] = {}
    for message, text in talk.outputs:
        for match in WORD.finditer(text):
            word = fold(match[0])
            # `sten` is no Sten, `Sten` may be one.
            if word not in known.ordinary or match[0][0].isupper():
                tokens.setdefault(word, message)
    # That a surrogate is a longer word is chance.
    new = {fold(word) for mention in talk.mentions for word in WORD.findall(mention.surrogate)}
    begins = {
        token[:n]: token
        for token in tokens.keys() - new
        if token not in known.ordinary
        for n in range(COMPOUND, len(token))
    }

    def find() -> Iterator[Case | None]:
        for word, mention in words.items():
            if word in staying:
                continue
            left = next((form for form in (word, f"{word}s") if form in tokens), begins.get(word))
            yield Case(tokens[left], mention.original, left, "still there") if left else None

    return gather(find())
