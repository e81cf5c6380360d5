"""What a surrogate shows of its original."""

import re
from collections.abc import Iterable, Iterator

from ...text.casing import fold
from ...text.particles import PARTICLES

RUN = 4  # so many letters in a row are not there by chance
# A word of so many letters shows in one that begins with it and has as many more.
GOES_ON = 3
WORD = re.compile(r"[^\W\d_]+")
NUMBER = re.compile(r"\d+")
# Words that say what something is, or where it lies, and not which one it is.
KIND_WORDS = """
ab hb kb bk fc ff fk ik if sk koh gili isle aktiebolag och i på vid för av till hos de la le von af al el sankt
sankta st norra södra östra västra övre nedre stora lilla gamla nya inre yttre centrala norr söder
kommun kommunen kommuns region regionen landsting landstinget stad stads city centrum centralstation
station hamn flygplats torget torg gatan vägen gränd gård gården park parken sjukhus sjukhuset
lasarett lasarettet universitetssjukhus universitetssjukhuset länssjukhus länssjukhuset vårdcentral
vårdcentralen hälsocentral hälsocentralen läkarmottagning mottagning mottagningen klinik kliniken
folktandvården tandvård tandläkare apotek apoteket skola skolan förskola förskolan gymnasium gymnasiet
äldreboende boende boendet hemtjänst hemtjänsten vc vårdc hc bvc bup bmm mvc ftv öpv kvk avdelning avd
barnavårdscentral barnavårdscentralen psykiatri psykiatrin öppenvård öppenvården rehab tingsrätt
tingsrätten hovrätt hovrätten förvaltningsrätt förvaltningsrätten polis polisen universitet
universitetet högskola högskolan församling församlingen förening föreningen bibliotek biblioteket
anstalten häktet försäkring försäkringar bank banken
väg riksväg länsväg rv lv an gata allé allén stig stigen plats plan backe backen leden län socken
sjön sjö älv älven å ö ön kanal havet hav berget skog skogen strand stranden station flygplats airport doktor
tr trappor lgh lägenhet uppg uppgång vån våning
"""
KINDS = frozenset(fold(KIND_WORDS).split()) | PARTICLES
# What many names and places end with.
ENDINGS = """
sson son ström stroem berg lund gren kvist qvist man mann dahl dal blad holm borg stedt strand fors
mark bäck sten gård skog torp ius ling ovic ović owski ewski owska sen köping ping stad sta hult sjö sund
vik viken näs by byn hamn ås ö ön ryd rud arp löv inge um unda tuna åker vall vattnet träsk bro bruk hyttan
ovski ovska evski evska owska ski ska sky cki cka skij skaja skaya wicz czyk enko chuk opoulos opoulou idis
iadis idou akis adis inen nen mäki niemi dottir ov ova ev eva evic yan ian zadeh zada zai oglu ullah escu
gatan gata vägen väg gränd gränden stigen stig allén allé torget torg plan platsen backen backe leden
älven sjön fjärden holmen holmarna skär skäret öarna
land parken kajen stranden gården gårds skolan förskolan gymnasiet hemmet boendet mottagningen kliniken
sjukhuset lasarettet vårdcentral vårdcentralen apoteket centralen kyrkan bygden området borg
"""
# The longest first, so that `ström` is not left of `gårdsström`.
ENDING = re.compile(
    f"(?<=..)(?:{'|'.join(sorted({*fold(ENDINGS).split()}, key=lambda e: (-len(e), e)))})s?$"
)


class Shown:
    """What a surrogate must not show of an original: a word, four letters in a row, a word that begins with a
    whole one (`Ing-Marie`, `Ingvarsson`), or a number. Kinds (`Storgatan`, `vårdcentral`) and endings
    (`Andersson`, `Linköping`) do not count."""

    def __init__(self, original: str) -> None:
        words = [*_cut(original)]
        self._cores = {core for core, _ in words}
        self._runs = {run for _, rest in words for run in get_runs(rest, RUN)}

    def is_in(self, new: str) -> bool:
        """Whether a surrogate shows it."""
        words = [*_cut(new)]
        cores = {core for core, _ in words}
        if not self._cores.isdisjoint(cores):
            return True
        if any(run in self._runs for _, rest in words for run in get_runs(rest, RUN)):
            return True
        pairs = (self._cores, cores), (cores, self._cores)
        return any(_begins(core, others) for ones, others in pairs for core in ones)


def shows(original: str, new: str) -> bool:
    """Whether a surrogate shows a part of its original (`Shown`)."""
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
