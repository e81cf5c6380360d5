"""How the characters of a table are written. Only Swedish tells one-byte encodings apart: `charset-normalizer`
takes cp1252 for Mac Roman, and such a guess would hide the names with å, ä and ö in them.
"""

import codecs
import re
import unicodedata
from collections.abc import Iterable

from .errors import FileError

UTF_8 = "utf-8"
# Those that an office program on Windows, on a Mac and on DOS writes.
GUESSED = ("cp1252", "mac-roman", "cp850")
ENCODINGS = (UTF_8, "cp1252", "latin-1", "mac-roman", "cp850")
SWEDISH = frozenset("åäöÅÄÖéÉ")
# Where a letter is one: at the edge of a word it may be a quotation mark in another encoding, a capital
# within a word an accent.
EVIDENCE = re.compile("(?<=[a-zA-Z])[åäö](?=[a-z])|(?<=[A-Z])[ÅÄÖ](?=[A-Z])")
# What stands within a word; of these some are common in a text that was pasted.
INSIDE = re.compile(r"(?<=[a-zA-Z])[^\x00-\x7f’´–—…\xa0](?=[a-zA-Z])")
# So many Swedish letters for one within a word that is no letter.
ODD = 20
# Bytes of lines that are looked at.
SAMPLE = 1 << 20
# Letters without an accent that could be taken off.
PLAIN = {"ı": "i", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ŧ": "t"}
# The name of what writes characters that an encoding lacks.
BASE_LETTERS = "sv_deid_base_letters"


def find_encoding(lines: Iterable[bytes], name: str) -> str:
    """Find out how the characters of a file are written: in UTF-8, perhaps with lines that are
    broken, or in the one encoding in which its letters are Swedish.
    """
    n_valid = n_broken = size = 0
    sample = []
    for line in lines:
        if line.isascii():
            continue
        try:
            line.decode(UTF_8)
            n_valid += 1
        except UnicodeDecodeError:
            n_broken += 1
            if size < SAMPLE:
                sample.append(line)
                size += len(line)
    if n_valid >= n_broken:
        return UTF_8
    fitting = [] if n_valid else [each for each in GUESSED if is_swedish(b"".join(sample), each)]
    if len(fitting) != 1:
        raise FileError(
            f"{name} is not in UTF-8, and its letters do not tell in what else: name its encoding "
            f"(--encoding {', '.join(ENCODINGS[1:])}; --encoding {UTF_8} rejects the rows that are not)."
        )
    return fitting[0]


def is_swedish(data: bytes, encoding: str) -> bool:
    """Whether some text is Swedish if it is read in an encoding: most of its letters beyond ASCII
    are å, ä, ö and é, one of them stands within a word, and hardly any sign does.
    """
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return False
    letters = [char for char in text if char.isalpha() and not char.isascii()]
    n_swedish = sum(char in SWEDISH for char in letters)
    n_odd = sum(not char.isalpha() for char in INSIDE.findall(text))
    is_common = n_swedish > len(letters) / 2 and n_swedish >= ODD * n_odd
    return is_common and EVIDENCE.search(text) is not None


def _write_base(error: UnicodeError) -> tuple[str, int]:
    """A letter without its accent, `?` for what has none: one character for one, so that offsets stay
    true.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    out = []
    for char in error.object[error.start : error.end]:
        base = PLAIN.get(char) or unicodedata.normalize("NFKD", char)[0]
        out.append(base if base.isascii() else "?")
    return "".join(out), error.end


codecs.register_error(BASE_LETTERS, _write_base)
