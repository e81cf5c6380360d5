"""What one message of a conversation tells of the others."""

import re

import pytest
from spacy.language import Language
from spacy.tokens import Span, SpanGroup

from components import deidentify_conversation, pipe_conversations
from components.conversations.conversation import CONTEXT_LENGTH, propagate
from components.lists.lists import read_lists
from components.measures.formats.registry import chat_language
from components.merging.facts import Facts
from components.merging.judge import Judge
from components.text.hits import write_hits
from tests.cases import cases
from tests.conftest import ROOT

WORDS = {
    "maj": 400, "per": 600, "hos": 900, "sol": 40, "tisdag": 50, "svenskan": 15, "kontakt": 90,
    "han": 4000,
}  # fmt: skip


SIGNS = {"#": "PHI", "*": "PERSON", "§": "LOCATION", "¤": "ORGANISATION"}


@Language.factory("finds_marked")
class FindsMarked:
    """A model that finds what stands in front of the sign for its class, if it is sure."""

    def __init__(self, nlp, name):
        pass

    def __call__(self, doc):
        spans = [
            doc.char_span(*match.span(1), SIGNS[match[2]], alignment_mode="expand")
            for match in re.finditer(r"((?:[A-ZÅÄÖ]\w+ ?)+)([#*§¤])", doc.text)
        ]
        doc.spans["phi"] = SpanGroup(doc, name="phi", spans=spans)
        doc.spans["phi"].attrs["scores"] = [0.5 if "?" in doc.text else 0.99 for _ in spans]
        return doc


@pytest.fixture(scope="module")
def nlp(lists_path):
    nlp = chat_language()
    lists = read_lists(str(lists_path))
    maj = {"name": "Maj", "gender": "f", "origin": "sv", "ambiguous": "1"}
    lists["first_names"] = [*lists["first_names"], maj]
    lists["words"] = [{"word": word, "per_million": str(n)} for word, n in WORDS.items()]
    patterns = [
        {"id": "phone", "label": "PHONE", "regex": "0[0-9]{2,3}-[0-9 ]{5,12}[0-9]"},
        {"id": "email", "label": "EMAIL", "regex": r"\S+@\S+\w"},
    ]
    nlp.add_pipe("known_matcher")
    nlp.add_pipe("phi_entity_ruler", name="entity_ruler").add_patterns(patterns)
    nlp.add_pipe("gazetteer_matcher").initialize(list, lists=lists)
    nlp.add_pipe("finds_marked")
    nlp.add_pipe("span_merger", config={"standalone": ["place"]})
    nlp.add_pipe("surrogate_generator", config={"strategy": "label"}).initialize(
        list, lists=read_lists(str(ROOT / "assets" / "lists"))
    )
    nlp.add_pipe("doc_cleaner", config={"attrs": {"_.commonness": None}})
    return nlp


@cases
def test_propagation(nlp, messages, found):
    docs = deidentify_conversation(nlp, messages)
    assert [doc.text for doc in docs] == messages
    assert [[ent.text for ent in doc.ents] for doc in docs] == found
    for doc in docs:
        out = doc.text
        for ent in reversed(doc.ents):
            out = out[: ent.start_char] + f"[{ent.label_}]" + out[ent.end_char :]
        assert doc._.deidentified == out
        assert doc._.commonness is None


def propagate_from(nlp, text, label, score, *others):
    """What is found in other messages if the whole of one is an entity."""
    # The first pass has looked every word up.
    lists = nlp.get_pipe("gazetteer_matcher")
    docs = [lists(nlp.make_doc(text)) for text in (text, *others)]
    docs[0].ents = [Span(docs[0], 0, len(docs[0]), label=label)]
    docs[0].ents[0]._.score = score
    propagate(nlp, docs)
    return [[ent.text for ent in doc.ents] for doc in docs[1:]]


@cases
def test_what_is_found_elsewhere(nlp, name, other, found):
    """A name, its class if it is no person, and its score if that is not 1."""
    text, label, score = (*name.split("|"), *("PERSON", "1.0")[name.count("|") :])
    assert propagate_from(nlp, text, label, float(score), other) == [found]


@cases
def test_part_of_an_entry_that_is_ordinary_words(nlp, start, kind, found):
    doc = nlp.make_doc("hos Stora Sten och Knurvel")
    hits = [(Span(doc, 1, 3, "LOCATION"), 0.5), (Span(doc, 4, 5, "PERSON"), 1.0)]
    write_hits(doc, "gazetteer", hits)
    assert Judge(Facts(doc)).is_name(Span(doc, start, start + 1, "PERSON", span_id=kind)) == found


