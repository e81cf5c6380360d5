"""The rules of `assets/patterns.jsonl` and the pipe that runs them.

Expected spans are written into the sentences: `född <DATE:93>`.
"""

import re
from pathlib import Path

import pytest
import spacy
import srsly
from hypothesis import given
from hypothesis import strategies as st
from spacy.language import Language

import components  # noqa: F401
from components.hits import iter_hits
from components.model.evidence import get_evidence
from components.patterns import regex as regex_module
from components.pipes.phi_entity_ruler import PhiEntityRuler

PATTERNS = Path(__file__).resolve().parents[2] / "assets" / "patterns.jsonl"
MARK = re.compile(r"<([A-Z]+):([^>]*)>")
CONFIG = {"nlp": {"tokenizer": {"@tokenizers": "sv_deid_chat.ChatTokenizer.v1"}}}


def make_nlp(patterns: list[dict]) -> Language:
    nlp = spacy.blank("sv", config=CONFIG)
    nlp.add_pipe("phi_entity_ruler", name="entity_ruler").add_patterns(patterns)
    return nlp


@pytest.fixture(scope="module")
def nlp() -> Language:
    return make_nlp(list(srsly.read_jsonl(PATTERNS)))


def parse(marked: str) -> tuple[str, list[tuple[int, int, str]]]:
    text, spans, end = "", [], 0
    for match in MARK.finditer(marked):
        text += marked[end : match.start()]
        spans.append((len(text), len(text) + len(match[2]), match[1]))
        text += match[2]
        end = match.end()
    return text + marked[end:], spans


def check(nlp: Language, marked: str) -> None:
    text, expected = parse(marked)
    doc = nlp(text)
    found = [(s.start_char, s.end_char, s.label_) for s in doc.spans["rules"]]
    assert [(text[a:b], c) for a, b, c in found] == [(text[a:b], c) for a, b, c in expected]
    assert found == expected


EMAIL = [
    "Min adress är <EMAIL:karin.holm@example.com> om du undrar",
    "mejla <EMAIL:k_holm-82@mail.example.se>.",
    "(<EMAIL:karin+sjuk@example.org>)",
    "<EMAIL:KARIN.HOLM@EXAMPLE.SE>!!",
    "Mejl:<EMAIL:karin@example.net>, tack",
    "skriv till <EMAIL:karin@example.se>.Tack på förhand",
    "skicka på <EMAIL:karin@Example.Se> snälla",
    "/<EMAIL:lars@example.com>",
    "<EMAIL:åsa.öberg@example.se>",
    "<EMAIL:karin (at) example.com>",
    "<EMAIL:karin @ example.com> funkar bäst",
    "<EMAIL:karin.holm@gmail,com> hoppas den går fram",
    "svara på <EMAIL:karin.holm@hotmail> tack",
    "jag heter @karin82 på insta",
    "se www.example.se/karin för bilder",
    "vi ses @ lunchen",
    "mejl <EMAIL:bo@example.com>/<EMAIL:eva@example.com>",
    "📧<EMAIL:bo@example.com>📧",
    # Spoken, or with words for its signs: whole.
    "mejlen är <EMAIL:anna punkt ek snabela example punkt se> tack",
    "mejla <EMAIL:anna(at)example.se>",
    "min mejl: <EMAIL:anna.ek at example dot se>",
    "<EMAIL:anna.ek at example.se>",
    "<EMAIL:anna [at] example [dot] se>",
    "<EMAIL:anna(a)example.se>, <EMAIL:anna.ek{at}example.se>",
    "<EMAIL:anna understreck ek snabel a gmail punkt com> tack",
    "<EMAIL:Anna.Ek AT Example DOT Se>",
    "look at example.se",
    "punkt ett: mejla snabel",
    "vi ses punkt se sen",
    # Broken by the end of a line, in quoted mail, too; but a list is one.
    "mejla <EMAIL:karin.holm@\nexample.se> tack",
    "<EMAIL:karin.holm\r\n@example.se>",
    "<EMAIL:karin@exam\nple.se>",
    "<EMAIL:bo@example.com>\n<EMAIL:eva@example.com>",
    "Tack Karin.\n<EMAIL:eva@example.com>",
    "hej\n@karin82 på insta\nvi ses",
]

PID = [
    "mitt personnummer är <PID:850312-2393>",
    "<PID:19850312-2393>",
    "<PID:8503122393>",
    "<PID:198503122393> ser du mig nu?",
    "pnr<PID:8503122393>",
    "pnr:<PID:850312-2393>.",
    "Personnummer <PID:19 85 03 12 23 93>",
    "<PID:850312 2393>",
    "<PID:850312 - 2393>, mvh",
    "<PID:19850312 2393> heter jag",
    "<PID:850312–2393>",
    "<PID:850312+2393>",
    "samordningsnummer <PID:850372-2393>",
    "<PID:850372-2393> tack",
    "<PID:1985-03-12-2393>",
    "<PID:85-03-12-2393>",
    "<PID:85/03/12-2393>",
    "<PID:85-03-12/2393> är rätt",
    "<PID:850312/2393>",
    "<PID:850312.2393>",
    "<PID:850312--2393>",
    "<PID:85 03 12 2393>",
    "<PID:85 03 12-2393>",
    "p nr <PID:85O312-2393> hoppas det syns",
    "<PID:O5O312-2393>",
    "<PID:050312-239O>",
    "<PID:8 5 0 3 1 2 - 2 3 9 3>",
    "<PID:8 5 0 3 1 2 2 3 9 3>",
    "<PID:8503122-393>",
    "personnr <PID:8503-122393>",
    "<PID:850312-2399> fel kontrollsiffra",
    "<PID:851352-2399> finns inte",
    "<PID:850231-2393>",
    "pnr: <PID:999999-1234>",
    "barnets pnr <PID:200312-2393> och mitt <PID:850312-2393>",
    "<PID:850312-2393>/<PID:200312-2385>",
    "Persnr <PID:850312-2393> tel <PHONE:070-174 06 11>",
    "sista fyra <PID:2393>",
    "de fyra sista är <PID:2393>",
    "mina sista fyra siffror är <PID:2393>.",
    "sista 4: <PID:2393>",
    "fyra sista i personnumret: <PID:2393>",
    "<PID:2393> är mina sista fyra",
    "slutar på <PID:2393>",
    "xxxxxx-<PID:2393>",
    "my last four digits are <PID:2393>",
    "sista siffrorna ska vara <PID:2393> inte <PID:2339>",
    "Jag föddes <DATE:850312>, sista fyra <PID:2393>",
    "Ärendenummer 850312-2393",
    "bokningsnr: 850312-2393",
    "Ref 8503122393",
    "OCR 198503122393",
    "org.nr 556012-5790",
    "organisationsnummer: 5560125790",
    "ordernummer är 850312-2393",
    "bokning 850312-2393 vill jag flytta",
    "Fakturanr 19850312-2393 är betald",
    "bankgiro 850312-2393",
    "pers.nr. <PID:850312-2393>",
    "person nummer <PID:850312 23 93>",
    "ID-nummer <PID:850312-2393>",
    "personal number <PID:850312-2393>",
    "(<PID:850312-2393>)",
    "Anna<PID:850312-2393>",
    # One digit too many or too few, where the hyphen or a word tells what it is.
    "<PID:850312-239>",
    "<PID:850312-23933>",
    "<PID:1850312-2393>.",
    "<PID:19850312-23933>",
    "<PID:119850312-2393>",
    "<PID:90312-2393>",
    "mitt personnummer <PID:85031223933> är det",
    "pnr: <PID:850312239>",
    "pnr<PID:850312-2393>",
    "pnr<PID:850312-23933>, <PID:850312-2393>x",
    "samordningsnummer <PID:850372-23933>",
    "personnummer <PID:850312 23933>",
    "<PID:850312-2393850312-2385>",
    "<PID:198503122393198503122385>",
    "pnr <PID:850312-\n2385> tack",
    "<PID:850312\n-2399>",
    "<PID:199001012385>\n<PID:198503122393>",
    "<PID:900101\n2385>",
    "<PID:1990\n0101-2385>",
    "<PID:900101-2385>\n<PID:850312-2393>",
    "rader:\n<DATE:850312>\n2399\n1200",
    "120 80\n130 85\n125 82",
    # Spoken, wholly or in part.
    "<PID:nittio noll ett noll ett 2385> heter jag",
    "<PID:900101 tjugotre åttiofem>",
    "<PID:900101 streck två tre åtta fem>",
    "<PID:nittio 01 01-2385>",
    "pnr <PID:nittio noll ett noll ett tjugotre åttiosex>",
    "sista fyra är <PID:två tre åtta fem>",
    "sju åtta nio tio elva tolv",
    "räkna 1 2 3 fyra fem sex sju åtta nio",
    "sista fyra två gånger",
    # Interim and reserve numbers.
    "<PID:19850312-T123> heter han",
    "<PID:850312-R238>",
    "<PID:850312-23TF>",
    "pnr <PID:19850312T123>",
    "interimsnummer <PID:850312t123>",
    "reservnr <PID:850312K123>",
    "reservnummer <PID:19850312-K123>",
    "85031223933 är koden",
    "ring 850312239",
    "ärendenummer 850312-23933",
    "bokning 1850312-2393",
    "ordernr 850312-R238",
    "org.nr 556012-57901",
    "556012-57901",
    "pnr saknas, 853912-2393333",
    "3 x 850312-23933%",
    "<PID:19850312–2393>",
    "<PID:850312-2393>:s prover",
    "personnummer\n<PID:850312-2393>",
]

