"""Telling which words of a mention are first names, surnames and initials."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from .name_forms import LONGEST_INITIALS, Name, Part, looks_like_surname

Rows = Mapping[str, Mapping[str, str]]

VOWELS = frozenset("aeiouyåäö")
SURNAME_FIRST = frozenset(("vi", "zh", "ko"))  # origins of names that begin with the surname


class Roles:
    """Assigns the roles of names in mentions of people, by the listed names, folded."""

    def __init__(self, first: Rows, surnames: Rows, nicks: Collection[str]) -> None:
        self.first, self.surnames, self.nicks = first, surnames, nicks
        # The names that are written as such.
        self._written: set[str] = set()

    def assign(self, names: Sequence[Name]) -> None:
        """Assign the roles in a message or a conversation, all at once: a name that one mention
        makes plain helps to read the others."""
        parts = chain.from_iterable(name.parts for name in names)
        self._written = {part.form for part in parts if part.gap or not part.word.isupper()}
        roles: dict[str, str] = {}
        for name in sorted(names, key=lambda name: (-len(name.units), not name.kind)):
            self._assign(name, roles)

    def _is_first(self, unit: Sequence[Part]) -> bool:
        return any(part.form in self.first or part.form in self.nicks for part in unit)

    def _is_surname(self, unit: Sequence[Part]) -> bool:
        return any(part.form in self.surnames or part.has_particle for part in unit)

    def _is_only_surname(self, unit: Sequence[Part]) -> bool:
        return self._is_surname(unit) and not self._is_first(unit)

    def _assign(self, name: Name, roles: dict[str, str]) -> None:
        # What is spelled out besides has the role of the name.
        said = [unit[0].form for unit in name.units if not unit[0].gap]
        units = [unit for unit in name.units if not (unit[0].gap and unit[0].form in said)]
        whole: list[str] = []
        for i, unit in enumerate(units):
            if self._is_initials(unit, name):
                whole.append("initial")
            elif name.comma is not None:
                whole.append("surname" if i < name.comma else "first")
            elif name.role and (name.role == "first" or not self._is_first(unit)):
                whole.append(name.role)
            elif len(units) == 1:
                whole.append(self._role_alone(unit, name, roles))
            else:
                whole.append(self._role_among(i, units))
        if len(units) > 1 and self._is_reversed(units):
            whole = ["surname"] + ["first"] * (len(units) - 1)
        for unit, role in zip(units, whole):
            for part in unit:
                part.role = role
                if role != "initial":
                    roles.setdefault(part.form, role)
        for unit in name.units:
            for part in unit:
                part.role = part.role or roles.get(part.form, "surname")

    def _is_initials(self, unit: Sequence[Part], name: Name) -> bool:
        if all(len(part.word) == 1 and not part.ending for part in unit):
            return True
        word, form = unit[0].word, unit[0].form
        if len(name.units) != 1 or len(unit) != 1 or len(word) > LONGEST_INITIALS or unit[0].gap:
            return False
        if len(word) < LONGEST_INITIALS and word.isupper():
            # `LE` is rather Lars Erik than somebody called Le.
            return form not in self.first and form not in self._written
        letters = word.isupper() or (word.islower() and VOWELS.isdisjoint(word))
        return letters and not (self._is_first(unit) or form in self.surnames)

    def _is_reversed(self, units: Sequence[Sequence[Part]]) -> bool:
        first, last = units[0], units[-1]
        rows = (names.get(first[0].form) for names in (self.surnames, self.first))
        origins = [row["origin"] for row in rows if row]
        if origins and SURNAME_FIRST.issuperset(origins) and first[0].form in self.surnames:
            # `Nguyen Thi Lan`, but `Ling Berg`.
            is_surname = self._is_surname(last) or looks_like_surname(last[-1].form)
            return self._is_first(last) or not is_surname
        return self._is_only_surname(first) and self._is_first(last) and not self._is_surname(last)

    def _role_among(self, i: int, units: Sequence[Sequence[Part]]) -> str:
        unit = units[i]
        if i == 0:
            # Two surnames are `Nyström Haddad`, and `Nyström G` has but one.
            behind = units[1:] if len(units) == 2 and self._is_only_surname(unit) else []
            if any(len(one[0].word) == 1 or self._is_only_surname(one) for one in behind):
                return "surname"
            return "first"
        first, surname = self._is_first(unit), self._is_surname(unit)
        if i + 1 == len(units):
            return "first" if first and not surname else "surname"
        surname = surname or looks_like_surname(unit[-1].form)
        return "surname" if surname and not first else "first"

    def _role_alone(self, unit: Sequence[Part], name: Name, roles: Mapping[str, str]) -> str:
        if unit[0].form in roles:
            return roles[unit[0].form]
        first, surname = self._is_first(unit), self._is_surname(unit)
        if unit[0].has_particle or unit[-1].ending not in ("", "s", "S"):
            return "surname"
        formal = name.kind in ("honorific", "family")
        if first and surname:
            return "surname" if formal else "first"
        if first or surname:
            return "first" if first else "surname"
        if name.kind == "kin":
            return "first"
        if unit[0].gap:
            # Who spells out rather spells the surname.
            return "surname"
        formal = formal or name.kind == "title"
        return "surname" if formal or looks_like_surname(unit[-1].form) else "first"
