"""The story of a message: what was found, by what, and which rules changed or dropped it. Also the
command line `python -m sv_deid_chat.explain TEXT`.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TextIO, cast

import typer
from spacy.language import Language
from spacy.tokens import Doc

from ...failures import is_masked
from ...hits import iter_hits
from ...labels import DOUBTED_KEY, VETOES_KEY
from ...merging.rules import get_rules, merger_rules
from ...pipes.custom_ruler import CustomRuler
from ...pipes.phi_entity_ruler import PhiEntityRuler
from ...pipes.phi_ner import PhiNer
from ...pipes.span_merger import SpanMerger
from .terminal import make_frame, show, wrong_usage


def explain(nlp: Language, text: str | Doc) -> str:
    """Tell what becomes of a message, and why. What it returns quotes the message.

    nlp (Language): The pipeline.
    text (Union[str, Doc]): The message, or a doc that the pipeline has processed.
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
            score = f"  {step['score']:.2f}" if not is_rule(step["by"]) else ""
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


def is_rule(id: str) -> bool:
    """Whether an id is that of a rule of the merger."""
    return id in merger_rules


def list_rules(nlp: Language) -> Iterator[str]:
    """List the rules and patterns of a pipeline.

    nlp (Language): The pipeline.
    YIELDS (str): A line for each: id, what it does or finds, whether it is switched off.
    """
    if "span_merger" in nlp.pipe_names:
        merger = cast(SpanMerger, nlp.get_pipe("span_merger"))
        for id in get_rules():
            off = "  (off)" if id in merger.disable else ""
            yield f"{id:<28} {merger_rules.get(id).help}{off}"
    if "entity_ruler" in nlp.pipe_names:
        ruler = cast(PhiEntityRuler, nlp.get_pipe("entity_ruler"))
        for pattern in ruler.patterns:
            if "id" in pattern:
                yield f"{pattern['id']:<28} {pattern.get('label') or 'no class'}"
    if "custom_ruler" in nlp.pipe_names:
        custom = cast(CustomRuler, nlp.get_pipe("custom_ruler"))
        for pattern in custom.optional:
            if "id" in pattern:
                off = "" if pattern["label"] in custom.classes else "  (off)"
                yield f"{pattern['id']:<28} {pattern['label']}{off}"
        for pattern in custom.patterns:
            if "label" in pattern:
                yield f"{pattern.get('id', 'your own'):<28} {pattern['label']}"


def main(load: Callable[[], Language]) -> None:
    """Run the command line.

    load (Callable[[], Language]): Loads the pipeline.
    """
    make_app(load)()


def make_app(load: Callable[[], Language]) -> typer.Typer:
    """Make the command line.

    load (Callable[[], Language]): Loads the pipeline.
    RETURNS (Typer): The command line.
    """
    app = make_frame()

    @app.command()
    def explain_message(
        text: str = typer.Argument("", help="The message, - to read it from standard input"),
        rules: bool = typer.Option(False, "--rules", help="List all rules and patterns"),
        threshold: float | None = typer.Option(
            None, min=0, max=1, help="Probability that makes a token PHI"
        ),
    ) -> None:
        """Tell what is found in a message, by what, and which rules changed or dropped it.

        What it prints QUOTES THE MESSAGE: look at made-up ones, or where nobody else looks. A rule of
        the merger is switched off by its id: nlp.get_pipe("span_merger").disable = ["trim.title"].
        """
        if bool(text) == rules:
            raise typer.BadParameter("Give a message, or --rules to list the rules.")
        if text == "-":
            with wrong_usage(ValueError):
                text = read_message(sys.stdin)
        nlp = load()
        if threshold is not None:
            cast(PhiNer, nlp.get_pipe("phi_ner")).threshold = threshold
        if rules:
            show("\n".join(list_rules(nlp)))
        else:
            show(explain(nlp, text))

    return app


def read_message(file: TextIO) -> str:
    """Read a message in UTF-8, or in the encoding of the terminal.

    file (TextIO): Standard input.
    RETURNS (str): The message.
    RAISES (ValueError): If it is in neither.
    """
    data = file.buffer.read()
    for encoding in ("utf-8-sig", file.encoding):
        with suppress(UnicodeDecodeError):
            return data.decode(encoding)
    raise ValueError("The message is not in UTF-8: convert it (iconv -t utf-8).")
