"""A reader that is a program, e.g. a local language model: it gets a conversation and some people of the
register, and says who of them it is about.
"""

import pkgutil
import re
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from lab.attack.facts import Facts
from training_tools.binomial import get_exact_interval

Reader = Callable[[str], str]

# What came of a question: the person, another one, "cannot be told", nothing that could be read.
FOUND, WRONG, DECLINED, UNREADABLE = OUTCOMES = ("found", "wrong", "declined", "unreadable")
NUMBER = re.compile(r"[0-9]{1,4}")
PROMPT = """\
Här är en konversation med vården. Namn, platser, datum, åldrar och nummer kan vara utbytta mot påhittade.

<konversation>
{text}
</konversation>

Konversationen handlar om en av dessa personer:

{people}

Vem är det? Väg samman allt som konversationen berättar. Svara med personens siffra och inget annat, \
eller med 0 om det inte går att avgöra."""


def load_reader(path: str) -> Reader:
    """Load a reader.

    path (str): Where a function is that takes a prompt and returns an answer, `module:function`.
    RETURNS (Reader): The function.
    RAISES (ValueError): If there is none.
    """
    try:
        reader = pkgutil.resolve_name(path)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(
            f"There is no reader {path}: name a function as module:function ({error})."
        ) from None
    if not callable(reader):
        raise ValueError(f"The reader {path} is no function of a text.")  # noqa: TRY004
    return reader


def ask_reader(
    reader: Reader, texts: Sequence[str], register: Sequence[Facts], candidates: int, seed: int = 0
) -> dict[str, Any]:
    """Ask a reader of each conversation who it is about.

    reader (Reader): The reader.
    texts (Sequence[str]): The conversations.
    register (Sequence[Facts]): The people, the first of whom are theirs, in their order.
    candidates (int): How many people are to choose from: the right one, and others drawn at random.
    seed (int): Of the draw: with the same one the same people are asked for in the same order.
    RETURNS (dict[str, Any]): How many conversations were `asked`; counts of `OUTCOMES`; `share`, that of
        the found ones, its exact `interval`, and that by `chance`.
    RAISES (ValueError): If the reader fails. The message names the error, and nothing of a text.
    """
    rng = Random(seed)
    counts: Counter[str] = Counter()
    number = min(candidates, len(register))
    for place, text in enumerate(texts):
        others = rng.sample([one for one in range(len(register)) if one != place], number - 1)
        shown = rng.sample([place, *others], number)
        try:
            answer = reader(make_prompt(text, [register[one] for one in shown]))
        except Exception as error:  # noqa: BLE001
            # The cause may quote the prompt.
            raise ValueError(f"The reader failed: {type(error).__name__}.") from None
        counts[judge(answer, shown.index(place) + 1, number)] += 1
    asked = len(texts)
    return {
        "asked": asked,
        **{name: counts[name] for name in OUTCOMES},
        "share": counts[FOUND] / asked,
        "interval": list(get_exact_interval(counts[FOUND], asked)),
        "chance": 1 / number,
    }


def make_prompt(text: str, people: Sequence[Facts]) -> str:
    """Write the question.

    text (str): A conversation.
    people (Sequence[Facts]): Whom it may be about.
    RETURNS (str): The prompt, in Swedish.
    """
    listed = [f"{number}. {describe(facts)}" for number, facts in enumerate(people, 1)]
    return PROMPT.format(text=text, people="\n".join(listed))


def describe(facts: Facts) -> str:
    """Write what the register tells of somebody.

    facts (Facts): The person.
    RETURNS (str): One line, in Swedish.
    """
    name = " ".join(part.title() for part in (facts.first, facts.last) if part)
    place = ", ".join(part.title() for part in (facts.place, facts.region) if part)
    visits = ", ".join(map(str, sorted(facts.dates)))
    days = ", ".join(f"{day.day}/{day.month}" for day in sorted(facts.days))
    parts = {
        "": name,
        "ålder": "" if facts.age is None else str(facts.age),
        "bor i": place,
        "nummer och adresser": ", ".join(sorted(facts.numbers)),
        "besök": visits,
        "besök, utan år": days,
    }
    return "; ".join(f"{said} {value}".strip() for said, value in parts.items() if value)


def judge(answer: object, right: int, number: int) -> str:
    """Judge an answer. Only a number counts, of somebody who was shown: what must be guessed at is none.

    answer (object): What the reader returned.
    right (int): The number of the person.
    number (int): How many were shown.
    RETURNS (str): One of `OUTCOMES`.
    """
    if not isinstance(answer, str) or not NUMBER.fullmatch(answer.strip()):
        return UNREADABLE
    said = int(answer)
    if said > number:
        return UNREADABLE
    if said == 0:
        return DECLINED
    return FOUND if said == right else WRONG
