"""Surrogates of e-mail addresses."""

import re
from collections.abc import Sequence

from .casing import fold, to_ascii
from .keyed import Mention, Pool, Scope
from .person import LETTERS, PersonSurrogates

# Reserved for examples (RFC 2606).
DOMAINS = Pool(
    [f"example.{end}" for end in ("com", "org", "net")]
    + [f"{host}.example" for host in ("mail", "post", "epost", "webb", "brev", "inkorg")]
)
PIECE = re.compile(r"[^\W\d_]+|\d+")


class EmailSurrogates:
    """Replaces an address by one on a domain reserved for examples. Names in its local part
    become the surrogates that those names have in the message, digits other digits.

    person (PersonSurrogates): Chooses the names.
    """

    def __init__(self, person: PersonSurrogates) -> None:
        self.person = person

    def surrogates(
        self, mentions: Sequence[Mention], scope: Scope, people: Sequence[Mention] = ()
    ) -> list[str]:
        """Replace the mentions of a message.

        mentions (Sequence[Mention]): The mentions.
        scope (Scope): The conversation or message.
        people (Sequence[Mention]): The mentions of people in the message.
        RETURNS (list[str]): Their surrogates.
        """
        names: dict[str, tuple[str, str]] = {}
        for name in self.person.read([mention.text for mention in people]):
            for role in ("first", "surname"):
                for form in name.forms(role):
                    names.setdefault(to_ascii(form), (role, form))
        chosen: dict[str, str] = {}
        for mention in mentions:
            address = fold(mention.text)
            if address not in chosen:
                new = self._replace(address, names, scope)
                while new in chosen.values() or new in scope.originals:
                    local, _, domain = new.partition("@")
                    new = f"{local}{scope.number(90, 'email', new) + 10}@{domain}"
                chosen[address] = new
        out = []
        for mention in mentions:
            new = chosen[fold(mention.text)]
            letters = [c for c in mention.text if c.isalpha()]
            if letters and all(c.isupper() for c in letters):
                new = new.upper()
            elif mention.text[:1].isupper():
                new = new[:1].upper() + new[1:]
            out.append(new)
        return out

    def identities(self, mentions: Sequence[Mention], conversation: bool) -> list[str]:
        """Tell which mentions are the same address.

        mentions (Sequence[Mention]): The mentions of a message.
        conversation (bool): Whether the names are to hold for other messages, too.
        RETURNS (list[str]): A name for each mention, the same for the same address.
        """
        return [fold(mention.text) for mention in mentions]

    def _replace(self, address: str, names: dict[str, tuple[str, str]], scope: Scope) -> str:
        local, _, domain = address.partition("@")
        pieces = [match[0] for match in PIECE.finditer(local) if not match[0].isdecimal()]
        written = iter([self._piece(i, piece, names, scope) for i, piece in enumerate(pieces)])
        new = PIECE.sub(
            lambda m: scope.digits(m[0], "email") if m[0].isdecimal() else next(written), local
        )
        return f"{new}@{scope.pick('domain', domain, DOMAINS)}"

    def _piece(self, i: int, piece: str, names: dict[str, tuple[str, str]], scope: Scope) -> str:
        key = to_ascii(piece) or piece
        if len(key) == 1:
            fits = [name for known, name in names.items() if known.startswith(key)]
            if fits:
                return to_ascii(self.person.choose(*fits[0], scope))[0]
            return scope.pick("initial", key, LETTERS).lower()
        found = names.get(key) or self.person.ascii.get(key)
        if found is None:
            # `annaberg`
            for cut in range(len(key) - 2, 1, -1):
                both = [names.get(k) or self.person.ascii.get(k) for k in (key[:cut], key[cut:])]
                if both[0] and both[1] and both[0][0] == "first":
                    return "".join(to_ascii(self.person.choose(*name, scope)) for name in both)
        role, form = found or ("surname" if i else "first", piece)
        return to_ascii(self.person.choose(role, form, scope))
