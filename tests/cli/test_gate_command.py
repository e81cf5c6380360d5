"""The gate: it opens for the pipeline, and shuts when a part of it has stopped working."""

import hashlib
import json
import subprocess
from xml.etree import ElementTree

import pytest
import spacy
import srsly
from typer.testing import CliRunner

from components.cli.app import make_app
from components.measures.evaluation import Evaluation, evaluate
from components.measures.gate import check_limits, get_upper_bound
from components.reports.evidence import digest_folder

SECRETS = ("Karin", "Olsson", "Nyman", "Ystad", "1740605", "knä")
NAMES = ["Karin Olsson", "Lena Nyman", "Sara Berg", "Erik Lundin", "Nils Wik"]
LIMITS = ["--min-redact", ".9", "--max-leak", ".4", "--min-clean", ".9"]
LIMITS += ["--min-full", ".9", "--min-f1", ".8"]


def annotate(text, **spans):
    return {
        "text": text,
        "spans": [
            {"start": text.index(words), "end": text.index(words) + len(words), "label": label}
            for label, words in spans.items()
        ],
    }


# Rules find the numbers, lists the names: at a threshold of 1 the tiny model finds nothing.
ROWS = [
    *(annotate(f"Hälsa {name} från mig", PERSON=name) for name in NAMES),
    *(annotate(f"Flyttade till {place} nyss", LOCATION=place) for place in ("Ystad", "Eslöv")),
    annotate("Ring 070-1740605 i kväll", PHONE="070-1740605"),
    *(annotate(text) for text in ("Jag har ont i knät", "Tack ska ni ha", "Får jag svar snart")),
]


@pytest.fixture
def run(load, tmp_path):
    def run_gate(*args, rows=ROWS, load=load):
        srsly.write_jsonl(tmp_path / "gold.jsonl", rows)
        args = [str(arg).replace("TMP", str(tmp_path)) for arg in args]
        return CliRunner().invoke(
            make_app(load, "gate"), [f"{tmp_path}/gold.jsonl", *args, "--threshold", "1"]
        )

    return run_gate


def test_gate_of_the_project(run):
    done = run(*LIMITS)
    assert done.exit_code == 0, done.output
    assert "All limits are kept." in done.stdout and "NO" not in done.stdout
    assert not [secret for secret in SECRETS if secret in done.output]


def test_gate_shuts_when_the_gazetteer_was_emptied(run, tiny_path, tmp_path):
    nlp = spacy.load(tiny_path)
    nlp.get_pipe("gazetteer_matcher").entries.clear()
    nlp.to_disk(tmp_path / "listless")
    args = ["--junit", "TMP/junit.xml", "--evidence", "TMP/e.json"]
    done = run(*LIMITS, *args, load=lambda: spacy.load(tmp_path / "listless"))
    assert done.exit_code == 1, done.output
    assert "NOT all limits are kept." in done.stdout
    evidence = json.loads((tmp_path / "e.json").read_text())
    kept = {check["name"]: check["passed"] for check in evidence["checks"]}
    assert kept == {"redact": False, "leak": False, "clean": True, "full": False, "f1": False}
    suite = ElementTree.parse(tmp_path / "junit.xml").getroot().find("testsuite")
    assert (suite.get("tests"), suite.get("failures")) == ("5", "4")
    failed = {
        case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None
    }
    assert failed == {name for name, passed in kept.items() if not passed}
    assert "at most 0.4 is asked" in suite.find("testcase[@name='leak']/failure").get("message")


