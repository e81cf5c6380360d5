"""What is pasted or uploaded becomes messages and conversations."""

import gzip
import io
import json
import tracemalloc

import pyarrow
import pyarrow.parquet
import pytest
import zstandard

from components.serve.pages.controls import Asked
from components.serve.pages.given import MAX_BYTES, MAX_ROWS, TooMany, read_file, read_pasted, write
from components.serve.pages.running import deal
from components.tables.errors import FileError
from tests.cases import cases


def get_texts(given):
    return [[message.text for message in messages] for messages in given.conversations]


@cases
def test_pasted(split, together, texts):
    given = read_pasted(Asked(text="a\n\nb\nc", split=split, together=together))
    assert get_texts(given) == texts
    assert all(
        (message.row.conversation is not None) == (len(messages) > 1)
        for messages in given.conversations
        for message in messages
    )


def test_text_is_read_as_it_is():
    assert read_pasted(Asked(text=" \n\n ", split="lines")).order == []
    text = "  e\u0301 👩‍👩‍👧 \t"
    assert get_texts(read_pasted(Asked(text=text))) == [[text]]


def test_conversations_of_a_file_are_gathered():
    rows = [("k", "1"), ("l", "2"), ("m", "1"), ("n", "")]
    data = "text,conversation\n" + "".join(f"{text},{id}\n" for text, id in rows)
    given = read_file(data.encode(), "x.csv", Asked())
    assert get_texts(given) == [["k", "m"], ["l"], ["n"]]
    assert [message.text for message in given.order] == ["k", "l", "m", "n"]
    assert (given.text_column, given.conversation_column) == ("text", "conversation")


def test_columns_by_choice_and_by_length():
    data = b"id;note;body\n1;x;a long message\n2;y;another one\n"
    assert read_file(data, "x.csv", Asked()).text_column == "body"
    given = read_file(data, "x.csv", Asked(text_column="note", conversation_column="id"))
    assert get_texts(given) == [["x"], ["y"]]
    assert given.conversation_column == "id"
    assert read_file(data, "x.csv", Asked(text_column="gone")).text_column == "body"


def test_known_of_a_file_is_read_and_left_out():
    row = {"text": "Hej Bo", "known": [{"name": "Bo Ek"}], "n": 1}
    given = read_file(json.dumps(row).encode(), "x.jsonl", Asked())
    assert given.order[0].row.known == [("PERSON", "Bo Ek")]
    assert given.order[0].values == {"text": "Hej Bo", "n": 1}


def test_rows_that_cannot_be_read():
    data = b'{"text": "a"}\n{"text": 3}\n{"other": "x"}\n'
    given = read_file(data, "x.jsonl", Asked())
    assert get_texts(given) == [["a"]]
    reasons = [(row.number, row.reason) for row in given.rejected]
    assert reasons == [(2, "field 'text' is not a string"), (3, "no field 'text'")]


def test_parquet():
    given = read_file(_pack_parquet(["Hej", None], n=[1, 2]), "x.parquet", Asked())
    assert get_texts(given) == [["Hej"]]


def test_plain_text():
    given = read_file("å\r\nb".encode("utf-8-sig"), "x.txt", Asked(split="lines"))
    assert get_texts(given) == [["å", "b"]]
    assert not given.is_file


@pytest.mark.parametrize(
    ("data", "name"), [(b"\xff\xfe\0", "x.bin"), (b"", "x.csv"), (b"no json\n", "x.jsonl")]
)
def test_files_that_cannot_be_read(data, name):
    with pytest.raises(FileError) as error:
        read_file(data, name, Asked())
    assert name not in str(error.value)


def test_too_many():
    with pytest.raises(TooMany):
        read_pasted(Asked(text="a\n" * (MAX_ROWS + 1), split="lines"))
    data = b"text\n" + b"a\n" * MAX_ROWS
    assert len(read_file(data, "x.csv", Asked()).order) == MAX_ROWS
    with pytest.raises(TooMany):
        read_file(data + b"a\n", "x.csv", Asked())


