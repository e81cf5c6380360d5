"""The lists of the project, and the classes made of them, read once for all tests."""

from components.surrogates import make_classes
from components.swedish.lists import read_lists
from tests.conftest import ROOT

LISTS = read_lists(str(ROOT / "assets" / "lists"))
CLASSES = make_classes(LISTS)
