"""The eight classes of personal health information and the names of the span groups."""

LABELS = (
    "PERSON",
    "LOCATION",
    "ORGANISATION",
    "PID",
    "PHONE",
    "EMAIL",
    "DATE",
    "AGE",
)
# What a model trained with one class finds, and a message masked whole: it may be any of the eight.
SINGLE_CLASS = "PHI"
# The classes of what is called something.
NAMES = ("PERSON", "LOCATION", "ORGANISATION")

# Gazetteer hits that speak against PHI: eponymous diseases, drugs.
NEGATIVE = "NEGATIVE"
# Those that are evidence for a PERSON span, but no PHI alone.
TITLE = "TITLE"

KNOWN_KEY = "known"
RULES_KEY = "rules"
VETOES_KEY = "vetoes"
GAZETTEER_KEY = "gazetteer"
PHI_KEY = "phi"
CONVERSATION_KEY = "conversation"
DOUBTED_KEY = "doubted"
