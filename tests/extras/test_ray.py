"""The recipe for Ray Data, on a cluster of this machine with two CPUs."""

from functools import partial

import pyarrow as pa
import pytest
import spacy

ray = pytest.importorskip("ray")
pytest.importorskip("ray.data")

from components.frames.arrow import make_partition_function
from tests.conftest import ROOT

from .engines import KEY, NAMES, make_expected, make_rows


@pytest.fixture(scope="module")
def cluster():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", KEY)
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
        yield
        ray.shutdown()


def test_recipe(cluster, tiny_path):
    load = partial(spacy.load, tiny_path)
    function = make_partition_function(conversation="conversation", known="known", load=load)

    def deidentify(table):
        table = table.sort_by([("conversation", "ascending"), ("n", "ascending")])
        return pa.Table.from_batches(function(table.to_batches()))

    rows = pa.Table.from_pylist([dict(zip(NAMES, row)) for row in make_rows()])
    done = (
        ray.data.from_arrow([rows.slice(start, 20) for start in (0, 20, 40)])
        .repartition(3, keys=["conversation"])
        .map_batches(deidentify, batch_size=None, batch_format="pyarrow")
    )
    assert sorted(tuple(row.values()) for row in done.take_all()) == make_expected(tiny_path)
