"""What spaCy expects of any pipe: it can be pickled, saved, left out; the stream may be anything."""

import ast
import pickle
from pathlib import Path

import numpy as np
import pytest
from spacy import util

import components
from components.shared.failures import SetupError
from tests.cases import cases

TEXT = "Hej, jag heter Anna Lind och bor i Lund sen 3 maj. 070-1740605"
TEXTS = [TEXT, "", " \n ", "😀", "vårdcentralen\r\nBo"]


def get_found(docs):
    def get_group(group):
        return [(span.text, span.label_, span.id_) for span in group], group.attrs

    return [{key: get_group(group) for key, group in doc.spans.items()} for doc in docs]


def test_pipes_can_be_pickled(tiny_nlp):
    pipes = [pipe for _, pipe in tiny_nlp.pipeline]
    docs = []
    for text in TEXTS:
        doc = tiny_nlp.make_doc(text)
        for pipe in pickle.loads(pickle.dumps((tiny_nlp.vocab, pipes)))[1]:
            doc = pipe(doc)
        docs.append(doc)
    assert get_found(docs) == get_found(tiny_nlp(text) for text in TEXTS)


def test_bytes_keep_everything(tiny_nlp):
    nlp = util.load_model_from_config(tiny_nlp.config)
    nlp.from_bytes(tiny_nlp.to_bytes())
    assert get_found(nlp.pipe(TEXTS)) == get_found(tiny_nlp.pipe(TEXTS))
    for name, pipe in tiny_nlp.pipeline:
        # The vocabulary holds what other tests have read.
        if hasattr(pipe, "to_bytes"):
            same = nlp.get_pipe(name).to_bytes(exclude=["vocab"])
            assert same == pipe.to_bytes(exclude=["vocab"])


@cases
def test_parts_can_be_left_out(tiny_nlp, tmp_path, name, part, file):
    pipe = tiny_nlp.get_pipe(name)
    assert len(pipe.to_bytes(exclude=[part])) < len(pipe.to_bytes())
    pipe.to_disk(tmp_path)
    assert (tmp_path / file).exists()
    (tmp_path / file).unlink()
    pipe.to_disk(tmp_path, exclude=[part])
    assert not (tmp_path / file).exists()
    pipe.from_disk(tmp_path, exclude=[part])


@pytest.mark.parametrize(
    "missing",
    [
        ["known_matcher"], ["entity_ruler"], ["gazetteer_matcher"], ["transformer", "phi_ner"],
        ["known_matcher", "entity_ruler", "gazetteer_matcher"], ["span_merger"], ["custom_ruler"],
        ["surrogate_generator"], ["doc_cleaner"],
    ],
)  # fmt: skip
def test_any_pipe_may_be_missing(tiny_nlp, missing, monkeypatch):
    monkeypatch.setattr(tiny_nlp.get_pipe("surrogate_generator"), "required", [])
    with tiny_nlp.select_pipes(disable=missing):
        docs = list(tiny_nlp.pipe(zip(TEXTS, range(9)), as_tuples=True))
    assert [n for _, n in docs] == [*range(len(TEXTS))]
    for (doc, _), text in zip(docs, TEXTS):
        assert doc.text == text
        if missing == ["surrogate_generator"]:
            # Empty would look like processed.
            assert doc._.deidentified is None
        else:
            assert bool(doc._.deidentified) == bool(text)


@cases
def test_half_processed_is_refused(tiny_nlp, missing, said):
    doc = tiny_nlp.make_doc(TEXT)
    if missing == "known_matcher":
        doc._.known = {"name": "Anna Lind"}
    with pytest.raises(SetupError, match=said) as raised:
        tiny_nlp(doc, disable=[missing])
    assert "Anna" not in str(raised.value)
    with pytest.raises(SetupError, match=said):
        list(tiny_nlp.pipe([doc], disable=[missing]))
    # Nothing can be in nothing.
    assert tiny_nlp("", disable=[missing])._.deidentified == ""
    # Nobody is known: nobody has to look.
    assert missing != "known_matcher" or tiny_nlp(TEXT, disable=[missing])._.deidentified


@pytest.mark.parametrize("value", [0, 1, 0.5, np.float32(0.5), np.float64(1)])
def test_thresholds(make_nlp, value):
    nlp = make_nlp()
    nlp.get_pipe("phi_ner").threshold = value
    docs = list(nlp.pipe(TEXTS))
    found = [[span.text for span in doc.spans["phi"]] for doc in docs]
    assert isinstance(nlp.get_pipe("phi_ner").threshold, float)
    assert found[1:4] == [[], [], []]
    # Everything may be PHI, or nothing is sure to be.
    assert value != 1 or not any(found)
    assert value != 0 or "".join(found[0]).startswith("Hej")


# Rooms import from those in front of them.
ROOMS = [
    "shared", "text", "rules", "lists", "model", "language", "known", "merging", "custom", "surrogates",
    "conversations", "tables", "measures", "vault", "reports", "runs", "stories", "frames", "serve", "annotate", "cli",
]  # fmt: skip
FOLDER = Path(components.__file__).parent
FILES = [path.relative_to(FOLDER) for path in sorted(FOLDER.rglob("*.py"))]


def get_room(parts):
    return parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", [path for path in FILES if path.name != "__init__.py"], ids=str)
def test_rooms_import_from_below(path):
    room, rooms = get_room(path.parts), set()
    for node in ast.walk(ast.parse((FOLDER / path).read_text(encoding="utf8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = path.parts[: len(path.parts) - node.level]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            rooms.update(get_room([*folder, *name.split(".")]) for name in names)
    # What finds PHI knows nothing of what replaces it: its rooms come first.
    assert all(ROOMS.index(other) < ROOMS.index(room) for other in rooms - {room})
