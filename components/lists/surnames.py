"""The form of surnames: `Lindhammar`, `Torkelsson` and `Wikelius` look like surnames."""

import re
from collections.abc import Collection

from ..shared.words import read_words

PARTS = read_words(__file__, "surnames.txt")
# Other words end like this, too: `sunder`, `lagning`.
PLAIN_ENDINGS = ("er", "ning")
# Finnish, Slavic, Persian and Turkish endings.
BORROWED = (
    r".{2,}(?:[aouyäö]inen|(?:kk|lk|nk|nn|pp|rk|rt|rv|ss|tt|[iou]sk)[aiou]nen|järvi|koski|lahti"
    r"|mäki|niemi|vaara|[bcdghjklmnrsvz]ic|ić|ič|ski|[vw]ska|czyk|wicz|nejad|zadeh|o[gğ]lu)"
)
# One syllable or two, as Swedish builds them.
STEM = r"(?:[b-df-hj-np-tv-xz]{0,3}[aeiouyåäöé]{1,2}){1,2}[b-df-hj-np-tv-xz]{0,3}"
MIN_LENGTH = 5


def _any_of(*names: str, but: Collection[str] = ()) -> str:
    parts = {part.lower() for name in names for part in PARTS[name]} - {*but}
    return f"(?:{'|'.join(sorted(parts))})"


def _compile(*forms: str) -> re.Pattern:
    return re.compile(rf"(?=.{{{MIN_LENGTH}}})(?:{'|'.join(forms)})s?")


_OF_PARTS = _any_of("stems", "more_stems") + _any_of("endings", "more_endings", but=PLAIN_ENDINGS)
_WORD = _compile(_OF_PARTS, STEM + _any_of("sure_endings"), BORROWED)
_COMPOUND = _compile(_OF_PARTS, STEM + _any_of("compound_endings"))


def has_surname_form(word: str, compound: bool) -> bool:
    """Whether an unlisted word looks like a surname. A compound needs surer parts or endings."""
    return bool((_COMPOUND if compound else _WORD).fullmatch(word))
