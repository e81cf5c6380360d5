"""What a pipeline misses, found again in its output."""

import pytest

from lab.attack.missed import list_items, make_output, write_outputs
from lab.measures.replacing import GENERATOR, make_replacing_language, replace_gold
from tests.surrogates.hand_lists import LISTS


@pytest.fixture(scope="module")
def nlp():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", "a key for the tests only")
        yield make_replacing_language(LISTS)


def make_spans(text, *phi):
    return [
        {"start": text.index(part), "end": text.index(part) + len(part), "label": label}
        for part, label in phi
    ]


ANNA, LUND, AGE = ("Anna Ek", "PERSON"), ("Lund", "LOCATION"), ("42 år", "AGE")
TEXT = "💊 Anna Ek, 42 år, ringde dr Lundin från vårdcentralen i Eslöv"
GOLD = [
    ANNA,
    AGE,
    ("dr Lundin", "PERSON"),
    ("vårdcentralen", "ORGANISATION"),
    ("Eslöv", "LOCATION"),
]


def process(nlp, found):
    """What is written where some spans are found."""
    row = {"id": "m", "text": TEXT, "spans": make_spans(TEXT, *GOLD)}
    (doc,) = replace_gold(nlp, [{**row, "spans": make_spans(TEXT, *found)}])
    (wanted,) = replace_gold(nlp, [row])
    return make_output(row, doc, wanted)


@pytest.mark.parametrize(
    ("found", "leaks", "stays"),
    [
        ([ANNA, AGE, ("dr Lundin", "PERSON")], ["Eslöv"], ["vårdcentralen"]),
        # Found, and left on purpose: no surrogate.
        ([("vårdcentralen", "ORGANISATION")], ["Anna Ek", "42", "Lundin", "Eslöv"], ["vårdcentralen"]),
        # A part is left.
        ([("Anna", "PERSON"), ("42", "AGE"), ("Lundin", "PERSON")], ["Ek", "Eslöv"], ["år", "dr", "vårdcentralen"]),
        ([("Ek", "PERSON")], ["Anna", "42", "Lundin", "Eslöv"], ["vårdcentralen"]),
        # Another class hides it as well; so does a wider span.
        ([("Anna Ek", "LOCATION"), ("42 år,", "AGE")], ["Lundin", "Eslöv"], ["vårdcentralen"]),
        ([], ["Anna Ek", "42", "Lundin", "Eslöv"], ["vårdcentralen"]),
    ],
)  # fmt: skip
def test_what_would_have_been_changed_is_a_leak(nlp, found, leaks, stays):
    output = process(nlp, found)
    read = [[output.text[start:end] for start, end, _ in part] for part in output[2:]]
    assert read[1] == leaks and sorted(read[2]) == sorted(stays)
    assert len(read[0]) == sum(part[0] != "vårdcentralen" for part in found)
    assert not {*read[0]} & {"Anna Ek", "Lundin", "42 år"}
    items = list_items([output])
    assert [item.shown.text for item in items] == [*read[0], *leaks]
    assert [item.is_leak for item in items] == [False] * len(read[0]) + [True] * len(leaks)


def test_a_pipeline_is_run(nlp):
    """One that finds names only, and in the order of the messages, conversations or not."""
    whole = make_replacing_language(LISTS)
    ruler = whole.add_pipe("entity_ruler", before=GENERATOR)
    whole.get_pipe(GENERATOR).required = []
    ruler.add_patterns([{"label": "PERSON", "pattern": name} for name in ("Anna", "Eva")])
    texts = [("a", "Hej Anna i Lund"), ("b", "Eva"), ("a", "Lund"), (None, "Hej Ulla")]
    rows = [{"id": str(i), "text": text, "spans": []} for i, (_, text) in enumerate(texts)]
    for row, (conversation, text) in zip(rows, texts):
        phi = [("Anna", "PERSON"), ("Eva", "PERSON"), LUND, ("Ulla", "PERSON")]
        row["spans"] = make_spans(text, *(one for one in phi if one[0] in text))
        if conversation:
            row["conversation"] = conversation
    outputs = write_outputs(whole, rows)
    assert [output.row for output in outputs] == rows
    leaks = [[o.text[start:end] for start, end, _ in o.leaks] for o in outputs]
    assert leaks == [["Lund"], [], ["Lund"], ["Ulla"]]
    assert [len(output.surrogates) for output in outputs] == [1, 1, 0, 0]
