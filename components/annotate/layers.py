"""What annotators have made of the messages elsewhere."""

import re
from collections.abc import Mapping, Sequence

from ..measures.gold import Row
from .edits import accept
from .store import DONE, Store, StoreError, check_layer


def add_layers(store: Store, layers: Mapping[str, Sequence[Row]]) -> None:
    """Take over finished work.

    store (Store): The annotation, new.
    layers (Mapping[str, Sequence[Row]]): The annotated messages of each annotator. Signs that a name may
        not have become hyphens.
    """
    places = {row["id"]: place for place, row in enumerate(store.rows)}
    for name, rows in layers.items():
        layer = name_layer(name)
        for row in rows:
            state = store.get(places[row["id"]], layer)
            comment = row.get("comment")
            store.change(
                state,
                accept(row["spans"]),
                status=DONE,
                comment=comment if isinstance(comment, str) else None,
            )


def name_layer(name: str) -> str:
    """name (str): What another tool calls an annotator, such as an e-mail address.
    RETURNS (str): A name that is one here.
    """
    try:
        return check_layer(name)
    except StoreError:
        return check_layer(re.sub(r"[^\w.-]+", "-", name)[:40].strip("-.") or "annotator")
