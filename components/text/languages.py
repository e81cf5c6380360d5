"""Detects the language of a message, offline.

The classifier is that of langid.py (Lui and Baldwin 2012, "langid.py: An off-the-shelf language
identification tool", ACL demos) as `py3langid` keeps it: naive Bayes over n-grams of bytes that
distinguish languages, not domains. The constants were chosen on 200 messages in other languages.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache

import numpy as np
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from ..shared.words import read_words

# The languages that the pipeline reads: Swedish, and what is mixed in.
HOME = ("sv", "no", "nb", "nn", "da", "en")
# The languages of other scripts, by the first word of the name that Unicode has for their letters; and
# those in Latin letters that a message to Swedish care may be in.
SCRIPTS = read_words(__file__, "languages.txt")
LATIN = SCRIPTS.pop("LATIN")
# Kurdish has one code for all that is spoken.
CODES = {"sdh": "ku"}
# ISO 639-2, for a script whose languages are not known here.
UNDETERMINED = "und"

# The least number of letters, of words, and of words without a capital: a list of names has none.
MIN_LETTERS = 12
MIN_WORDS = 2
MIN_PLAIN = 1
# Below this probability of all home languages together a message is in another one.
MIN_HOME = 0.07
# Another home language must be this many times as likely as Swedish: they share most short words.
NEIGHBOUR = 3.0
# Letters of another script decide if there are this many, and this share of all.
MIN_SCRIPT = 2
SCRIPT_SHARE = 0.25

# Parts of web and e-mail addresses.
ADDRESS = re.compile(r"@|://|www\.")
WORD = re.compile(r"[^\W\d_]{2,}(?:[-'’][^\W\d_]+)*")
LETTER = re.compile(r"[^\W\d_]")
# Beyond the Latin letters of Europe and of Vietnam, and the `µ` of doses.
OTHER_LETTER = re.compile("(?![\u1e00-\u1eff\u03bc])[^\\W\\d_\0-\u024f]")
# Letters that Tigrinya has and Amharic hardly: the `a` that begins words, the throaty `q`.
TIGRINYA = re.compile("[\u12a3\u1250-\u125f]")


def is_foreign(language: str | None) -> bool:
    """Whether a language is known, and none of Swedish, Norwegian, Danish and English."""
    return language is not None and language not in HOME


def detect_language(text: str) -> str | None:
    """Detect the language of a message. The same text always gets the same answer.

    RETURNS (str | None): The ISO 639-1 code; "und" in a script that no language here has; None if there is
        too little text: one word, names, numbers.
    """
    # Unicode has several forms of a letter: 𝐛𝐨𝐥𝐝, ｗｉｄｅ, and those of Arabic by their place in the
    # word.
    text = unicodedata.normalize("NFKC", text)
    return _detect_script(text) or _detect_words(text)


def _detect_script(text: str) -> str | None:
    """The language of a message that is not, or not only, in Latin letters."""
    letters = OTHER_LETTER.findall(text)
    if len(letters) < MIN_SCRIPT:
        return None
    scripts = Counter(unicodedata.name(char, "LATIN").split()[0] for char in letters)
    del scripts["LATIN"], scripts["MODIFIER"]
    n_letters = scripts.total()
    if n_letters < max(MIN_SCRIPT, SCRIPT_SHARE * len(LETTER.findall(text))):
        return None
    script = "HIRAGANA" if scripts["HIRAGANA"] else max(scripts, key=lambda name: scripts[name])
    if script == "ETHIOPIC" and TIGRINYA.search(text):
        return "ti"
    languages = SCRIPTS.get(script, (UNDETERMINED,))
    return languages[0] if len(languages) == 1 else _get_likeliest(_rank(text), languages)


def _detect_words(text: str) -> str | None:
    """The language of a message in Latin letters."""
    words = WORD.findall(" ".join(part for part in text.split() if not ADDRESS.search(part)))
    n_plain = len(words) if text.isupper() else sum(not word.istitle() for word in words)
    if len(words) < MIN_WORDS or sum(map(len, words)) < MIN_LETTERS or n_plain < MIN_PLAIN:
        return None
    # Without numbers and capitals: doses and abbreviations are of no language.
    ranks = _rank(" ".join(words).lower())
    home = [language for language in HOME if language in ranks]
    if sum(ranks[language] for language in home) < MIN_HOME:
        return _get_likeliest(ranks, (language for language in LATIN if language not in home))
    neighbour = max(home, key=lambda language: ranks[language])
    return "sv" if ranks["sv"] * NEIGHBOUR >= ranks[neighbour] else neighbour


def _get_likeliest(ranks: dict[str, float], languages: Iterable[str]) -> str:
    best = max(languages, key=lambda language: ranks[language])
    return CODES.get(best, best)


def _rank(text: str) -> dict[str, float]:
    """The probability of each language."""
    return dict(_load_classifier().rank(text))


@cache
def _load_classifier() -> LanguageIdentifier:
    """Load the classifier on first use. It never changes then, so threads may share it."""
    classifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    classifier.set_languages({*LATIN, *(code for codes in SCRIPTS.values() for code in codes)})
    # Half the precision is half the memory, and a third more time for each message.
    classifier.nb_ptc = np.ascontiguousarray(classifier.nb_ptc, dtype=np.float32)
    return classifier
