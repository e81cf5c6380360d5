import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.surrogates import Mention, make_classes
from components.surrogates.core.linking import Linker, _misspelled
from tests.cases import read_cases
from tests.surrogates.hand_lists import FIRST, LISTS, SURNAMES

CASES = read_cases(__file__)


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(make_classes(LISTS))


def link(linker: Linker, label: str, *messages: str) -> list[int]:
    """Link what stands in the messages; `|` separates the mentions of one."""
    mentions = []
    for number, message in enumerate(messages):
        start = 0
        for text in message.split(" | "):
            mentions.append(Mention(text, message=number, start=start))
            start += len(text) + 3
    return linker.link(label, mentions)


@pytest.mark.parametrize("messages, numbers", CASES["test_people"])
def test_people(linker, messages, numbers):
    assert _renumber(link(linker, "PERSON", *messages.split(", "))) == numbers


def _renumber(clusters: list[int]) -> str:
    numbers: dict[int, int] = {}
    return "".join(str(numbers.setdefault(cluster, len(numbers))) for cluster in clusters)


WITH_VARIANTS = {
    **LISTS,
    "surnames": [
        *LISTS["surnames"],
        *(dict(LISTS["surnames"][0], name=name) for name in ("Wallinn", "Whallin")),
    ],
}


@pytest.mark.parametrize("messages, numbers", CASES["test_variants_of_a_surname"])
def test_variants_of_a_surname(messages, numbers):
    classes = make_classes(WITH_VARIANTS)
    assert _renumber(link(Linker(classes), "PERSON", *messages.split(", "))) == numbers


@pytest.mark.parametrize("label, messages, numbers", CASES["test_others"])
def test_others(linker, label, messages, numbers):
    assert _renumber(link(linker, label, *messages.split(", "))) == numbers


NAMES = st.tuples(
    st.sampled_from(["", "dr ", "bror "]),
    st.sampled_from([*FIRST["f", "sv"].split()[:4], *FIRST["m", "so"].split()[:3], "Jocke"]),
    st.sampled_from(["", *SURNAMES["sv"].split()[:3]]),
).map(lambda parts: "{}{} {}".format(*parts))


@given(st.lists(NAMES, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_every_mention_is_of_one_entity(linker, texts, random):
    mentions = [Mention(text.strip(), message=random.randrange(4)) for text in texts]
    found = linker.link("PERSON", mentions)
    assert len(found) == len(texts) and set(found) == set(range(max(found) + 1))


@pytest.mark.parametrize("one, other, same", CASES["test_misspelled"])
def test_misspelled(one, other, same):
    assert _misspelled(one, other) == _misspelled(other, one) == same
