"""The hits of PCRE2 are those of `re`."""

import pickle
import re
import sys
from concurrent.futures import ThreadPoolExecutor

import pcre2
import pytest
import spacy
import srsly

from components.rules.phi_entity_ruler import PhiEntityRuler
from components.rules.regex import AGREED, BoundedRegex, Regex, RunawayRegexError, is_agreed
from tests.cases import cases

# Those that the two are said to agree on.
CHARS = "".join(AGREED.findall("".join(map(chr, range(0xD800)))))
CHARS += "".join(AGREED.findall("".join(map(chr, range(0xE000, sys.maxunicode + 1)))))


def find_by_re(pattern: str, text: str) -> list[tuple[int, int]]:
    compiled = re.compile(pattern, re.IGNORECASE)
    group = "phi" if "phi" in compiled.groupindex else 0
    return [match.span(group) for match in compiled.finditer(text)]


@pytest.mark.parametrize(
    "pattern", [r"\w", r"\d", r"\s", ".", r"[^\W_]", r"[^\W\d_]", "i", "s", "k"]
)
def test_engines_agree_on_characters(pattern: str):
    fast, slow = pcre2.compile(pattern, pcre2.I, jit=True), re.compile(pattern, re.IGNORECASE)
    assert [char for char in CHARS if bool(fast.match(char)) != bool(slow.match(char))] == []


def test_usual_texts_are_agreed_on_and_odd_ones_read_by_re():
    assert all(map(is_agreed, ("Åsa 😊 – 3½ µg “hej”…\n", "", "a\tb\r\n", "Ł ž €")))
    for text in ("हिन्दी", "a\x1cb", "İ", "كتاب", "a‿b", "e\u0301"):
        assert not is_agreed(text)
        assert Regex(r"\w+").find(text, False) == find_by_re(r"\w+", text)


@cases
def test_hits_are_those_of_re(pattern: str, text: str):
    assert is_agreed(text)
    assert Regex(pattern).find(text, True) == find_by_re(pattern, text)
    assert Regex(pattern)._fast is not None


def test_what_only_re_can_do():
    # Where PCRE2 gives up, and where it does not know the syntax.
    much = Regex(r"((?:a|b(?=a))*)x?")
    text = "ab" * 200_000
    with pytest.raises(pcre2.LibraryError):
        list(much._fast.finditer(text))
    assert much.find(text, True) == find_by_re(much.pattern, text)
    other = Regex(r"(?P<phi>a)(?P=phi)\u0062")
    assert other.find("aab", True) == [(0, 1)]


@pytest.mark.parametrize("make", [Regex, BoundedRegex])
def test_faulty_or_pickled(make):
    for pattern in ("(a", "[a", "a{2,1}", "(?P<phi>a)(?P<phi>b)", "*a"):
        with pytest.raises(re.error):
            make(pattern)
    assert pickle.loads(pickle.dumps(make(r"a\Z"))).find("a", True) == [(0, 1)]


def test_threads_share_them():
    regexes = [Regex(rf"{char}(?P<phi>\d+)") for char in "abcdefgh"]
    text = " ".join(f"{char}{n}å" for n in range(300) for char in "abcdefgh")
    expected = [find_by_re(regex.pattern, text) for regex in regexes]
    with ThreadPoolExecutor(8) as pool:
        jobs = [[pool.submit(regex.find, text, True) for regex in regexes] for _ in range(50)]
        assert all([future.result() for future in job] == expected for job in jobs)


def test_pipeline_finds_the_same_by_re(monkeypatch):
    patterns = [
        {"macro": "nr", "regex": r"\d{3}"},
        {"id": "x.a", "label": "PHONE", "regex": r"tel (?P<phi>{nr})\Z"},
        {"id": "x.b", "label": "DATE", "regex": r"(?<!\w){nr}(?!\w)"},
    ]
    texts = ["Tel 123", "tel 123\n", "å 123 – TEL 456", "e\u0301 123", "İ tel 123"]

    def run() -> list[list[tuple[int, int, str]]]:
        nlp = spacy.blank("sv")
        ruler = PhiEntityRuler(nlp)
        ruler.add_patterns(patterns)
        data = ruler.to_bytes()
        loaded = PhiEntityRuler(nlp).from_bytes(data)
        assert srsly.json_dumps(loaded.patterns) == srsly.json_dumps(patterns)
        docs = [loaded(nlp.make_doc(text)) for text in texts]
        return [[(s.start_char, s.end_char, s.id_) for s in doc.spans["rules"]] for doc in docs]

    fast = run()
    monkeypatch.setattr(Regex, "_fast", None)
    assert run() == fast
    assert sum(map(len, fast)) == 6


@pytest.mark.parametrize("pattern, sign", [("(a|aa)+$", "a"), ("(x+x+)+y", "x")])
def test_a_bounded_regex_gives_up(pattern, sign):
    regex = BoundedRegex(pattern)
    for each in (regex, pickle.loads(pickle.dumps(regex))):
        with pytest.raises(RunawayRegexError):
            each.find(sign * 60 + "! y", True)


@pytest.mark.parametrize(
    "pattern, text",
    [
        ("b(?P<phi>[aå]+)", "BÅA baa"), ("[0-9]+\\Z", "12 34"), ("(?-i:A)b", "AB ab"),
        ("ord ?", "ord " * 5000),
    ],
)  # fmt: skip
def test_a_bounded_regex_finds_the_same(pattern, text):
    assert BoundedRegex(pattern).find(text, False) == Regex(pattern).find(text, is_agreed(text))
