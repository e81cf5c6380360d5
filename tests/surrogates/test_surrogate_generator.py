import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest
import spacy
from hypothesis import example, given
from hypothesis import strategies as st
from spacy.tokens import Doc

from components.shared.labels import LABELS
from components.surrogates.core.pools import Pools
from components.surrogates.surrogate_generator import STRATEGIES, SurrogateGenerator
from components.text.casing import fold
from tests.cases import carry, cases, check_replaced
from tests.surrogates.hand_lists import FIRST, KEY, LISTS, make_doc, make_doc_of, make_generator

MESSAGE = (
    "Hej [dr Lundin|PERSON], [Eva Berg|PERSON] [550312-4567|PID] bor på [Storgatan 7|LOCATION] i "
    "[Lund|LOCATION]. Ring [070-123 45 67|PHONE] eller [eva.berg@telia.com|EMAIL] den "
    "[3 mars|DATE]. Hon är [67 år|AGE] och går hos [Capio vårdcentral Lundby|ORGANISATION]. "
    "MVH [Eva|PERSON]"
)


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("SV_DEID_KEY", KEY)


def check_offsets(doc: Doc) -> None:
    check_replaced(doc.text, doc._.deidentified, doc._.replacements)
    for entry, ent in zip(doc._.replacements, doc.ents, strict=True):
        kept = ["kept"] if entry["replacement"] == ent.text else []
        names = ["start", "end", "label", "replacement", "out_start", "out_end", *kept]
        assert list(entry) == names
        assert [*entry.values()][:3] == [ent.start_char, ent.end_char, ent.label_]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("conversation", [None, "c"])
def test_offsets_of_each_strategy(strategy, conversation):
    doc = make_doc(MESSAGE, conversation=conversation)
    before = [(ent.start, ent.end, ent.label_) for ent in doc.ents]
    check_offsets(make_generator(strategy=strategy)(doc))
    assert [(ent.start, ent.end, ent.label_) for ent in doc.ents] == before


def test_surrogates(generator):
    doc = generator(make_doc(MESSAGE))
    for entry in doc._.replacements:
        assert entry["replacement"] != doc.text[entry["start"] : entry["end"]]
    doctor, eva, *_, alone = [
        e["replacement"] for e in doc._.replacements if e["label"] == "PERSON"
    ]
    assert doctor.startswith("dr ") and eva.split()[0] == alone
    originals = {ent.text for ent in doc.ents}
    assert not originals & {entry["replacement"] for entry in doc._.replacements}


@cases
def test_strategies(strategy, expected):
    text = "Hej [Eva Berg|PERSON]! [Nils|PERSON] och [Eva|PERSON] i [Lund|LOCATION]"
    assert make_generator(strategy=strategy)(make_doc(text))._.deidentified == expected


@pytest.mark.parametrize("whole", [False, True])
def test_what_is_kept_by_strategy_is_nobody_elses_surrogate(whole):
    """All men's names but two stay: what else is called by a man's name gets none of them."""
    kept = FIRST["m", "sv"].split()[2:]
    marked = " ".join(f"[{name}|PERSON]" for name in kept)
    pipe = make_generator(strategy={"PERSON": "keep"})
    doc = make_doc(f"{marked} [Knurvel|PHI] [Vorstid|PHI]", conversation="c" if whole else None)
    if whole:
        pipe.replace_conversation([doc])
    else:
        pipe(doc)
    entries = doc._.replacements
    assert [entry.get("kept") for entry in entries] == [True] * len(kept) + [None, None]
    assert doc._.deidentified.startswith(" ".join(kept))
    assert not {*kept} & {entry["replacement"] for entry in entries[len(kept) :]}


@pytest.mark.parametrize("marked", ["[Eva|PERSON] [Nils|PHI]", "[Eva|PERSON] [Lund|LOCATION]"])
def test_strategy_by_label_defaults_to_surrogates(marked):
    """Also of what a model with one class found as a name."""
    doc = make_generator(strategy={"PERSON": "mask"})(make_doc(marked))
    assert re.fullmatch(r"\*\*\* (?!Nils|Lund)[A-ZÅÄÖ][a-zåäö]+", doc._.deidentified)


@cases
def test_numbers(label, marked, numbers):
    doc = make_generator(strategy="numbered")(make_doc(marked, label))
    assert doc._.deidentified == " ".join(f"[{label}_{n}]" for n in numbers.split())


