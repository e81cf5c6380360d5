"""Files that are not what their names say, or not whole: a sentence, and not a word of them."""

import gzip
import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from components.tables.errors import FileError
from components.tables.formats import guess_format, make_source
from tests.cases import read_cases

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


@pytest.mark.parametrize(
    "name, data, said",
    [
        *read_cases(__file__)["test_broken_files"],
        ("a.parquet", PARQUET[:-100], "no whole Parquet file"),
        ("a.parquet", PARQUET[:HALF], "no whole Parquet file"),
        ("a.parquet", CSV, "no whole Parquet file"),
        ("a.parquet.gz", gzip.compress(PARQUET), "no whole Parquet file"),
        ("a.parquet", DAMAGED, "cannot be read in its row group 2"),
        ("a.jsonl", PARQUET, "It is Parquet: say so (--in-format parquet)"),
        ("a.jsonl", GZ, "It is compressed by gzip (.gz): name it so"),
        ("a.jsonl", ZST, "It is compressed by Zstandard (.zst): name it so"),
        ("a.jsonl", CSV, "If it is CSV, say so (--in-format csv)"),
        ("a.jsonl.gz", GZ, "If it is CSV, say so (--in-format csv)"),
        ("a.csv", PARQUET, "not CSV, it is Parquet"),
        ("a.csv", GZ, "not CSV, it is compressed by gzip"),
        ("a.csv", ZST, "not CSV, it is compressed by Zstandard"),
        ("a.csv", CSV.decode("ascii").encode("utf-16"), "is in UTF-16"),
        ("a.csv", CSV.decode("ascii").encode("utf-16-le"), "is in UTF-16"),
        ("a.csv.gz", CSV, "no whole gzip file"),
        ("a.csv.zst", CSV, "no whole Zstandard file"),
        ("a.csv.gz", GZ[:-4], "no whole gzip file"),
        ("a.csv.gz", GZ[: len(GZ) // 2], "no whole gzip file"),
        ("a.csv.gz", GZ + GZ[:100], "no whole gzip file"),
        ("a.csv.gz", GZ[:-8] + b"\0" * 8, "no whole gzip file"),
        ("a.csv.zst", ZST[:-1], "no whole Zstandard file"),
        ("a.csv.zst", ZST[: len(ZST) // 2], "no whole Zstandard file"),
        ("a.csv.zst", ZST + ZST[:100], "no whole Zstandard file"),
        ("a.csv.zst", ZST + b"Knurvel", "no whole Zstandard file"),
        ("a.jsonl.gz", JSONL, "no whole gzip file"),
    ],
)
def test_broken_files(name, data, said):
    with pytest.raises(FileError) as error:
        read(name, data)
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
