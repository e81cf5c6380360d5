"""The eight classes of personal health information, the optional ones and the names of the span
groups.
"""

import re

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
# Those that no model is trained for: the `custom_ruler` finds them where they are switched on.
OPTIONAL_LABELS = (
    "URL",
    "PROFILE",
    "IP_ADDRESS",
    "MAC_ADDRESS",
    "PLATE",
    "ORGANISATION_NUMBER",
    "BANKGIRO",
    "PLUSGIRO",
    "IBAN",
    "ACCOUNT",
    "CARD",
    "RESERVE_NUMBER",
    "LMA_NUMBER",
    "CASE_NUMBER",
    "NORDIC_ID",
)
# All that the pipeline has surrogates for.
BUILT_IN = (*LABELS, *OPTIONAL_LABELS)
# What a class of one's own may be called.
OWN_LABEL = re.compile(r"[A-ZÅÄÖ][A-ZÅÄÖ0-9_]{1,39}")
# What may stand in the place of an entity.
STRATEGIES = ("surrogate", "numbered", "label", "mask", "remove", "keep")
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
CUSTOM_KEY = "custom"
