import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.surrogates import Mention, make_classes
from components.surrogates.core.linking import Linker, _misspelled
from lab.scripts.evaluate_linking import b_cubed
from tests.surrogates.hand_lists import FIRST, LISTS, SURNAMES


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


@pytest.mark.parametrize(
    ("messages", "numbers"),
    [
        ("Eva Berg, Eva, Berg, eva, EVAS, Bergs, eva berg", "0000000"),
        ("Fadumo Warsame, Fadumo, FW, F.W., Fadumo W, F. Warsame, F", "0000000"),
        ("Ulla-Karin Dahl, U-K, UK, U-K D, UKD, ulla karin", "000000"),
        ("Eva Berg, Eva Dahl", "01"),
        ("Eva Berg, Eva Dahl, Eva Dahl | Eva, Eva B", "01110"),
        # Which Eva cannot be told.
        ("Eva Berg | Eva Dahl | Eva", "012"),
        # The mother is not the doctor.
        ("mamma Eva, dr Eva, mamma Eva, doktor Eva", "0101"),
        ("bror Kim, mamma Kim", "01"),
        # A family: the title or the gender tells.
        ("Nils Ek, Eva Ek, herr Ek", "010"),
        ("dr Eva Ek, Nils Ek, dr Ek", "010"),
        ("Nils Ek | Eva Ek | Ek", "012"),
        ("familjen Ek, Nils Ek, fam Ek", "010"),
        # A husband gets his wife's surname, if he lacks one.
        ("Eva Ek, bror Nils, herr Ek", "011"),
        ("Joakim Berg, Jocke, Jocke B, Kalle", "0001"),
        ("Fadumo Elmi, Fadde, Ayaan", "001"),
        ("Abdirahman, Abdi | Abdirahman", "010"),
        ("Åkerhjelm, Åkerhjlm, dr Åkehrjelm", "000"),
        ("Maria, Marie", "01"),
        # Professional titles go with surnames.
        ("Nils Wallin, dr Eva Norberg, dr N, N", "0110"),
        # A title alone is nobody.
        ("dr Ek, doktor Berg, doktor Dahl", "012"),
        ("mamma, Mamma", "01"),
        ("🙂, 123", "01"),
    ],
)
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


@pytest.mark.parametrize(
    ("messages", "numbers"),
    [
        # One name in two spellings, both of which are listed.
        ("Eva Wallin, Eva Wallinn, Eva Whallin", "000"),
        ("Eva Wallin, Nils Wallinn, Wallinn", "011"),
        ("Eva Wallin | Whallin, Nils Whallin", "001"),
        ("Eva Berg, Eva Bergman, Eva Nilsson, Eva Nilson", "0122"),
        ("Eva Berg | Eva Ek | Ekberg", "012"),
    ],
)
def test_variants_of_a_surname(messages, numbers):
    classes = make_classes(WITH_VARIANTS)
    assert _renumber(link(Linker(classes), "PERSON", *messages.split(", "))) == numbers


@pytest.mark.parametrize(
    ("label", "messages", "numbers"),
    [("PHONE", "070-123 45 67, 0701234567, +46 70 123 45 67, 0046701234567, 070-123 45 68", "00001"),
     ("PID", "550312-4567, 19550312-4567, 5503124567, 4567, 550312+4567", "00000"),
     ("PID", "550312-4567, 550312-4576, 550412-4567", "001"),
     ("PID", "550312-4567, 4576, 4577, 8901", "0001"),
     ("PID", "550312-4567, 560312-4568, 4566", "012"),
     ("EMAIL", "eva@telia.com, Eva@Telia.com, ewa@telia.com", "001"),
     ("LOCATION", "Storgatan 7, Storgatan, Skolgatan 7", "001"),
     ("LOCATION", "Lund, lund, Lunds, Ystad, Ystadsbo", "00011"),
     ("LOCATION", "Landskrona, Landskrna, Landskronas", "000"),
     ("ORGANISATION", "Närhälsan Torslanda, närhälsan torslanda, närhälsan", "000"),
     ("ORGANISATION", "Närhälsan Torslanda, Närhälsan Eriksberg, närhälsan", "012"),
     ("ORGANISATION", "Försäkringskassan, FK, försäkringskasan", "000"),
     ("ORGANISATION", "Ekängens fotvård, ekängens fotvrård, Ekängens", "000"),
     ("DATE", "3 maj 2024, 3 maj, 3/5, 2024-05-03, 3:e, 4 maj", "000001"),
     ("DATE", "3 maj, 3 juni, 3:e", "012"), ("DATE", "tisdag 3 maj, 3 maj 2024, 3/5 2025", "012"),
     ("DATE", "maj 2024, 3 maj 2024", "01"), ("AGE", "55 år, femtiofem år, 56 år", "001")],
)  # fmt: skip
def test_others(linker, label, messages, numbers):
    assert _renumber(link(linker, label, *messages.split(", "))) == _renumber(
        [int(n) for n in numbers]
    )