def test_numbers_of_a_conversation_need_no_order():
    texts = [
        "[Eva Berg] ringde",
        "Ja, [Nils Dahl], [Nils] och [EVA BERG]",
        "[Nils Dahl]",
        "[Eva Ek]",
    ]
    one, other = make_generator(strategy="numbered"), make_generator(strategy="numbered")
    forward = [one(make_doc(t, "PERSON", "c"))._.deidentified for t in texts]
    backward = [other(make_doc(t, "PERSON", "c"))._.deidentified for t in reversed(texts)]
    assert forward == backward[::-1]
    eva, nils, other_eva = (re.search(r"\d+", forward[i])[0] for i in (0, 2, 3))
    assert len({eva, nils, other_eva}) == 3
    assert forward[1] == f"Ja, [PERSON_{nils}], [PERSON_{nils}] och [PERSON_{eva}]"


@pytest.mark.parametrize(
    "strategy", ["x", "", {"PERSON": "x"}, {"NAME": "mask"}, {"PERSON": None}, None, 3, ["mask"]]
)
def test_bad_strategy(strategy):
    pipe = make_generator()
    error = ValueError if isinstance(strategy, (str, dict)) else TypeError
    with pytest.raises(error, match="(?i)strateg"):
        pipe.strategy = strategy
    assert pipe.strategy == "surrogate"


def test_strategy_is_settable():
    pipe = make_generator()
    pipe.strategy = "mask"
    assert pipe(make_doc("[Eva|PERSON]"))._.deidentified == "***"
    pipe.strategy = {"PERSON": "remove"}
    assert pipe(make_doc("[Eva|PERSON]!"))._.deidentified == "!"
    with pytest.raises(TypeError):
        pipe.strategy["PERSON"] = "x"


def test_same_key_same_surrogates(monkeypatch):
    one = make_generator()(make_doc(MESSAGE))._.deidentified
    assert make_generator()(make_doc(MESSAGE))._.deidentified == one
    monkeypatch.setenv("SV_DEID_KEY", "another key for the tests")
    assert make_generator()(make_doc(MESSAGE))._.deidentified != one


def test_no_key_is_a_random_key(monkeypatch):
    monkeypatch.delenv("SV_DEID_KEY")
    one, other = make_generator(), make_generator()
    assert one(make_doc(MESSAGE))._.deidentified == one(make_doc(MESSAGE))._.deidentified
    assert one(make_doc(MESSAGE))._.deidentified != other(make_doc(MESSAGE))._.deidentified


def test_empty_key(monkeypatch):
    monkeypatch.setenv("SV_DEID_KEY", "")
    with pytest.raises(ValueError, match="SV_DEID_KEY"):
        SurrogateGenerator()


def test_conversations_agree_in_any_order(generator):
    texts = [MESSAGE, "[Eva|PERSON] bor i [Lund|LOCATION]", "[Berg|PERSON] ringde [3/3|DATE]"]
    forward = [generator(make_doc(t, conversation="c"))._.deidentified for t in texts]
    other = make_generator()
    backward = [other(make_doc(t, conversation="c"))._.deidentified for t in texts[::-1]]
    assert forward == backward[::-1]
    assert generator(make_doc(texts[1], conversation="d"))._.deidentified != forward[1]
    eva = generator(make_doc(MESSAGE, conversation="c"))._.replacements[1]["replacement"]
    assert forward[1].startswith(eva.split()[0])


@pytest.mark.parametrize("text", ["", " ", "\n", "Hej!", "a\u200b\x00b"])
def test_nothing_to_replace(generator, text):
    doc = spacy.blank("sv").make_doc(text)
    generator(doc)
    assert doc._.deidentified == text and doc._.replacements == []


def test_lists_are_needed_for_names_only():
    pipe = SurrogateGenerator()
    assert pipe(make_doc("[3 mars|DATE]"))._.deidentified != "3 mars"
    with pytest.raises(ValueError, match="initialize"):
        pipe(make_doc("[Eva|PERSON]"))
    pipe.strategy = "label"
    assert pipe(make_doc("[Eva|PERSON]"))._.deidentified == "[PERSON]"


def test_label_of_another_component_is_written(generator):
    doc = generator(make_doc("[Alvedon|DRUG] till [Eva|PERSON]"))
    assert doc._.deidentified.startswith("[DRUG] till ") and len(doc._.replacements) == 2


