"""Messages for the engines beyond one machine, and what one machine makes of them."""

import polars as pl
import pytest
import spacy

from components.frames.frame import deidentify_frame

KEY = "a key for the tests"
TEXTS = [
    "Hej, jag heter Anna Lind och är 34 år.", "anna igen", None, "Ring 070-174 06 05, hälsar Bo",
    "Sen 3 maj bor Anna i Lund", "knurvla", "0701740605, Bo Ek",
]  # fmt: skip
NAMES = ["n", "conversation", "text", "big", "known"]


def make_rows():
    """Messages of conversations, of some more than a batch, and of none."""
    ids = ["a", "b", None, "c", "a", "d", "b", "a", "e"]
    return [
        (
            n, ids[n % len(ids)], TEXTS[n % len(TEXTS)], None if n % 3 else 2**60 + n,
            [{"name": "Knurvla Ek", "phone": ["070-1740605"]}] if n % 10 == 0 else None,
        )
        for n in range(60)
    ]  # fmt: skip


def make_expected(path):
    """What a frame becomes, as rows without what is known."""
    frame = pl.DataFrame({name: [*cells] for name, cells in zip(NAMES, zip(*make_rows()))})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", KEY)
        nlp = spacy.load(path)
        return deidentify_frame(frame, conversation="conversation", known="known", nlp=nlp).rows()
