"""The command line of the way back: `python -m sv_deid_chat.restore IN VAULT OUT`."""

import json
from collections.abc import Mapping
from pathlib import Path

import typer

from .files import open_target
from .rows import Row
from .vault import VAULT_FIELD, Vault, VaultError, read_entries


def restore_row(row: Row, entries: Mapping[int, str], vault: Vault, text_field: str) -> None:
    """Put the original text in place of the de-identified one, and take out the row's number in
    the vault.

    row (Row): The de-identified row.
    entries (Mapping[int, str]): The token of each row.
    vault (Vault): Opens the tokens.
    text_field (str): The field with the text.
    RAISES (VaultError): If it cannot be restored.
    """
    try:
        row.data = json.loads(row.line)
        text, number = row.data[text_field], row.data.pop(VAULT_FIELD)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise VaultError(
            f"not a JSON object with the fields {text_field!r} and {VAULT_FIELD!r}"
        ) from None
    if not isinstance(text, str) or not isinstance(number, int) or number not in entries:
        raise VaultError(f"no text, or the vault has nothing for its number {VAULT_FIELD!r}")
    row.data[text_field] = vault.restore(text, entries[number])


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
) -> None:
    """Give the rows of a de-identified JSONL file their original texts back.

    The environment variable SV_DEID_VAULT_KEY must hold the key that the vault was made with. IN
    may be a part of the file that was written with the vault, in any order, and with other
    fields, as long as the texts and the field "vault" are unchanged.

    A row that cannot be restored is left out, and named on standard error. Exit code: 0 if every
    row was restored, 1 if some were not, 2 for wrong usage.
    """
    if out_path.resolve() in (in_path.resolve(), vault_path.resolve()):
        raise typer.BadParameter("IN, VAULT and OUT must be different files.")
    if not out_path.resolve().parent.is_dir():
        raise typer.BadParameter(f"OUT: there is no folder {out_path.parent}.")
    try:
        vault = Vault.from_environment()
        with vault_path.open("rb") as file:
            entries = read_entries(file)
    except VaultError as error:
        raise typer.BadParameter(str(error)) from None
    n_restored = n_failed = 0
    with in_path.open("rb") as source, open_target(out_path) as target:
        for number, line in enumerate(source, 1):
            if not line.strip():
                continue
            row = Row(number, line)
            try:
                restore_row(row, entries, vault, text_field)
            except VaultError as error:
                typer.echo(f"Line {number}: {error}", err=True)
                n_failed += 1
            else:
                target.write(row.dump())
                n_restored += 1
    typer.echo(f"{n_restored} rows restored, {n_failed} left out.", err=True)
    if n_failed:
        raise typer.Exit(1)


def main() -> None:
    """Run the command line."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(restore)
    app()


if __name__ == "__main__":
    main()
