"""Messages in other languages: read with care, by rules alone, not at all; the others as ever."""

import pytest
import torch

from components.conversations.configuration import configured
from components.conversations.conversation import finish_conversation
from components.language import language
from components.language.language import FOREIGN_FACTOR, POLICIES
from components.model.phi_ner import DEFAULT
from components.shared.failures import MASK, SetupError
from components.text.sections import SIZE

SWEDISH = "Hej, jag heter Anna Lind och bor i Lund sen 3 maj. 070-1740605"
FINNISH = "Hei, nimeni on Tapio Korhonen, soittakaa numeroon 070-1740613 tai Anna Lind"
RUSSIAN = "меня зовут Сергей Кузнецов, перезвоните по номеру 070-1740619"
TEXTS = [FINNISH, SWEDISH, "", "ok", RUSSIAN, FINNISH, SWEDISH * 2, "Bo", RUSSIAN]
FOREIGN = [text in (FINNISH, RUSSIAN) for text in TEXTS]


@pytest.fixture(scope="module")
def nlp(make_nlp):
    torch.set_num_threads(1)
    nlp = make_nlp()
    nlp.get_pipe("phi_ner").threshold = 0.3
    return nlp


def make_docs(nlp, texts=TEXTS):
    return [nlp.make_doc(text) for text in texts]


def read_messages(nlp, docs, policy, **options):
    with configured(nlp, {"foreign": policy}):
        return list(nlp.pipe(docs, disable=["surrogate_generator"], **options))


def get_found(doc):
    return [(span.text, span.label_) for span in doc.spans.get("phi", ())], [
        (ent.text, ent.label_, pytest.approx(ent._.score, abs=1e-5)) for ent in doc.ents
    ]


@pytest.mark.parametrize("n_process", [1, 2])
@pytest.mark.parametrize("policy", POLICIES)
def test_all_come_out_in_order(nlp, policy, n_process):
    expected = [get_found(doc) for doc in nlp.pipe(TEXTS, disable=["surrogate_generator"])]
    docs = read_messages(nlp, iter(make_docs(nlp)), policy, batch_size=2, n_process=n_process)
    assert [doc.text for doc in docs] == TEXTS
    assert [doc._.withheld is not None for doc in docs] == [
        foreign and policy in ("mask", "reject") for foreign in FOREIGN
    ]
    for doc, foreign, found in zip(docs, FOREIGN, expected):
        assert doc._.failed is None and doc._.deidentified is None
        assert foreign or (get_found(doc) == found and doc._.threshold_factor == 1.0)


def find(nlp, texts, threshold):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(nlp.get_pipe("phi_ner").cfg, "threshold", threshold)
        # By hand, without a policy.
        docs = make_docs(nlp, texts)
        for name, pipe in nlp.pipeline:
            if name != "surrogate_generator":
                docs = [pipe(doc) for doc in docs]
        return [get_found(doc) for doc in docs]


def lower(threshold):
    if isinstance(threshold, dict):
        return {label: FOREIGN_FACTOR * value for label, value in threshold.items()}
    return FOREIGN_FACTOR * threshold


@pytest.mark.parametrize("n_process", [1, 2])
@pytest.mark.parametrize("by_class", [False, True])
def test_flagged_are_read_with_a_lower_threshold(nlp, monkeypatch, by_class, n_process):
    phi_ner = nlp.get_pipe("phi_ner")
    texts = [FINNISH, RUSSIAN, SWEDISH]
    for value in (0.99, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1):
        threshold = {"PERSON": value, "PHONE": 0.8 * value, DEFAULT: 0.6 * value}
        threshold = threshold if by_class else value
        before, low = find(nlp, texts, threshold), find(nlp, texts, lower(threshold))
        if all(one != other for one, other in zip(before, low)):
            break
    else:
        pytest.fail("A lower threshold finds nothing more in some of the texts.")
    monkeypatch.setitem(phi_ner.cfg, "threshold", threshold)
    docs = read_messages(nlp, make_docs(nlp, texts), "flag", n_process=n_process)
    # Nothing has changed for the others, at whatever time.
    assert phi_ner.cfg["threshold"] == threshold
    assert find(nlp, texts, threshold) == before
    assert [get_found(doc) for doc in docs] == [*low[:2], before[2]]