@pytest.mark.parametrize(
    ("lengths", "parts"),
    [([], []), ([1] * 9, [[1] * 4, [1] * 4, [1]]), ([9, 1, 3, 1], [[9], [1, 3], [1]])],
)
def test_parts_hold_whole_conversations(lengths, parts):
    given = [["message"] * length for length in lengths]
    assert [[len(each) for each in part] for part in deal(given, 4)] == parts


def test_download_in_the_order_of_the_rows():
    data = 'text,conversation,n\n"a, b",1,x\nc,2,\nd,1,"y\nz"\n'
    given = read_file(data.encode(), "x.csv", Asked())
    done = {
        message.row.number: {"text": message.text.upper(), "replacements": []}
        for message in given.order
    }
    assert write(given, done, "csv", False).decode("utf-8-sig") == (
        'text,conversation,n\r\n"A, B",1,x\r\nC,2,\r\nD,1,"y\nz"\r\n'
    )
    lines = write(given, done, "jsonl", True).decode().splitlines()
    assert json.loads(lines[1]) == {"text": "C", "conversation": "2", "n": "", "replacements": []}


def _pack_parquet(texts, compression="snappy", **columns):
    file = io.BytesIO()
    table = pyarrow.table({"text": texts, **columns})
    pyarrow.parquet.write_table(table, file, compression=compression)
    return file.getvalue()


HUGE = b'{"text": "' + b"a" * 2 * MAX_BYTES + b'"}\n'
BOMBS = {
    "gzip": ("x.jsonl.gz", lambda: gzip.compress(HUGE)),
    "zstd": ("x.csv.zst", lambda: zstandard.compress(HUGE)),
    "page": ("x.parquet", lambda: _pack_parquet([HUGE.decode()], compression="zstd")),
    # One value, which each row points to.
    "dictionary": ("x.parquet", lambda: _pack_parquet(["a" * 500_000] * 900)),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_what_unpacks_to_too_much_is_refused(kind):
    name, pack = BOMBS[kind]
    data = pack()
    assert len(data) < 2**19
    tracemalloc.start()
    before = pyarrow.default_memory_pool().max_memory()
    with pytest.raises(FileError, match="unpacks to over 32 MiB"):
        read_file(data, name, Asked())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4 * MAX_BYTES
    assert pyarrow.default_memory_pool().max_memory() - before < 4 * MAX_BYTES


def test_many_rows_of_nothing_are_refused_unread():
    with pytest.raises(TooMany):
        read_file(_pack_parquet(pyarrow.nulls(50_000_000)), "x.parquet", Asked())


@pytest.mark.parametrize("name", ["x.jsonl.gz", "x.jsonl.zst"])
def test_packed_files_are_read(name):
    pack = gzip.compress if name.endswith("gz") else zstandard.compress
    data = pack(b'{"text": "Hej"}\n')
    assert get_texts(read_file(data, name, Asked())) == [["Hej"]]
    with pytest.raises(FileError, match="no whole"):
        read_file(data[:-3], name, Asked())


def test_texts_at_a_path_of_json():
    """Found where no column has longer ones; rows of one line have numbers of their own."""
    rooms = [{"id": 1, "chat": [{"by": "a", "msg": "Hej du"}, {"by": "b", "msg": "Hej Bo"}]}]
    rooms.append({"id": 2, "chat": [{"msg": "Ja"}]})
    given = read_file(json.dumps(rooms).encode(), "x.json", Asked())
    assert given.text_column == "chat[*].msg"
    assert given.columns == ["id", "chat", "chat[*].msg", "chat[*].by"]
    assert get_texts(given) == [["Hej du", "Hej Bo"], ["Ja"]]
    assert [message.row.number for message in given.order] == [1, 2, 3]
    again = read_file(json.dumps(rooms).encode(), "x.json", Asked(text_column="chat[*].by"))
    assert get_texts(again) == [["a", "b"]]
    assert [row.number for row in again.rejected] == [3]
