"""Frames of all kinds: what changes, what stays, and that it is what the command line makes."""

import datetime
import json
import re
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from spacy.language import Language

from components.cli.app import main
from components.conversations.configuration import configured
from components.frames.frame import deidentify_frame
from components.shared.extras import ExtraError
from components.surrogates.surrogate_generator import SurrogateGenerator
from tests.cases import read_cases
from tests.commands import call

KINDS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


def get_texts(df, name="text"):
    values = df[name].to_pylist() if isinstance(df, pa.Table) else df[name].to_list()
    return [None if pd.isna(value) else value for value in values]


def run_command_line(nlp, tmp_path, rows, *options):
    in_path, out_path = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    in_path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf8")
    assert call(partial(main, lambda: nlp, "run"), in_path, out_path, *options) == 0
    return [json.loads(line)["text"] for line in out_path.read_text(encoding="utf8").splitlines()]


def test_settings_are_those_of_the_command_line(own_nlp, tmp_path):
    """From a file or as a dict, for this call alone."""
    path = tmp_path / "settings.toml"
    path.write_text('dates = "year"\nstrategy = {PHONE = "label", "*" = "surrogate"}\n')
    rows = [{"text": "Ring 070-174 06 05, sen 3 maj 2024"}]
    df = pd.DataFrame(rows)
    before = get_texts(deidentify_frame(df, nlp=own_nlp))
    settings = {"dates": "year", "strategy": {"PHONE": "label", "*": "surrogate"}}
    done = [get_texts(deidentify_frame(df, nlp=own_nlp, config=each)) for each in (path, settings)]
    assert done[0] == done[1] != before
    assert "[PHONE]" in done[0][0] and "2024" in done[0][0] and "3 maj" not in done[0][0]
    assert get_texts(deidentify_frame(df, nlp=own_nlp)) == before
    with configured(own_nlp, {"dates": "shift", "strategy": "surrogate"}):
        texts = run_command_line(own_nlp, tmp_path, rows, "--config", path)
    assert texts == done[0]
    with pytest.raises(ValueError, match="dates must be one of"):
        deidentify_frame(df, nlp=own_nlp, config={"dates": "day"})


def test_rows_of_a_conversation_may_be_anywhere(own_nlp, messages):
    df = pa.table(messages)
    done = deidentify_frame(df, conversation="conversation", nlp=own_nlp)
    order = sorted(range(len(messages["n"])), key=lambda i: messages["conversation"][i] or "")
    by_id = pa.table({name: [cells[i] for i in order] for name, cells in messages.items()})
    texts = get_texts(deidentify_frame(by_id, conversation="conversation", nlp=own_nlp))
    assert get_texts(done) == [texts[order.index(i)] for i in range(len(order))]
    # Found in lower case as another message of the conversation tells it.
    assert "anna" not in get_texts(done)[3]
    assert get_texts(done)[4] is None and get_texts(done)[6] == ""


TEXTS = ["Hej Anna Lind", None, "070-174 06 05"]
DTYPES = ["object", "str", "string", "string[pyarrow]", pd.ArrowDtype(pa.large_string())]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_pandas_keeps_all_else(own_nlp, dtype):
    columns = {
        "cat": pd.Categorical(["x", "y", "x"], categories=["y", "x", "z"], ordered=True),
        "text": pd.Series(TEXTS, dtype=dtype).array,
        "day": pd.to_datetime(["2020-01-02", None, "2024-02-29"]),
        "month": pd.period_range("2020-01", periods=3, freq="M"),
        "big": pd.array([2**60 + 1, None, 3], dtype="Int64"),
        "thing": pd.Series([{"a": 1}, None, (1, 2)], dtype=object).to_numpy(),
    }
    df = pd.DataFrame(columns, index=pd.Index([7, 7, 1], name="row"))
    before = df.copy(deep=True)
    done = deidentify_frame(df, nlp=own_nlp)
    pd.testing.assert_frame_equal(df, before)
    pd.testing.assert_frame_equal(done.drop(columns="text"), df.drop(columns="text"))
    assert [*done.columns] == [*df.columns] and done["text"].dtype == df["text"].dtype
    assert done["text"].iloc[1] is df["text"].iloc[1] or pd.isna(done["text"].iloc[1])
    assert done["text"].isna().tolist() == [False, True, False]
    assert "Anna" not in done["text"].iloc[0] and "05" not in done["text"].iloc[2]


