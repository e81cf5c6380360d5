"""What the platform knows of the participants."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Span

import components  # noqa: F401
from components.known.known_matcher import FIELDS, KnownMatcher, read_known
from components.lists.lists import read_lists
from components.measures.formats.registry import chat_language
from components.merging.span_merger import SpanMerger
from components.surrogates.surrogate_generator import STRATEGIES, SurrogateGenerator
from components.text.hits import write_hits
from tests.cases import cases
from tests.conftest import ROOT

NLP = chat_language()
NAME = [{"name": "Anna-Karin Lindgren"}]
ORDINARY = {"maj": 0.6, "sten": 0.5, "per": 0.6, "hans": 0.7, "svenskan": 0.4, "björn": 0.4}

COMPOUNDS = {"milena", "lindgran"}


def make_doc(text, known):
    doc = NLP.make_doc(text)
    doc._.known = known
    doc._.commonness = np.array(
        [(ORDINARY.get(token.lower_, 0.0), token.lower_ in COMPOUNDS) for token in doc],
        dtype=np.float32,
    ).reshape(-1, 2)
    return doc


def find(text, known):
    doc = SpanMerger()(KnownMatcher()(make_doc(text, known)))
    assert all("known" in ent._.source for ent in doc.ents)
    return [(ent.text, ent.label_) for ent in doc.ents]


@cases
def test_what_is_known_is_found(known, text, found):
    entities = find(text, known or NAME)
    assert [phi for phi, _ in entities] == found
    (field,) = known or NAME[0]
    # An e-mail address with a name in it is one.
    assert {label for _, label in entities} <= {FIELDS[field.lower()], "EMAIL"}


@pytest.mark.filterwarnings("error")
def test_nothing_known():
    for known in (None, [], [{}], {"name": None}, {"name": ["", " "]}):
        doc = KnownMatcher()(make_doc("Hej Anna", known))
        assert not len(doc.spans["known"])
        assert doc.spans["known"].attrs["scores"] == []


@cases
def test_malformed(known, message):
    with pytest.raises(ValueError, match=message) as error:
        KnownMatcher()(make_doc("Knurvel", known))
    assert "Knurvel" not in str(error.value)
    assert "701740605" not in str(error.value)


def test_reading():
    known = [{"Name": "A B", "phone": ("12345", "67890")}, {"PERSON": ["Bo"], "email": None}, "Li"]
    known += [{"use": "usual", "given": ["Eva", "Mia"], "family": "Ek"}, {"text": "Eva Ek"}]
    assert read_known(known) == [
        ("PERSON", "A B"), ("PHONE", "12345"), ("PHONE", "67890"), ("PERSON", "Bo"), ("PERSON", "Li"),
        ("PERSON", "Eva Mia Ek"), ("PERSON", "Eva Ek"),
    ]  # fmt: skip


@cases
def test_what_tells_nothing_is_ignored(known, message):
    with pytest.warns(UserWarning, match=message) as warned:
        doc = KnownMatcher()(make_doc("46 år, okänd 85, 850312-2391", known))
    assert len(warned) == 1
    assert not re.search(r"46|okänd|85", str(warned[0].message))
    assert {span.text for span in doc.spans["known"]} <= {"850312-2391"}


def test_name_of_a_disease():
    """A known name is a name, also if a disease is called by it; with a typing error it is none."""
    found = {}
    for text in ("Parkinson", "Parkinsom", "parkinson"):
        doc = make_doc(f"dr {text} ringde", {"name": "Parkinson"})
        write_hits(doc, "gazetteer", [(Span(doc, 1, 2, "NEGATIVE"), 1.0)])
        found[text] = [ent.text for ent in SpanMerger()(KnownMatcher()(doc)).ents]
    assert found == {"Parkinson": ["Parkinson"], "Parkinsom": [], "parkinson": ["parkinson"]}


def test_label_has_precedence_and_boundaries_join():
    doc = KnownMatcher()(make_doc("Hej Lund Anna Svea och Berlund", {"name": ["Lund", "Berglund"]}))
    write_hits(doc, "rules", [(Span(doc, 1, 2, "LOCATION"), 1.0)])
    write_hits(doc, "phi", [(Span(doc, 1, 4, "LOCATION"), 1.0), (Span(doc, 5, 6, "AGE"), 1.0)])
    entities = [(ent.text, ent.label_, ent._.source) for ent in SpanMerger()(doc).ents]
    # A word with a typing error is too uncertain to say what it is.
    assert entities == [
        ("Lund Anna Svea", "PERSON", "known+rules+phi"), ("Berlund", "AGE", "known+phi")
    ]  # fmt: skip


PARTICIPANTS = [
    {"name": "Anna-Karin Lindgren", "pid": "19850312-2391", "phone": "070-174 06 05",
     "email": "annak@example.org", "address": "Ringvägen 12, 852 30 Sundsvall"},
    {"name": ["Yusuf Öztürk", "Maj"], "phone": "+46 60 12 34 56"},
]  # fmt: skip
FORMS = [
    "Anna-Karin Lindgren", "Lindgren, Anna", "karin", "Lindgrens", "Yusuf Öztürk", "YUSUF",
    "Maj", "öztürks", "850312-2391", "198503122391", "850312 2391", "0701740605", "+46701740605",
    "060-12 34 56", "annak@example.org", "Annak@Example.org", "Ringvägen 12", "ringvägen",
    "85230 Sundsvall", "sundsvall",
]  # fmt: skip
OTHER = ["hej", "jag", "ont", ".", ",\n", "mvh", "//", "😊", "12", "(", ")", "-", "i", "Dr"]
SECRET = re.compile(
    r"(?<!\w)(anna|karin|lindgrens?|yusuf|öztürks?|maj|ringvägen|sundsvall|annak@example\.org"
    r"|850312-?\s?2391|198503122391|0701740605|\+46701740605|060-12 34 56|85230)(?!\w)",
    re.IGNORECASE,
)


REPLACING = [name for name in STRATEGIES if name != "keep"]
GENERATORS = {name: SurrogateGenerator(strategy=name) for name in REPLACING}
GENERATORS["surrogate"].initialize(list, lists=read_lists(str(ROOT / "assets" / "lists")))


@given(
    st.lists(st.sampled_from(FORMS + OTHER), max_size=12),
    st.lists(st.sampled_from([" ", " ", "\n", " – "]), min_size=12, max_size=12),
    st.sampled_from(REPLACING),
    st.sampled_from([None, *range(50)]),
)
def test_nothing_known_is_left(pieces, gaps, strategy, conversation):
    text = "".join(piece + gap for piece, gap in zip(pieces, gaps))
    doc = SpanMerger()(KnownMatcher()(make_doc(text, PARTICIPANTS)))
    doc._.conversation_id = conversation
    out = GENERATORS[strategy](doc)._.deidentified
    assert not SECRET.search(out)
    kept = [piece for piece in pieces if piece in ("hej", "jag", "ont", "😊")]
    assert re.findall(r"\b(?:hej|jag|ont)\b|😊", out) == kept


GIVEN = ["Lena", "Tove", "Klara", "Ellen", "Marta", "Nora", "Alva", "Ebba", "Hanna", "Moa"]


@pytest.mark.parametrize("conversation", [None, 0, 1])
def test_no_surrogate_is_known(conversation):
    """Names, places and numbers that are known, but not in the message, are no surrogates."""
    lists = read_lists(str(ROOT / "assets" / "lists"))
    names = [r["name"] for r in lists["first_names"] if (r["gender"], r["origin"]) == ("f", "sv")]
    places = [(r["name"], r["within"], r["kind"], r["ambiguous"]) for r in lists["places"]]
    kinds = [["Skåne", kind, ""] for kind in ("city", "municipality")]
    towns = [name for name, *rest in places if rest in kinds]
    series = [f"+46 70 174 06 {n:02}" for n in range(5, 100)]
    kept = set(GIVEN) | {names[-1]}
    known = [
        {"name": [name for name in names if name not in kept]},
        {"address": [f"Vägen {n}, {town}" for n, town in enumerate(towns[:-3])]},
        {"phone": series[:-3]},
    ]
    doc = KnownMatcher()(make_doc("Karin Lund 0708123456", known))
    doc._.conversation_id = conversation
    doc.ents = [
        doc.char_span(start, end, label)
        for start, end, label in ((0, 5, "PERSON"), (6, 10, "LOCATION"), (11, 21, "PHONE"))
    ]
    generator = GENERATORS["surrogate"]
    person, place, phone = (entry["replacement"] for entry in generator(doc)._.replacements)
    assert person not in known[0]["name"] and person != "Karin"
    assert place not in towns[:-3] and place != "Lund"
    assert phone[-2:] in ("97", "98", "99")
