import pytest

from components.surrogates.core.resemblance import shows


@pytest.mark.parametrize(
    "original, new",
    [
        ("Anna", "anna"),
        ("Annas", "Anna"),
        ("Ek", "Eks"),
        ("Kristina", "Kristian"),
        ("Nordström", "Nordin"),
        ("Lindström", "Lindgren"),
        ("Storgatan 12", "Kyrkogatan 12"),
        ("Hjo vårdcentral", "Vårdcentralen Hjo"),
        ("Karl-Erik", "Erik"),
        ("Björkskolan", "Björkängens skola"),
        ("Kållered", "KÅLLEREDS"),
        ("Marianne", "Annelie"),
        # A run that reaches into the ending, a word that goes on
        ("Ekerö", "Öckerö"),
        ("Ahmadzai", "Mohammadzai"),
        ("Ing-Marie", "Ingvarsson"),
        ("Synoptik", "Syn"),
    ],
)
def test_shows(original, new):
    assert shows(original, new)
    assert shows(new, original)


@pytest.mark.parametrize(
    "original, new",
    [("Andersson", "Nilsson"), ("Bergström", "Åström"), ("Lindström", "Strömberg"),
     ("Storgatan 12", "Kyrkogatan 14"), ("Hjo vårdcentral", "Tibro vårdcentral"),
     ("Linköping", "Norrköping"), ("Norra Hamngatan", "Norra Kungsgatan"),
     ("Ica Maxi", "Coop Forum"), ("Folktandvården Solna", "Folktandvården Täby"),
     ("Koh Lanta", "Koh Rong"), ("Bo", "Bodil"), ("", "Anna")],
)  # fmt: skip
def test_does_not_show(original, new):
    assert not shows(original, new)
    assert not shows(new, original)
