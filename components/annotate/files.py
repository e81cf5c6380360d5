"""What is annotated as files of other tools, and back."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from spacy.language import Language

from ..measures.formats.brat import read_brat, write_brat
from ..measures.formats.conll import read_conll, write_conll
from ..measures.formats.jsonl import write_messages
from ..measures.formats.label_studio import read_label_studio, write_label_studio
from ..measures.formats.table import read_csv, write_csv
from ..measures.gold import LabelMap, Row, read_messages

JSONL, CSV, LABEL_STUDIO, CONLL, BRAT = FORMATS = ("jsonl", "csv", "json", "conll", "brat")
SUFFIXES = {".jsonl": JSONL, ".csv": CSV, ".json": LABEL_STUDIO, ".conll": CONLL, "": BRAT}
SUFFIXES |= {".iob": CONLL, ".iob2": CONLL, ".tsv": CSV}
TITLES = {
    JSONL: "JSONL",
    CSV: "CSV",
    LABEL_STUDIO: "Label Studio (JSON)",
    CONLL: "CoNLL (IOB2)",
    BRAT: "brat (zip)",
}


@dataclass
class Imported:
    """What a file holds.

    rows (list[Row]): The messages, with the spans that they had.
    layers (dict[str, list[Row]]): What named annotators have made of them.
    """

    rows: list[Row]
    layers: dict[str, list[Row]] = field(default_factory=dict)


def tell_format(path: Path) -> str:
    """Tell a format by a path's ending; a folder, or a name without ending, is one of brat.

    path (Path): The path.
    RETURNS (str): One of `FORMATS`.
    RAISES (ValueError): If the ending is none that is known.
    """
    suffix = "" if path.is_dir() else path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(
            f"{path}: name a folder of brat, or a file {', '.join(filter(None, SUFFIXES))}."
        )
    return SUFFIXES[suffix]


def read_file(path: Path, labels: LabelMap | None = None) -> Imported:
    """Read messages in any of the formats.

    path (Path): The file or folder.
    labels (LabelMap | None): Which class a foreign label is.
    RETURNS (Imported): The messages.
    RAISES (ValueError): If they cannot be read. Names file and line, never the text.
    """
    kind = tell_format(path)
    if kind == JSONL:
        return Imported(read_messages(path, labels, annotated=False))
    if kind == CSV:
        return Imported(read_csv(path, labels))
    if kind == CONLL:
        return Imported(read_conll(path, labels))
    if kind == BRAT:
        return Imported(read_brat(path, labels))
    layers = read_label_studio(path, labels)
    return Imported(layers.pop(""), layers)


def write_file(
    path: Path, rows: Sequence[Row], kind: str, nlp: Language, annotator: str = ""
) -> None:
    """Write messages.

    path (Path): The file, or the folder of brat.
    rows (Sequence[Row]): The messages.
    kind (str): One of `FORMATS`.
    nlp (Language): Splits texts into tokens.
    annotator (str): Who has annotated them.
    """
    if kind == JSONL:
        write_messages(path, rows)
    elif kind == CSV:
        write_csv(path, rows)
    elif kind == LABEL_STUDIO:
        write_label_studio(path, rows, annotator)
    elif kind == CONLL:
        write_conll(path, rows, nlp)
    else:
        write_brat(path, rows)


def dump(rows: Sequence[Row], kind: str, nlp: Language, annotator: str) -> tuple[str, bytes]:
    """Write messages into memory.

    rows (Sequence[Row]): The messages.
    kind (str): One of `FORMATS`.
    nlp (Language): Splits texts into tokens.
    annotator (str): Who has annotated them.
    RETURNS (tuple[str, bytes]): The ending of the file's name, and the file; of brat a zip archive.
    """
    # A folder that only its owner may read, gone at the end.
    with TemporaryDirectory() as folder:
        path = Path(folder) / "annotated"
        write_file(path, rows, kind, nlp, annotator)
        if kind != BRAT:
            return kind, path.read_bytes()
        data = BytesIO()
        with ZipFile(data, "w", ZIP_DEFLATED) as archive:
            for file in sorted(path.iterdir()):
                archive.write(file, file.name)
        return "zip", data.getvalue()
