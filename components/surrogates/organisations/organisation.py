"""Surrogates of organisations."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ...text.casing import fold, genitive, like_case
from ..core.pools import Pool, Pools
from ..core.replacer import LONGEST, Replacer
from ..core.resemblance import shows
from ..core.scope import Mention, Scope
from ..places.location import LocationSurrogates
from .generic_names import GenericNames
from .institutions import get_sort
from .made_up_names import NameMaker, like_all
from .organisation_pools import DEFAULT, OrganisationPools, is_short
from .organisation_reader import (
    OrganisationReader,
    Row,
    fold_name,
    get_group,
    get_last,
    is_definite,
    link,
)
from .organisation_types import LOCAL, MADE, SEPARATORS, WORDS, get_family
from .organisation_words import MIN_END, Head, OrganisationCues

MIN_NEUTRAL = 4
NAMED_FAMILIES = ("school", "preschool", "care_home", "pharmacy")  # `stensjöskolan` is a name
DEFINITE_GENITIVE = re.compile(r"(?:en|an|et)s$", re.IGNORECASE)
# Families of what a place stands in front of in the genitive, as it does of stations.
POSSESSED = ("authority", "hospital", "care", "care_home", "school", "preschool", "association")
PRISONS = ("prison", "jail")  # which few towns have
STATION = "station"
SHORT = "regional_hospital"  # the type of an abbreviation of which nothing tells the type
NO_GENITIVE = "aeiouyåäösxz"
LEGAL = re.compile(r"\s+(?:AB|HB|KB|Aktiebolag)$", re.IGNORECASE)
NUMBER = re.compile(r"(?P<digits>\d{1,6})(?P<rest>[a-zåäö]?)", re.IGNORECASE)
GAPS = re.compile(f"({SEPARATORS.pattern})")


class OrganisationSurrogates(Replacer):
    """Replaces organisations by others of their type (`organisation_types`): a bank by a bank.

    - Institutions (`akuten`, `BVC`: the list `units`) and what there is one of for the whole country
      (`1177`: the list `nationwide`) stay. An unlisted institution becomes a neutral one.
    - In a name of several words the organisations, places and numbers within are replaced (`Capio
      vårdcentral Hjo`, `avd 14`), if nothing else in it names anybody.
    - Other care units, pharmacies, homes and schools keep the words that say what they are, around
      a name that many bear: `Björkbackens vårdcentral`; so do small companies (`Kvists bageri`).
    - Others that are listed become another of their type that is known all over the country.
    - What is left becomes one of the type that its words tell, or the text around it where all of it
      is at hand; else a name such as a ward, a home or a school may have.

    Where all messages are at hand, a genitive or a misspelling follows the name that it belongs
    to.

    lists (Mapping[str, Sequence[Row]]): `organisations`, `organisation_names`, `organisation_words`,
        `units`, `nationwide`.
    locations (LocationSurrogates): Replaces the places.
    generic (Mapping[str, str] | None): Names for care units, homes and schools, each with its form
        as the first part of a compound; by default those of `GenericNames`.
    """

    def __init__(
        self,
        lists: Mapping[str, Sequence[Row]],
        locations: LocationSurrogates,
        generic: Mapping[str, str] | None = None,
    ) -> None:
        self.locations = locations
        self.reader = OrganisationReader(lists)
        self.cues = OrganisationCues(lists.get("organisation_words", ()))
        names = GenericNames(lists.get("organisation_names", ()), generic)
        self.pools = OrganisationPools(self.reader, locations, names)
        self.maker = NameMaker(self.reader, names, self._replace_listed)
        units = names.get_names("unit") or names.estates.members
        self.neutral = Pools({unit: self._get_sort(unit) for unit in units}, minimum=MIN_NEUTRAL)
        kinds = (words for name, words in WORDS.items() if name.startswith("quarters"))
        self.quarters = {word: Pool(words) for words in kinds for word in words}

    def is_listed(self, text: str) -> bool:
        return self.reader.find_form(fold_name(text))[0] is not None

    def identities(self, mentions: Sequence[Mention]) -> list[str]:
        bases = link({mention.text for mention in mentions}, self.reader)
        out = []
        for mention in mentions:
            folded = fold_name(bases.get(mention.text, (mention.text,))[0])
            row, _ = self.reader.find_form(folded)
            out.append(fold_name(row["name"]) if row else folded)
        return out

    def keeps(self, mention: Mention, scope: Scope) -> bool:
        """What any town has one of, or the whole country, stays."""
        return self.reader.stays(fold_name(mention.text))

    def _get_pool(self) -> Pool:
        return self.pools.like(DEFAULT)

    words = "organisation"

    def get_identifying(self, text: str) -> str:
        return self.reader.get_identifying(text)

    def is_kin(self, text: str, new: str) -> bool:
        return self.reader.is_kin(text, new)

    def _get_pool_of(self, word: str) -> Pool | None:
        row = self.reader.find(fold_name(word))
        return self.pools.of(row) if row else None

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        texts = {mention.text for mention in mentions}
        bases = link(texts, self.reader) if scope.whole else {}
        cues = self.cues.guess_types(mentions) if scope.whole else {}
        at_work = {m.text for m in mentions if scope.whole and self.cues.is_at_work(m)}
        # Listed names first: their surrogates are fixed, the others give way.
        listed_first = sorted(
            texts, key=lambda text: (text in bases, self.reader.find(fold_name(text)) is None, text)
        )
        chosen: dict[str, str] = {}
        for text in listed_first:
            base, ending = bases.get(text, (text, ""))
            if base not in chosen:
                chosen[base] = self.choose(base, scope, cues.get(base, ""), base in at_work)
            if text != base:
                chosen[text] = genitive(text, ending, like_all(text, chosen[base]))
        return [chosen[mention.text] for mention in mentions]

    def choose(self, text: str, scope: Scope, cue: str = "", at_work: bool = False) -> str:
        """Choose the surrogate of an organisation.

        cue (str): The type that the text around it tells, "" if it tells none.
        at_work (bool): Whether somebody works, studies or lives there, so that it is no town.
        """
        folded = fold_name(text)
        if self.reader.stays(folded):
            return text
        if len(text) > LONGEST:
            return self._choose_like(text, DEFAULT, scope)
        row, ending = self.reader.find_form(folded)
        word = text[: len(text) - len(ending)]
        seat = self.locations.institutions.find(text)
        if seat and self._find_seats(word, seat, scope):
            return _decline(word, ending, self._pick(word, seat, scope))
        words = SEPARATORS.split(folded)
        if row is None and len(words) > 1 and not any(map(self._find_head, words)):
            text = "".join(map(self.reader.correct, GAPS.split(text)))
            words = SEPARATORS.split(fold_name(text))
        # `Botkyrka` is no church.
        own = [word for word in words if len(words) == 1 or not self._is_place(word)] or words
        type_ = self.reader.get_type(row) if row else self.reader.guess_type(own) or cue
        new = self._choose_for_parts(text, row, type_, scope) if len(words) > 1 else ""
        if not new and (self.reader.is_local(row) if row else type_ not in PRISONS):
            new = self._make_up(text, own, type_, scope)
        if new:
            return new
        if row:
            return _decline(word, ending, self._pick(word, row, scope))
        if len(words) > 1 or at_work and self.locations.find(text):
            return self._choose_like(text, type_ or cue, scope)
        return self._choose_for_word(text, type_, scope)

    def _choose_for_parts(self, text: str, row: Row | None, type_: str, scope: Scope) -> str:
        """Another name of the same parts, so that `Hjo kommun` agrees with `Hjo`; "" if there is none."""
        if type_ in PRISONS or row and get_family(type_) == "hospital":
            return ""
        if row is None:
            return self._shorten(text) or self._replace_within(text, scope) or ""
        # Kronan is a place, too.
        rest = SEPARATORS.split(text)[type_ == "pharmacy_chain" :]
        return any(map(self.locations.find, rest)) and self._replace_within(text, scope) or ""

    def _make_up(self, text: str, words: Sequence[str], type_: str, scope: Scope) -> str:
        """Make up a name of a local type; "" if its words do not say what it is."""
        heads = [head for word in words if (head := self._find_head(word))]
        family = get_family(type_)
        several = SEPARATORS.search(text)
        # `Citysjukhuset` is no hospital.
        in_name = type_ in LOCAL and any(get_family(head.type) == "hospital" for head in heads)
        generic = heads and type_ in MADE and not in_name
        if generic and not several and self._is_any_unit(text, heads[0], family):
            return _like(text, self._choose_neutral(fold_name(text), scope))
        if not generic and not (several and self.reader.is_unit(fold_name(text.split()[0]))):
            return ""
        made = self.maker.make_up(text, type_, scope)
        if made and self.reader.get_groups(text).isdisjoint(self.reader.get_groups(made)):
            return made
        return _like(text, self._choose_neutral(fold_name(text), scope)) if family == "care" else ""

    def _is_any_unit(self, text: str, head: Head, family: str) -> bool:
        """Whether a single word says but what it is: `hudkliniken`, `Bröstcentrum`."""
        listed = self.reader.find(fold_name(text))
        named = family in NAMED_FAMILIES or listed
        bare = text.islower() and head.text == fold_name(text)
        return bare or not named and (is_definite(text) or self.reader.is_kind(text))

    def _find_head(self, folded: str) -> Head | None:
        return self.reader.words.find_head(folded)

    def _get_sort(self, word: str) -> tuple[str, str]:
        """The family of an institution, and what its name ends with."""
        head = self._find_head(word)
        ending = next((ending for ending in WORDS["neutral"] if word.endswith(ending)), "")
        return get_family(head.type) if head else "care", ending

    def _is_place(self, word: str) -> bool:
        found = self.locations.find(word)
        return found is not None and not self.locations.rows[found].get("ambiguous")

    # Of a listed one

    def _find_seats(self, text: str, row: Row, scope: Scope) -> list[str]:
        """Find what has its seat where the town of a hospital, a university, a court or a
        municipality goes and is put together most like it; nothing if nothing of the kind has."""
        places = self.locations.places
        town = places.resolve(fold(row.get("place", "")))
        if not get_sort(row) or not places.is_town(town):
            return []
        new = places.fold(self.locations.choose(town, scope))
        own = row.get("abbreviation", "")
        identifying = self.reader.get_identifying(row["name"])
        names = [
            name
            for name in self.locations.institutions.get_names(new, row)
            if not shows(identifying, self.reader.get_identifying(name))
            if not self.is_kin(text, name)
        ]
        shorts = [*filter(self.reader.get_short, names)] if own else []
        mentioned = {fold_name(mention.text) for mention in scope.mentions.get("ORGANISATION", ())}
        if own and not shorts and fold_name(own) in mentioned | {fold_name(text)}:
            return []
        return shorts or _get_most_alike(text, names)

    def _pick(self, text: str, row: Row, scope: Scope, one_word: bool = False) -> str:
        original, own = row["name"], row.get("abbreviation", "")
        identifying = self.reader.get_identifying(original)
        seats = [] if one_word else self._find_seats(text, row, scope)
        pool = self.pools.gather(seats, row) if seats else self.pools.of(row)
        get_short = self.reader.get_short
        many = all(map(get_short, seats)) if seats else self.pools.has_abbreviations(pool)

        def accept(name: str) -> bool:
            """Reject what shows the organisation, and what has no abbreviation."""
            if own and many and not get_short(name):
                return False
            return not shows(identifying, self.reader.get_identifying(name))

        name = self._pick_from(pool, original, scope, accept)
        short = get_short(name) if fold_name(text) == fold_name(own) else ""
        if short:
            return short if text[:1].isupper() else short.lower()
        return _like(text, name)

    def _pick_from(
        self, pool: Pool, original: str, scope: Scope, accept: Callable[[str], bool]
    ) -> str:
        """Pick one that is not the original itself, nor one of its conversation, under another name."""
        groups = scope.share((self, "groups"), lambda: self._get_groups(scope))
        rows = self.reader.rows

        def is_fit(name: str) -> bool:
            row = rows.get(fold_name(name), {"name": name})
            return get_group(row) not in groups and accept(name)

        is_kin = partial(self.is_kin, original)
        return scope.ledger.pick("organisation", original, pool, is_fit, is_kin)

    def _get_groups(self, scope: Scope) -> set[str]:
        mentions = scope.mentions.get("ORGANISATION", ()) if scope.whole else ()
        texts = {mention.text for mention in mentions}
        return {group for text in texts for group in self.reader.get_groups(text)}

    # Of one that is not listed

    def _choose_neutral(self, folded: str, scope: Scope) -> str:
        """A neutral institution of the same ending for one that is not listed."""
        return scope.ledger.pick("unit", folded, self.neutral.like(*self._get_sort(folded)))

    def _choose_for_word(self, text: str, type_: str, scope: Scope) -> str:
        new = self._replace_part(text, scope) or self._replace_compound(text, scope)
        if new:
            return new
        right = fold_name(self.reader.correct(text))
        # `solgläntan` is a name.
        if is_definite(text) and self._find_head(right):
            return self._choose_neutral(right, scope)
        return self._choose_like(text, type_ or (SHORT if is_short(text) else ""), scope)

    def _choose_like(self, text: str, type_: str, scope: Scope) -> str:
        """Some listed organisation of a type; where no type is known, a name that fits them all."""
        legal = LEGAL.search(text)
        base = text[: legal.start()] if legal else text
        ending = base[-1] if DEFINITE_GENITIVE.search(base) else ""
        base = base.removesuffix(ending)
        if type_ == "care_home" or not type_ and not legal:
            name = self.maker.choose(base, base, self.maker.generic.get_pool(type_), scope)
            return genitive(base, ending, _like(base, name))
        type_ = type_ or DEFAULT
        identifying = self.reader.get_identifying(base)
        last = get_last(SEPARATORS.split(fold_name(base)))
        form = ("short" if type_ == SHORT else "capitals") if is_short(base) else ""
        known = None if last and type_ in PRISONS else self.pools.get_known(type_)
        name = self._pick_from(
            known or self.pools.like(type_, form, last),
            fold_name(base),
            scope,
            lambda name: not shows(identifying, self.reader.get_identifying(name)),
        )
        if form == "short":
            name = self.reader.get_short(name) or name
        new = genitive(base, ending, _like(base, LEGAL.sub("", name)))
        return new + (legal[0] if legal else "")

    # Of several words

    def _shorten(self, text: str) -> str:
        """Leave the county and the office out of what any county or the whole country has one of:
        `Smittskyddet` of `Smittskydd Dalarna`; "" if it is nothing of the kind."""
        first, *rest = SEPARATORS.split(text)
        whole = self.reader.is_nationwide(fold_name(first))
        counties = {word for word in rest if self.locations.find(word) in self.locations.kept}
        others = [word for word in rest if word not in counties]
        if not rest or not (whole or counties and self.reader.is_kind(first)):
            return ""
        for word in others:
            is_part = whole and word.islower() and self._find_head(word)
            if not (is_part or self.reader.is_kind(word)):
                return ""
        if whole:
            return first.removesuffix("s") if is_definite(first.lower()[:-1]) else first
        forms = (first + ending for ending in ("", "en", "n", "et"))
        definite = (f for f in forms if is_definite(f.lower()) and self._find_head(fold(f)))
        return next(definite, first)

    def _replace_within(self, text: str, scope: Scope) -> str | None:
        """Replace the listed organisations, places and numbers in a name of several words, if
        nothing else in it names anybody."""
        words = GAPS.split(text)
        out: list[str] = []
        old, other = [], []  # what has changed
        i = companies = 0
        while i < len(words):
            end, new = self._replace_longest(words, i, scope)
            part = "".join(words[i:end])
            if new is None and not companies:
                return None
            # A company may be listed by its parts: `ICA`, `Maxi`.
            own = part != new and not self.locations.find(part) and not NUMBER.match(part)
            if part != new:
                old.append(part)
            # `Attendo Kvixgården` is one of a chain.
            if new is not None and not (own and companies):
                out += [new, *words[end : end + 1]]
                other += [new] * (part != new)
            companies += own
            i = end + 1
        changed = "".join(out).rstrip()
        if fold(changed) == fold(text) or self.is_kin(text, changed):
            return None
        identifying = map(self.reader.get_identifying, (" ".join(old), " ".join(other)))
        return None if shows(*identifying) else changed

    def _replace_longest(
        self, words: Sequence[str], start: int, scope: Scope
    ) -> tuple[int, str | None]:
        """Replace the longest part from a word on that can be read; every second word is a gap."""
        for end in range(len(words), start, -2):
            part = "".join(words[start:end])
            if end > start + 1 and self.reader.is_unit(fold_name(part)):
                return end, part
            if end - start < len(words):
                following = fold("".join(words[end + 1 : end + 2]))
                new = self._replace_part(part, scope, following)
                if new is not None:
                    return end, new
        word = words[start]
        quarter = self.quarters.get(fold(word)) if start else None
        if quarter:
            new = scope.ledger.pick("quarter of a town", word, quarter)
            return start + 1, like_case(word, new)
        number = NUMBER.fullmatch(word)
        if number:
            return start + 1, _change_number(number["digits"], scope) + number["rest"]
        return start + 1, word if self.reader.is_kind(word) else None

    def _replace_part(self, part: str, scope: Scope, following: str = "") -> str | None:
        folded = fold_name(part)
        if self.reader.names_nobody(folded):
            return None
        row = self.reader.find(folded)
        place = self.locations.find(part)
        # `Vårdcentralen Huddinge`: the place, not the hospital that is called by it.
        if row and not self.reader.is_local(row) and not (place and row.get("ambiguous")):
            # `LSS-enheten Ale kommun`
            of_place = any(map(self.locations.find, GAPS.split(part)[1:]))
            several = of_place and not self.locations.institutions.find(part)
            within = self._replace_within(part, scope) if several else None
            return within or self._pick(part, row, scope)
        if place:
            ending = part[len(place) :] if len(folded) == len(part) else ""
            name = self.locations.choose(place, scope)
            head = self._find_head(following)
            owned = head and (get_family(head.type) in POSSESSED or head.text == STATION)
            if following and (ending or owned and len(following) >= MIN_END):
                # `Hjo kommun`, but `Kungälvs kommun`.
                ending = "" if fold(name)[-1] in NO_GENITIVE else "s"
            return genitive(part, ending, like_case(part, name))
        return None

    def _replace_listed(self, word: str, first: bool, scope: Scope) -> str | None:
        """Replace a word of a name if it is a listed organisation, or a place that is not what the
        name begins with."""
        if not first and self.locations.find(word):
            return self._replace_part(word, scope)
        row = self.reader.find(fold_name(word))
        return self._replace_part(word, scope) if row and not self.reader.is_local(row) else None

    def _replace_compound(self, text: str, scope: Scope) -> str | None:
        """`Pfizersprutan`, `ICA-kassan`: the organisation in front is replaced."""
        folded = fold_name(text)
        if len(folded) != len(text):
            return None
        for end in range(min(len(folded) - 2, self.reader.longest), 2, -1):
            row = self.reader.find(folded[:end])
            rest = text[end:]
            if rest[0] != "-" and (end < 4 or len(rest) < 4):
                continue
            if row and not self.reader.is_local(row):
                name = self._pick(text[:end], row, scope, one_word=True)
                if rest[0] == "s" and name.casefold().endswith("s"):
                    rest = rest[1:]
                return f"{name}{rest}"
        return None


def _get_most_alike(text: str, names: Sequence[str]) -> list[str]:
    """The names that are put together most like another one: `Lunds lasarett`, `CLV Växjö`."""

    def get_form(name: str) -> tuple[str, bool, int]:
        first, *rest = SEPARATORS.split(fold_name(name))
        return get_last((first, *rest)), first.endswith("s"), len(rest)

    form = get_form(text)
    scores = {name: sum(a == b for a, b in zip(form, get_form(name))) for name in names}
    return [name for name in names if scores[name] == max(scores.values())]


def _decline(word: str, ending: str, name: str) -> str:
    """`NCC:s`, but `Volvos`."""
    return genitive(word, ending if name.isupper() else ending.removeprefix(":"), name)


def _change_number(digits: str, scope: Scope) -> str:
    """Another number of as many digits."""
    low = 10 ** (len(digits) - 1)
    number = int(digits) - low
    if number < 0:
        return scope.digits(digits, "ward")
    return str(low + next(scope.cycle(9 * low, number, "ward")))


def _like(original: str, name: str) -> str:
    """Case a name like the original, but do not shout one for an abbreviation."""
    if original.isupper() and len(original) <= 4:
        return name
    return like_case(original, name)
