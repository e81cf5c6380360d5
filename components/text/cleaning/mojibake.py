"""UTF-8 that was read as Latin-1 or Windows-1252: `Ã¥` for `å`.

No library does it: what repairs text (`ftfy`) gives a new text, and not from where in the old one
each character of it is. The damage itself is exact, one character for each byte, and so is this.
"""

import re

from .edits import Edit


def _read_byte(byte: int) -> str:
    return bytes([byte]).decode("cp1252", "ignore") or chr(byte)


# What each byte looks like in Windows-1252, and in Latin-1, where it is another character.
BYTES = {chr(byte): byte for byte in range(0x80, 0x100)}
BYTES |= {_read_byte(byte): byte for byte in range(0x80, 0x100)}
FOLLOWERS = "".join(char for char, byte in BYTES.items() if byte < 0xC0)
_FOLLOWER = f"[{re.escape(FOLLOWERS)}]"
MOJIBAKE = re.compile(
    rf"[\xc2-\xdf]{_FOLLOWER}|[\xe0-\xef]{_FOLLOWER}{{2}}|[\xf0-\xf4]{_FOLLOWER}{{3}}"
)
# Correct text may look like mojibake: a letter at the end of a Nordic word and a sign after it, as
# in `HALLÅ…` and `så…”`.
NORDIC = frozenset("ÅÄÖÆØÉÜåäæàéèêë")
AFTER_WORDS = frozenset("…“”„‘’‚–—«»‹›•°´\xa0")


def find_mojibake(text: str) -> list[Edit]:
    """Find what was read in the wrong encoding."""
    found = [
        (Edit(*match.span(), char), _is_sure(match[0]))
        for match in MOJIBAKE.finditer(text)
        if (char := bytes(BYTES[sign] for sign in match[0]).decode("utf8", "ignore"))
    ]
    is_broken = any(is_sure for _, is_sure in found)
    return [edit for edit, is_sure in found if is_sure or is_broken and edit.end - edit.start == 2]


def _is_sure(chars: str) -> bool:
    return chars[0] not in NORDIC or not AFTER_WORDS.issuperset(chars[1:])
