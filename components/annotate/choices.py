"""What an annotation may begin with. The command line names it, and loads nothing else for it."""

from enum import Enum


class By(str, Enum):
    """What suggests marks."""

    NONE = "none"
    FILE = "file"
    RULES = "rules"
    LISTS = "lists"
    PIPELINE = "pipeline"


class Order(str, Enum):
    """Which messages come first."""

    FILE = "file"
    DOUBTFUL = "doubtful"
    PHI = "phi"
    RANDOM = "random"
