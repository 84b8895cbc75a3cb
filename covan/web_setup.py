"""Checks of the website's chat: its settings, and a browser's view from one of the school's websites.

Asks as a browser does, https://fetch.spec.whatwg.org/#http-cors-protocol. Nothing is left behind: a session that has
said nothing is stored nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import httpx

from covan.diagnosis import Finding, Level
from covan.front_door import running_url
from covan.secrets import with_secrets
from rag.settings import Settings

ROUTE = "/webhooks/web"
TIMEOUT_S = 20.0

LEAST_SECRET_CHARS = 16
"""Shorter ones are refused by channels/web/sessions.py."""

GOOD_SECRET_CHARS = 32
"""RFC 7518, 3.2: a key as long as the hash that it is used with."""

FOREIGN = "https://a-website-of-somebody-else.example"
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")

NAME = "Website"
DOCS = "docs/kenh-website.md"
RESTART = "Restart Covan after a change of .env."

_HOST = re.compile(r"(\[[0-9a-f:]+\]|[a-z0-9-]+(\.[a-z0-9-]+)*)(:\d{1,5})?", re.ASCII)


def check(settings: Settings) -> list[Finding]:
    """Return the findings about the channel that this machine can see."""
    return list(_findings(with_secrets(settings)))


def origins(settings: Settings) -> list[str]:
    """Return the websites of the settings, as they are written there."""
    return [origin.strip() for origin in settings.web_origins.split(",") if origin.strip()]


def wrong_with(origin: str) -> str:
    """Return the fault of a website's name; empty when it has none. See https://html.spec.whatwg.org/#ascii-serialisation."""
    if origin == "*":
        return "would let every website in the world hold the chat"
    scheme, separator, host = origin.partition("://")
    if not separator or scheme not in ("http", "https"):
        return "must begin with https://"
    # The channel forgives a slash at the end, which browsers do not send.
    host = host.removesuffix("/")
    if not _HOST.fullmatch(host):
        return "must be the website's address alone, in small letters: no path, no * and no blank"
    if scheme == "http" and re.sub(r":\d+$", "", host) not in LOCAL_HOSTS:
        return "must begin with https://: what students write must not be read on its way"
    return ""


def _findings(settings: Settings) -> Iterator[Finding]:
    yield _secret(settings)
    named = origins(settings)
    wrong = [(origin, why) for origin in named if (why := wrong_with(origin))]
    for origin, why in wrong:
        mend = "Write it in COVAN_WEB_ORIGINS as https://www.example.edu.vn"
        yield Finding(Level.FAIL, f"{NAME} origins", f"{origin} {why}", mend)
    if not named:
        yield Finding(
            Level.WARN,
            f"{NAME} origins",
            "COVAN_WEB_ORIGINS is empty: only pages at this server's own address may hold the chat",
            f"Name the websites that may: {DOCS}",
        )
    elif not wrong:
        yield Finding(Level.OK, f"{NAME} origins", ", ".join(named))
    base = running_url(settings)
    # Never through a proxy: the front door is on this machine.
    with httpx.Client(base_url=base + ROUTE, trust_env=False, timeout=TIMEOUT_S) as client:
        answering = _answers(f"{NAME} server", client, base)
        yield answering
        if answering.level is not Level.FAIL:
            good = [origin.rstrip("/") for origin in named if not wrong_with(origin)]
            yield from _allowed(client, good)
            yield from _talk(client)
    if settings.public_url.strip():
        public = settings.public_url.strip().rstrip("/")
        with httpx.Client(base_url=public + ROUTE, timeout=TIMEOUT_S) as client:
            yield _answers(f"{NAME} address", client, public)


def _secret(settings: Settings) -> Finding:
    name, length = f"{NAME} secret", len(settings.web_secret.get_secret_value())
    if not length:
        mend = (
            "Start Covan with `covan up`, which makes one, or set COVAN_WEB_SECRET to 32 random characters."
        )
        return Finding(Level.FAIL, name, "COVAN_WEB_SECRET is empty: the channel is closed", mend)
    if length < GOOD_SECRET_CHARS:
        level = Level.FAIL if length < LEAST_SECRET_CHARS else Level.WARN
        mend = f"Set it to {GOOD_SECRET_CHARS} random characters or more; chats that are open begin anew."
        return Finding(level, name, f"COVAN_WEB_SECRET has {length} characters only", mend)
    return Finding(Level.OK, name, f"{length} characters")


