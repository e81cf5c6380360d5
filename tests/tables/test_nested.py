"""Texts at paths of JSON: which belong together, and what is written is the same but for them."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.tables import jsonl
from components.tables.errors import FileError, RowError
from components.tables.formats import Format, Writer
from components.tables.nested import Names, Paths
from tests.cases import cases

from .test_round_trips import make, pack

NAMES = Names(
    ("messages[*].text", "base64:messages[*].data"),
    author="messages[*].by",
    single=("id", "messages[*].sent"),
    several=("people[*]",),
)


def read(data, names=NAMES, compression="", kind="jsonl"):
    return make(pack(data, compression), kind, compression, paths=Paths(names))


def rewrite(source, change, names=NAMES):
    """Write a file with other texts, known people left out."""
    out = io.BytesIO()
    writer = Writer(out, source, Format("jsonl"), dropped=names.several)
    for record in source.scan():
        values = record.get_values()
        texts = [name for name in names.texts if values.get(name) is not None]
        writer.target.write(record, {name: change(values[name]) for name in texts})
    writer.close()
    return out.getvalue().decode()


BLANK = st.text(st.sampled_from(" \t\n\r"), max_size=2)
LEAF = st.sampled_from(
    [
        "1E3",
        "-0.0",
        "9" * 30,
        '"\\u00e5"',
        '"å\\/"',
        '"]}, [{"',
        '"\\\\"',
        '"\\""',
        "null",
        "true",
        "{ }",
        "[ ]",
    ]
)


@st.composite
def documents(draw, n):
    """A document as it is written, and as it is to be written: its texts and people are other ones."""
    a, b, c, d = (draw(BLANK) for _ in range(4))
    messages = [
        draw(
            st.sampled_from(
                [
                    f'{{"n":{a}{draw(LEAF)},"text"{b}:"§{n}.{i}"{c}}}',
                    f'{{"text":{a}"\\u00a7{n}.{i}","data":"wqc=","by":{b}null}}',
                    f'{{"data":{a}"wqc=",{b}"x":[{draw(LEAF)}{c}]}}',
                    '{"text":null}',
                ]
            )
        )
        for i in range(draw(st.integers(0, 3)))
    ]
    rest = f'"id":{a}{n}{b},"other":{draw(LEAF)}'
    inner = f'"messages":{c}[{d}{f",{a}".join(messages)}{b}]'
    people = draw(st.sampled_from(["", ',"people":["§ Anna", {"name": "Bo"}]', ',"people":[ ]']))
    before = f"{{{d}{inner},{rest}{people}{a}}}"
    changed = before.replace("\\u00a7", "§").replace('"§ Anna", {"name": "Bo"}', "")
    return before, changed.replace('"§', '"X').replace("wqc=", "WA==")


@given(
    data=st.data(),
    n=st.integers(0, 4),
    shape=st.sampled_from(["lines", "list", "one"]),
    compression=st.sampled_from(["", "gz"]),
    chunk=st.sampled_from([1, 7, 1 << 20]),
)
def test_all_but_texts_stays_to_the_byte(data, n, shape, compression, chunk):
    pairs = [data.draw(documents(i)) for i in range(n)]
    a, b, c = (data.draw(BLANK) for _ in range(3))
    if shape == "lines":
        before, after = ("".join(each.replace("\n", "").replace("\r", "") + "\n" for each in side)
                         for side in zip(*pairs)) if pairs else ("", "")  # fmt: skip
    elif shape == "list":
        sides = [*zip(*pairs)] or [(), ()]
        before, after = (f"{a}[{b}{f'{c},{a}'.join(side)}{c}]{b}" for side in sides)
    else:
        before, after = (f"{a}{each}{b}" for each in data.draw(documents(1)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "CHUNK", max(chunk, 1 << 10) if shape == "one" else chunk)
        out = rewrite(read(before.encode(), compression=compression), lambda text: f"X{text[1:]}")
    assert out == after
    json.loads(f"[{','.join(out.splitlines())}]" if shape == "lines" else out)


DESK = {
    "id": 7,
    "people": ["Anna", {"name": "Bo"}],
    "rooms": [
        {"id": "a", "who": {"name": "Li"}, "messages": [
            {"text": "1", "by": "x", "sent": 2, "data": "MQ=="}, {"text": "2"}, {"by": "y", "sent": 3}]},
        {"id": "b", "who": {"name": "Mo"}, "messages": [{"text": "3", "by": "z", "meta": {"Åsa L": 5}}]},
    ],
}  # fmt: skip


def test_what_belongs_to_a_text():
    names = Names(
        ("rooms[*].messages[*].text", "base64:rooms[*].messages[*].data"),
        author="rooms[*].messages[*].by",
        single=("rooms[*].id", "rooms[*].messages[*].sent"),
        several=("people", "rooms[*].who.name"),
    )
    records = [*read(json.dumps([DESK]).encode(), names).scan()]
    text, data = names.texts
    room, sent = names.single
    found = [record.get_values() for record in records]
    assert [values.get(text, values.get(data)) for values in found] == ["1", "1", "2", "3"]
    assert [values[room] for values in found] == ["a", "a", "a", "b"]
    assert [values.get(sent) for values in found] == [2, 2, None, None]
    # Read once, though it belongs to two texts.
    assert [values.get(names.author) for values in found] == ["x", None, None, "z"]
    assert all(values["people"] == ["Anna", {"name": "Bo"}] for values in found)
    assert [values["rooms[*].who.name"] for values in found] == [["Li"]] * 3 + [["Mo"]]
    # What stands beside is looked at once.
    assert found[0]["id"] == 7 and all("id" not in values for values in found[1:])
    assert found[3]["rooms"] == [{"messages": [{"meta": {"Åsa L": 5}}]}]
    assert [record.path for record in records] == [
        "$.rooms[0].messages[0].text", "$.rooms[0].messages[0].data", "$.rooms[0].messages[1].text",
        "$.rooms[1].messages[0].text",
    ]  # fmt: skip
    assert len({record.conversation for record in records}) == 1


def test_people_that_are_texts_too_are_not_left_out():
    names = Names(("people[*].name",), several=("$..name", "people[*].pid"))
    data = b'{"people": [{"name": "Anna", "pid": 1}, {"pid": 2, "name": "Bo"}], "by": {"name": "Li"}}\n'
    out = rewrite(read(data, names), lambda text: "X", names)
    assert out == '{"people": [{"name": "X"}, {"name": "X"}], "by": {}}\n'


@pytest.mark.parametrize("shape", ["lines", "list"])
@pytest.mark.parametrize("compression", ["", "gz", "zst"])
def test_rows_by_position(shape, compression):
    written = [json.dumps({"id": n, "messages": [{"text": f"{n} å"}] * (n % 3)}) for n in range(30)]
    data = "\n".join(written) if shape == "lines" else f"\ufeff [\n{', '.join(written)}]\n"
    source = read(data.encode(), compression=compression)
    all_rows = [*source.scan()]
    assert len({record.position for record in all_rows}) == len(all_rows) == 40
    for wanted in ([3, 4, 5, 20, 39], [0, 1], [2, 30], [30], range(40)):
        found = [*source.read([all_rows[n].position for n in wanted])]
        assert [one.get_values() for one in found] == [all_rows[n].get_values() for n in wanted]


@cases
def test_documents_that_are_rejected(data, reason):
    """Each with its line and without a word of it, and those around it are read."""
    good = b'{"messages": [{"text": "Hej"}]}'
    if b"\n" not in data:
        records = [*read(b"\n".join([good, data, good])).scan()]
        assert [record.line for record in records] == [1, 2, 3]
    records = [*read(b"[\n" + b",\n".join([good, data, good]) + b"]").scan()]
    assert len(records) == 3 and records[1].line == 3
    with pytest.raises(RowError) as error:
        records[1].get_values()
    assert reason in str(error.value) and "Knurvel" not in str(error.value)
    assert all(records[n].get_values()["messages[*].text"] == "Hej" for n in (0, 2))


def test_deep_json():
    deep = b'{"messages": [{"text": "Hej"}], "x": %s1%s}'
    (record,) = read(deep % (b"[" * 63, b"]" * 63)).scan()
    assert record.get_values()["messages[*].text"] == "Hej"
    for n, reason in ((64, "over 64 levels deep"), (100_000, "not valid JSON")):
        record, _ = read(deep % (b"[" * n, b"]" * n) + b"\n" + deep % (b"", b"")).scan()
        with pytest.raises(RowError, match=reason):
            record.get_values()


@cases
def test_files_that_are_refused(data, reason):
    with pytest.raises(FileError, match=reason) as error:
        [*make(data, "jsonl").scan()]
    assert "Knurvel" not in str(error.value)


@pytest.mark.parametrize("path", ["messages[", "$.a[?@.b==]", "base64:", "a b[*]"])
def test_paths_that_are_none(path):
    with pytest.raises(FileError, match=r"is no path of JSON \(RFC 9535\)"):
        Paths(Names((path,)))


def test_elements_are_read_one_at_a_time(monkeypatch):
    """Of a long list no more than what is read; a single one has a limit."""
    monkeypatch.setattr(jsonl, "CHUNK", 1 << 10)
    data = b"[" + b", ".join([b'{"text": "%s"}' % (b"Hej" * 30)] * 5000) + b"]"
    file = io.BytesIO(data)
    source = make(data, "jsonl")
    records = source._iter_elements(file, 0)
    for _ in range(100):
        next(records)
    assert file.tell() < len(data) / 20
    assert sum(1 for _ in source.scan()) == 5000
    monkeypatch.setattr(jsonl, "MAX_DOCUMENT", 1 << 20)
    for big in (b'[{"text": "%s"}]', b'{\n"text":\n"%s"\n}'):
        with pytest.raises(FileError, match="has an object of over 1 MiB, from line 1 on"):
            [*make(big % (b"a" * (3 << 20)), "jsonl").scan()]
