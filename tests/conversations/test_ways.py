"""One protection, whichever way in: the same text comes out the same through all of them."""

import json
import pickle

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc
from typer.testing import CliRunner

from components import deidentify_conversation, explain, pipe_conversations
from components.cli.app import make_app
from components.conversations.configuration import configure
from components.frames.arrow import make_partition_function
from components.frames.frame import deidentify_frame
from components.shared.failures import MASK
from components.text import sections
from components.text.cleaning.clean import STEPS, clean_text
from components.text.message import make_doc, open_doc
from tests.cases import check_replaced, read_cases

HTML = "<p>Hej, An<b>na</b> Lind h&auml;r, mejl anna%40example.se"
FINNISH = "Hei, nimeni on Tapio Korhonen, soittakaa numeroon 070-1740613 tai Anna Lind"
NASTY = [
    HTML,
    *read_cases(__file__)["nasty"],
    FINNISH,
    f"<div class='x'>{FINNISH}</div>",
    f"<p>{'x ' * 30}An<b>na</b> Lind, 070-1740605</p>\n" * 12,
    f"{'Hej Anna Lind i Lund. ' * 30}",
]
PIECES = st.sampled_from(
    ["Anna Lind", "An<b>na</b>", "&auml;", "%40example.se", "<br>", "<p>", "</p>", "070-1740605", " ", "\n",
     "\u200b", "\x00", "Lund", "𝐀𝐧𝐧𝐚", "Hei, tarvitsen uuden reseptin", "&lt;", "\u00a0", "Bo", "anna", "."]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=8).map("".join)
OPTIONS = [(None, None), ("all", "rules"), ("none", "mask"), ("html", "reject")]

pytestmark = pytest.mark.filterwarnings("ignore:.*another language:UserWarning")


