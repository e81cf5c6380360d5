"""What the text around a name tells of the organisation."""

import re
from collections.abc import Sequence
from itertools import pairwise

from ..core.scope import Mention

BEFORE, BEHIND = 30, 25  # so much of the text around is read
# By type, the words that speak for it, two joined by `_`; the first that fits counts.
CUES = {
    "prison": """
        avtjänar avtjänat häktad häktet intagen intagna anstalt anstalten fängelse fängelset muckar sitter_på satt_på
        sitter_inne
    """,
    "medicine": "sätta_in sätter_in satte_in insatt utsatt sätta_ut biverkning biverkningar spiral allergisk",
    "care_home": """
        bor bo bott bodde boende boendet flyttat flyttade flyttar flytta enhetschef enhetschefen växelvård korttids
        korttidsplats demensboende äldreboende vårdboende gruppbostaden
    """,
    "housing": """
        granne grannar grannarna hyresvärd hyresvärden tvättstuga tvättstugan samfällighet trapphuset hyr_av hyra_av
        hyrt_av hyr_hos hyreskontrakt hyresgäst
    """,
    "industry": """
        jobba jobbar jobbat jobbade jobbet jobb arbeta arbetar arbetade anställd praktik praktikant chef chefen skift
        arbetsgivare arbetsgivaren kollegor fabriken lagret truck
    """,
    "school": """
        elev elever eleven klass klassen lärare läraren rektor rektorn mentor mentorn åk årskurs pluggar pluggade
        plugga studerar studerade läser_på läste_på termin terminen skolsköterska skolsköterskan
    """,
    "sport": "tränar tränare spelar match matchen laget träning träningen klubben coach coachen",
    "bank": "lån lånet kontot bolån bolånet ränta räntan swisha swishat",
    "shop": "handlade handlat handlar köpa köpte köpt beställt affären butiken",
}
TYPES = (*CUES,)
RANKS = {word: rank for rank, words in enumerate(CUES.values()) for word in words.split()}
WORD = re.compile(r"[^\W\d_]+")
AT_WORK = ("prison", "care_home", "industry", "school")  # where nobody is `på` a town


def guess_types(mentions: Sequence[Mention]) -> dict[str, str]:
    """Tell the types of organisations by what stands around their mentions: on the job, at school,
    at home. Of several words that say something, the one that says most counts."""
    ranks: dict[str, int] = {}
    for mention in mentions:
        around = f"{mention.before[-BEFORE:]}\n{mention.after[:BEHIND]}".lower()
        found = _rank(WORD.findall(around))
        if found:
            ranks[mention.text] = min(*found, ranks.get(mention.text, len(TYPES)))
    return {text: TYPES[rank] for text, rank in ranks.items()}


def is_at_work(mention: Mention) -> bool:
    """Whether somebody works, studies or lives right there: `jobbar på Klippan` is at no town."""
    words = WORD.findall(mention.before[-BEFORE:].lower())[-2:]
    found = _rank(words) if words[1:] == ["på"] else []
    return bool(found) and TYPES[min(found)] in AT_WORK


def _rank(words: Sequence[str]) -> list[int]:
    cues = (*words, *map("_".join, pairwise(words)))
    return [RANKS[cue] for cue in cues if cue in RANKS]
