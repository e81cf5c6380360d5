"""Secrets of the environment."""

import os
from pathlib import Path

FILE = "_FILE"


def has_secret(variable: str) -> bool:
    """Whether the environment has the secret, or names its file."""
    return variable in os.environ or variable + FILE in os.environ


def read_secret(variable: str, least: int = 0) -> str | None:
    """Read a secret from an environment variable, or from the file that `<variable>_FILE` names, as
    containers get them. White space around it, such as the line break at the end of a file, is no part of it.

    least (int): The fewest bytes that it may have.
    RETURNS (str | None): The secret, None if neither variable is set.
    RAISES (ValueError): If both are set, the file cannot be read, or the secret is too short.
    """
    secret, path = os.environ.get(variable), os.environ.get(variable + FILE)
    if path is not None:
        if secret is not None:
            raise ValueError(f"{variable} and {variable}{FILE} are both set: unset one.")
        try:
            secret = Path(path).read_text("utf8", "surrogateescape")
        except OSError as error:
            raise ValueError(
                f"{variable}{FILE} must name a file that can be read ({error.strerror})."
            ) from None
    if secret is None:
        return None
    # Some editors begin a file with a mark of the order of bytes.
    secret = secret.removeprefix("\ufeff").strip()
    if len(secret.encode("utf8", "surrogateescape")) < least:
        raise ValueError(
            f"{variable} must have at least {least} bytes, so that nobody guesses it. Make one with "
            '`python -c "import secrets; print(secrets.token_hex(32))"`, or unset it: then a random '
            "one is drawn."
        )
    return secret
