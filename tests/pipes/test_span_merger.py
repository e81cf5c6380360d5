"""Merging of the evidence."""

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example

from components.labels import LABELS, NAMES
from components.merging.model_rules import SCORES
from components.merging.rules import Rule, merger_rules
from components.pipes.span_merger import SpanMerger, make_merger_scorer

VOCAB = spacy.blank("sv").vocab
STANDALONE = ["first_name", "surname", "place", "organisation", "unit"]


def make_doc(words, spaces=None, **groups):
    """Make a doc; a group is a list of (start, end, label[, id[, score]])."""
    doc = Doc(VOCAB, words=words, spaces=spaces)
    for key in ("rules", "gazetteer", "phi", "conversation"):
        rows = [tuple(row) + ("", 1.0)[len(row) - 3 :] for row in groups.get(key, [])]
        spans = [Span(doc, s, e, label=label, span_id=id_) for s, e, label, id_, _ in rows]
        group = SpanGroup(doc, name=key, spans=spans)
        group.attrs["scores"] = [score for *_, score in rows]
        doc.spans[key] = group
    return doc


def merge(words, spaces=None, **groups):
    doc = SpanMerger(standalone=STANDALONE)(make_doc(words, spaces, **groups))
    return [(ent.text, ent.label_, ent._.source) for ent in doc.ents]


