"""The search for given values: what it cuts a text into, and that its time grows with the length."""

import re
import time
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from components.known.email_finder import get_addresses
from components.known.known_matcher import FIELDS, is_informative, read_known
from components.known.number_finder import MOST_DIGITS, get_digit_groups
from components.known.phrase_finder import MOST_PARTS
from components.known.typo_finder import FEW
from components.known.value_finder import MANY, MOST_WORDS, ValueFinder
from components.shared.labels import LABELS
from components.text.casing import fold
from components.text.folding import fold_text
from tests.cases import cases

VALUES = [
    ("PERSON", "Anna Maria Lindgren"), ("PID", "19900101-2385"), ("PHONE", "070-174 06 05"),
    ("EMAIL", "anna@example.com"), ("LOCATION", "Storgatan 12, 852 30 Sundsvall"),
]  # fmt: skip
FINDER = ValueFinder(VALUES)


@pytest.mark.parametrize("get, regex", [
    # In the words of a regex, which would take quadratic time.
    (get_addresses, r"[^\s<>()\[\],;:]+@[^\s<>()\[\],;:]+"),
    (get_digit_groups, r"[0-9Oo]*[0-9][0-9Oo]*"),
])  # fmt: skip
@given(text=st.text("ab@.,:/! \nOo017", max_size=30))
def test_what_is_cut_out(get, regex, text):
    expected = [match.span() for match in re.finditer(regex, text)]
    assert [match.span() for match in get(text)] == expected


@cases
def test_names_in_addresses(text, found):
    assert [text[hit.start : hit.end] for hit in FINDER.find(text)] == found


def find(values, text, errors=2):
    finder = ValueFinder(values, errors=errors)
    return [(text[hit.start : hit.end], hit.label, hit.kind) for hit in finder.find(text)]


@cases
def test_folded_text(text, found):
    assert list(dict.fromkeys(text for text, *_ in find(VALUES, text))) == found


@given(
    st.lists(st.text("ab.-", min_size=1, max_size=4), min_size=2, max_size=4),
    st.text("ab.@ -+,\n", max_size=24),
)
@example(["a", "b"], "a@b.a@b")
@example(["a", "b"], "b@b a@b")
def test_addresses_with_spaces(parts, text):
    """The same as with a regex for each address, which takes the more time the more there are."""
    addresses = {f"{one}@{other}" for one, other in pairwise(parts)}
    addresses = {address.replace(" ", "") for address in addresses}
    expected = set()
    for address in addresses:
        regex = r"\s*@\s*".join(
            r"\s?\.\s?".join(map(re.escape, part.split("."))) for part in address.split("@")
        )
        for start in range(len(text)):
            match = re.compile(rf"(?<![\w.+-]){regex}(?![\w-])").match(text, start)
            if match and match[0].strip() == match[0]:
                expected.add(match.span())
    finder = ValueFinder([("EMAIL", address) for address in addresses], errors=0)
    found = {(hit.start, hit.end) for hit in finder.find(text)}
    assert {(s, e) for s, e in expected if text[s] != "." and text[e - 1] != "."} <= found
    for start, end in found:
        assert re.sub(r"\s?([.@])\s*", r"\1", re.sub(r"\s+@", "@", text[start:end])) in addresses


@cases
def test_ends_of_addresses(text, found):
    assert bool(find([("EMAIL", "a@b.se")], text, errors=0)) == found
    # Several of one name.
    values = [("EMAIL", f"info@{end}") for end in ("a.se", "bo.se", "bo.se.nu")]
    several = find(values, "info@bo.se info@a.se info@x.se", 0)
    assert [text for text, *_ in several] == ["info@bo.se", "info@a.se"]


PLACEHOLDERS = ["-", "xxx", "XX", "N/A", "n.a.", "okänd", "Okänd!", "saknas", "null", "None", "NaN", "--",
                "?", "  ", "", "ej angivet", "000"]  # fmt: skip


@cases
def test_what_tells_nothing(label, value, is_told):
    assert is_informative(label, value) == is_told
    assert not any(is_informative(label, value) for value in PLACEHOLDERS)


ANY = st.text(max_size=20) | st.text("aå@.,-+ 019\u200b\n(/:ıſKO|٣", max_size=16)


@given(st.lists(st.tuples(st.sampled_from(LABELS), ANY), max_size=4), ANY, st.integers(0, 2))
@example([("PHONE", "+46")], "46 år", 2)
@example([("PHONE", "+" * 9)], "+", 2)
@example([("PID", "")], "", 2)
def test_any_value_in_any_text(values, text, errors):
    for where in (text, *(value for _, value in values)):
        for hit in ValueFinder(values, errors=errors).find(where):
            assert 0 <= hit.start < hit.end <= len(where)
            assert hit.label in {label for label, _ in values} | {"EMAIL"}


