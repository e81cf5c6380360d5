import json
import re

import pytest
import spacy
from spacy.tokens import Doc

from components.measures.gold import parse_message
from components.vault import Vault
from lab.measures.coreference import read_coreference
from lab.measures.replacing import make_gold_doc, make_replacing_language, replace_gold
from lab.measures.stranger import Stranger
from lab.measures.surrogate_mentions import Mention, count_kept, get_digits, get_mentions
from lab.measures.surrogate_scores import (
    count_collisions,
    count_found,
    count_gender_clashes,
    count_identities,
)
from lab.scripts.evaluate_surrogates import evaluate_surrogates
from tests.surrogates.hand_lists import LISTS

STRANGER = Stranger(LISTS)


def make(pairs: str, label: str = "PERSON", entity: str = "e", **more: str) -> list[Mention]:
    """Mentions of one entity from `original > surrogate; ...`."""
    values = {"conversation": "c", "gender": "", "before": "", **more}
    return [
        Mention(label=label, entity=entity, original=old, surrogate=new, **values)
        for old, new in (pair.split(" > ") for pair in pairs.split("; "))
    ]


@pytest.mark.parametrize(
    ("pairs", "label", "same", "linkable", "linkable_same"),
    [
        ("Eva Berg > Lena Dahl; Eva > Lena; Bergs > Dahls", "PERSON", 3, 3, 3),
        ("dr Berg > dr Dahl; Eva Berg > Lena Dahl; berg > dahl", "PERSON", 3, 3, 3),
        ("Eva Berg > Lena Dahl; Eva > Lena; Eva > Sara", "PERSON", 2, 3, 2),
        ("Eva Berg > Lena Dahl; E.B. > L.D.; Eva B > Lena D; EB > LD", "PERSON", 4, 4, 4),
        ("Eva Berg > Lena Dahl; EB > XY", "PERSON", 1, 2, 1),
        ("Joakim Ek > Karl Hall; Jocke > Kalle", "PERSON", 2, 2, 2),
        ("Joakim Ek > Karl Hall; Jocke > Lasse", "PERSON", 1, 2, 1),
        ("Lundin > Wallin; Lundni > Wallni", "PERSON", 2, 2, 2),
        # An initial that fits two names does not make them one.
        ("Dr Wrona > Dr Sten; Zbigniew > Szymon; Dr W > Dr S", "PERSON", 2, 2, 2),
        ("E > L; E > L; Eva > Lena", "PERSON", 3, 3, 3),
        # Only the annotator knows that it is the same man.
        ("Nils > Lars; Räven > Bosse; Nils > Lars", "PERSON", 2, 2, 2),
        ("mamma Eva > mamma Lena; mamma Eva > mamma Sara", "PERSON", 1, 2, 1),
        ("Storgatan 7 > Ringvägen 9; Storgatan > Ringvägen", "LOCATION", 2, 2, 2),
        ("Storgatan 7 > Ringvägen 9; Storgatan > Ringvägen 8", "LOCATION", 1, 2, 1),
        ("413 45 Lund > 412 12 Ystad; Lund > Ystad; lundabor > ystadsbor", "LOCATION", 3, 3, 3),
        ("Norge > UK; norge > uk", "LOCATION", 2, 2, 2),
        ("070-123 45 67 > 070-174 06 05; +46701234567 > +46701740605", "PHONE", 2, 2, 2),
        ("070-123 45 67 > 070-174 06 05; 0701234567 > 0701740606", "PHONE", 1, 2, 1),
        ("550312-4567 > 560319-2385; 19550312 4567 > 19560319 2385", "PID", 2, 2, 2),
        ("550312-4567 > 560319-2385; 4567 > 2385", "PID", 2, 2, 2),
        ("550312-4567 > 560319-2385; 4567 > 2389", "PID", 1, 2, 1),
        # A slip stays one slip.
        ("550312-4567 > 560319-2385; 550312-4576 > 560319-2358", "PID", 2, 2, 2),
        ("a@b.se > x@example.com; A@b.se > X@example.com", "EMAIL", 2, 2, 2),
        ("a@b.se > x@example.com; A@b.se > y@example.com", "EMAIL", 1, 2, 1),
    ],
)
def test_identities(pairs, label, same, linkable, linkable_same):
    mentions = make(pairs, label)
    counts = count_identities(mentions, STRANGER)
    row = counts[label]
    assert (row["entities"], row["mentions"]) == (1, len(mentions))
    assert (row["same"], row["linkable"], row["linkable_same"]) == (same, linkable, linkable_same)
    assert row["share"] == same / len(mentions)
    assert counts["ALL"] == row


def test_identities_of_single_mentions_and_dates_are_not_counted():
    mentions = [*make("Eva > Lena"), *make("3 mars > 4 maj; 3/3 > 5/5", "DATE")]
    assert count_identities(mentions, STRANGER) == {
        "ALL": {
            "entities": 0,
            "mentions": 0,
            "same": 0,
            "share": None,
            "linkable": 0,
            "linkable_same": 0,
            "linkable_share": None,
        }
    }