@pytest.mark.parametrize(
    "words, groups, ents",
    [
        (["Hej"], {}, []),
        (["3", "maj"], {"rules": [(0, 2, "DATE")]}, [("3 maj", "DATE", "rules")]),
        # A rule hit that the model overlaps is not lost, and the other way round.
        (["Anna", "Berg"], {"rules": [(0, 1, "PERSON")], "phi": [(0, 2, "PERSON")]},
         [("Anna Berg", "PERSON", "rules+phi")]),
        (["den", "3", "maj", "2020"], {"rules": [(1, 3, "DATE")], "phi": [(2, 4, "DATE")]},
         [("3 maj 2020", "DATE", "rules+phi")]),
        # Precedence decides the label only.
        (["0701740605", "x"], {"rules": [(0, 1, "PHONE")], "phi": [(0, 2, "PID")]},
         [("0701740605 x", "PHONE", "rules+phi")]),
        (["Lund", "där"], {"phi": [(0, 1, "PERSON")], "gazetteer": [(0, 1, "LOCATION", "place")]},
         [("Lund", "PERSON", "phi+gazetteer")]),
        # Unambiguous list entries count on their own, others do not.
        (["i", "Visby"], {"gazetteer": [(1, 2, "LOCATION", "place")]},
         [("Visby", "LOCATION", "gazetteer")]),
        (["att", "vara"], {"gazetteer": [(1, 2, "LOCATION", "place", 0.5)]}, []),
        (["Kungsgatan"], {"gazetteer": [(0, 1, "LOCATION", "street")]}, []),
        (["Parkinsons", "sjukdom"], {"gazetteer": [
            (0, 1, "PERSON", "surname"), (0, 2, "NEGATIVE", "eponym")]}, []),
        # ... but an eponym does not take away what the model is sure of.
        (["Parkinson", "ringde"], {"gazetteer": [(0, 1, "NEGATIVE", "eponym")],
                                   "phi": [(0, 1, "PERSON")]}, [("Parkinson", "PERSON", "phi")]),
        # Two capitalised words that are first name and surname count together.
        (["Bo", "Sommar", "ringde"], {"gazetteer": [(0, 1, "PERSON", "first_name", 0.5),
                                                    (1, 2, "PERSON", "surname", 0.5)]},
         [("Bo Sommar", "PERSON", "gazetteer")]),
        (["bo", "sommar"], {"gazetteer": [(0, 1, "PERSON", "first_name", 0.5),
                                          (1, 2, "PERSON", "surname", 0.5)]}, []),
        (["Bo", "sommar"], {"gazetteer": [(0, 1, "PERSON", "first_name", 0.5),
                                          (1, 2, "PERSON", "surname", 0.5)]}, []),
        # Titles.
        (["min", "mamma", "Annika"], {"gazetteer": [(1, 2, "TITLE", "title")],
                                      "phi": [(2, 3, "PERSON")]},
         [("mamma Annika", "PERSON", "phi")]),
        (["min", "mamma"], {"gazetteer": [(1, 2, "TITLE", "title")]}, []),
        (["mamma", "i", "Lund"], {"gazetteer": [(0, 1, "TITLE", "title")],
                                  "phi": [(2, 3, "LOCATION")]}, [("Lund", "LOCATION", "phi")]),
        (["dr", "Lund"], {"gazetteer": [(0, 1, "TITLE", "title")], "phi": [(1, 2, "LOCATION")]},
         [("Lund", "LOCATION", "phi")]),
        # First and last name of different sources.
        (["Anna", "Ydremo"], {"gazetteer": [(0, 1, "PERSON", "first_name")],
                              "phi": [(1, 2, "PERSON")]},
         [("Anna Ydremo", "PERSON", "phi+gazetteer")]),
        (["Anna", "Ydremo"], {"phi": [(0, 1, "PERSON"), (1, 2, "PERSON")]},
         [("Anna Ydremo", "PERSON", "phi")]),
        # Two people stay apart.
        (["Annas", "Bo"], {"phi": [(0, 1, "PERSON"), (1, 2, "PERSON")],
                           "gazetteer": [(1, 2, "PERSON", "first_name")]},
         [("Annas", "PERSON", "phi"), ("Bo", "PERSON", "phi+gazetteer")]),
        (["Annas", "mamma", "Eva"], {"phi": [(0, 1, "PERSON"), (1, 3, "PERSON")],
                                     "gazetteer": [(1, 2, "TITLE", "title")]},
         [("Annas", "PERSON", "phi"), ("mamma Eva", "PERSON", "phi")]),
        # Initials.
        (["Ulrika", "B", "ringer"], {"phi": [(0, 1, "PERSON")]}, [("Ulrika B", "PERSON", "phi")]),
        (["Hej", "Ulrika", "I", "dag"], {"phi": [(1, 2, "PERSON")]}, [("Ulrika", "PERSON", "phi")]),
        (["Lund", "B"], {"phi": [(0, 1, "LOCATION")]}, [("Lund", "LOCATION", "phi")]),
        # What the model alone found and is no more than a title.
        (["psykolog"], {"phi": [(0, 1, "PERSON")], "gazetteer": [(0, 1, "TITLE", "title")]}, []),
        (["min", "mor", "mor"], {"phi": [(1, 3, "PERSON")], "gazetteer": [
            (1, 2, "TITLE", "title"), (2, 3, "TITLE", "title")]}, []),
        (["psykolog", "Ydremo"], {"phi": [(0, 2, "PERSON")],
                                  "gazetteer": [(0, 1, "TITLE", "title")]},
         [("psykolog Ydremo", "PERSON", "phi")]),
        (["dr", "Anna"], {"phi": [(0, 1, "PERSON")], "gazetteer": [
            (0, 1, "TITLE", "title"), (1, 2, "PERSON", "first_name")]},
         [("dr Anna", "PERSON", "gazetteer")]),
        (["Prins"], {"phi": [(0, 1, "PERSON")], "gazetteer": [
            (0, 1, "TITLE", "title"), (0, 1, "PERSON", "surname", 0.5)]},
         [("Prins", "PERSON", "phi")]),
        (["mamma"], {"rules": [(0, 1, "PERSON")], "gazetteer": [(0, 1, "TITLE", "title")]},
         [("mamma", "PERSON", "rules")]),
        # What the model alone found and has not the form of its class.
        (["a@b"], {"phi": [(0, 1, "EMAIL", "", 0.7)]}, [("a@b", "EMAIL", "phi")]),
        (["anna"], {"phi": [(0, 1, "EMAIL", "", 0.95)]}, [("anna", "EMAIL", "phi")]),
        (["nummer"], {"phi": [(0, 1, "PHONE", "", 0.7)]}, []),
        (["nummer"], {"phi": [(0, 1, "PID", "", 0.7)]}, []),
        (["2391"], {"phi": [(0, 1, "PID", "", 0.6)]}, [("2391", "PID", "phi")]),
        ([".", "/"], {"phi": [(0, 2, "DATE", "", 0.99)]}, []),
        (["sju"], {"phi": [(0, 1, "AGE", "", 0.6)]}, [("sju", "AGE", "phi")]),
        # A unit and its hospital or place.
        (["Närhälsan", "Nossebro", "vårdcentral"], {"phi": [
            (0, 2, "ORGANISATION"), (2, 3, "ORGANISATION")]},
         [("Närhälsan Nossebro vårdcentral", "ORGANISATION", "phi")]),
        (["FK", "Borås"], {"phi": [(0, 1, "ORGANISATION", "", 0.8), (1, 2, "LOCATION")]},
         [("FK Borås", "ORGANISATION", "phi")]),
        (["FK", "Borås"], {"gazetteer": [(0, 1, "ORGANISATION", "unit"),
                                         (1, 2, "LOCATION", "place")]},
         [("FK Borås", "ORGANISATION", "gazetteer")]),
        (["FK", "i", "Borås"], {"phi": [(0, 1, "ORGANISATION"), (2, 3, "LOCATION")]},
         [("FK", "ORGANISATION", "phi"), ("Borås", "LOCATION", "phi")]),
        (["Borås", "FK"], {"phi": [(0, 1, "LOCATION"), (1, 2, "ORGANISATION")]},
         [("Borås", "LOCATION", "phi"), ("FK", "ORGANISATION", "phi")]),
        (["Apoteket", "Storgatan", "12"], {"phi": [(0, 1, "ORGANISATION"), (1, 3, "LOCATION")]},
         [("Apoteket", "ORGANISATION", "phi"), ("Storgatan 12", "LOCATION", "phi")]),
        # What other messages of the conversation say decides before lists, not before the model.
        (["Lund"], {"conversation": [(0, 1, "PERSON")], "gazetteer": [(0, 1, "LOCATION", "place")]},
         [("Lund", "PERSON", "conversation+gazetteer")]),
        (["Lund"], {"conversation": [(0, 1, "PERSON")], "phi": [(0, 1, "LOCATION")]},
         [("Lund", "LOCATION", "phi+conversation")]),
        (["Lund", "Visby"], {"gazetteer": [(0, 1, "LOCATION", "place"),
                                           (1, 2, "LOCATION", "place")]},
         [("Lund", "LOCATION", "gazetteer"), ("Visby", "LOCATION", "gazetteer")]),
    ],
)  # fmt: skip
def test_merging(words, groups, ents):
    assert merge(words, **groups) == ents


