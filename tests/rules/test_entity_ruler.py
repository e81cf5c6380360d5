"""The pipe that runs the patterns. What each pattern of `assets/patterns.jsonl` finds is in
`assets/pattern_cases.jsonl`, see tests/scripts/test_try_patterns.py.
"""

import re
from pathlib import Path

import pytest
import spacy
import srsly
from hypothesis import given
from hypothesis import strategies as st
from spacy.language import Language

import components  # noqa: F401
from components.measures.formats.registry import chat_language
from components.model.evidence import get_evidence
from components.rules import regex as regex_module
from components.rules.phi_entity_ruler import PhiEntityRuler
from components.shared.labels import LABELS
from components.text.hits import iter_hits
from scripts.try_patterns import read_cases as read_pattern_cases
from tests.cases import carry, cases

ASSETS = Path(__file__).resolve().parents[2] / "assets"
PATTERNS = ASSETS / "patterns.jsonl"


def make_nlp(*patterns: dict) -> Language:
    nlp = chat_language()
    nlp.add_pipe("phi_entity_ruler", name="entity_ruler").add_patterns(list(patterns))
    return nlp


NLP = make_nlp(*srsly.read_jsonl(PATTERNS))


@pytest.fixture(scope="module")
def nlp() -> Language:
    return NLP


def hits(nlp: Language, text: str) -> list[tuple[str, str, str, float]]:
    doc = nlp(text)
    group = doc.spans["rules"]
    return [(s.text, s.label_, s.id_, score) for s, score in zip(group, group.attrs["scores"])]


@cases
def test_failed_check_lowers_the_score(nlp, good, bad):
    (hit,), (failed,) = hits(nlp, good), hits(nlp, bad)
    assert hit[1] == failed[1]
    assert 0 < failed[3] < hit[3] <= 1
    pattern = {"id": "x", "label": "DATE", "regex": r"\d+/\d+", "validator": "date"}
    for score, n in ((0, 0), (0.01, 1)):
        assert len(hits(make_nlp(pattern | {"failed_score": score}), "28/2 30/2")) == 1 + n


def test_shipped_patterns_are_well_formed(nlp):
    rows = list(srsly.read_jsonl(PATTERNS))
    ruler = nlp.get_pipe("entity_ruler")
    assert ruler.patterns == rows
    assert len(ruler) == len(ruler.ids) == sum("id" in row for row in rows)
    regexes = "".join(row["regex"] + row.get("unless", "") for row in rows)
    used = {*re.findall(r"\{([a-z_]+)\}", regexes)}
    assert used == {row["macro"] for row in rows if "macro" in row}
    # Entities are left alone.
    assert not nlp("född 1943, tel 070-174 06 11").ents
    assert ruler.labels == tuple(sorted(LABELS))
    assert tuple(ruler.regexes) == ruler.ids
    assert ruler.regexes["phone.bare"].search("RING 0701740605")
    assert "{" + "ss}" not in "".join(regex.pattern for regex in ruler.regexes.values())
    assert get_evidence(nlp("kl 9 hej"))[1:, -1].tolist() == [1.0, 0.0]


def test_user_patterns():
    nlp = make_nlp(
        {"macro": "letters", "regex": "[A-Z]{2}"},
        {"id": "x.regex", "label": "PID", "regex": r"kund (?P<phi>{letters}\d{2})", "score": 0.6},
        {"id": "x.tokens", "label": "DATE", "pattern": [{"LOWER": "påsk"}, {"IS_DIGIT": True}]},
        {"id": "x.phrase", "label": "LOCATION", "pattern": "Stora huset"},
    )
    assert hits(nlp, "kund ab12, PÅSK 12, stora Huset") == [
        ("ab12", "PID", "x.regex", 0.6), ("PÅSK 12", "DATE", "x.tokens", 1.0),
        ("stora Huset", "LOCATION", "x.phrase", 1.0),
    ]  # fmt: skip


def test_overlaps_longest_then_best():
    nlp = make_nlp(
        {"id": "short", "label": "AGE", "regex": r"\d\d"},
        {"id": "weak", "label": "DATE", "regex": r"\d\d år", "score": 0.4},
        {"id": "strong", "label": "PID", "regex": r"\d\d år", "score": 0.5},
    )
    assert hits(nlp, "12 år, 12 mån") == [
        ("12 år", "PID", "strong", 0.5), ("12", "AGE", "short", 1.0),
    ]  # fmt: skip


@pytest.mark.parametrize("score,found", [(0.4, 0), (0.5, 0), (0.6, 1)])
def test_negative_vetoes_what_is_not_stronger(score, found):
    nlp = make_nlp(
        {"id": "number", "label": "PID", "regex": r"\d{4}", "score": score},
        {"id": "code", "negative": True, "regex": r"kod (?P<phi>\d+)", "score": 0.5},
    )
    assert len(hits(nlp, "kod 1234")) == found
    assert len(hits(nlp, "nej 1234")) == 1


def test_patterns_get_ids_by_default(tmp_path: Path):
    """The first example of spaCy's page on the EntityRuler, with a label of ours."""
    nlp = make_nlp({"label": "PERSON", "pattern": "Anna"})
    ruler = nlp.get_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PERSON", "pattern": [{"LOWER": "berg"}]}])
    assert ruler.ids == ("person.1", "person.2")
    ruler.to_disk(tmp_path)
    copy = PhiEntityRuler(nlp).from_disk(tmp_path)
    assert copy.ids == ruler.ids
    doc = copy(nlp.make_doc("Anna Berg"))
    assert [span.id_ for span in doc.spans["rules"]] == [*ruler.ids]


