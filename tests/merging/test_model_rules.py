"""What rules and lists say against the finds of the model."""

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc, Span, SpanGroup

from components.hits import iter_hits
from components.merging.chain import Chain
from components.merging.finds import make_find
from components.merging.model_rules import SCORES
from components.merging.reading import Reading
from components.swedish.words import get_commonness

FIVE, SIXTY = map(get_commonness, (5, 60))  # times in a million words


def make_doc(words, spaces=None, common=(), vetoes=(), **groups):
    doc = Doc(spacy.blank("sv").vocab, words=words, spaces=spaces or [True] * len(words))
    doc._.commonness = np.zeros((len(doc), 2), dtype="float32")
    doc._.commonness[list(common), 0] = SIXTY
    doc.spans["vetoes"] = SpanGroup(doc, spans=[Span(doc, *ends) for ends in vetoes])
    for key, rows in groups.items():
        spans = [Span(doc, a, b, label, span_id=kind) for a, b, label, kind, _ in rows]
        group = SpanGroup(doc, name=key, spans=spans)
        group.attrs["scores"] = [row[4] for row in rows]
        doc.spans[key] = group
    return doc


def get_finds(doc):
    chain, reading = Chain(), Reading(doc, SCORES)
    finds = [make_find(*span, "phi", score) for span, score in iter_spans(doc)]
    return [left[:3] for find in finds for left in chain.judge(reading, find, [])]


def iter_spans(doc):
    return [((hit.start, hit.end, hit.label_), score) for hit, score in iter_hits(doc, "phi")]


@pytest.mark.parametrize(
    ("words", "label", "evidence", "kept"),
    [
        # An ordinary word in front of a name is not part of it, unless lists know it as a name.
        (["Hälsar", "Fanny"], "PERSON", {"common": [0]}, "Fanny"),
        (["Björn", "Ek"], "PERSON",
         {"common": [0, 1], "gazetteer": [(0, 1, "PERSON", "first_name", 0.5),
                                          (1, 2, "PERSON", "surname", 0.5)]}, "Björn Ek"),
        (["tant", "Signe"], "PERSON",
         {"common": [0], "gazetteer": [(0, 1, "TITLE", "title", 1.0)]}, "tant Signe"),
        (["Anna", "Skog"], "PERSON", {"common": [1]}, "Anna Skog"),
        # A drug or a term is no name, and in front of or behind one it is not part of it.
        (["Waran"], "PERSON", {"gazetteer": [(0, 1, "NEGATIVE", "drug", 1.0)]}, None),
        (["Mvh", "Gerd"], "PERSON", {"gazetteer": [(0, 1, "NEGATIVE", "term", 1.0)]}, "Gerd"),
        (["Anna", "EKG"], "PERSON", {"gazetteer": [(1, 2, "NEGATIVE", "term", 1.0)]}, "Anna"),
        (["EKG", "Lund"], "ORGANISATION", {"gazetteer": [(0, 1, "NEGATIVE", "term", 1.0)]},
         "EKG Lund"),
        (["distriktssköterska", "Näsby", "vårdcentral"], "ORGANISATION",
         {"gazetteer": [(0, 1, "TITLE", "title", 1.0)]}, "Näsby vårdcentral"),
        (["Alma"], "PERSON", {"gazetteer": [(0, 1, "NEGATIVE", "drug", 1.0),
                                            (0, 1, "PERSON", "first_name", 1.0)]}, "Alma"),
        # Clock times and doses are nothing, but a street without a number may be a place.
        (["Gävle", "8.30"], "LOCATION", {"vetoes": [(1, 2)]}, "Gävle"),
        (["8.30"], "DATE", {"vetoes": [(0, 1)]}, None),
        (["Skolgatan"], "LOCATION", {"vetoes": [(0, 1)]}, "Skolgatan"),
        (["Madopark", "3"], "LOCATION", {"gazetteer": [(0, 1, "NEGATIVE", "drug", 1.0)]}, None),
        (["Storgatan", "17"], "LOCATION", {"gazetteer": [(0, 1, "LOCATION", "street", 1.0)]},
         "Storgatan 17"),
        # A rule has the last word.
        (["8.30"], "DATE", {"vetoes": [(0, 1)], "rules": [(0, 1, "DATE", "", 1.0)]}, "8.30"),
        (["och", "5", "år"], "AGE", {}, "5 år"),
    ],
)  # fmt: skip
def test_finds(words, label, evidence, kept):
    doc = make_doc(words, phi=[(0, len(words), label, "", 0.9)], **evidence)
    found = [doc[start:end].text for start, end, *_ in get_finds(doc)]
    assert found == ([kept] if kept else [])