@pytest.mark.parametrize(
    "words, spaces, span, text",
    [
        (["Gun", "-", "Britt"], [False, False, False], (0, 1, "PERSON"), "Gun-Britt"),
        (["Gun", "-", "Britt"], [False, False, False], (2, 3, "PERSON"), "Gun-Britt"),
        (["Anna", "-", "Bo"], [True, True, True], (0, 1, "PERSON"), "Anna"),
        (["Lund", "s"], [False, False], (0, 1, "LOCATION"), "Lunds"),
        (["MVH", "//", "Lisa"], [False, False, False], (2, 3, "PERSON"), "Lisa"),
        (["maj", "-", "Anna"], [False, False, False], (0, 1, "DATE"), "maj"),
        (["Anna", "😊"], [False, False], (0, 1, "PERSON"), "Anna"),
        (["Anna", "070"], [False, False], (0, 1, "PERSON"), "Anna"),
    ],
)
def test_word_boundaries(words, spaces, span, text):
    doc = SpanMerger()(make_doc(words, spaces, phi=[span]))
    assert [ent.text for ent in doc.ents] == [text]


def test_names_join_over_one_space_only():
    groups = {"gazetteer": [(0, 1, "PERSON", "first_name")], "phi": [(2, 3, "PERSON")]}
    ents = merge(["Anna", ",", "Ydremo"], [False, True, False], **groups)
    assert [text for text, _, _ in ents] == ["Anna", "Ydremo"]


@pytest.mark.parametrize(
    "words, spaces, kinds, found",
    [
        (["Ros", ",", "Hjördis", "Linnéa"], [0, 1, 1, 0], ["surname", "first_name"],
         ["Ros, Hjördis Linnéa"]),
        (["ros", ",", "hjördis", "linnéa"], [0, 1, 1, 0], ["surname", "first_name"],
         ["ros, hjördis linnéa"]),
        (["Ros", ",", "Hjördis", "Linnéa"], [1, 1, 1, 0], ["surname", "first_name"],
         ["Ros", "Hjördis Linnéa"]),
        (["Ros", ",", "Hjördis", "Linnéa"], [0, 1, 1, 0], ["first_name", "first_name"],
         ["Ros", "Hjördis Linnéa"]),
        (["Ros", ",", "Hjördis", "Linnéa"], [0, 1, 1, 0], ["surname", "surname"],
         ["Ros", "Hjördis Linnéa"]),
        (["Ros", "/", "Hjördis", "Linnéa"], [0, 1, 1, 0], ["surname", "first_name"],
         ["Ros", "Hjördis Linnéa"]),
    ],
)  # fmt: skip
def test_surname_first(words, spaces, kinds, found):
    groups = {
        "phi": [(0, 1, "PERSON"), (2, 4, "PERSON")],
        "gazetteer": [(0, 1, "PERSON", kinds[0], 0.5), (2, 3, "PERSON", kinds[1], 0.5)],
    }
    assert [text for text, _, _ in merge(words, list(map(bool, spaces)), **groups)] == found


