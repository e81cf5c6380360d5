"""Which rows are processed together."""

import json

import pytest

from components.runs import index as index_module
from components.runs.rows import get_known, group_rows, read_row
from components.runs.run_settings import Settings
from components.tables.jsonl import JsonRecord


@pytest.fixture
def read(monkeypatch):
    """Deal rows into blocks: what is known of each conversation of
    each block, and the reasons of the rows.
    """

    def read_rows(*rows, n_rows=1, n_bytes=10**6, growth=2):
        monkeypatch.setattr(index_module, "BLOCK_ROWS", n_rows)
        monkeypatch.setattr(index_module, "BLOCK_BYTES", n_bytes)
        monkeypatch.setattr(index_module, "BLOCK_GROWTH", growth)
        rows = [row if row is None else {"text": "", **row} for row in rows]
        records, position = [], 0
        for number, row in enumerate(rows, 1):
            line = json.dumps(row).encode("ascii")
            records.append(JsonRecord(position, number, line))
            position += len(line)
        known, reasons = [], []
        for own, others in deal_file(records):
            groups = group_rows(own, others)
            known.append([get_known(members) for members in groups])
            reasons += [(row.number, row.reason) for row in own]
        return known, [reason for _, reason in sorted(reasons)]

    return read_rows


def deal_file(records):
    index = index_module.Index([FakeSource(records)], Settings())
    plan = index_module.Plan(index)
    for number in range(len(plan)):
        block = plan.get(number)
        yield tuple(
            [read_row(records[row], row + 1, Settings()) for row in rows]
            for rows in (block.rows, block.others)
        )


class FakeSource:
    columns = None

    def __init__(self, records):
        self.records = records

    def scan(self, columns=None):
        return iter(self.records)


VERA = {"PERSON": ["Vera"]}


def test_blocks(read):
    ids = [1, 2, 2, 2, 2, 3, 3, None, None, None, None] + [4] * 12 + [5]
    rows = [{"conversation": id_} for id_ in ids]
    known, reasons = read(*rows, n_rows=3, growth=3)
    assert len(reasons) == len(ids)
    assert [len(block) for block in known] == [2, 2, 3, 1, 1, 1]


@pytest.mark.parametrize("following", [2, None, "1 "])
def test_cut_conversation_knows_its_participants(read, following):
    """And the next one does not."""
    rows = [{"conversation": 1} for _ in range(5)] + [{"conversation": following}] * 4
    rows[0]["known"] = {"name": "Vera"}
    known, reasons = read(*rows)
    n_following = [1, 1, 1, 1] if following is None else [1, 1]
    assert known[:3] == [[VERA]] * 3 and not any(reasons)
    assert [group for block in known[3:] for group in block] == [None] * len(n_following)


def test_cut_conversation_of_a_file_knows_what_comes_later(read):
    rows = [{"conversation": 1} for _ in range(5)]
    rows[4]["known"] = {"name": "Vera"}
    assert read(*rows)[0] == [[VERA]] * 3


def test_rows_without_conversation_share_nothing(read):
    rows = [{"known": {"name": "Vera"}}, *({} for _ in range(5))]
    assert read(*rows) == ([[VERA], *[[None]] * 5], [""] * 6)


def test_cut_conversation_knows_nothing_of_the_one_before(read):
    rows = [{"conversation": 1, "known": {"name": "Vera"}}] + [{"conversation": 2}] * 8
    known, _ = read(*rows, n_rows=3)
    assert known == [[VERA, None], [None]]


def test_lines_that_cannot_be_read_cut_off_nothing(read):
    rows = [{"conversation": 1, "known": {"name": "Vera"}}, *[None] * 5, {"conversation": 1}]
    assert read(*rows)[0] == [[VERA], *[[]] * 5]


def test_blocks_of_so_many_bytes(read):
    line = len(b'{"text": "", "conversation": 1}')
    rows = [{"conversation": n // 5} for n in range(10)]
    known, _ = read(*rows, n_rows=99, n_bytes=2 * line)
    assert known == [[None], [None, None], [None]]


def test_cut_conversation_whose_participants_cannot_be_read(read):
    rows = [{"conversation": 1} for _ in range(5)] + [{"conversation": 2}] * 2
    rows[1]["known"] = {"nmae": "Vera"}
    _, reasons = read(*rows)
    told = "the participants of line 2 cannot be read"
    assert [reasons[0], *reasons[2:]] == [told, *[told] * 3, "", ""]


def test_conversations_wherever_their_rows_lie(read):
    ids = [1, 2, 1, None, 2, 1]
    rows = [{"conversation": id_} for id_ in ids]
    rows[5]["known"] = {"name": "Vera"}
    known, _ = read(*rows, n_rows=99)
    assert known == [[VERA, None, None]]


def test_blocks_of_one_conversation_read_no_row_twice(monkeypatch):
    """But for those that tell of its participants: the work is as much as there are rows."""
    monkeypatch.setattr(index_module, "BLOCK_ROWS", 10)
    rows = [{"text": "", "conversation": 1} for _ in range(1000)]
    rows[500]["known"] = {"name": "Vera"}
    lines = [json.dumps(row).encode("ascii") for row in rows]
    source = FakeSource([JsonRecord(n, n, line) for n, line in enumerate(lines)])
    plan = index_module.Plan(index_module.Index([source], Settings()))
    blocks = [plan.get(number) for number in range(len(plan))]
    assert len(blocks) == 50 and sum(len(block.rows) for block in blocks) == 1000
    assert [list(block.others) for block in blocks] == [
        [] if 500 in block.rows else [500] for block in blocks
    ]
