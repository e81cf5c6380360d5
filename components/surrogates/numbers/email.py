"""Surrogates of e-mail addresses."""

import re
from collections.abc import Sequence
from itertools import count

from ...text.casing import fold, like_case, to_ascii
from ...text.validators import LINE_END
from ..core.pools import Pool
from ..core.replacer import Replacer
from ..core.scope import Mention, Scope
from ..people.person import LETTERS, Known, PersonSurrogates

# Reserved for examples (RFC 2606).
DOMAINS = Pool(
    [f"example.{end}" for end in ("com", "org", "net")]
    + [f"{host}.example" for host in ("mail", "post", "epost", "webb", "brev", "inkorg")]
)
# Words that stand for nobody, in groups that may stand for one another.
FUNCTION_GROUPS = (
    "info kontakt post kansli kansliet reception receptionen hej expedition expeditionen registrator brevlada office kontoret mail epost",
    "support kundtjanst kundservice service helpdesk hjalp",
    "bokning boka tidbokning bokningen reservation ombokning",
    "faktura order ekonomi fakturor redovisning inkop leveransavisering",
    "admin webmaster postmaster drift system it",
    "personal hr rekrytering jobb bemanning lon",
    "noreply ejsvar svarainte donotreply autosvar avisering notis",
    "press media redaktion redaktionen nyhetsbrev kommunikation marknad",
    "styrelsen ordforande kassor sekreterare styrelse valberedning medlem",
    "dataskydd gdpr dpo arkiv diarium juridik",
    "vc hc vardcentral vardcentralen mottagning mottagningen halsocentral halsocentralen",
    "bvc mvc bmm barnhalsan modravarden bumm",
    "rehab fysio arbetsterapi sjukgymnastik dietist logoped",
    "remiss remisser blodgivning blodgivare journal journaler provtagning lab intyg recept",
    "klinik kliniken akuten avdelning jour jouren",
    "tandvard ftv tandlakare tandlakarna",
    "skola skolan rektor rektorn elevhalsa elevhalsan skolskoterska syv",
    "forskola forskolan fritids fritidshem",
    "butik butiken shop webbshop kassa lager",
    "hemtjanst hemtjansten boende boendet omsorg omsorgen bistand",
)
FUNCTIONS = Pool(word for group in FUNCTION_GROUPS for word in group.split())
GROUP_OF = {
    word: Pool(group.split(), FUNCTIONS) for group in FUNCTION_GROUPS for word in group.split()
}
# What is written or said in place of a sign.
WORDS = {
    "@": r"at|a|snabel-?\s?a|alfakrull|@",
    ".": r"dot|punkt",
    "_": r"understreck|underscore",
    "-": r"bindestreck|minus",
}
SIGN = re.compile(
    "|".join(
        rf"(?P<{name}>\s{{0,3}}[(\[{{]\s{{0,3}}(?:{words})\s{{0,3}}[)\]}}]\s{{0,3}}"
        rf"|(?<=\w)\s{{1,3}}(?:{words})\s{{1,3}}(?=\w)|\s{{0,3}}{sign}\s{{0,3}})"
        for name, words, sign in (
            ("at", WORDS["@"], "@"),
            ("dot", WORDS["."], "[.,]"),
            ("under", WORDS["_"], "_"),
            ("hyphen", WORDS["-"], "-"),
        )
    ),
    re.IGNORECASE,
)
SIGNS = {"at": "@", "dot": ".", "under": "_", "hyphen": "-"}
MADE = Pool(f"{one}@{other}" for one in FUNCTIONS.members for other in DOMAINS.members)
PIECE = re.compile(r"[^\W\d_]+|\d+")
NOT_LETTERS = re.compile(r"[\W_]+")


