"""The words that say what an organisation is."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

# By type the ends of words that tell it, with the endings that they take; the longest that fits a word
# counts. Those behind an equals sign, and those of less than four letters, only tell it as whole words.
HEADS = {
    "primary_care": """
    =hc =vc =vårdc allmänläkare allmänläkarjouren allmänläkarmottagning/en allmänläkarna
    distriktsläkare distriktsläkarjouren distriktsläkarmottagning/en distriktsläkarna familjeläkare
    familjeläkarjouren familjeläkarmottagning/en familjeläkarna husläkare husläkarjouren
    husläkarmottagning/en husläkarna hälsocenter/en hälsocentral/en läkargrupp/en läkarhus/et
    läkarmottagning/en läkarna läkarpraktik/en vårdcenter/en vårdcentral/en vårdhus/et
    vårdscenter/en vårdscentral/en
    """,
    "child_health": """
    =bvc barnahälsocentral/en barnahälsoscentral/en barnavårdcentral/en barnavården
    barnavårdscentral/en barnvårdcentral/en barnvårdscentral/en
    """,
    "maternity": """
    =bmm =mvc barnmorskegrupp/en barnmorskemottagning/en barnmorskgrupp/en barnmorskmottagning/en
    barnmorskorna mödrahälsocentral/en mödrahälsoscentral/en mödravård/en mödravårdcentral/en
    mödravårdscentral/en
    """,
    "dentist": """
    =ftv dental tandhälsa/n tandklinik/en tandläkar/en/na tandläkarcentral/en tandläkare
    tandhygienist/en tandläkargrupp/en tandläkarhus/et tandläkarklinik/en tandläkarmottagning/en
    tandreglering/en tandvård/en
    """,
    "emergency": """
    akut/en akutmottagning/en akutmott ambulans/en ambulansstation/en jourcentral/en
    jourläkarcentral/en jourmottagning/en
    """,
    "psychiatry": """
    =bup beroendecentral/en beroendecentrum/en beroendeenhet/en beroendemottagning/en
    beroendevård/en psykiatri/n psykiatriska psykolog/er/erna psykologgrupp/en psykologmottagning/en
    psykoterapi/n terapi
    """,
    "rehab": """
    fysioterapi/n kiropraktik/en kiropraktor/er/erna massage naprapat/er/erna naprapatgrupp/en
    naprapati/n osteopati rehab/en rehabilitering/en sjukgymnastik/en
    """,
    "optician": "glasögon hörcentral/en hörsel optik/er optikern syncentral/en",
    "home_care": "assistans/en hemsjukvård/en hemtjänst/en hemvård/en omsorg/en",
    "occupational_health": "=fhv företagshälsa/n företagshälsovård/en",
    "youth": """
    elevhälsa/n familjecentral/en skolhälsa/n studenthälsa/n ungdomshälsa/n ungdomsmottagning/en
    """,
    "laboratory": "=lab =labbet labmedicin laboratorierna laboratoriet laboratorium provtagning/en",
    "clinic": """
    avdelning/en center central/en centrum dialys/en enhet/en hälsan kirurgi klinik/en klinisk
    kliniska läkare läkarteam/et medicin mott mottagning/en närvård ortopedi röntgen sjukvård
    specialistsjukvård specialistvård utbyte/t vaccination/en/er vaccinationsbyrå/en/n
    vaccinationscenter/en/n vaccinationscentral/en/n vaccinationsklinik/en/n
    vaccinationsmottagning/en/n verksamhet/en vård/en
    """,
    "university_hospital": "universitetssjukhus/et",
    "regional_hospital": """
    centrallasarett/et centralsjukhus/et länslasarett/et länssjukhus/et regionlasarett/et
    regionsjukhus/et
    """,
    "local_hospital": "lasarett/n/et sjukhus/n/et sjukstuga/n/et",
    "special_hospital": """
    barnsjukhus/et hospital rättspsykiatriskasjukhus/et rättssjukhus/et ögonsjukhus/et
    """,
    "pharmacy": "apotek/et apotekare",
    "preschool": "barnstuga/n daghem daghemmet dagis/et förskola/n",
    "gymnasium": "gymnasieskola/n gymnasiesärskola gymnasiet gymnasium",
    "university": "college högskola/n universitet/et university",
    "adult_school": "=sfi folkhögskola/n komvux lärcentrum vuxenutbildning/en yrkeshögskola/n",
    "school": "friskola/n fritids läroverk/et skola/n särskola/n",
    "care_home": """
    =hvb =lss =säbo behandlingshem behandlingshemmet boende/t/na demensboende/t/na gruppboende/t/na
    gruppbostad/en hospice korttidsboende/t/na omsorgsboende/t/na serviceboende/t/na servicehem
    servicehemmet servicehus/et sjukhem sjukhemmet stödboende/t/na trygghetsboende/t/na ungdomshem
    ungdomshemmet vårdboende/t/na vårdhem vårdhemmet äldreboende/t/na äldrehem äldrehemmet
    ålderdomshem ålderdomshemmet
    """,
    "municipality": "=stad kommun/en",
    "district": "stadsdel/en stadsdelsförvaltning/en stadsdelsnämnd/en",
    "region": "=region/en landsting/et",
    "county_board": "länsstyrelse/n",
    "ministry": "departement/et",
    "court": "tingsrätt/en",
    "higher_court": "hovrätt/en kammarrätt/en",
    "administrative_court": "domstol/en förvaltningsrätt/en länsrätt/en migrationsdomstol/en",
    "prison": "anstalt/en frivård/en fängelse/t häkte/t",
    "police": "polis/en polishus/et polismyndigheten polisstation/en",
    "museum": "konsthall/en museet museum",
    "library": "bibliotek/et",
    "army": "flottilj/en försvarsområde/t regemente/t",
    "social": """
    bistånd/et familjerätt/en omsorgsförvaltning/en socialförvaltning/en/et socialjour/en/et
    socialkontor/en/et socialnämnd/en/et socialtjänst/en/et överförmyndar/en/n överförmyndare
    överförmyndarenämnden överförmyndarnämnden
    """,
    "embassy": "ambassad/en konsulat/et",
    "rescue": "brandförsvar/et brandkår/en brandstation/en räddningstjänst/en",
    "authority": "inspektionen myndighet/en nämnd/en ombudsman ombudsmannen rådet styrelsen verket",
    "football": "=bk =fc =ff =fk =fotboll fotbollsklubb/en",
    "hockey": "hockey ishockey/en ishockeyklubb/en",
    "floorball": "=ibf =ibk =ibs innebandy",
    "handball": "=hk handboll",
    "basket": "basket basketklubb",
    "riding": """
    ridförening/en/n/et ridklubb/en/n/et ridskola/en/n/et ridsällskap/en/n/et ryttarförening/en
    ryttarsällskap/en
    """,
    "gym": "crossfit fitness gym gymmet träningscenter",
    "scouts": "scout/er/erna scoutkår/en",
    "sport": """
    =aik =ck =gk =if =ik =is =ok =sk =tk bordtennisklubb/en bowlingklubb/en boxningsklubb/en
    brottarklubb/en båtklubb/en cykelklubb/en friidrottsklubb/en golfklubb/en gymnastikförening/en
    gymnastikklubb/en idrottsförening/en idrottsklubb/en judoklubb/en karateklubb/en klubb/en
    orienteringsklubb/en segelklubb/en simklubb/en skidklubb/en sportklubb/en tennisklubb/en
    """,
    "church": "församling/en kapell/et kyrka/n pastorat/et stift/et",
    "mosque": "moske/n moské/n synagoga/n tempel templet",
    "patients": "patientförening/en",
    "charity": "hjälpen hjälporganisation/en kvinnojour/en mansjour/en stadsmission/en tjejjour/en",
    "helpline": "hjälptelefon/en jourtelefon/en linjen telefonjour/en",
    "fund": "fond/en stiftelse/n",
    "association": "förbund/et förening/en orden rörelsen samfund/et sällskap/et",
    "unemployment_fund": "=kassan a-kassa/n",
    "professionals": """
    barnmorskeförbund/en/et barnmorskeförening/en/et barnmorskesällskap/en/et läkarförbund/en/et
    läkarförening/en/et läkarsällskap/en/et sjuksköterskeförbund/en/et sjuksköterskeförening/en/et
    sjuksköterskesällskap/en/et tandläkarförbund/en/et tandläkarförening/en/et
    tandläkarsällskap/en/et
    """,
    "party": "demokraterna parti/et",
    "insurer": "försäkring/en/ar försäkringsbolag/et",
    "bank": "bank/en hypotek kredit/er",
    "grocer": "coop handlar/n ica livs livsmedel mathall/en matmarknad supermarket",
    "hairdresser": "barber barbershop frisör/en/er/erna hudvård hår salong/en spa",
    "mall": "galleria/n köpcenter köpcentrum shopping shoppingcenter",
    "clothes": "kläder konfektion mode skor",
    "electronics": "data elektronik mobil/er mobiltelefoner radio",
    "petrol": "bensinstation/en mack/en",
    "shop": """
    affär/en blommor blomster blomsteraffär blomsterhandel bokhandel butik/en handel järnhandel
    kiosk/en möbler shop varuhus/et zoo
    """,
    "restaurant": """
    bar/en bistro cafe/et café/et catering gatukök/et grill/en kafe/et konditori/et krog/en kök/et
    pizzeria/n pub/en restaurang/en servering/en sushi värdshus/et
    """,
    "hotel": "camping/en herrgård/en hotel hotell/et pensionat/et vandrarhem vandrarhemmet",
    "food": "bageri/et bryggeri/et chark kvarn/en mejeri/et rosteri slakteri/et",
    "cleaning": "sanering städ städning städservice tvätt tvätteri/et",
    "building": """
    anläggning bygg/en/arna byggare byggentreprenad byggnad byggnads byggservice el elektriska
    elteknik entreprenad golv mark målarna måleri plattor plattsättning plåt rör snickeri/et tak vvs
    """,
    "workshop": "bil/ar bilservice bilskadecenter bilverkstad bilvård däck lack motor verkstad/en",
    "sameby": "sameby/n",
    "transit": "buss/en/ar länstrafiken spårväg/en/ar station/en resecentrum trafik/en tåg/en",
    "taxi": "taxi",
    "logistics": "express frakt lager logistics logistik spedition transport/er åkeri/et",
    "moving": "flytt flyttbyrå flyttfirma/n",
    "airline": "airlines airways flyg",
    "ferry": "färjor line rederi/et",
    "travel": "resebyrå/n resor travel",
    "housing": """
    =brf bostad/en bostads bostadsbolag/et bostadsrättsförening/en bostäder fastigheter fastighets
    hem hyresbostäder
    """,
    "estate_agent": "fastighetsbyrå/n fastighetsförmedling mäklarbyrå/n mäklare/n mäklarna",
    "energy": "elnät energi fjärrvärme kraft kraftverk/et",
    "waste": "avfall miljö renhållning/en vatten återvinning",
    "media": "bladet dagblad förlag/et kuriren posten radion tidning/en/ar tv",
    "it": """
    datakonsult/er digital it konsult it konsulter it software system systems tech webb webbbyrå
    """,
    "consulting": """
    arkitekter byrå/n consulting ekonomi konsult/er/erna konsultbyrå redovisning redovisningsbyrå
    revision teknik
    """,
    "staffing": "bemanning jobb personal rekrytering",
    "security": "bevakning larm security säkerhet vakt väktare",
    "law": "advokat/er advokatbyrå/n advokatfirma/n juridik jurist/er juristbyrå/n",
    "funeral": "begravning/ar begravningsbyrå/n",
    "interpreter": """
    språk språkservice tolk/ar tolkcentral/en tolkförmedling/en tolkjouren tolkservice tolktjänst
    översättning
    """,
    "culture": "bio biograf/en konserthus/et opera/n orkester teater/n",
    "park": "badhus/et djurpark/en lekland nöjespark/en simhall/en tivoli äventyrsbad",
    "vet": """
    djurhälsa/en/n/et djurklinik/en/n/et djurläkare/en/n/et djurläkarna/en/n/et djursjukhus/en/n/et
    veterinär/en/er/erna
    """,
    "farm": """
    gård/en handelsträdgård häststall lantbruk plantskola/n skogbruk skogsbruk trädgård/en
    """,
    "parking": "parkering/en",
    "collection": "finance finans inkasso",
    "car_rental": "biluthyrning hyrbilar",
    "industry": """
    bruk/et fabrik/en/er gjuteri/et glasbruk/et gruva/n industri/et/er järnverk keramik maskin/er
    mekaniska metall papper pappersbruk plast raffinaderi/et snus stål såg/en sågverk/et textil
    tryckeri/et trä varv/et verken verkstäder
    """,
}
MIN_END = 4
# What stands in front of such an ending without being a name.
STEM_WORDS = """
city frisör hår skönhets städ bil data flytt bygg akut allergi ambulans andnings anhörig asyl astma barn barnmorske behandlings bemannings beroende blod bröst
cancer cell dag demens diabetes distrikts dermatologi endokrin familje fertilitets flykting fot friskvårds
geriatrik gyn gynekolog habiliterings hand hem hjärt hormon hud hus hälso hörsel idrotts infektions inkontinens
jour kardiologi kirurg kognitiva kvinno kvälls lokal logoped lung läkar mag mammografi medicin migrant migrän
minnes missbruks mobila mödra natt neuro neurologi njur nära när näringslivs obesitas onkologi ortoped
övervikts palliativa prov psykiatri psykolog reproduktions resurs reuma reumatolog rygg rådgivnings rättspsykiatri
rörelse samtals sjukgymnastik skade skol smärt specialist stroke student sår särskilda sömn tand trafik trauma
tumör ung ungdoms urolog utrednings vaccinations venerologi vuxen vård yrsel ålders äldre öppenvårds
ögon öron ätstörnings central läns region kur stads by tätorts folk hög grund
"""
STEMS = frozenset(STEM_WORDS.split())


class Head(NamedTuple):
    """What a word says.

    type (str): The type of organisation.
    text (str): The end of the word that says it.
    """

    type: str
    text: str


@lru_cache(maxsize=1)
def _get_types() -> tuple[Mapping[str, str], Mapping[str, str], int]:
    """The types by the ends of words, by whole words, and the length of the longest."""
    ends: dict[str, str] = {}
    wholes: dict[str, str] = {}
    for type_, words in HEADS.items():
        for entry in words.split():
            word, *endings = entry.lstrip("=").split("/")
            forms = [word, *(word + ending for ending in endings)]
            wholes.update((form, type_) for form in forms)
            if entry[0] != "=":
                ends.update((form, type_) for form in forms if len(form) >= MIN_END)
    return ends, wholes, max(map(len, ends))


def get_heads() -> Iterable[str]:
    """Get the words that say what an organisation is."""
    return _get_types()[1]


def find_head(word: str) -> Head | None:
    """Find what a word says of the sort of organisation.

    RETURNS (Head | None): The type and the end that says it, None if it says nothing.
    """
    ends, wholes, longest = _get_types()
    for base in (word, word[:-1]) if word.endswith("s") else (word,):
        if base in wholes:
            return Head(wholes[base], word)
        for start in range(max(1, len(base) - longest), len(base) - MIN_END + 1):
            if base[start:] in ends:
                return Head(ends[base[start:]], word[start:])
    return None