@pytest.fixture(scope="module", autouse=True)
def key():
    """A key, and shorter sections of long messages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", "a key for the tests")
        patch.setattr(sections, "SIZE", 400)
        patch.setattr(sections.get_sections, "__defaults__", (400, 120))
        yield


@pytest.fixture(scope="module")
def nlp(make_nlp, key):
    return make_nlp()


@pytest.fixture
def told(nlp):
    """The pipeline as it is told to read; what it was before comes back."""
    before = nlp.clean, nlp.foreign
    yield lambda clean, foreign: configure(nlp, clean=clean, foreign=foreign)
    nlp.clean, nlp.foreign = before


def run_command_line(nlp, folder, rows, clean, foreign):
    old, new = folder / "in.jsonl", folder / "out.jsonl"
    old.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf8")
    given = {"clean": clean, "foreign": foreign}
    lines = (f'{name} = "{value}"\n' for name, value in given.items() if value)
    (folder / "settings.toml").write_text("".join(lines), encoding="utf8")
    args = [str(old), str(new), "--overwrite", "--spans", "--config", str(folder / "settings.toml")]
    done = CliRunner().invoke(make_app(lambda: nlp, "run"), args)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in new.read_text(encoding="utf8").split("\n")[:-1]]


def check(doc, text):
    """What all ways promise of a doc: it is that of the original, and so are its offsets."""
    assert doc.text == text
    check_replaced(text, doc._.deidentified, doc._.replacements)
    return doc._.deidentified, doc._.replacements


def go_alone(nlp, texts):
    """What each way makes of messages that stand alone."""
    told = [explain(nlp, text) for text in texts]
    ways = {
        "call": [check(nlp(text), text) for text in texts],
        "pipe": [*map(check, nlp.pipe(texts), texts)],
        "docs": [*map(check, nlp.pipe(map(nlp.make_doc, texts), batch_size=3), texts)],
        "processes": [*map(check, nlp.pipe(texts, n_process=2, batch_size=4), texts)],
        "tuples": [check(*pair) for pair in nlp.pipe(zip(texts, texts), as_tuples=True)],
        "conversation": [check(deidentify_conversation(nlp, [text])[0], text) for text in texts],
        "stream": [check(*docs, docs[0].text) for docs in pipe_conversations(nlp, zip(texts))],
    }
    first, *_ = ways.values()
    for way, other in ways.items():
        assert other == first, way
    for text, (new, _), said in zip(texts, first, told):
        assert said.startswith((f"{text}\n\n{new}\n", "Masked whole"))
    return first


def go_in_tables(nlp, texts, ids, folder, options):
    """What frames and the command line make of them, told as their arguments."""
    clean, foreign = options
    if foreign == "reject":
        # A frame keeps its rows; the command line is tried elsewhere.
        foreign = "mask"
    rows = {"text": texts, "conversation": ids}
    arguments = {"conversation": "conversation", "clean": clean, "foreign": foreign}
    df = pd.DataFrame(rows, dtype=object)
    partition = make_partition_function(load=lambda: nlp, **arguments)
    (parted,) = partition([pa.RecordBatch.from_pydict(rows)])
    ways = {
        "pandas": deidentify_frame(df, nlp=nlp, **arguments)["text"].to_list(),
        "polars": deidentify_frame(pl.DataFrame(rows), nlp=nlp, **arguments)["text"].to_list(),
        "arrow": parted["text"].to_pylist(),
        "command": [
            row["text"]
            for row in run_command_line(nlp, folder, df.to_dict("records"), clean, foreign)
        ],
    }
    first, *_ = ways.values()
    for way, other in ways.items():
        assert other == first, way
    return first


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_messages_alone(nlp, told, tmp_path, options):
    tables = go_in_tables(nlp, NASTY, [None] * len(NASTY), tmp_path, options)
    told(*options)
    assert [new for new, _ in go_alone(nlp, NASTY)] == tables
    if options[1] != "reject":
        # What the pipeline was told is what all do who are told nothing.
        assert go_in_tables(nlp, NASTY, [None] * len(NASTY), tmp_path, (None, None)) == tables


@pytest.mark.parametrize("options", OPTIONS[:3], ids=str)
def test_conversations(nlp, told, tmp_path, options):
    tables = go_in_tables(nlp, NASTY, ["a"] * len(NASTY), tmp_path, options)
    told(*options)
    docs = deidentify_conversation(nlp, NASTY, conversation_id="a")
    assert [check(doc, text)[0] for doc, text in zip(docs, NASTY)] == tables
    made = [nlp.make_doc(text) for text in NASTY]
    made[0]._.conversation_id = "a"
    (docs,) = pipe_conversations(nlp, [made])
    assert [check(doc, text)[0] for doc, text in zip(docs, NASTY)] == tables


def test_what_is_found_has_the_places_of_the_original(nlp):
    doc = nlp(HTML)
    found = [(ent.text, ent.label_) for ent in doc.ents]
    assert ("An<b>na</b> Lind", "PERSON") in found and ("anna%40example.se", "EMAIL") in found
    for ent in doc.ents:
        assert ent._.source and ent._.score > 0 and ent._.trace
        assert all(0 <= step["start"] < step["end"] <= len(HTML) for step in ent._.trace)
    assert ("anna%40example.se", "EMAIL") in [(s.text, s.label_) for s in doc.spans["rules"]]
    assert "An<b>na" in [span.text for span in doc.spans["gazetteer"]]
    assert len(doc.spans["rules"].attrs["scores"]) == len(doc.spans["rules"])
    assert not any(word in doc._.deidentified for word in ("An<b>na", "Lind", "anna%40"))


def test_a_surrogate_is_that_of_the_cleaned_entity(nlp):
    texts = ["Jag heter Anna Lind", "<p>hej, An<b>na</b> Lind", "V&aring;rdcentralen"]
    docs = deidentify_conversation(nlp, texts, conversation_id="a")
    first, second, third = (doc._.replacements[-1] for doc in docs)
    assert first["replacement"] == second["replacement"]
    if third.get("kept"):
        assert third["replacement"] == texts[2]


def test_pipes_by_hand(nlp):
    plain, marked = nlp.make_doc(NASTY[1]), nlp.make_doc(HTML)
    for _, pipe in nlp.pipeline:
        plain, marked = pipe(plain), pipe(marked)
    assert plain._.deidentified == nlp(NASTY[1])._.deidentified
    assert marked.text == HTML and check(marked, HTML)
    # The last one by hand is as if it had run with the others.
    doc = nlp(HTML, disable=["surrogate_generator"])
    assert doc._.replacements is None
    assert nlp.get_pipe("surrogate_generator")(doc)._.deidentified == nlp(HTML)._.deidentified
    # An entity in what was cleaned away masks the message.
    doc = nlp("<b>070-1740605</b>", disable=["surrogate_generator"])
    doc.ents = [doc.char_span(0, 3, "PERSON")]
    assert nlp.get_pipe("surrogate_generator")(doc)._.deidentified == MASK
    # Docs of another tokenizer.
    words = ["<p>Hej,", "An<b>na</b>", "Lind", "h&auml;r,", "mejl", "anna%40example.se"]
    doc = Doc(nlp.vocab, words=words, spaces=[True] * 5 + [False])
    assert check(nlp(doc), HTML)[0] == nlp(HTML)._.deidentified


def test_cleaning_that_fails_masks_the_message(nlp, monkeypatch):
    def fail(text):
        raise ValueError(text)

    monkeypatch.setattr("components.text.message.detect_language", fail)
    docs = [nlp(HTML), *nlp.pipe([HTML, ""]), *deidentify_conversation(nlp, [HTML])]
    assert [doc._.deidentified for doc in docs] == [MASK, MASK, "", MASK]
    assert all(doc._.failed.startswith("cleaning (ValueError") for doc in docs)


def test_language_is_that_of_what_is_read(nlp, monkeypatch):
    calls = []
    monkeypatch.setattr(
        "components.text.message.detect_language", lambda text: calls.append(text) or "fi"
    )
    doc = nlp(f"<div>{FINNISH}</div>")
    assert doc._.language == "fi" and doc._.threshold_factor < 1
    deidentify_conversation(nlp, [FINNISH], conversation_id="a")
    assert [text.strip() for text in calls] == [FINNISH] * 2


@pytest.mark.parametrize("way", ["pickle", "disk"])
def test_options_are_saved(make_nlp, tmp_path, way):
    nlp = make_nlp({"nlp.after_creation.clean": "all"})
    assert nlp.clean == ",".join(STEPS) and nlp.foreign == "flag"
    nlp.clean, nlp.foreign = "control , html", "mask"
    if way == "disk":
        nlp.to_disk(tmp_path / "saved")
        other = spacy.load(tmp_path / "saved")
    else:
        other = pickle.loads(pickle.dumps(nlp))
    assert (other.clean, other.foreign) == (nlp.clean, nlp.foreign) == ("html,control", "mask")
    assert other(FINNISH)._.deidentified == MASK


@given(TEXTS, st.sets(st.sampled_from(STEPS)).map(tuple))
def test_there_and_back(nlp, text, steps):
    doc = make_doc(nlp.tokenizer, text, steps)
    assert doc.text == text
    cleaned = nlp.tokenizer(clean_text(text, steps).text)
    opened = open_doc(doc, steps)
    assert [(t.text, t.whitespace_) for t in opened] == [(t.text, t.whitespace_) for t in cleaned]


TOLD = ["Jag heter Anna Lind", None, "", "hej anna"]


def test_null_is_null_and_an_empty_id_is_none(nlp, tmp_path):
    alone = ["" if text == "" else text and nlp(text)._.deidentified for text in TOLD]
    rows = [{"text": text, "conversation": ""} for text in TOLD]
    df = pd.DataFrame(rows, dtype=object)
    arguments = {"conversation": "conversation", "nlp": nlp}
    function = make_partition_function(conversation="conversation", load=lambda: nlp)
    (parted,) = function([pa.RecordBatch.from_pylist(rows)])
    texts = {
        "pandas": deidentify_frame(df, **arguments)["text"].to_list(),
        "polars": deidentify_frame(pl.DataFrame(rows), **arguments)["text"].to_list(),
        "arrow": parted["text"].to_pylist(),
        "jsonl": [row["text"] for row in run_command_line(nlp, tmp_path, rows, None, None)],
    }
    assert texts == dict.fromkeys(texts, alone)
    for text, new in zip(TOLD, alone):
        if text is not None:
            doc = nlp.make_doc(text)
            doc._.conversation_id = ""
            (told,) = deidentify_conversation(nlp, [text], conversation_id="")
            assert [told._.deidentified, nlp(doc)._.deidentified] == [new] * 2


def test_what_a_caller_asks_for_beats_what_pipes_saved(make_nlp, tmp_path):
    nlp = make_nlp()
    nlp.get_pipe("phi_ner").threshold = 0.75
    nlp.get_pipe("span_merger").disable = ["doubt.form"]
    nlp.get_pipe("custom_ruler").allow = ["Lund"]
    nlp.get_pipe("surrogate_generator").dates = "month"
    nlp.to_disk(tmp_path / "saved")
    asked = {
        "phi_ner": {"threshold": 0.3}, "span_merger": {"disable": []},
        "custom_ruler": {"allow": ["Ystad"]}, "surrogate_generator": {"dates": "year"},
    }  # fmt: skip
    other = spacy.load(tmp_path / "saved", config={"components": asked})
    for name, settings in asked.items():
        for setting, value in settings.items():
            assert getattr(other.get_pipe(name), setting) == value
    kept = spacy.load(tmp_path / "saved")
    assert kept.get_pipe("phi_ner").threshold == 0.75
    with pytest.raises(ValueError, match="'phi_ner' was trained with single_class = False"):
        spacy.load(tmp_path / "saved", config={"components": {"phi_ner": {"single_class": True}}})
