"""Words of the surrogates, in tables that a contributor may edit."""

from pathlib import Path

from ...lists.lists import read_list


def read_words(name: str) -> list[dict[str, str]]:
    """Read a table of this folder.

    name (str): The name of its file, without the ending.
    RETURNS (list[dict[str, str]]): Its rows.
    """
    return read_list(Path(__file__).with_name(f"{name}.tsv"))
