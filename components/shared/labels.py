"""The eight classes of personal health information, the optional ones, the names of span groups."""

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
# Each of these tells on its own who somebody is; the others do so together.
DIRECT = ("PERSON", "PID", "PHONE", "EMAIL")
# The label of a model that was trained with one class, and of a message that is masked whole.
SINGLE_CLASS = "PHI"
# The `custom_ruler` finds these where they are switched on. No model is trained for them.
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
# All classes that have surrogates.
BUILT_IN = (*LABELS, *OPTIONAL_LABELS)
# What Presidio calls them. A class of a user's own keeps its name.
PRESIDIO_NAMES = {
    **{label: label for label in BUILT_IN},
    "ORGANISATION": "ORGANIZATION",
    "PID": "SE_PERSONNUMMER",
    "PHONE": "PHONE_NUMBER",
    "EMAIL": "EMAIL_ADDRESS",
    "DATE": "DATE_TIME",
    "ORGANISATION_NUMBER": "SE_ORGANISATIONSNUMMER",
    "IBAN": "IBAN_CODE",
    "CARD": "CREDIT_CARD",
}
# The name that a user's own class may have.
OWN_LABEL = re.compile(r"[A-ZÅÄÖ][A-ZÅÄÖ0-9_]{1,39}")
# How an entity may be replaced.
STRATEGIES = ("surrogate", "numbered", "label", "mask", "remove", "keep")
# The classes of names.
NAMES = ("PERSON", "LOCATION", "ORGANISATION")

# The label of list hits that speak against PHI: eponymous diseases, drugs.
NEGATIVE = "NEGATIVE"
# The label of list hits that are evidence for a PERSON, but no PHI alone.
TITLE = "TITLE"

KNOWN_KEY = "known"
OWN_KEY = "own"
RULES_KEY = "rules"
VETOES_KEY = "vetoes"
GAZETTEER_KEY = "gazetteer"
PHI_KEY = "phi"
CONVERSATION_KEY = "conversation"
DOUBTED_KEY = "doubted"
CUSTOM_KEY = "custom"