PHONE = [
    # Invented after what fourteen further writers wrote.
    "ring <PHONE:noll sjuttio fem 1 22 0 34 7> nu",
    "numret e <PHONE:nollsjuttiotre 411 00 8 2>",
    "mitt nr <PHONE:072 tre fyra ett 18 nollsex> ring",
    "ring <PHONE:070-174 06 11>",
    "<PHONE:0701740611>",
    "<PHONE:070 174 06 11>.",
    "<PHONE:070-1740611>",
    "<PHONE:0701-74 06 11>",
    "<PHONE:0701-740611>",
    "<PHONE:070/174 06 11>",
    "<PHONE:070.174.06.11>",
    "<PHONE:070 17 40 611>",
    "<PHONE:0701 740 611>",
    "<PHONE:070 - 174 06 11>",
    "<PHONE:0 7 0 1 7 4 0 6 1 1>",
    "<PHONE:+46701740611>",
    "<PHONE:+46 70 174 06 11>",
    "<PHONE:+46 (0)70 174 06 11>",
    "<PHONE:+46(0)701740611>",
    "<PHONE:+46-70-174 06 11>",
    "<PHONE:0046701740611>",
    "<PHONE:0046 70-174 06 11>",
    "<PHONE:46701740611>",
    "<PHONE:+45 20 12 34 56>",
    "<PHONE:+47 400 12 345>",
    "<PHONE:+358 40 1234567>",
    "<PHONE:+49 30 1234>",
    "+49 30 123",
    "<PHONE:+4930123456789>",
    "<PHONE:+49 151 23456789>",
    "<PHONE:00358 40 123 4567>",
    "<PHONE:+44 7700 900123>",
    "<PHONE:+1 (202) 555-0143>",
    "tel <PHONE:08-465 004 00>",
    "<PHONE:08 465 004 12>",
    "<PHONE:08-46500412>",
    "<PHONE:(08) 465 004 12>",
    "<PHONE:(0980) 319 210>",
    "<PHONE:(031)3900612>",
    "<PHONE:031-390 06 12>",
    "<PHONE:0313900612>",
    "<PHONE:0980-319210>",
    "<PHONE:0980-31 92 10>",
    "<PHONE:0980/319 210>",
    "<PHONE:040-628 04 12> är numret hem",
    "Mobil:<PHONE:0701740611>",
    "mob<PHONE:0701740611>",
    "fax <PHONE:040-628 04 12>",
    "(<PHONE:070-174 06 11>)",
    "☎️<PHONE:070-174 06 11>",
    "<PHONE:070-174 06 11>/<PHONE:070-174 06 12>",
    "<PHONE:070-174 06 11> eller <PHONE:031-390 06 12>",
    "nås på <PHONE:070–174 06 11> efter kl 17",
    "ring 112 om det blir värre",
    "ring 1177 för råd",
    "ring 114 14",
    "bt 138/86 och puls 78",
    "öppet 08.00-16.30",
    "öppet 08:00-16:30 vardagar",
    "kl 08.15 eller 09.30",
    "tider: 08.15, 09.30, 10.45",
    "kostar 1 250 kr",
    "Ärende 0701740611",
    "smsa mig <PHONE:0701740611> tack",
    "mitt nr <PHONE:0729 12 34 56>",
    "mitt nya nummer är <PHONE:0729123456>",
    "whatsapp <PHONE:+964 750 123 4567>",
    "tlf. <PHONE:0701 74 06 11>",
    "jag har <PHONE:0771-12 34 56> sparat",
    "tel: <PHONE:12 34 56>",
    "<PHONE:0980 31 92 10> hem",
    "<PHONE:070.174.06.11>",
    "ring <PHONE:070-174\n06 11> tack",
    "ring <PHONE:070-174\r\n06 11>",
    "<PHONE:070 174=\n06 11>",
    "<PHONE:+46 70 174\n06 11>",
    "<PHONE:08-465\n004 12>",
    "<PHONE:(031)\n390 06 12>",
    "<PHONE:070-1740611>\n<PHONE:070-1740612>",
    "<PHONE:0701740611>\n<PHONE:0701740612>\n<PHONE:0313900612>",
    "<PHONE:08-465 004 12>\n3 tabletter",
    "<PHONE:0980-319 21>\n0 besvär",
    "rum 0701\n<PHONE:070-174 06 11>",
    "vardagar 08-12\n13-17 15",
    "<PHONE:noll sju tre 915 22 18>",
    "ring <PHONE:noll åtta 465 004 12> tack",
    "<PHONE:070 ett sju fyra noll sex noll fem>",
    "<PHONE:nollåtta 465 noll noll fyra tolv>",
    "<PHONE:noll 70 174 06 05>",
    "<PHONE:031 tre nio noll noll sex tolv>",
    "<PHONE:+46 sju noll 174 06 05>",
    "<PHONE:plus fyra sex sju noll ett sju fyra noll sex noll fem>",
    "två 500 mg",
    "ett två tre",
    "tog noll 500 mg tre gånger",
    "noll sju sex fem",
    "kl 08 tre 500 mg",
    "puls 70\n12 34 56",
]

DATE = [
    "ringde den <DATE:14> min mamma ramlade",
    "kan <DATE:12/3> eller <DATE:1/4>",
    "öppet 9-2030, remiss HUD4-2023",
    "fr o m <DATE:12/5> t o m <DATE:25/5> 75%",
    "<DATE:1/4> 138/82 141/85\n<DATE:2/4> 145/88",
    "<DATE:2/2>, <DATE:9/2> och <DATE:1/3> hade jag migrän",
    "i <DATE:aprill>, den <DATE:3 septmber>, <DATE:5 okotber>, <DATE:julii>",
    "utgången <DATE:11-2023>",
    # Invented after what fourteen further writers wrote.
    "sjuk sen <DATE:tors 12.3>, feber",
    "Mora <DATE:fredag 9/3-24>",
    "<DATE:Ondag 14/2>: läkare",
    "op:<DATE:230412>, sen hem",
    "op:<DATE:230412>,utskr:<DATE:230419>.",
    "ny kur <DATE:8 ferbuari>",
    "åter <DATE:12 arpil>",
    "svar senast <DATE:9:de> tack",
    "den <DATE:tredje> eller <DATE:trettonde mars> kom jag",
    "kom <DATE:fjortondedecember> som det stod",
    "eller <DATE:ons13/4> så",
    "avtagning prel. <DATE:juni/24>",
    "född <DATE:5. marraskuuta 1948>",
    "hijo nació el <DATE:5 de mayo de 2019>",
    "odra <DATE:7 stycznia 1988>; ja",
    "vaccin <DATE:3.IX.1999>",
    "utskriven <DATE:sjuttonde> i gott skick",
    "tidigare snitt <DATE:tjugotjugoett> på sjukhus",
    "hostar sen <DATE:nyår 2023> typ",
    "insjuknade <DATE:skottdagen> komma ny rad",
    "Elsa 5 Maja 3",
    "sjukskriven <DATE:3/10> till <DATE:10/10>",
    "Lediga tider: <DATE:7/10>, <DATE:9/10>, <DATE:10/10>",
    "Yrsel sedan <DATE:24/7>",
    "Ont i knät sedan <DATE:7/10> vid belastning",
    "Har tid på ögon <DATE:12/5>",
    "Bättre humör från <DATE:12/3>",
    "Op <DATE:12/5> fasta från midnatt",
    "Lämna tillbaka CPAP till <DATE:14/3>",
    "kraft 4/5, återbesök <DATE:3/5>",
    "grav hörselnedsättning, kallas <DATE:v 12>",
    "dom ringde <DATE:3dje>, sa de",
    "kvinna, f <DATE:58>, ont i knä",
    "från 1:a till 3:e klass",
    "mellan 5:e och 6:e revbenet",
    "modell F20 i storlek L",
    "-12 på ena ögat, -9 på andra",
    "sal 3, <DATE:onsdagen den 24 februari>",
    "den <DATE:3 mars>",
    "<DATE:3:e mars>",
    "<DATE:3e mars> går bra",
    "<DATE:3/3>",
    "den <DATE:3/3>",
    "<DATE:tisdag 3 mars>",
    "<DATE:tisdagen den 3 mars>",
    "<DATE:Fredag den 8:e mars> kl 10",
    "<DATE:tis 3/3>",
    "<DATE:mån 3 mars>",
    "<DATE:mån. 3/3> kl 8.15",
    "<DATE:onsdag den 12:e>",
    "<DATE:fredag 13/9> kl 13",
    "på fredag kl 10",
    "fredag 9-12",
    "<DATE:2022-03-11>",
    "<DATE:2022/03/11>",
    "<DATE:2022.03.11>",
    "<DATE:20220311>",
    "<DATE:220311>",
    "<DATE:22-03-11>",
    "<DATE:11/3-22>",
    "<DATE:11/3 2022>",
    "<DATE:11/3 -22>",
    "<DATE:11/3/22>",
    "<DATE:11.3.2022>",
    "<DATE:11-03-2022>",
    "<DATE:11 mars 2022>",
    "<DATE:11 mars -22>",
    "<DATE:11 mars 22>",
    "<DATE:11mars>",
    "<DATE:11 Mars>",
    "<DATE:11 MARS 2022>",
    "den <DATE:11>",
    "<DATE:11 jan>.",
    "i <DATE:nov>.",
    "sedan <DATE:sept>",
    "sen <DATE:okt -21>",
    "<DATE:okt 2021>",
    "<DATE:oktober -21>",
    "i <DATE:mars>",
    "i <DATE:maj>",
    "sedan i <DATE:Maj>",
    "förra <DATE:mars>",
    "<DATE:April> eller <DATE:maj> passar",
    "<DATE:mars-april>",
    "<DATE:januari>, <DATE:februari> och <DATE:mars>",
    "<DATE:Januari 2020> opererades jag",
    "åt en mars till frukost",
    "Maj ringde igår",
    "hälsa Jan och Maj-Britt",
    "Jag köpte en Mars",
    "<DATE:3-5 maj>",
    "<DATE:3 - 5 maj>",
    "<DATE:28 maj - 3 juni>",
    "<DATE:12/5-15/5>",
    "<DATE:12-15/5>",
    "mellan <DATE:3 maj> och <DATE:5 maj>",
    "<DATE:11/5> till <DATE:15/5>",
    "<DATE:18> eller <DATE:19 april>",
    "<DATE:5> och <DATE:6 augusti>",
    "<DATE:7>, <DATE:8> eller <DATE:9 oktober>",
    "<DATE:7:e> eller <DATE:8:e oktober>",
    "den <DATE:7> eller <DATE:8>",
    "<DATE:12/3> eller <DATE:13/3>",
    "<DATE:12/3>, <DATE:14/3> och <DATE:20/3>",
    "den <DATE:31:a>",
    "den <DATE:12:e>",
    "den <DATE:12e>",
    "den <DATE:27>",
    "den <DATE:27> passar bra",
    "<DATE:9e> kan jag",
    "<DATE:9:e> kan jag",
    "<DATE:22:a> funkar",
    "det är 3:e gången jag skriver",
    "min 2:a dos",
    "den 3:e dosen tog jag aldrig",
    "vårt 3:e barn",
    "bor på 3:e våningen",
    "<DATE:tredje mars>",
    "den <DATE:tredje mars>",
    "den <DATE:tjugofemte maj>",
    "<DATE:första maj>",
    "den <DATE:femtonde> kl 10",
    "den första tabletten",
    "den tredje gången",
    "<DATE:vecka 25>",
    "<DATE:v. 25>",
    "<DATE:v.25>",
    "<DATE:v25>",
    "<DATE:V 25>",
    "<DATE:v 25-27>",
    "<DATE:vecka 25 2023>",
    *(f"<DATE:vecka {week}>" for week in (1, 9, 10, 19, 20, 39, 49, 50, 51, 52, 53)),
    *(f"<DATE:v {week}> har jag semester" for week in ("01", "09", "52", "53")),
    "vecka 0, vecka 54, vecka 60",
    "<DATE:v.50>, <DATE:12/12>",
    "<DATE:v 12> eller <DATE:13>",
    "i <DATE:vecka 7> har jag semester",
    "gravid v 14",
    "gravid i vecka 32",
    "jag är i vecka 32+4",
    "v 32+4",
    "är i v 20 nu",
    "graviditetsvecka 12",
    "jag är gravid, nu i v 14",
    "i v 14 i graviditeten",
    "<DATE:2019>",
    "sedan <DATE:2019>",
    "hösten <DATE:2021>",
    "<DATE:2019-2021>",
    "opererad <DATE:2008> på höften",
    "född <DATE:1943>",
    "född <DATE:93>",
    "född -<DATE:93>",
    "född <DATE:1 maj 1943>",
    "född <DATE:19430501>",
    "född <DATE:430501>",
    "fött <DATE:2020>",
    "f. <DATE:44>",
    "DRG F62C",
    "Efter operationen <DATE:åttonde april tjugoett>. Hon var pigg",
    "knäsmärta sedan <DATE:augusti tjugotjugotvå> punkt",
    "Röntgen <DATE:fjortonde i elfte> visar artros",
    "EEG <DATE:tolfte tolfte> ua",
    "pacemaker sen <DATE:nollåtta>, batteriet räcker",
    "har trasten sen <DATE:tvåtusenelva>. Hälsningar",
    "född <DATE:sextifyra>",
    "hemtjänst har inte kommit sen <DATE:lö 23/12>",
    "ont inför växling <DATE:sö 17 mars>",
    "vrickat fot <DATE:må23/9>",
    "i <DATE:lördags den 18>",
    "i <DATE:fredags 5/7>",
    "Barnet, Celeste, är <AGE:1 år 4 mån>. Tar inte kontakt",
    "Tuva (<AGE:4 1/2>) och Knut",
    "Mvh trött <AGE:30-nånting>",
    "<AGE:Femtioplussare> med stress",
    "i <DATE:mars> ökade det åttio procent",
    "första andra tredje gången",
    "f -<DATE:44>",
    "gallan togs bort -<DATE:87>",
    "våren -<DATE:22>",
    "född <DATE:85-05-06>",
    "födelsedatum: <DATE:1985 05 06>",
    "kostar 2000 kr",
    "gick 2000 steg",
    "kod 2019",
    "kl 2030",
    "på 1990-talet",
    "<DATE:julafton>",
    "före <DATE:midsommarafton>",
    "<DATE:nyårsdagen>",
    "<DATE:Trettondagen>",
    "<DATE:annandag påsk>",
    "<DATE:annandag jul>",
    "<DATE:långfredagen>",
    "på <DATE:skärtorsdagen>",
    "<DATE:Kristi himmelsfärdsdag>",
    "<DATE:alla helgons dag>",
    "på <DATE:nationaldagen>",
    "<DATE:julafton 2021>",
    "efter <DATE:valborg>",
    "i julas",
    "i somras",
    "på måndag",
    "förra veckan",
    "i tre veckor",
    "3 ggr/vecka",
    "varje vecka",
    "om 8 v",
    "1/2 tablett",
    "ta 1/2 på kvällen",
    "3/4 dos",
    "7/10 på smärtskalan",
    "smärta 7/10",
    "MMSE 24/30",
    "bt 120/80",
    "Alvedon 500 mg 1x4",
    "1+0+1",
    "kl 10-12",
    "kl 13.30",
    "bord 6 kl 7.45",
    "klockan 9",
    "hon får 5 mg",
    "<DATE:Friday 6 June>",
    "<DATE:June 6>",
    "<DATE:11 of March>",
    "<DATE:3rd of May 2021>",
    "senast <DATE:28/10> tack",
    "t.o.m. <DATE:15/2>",
    "fr o m <DATE:4 feb>",
    "(<DATE:oktober>)",
    "sen <DATE:12/9>.",
    "tid <DATE:19/3>, fick jag",
    "den <DATE:5/3>?",
    "<DATE:februari> månad",
    "slutet av <DATE:aug>",
    "mitten av <DATE:jan>",
    "Datum: <DATE:2023-01-05>",
    "ny tid <DATE:2023-01-05> 09:20",
    "<DATE:5 januari> 09.20",
    "den <DATE:8> kl 9",
    "<DATE:17/6>.",
    "fick dos 1 den <DATE:21 augusti>",
]

