"""What a user asks for, from the file to the de-identified conversation."""

import json
import pickle
import re
from pathlib import Path

import pytest
import spacy

from components import configure, deidentify_conversation, explain
from components.conversations.configuration import (
    SETTINGS,
    configured,
    get_custom_ruler,
    read_config,
    read_deny,
)
from components.conversations.explanation import list_rules
from components.shared.failures import MASK
from components.shared.find_pipes import find_pipe
from components.shared.labels import OPTIONAL_LABELS
from components.surrogates.settings import OPTIONS
from tests.cases import cases

TEXT = (
    "Hej, jag heter Anna Lind. Se www.annasblogg.se/anna, org.nr 556012-5790. Kry, team blå, Bagarn"
)


@pytest.fixture(scope="module")
def nlp(make_nlp):
    return make_nlp()


@pytest.fixture
def custom_nlp(nlp, monkeypatch):
    """The pipeline, as it was before each test."""
    ruler = nlp.get_pipe("custom_ruler")
    generator = nlp.get_pipe("surrogate_generator")
    yield nlp
    ruler.classes, ruler.patterns, ruler.allow, ruler.deny = [], [], [], {}
    generator.strategy = "surrogate"


def get_all(doc):
    groups = {
        key: [(s.text, s.label_, s.id_) for s in group]
        for key, group in doc.spans.items()
        if key != "custom"
    }
    ents = [(e.text, e.label_, e._.source, e._.score, e._.trace) for e in doc.ents]
    return groups, ents, doc._.deidentified, doc._.replacements


def test_switched_off_it_changes_nothing(custom_nlp):
    on = custom_nlp(TEXT)
    off = custom_nlp(TEXT, disable=["custom_ruler"])
    assert get_all(on) == get_all(off)
    assert "custom" not in on.spans


def test_pipelines_without_it_still_load(custom_nlp, tmp_path):
    expected = custom_nlp(TEXT, disable=["custom_ruler"])._.deidentified
    custom_nlp.to_disk(tmp_path / "new")
    config = spacy.util.load_config(tmp_path / "new" / "config.cfg")
    config["nlp"]["pipeline"].remove("custom_ruler")
    config["components"].pop("custom_ruler")
    config["initialize"]["components"].pop("custom_ruler")
    config.to_disk(tmp_path / "new" / "config.cfg")
    old = spacy.load(tmp_path / "new")
    assert "custom_ruler" not in old.pipe_names
    old.get_pipe("surrogate_generator")._key = custom_nlp.get_pipe("surrogate_generator")._key
    assert old(TEXT)._.deidentified == expected
    configure(old, deny=["Bagarn"])
    names = old.pipe_names
    assert names.index("span_merger") + 1 == names.index("custom_ruler")
    assert any("Bagarn" in ent.text for ent in old("med Bagarn nu").ents)
    with pytest.raises(ValueError, match="no patterns for URL"):
        configure(old, classes="url")


def test_from_end_to_end(custom_nlp, tmp_path):
    (tmp_path / "patterns.jsonl").write_text('{"label": "TEAM", "regex": "team [a-z]{2,9}"}\n')
    (tmp_path / "allow.txt").write_text("# Chains\nKry\n\n")
    (tmp_path / "deny.txt").write_text("Bagarn\n# rooms\nROOM\tsal 4\n", encoding="utf-8-sig")
    configure(
        custom_nlp,
        classes="url, organisation_number",
        patterns=tmp_path / "patterns.jsonl",
        allow=str(tmp_path / "allow.txt"),
        deny=tmp_path / "deny.txt",
    )
    doc = custom_nlp(TEXT + " i sal 4")
    assert {(ent.text, ent.label_) for ent in doc.ents} >= {
        ("www.annasblogg.se/anna", "URL"), ("556012-5790", "ORGANISATION_NUMBER"),
        ("team blå", "TEAM"), ("Bagarn", "PERSON"), ("sal 4", "ROOM"),
    }  # fmt: skip
    out = doc._.deidentified
    assert " Kry, [TEAM], " in out and out.endswith(" i [ROOM]")
    assert re.search(r"Se www\.[a-z]+\.example/[a-z]+-\d{4}, \S+ 4\d{5}-\d{4}\.", out)
    assert "custom:allow" not in explain(custom_nlp, doc)
    assert "custom:url.www" in explain(custom_nlp, doc)
    # What it was told stays, where it is told nothing.
    configure(custom_nlp)
    configure(custom_nlp, allow=[])
    assert get_custom_ruler(custom_nlp).classes == ("URL", "ORGANISATION_NUMBER")
    assert get_custom_ruler(custom_nlp).allow == []
    configure(custom_nlp, classes="ALL")
    assert get_custom_ruler(custom_nlp).classes == OPTIONAL_LABELS


