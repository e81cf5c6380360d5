"""Surrogates of e-mail addresses."""

import re
from collections.abc import Sequence
from itertools import count, product

from ...text.casing import fold, like_case, to_ascii
from ..core.pools import Pool
from ..core.replacer import Replacer
from ..core.scope import Mention, Scope
from ..organisations.organisation import OrganisationSurrogates
from ..people.person import LETTERS, PersonSurrogates
from ..time.timeline import BORN, get_timeline
from .email_forms import read_address, write_address
from .email_words import DOMAINS, FUNCTIONS, EmailWords

MADE = Pool(f"{one}@{other}" for one in FUNCTIONS.members for other in DOMAINS.members)
TRIES = 2  # times that two digits are put behind an address that is taken
MOST_NAMES = 8  # first names or surnames of one person that addresses are made of
LONGEST = 80  # a longer piece of an address is not taken apart
PIECE = re.compile(r"[^\W\d_]+|\d+")
NOT_LETTERS = re.compile(r"[\W_]+")
# Years of birth: a year in an address whose owner's birth is not known becomes another of these.
YEARS = range(1935, 2015)
YEAR = re.compile(r"19(?:3[5-9]|[4-9]\d)|200\d|201[0-4]")
MIN_HINT = 3  # a shorter piece is no name
Known = tuple[str, str]  # "first" or "surname", and the folded name


class EmailSurrogates(Replacer):
    """Replaces an address by one on a domain reserved for examples. Names in its local part
    become the surrogates that they have elsewhere, initials the initials of those; a year of
    birth follows what else is known of the birth; other digits become others. An address of a
    function (`info`, `noreply`, `reception.vc`) stays one, and what names an organisation or its
    town follows them, in the domain too. One that is spoken (`anna punkt ek snabela …`), or on two lines,
    stays so.

    person (PersonSurrogates): Chooses the names.
    domains (Pool): The domains.
    organisations (OrganisationSurrogates | None): Chooses the organisations and places.
    """

    def __init__(
        self,
        person: PersonSurrogates,
        domains: Pool = DOMAINS,
        organisations: OrganisationSurrogates | None = None,
    ) -> None:
        self.person = person
        self.email_words = EmailWords(organisations, domains)

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        addresses = [read_address(mention.text) for mention in mentions]
        mentions = [
            mention._replace(text=address.text) for mention, address in zip(mentions, addresses)
        ]
        writer = EmailWriter(self.person, self.email_words, mentions, scope)
        chosen: dict[str, str] = {}
        taken: set[str] = set()
        for address in sorted({fold(mention.text) for mention in mentions}):
            new = writer.replace(address)
            local, _, domain = new.partition("@")
            for tries in count(1):
                if new not in taken and new not in scope.ledger.originals:
                    break
                if tries > TRIES:
                    # Of many functions of one organisation: the number tells them apart at once.
                    new = f"{local}{scope.number(10**6, 'email', address, str(tries))}@{domain}"
                else:
                    mark = scope.number(90, "email", new) + 10
                    new = f"{new.partition('@')[0]}{mark}@{domain}"
            chosen[address] = new
            taken.add(new)
        out = []
        for mention, read in zip(mentions, addresses):
            new = chosen[fold(mention.text)]
            letters = [c for c in mention.text if c.isalpha()]
            if letters and all(c.isupper() for c in letters):
                new = new.upper()
            elif mention.text[:1].isupper():
                # `Eva.Berg@`
                local, at, domain = new.partition("@")
                each = mention.text.partition("@")[0]
                titled = [m[0][0].isupper() for m in PIECE.finditer(each) if m[0].isalpha()]
                new = (local.title() if all(titled) else new[:1].upper() + local[1:]) + at + domain
            out.append(write_address(read, new))
        return out

    words = "name"

    def get_identifying(self, text: str) -> str:
        """Get the words in front of the @ that stand for somebody. An organisation there has its own
        surrogate."""
        pieces = _get_pieces(read_address(text).text.partition("@")[0])
        names = (fold(piece) for piece in pieces if fold(piece) not in FUNCTIONS.index)
        return " ".join(name for name in names if not self.email_words.is_kind(name))

    def _fit(self, word: str, other: str) -> str:
        return like_case(word, to_ascii(other))

    def _get_pool_of(self, word: str) -> Pool | None:
        known = self.person.ascii.get(fold(word))
        if known:
            pools = self.person.chooser
            return (pools.first_pools if known[0] == "first" else pools.surname_pools).of(known[1])
        return FUNCTIONS

    def _get_pool(self) -> Pool:
        return MADE

    def identities(self, mentions: Sequence[Mention]) -> list[str]:
        return [fold(read_address(mention.text).text) for mention in mentions]


