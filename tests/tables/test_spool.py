"""A stream is read once, and then is a file."""

import io
import os
import sys
import tempfile

import pytest

from components.tables.places import Place
from components.tables.spool import spool


@pytest.mark.parametrize("data", [b"", b"x", b"one\ntwo\n" * 50_000])
def test_each_reader_has_its_own_position(monkeypatch, tmp_path, data):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    opener = spool(Place("-"))
    with opener() as first, opener() as second:
        assert first.read(3) == data[:3] and second.readline() == data.partition(b"\n")[0] + (
            b"\n" if b"\n" in data else b""
        )
        assert first.read() == data[3:]
        assert first.seek(-1 if data else 0, io.SEEK_END) == first.tell()
        assert first.read() == data[-1:] and second.seek(0) == 0 and second.read() == data
    with opener() as again:
        assert again.read() == data
    assert not [*tmp_path.iterdir()]


def test_a_pipe(tmp_path):
    reading, writing = os.pipe()
    os.write(writing, b"Hej")
    os.close(writing)
    place = Place(f"/dev/fd/{reading}")
    assert place.is_stream and spool(place)().read() == b"Hej"
    os.close(reading)
