"""Merges the big public lists into the project's own. The rules are in `docs/training.md`."""

import csv
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import Pipeline, make_pipeline

from components.lists.lists import Lists
from training_tools.generator.tables import read_tables

Row = dict[str, str]
Rows = TypeVar("Rows", bound=Collection[Any])
NAME_FILES = {"f": "fornamn-kvinnor.csv", "m": "fornamn-man.csv"}
SURNAMES, LOCALITIES, MUNICIPALITIES = "efternamn.csv", "svenska-stader.csv", "kommuner.csv"
POSTAL, CARE, STOPS, DRUGS = "sweden-zipcode.csv", "info_centres.json", "siteNames.js", "drugs.txt"
FILES = (*NAME_FILES.values(), SURNAMES, LOCALITIES, MUNICIPALITIES, POSTAL, CARE, STOPS, DRUGS)

NAME_LISTS = ("first_names", "surnames", "nicknames")
MIN_BEARERS = 10
# From so many bearers on a name may be a surrogate.
MIN_COMMON = 2000
COMMON, RARE = "2", "3"
# So many times more bearers of one gender make a name that gender's.
GENDERED = 4
# An origin is guessed only if the own lists have so many names of it.
MIN_OF_ORIGIN = 20
# What a run of letters counts that an origin lacks; 1 guesses worse.
SMOOTHING = 0.3
_TABLES = read_tables("public_lists")
CARE_WORDS: dict[str, str] = _TABLES["care_words"]
STREET_ENDINGS = tuple(_TABLES["street_endings"])
STREET_NUMBER = re.compile(r"\s+\d.*$")
WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


def merge_lists(lists: Lists, public: Path) -> Lists:
    """Merge what public files there are into the project's own lists."""
    there = {name for name in FILES if (public / name).is_file()}
    if not there:
        raise ValueError(
            f"None of {', '.join(FILES)} in {public}. Fetch them: "
            "python -m spacy project assets --extra"
        )
    merged = {name: list(rows) for name, rows in lists.items()}
    firsts = {g: _bearers(public / f) for g, f in NAME_FILES.items() if f in there}
    lasts = _bearers(public / SURNAMES) if SURNAMES in there else Counter()
    ordinary = _ordinary(lists)
    if firsts:
        every = sum(firsts.values(), Counter())
        get_gender = partial(_get_gender, firsts=firsts, lasts=lasts)
        merged["first_names"] = _merge_names(lists["first_names"], every, get_gender, ordinary)
    if lasts:
        merged["surnames"] = _merge_names(lists["surnames"], lasts, lambda name: "", ordinary)
    if LOCALITIES in there:
        counties = _counties(public / MUNICIPALITIES) if MUNICIPALITIES in there else {}
        localities = _localities(public / LOCALITIES, counties)
        _add(merged["places"], _get_villages(localities, ordinary))
    if POSTAL in there:
        merged["postal_codes"] = _postal_codes(public / POSTAL, merged["places"])
        towns = ((row["town"], "") for row in merged["postal_codes"])
        _add(merged["places"], _get_villages(towns, ordinary))
    units = list(_care_units(public / CARE)) if CARE in there else []
    _add(merged["organisations"], _get_organisations(units))
    streets = [unit["street"] for unit in units]
    if STOPS in there:
        streets += re.findall(r'"name": "([^"]+)"', (public / STOPS).read_text(encoding="utf8"))
    _add(merged["streets"], _get_streets(streets, ordinary))
    if DRUGS in there:
        _add_drugs(merged, (public / DRUGS).read_text(encoding="utf-8-sig").splitlines())
    return merged


def read_rare_names(public: Path, lists: Lists) -> dict[str, list[tuple[str, str]]]:
    """Read the names that the own lists lack, by list, each with its gender ("" for surnames)."""
    firsts = {gender: _bearers(public / file) for gender, file in NAME_FILES.items()}
    lasts = _bearers(public / SURNAMES)
    known = {row["name"].casefold() for name in NAME_LISTS for row in lists[name]}
    first = ((name, _get_gender(name, firsts, lasts)) for name in sum(firsts.values(), Counter()))
    found = {"first_names": first, "surnames": ((name, "") for name in lasts)}
    return {
        kind: sorted(
            (name, gender)
            for name, gender in names
            if gender is not None and name.casefold() not in known
        )
        for kind, names in found.items()
    }


