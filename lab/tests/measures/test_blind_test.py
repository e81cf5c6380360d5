"""A blind test: what is drawn, what the readers get, and how their answers are scored."""

import json
import math
import re

import pytest

from components.vault import Vault
from lab.measures.blind_answers import read_answers, read_key, score_answers
from lab.measures.blind_test import (
    ANSWERS,
    CHANGED,
    ORIGINAL,
    Candidate,
    draw_cards,
    find_candidates,
    make_page,
    write_test,
)
from lab.measures.replacing import make_replacing_language, replace_gold
from tests.surrogates.hand_lists import LISTS


@pytest.fixture(scope="module")
def nlp():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", Vault.new_key())
        yield make_replacing_language(LISTS)


def make_row(id_, text, *spans, **more):
    """A message whose spans are words of it with their label."""
    bounds = [
        {"start": text.index(phi), "end": text.index(phi) + len(phi), "label": label}
        for phi, label in spans
    ]
    return {"id": id_, "text": text, "spans": bounds, **more}


ANNA, LUND, VC = ("Anna", "PERSON"), ("Lund", "LOCATION"), ("vårdcentralen", "ORGANISATION")


@pytest.mark.parametrize(
    ("row", "options", "taken"),
    [
        (make_row("a", "Hej Anna", ANNA), {}, ["PERSON"]),
        (make_row("a", "Anna i Lund", ANNA, LUND), {}, ["LOCATION", "PERSON"]),
        (make_row("a", "Hej du"), {}, None),
        # Nothing of it changes.
        (make_row("a", "Ring vårdcentralen", VC), {}, None),
        (make_row("a", "Anna på vårdcentralen", ANNA, VC), {}, ["PERSON"]),
        (make_row("a", "Anna på vårdcentralen", ANNA, VC), {"min_phi": 2}, None),
        (make_row("a", "Anna i Lund", ANNA, LUND), {"min_phi": 2}, ["LOCATION", "PERSON"]),
        (make_row("a", "Hej Anna, kl 7", ANNA), {"numbers": True}, ["PERSON"]),
        (make_row("a", "Hej Anna, kl 7", ANNA), {"numbers": False}, None),
    ],
)
def test_candidates(nlp, row, options, taken):
    candidates = find_candidates([row], replace_gold(nlp, [row]), **options)
    assert [candidate.classes for candidate in candidates] == ([taken] if taken else [])


def test_a_surrogate_with_a_digit_is_a_number_too(nlp):
    """Else a digit would tell which messages are changed."""
    row = make_row("a", "Hej Anna", ANNA)
    (doc,) = replace_gold(nlp, [row])
    doc._.deidentified = "Hej 7"
    assert find_candidates([row], [doc]) and not find_candidates([row], [doc], numbers=False)


def make_candidates(conversations):
    """Candidates of conversations (None: of none), whose changed text is in capitals."""
    return [
        Candidate(
            {"id": f"m{i}", "text": f"text {i}", "conversation": name}, f"TEXT {i}", ["PERSON"]
        )
        for i, name in enumerate(conversations)
    ]


