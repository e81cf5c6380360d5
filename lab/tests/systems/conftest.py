"""A corpus that can be learnt in seconds."""

import pytest

NAMES = ["Anna", "Karin", "Lena", "Sara", "Nils", "Olof", "Sven", "Erik"]
TOWNS = ["Lund", "Eslöv", "Ystad", "Tomelilla"]


@pytest.fixture(scope="session")
def rows():
    """Forty messages of four forms."""
    made = []
    for i in range(10):
        name, town, age = NAMES[i % len(NAMES)], TOWNS[i % len(TOWNS)], f"{20 + i} år"
        for form, phi in (
            (f"Hej, jag heter {name} Berg", {f"{name} Berg": "PERSON"}),
            (f"Jag är {age} och bor i {town}", {age: "AGE", town: "LOCATION"}),
            (f"Ring {name} på 070-17406{10 + i}", {name: "PERSON", f"070-17406{10 + i}": "PHONE"}),
            ("Det gör ont i ryggen.", {}),
        ):
            spans = [
                {"start": form.index(text), "end": form.index(text) + len(text), "label": label}
                for text, label in phi.items()
            ]
            made.append({"id": str(len(made)), "text": form, "spans": spans})
    return made
