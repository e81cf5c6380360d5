"""The tokenizer for chat messages.

No token-based recogniser can find a span that does not start and end on token boundaries.
So this tokenizer cuts at every change between letters, digits and signs (`/LN`, `8år`,
`Ort:0935123456`), and between a sign and another one. Almost all of it is done by the infixes,
which take time linear in the length of a message without spaces; the prefixes and suffixes only
lay e-mail addresses and URLs bare, which stay whole.
"""

import re
import unicodedata
from collections.abc import Callable
from itertools import chain, groupby

from spacy.lang.sv import Swedish
from spacy.language import Language
from spacy.tokenizer import Tokenizer
from spacy.util import registry

# Elsewhere are only ideographs and characters for private use.
PLANES = (range(0x20000), range(0xE0000, 0xF0000))


def _char_class(*categories: str) -> str:
    """The inside of a regex character class for all characters of some Unicode categories."""
    codes = chain.from_iterable(PLANES)
    chars = (code for code in codes if unicodedata.category(chr(code)) in categories)
    ranges: list[str] = []
    for _, group in groupby(enumerate(chars), lambda pair: pair[1] - pair[0]):
        run = [code for _, code in group]
        ranges.append(f"\\U{run[0]:08x}-\\U{run[-1]:08x}")
    return "".join(ranges)


# Marks combine with the character before them: accents, vowel signs, variation selectors.
MARK = _char_class("Mn", "Mc", "Me")
JOINER = "\u200d"  # joins emoji; between letters it belongs to some scripts
SKIN_TONES = "\U0001f3fb-\U0001f3ff"
ALNUM = r"[^\W_]"
LETTER = r"[^\W\d_]"
SIGN = rf"(?:[^\w\s{MARK}]|_)"
# An apostrophe, a soft hyphen or a (non-)joiner between letters is part of the word.
WITHIN = f"['’\u00ad\u200c{JOINER}]"

INFIXES = [
    rf"(?<={ALNUM})(?!{WITHIN}{LETTER})(?={SIGN})",
    rf"(?<=[{MARK}])(?!{JOINER}|[{SKIN_TONES}])(?={SIGN}|\d)",
    rf"(?<=(?:{SIGN}|\d)[{MARK}])(?={LETTER})",
    rf"(?<={SIGN})(?!(?<={LETTER}{WITHIN}){LETTER})(?={ALNUM})",
    # Runs of one sign stay together, and so do the parts of an emoji.
    rf"(?<=({SIGN}))(?!\1)(?<!{JOINER})(?![{JOINER}{SKIN_TONES}])(?={SIGN})",
    rf"(?<=\d)(?={LETTER})",
    rf"(?<={LETTER})(?=\d)",
    # A missing space before a capital: MvhAnna.
    r"(?<=[a-zà-öø-ÿ][a-zà-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ])",
]
# Each stripped affix costs a copy of the rest, so long runs are left to the infixes.
EDGE = r"[!\"#$&'()*+,./:;<=>?\[\]_`{|}~´‘’“”„«»…–—-]"
PREFIX = rf"\A(?!{EDGE}{{20}})({EDGE})\1*"
SUFFIX = rf"(?<!{EDGE}{{20}})({EDGE})\1*\Z"

TOKEN_MATCH = (
    r"[^\W_][\w.+%-]{0,63}@[^\W_][\w-]{0,62}(?:\.(?![A-ZÅÄÖ][a-zåäö])[^\W_][\w-]{0,62}){1,8}\Z"
    r"|(?:https?://|www\.)[^\s<>()\[\]\"',;|]{1,2000}(?<=[\w/])\Z"
)


def chat_exceptions() -> dict[str, list[dict]]:
    """The special cases of Swedish that cannot hide a name, a date or a number: emoticons made
    of signs alone and lower-case abbreviations with a full stop inside (`t.ex.`). Left out are
    `J.`, `nov.`, `8)`, `:D` and the like.
    """
    abbreviation = re.compile(r"[A-ZÅÄÖ]?[a-zåäö]*\.(?:[a-zåäö]+\.?)+")
    return {
        orth: tokens
        for orth, tokens in Swedish.Defaults.tokenizer_exceptions.items()
        if not any(char.isalnum() for char in orth) or abbreviation.fullmatch(orth)
    }


@registry.tokenizers("sv_deid_chat.ChatTokenizer.v1")
def create_chat_tokenizer() -> Callable[[Language], Tokenizer]:
    """Create the maker of the chat tokenizer, for `[nlp.tokenizer]` of a config."""

    def make_chat_tokenizer(nlp: Language) -> Tokenizer:
        # Settings are saved as pattern strings, so no pattern may rely on compile flags.
        return Tokenizer(
            nlp.vocab,
            rules=chat_exceptions(),
            prefix_search=re.compile(PREFIX).search,
            suffix_search=re.compile(SUFFIX).search,
            infix_finditer=re.compile("|".join(INFIXES)).finditer,
            token_match=re.compile(TOKEN_MATCH).match,
        )

    return make_chat_tokenizer
