"""Telling which words of a mention are first names, surnames and initials."""

from collections.abc import Collection, Mapping, Sequence

from .name_forms import LONGEST_INITIALS, Name, Part, looks_like_surname

Rows = Mapping[str, Mapping[str, str]]

VOWELS = frozenset("aeiouyåäö")
SURNAME_FIRST = frozenset(("vi", "zh", "ko"))  # origins of names that begin with the surname


class Roles:
    """Assigns the roles of names in mentions of people, by the listed names, folded."""

    def __init__(
        self,
        first: Rows,
        surnames: Rows,
        nicks: Collection[str],
    ) -> None:
        self.first = first
        self.surnames = surnames
        self.nicks = nicks
        # The names that are written as such.
        self._written: set[str] = set()

    def assign(self, names: Sequence[Name]) -> None:
        """Assign the roles in a message or a conversation, all at once: a name that one mention
        makes plain helps to read the others."""
        self._written = {
            part.form
            for name in names
            for part in name.parts
            if part.gap or not part.word.isupper()
        }
        roles: dict[str, str] = {}
        for name in sorted(names, key=lambda name: (-len(name.units), not name.kind)):
            self._assign(name, roles)

    def is_first(self, unit: Sequence[Part]) -> bool:
        """Whether a first name or nickname is listed."""
        return any(part.form in self.first or part.form in self.nicks for part in unit)

    def is_surname(self, unit: Sequence[Part]) -> bool:
        """Whether a surname is listed, or has a particle."""
        return any(part.form in self.surnames or part.has_particle for part in unit)

    def _known(self, form: str) -> bool:
        return form in self.first or form in self.surnames or form in self.nicks

    def _is_only_surname(self, unit: Sequence[Part]) -> bool:
        return self.is_surname(unit) and not self.is_first(unit)

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
            elif name.role and (name.role == "first" or not self.is_first(unit)):
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
        return letters and not self._known(form)

    def _is_reversed(self, units: Sequence[Sequence[Part]]) -> bool:
        first, last = units[0], units[-1]
        rows = (names.get(first[0].form) for names in (self.surnames, self.first))
        origins = [row["origin"] for row in rows if row]
        if origins and SURNAME_FIRST.issuperset(origins) and first[0].form in self.surnames:
            # `Nguyen Thi Lan`, but `Ling Berg`.
            is_surname = self.is_surname(last) or looks_like_surname(last[-1].form)
            return self.is_first(last) or not is_surname
        return self._is_only_surname(first) and self.is_first(last) and not self.is_surname(last)

    def _role_among(self, i: int, units: Sequence[Sequence[Part]]) -> str:
        unit = units[i]
        if i == 0:
            # Two surnames are `Nyström Haddad`, and `Nyström G` has but one.
            behind = units[1:] if len(units) == 2 and self._is_only_surname(unit) else []
            if any(len(one[0].word) == 1 or self._is_only_surname(one) for one in behind):
                return "surname"
            return "first"
        if i + 1 == len(units):
            if self.is_first(unit) and not self.is_surname(unit):
                return "first"
            return "surname"
        surname = self.is_surname(unit) or looks_like_surname(unit[-1].form)
        return "surname" if surname and not self.is_first(unit) else "first"

    def _role_alone(self, unit: Sequence[Part], name: Name, roles: Mapping[str, str]) -> str:
        if unit[0].form in roles:
            return roles[unit[0].form]
        first, surname = self.is_first(unit), self.is_surname(unit)
        if unit[0].has_particle:
            return "surname"
        formal = name.kind in ("honorific", "family")
        if unit[-1].ending not in ("", "s", "S"):
            return "surname"
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