def test_long_message(nlp, monkeypatch):
    text = f"{RUSSIAN}. " * (SIZE // len(RUSSIAN) + 2)
    (doc,) = read_messages(nlp, make_docs(nlp, [text]), "flag")
    assert len(text) > SIZE and doc._.threshold_factor == FOREIGN_FACTOR
    monkeypatch.setattr(language, "FOREIGN_FACTOR", 1.0)
    assert len(doc.spans["phi"]) > len(nlp(text, disable=["surrogate_generator"]).spans["phi"])


@pytest.mark.parametrize("text", [FINNISH, f"{RUSSIAN}. " * 400])
def test_rules_alone(nlp, text):
    doc = nlp.make_doc(text)
    doc._.known = {"name": "Korhonen"}
    (doc,) = read_messages(nlp, [doc], "rules")
    assert not len(doc.spans["phi"])
    sources = {source for ent in doc.ents for source in ent._.source.split("+")}
    assert "rules" in sources and sources <= {"rules", "gazetteer", "known"}
    assert ("known" in sources) == ("Korhonen" in text)
    # The surrogate_generator takes it; what nobody has read it still refuses.
    nlp.get_pipe("surrogate_generator")(doc)
    assert "070-17406" in doc.text and doc._.deidentified not in (doc.text, MASK)
    with pytest.raises(SetupError):
        nlp.get_pipe("surrogate_generator")(nlp.make_doc(text))


@pytest.mark.parametrize("policy", ["mask", "reject"])
def test_withheld_are_masked_whole(nlp, policy):
    docs = read_messages(nlp, make_docs(nlp, [FINNISH, SWEDISH]), policy)
    assert docs[0]._.withheld == "language (fi)" and not docs[0].spans
    finish_conversation(nlp, docs)
    assert docs[0]._.deidentified == MASK and docs[0]._.failed is None
    (replacement,) = docs[0]._.replacements
    assert (replacement["start"], replacement["end"]) == (0, len(FINNISH))
    assert docs[1]._.withheld is None
    assert "070-1740605" not in docs[1]._.deidentified and len(docs[1]._.replacements) > 1
    alone = nlp.get_pipe("surrogate_generator")(
        *read_messages(nlp, make_docs(nlp, [RUSSIAN]), policy)
    )
    assert alone._.deidentified == MASK


@pytest.mark.parametrize("policy", POLICIES)
def test_what_fails_in_another_language_is_told(nlp, monkeypatch, policy):
    def fail(*args, **kwargs):
        raise ValueError

    monkeypatch.setattr(type(nlp.get_pipe("span_merger")), "__call__", fail)
    docs = read_messages(nlp, make_docs(nlp), policy)
    nothing_found = [doc.text for doc in docs if doc._.failed is None and doc._.withheld is None]
    assert nothing_found == []
    for doc in docs:
        doc = nlp.get_pipe("surrogate_generator")(doc)
        assert doc._.deidentified == (MASK if doc.text else "")


def test_what_is_read_of_a_cleaned_message_has_its_policy(nlp):
    own, _ = nlp._prepare(nlp.make_doc(f"<div>{FINNISH}</div>"))
    assert own.text.strip() == FINNISH
    assert own._.threshold_factor == FOREIGN_FACTOR
    assert read_messages(nlp, [], "mask") == []
    with pytest.raises(ValueError, match="one of flag, rules, mask, reject, got 'ignore'"):
        nlp.foreign = "ignore"
    assert nlp.foreign == "flag"
