"""What a surrogate shows of its original."""

import re
from collections.abc import Iterable, Iterator

from ...shared.words import read_words
from ...text.casing import fold
from ...text.compounds import PARTICLES

RUN = 4  # so many letters in a row are not there by chance
# A word of so many letters shows in one that begins with it and has as many more.
GOES_ON = 3
WORD = re.compile(r"[^\W\d_]+")
NUMBER = re.compile(r"\d+")
_WORDS = read_words(__file__, "words.txt")
KINDS = PARTICLES.union(map(fold, _WORDS["kinds"]))
# The longest first, so that `ström` is not left of `gårdsström`.
_ENDINGS = sorted({*map(fold, _WORDS["endings"])}, key=lambda ending: (-len(ending), ending))
ENDING = re.compile(f"(?<=..)(?:{'|'.join(_ENDINGS)})s?$")


class Shown:
    """What a surrogate must not show of an original: a word, four letters in a row, a word that begins with a
    whole one (`Ing-Marie`, `Ingvarsson`), or a number. Kinds (`Storgatan`, `vårdcentral`) and endings
    (`Andersson`, `Linköping`) do not count."""

    def __init__(self, original: str) -> None:
        words = [*_cut(original)]
        self._cores = {core for core, _ in words}
        self._runs = {run for _, rest in words for run in get_runs(rest, RUN)}

    def is_in(self, new: str) -> bool:
        words = [*_cut(new)]
        cores = {core for core, _ in words}
        if not self._cores.isdisjoint(cores):
            return True
        if any(run in self._runs for _, rest in words for run in get_runs(rest, RUN)):
            return True
        pairs = (self._cores, cores), (cores, self._cores)
        return any(_begins(core, others) for ones, others in pairs for core in ones)


def shows(original: str, new: str) -> bool:
    return Shown(original).is_in(new)


def _begins(core: str, others: Iterable[str]) -> bool:
    """Whether one of others begins with a word and goes on."""
    least = len(core) + GOES_ON
    return len(core) >= GOES_ON and any(len(o) >= least and o.startswith(core) for o in others)


def _cut(text: str) -> Iterator[tuple[str, str]]:
    """What tells which one is meant: numbers, and words without their endings; each word also with the
    letter that its ending begins with, as that is the same of `Ekerö` and `Öckerö`. A word in the
    genitive is the word."""
    folded = fold(text)
    yield from ((number, "") for number in NUMBER.findall(folded))
    for word in WORD.findall(folded):
        if word in KINDS or word.removesuffix("s") in KINDS:
            continue
        core = ENDING.sub("", word)
        longer = word[: len(core) + 1]
        if core == word and len(word) > 2:
            core = longer = word.removesuffix("s")
        if len(core) > 1:
            yield core, longer


def get_runs(word: str, length: int) -> Iterator[str]:
    """Get each run of so many letters of a word; none of a shorter word."""
    return (word[i : i + length] for i in range(len(word) - length + 1))
