"""A person's own account: the password and the second factor."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Annotated, Any

import segno
from fastapi import APIRouter, Depends

from console.accounts import Session
from console.api import answers
from console.api.dependencies import Parts, signed_in
from console.api.models import NewPassword, WithCode, WithPassword
from console.second_factor import address_for_app

router = APIRouter()

Own = Annotated[Session, Depends(signed_in)]


@router.put("/account/password", status_code=204)
def change_own_password(body: NewPassword, session: Own, console: Parts) -> None:
    """Change the password; all other sessions of the account end."""
    console.accounts.change_password(session, body.password, body.new_password)
    console.audit.note(session.account.login, "change_password")


@router.get("/account/second-factor", response_model=answers.SecondFactor)
def own_second_factor(session: Own, console: Parts) -> Mapping[str, Any]:
    """Return whether signing in needs a code, and how many recovery codes are left."""
    left = console.accounts.recovery_codes_left(session)
    return {"on": session.account.second_factor, "recovery_codes_left": left}


@router.post("/account/second-factor", response_model=answers.NewSecondFactor)
def begin_second_factor(body: WithPassword, session: Own, console: Parts) -> Mapping[str, Any]:
    """Return a secret for the person's app, also as an SVG of a QR code; a code from it must follow."""
    secret = console.accounts.begin_second_factor(session, body.password)
    console.audit.note(session.account.login, "begin_second_factor")
    address = address_for_app(secret, session.account.login)
    return {"secret": secret, "address": address, "qr": _qr(address)}


@router.post("/account/second-factor/confirm", response_model=answers.RecoveryCodes)
def confirm_second_factor(body: WithCode, session: Own, console: Parts) -> Mapping[str, Any]:
    """Need a code at each sign-in from now on; return the recovery codes, which nobody can see again."""
    codes = console.accounts.confirm_second_factor(session, body.code)
    console.audit.note(session.account.login, "add_second_factor")
    return {"recovery_codes": codes}


@router.post("/account/second-factor/remove", status_code=204)
def remove_second_factor(body: WithPassword, session: Own, console: Parts) -> None:
    """Need no code any longer."""
    console.accounts.remove_second_factor(session, body.password)
    console.audit.note(session.account.login, "remove_second_factor")


def _qr(text: str) -> str:
    """Return an SVG element."""
    drawn = io.BytesIO()
    segno.make(text, error="m").save(
        drawn, kind="svg", scale=5, border=2, light="#fff", xmldecl=False, nl=False
    )
    return drawn.getvalue().decode()
