"""Each system learns a small corpus, finds in it what is there, and is the same when read from disk."""

import pytest
from spacy.util import fix_random_seed

from lab.systems.base import get_f1, get_size
from lab.systems.crf import Crf
from lab.systems.lstm import Lstm
from lab.systems.spacy_cnn import SpacyCnn
from lab.systems.thesis_rules import ThesisRules

UNSEEN = ["Hej, jag heter Stina Berg", "", " \n ", "Ring Kajsa på 070-1740699 🙂", "🙂"]
SYSTEMS = {
    "crf": lambda lists: Crf(30),
    "lstm": lambda lists: Lstm(crf=False, epochs=12, batch=1),
    "lstm-crf": lambda lists: Lstm(crf=True, epochs=12, batch=1),
    "spacy-cnn": lambda lists: SpacyCnn(60),
    "thesis-rules": lambda lists: ThesisRules(lists),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_learns_and_is_saved(name, rows, lists_path, tmp_path):
    system = SYSTEMS[name](lists_path)
    system.fit(rows, rows[:8], seed=0)
    assert get_f1(system, rows) > (0.25 if name == "thesis-rules" else 0.9)
    found = system.find(UNSEEN)
    assert [len(found[i]) for i in (1, 2)] == [0, 0]
    system.to_disk(tmp_path)
    assert get_size(tmp_path) > 100
    read = SYSTEMS[name](lists_path)
    read.from_disk(tmp_path)
    assert read.find(UNSEEN) == found


def test_a_seed_repeats_itself(rows):
    runs = []
    for seed in (1, 1, 2):
        system = Lstm(crf=True, epochs=2, batch=8)
        system.fit(rows, rows[:4], seed=seed)
        runs.append(system.network.output.weight.tolist())
        fix_random_seed(9)
    assert runs[0] == runs[1] != runs[2]


def test_what_is_found_does_not_hang_on_the_batch(rows):
    system = Lstm(crf=True, epochs=12, batch=4)
    system.fit(rows, rows[:8], seed=0)
    texts = [row["text"] for row in rows] + [" ".join(row["text"] for row in rows[:8])]
    assert system.find(texts) == [system.find([text])[0] for text in texts]
