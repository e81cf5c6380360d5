"""The lists of the project, and the classes made of them, read once for all tests."""

from components.lists.lists import read_lists
from components.surrogates import make_classes
from tests.conftest import ROOT

LISTS = read_lists(str(ROOT / "assets" / "lists"))
CLASSES = make_classes(LISTS)
