"""The messages full of measurements: none of them holds PHI, each is its own."""

import re

import pytest
from rapidfuzz import fuzz, process

from components.measures.gold import read_messages
from tests.conftest import ROOT


@pytest.fixture(scope="module", params=["measurements", "newest_measurements"])
def rows(request):
    return read_messages(ROOT / f"lab/sets/{request.param}.jsonl")


def test_rows(rows):
    assert len(rows) >= 300
    assert len({row["id"] for row in rows}) == len(rows)
    assert all(re.fullmatch(r"m-\d{3}", row["id"]) and row["spans"] == [] for row in rows)


def test_each_is_more_than_an_answer(rows):
    assert all(2 <= len(row["text"].split()) <= 60 for row in rows)


def test_no_near_duplicates(rows):
    texts = [row["text"].lower() for row in rows]
    for index, text in enumerate(texts):
        match = process.extractOne(
            text, texts[:index], scorer=fuzz.token_sort_ratio, score_cutoff=80
        )
        assert match is None, (rows[index]["id"], rows[match[2]]["id"])
