"""The words of the page, by language."""

import re
from collections.abc import Mapping
from typing import Any

from . import english, swedish

LANGUAGES: dict[str, Mapping[str, Any]] = {"sv": swedish.WORDS, "en": english.WORDS}
DEFAULT = "en"
# How each language calls itself.
OWN_NAMES = {"sv": "Svenska", "en": "English"}


def choose_language(asked: str, accepted: str = "") -> str:
    """Choose the language of the page.

    asked (str): What the reader asks for, which may be none that there is.
    accepted (str): The header `Accept-Language` of the browser.
    RETURNS (str): A language that there is.
    """
    tags = re.findall(r"(?:^|,)\s*([a-zA-Z]+)", accepted)
    return next((tag for tag in (asked, *map(str.lower, tags)) if tag in LANGUAGES), DEFAULT)


def count(words: tuple[str, str], n: int) -> str:
    """words (tuple[str, str]): What is counted, one and several.
    n (int): How many.
    RETURNS (str): `1 message`, `2 messages`.
    """
    return words[n != 1].format(n=n)
