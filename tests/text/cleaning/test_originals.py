"""From the replacements of the cleaned text to the de-identified original."""

from hypothesis import given
from hypothesis import strategies as st

from components.text.cleaning.clean import STEPS, clean_text
from components.text.cleaning.originals import apply_to_original
from tests.cases import cases, check_replaced
from tests.text.cleaning.test_clean import TEXTS


def make_entries(text: str, *finds: tuple[str, str, bool]) -> list[dict]:
    """Replacements as the pipeline writes them: what is found, what it becomes, whether it is kept."""
    entries: list[dict] = []
    at = shift = 0
    for find, new, kept in finds:
        at = text.index(find, at)
        entry = {"start": at, "end": at + len(find), "label": "PERSON", "replacement": new}
        entry |= {"out_start": at + shift, "out_end": at + shift + len(new)}
        entries.append(entry | ({"kept": True} if kept else {}))
        shift += len(new) - len(find)
        at += len(find)
    return entries


@st.composite
def make_replaced(draw):
    folded = clean_text(draw(TEXTS), draw(st.sets(st.sampled_from(STEPS)).map(tuple)))
    bounds = draw(st.lists(st.integers(0, len(folded.text)), max_size=8, unique=True).map(sorted))
    entries = []
    for start, end in zip(bounds[::2], bounds[1::2]):
        new = draw(st.sampled_from(["Eva", "***", "", "[PERSON]"]))
        entry = {"start": start, "end": end, "label": "DATE", "replacement": new}
        if draw(st.booleans()):
            entry |= {"replacement": folded.text[start:end], "kept": True}
        entries.append(entry)
    return folded, entries


@given(make_replaced())
def test_the_original_stays_but_for_what_is_replaced(case):
    folded, entries = case
    out, replaced = apply_to_original(folded, entries)
    original = folded.original
    assert len(replaced) == len(entries)
    check_replaced(original, out, replaced)
    for entry, old in zip(replaced, entries):
        assert entry["label"] == old["label"] and entry.get("kept") == old.get("kept")
        if entry.get("kept"):
            assert entry["replacement"] == original[entry["start"] : entry["end"]]
        else:
            assert entry["replacement"] == old["replacement"]
        # Nothing of an entity is left, but blanks at its edges that stand for markup.
        for i in range(old["start"], old["end"]):
            start, end = folded.to_original(i, i + 1)
            inside = entry["start"] <= start and end <= entry["end"]
            assert inside or folded.text[i].isspace()
    for entry in reversed(replaced):
        old = original[entry["start"] : entry["end"]]
        out = out[: entry["out_start"]] + old + out[entry["out_end"] :]
    assert out == original


@given(st.text("abc å", max_size=20), st.data())
def test_a_clean_text_is_replaced_as_the_pipeline_does(text: str, data):
    find = data.draw(st.sampled_from([text[:3], text[2:5], text]))
    entries = make_entries(text, (find, "Eva", False))
    start, end = entries[0]["start"], entries[0]["end"]
    new = text[:start] + "Eva" + text[end:]
    assert apply_to_original(clean_text(text), entries) == (new, entries)


@cases
def test_examples(text, finds, out):
    folded = clean_text(text)
    new, replaced = apply_to_original(folded, make_entries(folded.text, *finds))
    assert new == out
    told = [new[entry["out_start"] : entry["out_end"]] for entry in replaced]
    assert told == [entry["replacement"] for entry in replaced]