NAMES = st.sampled_from(
    [
        f"{title}{first}{gap}{last}"
        for first in [*FIRST["f", "sv"].split()[:4], *FIRST["m", "so"].split()[:3], "Jocke", ""]
        for last in [*SURNAMES["sv"].split()[:3], ""]
        for title in ("", "dr ", "bror ")
        for gap in (" ",)
        if (first or last)
    ]
)


@given(st.lists(NAMES, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_every_mention_is_of_one_entity(linker, texts, random):
    mentions = [Mention(text.strip(), message=random.randrange(4)) for text in texts]
    found = linker.link("PERSON", mentions)
    assert len(found) == len(texts) and set(found) == set(range(max(found) + 1))


@pytest.mark.parametrize(
    "one, other, same",
    [("enköping", "enkoping", True), ("enköping", "enköpign", True),
     ("enköping", "3nköping", False), ("3nköping", "4nköping", False), ("ekby", "elby", False),
     ("eken 12", "eken 13", False)],
)  # fmt: skip
def test_misspelled(one, other, same):
    assert _misspelled(one, other) == _misspelled(other, one) == same


def test_b_cubed():
    # The example of Bagga and Baldwin (1998): the second response.
    entities = [1] * 5 + [2] * 2 + [3] * 5
    clusters = [1] * 5 + [2] * 2 + [1] * 5
    scores = b_cubed(entities, clusters)
    precision, recall = (sum(column) / len(scores) for column in zip(*scores))
    assert precision == pytest.approx(7 / 12) and recall == 1


@pytest.mark.parametrize(
    ("label", "messages", "numbers"),
    [
        # A place's name in a compound and at the end of a longer one, if it is long enough.
        ("LOCATION", "Lanta, Koh Lanta", "00"),
        ("LOCATION", "Hot, Koh Hot", "01"),
        ("LOCATION", "Hede, Norra Hede", "00"),
        # A slip in a name of five letters or more, two in one of twelve.
        ("LOCATION", "Ystad, Ytsad", "00"),
        ("LOCATION", "Lund, Lnud", "01"),
        ("LOCATION", "Kristinehamn, Krisitnehamm", "00"),
        ("LOCATION", "Hässleholm, Hsslehom", "01"),
        # An organisation begins with its own name.
        ("ORGANISATION", "Volvo Lastvagnar, Volvo", "00"),
        ("ORGANISATION", "Kry, Kry Syd", "01"),
        ("ORGANISATION", "Sandvik, Sadnvik", "00"),
        # Two that a name may be of: none.
        ("ORGANISATION", "Volvo Lastvagnar, Volvo Bussar, Volvo", "012"),
        # A slip behind the right birth date, the last four digits, also with a slip.
        ("PID", "900101-2385, 900101-2358", "00"),
        ("PID", "900101-2385, 900101-2354", "01"),
        ("PID", "900101-2385, 900110-2385", "01"),
        ("PID", "900101-2385, 2385, 2386", "000"),
        ("PID", "900101-2385, 3285, 5832", "001"),
    ],
)
def test_what_is_the_same_but_not_by_its_letters(linker, label, messages, numbers):
    assert _renumber(link(linker, label, *messages.split(", "))) == numbers
