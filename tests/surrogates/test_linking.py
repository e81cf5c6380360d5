import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.surrogates import Classes, Mention, make_classes
from tests.cases import cases
from tests.surrogates.hand_lists import FIRST, LISTS, SURNAMES


@pytest.fixture(scope="module")
def classes() -> Classes:
    return make_classes(LISTS)


def link(classes: Classes, label: str, messages: str) -> str:
    """Link what stands in the messages; `|` separates the mentions of one."""
    mentions = []
    for number, message in enumerate(messages.split(", ")):
        start = 0
        for text in message.split(" | "):
            mentions.append(Mention(text, message=number, start=start))
            start += len(text) + 3
    numbers: dict[str, int] = {}
    names = classes[label].identities(mentions)
    return "".join(str(numbers.setdefault(name, len(numbers))) for name in names)


@cases
def test_people(classes, messages, numbers):
    assert link(classes, "PERSON", messages) == numbers


WITH_VARIANTS = {
    **LISTS,
    "surnames": [
        *LISTS["surnames"],
        *(dict(LISTS["surnames"][0], name=name) for name in ("Wallinn", "Whallin")),
    ],
}


@cases
def test_variants_of_a_surname(messages, numbers):
    assert link(make_classes(WITH_VARIANTS), "PERSON", messages) == numbers


@cases
def test_others(classes, label, messages, numbers):
    assert link(classes, label, messages) == numbers


NAMES = st.tuples(
    st.sampled_from(["", "dr ", "bror "]),
    st.sampled_from([*FIRST["f", "sv"].split()[:4], *FIRST["m", "so"].split()[:3], "Jocke"]),
    st.sampled_from(["", *SURNAMES["sv"].split()[:3]]),
).map(lambda parts: "{}{} {}".format(*parts))


@given(st.lists(NAMES, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_every_mention_is_of_one_entity(classes, texts, random):
    mentions = [Mention(text.strip(), message=random.randrange(4)) for text in texts]
    found = classes["PERSON"].identities(mentions)
    assert len(found) == len(texts) and all(found)
    surnames: dict[str, set[str]] = {}
    for name, text in zip(found, texts):
        surnames.setdefault(name, set()).update({text.split()[-1]} & {*SURNAMES["sv"].split()})
    assert all(len(own) <= 1 for own in surnames.values())
