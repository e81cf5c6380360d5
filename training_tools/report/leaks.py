"""What `evaluate` came to, for who answers for the messages: does it leak, how much, on whose."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from spacy.tokens import Doc

from components.measures.evaluation import Evaluation, evaluate_docs
from components.measures.figures import NOTHING
from components.measures.gold import Row
from components.measures.scores import Ratio
from training_tools.binomial import get_exact_interval
from training_tools.report.evaluation_outcome import describe_corpora
from training_tools.report.outcome import WORDS, Headline, Outcome, Table

THOUSAND = 1000


def evaluate_authors(
    name: str, messages: Sequence[Row], docs: Sequence[Doc], labels: Sequence[str]
) -> dict[str, Evaluation]:
    """Measure the messages of each kind of author on their own."""
    groups = defaultdict(list)
    for message, doc in zip(messages, docs):
        groups[message.get("author") or ""].append((message, doc))
    measured = {}
    for author in sorted(groups, key=lambda author: (not author, author)) if any(groups) else ():
        rows, found = zip(*groups[author])
        measured[author or "author unknown"] = evaluate_docs(name, rows, found, labels)
    return measured


def make_leak_outcome(
    evaluations: Sequence[Evaluation], authors: Mapping[str, Mapping[str, Evaluation]]
) -> Outcome:
    """Make the outcome of what is left, in plain words and for 1,000 messages."""
    first = evaluations[0]
    headlines = [
        _count("left", first, "pieces of personal information are left in 1,000 messages"),
        _count("leaky", first, "of 1,000 messages still hold some of it"),
        _count("spoilt", first, "of 1,000 messages are changed though they hold none"),
    ]
    if first.shares["redact"] is not None:
        headlines.insert(1, _count_hundred(first))
    groups = {name: each for own in authors.values() for name, each in own.items()}
    if len(authors) > 1:
        groups = {f"{c}: {name}": each for c, own in authors.items() for name, each in own.items()}
    rows = [_tabulate(each.corpus, each) for each in evaluations]
    head = ["", "messages", "pieces left in 1,000", "of 1,000 still hold some", "removed"]
    rows += [_tabulate(name, each) for name, each in groups.items()]
    left, columns = f"What is left, {first.corpus}", ["class", "pieces", "left", "removed"]
    return Outcome(
        name="leaks",
        title="Does it leak?",
        says=_say(first),
        figures={each.corpus: each.get_figures() for each in evaluations},
        tables=[Table("Whose messages", head, rows), Table(left, columns, _by_class(first))],
        reader="manager",
        data=describe_corpora(evaluations),
        headlines=tuple(headlines),
    )


def _say(each: Evaluation) -> str:
    scores = each.scores
    gold = scores.entity().gold
    if not gold:
        return (
            f"Of the {scores.n_messages:,} messages of {each.corpus} none holds personal information: "
            "they show how much is changed without need, and nothing of leaks."
        )
    left = gold - scores.counts["redacted"].total()
    holding = scores.messages["phi"]
    leaky = holding - scores.messages["full"]
    if not left:
        return (
            f"Nothing was left of {gold:,} pieces of personal information in {holding:,} of "
            f"{scores.n_messages:,} messages of {each.corpus}. That is no promise: with as many messages, "
            "up to the second number under each figure may still be left unseen."
        )
    talks = scores.get_ratios()["conversations.full"]
    of_talks = f", and in {talks.whole - talks.part:,} of {talks.whole:,} conversations"
    return (
        f"Yes: of {gold:,} pieces of personal information in {scores.n_messages:,} messages of "
        f"{each.corpus}, {left:,} were left in whole or in part, in {leaky:,} of the {holding:,} messages "
        f"that hold any{of_talks if talks.whole else ''}."
    )


def _get_ends(name: str, each: Evaluation) -> tuple[float, float]:
    low, high = each.intervals[name]
    return (low, get_exact_interval(0, each.n_units).high) if high == 0 else (low, high)


def _count(name: str, each: Evaluation, says: str) -> Headline:
    value = each.shares[name] or 0.0
    low, high = _get_ends(name, each)
    return Headline(_round(value), f"{_round(low)} to {_round(high)}", says)


def _count_hundred(each: Evaluation) -> Headline:
    share, (low, high) = each.shares["redact"] or 0.0, each.intervals["redact"]
    if low == 1:
        low = get_exact_interval(each.n_units, each.n_units).low
    return Headline(
        f"{share:.1%}".replace("%", " %"),
        f"{low:.1%} to {high:.1%}".replace("%", " %"),
        "of the personal information is removed, to the last letter",
    )


def _round(share: float) -> str:
    value = THOUSAND * share
    return f"{value:,.0f}" if value >= 9.95 or not value else f"{value:.1f}".removesuffix(".0")


def _tabulate(name: str, each: Evaluation) -> list[str]:
    cells = [name, f"{each.scores.n_messages:,}"]
    for rate in ("left", "leaky"):
        low, high = _get_ends(rate, each)
        cells.append(f"{_round(each.shares[rate] or 0.0)} ({_round(low)} to {_round(high)})")
    return [*cells, _write_percent(each.shares["redact"])]


def _by_class(each: Evaluation) -> list[list[str]]:
    rows = []
    for label in each.labels:
        gold, done = each.scores.entity(label).gold, each.scores.counts["redacted"][label]
        rows.append(_write_left(WORDS["classes"][label], Ratio(done, gold)))
    ratios = each.scores.get_ratios()
    direct = _write_left("names, identity and phone numbers, e-mail", ratios["redact_direct"])
    return [*rows, direct, _write_left("all others", ratios["redact_other"])]


def _write_left(name: str, redacted: Ratio) -> list[str]:
    left = f"{redacted.whole - redacted.part:,}" if redacted.whole else NOTHING
    return [name, f"{redacted.whole:,}", left, _write_percent(redacted.share)]


def _write_percent(share: float | None) -> str:
    return NOTHING if share is None else f"{100 * share:.1f} %"