def test_polars_keeps_all_else(own_nlp):
    columns = {
        "cat": pl.Series(["x", "y", "x"], dtype=pl.Categorical),
        "text": TEXTS,
        "day": [datetime.date(2020, 1, 2), None, datetime.date(2024, 2, 29)],
        "nested": [{"a": [1, 2]}, None, {"a": []}],
    }
    df = pl.DataFrame(columns)
    done = deidentify_frame(df, nlp=own_nlp)
    assert done.schema == df.schema and done.drop("text").equals(df.drop("text"))
    assert (
        done["text"].is_null().to_list() == [False, True, False] and "Anna" not in done["text"][0]
    )


def test_pyarrow_keeps_all_else(own_nlp):
    number = pa.field("n", pa.int8(), metadata={"unit": "row"})
    fields = [("text", pa.large_string()), number, ("cat", pa.dictionary(pa.int8(), pa.string()))]
    schema = pa.schema(fields, metadata={"made": "for a test"})
    rows = [{"text": "Hej Anna Lind", "n": 1, "cat": "x"}, {"text": None, "n": None, "cat": None}]
    df = pa.Table.from_pylist(rows, schema=schema)
    done = deidentify_frame(df, nlp=own_nlp)
    assert done.schema.equals(schema, check_metadata=True)
    assert done.drop(["text"]).equals(df.drop(["text"]))
    assert "Anna" not in done["text"][0].as_py() and done["text"][1].as_py() is None


@pytest.mark.parametrize(
    "values", [[], [None, None], [float("nan")]], ids=["no rows", "no text", "not a number"]
)
def test_no_text_at_all(own_nlp, values):
    df = pd.DataFrame({"text": values})
    pd.testing.assert_frame_equal(deidentify_frame(df, nlp=own_nlp), df)


@pytest.mark.parametrize("kind", KINDS)
def test_several_texts_of_a_row_are_one_conversation(own_nlp, kind):
    columns = {
        "subject": ["Fråga av Anna Lind", None, "070-174 06 05"],
        "n": [1, 2, 3],
        "body": ["hej, anna här", "hej, anna här", "ring 0701740605"],
        "conversation": [None, "a", "a"],
    }
    df = KINDS[kind](columns)
    names = ["subject", "body"]
    done = deidentify_frame(df, text=names, conversation="conversation", nlp=own_nlp)
    subjects, bodies = (get_texts(done, name) for name in names)
    assert "anna" not in bodies[0] and subjects[1] is None
    numbers = [re.sub(r"\D", "", text) for text in (subjects[2], bodies[2])]
    assert numbers[0] == numbers[1] != "0701740605"
    # A conversation whose messages are the texts, row by row, column by column.
    flat = KINDS[kind](
        {"text": [columns["body"][1], columns["subject"][2], columns["body"][2]], "id": ["a"] * 3}
    )
    texts = get_texts(deidentify_frame(flat, conversation="id", nlp=own_nlp))
    assert [bodies[1], subjects[2], bodies[2]] == texts


@pytest.mark.parametrize("kind", KINDS)
def test_known_is_found_and_left_out(own_nlp, kind):
    columns = {
        "text": ["hej, det är knurvla", "knurvla igen", "knurvla"],
        "conversation": [4, 4, 5],
        "known": [None, [{"name": "Knurvla Ek", "phone": ["070-1740605"]}], None],
    }
    df = KINDS[kind](columns)
    done = deidentify_frame(df, conversation="conversation", known="known", nlp=own_nlp)
    assert [*getattr(done, "column_names", done.columns)] == ["text", "conversation"]
    assert ["knurvla" in text for text in get_texts(done)] == [False, False, True]


def test_known_of_arrays_and_of_rows_without_text(own_nlp):
    known = np.array([{"name": "Knurvla", "phone": np.array(["070-1740605"])}], dtype=object)
    df = pd.DataFrame({"text": [None, "knurvla"], "id": ["a", "a"], "known": [known, None]})
    done = deidentify_frame(df, conversation="id", known="known", nlp=own_nlp)
    assert "knurvla" not in done["text"][1]


@pytest.mark.parametrize("ids", [[17, 17], ["17", "17"], np.array([17, 17], dtype="int8")], ids=str)
def test_integers_are_the_ids_that_their_digits_are(own_nlp, ids):
    texts = ["Anna Lind", "anna"]
    done = deidentify_frame(pd.DataFrame({"text": texts, "c": ids}), conversation="c", nlp=own_nlp)
    strings = pl.DataFrame({"text": texts, "c": ["17", "17"]})
    assert get_texts(done) == get_texts(deidentify_frame(strings, conversation="c", nlp=own_nlp))


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    read_cases(__file__)["test_what_cannot_be_read"],
    ids=range(13),
)
def test_what_cannot_be_read(own_nlp, columns, options, message):
    if "text" not in columns and "txt" not in columns:
        columns = {"text": ["a"] * len(next(iter(columns.values()))), **columns}
    with pytest.raises(ValueError, match=message) as raised:
        deidentify_frame(pd.DataFrame(columns), nlp=own_nlp, **options)
    assert "Knurvel" not in str(raised.value)