def test_hyphenated_title_is_no_name():
    words, spaces = ["ST", "-", "läkare", "Bo"], [False, False, True, False]
    title = [(2, 3, "TITLE", "title")]
    assert merge(words, spaces, phi=[(0, 3, "PERSON")], gazetteer=title) == []
    (ent,) = merge(words, spaces, phi=[(0, 4, "PERSON")], gazetteer=title)
    assert ent[0] == "ST-läkare Bo"


def test_score_is_the_highest():
    doc = make_doc(["3", "maj"], rules=[(0, 2, "DATE", "x", 0.7)], phi=[(0, 1, "DATE", "", 0.9)])
    (ent,) = SpanMerger()(doc).ents
    assert ent._.score == pytest.approx(0.9)


def test_single_class_takes_the_label_of_better_evidence():
    groups = {"phi": [(0, 1, "PHI")], "gazetteer": [(0, 1, "LOCATION", "place")]}
    assert merge(["Visby"], **groups)[0][:2] == ("Visby", "LOCATION")
    assert merge(["Visby"], phi=[(0, 1, "PHI")])[0][:2] == ("Visby", "PHI")


WORDS = ["Anna", "Berg", "-", "Lund", "mamma", "3", "maj", ".", "/", "070", "i"]
KINDS = [("PERSON", "first_name"), ("LOCATION", "place"), ("NEGATIVE", "eponym"),
         ("TITLE", "title"), ("ORGANISATION", "unit")]  # fmt: skip


@st.composite
def evidence(draw, words=WORDS):
    words = draw(st.lists(st.sampled_from(words), min_size=1, max_size=12))
    spaces = draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    n = len(words)

    def get_spans(labels):
        rows = []
        for _ in range(draw(st.integers(0, 4))):
            start = draw(st.integers(0, n - 1))
            end = draw(st.integers(start + 1, n))
            rows.append((start, end, draw(st.sampled_from(labels)), "", draw(st.floats(0.1, 1))))
        return rows

    groups = {"rules": get_spans(LABELS), "phi": get_spans(LABELS), "gazetteer": []}
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, n - 1))
        end = draw(st.integers(start + 1, n))
        label, kind = draw(st.sampled_from(KINDS))
        score = draw(st.sampled_from([0.5, 1.0]))
        groups["gazetteer"].append((start, end, label, kind, score))
    return words, spaces, groups


@given(evidence())
def test_nothing_found_is_ever_uncovered(case):
    words, spaces, groups = case
    doc = make_doc(words, spaces, **groups)
    others = {i for start, end, label, *_ in groups["gazetteer"] if label in ("TITLE", "NEGATIVE")
              for i in range(start, end)}  # fmt: skip
    # What the model alone found must look like something.
    found = [
        span
        for span, score in zip(doc.spans["phi"], doc.spans["phi"].attrs["scores"])
        if any(char.isalnum() for char in span.text)
        # A bare number, and a word in lower case, need a score.
        and score >= 0.5
        and span.label_ not in ("PID", "PHONE", "EMAIL", "DATE")
        and len(span.text) > 1
        and not (span.label_ == "AGE" and (span[0].is_punct or span[-1].is_punct))
        and not (span.label_ in NAMES and others & set(range(span.start, span.end)))
        # `Gävle 8.30`
        and not (span.label_ == "LOCATION" and span[-1].is_digit)
    ]
    must = {
        i
        for span in [*doc.spans["rules"], *found]
        for i in range(span.start_char, span.end_char)
        if doc.text[i].isalnum()
    }
    SpanMerger(standalone=STANDALONE)(doc)
    covered = {i for ent in doc.ents for i in range(ent.start_char, ent.end_char)}
    assert must <= covered
    assert all(ent._.source and 0 < ent._.score <= 1 for ent in doc.ents)


