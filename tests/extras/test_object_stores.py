"""From an object store to an object store: a server of moto, which answers like S3."""

import gzip
import json
import logging
import sys
from functools import partial
from io import BytesIO

import boto3
import polars as pl
import pytest
import spacy
from moto.server import ThreadedMotoServer

from components.cli import deidentify as cli
from components.jobs import index as index_module
from components.jobs import processing
from components.tables.storage import get_storage

BUCKET = "messages"
TEXTS = [
    "Hej, jag heter Anna Lind och är 34 år.",
    "Ring 070-174 06 05, hälsar Bo",
    "Anna bor i Lund sen 3 maj",
]
ROWS = [
    {"id": n, "conversation": str(n % 4), "text": TEXTS[n % 3], "more": "å" * n} for n in range(12)
]


@pytest.fixture(scope="module")
def server():
    """The address of the server."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    yield f"127.0.0.1:{server.get_host_and_port()[1]}"
    server.stop()


@pytest.fixture
def store(server, monkeypatch):
    """A client for a bucket that is empty."""
    for name, value in {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "SV_DEID_KEY": "a key for the tests",
    }.items():
        monkeypatch.setenv(name, value)
    client = boto3.client("s3", endpoint_url=f"http://{server}")
    client.create_bucket(Bucket=BUCKET)
    yield client
    for found in client.list_objects_v2(Bucket=BUCKET).get("Contents", []):
        client.delete_object(Bucket=BUCKET, Key=found["Key"])
    client.delete_bucket(Bucket=BUCKET)


@pytest.fixture(params=["query", "environment"])
def query(request, server, monkeypatch):
    """What an address ends with, if the environment does not tell where the store is."""
    if request.param == "query":
        return f"?endpoint_override={server}&scheme=http"
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{server}")
    return ""


@pytest.fixture
def run(tiny_path, monkeypatch):
    def run_cli(*args):
        monkeypatch.setattr(sys, "argv", ["sv_deid_chat", *map(str, args)])
        with pytest.raises(SystemExit) as error:
            cli.main(partial(spacy.load, tiny_path))
        return error.value.code

    return run_cli


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


def list_keys(store):
    found = store.list_objects_v2(Bucket=BUCKET).get("Contents", [])
    return sorted(each["Key"] for each in found if not each["Key"].endswith("/"))


def get(store, key):
    return store.get_object(Bucket=BUCKET, Key=key)["Body"].read()


@pytest.mark.parametrize("name", ["in.jsonl", "in.jsonl.gz", "in.csv", "in.parquet"])
def test_a_file_is_as_on_disk(run, store, query, tmp_path, name):
    data = dump(ROWS, name)
    store.put_object(Bucket=BUCKET, Key=f"från/{name}", Body=data)
    (tmp_path / name).write_bytes(data)
    assert run(tmp_path / name, tmp_path / f"out.{name}") == 0
    out = f"s3://{BUCKET}/to/out.{name}{query}"
    assert run(f"s3://{BUCKET}/fr%C3%A5n/{name}{query}", out) == 0
    assert get(store, f"to/out.{name}") == (tmp_path / f"out.{name}").read_bytes()
    assert list_keys(store) == [f"från/{name}", f"to/out.{name}"]


@pytest.mark.parametrize("pattern", ["in", "in/**.jsonl"])
def test_a_folder_is_as_on_disk(run, store, query, tmp_path, pattern):
    names = ["a b.jsonl", "deep/å%41.jsonl"]
    for n, name in enumerate(names):
        data = dump(ROWS[n::2], name)
        store.put_object(Bucket=BUCKET, Key=f"in/{name}", Body=data)
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    assert run(tmp_path / "in", tmp_path / "out") == 0
    assert run(f"s3://{BUCKET}/{pattern}{query}", f"s3://{BUCKET}/out{query}") == 0
    assert list_keys(store) == [f"{folder}/{name}" for folder in ("in", "out") for name in names]
    for name in names:
        assert get(store, f"out/{name}") == (tmp_path / "out" / name).read_bytes()


def test_a_run_that_was_stopped_goes_on(run, store, query, monkeypatch, capsys):
    monkeypatch.setattr(index_module, "BLOCK_ROWS", 3)
    store.put_object(Bucket=BUCKET, Key="in.jsonl", Body=dump(ROWS, "in.jsonl"))
    addresses = f"s3://{BUCKET}/in.jsonl{query}", f"s3://{BUCKET}/out.jsonl{query}"
    assert run(*addresses) == 0
    whole = get(store, "out.jsonl")
    store.delete_object(Bucket=BUCKET, Key="out.jsonl")
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
    kept = [key for key in list_keys(store) if key != "in.jsonl"]
    assert kept == [
        ".out.jsonl.work/block-000000.jsonl",
        ".out.jsonl.work/block-000001.jsonl",
        ".out.jsonl.work/job.json",
    ]
    assert b"a key for the tests" not in b"".join(get(store, key) for key in kept)
    assert run(*addresses, "--resume") == 0
    assert get(store, "out.jsonl") == whole
    assert list_keys(store) == ["in.jsonl", "out.jsonl"]


def test_a_store_that_is_not_there_is_named(run, store, query, capsys):
    assert run(f"s3://{BUCKET}/in.jsonl{query}", f"s3://{BUCKET}/out.jsonl{query}") == 2
    assert "there is no file" in capsys.readouterr().err
    nowhere = "?endpoint_override=127.0.0.1:9&scheme=http"
    assert run(f"s3://{BUCKET}/in.jsonl{nowhere}", f"s3://{BUCKET}/out.jsonl") == 2
    assert "cannot be read" in " ".join(capsys.readouterr().err.split())


def test_a_block_of_a_run_that_is_gone_is_not_taken(store, query, run, tmp_path):
    """A worker that was cut off may write after its run was given up."""
    storage, inner = get_storage(f"s3://{BUCKET}/.out.jsonl.work/block-000000.jsonl{query}")
    storage.write(inner, b"no block of this run\n")
    store.put_object(Bucket=BUCKET, Key="in.jsonl", Body=dump(ROWS, "in.jsonl"))
    addresses = f"s3://{BUCKET}/in.jsonl{query}", f"s3://{BUCKET}/out.jsonl{query}"
    assert run(*addresses, "--resume") == 0
    assert get(store, "out.jsonl").count(b"\n") == len(ROWS)
