"""The time of a conversation grows with its messages, that of a message with its length: steps are
counted, lines of Python and words that are compared, as the clock tells little.
"""

import datetime as dt
import hashlib
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product

import pytest
import spacy
from rapidfuzz import process
from spacy.tokens import Doc, Span
from stdnum import luhn

import components
from components.conversations.conversation import propagate
from components.known import typo_finder as near
from components.known.value_finder import ValueFinder
from components.surrogates import Scope
from components.surrogates.core.pools import Pool
from components.surrogates.surrogate_generator import SurrogateGenerator
from tests.surrogates.hand_lists import FIRST, SURNAMES, make_doc_of, make_generator

NLP = spacy.blank("sv")
NLP.add_pipe("span_merger")
N = 120
# Pools are used up before it can be seen that what follows takes no longer.
LATER = {"local phone": 2 * N, "husband": 2 * N, "everything": N // 2, "life": N // 2}
MOST = 2.6  # times the steps for twice the messages
CONSONANTS, VOWELS = "bdfghjklmnprstv", "aeiouyåäö"
SYLLABLES = [one + two for one, two in product(CONSONANTS, VOWELS)]
NAMES = [" ".join(names.values()).split() for names in (FIRST, SURNAMES)]
LISTED = [f"{first} {last}" for first, last in product(*NAMES)]
DAYS = ["{0}", "{0}/{1}", "{0} maj", "maj 20{1:02}", "v {0}", "julafton", "{0}:e", "{0}-{1}"]


def make_word(i: int, syllables: int = 3) -> str:
    """A word of its own for each number, each unlike the others."""
    numbers = hashlib.sha256(str(i).encode()).digest()
    return "".join(SYLLABLES[n % len(SYLLABLES)] for n in numbers[:syllables]).capitalize()


def make_pid(i: int, days: int = 17) -> str:
    born = dt.date(1930, 1, 1) + dt.timedelta(days=i * days % 28000)
    digits = f"{born:%y%m%d}{i % 970:03d}"
    return f"{digits[:6]}-{digits[6:]}{luhn.calc_check_digit(digits)}"


# By name: the label, and what the message of a number says.
MAKERS: dict[str, tuple[str, Callable[[int], str]]] = {
    "person": ("PERSON", lambda i: f"{make_word(i)} {make_word(i + 5000, 4)}"),
    "listed person": ("PERSON", lambda i: LISTED[i * 7 % len(LISTED)]),
    "first name": ("PERSON", lambda i: make_word(i, 4)),
    "one first name": ("PERSON", lambda i: f"Anna {make_word(i, 4)}"),
    "one person": ("PERSON", lambda i: ["mamma Anna", "Anna Berg", "Anna", "AB"][i % 4]),
    "pet name": ("PERSON", lambda i: f"{make_word(i // 2, 3)}{'' if i % 2 else 'rid'}"),
    "doctor": ("PERSON", lambda i: f"dr {make_word(i, 4)}"),
    "husband": ("PERSON", lambda i: f"{'herr' if i % 2 else 'bror'} {make_word(i, 4)}"),
    "place": ("LOCATION", lambda i: make_word(i, 4)),
    "long place": ("LOCATION", lambda i: f"Koh {make_word(i, 4)}" if i % 2 else make_word(i - 1, 4)),
    "street": ("LOCATION", lambda i: f"{make_word(i)}gatan {i % 90 + 1}"),
    "postal code": ("LOCATION", lambda i: f"{100 + i % 800} {10 + i % 90} {make_word(i, 4)}"),
    "organisation": ("ORGANISATION", lambda i: make_word(i, 4)),
    "care unit": ("ORGANISATION", lambda i: f"{make_word(i, 4)}s vårdcentral"),
    "mobile": ("PHONE", lambda i: f"070-{i * 7919 % 10**7:07d}"),
    "local phone": ("PHONE", lambda i: f"{100000 + i}" if i % 2 else f"08-{100001 + i}"),
    "foreign phone": ("PHONE", lambda i: f"+47 {20000000 + i * 7919}"),
    "pid": ("PID", make_pid),
    "twin": ("PID", lambda i: make_pid(i, 0)),
    "mistyped pid": ("PID", lambda i: f"{make_pid(i)[:-1]}{i % 10}"),
    "last four": ("PID", lambda i: make_pid(i) if i % 2 else f"{i * 7919 % 10000:04d}"),
    "email": ("EMAIL", lambda i: f"{make_word(i)}.{make_word(i + 9000)}@{make_word(i, 2)}.se".lower()),
    "function": ("EMAIL", lambda i: f"info@{make_word(i, 3)}.se".lower()),
    "initials": ("EMAIL", lambda i: f"a.{make_word(i, 3)}@x.se".lower()),
    "date": ("DATE", lambda i: (dt.date(2000, 1, 1) + dt.timedelta(days=i)).isoformat()),
    "day": ("DATE", lambda i: DAYS[i % len(DAYS)].format(i % 28 + 1, i % 12 + 1)),
    "age": ("AGE", lambda i: f"{i % 110 + 1} år"),
}  # fmt: skip
# The same with people, ages and dates beside them.
MIXED = {
    "address of a person": ["person", "email"],
    "life": ["pid", "age", "date"],
    "everything": ["person", "place", "mobile", "pid", "email", "date", "age"],
}


@contextmanager
def count_steps(monkeypatch) -> Iterator[Counter]:
    """Counts lines of the components, and words that are compared."""
    steps: Counter[str] = Counter()

    def trace(frame, event, _):
        if "/components/" not in frame.f_code.co_filename:
            return None
        steps["lines"] += event == "line"
        return trace

    def counting(compare):
        def compare_and_count(words, keys, **kwargs):
            steps["words"] += len(keys) * (1 if isinstance(words, str) else len(words))
            return compare(words, keys, **kwargs)

        return compare_and_count

    with monkeypatch.context() as patch:
        for module, name in ((near, "cdist"), (process, "extract"), (process, "extractOne")):
            patch.setattr(module, name, counting(getattr(module, name)))
        before = sys.gettrace()
        sys.settrace(trace)
        try:
            yield steps
        finally:
            sys.settrace(before)


def make_docs(names: list[str], n: int, one: bool) -> list[Doc]:
    """Messages with one new mention each, or one message with all of them."""
    docs, words, ents = [], [], []
    for i in range(n):
        words += ["hej", "det", "är"]
        for name in names:
            label, make = MAKERS[name]
            start = len(words)
            words += [*make(i).split(" "), "nu"]
            ents.append((start, len(words) - 1, label))
        if not one or i + 1 == n:
            doc = Doc(NLP.vocab, words=words)
            doc.ents = [Span(doc, *span) for span in ents]
            for ent in doc.ents:
                ent._.score = 1.0
            doc._.conversation_id = "c"
            docs.append(doc)
            words, ents = [], []
    return docs


@pytest.fixture(scope="module")
def pipes() -> list[SurrogateGenerator]:
    """Their choices are the same each time, so are their steps."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", "a key for the tests, of many letters")
        return [make_generator(strategy=strategy) for strategy in ("surrogate", "numbered")]


# In many messages (False) or in one. By default what is mixed, and of each class one in one way.
DEFAULT = {
    ("everything", False), ("everything", True), ("address of a person", True), ("life", False),
    ("long place", False), ("organisation", True), ("local phone", True), ("last four", False),
    ("email", False), ("day", False), ("age", True), ("first name", True),
}  # fmt: skip
WAYS = [
    pytest.param(*way, marks=[] if way in DEFAULT else pytest.mark.slow)
    for way in product([*MIXED, *MAKERS], (False, True))
]


@pytest.mark.parametrize(("name", "one"), WAYS)
def test_second_pass(monkeypatch, pipes, name, one):
    names = MIXED.get(name, [name])
    counts = []
    first = LATER.get(name, N)
    for n in (first, 2 * first):
        docs = make_docs(names, n, one)
        with count_steps(monkeypatch) as steps:
            propagate(NLP, docs)
            counts.append([steps.total()])
            for pipe in pipes:
                pipe.replace_conversation(docs)
                assert not any(doc._.failed for doc in docs)
                counts[-1].append(steps.total() - sum(counts[-1]))
    ratios = [two / one for one, two in zip(*counts)]
    assert max(ratios) <= MOST, (counts, ratios)


LONG = {
    "digits": lambda n: "7" * n,
    "name": lambda n: "Anna " * (n // 5),
    "names": lambda n: " ".join(make_word(i) for i in range(n // 7)),
    "titles": lambda n: "dr " * (n // 3),
    "word": lambda n: "a" * n,
    "places": lambda n: "by " * (n // 3),
    "address": lambda n: "a.b" * (n // 6) + "@" + "x." * (n // 4),
    "ages": lambda n: "".join(f"{i % 100} " for i in range(n // 3)),
    "spaces": lambda n: "1" + " " * n + "a",
    "parts": lambda n: "".join(f"{10 + i % 90}, Lund; " for i in range(n // 10)),
}


@pytest.mark.parametrize("kind", LONG)
@pytest.mark.parametrize("label", components.shared.labels.LABELS)
def test_long_entity(monkeypatch, pipes, label, kind):
    """An entity of a whole message, and a value as long: however it is meant, it is no bomb."""
    counts = []
    for n in (1000, 2000):
        text = LONG[kind](n)
        doc = make_doc_of([text], [label])
        with count_steps(monkeypatch) as steps:
            pipes[0](doc)
            ValueFinder([(label, text)], errors=1).find(text)
        counts.append(steps.total())
        assert doc._.deidentified != text and not doc._.failed
    assert counts[1] <= MOST * counts[0], counts


# A whole number that Python does not read.
MANY = "7" * (sys.int_info.default_max_str_digits + 100)


@pytest.mark.parametrize(
    "text",
    [
        f"2024-01-{MANY}", f"den {MANY} maj", f"{MANY} maj 2024", f"v {MANY}", f"kl {MANY}", f"maj {MANY}",
        f"{MANY} år", f"född {MANY}", f"Storgatan {MANY}", f"Storgatan 2, {MANY} tr", f"Storgatan 2 lgh {MANY}",
        f"{MANY} Lund", f"Box {MANY}", f"avd {MANY}", f"Avdelning {MANY}, Danderyds sjukhus", f"+46 {MANY}",
        f"anna{MANY}@exempel.se", f"anna@exempel{MANY}.se", f"900101-{MANY}", f"Anna {MANY}", f"1/{MANY}",
        f"{MANY}/{MANY}", f"https://exempel.se/{MANY}", f"{MANY}.{MANY}", f"E {MANY}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("strategy", ["surrogate", "numbered"])
@pytest.mark.parametrize("label", components.shared.labels.BUILT_IN)
def test_a_number_too_long_for_python(pipes, text, label, strategy, monkeypatch):
    doc = make_doc_of([text, " Hej"], [label])
    monkeypatch.setattr(pipes[0], "strategy", strategy)
    pipes[0](doc)
    assert MANY not in doc._.deidentified and not doc._.failed


@pytest.mark.parametrize("text", ["7" * 50_000, "Anna " * 4000], ids=["digits", "names"])
def test_memory(pipes, text):
    doc = make_doc_of([text], ["PERSON"])
    tracemalloc.start()
    try:
        pipes[0](doc)
        ValueFinder([("PERSON", text), ("PHONE", text), ("LOCATION", text)]).find(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 50_000_000 and not doc._.failed


@pytest.mark.parametrize(
    "unit", ["Anna Berg ", "070-123 45 67, ", "anna@x.se ", "1 2 3 ", "berg ", "Storgatan 1, ", "...@ "]
)  # fmt: skip
@pytest.mark.parametrize("errors", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_search_of_a_long_message(monkeypatch, unit, errors):
    values = [
        ("PERSON", "Anna Maria Bergström"), ("PHONE", "070-123 45 67"), ("EMAIL", "anna@x.se"),
        ("LOCATION", "Storgatan 1, 123 45 Lund"), ("PID", "850312-2391"),
    ]  # fmt: skip
    finder, counts = ValueFinder(values, errors=errors), []
    for n in (4000, 8000):
        with count_steps(monkeypatch) as steps:
            finder.find((unit * n)[:n])
        counts.append(steps.total())
    assert counts[1] <= MOST * counts[0]


def test_many_who_share_a_name(monkeypatch):
    counts = []
    for n in (200, 400):
        values = [("PERSON", f"Anna Karin {make_word(i)}") for i in range(n)]
        finder = ValueFinder(values, errors=1)
        with count_steps(monkeypatch) as steps:
            for _, value in values:
                hits = finder.find(f"hej {value} och anna")
                assert {value[hit.start - 4 : hit.end - 4] for hit in hits} >= {value}
                assert hits[-1][:2] == (9 + len(value), 13 + len(value))
        counts.append(steps.total())
    assert counts[1] <= MOST * counts[0]


@pytest.mark.parametrize("seed", range(6))
def test_choice_goes_on_in_the_order_written_down(monkeypatch, seed):
    """What a long walk chooses does not depend on how it is walked."""
    chosen = []
    for rounds in (0, 1000):
        monkeypatch.setattr("components.surrogates.core.ledger.ROUNDABOUTS", rounds)
        wider = Pool(f"w{i}" for i in range(40))
        pool = Pool((f"n{i}" for i in range(20)), wider if seed % 2 else None)
        scope = Scope(b"key", str(seed), originals=["n1", "n2", "w3"], known=[("PERSON", "n4")])
        chosen.append(
            [
                scope.ledger.pick(
                    "x", f"{'n' if i % 3 else 'v'}{i}", pool, lambda name: name[-1] != "7"
                )
                for i in range(90)
            ]
        )
    assert chosen[0] == chosen[1]
