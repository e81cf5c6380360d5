"""The pipeline as a whole: any string comes out again, in any number of processes, and leaves nothing
behind.
"""

import gc
import json
import logging
import os
import pickle

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import DocBin

import components
from components import pipe_conversations
from components.language import garbage, language
from components.language.garbage import spare_for_good, spare_old_objects
from components.shared.failures import MASK, mark_failed
from components.text import sections
from tests.cases import check_replaced, read_cases
from tests.conftest import CANARY, ROOT, run_python

TEXT = "Hej, jag heter Anna Lind och bor i Lund sen 3 maj. 070-1740605"
TEXTS = [TEXT, "", " \n ", "😀", "vårdcentralen\r\nBo", f"{CANARY} Bo, ring 070-1740605"] * 3
ODD = [
    *read_cases(__file__)["odd"],
    *(piece * n for piece, n in read_cases(__file__)["odd_in_a_row"]),
    "".join(map(chr, range(32))) + "Anna Lind" + "\x7f\x80\x85\x9f",
]


class Failing:
    """A pipe that fails on some messages."""

    def __init__(self, pipe=lambda doc: doc):
        self.pipe = pipe

    def __call__(self, doc):
        if "070" in doc.text:
            raise ArithmeticError(doc.text)
        return self.pipe(doc)


def put_in_front(nlp, pipe):
    """A pipeline with another pipe in front, which is in no registry."""
    nlp._components.insert(0, ("in_front", pipe))
    nlp._pipe_meta["in_front"] = nlp.get_pipe_meta("doc_cleaner")
    return nlp


def check(doc, text):
    """It was processed, and all offsets are those of the text."""
    assert doc._.failed is None
    assert len(doc.text) == len(text)
    for group in doc.spans.values():
        assert all(doc.text[span.start_char : span.end_char] == span.text for span in group)
    ents = [(ent.start_char, ent.end_char, ent.label_) for ent in doc.ents]
    assert ents == [(item["start"], item["end"], item["label"]) for item in doc._.replacements]
    check_replaced(doc.text, doc._.deidentified, doc._.replacements)
    return doc


@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_any_string(tiny_nlp, text):
    assert check(tiny_nlp(text), text).text == text


def test_no_string_stops_a_stream(tiny_nlp):
    docs = [*tiny_nlp.pipe([*ODD, TEXT])]
    for doc, text in zip(docs, [*ODD, TEXT], strict=True):
        check(doc, text)
    assert docs[-1]._.deidentified == tiny_nlp(TEXT)._.deidentified
    # Half a pair keeps its place.
    doc = tiny_nlp("\ud83dAnna Lind")
    assert doc.text == "\ufffdAnna Lind"
    assert [(ent.start_char, ent.text) for ent in doc.ents] == [(1, "Anna Lind")]


@pytest.mark.parametrize("value", [None, float("nan"), 3, b"Hej", ["Hej"]])
def test_no_string_says_what_to_do(tiny_nlp, value):
    for call in (tiny_nlp, lambda text: [*tiny_nlp.pipe([text])]):
        with pytest.raises((TypeError, ValueError)) as raised:
            call(value)
        assert "string" in str(raised.value)
        assert type(value).__name__ in str(raised.value)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("at", ["entity_ruler", "span_merger", "surrogate_generator"])
def test_a_message_that_a_pipe_fails_on(make_nlp, caplog, stream, at):
    nlp = make_nlp()
    pipe = nlp.get_pipe(at)
    if at == "surrogate_generator":
        replace = pipe._replace
        pipe._replace = lambda docs, *args: replace([*map(Failing(), docs)], *args)
    else:
        nlp._components = [(n, Failing(p) if p is pipe else p) for n, p in nlp._components]
    texts = [TEXT, "Hej", "Ring 070-1740605", ""]
    with caplog.at_level(logging.DEBUG):
        docs = [*nlp.pipe(texts)] if stream else [nlp(text) for text in texts]
    assert [doc.text for doc in docs] == texts
    for doc in (docs[0], docs[2]):
        assert doc._.failed.startswith(f"{at} (ArithmeticError, test_language.py line ")
        assert doc._.deidentified == MASK
        (entry,) = doc._.replacements
        places = [entry[key] for key in ("start", "end", "out_start", "out_end")]
        assert places == [0, len(doc.text), 0, 3]
        assert (entry["label"], entry["replacement"]) == ("PHI", MASK)
    assert [doc._.deidentified for doc in (docs[1], docs[3])] == ["Hej", ""]
    assert [doc._.failed for doc in (docs[1], docs[3])] == [None, None]
    # An empty message that fails is empty.
    mark_failed(docs[3], "a_pipe", ValueError())
    pipe = nlp.get_pipe("surrogate_generator")
    assert (pipe(docs[3])._.deidentified, docs[3]._.replacements) == ("", [])
    assert "masked whole" in caplog.text
    assert "070" not in caplog.text


