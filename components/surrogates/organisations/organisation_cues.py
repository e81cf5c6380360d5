"""What the text around a name tells of the organisation."""

import re
from collections.abc import Sequence

from ..core.scope import Mention

BEFORE, BEHIND = 30, 25  # so much of the text around is read
# By type, the words that speak for it; the first that fits counts.
CUES = {
    "care_home": """
        bor bo bott bodde boende boendet flyttat flyttade flyttar flytta enhetschef enhetschefen växelvård korttids
        korttidsplats demensboende äldreboende vårdboende
    """,
    "housing": "granne grannar grannarna hyresvärd hyresvärden tvättstuga tvättstugan samfällighet trapphuset",
    "industry": """
        jobba jobbar jobbat jobbade jobbet jobb arbeta arbetar arbetade anställd praktik praktikant chef chefen skift
        arbetsgivare arbetsgivaren kollegor fabriken lagret truck
    """,
    "school": """
        elev elever eleven klass klassen lärare läraren rektor rektorn mentor mentorn åk årskurs pluggar studerar
        skolsköterska skolsköterskan
    """,
    "sport": "tränar tränare spelar match matchen laget träning träningen klubben coach coachen",
    "bank": "lån lånet kontot bolån bolånet ränta räntan swisha swishat",
    "shop": "handlade handlat handlar köpa köpte köpt beställt affären butiken",
    "brand": """
        läkare läkaren läkartid doktor doktorn dr ssk sköterska sköterskan sjuksköterska remiss remissen remitterad tid
        provtagning provtagningen prover proverna besök besöket inskriven inlagd opererad operation operationen
        mottagning mottagningen vård vården vårdas vårdats utredning utredningen patient behandling behandlingen journal
        journalen röntgen kallelse kallelsen bokad recept receptet medicin medicinen på från via hos till
    """,
}
TYPES = (*CUES,)
RANKS = {word: rank for rank, words in enumerate(CUES.values()) for word in words.split()}
WORD = re.compile(r"[^\W\d_]+")


def guess_types(mentions: Sequence[Mention]) -> dict[str, str]:
    """Tell the types of organisations by what stands around their mentions: on the job, at school,
    in care. Of several words that say something, the one that says most counts."""
    ranks: dict[str, int] = {}
    for mention in mentions:
        around = f"{mention.before[-BEFORE:]}\n{mention.after[:BEHIND]}".lower()
        found = [RANKS[word] for word in WORD.findall(around) if word in RANKS]
        if found:
            ranks[mention.text] = min(*found, ranks.get(mention.text, len(TYPES)))
    return {text: TYPES[rank] for text, rank in ranks.items()}
