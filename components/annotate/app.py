"""The pages of an annotation."""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from shlex import quote as shell_quote
from tempfile import TemporaryDirectory
from typing import Annotated, Any
from urllib.parse import quote as quote_path
from zipfile import ZIP_DEFLATED, ZipFile

from fastapi import APIRouter, Depends, FastAPI, Form, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from fastapi.templating import Jinja2Templates
from jinja2 import Environment
from spacy.language import Language

from ..measures.figures import NOTHING
from ..measures.formats.registry import BRAT, FORMATS
from ..measures.gold import Row
from ..serve.languages import OWN_NAMES, choose_language, count, get_words, make_environment
from ..serve.security import LOOPBACK, Limits, secure
from ..shared.failures import describe_error
from ..shared.labels import LABELS
from .desk import SEEN, Change, Desk
from .edits import EditError
from .guidelines import render_guidelines
from .search import SearchError, find_labels, quote
from .store import SETTLED, STATUSES, ConflictError, State, StoreError, check_layer
from .view import make_turns, make_view

logger = logging.getLogger("sv_deid_chat")

# The key of each class, beside its number.
KEYS = dict(zip(LABELS, "ploiteda"))
# Rows of a list on one page.
PAGE = 100
LANGUAGES = get_words("annotate")
# The cookie with the language that somebody has chosen.
LANGUAGE = "language"


def _check(layer: str) -> str:
    try:
        return check_layer(layer)
    except StoreError:
        raise HTTPException(404) from None


def _check_place(request: Request, place: int) -> int:
    if not 0 <= place < len(request.app.state.desk.store.rows):
        raise HTTPException(404)
    return place


# The annotator and the message of an address.
Layer = Annotated[str, Depends(_check)]
Place = Annotated[int, Depends(_check_place)]
Words = Annotated[str, Query(max_length=500)]


@dataclass(frozen=True, kw_only=True)
class Asked(Change):
    """A change that the page asks for, and the revision that was shown."""

    revision: int