def test_a_batch_is_one_call_of_each_pipe(tiny_nlp, monkeypatch):
    merger = tiny_nlp.get_pipe("phi_ner")
    sizes = []
    predict = merger.predict
    monkeypatch.setattr(merger, "predict", lambda docs: sizes.append(len(docs)) or predict(docs))
    list(tiny_nlp.pipe(["Hej Anna"] * 5, batch_size=3))
    assert sizes == [3, 2]


def test_a_gpu_is_not_shared(make_nlp, monkeypatch):
    nlp = make_nlp()
    monkeypatch.setattr(nlp, "_has_gpu_model", lambda disable: True)
    with pytest.raises(ValueError, match="which processes cannot share: n_process=1"):
        list(nlp.pipe(["Hej", "Hej"], n_process=2))


def test_failing_in_a_conversation_in_processes_and_in_a_section(make_nlp, monkeypatch):
    nlp = put_in_front(make_nlp(), Failing())
    messages = ["Hej Anna Lind", "070-1740605", "anna här"]
    docs = components.deidentify_conversation(nlp, messages, conversation_id="1")
    assert [bool(doc._.failed) for doc in docs] == [False, True, False]
    assert docs[1]._.deidentified == MASK
    assert "nna" not in docs[0]._.deidentified + docs[2]._.deidentified
    docs = [*nlp.pipe([TEXT, "Hej"], n_process=2)]
    assert [doc._.deidentified for doc in docs] == [MASK, "Hej"]
    monkeypatch.setattr(sections, "SIZE", 400)
    monkeypatch.setattr(sections.get_sections, "__defaults__", (400, 120))
    assert nlp(LONG)._.deidentified == MASK


def end_process(doc):
    os._exit(9)


def test_a_process_that_dies_is_no_hang(make_nlp):
    with pytest.raises(RuntimeError, match="memory"):
        [*put_in_front(make_nlp(), end_process).pipe([TEXT, "Hej"] * 5, n_process=2)]


def test_what_was_not_processed_does_not_look_so(tiny_nlp):
    doc = tiny_nlp.make_doc(TEXT)
    assert doc._.deidentified is doc._.replacements is None
    stored = DocBin(store_user_data=False, docs=[tiny_nlp(TEXT)]).to_bytes()
    (doc,) = DocBin().from_bytes(stored).get_docs(tiny_nlp.vocab)
    assert doc._.deidentified is None


def test_too_long_a_message(make_nlp, monkeypatch):
    nlp = make_nlp()
    nlp.max_length = 30
    for doc in [nlp(TEXT), next(nlp.pipe([TEXT]))]:
        assert doc.text == TEXT
        assert "30" in doc._.failed
        assert doc._.deidentified == MASK
    assert nlp(TEXT[:30])._.failed is None
    assert components.deidentify(nlp, TEXT[:30]) == nlp(TEXT[:30])._.deidentified != TEXT[:30]


LONG = " ".join(f"Hej Anna Lind, {i} år, i Lund 070-17406{i % 90 + 10}.\n" for i in range(60))


def test_a_long_message_is_read_in_sections(tiny_nlp, monkeypatch):
    # The model of the tests sees something else wherever other words are around.
    monkeypatch.setattr(tiny_nlp.get_pipe("surrogate_generator"), "required", ["rules"])
    options = {"disable": ["transformer", "phi_ner"]}
    whole = tiny_nlp(LONG, **options)
    monkeypatch.setattr(sections, "SIZE", 400)
    monkeypatch.setattr(sections.get_sections, "__defaults__", (400, 120))
    parts = tiny_nlp(LONG, **options)
    assert len(whole.ents) > 100
    assert [e._.trace for e in parts.ents] == [e._.trace for e in whole.ents]
    told, expected = (
        [(e.start_char, e.end_char, e.label_, e._.source, e._.score) for e in doc.ents]
        for doc in (parts, whole)
    )
    assert told == expected and parts._.deidentified == whole._.deidentified
    for key in ("rules", "gazetteer", "vetoes"):
        told, expected = (
            sorted((s.start, s.end, s.label_, s.id_) for s in doc.spans[key])
            for doc in (parts, whole)
        )
        assert told == expected
    assert len(parts.spans["rules"].attrs["scores"]) == len(parts.spans["rules"])
    (stream,) = tiny_nlp.pipe([LONG], **options)
    assert stream._.deidentified == whole._.deidentified


@pytest.mark.parametrize(
    "text", ["7" * 50_000, "a " * 5000, "Anna " * 2500, "@./-:" * 4_100, "1-" * 9000, "\n" * 50_000]
)
def test_long_messages_of_one_kind(tiny_nlp, text):
    assert "Anna" not in check(tiny_nlp(text), text)._.deidentified


SCRIPT = """
import json, multiprocessing, sys
import spacy
import components  # noqa

def main():
    nlp = spacy.load(sys.argv[1])
    texts = json.loads(sys.argv[2])
    alone = [doc._.deidentified for doc in nlp.pipe(texts)]
    for method in ("fork", "spawn"):
        multiprocessing.set_start_method(method, force=True)
        pairs = [(text, i) for i, text in enumerate(texts)]
        pairs = [*nlp.pipe(pairs, n_process=2, batch_size=2, as_tuples=True)]
        assert [doc._.deidentified for doc, _ in pairs] == alone
        assert [doc.text for doc, _ in pairs] == texts
        assert [i for _, i in pairs] == [*range(len(texts))]
    print("done")

if __name__ == "__main__":
    main()
"""


