"""What the optional classes find, and what they leave, in messages about health."""

from pathlib import Path

import pytest
import spacy
import srsly

from components.labels import OPTIONAL_LABELS
from components.pipes.custom_ruler import CustomRuler
from components.swedish.tokenizer import create_chat_tokenizer
from tests.steps import count_steps

PATTERNS = Path(__file__).resolve().parents[2] / "assets" / "optional_patterns.jsonl"


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("sv")
    nlp.tokenizer = create_chat_tokenizer()(nlp)
    return nlp


@pytest.fixture(scope="module")
def ruler(nlp):
    ruler = CustomRuler(nlp)
    ruler.initialize(list, patterns=srsly.read_jsonl(PATTERNS))
    ruler.classes = "all"
    return ruler


def find(nlp, ruler, text):
    doc = ruler(nlp.make_doc(text))
    return [(ent.text, ent.label_) for ent in doc.ents]


# Each in double brackets.
FOUND = [
    ("URL", "läs på [[https://www.1177.se/stockholm/sjukdomar/?q=hosta#top]]."),
    ("URL", "Läs [[http://annasblogg.se/2019/min-cancer.html]], snälla"),
    ("URL", "se [[www.minresa.nu/dag-3]] tack"),
    ("URL", "bilderna ligger på [[annasblogg.com]]"),
    ("URL", "logga in på [[kry.se]] och boka"),
    ("URL", "(mer på [[hudkliniken.example.org/priser]])"),
    ("URL", "jag chattade via [[doktor.se]] igår"),
    ("URL", "adress: [[min-sida.se/om/mig]]"),
    ("URL", "se [[www.x.se/anna]] nu"),
    ("PROFILE", "hitta mig på [[facebook.com/anna.berg]]"),
    ("PROFILE", "[[https://www.instagram.com/annab_90/]] är jag"),
    ("PROFILE", "min dotter [[linkedin.com/in/eva-lind-123]]"),
    ("PROFILE", "jag heter [[@anna.berg]] där"),
    ("PROFILE", "hej [[@lisa_k]], ring"),
    ("PROFILE", "min insta: [[anna_b90]]"),
    ("PROFILE", "snap är [[lillan.k99]]"),
    ("PROFILE", "jag heter [[bosse_55]] på snapchat"),
    ("PROFILE", "användarnamn: [[kalle77]]"),
    ("IP_ADDRESS", "min ip är [[192.168.1.14]]"),
    ("IP_ADDRESS", "inloggad från [[81.230.12.9]]:"),
    ("IP_ADDRESS", "från [[85.24.1.2:8080]] i natt"),
    ("IP_ADDRESS", "ip-adress: [[8.8.8.8]]"),
    ("IP_ADDRESS", "servern [[2001:db8:85a3::8a2e:370:7334]] svarar inte"),
    ("IP_ADDRESS", "[[fe80::1]]"),
    ("MAC_ADDRESS", "mac [[3c:22:fb:0a:9d:01]]"),
    ("MAC_ADDRESS", "[[3C-22-FB-0A-9D-01]] är pumpens"),
    ("MAC_ADDRESS", "[[3c22.fb0a.9d01]]"),
    ("MAC_ADDRESS", "mac-adress: [[00:11:22:33:44:55]]"),
    ("PLATE", "min bil [[ABC 123]] står fel"),
    ("PLATE", "regnr [[abc123]]"),
    ("PLATE", "reg.nr: [[MLB 84A]]"),
    ("PLATE", "färdtjänsten med [[XKU482]] kom sent"),
    ("PLATE", "[[RTS 23D]] parkerad utanför"),
    ("PLATE", "[[WXY17C]] (vår taxi)"),
    ("ORGANISATION_NUMBER", "Org.nr [[556012-5790]]"),
    ("ORGANISATION_NUMBER", "[[556012-5790]] ska stå på fakturan"),
    ("ORGANISATION_NUMBER", "organisationsnummer: [[5560125790]]"),
    ("ORGANISATION_NUMBER", "momsnr [[SE556012579001]]"),
    ("ORGANISATION_NUMBER", "orgnr [[16556012-5790]]"),
    ("BANKGIRO", "bankgiro [[123-4566]]"),
    ("BANKGIRO", "BG: [[5050-1055]]"),
    ("BANKGIRO", "Bankgironumret har jag redan, det är [[5050-1055]] ok"),
    ("BANKGIRO", "betala in avgiften till [[5050-1055]]"),
    ("PLUSGIRO", "plusgiro [[28 65 43-4]]"),
    ("PLUSGIRO", "pg [[28 65 43-4]]"),
    ("PLUSGIRO", "postgironummer: [[90 20 03-3]]"),
    ("IBAN", "iban [[SE45 5000 0000 0583 9825 7466]]"),
    ("IBAN", "[[SE4550000000058398257466]]"),
    ("IBAN", "kontot är [[DE89 3704 0044 0532 0130 00]]."),
    ("IBAN", "[[GB82 WEST 1234 5698 7654 32]]"),
    ("IBAN", "[[NO9386011117947]] tack"),
    ("ACCOUNT", "kontonr [[8327-9, 933 417 205-1]]"),
    ("ACCOUNT", "clearing [[8327-9]]"),
    ("ACCOUNT", "clearingnr: [[6112]]"),
    ("ACCOUNT", "till kontot [[5491-0123456]]"),
    ("ACCOUNT", "swish [[123 456 78 90]]"),
    ("CARD", "kortnummer [[4111 1111 1111 1111]]"),
    ("CARD", "[[5555-5555-5555-4444]] gick inte"),
    ("CARD", "dra det på [[378282246310005]]"),
    ("RESERVE_NUMBER", "[[19121212-K123]] på remissen"),
    ("RESERVE_NUMBER", "reservnummer [[19850312-TF45]]"),
    ("RESERVE_NUMBER", "resnr [[991234567890]]"),
    ("RESERVE_NUMBER", "hon har [[99123456-7890]]"),
    ("RESERVE_NUMBER", "[[1988T2840]] är reservnr"),
    ("LMA_NUMBER", "LMA-nr [[50-118234/7]]"),
    ("LMA_NUMBER", "lma kort: [[61044981]]"),
    ("LMA_NUMBER", "dossiernummer [[11-882031]]"),
    ("CASE_NUMBER", "ärendenummer [[K-2024-1234]]"),
    ("CASE_NUMBER", "mitt ärendenr är [[20241107]]"),
    ("CASE_NUMBER", "dnr [[HSN 2025-1190]]"),
    ("CASE_NUMBER", "Dnr: [[8.2.1-30917/2023]]"),
    ("CASE_NUMBER", "bokningskod: [[7KQ-882]]"),
    ("CASE_NUMBER", "bokning [[7719003]]"),
    ("CASE_NUMBER", "Ref [[H-20931]]"),
    ("CASE_NUMBER", "journalnr [[88123]]"),
    ("CASE_NUMBER", "OCR [[4471 0092 318]]"),
    ("CASE_NUMBER", "i mål [[B 1187-25]]"),
    ("CASE_NUMBER", "Ärendenr [[19870412-0033]]"),
    ("NORDIC_ID", "[[131052-308T]]"),
    ("NORDIC_ID", "hetu [[131052-308T]]"),
    ("NORDIC_ID", "mitt norska nummer [[15108695088]]"),
    ("NORDIC_ID", "cpr-nr [[211062-5629]]"),
    ("NORDIC_ID", "kennitala [[120174-3399]]"),
]