@pytest.mark.parametrize(
    ("one", "other", "label", "collide"),
    [
        ("Eva > Lena", "Sara > Lena", "PERSON", True),
        ("Eva Ek > Lena Hall", "Sara > Lena", "PERSON", True),
        ("dr Lundin > dr Hall", "Eva Ek > Lena Hall", "PERSON", True),
        ("dr Lundin > dr Hall", "Lundins > Halls", "PERSON", False),
        ("dr Lundin > dr Hall", "dr Ek > dr Dahl", "PERSON", False),
        ("Eva Ek > Lena Hall", "Nils Ek > Lars Hall", "PERSON", False),
        ("E > L", "S > L", "PERSON", False),
        ("Lund > Ystad", "Höör > Ystad", "LOCATION", True),
        ("Lund > Ystad", "413 45 Höör > 412 12 Ystad", "LOCATION", True),
        ("070-1 > 070-3", "0702 > 0703", "PHONE", True),
        ("Volvo > Scania", "Kry > scania", "ORGANISATION", True),
        ("Volvo > Scania", "Kry > Scania buss", "ORGANISATION", False),
        ("3 mars > 3 maj", "4 mars > 3 maj", "DATE", False),
    ],
)
def test_collisions(one, other, label, collide):
    mentions = [*make(one, label, "a"), *make(other, label, "b")]
    assert count_collisions(mentions)[label] == collide
    apart = [*make(one, label, "a"), *make(other, label, "b", conversation="d")]
    assert not count_collisions(apart)[label]


@pytest.mark.parametrize(
    ("mention", "next_to_it", "annotated"),
    [
        ({"pairs": "mamma Eva > mamma Lars"}, (1, 1), (0, 0)),
        ({"pairs": "mamma Eva > mamma Lena"}, (1, 0), (0, 0)),
        ({"pairs": "Eva > Lars", "before": "hos min mamma "}, (1, 1), (0, 0)),
        ({"pairs": "Eva > Lars", "before": "det vet mamma. "}, (0, 0), (0, 0)),
        ({"pairs": "dr Eva > dr Lars", "gender": "f"}, (0, 0), (1, 1)),
        ({"pairs": "dr Evas > dr Lenas", "gender": "f"}, (0, 0), (1, 0)),
        ({"pairs": "Eva > Kim", "gender": "f"}, (0, 0), (0, 0)),
        ({"pairs": "herr Ek > herr Hall"}, (0, 0), (0, 0)),
    ],
)
def test_gender_clashes(mention, next_to_it, annotated):
    counts = count_gender_clashes(make(**mention), STRANGER)
    assert tuple(counts["next_to_it"].values()) == next_to_it
    assert tuple(counts["annotated"].values()) == annotated


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("+46 (0)70-174 06 05", "701740605"),
        ("0046701740605", "701740605"),
        ("070-1740605", "701740605"),
        ("19550312-456O", "5503124560"),
        ("230211+1428", "2302111428"),
    ],
)
def test_digits(text, digits):
    assert get_digits(text) == digits


# With a pipeline

NLP = spacy.blank("sv")
TEXT = "Hej  Annas,\nring070-1234567 MVH//Eva"
SPANS = [("Annas", "PERSON"), ("070-1234567", "PHONE"), ("Eva", "PERSON")]


def make_row(text: str = TEXT, spans=SPANS, **more):
    bounds = [
        {"start": text.index(phi), "end": text.index(phi) + len(phi), "label": label}
        for phi, label in spans
    ]
    return {"id": "m1", **parse_message(json.dumps({"text": text, "spans": bounds, **more}))}


def test_gold_doc_holds_all_spans():
    row = make_row(conversation="c")
    doc = make_gold_doc(NLP, row)
    assert doc.text == row["text"]
    assert [(ent.text, ent.label_) for ent in doc.ents] == SPANS
    assert doc._.conversation_id == "c"


def mask(doc: Doc) -> Doc:
    return NLP.create_pipe("surrogate_generator", config={"strategy": "mask", "required": []})(doc)


def test_mentions(tmp_path):
    path = tmp_path / "coreference.jsonl"
    spot = {"message": "m1", "start": 5, "end": 10}
    entity = {"id": "p1", "label": "PERSON", "gender": "f", "mentions": [spot]}
    path.write_text(json.dumps({"conversation": "c", "entities": [entity]}))
    row = make_row(conversation="c")
    first, second, third = get_mentions(
        [row], [mask(make_gold_doc(NLP, row))], read_coreference(path)
    )
    assert first == Mention("c", "PERSON", "p1", "f", "Hej  ", "Annas", "***", "m1")
    assert (second.entity, third.entity) == ("spelled 070-1234567", "spelled eva")