@pytest.mark.parametrize("place", ["before", "after"])
def test_entity_of_another_component_stays(nlp, place):
    """The merger makes the entities, in both passes, and keeps those of a component that is none of ours."""

    @Language.component("finds_teams")
    def find_teams(doc):
        spans = [Span(doc, t.i, t.i + 1, label="TEAM") for t in doc if t.text == "Örnen"]
        doc.set_ents(spans, default="unmodified")
        return doc

    nlp.add_pipe("finds_teams", **{place: "span_merger"})
    try:
        docs = deidentify_conversation(nlp, ["Jag är Vera*", "vera i Örnen"])
    finally:
        nlp.remove_pipe("finds_teams")
    assert [doc._.deidentified for doc in docs] == ["Jag är [PERSON]*", "[PERSON] i [TEAM]"]


def test_known_of_one_message_holds_for_all(nlp):
    docs = [nlp.make_doc(text) for text in ("hej vera, nr 0701740605", "Vera Ek och Bo Ek*")]
    docs[0]._.known = [{"name": "Vera Ek"}]
    docs[1]._.conversation_id = "c1"
    known = {"phone": "070-174 06 05"}
    first, second = deidentify_conversation(nlp, docs, known=known)
    assert first._.deidentified == "hej [PERSON], nr [PHONE]"
    assert second._.deidentified == "[PERSON] och [PERSON]*"
    assert first._.conversation_id == second._.conversation_id == "c1"
    assert first._.known == {"PHONE": ["070-174 06 05"], "PERSON": ["Vera Ek"]}
    with nlp.select_pipes(disable="known_matcher"):
        deidentify_conversation(nlp, ["Hej"])
        with pytest.raises(ValueError, match="no 'known_matcher'"):
            deidentify_conversation(nlp, ["Hej"], known={"name": "Vera"})
    docs = deidentify_conversation(nlp, ["hej vera", "jag heter Vera Ek*"])
    assert [[ent._.source for ent in doc.ents] for doc in docs] == [["conversation"], ["phi"]]
    assert all(ent._.score > 0.9 for doc in docs for ent in doc.ents)


def test_ids(nlp):
    docs = deidentify_conversation(nlp, ["Hej", nlp.make_doc("du")], conversation_id="c1")
    assert [doc._.conversation_id for doc in docs] == ["c1", "c1"]
    mixed = [nlp.make_doc("Hej"), nlp.make_doc("du")]
    mixed[0]._.conversation_id = "c2"
    with pytest.raises(ValueError, match="several conversations"):
        deidentify_conversation(nlp, mixed, conversation_id="c1")
    with pytest.raises(TypeError, match="list of messages"):
        deidentify_conversation(nlp, "Hej")


def test_context(nlp):
    messages = ["Hur gammal är du?", "52", "x" * 500, nlp.make_doc("Bo")]
    docs = deidentify_conversation(nlp, messages)
    contexts = [doc._.context for doc in docs]
    assert contexts[:3] == [None, "Hur gammal är du?", "Hur gammal är du?\n52"]
    assert contexts[3] == "x" * CONTEXT_LENGTH
    (doc,) = deidentify_conversation(nlp, ["Hej"])
    assert doc._.context is None
    doc = nlp.make_doc("52")
    doc._.context = "given"
    assert deidentify_conversation(nlp, ["Hej", doc])[1]._.context == "given"


@pytest.mark.parametrize("n_process", [1, 2])
def test_stream(nlp, n_process):
    conversations = [
        ["hej vera" + " hej" * (7 * i % 5), f"Vera* nr {i}", "070-174 06 0" + str(i % 10)]
        for i in range(9)
    ]
    conversations[3:3] = [[], ["vera"]]
    expected = [
        [doc._.deidentified for doc in deidentify_conversation(nlp, messages)]
        for messages in conversations
    ]
    stream = pipe_conversations(nlp, iter(conversations), batch_size=4, n_process=n_process)
    assert [[doc._.deidentified for doc in docs] for docs in stream] == expected


def test_stream_holds_few(nlp, monkeypatch):
    monkeypatch.setattr("components.conversations.conversation.BUFFER", 2)
    read = []

    def conversations():
        for i in range(20):
            read.append(i)
            yield ["hej", "du"]

    next(pipe_conversations(nlp, conversations(), batch_size=3))
    assert len(read) == 3
