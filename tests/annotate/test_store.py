"""The file: nothing is lost, nothing is overwritten, nobody else reads it."""

import os
import signal
import sqlite3
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.annotate.store import ConflictError, State, Store, StoreError, check_layer
from components.vault import Vault, VaultError
from tests.conftest import ROOT, run_python

ROWS = [{"id": str(number), "text": f"Hej Anna {number}"} for number in range(4)]
MARK = {"start": 4, "end": 8, "label": "PERSON"}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "gold.sqlite"


@pytest.fixture
def store(path):
    store = Store(path)
    store.add(ROWS)
    yield store
    store.close()


def reopen(store, vault=None):
    store.close()
    return Store(store.path, vault)


def test_what_was_saved_is_there_again(store):
    state = store.change(store.get(1, "ina"), [MARK], comment="is it?", seconds=2.5)
    state = store.change(state, status="doubtful")
    for file in store.path.parent.iterdir():
        assert file.stat().st_mode & 0o077 == 0, "only its owner may read it"
    again = reopen(store)
    assert again.get(1, "ina") == state
    told = ("doubtful", "is it?", 2.5, 2)
    assert (state.status, state.comment, state.seconds, state.revision) == told
    assert again.get(0, "ina") == State(0, "ina", marks=[])
    assert again.layers == ["ina"]
    again.close()
    with pytest.raises(StoreError, match="without encryption"):
        Store(store.path, Vault(Vault.new_key()))


def test_a_change_on_what_is_no_longer_shown_is_refused(store):
    shown = store.get(0, "ina")
    store.change(shown, [MARK])
    with pytest.raises(ConflictError):
        store.change(shown, [])
    with pytest.raises(ConflictError):
        store.undo(State(0, "ina", 0, 1, 1))
    assert store.get(0, "ina").marks == [MARK]
    # Another annotator's layer is another thing.
    store.change(store.get(0, "bo"), [])


@given(
    st.lists(st.one_of(st.integers(0, 5), st.sampled_from(["undo", "redo", "reopen"])), max_size=15)
)
def test_undo_and_redo_go_back_and_forth_also_after_reopening(tmp_path_factory, actions):
    store = Store(tmp_path_factory.mktemp("undo") / "gold.sqlite")
    store.add(ROWS, [[MARK], [], [], []])
    history, at = [[{**MARK, "suggested": True}]], 0
    for action in actions:
        state = store.get(0, "ina")
        if action == "undo":
            store.undo(state)
            at = max(at - 1, 0)
        elif action == "redo":
            store.undo(state, -1)
            at = min(at + 1, len(history) - 1)
        elif action == "reopen":
            store = reopen(store)
        else:
            marks = [{"start": action, "end": action + 1, "label": "AGE"}]
            store.change(state, marks)
            if marks != history[at]:
                history[at + 1 :] = [marks]
                at += 1
        assert store.get(0, "ina").marks == history[at]
    store.close()


def test_what_was_begun_with_other_marks_goes_back_to_them(store):
    state = store.begin(store.change(store.get(0, "ina"), []), [MARK])
    assert store.undo(state).marks == [MARK]
    state = store.change(state, [])
    again = reopen(store)
    assert again.get(0, "ina") == state
    assert again.undo(state).marks == [MARK]
    again.close()


def test_encrypted_it_shows_nothing(path):
    vault = Vault(Vault.new_key())
    store = Store(path, vault)
    store.add([{"id": "Knurvel", "text": "Hej Anna Knurvelstocksfnatt"}], [[MARK]])
    store.change(store.get(0, "ina"), [MARK], comment="Knurvelstocksfnatt")
    store.decide(0, {"by": "bo", "choices": {"Knurvel": []}, "spans": []})
    for file in path.parent.iterdir():
        assert b"nurvel" not in file.read_bytes()
    again = reopen(store, vault)
    assert again.rows[0]["id"] == "Knurvel"
    again.close()
    with pytest.raises(VaultError, match="another key"):
        Store(path, Vault(Vault.new_key()))
    with pytest.raises(StoreError, match="--encrypt"):
        Store(path)


def test_another_file_is_refused(path):
    path.write_bytes(b"no base of data at all, " * 100)
    with pytest.raises(StoreError, match="no file of an annotation"):
        Store(path)
    path.unlink()
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE other (x)")
    base.commit()
    base.close()
    with pytest.raises(StoreError, match="no file of an annotation"):
        Store(path)


def test_two_processes_do_not_share_it(store):
    code = (
        "import sys; from pathlib import Path; from components.annotate.store import Store; "
        "Store(Path(sys.argv[1]))"
    )
    done = run_python(code, store.path)
    assert "Another process has" in done.stderr


def test_a_killed_process_loses_nothing_that_it_told_of(store):
    store.close()
    code = (
        "import sys; from pathlib import Path; from components.annotate.store import Store\n"
        "store = Store(Path(sys.argv[1])); n = 0\n"
        "while True:\n"
        "    store.change(store.get(0, 'ina'), [{'start': 0, 'end': n + 1, 'label': 'AGE'}])\n"
        "    n += 1; print(n, flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, store.path], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    told = 0
    for line in process.stdout:
        told = int(line)
        if told == 40:
            break
    os.kill(process.pid, signal.SIGKILL)
    told = max([told, *map(int, process.stdout.read().split())])
    process.wait()
    again = Store(store.path)
    state = again.get(0, "ina")
    assert told <= state.revision <= told + 1
    assert state.marks == [{"start": 0, "end": state.revision, "label": "AGE"}]
    again.close()


def test_the_next_message_is_one_that_is_not_finished(path):
    store = Store(path)
    store.add(ROWS, order=[2, 0, 3, 1])
    assert store.find_next("ina") == 2
    store.change(store.get(2, "ina"), status="done")
    store.change(store.get(3, "ina"), status="skipped")
    assert store.find_next("ina") == 0
    assert store.find_next("ina", after=0) == 1
    assert store.find_next("ina", after=1) == 0
    neighbours = [store.get_neighbour(*each) for each in ((2, -1), (2, 1), (1, 1))]
    assert neighbours == [None, 0, None]
    for place in (0, 1):
        store.change(store.get(place, "ina"), status="done")
    assert store.find_next("ina") is None
    assert store.find_next("bo") == 2
    store.close()


@pytest.mark.parametrize("name", ["", "settled", "a/b", "x" * 41, "<b>", "-", "a\nb"])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(StoreError):
        check_layer(name)
    assert check_layer(" Åsa Öberg ") == "Åsa Öberg"
