"""Surrogates of vehicle plates."""

from collections.abc import Iterator

from ..core.scope import Scope
from .codes import DIGITS, Codes, draw_characters, replaces

# Transportstyrelsen: the letters of plates; O is not the last one.
LETTERS = "ABCDEFGHJKLMNOPRSTUWXYZ"
LAST = LETTERS.replace("O", "")
UNUSED = "IQV"


@replaces("PLATE")
class Plates(Codes):
    """Replaces plates by such as no vehicle has: their first letter is I, Q or V. Personal plates become
    one of three letters and digits, too, as far as they are as long.
    """

    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        kinds = [DIGITS if char.isdigit() else LETTERS for char in core]
        if not core[-1].isdigit():
            kinds[-1] = LAST
        kinds[0] = UNUSED
        return draw_characters(core, kinds, scope, "plate")
