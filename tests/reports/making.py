"""Docs and runs as the tests of reports need them."""

import spacy
from spacy.tokens import Doc, Span

import components  # noqa: F401
from components.reports.before_after import Change
from components.reports.summary import Summary

nlp = spacy.blank("sv")
if not Doc.has_extension("withheld"):
    Doc.set_extension("withheld", default=None)


def make_doc(text="", *found, failed=None):
    """A processed doc. `found`: (original, label, source, score, replacement), None if it is kept."""
    doc = nlp.make_doc(text)
    ents, replacements, shift = [], [], 0
    for original, label, source, score, replacement in found:
        start = text.index(original, replacements[-1]["end"] if replacements else 0)
        end = start + len(original)
        ent = doc.char_span(start, end, label)
        assert isinstance(ent, Span), original
        ent._.source, ent._.score = source, score
        ents.append(ent)
        new = original if replacement is None else replacement
        entry = {"start": start, "end": end, "label": label, "replacement": new}
        entry |= {"out_start": start + shift, "out_end": start + shift + len(new)}
        shift += len(new) - len(original)
        replacements.append(entry | ({"kept": True} if replacement is None else {}))
    doc.ents = ents
    out = list(text)
    for entry in reversed(replacements):
        out[entry["start"] : entry["end"]] = entry["replacement"]
    doc._.replacements, doc._.deidentified, doc._.failed = replacements, "".join(out), failed
    return doc


def make_message():
    return make_doc(
        "Hej jag heter Anna Lind , 34 år , från Lund , vårdcentralen",
        ("Anna Lind", "PERSON", "phi+gazetteer", 0.99, "Eva Berg"),
        ("34 år", "AGE", "rules", 0.95, "36 år"),
        ("Lund", "LOCATION", "phi", 0.31, "Ystad"),
        ("vårdcentralen", "ORGANISATION", "phi+rules", 1.0, None),
    )


def make_summary():
    """Hand-counted in the tests."""
    summary = Summary()
    summary.add_row([make_message()], ["sv"])
    summary.add_row([make_doc(" \n"), make_doc("What is this then")], ["sv", "en"])
    summary.add_row([make_doc("Hej där " * 10, failed="phi_ner (ValueError, a.py line 3)")])
    withheld = make_doc("Moi!")
    withheld._.withheld = "language (fi)"
    summary.add_row([withheld], ["fi"])
    summary.add_reject("not valid JSON")
    summary.add_reject("the participants of line 17 cannot be read")
    summary.add_reject("the participants of line 9 cannot be read")
    return summary


def make_change(doc, name=""):
    """A message before and after."""
    return Change(doc.text, doc._.deidentified, doc._.replacements, name)
