"""What sort of organisation a name is of."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..swedish.casing import fold

# The types that a name may be of, by their family. Where a type is used up, the family stands in.
FAMILIES = {
    "care": "primary_care child_health maternity dentist emergency psychiatry rehab clinic brand "
    "optician home_care occupational_health youth laboratory",
    "digital_care": "digital_care",
    "care_home": "care_home",
    "hospital": "university_hospital regional_hospital local_hospital special_hospital "
    "hospital_abroad",
    "pharmacy": "pharmacy pharmacy_chain",
    "school": "school gymnasium university adult_school student",
    "preschool": "preschool",
    "authority": "authority municipality district region county_board ministry council court "
    "higher_court administrative_court prison police museum library army social institution "
    "embassy rescue abroad",
    "club": "football hockey floorball handball basket riding gym sport scouts",
    "association": "patients church charity people helpline fund association mosque",
    "union": "union unemployment_fund professionals",
    "party": "party youth_party",
    "insurer": "insurer",
    "shop": "grocer clothes electronics home_shop mall shop petrol hairdresser sports_shop web_shop",
    "employer": "industry food pharma energy telecom it consulting staffing security cleaning "
    "restaurant hotel media gambling housing estate_agent building waste culture park funeral "
    "interpreter moving parking car_rental ferry airline travel transit taxi logistics "
    "collection bank vet law farm workshop",
}
FAMILY_OF = {type_: family for family, types in FAMILIES.items() for type_ in types.split()}
# The types of the kinds of the list, where a name tells no more.
OF_KIND = {
    "care_unit": "clinic",
    "care_brand": "brand",
    "hospital": "local_hospital",
    "employer": "industry",
    "club": "sport",
    "school": "school",
}
# Types whose members are many and local: they get a name that is nobody's.
LOCAL = frozenset(
    "primary_care child_health maternity dentist emergency psychiatry rehab clinic youth care_home "
    "pharmacy school gymnasium preschool".split()
)
# Others so, if they are not listed.
MADE = LOCAL | frozenset(
    "optician home_care occupational_health restaurant hairdresser cleaning workshop building vet law "
    "farm moving housing shop funeral food industry logistics hotel consulting security".split()
)
# Endings of words that say what an organisation is. The longest that fits a word counts.
HEADS: tuple[tuple[str, str], ...] = (
    ("primary_care", r"(?:vård|vårds|hälso)cent(?:ral|er)(?:en)?|läkarhus(?:et)?|vårdhus(?:et)?|"
     r"(?:familje|hus|distrikts|allmän)läkar(?:na|e|mottagning(?:en)?|jouren)|läkargrupp(?:en)?|"
     r"läkarmottagning(?:en)?|läkarpraktik(?:en)?|läkarna|\b(?:vc|hc|vårdc)"),
    ("child_health", r"barn(?:a|h)?(?:vård|hälso)s?central(?:en)?|barnavården|\bbvc"),
    ("maternity", r"mödra(?:vård|hälso)s?(?:central)?(?:en)?|barnmorske?(?:grupp|mottagning)(?:en)?|"
     r"barnmorskorna|\b(?:mvc|bmm)"),
    ("dentist", r"tandvård(?:en)?|tandläkar(?:en|na|e|hus(?:et)?|klinik(?:en)?|mottagning(?:en)?|"
     r"central(?:en)?|grupp(?:en)?)?|tandklinik(?:en)?|tandhälsa?n?|tandreglering(?:en)?|\bftv|dental"),
    ("emergency", r"jourcentral(?:en)?|akut(?:en)?|akutmottagning(?:en)?|jourmottagning(?:en)?|"
     r"jourläkarcentral(?:en)?"),
    ("psychiatry", r"psykiatri(?:n|ska)?|psykolog(?:er|erna|mottagning(?:en)?|grupp(?:en)?)?|"
     r"psykoterapi(?:n)?|beroende(?:central|mottagning|enhet|vård|centrum)(?:en)?|\bbup|terapi"),
    ("rehab", r"rehab(?:ilitering)?(?:en)?|fysioterapi(?:n)?|sjukgymnastik(?:en)?|naprapat(?:er|erna|"
     r"grupp(?:en)?)?|naprapati(?:n)?|kiropraktor(?:er|erna)?|kiropraktik(?:en)?|massage|osteopati"),
    ("optician", r"optik(?:er|ern)?|syncentral(?:en)?|hörsel|hörcentral(?:en)?|glasögon"),
    ("home_care", r"hemtjänst(?:en)?|hemvård(?:en)?|hemsjukvård(?:en)?|assistans(?:en)?|omsorg(?:en)?"),
    ("occupational_health", r"företagshälsa?n?|företagshälsovård(?:en)?|\bfhv"),
    ("youth", r"ungdomsmottagning(?:en)?|ungdomshälsa?n?|elevhälsa?n?|skolhälsa?n?|studenthälsa?n?|"
     r"familjecentral(?:en)?"),
    ("laboratory", r"laboratori(?:um|et|erna)|\blab(?:bet)?|labmedicin|provtagning(?:en)?"),
    ("clinic", r"(?:mottagning|klinik|dialys|enhet|avdelning|central|verksamhet)(?:en)?|hälsan|"
     r"kliniska?|center|centrum|läkare|läkarteam(?:et)?|röntgen|vården|medicin|kirurgi|ortopedi"),
    ("university_hospital", r"universitetssjukhus(?:et)?"),
    ("regional_hospital", r"(?:läns|central|region)(?:sjukhus|lasarett)(?:et)?"),
    ("local_hospital", r"(?:sjukhus|lasarett|sjukstuga)(?:et|n)?"),
    ("special_hospital", r"(?:ögon|barn|rätts|rättspsykiatriska)sjukhus(?:et)?|hospital"),
    ("pharmacy", r"apotek(?:et)?|apotekare"),
    ("preschool", r"förskola?n?|daghem(?:met)?|dagis(?:et)?|barnstuga?n?"),
    ("gymnasium", r"gymnasi(?:um|et|eskola|eskolan|esärskola)"),
    ("university", r"universitet(?:et)?|högskola?n?|university|college"),
    ("adult_school", r"folkhögskola?n?|komvux|\bsfi|vuxenutbildning(?:en)?|yrkeshögskola?n?|lärcentrum"),
    ("school", r"skola?n?|friskola?n?|fritids|särskola?n?"),
    ("care_home", r"(?:äldre|vård|grupp|service|demens|omsorgs|stöd|korttids|trygghets)?boende(?:t|na)?|"
     r"(?:sjuk|ålderdoms|behandlings|vård|äldre|service|ungdoms)hem(?:met)?|servicehus(?:et)?|"
     r"gruppbostad(?:en)?|hospice|\b(?:hvb|säbo|lss)"),
    ("municipality", r"kommun(?:en)?|\bstad"),
    ("district", r"stadsdel(?:en|sförvaltning|sförvaltningen|snämnd|snämnden)?"),
    ("region", r"\bregion(?:en)?|landsting(?:et)?"),
    ("county_board", r"länsstyrelse(?:n)?"),
    ("ministry", r"departement(?:et)?"),
    ("court", r"tingsrätt(?:en)?"),
    ("higher_court", r"hovrätt(?:en)?|kammarrätt(?:en)?"),
    ("administrative_court", r"förvaltningsrätt(?:en)?|länsrätt(?:en)?|migrationsdomstol(?:en)?|"
     r"domstol(?:en)?"),
    ("prison", r"anstalt(?:en)?|häkte(?:t)?|fängelse(?:t)?|frivård(?:en)?"),
    ("police", r"polis(?:en|myndigheten|station|stationen)?"),
    ("museum", r"muse(?:um|et)|konsthall(?:en)?"),
    ("library", r"bibliotek(?:et)?"),
    ("army", r"regemente(?:t)?|flottilj(?:en)?|försvarsområde(?:t)?"),
    ("social", r"social(?:tjänst|kontor|förvaltning|nämnd|jour)(?:en|et)?|familjerätt(?:en)?|"
     r"omsorgsförvaltning(?:en)?|överförmyndare?(?:n|nämnden)?"),
    ("embassy", r"ambassad(?:en)?|konsulat(?:et)?"),
    ("rescue", r"räddningstjänst(?:en)?|brandförsvar(?:et)?|brandkår(?:en)?"),
    ("authority", r"verket|myndighet(?:en)?|styrelsen|nämnd(?:en)?|rådet|inspektionen|ombudsman(?:nen)?"),
    ("football", r"\b(?:ff|fc|fk|bk|fotboll)|fotbollsklubb(?:en)?"),
    ("hockey", r"hockey|\b(?:hc|hk)\b.*hockey|ishockey(?:klubb)?(?:en)?"),
    ("floorball", r"innebandy|\b(?:ibk|ibf|ibs)"),
    ("handball", r"handboll|\bhk"),
    ("basket", r"basket|basketklubb"),
    ("riding", r"rid(?:klubb|skola|förening|sällskap)(?:en|n|et)?|ryttar(?:förening|sällskap)(?:en)?"),
    ("gym", r"gym(?:met)?|fitness|träningscenter|crossfit"),
    ("scouts", r"scout(?:kår|er|erna|kåren)?"),
    ("sport", r"\b(?:if|ik|sk|aik|is|ck|ok|gk|tk)|(?:golf|tennis|sim|cykel|skid|judo|bowling|karate|"
     r"friidrotts|orienterings|bordtennis|gymnastik|båt|segel|idrotts|brottar|boxnings|"
     r"sport)?klubb(?:en)?|(?:idrotts|gymnastik)förening(?:en)?"),
    ("church", r"församling(?:en)?|pastorat(?:et)?|kyrka?n?|stift(?:et)?|kapell(?:et)?"),
    ("mosque", r"moské(?:n)?|moske(?:n)?|synagoga?n?|tempel|templet"),
    ("patients", r"patientförening(?:en)?"),
    ("charity", r"stadsmission(?:en)?|hjälpen|kvinnojour(?:en)?|tjejjour(?:en)?|mansjour(?:en)?|"
     r"hjälporganisation(?:en)?"),
    ("helpline", r"linjen|hjälptelefon(?:en)?|jourtelefon(?:en)?|telefonjour(?:en)?"),
    ("fund", r"fond(?:en)?|stiftelse(?:n)?"),
    ("association", r"förening(?:en)?|förbund(?:et)?|sällskap(?:et)?|samfund(?:et)?|orden|rörelsen"),
    ("unemployment_fund", r"a-kassa?n?|\bkassan"),
    ("professionals", r"(?:läkar|sjuksköterske|barnmorske|tandläkar)(?:förening|förbund|sällskap)(?:en|et)?"),
    ("party", r"parti(?:et)?|demokraterna"),
    ("insurer", r"försäkring(?:ar|en)?|försäkringsbolag(?:et)?"),
    ("bank", r"bank(?:en)?|kredit(?:er)?|hypotek"),
    ("grocer", r"livs|mathall(?:en)?|matmarknad|ica|coop|supermarket|livsmedel|handlarn?"),
    ("hairdresser", r"frisör(?:en|er|erna)?|salong(?:en)?|klippoteket|barber(?:shop)?|hår|hud ?vård|spa"),
    ("mall", r"galleria?n?|köpcentrum|köpcenter|shopping(?:center)?"),
    ("clothes", r"kläder|mode|skor|konfektion"),
    ("electronics", r"elektronik|radio|data|mobil(?:er|telefoner)?"),
    ("petrol", r"mack(?:en)?|bensinstation(?:en)?"),
    ("shop", r"butik(?:en)?|affär(?:en)?|handel|shop|blommor|blomster(?:handel|affär)?|kiosk(?:en)?|"
     r"möbler|bokhandel|varuhus(?:et)?|guld|ur|järnhandel|zoo"),
    ("restaurant", r"restaurang(?:en)?|pizzeria?n?|krog(?:en)?|kafe(?:et)?|cafe(?:et)?|café(?:et)?|"
     r"konditori(?:et)?|bar(?:en)?|grill(?:en)?|kök(?:et)?|sushi|catering|gatukök(?:et)?|pub(?:en)?|"
     r"bistro|värdshus(?:et)?|krogen|servering(?:en)?"),
    ("hotel", r"hotell(?:et)?|hotel|pensionat(?:et)?|vandrarhem(?:met)?|herrgård(?:en)?|camping(?:en)?"),
    ("food", r"bageri(?:et)?|mejeri(?:et)?|slakteri(?:et)?|chark|bryggeri(?:et)?|kvarn(?:en)?|rosteri"),
    ("cleaning", r"städ|städservice|städning|tvätt|tvätteri(?:et)?|sanering"),
    ("building", r"bygg(?:en|are|arna|nads|service|nad|entreprenad)?|måleri|målarna|snickeri(?:et)?|"
     r"rör|vvs|plåt|platt(?:sättning|or)|golv|tak|el|elektriska|elteknik|entreprenad|anläggning|mark"),
    ("workshop", r"bil(?:ar|service|verkstad)?|verkstad(?:en)?|däck|motor|lack|bilvård|bilskadecenter"),
    ("transit", r"buss(?:ar|en)?|trafik(?:en)?|tåg(?:en)?|spårväg(?:en|ar)?|länstrafiken"),
    ("taxi", r"taxi"),
    ("logistics", r"åkeri(?:et)?|transport(?:er)?|frakt|logistik|logistics|express|spedition|lager"),
    ("moving", r"flytt|flyttfirma?n?|flyttbyrå"),
    ("airline", r"airlines|airways|flyg"),
    ("ferry", r"rederi(?:et)?|linjen|färjor|line"),
    ("travel", r"resor|resebyrå(?:n)?|travel"),
    ("housing", r"bostäder|bostad(?:en)?|fastigheter|hem|bostads|\bbrf|bostadsrättsförening(?:en)?|"
     r"bostadsbolag(?:et)?|fastighets|hyresbostäder"),
    ("estate_agent", r"mäklar(?:e|en|na|byrå|byrån)|fastighetsbyrå(?:n)?|fastighetsförmedling"),
    ("energy", r"energi|kraft|elnät|fjärrvärme|kraftverk(?:et)?"),
    ("waste", r"återvinning|renhållning(?:en)?|miljö|vatten|avfall"),
    ("media", r"tidning(?:en)?|tidningar|bladet|posten|kuriren|radion?|tv|förlag(?:et)?|dagblad"),
    ("it", r"it|systems?|software|konsult(?:er)? it|datakonsult(?:er)?|webb(?:byrå)?|tech|digital"),
    ("consulting", r"konsult(?:er|erna|byrå)?|consulting|revision|redovisning(?:sbyrå)?|ekonomi|arkitekter|"
     r"byrå(?:n)?|teknik"),
    ("staffing", r"bemanning|rekrytering|personal|jobb"),
    ("security", r"bevakning|säkerhet|security|vakt|larm|väktare"),
    ("law", r"advokat(?:er|byrå|byrån|firma|firman)?|juristbyrå(?:n)?|juridik|jurist(?:er)?"),
    ("funeral", r"begravningsbyrå(?:n)?|begravning(?:ar)?"),
    ("interpreter", r"tolk(?:ar|förmedling|förmedlingen|service|tjänst|jouren|central|centralen)?|"
     r"språk(?:service)?|översättning"),
    ("culture", r"teater(?:n)?|opera?n?|konserthus(?:et)?|bio|biograf(?:en)?|orkester"),
    ("park", r"nöjespark(?:en)?|djurpark(?:en)?|lekland|badhus(?:et)?|äventyrsbad|simhall(?:en)?|tivoli"),
    ("vet", r"djur(?:klinik|sjukhus|läkare|läkarna|hälsa)(?:en|et|n)?|veterinär(?:en|er|erna)?"),
    ("farm", r"lantbruk|gård(?:en)?|trädgård(?:en)?|plantskola?n?|handelsträdgård|skogs?bruk|häststall"),
    ("parking", r"parkering(?:en)?"),
    ("collection", r"inkasso|finans|finance"),
    ("car_rental", r"biluthyrning|hyrbilar"),
    ("industry", r"industri(?:er|et)?|verken|fabrik(?:en|er)?|bruk(?:et)?|mekaniska|plast|metall|trä|"
     r"maskin(?:er)?|gjuteri(?:et)?|keramik|glasbruk(?:et)?|såg(?:en|verk|verket)?|gruva?n?|stål|järnverk|"
     r"varv(?:et)?|raffinaderi(?:et)?|verkstäder|tryckeri(?:et)?|textil|möbler|snus|papper(?:sbruk)?"),
)  # fmt: skip
HEAD = re.compile(f"(?:{'|'.join(f'(?P<{t}>{pattern})' for t, pattern in HEADS)})s?$")
# Heads of two letters and such that end many words: only as a word of its own.
WHOLE = 4
# What a name may have besides that says more.
WEAK = frozenset(
    "clinic farm municipality authority association industry consulting it school media shop "
    "building university local_hospital regional_hospital university_hospital fund culture "
    "park waste energy logistics transit church".split()
)
SEPARATORS = re.compile(r"[\s,/]+")


class Head(NamedTuple):
    """What a word says.

    type (str): The type of organisation.
    text (str): The end of the word that says it.
    """

    type: str
    text: str


def find_head(word: str) -> Head | None:
    """Find what a word says of the sort of organisation.

    word (str): A folded word.
    RETURNS (Head | None): The type and the end that says it, None if it says nothing.
    """
    match = HEAD.search(word)
    while match:
        if len(match[0]) >= WHOLE or match[0] == word:
            return Head(match.lastgroup or "", match[0])
        match = HEAD.search(word, match.start() + 1)
    return None


def read_type(words: Sequence[str]) -> str:
    """Tell of what type an organisation is by all words of its name.

    words (Sequence[str]): The folded words.
    RETURNS (str): The type, "" if no word tells.
    """
    heads = [(word, head) for word in words if (head := find_head(word))]
    if not heads:
        return ""
    (first, head), *_ = heads
    if first is words[0] and head.type not in WEAK and not _is_genitive(first, head):
        # `Hudkliniken Lunds lasarett`
        return head.type
    strong = [head.type for _, head in heads if head.type not in WEAK]
    return strong[-1] if strong else heads[-1][1].type


def _is_genitive(word: str, head: Head) -> bool:
    return head.text.endswith("s") and not head.text.endswith("hus")
