"""Zalo's side of setting up: the addresses to enter, the authorization by the OA, and what of it is missing.

Zalo has no interface for the addresses and the menu: the command tells what to enter where. The rest that only a person
can do at developers.zalo.me (the app, its permissions, the domain) is told in docs/kenh-zalo.md. The tokens are the
front door's alone (channels/zalo/authorization.py), which this asks with a proof that it knows the app's secret.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import httpx
import yaml
from rich.console import Console
from rich.markup import escape

from covan.diagnosis import Finding, Level
from covan.front_door import running_url
from covan.project import ROOT
from rag.errors import CovanError
from rag.settings import Settings

MENU = ROOT / "channels" / "zalo" / "menu.yml"

WEBHOOK_PATH = "/webhooks/zalo/webhook"
CALLBACK_PATH = "/webhooks/zalo/authorized"
ACCESS_PATH = "/webhooks/zalo/access"

OPERATOR = b"covan channel zalo"
"""The bytes that are signed with the app's secret, to prove that this command knows it."""

ZALO_WAITS_S = 2.0
"""Seconds in which Zalo wants the webhook's answer: https://developers.zalo.me/docs/official-account/webhook/tong-quan"""

TIMEOUT_S = 30.0
WAIT_S = 30 * 60.0
"""Seconds for which a link lasts."""

POLL_S = 2.0

DOCS = "docs/kenh-zalo.md"
REGISTER = "Run: covan channel zalo"
RESTART = "Is Covan running, and was it restarted with these settings?"


class FrontDoorError(CovanError):
    """The front door does not tell how Zalo stands; the message says why."""


def register(settings: Settings, console: Console) -> None:
    """Tell what to enter at Zalo, and wait until an administrator of the OA has authorized the app.

    May be done again at any time; Covan must be running.

    Raises:
        CovanError: when a setting is missing or nobody authorizes the app; the message says what to do.
    """
    if missing := [name for name in _missing(settings) if name != "COVAN_ZALO_OA_SECRET"]:
        raise CovanError(f"Not set: {', '.join(missing)}. What to put there: {DOCS}")
    if not settings.public_url:
        raise CovanError(
            f"COVAN_PUBLIC_URL is not set: the https address under which Zalo reaches us. {DOCS}"
        )
    console.print("At developers.zalo.me, in the app:")
    console.print(f"  Official Account → Callback URL: {escape(_public(settings, CALLBACK_PATH))}")
    console.print(f"  Webhook → URL: {escape(_public(settings, WEBHOOK_PATH))}")
    if _missing(settings):
        raise CovanError(
            "Not set: COVAN_ZALO_OA_SECRET. Zalo shows it at Webhook once the address above is saved; put it into "
            f".env, restart Covan and run this again. {DOCS}"
        )
    console.print("At oa.zalo.me, the menu's items send these messages:")
    for item in yaml.safe_load(MENU.read_text(encoding="utf-8")):
        console.print(f"  {escape(item['title']['vi'])}: {escape(item['payload'])}")
    found = _access(settings)
    if not found["oa"]:
        found = _authorized(settings, console, found)
    console.print(
        f"The OA {escape(found['oa']['name'])} has authorized the app. Its tokens are renewed by themselves; "
        "to authorize it anew, run `covan channel zalo --remove` first."
    )


def _authorized(settings: Settings, console: Console, before: dict[str, Any]) -> dict[str, Any]:
    """Show the link and wait until it was used. Raises CovanError when it was not."""
    link = _ask(settings, "POST")["url"]
    console.print("An administrator of the OA opens this address within 30 minutes and agrees:")
    console.print(f"  {escape(link)}")
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        time.sleep(POLL_S)
        found = _access(settings)
        if found["oa"] and found["obtained_at"] != before["obtained_at"]:
            return found
    raise CovanError("Nobody has authorized the app. Run `covan channel zalo` again for a new link.")


def remove(settings: Settings, console: Console) -> None:
    """Delete the tokens: nothing is sent any more. Raises CovanError."""
    if missing := _missing(settings):
        raise CovanError(f"Not set: {', '.join(missing)}. What to put there: {DOCS}")
    _ask(settings, "DELETE")
    console.print(
        "The tokens are deleted. At developers.zalo.me switch the webhook off; "
        "at oa.zalo.me take the app's permission back."
    )


# --- checks -----------------------------------------------------------------------------------------------------------


def check(settings: Settings) -> list[Finding]:
    """Return the findings about Zalo's setup, in the order of mending. Changes nothing."""
    return list(_findings(settings))


def _findings(settings: Settings) -> Iterator[Finding]:
    missing = _missing(settings)
    if len(missing) == 3:
        yield Finding(Level.WARN, "Zalo", "is not set up", f"If students are there: {DOCS}")
        return
    if missing:
        what = f"not set: {', '.join(missing)}"
        yield Finding(Level.FAIL, "Zalo", what, f"Put it into .env; from where: {DOCS}")
        return
    try:
        found = _access(settings)
    except FrontDoorError as error:
        yield Finding(Level.FAIL, "Zalo's access", str(error), RESTART)
        return
    yield _of_access(found)
    yield _of_webhook(settings)
    yield _of_students(found)


