"""Small lists and conversations for the tests of the checks."""

from lab.measures.surrogate_mentions import Mention
from lab.surrogate_checks.base import Check, Talk
from lab.surrogate_checks.known import Known


def rows(columns, *lines):
    names = columns.split()
    return [dict(zip(names, (cell.strip() for cell in line.split("|")))) for line in lines]


LISTS = {
    "first_names": rows(
        "name gender era common",
        "Eva|f|1940-1965|1",
        "Maria|f||1",
        "Anna-Lisa|f|1920-1945|1",
        "Anna|f||1",
        "Lisa|f|1975-|1",
        "Ernfrid|m|1890-1930|3",
        "Puck|f||3",
        "Bror|m||1",
        "Joakim|m|1970-1995|1",
        "Henrik|m|1965-1990|1",
        "Lars|m|1940-1970|1",
        "Kevin|m|1990-2010|1",
        "Ragnar|m|1900-1940 2005-|1",
        "Kim|n||1",
    ),
    "double_names": rows("name gender era", "Britt-Marie|f|1940-1960", "Britt-Ernfrid|f|"),
    "surnames": rows(
        "name common",
        *[
            f"{first}{last}|1"
            for last in ("ström", "berg", "gren", "sson")
            for first in [
                "Nord",
                "Lund",
                "Ek",
                "Sjö",
                "Vik",
                "Hag",
                "Ås",
                "Fors",
                "Hall",
                "Hed",
                "Äng",
                "Blom",
            ]
        ],
        "Bååth|1",
        "Lundin|1",
        "Dahl|1",
        "Dahll|3",
    ),
    "nicknames": rows(
        "nick name", "Jocke|Joakim", "Henke|Henrik", "Lasse|Lars", "Ragge|Ragnar", "Puck|Eva"
    ),
    "titles": [{"word": word} for word in ("mamma", "dr", "sköterska", "bror")],
    "places": rows(
        "name kind within prep size",
        "Lund|city|Skåne|i|1",
        "Eslöv|city|Skåne|i|2",
        "Höör|village|Skåne|i|4",
        "Bjuv|village|Skåne|i|4",
        "Umeå|city|Västerbotten|i|1",
        "Visby|city|Gotland|i|2",
        "Borås|city|Västra Götaland|i|1",
        "Majorna|district|Göteborg|i|",
        "Göteborg|city|Västra Götaland|i|1",
        "Klinte|district|Visby|i|",
        "Ornö|island|Stockholm|på|",
        "Skåne|county|Sverige|i|",
        "Buenos Evas|worldcity|Argentina|i|",
    ),
    "postal": rows("town codes", "Lund|222-227", "Umeå|903-907,913"),
    "organisations": rows(
        "name kind abbreviation type",
        "Lunds lasarett|hospital|",
        "Ystads lasarett|hospital|",
        "Bjuvs bostäder|employer|",
        "Pfizer|employer|",
        "Scania|employer|",
        "Knurvels bussar|employer||transport",
        "Knarveltrafik|authority||transport",
        "Knurvelbanken|employer||bank",
        "Capio Åsen|care_unit|",
        "Bys centrallasarett|hospital||regional_hospital",
        "Dals lasarett|hospital||local_hospital",
        "Skatteverket|authority|SKV",
        *[f"Kliniken {name} vårdcentral|care_unit|" for name in "ABCDEFGHIJ"],
    ),
    "units": rows("word kind", "vårdcentralen|care_unit", "akuten|care_unit"),
    "nationwide": [{"name": "Skatteverket"}],
    "words": [
        {"word": word}
        for word in ("keramik", "bröst", "sten", "sprutan", "lundarna", "och", "skolan", "bror")
    ],
}
KNOWN = Known(LISTS)


def make_talk(pairs, label="PERSON", outputs=(), before=""):
    """A conversation from `original > surrogate; DATE: original > surrogate`; `before` stands in front
    of each."""
    mentions = []
    for i, pair in enumerate(filter(None, pairs.split("; "))):
        name, colon, rest = pair.partition(": ")
        own, text = (name, rest) if colon and name.isupper() else (label, pair)
        old, new = text.split(" > ")
        mentions.append(Mention("c", own, f"e{i}", "", before, old, new, f"m{i}"))
    return Talk(mentions, [(f"o{i}", text) for i, text in enumerate(outputs)])


def run(check, *args, **options) -> Check:
    result = check(make_talk(*args, **options), KNOWN)
    assert result.failed == len(result.cases) <= result.checked
    return result


def tell(check, *args, **options) -> tuple[int, int]:
    """How often it was checked, and how often wrong."""
    return run(check, *args, **options)[:2]
