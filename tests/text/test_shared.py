"""What several rooms share: sentences, where one begins, postal codes, days of coordination numbers."""

import pytest

from components.text.numbers import POSTAL_CODE, split_day
from components.text.sentences import begins_line, begins_sentence, count_sentences


@pytest.mark.parametrize(
    ("text", "sentence", "line"),
    [
        ("Maj", True, True), ("  Maj", True, True), ("Hej\n Maj", True, True),
        ("Hej. Maj", True, False), ("Hej! Maj", True, False), ("Hej?\tMaj", True, False),
        ("Namn: Maj", True, False), ("Hej; Maj", False, False), ("Hej Maj", False, False),
        ("Hej, Maj", False, False), ("/Maj", False, False),
    ],
)  # fmt: skip
def test_where_a_sentence_begins(text, sentence, line):
    start = text.index("Maj")
    assert (begins_sentence(text, start), begins_line(text, start)) == (sentence, line)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("903 26 Umeå, 90326", ["903 26", "90326"]), ("SE-90326, S90326", ["90326", "90326"]),
        ("090326, 90 326, 903  26", []), ("٩٠٣٢٦", ["٩٠٣٢٦"]),
    ],
)  # fmt: skip
def test_postal_codes(text, codes):
    assert POSTAL_CODE.findall(text) == codes


@pytest.mark.parametrize(
    ("day", "split"), [(1, (1, 0)), (31, (31, 0)), (60, (60, 0)), (61, (1, 60)), (91, (31, 60))]
)
def test_day_of_a_coordination_number(day, split):
    assert split_day(day) == split


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("Hej! Jag heter Anna. Tack", 3), ("Hej\nJag heter Anna\n\nmvh", 3),
        ("kl. 10.30 på fredag", 2), ("hej... är du där?!", 2), ("anna.berg@example.com", 1),
        ("!!!\n\n", 0), ("", 0), ("hej :)", 1),
    ],
)  # fmt: skip
def test_sentences(text, n):
    assert count_sentences(text) == n
