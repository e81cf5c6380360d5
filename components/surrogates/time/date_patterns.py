"""The forms in which dates are written, as patterns."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from babel.dates import get_day_names, get_month_names

from ..core.number_words import ORDINALS

# The first that has a month of a name is the one that it is read in. Weekdays are read in four of them: in
# others they are written like months.
LANGUAGES = ("sv", "en", "nb", "da", "fi", "de", "fr", "es", "pt")


def _get_forms(
    get_names: Callable[..., Mapping[int, str]], languages: Sequence[str]
) -> list[dict[int, str]]:
    """The names of months or weekdays, each form in a table of its own."""
    forms: list[dict[int, str]] = []
    for language in languages:
        for width in ("wide", "abbreviated"):
            names = get_names(width, locale=language)
            forms.append({n: name.rstrip(".").lower() for n, name in names.items()})
    return forms


def _by_name(
    forms: Sequence[Mapping[int, str]], variants: Mapping[str, int]
) -> dict[str, tuple[int, int]]:
    """The number and the form that a name stands for: the first form that has it."""
    names = {name: (number, 1) for name, number in variants.items()}
    for form in range(len(forms) - 1, -1, -1):
        names.update({name: (number, form) for number, name in forms[form].items()})
    return names


MONTH_FORMS = _get_forms(get_month_names, LANGUAGES)
MONTHS = _by_name(MONTH_FORMS, {"sept": 9, "febr": 2})
WEEKDAY_FORMS = _get_forms(get_day_names, LANGUAGES[:4])
WEEKDAYS = _by_name(
    WEEKDAY_FORMS,
    {"månd": 0, "tisd": 1, "onsd": 2, "tor": 3, "torsd": 3, "fred": 4, "lörd": 5, "sönd": 6}
    | {day: number for number, day in enumerate(("må", "ti", "on", "to", "fr", "lö", "sö"))},
)


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _compile(*patterns: str) -> tuple["re.Pattern[str]", ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


# `12 de abril`
WITH_DE = [name for form in MONTH_FORMS[2 * LANGUAGES.index("es") :: 2] for name in form.values()]
MON = rf"(?:{_either(MONTHS)})\.?(?![^\W\d_])"
DAY = rf"(?:\d{{1,2}}|{_either(ORDINALS)}|förste)"
ORD = r"(?:\s?[:.]?\s?(?:e|a|de|te|dje|th|st|nd|rd)\b)"
YEAR = r"\d{4}|\d{2}"
TAIL = rf"(?:[\s,.]*(?:(?:anno|år|de)\s+|[-–'’/]\s?)?(?P<y>{YEAR}))?"
TAIL2 = TAIL.replace("<y>", "<y2>")
WEEK = r"(?:v(?:eckan|ecka|k)?\.?|week|w\.?)"
DASH = r"\s*(?:-{1,2}|–|—|/|\btill\b|\boch\b|\btom\b|\bt\.?o\.?m\.?)\s*"
SEASON = r"(?:(?:sen|tidig|för)?(?:vår|sommar|höst|vinter)(?:ens?|n)?)"
# What keeps its name when its year changes.
TERM = (
    rf"(?:{SEASON}|(?:vår|höst)termin(?:en)?|[hv]t|(?:läs|skol)?år(?:et)?|säsong(?:en)?|anno|semestern?"
    r"|(?:jul|sport|påsk|sommar|höst)lov(?:et)?|årsskiftet|q[1-4]|kv(?:artal)?\.?\s?[1-4]"
    r"|(?:[1-4]:?[ae]?|första|andra|tredje|fjärde)\s+kvartalet)"
)
PREFIX = re.compile(
    rf"(?:(?P<k>{_either(WEEKDAYS)})(?:en|s)?\.?[\s,]*)?(?:(?:den|the|d\.?)\s+)?",
    re.IGNORECASE,
)
# What tells no date: weekdays and times of the year alone.
TIMELESS = re.compile(
    rf"(?:i |på |under )?(?:{SEASON}|(?:somr|vår|höst|vintr)as"
    r"|(?:jul|sport|påsk|sommar|höst)lov(?:et)?"
    rf"|(?:{_either(word for word in WEEKDAYS if len(word) > 2)})(?:en|s|ar|arna|ens)?\.?"
    r"(?:\s?(?:morgon|förmiddag|eftermiddag|kväll|natt)(?:en)?)?)",
    re.IGNORECASE,
)

# What stands behind a date in a timestamp, and stays.
TIME = r"(?:T[\d:.,]{2,18}(?:Z|[+-][\d:]{2,5})?)?"
GLUED = r"(?:(?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?:\d{3})?)?"

# Groups: k a weekday; y, m, d numbers; n a month's name; o and p the ending of an ordinal; w a week; j the
# day of a year; e seconds since 1970, or parts of them; q a quarter; b the ending of a year of birth, c of a decade; 2 marks the second date of a range. The first
# pattern that fits the whole text is taken.
PATTERNS = _compile(
    rf"(?P<y>\d{{4}})(?P<s>\s?[-–/.]\s?|\s)(?P<m>\d{{1,2}})(?P=s)(?P<d>\d{{1,2}}){TIME}",
    rf"(?P<y>(?:1[89]|2[01])\d\d)(?P<m>\d\d)(?P<d>\d\d)(?:{TIME}|{GLUED})",
    rf"(?P<y>\d\d)(?P<m>\d\d)(?P<d>\d\d){TIME}",
    rf"(?P<y>(?:18|19|20)\d\d)-?(?P<j>\d{{3}}){TIME}",
    r"(?P<e>1\d{9}(?:\d{3}){0,2})",
    r"(?P<y>\d\d)(?P<s>[-–])(?P<m>\d\d)(?P=s)(?P<d>\d\d)",
    r"(?P<d>\d{1,2})-(?P<m>\d{1,2})-(?P<y>\d{4})",
    rf"(?P<d>\d{{1,2}})(?P<s>\s?[/.]\s?)(?P<m>\d{{1,2}})(?:(?P=s)|\s*[-–'’/]\s*|\s+)(?P<y>{YEAR})",
    rf"(?P<d>\d{{1,2}}) (?P<m>\d{{1,2}}) (?P<y>{YEAR})",
    # `20/21` has neither day nor month.
    rf"(?={_either(f'{year}/{year + 1}' for year in range(12, 99))}$)(?P<y>\d\d)/(?P<y2>\d\d)",
    # `12/99` has no day.
    r"(?P<m>0?[1-9]|1[0-2])/(?P<y>3[2-9]|[4-9]\d|\d{4})",
    r"(?P<d>\d{1,2})\s?[/.]\s?(?P<m>\d{1,2})\.?",
    rf"(?P<d>\d{{1,2}})(?P<o>{ORD})? i (?P<m>\d{{1,2}})(?P<p>{ORD})?{TAIL}",
    rf"(?P<d>\d{{1,2}}){DASH}(?P<d2>\d{{1,2}})/(?P<m2>\d{{1,2}})",
    rf"(?P<d>\d{{1,2}})\s+de\s+(?P<n>{_either(WITH_DE)}){TAIL}",
    rf"(?P<d>{DAY})(?P<o>{ORD})?(?:\.?\s*(?:(?:av|of)\s+)?|[-/])(?P<n>{MON}){TAIL}",
    rf"(?P<d>{DAY})(?P<o>{ORD})?{DASH}(?:den )?(?P<d2>{DAY})(?P<o2>{ORD})?\s*(?P<n2>{MON}){TAIL2}",
    # `nov 23` is a year, `Nov 23` is English.
    rf"(?P<n>(?-i:(?=[a-z])){MON})\s+(?P<y>[0-2]\d)",
    rf"(?P<n>{MON})\s+(?P<d>\d{{1,2}})(?P<o>{ORD})?(?:,?\s+(?P<y>\d{{4}}))?",
    rf"(?P<n>{MON}){TAIL}",
    r"(?P<y>\d{4})[-/](?P<m>0[1-9]|1[0-2])",
    # `85-03`, `0512` have no day.
    r"(?P<y>00|3[2-9]|[4-9]\d)[-/ ]?(?P<m>0[1-9]|1[0-2])",
    r"(?P<y>0\d)(?P<m>0[1-9]|1[0-2])",
    rf"(?P<y>\d{{4}})-?w(?P<w>\d\d)(?:-?[1-7])?{TIME}",
    rf"{WEEK}\s*(?P<w>\d{{1,2}})(?:{DASH}(?:v\.?\s?)?(?P<w2>\d{{1,2}}))?{TAIL}",
    r"(?P<y>\d{4})",
    r"[-–'’]\s?(?P<y>\d{2})(?P<b>:?(?:an?|or))?",
    r"(?P<y>00|3[2-9]|[4-9]\d)(?:['’]?s|(?P<b>:?(?:an?|or|orna)))?",
    r"(?P<y>\d\d)(?P<b>:?(?:an|or|orna))",
    r"(?P<y>0\d)(?P<b>:?a)",
    r"(?P<y>\d{2,4})-?(?P<c>tal(?:et)?)",
    rf"(?P<d>{DAY})(?P<o>{ORD})?\.?",
    rf"(?P<d>{DAY})(?P<o>{ORD})?\s*[-–]\s*(?P<d2>{DAY})(?P<o2>{ORD})?",
    r"(?P<y>\d{4})\s*[-–/]\s*(?P<y2>\d{2})",
    rf"(?:(?:i|under)\s+)?{TERM}[\s,]*(?:anno\s|år\s)?[-–'’]?\s?(?P<y>{YEAR})"
    r"(?:\s?[-–/]\s?(?P<y2>\d{4}|\d{2}))?",
    rf"(?P<y>(?:18|19|20)\d\d)[\s,-]*{TERM}",
    r"(?:q|kv(?:artal)?\.?\s?)(?P<q>[1-4])",
)
# Words around a year, whatever they are.
LOOSE = _compile(
    r"(?:[^\W\d_]+[\s,.]+){1,4}[-(]?(?P<y>(?:18|19|20)\d\d)\)?",
    r"(?P<y>(?:18|19|20)\d\d)(?:[\s,.]+[^\W\d_]+){1,4}",
)
RANGE = re.compile(
    r"\s*(?:--|–|—|-|/)\s*|\s+(?:till|t\.?o\.?m\.?|och|to)\s+(?:den )?", re.IGNORECASE
)
