"""What somebody who runs the pipeline over many messages wants to be told before he trusts it."""

import re

from ..shared.labels import NAMES, PHI_KEY, SINGLE_CLASS
from .copied_columns import write_concerns
from .shares import DOUBTFUL, get_figures, turn
from .summary import Summary

# Shares over, or under, which something is probably wrong.
FEW_TOUCHED = 0.01
MANY_REJECTED = 0.01
MANY_FAILED = 0.01
MANY_EMPTY = 0.2
MANY_FOREIGN = 0.05
MANY_DOUBTFUL = 0.1
# What a column is called that tells the conversation.
LIKELY = re.compile(
    r"conv|konv|chat|chatt|thread|tråd|trad|dialog|session|samtal|case|(?:ä|ae?)rende|issue|ticket",
    re.IGNORECASE,
)
# So many messages are expected to hold each kind of name, and so many entities some that the model found.
ENOUGH_MESSAGES = 1000
ENOUGH_ENTITIES = 100


def find_concerns(summary: Summary, has_key: bool) -> list[str]:
    shares = {name: value or 0.0 for name, value in get_figures(summary).items()}
    full = summary.messages - summary.empty
    n_rejected, n_failed = summary.rejected.total(), summary.failed.total()
    said = [*write_concerns(summary.find_copied()), *find_lonely(summary)]
    if not summary.rows:
        said.append("No row came out.")
    elif not full:
        said.append("All messages are empty: is this the text column?")
    elif not summary.touched:
        said.append(
            f"Nothing was replaced in any of {full:,} messages. Are they the right column, in Swedish, "
            "and not de-identified before? Were threshold and strategy meant so?"
        )
    elif shares["touched_share"] < FEW_TOUCHED:
        said.append(
            f"Something was replaced in only {write_percent(shares['touched_share'])} of the messages. "
            "In care chat it is in most of them: read some (--dry-run)."
        )
    if shares["rejected_share"] > MANY_REJECTED:
        said.append(
            f"{n_rejected:,} rows were rejected ({write_percent(shares['rejected_share'])}): they are not "
            "in the output. The list of rejects tells why."
        )
    if shares["failed_share"] > MANY_FAILED:
        said.append(
            f"The pipeline failed on {n_failed:,} messages ({write_percent(shares['failed_share'])}): "
            "they are masked whole. The report tells by which pipe."
        )
    said += _find_silent_parts(summary, full)
    if full and shares["empty_share"] > MANY_EMPTY:
        said.append(
            f"{write_percent(shares['empty_share'])} of the messages are empty: is this the text column?"
        )
    if shares["foreign_share"] > MANY_FOREIGN:
        said.append(
            f"{write_percent(shares['foreign_share'])} of the messages are in a language that the "
            "pipeline was not made for: more is missed in them, where they are not masked whole."
        )
    if shares["doubtful_share"] > MANY_DOUBTFUL:
        said.append(
            f"{write_percent(shares['doubtful_share'])} of the entities have a confidence under "
            f"{DOUBTFUL}: these messages are unlike those that the model was trained on. Annotate 200 of "
            "them and measure (sv-deid-chat evaluate)."
        )
    if not has_key:
        said.append(
            "SV_DEID_KEY was not set: another run gives other surrogates, and what comes later of these "
            "conversations will not fit to them."
        )
    return said


def find_lonely(summary: Summary) -> list[str]:
    """Say that rows were read one by one, and which columns may tell the conversation."""
    if summary.rows < 2 or summary.alone < summary.rows:
        return []
    likely = [name for name in sorted(summary.columns) if LIKELY.search(name) and "." not in name]
    names = f": {', '.join(map(repr, likely))}?" if likely else ", if there is one."
    return [
        (
            "No row has a conversation, so each is read alone, and the same person gets another surrogate in "
            f"each message. Name the column that tells it (--conversation-field){names}"
        )
    ]


def _find_silent_parts(summary: Summary, full: int) -> list[str]:
    """A part of the pipeline that has quietly stopped working."""
    said = []
    n_found = sum(counts.total() for counts in summary.found.values())
    sources = {part for source in turn(summary.found) for part in source.split("+")}
    if n_found >= ENOUGH_ENTITIES and PHI_KEY not in sources:
        said.append(f"The model found none of the {n_found:,} entities: is phi_ner switched off?")
    missing = [label for label in NAMES if not summary.found.get(label)]
    if n_found and full >= ENOUGH_MESSAGES and missing and SINGLE_CLASS not in summary.found:
        said.append(f"No {' and no '.join(missing)} was found in {full:,} messages.")
    return said


def write_percent(share: float) -> str:
    """Write a share in percent. Little is not nothing, and nearly all is not all."""
    if 0 < share < 0.001:
        return "under 0.1 %"
    if 0.999 < share < 1:
        return "over 99.9 %"
    return f"{100 * share:.1f} %"
