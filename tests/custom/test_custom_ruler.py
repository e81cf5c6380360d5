"""The pipe that finds what its users ask for: what becomes of entities, its settings, its errors."""

import pickle

import pytest
import spacy
import srsly
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Span

from components.custom.custom_ruler import CustomRuler
from components.custom.overlay import Piece, lay_over, take_out
from components.custom.phrase_list import PhraseList
from components.shared.failures import SetupError
from components.shared.labels import OPTIONAL_LABELS
from components.text.hits import get_tokens, write_hits
from tests.cases import carry, cases
from tests.custom.test_optional_patterns import PATTERNS


@pytest.fixture(scope="module")
def full_ruler(nlp):
    """With all optional classes: not to be changed."""
    return make_ruler(nlp, classes="all")


def make_doc(nlp, marked):
    """A doc with entities, each written as [text|LABEL]."""
    text, places = "", []
    for i, part in enumerate(marked.replace("]", "[").split("[")):
        if i % 2:
            part, label = part.split("|")
            places.append((len(text), len(text) + len(part), label))
        text += part
    doc = nlp.make_doc(text)
    ents = []
    for start, end, label in places:
        ent = doc.char_span(start, end, label)
        ent._.source, ent._.score = "phi", 0.9
        ent._.trace = [{"by": "phi", "start": start, "end": end, "label": label, "score": 0.9}]
        ents.append(ent)
    doc.ents = ents
    return doc


def write(doc):
    """The same form again."""
    out, position = "", 0
    for ent in doc.ents:
        out += f"{doc.text[position : ent.start_char]}[{ent.text}|{ent.label_}]"
        position = ent.end_char
    return out + doc.text[position:]


def make_ruler(nlp, **settings):
    ruler = CustomRuler(nlp, **settings)
    ruler.initialize(list, patterns=srsly.read_jsonl(PATTERNS))
    return ruler


def test_nothing_asked_for_changes_nothing(nlp):
    ruler = make_ruler(nlp)
    doc = make_doc(nlp, "[Anna Berg|PERSON], facebook.com/anna.berg, org.nr 556012-5790")
    before = doc.to_bytes()
    assert ruler(doc) is doc
    assert doc.to_bytes() == before


@cases
def test_hits_and_entities(nlp, full_ruler, marked, expected):
    doc = full_ruler(make_doc(nlp, marked))
    assert write(doc) == expected


def test_an_entity_tells_what_found_it(nlp, full_ruler):
    doc = full_ruler(make_doc(nlp, "se facebook.com/[anna.berg|PERSON]"))
    (ent,) = doc.ents
    assert (ent._.source, ent._.score) == ("phi+custom", 1.0)
    assert [(step["by"], step["label"]) for step in ent._.trace] == [
        ("phi", "PERSON"), ("custom:profile.address", "PROFILE"), ("unite", "PROFILE"),
    ]  # fmt: skip
    assert all(doc.text[s["start"] : s["end"]] in doc.text for s in ent._.trace)
    assert [span.text for span in doc.spans["custom"]] == ["facebook.com/anna.berg"]


@cases
def test_deny(nlp, deny, marked, expected):
    assert write(CustomRuler(nlp, deny=deny)(make_doc(nlp, marked))) == expected


@cases
def test_allow(nlp, allow, marked, expected):
    doc = CustomRuler(nlp, allow=allow)(make_doc(nlp, marked))
    assert write(doc) == expected
    doubted = [(span.text, span.id_) for span in doc.spans.get("doubted", ())]
    assert bool(doubted) == (marked != expected)
    assert {id for _, id in doubted} <= {"allow"}


def test_allow_beats_deny_and_classes_but_not_who_is_known(nlp):
    ruler = make_ruler(nlp, classes="url", allow=["Lasse", "www.kry.se", "Berg"], deny=["Lasse"])
    doc = make_doc(nlp, "Lasse på www.kry.se och [Anna Berg|PERSON]")
    write_hits(doc, "known", [(Span(doc, 4, 6, "PERSON", span_id="exact"), 1.0)])
    assert doc[4:6].text == "Anna Berg"
    assert write(ruler(doc)) == "Lasse på www.kry.se och [Anna Berg|PERSON]"


def test_what_was_doubted_before_stays(nlp):
    doc = make_doc(nlp, "[Kry|ORGANISATION] i Lund")
    write_hits(doc, "doubted", [(Span(doc, 2, 3, "LOCATION", span_id="doubt.form"), 0.6)])
    CustomRuler(nlp, allow=["Kry"])(doc)
    group = doc.spans["doubted"]
    assert [span.id_ for span in group] == ["doubt.form", "allow"]
    assert group.attrs["scores"] == [0.6, 0.9]


def test_patterns_of_ones_own(nlp):
    patterns = [
        {"macro": "colour", "regex": "(?:röd|blå)a?"},
        {"label": "TEAM", "regex": r"\b{colour} team\b"},
        {"label": "TEAM", "pattern": "lag gul"},
        {"label": "PERSON", "regex": r"bokare (?P<phi>[a-z]+)"},
        {"label": "PAYER", "regex": r"\d{7}", "validator": "bankgiro", "failed_score": 0},
    ]
    doc = CustomRuler(nlp, patterns=patterns)(
        make_doc(nlp, "röda team, Lag Gul, bokare lisa, 1234566 eller 1234567")
    )
    assert write(doc) == (
        "[röda team|TEAM], [Lag Gul|TEAM], bokare [lisa|PERSON], [1234566|PAYER] eller 1234567"
    )