@pytest.mark.parametrize(
    ("words", "titles", "ents"),
    [
        (["leg", "psykolog", "Ek"], [(0, 2), (1, 2)], ["leg psykolog Ek"]),
        (["god", "man", "Ek"], [(0, 2)], ["god man Ek"]),
        (["min", "man", "Ek"], [(1, 2)], ["man Ek"]),
        (["leg", "ögonläkare", "Ek"], [(1, 2)], ["leg ögonläkare Ek"]),
    ],
)
@pytest.mark.parametrize("start", [1, 2])
def test_all_words_of_a_title(words, titles, ents, start):
    hits = [(*title, "TITLE", "title") for title in titles]
    found = merge(words, phi=[(start, 3, "PERSON")], gazetteer=hits)
    assert [text for text, *_ in found] == ents


@pytest.mark.parametrize(
    ("words", "spaces", "name"),
    [
        (["håkan", "n", ",", "slite"], [1, 0, 1, 0], "håkan n"),
        (["håkan", "n"], [1, 0], "håkan n"),
        (["håkan", "o", ",", "slite"], [1, 0, 1, 0], "håkan"),
        (["håkan", "m", "feber"], [1, 1, 0], "håkan"),
        (["Håkan", "m", "."], [1, 0, 0], "Håkan"),
    ],
)
def test_initials_in_lower_case(words, spaces, name):
    found = merge(words, [bool(space) for space in spaces], phi=[(0, 1, "PERSON")])
    assert [text for text, *_ in found] == [name]


@pytest.mark.parametrize(
    ("words", "phi", "ents"),
    [
        (["doktor", "T", ".", "ringde"], [(0, 2, "PERSON")], ["doktor T."]),
        (["dr", "Ý", ".", "Ek"], [(0, 2, "PERSON"), (3, 4, "PERSON")], ["dr Ý. Ek"]),
        (["till", "Anna", ".", "Sen"], [(1, 2, "PERSON")], ["Anna"]),
        # A place is no letter.
        (["till", "A", ".", "Sen"], [(1, 2, "LOCATION")], []),
    ],
)
def test_full_stop_that_ends_an_initial(words, phi, ents):
    spaces = [words[i + 1 : i + 2] != ["."] for i in range(len(words))]
    assert [text for text, *_ in merge(words, spaces, phi=phi)] == ents


@pytest.mark.parametrize(
    ("words", "spaces", "found"),
    [
        (["Per", "S", "."], [1, 0, 0], "Per S."),
        # A full stop apart ends a sentence, however it got there.
        (["Per", "S", "."], [1, 1, 0], "Per S"),
        (["Per", "s", "."], [1, 0, 0], "Per"),
        (["Per", "S", "!"], [1, 0, 0], "Per S"),
        (["Per", "Sa", "."], [1, 0, 0], "Per"),
    ],
)
def test_full_stop_of_an_initial(words, spaces, found):
    spaces = [bool(space) for space in spaces]
    assert merge(words, spaces, phi=[(0, 1, "PERSON")]) == [(found, "PERSON", "phi")]


TITLES = {"gazetteer": [(1, 3, "TITLE", "title")]}


