"""Files are held open no longer than they are needed, and not too many at a time."""

import gc
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from components.runs import in_files as sources_module
from components.runs.in_files import InFile, Sources, open_files
from components.runs.run_settings import Settings
from components.tables.errors import FileError
from components.tables.formats import Format
from components.tables.lines import compress
from components.tables.storage import Disk
from tests.workbooks import make_book, save

FORMATS = [
    Format("jsonl"), Format("jsonl", "zst"), Format("csv"), Format("csv", "gz"), Format("parquet"),
    Format("xlsx"),
]  # fmt: skip
ROWS = [{"id": f"{n}", "text": f"Hej {n}"} for n in range(30)]


def write(path, format):
    if format.kind == "parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), path, row_group_size=7)
        return
    if format.kind == "xlsx":
        path.write_bytes(save(make_book([["id", "text"], *([*row.values()] for row in ROWS)])))
        return
    if format.kind == "csv":
        lines = ["id,text", *(f"{row['id']},{row['text']}" for row in ROWS)]
    else:
        lines = [json.dumps(row) for row in ROWS]
    with path.open("wb") as file:
        out = compress(file, format.compression)
        out.write("".join(f"{line}\n" for line in lines).encode())
        if format.compression:
            out.close()


@pytest.fixture
def make_files(tmp_path):
    def make(format, n=1):
        files = []
        for number in range(n):
            path = tmp_path / f"in-{number}"
            write(path, format)
            files.append(InFile(str(path), path.name, format))
        return files

    return make


@pytest.fixture
def opened(monkeypatch):
    """What storage has opened. Nothing is closed by being forgotten."""
    files = []
    open_file = Disk.open

    def open_and_note(disk, path):
        files.append(open_file(disk, path))
        return files[-1]

    monkeypatch.setattr(Disk, "open", open_and_note)
    gc.disable()
    yield files
    gc.enable()


def count_open(files):
    return sum(not file.closed for file in files)


def read(source, numbers):
    positions = [record.position for record in source.scan()]
    return [record.get_values() for record in source.read([positions[n] for n in numbers])]


@pytest.mark.parametrize("format", FORMATS, ids="-".join)
def test_what_was_closed_is_opened_again(make_files, opened, format):
    source = make_files(format)[0].open()
    records = source.scan()
    assert next(records).get_values() == ROWS[0]
    for numbers in ([0, 1, 2], [3, 9], [2, 28, 29], [4]):
        assert read(source, numbers) == [ROWS[n] for n in numbers]
        if numbers != [3, 9]:
            source.close()
    # A table that is gone through goes on, whatever became of other readings.
    assert [record.get_values() for record in records] == ROWS[1:]
    source.close()
    assert opened and not count_open(opened)


@pytest.mark.parametrize("format", FORMATS, ids="-".join)
def test_few_files_are_open_at_a_time(make_files, opened, format, monkeypatch):
    monkeypatch.setattr(sources_module, "OPEN_SOURCES", 3)
    files = make_files(format, 8)
    with open_files(files, Settings()) as sources:
        assert len(sources) == len([*sources]) == 8
        for number in (0, 7, 3, 0, 1, 2, 4, 7, 7, 0):
            assert read(sources[number], [number, 20]) == [ROWS[number], ROWS[20]]
            # A workbook is held in memory.
            assert (format.kind != "xlsx") <= count_open(opened) <= 3
    assert not count_open(opened)


def test_files_that_are_refused_are_closed(make_files, opened):
    files = make_files(Format("parquet"), 3)
    with (
        pytest.raises(FileError, match="no column 'chat'"),
        open_files(files, Settings(), ["chat"]),
    ):
        pytest.fail("it was opened")
    (broken,) = make_files(Format("csv"))
    with pytest.raises(FileError, match="no whole Parquet file"):
        InFile(broken.path, "chats", Format("parquet")).open()
    assert opened and not count_open(opened)


def test_no_such_file(make_files):
    sources = Sources(make_files(Format("jsonl"), 2))
    for number in (2, -1):
        with pytest.raises(IndexError):
            sources[number]
