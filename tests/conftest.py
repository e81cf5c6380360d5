"""A tiny pipeline with all pipes: the default config over a BERT of tiny shape and small lists."""

import os
import re
import string
import subprocess
import sys
from pathlib import Path

import pytest
import spacy
from filelock import FileLock
from hypothesis import settings
from spacy import util
from spacy.training import Example
from transformers import BertConfig, BertModel, BertTokenizerFast

import components  # noqa: F401
import training_tools.registered  # noqa: F401
from components.measures.formats.registry import chat_language
from components.model.backend import set_threads

# The same examples on every machine. `--hypothesis-profile=search` looks for new ones.
settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("slow", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile("repeatable")
# For a network this small, handing work to other threads costs more than the work.
set_threads(1)

# What Python compiles would count in the checksums by which `spacy project run` knows what has changed.
sys.dont_write_bytecode = True

ROOT = Path(__file__).resolve().parent.parent
# A made-up word that only one training message holds.
CANARY = "Knurvelstocksfnatt"

EXAMPLES = [
    ("Hej, jag heter Anna Lind och är 34 år.", {"Anna Lind": "PERSON", "34 år": "AGE"}),
    (f"Min {CANARY} gör ont, bor i Lund sen 3 maj", {"Lund": "LOCATION", "3 maj": "DATE"}),
    (
        "Ring vårdcentralen på 070-1740605. MVH Bo",
        {"vårdcentralen": "ORGANISATION", "070-1740605": "PHONE", "Bo": "PERSON"},
    ),
]


def run_python(code, *arguments, options=("-c",), folder=ROOT, **environment):
    """Run code in a Python of its own, or with the option `-m` a module."""
    command = [sys.executable, *options, code, *map(str, arguments)]
    env = {**os.environ, **environment}
    return subprocess.run(
        command, cwd=folder, env=env, capture_output=True, encoding="utf8", timeout=600, check=False
    )


def find_blocks(page, language):
    """The blocks of a page in a language, as printed."""
    text = page.read_text("utf8")
    return re.findall(rf"^ *```{language}\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="Run the slow tests, too")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: runs with --slow only")
    if config.getoption("--slow"):
        # More keys of the surrogates, see tests/strategies.py.
        os.environ["SV_DEID_ALL_KEYS"] = "1"
        if not config.getoption("--hypothesis-profile", None):
            settings.load_profile("slow")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="slow: runs with --slow only"))


@pytest.fixture(scope="session")
def encoder_path(tmp_path_factory):
    """A BERT with the architecture and the tokenizer class of KB-BERT."""
    path = tmp_path_factory.mktemp("encoder") / "tiny-bert"
    path.mkdir()
    letters = string.ascii_letters + string.digits + string.punctuation + "åäöÅÄÖé"
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters]
    pieces += [f"##{char}" for char in letters] + ["Hej", "jag", "och", "heter", "##er", "##en"]
    vocab_path = path / "vocab.txt"
    vocab_path.write_text("\n".join(pieces) + "\n", encoding="utf8")
    tokenizer = BertTokenizerFast(
        vocab_file=str(vocab_path), do_lower_case=False, strip_accents=False, model_max_length=512
    )
    tokenizer.save_pretrained(path)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
    )
    util.fix_random_seed(0)
    BertModel(config).save_pretrained(path)
    return path


@pytest.fixture(scope="session")
def lists_path():
    """Small word lists."""
    return ROOT / "tests" / "tiny_lists"


def train_tiny(encoder_path, lists_path, changed=None, config="mini"):
    """The tiny pipeline, briefly trained, with other values of the config if need be."""
    util.fix_random_seed(0)
    overrides = {
        "paths.encoder": str(encoder_path),
        "paths.lists": str(lists_path),
        "paths.patterns": str(ROOT / "assets" / "patterns.jsonl"),
        "components.phi_ner.model.hidden_width": 16,
        # It knows little: what the lists know stands.
        "components.span_merger.disable": [],
        **(changed or {}),
    }
    if config == "mini":
        # Trained it reads in fp32, loaded with what the machine can: on tiny vectors a difference.
        overrides.setdefault("components.transformer.precision", "fp32")
    config = util.load_config(ROOT / "configs" / f"{config}.cfg", overrides=overrides)
    nlp = util.load_model_from_config(config, auto_fill=True)
    examples = []
    for text, spans in EXAMPLES:
        entities = [(text.index(phi), text.index(phi) + len(phi), spans[phi]) for phi in spans]
        examples.append(Example.from_dict(nlp.make_doc(text), {"entities": entities}))
    optimizer = nlp.initialize(lambda: examples)
    optimizer.learn_rate = 0.01
    annotating = ["entity_ruler", "gazetteer_matcher"]
    for _ in range(30):
        nlp.update(examples, sgd=optimizer, annotates=annotating)
    return nlp


@pytest.fixture(scope="session")
def tiny_path(encoder_path, lists_path, tmp_path_factory):
    """The tiny pipeline, saved: trained once for all processes that run tests."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    path = folder / "tiny"
    with FileLock(folder / "tiny.lock"):
        if not path.exists():
            nlp = train_tiny(encoder_path, lists_path)
            path.mkdir()
            nlp.to_disk(path / "model")
            # What a pipeline must not keep.
            (path / "trained-words.txt").write_text("\n".join(nlp.vocab.strings), encoding="utf8")
    return path / "model"


@pytest.fixture(scope="session")
def make_nlp(encoder_path, lists_path, tiny_path):
    """Makes the tiny pipeline. A test that changes it makes its own."""

    def make(changed=None):
        if changed:
            return train_tiny(encoder_path, lists_path, changed)
        return spacy.load(tiny_path)

    return make


@pytest.fixture(scope="session")
def tiny_nlp(make_nlp):
    """The tiny pipeline, shared: not to be changed."""
    return make_nlp()


@pytest.fixture(scope="module")
def nlp():
    """No pipe yet, but the tokenizer for messages."""
    return chat_language()