@pytest.mark.parametrize(
    ("words", "groups", "found"),
    [
        # What stands in front of a title: its prefix, with a full stop or without.
        (["leg", ".", "ssk", "Anna"], {"gazetteer": [(2, 3, "TITLE", "title")],
                                       "phi": [(3, 4, "PERSON")]}, ["leg . ssk Anna"]),
        (["Leg", "ssk", "Anna"], {"gazetteer": [(1, 2, "TITLE", "title")],
                                  "phi": [(2, 3, "PERSON")]}, ["Leg ssk Anna"]),
        ([".", "ssk", "Anna"], {"gazetteer": [(1, 2, "TITLE", "title")],
                                "phi": [(2, 3, "PERSON")]}, ["ssk Anna"]),
        (["leg", "Anna"], {"phi": [(1, 2, "PERSON")]}, ["Anna"]),
        # A title of two words, whichever of them the model found; who stands before it stays apart.
        (["hans", "god", "man", "Bo"], {**TITLES, "phi": [(3, 4, "PERSON")]}, ["god man Bo"]),
        (["hans", "god", "man", "Bo"], {**TITLES, "phi": [(2, 4, "PERSON")]}, ["god man Bo"]),
        (["Evas", "god", "man", "Bo"], {**TITLES, "phi": [(0, 1, "PERSON"), (3, 4, "PERSON")]},
         ["Evas", "god man Bo"]),
        # An initial in lower case ends its line, or stands in front of a comma or a full stop.
        (["håkan", "n", "\n", "slite"], {"phi": [(0, 1, "PERSON")]}, ["håkan n"]),
        (["håkan", "n", ","], {"phi": [(0, 1, "PERSON")]}, ["håkan n"]),
        (["håkan", "n"], {"phi": [(0, 1, "PERSON")]}, ["håkan n"]),
        (["håkan", "n", "slite"], {"phi": [(0, 1, "PERSON")]}, ["håkan"]),
        (["\n", "håkan", "n", "slite"], {"phi": [(1, 2, "PERSON")]}, ["håkan"]),
        (["håkan", "i"], {"phi": [(0, 1, "PERSON")]}, ["håkan"]),
        (["Håkan", "n"], {"phi": [(0, 1, "PERSON")]}, ["Håkan"]),
    ],
)  # fmt: skip
def test_what_stands_around_a_name(words, groups, found):
    assert [text for text, *_ in merge(words, **groups)] == found


@pytest.mark.parametrize(
    ("scores", "label", "score"),
    [((1.0, 0.5), "PERSON", 1.0), ((0.5, 1.0), "LOCATION", 1.0), ((0.5, 0.5), "LOCATION", 0.5)],
)
def test_of_one_source_the_surer_then_the_longer_names_the_class(scores, label, score):
    """What both cover stays covered, with the score of the surer."""
    one, two = scores
    groups = {"rules": [(0, 2, "PERSON", "", one), (1, 4, "LOCATION", "", two)]}
    doc = SpanMerger(standalone=STANDALONE)(make_doc(["Bo", "Ek", "i", "Lit"], **groups))
    (ent,) = doc.ents
    assert (ent.text, ent.label_, ent._.score) == ("Bo Ek i Lit", label, score)


GLAD = (0, 1, "PERSON", "surname", 0.5)
RONNY = (2, 3, "PERSON", "first_name", 0.5)


@pytest.mark.parametrize(
    ("words", "at", "hits", "phi", "found"),
    [
        # A surname that is an ordinary word, where the line begins with it.
        (["Glad", ",", "Ronny"], 0, [GLAD], [(2, 3)], ["Glad, Ronny"]),
        (["\n", "Glad", ",", "Ronny"], 1, [GLAD], [(2, 3)], ["Glad, Ronny"]),
        (["hej", "Glad", ",", "Ronny"], 1, [GLAD], [(2, 3)], ["Ronny"]),
        (["glad", ",", "Ronny"], 0, [GLAD], [(2, 3)], ["Ronny"]),
        # It is no surname, or a first name as well.
        (["Hej", ",", "Ronny"], 0, [], [(2, 3)], ["Ronny"]),
        (["Glad", ",", "Ronny"], 0, [GLAD, (0, 1, "PERSON", "first_name", 0.5)], [(2, 3)],
         ["Ronny"]),
        # Both were found: one person only if the second is a first name.
        (["Glad", ",", "Ronny"], 0, [GLAD, RONNY], [(0, 1), (2, 3)], ["Glad, Ronny"]),
        (["Glad", ",", "Ronny"], 0, [GLAD], [(0, 1), (2, 3)], ["Glad", "Ronny"]),
        # A surname of two words, which begins with no first name.
        (["Sve", "Glad", ",", "Ronny"], 1, [GLAD, RONNY], [(-1, 1), (2, 3)],
         ["Sve Glad, Ronny"]),
        (["Sve", "Glad", ",", "Ronny"], 1, [(-1, 0, "PERSON", "first_name", 0.5), GLAD, RONNY],
         [(-1, 1), (2, 3)], ["Sve Glad", "Ronny"]),
    ],
)  # fmt: skip
def test_surname_in_front_of_a_comma(words, at, hits, phi, found):
    spaces = [word not in ("Glad", "glad", "Hej") or words[-1] == word for word in words]
    gazetteer = [(start + at, end + at, *rest) for start, end, *rest in hits]
    phi = [(start + at, end + at, "PERSON") for start, end in phi]
    assert [text for text, *_ in merge(words, spaces, gazetteer=gazetteer, phi=phi)] == found