@pytest.mark.parametrize(
    ("words", "label", "evidence", "kept"),
    [
        # Two places in a row, two organisations, two sentences are two finds.
        (["Ronna", "Lund"], "LOCATION", {"gazetteer": [(0, 1, "LOCATION", "place", 1.0),
                                                       (1, 2, "LOCATION", "place", 1.0)]},
         ["Ronna", "Lund"]),
        (["Ekgatan", "9", "Lund"], "LOCATION", {"gazetteer": [(2, 3, "LOCATION", "place", 1.0)],
                                                "rules": [(0, 2, "LOCATION", "", 1.0)]},
         ["Ekgatan 9", "Lund"]),
        (["Bani", "Walid"], "LOCATION", {"gazetteer": [(1, 2, "LOCATION", "place", 1.0)]},
         ["Bani Walid"]),
        (["Bild", "och", "Form"], "ORGANISATION", {}, ["Bild och Form"]),
        (["A", ".", "Jarl"], "PERSON", {}, ["A . Jarl"]),
        (["Leg", ".", "Jarl"], "PERSON", {"gazetteer": [(0, 1, "TITLE", "title", 1.0)]},
         ["Leg . Jarl"]),
        # A word in lower case in front of a capital, an ordinary one behind a name.
        (["karens", "Vilgot"], "PERSON", {"rare": [0], "score": 0.5}, ["Vilgot"]),
        (["von", "Grund"], "PERSON", {"common": [0]}, ["von Grund"]),
        (["anna", "säger"], "PERSON", {"common": [1]}, ["anna"]),
        # A term behind an organisation.
        (["Birgits", "dosett"], "ORGANISATION",
         {"gazetteer": [(1, 2, "NEGATIVE", "term", 1.0)]}, ["Birgits"]),
        # A name within a longer term is none.
        (["lex", "Sarah"], "PERSON", {"gazetteer": [(0, 2, "NEGATIVE", "eponym", 1.0),
                                                    (1, 2, "PERSON", "first_name", 1.0)]}, []),
        (["t"], "PERSON", {"score": 0.4}, []),
        (["t"], "PERSON", {"score": 0.95}, ["t"]),
        (["T"], "PERSON", {"score": 0.6}, ["T"]),
        (["K"], "ORGANISATION", {}, []),
        (["Å"], "LOCATION", {"gazetteer": [(0, 1, "LOCATION", "place", 0.5)]}, ["Å"]),
        # Known words in lower case are no names unless a list has them.
        (["firman"], "PERSON", {"rare": [0], "score": 0.4}, []),
        (["sidan"], "LOCATION", {"common": [0], "score": 0.4}, []),
        (["liv"], "PERSON", {"common": [0], "gazetteer": [(0, 1, "PERSON", "first_name", 0.5)]},
         ["liv"]),
        # A number that no rule knows must have the digits of its class.
        (["10-", "12"], "DATE", {}, ["10- 12"]),
        (["18", "jnauari"], "DATE", {}, ["18 jnauari"]),
        (["18", "jnauari"], "DATE", {"score": 0.4}, []),
        (["17-", "21"], "DATE", {"rules": [(0, 2, "DATE", "", 1.0)]}, ["17- 21"]),
        (["721214-69"], "PID", {}, []),
        (["721214-6937"], "PID", {}, ["721214-6937"]),
        (["0-10"], "PHONE", {}, []),
        ([":e"], "DATE", {}, []),
        # A rule knows where a date ends, and which ages are two.
        (["14", "mars", "10"], "DATE", {"rules": [(0, 2, "DATE", "", 1.0)]}, ["14 mars"]),
        (["8", ",", "5"], "AGE", {"rules": [(0, 1, "AGE", "", 1.0), (2, 3, "AGE", "", 1.0)]},
         ["8", "5"]),
        (["-", "47"], "DATE", {"rules": [(1, 2, "DATE", "", 1.0)]}, ["47"]),
        (["3", "maj", "2024"], "DATE", {"rules": [(0, 2, "DATE", "", 1.0)]}, ["3 maj 2024"]),
        (["10"], "AGE", {"score": 0.08}, []),
        (["10"], "AGE", {"score": 0.6}, ["10"]),
        (["ojoj"], "PERSON", {"score": 0.2}, []),
        (["Ojoj"], "PERSON", {"score": 0.2}, ["Ojoj"]),
        (["MEDICINEN"], "PERSON", {"common": [0], "score": 0.4}, []),
        (["ASIH"], "ORGANISATION", {"common": [0]}, ["ASIH"]),
        # A disease or a scale with the name of a person.
        (["Sjögrens"], "PERSON",
         {"gazetteer": [(0, 1, "NEGATIVE", "eponym", 1.0), (0, 1, "PERSON", "surname", 1.0)]}, []),
        (["Beck"], "PERSON",
         {"gazetteer": [(0, 1, "NEGATIVE", "eponym", 1.0), (0, 1, "PERSON", "surname", 1.0)]},
         ["Beck"]),
        (["Beck"], "PERSON",
         {"score": 0.4,
          "gazetteer": [(0, 1, "NEGATIVE", "eponym", 1.0), (0, 1, "PERSON", "surname", 1.0)]}, []),
        # People are joined by a comma only where a line begins with the surname.
        (["Hej", "Elsy", ",", "Bo"], "PERSON", {"common": [0]}, ["Elsy", "Bo"]),
        (["Ros", ",", "Hjördis"], "PERSON", {}, ["Ros , Hjördis"]),
        (["I", ".", "Lyth"], "PERSON", {}, ["I . Lyth"]),
        ([".", "Elsy", "."], "PERSON", {}, ["Elsy"]),
        (["J", "."], "PERSON", {}, ["J ."]),
        (["Migrationsverkets", "boende"], "ORGANISATION",
         {"rare": [1], "gazetteer": [(0, 1, "ORGANISATION", "organisation", 1.0)]},
         ["Migrationsverkets"]),
        (["Önskat"], "LOCATION", {"common": [0]}, ["Önskat"]),
        (["Doktor", ".", "se"], "ORGANISATION",
         {"urls": [(0, 3)], "gazetteer": [(0, 3, "ORGANISATION", "organisation", 1.0)]},
         ["Doktor . se"]),
    ],
)  # fmt: skip
def test_parts(words, label, evidence, kept):
    evidence = dict(evidence)
    urls = evidence.pop("urls", [])
    rare, score = evidence.pop("rare", []), evidence.pop("score", 0.9)
    doc = make_doc(words, phi=[(0, len(words), label, "", score)], **evidence)
    doc._.commonness[rare, 0] = 0.1
    doc.spans["vetoes"].extend([Span(doc, *ends, span_id="neg.url") for ends in urls])
    found = [doc[start:end].text for start, end, *_ in get_finds(doc)]
    assert found == kept