class EmailSurrogates(Replacer):
    """Replaces an address by one on a domain reserved for examples. Names in its local part
    become the surrogates that they have elsewhere, initials the initials of those; digits become
    others. An address of a function (`info`, `noreply`, `reception.vc`) stays one. One that is spoken
    (`anna punkt ek snabela …`), or on two lines, is written plainly.

    person (PersonSurrogates): Chooses the names.
    domains (Pool): The domains.
    """

    words = "name"

    def __init__(self, person: PersonSurrogates, domains: Pool = DOMAINS) -> None:
        self.person = person
        self.domains = domains

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        texts = [read_address(mention.text) for mention in mentions]
        writer = EmailWriter(self.person, scope)
        chosen: dict[str, str] = {}
        taken: set[str] = set()
        for address in sorted({*map(fold, texts)}):
            old_local, _, old_domain = address.partition("@")
            local = writer.replace(old_local)
            domain = scope.ledger.pick("domain", old_domain, self.domains)
            new = f"{local}@{domain}"
            for tries in count(1):
                if new not in taken and new not in scope.ledger.originals:
                    break
                new = f"{local}{scope.number(10**6, 'email', address, str(tries))}@{domain}"
            chosen[address] = new
            taken.add(new)
        return [_like_case(text, chosen[fold(text)]) for text in texts]

    def get_identifying(self, text: str) -> str:
        """Get the words in front of the @ that stand for somebody."""
        pieces = map(fold, _get_pieces(read_address(text).partition("@")[0]))
        return " ".join(piece for piece in pieces if piece not in FUNCTIONS.index)

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
        return [fold(read_address(mention.text)) for mention in mentions]


class EmailWriter:
    """Writes the local parts of addresses with the names that the people of a scope have."""

    def __init__(self, person: PersonSurrogates, scope: Scope) -> None:
        self.person = person
        self.scope = scope
        # By their letters in addresses, and by initial and role.
        self.names: dict[str, Known] = {}
        self.initials: dict[tuple[str, str], Known] = {}
        people = scope.mentions.get("PERSON", ())
        for name in person.read([mention.text for mention in people]):
            for role in ("first", "surname"):
                for form in name.forms(role):
                    letters = to_ascii(form)
                    self.names.setdefault(letters, (role, form))
                    self.initials.setdefault((letters[:1], role), (role, form))

    def replace(self, local: str) -> str:
        """Write another local part."""
        whole = NOT_LETTERS.sub("", local)
        if whole in FUNCTIONS.index:
            # `no-reply`
            return self._replace_function(whole)
        written = iter([self._replace_piece(i, p) for i, p in enumerate(_get_pieces(local))])
        return PIECE.sub(
            lambda match: (
                self.scope.digits(match[0], "email") if match[0].isdecimal() else next(written)
            ),
            local,
        )

    def _replace_function(self, word: str) -> str:
        """Another function of the same sort."""
        return self.scope.ledger.pick("function", word, GROUP_OF[word])

    def _replace_piece(self, i: int, piece: str) -> str:
        key = to_ascii(piece) or piece
        role = "surname" if i else "first"
        if piece in FUNCTIONS.index:
            return self._replace_function(piece)
        if len(key) == 1:
            initial = self.initials.get((key, role))
            if initial is None:
                return self.scope.ledger.pick("initial", key, LETTERS).lower()
            return self._choose(initial)[0]
        # The name, or the one that a pet name stands for.
        whole = (key, *map(to_ascii, self.person.reader.nicks.get(key, ())))
        mentioned = next((self.names[name] for name in whole if name in self.names), None)
        return self._choose(mentioned or self.person.ascii.get(key) or (role, piece))

    def _choose(self, known: Known) -> str:
        return to_ascii(self.person.get_name(*known, self.scope))


def read_address(text: str) -> str:
    """Read an e-mail address, in which signs may be words, and which may be on two lines."""
    return SIGN.sub(lambda match: SIGNS[str(match.lastgroup)], LINE_END.sub("", text, count=1))


def _like_case(old: str, new: str) -> str:
    """An address in the case of another one, piece by piece: `Eva.Berg@`."""
    if old.isupper():
        return new.upper()
    pieces = iter(PIECE.findall(old))
    return PIECE.sub(lambda match: like_case(next(pieces, ""), match[0]), new)


def _get_pieces(local: str) -> list[str]:
    return [piece for piece in PIECE.findall(local) if not piece.isdecimal()]
