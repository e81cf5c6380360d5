"""Search, settling, agreement, order and suggestions."""

import re
from pathlib import Path

import pytest

from components import annotate
from components.annotate.app import LANGUAGES
from components.annotate.beginning import add_layers, order_messages, suggest
from components.annotate.choices import By, Order
from components.annotate.desk import SEEN, Change, Desk
from components.annotate.edits import EditError
from components.annotate.guidelines import render_guidelines
from components.annotate.search import SearchError, look_up, search
from components.annotate.store import SETTLED, STATUSES, Store
from components.measures.evaluation import HEADLINES

ROWS = [
    {"id": "1", "text": "Hej, jag heter Anna Lind och är 34 år.", "conversation": "k"},
    {"id": "2", "text": "Ring Bo Ek i Lund, anna!", "conversation": "k"},
    {"id": "3", "text": "Ont i magen."},
]


@pytest.fixture
def desk(tmp_path):
    store = Store(tmp_path / "gold.sqlite")
    store.add(ROWS)
    yield Desk(store)
    store.close()


def finish(desk, layer, place, *spans, status="done"):
    state = desk.store.get(place, layer)
    marks = [{"start": start, "end": end, "label": label} for start, end, label in spans]
    return desk.store.change(state, marks, status=status, seconds=6)


def test_a_search_ignores_case_and_marks_whole_words_where_nothing_is(desk):
    hits = desk.find("ann|lin")
    assert [(hit.place, hit.start) for hit in hits] == [(0, 15), (0, 20), (1, 19)]
    whole = [(hit.place, hit.start) for hit in desk.find("anna|li", whole=True)]
    assert whole == [(0, 15), (1, 19)]
    finish(desk, "ina", 0, (15, 24, "PERSON"))
    assert desk.mark_all("ina", hits, "PERSON") == 1
    assert desk.store.get(1, "ina").marks == [{"start": 19, "end": 23, "label": "PERSON"}]
    desk.apply(desk.store.get(1, "ina"), Change("undo"))
    assert desk.store.get(1, "ina").marks == []


