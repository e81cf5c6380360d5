"""Files that are made for their owner only."""

import os
import tempfile
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read. It is there when it is complete, or not at all.

    path (Path): The file. One that is there is replaced, with whatever rights it had.
    text (str): What to write, as UTF-8.
    RAISES (OSError): If it cannot be written.
    """
    # Readable for its owner only from the first moment, under a name that nobody can have linked.
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf8", newline="\n") as file:
            file.write(text)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
