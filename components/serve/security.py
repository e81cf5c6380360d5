"""Guards every page and every call: who may, how much, how fast; and errors that quote nothing."""

import asyncio
import logging
import re
import secrets
import time
from base64 import b64decode
from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from fastapi.security.utils import get_authorization_scheme_param
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException as AnyHTTPException

from ..shared.failures import describe_error
from ..shared.secret import read_secret

logger = logging.getLogger("sv_deid_chat")

TOKEN_VARIABLE = "SV_DEID_SERVE_TOKEN"
MIN_TOKEN = 16  # bytes
LOOPBACK = ("localhost", "127.0.0.1", "::1")
# They reveal nothing, and monitors of the service ask for them.
OPEN_PATHS = ("/health/live", "/health/ready")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # With none at all, a browser calls the origin of a form null.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
# Messages in place of those of pydantic, by its types of errors.
OWN_ERRORS = {
    "json_invalid": "This is not valid JSON.",
    "extra_forbidden": "There is no such field.",
}
MAX_DETAIL = 1000
# Clients whose rate is kept in memory.
MAX_CLIENTS = 10_000


@dataclass(frozen=True)
class Limits:
    """How much a client may ask.

    body (int): Bytes of a body.
    body_seconds (float): Seconds in which a body must have arrived.
    rate (float): Requests a second of one address, of which as many may come at once; 0: any.
    """

    body: int = 2 * 1024 * 1024
    body_seconds: float = 30.0
    rate: float = 200.0


def read_token() -> str | None:
    """RETURNS (str | None): The token of the environment, if any; ValueError if it cannot be one."""
    token = read_secret(TOKEN_VARIABLE, MIN_TOKEN)
    if token is not None and not re.fullmatch(r"[!-~]+", token):
        raise ValueError(f"{TOKEN_VARIABLE} must be one word of ASCII: a header carries it.")
    return token


def new_token() -> str:
    """RETURNS (str): A new random token."""
    return secrets.token_urlsafe(24)


