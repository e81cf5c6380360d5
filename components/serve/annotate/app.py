"""The pages of an annotation."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote as quote_path

from fastapi import APIRouter, FastAPI, Form, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from pydantic import BaseModel, Field

from ...labels import LABELS
from ...measures.evaluation import HEADLINES, tabulate_classes
from ...measures.figures import write_share
from ..security import LOOPBACK, Limits, secure
from .desk import Change, Desk
from .edits import EditError
from .files import FORMATS, TITLES, dump
from .guidelines import render_guidelines
from .search import SearchError, quote
from .store import SETTLED, STATUSES, ConflictError, StoreError, check_layer
from .view import View, make_turns, make_view

ROOM = Path(__file__).parents[1]
# The key of each class, beside its number.
KEYS = {
    "PERSON": "p",
    "LOCATION": "l",
    "ORGANISATION": "o",
    "PID": "i",
    "PHONE": "t",
    "EMAIL": "e",
    "DATE": "d",
    "AGE": "a",
}
# Rows of a list on one page.
PAGE = 100
CHANGED = "This message was changed in another window. What you see is how it is now: look, and do it again."


class Asked(BaseModel):
    """What the page asks to be changed.

    revision (int): What was shown.
    action (str), start (int), end (int), label (str), old (tuple[int, int]), exact (bool), status (str),
        comment (str), seconds (float): See `Change`.
    """

    revision: int
    action: str = Field(max_length=20)
    start: int = 0
    end: int = 0
    label: str = Field("", max_length=40)
    old: tuple[int, int] = (0, 0)
    exact: bool = False
    status: str = Field("", max_length=20)
    comment: str = Field("", max_length=5000)
    seconds: float = 0.0


def make_annotation_app(
    desk: Desk, token: str, annotator: str, hosts: Iterable[str] = LOOPBACK
) -> FastAPI:
    """Make the app.

    desk (Desk): The annotation.
    token (str): What a client must show.
    annotator (str): Who annotates, unless the page is told another name.
    hosts (Iterable[str]): Names that the server may be called by; empty: any.
    RETURNS (FastAPI): The app.
    """
    app = FastAPI(title="sv_deid_chat annotate", docs_url=None, redoc_url=None, openapi_url=None)
    app.include_router(Pages(desk, annotator).router)
    app.mount("/static", StaticFiles(directory=ROOM / "static"), "static")
    # A person clicks: no rate.
    secure(app, token, Limits(rate=0), hosts)
    return app


class Pages:
    """The pages.

    desk (Desk): The annotation.
    annotator (str): Who annotates by default.
    """

    def __init__(self, desk: Desk, annotator: str) -> None:
        self.desk = desk
        self.annotator = annotator
        self.templates = Jinja2Templates(directory=ROOM / "templates")
        self.templates.env.globals.update(
            LABELS=LABELS, KEYS=KEYS, by=make_path, share=write_share, SETTLED=SETTLED
        )
        self.router = APIRouter(include_in_schema=False)
        routes: dict[tuple[str, str], Callable[..., Response]] = {
            ("GET", "/"): self.go_home,
            ("GET", "/annotate/as"): self.change_annotator,
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
            ("GET", "/annotate/by/{layer}/export"): self.export,
            ("POST", "/annotate/by/{layer}/evaluate"): self.evaluate,
        }
        for (method, path), function in routes.items():
            self.router.add_api_route(path, function, methods=[method], response_model=None)

    def _render(
        self, request: Request, name: str, layer: str, code: int = 200, **values: Any
    ) -> HTMLResponse:
        content = {"layer": layer, "desk": self.desk, **values}
        return self.templates.TemplateResponse(request, f"annotate/{name}.html", content, code)

    def _demand_message(self, place: int) -> None:
        if not 0 <= place < len(self.desk.store.rows):
            raise HTTPException(404)

    def go_home(self) -> Response:
        """The page of who has started the server."""
        return RedirectResponse(make_path(self.annotator), 303)

    def change_annotator(self, name: str = "") -> Response:
        """The page of somebody else."""
        return RedirectResponse(make_path(_check(name)), 303)

    def show_guidelines(self, request: Request, layer: str = "") -> Response:
        """The guidelines."""
        return self._render(request, "guidelines", layer, html=render_guidelines())

    def show_overview(self, request: Request, layer: str) -> Response:
        """How far everybody has come, and what can be done."""
        layer = _check(layer)
        return self._render_overview(request, layer)

    def _render_overview(self, request: Request, layer: str, **values: Any) -> Response:
        names = sorted({*self.desk.store.layers, layer})
        return self._render(
            request,
            "overview",
            layer,
            progress={name: self.desk.get_progress(name) for name in names},
            agreement=self.desk.get_agreement(),
            disputed=self.desk.find_disputed(),
            formats=TITLES,
            **values,
        )

    def go_next(self, layer: str, after: int | None = None) -> Response:
        """The next message that is not finished."""
        layer = _check(layer)
        if after is not None:
            self._demand_message(after)
        place = self.desk.store.find_next(layer, after)
        rest = "" if place is None else f"message/{place}"
        return RedirectResponse(make_path(layer, rest), 303)

    def show_list(
        self, request: Request, layer: str, status: str = "", page: Annotated[int, Query(ge=1)] = 1
    ) -> Response:
        """All messages, or those of a status."""
        layer = _check(layer)
        states = [self.desk.store.get(place, layer) for place in self.desk.store.order]
        states = [state for state in states if status not in STATUSES or state.status == status]
        return self._render(
            request,
            "list",
            layer,
            states=states[PAGE * (page - 1) : PAGE * page],
            status=status,
            page=page,
            pages=-(-len(states) // PAGE),
            count=len(states),
            statuses=STATUSES,
        )

    def show_message(self, request: Request, layer: str, place: int) -> Response:
        """A message to annotate."""
        layer = _check(layer)
        self._demand_message(place)
        store = self.desk.store
        return self._render(
            request,
            "message",
            layer,
            view=make_view(self.desk, store.get(place, layer)),
            turns=make_turns(self.desk, place, layer),
            row=store.rows[place],
            progress=self.desk.get_progress(layer),
            before=store.get_neighbour(place, -1),
            behind=store.get_neighbour(place, 1),
        )

    def change_message(self, request: Request, layer: str, place: int, asked: Asked) -> Response:
        """Change a message, and show what it is then."""
        layer = _check(layer)
        self._demand_message(place)
        state = self.desk.store.get(place, layer)
        try:
            if asked.revision != state.revision:
                raise ConflictError
            change = Change(**asked.model_dump(exclude={"revision"}))
            view, code = make_view(self.desk, self.desk.apply(state, change)), 200
        except ConflictError:
            view, code = self._look_again(layer, place, CHANGED), 409
        except EditError as error:
            view, code = self._look_again(layer, place, str(error)), 422
        return self._render(request, "work", layer, code, view=view)

    def _look_again(self, layer: str, place: int, notice: str) -> View:
        return make_view(self.desk, self.desk.store.get(place, layer), notice)

    def show_word(
        self, request: Request, layer: str, place: int, words: Annotated[str, Query(max_length=500)]
    ) -> Response:
        """How words were annotated before."""
        layer = _check(layer)
        self._demand_message(place)
        history = self.desk.look_up(layer, words, place)
        return self._render(request, "word", layer, words=words, history=history)

    def show_search(
        self, request: Request, layer: str, q: Annotated[str, Query(max_length=500)] = ""
    ) -> Response:
        """Search all messages."""
        return self._render_search(request, _check(layer), q)

    def _render_search(
        self, request: Request, layer: str, q: str, made: int | None = None
    ) -> Response:
        error, hits = "", []
        if q:
            try:
                hits = self.desk.find(q)
            except SearchError as problem:
                error = str(problem)
        shown = []
        for hit in hits[:PAGE]:
            text = self.desk.get_text(hit.place)
            marks = self.desk.store.get(hit.place, layer).marks
            labels = [
                mark["label"]
                for mark in marks
                if mark["start"] < hit.end and hit.start < mark["end"]
            ]
            shown.append((quote(*(hit.place, text), hit.start, hit.end), labels))
        return self._render(
            request, "search", layer, q=q, hits=hits, shown=shown, error=error, made=made
        )

    def mark_all(
        self,
        request: Request,
        layer: str,
        q: Annotated[str, Form(max_length=500)],
        label: Annotated[str, Form(max_length=40)],
    ) -> Response:
        """Mark all that a search finds."""
        layer = _check(layer)
        made = 0
        try:
            made = self.desk.mark_all(layer, self.desk.find(q), label)
        except (SearchError, EditError, ConflictError):
            raise HTTPException(422) from None
        return self._render_search(request, layer, q, made)

    def settle_next(self, layer: str) -> Response:
        """The next message to be settled."""
        layer = _check(layer)
        left = [place for place, is_settled in self.desk.find_disputed() if not is_settled]
        return RedirectResponse(make_path(layer, f"settle/{left[0]}" if left else ""), 303)

    def show_settling(self, request: Request, layer: str, place: int) -> Response:
        """A message in which annotators differ."""
        layer = _check(layer)
        self._demand_message(place)
        disputed = self.desk.find_disputed()
        places = [each for each, _ in disputed]
        if place not in places:
            return RedirectResponse(make_path(layer, "settle"), 303)
        at = places.index(place)
        return self._render(
            request,
            "settle",
            layer,
            place=place,
            row=self.desk.store.rows[place],
            text=self.desk.get_text(place),
            stretches=self.desk.find_stretches(place),
            states=self.desk.find_layers(place),
            turns=make_turns(self.desk, place, layer),
            at=at + 1,
            count=len(places),
            left=sum(not is_settled for _, is_settled in disputed),
            before=places[at - 1] if at else None,
            behind=places[at + 1] if at + 1 < len(places) else None,
        )

    def settle(
        self,
        layer: str,
        place: int,
        stretch: Annotated[int, Form()],
        variant: Annotated[int, Form()],
    ) -> Response:
        """Decide between annotators."""
        layer = _check(layer)
        self._demand_message(place)
        try:
            self.desk.decide(place, stretch, variant, layer)
        except EditError:
            raise HTTPException(422) from None
        done = all(each.settled for each in self.desk.find_stretches(place))
        return RedirectResponse(make_path(layer, "settle" if done else f"settle/{place}"), 303)

    def export(
        self, layer: str, what: str = "", kind: str = "jsonl", doubtful: bool = False
    ) -> Response:
        """What was annotated, as a file."""
        what = SETTLED if what == SETTLED else _check(what or layer)
        if kind not in FORMATS:
            raise HTTPException(404)
        rows = self.desk.get_rows(what, doubtful)
        suffix, data = dump(rows, kind, self.desk.nlp, what)
        name = quote_path(f"{self.desk.store.path.stem}-{what}.{suffix}")
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
        return Response(data, media_type="application/octet-stream", headers=headers)

    def evaluate(
        self, request: Request, layer: str, what: Annotated[str, Form(max_length=60)]
    ) -> Response:
        """Measure the pipeline on what was annotated."""
        layer = _check(layer)
        what = SETTLED if what == SETTLED else _check(what)
        if not self.desk.can_measure:
            raise HTTPException(404)
        error, evaluation = "", None
        try:
            evaluation = self.desk.evaluate(what)
            error = "" if evaluation else "Nothing is finished yet that could be measured on."
        except ValueError as problem:
            error = str(problem)
        measured = {
            "what": what,
            "error": error,
            "headlines": [
                (name, evaluation.write(name), meaning) for name, meaning in HEADLINES.items()
            ]
            if evaluation
            else [],
            "classes": tabulate_classes(evaluation) if evaluation else [],
            "messages": evaluation.scores.n_messages if evaluation else 0,
        }
        return self._render_overview(request, layer, measured=measured)


def make_path(layer: str, rest: str = "") -> str:
    """layer (str): An annotator.
    rest (str): What of the annotator's.
    RETURNS (str): The path of a page.
    """
    return f"/annotate/by/{quote_path(layer, safe='')}" + (f"/{rest}" if rest else "")


def _check(layer: str) -> str:
    try:
        return check_layer(layer)
    except StoreError:
        raise HTTPException(404) from None