def test_merger_scorer():
    gold, found, empty = (make_doc(["Anna", "Berg", "i", "Lit"]) for _ in range(3))
    gold.ents = [Span(gold, 0, 2, "PERSON"), Span(gold, 3, 4, "LOCATION")]
    found.ents = [Span(found, 0, 2, "PERSON")]
    scores = SpanMerger(scorer=make_merger_scorer()).score([Example(found, gold)])
    assert (scores["ents_p"], scores["ents_r"]) == (1.0, 0.5)
    assert make_merger_scorer()([Example(found, empty)])["ents_f"] is None
    assert SpanMerger().score([Example(found, gold)]) == {}


# A word that is only a title, which the rule drops.
TITLE_ALONE = {"phi": [(0, 1, "PERSON")], "gazetteer": [(0, 1, "TITLE", "title")]}


def test_a_rule_is_switched_off_and_on():
    merger = SpanMerger()
    assert not merger(make_doc(["psykolog"], **TITLE_ALONE)).ents
    merger.disable = ["doubt.title"]
    assert merger.disable == ["doubt.title"]
    assert merger(make_doc(["psykolog"], **TITLE_ALONE)).ents
    merger.disable = []
    assert not merger(make_doc(["psykolog"], **TITLE_ALONE)).ents


def test_scores_that_rules_demand():
    merger = SpanMerger(scores={"formless": 0.5})
    groups = {"phi": [(0, 1, "PERSON", "", 0.7)]}
    assert merger(make_doc(["t"], **groups)).ents
    merger.scores = {"formless": 0.8}
    assert not merger(make_doc(["t"], **groups)).ents
    assert merger.scores == {**SCORES, "formless": 0.8}
    with pytest.raises(TypeError):
        merger.scores["formless"] = 0.1


def test_rules_that_are_added_act_on_a_saved_pipeline(tmp_path, monkeypatch):
    nlp = spacy.blank("sv")
    nlp.add_pipe("span_merger")
    nlp.to_disk(tmp_path)
    monkeypatch.setattr(merger_rules, "get_all", _with_rule("doubt.anna"))
    merger = spacy.load(tmp_path).get_pipe("span_merger")
    assert not merger(make_doc(["Anna"], phi=[(0, 1, "PERSON")])).ents
    merger.disable = ["doubt.anna"]
    assert merger(make_doc(["Anna"], phi=[(0, 1, "PERSON")])).ents


def _with_rule(id):
    rules = {**merger_rules.get_all(), id: Rule(id, ("PERSON",), lambda reading, find: True)}
    return lambda: rules


def test_a_rule_of_no_stage(monkeypatch):
    monkeypatch.setattr(merger_rules, "get_all", _with_rule("doubts.anna"))
    with pytest.raises(ValueError, match="begins with its stage: doubts.anna. Stages: bound"):
        SpanMerger()


def test_rules_and_scores_that_were_removed_are_left_out_of_a_saved_pipeline():
    config = {"disable": ["trim.title", "trim.gone"], "scores": {"gone": 0.5, "bare": 0.4}}
    with pytest.warns(UserWarning) as told:
        merger = SpanMerger(**config)
    assert [str(each.message) for each in told] == [
        "span_merger: rules that do not exist are left out: trim.gone.",
        "span_merger: scores that do not exist are left out: gone.",
    ]
    assert (merger.disable, merger.scores) == (["trim.title"], {**SCORES, "bare": 0.4})
    # What is set on the loaded pipe is a slip.
    with pytest.raises(ValueError, match="No such rules: trim.gone. Rules: bound.flat"):
        merger.disable = ["trim.gone"]
    with pytest.raises(ValueError, match="scores: gone: no such. There are: formless"):
        merger.scores = {"gone": 0.5}


def test_the_config_holds_what_differs():
    nlp = spacy.blank("sv")
    nlp.add_pipe("span_merger", config={"scores": {"bare": 0.4}})
    config = nlp.config["components"]["span_merger"]
    assert (config["disable"], config["scores"]) == ([], {"bare": 0.4})
    assert "stages" not in config


TRICKY = ["EKG", "psykolog", "och", ",", "8", "28/24", "min", "lgh", "tr", "Åre", "s", "anna"]


