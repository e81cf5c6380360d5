"""What is said of a run that may be wrong."""

from components.reports.concerns import find_concerns, find_lonely, write_percent
from components.reports.summary import Summary
from tests.cases import cases, read_cases

CASES = read_cases(__file__)
(COUNTS,) = CASES["a_run_with_which_nothing_is_wrong"]


def make(**more):
    return Summary.from_dict({**Summary().to_dict(), **COUNTS, **more})


@cases
def test_rows_that_are_read_one_by_one(counts, said):
    summary = make(
        columns={name: {} for name in ("Chat_ID", "case", "note", "meta.chat")}, **counts
    )
    lonely = find_lonely(summary)
    assert bool(lonely) == bool(said) and said in "".join(lonely)
    assert {*lonely} <= {*find_concerns(summary, True)}


def test_nothing_to_say():
    assert find_concerns(make(), True) == []
    (said,) = find_concerns(make(), False)
    assert said.startswith("SV_DEID_KEY was not set")


@cases
def test_limits(more, start):
    (said,) = (text for text in find_concerns(make(**more), True) if text.startswith(start))
    assert said not in find_concerns(make(), True)


@cases
def test_parts_that_find_nothing(full, found, said):
    """The model, of many entities; a class, in many messages, unless the model knows one alone."""
    texts = find_concerns(make(found=found, messages=full, empty=0, failed={}), True)
    told = [text for text in texts if text.startswith(("No ", "The model found none"))]
    assert len(told) == len(said) and all(map(str.startswith, told, said))


@cases
def test_percent(share, text):
    assert write_percent(share) == text
