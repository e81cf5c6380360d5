"""Names: of people of the conversation, and such as people bear."""

import pytest

from lab.surrogate_checks.people import (
    check_double_names,
    check_eras,
    check_initials,
    check_nicknames,
    check_rare_names,
    check_spelled_out,
)
from lab.tests.surrogate_checks.talks import tell


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("Eva Ekberg > Maria Dahl; EE > MD", (1, 0)),
        ("Eva Ekberg > Maria Dahl; EE > KL", (1, 1)),
        ("Eva Ekberg > Maria Dahl; E.E. > M.D.", (1, 0)),
        ("Eva Ekberg > Maria Dahl; E > M", (1, 0)),
        ("Eva Ekberg > Maria Dahl; E > L", (1, 1)),
        ("dr Eva > dr Maria; e > m", (1, 0)),
        # Of two that it fits, either.
        ("Eva > Maria; Ernfrid > Lars; E > L", (1, 0)),
        # Of nobody that is known
        ("Eva Ekberg > Maria Dahl; KL > XY", (0, 0)),
        ("Bo > Lo; Eva > Maria", (0, 0)),
        ("Anna-Lisa Ek > Britt-Marie Dahl; A-L E > B-M D", (1, 0)),
        ("Anna-Lisa Ek > Britt-Marie Dahl; A-L E > T-O B", (1, 1)),
    ],
)
def test_initials(pairs, counts):
    assert tell(check_initials, pairs) == counts


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("Anna-Lisa > Britt-Marie", (1, 0)),
        ("Ann-Eva > Anna-Lisas", (1, 0)),
        ("Eva > Ragnar-Kevin", (1, 1)),
        ("EVA-LISA > LISA-MARIA", (1, 1)),
        ("Eva Ek > Anna Ekberg-Dahl", (0, 0)),
        ("Eva-Lisa > Maria", (0, 0)),
    ],
)
def test_double_names(pairs, counts):
    assert tell(check_double_names, pairs) == counts


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("Joakim > Henrik; Jocke > Henke", (1, 0)),
        ("Joakim Ek > Henrik Dahl; bror Jockes > bror Henkes", (1, 0)),
        ("Joakim > Henrik; Jocke > Henrik", (1, 1)),
        ("Joakim > Henrik; Jocke > Lasse", (1, 1)),
        ("Lars > Henrik; Jocke > Ragge", (0, 0)),
    ],
)
def test_nicknames(pairs, counts):
    assert tell(check_nicknames, pairs) == counts


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("E-v-a > L-i-s-a", (1, 0)),
        ("K A R I N > L A R S", (1, 0)),
        ("K-a-r-i-n > Q-x-p-w-z", (1, 1)),
        ("K-a-r-i-n > Maria", (1, 1)),
        # No list has it, but somebody of the conversation.
        ("Wrona > Zielak; W-r-o-n-a > Z-i-e-l-a-k", (1, 0)),
        # Initials
        ("P-L Ö > T-O B", (0, 0)),
        ("A.B.C. > D.E.F.", (0, 0)),
        ("Eva > Lisa", (0, 0)),
    ],
)
def test_spelled_out(pairs, counts):
    assert tell(check_spelled_out, pairs) == counts


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("Eva > Lars", (1, 0)),
        ("Kevin > Ernfrid", (1, 1)),
        ("Kevin Ek > Lars Dahl", (2, 0)),
        ("Kevin > Zbigniew", (0, 0)),
        # Rare but for short, rare but in a double name
        ("Eva > Puck", (0, 0)),
        ("Eva > Britt-Ernfrid", (0, 0)),
        ("Eva > Lars Ernfrid", (2, 1)),
        # Spelled in another way, as the original is; in the genitive; initials
        ("Eva > Ernfrid; Ewa > Ernfryd", (1, 1)),
        ("Ek > Dahl; Eck > Dahll", (2, 0)),
        ("Ek > Dahl; Bååth > Dahll", (2, 1)),
        ("EK > PU", (0, 0)),
    ],
)
def test_rare_names(pairs, counts):
    assert tell(check_rare_names, pairs) == counts


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("Eva > Lars", (1, 0)),
        ("Kevin > Ernfrid", (1, 1)),
        # It came back.
        ("Kevin > Ragnar", (1, 0)),
        ("Ernfrid Ek > mamma Ragnar", (1, 0)),
        ("Eva > Maria", (0, 0)),
        ("Ek > Dahl", (0, 0)),
        # A double name has years of its own, a nickname those of the name.
        ("Eva > Britt-Marie", (1, 0)),
        ("Kevin > Britt-Marie", (1, 1)),
        ("Joakim > Lars; Jocke > Ernfrid", (1, 0)),
    ],
)
def test_eras(pairs, counts):
    assert tell(check_eras, pairs) == counts
