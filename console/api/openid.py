"""Signing in at the school's OpenID Connect provider."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import RedirectResponse

from console.accounts import AccountError
from console.api import answers
from console.api.dependencies import PREFIX, Console, Parts
from console.api.sessions import set_cookie
from console.openid import PENDING_S, OpenIdError, SignInProvider

FLOW_COOKIE = "covan_console_openid"
PATH = "/session/openid"

router = APIRouter()

Told = Annotated[str | None, Query(max_length=4_000)]


@router.get("/session/methods", response_model=answers.SignInMethods)
def methods(console: Parts) -> Mapping[str, str | None]:
    """Return the name of the provider at which people may sign in besides with a password; null without one."""
    return {"openid": console.openid.name if console.openid is not None else None}


@router.get(PATH, status_code=303, response_class=RedirectResponse)
def begin(console: Parts) -> RedirectResponse:
    """Send the browser to the provider, or back to the page that says why not."""
    provider = _provider(console)
    try:
        address, token = provider.begin()
    except OpenIdError as error:
        console.audit.note("", "sign_in", allowed=False, why=error.code, told=str(error))
        return _refused(error.code)
    sent = RedirectResponse(address, 303)
    # Lax, not strict: the provider's page leads back here.
    sent.set_cookie(
        FLOW_COOKIE,
        token,
        max_age=int(PENDING_S),
        httponly=True,
        samesite="lax",
        secure=console.secure_cookie,
        path=f"{PREFIX}{PATH}",
    )
    return sent


@router.get(f"{PATH}/callback", status_code=303, response_class=RedirectResponse)
def finish(
    request: Request,
    console: Parts,
    state: Told = None,
    code: Told = None,
    iss: Told = None,
) -> RedirectResponse:
    """Sign in whom the provider has sent back; the page tells why somebody cannot be."""
    provider = _provider(console)
    told = {name: value for name, value in (("state", state), ("code", code), ("iss", iss)) if value}
    login = ""
    try:
        who = provider.finish(request.cookies.get(FLOW_COOKIE, ""), told)
        login = who.mail or who.subject
        token, session = console.accounts.sign_in_as(who)
    except (OpenIdError, AccountError) as error:
        console.audit.note(login, "sign_in", allowed=False, why=error.code, told=str(error))
        sent = _refused(error.code)
    else:
        console.audit.note(session.account.login, "sign_in", factor=session.factor)
        sent = RedirectResponse("/", 303)
        set_cookie(sent, token, console)
    sent.delete_cookie(FLOW_COOKIE, path=f"{PREFIX}{PATH}")
    return sent


def _provider(console: Console) -> SignInProvider:
    if console.openid is None:
        raise HTTPException(404, {"error": "not_found", "message": "people sign in with passwords here"})
    return console.openid


def _refused(code: str) -> RedirectResponse:
    return RedirectResponse(f"/?{urlencode({'refused': code})}", 303)
