"""Signing in and out."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Response

from console.accounts import LONGEST_S, AccountError, Session
from console.api import answers
from console.api.dependencies import COOKIE, Console, Parts, address_of, signed_in
from console.api.models import Fault, SignIn

router = APIRouter()


@router.post("/session", responses={429: {"model": Fault}}, response_model=answers.Me)
def sign_in(
    body: SignIn, response: Response, console: Parts, address: Annotated[str, Depends(address_of)]
) -> Mapping[str, Any]:
    """Sign in; sets the session's cookie. An address with many wrong sign-ins has to wait (429).

    An account with a second factor needs a `code`: without one, a right password is answered `code_needed`.
    """
    # Counted before the password is checked: requests at the same time would all be let through otherwise.
    if wait_s := console.wrong_sign_ins.wait_s(address):
        told = f"too many wrong sign-ins from this address; again in {wait_s} s"
        raise HTTPException(429, {"error": "too_many", "message": told}, {"Retry-After": str(wait_s)})
    try:
        token, session = console.accounts.sign_in(body.login, body.password, body.code)
    except AccountError as error:
        if error.code == "code_needed":
            # The second step follows: nobody has been refused.
            console.wrong_sign_ins.give_back(address)
            console.audit.note(body.login, "password_right", address=address)
        else:
            console.audit.note(body.login, "sign_in", allowed=False, why=error.code, address=address)
        raise HTTPException(403, {"error": error.code, "message": str(error)}) from None
    console.wrong_sign_ins.give_back(address)
    console.audit.note(session.account.login, "sign_in", factor=session.factor)
    set_cookie(response, token, console)
    return _me(session, console)


@router.get("/session", response_model=answers.Me)
def me(session: Annotated[Session, Depends(signed_in)], console: Parts) -> Mapping[str, Any]:
    """Return the signed-in account, its rights, and the token for changes."""
    return _me(session, console)


@router.delete("/session", status_code=204)
def sign_out(session: Annotated[Session, Depends(signed_in)], response: Response, console: Parts) -> None:
    """End the session."""
    console.accounts.sign_out(session)
    response.delete_cookie(COOKIE, path="/")


def set_cookie(response: Response, token: str, console: Console) -> None:
    """Give the browser the cookie of a session."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=int(LONGEST_S),
        httponly=True,
        samesite="strict",
        secure=console.secure_cookie,
        path="/",
    )


def _me(session: Session, console: Console) -> Mapping[str, Any]:
    account = session.account
    return {
        "login": account.login,
        "name": account.name,
        "roles": list(account.roles),
        "rights": sorted(account.rights),
        "csrf": session.csrf,
        "now": time.time(),
        "keeps_versions": console.publisher.versions.are_kept,
    }