@given(evidence([*WORDS, *TRICKY]))
def test_careful_drops_and_cuts_nothing(case):
    words, spaces, groups = case
    doc = make_doc(words, spaces, **groups)
    found = [i for span in doc.spans["phi"] for i in range(span.start_char, span.end_char)]
    SpanMerger(mode="careful", standalone=STANDALONE)(doc)
    covered = {i for ent in doc.ents for i in range(ent.start_char, ent.end_char)}
    assert {i for i in found if doc.text[i].isalnum()} <= covered


def test_the_mode_is_switched_and_saved():
    merger = SpanMerger()
    assert not merger(make_doc(["psykolog"], **TITLE_ALONE)).ents
    merger.mode = "careful"
    assert merger(make_doc(["psykolog"], **TITLE_ALONE)).ents
    assert SpanMerger().from_bytes(merger.to_bytes()).mode == "careful"
    merger.mode = "balanced"
    assert not merger(make_doc(["psykolog"], **TITLE_ALONE)).ents
    with pytest.raises(ValueError, match="mode: 'bold' is none. There are: balanced, careful"):
        merger.mode = "bold"


@pytest.mark.parametrize(
    ("error", "said", "config"),
    [
        (TypeError, r"list of ids: \['trim.title'\]", {"disable": "trim.title"}),
        (ValueError, "scores: lower must be numbers from 0 to 1", {"scores": {"lower": 1.5}}),
        (ValueError, "mode: 'bold' is none", {"mode": "bold"}),
    ],
)
def test_wrong_rules(error, said, config):
    with pytest.raises(error, match=said):
        SpanMerger(**config)


@pytest.mark.parametrize("changes", [{}, {"disable": ["trim.title"], "scores": {"lower": 0.1}}])
@pytest.mark.parametrize("way", ["disk", "bytes"])
def test_what_was_changed_is_saved(tmp_path, changes, way):
    # From a config of its own, the rest of which stays there.
    config = {"disable": ["doubt.title"], "scores": {"bare": 0.2}}
    merger = SpanMerger(**config)
    for name, value in changes.items():
        setattr(merger, name, value)
    loaded = SpanMerger(**config)
    if way == "disk":
        merger.to_disk(tmp_path / "merger")
        loaded.from_disk(tmp_path / "merger")
    else:
        loaded.from_bytes(merger.to_bytes())
    assert (loaded.disable, loaded.scores) == (merger.disable, merger.scores)
    other = SpanMerger(disable=["trim.term"])
    other.from_bytes(merger.to_bytes())
    assert other.disable == changes.get("disable", ["trim.term"])


def test_a_pipe_saved_without_its_own_file(tmp_path):
    (tmp_path / "merger").mkdir()
    merger = SpanMerger(disable=["trim.term"]).from_disk(tmp_path / "merger")
    assert merger.disable == ["trim.term"]


def test_trace_and_doubted():
    groups = {
        "phi": [(0, 3, "PERSON", "", 0.9)],
        "gazetteer": [(0, 1, "NEGATIVE", "term"), (1, 2, "PERSON", "first_name")],
    }
    doc = SpanMerger(standalone=STANDALONE)(make_doc(["ekg", "Anna", "och"], **groups))
    (ent,) = doc.ents
    assert ent._.trace == [
        {"by": "phi", "start": 0, "end": 12, "label": "PERSON", "score": 0.9},
        {"by": "trim.term", "start": 4, "end": 12, "label": "PERSON", "score": 0.9},
        {"by": "trim.conjunction", "start": 4, "end": 8, "label": "PERSON", "score": 0.9},
        {"by": "gazetteer:first_name", "start": 4, "end": 8, "label": "PERSON", "score": 1.0},
        {"by": "unite", "start": 4, "end": 8, "label": "PERSON", "score": 1.0},
    ]
    found = [(span.text, span.label_, span.id_) for span in doc.spans["doubted"]]
    assert found == [("ekg", "PERSON", "trim.term"), ("och", "PERSON", "trim.conjunction")]
    assert doc.spans["doubted"].attrs["scores"] == [0.9, 0.9]


def test_trace_of_very_many_names_in_a_row():
    n = 3000
    doc = SpanMerger()(make_doc(["Anna"] * n, phi=[(i, i + 1, "PERSON") for i in range(n)]))
    (ent,) = doc.ents
    assert len(ent) == n
    found = [step for step in ent._.trace if step["by"] == "phi"]
    assert [step["start"] for step in found] == [5 * i for i in range(n)]
    assert ent._.trace[-1]["end"] == ent.end_char
