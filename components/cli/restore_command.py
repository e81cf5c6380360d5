"""The command `restore`."""

from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import typer

from ..tables.errors import FileError, RowError
from ..tables.jsonl import JsonlSource, JsonRecord
from ..tables.places import Place, demand_new
from ..tables.source import DEFAULTS
from ..vault import REFERENCE, VAULT_FIELD, VAULT_KEY_VARIABLE, Vault, VaultError, read_entries
from .terminal import wrong_usage

# Rows that are named for one reason.
NAMED = 10


def restore_row(
    values: Mapping[str, Any],
    entries: Mapping[str, str],
    vault: Vault,
    text_field: str,
    fields_changed: bool = False,
) -> dict[str, Any]:
    """Put the original text in place of the de-identified one, and take out what leads to the
    vault.
    """
    if values.get(text_field, "") is None and VAULT_FIELD not in values:
        # There was no text.
        return dict(values)
    if not values.keys() >= {text_field, VAULT_FIELD}:
        raise VaultError(f"not a JSON object with the fields {text_field!r} and {VAULT_FIELD!r}")
    text, reference = values[text_field], get_reference(values)
    if not reference:
        raise VaultError(f"its field {VAULT_FIELD!r} is not one that was written with a vault")
    if not isinstance(text, str):
        raise VaultError(f"field {text_field!r} is not a string")
    if reference not in entries:
        raise VaultError("the vault has no token for it: it was made in another run")
    fields = {name: value for name, value in values.items() if name != VAULT_FIELD}
    original = vault.restore(
        text, entries[reference], reference, fields, fields_changed=fields_changed
    )
    return {**fields, text_field: original}


def get_reference(values: Mapping[str, Any]) -> str:
    """values (Mapping[str, Any]): A de-identified row.
    RETURNS (str): Its name in the vault; empty if it has none, since what stands there instead may be
        a piece of a message.
    """
    reference = values.get(VAULT_FIELD)
    return reference if isinstance(reference, str) and REFERENCE.fullmatch(reference) else ""


def restore(
    in_path: Path = typer.Argument(
        ..., metavar="IN", help="De-identified JSONL file", exists=True, dir_okay=False
    ),
    vault_path: Path = typer.Argument(
        ..., metavar="VAULT", help="The vault made with it", exists=True, dir_okay=False
    ),
    out_path: Path = typer.Argument(
        ..., metavar="OUT", help="JSONL file, - for standard output", dir_okay=False
    ),
    text_field: str = typer.Option("text", help="Field with the text"),
    fields_changed: bool = typer.Option(
        False,
        "--fields-changed",
        help="Accept rows whose other fields were changed or taken out since",
    ),
    overwrite: bool = typer.Option(False, "--overwrite", help="Replace OUT if it is there"),
) -> None:
    """Give the rows of a de-identified JSONL file their original texts back.

    The environment variable SV_DEID_VAULT_KEY must hold the key that the vault was made with. IN
    may be a part of the file that was written with the vault, in any order, and with new fields,
    as long as what was written is unchanged: no row gets the text of another.

    A row that cannot be restored is left out, and named on standard error, or counted where many
    cannot for one reason. Exit code: 0 if every
    row was restored, 1 if some were not, 2 for wrong usage.
    """
    if out_path.resolve() in (in_path.resolve(), vault_path.resolve()):
        raise typer.BadParameter("IN, VAULT and OUT must be different files.")
    if not out_path.resolve().parent.is_dir():
        raise typer.BadParameter(f"OUT: there is no folder {out_path.parent}.")
    n_restored = 0
    reasons: Counter[str] = Counter()
    with ExitStack() as stack:
        with wrong_usage(FileError, VaultError):
            demand_new([out_path], overwrite)
            vault = Vault.from_environment()
            with Place(str(vault_path)).open() as file:
                entries = read_entries(file)
            source = JsonlSource(lambda: in_path.open("rb"), str(in_path), DEFAULTS)
            records = source.scan()
            if entries and not any(map(vault.can_open, entries.values())):
                typer.echo(
                    f"{vault_path} was sealed with another key than that in {VAULT_KEY_VARIABLE}: set it "
                    "to that one.",
                    err=True,
                )
                raise typer.Exit(1)
            target = stack.enter_context(Place(str(out_path)).create())
        for record in records:
            values: dict[str, Any] = {}
            try:
                values = record.get_values()
                restored = restore_row(values, entries, vault, text_field, fields_changed)
                assert isinstance(record, JsonRecord)
                target.write(record.edit({text_field: restored[text_field]}, [VAULT_FIELD]))
                n_restored += 1
            except (RowError, VaultError) as error:
                reasons[str(error)] += 1
                if reasons[str(error)] <= NAMED:
                    reference = get_reference(values)
                    where = f", row {reference}" if reference else ""
                    typer.echo(f"Line {record.line}{where}: {error}", err=True)
    for reason, number in reasons.items():
        if number > NAMED:
            typer.echo(f"{number - NAMED} more rows: {reason}", err=True)
    typer.echo(f"{n_restored} rows restored, {reasons.total()} left out.", err=True)
    if reasons:
        raise typer.Exit(1)
