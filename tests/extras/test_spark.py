"""The functions for Spark on a local one, with two workers."""

import shutil
import warnings
from functools import partial

import polars as pl
import pytest
import spacy

pyspark_sql = pytest.importorskip("pyspark.sql")

from components.frames.frame import deidentify_frame
from components.frames.spark import make_group_function, make_partition_function
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(
    shutil.which("java") is None,
    reason="Spark needs Java, 17 or newer: apt-get install default-jre-headless",
)
SCHEMA = (
    "n long, conversation string, text string, big long, "
    "known array<struct<name:string,phone:array<string>>>, day date"
)
TEXTS = [
    "Hej, jag heter Anna Lind och är 34 år.", "anna igen", None, "Ring 070-174 06 05, hälsar Bo",
    "Sen 3 maj bor Anna i Lund", "knurvla", "0701740605, Bo Ek",
]  # fmt: skip


@pytest.fixture(scope="module")
def spark():
    with pytest.MonkeyPatch.context() as patch:
        # The workers of a local Spark have the environment that it was started in.
        patch.setenv("SV_DEID_KEY", "a key for the tests")
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        builder = pyspark_sql.SparkSession.builder.master("local[2]")
        for name, value in {
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "3",
            # Rows of a conversation come in several batches.
            "spark.sql.execution.arrow.maxRecordsPerBatch": "4",
        }.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        yield session
        session.stop()


@pytest.fixture(scope="module")
def load(tiny_path):
    return partial(spacy.load, tiny_path)


@pytest.fixture(scope="module")
def rows():
    """Messages of conversations, of some more than a batch, and of none."""
    ids = ["a", "b", None, "c", "a", "d", "b", "a", "e"]
    return [
        (
            n, ids[n % len(ids)], TEXTS[n % len(TEXTS)], None if n % 3 else 2**60 + n,
            [("Knurvla Ek", ["070-1740605"])] if n % 10 == 0 else None, None,
        )
        for n in range(60)
    ]  # fmt: skip


@pytest.fixture(scope="module")
def df(spark, rows):
    return spark.createDataFrame(rows, SCHEMA)


@pytest.fixture(scope="module")
def expected(rows, tiny_path):
    names = [part.split(" ")[0] for part in SCHEMA.split(", ")]
    frame = pl.DataFrame(
        {
            name: [dict(zip(names, row))[name] for row in rows]
            for name in names
            if name not in ("known", "day")
        }
    ).with_columns(
        known=pl.Series(
            [
                [{"name": name, "phone": phone} for name, phone in row[4]] if row[4] else None
                for row in rows
            ]
        )
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", "a key for the tests")
        nlp = spacy.load(tiny_path)
    return deidentify_frame(frame, conversation="conversation", known="known", nlp=nlp)


def get_rows(done):
    return sorted(
        (row["n"], row["conversation"], row["text"], row["big"]) for row in done.collect()
    )


@pytest.mark.parametrize("method", ["mapInPandas", "mapInArrow"])
def test_partitions(df, load, expected, method):
    function = make_partition_function(conversation="conversation", known="known", load=load)
    whole = df.repartition("conversation").sortWithinPartitions("conversation", "n")
    done = getattr(whole, method)(function, df.drop("known").schema)
    assert done.columns == ["n", "conversation", "text", "big", "day"]
    assert get_rows(done) == expected.rows()


@pytest.mark.parametrize("method", ["applyInPandas", "applyInArrow"])
def test_groups(df, load, expected, method):
    function = make_group_function(conversation="conversation", known="known", order="n", load=load)
    groups = df.groupBy("conversation")
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="Cannot infer the eval type")
        done = getattr(groups, method)(function, df.drop("known").schema)
    rows, wanted = get_rows(done), expected.rows()
    if method == "applyInPandas":
        # Spark hands big integers over as floats.
        assert [row[3] for row in rows] != [row[3] for row in wanted]
        rows, wanted = ([row[:3] for row in own] for own in (rows, wanted))
    assert rows == wanted


def test_key_is_nowhere_to_be_seen(spark, df, load):
    """Neither in what Spark shows of its settings, nor in what it sends to the workers."""
    shown = str(spark.sparkContext.getConf().getAll())
    assert "a key for the tests" not in shown
    plan = df.mapInPandas(make_partition_function(load=load), df.schema)
    assert "a key for the tests" not in plan._jdf.queryExecution().toString()
