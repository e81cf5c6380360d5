"""Small lists for the tests of the surrogates, and a maker of docs."""

from collections.abc import Sequence

import spacy
from spacy.tokens import Doc

FIRST = {
    ("f", "sv"): "Anna Eva Karin Lena Sara Maria Ulla Greta Ingrid Astrid Britta Marie",
    ("m", "sv"): "Erik Lars Johan Per Nils Anders Olof Gustav Karl Sven Bengt Axel Joakim",
    ("f", "so"): "Fadumo Hodan Ayaan Hibaaq Sagal Ifrah Nimco Ubah Saynab",
    ("m", "so"): "Abdi Mahad Abdirahman Yusuf Ismail Liban Warsame Guled Farah",
    ("n", "sv"): "Kim Robin Charlie Alex Billie Eli Lo Sasha Mio",
}
SURNAMES = {
    "sv": "Lundin Berg Svensson Nilsson Åkerhjelm Ström Dahl Ek Wallin Norberg Hall Sjögren",
    "so": "Warsame Geedi Jama Nur Abukar Farah Hersi Elmi Guuleed",
    "bks": "Petrović Jovanović Hodžić Babić Nikolić Horvat Kovač Stojković Marić",
}
PLACES = {
    ("village", "Skåne", "i"): "Höör Hörby Sjöbo Tomelilla Knislinge Vinslöv Tollarp Skurup Arlöv",
    ("village", "Gotland", "i"): "Hemse Klintehamn Slite Fårösund Roma Burgsvik Stånga Havdhem",
    ("city", "Skåne", "i"): "Lund Ystad Landskrona Eslöv Trelleborg Helsingborg Hässleholm Åhus",
    ("island", "Stockholm", "på"): "Ornö Utö Muskö Väddö Gräsö Blidö Runmarö Dalarö",
    ("country", "Europa", "i"): "Finland Norge Polen Spanien Italien Irland Kroatien Serbien",
    ("country", "Asien", "i"): "Irak Iran Syrien Thailand Vietnam Kina Japan Indien Nepal",
    ("continent", "", "i"): "Europa Asien",
    ("county", "", "i"): "Skåne",
    ("province", "", "i"): "Småland",
}
ORGANISATIONS = {
    "hospital": "Danderyds sjukhus,Lunds lasarett,Mora lasarett,Sahlgrenska,Visby lasarett,"
    "Ystads lasarett,Karlskoga lasarett,Motala lasarett,Lidköpings sjukhus",
    "care_unit": "Capio vårdcentral Lundby,Aleris Järva,Kvarterskliniken,Vårdcentralen Kusten",
    "pharmacy": "Apoteket Svanen,Apoteket Lejonet,Apoteket Örnen,Kronans Apotek,Doz Apotek",
    "employer": "Volvo,Scania,Ericsson,Sandvik,Atlas Copco,Electrolux,Pfizer,Moderna,Husqvarna",
    "digital_care": "Kry,Doktor.se,Min Doktor,Doktor24,Medicheck",
}
AUTHORITIES = {
    "Försäkringskassan": "FK", "Skatteverket": "SKV", "Arbetsförmedlingen": "AF",
    "Inspektionen för vård och omsorg": "IVO", "Centrala studiestödsnämnden": "CSN",
    "Post- och telestyrelsen": "PTS", "Statistiska centralbyrån": "SCB", "Socialstyrelsen": "SoS",
}  # fmt: skip
UNITS = {
    "vårdcentralen": "care_unit", "akuten": "care_unit", "bvc": "care_unit",
    "ögonkliniken": "care_unit", "hudkliniken": "care_unit", "polisen": "authority",
    "försäkringskassan": "authority",
}  # fmt: skip
DOUBLE_NAMES = {
    "f": "Eva-Lena Ulla-Maria Britta-Karin Lena-Maria Eva-Britta Sara-Maria Ulla-Karin Anna-Karin "
    "Ingrid-Marie Lena-Marie Karin-Maria Greta-Lena",
    "m": "Lars-Erik Per-Olof Karl-Gustav Nils-Erik Sven-Olof Bengt-Erik Lars-Johan Karl-Anders",
}
TITLES = {
    "mamma": ("kin", "f"), "bror": ("kin", "m"), "mormor": ("kin", "f"), "dr": ("title", "n"),
    "doktor": ("title", "n"), "herr": ("honorific", "m"), "sjuksköterska": ("role", "n"),
    "god man": ("role", "n"), "bitr. överläkare": ("title", "n"), "ex-sambo": ("kin", "n"),
}  # fmt: skip


def _rows(columns: str, rows: Sequence[Sequence[str]]) -> list[dict[str, str]]:
    return [dict(zip(columns.split(), row, strict=True)) for row in rows]


LISTS = {
    "first_names": _rows(
        "name gender origin ambiguous",
        [(name, *key, "") for key, names in FIRST.items() for name in names.split()],
    ),
    "surnames": _rows(
        "name origin gender ambiguous",
        [(name, origin, "", "") for origin, names in SURNAMES.items() for name in names.split()],
    ),
    "nicknames": _rows(
        "nick name gender ambiguous",
        [("Jocke", "Joakim", "m", ""), ("Kalle", "Karl", "m", ""), ("Lasse", "Lars", "m", "")],
    ),
    "double_names": _rows(
        "name gender origin era",
        [(name, g, "sv", "") for g, names in DOUBLE_NAMES.items() for name in names.split()],
    ),
    "titles": _rows("word kind gender", [(word, *rest) for word, rest in TITLES.items()]),
    "places": _rows(
        "name kind within prep ambiguous",
        [(n, k, w, p, "") for (k, w, p), names in PLACES.items() for n in names.split()],
    ),
    "streets": _rows(
        "name ambiguous",
        [
            (f"{stem}{suffix}", "")
            for suffix in ("gatan", "vägen")
            for stem in "Stor Ring Skol Kyrko Kungs Järn Ängs Bergs Sjö".split()  # noqa: SIM905
        ],
    ),
    "street_parts": _rows(
        "part position", [("gatan", "suffix"), ("vägen", "suffix"), ("Ek", "stem")]
    ),
    "organisations": _rows(
        "name kind abbreviation place ambiguous",
        [(n, kind, "", "", "") for kind, names in ORGANISATIONS.items() for n in names.split(",")]
        + [(name, "authority", short, "", "") for name, short in AUTHORITIES.items()],
    ),
    "units": _rows("word kind ambiguous", [(word, kind, "") for word, kind in UNITS.items()]),
    "nationwide": _rows("name", [("1177",), ("112",), ("Riksdagen",)]),
}

NLP = spacy.blank("sv")


def make_doc(marked: str, label: str | None = None, conversation: str | None = None) -> Doc:
    """Make a doc from a text with its entities in brackets, as in `Hej [Anna|PERSON]!`.

    marked (str): The text.
    label (str | None): The label of entities that name none.
    conversation (str | None): The id of the conversation.
    RETURNS (Doc): The doc.
    """
    words, labels = [], []
    for i, piece in enumerate(marked.replace("]", "[").split("[")):
        if not piece:
            continue
        text, _, own = piece.partition("|") if i % 2 else (piece, "", "")
        words.append(text)
        labels.append((own or label) if i % 2 else "")
    doc = Doc(NLP.vocab, words=words, spaces=[False] * len(words))
    doc.ents = [
        doc[i : i + 1].char_span(0, len(words[i]), label=own) for i, own in enumerate(labels) if own
    ]
    doc._.conversation_id = conversation
    return doc
