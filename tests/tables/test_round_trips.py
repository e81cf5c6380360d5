"""What is read of a table and written again is the same, types included."""

import csv
import gzip
import io
import json
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from components.tables.errors import RowError
from components.tables.formats import Format, Writer, make_source
from components.tables.jsonl import JsonRecord
from components.tables.lines import compress
from components.tables.source import ReadOptions
from tests.cases import cases


def make(data, kind, compression="", **options):
    return make_source(
        lambda: io.BytesIO(data), "chats", Format(kind, compression), ReadOptions(**options)
    )


def write(source, kind, compression="", change=lambda values: {}, **options):
    """Write a table, with changes."""
    out = io.BytesIO()
    writer = Writer(out, source, Format(kind, compression), **options)
    for record in source.scan():
        writer.target.write(record, change(record.get_values()))
    writer.close()
    return out.getvalue()


def copy(data, kind, compression="", encoding="utf-8", **options):
    """Read a table and write it."""
    return write(make(data, kind, compression, encoding=encoding), kind, compression, **options)


def pack(data, compression):
    out = io.BytesIO()
    stream = compress(out, compression)
    stream.write(data)
    if compression:
        stream.close()
    return out.getvalue()


def write_parquet(table, **options):
    out = io.BytesIO()
    pq.write_table(table, out, **options)
    return out.getvalue()


def read_parquet(data):
    return pq.read_table(io.BytesIO(data))


# Cells of CSV: what RFC 4180 can hold, and a NUL cannot.
CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
HARD = st.text(st.sampled_from('a ",;\t\n\r|\\\u2028å'), max_size=8)


