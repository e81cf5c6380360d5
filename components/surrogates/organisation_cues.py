"""What the text around a name tells of the organisation."""

import re
from collections.abc import Sequence

from .keyed import Mention

BEFORE, BEHIND = 30, 25  # so much of the text around is read
# By type, the words that speak for it; the first that fits counts.
CUES: tuple[tuple[str, str], ...] = (
    ("industry", r"\b(?:jobba[rt]?|jobbade|jobbet?|arbeta[rt]?|arbetade|anställd|praktik(?:ant)?|chefen?|skift|"
     r"arbetsgivaren?|kollegor(?:na)?|fabriken|lagret|truck)\b"),
    ("school", r"\b(?:elev(?:er|en)?|klass(?:en)?|lärare(?:n)?|rektorn?|mentorn?|åk|årskurs|pluggar|studerar|"
     r"skolsköterskan?)\b"),
    ("sport", r"\b(?:tränar|tränare|spelar|matchen?|laget|träningen?|klubben|coachen?)\b"),
    ("bank", r"\b(?:lån(?:et)?|kontot|bolånet?|räntan?|swish(?:a|at)?)\b"),
    ("shop", r"\b(?:handlade|handlat|köpte?|köpt|beställt|affären|butiken)\b"),
    ("brand", r"\b(?:läkar(?:e|en|tid)|doktorn?|dr|ssk|sköterskan?|sjuksköterska|remiss(?:en)?|remitterad|tid|"
     r"provtagning(?:en)?|prover(?:na)?|besök(?:et)?|inskriven|inlagd|opererad|operation(?:en)?|mottagning(?:en)?|"
     r"vård(?:en|as|ats)?|utredning(?:en)?|patient|behandling(?:en)?|journal(?:en)?|röntgen|kallelsen?|bokad|"
     r"recept(?:et)?|medicin(?:en)?|på|från|via|hos|till)\b"),
)  # fmt: skip
CUE = re.compile("|".join(f"(?P<c{i}>{pattern})" for i, (_, pattern) in enumerate(CUES)), re.I)


def guess_types(mentions: Sequence[Mention]) -> dict[str, str]:
    """Tell the types of organisations by what stands around their mentions: on the job, at school,
    in care. Of several mentions that say something, the first that says most counts.

    mentions (Sequence[Mention]): The mentions.
    RETURNS (dict[str, str]): The type by the text of the mention, where it is known.
    """
    ranks: dict[str, int] = {}
    for mention in mentions:
        around = f"{mention.before[-BEFORE:]}\n{mention.after[:BEHIND]}"
        found = [int((match.lastgroup or "c0")[1:]) for match in CUE.finditer(around)]
        if found:
            ranks[mention.text] = min(*found, ranks.get(mention.text, len(CUES)))
    return {text: CUES[rank][0] for text, rank in ranks.items()}