def _answers(name: str, client: httpx.Client, base: str) -> Finding:
    """Return whether the channel is open there, with a model loaded."""
    try:
        status = client.get("/").status_code
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        message = f"{base} cannot be reached: {type(error).__name__}"
        return Finding(Level.FAIL, name, message, "Is Covan running (covan up), and the proxy before it?")
    if status == httpx.codes.OK:
        return Finding(Level.OK, name, f"{base}{ROUTE} answers")
    if status == httpx.codes.SERVICE_UNAVAILABLE:
        mend = "Wait until Rasa has loaded it; if it stays: .covan/logs/rasa.log, and covan doctor."
        return Finding(Level.FAIL, name, f"{base}{ROUTE} answers, but no model is loaded", mend)
    if status == httpx.codes.NOT_FOUND:
        mend = f"{RESTART} A proxy must hand on {ROUTE}/ to the front door."
        return Finding(Level.FAIL, name, f"{base}{ROUTE} answers 404: the channel is not open there", mend)
    return Finding(Level.FAIL, name, f"{base}{ROUTE} answers {status}", "See .covan/logs/channels.log.")


def _allowed(client: httpx.Client, named: Sequence[str]) -> Iterator[Finding]:
    """Yield a finding on the preflight request of a page of each website."""
    for origin in named:
        if _preflight(client, origin):
            yield Finding(Level.OK, f"{NAME} origins", f"a page of {origin} may hold the chat")
        else:
            yield Finding(Level.FAIL, f"{NAME} origins", f"a page of {origin} is refused", RESTART)
    if _preflight(client, FOREIGN):
        message = "a page of any website may hold the chat and read what is said in it"
        yield Finding(
            Level.FAIL,
            f"{NAME} origins",
            message,
            "Is another program before the front door, which adds the header?",
        )
    else:
        yield Finding(Level.OK, f"{NAME} origins", "a page of another website is refused")


def _preflight(client: httpx.Client, origin: str) -> bool:
    """Return whether a browser would let a page of `origin` send a message."""
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
    }
    try:
        told = client.options("/messages", headers=asked)
    except httpx.HTTPError:
        return False
    headers = told.headers.get("access-control-allow-headers", "").lower()
    return (
        told.is_success
        and told.headers.get("access-control-allow-origin") in (origin, "*")
        and "POST" in told.headers.get("access-control-allow-methods", "")
        and {"authorization", "content-type"} <= {name.strip() for name in headers.split(",")}
    )


def _talk(client: httpx.Client) -> Iterator[Finding]:
    """Yield a session, and its stream of events."""
    name = f"{NAME} session"
    try:
        given = client.post("/session", json={})
        token = given.json().get("token") if given.status_code == httpx.codes.CREATED else None
        if not token:
            mend = "See .covan/logs/channels.log."
            yield Finding(Level.FAIL, name, f"none is given: status {given.status_code}", mend)
            return
        yield Finding(Level.OK, name, "is given")
        headers = {"Authorization": f"Bearer {token}"}
        with client.stream("GET", "/events", headers=headers) as events:
            kind = events.headers.get("content-type", "")
            open_ = events.status_code == httpx.codes.OK and kind.startswith("text/event-stream")
        if open_:
            yield Finding(Level.OK, f"{NAME} events", "the stream opens")
        else:
            message = f"the stream does not open: status {events.status_code}, {kind or 'no type'}"
            yield Finding(Level.FAIL, f"{NAME} events", message, "See .covan/logs/channels.log.")
    except (httpx.HTTPError, ValueError) as error:
        message = f"breaks off: {type(error).__name__}"
        yield Finding(Level.FAIL, name, message, "See .covan/logs/channels.log.")
