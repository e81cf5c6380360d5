"""The pipeline in Presidio's analyzer."""

import pytest

analyzer = pytest.importorskip("presidio_analyzer")

TEXT = "Hej, jag heter Anna Lind och bor i Lund"


class NoEngine(analyzer.nlp_engine.NlpEngine):
    """Presidio wants an engine of its own, whose results the recognizer does not need."""

    def load(self):
        pass

    def is_loaded(self):
        return True

    def process_text(self, text, language):
        return None

    def process_batch(self, texts, language, **kwargs):
        return iter(())

    def is_stopword(self, word, language):
        return False

    def is_punct(self, word, language):
        return False

    def get_supported_entities(self):
        return []

    def get_supported_languages(self):
        return ["sv"]


def test_finds_what_the_pipeline_finds(tiny_nlp):
    from components.serve.presidio import NAMES, PhiRecognizer

    registry = analyzer.RecognizerRegistry([PhiRecognizer(tiny_nlp)], supported_languages=["sv"])
    engine = analyzer.AnalyzerEngine(registry, NoEngine(), supported_languages=["sv"])
    got = engine.analyze(TEXT, "sv")
    want = [(NAMES[e.label_], e.start_char, e.end_char) for e in tiny_nlp(TEXT).ents]
    assert sorted((r.entity_type, r.start, r.end) for r in got) == sorted(want)
    assert "PERSON" in {name for name, *_ in want}
    (person,) = engine.analyze(TEXT, "sv", entities=["PERSON"])
    assert TEXT[person.start : person.end] == "Anna Lind"
