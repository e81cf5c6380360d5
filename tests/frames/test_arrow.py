"""The function for batches of Arrow, without an engine: `tests/extras` runs it in Spark and in Ray."""

import inspect
import pickle
from itertools import chain

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.frames import own_pipeline as loading
from components.frames.arrow import make_partition_function
from components.frames.frame import deidentify_frame
from tests.cases import read_cases

SCHEMA = pa.schema([("id", pa.string()), ("text", pa.string())])


class LoadOwn:
    """Loads the pipeline of the tests; unlike it, can be pickled."""

    nlp = None

    def __call__(self):
        return self.nlp


@pytest.fixture
def load(own_nlp, monkeypatch):
    monkeypatch.setattr(LoadOwn, "nlp", own_nlp)
    monkeypatch.setattr(loading, "_loaded", {})
    return LoadOwn()


def make_batch(rows):
    return pa.RecordBatch.from_pylist([dict(zip(SCHEMA.names, row)) for row in rows], SCHEMA)


def get_rows(batches):
    return [tuple(row.values()) for batch in batches for row in batch.to_pylist()]


@st.composite
def partitions(draw):
    """Rows sorted by conversation, in batches that are cut anywhere."""
    ids = sorted(draw(st.lists(st.sampled_from("abcd"), max_size=10)))
    alone = draw(st.integers(0, 3))
    texts = st.sampled_from(["Anna Lind", "anna", "Bo", "0701740605", None])
    rows = [(id, draw(texts)) for id in [None] * alone + ids]
    cuts = sorted(draw(st.lists(st.integers(0, len(rows)), max_size=5)))
    return [rows[a:b] for a, b in zip([0, *cuts], [*cuts, len(rows)])]


@given(batches=partitions())
def test_batches_may_be_cut_anywhere(own_nlp, batches):
    whole = pa.Table.from_batches([make_batch([*chain(*batches)])])
    expected = deidentify_frame(whole, conversation="id", nlp=own_nlp)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", "a key for the tests")
        function = make_partition_function(conversation="id", load=lambda: own_nlp)
        assert get_rows(function(map(make_batch, batches))) == get_rows([expected])


def test_types_stay_and_what_is_known_goes(load):
    big = 2**60 + 1
    rows = [
        {"n": big, "id": "a", "text": "rutger", "known": None},
        {"n": None, "id": "a", "text": "Hej", "known": [{"name": "Rutger Knurvel"}]},
    ]
    batches = [pa.RecordBatch.from_pylist(rows)]
    (done,) = make_partition_function(conversation="id", known="known", load=load)(batches)
    assert done.schema.names == ["n", "id", "text"] and done["n"].to_pylist() == [big, None]
    assert done["text"][0].as_py() != "rutger"


@pytest.mark.parametrize(
    "batches", read_cases(__file__)["test_conversations_that_are_not_together"], ids=range(4)
)
def test_conversations_that_are_not_together(load, batches):
    with pytest.raises(ValueError, match="not next to each other"):
        list(make_partition_function(conversation="id", load=load)(map(make_batch, batches)))


def test_settings_travel_with_the_function(load, own_nlp, tmp_path):
    """They are read at once: a file need not lie where the worker is."""
    path = tmp_path / "settings.toml"
    path.write_text('strategy = {PHONE = "label"}')
    function = make_partition_function(load=load, config=path)
    path.unlink()
    try:
        again = pickle.loads(pickle.dumps(function))
        assert get_rows(again([make_batch([("a", "ring 070-174 06 05")])])) == [
            ("a", "ring [PHONE]")
        ]
    finally:
        own_nlp.get_pipe("surrogate_generator").strategy = "surrogate"
    with pytest.raises(ValueError, match="no such setting"):
        make_partition_function(config={"date": "month"})


def test_the_function_travels_light(load):
    data = pickle.dumps(make_partition_function(conversation="id", load=LoadOwn()))
    assert len(data) < 1000
    again = pickle.loads(data)
    assert len(inspect.getfullargspec(again).args) == 1
    assert get_rows(again([make_batch([("a", "Anna Lind")])]))[0][1] != "Anna Lind"


def test_no_key_no_work(load, monkeypatch):
    monkeypatch.delenv("SV_DEID_KEY")
    with pytest.raises(ValueError, match="SV_DEID_KEY is not set.*spark-env.sh") as raised:
        list(make_partition_function(load=load)([make_batch([("a", "Knurvel")])]))
    assert "Knurvel" not in str(raised.value)


def test_loading_may_set_the_key(own_nlp, monkeypatch):
    monkeypatch.delenv("SV_DEID_KEY")
    loaded = []

    def load():
        loaded.append(1)
        monkeypatch.setenv("SV_DEID_KEY", "a key for the tests")
        return own_nlp

    function = make_partition_function(conversation="id", load=load)
    batch = make_batch([("a", "Anna")])
    assert get_rows(function([batch])) == get_rows(function([batch])) != [("a", "Anna")]
    assert len(loaded) == 1
