"""Pipes may have any name, and a pipeline several of one class."""

import spacy

from components.merging.span_merger import SpanMerger
from components.model.phi_ner import PhiNer
from components.rules.phi_entity_ruler import PhiEntityRuler
from components.shared.find_pipes import find_pipe, find_pipes, get_encoder_names, get_names

TEXT = "Hej, jag heter Anna Lind och bor i Lund sen 3 maj. 070-1740605, rum 7B"
GROUPS = {"spans_key": "rooms", "vetoes_key": "no_rooms"}
ROOM = {"label": "LOCATION", "regex": r"rum \d[a-z]"}


def get_output(doc):
    return [(ent.text, ent.label_, ent._.source) for ent in doc.ents], doc._.deidentified


def test_renamed_pipes_and_a_second_ruler(tiny_path):
    nlp = spacy.load(tiny_path)
    nlp.get_pipe("surrogate_generator").strategy = "label"
    expected = get_output(nlp(TEXT))
    for name in nlp.pipe_names:
        nlp.rename_pipe(name, f"my {name}")
    ruler = nlp.add_pipe("phi_entity_ruler", "rooms", before="my entity_ruler", config=GROUPS)
    ruler.add_patterns([ROOM, {"regex": "Anna", "negative": True}])
    for doc in (nlp(TEXT), *nlp.pipe([TEXT])):
        assert get_output(doc) == expected
        assert [span.text for span in doc.spans["rooms"]] == ["rum 7B"]
        assert [span.text for span in doc.spans["no_rooms"]] == ["Anna"]


def test_pipes_are_found_by_class(tiny_path):
    nlp = spacy.load(tiny_path, disable=["span_merger"])
    nlp.rename_pipe("phi_ner", "ner")
    nlp.add_pipe("phi_entity_ruler", "second", config=GROUPS)
    assert find_pipe(nlp, PhiNer) is nlp.get_pipe("ner")
    assert find_pipe(nlp, SpanMerger) is None
    assert get_names(nlp, PhiNer, PhiEntityRuler) == ["entity_ruler", "ner", "second"]
    assert find_pipes(nlp, PhiEntityRuler) == [nlp.get_pipe(n) for n in ("entity_ruler", "second")]
    assert get_encoder_names(nlp) == ["transformer"]
