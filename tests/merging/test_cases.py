"""The rules of the `span_merger`, each in a case where it makes the difference and one where not."""

import re
from pathlib import Path

import pytest
import srsly
from spacy.tokens import Doc

from components.known.known_matcher import KnownMatcher
from components.measures.formats.registry import chat_language
from components.merging.rules import merger_rules
from components.text.hits import iter_hits, write_hits
from tests.conftest import ROOT

CASE = re.compile(r"(?P<rule>\S+) (?P<sign>[+-]) (?P<before>.*) → (?P<after>.*)")
FOUND = re.compile(r"⟦(?P<text>[^|]*)\|(?P<label>[A-Z]+) (?P<score>[.\d]+)⟧")
CASES = [
    CASE.fullmatch(line).groups()
    for line in Path(__file__).with_name("cases.txt").read_text(encoding="utf8").splitlines()
    if line and not line.startswith("#")
]
# The names behind a ? may be ordinary words.
NAMES = {
    "first_names": ("name", "Anna Karin Hjördis Alma Bo?"),
    "surnames": ("name", "Ros? Sommar? Lager Beck Sjögren Skog?"),
    "places": ("name", "Gävle Visby Lund Vara? Å? Ischias"),
    "organisations": ("name", "AF Doktor.se Migrationsverket Scania"),
    "titles": ("word", "mamma psykolog distriktssköterska ssk drottning familjesekr"),
    "drugs": ("name", "Waran Alma"),
    "eponyms": ("term", "Parkinson Sjögrens Beck"),
    "terms": ("term", "EKG mvh dosett ischias HB"),
}
PER_MILLION = {"hälsar": 20, "säger": 100, "grund": 50, "skog": 30, "boende": 20, "önskat": 20}
PER_MILLION |= {"kurvan": 5, "lager": 20, "firman": 5, "medicinen": 50, "och": 36000, "det": 9000}


def make_lists() -> dict[str, list[dict[str, str]]]:
    lists = {
        name: [
            {column: word.rstrip("?"), "ambiguous": "1" * word.endswith("?")}
            for word in words.split()
        ]
        for name, (column, words) in NAMES.items()
    }
    for row in lists["organisations"]:
        row["abbreviation"] = ""
    lists["words"] = [{"word": word, "per_million": str(n)} for word, n in PER_MILLION.items()]
    return lists


@pytest.fixture(scope="module")
def nlp():
    nlp = chat_language()
    patterns = srsly.read_jsonl(ROOT / "assets" / "patterns.jsonl")
    nlp.add_pipe("phi_entity_ruler", name="entity_ruler").initialize(list, patterns=patterns)
    nlp.add_pipe("gazetteer_matcher").initialize(list, lists=make_lists())
    nlp.add_pipe("span_merger")
    return nlp


def merge(nlp, marked: str, disable: list[str]) -> Doc:
    with nlp.select_pipes(disable=["span_merger"]):
        doc = nlp(FOUND.sub(lambda match: match["text"], marked))
    hits, shift = [], 0
    for match in FOUND.finditer(marked):
        start = match.start() - shift
        end = start + len(match["text"])
        span = doc.char_span(start, end, match["label"], alignment_mode="expand")
        hits.append((span, float(match["score"])))
        shift += len(match[0]) - len(match["text"])
    write_hits(doc, "phi", hits)
    merger = nlp.get_pipe("span_merger")
    merger.disable = disable
    return merger(doc)


def write(doc: Doc) -> str:
    text, at = "", 0
    for ent in doc.ents:
        text += f"{doc.text[at : ent.start_char]}<{ent.label_}:{ent.text}>"
        at = ent.end_char
    return text + doc.text[at:]


def get_tokens(spans) -> set[int]:
    return {token.i for span in spans for token in span}


@pytest.mark.parametrize(("rule", "sign", "before", "after"), CASES)
def test_case(nlp, rule, sign, before, after):
    without = write(merge(nlp, before, [rule]))
    assert (without != after) == (sign == "+"), without
    doc = merge(nlp, before, [])
    assert write(doc) == after
    # What a rule did is told.
    told = {step["by"] for ent in doc.ents for step in ent._.trace}
    told |= {span.id_ for span in doc.spans["doubted"]}
    if sign == "+" and rule.startswith("stand."):
        assert any(id.startswith("gazetteer:") for id in told)
    elif sign == "+":
        assert rule in told
    for ent in doc.ents:
        last = ent._.trace[-1]
        bounds = (ent.start_char, ent.end_char, ent.label_)
        assert (last["start"], last["end"], last["label"]) == bounds
    # Nothing is uncovered without a record.
    covered = get_tokens([*doc.ents, *doc.spans["doubted"]])
    assert get_tokens(span for span, _ in iter_hits(doc, "phi")) <= covered
    # Without rules all that was found is PHI.
    doc = merge(nlp, before, [*merger_rules.get_all()])
    assert get_tokens([*doc.spans["phi"], *doc.spans["rules"]]) <= get_tokens(doc.ents)
    assert not doc.spans["doubted"]


FRAMES = [
    "@{}", "hej @{}, svara", "#{}", "www.{}.se", "https://{}.se/x", "https://www.x.se/{}", "{}.pdf",
    "https://www.facebook.com/{}", "remiss-{}-2.docx", "/home/{}/svar.txt", "insta: {}_90",
    "{} på snap", "lösenord: {}!2a", "kod: {}", "patient_{}_svar",
]  # fmt: skip
JOINED = [
    "zlatan.ekdahl",
    "zlatan_ekdahl",
    "ekdahl-zlatan",
    "zlatanekdahl",
    "EkdahlZlatan",
    "Ekdahl",
]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("value", [*JOINED, "19850312_2391", "0701740605", "070_174_06_05"])
def test_known_values_stand_above_every_veto(nlp, value, frame):
    text = frame.format(value)
    doc = nlp.make_doc(text)
    doc._.known = {"name": "Zlatan Bo Ekdahl", "pid": "850312-2391", "phone": "070-174 06 05"}
    doc = nlp(KnownMatcher()(doc))
    start = text.index(value)
    assert any(e.start_char <= start and start + len(value) <= e.end_char for e in doc.ents)


@pytest.mark.parametrize("rule", merger_rules.get_all())
def test_every_rule_has_cases(rule):
    assert {sign for id, sign, *_ in CASES if id == rule} == {"+", "-"}
    assert merger_rules.get(rule).help
