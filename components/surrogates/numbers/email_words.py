"""What in an e-mail address is of no person: functions, organisations, places, and domains."""

import re
from collections.abc import Mapping
from functools import cached_property

from ...shared.words import read_words
from ...text.casing import fold, to_ascii
from ..core.pools import Pool
from ..core.scope import Scope
from ..organisations.generic_names import GenericNames
from ..organisations.organisation import LEGAL, OrganisationSurrogates

# Reserved for examples (RFC 2606).
DOMAINS = Pool(
    [f"example.{end}" for end in ("com", "org", "net")]
    + [f"{host}.example" for host in ("mail", "post", "epost", "webb", "brev", "inkorg")]
)
GROUPS = read_words(__file__, "email.txt")
HOSTS = frozenset(GROUPS.pop("hosts"))
FUNCTIONS = Pool(word for group in GROUPS.values() for word in group)
GROUP_OF = {word: Pool(group, FUNCTIONS) for group in GROUPS.values() for word in group}
MIN_PART = 4  # a shorter piece is no organisation or place
NOT_LETTERS = re.compile(r"[\W_]+")


class EmailWords:
    """Replaces what in an address is of no person."""

    def __init__(
        self, organisations: OrganisationSurrogates | None = None, domains: Pool = DOMAINS
    ) -> None:
        self.organisations = organisations
        self.domains = domains
        self._generic = GenericNames()

    @cached_property
    def _places(self) -> dict[str, str]:
        """The listed places as they are written in addresses."""
        names = self.organisations.locations.places.folded if self.organisations else ()
        return {to_ascii(name): name for name in names if len(name) >= MIN_PART}

    @cached_property
    def _listed(self) -> dict[str, str]:
        """The listed organisations as they are written in addresses."""
        rows = self.organisations.reader.rows.values() if self.organisations else ()
        names = (row["name"] for row in rows)
        return {to_ascii(name): name for name in names if len(name) >= MIN_PART}

    @cached_property
    def _units(self) -> frozenset[str]:
        units = self.organisations.reader.units if self.organisations else ()
        return frozenset(map(to_ascii, units))

    def get_mentioned(self, scope: Scope) -> dict[str, str]:
        """Get the surrogates of the mentioned organisations, both as they are written in addresses;
        none where other messages may know of more."""
        mentions = scope.mentions.get("ORGANISATION", ())
        if not self.organisations or not scope.whole or not mentions:
            return {}
        new = self.organisations.surrogates(mentions, scope)
        # `Kvists Bageri AB` is `kvistsbageri`.
        names = ((LEGAL.sub("", m.text), LEGAL.sub("", text)) for m, text in zip(mentions, new))
        pairs = ((to_ascii(old), to_ascii(other)) for old, other in names)
        return {old: other for old, other in pairs if len(old) >= MIN_PART and other}

    def is_function(self, word: str) -> bool:
        """Whether a word of an address is a function, and nobody's name."""
        return word in FUNCTIONS.index or to_ascii(word) in self._units

    def is_kind(self, word: str) -> bool:
        """Whether a word says what an organisation is."""
        return bool(self.organisations and self.organisations.reader.words.find_head(word))

    def replace_function(self, word: str, scope: Scope) -> str:
        """Write another function of the same sort; the same for an institution that any town
        has."""
        if word not in FUNCTIONS.index:
            return word
        return scope.ledger.pick("function", word, GROUP_OF[word])

    def find(self, word: str, scope: Scope, mentioned: Mapping[str, str]) -> str | None:
        """Replace a word that is an organisation or a place; None if it is neither."""
        key = to_ascii(word)
        if key in mentioned:
            return mentioned[key]
        if not self.organisations or len(key) < MIN_PART:
            return None
        if key in self._listed:
            return to_ascii(self.organisations.choose(self._listed[key], scope))
        place = self.organisations.locations.find(self._places.get(key, ""))
        return to_ascii(self.organisations.locations.choose(place, scope)) if place else None

    def make_up(self, word: str, scope: Scope) -> str:
        """Write a name that is nobody's for one that goes with a function."""
        return to_ascii(scope.ledger.pick("generic", word, self._generic.estates))

    def replace_domain(self, domain: str, scope: Scope, mentioned: Mapping[str, str]) -> str:
        """Write another domain, reserved for examples: that of the organisation's surrogate, if it
        names one."""
        labels = domain.split(".")[:-1]
        for label in reversed(labels):
            bare = NOT_LETTERS.sub("", fold(label))
            if bare in HOSTS:
                break
            if new := self.find(bare, scope, mentioned):
                return f"{new}.example"
        return scope.ledger.pick("domain", domain, self.domains)
