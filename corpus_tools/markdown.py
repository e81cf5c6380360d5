"""Pages whose figures are written by a command."""

from pathlib import Path


def fill_block(path: Path, name: str, content: str) -> None:
    """Write what belongs between `<!-- name -->` and `<!-- /name -->`.

    path (Path): The page.
    name (str): The name of the block.
    content (str): Its new content.
    RAISES (ValueError): If the page has no such block.
    """
    text = path.read_text(encoding="utf8")
    head, begin, rest = text.partition(f"<!-- {name} -->")
    _, end, tail = rest.partition(f"<!-- /{name} -->")
    if not begin or not end:
        raise ValueError(f"{path} has no block <!-- {name} --> … <!-- /{name} -->.")
    path.write_text(f"{head}{begin}\n{content}\n{end}{tail}", encoding="utf8")