AGE = [
    "Mamma är <AGE:82 år> och mer förvirrad sen i går",
    "Pojke <AGE:18 mån> - besök på akuten i går",
    "kan syskonen (lillebror, <AGE:4>) vaccineras",
    "flickan är bedömd till <AGE:17 år>",
    "fick vaccin vid <AGE:12 års> ålder",
    "egentligen är jag <AGE:17> och inte så gammal som de säger",
    "<AGE:10 mån och 2 v>, 74 cm",
    "kräks, <AGE:20 mån>, 11,2 kg",
    # Invented after what fourteen further writers wrote.
    "hon är <AGE:6 veckor och 3 dagar>, andas fort",
    "en <AGE:4 dygn> gammal flicka",
    "Barn: Ebba Ek, <AGE:4:7 år>",
    "reser med en <AGE:8-månaders> bebis",
    "en <AGE:åttamånaders> bebis med feber",
    "systern Ronja, <AGE:5,5>, har hål",
    "min man har <AGE:52 år> och han har socker",
    "min son har <AGE:sju år> i skolan ser han inte",
    "remiss: flicka <AGE:11 år>, djupbett",
    "<AGE:65-70 år>, vithårig, blå rock",
    "nu är de <AGE:3,5 år> och springer",
    "uppgav sig heta Ronny, fyllda <AGE:53>.",
    "en bebis på <AGE:7 veckor>. Alla friska",
    "en rekryt på <AGE:nitton år> under övning",
    "vaknade redan vid fem",
    "mamman dog vid två i natt",
    "kan man på 2 veckor bli bra?",
    "vi väntar barn på 2 veckor",
    "Ta max. 2, man ska inte ta fler",
    "Tar Imovane, 7,5.",
    "ont i 3 å 4 månader",
    "Hur lång utbildning? Hon har två år.",
    "sonen är <AGE:4> mkt hostig",
    "dottern är <AGE:7> lite febrig",
    "feber, kvinna på <AGE:38> söker",
    "storpojken snart <AGE:åtta>. Alla har snuva",
    "<AGE:fämti åtta år> gammal",
    "<AGE:41>, man, rökare",
    "Hon är K/<AGE:83>, bor med make M/<AGE:85>",
    "Nyfödd, <AGE:3 dygn>, gulaktig",
    "barnet är nu <AGE:6 dygn> och äter",
    "min son är <AGE:36 timmar> gammal",
    "vår <AGE:3-veckorsbebis> nyser",
    "flickan är <AGE:halvårsgammal>, född i Lund",
    "Flicka <AGE:14:8>. Remiss från skolan",
    "jag var <AGE:två tre år> då",
    "hon är <AGE:fem-sex år> typ",
    "min son är <AGE:3 år och halv>",
    "vikt vid besök <DATE:2/10> 47,3 kg",
    "prover <DATE:12/3-22>, <DATE:5/4-22>",
    "tid för min son <DATE:14e>",
    "Mitt personliga nr <PHONE:070-123 45 67>",
    "han kom <DATE:tors 4e> och gick",
    "Pers nr <PID:070119-8836>",
    "opererad på <ORGANISATION:Ängelholm> i våras",
    "<AGE:17 år, 11 månader och 29 dagar> är hon",
    "<AGE:ett halvår> gammal är hon",
    "slutade vid <AGE:sextio>.",
    "barn <AGE:4 å 10 mån> inkom",
    "menarche <AGE:12½>. Cobb",
    "Mitt är 104",
    "farmor hade 20.",
    "F 8, M 10, K 14. Ingen mat",
    "målet är 1 600 kcal",
    "jag är <AGE:55 år>",
    "<AGE:55 år>",
    "Jag är <AGE:55>.",
    "jag är <AGE:55> och har ont",
    "hon är <AGE:7>",
    "han e <AGE:63>",
    "hon fyller <AGE:7>",
    "fyller <AGE:7> i <DATE:maj>",
    "hon fyller <AGE:7 år> i <DATE:maj>",
    "fyllde <AGE:65> igår",
    "min mamma är <AGE:82> och bor ensam",
    "min son är <AGE:5 år>",
    "min son <AGE:5 år> har feber",
    "Min dotter Tilde, <AGE:3 år>, har hostat",
    "Min dotter Tilde (<AGE:3 år>) har hostat",
    "Min dotter Tilde (<AGE:3>) har hostat",
    "vår dotter (<AGE:8 mån>)",
    "(<AGE:5 år>)",
    "<AGE:55-årig> man",
    "en <AGE:55 årig> kvinna",
    "<AGE:55-åring>",
    "min <AGE:16-åring>",
    "vår <AGE:3-åriga> dotter",
    "<AGE:4-åringens> utslag",
    "<AGE:femtiofem år>",
    "jag är <AGE:femtiofem år>",
    "hon är <AGE:sextiotvå>",
    "hon är <AGE:tre år> gammal",
    "hon är <AGE:8 månader>",
    "han är <AGE:8 mån>",
    "bebisen är <AGE:3 veckor>",
    "<AGE:3 veckor> gammal",
    "<AGE:8 mån> gammal bebis",
    "Tilde är <AGE:8 månader> och vill inte äta",
    "<AGE:3,5 år>",
    "hon är <AGE:2,5 år>",
    "<AGE:5år>",
    "jag är <AGE:5år>",
    "är <AGE:54 år>",
    "Ålder: <AGE:54>",
    "ålder <AGE:54 år>",
    "sen jag var <AGE:12>",
    "när jag var <AGE:17 år>",
    "när hon var <AGE:sju>",
    "Sture är <AGE:75> och trött",
    "Sture fyller <AGE:75>",
    "Sture, <AGE:75>, ramlade",
    "Min fru Majken, <AGE:79>, har ont",
    "B är <AGE:97>",
    "hon är bara <AGE:61>",
    "han är ju snart <AGE:88>",
    "snart <AGE:4 år>",
    "kvinna <AGE:45 år>",
    "man <AGE:67> med hosta",
    "en kille på <AGE:25>",
    "en kille på <AGE:25 år>",
    "I am <AGE:30 years> old",
    "she is <AGE:6 months>",
    "She is <AGE:9 år>",
    "I'm <AGE:30>",
    "jag är <AGE:66 år> gammal",
    "han är <AGE:99 år>!",
    "barnen är <AGE:4> och <AGE:7 år>",
    "haft ont i 3 år",
    "i 20 år",
    "för 3 år sedan",
    "för 5 år sen",
    "om 2 år",
    "efter 6 månader",
    "i 3 månader",
    "under 2 år",
    "från 18 år",
    "barn under 12 år",
    "över 65 år",
    "i över 20 år",
    "det är 3 år sedan",
    "det var 10 år sen",
    "5-månaderskontrollen",
    "4-årskontroll",
    "18-årsgräns",
    "gått 3 år sen sist",
    "varje år i 8 år",
    "väntat 2 år",
    "de senaste 3 åren",
    "de senaste 5 åren",
    "gift i 50 år",
    "rökt i 30 år",
    "jobbat här 20 år",
    "5 eller 10 år",
    "9-12 månader",
    "huset är 100 år",
    "bilen är 12 år gammal",
    "remissen är 2 år gammal",
    "väntetiden är 14 månader",
    "karensen är 3 månader",
    "pulsen är 90",
    "Pulsen är 90",
    "Hb är 120",
    "febern är 39",
    "jag är 165 cm",
    "han är 1 av dem",
    "klockan är 12",
    "vi är 4 i familjen",
    "är under 18",
    "Libre 3",
    "grad 2",
    "plan 3",
    "hon väger 7 kg",
    "hon är 92 cm lång",
    "jag har 2 barn",
    "tog 2 tabletter",
    "ny tid om 3 veckor",
    "hostat i 2 veckor",
    "hosta 3 veckor",
    "haft feber 3 dagar",
]

