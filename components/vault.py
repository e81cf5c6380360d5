"""The vault: the way back from the de-identified text, for whoever holds the key."""

import json
import os
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, NoReturn

from cryptography.fernet import Fernet, InvalidToken
from spacy.tokens import Doc

VAULT_KEY_VARIABLE = "SV_DEID_VAULT_KEY"
# The field of a de-identified row that holds its number in the vault.
VAULT_FIELD = "vault"
# The length of a token tells how long the originals are, no finer than this.
BLOCK = 256


class VaultError(ValueError):
    """Why something cannot be sealed or restored. The message holds nothing of any text."""


class Vault:
    """Seals what the `surrogate_generator` replaced in a message, and restores the message.

    A token is one message's originals and where they stood, encrypted and signed (Fernet: AES-128
    in CBC mode, HMAC-SHA256), with a digest of the de-identified text that it belongs to. It says
    nothing without the key but when it was made and, roughly, how much was replaced.

    The key is another one than that of the surrogates. It is kept in memory only: keep your copy
    of it away from the data. Whoever loses it cannot restore anything.

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
        key = os.environ.get(VAULT_KEY_VARIABLE)
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

    def seal(self, doc: Doc) -> str:
        """Encrypt the originals of a message.

        doc (Doc): A doc that the `surrogate_generator` has processed.
        RETURNS (str): A token of ASCII characters. Sealed again, the doc gives another one.
        RAISES (VaultError): If the replacements of the doc do not lead back to its text.
        """
        text, deidentified = doc.text, doc._.deidentified
        originals = [
            (entry["out_start"], entry["out_end"], text[entry["start"] : entry["end"]])
            for entry in doc._.replacements
        ]
        if _put_back(deidentified, originals) != text:
            raise VaultError(
                "The doc holds no replacements that lead back to its text. Seal it after the "
                "surrogate_generator has run, and before anything changes it."
            )
        content = json.dumps({"digest": _digest(deidentified), "originals": originals})
        padded = content.encode("ascii").ljust(-(-len(content) // BLOCK) * BLOCK)
        return self._fernet.encrypt(padded).decode("ascii")

    def restore(self, deidentified: str, token: str) -> str:
        """Give the original text of a message back.

        deidentified (str): The de-identified text, unchanged.
        token (str): What `seal` made of its doc.
        RETURNS (str): The text.
        RAISES (VaultError): If the token was made with another key or was changed, or if it
            belongs to another text.
        """
        try:
            content = json.loads(self._fernet.decrypt(token))
        except (InvalidToken, TypeError, ValueError):
            raise VaultError(
                f"The token cannot be opened: it was sealed with another key than that in "
                f"{VAULT_KEY_VARIABLE}, or it was changed."
            ) from None
        if content["digest"] != _digest(deidentified):
            raise VaultError(
                "The text is not the one that was sealed: it was changed, or the token belongs to "
                "another text."
            )
        return _put_back(deidentified, content["originals"])

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "A vault holds a key, so it is not pickled. Call Vault.from_environment() in each "
            "process."
        )


def dump_entry(row: int, token: str) -> bytes:
    """Make a line of a vault's file.

    row (int): The number that the de-identified row refers to it by.
    token (str): The token of the row.
    RETURNS (bytes): A line of JSON.
    """
    return json.dumps({"row": row, "token": token}).encode("ascii") + b"\n"


def read_entries(lines: Iterable[bytes]) -> dict[int, str]:
    """Read a vault's file.

    lines (Iterable[bytes]): Its lines.
    RETURNS (dict[int, str]): The token of each row.
    RAISES (VaultError): If a line is not one of `dump_entry`, or two are for the same row.
    """
    entries: dict[int, str] = {}
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            row, token = int(entry["row"]), str(entry["token"])
        except (ValueError, KeyError, TypeError):
            raise VaultError(f"Line {number} of the vault is no entry of one.") from None
        if row in entries:
            raise VaultError(f"Line {number} of the vault: row {row} was there before.")
        entries[row] = token
    return entries


def _digest(text: str) -> str:
    return sha256(text.encode("utf8", "surrogatepass")).hexdigest()


def _put_back(deidentified: str, originals: Iterable[Any]) -> str:
    out, position = [], 0
    for start, end, original in originals:
        out += (deidentified[position:start], original)
        position = end
    return "".join(out) + deidentified[position:]
