import pytest
from spacy.tokens import Span

import components  # noqa: F401
from components.measures.faults import find_faults
from components.measures.figures import NOTHING
from components.merging.finds import SOURCES
from components.text.hits import write_hits
from tests.cases import cases, read_cases
from tests.surrogates.hand_lists import make_doc as read
from training_tools.report.errors import make_error_outcome, make_faults_page
from training_tools.report.fault_counts import ORIGINS, count_faults, get_family, make_confusions

# Annotated, found, and what is wrong.
CASES = read_cases(__file__)["cases"]


def make_case(annotated, found):
    gold, doc = read(annotated), read(found)
    spans = [{"start": e.start_char, "end": e.end_char, "label": e.label_} for e in gold.ents]
    return {"id": "1", "text": gold.text, "spans": spans}, doc


@pytest.mark.parametrize(("annotated", "found", "wrong"), CASES)
def test_find_faults(annotated, found, wrong):
    row, doc = make_case(annotated, found)
    assert [(fault.kind, fault.gold, fault.found) for fault in find_faults(row, doc)] == wrong


def test_what_dropped_it_is_told():
    row, doc = make_case("[Eva|PERSON] kom", "Eva kom")
    write_hits(doc, "doubted", [(Span(doc, 0, 1, "PERSON", span_id="doubt.form"), 0.4)])
    (fault,) = find_faults(row, doc)
    assert fault.by == "doubt.form" and fault.score is None


def test_counts_add_up_and_hold_no_message():
    cases = [make_case(annotated, found) for annotated, found, _ in CASES]
    rows, faults = [row for row, _ in cases], [[*find_faults(*case)] for case in cases]
    counts = count_faults(fault for own in faults for fault in own)
    confusions = make_confusions(rows, faults)
    n_faults = sum(len(wrong) for *_, wrong in CASES)
    for table in counts.values():
        assert sum(sum(kinds.values()) for kinds in table.values()) == n_faults
    assert confusions["PERSON"]["LOCATION"] == 1
    assert confusions["PERSON"][NOTHING] == 1
    assert confusions[NOTHING]["PERSON"] == 2
    n_gold = sum(sum(row.values()) for gold, row in confusions.items() if gold != NOTHING)
    assert n_gold == sum(len(row["spans"]) for row in rows)
    outcome = make_error_outcome("made", confusions, counts, 8)
    matrix, by_class, by_origin, _ = outcome.tables
    assert matrix.rows[0][:3] == ["PERSON", "5", "1"]
    assert by_class.head == ["class", "missed", "cut", "spurious", "label", "bounds"]
    assert by_class.rows[0][0] == "PERSON"
    assert [row[0] for row in by_origin.rows] == [ORIGINS[NOTHING]]
    assert outcome.says.startswith("9 errors in 8 messages: 3 leave something")
    assert "Eva" not in str(outcome) and not outcome.plots
    nothing = make_error_outcome("made", make_confusions([], []), count_faults([]), 0)
    assert nothing.says.startswith("0 errors in 0 messages")


@cases
def test_families(by, family):
    assert get_family(by) == family and family in ORIGINS
    assert {get_family(source) for source in SOURCES} == {*ORIGINS} - {"rule", NOTHING}


def test_page_is_one_file_and_escapes():
    row, doc = make_case("[Eva|PERSON] <script>", "Eva <script>")
    faults = [*find_faults(row, doc)]
    outcome = make_error_outcome("made", make_confusions([row], [faults]), count_faults(faults), 1)
    page = make_faults_page("a & b", outcome, [(row, doc, faults)], 3)
    assert "<script" not in page and "a &amp; b" in page and "3 more" in page
    assert '<a href="#message-1">1</a>' in page and 'id="message-1"' in page
    # White space is shown as it is, so an entity holds none of the page's own.
    assert ">Eva<small>PERSON</small></mark>" in page
    assert "http:" not in page and "https:" not in page and "src=" not in page
