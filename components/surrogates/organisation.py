"""Surrogates of organisations."""

import re
from collections.abc import Iterable, Mapping, Sequence

from ..swedish.casing import fold, genitive, like_case
from ..swedish.neighbours import FUZZY_MIN, Neighbours
from .keyed import Mention, Pool, Pools, Scope
from .last_look import cut_lower
from .location import LocationSurrogates
from .replacer import LONGEST, Replacer

Row = Mapping[str, str]

# Public services, the same for everybody.
PUBLIC = frozenset(("1177", "1177 vårdguiden", "112"))
# Kinds whose members are many and local: they get a name that is nobody's.
GENERIC_KINDS = frozenset(("care_unit", "care_home", "pharmacy", "school", "preschool"))
# Word endings that say what an organisation is, with the kind of its likes.
HEADS: tuple[tuple[str, str], ...] = (
    (r"(?:vård|hälso|jour|hör|blod|syn|medicin|familje|beroende)central(?:en)?", "care_unit"),
    (r"(?:mottagning|klinik|verksamhet|dialys|enhet)(?:en)?|hälsan", "care_unit"),
    (r"(?:läkarhus|vårdhus)(?:et)?|(?:läkargrupp|rehab|akut|barnmorskegrupp)(?:en)?", "care_unit"),
    (r"(?:tandvård|mödravård)(?:en)?|tandläkar(?:en|na|e)|centrum|byrån?", "care_unit"),
    (r"(?:sjukhus|lasarett)(?:et)?", "hospital"),
    (r"apotek(?:et)?", "pharmacy"),
    (r"förskolan?", "preschool"),
    (r"skolan?|gymnasi(?:um|et)", "school"),
    (r"(?:boende|hem|servicehus)(?:t|et|met)?|gruppbostad(?:en)?|hospice", "care_home"),
    (r"kommun(?:en)?|verket|myndigheten|styrelsen|nämnden|rådet|rätt(?:en)?", "authority"),
    (r"\b(?:if|ik|fc|bk|sk|ff)|klubb(?:en)?|förening(?:en)?", "club"),
)
HEAD = re.compile(f"(?:{'|'.join(f'(?P<h{i}>{p})' for i, (p, _) in enumerate(HEADS))})s?$")
FIRST_PARTS = "Björk Ek Lind Rönn Asp Hassel Tall Gran Sol Käll Ros Sten Strand Sjö Skogs Äppel"
SECOND_PARTS = (
    ("backen", "backa"),
    ("ängen", "ängs"),
    ("lunden", "lunds"),
    ("dalen", "dals"),
    ("kullen", "kulla"),
    ("gården", "gårds"),
    ("hagen", "hags"),
    ("höjden", "höjds"),
)
COMPOUNDS = {first + a: first + b for first in FIRST_PARTS.split() for a, b in SECOND_PARTS}
# Words that name nobody, besides the listed units.
COMMON_WORDS = """kommun kommunen kommuns region regionen landsting landstinget tingsrätt
tingsrätten hovrätt förvaltningsrätt polis polisen universitet högskola stad stads stadsdel if ik
fc bk sk ff ab hb kb och vid i på för universitetssjukhus universitetssjukhuset sjukhus sjukhuset
lasarett lasarettet länssjukhus länssjukhuset centrallasarettet akuten akutmottagning
akutmottagningen bibliotek församling föreningen förening apotek apoteket sankt"""
COMMON = frozenset(COMMON_WORDS.split())
# Institutions that tell nothing of why somebody goes there; other words with their endings, if not
# listed, turn into them.
NEUTRAL = """läkarmottagningen husläkarmottagningen distriktsmottagningen närmottagningen
jourmottagningen öppenvårdsmottagningen dagmottagningen kvällsmottagningen
medicinkliniken dagkliniken närkliniken kvarterskliniken vårdkliniken
vårdenheten hälsoenheten öppenvårdsenheten dagvårdsenheten närvårdsenheten
närakuten jourakuten lokalakuten kvällsakuten
hälsocentralen familjecentralen vårdcentralen jourcentralen
närsjukhuset länssjukhuset regionsjukhuset centralsjukhuset"""
MIN_NEUTRAL = 4
# Words that a place stands in front of in the genitive.
POSSESSED = frozenset(("kommun", "tingsrätt", "sjukhus", "lasarett", "länssjukhus"))
# Kinds whose abbreviations stand for unlisted ones.
SHORT_KINDS = frozenset(("authority", "hospital", "school", "association"))
MAX_SHORT = 5  # letters of an abbreviation
LEGAL = re.compile(r"\s+(?:AB|HB|KB|Aktiebolag)$", re.IGNORECASE)
SAINT = re.compile(r"\b(?:s:t|s:ta|st\.?|sankta?)(?=\s)")
DEFINITE = re.compile(r"[^\W\d_]{3,}(?:en|et|an)")
WORDS = re.compile(r"[\s,/]+")
GAPS = re.compile(f"({WORDS.pattern})")