@cases
def test_every_strategy(custom_nlp, strategy, url, team):
    patterns = [{"label": "TEAM", "regex": "team [a-z]+", "template": "lag #"}]
    configure(custom_nlp, classes="url", patterns=patterns)
    custom_nlp.get_pipe("surrogate_generator").strategy = strategy
    doc = custom_nlp("se www.kry-lund.se/boka och team blå, team blå")
    assert re.fullmatch(f"se {url} och ({team}), ({team})", doc._.deidentified)
    texts = [doc.text[entry["start"] : entry["end"]] for entry in doc._.replacements]
    assert texts == ["www.kry-lund.se/boka", "team blå", "team blå"]


def test_strategy_of_ones_own(custom_nlp):
    patterns = [
        {"label": "TEAM", "regex": "team [a-z]+", "strategy": "remove"},
        {"label": "TEAM", "regex": "lag [a-z]+"},
        {"label": "ROOM", "regex": "sal [0-9]+", "surrogates": ["sal A", "sal B", "sal C"]},
    ]
    configure(custom_nlp, patterns=patterns)
    doc = custom_nlp("team blå, lag röd, sal 44.")
    assert re.fullmatch(r", , sal [ABC]\.", doc._.deidentified)
    with pytest.raises(ValueError, match="TEAM.*stands in its pattern"):
        custom_nlp.get_pipe("surrogate_generator").strategy = {"TEAM": "mask"}


def test_conversations(custom_nlp):
    patterns = [{"label": "ROOM", "regex": "sal [0-9]+", "template": "sal ####"}]
    configure(custom_nlp, classes="all", patterns=patterns, deny=["Bagarn"], allow=["Lund"])
    own = ["Bagarn, sal 44, bil ABC 123", "bagarns bil abc123, sal 44, i Lund"]
    messages = [*own, "hej anna lund"]
    docs = deidentify_conversation(custom_nlp, messages, conversation_id="c")
    outs = [doc._.deidentified for doc in docs]
    plates = [re.search(r"bil ([IQV][A-Z]{2} ?\d{3})", out, re.IGNORECASE)[1] for out in outs[:2]]
    assert plates[0].replace(" ", "").lower() == plates[1]
    rooms = [re.search(r"sal \d{4}", out)[0] for out in outs[:2]]
    assert rooms[0] == rooms[1]
    assert "bagarn" not in " ".join(outs).lower()
    assert outs[1].endswith("i Lund") and outs[2].endswith(" lund")
    # What the merger makes again in the second pass is united again.
    assert all("custom" in doc.spans for doc in docs)


def test_a_regex_that_runs_away_masks_the_message(custom_nlp, caplog):
    configure(custom_nlp, patterns=[{"label": "TEAM", "regex": "(a|aa)+$"}])
    docs = list(custom_nlp.pipe(["a" * 60 + "!", "hej aa"]))
    assert [bool(doc._.failed) for doc in docs] == [True, False]
    assert docs[0]._.deidentified == MASK
    assert docs[1]._.deidentified == "hej [TEAM]"
    assert "pattern of your own takes too long" in caplog.text
    (doc,) = deidentify_conversation(custom_nlp, ["a" * 60 + "!"])
    assert doc._.deidentified == MASK


@cases
def test_what_is_wrong_in_a_file(tmp_path, name, content, message):
    path = tmp_path / "list"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf8"))
    with pytest.raises(ValueError, match=message):
        SETTINGS[name].read(path)
    path.write_text("Bagarn \n\nTEAM\tblå laget\nTEAM\tröda laget\n#x\n", encoding="utf8")
    assert read_deny(path) == {"PERSON": ["Bagarn"], "TEAM": ["blå laget", "röda laget"]}


