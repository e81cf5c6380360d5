"""Invented words that look like Swedish and foreign names, and the endings that words take.

A model that only ever saw the names of a list learns the list. The words made here are what it
meets in the wild: names it has not seen.
"""

from random import Random

from components.swedish.surnames import ENDINGS as SURNAME_ENDINGS
from components.swedish.surnames import STEMS as NATURE
from training_tools.generator.tables import bag

VILLAGE_ENDINGS = bag(
    "by torp ås vik hult ryd boda arp inge lösa sjö fors bruk näs mark berga hamn sund sele träsk "
    "vattnet rud sta stad tuna hem köping bro bol böle kulla läge liden lycke måla red rum selet "
    "strand säter um vad vall åker ånger äng hyttan fallet rås"
)
STREET_ENDINGS = bag(
    "gatan vägen gränd stigen backen gången allén promenaden kroken slingan ringen stråket liden "
    "väg plan leden svängen spåret höjden dalen brinken esplanaden kajen esplanad"
)
SETTINGS = bag(
    "Kvarn Skol Kyrko Björk Ek Lin Tall Gran Rönn Syren Hassel Blåbärs Lingon Hallon Smultron "
    "Svan Trast Lärk Mes Ugle Räv Älg Hare Mård Timmer Garvar Smedje Murar Skräddar Bagar Fiskar "
    "Sjömans Styrmans Lots Kapten Kasern Regements Slotts Herrgårds Prost Klockar Präst Munk "
    "Kloster Mejeri Bruks Hytt Gruv Sågverks Spinnar Väv Färgar Tegel Glas Porslins Järn Silver "
    "Guld Koppar Ängs Åker Dikes Hage Sten Sand Grus Ler Mosse Kärr Torv Myr Bäck Å Sjö Strand "
    "Udd Vik Hamn Bro Fyr Norra Södra Ring Öster Väster Vall Port Torg Stations Järnvägs Lok Räls "
    "Segel Vind Månskens Sol Stjärn Komet Orion Vintergat Norrskens Vår Höst Midsommar"
)
PATRONS = bag(
    "Anders Arvid Axel Bengt Birger Bo Börje Dan Efraim Elis Enok Eskil Evert Filip Frans Fredrik "
    "Gabriel Germund Gregers Gudmund Gunnar Hakvin Halvar Hemming Henrik Herman Ingel Isak Ivar "
    "Jeppe Joel Jöns Klas Knut Levin Manfred Markus Mats Matts Mårten Olof Orvar Osvald Pål "
    "Ragnvald Rune Salomon Sigge Simon Staffan Sten Torkel Tore Truls Tyko Ulf Vidar Viktor Yngve "
    "Åke"
)
SWEDISH_FIRST = {
    "f": (
        (
            "Al As Ann Berg Brit El Em Frid Gerd Gun Had Hed Il In Ing Jor Kar Li Lov Maj Mal Mari "
            "Nan Ol Ragn Ros Sig Si Sol Sun Svan Tor Tyr Ul Vig Vil Yl"
        ),
        (
            "a borg britt dis ea eli else fina fried gard gerd hild ida ina ine ingrid ja la lin lina "
            "lo lott mina mira ny rid run siv sofi ti veig vi vina wi"
        ),
    ),
    "m": (
        (
            "Al Ar Arn As Berg Bern Ed Eil Ein Ey Fol Ger Gud Gun Hal Har Hjal Hol Ing Jar Kjel "
            "Leif Mag Nor Od Ragn Ro Rud Sig Stel Sten Stur Sven Tor Tyr Ulf Val Vid Vil"
        ),
        (
            "ald ar bert björn brand e fast fred fried gar geir grim gust har helm ian in jar kel "
            "lof mar mer mod mund ner olf ric rik stein sten tor ulf vald var vard vin win"
        ),
    ),
}
# Beginnings, middles, ends for women and for men, ends for surnames.
SYLLABLES: dict[str, tuple[str, str, str, str, str]] = {
    "ar": (
        "A Ab Al Am Ba Da Fa Ga Ha Hu Ja Ka Kha La Ma Mu Na Ni Ra Ri Sa Sha Su Ta Wa Ya Za",
        "bi di di fi ha hi im ja li lim ma mi ni ra ri sa shi su ya yi za",
        "ra da ba la isa ima ina iya man nah wa",
        "d di l lid m mad mir n r rif s sim q fiq zin",
        "awi i ani oudi mari bani dadi har hir hmadi jjar li man oub ri sar saleh ssan tar zaki",
    ),
    "so": (
        "A Ab Ay Bi Ca Da Fa Fo Gu Ha Ho Hu I Ja Ji Li Ma Na Nu O Ra Sa Su Wa Xa Ya Za",
        "ba da di du ga ha la li ma mo na ra ri sha wa ya",
        "da ho la ma mo na ro sha so xa yo",
        "d dir le lle m med n r shi wo",
        "ale ame dle hi le male mow ow rre sow wale xi",
    ),
    "fa": (
        "A Ar Az Ba Be Da Dar E Fa Far Go Ha Ja Ka Kha Ma Meh Mo Na Pa Ra Sa Sha Sho Ta Za",
        "bi da dou fi ha jou ka la ma mi na nou ra ri sa shi ta va za",
        "da deh ha ma naz neh reh rin sa ra",
        "d d mad n ram r rad z shar yar bod",
        "abadi ari far i ian khani nejad pour rezai sadeh vand zadeh",
    ),
    "ku": (
        "A Ava Aza Ba Be De Di Ha He Ja Ka Ne Re Ro Sa Shi Si Va Za Zi",
        "da di la li ma ra ri vi wi za",
        "da han jin la na rin van wan",
        "d dar n r van war zad",
        "an çi i kan oglu oğlu rani wand zani",
    ),
    "bks": (
        "A Bo Bra Da De Du Go I Ja Je Ka La Li Lju Ma Me Mi Mla Ne Ra Sa Sla Sne Sta Su Ve Vla Zo",
        "bo da di do ja ko la li lo mi na ra ri sla va ve za",
        "bka da dra jka ka la na nka ra žana",
        "bor d dan jan ko mir n r san slav š",
        "anović arić bašić ević ić jić ković lić ović šić vac vić",
    ),
    "pl": (
        "A Ag Bar Be Bo Da Do El Ga Grze Ha I Ja Jo Ka Krzy Ma Mi Pa Ra Sta Sy To Wa Wie Zby Zu",
        "ci da dzi fi ga la li lu ma mi nu ra ro sa sta to wo zy",
        "cja dra ja ka la na nna ra sława sia ta",
        "cek ciej dek ek fan k ław mir n sław sz",
        "ak arz czak czuk czyk ewicz iak ik ński owicz ski wski wicz",
    ),
    "tr": (
        ("A Al Ay Be Bu Ce De Di E El Em Fa Fi Gü Ha Hü İl Ka Le Me Mu Ne Ni Oz Öz Pe Se Şe Ta Ya "
        "Yi"),
        "bi de di la le li ma me mi na ni ra ri se su ta yi",
        "can gül la le ma me nur ra sel sun ye",
        "can d din han kan met n r san ttin",
        "bey can çelik çi doğan er kaya kurt lı lu maz oğlu taş tekin türk",
    ),
    "es": (
        "A Al Be Ca Cla Da E Es Fe Fran Gui Ig Jo Ju La Le Lu Ma Mi Na Pa Ra Ro San Se So Te Va Xi",
        "be ci co da di fa la li lo ma mi na ni re ri ro sa va vi",
        "bel cia da la lda na ndra ra ría sa ta",
        "ciso do el l lio n nso o rdo rio s",
        "ales ano as ello era ero eros ez ín illa ona osa uez uente",
    ),
    "ti": (
        "A Be Da De E Fi Ga Ge Ha Ki Le Lu Me Mi Ne Sa Se Sel Te Tse Wo Yo Ze",
        "be bre da ga ha la le ma me ne ra sa se ti",
        "am dan et ga gu hun nesh nna rit sha wit",
        "b bet el kele le los m ne rab som",
        "ab ael ay ene eselassie gaber hans iam kidan mariam os u",
    ),
    "th": (
        ("A An Bu Cha Chai Da Ka Kan Ma Mon Na Ni No On Pa Pen Pim Pra Ra Rat Sa Si Som Su Ta Tha "
        "Wa Wi"),
        "cha da la li na ni pha ra ri ta tha wa",
        "chai da korn la lai nee ngam pha porn ree tip ya",
        "chai dech kit kul n pong porn rat sak wat wut",
        "chai kham korn kul mongkol pan phan porn rat sakul siri sombat suk thong wong",
    ),
    "fi": (
        ("Aa Ai Al An Ee Ei El Es Han Hei Hel Ir Jaa Jou Kai Ka Kyl Lee Mai Mar Mi Oi Ou Pek Pir "
        "Rai "
        "Rei Sei Tai Tau Tuu Ul Vei Vie"),
        "ju ka kka la le li lli ma mi na ni nu ra ri si ta tu va",
        "a ja kka la li na nna ri sa ta tta",
        "kka ko li mo no o ri sto to vo",
        ("inen ainen ala ikko kainen kangas kinen koski la lainen lahti mäki nen niemi ranta saari "
        "vaara"),
    ),
    "en": (
        ("Al Ash Bel Bra Car Cor Dal Dar El Em Fin Gar Har Jas Ken Kim Lor Mad Mal Nor Os Pres Ran "
        "Ros "
        "Shel Tam Ty Wen Wil Zad"),
        "a be da e ga i la le li ma mi na o ra ri",
        "belle beth da la leen lyn na ra rie sha sley",
        "by d den ley lin lton n ric son ter ton",
        ("borne bury combe dale der field ford ham hurst ington ley man more shaw son stone ton "
        "wood worth"),
    ),
}  # fmt: skip
# The languages whose names are built from the syllables of a neighbour.
NEIGHBOURS = {
    "sq": "bks", "ru": "pl", "uk": "pl", "ro": "es", "pt": "es", "fr": "es", "it": "es",
    "de": "en", "el": "es", "hi": "th", "vi": "th", "zh": "th", "et": "fi", "am": "ti",
    "ur": "fa", "ps": "fa", "az": "tr", "hu": "tr", "nl": "en", "lt": "pl", "lv": "pl", "bg": "bks",
}  # fmt: skip
CARE_WORDS = bag(
    "Ankaret Balder Bryggan Cura Droppen Duvan Eken Fjällsippan Fyren Grinden Hagen Hjärtat Iris "
    "Kompassen Källan Liljan Linden Ljuset Lyktan Mistel Navet Norrskenet Näckrosen Oasen Pärlan "
    "Regnbågen Rönnen Salvia Silvan Smultronet Solrosen Spiran Stjärnan Svanen Tranan Tuvan Valvet "
    "Vega Viva Vinden Ymer Ängen Örnen"
)


