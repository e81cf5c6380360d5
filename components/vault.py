"""The vault: the way back from the de-identified text, for the holder of the key."""

import json
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from cryptography.fernet import Fernet, InvalidToken
from spacy.tokens import Doc

from .shared.secret import read_secret
from .tables.errors import FileError
from .tables.places import Place
from .tables.storage import take_lock

VAULT_KEY_VARIABLE = "SV_DEID_VAULT_KEY"
# The field of a de-identified row that tells which one it is: of what run, and of what line.
VAULT_FIELD = "vault"
# What stands in it. It may be shown; anything else may be a piece of a message.
REFERENCE = re.compile(r"[0-9a-f]{16}-[0-9]+")
# The length of a token tells how long the originals are, no finer than this.
BLOCK = 512


class VaultError(ValueError):
    """Why something cannot be sealed or restored. The message holds nothing of any text."""


class Vault:
    """Seals what the `surrogate_generator` replaced in a message, and restores the message.

    A token is one message's originals and where they stood, encrypted and signed (Fernet: AES-128
    in CBC mode, HMAC-SHA256), with the name of the row that it belongs to and digests of the row's
    de-identified text and of its other fields: it opens for no other row, even one with the same
    text. It says nothing without the key but when it was made and, roughly, how much was replaced.

    The key is another one than that of the surrogates. It is kept in memory only: keep your copy
    of it away from the data. Without it, nothing can be restored.

    key (str | bytes): A key that `Vault.new_key` made.
    """

    def __init__(self, key: str | bytes) -> None:
        try:
            self._fernet = Fernet(key)
        except (TypeError, ValueError):
            # The cause may show the key.
            raise VaultError("This is no key of a vault. Make one with Vault.new_key().") from None

    @classmethod
    def from_environment(cls) -> "Vault":
        """Make a vault with the key in the environment variable SV_DEID_VAULT_KEY.

        RETURNS (Vault): The vault.
        RAISES (VaultError): If the variable is not set, or holds no key.
        """
        try:
            key = read_secret(VAULT_KEY_VARIABLE)
        except ValueError as error:
            raise VaultError(str(error)) from None
        if not key:
            raise VaultError(
                f"A vault needs its key in the environment variable {VAULT_KEY_VARIABLE}. Make one "
                "with Vault.new_key(), and keep it away from the data."
            )
        return cls(key)

    @staticmethod
    def new_key() -> str:
        """RETURNS (str): A new random key."""
        return Fernet.generate_key().decode("ascii")

    def seal(self, doc: Doc, row: str = "", fields: Mapping[str, Any] | None = None) -> str:
        """Encrypt the originals of a message.

        doc (Doc): A doc that the `surrogate_generator` has processed.
        row (str): A name for the row that holds the message, different for each: only with it is
            the token restored. It can be read in no token.
        fields (Mapping[str, Any] | None): What else the row holds, values that JSON knows: only
            with it unchanged is the token restored.
        RETURNS (str): A token of ASCII characters. Sealed again, the doc gives another one.
        RAISES (VaultError): If the replacements of the doc do not lead back to its text, or the
            fields hold something that JSON does not know.
        """
        return self.seal_text(doc.text, doc._.deidentified, doc._.replacements, row, fields)

    def seal_text(
        self,
        text: str,
        deidentified: str | None,
        replacements: Iterable[Mapping[str, Any]] | None,
        row: str = "",
        fields: Mapping[str, Any] | None = None,
    ) -> str:
        """Encrypt the originals of a text, as `seal` does those of a doc."""
        originals = [
            (entry["out_start"], entry["out_end"], text[entry["start"] : entry["end"]])
            for entry in replacements or ()
            if not _stays(entry, text)
        ]
        if deidentified is None or _put_back(deidentified, originals) != text:
            raise VaultError(
                "The doc holds no replacements that lead back to its text. Seal it after the "
                "surrogate_generator has run, and before anything changes it."
            )
        fields = fields or {}
        content = {
            "row": row,
            "digest": _digest(deidentified),
            "fields": sorted(fields),
            "fields_digest": _digest(_dump_fields(fields, fields)),
            "originals": originals,
        }
        sealed = json.dumps(content)
        padded = sealed.encode("ascii").ljust(-(-len(sealed) // BLOCK) * BLOCK)
        return self._fernet.encrypt(padded).decode("ascii")

    def restore(
        self,
        deidentified: str,
        token: str,
        row: str = "",
        fields: Mapping[str, Any] | None = None,
        *,
        fields_changed: bool = False,
    ) -> str:
        """Give the original text of a message back.

        deidentified (str): The de-identified text, unchanged.
        token (str): What `seal` made of its doc.
        row (str): The name that it was sealed with.
        fields (Mapping[str, Any] | None): What it was sealed with, unchanged, and what has come to
            it since.
        fields_changed (bool): Whether to accept fields that were changed or taken out.
        RETURNS (str): The text.
        RAISES (VaultError): If the token was made with another key or was changed, or if it
            belongs to another row or text.
        """
        try:
            content = json.loads(self._fernet.decrypt(token))
        except (InvalidToken, TypeError, ValueError):
            raise VaultError(
                f"The token cannot be opened: it was sealed with another key than that in "
                f"{VAULT_KEY_VARIABLE}, or it was changed."
            ) from None
        if not isinstance(content, dict) or "fields_digest" not in content:
            raise VaultError("The token was sealed by another version: restore it with that one.")
        if content["row"] != row:
            raise VaultError("The token was sealed for another row.")
        if content["digest"] != _digest(deidentified):
            raise VaultError(
                "The text is not the one that was sealed: it was changed, or the token belongs to "
                "another text."
            )
        if not fields_changed:
            names = content["fields"]
            fields = fields or {}
            known = _dump_fields(fields, names) if fields.keys() >= set(names) else ""
            if content["fields_digest"] != _digest(known):
                raise VaultError(
                    "The other fields are not those that were sealed: they were changed, or the "
                    "row is another one. If you meant to, say so (--fields-changed)."
                )
        return _put_back(deidentified, content["originals"])

    def can_open(self, token: str) -> bool:
        """token (str): A token.
        RETURNS (bool): Whether it was sealed with this key.
        """
        with suppress(InvalidToken, TypeError, ValueError):
            self._fernet.decrypt(token)
            return True
        return False

    def seal_bytes(self, data: bytes) -> bytes:
        """data (bytes): Anything.
        RETURNS (bytes): The same, encrypted and signed.
        """
        return self._fernet.encrypt(data)

    def open_bytes(self, token: bytes) -> bytes:
        """token (bytes): What `seal_bytes` has made.
        RETURNS (bytes): What it was made of.
        RAISES (VaultError): If it was made with another key, or was changed.
        """
        try:
            return self._fernet.decrypt(token)
        except InvalidToken:
            raise VaultError(
                f"This was encrypted with another key than that in {VAULT_KEY_VARIABLE}, or it was "
                "changed."
            ) from None

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "A vault holds a key, so it is not pickled. Call Vault.from_environment() in each "
            "process."
        )


def new_run() -> str:
    """RETURNS (str): A random name for a run, the first part of a `REFERENCE`."""
    return secrets.token_hex(8)


def dump_entry(row: str, token: str) -> bytes:
    return json.dumps({"row": row, "token": token}).encode("ascii") + b"\n"


@contextmanager
def hold_vault(path: Path, vault: Vault) -> Iterator[None]:
    """Make sure that a run can add to a vault's file, and that no other run does meanwhile."""
    if Place(str(path)).is_stream:
        yield
        return
    lock_path = path.with_name(f".{path.name}.lock")
    try:
        lock = take_lock(str(lock_path))
    except BlockingIOError:
        raise FileError(
            f"Another run is adding to {path} now: wait for its end, or name another vault."
        ) from None
    try:
        if path.exists():
            _demand_ours(path, vault)
        yield
    finally:
        lock_path.unlink(missing_ok=True)
        if lock is not None:
            lock.close()


def _demand_ours(path: Path, vault: Vault) -> None:
    try:
        with Place(str(path)).open() as file:
            for number, (_, token) in enumerate(iter_entries(file)):
                # All have one key, as only a run with the same one adds to them.
                if number == 0 and not vault.can_open(token):
                    raise VaultError(f"It was made with another key than {VAULT_KEY_VARIABLE}.")
    except VaultError as error:
        raise VaultError(f"{path} cannot be added to: {error} Name another vault.") from None


@contextmanager
def open_vault(path: Path, run: str, umask: int) -> Iterator[BinaryIO]:
    """Open a vault's file to add the entries of a run. It is written again beside its place, with
    all that it had, and moved there when it is whole.
    """
    place = Place(str(path), umask)
    with place.create() as target:
        if path.exists() and not place.is_stream:
            with Place(str(path)).open() as old:
                for line in old:
                    ((row, _),) = iter_entries([line])
                    if not row.startswith(f"{run}-"):
                        target.write(line.rstrip(b"\n") + b"\n")
        yield target


def read_entries(lines: Iterable[bytes]) -> dict[str, str]:
    entries: dict[str, str] = {}
    for number, (row, token) in enumerate(iter_entries(lines), 1):
        if row in entries:
            raise VaultError(f"Line {number} of the vault is for a row that was there before.")
        entries[row] = token
    return entries


def iter_entries(lines: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """Read the lines of a vault's file."""
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            row, token = entry["row"], entry["token"]
        except (ValueError, KeyError, TypeError, RecursionError):
            row = token = None
        if not isinstance(row, str) or not isinstance(token, str):
            raise VaultError(f"Line {number} of the vault is no entry of one.")
        yield row, token


def _dump_fields(fields: Mapping[str, Any], names: Iterable[str]) -> str:
    """The same characters for the same values of these fields, in any order."""
    try:
        return json.dumps({name: fields[name] for name in names}, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        # The cause may show a value.
        raise VaultError("The other fields hold something that JSON does not know.") from None


def _stays(entry: Mapping[str, Any], text: str) -> bool:
    """Whether an entity was kept, to the letter: there is nothing to restore."""
    return bool(entry.get("kept")) and entry["replacement"] == text[entry["start"] : entry["end"]]


def _digest(text: str) -> str:
    return sha256(text.encode("utf8", "surrogatepass")).hexdigest()


def _put_back(deidentified: str, originals: Iterable[Any]) -> str:
    out: list[str] = []
    position = 0
    for start, end, original in originals:
        out += (deidentified[position:start], original)
        position = end
    return "".join(out) + deidentified[position:]
