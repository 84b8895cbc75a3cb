"""Checks of the advisors' side: the token, the API, its exposure to the world, undelivered messages."""

from __future__ import annotations

from collections.abc import Iterator

import httpx

from console.advisors_api import AdvisorsApi, AdvisorsError
from covan.diagnosis import Finding, Level
from covan.front_door import running_url
from covan.secrets import with_secrets
from rag.settings import Settings

TIMEOUT_S = 20.0

GOOD_TOKEN_CHARS = 32
"""Length of a safe token; those of covan/secrets.py are longer."""

NAME = "Advisors"
PATH = "/webhooks/advisors/conversations"


def check(settings: Settings) -> list[Finding]:
    """Return the findings about the advisors' side that this machine can see."""
    return list(_findings(with_secrets(settings)))


def _findings(settings: Settings) -> Iterator[Finding]:
    token = settings.advisor_token.get_secret_value()
    if not token:
        mend = "Start Covan with `covan up`, which makes one, or set COVAN_ADVISOR_TOKEN to 32 random characters."
        message = "COVAN_ADVISOR_TOKEN is empty: no student is handed over to a person"
        yield Finding(Level.FAIL, f"{NAME}' token", message, mend)
        return
    if len(token) < GOOD_TOKEN_CHARS:
        message = f"COVAN_ADVISOR_TOKEN has {len(token)} characters only"
        mend = f"Set it to {GOOD_TOKEN_CHARS} random characters or more, and restart Covan."
        yield Finding(Level.WARN, f"{NAME}' token", message, mend)
    else:
        yield Finding(Level.OK, f"{NAME}' token", f"{len(token)} characters")
    base = running_url(settings)
    yield from _api(base, token)
    if settings.public_url.strip():
        yield _closed(settings.public_url.strip().rstrip("/"))


def _api(base: str, token: str) -> Iterator[Finding]:
    name = f"{NAME}' API"
    try:
        with AdvisorsApi(base, token) as api:
            waiting = len(api.queue("waiting"))
            undelivered = len(api.undelivered())
    except AdvisorsError as error:
        message, _, mend = str(error).partition(". ")
        yield Finding(Level.FAIL, name, message, mend or "See .covan/logs/channels.log.")
        return
    yield Finding(Level.OK, name, f"answers who has the token; {waiting} students are waiting")
    try:
        # Never through a proxy: the front door is on this machine.
        status = httpx.get(base + PATH, trust_env=False, timeout=TIMEOUT_S).status_code
    except httpx.HTTPError as error:
        yield Finding(
            Level.FAIL, name, f"breaks off: {type(error).__name__}", "See .covan/logs/channels.log."
        )
        return
    if status == httpx.codes.UNAUTHORIZED:
        yield Finding(Level.OK, name, "refuses who has no token")
    else:
        message = f"answers {status} to who has no token, where it should answer 401"
        yield Finding(
            Level.FAIL, name, message, "Is another program before the front door, which adds the token?"
        )
    if undelivered:
        message = f"{undelivered} have not reached a student"
        yield Finding(Level.WARN, "Messages", message, "Run: covan queue --undelivered")
    else:
        yield Finding(Level.OK, "Messages", "all have reached their students")


def _closed(public: str) -> Finding:
    """Return whether the proxy keeps the API from the world, whatever the token."""
    name = f"{NAME}' address"
    try:
        status = httpx.get(public + PATH, timeout=TIMEOUT_S).status_code
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        message = f"whether {public} hands on {PATH} is not known: {type(error).__name__}"
        return Finding(Level.WARN, name, message, "Look from another machine.")
    if status in (httpx.codes.OK, httpx.codes.UNAUTHORIZED):
        mend = "The proxy must refuse /webhooks/advisors (docs/van-hanh.md)."
        return Finding(Level.FAIL, name, f"{public}{PATH} is open to the world", mend)
    return Finding(Level.OK, name, f"{public} does not hand on {PATH}")