@pytest.mark.parametrize(
    ("model", "score", "lists", "label"),
    [
        ("PERSON", 0.8, ["ORGANISATION"], "ORGANISATION"),
        ("PERSON", 0.97, ["ORGANISATION"], "PERSON"),
        ("PERSON", 0.8, ["ORGANISATION", "LOCATION"], "PERSON"),
        ("PERSON", 0.8, ["PERSON", "LOCATION"], "PERSON"),
        ("LOCATION", 0.8, [], "LOCATION"),
    ],
)
def test_lists_tell_the_class_where_the_model_is_not_sure(model, score, lists, label):
    hits = [(0, 2, other, "", 1.0) for other in lists]
    doc = make_doc(["Clas", "Ohlson"], phi=[(0, 2, model, "", score)], gazetteer=hits)
    assert [found[2] for found in get_finds(doc)] == [label]


@pytest.mark.parametrize(
    ("words", "label", "evidence", "kept"),
    [
        # Of the vetoes, only numbers are nothing: `Skolgatan` may be a place within a veto.
        (["Skolgatan"], "LOCATION", {"vetoes": [(0, 1)]}, ["Skolgatan"]),
        (["Vega", "12"], "LOCATION", {"vetoes": [(0, 1), (1, 2)]}, ["Vega"]),
        # A number that no rule knows: just so many digits.
        (["1234"], "PHONE", {}, []),
        (["12345"], "PHONE", {}, ["12345"]),
        (["12-34-5"], "PHONE", {}, ["12-34-5"]),
        (["123"], "PID", {}, []),
        (["1234"], "PID", {}, ["1234"]),
        (["12345"], "PID", {}, []),
        (["123456789o"], "PID", {}, ["123456789o"]),
        (["O234567890"], "PID", {}, ["O234567890"]),
        (["1912121469371"], "PID", {}, []),
    ],
)  # fmt: skip
def test_numbers_that_no_rule_knows(words, label, evidence, kept):
    doc = make_doc(words, phi=[(0, len(words), label, "", 0.9)], **evidence)
    assert [doc[start:end].text for start, end, *_ in get_finds(doc)] == kept


