"""Which values are worth looking for."""

import re

from ..text.folding import fold_text
from ..text.numbers import POSTAL_CODE
from ..text.phone_numbers import read_phone
from ..text.validators import digits_of
from .email_finder import get_addresses
from .words import WORDS

# The least length of a value that is looked for, in digits or letters.
MIN_PHONE, MIN_NAME, MIN_OTHER = 5, 2, 2
PID_LENGTHS = frozenset((4, 10, 12))
# Written where nothing is known.
PLACEHOLDERS = frozenset(WORDS["placeholders"])


def is_informative(label: str, value: str) -> bool:
    """Whether a value can identify somebody. `+46`, `-` and `okänd` cannot."""
    value = fold_text(value).text.strip()
    signs = [char for char in value.lower() if char.isalnum()]
    if len({*signs}) < 2 or "".join(signs) in PLACEHOLDERS:
        return False
    if label == "PHONE":
        return len(read_phone(value).digits) >= MIN_PHONE
    if label == "PID":
        return len(digits_of(value)) in PID_LENGTHS
    if label == "EMAIL":
        return bool(next(get_addresses(re.sub(r"\s*@\s*", "@", value)), None))
    if label == "PERSON":
        return sum(map(str.isalpha, value)) >= MIN_NAME
    if label == "LOCATION":
        return bool(re.search(r"[^\W\d_]{3}", value) or POSTAL_CODE.search(value))
    return len(signs) >= MIN_OTHER