@cases
def test_single_class(generator, text, pattern):
    doc = generator(make_doc(f"[{text}|PHI]"))
    assert re.fullmatch(pattern, doc._.deidentified) and doc._.deidentified != text
    assert doc._.replacements[0]["label"] == "PHI"


@pytest.mark.parametrize("through", ["bytes", "disk", "pickle"])
def test_round_trip(tmp_path, through):
    pipe = make_generator()
    pipe.strategy = {"DATE": "mask"}
    loaded = carry(pipe, SurrogateGenerator(), through, tmp_path)
    assert loaded.strategy == {"DATE": "mask"}
    assert loaded(make_doc(MESSAGE))._.deidentified == pipe(make_doc(MESSAGE))._.deidentified


CHANGED = {"surrogate_numbers": "plausible", "dates": "month", "ages": "bands"}


@pytest.mark.parametrize(("name", "value"), CHANGED.items())
def test_choices(name, value):
    pipe = make_generator()
    default = getattr(pipe, name)
    assert default != value
    pipe.to_bytes()
    setattr(pipe, name, value)
    assert getattr(SurrogateGenerator().from_bytes(pipe.to_bytes()), name) == value
    assert getattr(pickle.loads(pickle.dumps(pipe)), name) == value
    # What is from the config stays there.
    configured = SurrogateGenerator(**{name: value}).to_bytes()
    assert getattr(SurrogateGenerator().from_bytes(configured), name) == default
    for wrong in ("x", None, ["shift"]):
        with pytest.raises(ValueError, match=f"{name} must be one of {default}, "):
            setattr(pipe, name, wrong)
        with pytest.raises(ValueError, match=name):
            SurrogateGenerator(**{name: wrong})
    assert getattr(pipe, name) == value
    pipe.strategy = "mask"
    assert getattr(pipe, name) == value


def test_classes_get_the_options():
    pipe = SurrogateGenerator(dates="year")
    pipe.surrogate_numbers = "plausible"
    modes = [pipe._classes[label].mode for label in ("PHONE", "DATE", "AGE")]
    assert modes == ["plausible", "year", "shift"]


def test_loading_makes_no_pools(generator, tmp_path, monkeypatch):
    generator.to_disk(tmp_path / "pipe")
    data = generator.to_bytes()
    made = []
    make = Pools.__init__

    def count(self, *args, **more):
        made.append(self)
        make(self, *args, **more)

    monkeypatch.setattr(Pools, "__init__", count)
    one = SurrogateGenerator().from_disk(tmp_path / "pipe")
    other = SurrogateGenerator().from_bytes(data)
    assert not made
    # Each class as it is met, and once.
    one(make_doc("[3 mars|DATE] [070-123 45 67|PHONE]"))
    assert not made
    one(make_doc("[Eva|PERSON]"))
    names = len(made)
    assert names
    one(make_doc("[Eva|PERSON] [12 år|AGE]"))
    assert len(made) == names
    one(make_doc(MESSAGE))
    assert len(made) > names
    assert one(make_doc(MESSAGE))._.deidentified == other(make_doc(MESSAGE))._.deidentified


def test_threads_that_come_first_at_once_agree(generator):
    data = generator.to_bytes()
    expected = generator(make_doc(MESSAGE))._.deidentified
    for _ in range(5):
        pipe = SurrogateGenerator().from_bytes(data)
        barrier = Barrier(4)

        def work(pipe=pipe, barrier=barrier):
            barrier.wait()
            return pipe(make_doc(MESSAGE))._.deidentified, pipe._classes["PERSON"]

        with ThreadPoolExecutor(4) as pool:
            done = [future.result() for future in [pool.submit(work) for _ in range(4)]]
        assert {text for text, _ in done} == {expected}
        assert len({id(person) for _, person in done}) == 1


def test_lists_that_cannot_be_used_are_told_of_at_once():
    pipe = SurrogateGenerator()
    with pytest.raises(ValueError, match="at least two"):
        pipe.initialize(list, lists={**LISTS, "surnames": LISTS["surnames"][:1]})
    with pytest.raises(ValueError, match="The list places needs a column 'name'"):
        pipe.initialize(list, lists={**LISTS, "places": [*LISTS["places"], {"kind": "city"}]})