@pytest.mark.parametrize("label, text", FOUND, ids=[text for _, text in FOUND])
def test_what_is_found(nlp, ruler, label, text):
    before, _, rest = text.partition("[[")
    value, _, after = rest.partition("]]")
    assert find(nlp, ruler, before + value + after) == [(value, label)]


def test_each_class_has_patterns_and_cases(ruler):
    assert {label for label, _ in FOUND} == {*OPTIONAL_LABELS}
    assert {p["label"] for p in ruler.optional if "label" in p} == {*OPTIONAL_LABELS}


@pytest.mark.parametrize(
    "text",
    [
        # Lab values and doses
        "HBA 123 CRP 120 LDL 3,1 TSH 145",
        "COVID 19 och COV 19B",
        "blodtryck 120/80, puls 72, sat 98%",
        "Alvedon 500 mg 1x3, Waran 2,5 mg",
        "dosering 1.0.1.0 enligt schema",
        "B12 234, D-vit 45, PSA 4.2, HLA B27",
        "bilirubin 12, bil 120, CRP 45",
        "P-glukos 6.3 ref 4,0-6,0",
        "ref 120-150, ref: 3.5-5.0",
        "NRS 7, PHQ 9, GAD 7, MADRS 22",
        "Lot A12345 av vaccinet",
        "enzymet EC 3.1.1.11",
        "Följ oss på LinkedIn: aka.ms/BCLinkedIn",
        # Times, dates, ranges
        "kl 10:15:30 eller 13.30",
        "bokning 2024-03-12 kl 13:30",
        "bokningen 12/3 kl 08.30",
        "ring 0800-1630",
        "betala senast 2024-2025",
        "avgift 1000-1400",
        "ärende från 2019",
        "version 10.0.1.2 av appen, ios 17.4.1.2",
        # Other numbers
        "870911-6649",
        "19870911-6649",
        "8709116649",
        "199001012385",
        "070-1740605",
        "08-46500412",
        "0701740605 eller +46701740605",
        "art nr 7311271",
        "EAN 7310865004703",
        "413 45 Göteborg",
        "swish 070-1740605",
        "swisha 123 kr",
        "4111 1111 1111 1112",
        "SE45 5000",
        "betala 4500 kr till kontot",
        "Storgatan 12, lgh 1101",
        "bilen har gått 120 mil",
        "bilen är från 2019, kostar 150 000",
        "taxi 45 min bort, har 123 kr kvar",
        # Words and addresses
        "jag mår bra.Det är bättre nu.se till att vila",
        "har ont i halsen.kan jag komma",
        "anna.berg@telia.com",
        "lisa @ hemma",
        "@alla bassängen är stängd",
        "t.ex. nu, bl.a. hosta m.m.",
        "facebook och instagram är ju kul",
        "facebook: vi ses där",
        "ärendet är klart, bokningen avbokad",
        "bg var 6,5 i morse",
        "pg/ml 45, pg 50",
        "lex Maria, LSS § 9:4",
        "diagnos F32.1, J45.9, I10.9",
    ],
)
def test_what_is_left(nlp, ruler, text):
    assert find(nlp, ruler, text) == []


