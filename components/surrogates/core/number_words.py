"""Numbers in Swedish words: reading them, and writing others in the same style."""

from ...shared.words import read_words
from ...text.casing import fold, like_case

_WORDS = read_words(__file__, "words.txt")
ONES, TENS, ORDINALS = (_WORDS[name] for name in ("ones", "tens", "ordinals"))
ORDINAL_NUMBERS = {word: number for number, word in enumerate(ORDINALS, 1)} | {"förste": 1}
CENTURIES = {word: int(year) for word, year in (one.split("=") for one in _WORDS["centuries"])}


def spell(number: int) -> str:
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10 - 2] + (ONES[number % 10] if number % 10 else "")
    return "hundra" + (spell(number - 100) if number > 100 else "")


WORDS: dict[str, int] = {spell(number): number for number in range(1, 120)}
# Spoken forms: `femti`, `femtifem`, and `en` for one.
WORDS.update({word.replace("tio", "ti"): n for word, n in WORDS.items() if n >= 30})
WORDS["en"] = 1


def read_year(text: str) -> int | None:
    """Read a year with its century: `nittonhundranittionio`, `tjugohundra tre`, `tjugotjugofyra`."""
    folded = fold(text)
    for head, century in CENTURIES.items():
        if not folded.startswith(head):
            continue
        rest = folded.removeprefix(head).strip().removeprefix("och").strip()
        if not rest:
            return century if head != "tjugo" else None
        number = WORDS.get(rest)
        if number is not None and number < 100 and (number > 9 or head != "tjugo"):
            return century + number
    return None


def read_number(text: str) -> int | None:
    """Read a number in words: `nio`, `nionde`, `nittinio`, `nittonhundranittionio`, `tjugohundra tre`."""
    folded = fold(text)
    for numbers in (ORDINAL_NUMBERS, WORDS):
        if folded in numbers:
            return numbers[folded]
    return read_year(folded)


def spell_like(old: str, number: int) -> str:
    """Write another number in the style of one in words."""
    folded = fold(old)
    if folded in ORDINAL_NUMBERS:
        return like_case(old, ORDINALS[(number - 1) % len(ORDINALS)])
    if folded in WORDS:
        new = spell(number % 100 if number >= 1000 else number)
        spoken = WORDS[folded] >= 30 and folded != spell(WORDS[folded])
        return like_case(old, new.replace("tio", "ti") if spoken and number % 1000 >= 30 else new)
    own = next(head for head in CENTURIES if folded.startswith(head))
    heads = [head for head, century in CENTURIES.items() if century == number // 100 * 100]
    head = own if own in heads else heads[0] if heads else own
    rest = number % 100
    if head == "tjugo" and rest < 10:
        head = "tjugohundra"
    gap = " " if " " in folded and rest else ""
    return like_case(old, head + gap + (spell(rest) if rest else ""))