class OrganisationSurrogates(Replacer):
    """Replaces organisations like for like.

    - Institution words (`vårdcentralen`, `akuten`, `BVC`: the list `units`) and 1177 name
      nobody and stay as they are, unless they are the name of a listed organisation
      (`Försäkringskassan`). An unlisted one in lower case becomes a neutral one.
    - In a name of several words the organisations and places within are replaced (`Hjo kommun`,
      `Capio vårdcentral Hjo`), if nothing else in it names anybody. A place takes the surrogate
      that it has on its own.
    - Other care units, pharmacies, homes and schools become generic ones: `Björkbackens
      vårdcentral`.
    - Others that are listed become another of their kind: a hospital a hospital, an authority
      an authority, an abbreviation an abbreviation.
    - What is left becomes another of the kind that its words tell, or some employer.

    Where all messages are at hand, a genitive or a misspelling follows the name that it belongs
    to.

    lists (Mapping[str, Sequence[Row]]): `organisations`, `units`.
    locations (LocationSurrogates): Replaces the places.
    generic (Mapping[str, str]): Names for care units, homes and schools, each with its form as
        the first part of a compound.
    """

    def __init__(
        self,
        lists: Mapping[str, Sequence[Row]],
        locations: LocationSurrogates,
        generic: Mapping[str, str] = COMPOUNDS,
    ) -> None:
        self.locations = locations
        self.generic = generic
        self.generic_names = Pool(generic)
        self.rows: dict[str, Row] = {}
        self.short: dict[str, Row] = {}
        keys: dict[str, tuple[str, ...]] = {}
        for row in lists.get("organisations", ()):
            folded = _fold(row["name"])
            short = row.get("abbreviation", "")
            if folded not in self.rows:
                self.rows[folded] = row
                last = WORDS.split(folded)[-1] if " " in folded else ""
                keys[row["name"]] = (row["kind"], "short" if short else "", last)
            if short:
                self.short.setdefault(_fold(short), row)
        self.pools = Pools(keys)
        self.longest = max((*map(len, self.rows), *map(len, self.short)), default=0)
        care = ("care_unit", "care_home", "hospital", "pharmacy", "digital_care")
        units = {_fold(row["word"]): row.get("kind", "") for row in lists.get("units", ())}
        self.units = {
            word for word, kind in units.items() if kind in care or not self._listed(word)
        } | PUBLIC
        self.abbreviations = Pool(
            row["abbreviation"] for row in self.short.values() if row["kind"] in SHORT_KINDS
        )
        neutral = {word: (_head_of(word),) for word in NEUTRAL.split()}
        self.neutral = Pools(neutral, minimum=MIN_NEUTRAL)

    # Reading

    def _listed(self, folded: str) -> Row | None:
        return self.rows.get(folded) or self.short.get(folded)

    def _is_unit(self, folded: str) -> bool:
        return folded in self.units or (
            folded.endswith("s") and folded[:-1].rstrip(":") in self.units
        )

    def _names_nobody(self, word: str) -> bool:
        folded = _fold(word)
        return self._is_unit(folded) or folded in COMMON

    def identities(self, mentions: Sequence[Mention], conversation: bool) -> list[str]:
        """Tell which mentions are the same organisation.

        mentions (Sequence[Mention]): The mentions of a message.
        conversation (bool): Whether the names are to hold for other messages, too.
        RETURNS (list[str]): A name for each mention, the same for the same organisation.
        """
        out = []
        for mention in mentions:
            folded = _fold(mention.text)
            row = self._listed(folded) or self._listed(folded.removesuffix("s"))
            out.append(_fold(row["name"]) if row else folded)
        return out

    # Choosing

    def _get_pool(self) -> Pool:
        return self.pools.like("employer", "", "")

    words = "organisation"

    def get_telling(self, text: str) -> str:
        """Get what tells which organisation is meant.

        text (str): A name.
        RETURNS (str): Its words that say more than what it is, folded.
        """
        words = (
            word for word in WORDS.split(_fold(cut_lower(text))) if not self._names_nobody(word)
        )
        return " ".join(HEAD.sub("", word) for word in words if not self._is_common_stem(word))

    def _get_pool_of(self, word: str) -> Pool | None:
        return self.pools.of(word)

    def keeps(self, mention: Mention, scope: Scope) -> bool:
        """An institution as any town has one stays."""
        return self._is_unit(_fold(mention.text))

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        texts = {mention.text for mention in mentions}
        bases = self._link(texts) if scope.whole else {}
        # Listed names first: their surrogates are fixed, the others give way.
        listed_first = sorted(
            texts, key=lambda text: (text in bases, self._listed(_fold(text)) is None, text)
        )
        chosen: dict[str, str] = {}
        for text in listed_first:
            if text not in bases:
                chosen[text] = self._replace(text, scope)
                continue
            base, ending = bases[text]
            new = self._replace(base, scope) if base not in chosen else chosen[base]
            chosen[text] = genitive(text, ending, _like_all(text, new))
        return [chosen[mention.text] for mention in mentions]

    def _link(self, texts: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Find unlisted names that are the genitive or a misspelling of another one.

        texts (Iterable[str]): The mentions.
        RETURNS (dict[str, tuple[str, str]]): Of each the other one and the ending.
        """
        # A name in lower case may look like an ordinary word.
        ordered = sorted(texts, key=lambda text: (text.isupper() or text.islower(), text))
        folded = {text: _fold(text) for text in ordered}
        by_fold: dict[str, str] = {}
        for text, name in folded.items():
            by_fold.setdefault(name, text)
        same = {}
        names = [
            text
            for text, name in folded.items()
            if not self._is_unit(name)
            and not self._listed(name)
            and not self._listed(name.removesuffix("s"))
        ]
        order = {text: i for i, text in enumerate(ordered)}
        spelled: dict[str, list[str]] = {}
        for text, name in folded.items():
            spelled.setdefault(name, []).append(text)
        neighbours = Neighbours(spelled)
        for text in names:
            name = folded[text]
            if by_fold[name] != text:
                same[text] = (by_fold[name], "")
                continue
            if name.endswith("s") and name[:-1] in by_fold:
                same[text] = (by_fold[name[:-1]], text[-1])
                continue
            near = (
                other
                for other_name in (neighbours.find(name) if len(name) >= FUZZY_MIN else ())
                if other_name != name
                and (self._listed(other_name) or other_name < name)
                and not self._is_unit(other_name)
                for other in spelled[other_name]
                if other not in same
            )
            found = min(near, key=order.__getitem__, default=None)
            if found:
                same[text] = (found, "")
        return same

    def _replace(self, text: str, scope: Scope) -> str:
        folded = _fold(text)
        if self._is_unit(folded):
            return text
        if len(text) > LONGEST:
            return self._some(text, "employer", scope)
        words = WORDS.split(folded)
        found = [HEAD.search(word) for word in words]
        heads = [i for i, match in enumerate(found) if match]
        kinds = [_kind(match) for match in found if match]
        row, ending = self._listed(folded), ""
        if row is None and folded.endswith("s"):
            row, ending = self._listed(folded[:-1]), text[-1]
        kind = row["kind"] if row else (kinds or ["employer"])[-1]
        generic = kind in GENERIC_KINDS and heads and "hospital" not in kinds
        if len(words) == 1 and generic and row is None and _is_definite(text):
            return self._another_unit(folded, scope)
        if len(words) > 1 and (row is None or any(map(self.locations.find, text.split()))):
            # Before the list, so that `Hjo kommun` agrees with `Hjo`.
            within = self._replace_within(text, scope)
            if within:
                return within
        if generic:
            return self._generic(text, heads, scope)
        if not row and len(words) > 1 and self._is_unit(words[0]):
            # `BVC Björken`
            unit, gap, rest = GAPS.split(text, maxsplit=1)
            name = scope.pick("generic", folded, self.generic_names)
            return f"{unit}{gap}{_like_all(rest, name)}"
        if row:
            word = text[: len(text) - len(ending)]
            return genitive(word, ending, self._pick(word, row, scope))
        if len(words) == 1:
            new = self._replace_part(text, scope) or self._replace_compound(text, scope)
            if new:
                return new
            if _is_definite(text):
                return self._another_unit(folded, scope)
            if text.isupper() and text.isalpha() and len(text) <= MAX_SHORT:
                return self._another_short(folded, scope)
        return self._some(text, kind, scope)

    def _another_unit(self, folded: str, scope: Scope) -> str:
        """A neutral institution of the same ending for one that is not listed."""
        return scope.pick("unit", folded, self.neutral.like(_head_of(folded)))

    def _another_short(self, folded: str, scope: Scope) -> str:
        """Another abbreviation for one that is not listed."""
        taken = scope.taken("organisation")
        return scope.pick(
            "abbreviation",
            folded,
            self.abbreviations,
            lambda short: _fold(self.short[_fold(short)]["name"]) not in taken,
        )

    def _pick(self, text: str, row: Row, scope: Scope, one_word: bool = False) -> str:
        first = self._telling(row["name"])

        def accept(name: str) -> bool:
            """Reject other names of the same organisation."""
            return not (first and first == self._telling(name))

        pool = self.pools.by_value[fold(row["name"])]
        name = scope.pick("organisation", row["name"], pool, accept)
        if one_word and " " in name:
            name = scope.pick(
                "organisation", f"{row['name']} ", pool, lambda other: " " not in other
            )
        other = self.rows[_fold(name)]
        if _fold(text) != _fold(row["name"]) and other.get("abbreviation"):
            return other["abbreviation"] if text[:1].isupper() else other["abbreviation"].lower()
        return _like(text, other["name"])

    def _telling(self, name: str) -> str:
        """The first word of a name, if it tells anything."""
        words = [
            word for word in re.split(r"[\s,/.]+", _fold(name)) if not self._names_nobody(word)
        ]
        return words[0].removesuffix("s") if words and not HEAD.fullmatch(words[0]) else ""

    def _some(self, text: str, kind: str, scope: Scope) -> str:
        legal = LEGAL.search(text)
        base = text[: legal.start()] if legal else text
        name = scope.pick("organisation", _fold(base), self.pools.like(kind, "", ""))
        name = LEGAL.sub("", name)
        return _like(base, name) + (legal[0] if legal else "")

    def _replace_within(self, text: str, scope: Scope) -> str | None:
        """Replace the listed organisations and places in a name of several words, if nothing
        else in it names anybody."""
        words = GAPS.split(text)
        out: list[str] = []
        i = 0
        while i < len(words):
            end, new = self._replace_longest(words, i, scope)
            if new is None:
                return None
            out += [new, *words[end : end + 1]]
            i = end + 1
        changed = "".join(out)
        return changed if changed != text else None

    def _replace_longest(
        self, words: Sequence[str], start: int, scope: Scope
    ) -> tuple[int, str | None]:
        """Replace the longest part from a word on that can be read; every second word is a gap."""
        for end in range(len(words), start, -2):
            if end - start < len(words):
                new = self._replace_part("".join(words[start:end]), scope)
                if new is not None:
                    following = fold("".join(words[end + 1 : end + 2]))
                    # `Hjo kommun`, but `Kungälvs kommun`.
                    if following in POSSESSED and fold(new)[-1] not in "aeiouyåäösxz":
                        new = genitive(new, "s", new)
                    return end, new
        word = words[start]
        common = self._names_nobody(word) or _is_definite(word) or HEAD.fullmatch(_fold(word))
        return start + 1, word if common else None

    def _replace_part(self, part: str, scope: Scope) -> str | None:
        folded = _fold(part)
        if self._names_nobody(part):
            return None
        row = self._listed(folded)
        place = self.locations.find(part)
        # `Vårdcentralen Huddinge`: the place, not the hospital that is called by it.
        if row and row["kind"] not in GENERIC_KINDS and not (place and row.get("ambiguous")):
            return self._pick(part, row, scope)
        if place:
            ending = part[len(place) :] if len(folded) == len(part) else ""
            name = like_case(part, self.locations.choose(place, scope))
            return genitive(part, ending, name)
        return None

    def _replace_compound(self, text: str, scope: Scope) -> str | None:
        """`Pfizersprutan`, `ICA-kassan`: the organisation in front is replaced."""
        folded = _fold(text)
        if len(folded) != len(text):
            return None
        for end in range(min(len(folded) - 2, self.longest), 2, -1):
            row = self._listed(folded[:end])
            rest = text[end:]
            if rest[0] != "-" and (end < 4 or len(rest) < 4):
                continue
            if row and row["kind"] not in GENERIC_KINDS:
                name = self._pick(text[:end], row, scope, one_word=True)
                if rest[0] == "s" and name.casefold().endswith("s"):
                    rest = rest[1:]
                return f"{name}{rest}"
        return None

    def _generic(self, text: str, heads: Sequence[int], scope: Scope) -> str:
        """A name that is nobody's, around the word that says what it is."""
        name = scope.pick("generic", _fold(text), self.generic_names)
        words = WORDS.split(text)
        place = heads[-1]
        folded = _fold(words[place])
        start = len(folded) - len(_head_of(folded))
        bare = words[place][start:] if len(folded) == len(words[place]) else folded[start:]
        if len(words) == 1 and start:
            return _like(text, self.generic[name] + bare.lower())
        if len(words) == 1:
            return f"{like_case(text, bare)} {_like_all(text, name)}"
        head = words[place]
        if start and not self._is_common_stem(folded):
            head = like_case(head, bare)
        if place == 0:
            return f"{head} {_like_all(text, name)}"
        genitive_name = like_case(words[0], name) + ("S" if words[0].isupper() else "s")
        return f"{genitive_name} {head}"

    def _is_common_stem(self, folded: str) -> bool:
        """Whether `psykologmottagning` is a listed unit, in whatever form."""
        return self._names_nobody(folded) or any(
            folded + ending in self.units for ending in ("en", "n", "et", "t")
        )


def _fold(text: str) -> str:
    return SAINT.sub("sankt", fold(text))


def _is_definite(word: str) -> bool:
    """Whether a word stands for one particular unit: `könsmottagningen`."""
    return word.islower() and DEFINITE.fullmatch(word) is not None


def _head_of(word: str) -> str:
    match = HEAD.search(word)
    return match[0] if match else ""


def _kind(match: "re.Match[str]") -> str:
    return next(HEADS[int(k[1:])][1] for k, v in match.groupdict().items() if v is not None)


def _like_all(original: str, name: str) -> str:
    """Case a name like a whole text: in lower case, in capitals, or as it is."""
    if original.islower():
        return name.lower()
    return name.upper() if original.isupper() else name


def _like(original: str, name: str) -> str:
    """Case a name like the original, but do not shout one for an abbreviation."""
    if original.isupper() and len(original) <= 4:
        return name
    return like_case(original, name)