@pytest.mark.parametrize("label", OPTIONAL_LABELS)
def test_each_class_alone(nlp, label):
    ruler = CustomRuler(nlp, classes=[label])
    ruler.initialize(list, patterns=srsly.read_jsonl(PATTERNS))
    text = next(text for name, text in FOUND if name == label).replace("[[", "").replace("]]", "")
    others = " ".join(text for name, text in FOUND if name != label)
    assert {name for _, name in find(nlp, ruler, text)} == {label}
    doc = ruler(nlp.make_doc(others.replace("[[", "").replace("]]", "")))
    assert {span.label_ for span in doc.spans["custom"]} <= {label}


def test_a_folded_text_is_read(nlp, ruler):
    assert find(nlp, ruler, "Org.nr 556012–5790") == [("556012–5790", "ORGANISATION_NUMBER")]


def test_patterns_are_bounded():
    for pattern in srsly.read_jsonl(PATTERNS):
        regex = pattern["regex"].replace(r"\*", "").replace(r"\+", "")
        for sign in ("*", "+"):
            # In a class they are characters.
            outside = "".join(part.partition("]")[2] or part for part in regex.split("["))
            assert sign not in outside, pattern


def test_time_in_proportion_to_the_text(nlp, ruler):
    text = "ärendenr betala bil aaa.bbb.ccc 12 34 www.x @ " * 20
    doc, long = nlp.make_doc(text), nlp.make_doc(text * 4)
    ruler(nlp.make_doc(text))
    assert count_steps(lambda: ruler(long)) < 6 * count_steps(lambda: ruler(doc)) + 1000