def _of_access(found: dict[str, Any]) -> Finding:
    name = "Zalo's access"
    if not found["authorized"]:
        return Finding(Level.FAIL, name, "no administrator of the OA has authorized the app", REGISTER)
    if found["oa"] is None:
        return Finding(Level.FAIL, name, found["why"], REGISTER)
    told = f"to the OA {found['oa']['name']}; the token is renewed before {_time(found['expires_at'])}"
    if found["why"]:
        return Finding(Level.FAIL, name, f"{told}, but: {found['why']}", REGISTER)
    return Finding(Level.OK, name, told)


def _of_webhook(settings: Settings) -> Finding:
    """Return whether the address takes a signed event, as Zalo would bring it, in time."""
    name = "Zalo's webhook"
    if not settings.public_url:
        what = "is not tried: COVAN_PUBLIC_URL is not set"
        return Finding(Level.WARN, name, what, f"Set it to the https address that Zalo calls: {DOCS}")
    url, now = _public(settings, WEBHOOK_PATH), str(round(time.time() * 1000))
    body = json.dumps(
        {"event_name": "covan_doctor", "app_id": settings.zalo_app_id, "timestamp": now}
    ).encode()
    signed = settings.zalo_app_id.encode() + body + now.encode()
    mac = hashlib.sha256(signed + settings.zalo_oa_secret.get_secret_value().encode()).hexdigest()
    headers = {"X-ZEvent-Signature": f"mac={mac}", "Content-Type": "application/json"}
    began = time.monotonic()
    try:
        answer = httpx.post(url, content=body, headers=headers, timeout=TIMEOUT_S)
    except (httpx.TransportError, httpx.InvalidURL) as error:
        what = f"{url} is not reached ({type(error).__name__})"
        return Finding(Level.FAIL, name, what, "Is Covan running, and the proxy before it?")
    took = time.monotonic() - began
    if answer.status_code != httpx.codes.OK:
        mend = {
            403: "COVAN_ZALO_OA_SECRET was changed: restart Covan. Or the proxy changes what is posted.",
            404: "Restart Covan with these settings; the proxy must hand on /webhooks/zalo/",
            503: "The database takes nothing now: covan doctor",
        }.get(answer.status_code, "Is Covan running, and does the proxy hand on /webhooks/zalo/?")
        return Finding(Level.FAIL, name, f"{url} answers {answer.status_code}", mend)
    if took > ZALO_WAITS_S:
        what = f"{url} answers after {took:.1f} s, and Zalo waits {ZALO_WAITS_S:.0f} s"
        return Finding(Level.FAIL, name, what, "Is this machine busy, or the way through the proxy long?")
    return Finding(Level.OK, name, f"{url} answers in {1000 * took:.0f} ms")


def _of_students(found: dict[str, Any]) -> Finding:
    name = "Zalo's messages"
    if not found["heard_at"]:
        mend = (
            "Write to the OA. If nothing comes: is the webhook on at developers.zalo.me, with the events "
            f"user_send_text and follow, and without a syntax filter? {DOCS}"
        )
        return Finding(Level.WARN, name, "none has come yet", mend)
    return Finding(Level.OK, name, f"the last came at {_time(found['heard_at'])}")


# --- the front door ---------------------------------------------------------------------------------------------------


def _access(settings: Settings) -> dict[str, Any]:
    """Return how the app stands with the OA. Raises FrontDoorError."""
    found = _ask(settings, "GET")
    if not {"authorized", "oa", "why", "obtained_at", "expires_at", "heard_at"} <= found.keys():
        raise FrontDoorError("The front door is of another release: restart Covan.")
    return found


def _ask(settings: Settings, method: str) -> dict[str, Any]:
    secret = settings.zalo_app_secret.get_secret_value().encode()
    proof = hmac.new(secret, OPERATOR, hashlib.sha256).hexdigest()
    url = running_url(settings) + ACCESS_PATH
    try:
        # Never through a proxy: the front door is on this machine.
        with httpx.Client(trust_env=False, timeout=TIMEOUT_S) as client:
            answer = client.request(method, url, headers={"Authorization": f"Bearer {proof}"})
    except httpx.HTTPError as error:
        raise FrontDoorError(f"nothing answers at {url} ({type(error).__name__})") from error
    if answer.status_code == httpx.codes.NOT_FOUND:
        raise FrontDoorError("the front door that runs has no Zalo, or another COVAN_ZALO_APP_SECRET")
    try:
        told = answer.raise_for_status().json()
    except (httpx.HTTPStatusError, ValueError) as error:
        raise FrontDoorError(f"the front door answers {answer.status_code}: see channels.log") from error
    return told if isinstance(told, dict) else {}


def _missing(settings: Settings) -> list[str]:
    values = {
        "COVAN_ZALO_APP_ID": settings.zalo_app_id,
        "COVAN_ZALO_APP_SECRET": settings.zalo_app_secret.get_secret_value(),
        "COVAN_ZALO_OA_SECRET": settings.zalo_oa_secret.get_secret_value(),
    }
    return [name for name, value in values.items() if not value.strip()]


def _public(settings: Settings, path: str) -> str:
    return settings.public_url.rstrip("/") + path


def _time(at: float) -> str:
    return f"{datetime.fromtimestamp(at).astimezone():%Y-%m-%d %H:%M}"
