"""Checks of surrogates: for each thing that gives them away to a reader, how often it was there.

Every check is a function of a conversation and of what the word lists know. What it cannot tell, it
does not count.
"""

from collections.abc import Sequence

from spacy.tokens import Doc

from components.measures.gold import Row, group_conversations
from lab.measures.surrogate_mentions import get_mentions
from lab.surrogate_checks import ages, forms, names, organisations, people, places, times, traces
from lab.surrogate_checks.base import Check, CheckFunction, Talk, add
from lab.surrogate_checks.known import Known

CHECKS: dict[str, CheckFunction] = {
    "shared letters": traces.check_shared_letters,
    "unchanged": traces.check_unchanged,
    "pet forms": traces.check_pet_forms,
    "remaining": traces.check_remaining,
    "spelled out": people.check_spelled_out,
    "initials": people.check_initials,
    "double names": people.check_double_names,
    "nicknames": people.check_nicknames,
    "rare names": people.check_rare_names,
    "eras": people.check_eras,
    "two names": names.check_two_names,
    "corrections": names.check_corrections,
    "origins": names.check_origins,
    "genders": names.check_genders,
    "postal codes": places.check_postal_codes,
    "sizes of places": places.check_sizes,
    "places within": places.check_within,
    "municipalities": places.check_municipalities,
    "distances of places": places.check_place_distances,
    "traits of places": places.check_traits,
    "i and på": places.check_prepositions,
    "kinds of organisations": organisations.check_kinds,
    "organisations by cue": organisations.check_cues,
    "companies as a whole": organisations.check_companies,
    "distances": times.check_distances,
    "distances without year": times.check_partial_distances,
    "weekdays": times.check_weekdays,
    "seasons": times.check_seasons,
    "years": times.check_years,
    "languages of months": times.check_languages,
    "ages": ages.check_ages,
    "ages and stories": ages.check_stories,
    "ages and births": ages.check_ages_and_births,
    "landline areas": forms.check_areas,
    "office addresses": forms.check_offices,
    "different numbers": forms.check_different,
    "genitives": forms.check_genitives,
    "capitals": forms.check_capitals,
}


def run_checks(talks: Sequence[Talk], known: Known) -> dict[str, Check]:
    """Run all checks.

    talks (Sequence[Talk]): Conversations.
    known (Known): The lists.
    RETURNS (dict[str, Check]): What each has found, by its name.
    """
    return {name: add(check(talk, known) for talk in talks) for name, check in CHECKS.items()}


def make_talks(rows: Sequence[Row], docs: Sequence[Doc]) -> list[Talk]:
    """Gather what belongs to each conversation.

    rows (Sequence[Row]): Annotated messages.
    docs (Sequence[Doc]): Their docs, replaced.
    RETURNS (list[Talk]): The conversations; a message that belongs to none is one.
    """
    talks = []
    for group in group_conversations(rows):
        own_rows, own_docs = [rows[place] for place in group], [docs[place] for place in group]
        mentions = get_mentions(own_rows, own_docs, {}, with_kept=True)
        outputs = [(row["id"], doc._.deidentified) for row, doc in zip(own_rows, own_docs)]
        talks.append(Talk(mentions, outputs))
    return talks