def _ordinary(lists: Lists) -> frozenset[str]:
    """The words that are no sure sign of a name."""
    columns = {"words": "word", "terms": "term", "titles": "word", "units": "word"}
    return frozenset(
        row[column].casefold() for name, column in columns.items() for row in lists.get(name, ())
    )


def _mark(name: str, ordinary: frozenset[str]) -> str:
    return "1" if len(name) <= 2 or name.casefold() in ordinary else ""


def _rows(path: Path) -> Iterator[list[str]]:
    """The cells of a file of comma-separated values, without white space around them."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        for cells in csv.reader(file):
            yield [" ".join(cell.split()) for cell in cells]


def _checked(path: Path, rows: Rows) -> Rows:
    if not rows:
        raise ValueError(f"{path} is not in the format expected: no entry found in it")
    return rows


def _bearers(path: Path) -> Counter[str]:
    """Read names with the number of their bearers, in the second column."""
    found: Counter[str] = Counter()
    for cells in _rows(path):
        if len(cells) == 2 and cells[1].isdecimal() and WORD.fullmatch(cells[0]):
            found[cells[0]] += int(cells[1])
    return _checked(path, found)


def _merge_names(
    own: list[Row],
    bearers: Counter[str],
    get_gender: Callable[[str], str | None],
    ordinary: frozenset[str],
) -> list[Row]:
    """A row for each digit of the number of bearers; a name without gender is left out."""

    def repeat(row: Row) -> list[Row]:
        return [row] * max(1, len(str(bearers[row["name"]])))

    known = {row["name"].casefold() for row in own}
    genders = {
        name: gender
        for name in sorted(bearers)
        if name.casefold() not in known
        and bearers[name] >= MIN_BEARERS
        and (gender := get_gender(name)) is not None
    }
    merged = [copy for row in own for copy in repeat(row)]
    origins = make_guesser(own).predict([*genders]) if genders else ()
    for (name, gender), origin in zip(genders.items(), origins):
        common = COMMON if bearers[name] >= MIN_COMMON else RARE
        row = {"name": name, "gender": gender, "origin": str(origin), "common": common}
        row["ambiguous"] = _mark(name, ordinary)
        merged += repeat({key: row.get(key, "") for key in own[0]})
    return merged


def _get_gender(name: str, firsts: dict[str, Counter[str]], lasts: Counter[str]) -> str | None:
    """The gender of most bearers, or `n`; None if the name is commoner as a surname."""
    gender = max(reversed(firsts), key=lambda gender: firsts[gender][name])
    count = sum(counts[name] for counts in firsts.values())
    if lasts[name] > count:
        return None
    return gender if count > (GENDERED + 1) * (count - firsts[gender][name]) else "n"


def make_guesser(own: Iterable[Row]) -> Pipeline:
    """Make what guesses the origin of a name from its letters, by runs of three (naive Bayes)."""
    counts = Counter(row["origin"] for row in own)
    enough = min(MIN_OF_ORIGIN, max(counts.values()))
    names, origins = zip(
        *((row["name"], row["origin"]) for row in own if counts[row["origin"]] >= enough)
    )
    runs = CountVectorizer(analyzer="char_wb", ngram_range=(3, 3))
    return make_pipeline(runs, MultinomialNB(alpha=SMOOTHING)).fit(names, origins)


def _bare(name: str, head: str) -> str:
    return name.removesuffix(f" {head}").removesuffix("s")


def _counties(path: Path) -> dict[str, str]:
    """Read the county of each municipality: `Nybro kommun`, `Kalmar län`."""
    found = {
        _bare(cells[1], "kommun"): _bare(cells[2], "län")
        for cells in _rows(path)
        if len(cells) > 2 and cells[1].endswith(" kommun") and cells[2].endswith(" län")
    }
    return _checked(path, found)


def _localities(path: Path, counties: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Read localities with their county; homonyms in several counties have none."""
    within: dict[str, set[str]] = defaultdict(set)
    for cells in _rows(path):
        # The last of five columns is a longitude, but for the row of column names.
        if len(cells) != 5 or not re.fullmatch(r"-?[\d.]+", cells[4]):
            continue
        name, municipality, county = cells[:3]
        # `Lidatorp och Klövsta`, `Hemavan/Bierke`: joined for statistics, nobody says so.
        if " och " not in name and "/" not in name:
            within[name].add(counties.get(municipality.removesuffix("s"), county))
    for name in sorted(_checked(path, within)):
        yield name, within[name].pop() if len(within[name]) == 1 else ""


