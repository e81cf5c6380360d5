"""The functions for Spark, without it: `tests/extras` runs them on a local one."""

import inspect
import pickle
from itertools import chain

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.frames import own_pipeline as loading
from components.frames.frame import deidentify_frame
from components.frames.spark import make_group_function, make_partition_function

NAMES = ["id", "text"]


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


def make_frames(batches):
    return [pd.DataFrame(rows, columns=NAMES, dtype=object) for rows in batches]


def get_rows(frames):
    return [tuple(row) for frame in frames for row in frame.itertuples(index=False)]


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
    whole = pd.DataFrame([*chain(*batches)], columns=NAMES, dtype=object)
    expected = deidentify_frame(whole, conversation="id", nlp=own_nlp)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", "a key for the tests")
        function = make_partition_function(conversation="id", load=lambda: own_nlp)
        assert get_rows(function(make_frames(batches))) == get_rows([expected])


def test_parts_keep_their_own_types(load):
    """Put together, integers beside missing ones would become floats, and be others."""
    big = 2**60 + 1
    frames = [
        pd.DataFrame({"n": [big, big], "id": ["a", "b"], "text": ["Anna", "Bo Ek"]}),
        pd.DataFrame({"n": [float("nan")], "id": ["b"], "text": ["bo"]}),
    ]
    done = list(make_partition_function(conversation="id", load=load)(frames))
    assert [n for frame in done for n in frame["n"]][:2] == [big, big]
    assert [frame["id"].tolist() for frame in done] == [["a"], ["b"], ["b"]]
    assert done[2]["text"].tolist() != ["bo"]


@pytest.mark.parametrize(
    "batches",
    [
        [[("a", "x")], [("b", "x")], [("a", "x")]],
        [[("a", "x"), ("b", "x")], [("b", "x"), ("a", "x")]],
        [[("a", "x"), (None, "x")], [("a", "x")]],
        [[("a", "x"), ("b", "x"), ("a", "x")]],
    ],
    ids=range(4),
)
def test_conversations_that_are_not_together(load, batches):
    with pytest.raises(ValueError, match="sortWithinPartitions"):
        list(make_partition_function(conversation="id", load=load)(make_frames(batches)))


def test_settings_travel_with_the_function(load, own_nlp, tmp_path):
    """They are read at once: a file need not lie where the worker is."""
    path = tmp_path / "settings.toml"
    path.write_text('strategy = {PHONE = "label"}')
    functions = [
        make_partition_function(load=load, config=path),
        make_group_function(conversation="id", load=load, config={"strategy": {"PHONE": "label"}}),
    ]
    path.unlink()
    frame = pd.DataFrame({"id": ["a"], "text": ["ring 070-174 06 05"]})
    try:
        partition, group = (pickle.loads(pickle.dumps(function)) for function in functions)
        assert [*next(partition([frame]))["text"]] == ["ring [PHONE]"] == [*group(frame)["text"]]
    finally:
        own_nlp.get_pipe("surrogate_generator").strategy = "surrogate"
    with pytest.raises(ValueError, match="no such setting"):
        make_partition_function(config={"date": "month"})


def test_groups_in_their_order(load, own_nlp):
    own_nlp.get_pipe("surrogate_generator").strategy = "numbered"
    try:
        df = pd.DataFrame(
            {
                "text": ["hej 070-174 06 05", "ring 070-174 06 06"], "id": ["a", "a"],
                "time": [2, 1], "k": [None, None],
            }
        )  # fmt: skip
        function = make_group_function(conversation="id", order="time", known="k", load=load)
        done = function(df)
    finally:
        own_nlp.get_pipe("surrogate_generator").strategy = "surrogate"
    assert [*done.columns] == ["text", "id", "time"] and done["time"].tolist() == [1, 2]
    first, second = done["text"]
    assert (first, second) == ("ring [PHONE_1]", "hej [PHONE_2]")


@pytest.mark.parametrize(
    ("function", "call"),
    [
        (
            make_partition_function(conversation="id", load=LoadOwn()),
            lambda function, frame: next(function([frame])),
        ),
        (
            make_group_function(conversation="id", order=["time", "text"], load=LoadOwn()),
            lambda function, frame: function(frame),
        ),
    ],
    ids=["partition", "group"],
)
def test_functions_travel_light(function, call, load):
    data = pickle.dumps(function)
    assert len(data) < 1000
    again = pickle.loads(data)
    # Spark tells by it whether the function wants the key of the group, too.
    assert len(inspect.getfullargspec(again).args) == 1
    frame = pd.DataFrame({"id": ["a"], "text": ["Anna Lind"], "time": [1]})
    assert call(again, frame)["text"][0] != "Anna Lind"


def test_no_key_no_work(load, monkeypatch):
    monkeypatch.delenv("SV_DEID_KEY")
    frame = pd.DataFrame({"id": ["a"], "text": ["Knurvel"]})
    for run in (
        lambda: make_group_function(conversation="id", load=load)(frame),
        lambda: list(make_partition_function(load=load)([frame])),
    ):
        with pytest.raises(ValueError, match="SV_DEID_KEY is not set.*spark-env.sh") as raised:
            run()
        assert "Knurvel" not in str(raised.value)


def test_loading_may_set_the_key(own_nlp, monkeypatch):
    monkeypatch.delenv("SV_DEID_KEY")
    loaded = []

    def load():
        loaded.append(1)
        monkeypatch.setenv("SV_DEID_KEY", "a key for the tests")
        return own_nlp

    function = make_group_function(conversation="id", load=load)
    frame = pd.DataFrame({"id": ["a"], "text": ["Anna"]})
    assert function(frame)["text"].tolist() == function(frame)["text"].tolist() != ["Anna"]
    assert len(loaded) == 1
