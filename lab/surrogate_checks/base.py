"""What the checks of surrogates have in common. They import nothing of what makes surrogates: a mistake
there is not to be made again here.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from lab.measures.surrogate_mentions import Mention
from lab.surrogate_checks.known import Known


class Talk(NamedTuple):
    """A conversation, before and after.

    mentions (Sequence[Mention]): What was replaced by what, in order.
    outputs (Sequence[tuple[str, str]]): Of each message its id and its text with surrogates.
    """

    mentions: Sequence[Mention]
    outputs: Sequence[tuple[str, str]] = ()

    def of(self, *labels: str) -> list[Mention]:
        """Choose the mentions of some classes.

        *labels (str): The classes.
        RETURNS (list[Mention]): Their mentions, in order.
        """
        return [mention for mention in self.mentions if mention.label in labels]


class Case(NamedTuple):
    """Where a check failed. It holds PHI.

    message (str): The id of the message.
    original (str): The original.
    surrogate (str): What stands in its place.
    why (str): What is wrong.
    """

    message: str
    original: str
    surrogate: str
    why: str


class Check(NamedTuple):
    """What a check has found.

    checked (int): How often it could tell.
    failed (int): How often something was wrong.
    cases (list[Case]): What was wrong.
    """

    checked: int
    failed: int
    cases: list[Case]


CheckFunction = Callable[[Talk, Known], Check]


def tell(mention: Mention, why: str) -> Case:
    """Tell what is wrong with a mention.

    mention (Mention): The mention.
    why (str): What is wrong.
    RETURNS (Case): The case.
    """
    return Case(mention.message, mention.original, mention.surrogate, why)


def gather(found: Iterable[Case | None]) -> Check:
    """Count what was checked.

    found (Iterable[Case | None]): For each that could be checked, what is wrong with it, if anything.
    RETURNS (Check): The counts.
    """
    checked, cases = 0, []
    for case in found:
        checked += 1
        if case:
            cases.append(case)
    return Check(checked, len(cases), cases)


def add(checks: Iterable[Check]) -> Check:
    """Sum the same check over conversations.

    checks (Iterable[Check]): The checks.
    RETURNS (Check): The sum.
    """
    all_checks = [*checks]
    cases = [case for check in all_checks for case in check.cases]
    return Check(sum(check.checked for check in all_checks), len(cases), cases)
