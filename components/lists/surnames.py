"""The form of surnames: `Lindhammar`, `Torkelsson` and `Wikelius` look like surnames."""

import re


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split())


# fmt: off
# Parts of Swedish surnames: nature, points of the compass, the arms of the nobility.
STEMS = _split(
    "Alm Ask Björk Berg Bäck Dal Ek En Fors Furu Gran Grund Hag Hall Hav Hed Holm Hult Häger "
    "Kvarn Lager Lilj Lind Ljung Lund Lönn Löv Malm Mos Mån Norr Ny Näs Ol Ros Rön Ryd Sand Sjö "
    "Skog Skär Sol Stav Sten Strand Ström Stål Sund Svan Säv Söder Tall Torn Ull Vall Vass Vik "
    "Väster Vret Åker Ång Äng Älv Ö Öst Öster Brand Cron Dahl Ceder Frid Gyll Heller Hjelm Kall "
    "Lejon Ling Lod Myr Nord Palm Rydel Silfver Sparr Stjern Tern Wall Wester Wik Zetter Åström "
    "Örn"
)
ENDINGS = _split(
    "berg bergh blad blom bom borg brandt bring by dahl dal ell ander ahl elius én ensson er feldt "
    "fors gren grund hag hammar hult in ing kvist quist qvist lid lin lind ling lund löf löv man "
    "mark mo ner nér nell ning rud roth ryd sjö skog skiöld stam sted stedt sten strand ström stål "
    "svärd torp vall vik wall wik vret ås älv öhn"
)
# Further parts of existing surnames. No surrogate is made of these.
MORE_STEMS = _split(
    "Ahl Alf Blom Bo Bohl Borg Bro By Carl Ekel Eng Engel Erik Fager Falk Fri Gull Gust Gyllen "
    "Hammar Hede Hell Hessel Hjort Hög Isak Jern Karl Klint Kron Lill Linde Mel Mo Nor Rosen Sahl "
    "Sel Silver Ståhl Svart Sved Thor Thun Tor Wahl Wen Westen Wester Wid Win Åhl"
)
MORE_ENDINGS = ("holm", "näs", "fält", "malm", "lander", "gård", "bäck", "beck", "åker", "häll",
                "stad", "myr", "hagen", "heden", "born", "vig")
# Other words end like this, too: `sunder`, `lagning`.
PLAIN_ENDINGS = ("er", "ning")
# Endings that hardly any other word has.
SURE_ENDINGS = _split(
    "ander beck berg berger bergh blad blom bom borg borgh born brand brandt brant bring "
    "brink bäck dahl dal dell dius elius én enius ér estad éus falk feldt felt fjord fjäll "
    "fors forss fält gaard gard gert gren gård gårdh haag hag hage hagen hammar hammer hed "
    "heden heim hoff holm holtz hult häll inder inius klev klint kvist lander lind linde "
    "lund lundh löf löv löw malm man mann mark mell mert myr nell nert näs quist qvist rell "
    "roth rud rup ryd rydh sell sjö skiöld skog skoog sköld sson stam stedt stein strand "
    "strøm ström ståhl stål sund svärd säter tell torp vall wall xell zell åker öhn"
)
# Endings that hardly any compound of common words has.
COMPOUND_ENDINGS = ("berg", "bergh", "dahl", "gren", "kvist", "lund", "quist", "qvist", "sson",
                    "stedt")
# fmt: on
# Finnish, Slavic, Persian and Turkish endings.
BORROWED = (
    r".{2,}(?:[aouyäö]inen|(?:kk|lk|nk|nn|pp|rk|rt|rv|ss|tt|[iou]sk)[aiou]nen|järvi|koski|lahti"
    r"|mäki|niemi|vaara|[bcdghjklmnrsvz]ic|ić|ič|ski|[vw]ska|czyk|wicz|nejad|zadeh|o[gğ]lu)"
)
# One syllable or two, as Swedish builds them.
STEM = r"(?:[b-df-hj-np-tv-xz]{0,3}[aeiouyåäöé]{1,2}){1,2}[b-df-hj-np-tv-xz]{0,3}"
MIN_LENGTH = 5


def _any_of(parts: set[str]) -> str:
    return f"(?:{'|'.join(sorted(map(str.lower, parts)))})"


def _compile(*forms: str) -> re.Pattern:
    return re.compile(rf"(?=.{{{MIN_LENGTH}}})(?:{'|'.join(forms)})s?")


_OF_PARTS = _any_of({*STEMS, *MORE_STEMS}) + _any_of({*ENDINGS, *MORE_ENDINGS} - {*PLAIN_ENDINGS})
_WORD = _compile(_OF_PARTS, STEM + _any_of({*SURE_ENDINGS}), BORROWED)
_COMPOUND = _compile(_OF_PARTS, STEM + _any_of({*COMPOUND_ENDINGS}))


def has_surname_form(word: str, compound: bool) -> bool:
    """Whether a word looks like a surname, also in the genitive.

    word (str): A word that is in no list of words, folded and in lower case.
    compound (bool): Whether it may be a compound of ordinary words. Such a one must be of the parts
        of names, or have an ending that compounds hardly have.
    RETURNS (bool): Whether it does.
    """
    return bool((_COMPOUND if compound else _WORD).fullmatch(word))
