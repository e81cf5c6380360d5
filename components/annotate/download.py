"""What was annotated, as a file in memory."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from spacy.language import Language

from ..measures.formats.registry import BRAT, FORMATS
from ..measures.gold import Row


def dump(rows: Sequence[Row], kind: str, nlp: Language, annotator: str) -> tuple[str, bytes]:
    """Write messages into memory: the suffix of the file, and its content; of brat a zip."""
    # A folder that only its owner may read, gone at the end.
    with TemporaryDirectory() as folder:
        path = Path(folder) / "annotated"
        FORMATS[kind].write(path, rows, nlp, annotator)
        if kind != BRAT:
            return kind, path.read_bytes()
        data = BytesIO()
        with ZipFile(data, "w", ZIP_DEFLATED) as archive:
            for file in sorted(path.iterdir()):
                archive.write(file, file.name)
        return "zip", data.getvalue()