@pytest.mark.parametrize(
    ("conversations", "number", "drawn"),
    [
        ([None] * 40, 20, 20),
        ([None] * 7, 20, 6),
        (["a"] * 3 + ["b"] * 2, 20, 4),
        ([*"aabbccddeeffgghh"], 9, 8),
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_half_is_changed_and_conversations_are_alike(conversations, number, drawn, seed):
    cards = draw_cards(make_candidates(conversations), number, seed)
    assert len(cards) == drawn == len({card.candidate.row["id"] for card in cards})
    assert sum(card.answer == CHANGED for card in cards) == drawn // 2
    answers = {}
    for card in cards:
        assert card.text.isupper() == (card.answer == CHANGED)
        if name := card.candidate.row["conversation"]:
            assert answers.setdefault(name, card.answer) == card.answer


def test_draws_are_repeatable_and_random():
    candidates = make_candidates([None] * 100)
    first, again, other = (draw_cards(candidates, 60, seed) for seed in (1, 1, 2))
    assert first == again != other
    # Neither the order nor the half follows the order of the messages.
    places = [int(card.candidate.row["id"][1:]) for card in first]
    assert places != sorted(places) and max(places) >= 60
    answers = [card.answer for card in first]
    assert answers != sorted(answers) and answers != sorted(answers, reverse=True)


@pytest.mark.parametrize("conversations", [[], [None], ["a", "a", "a"]])
def test_too_few(conversations):
    with pytest.raises(ValueError, match="Too few messages"):
        draw_cards(make_candidates(conversations), 10)


def test_readers_get_texts_only(tmp_path):
    cards = draw_cards(make_candidates(["a", "a", "b", None, None]), 4, seed=3)
    write_test(cards, tmp_path / "form", tmp_path / "key.jsonl", overwrite=False)
    form = [json.loads(line) for line in (tmp_path / "form/form.jsonl").read_text().splitlines()]
    assert form == [{"id": card.id, "text": card.text} for card in cards]
    assert {path.name for path in (tmp_path / "form").iterdir()} == {"form.jsonl", "form.html"}
    key = [json.loads(line) for line in (tmp_path / "key.jsonl").read_text().splitlines()]
    assert [row["answer"] for row in key] == [card.answer for card in cards]
    assert [row["source"] for row in key] == [card.candidate.row["id"] for card in cards]
    assert [row.get("conversation") for row in key] == [
        card.candidate.row["conversation"] for card in cards
    ]
    assert not re.search("text", (tmp_path / "key.jsonl").read_text(), re.IGNORECASE)
    assert all(path.stat().st_mode & 0o077 == 0 for path in tmp_path.rglob("*.*"))


def test_no_key_for_readers_and_no_test_lost(tmp_path):
    cards = draw_cards(make_candidates([None] * 4), 4)
    with pytest.raises(ValueError, match="which the readers get"):
        write_test(cards, tmp_path / "form", tmp_path / "form/sub/key.jsonl", overwrite=False)
    assert not [*tmp_path.iterdir()]
    key_path = tmp_path / "key.jsonl"
    key_path.write_text("the key of an older test")
    with pytest.raises(ValueError, match="is there"):
        write_test(cards, tmp_path / "form", key_path, overwrite=False)
    assert [*tmp_path.iterdir()] == [key_path]
    write_test(cards, tmp_path / "form", key_path, overwrite=True)
    assert len(read_key(key_path)) == 4


@pytest.mark.parametrize("text", ["Hej\nAnna", "</script><b>", "<!-- ", 'a"b\\n', "{{rows}} 💊"])
def test_page_holds_any_text_and_needs_no_network(text):
    page = make_page([{"id": "x-1", "text": text}])
    (data,) = re.findall(r'<script type="application/json" id="rows">(.*?)</script>', page)
    assert json.loads(data) == [{"id": "x-1", "text": text}]
    assert page.count("</script>") == 2
    assert not re.search(r"https?:|\bsrc=|<link|@import", page)
    assert "default-src 'none'" in page


# Answers

KEY = [
    {"id": "t-1", "answer": CHANGED, "conversation": "c", "classes": ["DATE", "PERSON"]},
    {"id": "t-2", "answer": CHANGED, "conversation": "c", "classes": ["PERSON"]},
    {"id": "t-3", "answer": ORIGINAL, "classes": ["PERSON"]},
    {"id": "t-4", "answer": ORIGINAL, "classes": ["DATE"]},
]


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def score(tmp_path, **readers):
    """Score readers by the first letters of their answers; a space is no answer."""
    key = read_key(write(tmp_path / "key.jsonl", KEY))
    words = {answer[0]: answer for answer in ANSWERS}
    given = {
        name: [
            {"id": row["id"], "answer": words[letter], "certainty": 3}
            for row, letter in zip(KEY, letters)
            if letter != " "
        ]
        for name, letters in readers.items()
    }
    return score_answers(
        key,
        {
            name: read_answers(write(tmp_path / f"{name}.jsonl", rows), name, key)
            for name, rows in given.items()
        },
    )


@pytest.mark.parametrize(
    ("letters", "counts", "recall", "precision", "balanced"),
    [
        ("ccoo", (2, 0, 0, 2), 1, 1, 1),
        ("ooco", (0, 2, 1, 1), 0, 0, 0.25),
        ("cccc", (2, 0, 2, 0), 1, 0.5, 0.5),
        ("oooo", (0, 2, 0, 2), 0, None, 0.5),
        ("cocc", (1, 1, 2, 0), 0.5, 1 / 3, 0.25),
        ("cc  ", (2, 0, 0, 0), 1, 1, None),
        ("c o ", (1, 0, 0, 1), 1, 1, 1),
    ],
)
def test_measures(tmp_path, letters, counts, recall, precision, balanced):
    figures = score(tmp_path, a=letters)
    row = figures["readers"]["a"]
    assert figures["all"] == row and row["answers"] == len(letters.replace(" ", ""))
    assert (row["told"], row["missed"], row["mistaken"], row["left"]) == counts
    assert (row["recall"], row["precision"]) == (recall, precision)
    assert row["balanced_accuracy"] == balanced
    for name, value in (("precision", precision), ("balanced_accuracy", balanced)):
        assert (name in row["intervals"]) == (value is not None)
        if value is not None:
            low, high = row["intervals"][name]
            assert low <= value <= high
    assert (figures["messages"], figures["changed"]) == (4, 2)


def test_readers_are_counted_together_and_compared(tmp_path):
    figures = score(tmp_path, a="ccoo", b="coco", c="cc  ")
    assert figures["all"]["answers"] == 10
    assert figures["all"]["recall"] == 5 / 6 and figures["all"]["precision"] == 5 / 6
    first, second, third = figures["agreement"]["pairs"]
    assert (first["readers"], first["messages"], first["same"]) == (["a", "b"], 4, 0.5)
    # Each says "changed" of half: .5 by chance.
    assert first["kappa"] == 0
    # Who says one thing only agrees by chance alone.
    assert (second["messages"], second["same"], second["kappa"]) == (2, 1, None)
    assert (third["same"], third["kappa"]) == (0.5, 0)
    assert math.isclose(figures["agreement"]["same"], 2 / 3)
    assert figures["agreement"]["kappa"] == 0
    assert score(tmp_path, a="ccoo")["agreement"] == {"same": None, "kappa": None, "pairs": []}


def test_classes_of_messages_that_were_told(tmp_path):
    classes = score(tmp_path, a="coco", b="coco")["classes"]
    assert classes["DATE"] == {
        "changed": 2,
        "told": 2,
        "share_told": 1.0,
        "original": 2,
        "mistaken": 0,
        "share_mistaken": 0.0,
    }
    assert (classes["PERSON"]["share_told"], classes["PERSON"]["share_mistaken"]) == (0.5, 1.0)


def test_certainty(tmp_path):
    assert score(tmp_path, a="ccoo")["certainty"]["3"]["told"] == 2


RIGHT = {"id": "t-1", "answer": CHANGED}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "holds no answer"),
        ([RIGHT, {"id": "u-9", "answer": CHANGED}], "line 2: its id is not in the key"),
        ([{"id": ["t-1"], "answer": CHANGED}], "line 1: its id"),
        ([{"answer": CHANGED}], "line 1: its id"),
        ([{"id": "t-1", "answer": "yes Anna"}], "none of original, changed"),
        ([{"id": "t-1", "answer": ["Anna"]}], "none of original, changed"),
        ([{"id": "t-1"}], "none of original, changed"),
        ([RIGHT, RIGHT], "line 2: a second answer"),
        ([{**RIGHT, "certainty": 4}], "none of 1, 2, 3"),
        (["Anna"], "line 1"),
    ],
)
def test_wrong_answers(tmp_path, rows, said):
    key = read_key(write(tmp_path / "key.jsonl", KEY))
    with pytest.raises(ValueError, match=said) as error:
        read_answers(write(tmp_path / "a.jsonl", rows), "a", key)
    assert "Anna" not in str(error.value) and "a.jsonl" in str(error.value)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "is empty"),
        ([{"answer": CHANGED}], "'id'"),
        ([{"id": "a", "answer": "x"}], "none of original, changed"),
        ([KEY[0], KEY[0]], "an id twice"),
    ],
)
def test_wrong_key(tmp_path, rows, said):
    with pytest.raises(ValueError, match=said):
        read_key(write(tmp_path / "key.jsonl", rows))