@cases
def test_malformed_pattern(pattern, message):
    with pytest.raises(ValueError, match=message):
        make_nlp(pattern)
    # So is an id that is taken; patterns before it are run.
    nlp = make_nlp()
    same = {"id": "a.b", "label": "PID", "regex": r"\d{4}"}
    with pytest.raises(ValueError, match="'a.b'.*taken"):
        nlp.get_pipe("entity_ruler").add_patterns([same, same])
    assert hits(nlp, "hej 1234") == [("1234", "PID", "a.b", 1.0)]
    with pytest.warns(UserWarning, match="entity_ruler"):
        assert not len(make_nlp()("född 1943").spans["rules"])


def test_initialize_and_round_trip(nlp, tmp_path):
    fresh = chat_language()
    ruler = fresh.add_pipe("phi_entity_ruler", name="entity_ruler")
    fresh.config["initialize"]["components"]["entity_ruler"] = {
        "patterns": {"@readers": "srsly.read_jsonl.v1", "path": str(PATTERNS)}
    }
    fresh.initialize()
    assert ruler.patterns == nlp.get_pipe("entity_ruler").patterns
    fresh.to_disk(tmp_path)
    text = "Tel 070-174 06 11, född 170101-2393, fyller 7 den 3 mars"
    expected = hits(nlp, text)
    assert len(expected) == 4
    assert hits(spacy.load(tmp_path), text) == expected
    other = chat_language()
    other.add_pipe("phi_entity_ruler", name="entity_ruler")
    other.from_bytes(fresh.to_bytes())
    assert hits(other, text) == expected


TEXTS = [case.text for case in read_pattern_cases(ASSETS)]
CHARS = "0123456789 -+./:,()@\n\tåaemrsvxyOÅM'😀\u200b"


@given(st.one_of(st.text(alphabet=CHARS, max_size=60), st.sampled_from(TEXTS)))
def test_offsets(text):
    doc = NLP(text)
    group = doc.spans["rules"]
    assert doc.text == text
    assert len(group) == len(group.attrs["scores"])
    end = 0
    for span, score in zip(group, group.attrs["scores"]):
        assert end <= span.start_char < span.end_char <= len(text)
        assert text[span.start_char : span.end_char] == span.text
        assert not span.text[0].isspace() and not span.text[-1].isspace()
        assert 0 < score <= 1
        end = span.end_char


@cases
def test_validators_read_the_folded_text(number: str):
    pattern = {"label": "PID", "validator": "personnummer", "score": 0.9, "failed_score": 0.1}
    for key, value in (("regex", r"[\d-]{11}"), ("pattern", [{"TEXT": number}])):
        nlp = spacy.blank("sv")
        nlp.tokenizer = lambda text, vocab=nlp.vocab: spacy.tokens.Doc(vocab, [text])
        nlp.add_pipe("phi_entity_ruler").add_patterns([{"id": "x", key: value} | pattern])
        assert [score for _, score in iter_hits(nlp(number), "rules")] == [0.9]


@cases
def test_saved_patterns_are_checked_too(tmp_path: Path, regex: str, message: str):
    rows = [{"id": "x.y", "label": "PID", "regex": regex}]
    srsly.write_jsonl(tmp_path / "patterns.jsonl", rows)
    with pytest.raises(ValueError, match=message):
        PhiEntityRuler(spacy.blank("sv")).from_disk(tmp_path)
    with pytest.raises(ValueError, match=message):
        PhiEntityRuler(spacy.blank("sv")).add_patterns(rows)


def test_what_was_derived_of_patterns_is_saved(tmp_path: Path, monkeypatch):
    rows = [
        {"macro": "four", "regex": r"\d{4}"},
        {"id": "x.a", "label": "PID", "regex": r"nr {four}"},
        {"id": "x.b", "label": "PID", "regex": r"no {four}"},
    ]
    nlp = spacy.blank("sv")
    ruler = PhiEntityRuler(nlp)
    ruler.add_patterns(rows)
    folder = tmp_path / "carried"
    derived: list[str] = []
    get_literals = regex_module.get_literals
    monkeypatch.setattr(
        regex_module, "get_literals", lambda regex: derived.append(regex) or get_literals(regex)
    )
    text = "nr 1234, no 1234, nummer 1234"

    def find(copy: PhiEntityRuler) -> list[str]:
        doc = copy(nlp.make_doc(text))
        return [span.text for span in doc.spans["rules"]]

    for way in ("disk", "bytes"):
        copy = carry(ruler, PhiEntityRuler(nlp), way, tmp_path)
        assert find(copy) == ["nr 1234", "no 1234"]
        assert copy.to_bytes() == ruler.to_bytes()
    assert derived == []
    # Of what is edited in the folder nothing was known; nor of what another version has saved.
    rows[2]["regex"] = "nummer {four}"
    srsly.write_jsonl(folder / "patterns.jsonl", rows)
    assert find(PhiEntityRuler(nlp).from_disk(folder)) == ["nr 1234", "nummer 1234"]
    assert derived == [r"nummer (?:\d{4})"]
    saved = srsly.read_msgpack(folder / "derived.msgpack")
    saved["version"] -= 1
    srsly.write_msgpack(folder / "derived.msgpack", saved)
    PhiEntityRuler(nlp).from_disk(folder)
    assert len(derived) == 3
    (folder / "derived.msgpack").unlink()
    PhiEntityRuler(nlp).from_disk(folder)
    assert len(derived) == 5
