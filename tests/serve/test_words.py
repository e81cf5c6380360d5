"""The words of the page: both languages say the same things, and every rule has its sentence."""

import string

import pytest

from components.annotate.app import tell_share
from components.merging.rules import get_rules
from components.serve.languages import EXAMPLES, FILES, choose_language, get_words
from components.serve.pages.view import tell_doubt, tell_reason, tell_score, tell_trace, tell_veto
from components.shared.labels import BUILT_IN, STRATEGIES
from components.surrogates.settings import OPTIONS
from tests.cases import cases

LANGUAGES = get_words("try")
EN, SV = LANGUAGES["en"], LANGUAGES["sv"]


def get_shape(value):
    """The keys of words, and the fields of each sentence."""
    if isinstance(value, dict):
        return {key: get_shape(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [get_shape(each) for each in value]
    return {name for _, name, _, _ in string.Formatter().parse(value) if name}


def test_both_languages_have_the_same_words():
    english, swedish = (
        get_shape({**words, "try": {**words["try"], "reasons": {}}}) for words in FILES.values()
    )
    assert english == swedish


@cases
def test_reasons(reason, swedish):
    """Errors are in English; the Swedish page says them in Swedish, whatever they are."""
    assert tell_reason(reason, EN) == reason
    assert tell_reason(reason, SV) == swedish


@pytest.mark.parametrize("words", LANGUAGES.values(), ids=LANGUAGES)
def test_everything_has_words(words):
    assert {*BUILT_IN} <= words["labels"].keys()
    assert {*STRATEGIES} == words["strategies"].keys()
    assert {*OPTIONS} == words["option_names"].keys()
    choices = {choice for option in OPTIONS.values() for choice in option.choices}
    assert choices == words["choices"].keys()
    assert {*EXAMPLES} == words["example_names"].keys()
    for id, rule in get_rules().items():
        if rule.stage in ("doubt", "confirm"):
            assert id in words["doubted_by"]
        elif rule.stage != "stand":  # its finds have the list as their source
            assert id in words["changed_by"]


@cases
def test_language(asked, accepted, language):
    assert choose_language(asked, accepted) == language


def step(by, start, end, score=1.0, label="PERSON"):
    return {"by": by, "start": start, "end": end, "label": label, "score": score}


def test_trace_in_words():
    text = "min mamma Anna"
    trace = [step("phi", 10, 14, 0.98), step("gazetteer:first_name", 10, 14)]
    trace += [step("unite", 10, 14), step("join.title", 4, 14)]
    reasons = tell_trace(trace, text, EN)
    assert [reason.by for reason in reasons] == ["phi", "gazetteer:first_name", "join.title"]
    assert [reason.text for reason in reasons] == [
        "The model reads “Anna” as: person. Its probability is 98 %.",
        "“Anna” stands in a list: first names.",
        "A title or kinship word in front of a name belongs to it: “mamma Anna”.",
    ]
    assert tell_trace(trace[:1], text, SV)[0].text == (
        "Modellen läser ”Anna” som: person. Sannolikheten är 98 %."
    )

    # Where uniting made more, it is told.
    trace = [step("phi", 0, 4), step("rules:x", 2, 8), step("unite", 0, 8)]
    assert [reason.by for reason in tell_trace(trace, "a" * 8, EN)] == ["phi", "rules:x", "unite"]
    # And steps that have no words.
    (reason,) = tell_trace([step("join.others", 0, 4)], "Anna", EN)
    assert reason.text == "“Anna”: join.others"
    (reason,) = tell_trace([step("custom:deny", 0, 4)], "{x}!", EN)
    assert "“{x}!”" in reason.text


def test_doubts_in_words():
    model, rule = tell_doubt("doubt.form", "AGE", 0.123, EN)
    assert model.text == "The model took it for: age (probability 12 %)."
    assert rule.text == "It does not have the form of its class."
    pattern, _ = tell_doubt("confirm.weak_pattern", "DATE", 0.86, EN)
    assert pattern.text == "A pattern took it for: date (86 %)."
    assert tell_veto("neg.dose", EN)[0].text.endswith("a dose.")
    assert tell_veto("neg.name_pet", EN)[0].text.endswith("a word that is a name elsewhere.")
    assert tell_veto("own", EN)[0].text.endswith("something that looks like one.")


@cases
def test_scores_in_words(score, text):
    assert tell_score(score) == text


@cases
def test_shares_are_told_plainly(share, interval, text):
    assert tell_share(share, interval) == text