@pytest.mark.slow
def test_processes(tiny_path, tmp_path):
    """Also after a prediction with all threads: a fork would wait for ever."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT, encoding="utf8")
    arguments = [path, tiny_path, json.dumps(TEXTS[:8])]
    done = run_python(*arguments, options=[], folder=tmp_path, PYTHONPATH=str(ROOT))
    assert done.stdout == "done\n", done.stderr
    assert "fork" not in done.stderr


def get_files(path):
    return {file.relative_to(path): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def test_nothing_of_a_message_is_saved(tiny_path, tmp_path):
    name = "Qvistofferssonius"
    nlp = spacy.load(tiny_path)
    nlp.to_disk(tmp_path / "before")
    before = nlp.to_bytes(), pickle.dumps(nlp)
    for text in (f"Hej {name}, 070-1740605", f"{name.lower()} bor i {name}stad den 3 maj"):
        nlp(text)
        [*nlp.pipe([text] * 3)]
        components.deidentify_conversation(nlp, [text, name], conversation_id="1")
    assert name in nlp.vocab.strings
    nlp.to_disk(tmp_path / "after")
    assert get_files(tmp_path / "after") == get_files(tmp_path / "before")
    assert (nlp.to_bytes(), pickle.dumps(nlp)) == before
    assert name.encode() not in before[1]
    # Not of the training either.
    for content in get_files(tiny_path).values():
        assert CANARY.encode() not in content
        assert CANARY.lower().encode() not in content


def test_a_stream_without_end_leaves_nothing(make_nlp):
    nlp = make_nlp()
    names = ("anius", "onen", "ulla")
    conversations = [[f"Hej Qvist{name}", f"ring qvist{name}"] for name in names]
    kept = [*components.pipe_conversations(nlp, conversations[:1], batch_size=1)]
    assert "Qvistanius" in nlp.vocab.strings
    n_strings = len(nlp.vocab.strings)
    zoned = components.pipe_conversations(nlp, conversations[1:], batch_size=1, memory_zone=True)
    texts = [[doc._.deidentified for doc in docs] for docs in zoned]
    assert len(texts) == 2
    assert len(nlp.vocab.strings) == n_strings
    # Those outside of the zone are as they were.
    assert kept[0][0].text == "Hej Qvistanius"


def test_what_is_set_on_a_loaded_pipeline_is_pickled(make_nlp):
    nlp = make_nlp()
    nlp.get_pipe("phi_ner").threshold = 0.375
    nlp.get_pipe("surrogate_generator").strategy = "label"
    nlp.get_pipe("surrogate_generator").required = ["phi"]
    other = pickle.loads(pickle.dumps(nlp))
    assert other.get_pipe("phi_ner").threshold == 0.375
    assert other.get_pipe("surrogate_generator").strategy == "label"
    assert other.get_pipe("surrogate_generator").required == ["phi"]


def test_batches_hold_few_characters(tiny_nlp, monkeypatch):
    monkeypatch.setattr(language, "MAX_BATCH", 100)
    docs = [tiny_nlp.make_doc("x" * n) for n in (60, 40, 1, 200, 5, 5, 5)]
    batches = [[len(doc.text) for doc in batch] for batch in language._make_batches(docs, 2)]
    assert batches == [[60, 40], [1], [200], [5, 5], [5]]


@pytest.mark.parametrize("way", ["pipe", "conversations"])
def test_a_stream_spares_old_objects_and_sets_them_free(tiny_nlp, way):
    texts = ["Hej Anna Lind", "Ring 070-174 06 05"]
    stream = tiny_nlp.pipe(texts) if way == "pipe" else pipe_conversations(tiny_nlp, [texts])
    next(stream)
    assert gc.get_freeze_count()
    stream.close()
    assert not gc.get_freeze_count()
    with pytest.raises(ValueError), spare_old_objects():
        raise ValueError
    assert not gc.get_freeze_count()
    # What others have frozen stays frozen.
    gc.freeze()
    try:
        with spare_old_objects():
            list(tiny_nlp.pipe(texts))
        assert gc.get_freeze_count()
    finally:
        gc.unfreeze()


def test_frozen_objects_are_not_counted_again(tiny_nlp, monkeypatch):
    """That takes as long as a search for garbage: for a message alone five times its own time."""
    counts = []
    monkeypatch.setattr(gc, "get_freeze_count", lambda: counts.append(1))
    with spare_old_objects():
        list(tiny_nlp.pipe(["Hej"]))
    assert len(counts) == 1
    spare_for_good()
    try:
        list(tiny_nlp.pipe(["Hej"]))
    finally:
        gc.unfreeze()
        garbage._has_frozen = False
    assert len(counts) == 1