LOCATION = [
    # Invented after what fourteen further writers wrote.
    "postnr <LOCATION:461 37 trollhättan>\nhan ramlade",
    "ligger på <LOCATION:Hökvägen elva> i Gnosjö",
    "bor på <LOCATION:Kungsgatan 24 B>",
    "<LOCATION:Storgatan 12>",
    "<LOCATION:storgatan 12>",
    "<LOCATION:Lilla Nygatan 3>",
    "<LOCATION:Björkvägen 5a>, <LOCATION:123 45 Granstad>",
    "<LOCATION:Björkvägen 5a>, <LOCATION:12345 Granstad>",
    "<LOCATION:413 45 Göteborg>",
    "<LOCATION:S-413 45 Göteborg>",
    "postnummer <LOCATION:413 45>",
    "<LOCATION:Södra vägen 12>",
    "<LOCATION:Drottning Kristinas väg 7>",
    "<LOCATION:Tallstigen 4>.",
    "<LOCATION:Mossgränd 2>",
    "<LOCATION:Stora Torget 4>",
    "<LOCATION:Storgatan 12>, 3 tr",
    "<LOCATION:Björkvägen 5>\n<LOCATION:123 45 granstad>",
    "krock på <LOCATION:E4> igår",
    "<LOCATION:E6:an>",
    "urinvägen 2 gånger",
    "Gatan var hal",
]

MESSAGES = [
    "Hej! Jag är <AGE:34 år> och gravid i v 22, BF är <DATE:14 augusti>.",
    "Min pappa Alvar (<PID:410223-2395>) ramlade <DATE:2/2> och har ont sedan dess.",
    "Kan jag få tid <DATE:tisdag 4/3> eller <DATE:onsdag 5/3>? Slutar 15.30 båda dagarna.",
    "Dotter <AGE:5 år>, feber 39,4 sedan i måndags. Alvedon 15 ml var 6:e timme.",
    "Opererade knät <DATE:2014> och <DATE:2017>, senast i <DATE:november 2021>.",
    "mamma fyller <AGE:90> den <DATE:3 juni> så jag vill att hon kan gå",
    "Blodtryck 165/95 kl 08.10 och 150/90 kl 20, puls 72.",
    "vårdnadshavare 1: <PHONE:070-174 06 20>, vårdnadshavare 2: <PHONE:070-174 06 21>",
    "Ring efter 16 på <PHONE:0701-740 622>, annars <PHONE:031-390 06 22>",
    "HbA1c 52 i <DATE:april>, 58 i <DATE:oktober>, 49 nu",
    "Levaxin 75 mikrog x 1, senaste prov <DATE:230914> visade TSH 4,2",
    "Har haft migrän i 15 år men det blev värre i fjol",
    "Hon är född <DATE:12 april 2019> och väger 18 kg, längd 110 cm.",
    "Han föddes <DATE:2016-05-04>, <AGE:8 år> alltså",
    "Receptet gick ut <DATE:31/12>, jag tar 2 tabletter 3 ggr/dag.",
    "Boka mig <DATE:v 7>, gärna <DATE:12/2> eller <DATE:13/2> mellan 9 och 11",
    "Tog prover <DATE:3:e april>. Svar tar 2 veckor sa dom",
    "mitt personnr är <PID:19410223-2395> ring <PHONE:0701740623>",
    "mvh Rut <PID:4102232395>",
    "rut <PID:410223-2395> här",
    "pnr <PID:410223 - 2395>, mail <EMAIL:rut@example.com>, tel <PHONE:08-465 004 20>",
    "Personnummer: <PID:410223-2395>\nTelefon: <PHONE:0701740624>\nMejl: <EMAIL:rut@example.se>",
    "tandläkartid den <DATE:9:e>, ska jag sluta med waran innan?",
    "är det ok att komma den <DATE:1:a>?",
    "remiss skickad <DATE:2024-02-11>, kötid 90 dagar",
    "Mellan jul och nyår",
    "Kommer till er på <DATE:annandagen> om det är öppet",
    "Jag är en <AGE:27-årig> tjej med PCOS",
    "killen är <AGE:19> och vägrar äta",
    "Min tonåring, <AGE:14 år>, mår dåligt",
    "Vi har två barn, <AGE:4> och <AGE:6 år>, båda med vattkoppor",
    "min son på <AGE:4 år> kräks",
    "Sonen <AGE:11 mån> har 38,9 i feber",
    "tvillingarna <AGE:5 veckor> sover dåligt",
    "Hon var <AGE:61> när hon fick diagnosen",
    "Farfar dog när han var <AGE:58 år>, hjärtinfarkt",
    "slutade röka när jag var <AGE:40>",
    "Får man vaccin om man är över 65 år?",
    "Gäller det även barn under 6 år?",
    "Rutinen är att alla får brev",
    "Bilirubin 12, krea 88, eGFR 75, PSA 3,1",
    "dos 1 <DATE:12/1>, dos 2 <DATE:9/2>",
    "kl 9 den <DATE:14/4>",
    "Avboka tiden <DATE:14/4> kl 9.20. Ärendenr 4410-2291",
    "swishade 350 kr <DATE:14/4>",
    "skriver från hotellet i <DATE:maj>",
    "ringde <DATE:v.14> men fick inget svar",
    "<DATE:Januari> till <DATE:mars> är värst",
    "värst i <DATE:mars/april>",
    "kom <DATE:lördag 22 mars> kl 10-12",
    "opererad <DATE:maj -19> höger höft",
    "sen <DATE:nov -20>",
    "jag föddes -<DATE:62>",
    "född <DATE:620304>",
    "årgång <DATE:58>",
    "Flyttade hit <DATE:1998>, fick barn <DATE:2001> och <DATE:2004>.",
    "vi ses den <DATE:5>",
    "har tid hos er den <DATE:5> eller <DATE:6 mars>",
    "ny tid blev <DATE:fre 7/3> 14.15",
    "<DATE:27-28 mars> är jag bortrest",
    "<DATE:mars 2020>, <DATE:maj 2021>",
    "Semester <DATE:1/7-31/7>",
    "på <DATE:Alla hjärtans dag>",
    "I was born <DATE:1990>",
    "my son is <AGE:3 years> and has fever since 2 days",
    "she is <AGE:5 years> old and cough",
    "hej jag är <AGE:35 år>",
    "LMA-kort 50-123456",
    "Swish 123 456 78 90",
    "IBAN SE35 5000 0000 0549 1000 0003",
    "serienummer 20190412",
    "journalnr 4410-2291, pnr <PID:410223-2395>",
    "sista fyra i pnr är <PID:2395>",
    "kod 4471",
    "Portkod 2395, våning 3",
    "plan 4, rum 12",
    "1) Rut 2) Alvar",
    "syn 0,8/0,6",
    "VAS 7/10",
    "5/5 i kraft",
    "3-4 ggr per dygn",
    "höger öga -2,25",
    "gick ner 12 kg på 3 månader",
    "vi bor på <LOCATION:Tallvägen 3>, <LOCATION:123 45 Granstad>, kod 1234",
    "Adress: <LOCATION:Sankt Eriksgatan 5>, 2 tr",
    "<LOCATION:Norra Kyrkogatan 12 C>",
    "hämta på <LOCATION:Kungstorget 2>",
    "<LOCATION:Box 12>, <LOCATION:123 45 Granstad>",
]


ORGANISATION = [
    "fick tid på <ORGANISATION:reumatologmottagningen> sen",
    "<ORGANISATION:HUDKLINIKEN> svarar inte",
    "enligt <ORGANISATION:ögonklinikens> brev",
    "har ringt mottagningen och kliniken",
    "telefonmottagningen öppnar kl 8",
    "hon går på <ORGANISATION:Björkängsskolan> nu",
    "hon går i Grundskolan nu",
    "Artrosskolan var bra, <ORGANISATION:Björkskolan> också",
]

