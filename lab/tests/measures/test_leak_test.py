"""A test of what was missed: what is drawn, what the readers get, and how their marks are scored."""

import json

import pytest

from lab.attack.missed import Output
from lab.measures.blind_test import write_test
from lab.measures.leak_test import (
    ASKS_LEAKS,
    draw_leak_cards,
    read_leak_key,
    read_marks,
    score_marks,
)
from lab.measures.marks import Marked, measure_marks


def make_output(number, text, leaks=(), surrogates=(), stays=()):
    """A message whose spans are words of it."""
    spans = [
        [(text.index(word), text.index(word) + len(word), "PERSON") for word in words]
        for words in (surrogates, leaks, stays)
    ]
    row = {
        "id": f"m{number}",
        "conversation": f"c{number // 2}",
        "text": "the original",
        "spans": [],
    }
    return Output(row, text, *spans)


LEAKY = [make_output(n, f"💊 Räven och Anna, {n}", ["Räven"], ["Anna"]) for n in range(10)]
TIGHT = [
    make_output(n, f"Anna Ek på vårdcentralen, {n}", [], ["Anna Ek"], ["vårdcentralen"])
    for n in range(10, 40)
]
EMPTY = [make_output(n, f"Hej {n}") for n in range(40, 50)]


@pytest.mark.parametrize(
    ("number", "leaky", "all_"), [(12, 6, 12), (20, 10, 20), (30, 10, 30), (100, 10, 40)]
)
def test_half_at_most_holds_leaks(number, leaky, all_):
    cards = draw_leak_cards([*LEAKY, *TIGHT, *EMPTY], number)
    assert len(cards) == all_ and sum(bool(card.output.leaks) for card in cards) == leaky
    assert not {card.output.row["id"] for card in cards} & {output.row["id"] for output in EMPTY}
    places = [bool(card.output.leaks) for card in cards]
    assert places not in (sorted(places), sorted(places, reverse=True))


def test_nothing_missed_is_no_test():
    with pytest.raises(ValueError, match="Nothing was missed"):
        draw_leak_cards(TIGHT, 10)


@pytest.fixture
def written(tmp_path):
    cards = draw_leak_cards([*LEAKY[:2], *TIGHT[:2]], 4)
    write_test(cards, tmp_path / "form", tmp_path / "key.jsonl", False, ASKS_LEAKS)
    texts = {card.id: card.text for card in cards}
    return tmp_path, read_leak_key(tmp_path / "key.jsonl"), texts


def test_readers_get_texts_and_the_key_holds_none(written):
    folder, key, texts = written
    lines = (folder / "form/form.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [{"id": i, "text": t} for i, t in texts.items()]
    assert "Räven" not in (folder / "key.jsonl").read_text()
    page = (folder / "form/form.html").read_text()
    assert "What is real?" in page and 'const MARKS = "leaks"' in page and "{{" not in page
    assert sorted(len(right.leaks) for right in key.values()) == [0, 0, 1, 1]
    assert len({right.unit for right in key.values()}) == 2


def answer(written, name, mark):
    """Write what a reader marks, by a function of the text."""
    folder, key, texts = written
    path = folder / f"{name}.jsonl"
    rows = [{"id": id_, "real": mark(text)} for id_, text in texts.items()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read_marks(path, key, texts)


@pytest.mark.parametrize(
    ("mark", "recall", "precision", "marks"),
    [
        (lambda text: ["Räven"] * ("Räven" in text), 1, 1, 2),
        # By offsets, which count characters; in any case; a part is enough.
        (lambda text: [[2, 7]] * ("Räven" in text), 1, 1, 2),
        (lambda text: ["räve"] * ("Räven" in text), 1, 1, 2),
        (lambda text: [], 0, None, 0),
        (lambda text: ["Anna"], 0, 0, 4),
        (lambda text: ["Räven", "Anna"] if "Räven" in text else ["Anna"], 1, 1 / 3, 6),
        # Words with nothing between them are one mark; what is meant to stay is no error.
        (lambda text: ["Anna", "Ek"] if "Ek" in text else [], 0, 0, 2),
        (lambda text: ["vårdcentralen"] if "Ek" in text else ["Räven"], 1, 1, 2),
        # What is neither leak nor surrogate is one.
        (lambda text: ["på"] if "Ek" in text else ["Räven"], 1, 0.5, 4),
    ],
)  # fmt: skip
def test_measures(written, mark, recall, precision, marks):
    _, key, texts = written
    figures = score_marks(key, texts, {"a": answer(written, "a", mark)})
    row = figures["readers"]["a"]
    assert figures["all"] == row == figures["any"]
    assert (row["recall"], row["precision"], row["marks"]) == (recall, precision, marks)
    assert row["base"] == 2 / 6 and (figures["messages"], figures["leaky"]) == (4, 2)
    assert row["classes"] == {"PERSON": {"leaks": 2, "told": 2 * recall}}
    assert ("precision" in row["intervals"]) == (precision is not None)


def test_readers_together(written):
    _, key, texts = written
    one = answer(written, "a", lambda text: ["Räven"] if text.startswith("💊") else [])
    other = answer(written, "b", lambda text: [] if "Räven" in text else ["Anna Ek"])
    figures = score_marks(key, texts, {"a": one, "b": other})
    assert figures["all"]["recall"] == 0.5 and figures["any"]["recall"] == 1.0
    assert figures["all"]["precision"] == figures["any"]["precision"] == 0.5


def test_a_word_that_stands_twice_is_meant_where_it_was_missed(tmp_path):
    text = "Anna sa att anna kom"
    output = make_output(0, text, [], ["Anna"])._replace(leaks=[(12, 16, "PERSON")])
    (card,) = draw_leak_cards([output], 2)
    write_test([card], tmp_path / "form", tmp_path / "key.jsonl", False, ASKS_LEAKS)
    key = read_leak_key(tmp_path / "key.jsonl")
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": card.id, "real": ["anna"]}))
    assert read_marks(tmp_path / "a.jsonl", key, {card.id: text}) == {card.id: [(12, 16)]}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "holds no answer"), ([{"id": "u", "real": []}], "not in the key"),
        ([{"real": []}], "not in the key"), ([{}], "'real'"), ([{"real": "Räven"}], "'real'"),
        ([{"real": [""]}], "no word"), ([{"real": [3]}], "no word"), ([{"real": ["Ulla"]}], "not in the message"),
        ([{"real": [[3, 2]]}], "no .start, end."), ([{"real": [[0, 99]]}], "no .start, end."),
        ([{"real": [[0, True]]}], "no .start, end."), ([{"real": []}, {"real": []}], "second answer"),
    ],
)  # fmt: skip
def test_wrong_answers(written, rows, said):
    folder, key, texts = written
    first = {} if said == "not in the key" and "id" not in str(rows) else {"id": next(iter(texts))}
    (folder / "a.jsonl").write_text("".join(json.dumps({**first, **row}) + "\n" for row in rows))
    with pytest.raises(ValueError, match=said) as error:
        read_marks(folder / "a.jsonl", key, texts)
    assert "Ulla" not in str(error.value)


def test_intervals_are_over_conversations():
    """Ten messages of one conversation tell as much as one."""

    def mark(unit, told):
        return Marked(unit, [(0, 4)] if told else [], [(0, 4, "PERSON")], [], [])

    many = measure_marks([mark(n, n % 2) for n in range(100)])["intervals"]["recall"]
    few = measure_marks([mark(n // 50, n // 50) for n in range(100)])["intervals"]["recall"]
    assert many[0] > 0.35 and many[1] < 0.65 and few == [0.0, 1.0]
