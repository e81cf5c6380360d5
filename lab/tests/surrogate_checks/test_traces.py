"""What an output shows of the originals."""

import pytest

from lab.surrogate_checks.traces import (
    check_pet_forms,
    check_remaining,
    check_shared_letters,
    check_unchanged,
)
from lab.tests.surrogate_checks.talks import tell


@pytest.mark.parametrize(
    ("pairs", "label", "failed"),
    [
        ("Eva Ekberg > Maria Sjögren", "PERSON", 0),
        # A word
        ("Eva Ekberg > Maria Ekberg", "PERSON", 1),
        ("Bo Ek > Bo Dahl", "PERSON", 1),
        # Titles and endings say nothing.
        ("dr Ekberg > dr Hallberg", "PERSON", 0),
        ("bror Eva > bror Maria", "PERSON", 0),
        ("Bror Ek > Bror Dahl", "PERSON", 1),
        ("ögonsköterska Eva > ögonsköterska Maria", "PERSON", 0),
        ("Hagström > Lundström", "PERSON", 0),
        ("Hagsson > Eksson", "PERSON", 0),
        ("Al-Jubouri > Al-Hassan", "PERSON", 0),
        # Four letters
        ("Nordström > Nordgren", "PERSON", 1),
        ("Fredrika > Ulrika", "PERSON", 1),
        ("Jarnord > Nordberg", "PERSON", 1),
        # A longer word that begins with it
        ("Eva > Evalena", "PERSON", 1),
        ("Eva > Treva", "PERSON", 0),
        ("Ros > Rost", "PERSON", 0),
        ("Överkalix > Övertorneå", "LOCATION", 0),
        ("Kalix > Överkalix", "LOCATION", 1),
        ("Bröstskolan Lund > Bröstskolan Visby", "ORGANISATION", 0),
        ("Stenens vårdcentral > Vårdcentralen Stenens", "ORGANISATION", 1),
        ("Knurvelskolan Lund > Knurvelskolan Visby", "ORGANISATION", 1),
        ("Hotingbor > Hoverbergbor", "LOCATION", 0),
        ("Hotingbor > Hotåsbor", "LOCATION", 0),
        ("Hotingbor > Hotindbor", "LOCATION", 1),
        ("Lund > Lundby", "LOCATION", 1),
        ("Björkvägen 7 > Kungsgatan 24", "LOCATION", 0),
        ("Björkvägen 7 > Kungsgatan 7", "LOCATION", 1),
        ("413 45 Lund > 413 62 Höör", "LOCATION", 0),
        ("413 45 Lund > 413 45 Höör", "LOCATION", 1),
        ("Kliniken Tallen > Kliniken Ekarna", "ORGANISATION", 1),
        ("Tallens vårdcentral > Ekarnas vårdcentral", "ORGANISATION", 0),
        ("Tallens specialistvårdcentral > Ekens specialistvårdcentral", "ORGANISATION", 0),
        ("Pfizersprutan > Modernasprutan", "ORGANISATION", 0),
        ("Bjuvs vårdcentral > Bjuvshälsan", "ORGANISATION", 1),
        ("eva.ek@a.se > maria.dahl@example.com", "EMAIL", 0),
        ("eva.ek@a.se > eva.dahl@example.com", "EMAIL", 1),
        ("e.ek87@a.se > m.dahl87@example.com", "EMAIL", 1),
        ("m.dahl@hotmail.se > e.ek@hotmail.example", "EMAIL", 0),
    ],
)
def test_shared_letters(pairs, label, failed):
    assert tell(check_shared_letters, pairs, label) == (1, failed)


@pytest.mark.parametrize(
    ("pairs", "label"),
    [
        ("vårdcentralen > vårdcentralen", "ORGANISATION"),
        ("Skatteverket > Skatteverket", "ORGANISATION"),
        ("Skåne > Skåne", "LOCATION"),
        ("info@a.se > info@example.com", "EMAIL"),
    ],
)
def test_what_is_meant_to_stay_shows_nothing(pairs, label):
    assert tell(check_shared_letters, pairs, label) == (0, 0)


@pytest.mark.parametrize(
    ("pairs", "label", "counts"),
    [
        ("Eva > Maria", "PERSON", (1, 0)),
        ("Eva > EVA", "PERSON", (1, 1)),
        ("070-123 45 67 > 0701234567", "PHONE", (1, 1)),
        ("55 år > 55 år", "AGE", (1, 1)),
        ("akuten > akuten", "ORGANISATION", (0, 0)),
        ("skatteverkets > skatteverkets", "ORGANISATION", (0, 0)),
        ("Pfizer > Pfizer", "ORGANISATION", (1, 1)),
        ("Skåne > Skåne", "LOCATION", (0, 0)),
        ("Region Kronoberg > Region Kronoberg", "LOCATION", (0, 0)),
        ("Lund > Lund", "LOCATION", (1, 1)),
    ],
)
def test_unchanged(pairs, label, counts):
    assert tell(check_unchanged, pairs, label) == counts


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("Joakim > Henrik", (1, 0)),
        ("Joakim > Jocke", (1, 1)),
        ("Jocke > Joakim", (1, 1)),
        ("bror Jocke Ek > bror Joakim Dahl", (1, 1)),
        ("Jocke > Henke", (1, 0)),
        ("Joakims > Jocke", (1, 1)),
        ("Zbigniew > Jocke", (0, 0)),
    ],
)
def test_pet_forms(pairs, counts):
    assert tell(check_pet_forms, pairs) == counts


@pytest.mark.parametrize(
    ("pairs", "outputs", "counts"),
    [
        ("Eva Ekberg > Maria Sjögren", ["Hej Maria", "Sjögren här"], (2, 0)),
        ("Eva Ekberg > Maria Sjögren", ["Hej Maria", "ekberg här"], (2, 1)),
        ("Eva Ekberg > Maria Sjögren", ["Ekbergs bil, evas mamma"], (2, 2)),
        # As a part of a word
        ("LOCATION: Bangkok > Manila", ["en Bangkokresa"], (1, 1)),
        ("LOCATION: Lund > Umeå", ["lundarna är gröna"], (1, 0)),
        ("Eva > Maria", ["evakuerad"], (1, 0)),
        ("Marie > Eva; LOCATION: Lund > Marieby", ["Eva i Marieby"], (2, 0)),
        ("Marie > Eva; LOCATION: Lund > Marie", ["Eva i Marie"], (2, 1)),
        # A word that any text may hold
        ("Sten > Lars", ["en sten i skon"], (1, 0)),
        ("Sten > Lars", ["en bil. Hälsa Sten"], (1, 1)),
        # Titles, kinds and what may stay
        ("dr Ekberg > dr Dahl", ["dr kommer"], (1, 0)),
        ("ORGANISATION: akuten > akuten", ["akuten"], (0, 0)),
        ("ORGANISATION: Tallens vårdcentral > Ekens vårdcentral", ["en vårdcentral"], (1, 0)),
        # Told by another check
        ("ORGANISATION: Kullens Keramik > Åsens Keramik", ["Åsens Keramik"], (1, 0)),
        ("Eva Ekberg > Maria Ekberg", ["Ekberg"], (0, 0)),
        ("", ["Hej"], (0, 0)),
    ],
)
def test_remaining(pairs, outputs, counts):
    assert tell(check_remaining, pairs, outputs=outputs) == counts
