"""Messages to read, chosen at random, in a file of their own."""

import os
import pickle
import random
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.batch.reports.before_after import Change
from components.batch.reports.sample import WARNING, Sample, write_sample
from tests.batch.reports.making import make_message
from tests.batch.reports.test_run_report import Reader

KEY = b"a key of the tests"


def make_sample(numbers, size=3, key=KEY):
    sample = Sample(size, key)
    for number in numbers:
        sample.add(number, [Change(f"före {number}", f"efter {number}")])
    return sample


def get_numbers(sample):
    return [number for number, _ in sample]


@given(st.sets(st.integers(0, 10**9), max_size=20), st.integers(0, 5), st.randoms())
def test_same_rows_however_it_is_split(numbers, size, chance):
    order = sorted(numbers)
    chosen = make_sample(order, size).choose(order)
    assert get_numbers(make_sample(order, size)) == chosen
    assert len(chosen) == min(size, len(numbers))
    chance.shuffle(order)
    cut = chance.randint(0, len(order))
    parts = [make_sample(part, size) for part in (order[:cut], order[cut:], order[:cut])]
    merged = Sample(size, KEY)
    for part in parts:
        merged.merge(pickle.loads(pickle.dumps(list(part))))
    assert get_numbers(merged) == chosen
    assert all(change.text == f"före {number}" for number, (change,) in merged)


def test_each_row_is_as_likely():
    counts = [0] * 10
    for n in range(600):
        for number in make_sample(range(10), key=b"%d" % n).choose(range(10)):
            counts[number] += 1
    # Of 600 draws of 3 from 10: 180 each, standard deviation 11.
    assert all(135 < count < 225 for count in counts)


def test_rows_that_are_not_chosen_are_not_made():
    sample = make_sample(range(100))
    last = random.Random(0).sample(sorted({*range(100)} - {*get_numbers(sample)}), 1)[0]

    def fail():
        raise AssertionError
        yield

    sample.add(last, fail())
    Sample(0, KEY).add(1, fail())


def test_key_is_not_handed_on():
    with pytest.raises(TypeError, match="key"):
        pickle.dumps(make_sample([1]))


def test_file(tmp_path):
    path = tmp_path / "sample.html"
    path.write_text("old")
    path.chmod(0o644)
    old_mask = os.umask(0)
    try:
        sample = Sample(2, KEY)
        sample.add(
            1234, [Change.from_doc(make_message(), "question"), Change("<b>\x00", "<i>", [])]
        )
        write_sample(path, sample)
    finally:
        os.umask(old_mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [*tmp_path.iterdir()] == [path]
    reader = Reader(path.read_text(encoding="utf8"))
    assert reader.words[3] == WARNING  # after title, style and heading
    assert "Row 1,234, question" in reader.words
    assert reader.words.count("PERSON") == 2
    assert reader.words.count("ORGANISATION, kept") == 2
    assert {"Anna Lind", "Eva Berg", "<b>␀", "<i>"} <= {*reader.words}
    assert b"key of the tests" not in path.read_bytes()


def test_file_of_nothing(tmp_path):
    write_sample(tmp_path / "sample.html", Sample(3, KEY))
    assert "No row." in (tmp_path / "sample.html").read_text()
