"""No surrogate shows what it stands for, even where a class chose one that does."""

from collections.abc import Sequence

from hypothesis import example, given
from hypothesis import strategies as st

from components.surrogates import Mention, Scope, make_classes
from components.surrogates.core import redrawing
from components.surrogates.core.pools import Pool
from components.surrogates.core.redrawing import MOST_TRIES, cut_lower, shows_words
from components.surrogates.core.resemblance import KINDS
from components.text.casing import fold
from tests.cases import cases
from tests.surrogates.hand_lists import LISTS

CLASSES = make_classes(LISTS)


def look(
    monkeypatch, label: str, pairs: Sequence[tuple[str, str]], key: bytes = b"key"
) -> list[str]:
    """What becomes of surrogates that a class chose."""
    chosen = dict(pairs)
    monkeypatch.setattr(
        CLASSES[label],
        "_replace_all",
        lambda mentions, scope: [chosen[mention.text] for mention in mentions],
    )
    mentions = [Mention(text) for text in chosen]
    scope = Scope(key, "c", True, [*chosen], {label: mentions}, whole=True)
    return CLASSES[label].surrogates(mentions, scope)


@cases
def test_words_that_show_are_redrawn(monkeypatch, label, original, new, stays):
    (out,) = look(monkeypatch, label, [(original, new)])
    if stays is True:
        assert out == new
        return
    before, after = stays.split("{}")
    assert out.startswith(before) and out.endswith(after) and out != new
    assert original.islower() == out.islower() and original.isupper() == out.isupper()
    replacer = CLASSES[label]
    assert not shows_words(replacer.get_identifying(original), replacer.get_identifying(out))


def test_all_mentions_get_the_other_word(monkeypatch):
    """`Gustav` shows nothing of `Kurt`, but of `Kurt Gustavo`."""
    pairs = [
        ("Kurt", "Gustav"), ("Kurt Gustavo", "Gustav Ek"), ("Kurts", "Gustavs"), ("KURT", "GUSTAV"),
    ]  # fmt: skip
    first, full, genitive, capitals = look(monkeypatch, "PERSON", pairs)
    assert first != "Gustav" and full == f"{first} Ek"
    assert genitive.removesuffix("s") == first.removesuffix("s") and capitals == first.upper()


def test_addresses_follow(monkeypatch):
    person = look(monkeypatch, "PERSON", [("Rosita Wallinen", "Lena Wallin")])
    assert person[0].startswith("Lena ") and "Wallin" not in person[0]
    scope = Scope(b"key", "c", True)
    scope.ledger.redrawn["name", "wallin"] = "Åkerhjelm"
    monkeypatch.setattr(
        CLASSES["EMAIL"], "_replace_all", lambda mentions, scope: ["l.wallin@example.com"]
    )
    (address,) = CLASSES["EMAIL"].surrogates([Mention("r.wallinen@b.se")], scope)
    assert address == "l.akerhjelm@example.com"


def test_where_there_is_nothing_else(monkeypatch):
    """All that there is shows the original: it is not made worse."""
    pool = Pool(["Lundin", "Lundborg"])
    monkeypatch.setattr(CLASSES["PERSON"], "_get_pool_of", lambda word: pool)
    assert look(monkeypatch, "PERSON", [("Lundgren", "Lundvall")]) == ["Lundvall"]
    monkeypatch.setattr(CLASSES["PERSON"], "_get_pool_of", lambda word: None)
    assert look(monkeypatch, "PERSON", [("Lundgren", "Lundvall")]) == ["Lundvall"]


def test_nobody_gets_the_name_of_another(monkeypatch):
    monkeypatch.setattr(
        CLASSES["PERSON"], "_get_pool_of", lambda word: Pool(["Lundin", "Berg", "Ek"])
    )
    pairs = [("Lundgren", "Lundin"), ("Dahl", "Berg"), ("Wall", "Hall")]
    for key in (b"a", b"b", b"c", b"d"):
        # What the pool walks from is left out.
        assert look(monkeypatch, "PERSON", pairs, key) in (
            ["Ek", "Berg", "Hall"],
            ["Lundin", "Berg", "Hall"],
        )


def test_a_pool_of_such_names_is_not_searched_for_ever(monkeypatch):
    pool = Pool(f"Lund{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(600))
    monkeypatch.setattr(CLASSES["PERSON"], "_get_pool_of", lambda word: pool)
    asked = []
    monkeypatch.setattr(redrawing, "shows", lambda *words: asked.append(words) or True)
    assert look(monkeypatch, "PERSON", [("Lundgren", "Lundvall")]) == ["Lundvall"]
    assert MOST_TRIES <= len(asked) < MOST_TRIES + 5


def test_by_key(monkeypatch):
    drawn = [
        look(monkeypatch, "PERSON", [("Anita Saralind", "Lena Sara")], b"%d" % (i % 20))
        for i in range(40)
    ]
    assert drawn[:20] == drawn[20:]
    assert len({out for (out,) in drawn}) > 3


WORDS = st.text(alphabet="abdeklnrsåöé -", max_size=14)


@given(WORDS)
@example("södra")
def test_any_word_shows_itself(text):
    """But a kind: `södra` tells nothing."""
    words = [word for word in text.replace("-", " ").split() if len(word) > 3]
    words = [word for word in words if not {fold(word), fold(word).removesuffix("s")} & KINDS]
    assert all(shows_words(text, word) for word in words)


def test_words_in_lower_case_tell_what_it_is():
    assert cut_lower("Tre Källors väg 9") == "Tre Källors"
    assert cut_lower("rätans by") == "rätans by" and cut_lower("12") == ""