def test_what_the_strategy_keeps_is_counted_apart():
    text = "Anna på 070-1234567"
    row = make_row(text, [("Anna", "PERSON"), ("070-1234567", "PHONE")])
    nlp = make_replacing_language(LISTS)
    generator = nlp.get_pipe("surrogate_generator")
    generator.strategy, generator.required = {"PERSON": "keep", "PHONE": "label"}, []
    doc = generator(make_gold_doc(nlp, row))
    assert [mention.original for mention in get_mentions([row], [doc], {})] == ["070-1234567"]
    assert count_kept([doc]) == {"PERSON": 1}
    counts = count_found([doc], [doc], [doc])
    assert counts["ALL"]["mentions"] == counts["PHONE"]["mentions"] == 1 and "PERSON" not in counts


def test_what_is_kept_is_counted_apart():
    text = "Anna på vårdcentralen"
    row = make_row(text, [("Anna", "PERSON"), ("vårdcentralen", "ORGANISATION")])
    (doc,) = replace_gold(make_replacing_language(LISTS), [row])
    assert [mention.original for mention in get_mentions([row], [doc], {})] == ["Anna"]
    mentions = get_mentions([row], [doc], {}, with_kept=True)
    assert [mention.original for mention in mentions] == ["Anna", "vårdcentralen"]
    assert count_kept([doc]) == {"ORGANISATION": 1}
    counts = count_found([doc], [doc], [doc])
    assert counts["ALL"]["mentions"] == 1 and "ORGANISATION" not in counts


@pytest.mark.parametrize("line", ['{"entities": [{"id": 1}]}', "{}", '{"entities": [1]}'])
def test_bad_coreference(tmp_path, line):
    path = tmp_path / "coreference.jsonl"
    path.write_text(line)
    with pytest.raises(ValueError, match="line 1"):
        read_coreference(path)


def test_found():
    doc = mask(make_gold_doc(NLP, make_row()))
    before = make_gold_doc(NLP, make_row(spans=SPANS[:2]))
    after = make_gold_doc(NLP, make_row(doc._.deidentified, [("***,", "PERSON")]))
    counts = count_found([doc], [before], [after])
    assert counts["PERSON"] == {
        "mentions": 2,
        "originals": 1,
        "surrogates": 0,
        "both": 0,
        "covered": 1,
        "share": 0.0,
        "share_of_originals": 0.5,
        "share_of_both": 0.0,
        "share_covered": 0.5,
    }
    again = count_found(
        [doc], [before], [make_gold_doc(NLP, make_row(doc._.deidentified, [("***", "PERSON")]))]
    )
    assert (again["PERSON"]["surrogates"], again["PERSON"]["both"]) == (1, 1)
    assert again["ALL"]["mentions"] == 3 and again["PHONE"]["originals"] == 1


def test_metrics_hold_counts_only(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SV_DEID_KEY", Vault.new_key())
    nlp = spacy.blank("sv")
    ruler = nlp.add_pipe("entity_ruler")
    names = [row["name"] for row in LISTS["first_names"]]
    ruler.add_patterns([{"label": "PERSON", "pattern": name} for name in names])
    config = {"required": []}
    nlp.add_pipe("surrogate_generator", config=config).initialize(list, lists=LISTS)
    nlp.to_disk(tmp_path / "model")
    lists_path = tmp_path / "lists"
    lists_path.mkdir()
    for name in ("first_names", "surnames", "nicknames", "titles"):
        columns = [*LISTS[name][0]]
        lines = ["\t".join(columns), *("\t".join(row.values()) for row in LISTS[name])]
        (lists_path / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf8")
    rows = [
        make_row("Hej Eva, hälsa Lena!", [("Eva", "PERSON"), ("Lena", "PERSON")], id="a"),
        make_row("Eva är i Höör", [("Eva", "PERSON"), ("Höör", "LOCATION")], id="b"),
    ]
    data_path = tmp_path / "data.jsonl"
    lines = [json.dumps({**row, "conversation": "c"}) for row in rows]
    data_path.write_text("\n".join(lines), encoding="utf8")
    metrics_path = tmp_path / "metrics" / "surrogates.json"
    evaluate_surrogates(tmp_path / "model", data_path, metrics_path, None, lists_path)
    written = metrics_path.read_text(encoding="utf8")
    figures = json.loads(written)
    assert figures["identity"]["PERSON"]["share"] == 1.0
    assert figures["kept"] == {"ALL": 0}
    assert figures["collisions"]["ALL"] == 0
    assert figures["checks"]["unchanged"] == {"checked": 4, "failed": 0}
    assert figures["found"]["PERSON"]["share"] == 1.0
    assert figures["predicted"]["DATE"] == dict.fromkeys(figures["predicted"]["DATE"], 0)
    assert figures["found"]["LOCATION"] == {**figures["found"]["LOCATION"], "surrogates": 0}
    assert not re.search("Eva|Lena|Höör", written + capsys.readouterr().out)