PERSON = [
    "mamma till <PERSON:Juni> och bor här",
    "<PERSON:April> heter hon",
    "dottern heter Juniper",
    "lilla Julia är sjuk",
    "heter <PERSON:Juli>",
    "vi hörs. /<PERSON:LN>",
    "Vi hörs! //<PERSON:A-K>",
    "tack\n/<PERSON:M.J.>",
    "ses då /<PERSON:Britta>",
    "ses då\n// <PERSON:Britta Edvin>",
    "bra! /<PERSON:Karl-Johan Tapper>\nlegitimerad",
    "kan du och/eller mamma",
    "det står 120/80 /dag i journalen",
    "km/h",
    "SÄNG/STOL",
]


@pytest.mark.parametrize(
    "marked", EMAIL + PID + PHONE + DATE + AGE + LOCATION + ORGANISATION + PERSON + MESSAGES
)
def test_rules(nlp, marked):
    check(nlp, marked)


def hits(nlp: Language, text: str) -> list[tuple[str, str, str, float]]:
    doc = nlp(text)
    group = doc.spans["rules"]
    return [(s.text, s.label_, s.id_, score) for s, score in zip(group, group.attrs["scores"])]


@pytest.mark.parametrize(
    "marked",
    [
        # What is of no class is left whole.
        "från 81.12.10.20 kom det",
        "ip-nummer: 12.03.12.19",
        "ip 2001:db8:0:1::12",
        "konto 8327-9,9001012385",
        "kontonummer 8327-9, 900101 2385",
        "clearing 6000 900101-2385",
        "instagram @anna.ek90",
        "@anna.ek.1990 heter jag",
        "insta: anna_ek_1990",
        "jag är anna_ek_1990 på snap",
        "lösenord: Sommar2019!",
        "lösenordet är vinter1990",
        # Their twins are found.
        "dat 81.12.10 kom det".replace("81.12.10", "<DATE:81.12.10>"),
        "personkonto 3300 <PID:9001012385>",
        "insta sedan <DATE:2019>",
        "lösenordet byttes <DATE:2019-03-11>",
        "@ <DATE:2019>",
    ],
)
def test_forms_of_no_class(nlp: Language, marked: str):
    check(nlp, marked)


@pytest.mark.parametrize(
    ("said", "marked"),
    [
        (None, "gravid i v 23+4, fick foglossning vid v 18"),
        (None, "fick ont v 18, nu 23+4"),
        (None, "CTG v 33, BF om en månad"),
        (None, "ont sedan v 18. Träffade barnmorskan"),
        (None, "kallad v 15, v 17 och 19, gravid med tvillingar"),
        ("Hur långt gången i graviditeten är du?", "v 28"),
        ("Jag är 31+2", "det började v 29"),
        ("Hur mår du?", "ont sen <DATE:v 28>"),
        (None, "semester <DATE:v 28>"),
        (None, "kallad <DATE:v 15>"),
        (None, "10+5 mg, åter <DATE:v 15>"),
        # Both in one message: what says that it is a week of the year.
        (None, "gravid i v 23, semester <DATE:v 28>"),
        (None, "gravid, tid <DATE:v 46>"),
        (None, "gravid, föddes <DATE:v 12 2019>"),
    ],
)
def test_weeks_of_pregnancy(nlp: Language, said: str | None, marked: str):
    text, expected = parse(marked)
    doc = nlp.make_doc(text)
    doc._.context = said
    found = [(s.start_char, s.end_char, s.label_) for s in nlp(doc).spans["rules"]]
    assert found == expected


@pytest.mark.parametrize(
    ("said", "text", "label"),
    [
        ("Vilka är dina sista fyra siffror?", "två tre åtta fem", "PID"),
        ("Vilka är dina sista fyra? Mvh", "2385", "PID"),
        ("Vad har du för telefonnummer?", "sju noll 174 noll sex 11", "PHONE"),
        ("Hur många ville du ha?", "två tre åtta fem", None),
        ("Tack för dina sista fyra.", "två tre åtta fem", None),
        ("Vilka är dina sista fyra siffror?", "två tre", None),
        ("Vad har du för telefonnummer?", "två till tre", None),
        (None, "två tre åtta fem", None),
    ],
)
def test_number_as_an_answer(nlp: Language, said: str | None, text: str, label: str | None):
    doc = nlp.make_doc(f"{text}, tack")
    doc._.context = said
    doc = nlp(doc)
    expected = [(text, label)] if label else []
    assert [(span.text, span.label_) for span in doc.spans["rules"]] == expected


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("karin@example\n> .se", "EMAIL"),
        ("karin@example.\n> se", "EMAIL"),
        ("karin.holm@\r\n>> example.se", "EMAIL"),
        ("900101-\r\n> 2385", "PID"),
        ("070-174\n> 06 11", "PHONE"),
        ("070-\n>> 1740611", "PHONE"),
    ],
)
def test_broken_in_quoted_mail(nlp: Language, text: str, label: str):
    doc = nlp(f"> se {text}.")
    (span,) = doc.spans["rules"]
    assert (span.text, span.label_) == (text, label)


@pytest.mark.parametrize(
    "good,bad",
    [
        ("170101-2393", "170101-2394"),
        ("1701012393", "1701012394"),
        ("17 01 01 2393", "17 01 01 2394"),
        ("pnr 170101 2393", "pnr 170101 2394"),
        ("031-390 06 00", "099-990 06 00"),
        ("28/2", "30/2"),
        ("2023-02-28", "2023-02-30"),
    ],
)
def test_failed_check_lowers_the_score(nlp, good, bad):
    (hit,), (failed,) = hits(nlp, good), hits(nlp, bad)
    assert hit[1] == failed[1]
    assert 0 < failed[3] < hit[3] <= 1


def test_entities_are_left_alone(nlp):
    doc = nlp("född 1943, tel 070-174 06 11")
    assert not doc.ents
    assert nlp.get_pipe("entity_ruler").labels == (
        "AGE",
        "DATE",
        "EMAIL",
        "LOCATION",
        "ORGANISATION",
        "PERSON",
        "PHONE",
        "PID",
    )


def test_shipped_patterns_are_well_formed(nlp):
    rows = list(srsly.read_jsonl(PATTERNS))
    ruler = nlp.get_pipe("entity_ruler")
    assert ruler.patterns == rows
    assert len(ruler) == len(ruler.ids) == sum("id" in row for row in rows)
    used = set(
        re.findall(r"\{([a-z_]+)\}", "".join(row["regex"] + row.get("unless", "") for row in rows))
    )
    assert used == {row["macro"] for row in rows if "macro" in row}


@pytest.mark.parametrize(("score", "found"), [(0, 0), (0.01, 1)])
def test_failed_score_of_zero_drops_the_hit(score: float, found: int):
    pattern = {"id": "x", "label": "DATE", "regex": r"\d+/\d+", "validator": "date"}
    nlp = make_nlp([pattern | {"failed_score": score}])
    assert len(hits(nlp, "30/2")) == found
    assert hits(nlp, "28/2") == [("28/2", "DATE", "x", 1.0)]


def test_user_patterns():
    nlp = make_nlp(
        [
            {"macro": "letters", "regex": "[A-Z]{2}"},
            {
                "id": "x.regex",
                "label": "PID",
                "regex": r"kund (?P<phi>{letters}\d{2})",
                "score": 0.6,
            },
            {"id": "x.tokens", "label": "DATE", "pattern": [{"LOWER": "påsk"}, {"IS_DIGIT": True}]},
            {"id": "x.phrase", "label": "LOCATION", "pattern": "Stora huset"},
        ]
    )
    assert hits(nlp, "kund ab12, PÅSK 12, stora Huset") == [
        ("ab12", "PID", "x.regex", 0.6),
        ("PÅSK 12", "DATE", "x.tokens", 1.0),
        ("stora Huset", "LOCATION", "x.phrase", 1.0),
    ]


def test_overlaps_longest_then_best():
    nlp = make_nlp(
        [
            {"id": "short", "label": "AGE", "regex": r"\d\d"},
            {"id": "weak", "label": "DATE", "regex": r"\d\d år", "score": 0.4},
            {"id": "strong", "label": "PID", "regex": r"\d\d år", "score": 0.5},
        ]
    )
    assert hits(nlp, "12 år") == [("12 år", "PID", "strong", 0.5)]
    assert hits(nlp, "12 mån") == [("12", "AGE", "short", 1.0)]


@pytest.mark.parametrize("score,found", [(0.4, 0), (0.5, 0), (0.6, 1)])
def test_negative_vetoes_what_is_not_stronger(score, found):
    nlp = make_nlp(
        [
            {"id": "number", "label": "PID", "regex": r"\d{4}", "score": score},
            {"id": "code", "negative": True, "regex": r"kod (?P<phi>\d+)", "score": 0.5},
        ]
    )
    assert len(hits(nlp, "kod 1234")) == found
    assert len(hits(nlp, "nej 1234")) == 1


@pytest.mark.parametrize(
    ("text", "veto"),
    [
        ("pat på 14 är ledsen", "14"),
        ("föräldrarna på 7 undrar", "7"),
        ("familj på 5 som ska resa", "5"),
        ("hon kommer vid sex", "sex"),
        ("nattinsulin sänkt 4E", "4E"),
        ("en kille på 14", ""),
        ("pat på 14 år", ""),
        ("slutade röka vid 40", ""),
        ("kom till Sverige vid 12", ""),
        ("åter den 4e", ""),
    ],
)
def test_beds_parties_hours_and_units_of_insulin(nlp: Language, text: str, veto: str):
    ids = ("neg.bed", "neg.party", "neg.clock_at", "neg.insulin")
    doc = nlp(text)
    assert "".join(span.text for span in doc.spans["vetoes"] if span.id_ in ids) == veto


def test_weeks_beside_a_child_that_is_awaited(nlp: Language):
    doc = nlp(
        "De flesta flygbolag tar med dig t.o.m. v 36 om du väntar ett barn, v 32 vid tvillingar"
    )
    assert not len(doc.spans["rules"])


def test_patterns_get_ids_by_default(tmp_path: Path):
    """The first example of spaCy's page on the EntityRuler, with a label of ours."""
    nlp = make_nlp([{"label": "PERSON", "pattern": "Anna"}])
    ruler = nlp.get_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PERSON", "pattern": [{"LOWER": "berg"}]}])
    assert ruler.ids == ("person.1", "person.2")
    ruler.to_disk(tmp_path)
    copy = PhiEntityRuler(nlp).from_disk(tmp_path)
    assert copy.ids == ruler.ids
    doc = copy(nlp.make_doc("Anna Berg"))
    assert [span.id_ for span in doc.spans["rules"]] == [*ruler.ids]


