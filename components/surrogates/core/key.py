"""The key that all surrogates depend on."""

import os
import secrets

KEY_VARIABLE = "SV_DEID_KEY"
MIN_BYTES = 16


def read_key() -> bytes:
    """Read the key from the environment.

    RETURNS (bytes): The key, a random one if the variable is not set.
    RAISES (ValueError): If it is too short.
    """
    key = os.environ.get(KEY_VARIABLE)
    if key is None:
        return secrets.token_bytes(32)
    data = key.encode("utf8", "surrogateescape")
    if len(data) < MIN_BYTES:
        raise ValueError(
            f"{KEY_VARIABLE} must have at least {MIN_BYTES} bytes, lest somebody guesses it. Make "
            'one with `python -c "import secrets; print(secrets.token_hex(32))"`, or unset it: '
            "then every loaded pipeline draws a key of its own."
        )
    return data