def test_key_is_nowhere(generator, tmp_path):
    nlp = spacy.blank("sv")
    pipe = nlp.add_pipe("surrogate_generator", config={"required": []})
    pipe.initialize(list, lists=LISTS)
    nlp.to_disk(tmp_path)
    saved = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    for data in (*saved, nlp.to_bytes(), pickle.dumps(pipe), repr(pipe).encode()):
        assert KEY.encode() not in data
    doc = pipe(make_doc(MESSAGE))
    assert KEY not in str(doc._.replacements) and KEY not in nlp.config.to_str()


def test_stream_of_processes():
    nlp = spacy.blank("sv")
    nlp.add_pipe("surrogate_generator", config={"required": []}).initialize(list, lists=LISTS)
    docs = [make_doc(MESSAGE, conversation=str(i % 3)) for i in range(12)]
    texts = [doc._.deidentified for doc in nlp.pipe(docs, n_process=2, batch_size=3)]
    docs = [make_doc(MESSAGE, conversation=str(i % 3)) for i in range(12)]
    assert texts == [doc._.deidentified for doc in nlp.pipe(docs)]


PIECES = st.tuples(st.text(max_size=12), st.text(min_size=1, max_size=12), st.sampled_from(LABELS))


def build(pieces, conversation) -> Doc:
    words, labels = [], []
    for before, text, label in pieces:
        words += [before] * bool(before) + [text]
        labels += [""] * bool(before) + [label]
    return make_doc_of(words, labels, conversation)


# The lists here have no hospital with an abbreviation.
@example([("", "A", "ORGANISATION"), ("", "MOTTAGNING", "PERSON")], None)
@given(st.lists(PIECES, min_size=1, max_size=6), st.none() | st.text(max_size=3))
def test_offsets_of_any_text(generator, pieces, conversation):
    doc = build(pieces, conversation)
    check_offsets(generator(doc))
    again = build(pieces, conversation)
    assert generator(again)._.deidentified == doc._.deidentified


NAMES = [row["name"] for row in LISTS["first_names"]]
FULL = st.tuples(
    st.sampled_from(NAMES), st.sampled_from([row["name"] for row in LISTS["surnames"]])
)


# Whole conversations


def replace_all(pipe: SurrogateGenerator, *texts: str, conversation: str | None = "c") -> list[Doc]:
    docs = [make_doc(text, "PERSON", conversation) for text in texts]
    pipe.replace_conversation(docs)
    return docs


@pytest.mark.parametrize("title", ["god man", "God man", "bitr. överläkare", "ex-sambo", "dr"])
def test_titles_of_several_words_stay(generator, title):
    docs = replace_all(generator, f"[{title} Eva Berg] skrev", "[Berg] och [Eva]")
    new = docs[0]._.replacements[0]["replacement"]
    assert new.startswith(f"{title} ") and len(new.split()) == len(title.split()) + 2
    first, last = new.split()[-2:]
    assert docs[1]._.deidentified == f"{last} och {first}"


def test_one_identity_in_a_conversation(generator):
    docs = replace_all(
        generator,
        "Hej, [mamma Fadumo Warsame] här",
        "[Fadumo], [dr Lundin] och [FW]",
        "[fadumos] [Erik Lundin]",
        "[F. Warsame], [Fadumo W], [Dr L]",
    )
    (whole,), (first, doctor, both), (genitive, erik), (short, half, letter) = (
        [entry["replacement"] for entry in doc._.replacements] for doc in docs
    )
    mother, one, other = whole.split()
    assert mother == "mamma" and first == one
    assert both == one[0] + other[0]
    assert short == f"{one[0]}. {other}" and half == f"{one} {other[0]}"
    assert genitive.removesuffix("s") == one.lower().removesuffix("s")
    assert doctor.split()[1] == erik.split()[1] and letter == f"Dr {erik.split()[1][0]}"


def test_conversation_without_an_id(generator):
    texts = "[Eva]", "[Nils]"
    first = [doc._.deidentified for doc in replace_all(generator, *texts, conversation=None)]
    again = replace_all(generator, *texts[::-1], conversation=None)
    assert [doc._.deidentified for doc in again] == first[::-1]
    other = replace_all(generator, *texts, "[Nils]?", conversation=None)
    assert len({doc._.deidentified.strip("?") for doc in other}) == 2


def test_several_conversations_at_once(generator):
    docs = [make_doc("[Eva]", "PERSON", conversation) for conversation in "cd"]
    with pytest.raises(ValueError, match="conversation_id"):
        generator.replace_conversation(docs)
    generator.replace_conversation([])


