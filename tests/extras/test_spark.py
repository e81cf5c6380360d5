"""The recipe for Spark, on a local one with two workers."""

import shutil
import sys
from functools import partial

import pytest
import spacy

pyspark_sql = pytest.importorskip("pyspark.sql")

from components.frames.arrow import make_partition_function
from tests.conftest import ROOT

from .engines import KEY, make_expected, make_rows

pytestmark = pytest.mark.skipif(
    shutil.which("java") is None,
    reason="Spark needs Java, 17 or newer: apt-get install default-jre-headless",
)
SCHEMA = (
    "n long, conversation string, text string, big long, "
    "known array<struct<name:string,phone:array<string>>>"
)


@pytest.fixture(scope="module")
def spark():
    with pytest.MonkeyPatch.context() as patch:
        # The workers of a local Spark have the environment that it was started in.
        patch.setenv("SV_DEID_KEY", KEY)
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.setenv("PYSPARK_PYTHON", sys.executable)
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


def test_recipe(spark, tiny_path):
    df = spark.createDataFrame(make_rows(), SCHEMA)
    load = partial(spacy.load, tiny_path)
    function = make_partition_function(conversation="conversation", known="known", load=load)
    done = (
        df.repartition("conversation")
        .sortWithinPartitions("conversation", "n")
        .mapInArrow(function, df.drop("known").schema)
    )
    assert done.columns == ["n", "conversation", "text", "big"]
    assert sorted(map(tuple, done.collect())) == make_expected(tiny_path)
    # Neither in what Spark shows of its settings, nor in what it sends to the workers.
    assert KEY not in str(spark.sparkContext.getConf().getAll())
    assert KEY not in done._jdf.queryExecution().toString()