@pytest.mark.parametrize(
    ("df", "error", "message"),
    [
        (pl.LazyFrame({"text": ["Knurvel"]}), TypeError, "collect"),
        (["Knurvel"], TypeError, "not list"),
        (pd.Series(["Knurvel"]), TypeError, "not Series"),
        *(
            (KINDS[kind]({"text": column}), ValueError, "'text' holds categories")
            for kind, column in (
                ("pandas", pd.Series(["Knurvel"], dtype="category")),
                ("polars", pl.Series(["Knurvel"], dtype=pl.Categorical)),
                ("polars", pl.Series(["Knurvel"], dtype=pl.Enum(["Knurvel"]))),
                ("pyarrow", pa.array(["Knurvel"]).dictionary_encode()),
            )
        ),
    ],
    ids=range(7),
)
def test_what_is_no_frame_and_categories_that_would_keep_the_texts(own_nlp, df, error, message):
    with pytest.raises(error, match=message) as raised:
        deidentify_frame(df, nlp=own_nlp)
    assert "Knurvel" not in str(raised.value)


def test_what_fails_is_masked_whole_and_counted(make_nlp, messages):
    @Language.component("fails_on_lund")
    def fails_on_lund(doc):
        if "Lund" in doc.text:
            raise RuntimeError(doc.text)
        return doc

    nlp = make_nlp()
    nlp.add_pipe("fails_on_lund", first=True)
    with pytest.warns(UserWarning, match="^2 messages came out masked whole") as caught:
        done = deidentify_frame(pl.DataFrame(messages), conversation="conversation", nlp=nlp)
    assert [text == "***" for text in done["text"]] == [
        "Lund" in (t or "") for t in messages["text"]
    ]
    # It is told where the call is.
    assert caught[0].filename == __file__


def test_a_language_that_the_pipeline_rejects_is_masked_whole(make_nlp):
    nlp = make_nlp()
    nlp.foreign = "reject"
    german = "Guten Tag, ich habe seit gestern starke Schmerzen und kann nicht schlafen."
    df = pd.DataFrame({"text": ["Hej, jag har ont i halsen sedan igår.", german]})
    with pytest.warns(UserWarning, match="another language"):
        done = deidentify_frame(df, nlp=nlp)
    assert [text == "***" for text in done["text"]] == [False, True]


@pytest.mark.parametrize("pipe", ["known_matcher", "surrogate_generator"])
def test_a_pipeline_that_lacks_a_pipe_is_named(make_nlp, pipe):
    nlp = make_nlp()
    nlp.remove_pipe(pipe)
    df = pd.DataFrame({"text": ["Hej Knurvla"], "known": [[{"name": "Knurvla"}]]})
    with pytest.raises(ValueError, match=pipe):
        deidentify_frame(df, known="known", nlp=nlp)


def test_two_processes_and_any_batch_give_the_same(own_nlp, messages):
    df = pl.DataFrame(messages)
    one = deidentify_frame(df, conversation="conversation", nlp=own_nlp)
    for options in ({"batch_size": 1}, {"n_process": 2}):
        again = deidentify_frame(df, conversation="conversation", nlp=own_nlp, **options)
        assert again.equals(one)


def test_threads_take_turns(own_nlp, messages):
    """A zone of memory is one of the whole process."""
    df = pl.DataFrame(messages)
    one = deidentify_frame(df, conversation="conversation", nlp=own_nlp)
    arguments = {"conversation": "conversation", "nlp": own_nlp}
    with ThreadPoolExecutor(4) as pool:
        tasks = [pool.submit(deidentify_frame, df, **arguments) for _ in range(8)]
        assert all(task.result().equals(one) for task in tasks)


def test_vocabulary_does_not_grow(own_nlp):
    deidentify_frame(pl.DataFrame({"text": ["Hej Anna"]}), nlp=own_nlp)
    before = len(own_nlp.vocab.strings)
    words = [f"knurvel{'abcdefghij'[i % 10] * (i + 1)}" for i in range(50)]
    deidentify_frame(pl.DataFrame({"text": words}), nlp=own_nlp)
    assert len(own_nlp.vocab.strings) == before


def test_without_a_pipeline(messages):
    with pytest.raises(ValueError, match="nlp=spacy.load"):
        deidentify_frame(pl.DataFrame(messages))


