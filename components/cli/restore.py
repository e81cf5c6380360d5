"""The command line of the way back: `python -m sv_deid_chat.restore IN VAULT OUT`."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import typer

from .deidentify import wrong_usage
from .files import FileError, open_source, open_target
from .frame import make_frame
from .rows import Row, RowError, check_jsonl
from .vault import REFERENCE, VAULT_FIELD, Vault, VaultError, read_entries


def restore_row(
    row: Row,
    entries: Mapping[str, str],
    vault: Vault,
    text_field: str,
    fields_changed: bool = False,
) -> None:
    """Put the original text in place of the de-identified one, and take out what leads to the
    vault.

    row (Row): The de-identified row.
    entries (Mapping[str, str]): The token of each row.
    vault (Vault): Opens the tokens.
    text_field (str): The field with the text.
    fields_changed (bool): Whether to accept other fields that were changed or taken out.
    RAISES (VaultError): If it cannot be restored.
    """
    try:
        row.data = json.loads(row.line)
        text, reference = row.data[text_field], row.data.pop(VAULT_FIELD)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise VaultError(
            f"not a JSON object with the fields {text_field!r} and {VAULT_FIELD!r}"
        ) from None
    if not isinstance(reference, str) or not REFERENCE.fullmatch(reference):
        raise VaultError(f"its field {VAULT_FIELD!r} is not one that was written with a vault")
    row.reference = reference
    if not isinstance(text, str):
        raise VaultError(f"field {text_field!r} is not a string")
    if reference not in entries:
        raise VaultError("the vault has no token for it: it was made in another run")
    row.data[text_field] = vault.restore(
        text, entries[reference], reference, row.data, fields_changed=fields_changed
    )


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
) -> None:
    """Give the rows of a de-identified JSONL file their original texts back.

    The environment variable SV_DEID_VAULT_KEY must hold the key that the vault was made with. IN
    may be a part of the file that was written with the vault, in any order, and with new fields,
    as long as what was written is unchanged: no row gets the text of another.

    A row that cannot be restored is left out, and named on standard error. Exit code: 0 if every
    row was restored, 1 if some were not, 2 for wrong usage.
    """
    if out_path.resolve() in (in_path.resolve(), vault_path.resolve()):
        raise typer.BadParameter("IN, VAULT and OUT must be different files.")
    if not out_path.resolve().parent.is_dir():
        raise typer.BadParameter(f"OUT: there is no folder {out_path.parent}.")
    n_restored = n_failed = 0
    with ExitStack() as stack:
        with wrong_usage(FileError, RowError, VaultError):
            vault = Vault.from_environment()
            with open_source(vault_path) as file:
                entries = read_entries(file)
            source = check_jsonl(stack.enter_context(open_source(in_path)))
            target = stack.enter_context(open_target(out_path))
        for number, line in enumerate(source, 1):
            if not line.strip():
                continue
            row = Row(number, line)
            try:
                restore_row(row, entries, vault, text_field, fields_changed)
            except VaultError as error:
                where = f", row {row.reference}" if row.reference else ""
                typer.echo(f"Line {number}{where}: {error}", err=True)
                n_failed += 1
            else:
                target.write(row.dump())
                n_restored += 1
    typer.echo(f"{n_restored} rows restored, {n_failed} left out.", err=True)
    if n_failed:
        raise typer.Exit(1)


def main() -> None:
    """Run the command line."""
    make_app()()


def make_app() -> typer.Typer:
    """RETURNS (Typer): The command line."""
    app = make_frame()
    app.command()(restore)
    return app


if __name__ == "__main__":
    main()
