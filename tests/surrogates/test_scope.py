import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.surrogates import make_classes
from components.surrogates.core.lazy_classes import Classes
from components.surrogates.core.pools import Pool, Pools
from components.surrogates.core.scope import Scope
from components.text.casing import fold, genitive, like_case, to_ascii
from tests.cases import cases


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 8, 9, 16, 17, 100, 257])
@pytest.mark.parametrize("key", [b"one", b"two", b"three"])
def test_cycle_is_a_permutation_without_fixed_points(size, key):
    scope = Scope(key, "scope")
    steps = [next(scope.cycle(size, i, "field")) for i in range(size)]
    assert sorted(steps) == list(range(size))
    assert all(step != i for i, step in enumerate(steps))
    assert sorted([0, *scope.cycle(size, 0, "field")]) == list(range(size))


@given(st.integers(2, 10**7), st.data())
def test_cycle_of_any_size(size, data):
    index = data.draw(st.integers(0, size - 1))
    step = next(Scope(b"key", "scope").cycle(size, index))
    assert 0 <= step < size and step != index


def test_digits_are_permuted():
    scope = Scope(b"key", "scope")
    new = {scope.digits(f"{i:03d}", "x") for i in range(1000)}
    assert len(new) == 1000 and all(len(text) == 3 for text in new)
    assert scope.digits("", "x") == ""


def test_choices_depend_on_key_scope_and_field():
    pool = Pool(f"name {i}" for i in range(5000))
    picks = {
        Scope(key, name, conversation).ledger.pick(field, "x", pool)
        for key in (b"a", b"b")
        for name in ("1", "2")
        for conversation in (False, True)
        for field in ("first", "surname")
    }
    assert len(picks) == 16
    assert Scope(b"a", "1").ledger.pick("first", "x", pool) == Scope(b"a", "1").ledger.pick(
        "first", "X", pool
    )


@given(st.lists(st.sampled_from([f"n{i}" for i in range(30)]), unique=True, max_size=15))
def test_listed_values_of_a_conversation_never_meet(values):
    pool = Pool(f"n{i}" for i in range(30))
    # Every value in a message of its own.
    new = [Scope(b"key", "c", True, [value]).ledger.pick("first", value, pool) for value in values]
    assert len(set(new)) == len(values) and all(a != b for a, b in zip(new, values))


@given(st.lists(st.text("abcdef", min_size=1), unique_by=fold, max_size=8))
def test_values_of_a_message_never_meet(values):
    pool = Pool(f"n{i}" for i in range(30))
    scope = Scope(b"key", "m", originals=[*values, "n1", "n2", "n3"])
    new = [scope.ledger.pick("first", value, pool) for value in values]
    assert len(set(new)) == len(values) and not {"n1", "n2", "n3"} & set(new)


TWO = {f"{g}{i}": (g,) for g in "fm" for i in range(9)}
FOUR = {f"{g}{o}{i}": (g, o) for g in "fm" for o in "xy" for i in range(9)}


@pytest.mark.parametrize(
    ("rows", "originals", "value", "unlike", "start"),
    [
        # What is too much like the value is still better than an original.
        (["anna", "asa", "eva"], ["anna", "eva"], "anna", "e", "asa"),
        (["anna", "asa", "eva"], ["anna"], "anna", "e", "eva"),
        # The second best of the own pool is taken before the wider pool is asked.
        (TWO, ["f0"], "f0", "m", "f"),
        (TWO, [f"f{i}" for i in range(9)], "f0", "fm", "m"),
    ],
)
def test_order_of_what_is_chosen(rows, originals, value, unlike, start):
    pool = Pools(rows).of(value) if isinstance(rows, dict) else Pool(rows)
    scope = Scope(b"key", "m", originals=originals)
    assert scope.ledger.pick("x", value, pool, lambda name: name[0] in unlike).startswith(start)


def test_genitive_of_an_original():
    assert {"lunds", "lund"} <= Scope(b"key", "m", originals=["Lunds"]).ledger.originals


def test_more_values_than_surrogates():
    scope, pool = Scope(b"key", "m"), Pool("abc")
    assert {scope.ledger.pick("x", str(i), pool) for i in range(20)} <= set("abc")


def test_small_groups_join_their_like():
    keys = {f"a{i}": ("f", "sv") for i in range(10)} | {"b1": ("f", "so"), "c1": ("m", "sv")}
    keys |= {f"d{i}": ("m", "ar") for i in range(3)}
    pools = Pools(keys)
    assert pools.of("b1") is pools.of("a1")
    assert pools.of("c1") is pools.of("d1") is not pools.of("a1")
    assert pools.like("m", "xx") is pools.of("c1")
    assert pools.of("unknown") is None and pools.of("a1")


