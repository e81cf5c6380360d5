"""Words that begin with a known name, and initials where their form says that they are some."""

import time

from hypothesis import given
from hypothesis import strategies as st

from components.known.form_finders import MIN_STEM, CompoundFinder, InitialsFinder
from components.known.words import COMPOUND, INITIALS, Hit, get_words
from components.text.compounds import ENDINGS, LONGEST, is_ending
from tests.cases import cases

NAMES = [
    ("LOCATION", "Bangkok"), ("LOCATION", "Göteborg"), ("LOCATION", "Storgatan 7"), ("PERSON", "Vera Lindqvist"),
    ("PERSON", "Karl"), ("PERSON", "Karlsson"), ("PERSON", "Bo Ek"), ("ORGANISATION", "Capio Lundby"), ("EMAIL", "vera@b.se"),
]  # fmt: skip


def find(text: str) -> list[tuple[str, str]]:
    hits = [*CompoundFinder(NAMES).find(get_words(text))]
    assert {hit.kind for hit in hits} <= {COMPOUND}
    return [(text[start:end], label) for start, end, label, _ in hits]


@cases
def test_compounds(text, found):
    assert find(text) == found


@given(st.sampled_from(sorted(ENDINGS)), st.data())
def test_all_endings(label, data):
    ending = data.draw(st.sampled_from(ENDINGS[label]))
    link, genitive = data.draw(st.sampled_from(["", "s"])), data.draw(st.sampled_from(["", "s"]))
    name = data.draw(st.text(alphabet="kqvxzåö", min_size=MIN_STEM, max_size=9))
    word = name + link + ending + genitive
    assert len(link + ending + genitive) <= LONGEST and is_ending(label, link + ending + genitive)
    assert not any(is_ending(*each) for each in (("PID", "s"), ("PERSON", ""), ("PERSON", "s")))
    assert CompoundFinder(NAMES) and not CompoundFinder([("PERSON", "Bo Ek")])
    finder = CompoundFinder([(label, name.title())])
    assert [*finder.find(get_words(f"hos {word}."))] == [Hit(4, 4 + len(word), label, COMPOUND)]


PEOPLE = ["Vera Lindqvist", "Vera", "Lindqvists", "Lindqvist", "Malte", "Maltes", "Bo af Ek"]


def find_initials(text: str, names=PEOPLE) -> list[str]:
    hits = [*InitialsFinder(names).find(text)]
    assert {(hit.label, hit.kind) for hit in hits} <= {("PERSON", INITIALS)}
    return [text[start:end] for start, end, *_ in hits]


@cases
def test_forms(text, found):
    assert find_initials(text) == found


@cases
def test_whose(names, text, found):
    assert find_initials(text, names) == found
    assert bool(found) == bool(InitialsFinder(names))


def test_time_is_linear():
    def measure(n: int) -> float:
        letters = "abcdefghij"
        names = [
            f"Anna{letters[i % 7]} {letters[i % 10]}qv{'x' * (i // 10)}" for i in range(n // 10)
        ]
        names += ["Anna " + "b" * (i + 2) for i in range(n // 10)]
        text = "/ " * n + "mvh" + " " * n + "\n" * n + "M:s " * n + "/M" + " " * n + "."
        start = time.perf_counter()
        [*InitialsFinder(names).find(text)]
        return time.perf_counter() - start

    measure(100)
    assert measure(16000) < 40 * max(measure(1600), 0.005)
