"""Reading which spans of annotated messages are of one person, place or number."""

from pathlib import Path

import srsly

Key = tuple[str, int, int]  # a message's id, and where a span starts and ends in it


def read_coreference(path: Path) -> dict[Key, tuple[str, str]]:
    """Read which spans are one entity: a JSON object a line, with the `entities` of a
    conversation, each with `id`, `gender` and `mentions` (`message`, `start`, `end`).

    path (Path): The file.
    RETURNS (dict[Key, tuple[str, str]]): The entity's id and gender of each
        message's id, start and end.
    """
    entities = {}
    for number, line in enumerate(srsly.read_jsonl(path), 1):
        try:
            for entity in line["entities"]:
                for mention in entity["mentions"]:
                    key = mention["message"], mention["start"], mention["end"]
                    entities[key] = (entity["id"], entity.get("gender") or "")
        except (KeyError, TypeError):
            raise ValueError(
                f"{path}, line {number}: expected 'entities' with 'id' and 'mentions' of "
                "'message', 'start' and 'end'"
            ) from None
    return entities
