"""The story of a message: what was found, by what, and which rules changed or dropped it."""

from collections.abc import Iterator

from spacy.language import Language
from spacy.tokens import Doc

from ..custom.custom_ruler import CustomRuler
from ..merging.rules import get_rules, merger_rules
from ..merging.span_merger import SpanMerger
from ..rules.phi_entity_ruler import PhiEntityRuler
from ..shared.failures import is_masked
from ..shared.find_pipes import find_pipes
from ..shared.labels import DOUBTED_KEY, VETOES_KEY
from ..text.hits import iter_hits


def explain(nlp: Language, text: str | Doc) -> str:
    """Tell what becomes of a message, and why. What it returns quotes the message.

    nlp (Language): The pipeline.
    text (str | Doc): The message, or a doc that the pipeline has processed.
    RETURNS (str): Lines for each entity, with what found it and what changed it, and for what was
        dropped.
    """
    doc = nlp(text) if isinstance(text, str) else text
    if is_masked(doc):
        return f"Masked whole: {doc._.failed or doc._.withheld}"
    lines = [doc.text, "", str(doc._.deidentified), ""]
    kept = {entry["start"] for entry in doc._.replacements or () if entry.get("kept")}
    for ent in doc.ents:
        stays = "  kept" if ent.start_char in kept else ""
        lines.append(f"{ent.label_}  {ent.text!r}  {ent._.source}  {ent._.score:.2f}{stays}")
        for step in ent._.trace:
            found = doc.text[step["start"] : step["end"]]
            # A rule of the merger has no score.
            score = f"  {step['score']:.2f}" if step["by"] not in merger_rules else ""
            lines.append(f"    {step['by']:<28} {found!r}{score}")
    for key, title in ((DOUBTED_KEY, "Found and dropped"), (VETOES_KEY, "Of no class")):
        spans = doc.spans.get(key, ())
        if len(spans):
            lines += ["", title]
        scores = [score for _, score in iter_hits(doc, key)] if key == DOUBTED_KEY else []
        for i, span in enumerate(spans):
            label = f"  {span.label_}  {scores[i]:.2f}" if scores else ""
            lines.append(f"    {span.id_:<28} {span.text!r}{label}")
    return "\n".join(lines)


def list_rules(nlp: Language) -> Iterator[str]:
    """A line for each rule and pattern: id, what it does or finds, whether it is off."""
    for merger in find_pipes(nlp, SpanMerger):
        for id in get_rules():
            off = "  (off)" if id in merger.disable else ""
            yield f"{id:<28} {merger_rules.get(id).help}{off}"
    for ruler in find_pipes(nlp, PhiEntityRuler):
        for pattern in ruler.patterns:
            if "id" in pattern:
                yield f"{pattern['id']:<28} {pattern.get('label') or 'no class'}"
    for custom in find_pipes(nlp, CustomRuler):
        for pattern in custom.optional:
            if "id" in pattern:
                off = "" if pattern["label"] in custom.classes else "  (off)"
                yield f"{pattern['id']:<28} {pattern['label']}{off}"
        for pattern in custom.patterns:
            if "label" in pattern:
                yield f"{pattern.get('id', 'your own'):<28} {pattern['label']}"