@pytest.mark.parametrize("score", [0.95, 0.6])
def test_code_of_the_last_word_does_not_touch_the_first(score):
    """Nothing stands in front of the first word, whatever the last one is."""
    doc = make_doc(
        ["K", "har", "tid", "12"], [True, True, True, False], phi=[(0, 1, "PERSON", "", score)]
    )
    assert len(get_finds(doc)) == 1


@pytest.mark.parametrize(
    ("model", "score", "found"),
    [
        # At its least score each form counts, below it does not.
        ("PERSON", 0.25, 1), ("PERSON", 0.24, 0),
    ],
)  # fmt: skip
def test_least_score_of_a_word_in_lower_case(model, score, found):
    doc = make_doc(["ojoj"], phi=[(0, 1, model, "", score)])
    assert len(get_finds(doc)) == found


@pytest.mark.parametrize(
    ("word", "label", "least"),
    [
        ("10", "AGE", 0.2),
        ("t", "PERSON", 0.5),
        ("18 jnauari", "DATE", 0.5),
    ],
)
def test_least_scores(word, label, least):
    for score, found in ((least, 1), (least - 0.01, 0)):
        doc = make_doc([word], phi=[(0, 1, label, "", score)])
        assert len(get_finds(doc)) == found, score


@pytest.mark.parametrize(("score", "label"), [(0.94, "ORGANISATION"), (0.95, "PERSON")])
def test_least_score_against_the_lists(score, label):
    hits = [(0, 1, "ORGANISATION", "organisation", 1.0)]
    doc = make_doc(["Volvo"], phi=[(0, 1, "PERSON", "", score)], gazetteer=hits)
    assert [found[2] for found in get_finds(doc)] == [label]


@pytest.mark.parametrize(
    ("digits", "found"),
    [("2024", ["3 maj 2024"]), ("123", ["3 maj"]), ("12", ["3 maj"])],
)
def test_so_many_digits_may_be_beyond_a_rule(digits, found):
    """An hour behind a date is not part of it; a year that the rule missed is."""
    doc = make_doc(
        ["3", "maj", digits], rules=[(0, 2, "DATE", "", 1.0)], phi=[(0, 3, "DATE", "", 0.95)]
    )
    assert [doc[start:end].text for start, end, *_ in get_finds(doc)] == found