def test_evidence_tells_what_the_figures_hang_on(run, tiny_path, tmp_path):
    (tmp_path / "deny.txt").write_text("Olsson\n", encoding="utf8")
    (tmp_path / "c.toml").write_text('deny = "deny.txt"\nclean = "none"\n', encoding="utf8")
    args = ["--evidence", "TMP/e.json", "--junit", "TMP/junit.xml", "--config", "TMP/c.toml"]
    done = run(*LIMITS, *args, "--lower")
    assert done.exit_code in (0, 1), done.output
    evidence = json.loads((tmp_path / "e.json").read_text())
    page = (tmp_path / "e.md").read_text()
    junit = (tmp_path / "junit.xml").read_text()
    assert evidence["settings"] == {
        "context": False, "lower": True, "clean": "none", "deny": True, "threshold": 1.0, "mode": None,
    }  # fmt: skip
    assert evidence["leaks"]["units"] == len(ROWS) and evidence["figures"]["messages"] == len(ROWS)
    assert len(evidence["figures"]["intervals"]["redact"]) == 2
    assert {"pipeline", "spaCy", "encoder", "Python"} <= evidence["versions"].keys()
    digests = evidence["digests"]
    gold = (tmp_path / "gold.jsonl").read_bytes()
    assert digests["messages"] == hashlib.sha256(gold).hexdigest()
    assert digests["pipeline"] == digest_folder(tiny_path) != digests["code"]
    for each in (page, junit):
        assert all(digest in each for digest in digests.values())
        assert spacy.__version__ in each
    assert "| redact " in page and "| PERSON " in page
    for each in (page, junit, json.dumps(evidence, ensure_ascii=False), done.output):
        assert not [secret for secret in (*SECRETS, "gold.jsonl", str(tmp_path)) if secret in each]


def test_digest_of_a_folder_is_that_of_the_shell(tmp_path):
    for name in ("b", "a/ö", "a/z", "å", "B"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf8")
    command = "find . -type f | LC_ALL=C sort | xargs -d '\\n' sha256sum | sha256sum"
    said = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, check=True).stdout
    digest = digest_folder(tmp_path)
    assert said.decode().split()[0] == digest
    (tmp_path / "b").write_text("c", encoding="utf8")
    assert digest_folder(tmp_path) != digest


@pytest.mark.parametrize(
    "args, said",
    [
        ([], "Give a limit"),
        (["--min-redact", "2"], "--min-redact"),
        ([*LIMITS, "--evidence", "TMP/e.md"], "ends with .json"),
        ([*LIMITS, "--evidence", "TMP/there.json"], "--overwrite"),
        ([*LIMITS, "--junit", "TMP/there.md"], "--overwrite"),
    ],
)
def test_wrong_usage(run, tmp_path, args, said):
    (tmp_path / "there.md").write_text("mine", encoding="utf8")
    done = run(*args, load=lambda: 1 / 0)
    assert done.exit_code == 2 and said in done.stderr, done.output


def test_wrong_messages_are_no_failed_limit(run):
    done = run(*LIMITS, rows=[{"text": "Hemligsson", "spans": 3}], load=lambda: 1 / 0)
    assert done.exit_code == 2 and "line 1" in done.stderr and "Hemligsson" not in done.output


def test_what_cannot_be_counted_is_not_kept(run):
    done = run("--min-clean", "0", rows=ROWS[:1])
    assert done.exit_code == 1 and "NO" in done.stdout


def test_leaks_are_those_of_conversations(tiny_nlp):
    """Two leaky messages of one conversation are one leak; its bound is compared, not its share."""
    unknown = [annotate(f"Hälsa Xyqw{n} nu", PERSON=f"Xyqw{n}") for n in range(3)]
    rows = [{**row, "conversation": "a"} for row in (unknown[0], unknown[1], ROWS[-1])]
    evaluation = evaluate(tiny_nlp, [*rows, *unknown[2:], *ROWS[-1:] * 38])
    assert isinstance(evaluation, Evaluation)
    assert (evaluation.n_leaky, evaluation.n_units) == (2, 40)
    bound = get_upper_bound(2, 40, 0.05)
    for limit, passed in ((2 / 40, False), (bound - 1e-6, False), (bound, True)):
        (check,) = check_limits(evaluation, {"leak": limit})
        assert check.passed is passed
