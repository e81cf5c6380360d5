"""Surrogates of web addresses, profiles and handles."""

import re
from collections.abc import Iterator, Sequence

from ...shared.words import read_words
from ..core.pools import Pool
from ..core.scope import Mention, Scope
from .codes import Codes

LISTS = read_words(__file__, "web.txt")
WORDS = LISTS["words"]
SITES = Pool(f"{word}.example" for word in WORDS)
PAGES = Pool(LISTS["pages"])
N_HANDLES = 1000 * len(WORDS)
MOST_SEGMENTS = 5
ADDRESS = re.compile(
    r"(?P<scheme>(?:https?|ftp)://)?(?P<login>[^/@\s]*@)?(?P<host>[^/?#:\s]+)(?P<port>:\d+)?(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
ENDING = re.compile(r"\.(?:html?|php|aspx?|pdf|jpe?g|png)$", re.IGNORECASE)


class Handles(Codes):
    """Replaces handles and the addresses of profiles. The site stays if it is one of everybody's, and
    nothing else: a handle and the profile of that name get the same surrogate.
    """

    def read(self, text: str) -> str:
        if "/" not in text:
            return text.lstrip("@").lower()
        match = ADDRESS.fullmatch(text)
        path = match["rest"].strip("/@") if match else text
        segments = [part for part in re.split(r"[/?#&=]", path) if part]
        names = [part for part in segments if part.lower() not in LISTS["kinds"]]
        return (names[0] if len(names) == 1 else path).lstrip("@").lower()

    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        start = scope.number(N_HANDLES, "handle", core)
        for i in scope.cycle(N_HANDLES, start, "handle"):
            word = WORDS[i // 1000]
            if word not in core:
                yield f"{word}{i % 1000:03d}"

    def write(self, text: str, core: str, new: str) -> str:
        if "/" not in text:
            return text[: len(text) - len(text.lstrip("@"))] + new
        match = ADDRESS.fullmatch(text)
        if match is None:
            return new
        front = _write_host(match, match["host"].lower() if _is_public(match["host"]) else "")
        path = match["rest"].strip("/")
        head, _, _ = path.partition("/")
        kind = f"{head}/" if head.lower() in LISTS["kinds"] and "/" in path else ""
        sign = "@" if path[len(kind) :].startswith("@") else ""
        return f"{front}/{kind}{sign}{new}{'/' if match['rest'].endswith('/') else ''}"


class Urls(Codes):
    """Replaces web addresses. A site of everybody's stays, another one becomes one that is reserved for
    examples (RFC 2606), the same for all its pages. Of the path as many pages stay as there were,
    with other names. The address of a public site alone points at nobody, and stays.
    """

    def keeps(self, mention: Mention, scope: Scope) -> bool:
        """Whether an address is that of a public site alone."""
        match = ADDRESS.fullmatch(mention.text)
        return match is not None and _is_site(match)

    def read(self, text: str) -> str:
        return re.sub(r"^(?:(?:https?|ftp)://)?(?:www\.)?", "", text.lower())

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        out = super()._replace_all(mentions, scope)
        # The words of a page alone are soon used up; the name of its site tells it apart.
        for i, mention in enumerate(mentions):
            match = ADDRESS.fullmatch(mention.text)
            if match is None:
                out[i] = scope.ledger.pick("site", mention.text, SITES)
                continue
            host = re.sub(r"^www\.", "", match["host"].lower())
            if _is_site(match):
                out[i] = mention.text
            else:
                site = match["host"].lower() if _is_public(host) else ""
                out[i] = _write_host(match, site or self._get_site(match, host, scope)) + out[i]
        return out

    @staticmethod
    def _get_site(match: "re.Match[str]", host: str, scope: Scope) -> str:
        site = scope.ledger.pick(
            "site", host, SITES, lambda site: site.partition(".")[0] not in host
        )
        return f"www.{site}" if match["host"].lower().startswith("www.") else site

    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        start = scope.number(9000, "page", core)
        yield from (str(1000 + i) for i in scope.cycle(9000, start, "page"))

    def write(self, text: str, core: str, new: str) -> str:
        match = ADDRESS.fullmatch(text)
        rest = match["rest"] if match else ""
        path, mark, query = rest.partition("?")
        path, _, fragment = path.partition("#")
        segments = [part for part in path.split("/") if part][:MOST_SEGMENTS]
        pages = [PAGES.members[(int(new) + i) % len(PAGES.members)] for i in range(len(segments))]
        if segments:
            ending = ENDING.search(segments[-1])
            pages[-1] += f"-{new}" + (ending[0].lower() if ending else "")
        written = "".join(f"/{page}" for page in pages) + ("/" if path.endswith("/") else "")
        if mark and query or fragment:
            written += f"?id={new}"
        return written


def _is_public(host: str) -> bool:
    labels = host.lower().split(".")
    return any(
        ".".join(labels[i:]) in LISTS["public"]
        and all(label in LISTS["harmless"] for label in labels[:i])
        for i in range(len(labels))
    )


def _is_site(match: "re.Match[str]") -> bool:
    """Whether an address is a public site, without a page or a login."""
    return _is_public(match["host"]) and not match["login"] and not match["rest"].strip("/")


def _write_host(match: "re.Match[str]", host: str) -> str:
    """The front of an address, without a login or a port."""
    return (match["scheme"] or "") + (host or "profil.example")
