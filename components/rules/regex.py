"""Regexes that ignore case, run by PCRE2, whose compiled code takes a fifth of the time of `re`."""

import re
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any

import pcre2

from .literals import get_literals

# Sets of literals: a text must hold at least one of each.
Required = Sequence[Collection[str]]
# Where the two agree on what is a letter, a digit and a blank, whichever version of Unicode they know:
# Latin letters, punctuation, symbols and emoji; not separators of fields, ties, marks, dotless i.
AGREED = re.compile(
    "[\x00-\x1b\x20-\u012f\u0132-\u02ff\u2010-\u203e\u2041-\u2053\u2055-\u205f\u2070-\u20cf"
    "\u2100-\u2bff\U0001f000-\U0001faff]*"
)
# Both mean the end of the text.
ABSOLUTE_END = re.compile(r"(?<!\\)((?:\\\\)*)\\Z")
ESCAPED_END = r"\1\\z"
# So many steps a `BoundedRegex` may take from where it begins to match.
MOST_STEPS = 1_000_000


class Regex:
    """A regex that ignores case, in the syntax of `re`: its group `phi`, if any, is the hit. Its
    literals may have been derived before.

    RAISES (re.error): If it is not a regex.
    """

    def __init__(self, pattern: str, literals: Required | None = None) -> None:
        self.pattern = pattern
        self.literals: Required = get_literals(pattern) if literals is None else literals

    @cached_property
    def _fast(self) -> Any:
        """The regex as PCRE2 compiles it, None if it cannot. Compiled on its first use."""
        try:
            return pcre2.compile(ABSOLUTE_END.sub(ESCAPED_END, self.pattern), pcre2.I, jit=True)
        except (pcre2.LibraryError, pcre2.PatternError):
            return None

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """RETURNS (re.Pattern): The regex as `re` compiles it, on its first use: it takes long."""
        return re.compile(self.pattern, re.IGNORECASE)

    @cached_property
    def group(self) -> str | int:
        """RETURNS (str | int): The group that is the hit."""
        groups = self.compiled.groupindex if self._fast is None else self._fast.groupindex
        return "phi" if "phi" in groups else 0

    def find(self, text: str, agreed: bool) -> list[tuple[int, int]]:
        """Find the hits, which may be empty. `agreed` is what `is_agreed` says of the text."""
        if agreed and self._fast is not None:
            try:
                # Most do not match, and `search` is faster than `finditer`.
                if self._fast.search(text) is None:
                    return []
                return [match.span(self.group) for match in self._fast.finditer(text)]
            except pcre2.LibraryError:
                # On a long text it has less room to go back than `re`.
                pass
        return [match.span(self.group) for match in self.compiled.finditer(text)]

    def __reduce__(self) -> tuple[Any, ...]:
        return Regex, (self.pattern, self.literals)


class RunawayRegexError(RuntimeError):
    """A regex takes too long on a text."""


class BoundedRegex(Regex):
    """A regex of a user. It gives up where it would run away, as `(a+)+b` does on many `a`."""

    def __init__(self, pattern: str, literals: Required | None = None) -> None:
        super().__init__(pattern, literals)
        self._jitted  # noqa: B018

    @cached_property
    def _jitted(self) -> Any:
        return self._compile(True)

    @cached_property
    def _plain(self) -> Any:
        return self._compile(False)

    def _compile(self, jit: bool) -> Any:
        pattern = f"(*LIMIT_MATCH={MOST_STEPS}){ABSOLUTE_END.sub(ESCAPED_END, self.pattern)}"
        try:
            return pcre2.compile(pattern, pcre2.I, jit=jit)
        except (pcre2.LibraryError, pcre2.PatternError) as error:
            raise re.error(str(error)) from None

    def find(self, text: str, agreed: bool) -> list[tuple[int, int]]:
        """Find the hits in any text, or raise RunawayRegexError."""
        try:
            return self._find(self._jitted, text)
        except pcre2.LibraryError:
            # Compiled code has less room to go back, which may be the only reason.
            pass
        try:
            return self._find(self._plain, text)
        except pcre2.LibraryError:
            raise RunawayRegexError("a regex takes too long") from None

    def _find(self, regex: Any, text: str) -> list[tuple[int, int]]:
        group = "phi" if "phi" in regex.groupindex else 0
        return [match.span(group) for match in regex.finditer(text)]

    def __reduce__(self) -> tuple[Any, ...]:
        return BoundedRegex, (self.pattern, self.literals)


def is_agreed(text: str) -> bool:
    """Whether PCRE2 and `re` mean the same by each character of a text."""
    return AGREED.fullmatch(text) is not None