def test_what_a_search_has_marked_is_taken_back_where_nothing_was_changed_since(desk):
    assert desk.mark_all("ina", desk.find("anna"), "PERSON") == 2
    desk.store.change(desk.store.get(1, "ina"), [])
    assert desk.take_back("ina") == 1
    assert desk.store.get(0, "ina").marks == []
    assert desk.take_back("ina") == desk.take_back("bo") == 0


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|aa)*c", "(a*)*x", "(", "[a", "*"])
def test_a_pattern_that_runs_away_or_is_none_is_given_up(pattern):
    said = "runaway" if len(pattern) > 2 else "no_regex"
    with pytest.raises(SearchError, match=said):
        search([(0, "a" * 5000 + "!bcx")], pattern)


def test_all_messages_together_have_a_limit_of_time():
    with pytest.raises(SearchError, match="slow"):
        search(((place, "anna") for place in range(10)), "b", patience=0)


def test_how_a_word_was_annotated_before():
    marks = [{"start": 0, "end": 4, "label": "PERSON"}]
    history = look_up("anna", [(0, "Anna kom", marks), (1, "annan", []), (2, "ANNA", [])])
    assert history.counts == {"PERSON": 1, "": 1}
    assert history.examples["PERSON"][0].after == " kom"
    assert not look_up("?!", [(0, "?!", [])]).counts


def test_progress_and_speed(desk):
    finish(desk, "ina", 0, (15, 24, "PERSON"))
    finish(desk, "ina", 1, status="skipped")
    progress = desk.get_progress("ina")
    assert progress.counts == {"open": 1, "done": 1, "doubtful": 0, "skipped": 1}
    assert progress.messages_a_minute == pytest.approx(10)
    assert desk.get_progress("bo").messages_a_minute == 0


def test_differences_are_settled_one_by_one_and_who_decided_is_kept(desk):
    finish(desk, "ina", 0, (15, 24, "PERSON"), (32, 37, "AGE"))
    assert desk.find_stretches(0) == []
    finish(desk, "bo", 0, (15, 19, "PERSON"), (32, 37, "AGE"))
    assert desk.find_disputed() == [(0, False)]
    assert [row["id"] for row in desk.get_rows(SETTLED)] == []
    names, _ = desk.find_stretches(0)
    bos, inas = [(15, 19, "PERSON")], [(15, 24, "PERSON")]
    assert names.variants == [(bos, ["bo"]), (inas, ["ina"]), ([], [])]
    desk.decide(0, 0, 1, "eva")
    assert desk.find_disputed() == [(0, True)]
    (row,) = desk.get_rows(SETTLED)
    assert row["spans"] == [
        {"start": 15, "end": 24, "label": "PERSON", "annotators": ["ina"], "decided_by": "eva"},
        {"start": 32, "end": 37, "label": "AGE", "annotators": ["bo", "ina"]},
    ]
    # Kept in the file; and no longer valid where an annotator has changed his mind.
    assert desk.store.decisions[0][0]["by"] == "eva"
    finish(desk, "bo", 0, (20, 24, "PERSON"), (32, 37, "AGE"))
    assert desk.find_disputed() == [(0, False)]


@pytest.mark.parametrize("status", ["done", "skipped"])
def test_a_message_that_was_hardly_on_screen_is_not_finished(desk, status):
    state = desk.store.get(0, "ina")
    with pytest.raises(EditError, match="unseen"):
        desk.apply(state, Change("status", status=status, seconds=SEEN / 2))
    # What it was looked at before counts, too.
    state = desk.apply(state, Change("mark", 15, 24, "PERSON", seconds=SEEN))
    assert desk.apply(state, Change("status", status=status)).status == status


def test_whoever_settles_may_mark_the_message_anew(desk):
    finish(desk, "ina", 0, (15, 24, "PERSON"), (32, 37, "AGE"))
    finish(desk, "bo", 0, (15, 19, "PERSON"), (32, 37, "AGE"))
    state = desk.begin_settling(0)
    assert [mark["suggested"] for mark in state.marks] == [True, False]
    state = desk.apply(state, Change("mark", 9, 24, "LOCATION"), "eva")
    # What was begun is there again, undo goes back to its beginning, and nobody has decided yet.
    assert desk.begin_settling(0) == state
    assert desk.apply(state, Change("undo"), "eva").marks[0]["label"] == "PERSON"
    state = desk.apply(desk.store.get(0, SETTLED), Change("redo"), "eva")
    assert desk.find_disputed() == [(0, False)]
    assert desk.store.layers == ["bo", "ina"]
    state = desk.apply(state, Change("status", status="done", seconds=1), "eva")
    assert desk.find_disputed() == [(0, True)]
    (row,) = desk.get_rows(SETTLED)
    assert row["spans"] == [
        {"start": 9, "end": 24, "label": "LOCATION", "annotators": [], "decided_by": "eva"},
        {"start": 32, "end": 37, "label": "AGE", "annotators": ["bo", "ina"]},
    ]
    # It can be marked again from what was settled, or one annotator's choice be taken for the whole.
    assert [mark["label"] for mark in desk.begin_settling(0).marks] == ["LOCATION", "AGE"]
    desk.decide(0, 0, 1, "kim")
    assert desk.get_rows(SETTLED)[0]["spans"][0]["decided_by"] == "kim"
    # An annotator who has changed his mind opens it again.
    finish(desk, "bo", 0, (32, 37, "AGE"))
    assert desk.find_disputed() == [(0, False)]


def test_agreement_is_measured_on_what_two_have_finished(desk):
    assert desk.get_agreement() is None
    for layer in ("bo", "ina"):
        finish(desk, layer, 0, (15, 24, "PERSON"))
        finish(desk, layer, 1, (5, 10, "PERSON"))
    assert desk.get_agreement()["mean"]["kappa"] == 1
    finish(desk, "bo", 1, (5, 10, "LOCATION"))
    assert desk.get_agreement()["mean"]["f"] == 0.5


def test_what_others_have_done_elsewhere_is_taken_over(desk):
    rows = [{**ROWS[0], "spans": [{"start": 15, "end": 24, "label": "PERSON", "x": 1}]}]
    add_layers(desk.store, {"ina@example.com": rows})
    assert desk.store.layers == ["ina-example.com"]
    (row,) = desk.get_rows("ina-example.com")
    assert row["spans"] == [{"start": 15, "end": 24, "label": "PERSON"}]


@pytest.mark.parametrize(
    "by, found", [("rules", "34 år"), ("lists", "Anna Lind"), ("pipeline", "")]
)
def test_what_suggests(tiny_nlp, by, found):
    marks, *others = suggest(tiny_nlp, ROWS, By(by))
    assert len(others) == 2
    assert {ROWS[0]["text"][mark["start"] : mark["end"]] for mark in marks} == {found} or not found


@pytest.mark.parametrize("by", Order)
def test_an_order_has_every_message_once(tiny_nlp, by):
    order = order_messages(ROWS, by, tiny_nlp, seed=1)
    assert sorted(order) == [0, 1, 2]
    if by is Order.RANDOM:
        assert abs(order.index(0) - order.index(1)) == 1, "conversations stay whole"


def test_the_pipeline_is_measured_on_it(tmp_path, tiny_nlp):
    store = Store(tmp_path / "gold.sqlite")
    store.add(ROWS)
    desk = Desk(store, lambda: tiny_nlp)
    assert desk.evaluate("ina") is None
    finish(desk, "ina", 0, (15, 24, "PERSON"), (32, 37, "AGE"))
    assert desk.evaluate("ina").scores.entity().gold == 2
    store.close()


@pytest.mark.parametrize("words", LANGUAGES.values(), ids=LANGUAGES)
def test_everything_has_words(words):
    assert {*STATUSES} == words["statuses"].keys()
    assert HEADLINES.keys() == words["headlines"].keys()
    assert LANGUAGES["en"]["headlines"] == HEADLINES
    files = Path(annotate.__file__).parent.glob("*.py")
    code = "".join(path.read_text("utf8") for path in files)
    raised = {*re.findall(r"(?:Edit|Search)Error\(\"(\w+)\"\)", code)}
    assert raised == words["errors"].keys()
    assert {*re.findall(r"yield \"(\w+)\"", code)} | {"unmarked"} == words["checks"].keys()


@pytest.mark.parametrize("language, says", [("en", "Span bounda"), ("sv", "Markeringens gränser")])
def test_the_guidelines_call_classes_as_the_page_does(language, says):
    html = render_guidelines(language)
    assert says in html
    assert "[[" not in html and ".md" not in html
    assert "PERSON" not in html.replace('class="PERSON"', "")
