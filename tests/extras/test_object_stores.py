"""From an object store to an object store: a server of moto, which answers like S3."""

import gzip
import json
from functools import partial
from io import BytesIO

import polars as pl
import pytest
import spacy

from components.cli.app import main
from components.runs import index as index_module
from components.runs import processing
from components.tables.storage import get_storage
from tests.commands import call
from tests.extras.conftest import BUCKET

TEXTS = [
    "Hej, jag heter Anna Lind och är 34 år.",
    "Ring 070-174 06 05, hälsar Bo",
    "Anna bor i Lund sen 3 maj",
]
ROWS = [
    {"id": n, "conversation": str(n % 4), "text": TEXTS[n % 3], "more": "å" * n} for n in range(12)
]


@pytest.fixture
def query(s3):
    """What an address ends with, where the environment does not tell where the store is."""
    return f"?endpoint_override={s3}&scheme=http"


@pytest.fixture
def run(tiny_path, monkeypatch):
    monkeypatch.setenv("SV_DEID_KEY", "a key for the tests")

    return partial(call, partial(main, partial(spacy.load, tiny_path), "run"))


def dump(rows, name):
    """Rows as a file of the format that its name tells."""
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode("utf8")
    if name.endswith(".gz"):
        return gzip.compress(lines)
    if name.endswith(".jsonl"):
        return lines
    frame = pl.DataFrame(rows)
    if name.endswith(".csv"):
        return frame.write_csv().encode("utf8")
    file = BytesIO()
    frame.write_parquet(file, row_group_size=5)
    return file.getvalue()


def list_keys(bucket):
    return sorted(found.key for found in bucket.objects.all() if not found.key.endswith("/"))


def get(bucket, key):
    return bucket.Object(key).get()["Body"].read()


@pytest.mark.parametrize("name", ["in.jsonl", "in.jsonl.gz", "in.csv", "in.parquet"])
def test_a_file_is_as_on_disk(run, bucket, query, tmp_path, name):
    data = dump(ROWS, name)
    bucket.put_object(Key=f"från/{name}", Body=data)
    (tmp_path / name).write_bytes(data)
    assert run(tmp_path / name, tmp_path / f"out.{name}") == 0
    out = f"s3://{BUCKET}/to/out.{name}{query}"
    assert run(f"s3://{BUCKET}/fr%C3%A5n/{name}{query}", out) == 0
    assert get(bucket, f"to/out.{name}") == (tmp_path / f"out.{name}").read_bytes()
    assert list_keys(bucket) == [f"från/{name}", f"to/out.{name}"]


def test_the_environment_tells_where_the_store_is(run, bucket, s3, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{s3}")
    bucket.put_object(Key="in.jsonl", Body=dump(ROWS, "in.jsonl"))
    assert run(f"s3://{BUCKET}/in.jsonl", f"s3://{BUCKET}/out.jsonl") == 0
    assert get(bucket, "out.jsonl").count(b"\n") == len(ROWS)


@pytest.mark.parametrize("pattern", ["in", "in/**.jsonl"])
def test_a_folder_is_as_on_disk(run, bucket, query, tmp_path, pattern):
    names = ["a b.jsonl", "deep/å%41.jsonl"]
    for n, name in enumerate(names):
        data = dump(ROWS[n::2], name)
        bucket.put_object(Key=f"in/{name}", Body=data)
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    assert run(tmp_path / "in", tmp_path / "out") == 0
    assert run(f"s3://{BUCKET}/{pattern}{query}", f"s3://{BUCKET}/out{query}") == 0
    assert list_keys(bucket) == [f"{folder}/{name}" for folder in ("in", "out") for name in names]
    for name in names:
        assert get(bucket, f"out/{name}") == (tmp_path / "out" / name).read_bytes()


def test_a_run_that_was_stopped_goes_on(run, bucket, query, monkeypatch, capsys):
    monkeypatch.setattr(index_module, "BLOCK_ROWS", 3)
    bucket.put_object(Key="in.jsonl", Body=dump(ROWS, "in.jsonl"))
    addresses = f"s3://{BUCKET}/in.jsonl{query}", f"s3://{BUCKET}/out.jsonl{query}"
    assert run(*addresses) == 0
    whole = get(bucket, "out.jsonl")
    bucket.Object("out.jsonl").delete()
    process, calls = processing.Processor.process, []

    def stop(*args):
        calls.append(args)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return process(*args)

    with monkeypatch.context() as patch:
        patch.setattr(processing.Processor, "process", stop)
        assert run(*addresses) == 130
    assert (
        "6 of 12 rows were done. Go on by the same command with --resume."
        in capsys.readouterr().err
    )
    kept = [key for key in list_keys(bucket) if key != "in.jsonl"]
    assert kept == [
        ".out.jsonl.work/block-000000.jsonl",
        ".out.jsonl.work/block-000001.jsonl",
        ".out.jsonl.work/job.json",
    ]
    assert b"a key for the tests" not in b"".join(get(bucket, key) for key in kept)
    assert run(*addresses, "--resume") == 0
    assert get(bucket, "out.jsonl") == whole
    assert list_keys(bucket) == ["in.jsonl", "out.jsonl"]


def test_a_store_that_is_not_there_is_named(run, bucket, query, capsys):
    assert run(f"s3://{BUCKET}/in.jsonl{query}", f"s3://{BUCKET}/out.jsonl{query}") == 2
    assert "there is no file" in capsys.readouterr().err
    nowhere = "?endpoint_override=127.0.0.1:9&scheme=http"
    assert run(f"s3://{BUCKET}/in.jsonl{nowhere}", f"s3://{BUCKET}/out.jsonl") == 2
    assert "cannot be read" in " ".join(capsys.readouterr().err.split())


def test_a_block_of_a_run_that_is_gone_is_not_taken(run, bucket, query):
    """A worker that was cut off may write after its run was given up."""
    storage, inner = get_storage(f"s3://{BUCKET}/.out.jsonl.work/block-000000.jsonl{query}")
    storage.write(inner, b"no block of this run\n")
    bucket.put_object(Key="in.jsonl", Body=dump(ROWS, "in.jsonl"))
    addresses = f"s3://{BUCKET}/in.jsonl{query}", f"s3://{BUCKET}/out.jsonl{query}"
    assert run(*addresses, "--resume") == 0
    assert get(bucket, "out.jsonl").count(b"\n") == len(ROWS)
