"""The key that all surrogates depend on."""

import secrets

from ...shared.secret import read_secret

KEY_VARIABLE = "SV_DEID_KEY"
MIN_BYTES = 16


def read_key() -> bytes:
    """Read the key from the environment (`components.shared.secret.read_secret`); if none is set, a
    random one.

    RAISES (ValueError): If it cannot be read, or is too short.
    """
    key = read_secret(KEY_VARIABLE, MIN_BYTES)
    return secrets.token_bytes(32) if key is None else key.encode("utf8", "surrogateescape")