class EmailWriter:
    """Writes addresses with the names that the people of a scope have."""

    def __init__(
        self,
        person: PersonSurrogates,
        words: EmailWords,
        mentions: Sequence[Mention],
        scope: Scope,
    ) -> None:
        self.person = person
        self.words = words
        self.scope = scope
        self.mentioned = words.get_mentioned(scope)
        self.birth_years = _get_birth_years(scope)
        # By their letters in addresses.
        self.names: dict[str, Known] = {}
        # First names and surnames that belong together, by how they are written in one (`eberg`,
        # `evab`), and by the one of them and the initial of the other.
        self.couples: dict[str, tuple[Known, Known, bool]] = {}
        self.partners: dict[tuple[str, str], tuple[int, Known]] = {}
        people = scope.mentions.get("PERSON", ())
        for name in person.read([mention.text for mention in people]):
            firsts, surnames = (
                [(role, form) for form in [*dict.fromkeys(name.forms(role))][:MOST_NAMES]]
                for role in ("first", "surname")
            )
            for first, last in product(firsts, surnames):
                self._add_couple(first, last)
            for known in (*firsts, *surnames):
                self.names.setdefault(to_ascii(known[1]), known)
        # What other addresses write out: only good for initials.
        self.hints = dict(self.names)
        for mention in mentions:
            for i, piece in enumerate(_get_pieces(fold(mention.text).partition("@")[0])):
                key = to_ascii(piece)
                if len(key) >= MIN_HINT and not words.is_function(piece):
                    self.hints.setdefault(key, self._find(key) or _guess(i, piece))
        self.initials: dict[tuple[str, str], Known] = {}
        for form, known in self.hints.items():
            for role in (known[0], ""):
                self.initials.setdefault((form[:1], role), known)

    def _add_couple(self, first: Known, last: Known) -> None:
        one, other = to_ascii(first[1]), to_ascii(last[1])
        self.couples.setdefault(one[:1] + other, (first, last, True))
        self.couples.setdefault(one + other[:1], (first, last, False))
        order = len(self.partners)
        self.partners.setdefault((other, one[:1]), (order, first))
        self.partners.setdefault((one, other[:1]), (order, last))

    def replace(self, address: str) -> str:
        """Write another address."""
        local, _, domain = address.partition("@")
        domain = self.words.replace_domain(domain, self.scope, self.mentioned)
        whole = NOT_LETTERS.sub("", local)
        if whole in FUNCTIONS.index:
            # `no-reply`
            return f"{self.words.replace_function(whole, self.scope)}@{domain}"
        pieces = _get_pieces(local)
        functional = any(map(self.words.is_function, pieces))
        written = iter([self._piece(i, pieces, functional) for i in range(len(pieces))])
        new = PIECE.sub(
            lambda match: self._digits(match[0]) if match[0].isdecimal() else next(written), local
        )
        return f"{new}@{domain}"

    def _digits(self, digits: str) -> str:
        moved = self.birth_years.get(int(digits) % 100) if len(digits) in (2, 4) else None
        if moved is not None:
            return str((int(digits) + moved) % 10 ** len(digits)).zfill(len(digits))
        if YEAR.fullmatch(digits):
            first = YEARS.start
            years = self.scope.cycle(len(YEARS), int(digits) - first, "digits", "year")
            return str(first + next(years))
        return self.scope.digits(digits, "email")

    def _piece(self, i: int, pieces: Sequence[str], functional: bool) -> str:
        piece = pieces[i]
        key = to_ascii(piece) or piece
        if self.words.is_function(piece):
            return self.words.replace_function(piece, self.scope)
        if len(key) == 1:
            return self._initial(key, i, pieces)
        known = self._find_mentioned(key)
        if known is None:
            if couple := self.couples.get(key):
                one, other, short = couple
                first, last = self._choose(one), self._choose(other)
                return first[0] + last if short else first + last[0]
            if functional or key in self.mentioned:
                new = self.words.find(piece, self.scope, self.mentioned)
                return new or self.words.make_up(piece, self.scope)
            known = self.person.ascii.get(key)
        if known is None and len(key) <= LONGEST:
            # `annaberg`
            for cut in range(len(key) - 2, 1, -1):
                left, right = self._find(key[:cut]), self._find(key[cut:])
                if left and right and left[0] == "first":
                    return self._choose(left) + self._choose(right)
        return self._choose(known or _guess(i, piece))

    def _initial(self, letter: str, i: int, pieces: Sequence[str]) -> str:
        others = {to_ascii(piece) for piece in pieces if len(piece) > 1}
        partners = (self.partners.get((other, letter)) for other in others)
        partner = min((found for found in partners if found), default=None)
        role = "first" if i == 0 else "surname"
        known = partner[1] if partner else self.initials.get((letter, role))
        known = known or self.initials.get((letter, ""))
        if known:
            return self._choose(known)[0]
        return self.scope.ledger.pick("initial", letter, LETTERS).lower()

    def _find_mentioned(self, key: str) -> Known | None:
        """A name that is mentioned, or the one that a pet name stands for."""
        whole = map(to_ascii, self.person.reader.nicks.get(key, ()))
        return next((self.names[name] for name in (key, *whole) if name in self.names), None)

    def _find(self, key: str) -> Known | None:
        return self._find_mentioned(key) or self.person.ascii.get(key)

    def _choose(self, known: Known) -> str:
        return to_ascii(self.person.get_name(*known, self.scope))


def _get_birth_years(scope: Scope) -> dict[int, int]:
    """By how much the birth years move, by their last two digits; also of those that stand alone."""
    timeline = get_timeline(scope)
    moved = dict(timeline.birth_years)
    for mention in scope.mentions.get("DATE", ()):
        if YEAR.fullmatch(mention.text) and BORN.search(mention.before):
            year = int(mention.text)
            moved.setdefault(year % 100, timeline.move_birth_year(year) - year)
    return moved


def _get_pieces(local: str) -> list[str]:
    return [match[0] for match in PIECE.finditer(local) if not match[0].isdecimal()]


def _guess(i: int, piece: str) -> Known:
    return ("surname" if i else "first"), piece