@pytest.mark.parametrize(
    "pattern,message",
    [
        ({"id": "", "label": "PID", "regex": "x"}, "\"id\" '' of a pattern must be"),
        ({"id": 3, "label": "PID", "regex": "x"}, '"id" 3 of a pattern must be'),
        ({"id": "a.b", "regex": "x"}, "'a.b'.*\"label\""),
        ({"id": "a.b", "label": 3, "regex": "x"}, "'a.b'.*\"label\""),
        ({"id": "a.b", "label": "PID"}, "'a.b'.*either"),
        ({"id": "a.b", "label": "pid", "regex": "x"}, "'a.b'.*unknown label 'pid'.*PID, PHONE"),
        ({"id": "a.b", "label": "DOSE", "regex": "x", "negative": True}, "'DOSE'.*PERSON"),
        ({"id": "a.b", "label": "PID", "regex": "x", "pattern": "x"}, "'a.b'.*either"),
        ({"id": "a.b", "label": "PID", "regex": "("}, "'a.b'.*not a regular expression"),
        ({"id": "a.b", "label": "PID", "regex": 3}, "'a.b'.*must be a string"),
        ({"id": "a.b", "label": "PID", "regex": "x*"}, "'a.b'.*empty string"),
        ({"id": "a.b", "label": "PID", "regex": "{nope}"}, "'a.b'.*no macro 'nope'"),
        ({"id": "a.b", "label": "PID", "regex": "x", "score": 2}, "'a.b'.*score"),
        ({"id": "a.b", "label": "PID", "regex": "x", "score": "high"}, "'a.b'.*score"),
        ({"id": "a.b", "label": "PID", "regex": "x", "failed_score": -1}, "'a.b'.*score"),
        ({"id": "a.b", "label": "PID", "regex": "x", "validator": "no"}, "'a.b'.*validator"),
        ({"id": "a.b", "label": "PID", "regex": "x", "extra": 1}, "'a.b'.*unknown keys"),
        ({"id": "a.b", "label": "PID", "pattern": 3}, "'a.b'.*list of dicts or a string"),
        ({"id": "a.b", "label": "PID", "pattern": ""}, "'a.b'.*list of dicts or a string"),
        ({"id": "a.b", "label": "PID", "pattern": []}, "'a.b'.*not a token pattern"),
        ({"id": "a.b", "label": "PID", "pattern": ["x"]}, "'a.b'.*not a token pattern"),
        ({"macro": "A b", "regex": "x"}, "Macro 'A b'"),
        ({"macro": "a", "regex": "x", "label": "PID"}, "Macro 'a'"),
        ({"macro": "a"}, "Macro 'a'"),
        ({"macro": "a", "regex": "["}, "Macro 'a'.*not a regular expression"),
        ("x", "Pattern 1 is a str"),
    ],
)
def test_malformed_pattern(pattern, message):
    with pytest.raises(ValueError, match=message):
        make_nlp([pattern])


def test_duplicate_id():
    pattern = {"id": "a.b", "label": "PID", "regex": "x"}
    with pytest.raises(ValueError, match="'a.b'.*taken"):
        make_nlp([pattern, pattern])


def test_no_patterns_warns():
    with pytest.warns(UserWarning, match="entity_ruler"):
        doc = make_nlp([])("född 1943")
    assert len(doc.spans["rules"]) == 0


def test_initialize_and_round_trip(nlp, tmp_path):
    fresh = spacy.blank("sv", config=CONFIG)
    ruler = fresh.add_pipe("phi_entity_ruler", name="entity_ruler")
    fresh.config["initialize"]["components"]["entity_ruler"] = {
        "patterns": {"@readers": "srsly.read_jsonl.v1", "path": str(PATTERNS)}
    }
    fresh.initialize()
    assert ruler.patterns == nlp.get_pipe("entity_ruler").patterns
    fresh.to_disk(tmp_path)
    text = "Tel 070-174 06 11, född 170101-2393, fyller 7 den 3 mars"
    expected = hits(nlp, text)
    assert len(expected) == 4
    assert hits(spacy.load(tmp_path), text) == expected
    other = spacy.blank("sv", config=CONFIG)
    other.add_pipe("phi_entity_ruler", name="entity_ruler")
    other.from_bytes(fresh.to_bytes())
    assert hits(other, text) == expected


CHARS = "0123456789 -+./:,()@\n\tåaemrsvxyOÅM'😀\u200b"


@given(st.one_of(st.text(alphabet=CHARS, max_size=60), st.sampled_from(MESSAGES)))
def test_offsets(text):
    doc = NLP(text)
    group = doc.spans["rules"]
    assert doc.text == text
    assert len(group) == len(group.attrs["scores"])
    end = 0
    for span, score in zip(group, group.attrs["scores"]):
        assert end <= span.start_char < span.end_char <= len(text)
        assert text[span.start_char : span.end_char] == span.text
        assert not span.text[0].isspace() and not span.text[-1].isspace()
        assert 0 < score <= 1
        end = span.end_char


NLP = make_nlp(list(srsly.read_jsonl(PATTERNS)))


@pytest.mark.parametrize(
    ("text", "vetoed"),
    [
        ("ring 8.30 tack", "8.30"),
        ("vi ses 13.00", "13.00"),
        ("hon kom 12:40.", "12:40"),
        ("ta 500 mg till natten", "500 mg"),
        ("kl 9 så", "9"),
        ("den 8.12 kom hon", ""),
        ("den 8.12.2024", ""),
        ("ring 08.46 50 04 00", ""),
        ("jag mår bra", ""),
    ],
)
def test_vetoes_are_evidence(nlp, text: str, vetoed: str) -> None:
    doc = nlp(text)
    found = [span.text for span in doc.spans["vetoes"]]
    assert any(vetoed in text for text in found) if vetoed else not found


def test_word_evidence_of_the_default(nlp) -> None:
    doc = nlp("kl 9 hej")
    assert get_evidence(doc)[1, -1] == 1.0
    assert get_evidence(doc)[2, -1] == 0.0


@pytest.mark.parametrize(
    "marked",
    [
        "tack för hjälpen /<PERSON:im>",
        "ring oss /<PERSON:p-o>, audionom på hörcentralen",
        "Hej /<PERSON:LN>, ssk",
        "hej\n/<PERSON:kj>\nskickat från mobilen",
        "2 tabl /dag",
        "kom kl 8 /st",
        "ja /nej",
        "ett /ej",
        "150 kr /mån",
        "och/eller\nper h/km",
        "jag ska föda snart v 39 och har ont",
        "tid hos er <DATE:v 39>, ont i ryggen",
    ],
)
def test_classes_of_errors(nlp: Language, marked: str):
    text, spans = parse(marked)
    doc = nlp(text)
    assert [(s.start_char, s.end_char, s.label_) for s in doc.spans["rules"]] == spans


@pytest.mark.parametrize(
    "marked",
    [
        # Numbers with a lead word are no personnummer.
        "Kvittot som jag fick har nr 8112289874, beloppet stämmer",
        "uppdragsnr 811228-9874",
        "Remiss-id 20231104-0087",
        "ärende 4100-K338114-25",
        "Felkod: 500-2291-77",
        "ny tid <DATE:26/9>",
        "åter till korttids <DATE:26/9>. Suturer bort efter 14 d.",
        "mitt nya nummer är <PHONE:0729123456>",
        "sved som attan när jag kissade. <PID:8112284 874>",
        # Ages of people and other numbers.
        "my heart rate is 104 at rest",
        "din plats i kön är 34",
        "Väntetiden till kliniken i Östersund är ett år",
        "apgar 7-9-10",
        "för den som fyllt 85",
        "Jag är <AGE:9 och ett halvt>.",
        "nu e ja <AGE:26> bor i stan",
        "fyllde förresten <AGE:35> i går",
        "hon slutar 14 på jobbet och de öppnar 8",
        "Hb 92, puls 91",
        "Ärendet är märkt 2025-114870.",
        "nummer <PHONE:0520-48 11 3 6>. Efter tio",
        "ring <PHONE:08.517 30 44 2>",
        "när jag kommer <DATE:12.11>.",
        "Fahre heim <DATE:5. August>.",
        "läs mer på kassan.se/hej",
        "Lo (<AGE:3 ½ år>) och Bo (<AGE:6 och ett halvt år>)",
        "sjukskriven <DATE:2024-05-06--2024-05-19>",
        "mob <PHONE:076-2O9 14 33>",
        "Är <AGE:nittiosex och ett halvt>. Kommer själv",
        "Gunnel, snart <AGE:59>, söker för yrsel",
        "barnen <AGE:8>, <AGE:5> å <AGE:1 år>",
        # Dates after verbs, days alone.
        "mamma dog <DATE:2/3>",
        "flyttat till <DATE:29:e>. Min handläggare",
        "SIP-möte <DATE:28.10>",
        "anti-D ges v 28",
        # Titles tell a name.
        "I saw <PERSON:Dr. Grunditz> at the clinic",
        "fråga <PERSON:doktor Grunditz-Ek> om det",
        "sen <PERSON:Dr Wanja van der Grund> till 08",
        "Hej doktor. Grunden är lagd",
        "jag ringer dr. Jag hinner inte",
        "det blir MR. Behöver mer",
        "Tack. /Region Gävleborg",
        "Tack. /<PERSON:Grund>",
        "adress numera <LOCATION:rågången 7>",
        "springer på rågången 7 min",
    ],
)  # fmt: skip
def test_classes_of_errors_on_unseen_messages(nlp: Language, marked: str):
    check(nlp, marked)