def secure(app: FastAPI, token: str, limits: Limits, hosts: Iterable[str] = LOOPBACK) -> None:
    """Guard an app: token (bearer, password, or `?token=` of a page, which leaves a cookie), hosts (none:
    any), limits, headers, and errors as problem+json (RFC 9457).
    """
    names: set[str] = set()

    async def refuse(request: Request, error: Exception) -> Response:
        assert isinstance(error, AnyHTTPException)
        return make_problem(error.status_code, headers=error.headers)

    async def refuse_body(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        if not names:
            names.update(_get_names(app))
        places = [_describe(each, names) for each in error.errors()]
        detail = " ".join(f"{'.'.join(map(str, each['where']))}: {each['what']}" for each in places)
        return make_problem(422, detail[:MAX_DETAIL], errors=places)

    app.add_exception_handler(RequestValidationError, refuse_body)
    app.add_exception_handler(AnyHTTPException, refuse)
    app.add_middleware(Guard, token=token, limits=limits, hosts=tuple(hosts))


def _describe(error: Mapping[str, Any], names: Container[str]) -> dict[str, Any]:
    """Describe where a body is wrong and why, without the value and without names that are not ours."""
    where = [part if isinstance(part, int) or part in names else "?" for part in error["loc"]]
    said = error["msg"].removeprefix("Value error, ").rstrip(".")
    what = OWN_ERRORS.get(error["type"], f"{said}.")
    return {"where": where, "what": what}


def make_problem(status: int, detail: str = "", headers: Any = None, **more: Any) -> JSONResponse:
    """Make an error of an HTTP service. Its detail must quote nothing of what was sent."""
    content = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    if detail:
        content["detail"] = detail
    return JSONResponse(
        {**content, **more}, status, headers=headers, media_type="application/problem+json"
    )


def _get_names(app: FastAPI) -> Iterable[str]:
    """The names of fields and parameters, which an error may tell."""
    schema = app.openapi()
    for model in schema.get("components", {}).get("schemas", {}).values():
        yield from model.get("properties", ())
    yield from ("body", "query", "path", "header")


class Guard:
    """An ASGI layer, see `secure`. It logs unforeseen errors by their kind and place alone."""

    def __init__(self, app: Any, token: str, limits: Limits, hosts: tuple[str, ...]) -> None:
        self.app = app
        self.token = token
        self.limits = limits
        self.hosts = hosts
        # Cookies know no ports: two servers on a machine have each their own.
        self.cookie = f"sv_deid_{sha256(token.encode()).hexdigest()[:8]}"
        self._rates: dict[str, tuple[float, float]] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        started = False

        async def send_safe(message: Any) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        response = self._refuse(Request(scope))
        if response is not None:
            await response(scope, receive, send_safe)
            return
        try:
            await self.app(scope, self._limit(receive), send_safe)
        except Exception as error:  # noqa: BLE001
            # A traceback would show what the error says, which may quote a message.
            logger.error("A request failed: %s", describe_error(error))
            if not started:
                await make_problem(500)(scope, receive, send_safe)

    def _refuse(self, request: Request) -> Response | None:
        """The answer to who may not; None for who may."""
        if self.hosts and _get_host(request.headers.get("host", "")) not in self.hosts:
            return make_problem(421, "This server is not called by that name.")
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self.limits.body:
            return make_problem(413, f"A body has {self.limits.body} bytes at most.")
        if not self._is_slow_enough(request):
            return make_problem(429, "Too many requests.", {"Retry-After": "1"})
        if request.url.path in OPEN_PATHS:
            return None
        if self._fits(_get_token(request)):
            return None
        if request.method == "GET" and self._fits(request.query_params.get("token", "")):
            # The token does not stay in the address, which may be shown or kept. A path with two
            # slashes in front would lead to another server.
            target = f"/{request.url.path.lstrip('/')}"
            response = RedirectResponse(target, 303)
            response.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
            return response
        if self._fits(request.cookies.get(self.cookie, "")):
            if request.method in SAFE_METHODS or _is_same_origin(request):
                return None
            return make_problem(403, "A page of another origin may not do this.")
        return make_problem(
            401, "Show the token that the server printed.", {"WWW-Authenticate": "Bearer"}
        )

    def _fits(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self.token.encode())

    def _is_slow_enough(self, request: Request) -> bool:
        """Whether an address keeps to its rate: a bucket that fills as time passes."""
        rate = self.limits.rate
        if not rate:
            return True
        address = request.client.host if request.client else ""
        now = time.monotonic()
        if len(self._rates) > MAX_CLIENTS:
            # A bucket that has had its second is full again, as that of an unknown client.
            self._rates = {k: v for k, v in self._rates.items() if now - v[1] < 1}
        left, before = self._rates.get(address, (rate, now))
        left = min(rate, left + (now - before) * rate)
        fits = left >= 1
        self._rates[address] = (left - fits, now)
        return fits

    def _limit(self, receive: Any) -> Any:
        """Receive no more and no slower than is allowed."""
        n_bytes = 0
        is_whole = False
        until = time.monotonic() + self.limits.body_seconds

        async def receive_limited() -> Any:
            nonlocal n_bytes, is_whole
            if is_whole:
                # What comes now is that the client is gone, for which one may wait.
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), until - time.monotonic())
            except asyncio.TimeoutError:
                raise HTTPException(408, headers={"Connection": "close"}) from None
            n_bytes += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            if n_bytes > self.limits.body:
                raise HTTPException(413, headers={"Connection": "close"})
            return message

        return receive_limited


def _get_token(request: Request) -> str:
    """The token of a header: that of a bearer, or the password in an address (`http://x:TOKEN@…`) to which a
    client posts. A browser, which would keep a password and send it for pages of others, tells an origin.
    """
    scheme, value = get_authorization_scheme_param(request.headers.get("authorization"))
    if scheme.lower() == "bearer":
        return value.strip()
    if scheme.lower() == "basic" and "origin" not in request.headers:
        with suppress(ValueError):
            return b64decode(value).decode().partition(":")[2]
    return ""


def _get_host(header: str) -> str:
    """The name in a Host header, without the port."""
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0].lower()


def _is_same_origin(request: Request) -> bool:
    """Whether a page of this server asks. Every browser tells with a request that changes something."""
    origin = request.headers.get("origin")
    if origin is None:
        return request.headers.get("sec-fetch-site") == "same-origin"
    return origin == f"{request.url.scheme}://{request.headers.get('host')}"