def test_rules_tell_of_it(custom_nlp, tmp_path):
    configure(
        custom_nlp, classes="url", patterns=[{"label": "TEAM", "regex": "team", "id": "team"}]
    )
    lines = [line.split() for line in list_rules(custom_nlp)]
    told = [["url.www", "URL"], ["card.number", "CARD", "(off)"], ["team", "TEAM"]]
    assert all(line in lines for line in told)
    # A pattern of a file has its line as its id.
    path = tmp_path / "own.jsonl"
    rows = [{"label": "TEAM", "regex": "team"}, {"label": "TEAM", "regex": "(lag"}]
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(ValueError, match="'own.jsonl, line 2': not a regular expression"):
        configure(custom_nlp, patterns=path)


TOML = Path(__file__).with_name("settings.toml").read_text(encoding="utf8")
READ = {
    "dates": "month", "ages": "bands", "surrogate_numbers": "plausible", "mode": "careful",
    "clean": "html,control", "foreign": "rules", "classes": ["URL", "PLATE"], "allow": ["Lund"],
    "strategy": {"PID": "mask", "*": "label"}, "threshold": {"PERSON": 0.01, "default": 1.0},
    "deny": {"PERSON": ["Bagarn"]},
}  # fmt: skip


@pytest.fixture
def path(tmp_path):
    (tmp_path / "allow.txt").write_text("Lund\n", encoding="utf8")
    path = tmp_path / "settings.toml"
    path.write_text(TOML, encoding="utf-8-sig")
    return path


def test_file(path):
    """Files that it names lie beside it, wherever the command runs."""
    assert read_config(path) == read_config(str(path)) == READ
    assert read_config(READ) == READ
    assert pickle.loads(pickle.dumps(read_config(path))) == READ
    assert {*OPTIONS, "strategy", "threshold"} < {*SETTINGS}
    for data, said in ((b"\xff", "no text in UTF-8"), (None, "cannot be read")):
        path.write_bytes(data) if data else path.unlink()
        with pytest.raises(ValueError, match=said):
            read_config(path)


@cases
def test_what_is_wrong_is_named(path, line, said):
    path.write_text(line, encoding="utf8")
    with pytest.raises(ValueError, match="settings.toml") as error:
        read_config(path)
    assert said in str(error.value) and "Knurvel" not in str(error.value)
    name = line.split(" ")[0]
    assert name in str(error.value) or "TOML" in said


def get_settings(nlp):
    return {
        name: getattr(find_pipe(nlp, setting.pipe) if setting.pipe else nlp, name)
        for name, setting in SETTINGS.items()
    }


def test_pipeline_is_set_up_for_a_while(make_nlp, path):
    nlp = make_nlp()
    before = get_settings(nlp)
    with configured(nlp, path):
        # A threshold that is given beats that of the mode.
        expected = {**READ, "patterns": [], "mode": None}
        assert {**get_settings(nlp), "classes": ["URL", "PLATE"]} == expected
        text = nlp("Anna föddes 3 maj 1990, 900101-2385. Bagarn i Lund")._.deidentified
        assert "[PERSON]" in text and "***" in text and "2385" not in text
    assert get_settings(nlp) == before
    with configured(nlp, None):
        assert get_settings(nlp) == before
    configure(nlp, path, dates="year")
    assert get_settings(nlp)["dates"] == "year" and get_settings(nlp)["ages"] == "bands"


def test_a_mode_is_a_threshold(make_nlp):
    nlp = make_nlp()
    phi_ner = nlp.get_pipe("phi_ner")
    before = phi_ner.threshold
    with configured(nlp, {"mode": "careful"}):
        assert (phi_ner.mode, phi_ner.threshold) == ("careful", 0.05)
    assert phi_ner.threshold == before
    configure(nlp, {"threshold": 0.3}, mode="balanced")
    assert phi_ner.threshold == 0.12
    configure(nlp, {"mode": "careful"}, threshold=0.3)
    assert (phi_ner.mode, phi_ner.threshold) == (None, 0.3)
    nlp.remove_pipe("phi_ner")
    with pytest.raises(ValueError, match="threshold: the pipeline has no phi_ner"):
        configure(nlp, {"threshold": 0.1})
