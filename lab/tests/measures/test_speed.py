"""What the speed is measured against."""

import json

import spacy

from components.model.encoder import get_network
from lab.measures import speed
from lab.measures.speed import KB_SHAPE, make_bare, take_shape, time_pipes, time_rounds
from lab.scripts import benchmark

TEXTS = ["Hej Anna Lind, 34 år.", "", "Ring 070-1740605 den 3 maj! " * 20]


def test_rounds_are_run_side_by_side():
    order: list[str] = []
    runs = {"a": lambda: order.append("a"), "b": lambda: order.append("b")}
    times = time_rounds(runs, 3)
    assert order == ["a", "b"] * 4
    assert times["a"].seconds > 0 and times["a"].spread >= 0


def test_other_shape(tiny_path):
    nlp = spacy.load(tiny_path)
    shape = {name: value // 12 for name, value in KB_SHAPE.items()}
    take_shape(nlp, {**shape, "num_hidden_layers": 3})
    docs = [*nlp.pipe(TEXTS)]
    assert nlp.get_pipe("transformer").model.get_dim("nO") == 64
    # Rules still find, the model nothing.
    assert [ent.label_ for ent in docs[2].ents][:2] == ["PHONE", "DATE"]
    assert not any(doc.spans["phi"] for doc in docs)


def test_bare_passes_read_all(tiny_nlp, monkeypatch):
    seen = []
    network = get_network(tiny_nlp.get_pipe("transformer").model)
    monkeypatch.setattr(network, "read", lambda ids, lengths: seen.append(sum(lengths)))
    make_bare(tiny_nlp, [tiny_nlp.make_doc(text) for text in TEXTS])()
    assert sum(seen) > 50


def test_pipes_are_timed(tiny_nlp):
    times = time_pipes(tiny_nlp, TEXTS, 1)
    assert [*times] == ["tokenizer", *tiny_nlp.pipe_names]
    assert all(ms > 0 for ms in times.values())


def test_memory_is_sampled(tiny_path):
    memory = speed.get_memory(str(tiny_path), TEXTS, 25, 10)
    assert [*memory] == [10, 20, 25]
    # What torch and spaCy take by themselves is more than a hundred, and no test takes ten thousand.
    assert all(100 < megabytes < 10_000 for megabytes in memory.values())


def test_benchmark(monkeypatch, tiny_path, tmp_path):
    monkeypatch.setattr(benchmark, "KB_SHAPE", {"hidden_size": 64, "num_hidden_layers": 3})
    monkeypatch.setattr(benchmark, "N_PROCESSES", 20)
    data, page = tmp_path / "data.jsonl", tmp_path / "page.md"
    rows = [
        {"id": "1", "text": "Hej Anna", "spans": [{"start": 4, "end": 8, "label": "PERSON"}]},
        {"id": "2", "text": "Tar 5 mg Waran. " * 5, "spans": []},
    ]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf8")
    page.write_text("<!-- speed -->\n<!-- /speed -->\n", encoding="utf8")
    benchmark.benchmark(tiny_path, data, tmp_path / "metrics.json", page, 1, 1, 20)
    figures = json.loads((tmp_path / "metrics.json").read_text(encoding="utf8"))
    assert figures["messages"] == 2 and set(figures["memory"]) == {"20"}
    text = page.read_text(encoding="utf8")
    assert "| its own encoder |" in text and "| two processes against one |" in text
    assert "Anna" not in text and "Waran" not in text
