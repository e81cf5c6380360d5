"""The story of a message."""

from functools import partial

import pytest
import spacy

from components import explain
from components.cli.app import main
from components.merging.rules import merger_rules
from tests.commands import call

TEXT = "Hälsar Anna, 070-174 06 05. Tar Alvedon 2 mg"


@pytest.fixture
def run(tiny_path, capsys):
    def run_explain(*args):
        code = call(partial(main, lambda: spacy.load(tiny_path), "explain"), *args)
        return code, capsys.readouterr()

    return run_explain


def test_it_tells_what_found_each_entity(run):
    code, said = run(TEXT)
    assert code == 0
    assert "PHONE  '070-174 06 05'" in said.out
    assert "rules:phone.mobile" in said.out and "neg.dose" in said.out


def test_a_processed_doc_is_told_as_it_is(tiny_path):
    nlp = spacy.load(tiny_path)
    nlp.get_pipe("span_merger").disable = [*merger_rules.get_all()]
    doc = nlp(TEXT)
    assert explain(nlp, doc) == explain(nlp, TEXT)
    doc._.failed = "somewhere"
    assert explain(nlp, doc) == "Masked whole: somewhere"


def test_what_was_dropped_is_told(tiny_path):
    nlp = spacy.load(tiny_path)
    nlp.get_pipe("phi_ner").threshold = 0.0  # every token is taken for PHI
    doc = nlp("+ Hej + och på +")
    assert doc.spans["doubted"]
    told = explain(nlp, doc)
    assert "Found and dropped" in told
    assert all(span.id_ in told for span in doc.spans["doubted"])


def test_what_stays_is_told(tiny_path):
    nlp = spacy.load(tiny_path)
    assert "kept" not in explain(nlp, TEXT)
    nlp.get_pipe("surrogate_generator").strategy = {"PHONE": "keep"}
    (line,) = (line for line in explain(nlp, TEXT).splitlines() if line.endswith("kept"))
    assert line.startswith("PHONE  '070-174 06 05'")


def test_rules_are_listed(run):
    code, said = run("--rules")
    assert code == 0
    ids = {line.split()[0] for line in said.out.splitlines()}
    assert {*merger_rules.get_all(), "phone.mobile", "neg.dose"} <= ids


@pytest.mark.parametrize("args", [[], ["Hej", "--rules"]])
def test_wrong_usage(run, args):
    code, said = run(*args)
    assert code == 2 and "--rules" in said.err


def test_settings_of_a_file(run, tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text('strategy = "label"\n')
    assert "[PHONE]" in run(TEXT, "--config", str(path))[1].out
    path.write_text("strategies = 1\n")
    code, said = run(TEXT, "--config", str(path))
    assert code == 2 and "no such setting" in said.err


def test_controls_do_nothing_to_the_terminal(run):
    said = run("Hej \x1b[2J\u202eAnna", "--threshold", "1")[1].out
    assert "\x1b" not in said and "\u202e" not in said and "Anna" in said