@pytest.mark.parametrize("label", ["PID", "PHONE"])
@pytest.mark.parametrize(
    ("words", "spaces", "found"),
    [
        (["K", "7212146937"], [False, False], 0),
        (["K", "7212146937"], [True, False], 1),
        (["7-", "7212146937"], [False, False], 0),
        (["(", "7212146937"], [False, False], 1),
    ],
)
def test_numbers_within_a_code(label, words, spaces, found):
    doc = make_doc(words, spaces, phi=[(1, 2, label, "", 0.95)])
    assert len(get_finds(doc)) == found


@pytest.mark.parametrize(
    ("words", "spaces", "label", "kept"),
    [
        # Only people are of two sentences, and only where there is a gap.
        (["Sankt", ".", "Hansby"], [True, True, False], "LOCATION", ["Sankt . Hansby"]),
        (["Camilla", ".", "Jarl"], [False, False, False], "PERSON", ["Camilla.Jarl"]),
    ],
)
def test_full_stop_between_two(words, spaces, label, kept):
    doc = make_doc(words, spaces, phi=[(0, 3, label, "", 0.95)])
    assert [doc[start:end].text for start, end, *_ in get_finds(doc)] == kept


@pytest.mark.parametrize(
    ("words", "label", "common", "evidence", "kept"),
    [
        # In front of a name a word may be this ordinary, behind it a little more.
        (["Hälsar", "Fanny"], "PERSON", [FIVE, 0], {}, ["Fanny"]),
        (["Hälsar", "Fanny"], "PERSON", [FIVE - 0.01, 0], {}, ["Hälsar Fanny"]),
        (["anna", "säger"], "PERSON", [0, SIXTY], {}, ["anna"]),
        (["anna", "säger"], "PERSON", [0, SIXTY - 0.01], {}, ["anna säger"]),
        # A particle belongs to the name, if it is no word of its own.
        (["von", "Platen"], "PERSON", [FIVE, 0], {}, ["von Platen"]),
        (["den", "Fanny"], "PERSON", [FIVE, 0], {"score": 0.5}, ["Fanny"]),
        # An abbreviation in capitals has four letters.
        (["AKUT"], "ORGANISATION", [0.5], {}, ["AKUT"]),
        (["AKUTE"], "ORGANISATION", [0.5], {"score": 0.4}, []),
        (["AKUTE"], "ORGANISATION", [0.5], {"score": 0.6}, ["AKUTE"]),
        # An abbreviated name has two.
        (["Fr", ".", "Jarl"], "PERSON", [0, 0, 0], {}, ["Fr . Jarl"]),
        # What an organisation has, but not what a place has, is no part of it.
        (["Lunds", "boende"], "ORGANISATION", [0, 0.1],
         {"gazetteer": [(0, 1, "LOCATION", "place", 1.0)]}, ["Lunds boende"]),
        # A disease of two words is nobody.
        (["Parkinsons", "sjukdom"], "PERSON", [0, 0],
         {"gazetteer": [(0, 2, "NEGATIVE", "eponym", 1.0)]}, []),
    ],
)  # fmt: skip
def test_limits(words, label, common, evidence, kept):
    evidence = dict(evidence)
    score = evidence.pop("score", 0.9)
    doc = make_doc(words, phi=[(0, len(words), label, "", score)], **evidence)
    doc._.commonness[:, 0] = common
    assert [doc[start:end].text for start, end, *_ in get_finds(doc)] == kept


@pytest.mark.parametrize(("spaced", "found"), [(False, 0), (True, 1)])
def test_title_at_the_end_of_a_hyphenated_word(spaced, found):
    """`ex-sambo` is no name, `Ex - sambo` may have one."""
    doc = make_doc(
        ["bonus", "-", "sambo"], [spaced, spaced, False], phi=[(0, 3, "PERSON", "", 0.95)],
        gazetteer=[(2, 3, "TITLE", "title", 1.0)],
    )  # fmt: skip
    assert len(get_finds(doc)) == found