@given(
    width=st.integers(1, 4),
    rows=st.lists(st.lists(CELLS | HARD, min_size=4, max_size=4), max_size=8),
    kind=st.sampled_from(["csv", "tsv"]),
    compression=st.sampled_from(["", "gz", "zst"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_cells_of_csv(width, rows, kind, compression, quoting):
    """Written, read and written: the same cells, and the same bytes."""
    names = ["id", "text", "more", "note"][:width]
    rows = [row[:width] for row in rows]
    out = io.StringIO(newline="")
    delimiter = "\t" if kind == "tsv" else ","
    csv.writer(out, delimiter=delimiter, quoting=quoting).writerows([names, *rows])
    data = pack(out.getvalue().encode("utf8"), compression)
    source = make(data, kind, compression, delimiter="," if kind == "csv" else "")
    assert [list(record.get_values().values()) for record in source.scan()] == rows
    once = io.BytesIO()
    writer = Writer(once, source, Format(kind, compression))
    for record in source.scan():
        writer.target.write(record, {})
    writer.close()
    assert once.getvalue() == data


@given(
    rows=st.lists(
        st.dictionaries(
            st.text(max_size=5),
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        ),
        max_size=6,
    ),
    compression=st.sampled_from(["", "gz", "zst"]),
)
def test_fields_of_jsonl(rows, compression):
    lines = b"".join(json.dumps(row).encode("ascii") + b"\n" for row in rows)
    again = copy(pack(lines, compression), "jsonl", compression)
    source = make(again, "jsonl", compression)
    assert [record.get_values() for record in source.scan()] == rows


@cases
def test_dialects(data, delimiter):
    source = make(data, "csv")
    if delimiter:
        assert source.dialect["delimiter"] == delimiter
        assert source.columns == ["id", "text"]
        assert next(source.scan()).get_values()["id"] == "1"
        assert all(record.get_values()["text"].startswith("Hej") for record in source.scan())
    again = make(copy(data, "csv"), "csv")
    assert again.columns == source.columns
    assert [r.get_values() for r in again.scan()] == [r.get_values() for r in source.scan()]


@cases
def test_dialect_and_encoding_are_those_of_the_input(data):
    assert copy(data, "csv", encoding="") == data


def test_comma_and_tab_by_the_name_of_the_output():
    source = make(b"id;text\n1;Hej\n", "csv")
    for kind, data in (("csv", b"id;text\n1;Hej\n"), ("tsv", b"id\ttext\n1\tHej\n")):
        assert write(source, kind) == data
    assert write(make(data, "tsv"), "csv") == b"id,text\n1,Hej\n"


def test_formulas_are_copied_or_neutralised():
    data = b'id,text\n1,"=HYPERLINK(""http://example.com"")"\n2,+46 70\n3,-a\n'
    source = make(data, "csv")
    assert write(source, "csv") == data
    done = b'id,text\n1,"\'=HYPERLINK(""http://example.com"")"\n2,+46 70\n3,\'-a\n'
    assert write(source, "csv", no_formulas=True) == done


def test_letters_that_the_encoding_lacks_lose_their_accent():
    """One character for one, so that offsets stay true."""
    data = "id;text\n1;Hälsa Åsa\n".encode("cp1252")
    out = copy(data, "csv", change=lambda values: {"text": "Åsa Łukić 😊"}, encoding="")
    assert out.decode("cp1252") == "id;text\n1;Åsa Lukic ?\n"


@cases
def test_rows_that_are_no_rows(row, reason):
    """Each is named by its first line, without a word of it, and those around it are read."""
    data = b"id,text\n1,Hej\n" + row + b"\n3,Hej\n"
    records = list(make(data, "csv").scan())
    assert [record.line for record in records] == [2, 3, 4 + (b"\n" in row)]
    with pytest.raises(RowError, match=reason) as error:
        records[1].get_values()
    assert "Knurvel" not in str(error.value)
    assert [records[n].get_values()["id"] for n in (0, 2)] == ["1", "3"]


def test_quote_that_is_not_closed():
    records = list(make(b'id,text\n1,Hej\n2,"Hej\n3,Hej\n4,Hej\n', "csv").scan())
    assert [record.line for record in records] == [2, 3]
    with pytest.raises(RowError, match="2 lines that follow are part of it"):
        records[1].get_values()


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
@pytest.mark.parametrize("compression", ["", "gz", "zst"])
def test_rows_by_position(kind, compression):
    """Those that are asked for, from wherever, are those that a scan finds."""
    if kind == "csv":
        rows = "".join(f'{n},"Hej\n{n}, å"\r\n' for n in range(50))
        plain = ("\ufeffid,text\n" + rows).encode("utf8")
    else:
        plain = "".join(f'{{"id": {n}, "text": "å"}}\n\n' for n in range(50)).encode("utf8")
    source = make(pack(plain, compression), kind, compression)
    all_rows = list(source.scan())
    for wanted in ([3, 4, 5, 20, 49], [0, 1], [2, 30], [30], range(50)):
        found = list(source.read([all_rows[n].position for n in wanted]))
        assert [one.get_values() for one in found] == [all_rows[n].get_values() for n in wanted]


@pytest.mark.parametrize("kind", ["gz", "zst"])
def test_several_members(kind):
    squeeze = gzip.compress if kind == "gz" else zstandard.ZstdCompressor().compress
    data = squeeze(b'{"text": "a"}\n{"te') + squeeze(b"") + squeeze(b'xt": "b"}\n')
    texts = [record.get_values()["text"] for record in make(data, "jsonl", kind).scan()]
    assert texts == ["a", "b"]


def make_columns():
    n = 3
    stockholm = timezone(timedelta(hours=1))
    moment = datetime(2024, 5, 3, 12, 30, 15, 123456)
    columns = {
        **{f"int{bits}": pa.array([1, None, -3], getattr(pa, f"int{bits}")()) for bits in (8, 16, 32, 64)},
        **{f"uint{bits}": pa.array([1, None, 3], getattr(pa, f"uint{bits}")()) for bits in (8, 16, 32, 64)},
        "float32": pa.array([1.5, None, float("inf")], pa.float32()),
        "float64": pa.array([1.5, None, -0.0], pa.float64()),
        "bool": pa.array([True, None, False]),
        "decimal": pa.array([Decimal("1.50"), None, Decimal("-2.25")], pa.decimal128(9, 2)),
        "decimal256": pa.array([Decimal("1.50"), None, None], pa.decimal256(50, 2)),
        "date": pa.array([date(2024, 5, 3), None, date(1900, 1, 1)]),
        "time": pa.array([time(12, 30), None, time(0)], pa.time64("us")),
        "duration": pa.array([timedelta(days=1), None, timedelta(0)], pa.duration("ms")),
        **{f"stamp_{unit}": pa.array([moment.replace(microsecond=0), None, None], pa.timestamp(unit))
           for unit in ("s", "ms", "us", "ns")},
        "stamp_zone": pa.array([moment.replace(tzinfo=stockholm), None, None],
                               pa.timestamp("us", "Europe/Stockholm")),
        "list": pa.array([[1, 2], None, []], pa.list_(pa.int16())),
        "large_list": pa.array([["a"], None, []], pa.large_list(pa.string())),
        "struct": pa.array([{"a": 1, "b": ["x"]}, None, {"a": None, "b": None}]),
        "map": pa.array([[("a", 1)], None, []], pa.map_(pa.string(), pa.int32())),
        "binary": pa.array([b"\xff\x00", None, b""]),
        "fixed": pa.array([b"ab", None, b"cd"], pa.binary(2)),
        "dictionary": pa.array(["a", None, "a"]).dictionary_encode(),
        "ordered": pa.DictionaryArray.from_arrays(
            pa.array([0, None, 1], pa.int8()), pa.array(["low", "high"]), ordered=True),
        "null": pa.nulls(n),
        "text": pa.array(["Hej", None, "Knurvel"]),
    }  # fmt: skip
    return pa.table(columns).replace_schema_metadata({"pandas": "{}", "own": "å"})


@pytest.mark.parametrize(
    "type",
    [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string()), pa.string_view()],
    ids=str,
)
def test_types_of_parquet(type):
    table = make_columns()
    text = table["text"].combine_chunks()
    text = text.dictionary_encode().cast(type) if pa.types.is_dictionary(type) else text.cast(type)
    table = table.set_column(table.schema.get_field_index("text"), "text", text)
    data = write_parquet(table, row_group_size=2)
    before = read_parquet(data)
    out = copy(
        data,
        "parquet",
        change=lambda values: {"text": values["text"] + "!"} if values["text"] else {},
        added=["language"],
        texts=["text"],
    )
    after = read_parquet(out)
    assert after.schema.remove(len(after.schema) - 1).equals(before.schema, check_metadata=True)
    assert after["text"].to_pylist() == ["Hej!", None, "Knurvel!"]
    assert after["language"].to_pylist() == [None] * 3 and after.schema[-1].type == pa.string()
    assert after.drop(["text", "language"]).equals(before.drop(["text"]))
    assert pq.ParquetFile(io.BytesIO(out)).num_row_groups == 2


@pytest.mark.parametrize("codec", ["NONE", "SNAPPY", "GZIP", "BROTLI", "LZ4", "ZSTD"])
def test_codecs_of_parquet(codec):
    data = write_parquet(pa.table({"text": ["Hej"] * 9}), compression=codec)
    out = copy(data, "parquet")
    one, other = (pq.ParquetFile(io.BytesIO(each)).metadata.row_group(0) for each in (data, out))
    assert one.column(0).compression == other.column(0).compression
    assert read_parquet(out).equals(read_parquet(data))


def test_parquet_without_rows():
    table = pa.table({"text": pa.array([], pa.string()), "n": pa.array([], pa.int8())})
    assert read_parquet(copy(write_parquet(table), "parquet")).equals(table)


def test_more_surrogates_than_a_dictionary_had_room_for():
    """300 rows of two words, numbered by eight bits, become 300 words."""
    words = pa.array([f"w{n % 2}" for n in range(300)]).dictionary_encode()
    table = pa.table({"text": words.cast(pa.dictionary(pa.int8(), pa.string())), "n": range(300)})
    names = iter(range(300))
    out = copy(
        write_parquet(table), "parquet", texts=["text"], change=lambda _: {"text": f"{next(names)}"}
    )
    assert read_parquet(out)["text"].to_pylist() == [f"{n}" for n in range(300)]


def test_new_values_that_are_no_text_are_json():
    data = write_parquet(pa.table({"text": ["Hej"]}))
    out = copy(data, "parquet", added=["more"], change=lambda _: {"more": [{"a": "å"}]})
    assert read_parquet(out)["more"].to_pylist() == ['[{"a": "å"}]']


def test_rows_and_columns_that_go():
    table = pa.table({"known": ["x"] * 6, "text": list("abcdef"), "n": range(6)})
    source = make(write_parquet(table, row_group_size=2), "parquet")
    out = io.BytesIO()
    writer = Writer(out, source, Format("parquet"), dropped=["known"])
    for record in source.scan():
        if record.line not in (3, 4, 6):
            writer.target.write(record, {})
    writer.close()
    assert read_parquet(out.getvalue()).to_pydict() == {"text": list("abe"), "n": [0, 1, 4]}


def test_text_of_parquet_that_is_not_utf_8():
    text = pa.StringArray.from_buffers(
        2, pa.py_buffer(b"\0\0\0\0\3\0\0\0\6\0\0\0"), pa.py_buffer(b"HejH\xff!")
    )
    source = make(write_parquet(pa.table({"text": text})), "parquet")
    records = list(source.scan())
    assert records[0].get_values() == {"text": "Hej"}
    with pytest.raises(RowError, match="not UTF-8"):
        records[1].get_values()


def test_rows_of_parquet_by_position():
    table = pa.table({"text": [f"{n}" for n in range(20)], "n": range(20)})
    source = make(write_parquet(table, row_group_size=3), "parquet")
    for wanted in ([0, 3, 4, 19], [2], [18, 19]):
        found = source.read(wanted, ["n"])
        assert [record.get_values() for record in found] == [{"n": n} for n in wanted]


def test_nanoseconds_need_no_pandas():
    stamps = pa.array([1_000_000_001, None], pa.timestamp("ns", "UTC"))
    source = make(write_parquet(pa.table({"time": stamps})), "parquet")
    values = [record.get_values()["time"] for record in source.scan()]
    assert values == [datetime(1970, 1, 1, 0, 0, 1, tzinfo=timezone.utc), None]


@cases
def test_chat_logs(data, messages):
    source = make(data.encode(), "chat")
    assert [tuple(record.get_values().values()) for record in source.scan()] == messages
    assert copy(data.encode(), "chat").decode() == data
    out = write(source, "chat", change=lambda values: {"text": f"X{values['text']}"}).decode()
    assert [text for *_, text in messages] == [
        record.get_values()["text"][1:] for record in make(out.encode(), "chat").scan()
    ]
    assert out.replace("X", "") == data
    positions = [record.position for record in source.scan()]
    found = [*source.read(positions[1:])]
    assert [tuple(record.get_values().values()) for record in found] == messages[1:]
    without = write(source, "chat", dropped=["author"]).decode()
    assert not any(author in without for _, author, _ in messages if author)


BLANK = st.text(st.sampled_from(" \t"), max_size=2)
NUMBERS = st.sampled_from(["1E3", "1.0", "-0", "9" * 40, "0.10", "1e-7", "NaN"])
STRINGS = st.sampled_from(['"\\u00e5"', '"å"', '"a\\/b"', '"\\ud800"', '"}, {"', '"\\""', '""'])
INNER = NUMBERS | STRINGS | st.sampled_from(["null", "[1 ,2]", '{"text": "Hej", "text":1}', "[ ]"])


@given(
    fields=st.lists(
        st.tuples(st.sampled_from(['"a"', '"\\u0061"', '"text"', '"known"', '""']), INNER),
        max_size=5,
    ),
    blanks=st.lists(BLANK, min_size=5, max_size=5),
    end=st.sampled_from(["", "\n", "\r\n", " \n"]),
)
def test_other_fields_of_jsonl_stay_to_the_byte(fields, blanks, end):
    """Only the text is another one, a field that is known goes, a new one comes last."""
    a, b, c, d, e = blanks

    def write_line(fields):
        return f"{d},{e}".join(f"{name}{b}:{c}{value}" for name, value in fields)

    line = f"{a}{{{d}{write_line(fields)}{e}}}{end}"
    kept = [(name, '"Bo"' if name == '"text"' else value) for name, value in fields]
    kept = [field for field in kept if field[0] != '"known"']
    more = f"{', ' if kept else ''}" + ('"text": "Bo", ' if '"text"' not in dict(kept) else "")
    inner = f'{write_line(kept)}{more}"new": [1]'
    expected = f"{a}{{{d}{inner}{e}}}{end.rstrip(chr(10))}\n"
    if not fields:
        expected = f'{a}{{{more}"new": [1]{d}{e}}}{end.rstrip(chr(10))}\n'
    record = JsonRecord(1, 1, line.encode("utf8"))
    assert record.edit({"text": "Bo", "new": [1]}, ["known"]).decode("utf8") == expected


def test_unchanged_text_stays_to_the_byte():
    line = b'{"text": "H\\u00e5l \\/ ut", "n": 1E3}\n'
    assert JsonRecord(0, 1, line).edit({"text": "Hål / ut"}) == line
