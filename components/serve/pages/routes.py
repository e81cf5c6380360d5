"""The paths of the page: the page itself, the result alone, and the download."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment
from starlette.datastructures import UploadFile

from ...runs.scan import find_phi_in_header
from ...shared.labels import LABELS
from ...surrogates.settings import OPTIONS, STRATEGIES
from ...tables.errors import FileError
from ..languages import EXAMPLES, OWN_NAMES, choose_language, count, get_words, make_environment
from ..pipeline import PipelineQueue, QueueFull, WorkerDied
from ..work import Work, WorkError
from .controls import KNOWN_FIELDS, SPLITS, Asked, Own
from .given import FORMATS, JSONL, MAX_ROWS, TYPES, Given, TooMany, read_file, read_pasted, write
from .running import deal, find_columns, run, tell_columns
from .view import DOUBTED, FOUND, View, make_view, tell_label, tell_reason

LANGUAGES = get_words("try")
# Messages on a page, if a conversation is not longer.
PAGE = 40


class NothingGiven(ValueError):
    """There is nothing to download."""


# The words and the code of the answer to an error; the last one is of settings.
ERRORS: dict[type[Exception], tuple[str, int]] = {
    NothingGiven: ("empty", 422),
    TooMany: ("rows", 422),
    FileError: ("file", 422),
    QueueFull: ("busy", 429),
    WorkerDied: ("busy", 503),
    TimeoutError: ("busy", 504),
    WorkError: ("failed", 500),
    ValueError: ("settings", 422),
}


@dataclass
class Shown:
    """What the page shows of a result: a page of messages, warnings of columns, or an error."""

    given: Given | None = None
    conversations: list[list[View]] = field(default_factory=list)
    page: int = 1
    n_pages: int = 1
    first: int = 1
    copied: list[str] = field(default_factory=list)
    error: str = ""
    status: int = 200

    @property
    def views(self) -> list[View]:
        """RETURNS (list[View]): All messages that are shown."""
        return [view for views in self.conversations for view in views]

    def count(self, kind: str) -> int:
        """RETURNS (int): How many were found, or doubted."""
        return sum(view.count(kind) for view in self.views)

    def count_labels(self) -> dict[str, int]:
        """RETURNS (dict[str, int]): How many were found of each class."""
        stories = (story for view in self.views for story in view.stories)
        return dict(Counter(each.label for each in stories if each.kind == FOUND).most_common())


def make_pages(app: FastAPI, queue: PipelineQueue) -> None:
    """Give an app the page to try the pipeline of a queue."""
    page = TryPage(queue, make_environment(app))
    add = partial(app.add_api_route, include_in_schema=False, response_class=HTMLResponse)
    add("/", page.show, methods=["GET"])
    add("/", page.show_asked, methods=["POST"])
    add("/result", page.show_result, methods=["POST"])
    add("/download", page.download, methods=["POST"])


class TryPage:
    """The page to try the pipeline."""

    def __init__(self, queue: PipelineQueue, templates: Environment) -> None:
        self.queue = queue
        self.own = Own.of(queue.nlp)
        self.templates = templates
        self.templates.globals.update(
            labels=LABELS,
            strategies=STRATEGIES,
            options=OPTIONS,
            splits=SPLITS,
            known_fields=KNOWN_FIELDS,
            formats=FORMATS,
            examples=EXAMPLES,
            max_rows=MAX_ROWS,
            own_names=OWN_NAMES,
            own=self.own,
            count=count,
            tell_label=tell_label,
            found=FOUND,
            doubted=DOUBTED,
        )

    async def show(self, request: Request) -> Response:
        """Show the page, empty or with an example."""
        query = request.query_params
        example = EXAMPLES.get(query.get("example", ""), {})
        asked = Asked.from_own(self.own, **example)
        language = _choose(request, query.get("lang", ""))
        shown = await self._run(asked, language) if example else Shown()
        return self._render("try.html", asked, shown, language)

    async def show_asked(self, request: Request) -> Response:
        """Show the page with what a form asks for: without JavaScript, and in another language."""
        return await self._answer(request, "try.html")

    async def show_result(self, request: Request) -> Response:
        """Show the result alone, for the page that is there."""
        return await self._answer(request, "result.html")

    async def _answer(self, request: Request, template: str) -> Response:
        async with request.form() as form:
            asked = Asked.from_form(form)
            # Only a button of the whole form asks for another language.
            language = _choose(request, form.get("to") or form.get("lang"))
            shown = await self._run(asked, language, form.get("file"))
        return self._render(template, asked, shown, language)

    async def download(self, request: Request) -> Response:
        """Give all messages out as a file."""
        async with request.form() as form:
            asked = Asked.from_form(form)
            language = _choose(request, form.get("lang"))
            format = form.get("format")
            format = format if format in FORMATS else JSONL
            try:
                given = await self._read(asked, form.get("file"))
                if not given.order:
                    raise NothingGiven
                settings = asked.get_settings(self.own)
                done = await run(self.queue, given.conversations, asked.get_known(), settings)
            except Exception as error:  # noqa: BLE001
                shown = _tell_error(error, language)
                return self._render("try.html", asked, shown, language)
        return Response(
            write(given, done, format, asked.with_spans),
            media_type=TYPES[format],
            headers={"Content-Disposition": f'attachment; filename="deidentified.{format}"'},
        )

    async def _read(self, asked: Asked, file: Any) -> Given:
        # A form without a file has an empty one.
        if not isinstance(file, UploadFile) or not file.filename:
            return await asyncio.to_thread(read_pasted, asked)
        # Others are answered meanwhile.
        data = await file.read()
        given = await asyncio.to_thread(read_file, data, file.filename, asked)
        if given.may_lack_header:
            (found,) = await self.queue.run_all([Work(given.columns)])
            spans = [[(span["label"], span["score"]) for span in each["spans"]] for each in found]
            if find_phi_in_header(spans):
                return await asyncio.to_thread(read_file, data, file.filename, asked, False)
        return given

    async def _run(self, asked: Asked, language: str, file: Any = None) -> Shown:
        try:
            given = await self._read(asked, file)
            pages = deal(given.conversations, PAGE)
            number = min(asked.page, len(pages)) or 1
            conversations = pages[number - 1] if pages else []
            settings = asked.get_settings(self.own)
            done = await run(self.queue, conversations, asked.get_known(), settings)
        except Exception as error:  # noqa: BLE001
            return _tell_error(error, language)
        words = LANGUAGES[language]
        views = [
            [
                make_view(message.row.number, message.text, done[message.row.number], words)
                for message in messages
            ]
            for messages in conversations
        ]
        before = sum(len(messages) for page in pages[: number - 1] for messages in page)
        is_given = bool(given.order or given.rejected)
        return Shown(
            given if is_given else None,
            views,
            number,
            len(pages),
            before + 1,
            tell_columns(find_columns(given, done), words),
        )

    def _render(self, name: str, asked: Asked, shown: Shown, language: str) -> Response:
        text = self.templates.get_template(name).render(
            t=LANGUAGES[language],
            lang=language,
            asked=asked,
            shown=shown,
            ignored=asked.get_uninformative(),
        )
        return HTMLResponse(text, shown.status)


def _choose(request: Request, asked: Any) -> str:
    return choose_language(str(asked or ""), request.headers.get("accept-language", ""))


def _tell_error(error: Exception, language: str) -> Shown:
    """What went wrong, for the reader; an error that a reader can do nothing about is raised again."""
    words = LANGUAGES[language]["errors"]
    for kind, (name, status) in ERRORS.items():
        if isinstance(error, kind):
            reason = tell_reason(error, LANGUAGES[language])
            said = words[name].format(n=MAX_ROWS, reason=reason, status=status)
            return Shown(error=said, status=status)
    raise error
