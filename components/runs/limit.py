"""How many rows may be rejected."""

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Limit:
    """How many rows may be rejected before the run counts as failed.

    share (Fraction | None): So large a share of all rows.
    """

    share: Fraction | None = None
    number: int | None = None

    @classmethod
    def parse(cls, value: object) -> "Limit":
        """Read a limit: "1%", or a number."""
        text = str(value)
        with suppress(ValueError, ZeroDivisionError):
            if text.endswith("%"):
                share = Fraction(text[:-1]) / 100
                if 0 <= share <= 1:
                    return cls(share=share)
            elif int(text) >= 0:
                return cls(number=int(text))
        raise ValueError(f"{text!r} is no limit: give a share of the rows (1%) or a number (20).")

    def is_passed(self, n_rejected: int, n_rows: int) -> bool:
        """Whether too many rows are rejected."""
        if self.number is not None:
            return n_rejected > self.number
        return n_rejected > (self.share or 0) * n_rows
