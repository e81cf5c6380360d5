"""Writing mentions of people with other names."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from ...text.casing import SIBILANTS, fold, genitive, like_case
from ..core.pools import Pool
from ..core.scope import Scope
from .name_forms import WORDS, Name, Part
from .people_linker import get_ways
from .profiles import Person
from .spellings import misspell, misspell_like, spell

LETTERS = Pool("ABCDEFGHIJKLMNOPRSTUVWY")
DIGITS = re.compile(r"\d+")
OWNED = re.compile(
    rf"\s+(?:(?:{'|'.join(WORDS['own'])})\s)?(?:{'|'.join(WORDS['owned'])})\b", re.IGNORECASE
)
# A name, by its role and form, and its surrogate.
Chosen = dict[tuple[str, str], str]


def _hides_genitive(part: Part, new: str) -> bool:
    """Whether a name in -s may be in the genitive, which the new one would show."""
    bare = not (part.ending or part.gap or part.role == "initial")
    return bare and part.form.endswith(SIBILANTS) and not fold(new).endswith(SIBILANTS)


class MentionWriter:
    """Writes mentions with the names that were chosen. A name that is spelled in several ways is so
    again, each time in another one: `inte Zeyneb, utan Zeynep`."""

    def __init__(self, people: Sequence[Person], names: Sequence[Name], scope: Scope) -> None:
        self.people = people
        self.scope = scope
        # How each name is written, and how often.
        self._written: dict[str, Counter[str]] = defaultdict(Counter)
        for name in names if scope.whole else ():
            for part in name.parts:
                self._written[part.form][fold(part.word)] += 1

    def write(self, name: Name, after: str, chosen: Chosen, owns: bool = False) -> str:
        """Write a mention. If somebody stands right behind it whom it owns, a name in -s is in the genitive."""
        parts = name.parts
        if not parts:
            return self._write_digits(name.text)
        initials = iter(self._get_initials(name, chosen))
        out: list[str] = []
        position = 0
        for part, surrogate in self._pair(name, chosen):
            ahead = self._write_digits(name.text[position : part.start])
            position = part.end + len(part.ending)
            if part.role == "initial":
                surrogate = "".join(next(initials) for _ in part.form)
                surrogate = surrogate.lower() if part.word.islower() else surrogate
            elif not surrogate:
                # Of a double name that became a single one nothing is left here.
                continue
            else:
                surrogate = like_case(part.word, self._respell(part, surrogate))
                surrogate = spell(surrogate, part.gap) if part.gap else surrogate
                owned = part is not parts[-1] and OWNED.match(name.text, part.end)
                hides = owned and _hides_genitive(part, surrogate)
                surrogate = genitive(part.word, part.ending or "s" * bool(hides), surrogate)
            out += [ahead, surrogate]
        text, rest, last = "".join(out), name.text[position:], parts[-1]
        # Also the genitive of a name in -s, which shows where the new one ends on something else.
        is_owner = not rest and (owns or OWNED.match(after) is not None)
        if _hides_genitive(last, text) and (rest in ("'", "’") or is_owner):
            return genitive(last.word, "s", text)
        return text + self._write_digits(rest)

    def _respell(self, part: Part, surrogate: str) -> str:
        """Misspell a surrogate where the name stands beside its right spelling, or one more frequent."""
        written, spelled = self._written[part.form], fold(part.word)
        if part.role == "initial" or len(written) < 2 or spelled == part.form:
            return surrogate
        right = part.form if part.form in written else min(written, key=lambda w: (-written[w], w))
        new = {right: surrogate}
        for wrong in sorted(written.keys() - {right}):
            slips = misspell(surrogate)
            start = self.scope.number(len(slips) or 1, "slip", part.form, wrong)
            slips = [*misspell_like(surrogate, right, wrong), *slips[start:], *slips[:start]]
            unused = (slip for slip in slips if slip not in new.values())
            is_original = self.scope.ledger.is_original
            new[wrong] = next((slip for slip in unused if not is_original(fold(slip))), surrogate)
        return new[spelled]

    @staticmethod
    def _pair(name: Name, chosen: Chosen) -> Iterator[tuple[Part, str]]:
        """The parts of a mention and their surrogates; "" for initials and what falls away."""
        for unit in name.units:
            if unit[0].role == "first" and len(unit) > 1:
                double = chosen["first", "-".join(part.form for part in unit)].split("-")
                for i, part in enumerate(unit):
                    yield part, double[i] if i < len(double) else ""
                continue
            for part in unit:
                yield part, "" if part.role == "initial" else chosen[part.role, part.form]

    def _write_digits(self, text: str) -> str:
        return DIGITS.sub(lambda match: self.scope.digits(match[0], "person"), text)

    # Initials

    def _get_initials(self, name: Name, chosen: Chosen) -> list[str]:
        """The new initials of a mention: those of the person's new names, else letters by key."""
        letters = [letter for form in name.forms("initial") for letter in form]
        # `Oskar F`: the surname of Oskar. `Dr F` has one, too.
        has_first = bool(name.forms("first"))
        surname_only = has_first or name.kind in ("title", "role", "honorific")
        roles = ("surname", "first") if surname_only or len(letters) > 1 else ("first", "surname")
        new: list[str] = []
        used: set[tuple[str, str]] = set()
        known = False
        for k, letter in enumerate(letters):
            if len(letters) > 1 and not has_first:
                roles = ("first", "surname") if k + 1 < len(letters) else ("surname", "first")
            fits = [
                (role, form)
                for role in roles
                for other, form in chosen
                if other == role and form[0] == letter and "-" not in form
            ]
            # In `BB` the one is of Bengt, the other of Berg.
            fit = next((key for key in fits if key not in used), fits[0] if fits else None)
            if fit:
                used.add(fit)
            letter_of = chosen[fit][:1].upper() if fit else ""
            by_name = letter_of if letter_of and fold(letter_of) != letter else ""
            known = known or bool(by_name)
            new.append(by_name or self.scope.ledger.pick("initial", letter, LETTERS))
        if not known and len(new) > 1 and self.scope.whole:
            # Letters by key are not those of anybody in the conversation.
            ahead = fold("".join(new[:-1]))
            new[-1] = self.scope.ledger.pick(
                "last initial",
                "".join(letters),
                LETTERS,
                lambda c: fold(c) != letters[-1] and ahead + fold(c) not in self._ways,
            )
        return new

    @cached_property
    def _ways(self) -> set[str]:
        return set().union(*map(get_ways, self.people))
