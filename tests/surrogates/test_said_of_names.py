"""What a message says of a name itself holds for its surrogate."""

import re
from string import ascii_lowercase

from rapidfuzz.distance import OSA

from components.surrogates import Mention, PersonSurrogates, Scope
from components.surrogates.people.corrections import get_letters, get_role
from components.surrogates.people.name_origins import REGIONS
from components.text.casing import fold
from tests.cases import cases
from tests.surrogates.project_lists import LISTS

PERSON = PersonSurrogates(LISTS)
FIRST, SURNAMES = PERSON.reader.first, PERSON.reader.surnames
MARKED = re.compile(r"\[(.*?)\]")


def get_mentions(marked: str) -> list[Mention]:
    """The names in brackets, in messages with a bar between them."""
    mentions = []
    for number, message in enumerate(marked.split(" | ")):
        text = MARKED.sub(r"\1", message)
        for i, match in enumerate(MARKED.finditer(message)):
            start = match.start() - 2 * i
            end = start + len(match[1])
            mentions.append(Mention(match[1], text[:start], text[end:], number, start))
    return mentions


def replace(marked: str, key: str = "key") -> list[str]:
    mentions = get_mentions(marked)
    names = [mention.text for mention in mentions]
    texts = MARKED.sub(r"\1", marked).split(" | ")
    scope = Scope(key.encode(), "c", True, names, {"PERSON": mentions}, whole=True, texts=texts)
    return PERSON.surrogates(mentions, scope)


def get_row(new: str) -> dict[str, str]:
    form = fold(new)
    return FIRST.get(form) or SURNAMES[form]


@cases
def test_correction_stays_one(scope, marked):
    one, other = replace(marked, scope)
    assert one != other and OSA.distance(fold(one), fold(other)) <= 2


@cases
def test_two_people_are_no_correction(marked):
    mentions = get_mentions(marked)
    forms = [name.parts[0].form for name in PERSON.reader.read(mentions)]
    assert forms == [fold(mention.text) for mention in mentions]


@cases
def test_two_names_stay_two(scope, marked):
    news = [fold(new).split()[0] for new in replace(marked, scope)]
    assert len({*news}) == len(news)


@cases
def test_surname_alone(scope, marked):
    assert all(fold(new.split()[-1]) in SURNAMES for new in replace(marked, scope))


@cases
def test_letters(after, letters):
    assert get_letters(after) == letters


@cases
def test_name_has_the_letters_that_are_told(scope, marked, letters):
    (new,) = replace(marked, scope)
    assert letters in fold(new)


@cases
def test_role(marked, role):
    (mention,) = get_mentions(marked)
    assert get_role(mention) == role


@cases
def test_order_of_names(scope, marked, roles):
    (new,) = replace(marked, scope)
    lists = {"f": FIRST, "s": SURNAMES, "i": ascii_lowercase}
    assert all(fold(word) in lists[role] for word, role in zip(new.split(), roles, strict=True))


def test_pet_name_of_a_double_name(scope):
    double, pet = replace("[Sven-Olof] kallas [Olle]", scope)
    second = fold(double).split("-")[1]
    assert fold(pet) in (second, *map(fold, PERSON.reader.nicks_of.get(second, ())))


def test_names_of_father_and_son(scope):
    son, father = replace("[Hussein Ali] och hans far [Ali Hussein]", scope)
    assert son.split() == father.split()[::-1]
    (new,) = replace("hon heter [Sahra Abdi Mohamed]", scope)
    assert [FIRST[fold(name)]["gender"] for name in new.split()[:2]] == ["f", "m"]


@cases
def test_origin(scope, marked, region):
    new = replace(marked, scope)[-1]
    assert REGIONS[get_row(new.split()[-1])["origin"]] == region


def test_hyphenated_names_of_korea(scope):
    (new,) = replace("[Ji-woo Park]", scope)
    first, surname = new.split()
    assert SURNAMES[fold(surname)]["origin"] == PERSON.reader.doubles[fold(first)]["origin"] == "ko"
    assert first.partition("-")[2].islower()


@cases
def test_kinship(scope, marked, gender):
    new = replace(marked, scope)[-1]
    assert FIRST[fold(new.split()[-1])]["gender"] == gender


def test_misspelled_kinship_word_stays():
    (new,) = replace("hälsar från min [döter Qorin]")
    assert new.startswith("döter ")
