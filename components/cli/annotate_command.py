"""The command `annotate`."""

import getpass
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from spacy.language import Language

from ..annotate.choices import By, Order
from ..measures.formats.registry import FORMATS, find_format, read_layers
from ..measures.gold import LabelMap, Row
from ..model.backend import set_threads
from ..shared.extras import ExtraError
from ..tables.errors import FileError
from ..tables.places import demand_new, demand_other
from ..vault import Vault, VaultError
from .serve_command import HOST, need_extra
from .terminal import wrong_usage

if TYPE_CHECKING:
    from ..annotate.desk import Desk
    from ..annotate.store import Store

PORT = typer.Option(8010, min=0, max=65535, help="Port; 0: one that is free")


def annotate(
    context: typer.Context,
    messages: Path | None = typer.Argument(
        None,
        metavar="[MESSAGES]",
        help=".jsonl, .csv, Label Studio's .json, .conll, or a folder of brat; not needed once STORE is there",
        exists=True,
    ),
    store: Path = typer.Option(
        ..., "--to", metavar="STORE", help="File that keeps all that is annotated", dir_okay=False
    ),
    annotator: str = typer.Option(
        "", help="Your name; the page can change it. Default: that of your login"
    ),
    suggest: By = typer.Option(
        By.NONE,
        "--suggest",
        help="Marks to begin with: those of MESSAGES, of patterns, of word lists, or of the whole pipeline. "
        "They lead annotators: none for messages to measure on",
    ),
    order: Order = typer.Option(
        Order.FILE,
        help="Which messages come first: as in MESSAGES, most doubted by the pipeline, most PHI "
        "expected, or at random",
    ),
    seed: int = typer.Option(0, help="Of the random order"),
    spans_of: str = typer.Option(
        "", help="The spans of MESSAGES are finished work of an annotator of this name"
    ),
    labels: str = typer.Option("", help="Which class a label of MESSAGES is: NAME=PERSON,MISC=,…"),
    encrypt: bool = typer.Option(
        False, "--encrypt", help="Encrypt STORE with the key in SV_DEID_VAULT_KEY"
    ),
    export: Path | None = typer.Option(
        None, help="Write what is finished instead of serving: a file or folder as MESSAGES may be"
    ),
    of: str = typer.Option(
        "", help="Whose work to write: an annotator, or settled. Default: yours"
    ),
    overwrite: bool = typer.Option(False, "--overwrite", help="Replace the file of --export"),
    host: str = HOST,
    port: int = PORT,
) -> None:
    """Annotate messages on a page of this machine, alone or with others.

    It prints the address. Each click is saved in STORE before it is shown as saved; call the command
    again to go on. STORE HOLDS PHI: only you may read it, and with --encrypt nobody without the key.
    Its name is not changed by anything here, and MESSAGES is only read.

    Several annotators have a layer each: they give their names on the page. Where they differ, the
    page settles it. An annotator's name is a label, no password: anyone with the address may use any name.
    """
    with wrong_usage(ExtraError, ValueError):
        need_extra()
    # They need the extra.
    from ..annotate.app import make_annotation_app
    from ..annotate.desk import Desk
    from ..annotate.store import SETTLED, Store, check_layer
    from ..serve.app import run_server
    from ..serve.security import LOOPBACK, new_token

    set_threads(1)  # on busy cores, several wait for each other
    with wrong_usage(ValueError, VaultError, FileError):
        name = check_layer(annotator or _guess_name())
        whose = of if of == SETTLED else check_layer(of or name)
        if export is not None:
            write = FORMATS[find_format(export)].write
            demand_other([export], [store, *([messages] if messages else [])])
            demand_new([export], overwrite)
        vault = Vault.from_environment() if encrypt else None
        if messages is None and not store.exists():
            raise FileError(f"There is no {store}: name messages to begin with.")
        rows, layers = _read(messages, labels, spans_of)
        opened = Store(store, vault)
    with closing(opened):
        with wrong_usage(ValueError, FileError):
            if opened.rows:
                if messages is not None and not opened.holds(rows):
                    raise FileError(
                        f"{store} has other messages than {messages}: name a new file, or leave the "
                        "messages out."
                    )
            elif messages is not None:
                _begin(opened, rows, layers, suggest, order, seed, context.obj)
        desk = Desk(opened, context.obj)
        if export is not None:
            done = desk.get_rows(whose)
            with wrong_usage(ValueError, FileError):
                if not done:
                    raise FileError(_tell_finished(whose, desk))
                write(export, done, desk.nlp, whose)
            typer.echo(f"{len(done)} messages of {whose} are in {export}. It HOLDS PHI.", err=True)
            return
        token = new_token()
        hosts = LOOPBACK if host in LOOPBACK else ()
        run_server(make_annotation_app(desk, token, name, hosts), host, port, token)


def _tell_finished(whose: str, desk: "Desk") -> str:
    """Say that there is nothing to be written, and whose work there is."""
    layers = [name for name in desk.store.layers if desk.get_rows(name)]
    names = ", ".join(layers) or "nobody yet"
    from ..annotate.store import SETTLED

    what = "Nothing is settled" if whose == SETTLED else f"{whose} has finished no message"
    return f"{what}. Choose with --of whose work to write. Who has finished some: {names}."


def _guess_name() -> str:
    try:
        return re.sub(r"[^\w.-]+", "-", getpass.getuser()).strip("-.")[:40] or "annotator"
    except (OSError, KeyError, ImportError):  # a container may know nobody
        return "annotator"


def _read(
    messages: Path | None, labels: str, spans_of: str
) -> tuple[list[Row], dict[str, list[Row]]]:
    """Read the messages, and what annotators have made of them elsewhere."""
    from ..annotate.store import check_layer

    if messages is None:
        return [], {}
    layers = read_layers(messages, LabelMap.parse(labels) if labels else None)
    rows = layers.pop("")
    if not rows:
        raise FileError(f"{messages} holds no message.")
    ids = [row["id"] for row in rows]
    if len(set(ids)) < len(ids):
        raise FileError(f"{messages} has an id twice: what is annotated could not be told apart.")
    if spans_of:
        layers = {check_layer(spans_of): [row for row in rows if "spans" in row], **layers}
    return rows, layers


def _begin(
    store: "Store",
    rows: list[Row],
    layers: dict[str, list[Row]],
    suggest: By,
    order: Order,
    seed: int,
    load: Callable[[], Language],
) -> None:
    from ..annotate.beginning import LEFT_OUT, SCORED_BY, add_layers, order_messages
    from ..annotate.beginning import suggest as find_marks

    nlp = load() if suggest in LEFT_OUT or order in SCORED_BY else None
    suggestions: list = []
    if suggest is By.FILE:
        suggestions = [
            [{key: span[key] for key in ("start", "end", "label")} for span in row.get("spans", ())]
            for row in rows
        ]
    elif suggest in LEFT_OUT:
        assert nlp is not None
        suggestions = [*find_marks(nlp, rows, suggest)]
    store.add(rows, suggestions, order_messages(rows, order, nlp, seed))
    add_layers(store, layers)