@cases
def test_what_cannot_be_used_is_told(nlp, settings, message):
    with pytest.raises(ValueError, match=message):
        CustomRuler(nlp, **settings)


def test_classes_need_patterns(nlp):
    ruler = CustomRuler(nlp, classes=["url"])
    assert ruler.classes == ("URL",)
    with pytest.raises(SetupError, match="no patterns for URL"):
        ruler(nlp.make_doc("hej"))


SETTINGS = {
    "classes": ["URL", "CARD"],
    "patterns": [{"label": "TEAM", "regex": "team [a-z]+", "strategy": "mask"}],
    "allow": ["Kry"],
    "deny": {"PERSON": ["Bagarn"], "ROOM": ["sal 4"]},
}
TEXT = "Bagarn i sal 4, team blå, [Kry|ORGANISATION], www.kry.se, 192.168.1.1"


@pytest.mark.parametrize("way", ["bytes", "disk", "pickle", "config"])
def test_settings_travel(nlp, tmp_path, way):
    ruler = make_ruler(nlp)
    for name, value in SETTINGS.items():
        setattr(ruler, name, value)
    ruler(make_doc(nlp, TEXT))
    other = make_ruler(nlp, **SETTINGS)
    assert other._get_cfg() == {}
    if way != "config":
        other = carry(ruler, CustomRuler(nlp), way, tmp_path)
    read = {name: getattr(other, name) for name in SETTINGS}
    assert {**read, "classes": [*other.classes]} == SETTINGS
    expected = "[Bagarn|PERSON] i [sal 4|ROOM], [team blå|TEAM], Kry, [www.kry.se|URL], 192.168.1.1"
    assert write(other(make_doc(nlp, TEXT))) == write(ruler(make_doc(nlp, TEXT))) == expected


def test_config_of_a_pipeline(nlp):
    pipeline = spacy.blank("sv")
    pipeline.add_pipe("custom_ruler", config={"classes": "all", "deny": {"TEAM": ["blå"]}})
    again = spacy.util.load_model_from_config(pipeline.config)
    assert again.get_pipe("custom_ruler").classes == OPTIONAL_LABELS
    assert again.get_pipe("custom_ruler").deny == {"TEAM": ["blå"]}


def test_long_lists_take_no_longer(nlp):
    names = [f"Namn{n} Efternamn{n}" for n in range(20_000)]
    ruler = CustomRuler(nlp, deny=names, allow=[f"Ord{n}" for n in range(20_000)])
    doc = ruler(make_doc(nlp, "hej namn19999 efternamn19999 och ord7"))
    assert write(doc) == "hej [namn19999 efternamn19999|PERSON] och ord7"


DOC = spacy.blank("sv")("a bb ccc - dddd eeeee ff g")
STRETCHES = st.tuples(st.integers(0, 6), st.integers(1, 3)).map(lambda p: (p[0], min(8, sum(p))))


def make(start, end, label="X", source="s"):
    return Piece(start, end, label, source, 0.5, ({"by": label},))


@given(st.lists(STRETCHES, max_size=5), st.lists(STRETCHES, max_size=5))
def test_what_any_covers_stays_covered(entities, hits):
    old, new = [make(*p) for p in entities], [make(*p, "H", "h") for p in hits]
    pieces = lay_over(DOC, old, new)
    covered = [i for piece in pieces for i in range(piece.start, piece.end)]
    assert len(covered) == len(set(covered))
    assert set(covered) == {i for p in (*old, *new) for i in range(p.start, p.end)}
    assert get_tokens(DOC[p.start : p.end] for p in pieces) == set(covered)


@cases
def test_the_longest_decides_the_label(entity, hit, label):
    (piece,) = lay_over(DOC, [make(*entity)], [make(*hit, "H", "h")])
    assert (piece.label, piece.source) == (label, "s+h")
    assert [step["by"] for step in piece.trace] == ["X", "H", "unite"]


@cases
def test_what_is_left(tokens, left):
    pieces = take_out(DOC, make(0, 6), tokens, "allow")
    assert [(piece.start, piece.end) for piece in pieces] == left
    assert all(piece.trace[-1]["by"] == "allow" for piece in pieces)


@pytest.mark.parametrize("joined", [True, False])
@cases
def test_whole_words(joined, phrase, text, found):
    places = [*PhraseList([phrase]).find(text, joined=joined)]
    assert [text[start:end] for start, end in places] == found


@cases
def test_joined_words(phrase, text, found):
    ((start, end),) = PhraseList([phrase]).find(text, joined=True)
    assert text[start:end] == found
    assert [*PhraseList([phrase]).find(text, joined=False)] == []


@pytest.mark.parametrize("phrases", [[], ["", " "], ["anna", "Anna Berg"]])
def test_pickle(phrases):
    once = PhraseList(phrases)
    again = pickle.loads(pickle.dumps(once))
    text = "anna berg"
    assert [*again.find(text, joined=False)] == [*once.find(text, joined=False)]
    assert len([*once.find(text, joined=False)]) == len([p for p in phrases if p.strip()])
