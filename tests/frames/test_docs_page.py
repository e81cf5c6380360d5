"""The examples of docs/frames.md."""

import re
import runpy
import sys
from functools import partial
from types import ModuleType

import pandas as pd
import polars as pl
import spacy

from components.frames.frame import deidentify_frame
from tests.conftest import ROOT


def test_examples(make_nlp, tmp_path, monkeypatch):
    page = (ROOT / "docs" / "frames.md").read_text(encoding="utf8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)
    nlp = make_nlp()
    package = ModuleType("sv_deid_chat")
    package.deidentify_frame = partial(deidentify_frame, nlp=nlp)
    monkeypatch.setitem(sys.modules, "sv_deid_chat", package)
    monkeypatch.setattr(spacy, "load", {"sv_deid_chat": nlp}.__getitem__)
    shown = []
    names = {"print": shown.append}
    for number, block in enumerate(blocks):
        path = tmp_path / f"{number}.py"
        path.write_text(block, encoding="utf8")
        names = runpy.run_path(str(path), {**names, "print": shown.append})
    pandas_frame, polars_frame = shown
    assert isinstance(pandas_frame, pd.DataFrame) and isinstance(polars_frame, pl.DataFrame)
    df = names["df"]
    assert pandas_frame.drop(columns="text").equals(df.drop(columns="text"))
    assert [*pandas_frame["text"]][:2] != [*df["text"]][:2]
    assert names["nlp"] is nlp and nlp.get_pipe("phi_ner").threshold == 0.1