@given(st.dictionaries(st.sampled_from(list(FIELDS)), ANY | st.lists(ANY, max_size=2), max_size=3))
@pytest.mark.filterwarnings("ignore:What is known")
def test_any_known_value(known):
    values = read_known(known)
    assert all(is_informative(*value) for value in values)
    ValueFinder(values)


@given(st.sampled_from(["PERSON", "PHONE", "PID", "EMAIL"]), ANY)
def test_what_tells_something_is_found(label, value):
    value = fold_text(value).text.strip()
    if label == "PERSON":
        value = "".join(re.findall(r"[a-zåäö]", fold(value)))
    if is_informative(label, value) and (
        label != "EMAIL" or re.fullmatch(r"[a-z0-9]+@[a-z0-9.]+[a-z]", value)
    ):
        assert find([(label, value)], f"hej {value.title()}, hej")


def test_long_values_are_not_looked_for_as_a_whole():
    number = "0" + "123456789" * 4
    for length, found in ((MOST_DIGITS, True), (MOST_DIGITS + 1, False)):
        assert bool(find([("PID", number[:length])], f"nr {number[:length]}")) == found
    # Letters from d on: b and c would be weak.
    words = [f"ord{chr(ord('d') + i)}" for i in range(MOST_WORDS + 1)]
    for n, found in ((MOST_WORDS, True), (MOST_WORDS + 1, False)):
        assert bool(find([("ORGANISATION", " ".join(words[:n]))], " ".join(words[:n]))) == found
    for n in (MOST_PARTS, MOST_PARTS + 1):
        keys = ValueFinder([("PERSON", " ".join(words[:n]))]).phrases[0].keys
        assert max(length for _, length in keys.values()) == MOST_PARTS
        assert ("".join([words[n - 1], *words[: n - 1]]) in keys) == (n == MOST_PARTS)
    parts = "Anna Bodil Cilla Disa Elna Frida Greta Hedda"
    (hit,) = find([("PERSON", parts)], f"hej {parts.replace(' ', '')}!")
    assert hit == (parts.replace(" ", ""), "PERSON", "exact")


NAMES = [f"{chr(97 + i % 26)}{chr(97 + i // 26)}vik" for i in range(2 * MANY)]


@pytest.mark.parametrize("n", [MANY, MANY + 1, 2 * MANY])
def test_key_that_many_share(n):
    values = [("PERSON", f"Anna {name}") for name in NAMES[:n]]
    last = NAMES[n - 1]
    for name in (NAMES[0], last):
        assert (f"Anna {name}", "PERSON", "exact") in find(values, f"Anna {name}, hos anna.", 1)
    assert find(values, "hos anna b.", 1)[0][1:] == ("PERSON", "word")
    # With more of the name around it.
    for text in (f"{last.title()}, Anna", f"Annas {last}"):
        assert text in [found for found, *_ in find(values, text, 0)]
    values.append(("ORGANISATION", "Anna"))
    assert {label for _, label, _ in find(values, "Anna", 1)} == {"PERSON", "ORGANISATION"}


@cases
def test_finds(value, text, found):
    assert [(text, kind) for text, _, kind in find([value], text)] == found


@pytest.mark.parametrize("n", [0, FEW])
def test_typing_errors_in_many_values(n):
    """Of many values an index is made, which finds the same."""
    parts = [("abcdefghij"[i % 10], "klmnopqrst"[i // 10 % 10], i // 100) for i in range(n)]
    many = [*VALUES, *(("PERSON", one * 3 + other * 3 + "x" * k) for one, other, k in parts)]
    text = "Lindgen! Lnidgren! Mraia! nr 19900101-2386 070-174 06 0, Lingrn, anna@exampel.com"
    found = ["Lindgen", "Lnidgren", "Mraia", "19900101-2386", "070-174 06 0", "anna@exampel.com"]
    assert find(many, text, 1) == find(VALUES, text, 1)
    assert [text for text, *_ in find(many, text, 1)] == found


@cases
def test_numbers_with_an_error(values, text, found):
    assert find(values, text)[0][1:] == found
    # A number of nine digits may have one, a shorter one none.
    found = find([("PHONE", "070-174 06 05")], "701740606, 70174060")
    assert [text for text, *_ in found] == ["701740606", "70174060"]
    assert not find([("PHONE", "17406051")], "17406052")


@pytest.mark.parametrize("unit", ["7", "a@b ", "1 2 3 4 5 6 7 8 9 ", "a_", "a.", "@a"])
def test_time_grows_with_the_length(unit):
    start = time.process_time()
    FINDER.find((unit * 50_000)[:50_000])
    assert time.process_time() - start < 5