NAMES = {f"{g}{o}{i}": (g, o) for g in "fm" for o in "xyz" for i in range(9)}


@given(st.lists(st.sampled_from([*NAMES]), unique=True, max_size=27))
def test_small_groups_widen_before_an_original_returns(values):
    """More people of one origin than its list has names: they get names of other origins."""
    pools = Pools(NAMES)
    scope = Scope(b"key", "c", True, values, whole=True)
    new = [scope.ledger.pick("first", value, pools.of(value)) for value in values]
    assert len(set(new)) == len(values) and not set(values) & set(new)
    assert scope.ledger.taken["first"] == set(new)
    women = [value for value in values if value[0] == "f"]
    if len(women) < 14:
        assert all(name[0] == "f" for value, name in zip(values, new) if value in women)


def test_no_lists_and_too_short_lists():
    with pytest.raises(ValueError, match="initialize"):
        Pools({}).like("f")
    with pytest.raises(ValueError, match="at least two"):
        Pools({"one": ("f",)})


@cases
def test_like_case(original, surrogate, expected):
    assert like_case(original, surrogate) == expected


@cases
def test_genitive(ending, surrogate, expected):
    assert genitive(surrogate, ending, surrogate) == expected


def test_fold():
    assert (
        fold("  Hodžić\tÅSA ") == "hodzic åsa" and fold("Ø\u0301") and to_ascii("Åsa-Bö") == "asabo"
    )


def test_ordinary_words_only_stand_for_one_another():
    keys = {f"{kind}{n}": ("x", kind) for kind in "ab" for n in range(30)}
    words = {f"a{n}" for n in range(8)} | {"b1", "b2"}
    pools = Pools(keys, ambiguous=words)
    for word in (w for w in words if w[0] == "a"):
        assert {*pools.of(word).members} == {w for w in words if w[0] == "a"}
    for value in ("a20", "b20", "b1", "b2"):
        assert {*pools.of(value).members} == {
            key for key in keys if key[0] == value[0] and key not in words
        }
    assert not words & {*pools.like("x", "a").members, *pools.like("x").members}
    # Nothing else to choose from.
    assert {*Pools({"c1": ("x",), "c2": ("x",)}, ambiguous=["c1", "c2"]).of("c1").members}


def test_likes_are_better_than_what_is_too_much_alike():
    """Those that share the first feature are asked before the second best is taken."""
    scope, pool = Scope(b"key", "m", originals=["fx0"]), Pools(FOUR).of("fx0")
    assert scope.ledger.pick("first", "fx0", pool, lambda name: name[1] == "y")[:2] == "fy"


def test_an_unlisted_value_is_like_those_that_share_most():
    keys = {f"{a}{b}{c}{i}": (a, b, c) for a in "fm" for b in "xy" for c in "pq" for i in range(8)}
    keys |= {f"mypbig{i}": ("m", "y", "p") for i in range(5)}
    pools = Pools(keys)
    assert pools.like("f", "y", "q") is pools.of("fyq0")
    assert pools.like("f", "x", "q") is pools.of("fxq0")
    # The first feature weighs most; of several pools alike, the largest.
    assert pools.like("m", "z", "q") is pools.of("myp0")
    assert pools.like("f", "y") in (pools.of("fyp0"), pools.of("fyq0"))
    assert pools.like("n", "x", "q") is pools.of("myp0")


def test_what_is_known_is_no_surrogate():
    scope = Scope(b"key", "scope", whole=True)
    assert not scope.ledger.is_forbidden("anna")
    scope.ledger.originals.add("berg")
    scope.ledger.forbid(["anna", ""])
    scope.ledger.forbid(["bo ek"])
    # What stands in the messages is still remembered.
    assert scope.ledger.originals == {"berg", "anna", "bo ek"}
    forbidden = {"anna", "annas", "bo ek", "eva anna", "annas väg"}
    allowed = {"", "ann", "annax", "bo", "asne", "berg"}
    assert {value for value in forbidden | allowed if scope.ledger.is_forbidden(value)} == forbidden


def test_classes_are_made_when_they_are_asked_for():
    made = []
    makers = {
        "b": lambda classes: made.append("b"),
        "c": lambda classes: made.append("c") or "see",
        "a": lambda classes: made.append("a" + classes["c"]),
    }
    classes = Classes(makers, {})
    assert [*classes] == ["b", "c", "a"]
    assert classes["a"] is None and made == ["c", "asee"]


def test_classes_come_behind_those_that_they_build_upon():
    order = [*make_classes({})]
    assert order.index("PERSON") < order.index("LOCATION") < order.index("ORGANISATION")
    assert order.index("ORGANISATION") < order.index("EMAIL")
