"""A program that reads: one that can tell people by their names, one that cannot answer, one that breaks."""

import datetime as dt
import re

import pytest

from lab.attack.facts import Facts
from lab.attack.reader import ask_reader, describe, judge, load_reader, make_prompt

NAMES = ["anna", "eva", "karin", "lena", "bo", "erik", "karl", "lars", "nils", "olof"]
REGISTER = [Facts(first=name, last="ek", age=20 + i) for i, name in enumerate(NAMES)]
TEXTS = [f"Hej, {name.title()} här" for name in NAMES]


def read_names(prompt):
    """Say whose name is in the conversation; 0 if nobody's."""
    text = re.search(r"<konversation>(.*?)</konversation>", prompt, re.DOTALL)[1]
    people = re.findall(r"(?m)^(\d+)\. (\w+)", prompt)
    return next((number for number, name in people if name in text), "0")


def chat(prompt):
    """An answer as models like to give it, right as it may be."""
    return f"Det är nog person {read_names(prompt)}."


def test_a_reader_that_can_tell():
    figures = ask_reader(read_names, TEXTS, REGISTER, candidates=4)
    assert figures["found"] == figures["asked"] == 10 and figures["share"] == 1.0
    assert figures["chance"] == 0.25 and figures["interval"][0] > 0.6
    # Where surrogates stand it cannot.
    figures = ask_reader(read_names, ["Hej, Ulla här"] * 10, REGISTER, candidates=4)
    assert figures["share"] == 0.0 and figures["declined"] == 10


def test_a_reader_that_cannot_answer():
    figures = ask_reader(chat, TEXTS, REGISTER, candidates=4)
    assert figures["unreadable"] == 10 and figures["share"] == 0.0


def test_a_reader_that_guesses_is_right_by_chance():
    """Whose conversation it is tells nothing of the order."""
    figures = ask_reader(lambda prompt: "1", TEXTS * 1, REGISTER * 40, candidates=2, seed=3)
    assert 1 <= figures["found"] <= 9 and figures["found"] + figures["wrong"] == 10


def test_a_reader_that_breaks():
    def fail(prompt):
        raise RuntimeError(prompt)

    with pytest.raises(ValueError, match="The reader failed: RuntimeError") as error:
        ask_reader(fail, TEXTS, REGISTER, candidates=4)
    assert "Anna" not in str(error.value) and error.value.__cause__ is None


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("2", "found"), (" 2\n", "found"), ("1", "wrong"), ("3", "wrong"), ("0", "declined"),
        ("4", "unreadable"), ("2.", "unreadable"), ("nr 2", "unreadable"), ("1 2", "unreadable"),
        ("", "unreadable"), ("-2", "unreadable"), ("²", "unreadable"), ("٢", "unreadable"),
        (2, "unreadable"), (None, "unreadable"),
    ],
)  # fmt: skip
def test_answers_are_read_strictly(answer, outcome):
    assert judge(answer, 2, 3) == outcome


def test_the_prompt_holds_the_conversation_and_the_people():
    person = Facts("anna", "ek", place="lund", region="skåne", age=42, numbers={"701740605"})
    person.dates, person.days = [dt.date(2023, 5, 2)], [dt.date(2023, 3, 1)]
    said = "Anna Ek; ålder 42; bor i Lund, Skåne; nummer och adresser 701740605; besök 2023-05-02; besök, utan år 1/3"
    assert describe(person) == said
    prompt = make_prompt("Hej {du}", [Facts(first="bo"), person])
    assert (
        "<konversation>\nHej {du}\n</konversation>" in prompt and f"\n1. Bo\n2. {said}\n" in prompt
    )


def test_readers_are_found_by_name():
    assert load_reader("lab.attack.reader:describe") is describe


@pytest.mark.parametrize(
    "path", ["lab.attack.reader:nobody", "no_such_module:read", "a b", "lab.attack.reader:NUMBER"]
)
def test_no_reader(path):
    with pytest.raises(ValueError, match="reader"):
        load_reader(path)