def test_without_narwhals(own_nlp, messages, monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals", None)
    with pytest.raises(ExtraError, match=r"pip install 'narwhals', or .*\.whl\[frames\]"):
        deidentify_frame(pl.DataFrame(messages), nlp=own_nlp)


def test_pipelines_lock_nobody_out(tiny_nlp, monkeypatch):
    """An error in the middle leaves the vocabulary free for the next frame."""
    df = pl.DataFrame({"text": ["Anna"]})

    def fail(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(SurrogateGenerator, "__call__", fail)
        with pytest.raises(KeyboardInterrupt):
            deidentify_frame(df, nlp=tiny_nlp)
    assert deidentify_frame(df, nlp=tiny_nlp)["text"].to_list() != ["Anna"]


@pytest.mark.parametrize("kind", KINDS)
def test_columns_that_should_not_stay_are_named(own_nlp, kind):
    """By what was found in their conversation, and by their form; nothing is quoted."""
    columns = {
        "text": ["Hej, Anna Lind här", None, "Ring 070-174 06 05"], "conversation": ["a", "a", "a"],
        "patient": ["Lind, Anna", "Lind, Anna", None], "pnr": ["900101-2385"] * 3,
        "tel": [701740605] * 3, "sent": [datetime.datetime(2024, 5, 3)] * 3,
        "role": ["patient", "nurse", "patient"], "n": [1, 2, 3],
    }  # fmt: skip
    df = KINDS[kind](columns)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        done = deidentify_frame(df, conversation="conversation", nlp=own_nlp)
    said = [str(each.message) for each in caught if "copied as it is" in str(each.message)]
    held = {"patient": "PERSON", "pnr": "PID", "tel": "PHONE"}
    assert [re.search(r"Column '(\w+)' .* holds ([\w, ]+):", each).groups() for each in said] == [
        *held.items()
    ]
    assert not re.search("Anna|900101|70174", " ".join(said))
    assert get_texts(done, "patient") == columns["patient"]
    texts = ["text", "patient", "pnr"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rest = df.drop(["tel"] if kind == "pyarrow" else "tel", **_along(kind))
        done = deidentify_frame(rest, text=texts, conversation="conversation", nlp=own_nlp)
    assert get_texts(done, "pnr")[0] != "900101-2385"
    assert not {"Anna", "Lind"} & {*re.findall(r"\w+", str(get_texts(done, "patient")))}


def _along(kind):
    return {"axis": 1} if kind == "pandas" else {}


@pytest.mark.parametrize("kind", KINDS)
def test_known_by_columns(own_nlp, kind):
    columns = {
        "text": ["hej, det är knurvla", "ydremo igen, 900101-2385", "knurvla"],
        "conversation": [4, 4, 5], "patient_name": ["Knurvla Ek", None, None],
        "pnr": [None, 199001012385, None], "relative": [None, "Ydremo", None],
    }  # fmt: skip
    df = KINDS[kind](columns)
    known = {"name": "patient_name", "pid": "pnr", "person": "relative"}
    done = deidentify_frame(df, conversation="conversation", known=known, nlp=own_nlp)
    assert [*getattr(done, "column_names", done.columns)] == ["text", "conversation"]
    first, second, third = get_texts(done)
    assert "knurvla" not in first and "ydremo" not in second and third == "knurvla"
    # What is to be read as text, too, stays a column.
    texts = ["text", "relative"]
    done = deidentify_frame(df, text=texts, conversation="conversation", known=known, nlp=own_nlp)
    assert "Ydremo" not in get_texts(done, "relative")


@pytest.mark.parametrize("text, other", [("text", 0), (0, "text"), (0, 1)])
def test_columns_that_are_called_by_numbers(own_nlp, text, other):
    df = pd.DataFrame({text: ["Hej Anna Lind"], other: ["Anna Lind"]})
    with pytest.warns(UserWarning, match=f"Column '{other}' is copied as it is, and holds PERSON"):
        done = deidentify_frame(df, text=text, nlp=own_nlp)
    assert [*done.columns] == [text, other] and "Anna" not in done[text][0]


def test_times_and_conversations_that_nobody_named_are_told_of(own_nlp):
    times = [datetime.datetime(2024, 5, 3, 10, 12), None]
    df = pd.DataFrame({"text": ["Hej, 2024-05-03", "Tack"], "sent": times, "chat_id": [7, 7]})
    with pytest.warns(UserWarning) as warned:
        deidentify_frame(df, nlp=own_nlp)
    said = " ".join(str(each.message) for each in warned)
    assert "'sent' is copied as it is, and holds times" in said and "'chat_id'?" in said
    with pytest.warns(UserWarning) as warned:
        deidentify_frame(df, nlp=own_nlp, conversation="chat_id")
    assert "read alone" not in " ".join(str(each.message) for each in warned)
