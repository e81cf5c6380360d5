"""The paths of Presidio's analyzer and anonymizer, for gateways that take its address."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import AfterValidator, BaseModel, Field, model_validator

from ...custom.custom_ruler import CustomRuler
from ...shared.find_pipes import find_pipes
from ...shared.labels import OPTIONAL_LABELS, PRESIDIO_NAMES, SINGLE_CLASS
from ...surrogates.core.mentions import replace_spans
from ..pipeline import PipelineQueue, QueueFull
from ..security import make_problem
from ..work import Result, Work
from .models import MAX_TEXTS, Body, Id, Probability, Text
from .routes import REFUSALS

# In `anonymizers` what holds for classes that it does not name.
OTHERS = "DEFAULT"


def refuse(value: list[Any] | None) -> None:
    """RAISES (ValueError): If a request asks for what the service sets for all of them."""
    if value:
        raise ValueError("Set patterns, deny and allow for all requests, in the file of --config.")


Refused = Annotated[list[Any] | None, AfterValidator(refuse)]


class AnalyzeRequest(Body):
    """A text, or several. The pipeline tells the `language` itself. `correlation_id`: their conversation;
    without one each stands alone. `entities`: the classes, optional ones too; default: all that are on.
    """

    text: Text | Annotated[list[Text], Field(max_length=MAX_TEXTS)]
    language: Text | None = None
    correlation_id: Id | None = None
    entities: list[Text] | None = None
    score_threshold: Probability | None = None
    return_decision_process: bool | None = None
    ad_hoc_recognizers: Refused = None
    allow_list: Refused = None
    context: Refused = None


class Item(BaseModel):
    """What was found. Presidio has all of it but `replacement`, which `/anonymize` writes."""

    start: int = Field(ge=0)
    end: int
    entity_type: Text
    score: float = 1.0
    analysis_explanation: dict[str, Any] | None = None
    replacement: Text | None = None


class Anonymizer(Body):
    """How a class is replaced. `replace` without a value: as the pipeline replaces it."""

    type: Literal["replace", "redact", "mask", "keep"] = "replace"
    new_value: Text | None = None
    masking_char: str = Field(default="*", max_length=1)
    chars_to_mask: int = Field(default=0, ge=0)
    from_end: bool = False

    def write(self, text: str, item: Item) -> str:
        """RETURNS (str): What takes the place of an item whose text is this."""
        if self.type == "mask":
            n = min(self.chars_to_mask, len(text))
            cut = len(text) - n
            mask = self.masking_char * n
            return text[:cut] + mask if self.from_end else mask + text[n:]
        if self.type != "replace":
            return text if self.type == "keep" else ""
        values = (self.new_value, item.replacement, f"<{item.entity_type}>")
        return next(value for value in values if value is not None)


class AnonymizeRequest(Body):
    """A text, and what `/analyze` told of it."""

    text: Text
    analyzer_results: list[Item]
    anonymizers: dict[Text, Anonymizer] | None = None

    @model_validator(mode="after")
    def check(self) -> "AnonymizeRequest":
        for number, item in enumerate(self.analyzer_results):
            if not item.start <= item.end <= len(self.text):
                raise ValueError(f"analyzer_results.{number} is no place of the text.")
        return self

    def get_anonymizer(self, name: str) -> Anonymizer:
        """RETURNS (Anonymizer): That of a class."""
        given = self.anonymizers or {}
        return given.get(name) or given.get(OTHERS) or Anonymizer()

    def get_spans(self) -> Iterator[tuple[int, int, str, str]]:
        """YIELDS (tuple[int, int, str, str]): Start, end, class and what replaces it, in order. Of items that
        overlap, the later one has what is left."""
        position = 0
        for item in sorted(self.analyzer_results, key=lambda item: (item.start, -item.end)):
            start = max(item.start, position)
            if start < item.end:
                position = item.end
                anonymizer = self.get_anonymizer(item.entity_type)
                new = anonymizer.write(self.text[start:position], item)
                yield start, position, item.entity_type, new


class Replaced(BaseModel):
    """What stands where in the new text."""

    start: int
    end: int
    entity_type: str
    text: str
    operator: str


class Anonymized(BaseModel):
    """The new text, and what was replaced, from its end to its beginning."""

    text: str
    items: list[Replaced]


def make_presidio(queue: PipelineQueue) -> APIRouter:
    """Make the paths of Presidio."""
    router = APIRouter(tags=["presidio"])
    own = {label for ruler in find_pipes(queue.nlp, CustomRuler) for label in ruler.own_labels}
    names = [*dict.fromkeys((*PRESIDIO_NAMES.values(), *map(_name, sorted(own))))]

    @router.post("/analyze", response_model=list[Item] | list[list[Item]])
    async def analyze(request: AnalyzeRequest) -> Any:
        """Tell what is to be replaced where."""
        if not {*names}.issuperset(request.entities or ()):
            return make_problem(422, f"entities: only classes that there are: {', '.join(names)}.")
        wanted = [c for c in OPTIONAL_LABELS if PRESIDIO_NAMES[c] in (request.entities or ())]
        texts = [request.text] if isinstance(request.text, str) else request.text
        work = Work(
            texts,
            request.correlation_id or "",
            settings={"classes": wanted} if wanted else {},
        )
        try:
            results = await queue.run(work)
        except QueueFull:
            # A gateway must not take it for an answer.
            return make_problem(503, *REFUSALS[QueueFull][1:])
        found = [[*_find(result, request)] for result in results]
        return found[0] if isinstance(request.text, str) else found

    @router.post("/anonymize", response_model=Anonymized)
    async def anonymize(request: AnonymizeRequest) -> Any:
        """Replace what was told."""
        text, entries = replace_spans(request.text, request.get_spans())
        items = [
            Replaced(
                start=entry["out_start"],
                end=entry["out_end"],
                entity_type=entry["label"],
                text=entry["replacement"],
                operator=request.get_anonymizer(entry["label"]).type,
            )
            for entry in reversed(entries)
        ]
        return Anonymized(text=text, items=items)

    return router


def _name(label: str) -> str:
    return PRESIDIO_NAMES.get(label, label)


def _find(result: Result, request: AnalyzeRequest) -> Iterator[Item]:
    """What is replaced in a message. One that is masked whole is one item, whatever is asked for."""
    spans = {span["start"]: span for span in result["spans"]}
    for entry in result["replacements"]:
        name, found = _name(entry["label"]), spans.get(entry["start"], {})
        score = found.get("score", 1.0)
        is_asked = request.entities is None or name in request.entities
        is_sure = score >= (request.score_threshold or 0)
        if entry.get("kept") or not (is_asked and is_sure or name == SINGLE_CLASS):
            continue
        explanation = {
            "recognizer": "sv_deid_chat",
            "original_score": score,
            "score": score,
            "textual_explanation": found.get("source", "masked whole"),
        }
        yield Item(
            start=entry["start"],
            end=entry["end"],
            entity_type=name,
            score=score,
            analysis_explanation=explanation if request.return_decision_process else None,
            replacement=entry["replacement"],
        )
