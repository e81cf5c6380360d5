"""Examples to begin with. All people and numbers are made up."""

from typing import Any

# What each fills in of the form (`Asked`).
EXAMPLES: dict[str, dict[str, Any]] = {
    "mother": {
        "text": (
            "Hej, det är Karin Sjöberg (mamma till Elsa, 4 år). Vi bor på Storgatan 12 i Umeå nu. Har ni fått "
            "remissen från Norrlands universitetssjukhus den 12 mars? Når mig på 070-174 06 41. /Karin"
        ),
    },
    "conversation": {
        "text": (
            "lindgren här igen, har fortfarande ont i knät efter operationen den 3 maj\n\n"
            "Hej Anna! Hur mår du i övrigt? Stämmer ditt nummer, 070-174 06 05? /Syster Birgitta\n\n"
            "japp det stämmer. annas mamma Gunilla kan hämta mig, hon bor i Kungälv. hälsa birgita"
        ),
        "split": "paragraphs",
        "known": [{"name": "Anna Lindgren", "pid": "900101-2385", "phone": "0701740605"}],
    },
    "doubts": {
        "text": (
            "Har Parkinsons och tar Alvedon 500 mg 3 ggr/dag, 3/10 i vila. Smärtan är 7/10 sedan 5 år. Jag är "
            "gravid i vecka 32+4. Kurvan planar ut. Öppet 10-12? Hunden heter Bamse. MVH Rut Ek"
        ),
    },
    "more": {
        "text": (
            "Ärendenr K-2024-1234. Bilden ligger på www.annasblogg.se/knä och jag heter anna.b90 på insta. "
            "Mejla anna.berg@telia.com, bankgiro 5050-1055, min bil ABC 123. /Anna Berg"
        ),
        "classes": ["URL", "PROFILE", "PLATE", "BANKGIRO", "CASE_NUMBER"],
    },
    "table": {
        "text": (
            "Hej, jag heter Omar Haddad och behöver förnya mitt recept på Waran.\n"
            "Kan ni ringa min dotter Leila på 073-123 45 67? Hon är 34 år.\n"
            "Fick tid den 14 juni på hudkliniken i Lund men kan inte komma. 19900101-2385\n"
            "Tack för hjälpen!"
        ),
        "split": "lines",
        "together": False,
    },
}
