"""Files that are not what their names say, or not whole: a sentence, and not a word of them."""

import gzip
import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from components.tables.errors import FileError
from components.tables.formats import guess_format, make_source
from tests.cases import cases

LINES = b'{"text": "Knurvel %d"}\n'
JSONL = b"".join(LINES % n for n in range(2000))
CSV = b"id,text\n" + b"".join(b"%d,Knurvel %d\n" % (n, n * 7919) for n in range(2000))


def make_parquet():
    out = io.BytesIO()
    table = pa.table({"text": [f"Knurvel {n * 7919 % 10007}" for n in range(2000)]})
    pq.write_table(table, out, row_group_size=500)
    return out.getvalue()


PARQUET = make_parquet()
GZ, ZST = gzip.compress(CSV), zstandard.ZstdCompressor().compress(CSV)
HALF = len(PARQUET) // 2
DAMAGED = PARQUET[: HALF // 2] + b"\xff" * HALF + PARQUET[HALF // 2 + HALF :]


def read(name, data):
    source = make_source(lambda: io.BytesIO(data), name, guess_format(name))
    return [record.get_values() for record in source.scan()]


@cases
def test_broken_files(name, data, said):
    """What is in them is written as Python, of the tables above."""
    with pytest.raises(FileError) as error:
        read(name, eval(data))
    assert name in str(error.value) and said in str(error.value)
    assert "Knurvel" not in str(error.value)


@pytest.mark.parametrize("name, data", [("a.jsonl", b""), ("a.csv", b"id,text\n")])
def test_tables_without_rows(name, data):
    assert read(name, data) == []


def test_two_columns_of_one_name_in_parquet():
    out = io.BytesIO()
    pq.write_table(pa.table([pa.array(["a"]), pa.array(["b"])], names=["text", "text"]), out)
    with pytest.raises(FileError, match="two columns of one name, the columns 1 and 2"):
        read("a.parquet", out.getvalue())


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.jsonl.gz"])
def test_file_that_changes_while_it_is_read(name):
    data = [CSV if "csv" in name else JSONL]
    data = [gzip.compress(data[0]) if name.endswith("gz") else data[0]]
    source = make_source(lambda: io.BytesIO(data[0]), name, guess_format(name))
    positions = [record.position for record in source.scan()]
    plain = b"id,text\n" if "csv" in name else b'{"text": "Hej, du"}\n'
    data[0] = gzip.compress(plain) if name.endswith("gz") else plain
    with pytest.raises(FileError, match="changed while it was read"):
        list(source.read(positions[1000:]))


@pytest.mark.parametrize("name", ["x.jsonl.gz", "x.csv.gz"])
def test_a_line_without_end(name, monkeypatch):
    monkeypatch.setattr("components.tables.lines.MAX_LINE", 1 << 20)
    data = gzip.compress(b"text,id\n1,2\n" + b'{"text": "' + b"a" * (3 << 20))
    with pytest.raises(FileError, match="has a line of over 1 MiB"):
        source = make_source(lambda: io.BytesIO(data), name, guess_format(name))
        [*source.scan()]
