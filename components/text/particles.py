"""The particles of surnames: `af Klint`, `de la Cruz`, `bin Saleh`."""

ARABIC = frozenset(("abd", "abu", "al", "bin", "bint", "el", "ibn", "ul"))
# In front of a name these are often words of their own: `du Anna`, `dos`, `el` for `eller`.
WORDS = frozenset(
    ("av", "da", "de", "del", "den", "der", "di", "dos", "du", "el", "la", "le", "ul")
)
PARTICLES = ARABIC | WORDS | {"af", "van", "von"}