def test_numbers_of_a_conversation_at_hand():
    pipe = make_generator(strategy="numbered")
    docs = replace_all(pipe, "[Nils] och [Eva Berg]", "[Berg], [Nils Ek]", "[Ek] [Lars]")
    assert " ".join(doc._.deidentified for doc in docs) == (
        "[PERSON_1] och [PERSON_2] [PERSON_2], [PERSON_1] [PERSON_1] [PERSON_3]"
    )


def test_strategies_of_a_conversation():
    pipe = make_generator(strategy={"PERSON": "label", "LOCATION": "mask", "DATE": "remove"})
    docs = [make_doc("[Eva|PERSON] [Lund|LOCATION] [3 mars|DATE]!", conversation="c")]
    pipe.replace_conversation(docs)
    assert docs[0]._.deidentified == "[PERSON] *** !"


KINDS = ["", "", "", "dr ", "bror ", "mamma "]
MENTIONS = st.tuples(
    st.sampled_from(KINDS),
    st.sampled_from([*NAMES[::4], "Jocke", "Xyvra", "Qorin", "F", "EB"]),
    st.sampled_from(["", "", " Berg", " Lundin", " Warsame", " B"]),
    st.sampled_from(["{}", "{}", "{}s", "{}sonen"]),
).map(lambda m: f"[{m[0]}{m[3].format(m[1] + m[2])}]")
CONVERSATIONS = st.lists(
    st.lists(MENTIONS, min_size=1, max_size=3).map(" och ".join), min_size=1, max_size=5
)


@given(CONVERSATIONS, st.randoms(use_true_random=False))
@example(["[Anna]", "[Hibaaqsonen] och [Hibaaq Berg] och [Ubahsonen]"], Random(0))
def test_any_conversation(generator, texts, random):
    docs = replace_all(generator, *texts)
    originals = {form for doc in docs for ent in doc.ents for form in fold(ent.text).split()}
    originals -= {kind.strip() for kind in KINDS}
    for doc in docs:
        check_offsets(doc)
        for entry in doc._.replacements:
            words = fold(entry["replacement"]).split()
            kept = {kind.strip() for kind in KINDS}
            assert not originals & {word for word in words if len(word) > 1} - kept
    shuffled = random.sample(texts, len(texts))
    again = {doc.text: doc._.deidentified for doc in replace_all(generator, *shuffled)}
    assert again == {doc.text: doc._.deidentified for doc in docs}


# More people of one origin than that origin has names left.
BALKAN = [("Anna", f"{name}ić") for name in ["Petrov", "Jovanov", "Hodž", "Bab", "Nikol"]]


@given(st.lists(FULL, min_size=1, max_size=6, unique=True))
@example(BALKAN)
def test_different_people_of_a_conversation_stay_different(generator, people):
    docs = replace_all(generator, *(f"[{first} {surname}] skrev" for first, surname in people))
    new = [tuple(doc._.replacements[0]["replacement"].split()) for doc in docs]
    for i, person in enumerate(people):
        for j in range(i):
            for role in (0, 1):
                assert (new[i][role] == new[j][role]) == (person[role] == people[j][role])
    words = {word for names in people for word in names}
    assert not words & {word for names in new for word in names}


def test_what_is_meant_to_stay_says_so(generator):
    text = "[vårdcentralen|ORGANISATION] i [Lund|LOCATION], [Skåne|LOCATION], [ＳＫÅＮＥ|LOCATION]"
    doc = generator(make_doc(text))
    kept = [(doc.text[e["start"] : e["end"]], e.get("kept")) for e in doc._.replacements]
    assert kept == [("vårdcentralen", True), ("Lund", None), ("Skåne", True), ("ＳＫÅＮＥ", True)]
    assert "Lund" not in doc._.deidentified


def test_a_message_that_replacing_fails_on_is_masked(generator, monkeypatch, caplog):
    def fail(*args):
        raise KeyError("Eva Berg")

    monkeypatch.setattr(generator._chooser, "choose", fail)
    docs = [make_doc("[Eva Berg|PERSON]", conversation="c"), make_doc("hej", conversation="c")]
    generator.replace_conversation(docs)
    assert [doc._.deidentified for doc in docs] == ["***", "***"]
    assert docs[0]._.replacements[0]["end"] == 8
    assert all(doc._.failed.startswith("surrogate_generator (KeyError") for doc in docs)
    assert "Eva" not in caplog.text
