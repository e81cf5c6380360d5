"""What the REST interface takes and gives. Unknown fields are refused; no field names a file."""

from enum import Enum
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ...conversations.configuration import read_settings
from ...model.phi_ner import DEFAULT, MODES
from ...shared.labels import BUILT_IN, LABELS, OPTIONAL_LABELS, STRATEGIES
from ...surrogates.settings import OPTIONS, OTHERS

# Texts of a request.
MAX_TEXTS = 1000


Strategy = Enum("Strategy", {name: name for name in STRATEGIES}, type=str)  # type: ignore[misc]
StrategyLabel = Enum("StrategyLabel", {name: name for name in (*BUILT_IN, OTHERS)}, type=str)  # type: ignore[misc]
ThresholdLabel = Enum("ThresholdLabel", {name: name for name in (*LABELS, DEFAULT)}, type=str)  # type: ignore[misc]
OptionalClass = Enum("OptionalClass", {name: name for name in OPTIONAL_LABELS}, type=str)  # type: ignore[misc]
Mode = Enum("Mode", {name: name for name in MODES}, type=str)  # type: ignore[misc]
Dates = Enum("Dates", {name: name for name in OPTIONS["dates"].choices}, type=str)  # type: ignore[misc]
Ages = Enum("Ages", {name: name for name in OPTIONS["ages"].choices}, type=str)  # type: ignore[misc]
Numbers = Enum("Numbers", {name: name for name in OPTIONS["surrogate_numbers"].choices}, type=str)  # type: ignore[misc]


def check_text(text: str) -> str:
    """RAISES (ValueError): If a text has half a character of UTF-16, which no answer could hold."""
    try:
        text.encode("utf8")
    except UnicodeEncodeError:
        # Python's own error quotes it.
        raise ValueError("The text has half a character of UTF-16.") from None
    return text


Text = Annotated[str, AfterValidator(check_text)]
Probability = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
# A number is one, as in a table.
Id = Annotated[Text, BeforeValidator(lambda value: str(value) if type(value) is int else value)]
Values = Text | list[Text] | None


class Body(BaseModel):
    """What has no unknown fields."""

    model_config = ConfigDict(extra="forbid")


class Options(Body):
    """What is set for a request, as in a file of settings (`configure`). A threshold by class needs the key
    "default"."""

    strategy: Strategy | dict[StrategyLabel, Strategy] | None = None
    mode: Mode | None = None
    threshold: Probability | dict[ThresholdLabel, Probability] | None = None
    classes: list[OptionalClass] | None = None
    dates: Dates | None = None
    ages: Ages | None = None
    surrogate_numbers: Numbers | None = None

    @model_validator(mode="after")
    def check(self) -> "Options":
        read_settings(self.get())
        return self

    def get(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): The settings, as `configure` takes them."""
        return self.model_dump(mode="json", exclude_none=True)


class Participant(Body):
    """What is known of a participant (`components.known.known_matcher.FIELDS`)."""

    name: Values = None
    pid: Values = None
    phone: Values = None
    email: Values = None
    address: Values = None
    person: Values = None
    location: Values = None
    organisation: Values = None
    date: Values = None
    age: Values = None


Known = Annotated[
    list[Participant],
    BeforeValidator(
        lambda value: [value] if isinstance(value, dict) else value,
        json_schema_input_type=list[Participant] | Participant,
    ),
]


class Conversation(Body):
    """Texts that stand alone, or the messages of a conversation.

    conversation (str): The id of their conversation; empty: each stands alone.
    known (list[Participant]): What is known of the participants; of one alone without a list.
    """

    texts: list[Text] = Field(max_length=MAX_TEXTS)
    conversation: Id = ""
    known: Known = Field([], max_length=MAX_TEXTS)


class Request(Conversation):
    """A conversation, and what is asked of it."""

    options: Options = Options()


class SessionRequest(Request):
    """A conversation whose placeholders can be restored.

    session (str): The id of a session; empty: none. In one, everything is replaced by placeholders.
    """

    session: str = ""


class Batch(Body):
    """Several conversations."""

    conversations: list[Conversation] = Field(max_length=MAX_TEXTS)
    options: Options = Options()


class Place(BaseModel):
    """A stretch of the text that was sent, and its class."""

    start: int
    end: int
    label: str


class Replacement(Place):
    """What stands where (`out_start`, `out_end`), and what it replaced where."""

    replacement: str
    out_start: int
    out_end: int
    kept: bool = False


class Message(BaseModel):
    """A de-identified text. `failed`: why it is masked whole, else empty. `language`: empty if Swedish."""

    text: str
    replacements: list[Replacement]
    language: str
    failed: str


class Messages(BaseModel):
    """De-identified texts, in their order."""

    messages: list[Message]


class Batched(BaseModel):
    """De-identified conversations, in their order."""

    conversations: list[Messages]


class Step(BaseModel):
    """What found a span, or the rule that changed it."""

    by: str
    start: int
    end: int
    label: str
    score: float


class Found(Place):
    """A span that was found."""

    source: str
    score: float
    trace: list[Step]


class Doubted(Place):
    """A span that was found and dropped, by which rule; or that a pattern says is of no class: label ""."""

    score: float
    rule: str


class Analysis(BaseModel):
    """What was found in a text. `failed` and `language` as in a message."""

    spans: list[Found]
    doubted: list[Doubted]
    language: str
    failed: str


class Analyses(BaseModel):
    """What was found in texts, in their order."""

    messages: list[Analysis]


class SessionMade(BaseModel):
    """A session, and how long it lives when nobody asks for it."""

    session: str
    seconds: float


class RestoreRequest(Body):
    """A text with placeholders, such as a whole body in JSON. `more`: whether it goes on, as it is streamed."""

    text: Text
    more: bool = False


class Restored(BaseModel):
    """A text without placeholders. `rest`: what may be the beginning of one, to be sent with the next
    piece in front of it.
    """

    text: str
    rest: str = ""


class Problem(BaseModel):
    """An error (RFC 9457). It quotes nothing of what was sent."""

    type: str
    title: str
    status: int
    detail: str = ""