def _postal_codes(path: Path, places: list[Row]) -> list[Row]:
    """Read postal codes. Their towns are in capitals: written as the lists do, if they have it."""
    spelling = {row["name"].casefold(): row["name"] for row in places}
    found = []
    for cells in _rows(path):
        code = cells[0].replace(" ", "") if cells else ""
        if len(cells) >= 2 and re.fullmatch(r"\d{5}", code) and cells[1]:
            town = spelling.get(cells[1].casefold(), cells[1].title())
            found.append({"code": f"{code[:3]} {code[3:]}", "town": town})
    return _checked(path, found)


def _get_villages(places: Iterable[tuple[str, str]], ordinary: frozenset[str]) -> Iterator[Row]:
    for name, within in places:
        row = {"name": name, "kind": "village", "within": within, "prep": "i"}
        yield row | {"ambiguous": _mark(name, ordinary)}


def _add(rows: list[Row], new: Iterable[Row]) -> None:
    """Add rows, but those of names that are there."""
    known = {row["name"].casefold() for row in rows}
    blank = dict.fromkeys(rows[0], "") if rows else {}
    for row in new:
        if row["name"].casefold() not in known:
            known.add(row["name"].casefold())
            rows.append({**blank, **row})


def _care_units(path: Path) -> Iterator[Row]:
    """Read places of care: any object with a name (`nom`), wherever it is nested."""
    try:
        todo = [json.loads(path.read_text(encoding="utf-8-sig"))]
    except json.JSONDecodeError as error:
        raise ValueError(f"{path}, line {error.lineno}: not JSON") from None
    found: list[Row] = []
    while todo:
        item = todo.pop()
        todo += item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
        if isinstance(item, dict) and isinstance(item.get("nom"), str):
            town = (item.get("location") or {}).get("city") or ""
            street = (item.get("metadata") or {}).get("address") or ""
            name = " ".join(item["nom"].split()).removesuffix(f", {town}")
            street = STREET_NUMBER.sub("", street.split(",")[0].strip())
            found.append({"name": name, "place": town, "street": street})
    yield from sorted(_checked(path, found), key=lambda unit: tuple(unit.values()))


def _get_organisations(units: Iterable[Row]) -> Iterator[Row]:
    for unit in units:
        for kind, kind_words in CARE_WORDS.items():
            if re.search(kind_words, unit["name"], re.IGNORECASE):
                yield {"name": unit["name"], "kind": kind, "place": unit["place"]}
                break


def _get_streets(names: Iterable[str], ordinary: frozenset[str]) -> Iterator[Row]:
    for name in sorted(set(names)):
        words = name.split()
        good = words and all(map(WORD.fullmatch, words)) and name[0].isupper()
        if good and name.endswith(STREET_ENDINGS):
            yield {"name": name, "ambiguous": _mark(name, ordinary)}


def _add_drugs(merged: Lists, lines: Iterable[str]) -> None:
    names = ("first_names", "surnames", "places", "words", "drugs")
    known = {next(iter(row.values())).casefold() for name in names for row in merged.get(name, ())}
    for line in lines:
        product = re.split(r"[\s/]", line.strip(), maxsplit=1)[0]
        if len(product) > 3 and WORD.fullmatch(product) and product.casefold() not in known:
            known.add(product.casefold())
            merged["drugs"].append({"name": product, "kind": "brand"})