@pytest.mark.parametrize(
    "marked",
    [
        # What is always open, and a day in July.
        "öppet 24/7",
        "jour 24/7 på telefon",
        "vi jobbar i princip 24/7",
        "bemannat 24/7 året runt",
        "opererad <DATE:24/7>",
        "jobbar från <DATE:24/7>",
        "tid den <DATE:24/7> kl 8",
        # Leads of an ECG, and weeks.
        "T-negativisering V3-V5",
        "ST-höjning i V1, V2 och V3",
        "ledig <DATE:v 3-5>",
        "<DATE:V34-V36> går bra",
        # Doses in a row, and days.
        "tar 8-10-12 enheter insulin",
        "kl 8-14-20",
        "<DATE:8-10-12> föddes han",
        # Parts of something, and days.
        "buss 7/8 går hit",
        "ligger på avd 5/6",
        "späd 1/10",
        "PASI 4/10",
        "avd 5 <DATE:3/9>",
        "remiss till avd 5 den <DATE:3/9>",
        # Scales, and days of October.
        "VAS 4/10 idag och 6/10 igår",
        "ont sedan <DATE:3/10>, på besök <DATE:6/10>",
        "från <DATE:3/10> till <DATE:6/10>",
        "smärtskattning 3/10",
        "på smärtskalan 3/10",
        "Jag skall opereras <DATE:3/5>",
        # Names that begin like a scale.
        "hos <PERSON:Dr. Haddad> <DATE:tis 21/5> kl. 08:15",
        "Beckman kommer <DATE:3/5>",
        "Gradvis bättre sedan <DATE:tis 3/5>",
        # A fever, and an age.
        "sen dess har min kompis Davit 39,5. Han",
        "min kompis Davit <AGE:39>, som har feber",
        # Weeks after an operation, and of the year.
        "Rehabplan v 1-6 efter op: partiell belastning",
        "vecka 6 postop",
        "opereras <DATE:v 6>, efter operationen hem",
        # Days with blanks between.
        "kom till Sverige <DATE:20 11 2022> min",
        "född <DATE:3 5 2011>",
        # The floor and the flat are no part of an address, nor is a heading.
        "bor <LOCATION:Storgatan 5 B>, 3 tr",
        "<LOCATION:Långgatan 51> lgh 1203",
        "Passerkort: Plats 2",
        "<LOCATION:S:t Eriks plats 2>",
        # Values by their names.
        "midja 108",
        "GAF 45",
        "Barthel 65",
        # Invented after what thirteen further writers wrote.
        "Barnen är födda <DATE:juli 92>, <DATE:oktober 94> och <DATE:maj 97>.",
        "Omgång 1: 5 dagar, omgång 2: 7 dagar",
        "besiktning den <DATE:3:e i 11:e>, stämmer det?",
        "<DATE:Torsdagen den 8:e>: en halv tablett",
        "Date: <DATE:Wed, 5 Jun 2024> 08:12",
        "hyresrätten är vår till den <DATE:siste mars>",
        "Hon blev <AGE:96 år och 11 dagar>.",
        "Ssk ringer <DATE:tors 3/4>. Tål det?",
        "ungefär som fyra-fem år, när jag bröt armen",
        "Bror: hjärtinfarkt. Själv fyllda <AGE:52>.",
        "för alla fyllda 70",
        "kl 8, <DATE:12 mars> och kl 9",
        # What a fresh eye found in the first form of that round.
        "Ramlade i källartrappan <DATE:12/3>",
        "Takstegen gled <DATE:9/8>",
        "Jag kan komma kl 9, <DATE:3> och <DATE:4 juni>",
        "Helst kl 10, <DATE:12> eller <DATE:14 maj>",
        "Ledig tid kl 13, <DATE:4> och <DATE:5/6>",
        "Tid finns kl 9 och 13, <DATE:5-7/6>",
        "Pojke, <AGE:2 år> och 3 veckor efter vaccinet kom utslagen.",
        "Bebis: <AGE:6 veckor>. Väger 5,1 kg.",
        "Hej. <AGE:8 veckor>, ammas helt.",
        "Nu är jag fri, <DATE:3 april> tog jag sista tabletten",
        "Barnen är <AGE:2> - 5 - 11 år",
        "besiktning <DATE:fredag den 3:e i 5:e>",
        "kom hit <DATE:7:e i 9:e 1987>",
        "Vaccinet är gratis för dig som är över 65.",
        "Vi tar emot barn här mellan 0 och 6 år",
        "Vaccin erbjuds alla som är fyllda 65.",
        "En 6:a i 3:e kvadranten gör ont",
        "Ta lördag, 1/3 del av påsen",
        "Fött: <DATE:03 - 11 - 1968>",
        "svider när jag kissar. 2 dagar. provat blåbär",
    ],
)
def test_measurements_and_days(nlp: Language, marked: str):
    check(nlp, marked)


NOTHING_MARKED = [
    "bebisen väg 850 gram vid födseln",
    "gått ner senaste 3 mån, 8 kg",
    "I natt var hon 39, hostar mycket",
    "Väntetid uppskattas till 3 månader",
    "ho väg 29 kg",
    "tog den 14 tim för sent",
    "(hypertoni 1, ålder ≥75 2, kvinna 1)",
    "Kallas var 5:e år 23-49 år, därefter",
    "det år man fyller 19.",
    "Hosta\nSedan: 11 dagar\nAlvedon: ja",
    "tisdag 1/2 tablett, ons 2/3 av dosen",
    "smärtskala noll ett två tre fyra fem",
    "dosen är noll ett noll ett noll ett",
    "Koden:220315",
    "fick en 3 veckors sond",
    "vi bokar en 3 månaders.",
    "gick skogsvägen två, tre gånger",
    "kom to 10.10",
    "Pojken 2 dygn feber",
    "Byxor storlek M/38",
    "Provet var 48 timmar gammalt",
    "Det blir två tre år till",
    "Tänker på Lund ibland",
]


@pytest.mark.parametrize("text", NOTHING_MARKED)
def test_nothing_marked(nlp: Language, text: str):
    doc = nlp(text)
    assert not [span.text for span in doc.spans["rules"]]


VETOES = [
    # Invented after what seven further writers wrote.
    ("en 6 månaders spruta nu", "6 månaders spruta"),
    ("18 mån-kontroll ombokas", "18 mån-kontroll"),
    ("ålder 55 år eller mer", "55 år"),
    ("Syncentralens screening vid 3 år:", "3 år"),
    ("besök vid 8 månader", "8 månader"),
    ("tillsyn kl 21, 01 och 05 i natt", "kl 21, 01 och 05"),
    ("Ångesttrappan 3/6 i dag", "3/6"),
    ("beslutet omprövas var 6:e mån", "6:e"),
    ("firar skottdag var 4:e år", "4:e"),
    # Invented after what eight further writers wrote.
    ("Väntetid: 11 veckor", "11 veckor"),
    ("handläggningstiden är f.n. 3 månader", "3 månader"),
    ("han jobbar borta 3 veckor i taget", "3 veckor"),
    ("magvärk 7/10 varje kväll", "7/10"),
    ("oro 7/5/8/9 under dagen", "7/5/8/9"),
    ("MMT-SR gjordes, 24/30.", "24/30"),
    ("barn födda före v 32", "v 32"),
    ("melanom, Clark III, kant", "Clark"),
    ("fraktur, Garden 2", "Garden"),
    ("hönan Majken pickar", "hönan Majken"),
    ("Sixten (labrador, 31 kg) kräks", "Sixten"),
    ("SMS:et kom aldrig", "SMS:et"),
    # Invented after what fourteen further writers wrote.
    ("pH 7,2, BE -12", "12"),
    ("cykelprov, Borg 17/10 i slutet", "17/10"),
    ("4/5 är styrkan i handen", "4/5"),
    ("låg på percentil 25:e sist", "25:e"),
    ("är 112 gratis härifrån", "112"),
    ("Mg 0,9 är väl ok?", "0,9"),
    ("ska jag ringa 112 nu", "112"),
    ("hon bor på 3 tr, ring på", "3 tr"),
    ("byst 98, midja 80", "98"),
    ("Besvär sedan: 6 veckor", "6 veckor"),
    ("jag är tre månader ren nu", "tre månader"),
    ("vi firar 25 år på nya adressen", "25 år"),
    ("Per Ek c/o Alm", "c/o"),
    ("gcs: verbalt 5/5, motorik sämre", "5/5"),
    ("aptiten 5/10 idag", "5/10"),
    # Invented after what five further writers wrote.
    ("måste man va 17 för att boka", "17"),
    ("jag har 4 mån kö kvar till bup", "4 mån"),
    ("sjuttio procent frisk", "sjuttio procent"),
    ("är 7 lågt eller?", "7"),
    ("kommer mellan 8 o 9", "8 o 9"),
    ("febern: vid 39 tar jag alvedon", "39"),
    ("kompisen hade 39,5 i natt", "39,5"),
    ("lägger mig 23 varje kväll", "23"),
    ("dygnet runt gäller 24/7 här", "24/7"),
    ("kör 16/8-fasta nu", "16/8"),
    ("provar 5/2-dieten", "5/2"),
    ("sätt bipap 12/6, ny gas", "12/6"),
    ("ph 7,21/7,29 idag", "7,21/7,29"),
    ("ges vecka 0, 2 och 6", "0, 2 och 6"),
    ("hopptest efter 16 v, inte förr", "16 v"),
    ("appen version 4.11.2 kraschar", "4.11.2"),
    ("gäller ISO 13485:2016?", "ISO 13485:2016"),
    ("svar på 2025-88120 saknas", "2025-88120"),
    ("25 på 2000 och 40 på 4000", "2000"),
    ("kom 14:e i mål", "14:e"),
    ("täckning 1/5 här ute", "1/5"),
    ("smärtan var 0/10, 4/10, 7/10", "0/10, 4/10, 7/10"),
    ("det är 4/10 sittandes", "4/10"),
    ("kraft 4/5 i armen, 5/5 annars", "5/5"),
    ("frun grav v 31 nu", "v 31"),
    ("lilla Doris (marsvinet) kliar", "Doris"),
    ("finns i S, M och L", "S, M och L"),
    ("betyget gick från B till E", "B till E"),
    ("fick C i matte", "C"),
    ("lade om Robin-bandage", "Robin-bandage"),
    ("nu e hon halv 12 å väntar", "12"),
    ("sen 02 inatt har jag ont", "02"),
    ("sen igår kväll ungefär vid 22", "22"),
    ("sammandragningar var 10e min", "10e"),
    ("Tor 19.40: ringt dotter", "Tor"),
    ("hann inte med rum 11, 12, 13. sorry", "13"),
    ("bor kvar, lgh 1203", "lgh 1203"),
    ("är det gratis om man är 22?", "22"),
    ("gäller abort, v 8 tror jag", "v 8"),
    ("Norton 17, Downton 4", "17"),
    ("midjemåttet är 108", "108"),
    ("fsh var 14", "14"),
    ("jag är 168 lång", "168"),
    ("En 8:a skulle jag säga", "8:a"),
    ("felkod E14 på pumpen", "felkod E14"),
    ("tar Suboxone 8/2", "8/2"),
    ("när katten Sixten får mat", "katten Sixten"),
    ("Vår katt Sixten har rivit mig", "Vår katt Sixten"),
    ("hunden heter Bella", "hunden heter Bella"),
    ("Edinburgh-enkäten gav 15", "Edinburgh-enkäten"),
    ("har Schafers tecken, läste jag", "Schafers tecken"),
    ("Metylfenidat Sandoz 36 mg", "Sandoz"),
    ("fasta under ramadan", "ramadan"),
    ("hon bor på gruppbostaden", "gruppbostaden"),
    ("ligger på IVA", "IVA"),
]


