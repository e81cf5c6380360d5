"""What counts as a name never seen, and the table of the ablation."""

from pathlib import Path

import pytest
from transformers import BertConfig, BertModel, BertTokenizerFast

from lab.scripts.ablate_encoder import (
    WITHOUT_LISTS,
    gather_words,
    is_unseen,
    lower,
    make_random,
    print_table,
)
from scripts.train import get_overrides

KNOWN = {"anna", "berg", "lund", "dr", "i"}


@pytest.mark.parametrize(
    ("text", "unseen"),
    [
        ("Kvistgren", True),
        ("kvistgrens", True),
        ("Anna Kvistgren", False),
        ("Annas", False),
        ("BERG", False),
        ("Yrsa-Li Kvistgren", True),
        ("413 45", False),
        ("413 45 Kvistby", True),
    ],
)
def test_is_unseen(text: str, unseen: bool):
    assert is_unseen(text, KNOWN) == unseen


def test_gathers_the_words_of_messages_and_lists(tmp_path: Path):
    (tmp_path / "names.tsv").write_text("# facts\nname\tkind\nKvist Gren\tx\n", encoding="utf8")
    words = gather_words([{"id": "1", "text": "Hej Åsa-Li, 3 st", "spans": []}], tmp_path)
    assert words == {"hej", "åsa", "li", "st", "kvist", "gren", "x"}


@pytest.mark.parametrize(("text", "lowered"), [("Hej DU", "hej du"), ("İda", "İda")])
def test_lower_keeps_offsets(text: str, lowered: str):
    assert lower({"text": text, "spans": []})["text"] == lowered


def test_random_encoder_has_the_shape_but_not_the_weights(tmp_path: Path):
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n", encoding="utf8")
    config = BertConfig(
        vocab_size=6, hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8
    )
    model = BertModel(config)
    model.save_pretrained(tmp_path)
    BertTokenizerFast(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    other = BertModel.from_pretrained(make_random(tmp_path, tmp_path / "random"))
    assert other.config.hidden_size == 8
    assert not other.embeddings.word_embeddings.weight.equal(
        model.embeddings.word_embeddings.weight
    )
    assert BertTokenizerFast.from_pretrained(tmp_path / "random").vocab_size == 6


def test_table_has_mean_and_spread(capsys: pytest.CaptureFixture):
    print_table({"none": [{"strict": 0.4, "n": 12}, {"strict": 0.6, "n": 12}]})
    assert capsys.readouterr().out.splitlines() == [
        "| variant | strict | n |",
        "| --- | --- | --- |",
        "| none | 0.500 ± 0.141 | 12 |",
    ]


def test_overrides_without_lists(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SPACY_CONFIG_OVERRIDES", WITHOUT_LISTS)
    overrides = get_overrides("")
    assert "gazetteer_matcher" not in overrides["nlp.pipeline"]
    assert overrides["training.annotating_components"] == ["entity_ruler"]