def swedish_surname(rng: Random) -> str:
    """Build a surname: Granhammar, Torkelsson, Wikén."""
    if rng.random() < 0.25:
        stem = rng.choice(PATRONS)
        return stem + ("son" if stem.endswith("s") else "sson")
    return compound(rng.choice(NATURE), rng.choice(SURNAME_ENDINGS))


def invented_surname(origin: str, rng: Random) -> str:
    """Build a surname in the manner of an origin."""
    parts = SYLLABLES.get(NEIGHBOURS.get(origin, origin))
    if parts is None:
        return swedish_surname(rng)
    starts, middles, _, _, ends = (part.split() for part in parts)
    prefix = "Al-" if origin == "ar" and rng.random() < 0.2 else ""
    middle = rng.choice(middles) if rng.random() < 0.6 else ""
    return prefix + compound(rng.choice(starts) + middle, rng.choice(ends))


def invented_first_name(origin: str, gender: str, rng: Random) -> str:
    """Build a first name in the manner of an origin."""
    parts = SYLLABLES.get(NEIGHBOURS.get(origin, origin))
    if parts is None:
        starts, ends = (part.split() for part in SWEDISH_FIRST[gender])
        return compound(rng.choice(starts), rng.choice(ends))
    starts, middles, women, men, _ = (part.split() for part in parts)
    middle = rng.choice(middles) if rng.random() < 0.5 else ""
    return compound(rng.choice(starts) + middle, rng.choice(women if gender == "f" else men))


def village(rng: Random) -> str:
    """Build the name of a village: Kvarnboda, Norra Sävtorp."""
    ahead = rng.choice(("Norra ", "Södra ", "Östra ", "Västra ", "Stora ", "Lilla ", "Nya "))
    return (ahead if rng.random() < 0.07 else "") + compound(
        rng.choice(NATURE), rng.choice(VILLAGE_ENDINGS)
    )


def compound(first: str, second: str) -> str:
    """Join two parts as Swedish does: no letter three times, no two vowels of a kind."""
    if second.startswith(first[-1]) and (first[-1:] in "aeiouyåäö" or first[-2:-1] == first[-1:]):
        second = second[1:]
    return first + second


def genitive_plain(word: str) -> str:
    """Give a name its possessive ending as the grammar has it."""
    return word if word[-1:].lower() in "sxz" else word + "s"


def genitive(word: str, rng: Random) -> str:
    """Give a name its possessive ending."""
    if (word.isupper() and len(word) > 1) or word[-1:].isdigit():
        return word + rng.choice((":s", ":s", ":s", "s"))
    draw = rng.random()
    if draw < 0.03 and word[-1:].isalpha() and word[-1:].lower() not in "sxz":
        return word + "'s"
    return genitive_plain(word)
