"""Evaluate the linking of annotated mentions: which are of one person, place or number. B-cubed
precision, recall and F1 (Bagga and Baldwin 1998) by class, over all annotated mentions.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from pathlib import Path

import typer
from wasabi import msg, table

from components.lists.lists import read_lists
from components.measures.gold import Row, read_messages
from components.shared.labels import LABELS
from components.surrogates import Mention, make_classes
from components.surrogates.core.mentions import NEAR
from lab.measures.coreference import Key, read_coreference
from training_tools.errors import clean_errors


def evaluate_linking(
    data_path: Path = typer.Argument(..., help="Annotated conversations, JSONL", exists=True),
    coreference_path: Path = typer.Argument(..., help="Which spans are one, JSONL", exists=True),
    lists_path: Path = typer.Argument(..., help="Word lists", exists=True),
    show: bool = typer.Option(False, help="Print what was linked wrongly"),
) -> None:
    with clean_errors():
        classes = make_classes(read_lists(str(lists_path)))
        annotated = read_coreference(coreference_path)
        messages = read_messages(data_path)
    gold = {key: entity for key, (entity, _) in annotated.items()}
    conversations: dict[str, list[Row]] = defaultdict(list)
    for row in messages:
        conversations[row.get("conversation") or row["id"]].append(row)
    figures: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for name, rows in conversations.items():
        rows.sort(key=lambda row: row["text"])
        for label in LABELS:
            keys, mentions = get_mentions(rows, label)
            linked = classes[label].identities(mentions)
            kept = [i for i, key in enumerate(keys) if key in gold]
            entities = [gold[keys[i]] for i in kept]
            clusters = [linked[i] for i in kept]
            figures[label] += b_cubed(entities, clusters)
            if show:
                texts = [mentions[i].text for i in kept]
                print_mistakes(f"{name} {label}", entities, clusters, texts)
    cells = []
    for label, scores in figures.items():
        if scores:
            precision, recall = (sum(column) / len(scores) for column in zip(*scores))
            f1 = 2 * precision * recall / (precision + recall)
            cells.append((label, len(scores), *(f"{x:.3f}" for x in (precision, recall, f1))))
    print(table(cells, header=("", "mentions", "P", "R", "F1"), divider=True))


def get_mentions(rows: Sequence[Row], label: str) -> tuple[list[Key], list[Mention]]:
    """Get the annotated mentions of a class.

    rows (Sequence[Row]): The messages of a conversation.
    label (str): The class.
    RETURNS (tuple[list[Key], list[Mention]]): Their spans, and the mentions where they stand.
    """
    keys, mentions = [], []
    for i, row in enumerate(rows):
        for span in row["spans"]:
            start, end, text = span["start"], span["end"], row["text"]
            if span["label"] == label:
                around = text[max(0, start - NEAR) : start], text[end : end + NEAR]
                mentions.append(Mention(text[start:end], *around, i, start))
                keys.append((row["id"], start, end))
    return keys, mentions


def b_cubed(
    entities: Sequence[Hashable], clusters: Sequence[Hashable]
) -> list[tuple[float, float]]:
    """Score each mention: the share of its cluster that is of its entity, the share of its entity
    that is in its cluster.

    entities (Sequence[Hashable]): The entity of each mention.
    clusters (Sequence[Hashable]): Its cluster.
    RETURNS (list[tuple[float, float]]): Precision and recall of each mention.
    """
    scores = []
    pairs = list(zip(entities, clusters))
    for entity, cluster in pairs:
        both = sum(pair == (entity, cluster) for pair in pairs)
        scores.append((both / clusters.count(cluster), both / entities.count(entity)))
    return scores


def print_mistakes(
    title: str, entities: Sequence[str], clusters: Sequence[str], texts: Sequence[str]
) -> None:
    """Print the entities that were split, and the clusters that mix several.

    title (str): What they are of.
    entities (Sequence[str]): The entity of each mention.
    clusters (Sequence[str]): Its cluster.
    texts (Sequence[str]): Its text.
    """
    for word, ones, others in (("split", entities, clusters), ("mixed", clusters, entities)):
        for one in dict.fromkeys(ones):
            groups: dict[Hashable, list[str]] = defaultdict(list)
            for value, other, text in zip(ones, others, texts):
                if value == one:
                    groups[other].append(text)
            if len(groups) > 1:
                msg.warn(f"{title} {word}", " | ".join(", ".join(g) for g in groups.values()))


if __name__ == "__main__":
    typer.run(evaluate_linking)