def make_annotation_app(
    desk: Desk, token: str, annotator: str, hosts: Iterable[str] = LOOPBACK
) -> FastAPI:
    """Make the app. `annotator` annotates until the page asks for another name."""
    app = FastAPI(title="sv_deid_chat annotate", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.desk = desk
    app.include_router(Pages(desk, annotator, make_environment(app)).router)
    # A person clicks: no rate.
    secure(app, token, Limits(rate=0), hosts)
    return app


class Pages:
    """The pages of an annotation, rendered by an environment; `annotator` is who annotates by default."""

    def __init__(self, desk: Desk, annotator: str, environment: Environment) -> None:
        self.desk = desk
        self.annotator = annotator
        self.templates = Jinja2Templates(env=environment)
        self.templates.env.globals.update(
            desk=desk,
            LABELS=LABELS,
            KEYS=KEYS,
            PAGE=PAGE,
            SEEN=SEEN,
            SETTLED=SETTLED,
            STATUSES=STATUSES,
            FORMATS=FORMATS,
            own_names=OWN_NAMES,
            by=make_path,
            count=count,
            share=tell_share,
            decimal=tell_decimal,
            shell=shell_quote,
        )
        self.router = APIRouter(include_in_schema=False)
        routes: dict[tuple[str, str], Callable[..., Response]] = {
            ("GET", "/"): self.go_home,
            ("GET", "/annotate/as"): self.change_annotator,
            ("GET", "/annotate/in/{language}"): self.change_language,
            ("GET", "/annotate/guidelines"): self.show_guidelines,
            ("GET", "/annotate/by/{layer}"): self.show_overview,
            ("GET", "/annotate/by/{layer}/next"): self.go_next,
            ("GET", "/annotate/by/{layer}/list"): self.show_list,
            ("GET", "/annotate/by/{layer}/message/{place}"): self.show_message,
            ("POST", "/annotate/by/{layer}/message/{place}"): self.change_message,
            ("GET", "/annotate/by/{layer}/message/{place}/word"): self.show_word,
            ("GET", "/annotate/by/{layer}/search"): self.show_search,
            ("POST", "/annotate/by/{layer}/search"): self.mark_all,
            ("GET", "/annotate/by/{layer}/settle"): self.settle_next,
            ("GET", "/annotate/by/{layer}/settle/{place}"): self.show_settling,
            ("POST", "/annotate/by/{layer}/settle/{place}"): self.settle,
            ("POST", "/annotate/by/{layer}/settle/{place}/begin"): self.begin_settling,
            ("GET", "/annotate/by/{layer}/settle/{place}/marks"): self.show_settled_marks,
            ("POST", "/annotate/by/{layer}/settle/{place}/marks"): self.change_settled_marks,
            ("GET", "/annotate/by/{layer}/export"): self.export,
            ("POST", "/annotate/by/{layer}/evaluate"): self.evaluate,
        }
        for (method, path), function in routes.items():
            self.router.add_api_route(path, function, methods=[method], response_model=None)

    def _render(
        self, request: Request, name: str, layer: str, code: int = 200, **values: Any
    ) -> HTMLResponse:
        language = _choose(request)
        words = LANGUAGES[language]
        content = {
            "layer": layer,
            "lang": language,
            "t": words,
            "labels": words["labels"],
            **values,
        }
        return self.templates.TemplateResponse(request, f"annotate/{name}.html", content, code)

    def go_home(self) -> Response:
        """The page of who has started the server."""
        return RedirectResponse(make_path(self.annotator), 303)

    def change_annotator(self, name: str = "") -> Response:
        """The page of somebody else."""
        return RedirectResponse(make_path(_check(name)), 303)

    def change_language(self, language: str, back: str = "/") -> Response:
        """The page in another language, which the browser then asks for."""
        # An address of this server alone.
        response = RedirectResponse("/" + back.lstrip("/\\"), 303)
        response.set_cookie(LANGUAGE, language, 10**8, samesite="strict", httponly=True)
        return response

    def show_guidelines(self, request: Request, layer: str = "") -> Response:
        """The guidelines."""
        return self._render(request, "guidelines", layer, html=render_guidelines(_choose(request)))

    def show_overview(self, request: Request, layer: Layer) -> Response:
        """How far everybody has come, and what can be done."""
        return self._render_overview(request, layer)

    def _render_overview(
        self, request: Request, layer: str, measured: dict[str, Any] | None = None
    ) -> Response:
        names = sorted({*self.desk.store.layers, layer})
        progress = {name: self.desk.get_progress(name) for name in names}
        return self._render(request, "overview", layer, progress=progress, measured=measured)

    def go_next(self, request: Request, layer: Layer, after: int | None = None) -> Response:
        """The next message that is not finished."""
        if after is not None:
            _check_place(request, after)
        place = self.desk.store.find_next(layer, after)
        rest = "" if place is None else f"message/{place}"
        # Where `undo` goes back to.
        came = "" if None in (place, after) else f"?came={after}"
        return RedirectResponse(make_path(layer, rest) + came, 303)

    def show_list(
        self,
        request: Request,
        layer: Layer,
        status: str = "",
        page: Annotated[int, Query(ge=1)] = 1,
    ) -> Response:
        """All messages, or those of a status."""
        states = [self.desk.store.get(place, layer) for place in self.desk.store.order]
        states = [state for state in states if status not in STATUSES or state.status == status]
        return self._render(request, "list", layer, states=states, status=status, page=page)

    def show_message(
        self, request: Request, layer: Layer, place: Place, came: int | None = None
    ) -> Response:
        """A message to annotate."""
        return self._render_message(request, layer, self.desk.store.get(place, layer), came)

    def _render_message(
        self, request: Request, layer: str, state: State, came: int | None = None
    ) -> Response:
        view, turns = make_view(self.desk, state), make_turns(self.desk, state.place, layer)
        return self._render(request, "message", layer, view=view, turns=turns, came=came)

    def change_message(
        self, request: Request, layer: Layer, place: Place, asked: Asked
    ) -> Response:
        """Change a message, and show what it is then."""
        return self._change(request, layer, self.desk.store.get(place, layer), asked)

    def _change(self, request: Request, layer: str, state: State, asked: Asked) -> Response:
        notice, code = "", 200
        try:
            if asked.revision != state.revision:
                raise ConflictError
            state = self.desk.apply(state, asked, layer)
        except ConflictError:
            notice, code = "changed", 409
            state = self.desk.store.get(state.place, state.layer)
        except EditError as error:
            notice, code = str(error), 422
        return self._render(request, "work", layer, code, view=make_view(self.desk, state, notice))

    def show_word(self, request: Request, layer: Layer, place: Place, words: Words) -> Response:
        """How words were annotated before."""
        history = self.desk.look_up(layer, words, place)
        return self._render(request, "word", layer, words=words, history=history)

    def show_search(
        self, request: Request, layer: Layer, q: Words = "", whole: bool = False
    ) -> Response:
        """Search all messages."""
        return self._render_search(request, layer, q, whole)

    def _render_search(
        self, request: Request, layer: str, q: str, whole: bool, **done: int
    ) -> Response:
        values: dict[str, Any] = {"made": None, "taken_back": None, "error": "", "hits": [], **done}
        if q:
            try:
                values["hits"] = self.desk.find(q, whole)
            except SearchError as problem:
                values["error"] = str(problem)
        shown = []
        for place, *bounds in values["hits"][:PAGE]:
            labels = find_labels(self.desk.store.get(place, layer).marks, *bounds)
            shown.append((quote(place, self.desk.get_text(place), *bounds), [*labels]))
        return self._render(request, "search", layer, q=q, whole=whole, shown=shown, **values)

    def mark_all(
        self,
        request: Request,
        layer: Layer,
        q: Words,
        whole: bool = False,
        label: Annotated[str, Form(max_length=40)] = "",
    ) -> Response:
        """Mark all that a search finds, or, without a class, take that back."""
        if not label:
            taken_back = self.desk.take_back(layer)
            return self._render_search(request, layer, q, whole, taken_back=taken_back)
        try:
            made = self.desk.mark_all(layer, self.desk.find(q, whole), label)
        except (SearchError, EditError, ConflictError):
            raise HTTPException(422) from None
        return self._render_search(request, layer, q, whole, made=made)

    def settle_next(self, layer: Layer) -> Response:
        """The next message to be settled."""
        left = [place for place, is_settled in self.desk.find_disputed() if not is_settled]
        return RedirectResponse(make_path(layer, f"settle/{left[0]}" if left else ""), 303)

    def show_settling(self, request: Request, layer: Layer, place: Place) -> Response:
        """A message in which annotators differ."""
        disputed = dict(self.desk.find_disputed())
        if place not in disputed:
            return RedirectResponse(make_path(layer, "settle"), 303)
        turns = make_turns(self.desk, place, layer)
        return self._render(request, "settle", layer, place=place, disputed=disputed, turns=turns)

    def settle(
        self,
        layer: Layer,
        place: Place,
        stretch: Annotated[int, Form()],
        variant: Annotated[int, Form()],
    ) -> Response:
        """Decide between annotators."""
        try:
            self.desk.decide(place, stretch, variant, layer)
        except EditError:
            raise HTTPException(422) from None
        done = all(each.settled for each in self.desk.find_stretches(place))
        return RedirectResponse(make_path(layer, "settle" if done else f"settle/{place}"), 303)

    def begin_settling(self, layer: Layer, place: Place) -> Response:
        """Begin to mark a message again, where annotators differ."""
        self.desk.begin_settling(place)
        return RedirectResponse(make_path(layer, f"settle/{place}/marks"), 303)

    def show_settled_marks(self, request: Request, layer: Layer, place: Place) -> Response:
        """The settled answer, to be marked freely."""
        state = self.desk.store.get(place, SETTLED)
        if not state.revision:
            return RedirectResponse(make_path(layer, f"settle/{place}"), 303)
        return self._render_message(request, layer, state)

    def change_settled_marks(
        self, request: Request, layer: Layer, place: Place, asked: Asked
    ) -> Response:
        """Change the settled answer; the one who finishes it has decided."""
        return self._change(request, layer, self.desk.store.get(place, SETTLED), asked)

    def export(
        self, layer: str, what: str = "", kind: str = "jsonl", doubtful: bool = False
    ) -> Response:
        """What was annotated, as a file."""
        what = SETTLED if what == SETTLED else _check(what or layer)
        if kind not in FORMATS or what not in (SETTLED, layer, *self.desk.store.layers):
            raise HTTPException(404)
        rows = self.desk.get_rows(what, doubtful)
        suffix, data = dump(rows, kind, self.desk.nlp, what)
        name = quote_path(f"{self.desk.store.path.stem}-{what}.{suffix}")
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
        return Response(data, media_type="application/octet-stream", headers=headers)

    def evaluate(
        self, request: Request, layer: Layer, what: Annotated[str, Form(max_length=60)]
    ) -> Response:
        """Measure the pipeline on what was annotated."""
        what = SETTLED if what == SETTLED else _check(what)
        if not self.desk.can_measure:
            raise HTTPException(404)
        measured: dict[str, Any] = {"what": what, "failed": False, "evaluation": None}
        try:
            measured["evaluation"] = self.desk.evaluate(what)
        except ValueError as problem:
            # What it says is English, and for those who set the server up.
            logger.warning("The pipeline cannot be measured: %s", describe_error(problem))
            measured["failed"] = True
        return self._render_overview(request, layer, measured)


def tell_share(share: float | None, interval: Sequence[float] | None = None) -> str:
    """RETURNS (str): A measure in per cent, with its interval; one of no width, which comes of too few messages,
    is left out.
    """
    if share is None:
        return NOTHING
    low, high = (round(100 * end) for end in interval or (share, share))
    between = f" ({low}–{high})" if low != high else ""
    return f"{100 * share:.0f} %{between}"


def tell_decimal(value: float | None) -> str:
    """RETURNS (str): A measure that is no share."""
    return NOTHING if value is None else f"{value:.2f}"


def make_path(layer: str, rest: str = "") -> str:
    """RETURNS (str): The path of a page of an annotator."""
    return f"/annotate/by/{quote_path(layer, safe='')}" + (f"/{rest}" if rest else "")


def _choose(request: Request) -> str:
    asked = request.cookies.get(LANGUAGE, "")
    return choose_language(asked, request.headers.get("accept-language", ""))


def dump(rows: Sequence[Row], kind: str, nlp: Language, annotator: str) -> tuple[str, bytes]:
    """Write messages into memory: the suffix of the file, and its content; of brat a zip."""
    # A folder that only its owner may read, gone at the end.
    with TemporaryDirectory() as folder:
        path = Path(folder) / "annotated"
        FORMATS[kind].write(path, rows, nlp, annotator)
        if kind != BRAT:
            return kind, path.read_bytes()
        data = BytesIO()
        with ZipFile(data, "w", ZIP_DEFLATED) as archive:
            for file in sorted(path.iterdir()):
                archive.write(file, file.name)
        return "zip", data.getvalue()
