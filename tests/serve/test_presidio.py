"""The pipeline in Presidio's analyzer."""

import pytest

from components.shared.labels import PRESIDIO_NAMES

analyzer = pytest.importorskip("presidio_analyzer")

TEXT = "Hej, jag heter Anna Lind och bor i Lund"


def test_finds_what_the_pipeline_finds(tiny_nlp):
    from components.serve.presidio import PhiRecognizer

    registry = analyzer.RecognizerRegistry([PhiRecognizer(tiny_nlp)], supported_languages=["sv"])
    none = analyzer.nlp_engine.NoOpNlpEngine([{"lang_code": "sv", "model_name": ""}])
    engine = analyzer.AnalyzerEngine(registry, none, supported_languages=["sv"])
    got = engine.analyze(TEXT, "sv")
    want = [(PRESIDIO_NAMES[e.label_], e.start_char, e.end_char) for e in tiny_nlp(TEXT).ents]
    assert sorted((r.entity_type, r.start, r.end) for r in got) == sorted(want)
    assert "PERSON" in {name for name, *_ in want}
    persons = engine.analyze(TEXT, "sv", entities=["PERSON"])
    assert {(r.entity_type, r.start, r.end) for r in persons} == {e for e in want if "PERSON" in e}
