"""The parrot attack: it tells leaks that look like no surrogate, and not those that look like one."""

from random import Random

import pytest

from lab.attack.missed import Output
from lab.attack.parrot import BLIND, CHOOSING, SEEING, attack
from lab.measures.marks import measure_marks

NAMES = ["Anna", "Karin", "Lena", "Sara", "Nils", "Olof", "Sven", "Erik"]
FORMS = ["Hej, jag heter {} och har ont", "Ring {} i morgon", "Det var {} som sa det", "Mvh {}"]


def make_outputs(leak_of, size=200):
    """Messages with a name each; a tenth of them was missed, and is what `leak_of` draws."""
    rng = Random(0)
    outputs = []
    for number in range(size):
        is_leak = number % 10 == 0
        name = leak_of(rng) if is_leak else rng.choice(NAMES)
        form = rng.choice(FORMS)
        text, start = form.format(name), form.index("{")
        span = (start, start + len(name), "PERSON")
        row = {"id": str(number), "conversation": f"c{number // 4}", "text": text, "spans": []}
        outputs.append(Output(row, text, [] if is_leak else [span], [span] if is_leak else [], []))
    return outputs


def score(outputs):
    return {name: measure_marks(marked) for name, marked in attack(outputs).items()}


def test_what_looks_like_no_surrogate_is_told():
    """A name in lower case, in a place where names are not: none is tagged, all are told."""
    outputs = make_outputs(lambda rng: "blöjan")
    for place, output in enumerate(outputs):
        if output.leaks:
            text = f"{'så var det igen ' * (place % 3 + 1)}att {place * 7919} kom"
            start = text.index(str(place * 7919))
            leak = (start, start + len(str(place * 7919)), "PERSON")
            outputs[place] = output._replace(text=text, leaks=[leak])
    figures = score(outputs)
    assert figures[CHOOSING]["recall"] == figures[CHOOSING]["precision"] > 0.5
    assert figures[CHOOSING]["base"] == pytest.approx(0.1)


def test_what_looks_like_a_surrogate_hides_among_them_but_not_beside_labels():
    figures = score(make_outputs(lambda rng: rng.choice(NAMES)))
    assert figures[BLIND]["recall"] < 0.2
    assert figures[CHOOSING]["recall"] < 0.4
    # Who sees what was replaced tags the others.
    assert figures[SEEING]["recall"] > 0.8 and figures[SEEING]["precision"] > 0.8
    assert {name: row["leaks"] for name, row in figures.items()} == dict.fromkeys(figures, 20)


def test_it_learns_from_other_conversations_only(monkeypatch):
    learned, told = [], []

    class Spy:
        def fit(self, train, dev, seed):
            self.learned = {row["text"] for row in train}
            learned.append(len(train))

        def rate(self, texts):
            assert self.learned.isdisjoint(texts)
            told.extend(texts)
            return [[] for _ in texts]

    monkeypatch.setattr("lab.attack.parrot.Crf", Spy)
    # Turns of a conversation say the same, and no two conversations do.
    outputs = [
        Output(
            {"id": str(n), "conversation": f"c{n // 4}", "text": "", "spans": []},
            f"{n // 4}",
            [],
            [],
            [],
        )
        for n in range(80)
    ]
    marked = attack(outputs)
    assert learned == [40] * 4 and sorted(told) == sorted(2 * [o.text for o in outputs])
    assert [one.unit for one in marked[BLIND]] == [number // 4 for number in range(80)]