@pytest.mark.parametrize(("text", "vetoed"), VETOES)
def test_vetoes(nlp: Language, text: str, vetoed: str):
    doc = nlp(text)
    assert vetoed in [span.text for span in doc.spans["vetoes"]]
    assert not [span.text for span in doc.spans["rules"]]


@pytest.mark.parametrize(
    "text",
    [
        "min mamma är 72 år gammalt",
        "handläggaren är 45 år",
        "Hälsa Wagner B i kön",
        "Ny tid: 14.10 hos er",
        "fick en kod för Anna 2019",
        "Har Lars IV kvar i armen?",
        "huvudvärk 12/10, bättre nu",
        "besök 3/4/5/6 maj",
        "Vi ses hos Weber 5.",
        "Anna (golden) skulle ringa",
        "Barn födda efter v 25 2024 kallas",
        "Hälsa Clark och Anna",
        "född i Visby v. 32",
        "Sedan 2/5 är kraften borta i handen",
        "opererad 4/5 i knät, kraftig svullnad nu",
        "Har tid hos doktor Borg 12/10 om hörseln",
        "postnr 112 34",
        "Hon är 112",
        "Mamma firar 80 år tillsammans med oss",
        "Följer percentilen, åter den 14:e",
        "Max 5 mån gammal",
        "BE -87",
        "Symtom sedan: 3 mån ålder",
        "Adress Backa 12 tr 1",
        "Ring Dagmar 08-12 34 56 78",
        "Li 2,5 och Bo 4 har feber",
        "Ramadan Yusuf har ringt",
        "jobbar på Sandoz",
        "katten rev mig, Sixten såg det",
        "hälsa hunden Bella Ek",
        "Lindas tecken på depression",
        "hälsa Iva, hon ringde",
        "Eva Virtanen-Lampinen ringde",
        "hälsa Hans Ek-Klasson",
    ],
)
def test_nothing_vetoed(nlp: Language, text: str):
    doc = nlp(text)
    assert not doc.spans["vetoes"]


ODD = [
    # Spaces of every kind.
    *(
        marked.replace(" ", space)
        for space in ("\u00a0", "\t", "\u202f", "\u2009")
        for marked in (
            "Jag bor på <LOCATION:Storgatan 1>, <LOCATION:123 45 Täby>",
            "ring <PHONE:070-174 06 05> tack",
            "pnr <PID:19 17 01 01 23 93>",
            "den <DATE:3 januari 2024> kl 9",
            "jag är <AGE:34 år> nu",
            "mejla <EMAIL:anna (at) example.com>",
        )
    ),
    # Hyphens of every kind.
    "<PHONE:070\u2011174\u201106\u201105>",
    "<PID:170101\u22122393>",
    "<PID:170101\u20102393> och <DATE:2024\u201103\u201111>",
    "<DATE:3\u20115 maj>",
    "en <AGE:55\u2011årig> man",
    # Digits of every script.
    "<PID:١٧٠١٠١-٢٣٩٣>",
    "<PHONE:０７０１７４０６０５> eller <PHONE:०७०-१७४ ०६ ०५>",
    "jag är <AGE:３４ år>",
    "den <DATE:٣ maj>, ta ５ mg",
    # What cannot be seen.
    "<PID:170101\u00ad-2393>",
    "<PID:17\u200b0101-23\u200d93>\u200b.",
    "\ufeff<PHONE:070-174\u2060 06 05>",
    "<EMAIL:anna@exam\u00adple.se>",
    "<DATE:3 ja\u00adnuari>",
    # Case that regexes and `lower` take for different.
    "kom <DATE:3 januarı>",
    "i <DATE:JANUARİ 1980>",
    "ses <DATE:tısdag 3/5>",
    "hon är <AGE:nıo år>",
    # Letters that look alike, in parts, and mistyped.
    "<EMAIL:аnna@exаmple.com>",
    "<DATE:3 mаj>",
    "hon är <AGE:a\u030atta a\u030ar>",
    "<PHONE:O7O-l74 O6 O5>",
    "<PID:l7OlOl-2393>",
    # A stray space.
    "<PID:1701 01-2393>, <PID:170101-2 393> tack",
    "<PID:17010 12393>",
    "<PID:170101 239 3>",
    "<PID:2 01701012393>",
    "<PID:20170101239 4>",
    "<PID:17-0 1-01-2393>",
    "<PID:170101.23 93>",
    "<PID:17 01 01 239 3>",
    "sista fyra är <PID:239 3>",
    "xxxxxx-<PID:23 93>",
    "<PHONE:031-3 90 06 05>",
    "<PHONE:0 31-390 06 05>",
    "ring <PHONE:(0 31) 390 06 05>, (<PHONE:0313 90605>)",
    "<PHONE:+47 400 12 34 5>",
    "<PHONE:0 046 70-174 06 05>",
    # Numbers in a row, of no plan.
    "10 12 14 16 18 20",
    "10 12 14 16 18",
    "87 12 09 12 14, 3 4",
    "0 5 10 15 20 25",
    "värden 7 12 8 9 5 4",
    # No PHI.
    "I10.9, O24.4, E11.9 och F32.2",
    "drick 2 l, 5\u00a0dl, 25 kg/m²",
    "👩\u200d👩\u200d👧 1️⃣ 2️⃣",
]


@pytest.mark.parametrize("marked", ODD)
def test_odd_characters(nlp: Language, marked: str):
    check(nlp, marked)


@pytest.mark.parametrize(
    "number", ["１７０１０１-２３９３", "170101\u22122393", "17\u00ad0101-2393"]
)
def test_validators_read_the_folded_text(number: str):
    pattern = {"label": "PID", "validator": "personnummer", "score": 0.9, "failed_score": 0.1}
    for key, value in (("regex", r"[\d-]{11}"), ("pattern", [{"TEXT": number}])):
        nlp = spacy.blank("sv")
        nlp.tokenizer = lambda text, vocab=nlp.vocab: spacy.tokens.Doc(vocab, [text])
        nlp.add_pipe("phi_entity_ruler").add_patterns([{"id": "x", key: value} | pattern])
        assert [score for _, score in iter_hits(nlp(number), "rules")] == [0.9]


def test_regexes(nlp: Language):
    regexes = nlp.get_pipe("entity_ruler").regexes
    assert tuple(regexes) == nlp.get_pipe("entity_ruler").ids
    assert regexes["phone.bare"].search("RING 0701740605")
    assert "{" + "ss}" not in "".join(regex.pattern for regex in regexes.values())


@pytest.mark.parametrize(
    "regex, message",
    [
        ("(a", "'x.y': not a regular expression"),
        ("(?<=a+)b", "'x.y': not a regular expression, look-behind"),
        ("a*", "'x.y': the regex matches the empty string"),
    ],
)
def test_saved_patterns_are_checked_too(tmp_path: Path, regex: str, message: str):
    rows = [{"id": "x.y", "label": "PID", "regex": regex}]
    srsly.write_jsonl(tmp_path / "patterns.jsonl", rows)
    with pytest.raises(ValueError, match=message):
        PhiEntityRuler(spacy.blank("sv")).from_disk(tmp_path)
    with pytest.raises(ValueError, match=message):
        PhiEntityRuler(spacy.blank("sv")).add_patterns(rows)


def test_what_was_derived_of_patterns_is_saved(tmp_path: Path, monkeypatch):
    rows = [
        {"macro": "four", "regex": r"\d{4}"},
        {"id": "x.a", "label": "PID", "regex": r"nr {four}"},
        {"id": "x.b", "label": "PID", "regex": r"no {four}"},
    ]
    nlp = spacy.blank("sv")
    ruler = PhiEntityRuler(nlp)
    ruler.add_patterns(rows)
    ruler.to_disk(tmp_path)
    derived: list[str] = []
    get_literals = regex_module.get_literals
    monkeypatch.setattr(
        regex_module, "get_literals", lambda regex: derived.append(regex) or get_literals(regex)
    )
    text = "nr 1234, no 1234, nummer 1234"

    def find(copy: PhiEntityRuler) -> list[str]:
        doc = copy(nlp.make_doc(text))
        return [span.text for span in doc.spans["rules"]]

    for copy in (
        PhiEntityRuler(nlp).from_disk(tmp_path),
        PhiEntityRuler(nlp).from_bytes(ruler.to_bytes()),
    ):
        assert find(copy) == ["nr 1234", "no 1234"]
        assert copy.to_bytes() == ruler.to_bytes()
    assert derived == []
    # Of what is edited in the folder nothing was known; nor of what another version has saved.
    rows[2]["regex"] = "nummer {four}"
    srsly.write_jsonl(tmp_path / "patterns.jsonl", rows)
    assert find(PhiEntityRuler(nlp).from_disk(tmp_path)) == ["nr 1234", "nummer 1234"]
    assert derived == [r"nummer (?:\d{4})"]
    saved = srsly.read_msgpack(tmp_path / "derived.msgpack")
    saved["version"] -= 1
    srsly.write_msgpack(tmp_path / "derived.msgpack", saved)
    PhiEntityRuler(nlp).from_disk(tmp_path)
    assert len(derived) == 3
    (tmp_path / "derived.msgpack").unlink()
    PhiEntityRuler(nlp).from_disk(tmp_path)
    assert len(derived) == 5


def test_patterns_before_a_malformed_one_are_run():
    nlp = spacy.blank("sv")
    ruler = PhiEntityRuler(nlp)
    with pytest.raises(ValueError, match="x.b"):
        ruler.add_patterns(
            [
                {"id": "x.a", "label": "PID", "regex": r"\d{4}"},
                {"id": "x.b", "label": "PID", "regex": "("},
            ]
        )
    doc = ruler(nlp.make_doc("hej 1234"))
    assert [span.text for span in doc.spans["rules"]] == ["1234"]
