"""What is asked of a run: which columns hold what, and what is done with them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from spacy.language import Language

from ..messages.conversation import GENERATOR
from ..messages.custom import FILES, configure
from ..pipes.known_matcher import get_dropped
from ..pipes.phi_ner import PhiNer
from ..pipes.surrogate_generator import SurrogateGenerator

REPLACEMENTS = "replacements"


@dataclass(frozen=True)
class Settings:
    """What is asked of a run. It holds no key, and can be pickled.

    text_fields (tuple[str, ...]): Columns with texts.
    conversation_field (str): The column with the conversation's id, which a row may lack.
    known_field (str): The column with what is known of the participants, which a row may lack.
    known_columns (tuple[tuple[str, str], ...]): Pairs of a field of what is known of a participant and
        the column with it.
    author_field (str): The column with who wrote a message: a further text of the row; empty: none.
    time_field (str): The column with the time of a message, by which those of a conversation are read
        in order; empty: their order in the file.
    spans (bool): Whether to tell what stands where.
    strategy (str | None): What takes the place of PHI; None: the pipeline's own.
    keep (tuple[str, ...]): Labels that stay.
    threshold (float | None): Least PHI probability of a word; None: the pipeline's own.
    batch_size (int): Messages in a batch.
    clean (str | None): What is cleaned away before a text is read (`components.cleaning`); None: the
        pipeline's own.
    foreign (str | None): What is done with messages in other languages (`components.messages.policies`);
        None: the pipeline's own.
    mode (str | None): Which threshold, balanced or careful; None: the pipeline's own.
    language_field (str): The column that tells the language of these; empty: none.
    vault_field (str): The column that leads to the vault; empty without one.
    custom (Mapping[str, Any]): What else is set of the pipeline (`components.messages.custom.SETTINGS`),
        which the strategy, the labels that stay and the threshold beat. It may name people.
    """

    text_fields: tuple[str, ...] = ("text",)
    conversation_field: str = "conversation"
    known_field: str = "known"
    known_columns: tuple[tuple[str, str], ...] = ()
    author_field: str = ""
    time_field: str = ""
    spans: bool = False
    strategy: str | None = None
    keep: tuple[str, ...] = ()
    threshold: float | None = None
    batch_size: int = 64
    clean: str | None = None
    foreign: str | None = None
    mode: str | None = None
    language_field: str = "language"
    vault_field: str = ""
    custom: Mapping[str, Any] = field(default_factory=dict)

    @property
    def texts(self) -> tuple[str, ...]:
        """RETURNS (tuple[str, ...]): All columns that are read as text, in order."""
        return (*([self.author_field] if self.author_field else []), *self.text_fields)

    @property
    def asked(self) -> list[str]:
        """RETURNS (list[str]): The columns that must be there."""
        known = [column for _, column in self.known_columns]
        return [*self.texts, *([self.time_field] if self.time_field else []), *known]

    @property
    def added(self) -> list[str]:
        """RETURNS (list[str]): The columns that may come to a table."""
        names = [REPLACEMENTS] if self.spans else []
        return [*names, *(name for name in (self.language_field, self.vault_field) if name)]

    @property
    def dropped(self) -> list[str]:
        """RETURNS (list[str]): The columns that are left out, if they are there."""
        return [self.known_field, *get_dropped(self.known_columns, self.texts)]

    @property
    def read(self) -> list[str]:
        """RETURNS (list[str]): All columns that are looked at."""
        return [*self.asked, self.conversation_field, self.known_field]

    def describe(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): What the output hangs on, as JSON knows it. Of lists that may name
        people, only which there are.
        """
        told = {name: list(v) if isinstance(v, tuple) else v for name, v in vars(self).items()}
        told["known_columns"] = [f"{field}={column}" for field, column in self.known_columns]
        custom = {name: bool(v) if name in FILES else v for name, v in self.custom.items()}
        return {**told, "custom": custom}

    def configure(self, nlp: Language) -> None:
        """Set a pipeline up.

        nlp (Language): The pipeline.
        """
        given = {"clean": self.clean, "foreign": self.foreign, "mode": self.mode}
        given = {name: value for name, value in given.items() if value is not None}
        if self.custom or given:
            configure(nlp, self.custom, **given)
        generator = cast(SurrogateGenerator, nlp.get_pipe(GENERATOR))
        if self.strategy is not None:
            generator.strategy = self.strategy
        if self.keep:
            old = generator.strategy
            named = {"*": old} if isinstance(old, str) else old
            generator.strategy = {**named, **dict.fromkeys(self.keep, "keep")}
        if self.threshold is not None:
            cast(PhiNer, nlp.get_pipe("phi_ner")).threshold = self.threshold
