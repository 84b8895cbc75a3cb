"""Messenger, set up by a command instead of clicks: greeting, menu and webhook; and what of it is missing.

What only a person can do at developers.facebook.com (the app, its permissions, the token) is told in
docs/kenh-messenger.md.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import yaml
from rich.console import Console
from rich.markup import escape

from covan.diagnosis import Finding, Level
from covan.graph_api import TIMEOUT_S, Graph, GraphError
from rag.errors import CovanError
from rag.settings import Settings

PROFILE = Path(__file__).with_name("messenger_profile.yml")

WEBHOOK_PATH = "/webhooks/messenger/webhook"

FIELDS = ("messages", "messaging_postbacks")
"""The events that Facebook is to bring.
https://developers.facebook.com/documentation/business-messaging/messenger-platform/webhooks"""

SCOPES = ("pages_messaging", "pages_manage_metadata")
"""To write to students; to subscribe the app to the page.
https://developers.facebook.com/documentation/business-messaging/messenger-platform/overview"""

BAD_TOKEN, BAD_PARAMETER, NOT_VERIFIED = 190, 100, 2200

EXPIRES_SOON_DAYS = 14

DOCS = "docs/kenh-messenger.md"
REGISTER = "Run: covan channel messenger"

_SETTINGS = ("messenger_token", "messenger_app_secret", "messenger_verify_token")


def register(settings: Settings, console: Console) -> None:
    """Give the page its greeting and menu, and have Facebook bring us what students write.

    May be done again at any time. The webhook is set only when `COVAN_PUBLIC_URL` says where we are; Covan must be
    running then, as Facebook looks at once.

    Raises:
        CovanError: when settings are missing or Facebook refuses; the message says what to do.
    """
    if missing := _missing(settings):
        raise CovanError(f"Not set: {', '.join(missing)}. What to put there: {DOCS}")
    with _graph(settings) as graph:
        try:
            page, app = graph.get("me", fields="id,name"), graph.get("app", fields="id,name")
            console.print(f"Page: {escape(str(page.get('name')))}. App: {escape(str(app.get('name')))}.")
            graph.post("me/messenger_profile", _profile())
            console.print("Greeting, button to begin and menu are set.")
            graph.post("me/subscribed_apps", {"subscribed_fields": list(FIELDS)})
            console.print("The page hands its messages to the app.")
        except GraphError as error:
            raise CovanError(f"{error}. {_advice(error)}") from error
        if not (webhook := _webhook(settings)):
            console.print(
                "The webhook is left as it is: set COVAN_PUBLIC_URL to have it set, or enter it at "
                f"developers.facebook.com ({DOCS})."
            )
            return
        try:
            graph.post(
                f"{app['id']}/subscriptions",
                {
                    "object": "page",
                    "callback_url": webhook,
                    "verify_token": settings.messenger_verify_token.get_secret_value(),
                    "fields": list(FIELDS),
                    "include_values": True,
                },
                of_app=str(app["id"]),
            )
        except GraphError as error:
            raise CovanError(f"The webhook {webhook} is not set. {error}. {_advice(error)}") from error
        console.print(f"Facebook brings what students write to {escape(webhook)}.")


def remove(settings: Settings, console: Console) -> None:
    """Have the page hand its messages to us no more, and take away our greeting and menu. Raises as `register`."""
    if missing := _missing(settings):
        raise CovanError(f"Not set: {', '.join(missing)}. What to put there: {DOCS}")
    with _graph(settings) as graph:
        try:
            graph.delete("me/subscribed_apps")
            # A menu needs the button to begin: it goes first.
            for fields in (["persistent_menu", "greeting"], ["get_started"]):
                graph.delete("me/messenger_profile", {"fields": fields})
        except GraphError as error:
            raise CovanError(f"{error}. {_advice(error)}") from error
    console.print("The page hands no more messages to the app; greeting and menu are gone.")


def check(settings: Settings) -> list[Finding]:
    """Return the findings about Messenger's setup, in the order of mending. Changes nothing."""
    return list(_findings(settings))


def _findings(settings: Settings) -> Iterator[Finding]:
    missing = _missing(settings)
    if len(missing) == len(_SETTINGS):
        yield Finding(Level.WARN, "Messenger", "is not set up", f"If students are there: {DOCS}")
        return
    if missing:
        yield Finding(
            Level.FAIL, "Messenger", f"not set: {', '.join(missing)}", f"Put it into .env; from where: {DOCS}"
        )
        return
    with _graph(settings) as graph:
        try:
            page, app = graph.get("me", fields="id,name"), graph.get("app", fields="id,name")
        except GraphError as error:
            yield Finding(Level.FAIL, "Messenger's token", str(error), _advice(error))
            return
        of = f"of the page {page.get('name')}, for the app {app.get('name')}, whose secret fits"
        yield Finding(Level.OK, "Messenger's token", of)
        app_id = str(app.get("id"))
        yield from _tried("Messenger's permissions", _permissions(graph, app_id))
        yield from _tried("Messenger's webhook", _delivery(graph, app_id, settings))
        yield from _tried("the page's subscription", _subscription(graph, app_id))
        yield from _tried("Messenger's greeting and menu", _shown(graph))


def _tried(name: str, findings: Iterator[Finding]) -> Iterator[Finding]:
    try:
        yield from findings
    except GraphError as error:
        yield Finding(Level.FAIL, name, str(error), _advice(error))


def _permissions(graph: Graph, app_id: str) -> Iterator[Finding]:
    name = "Messenger's permissions"
    known = graph.inspected(app_id)
    new_token = f"Make a new token with them and put it into COVAN_MESSENGER_TOKEN: {DOCS}"
    granted = known.get("scopes") or []
    lacking = [scope for scope in SCOPES if scope not in granted]
    if lacking:
        yield Finding(Level.FAIL, name, f"the token lacks {', '.join(lacking)}", new_token)
    elif known.get("type") != "PAGE":
        yield Finding(Level.FAIL, name, "the token is not a page's", f"Take the page's own: {DOCS}")
    else:
        yield Finding(Level.OK, name, ", ".join(SCOPES))
    expires = known.get("expires_at") or 0
    if expires:
        at = datetime.fromtimestamp(expires, UTC)
        soon = (at - datetime.now(UTC)).days < EXPIRES_SOON_DAYS
        yield Finding(
            Level.FAIL if soon else Level.WARN,
            "Messenger's token",
            f"is good until {at:%Y-%m-%d} only",
            f"Make one that does not expire: {DOCS}",
        )


def _delivery(graph: Graph, app_id: str, settings: Settings) -> Iterator[Finding]:
    name = "Messenger's webhook"
    found = graph.get(f"{app_id}/subscriptions", of_app=app_id).get("data") or []
    page = next((each for each in found if each.get("object") == "page"), None)
    if page is None or not page.get("active"):
        yield Finding(Level.FAIL, name, "Facebook does not know where to bring messages", REGISTER)
        return
    wanted, url = _webhook(settings), str(page.get("callback_url"))
    fields = {field.get("name") for field in page.get("fields") or []}
    if wanted and url != wanted:
        yield Finding(Level.FAIL, name, f"is {url}, but we are at {wanted}", REGISTER)
    elif not set(FIELDS) <= fields:
        lacking = ", ".join(field for field in FIELDS if field not in fields)
        yield Finding(Level.FAIL, name, f"does not get {lacking}", REGISTER)
    else:
        yield _answering(url, settings)


def _answering(url: str, settings: Settings) -> Finding:
    """Return whether the address gives Facebook the answer that it wants; asked the same way."""
    name, challenge = "Messenger's webhook", secrets.token_hex(8)
    query = {
        "hub.mode": "subscribe",
        "hub.verify_token": settings.messenger_verify_token.get_secret_value(),
        "hub.challenge": challenge,
    }
    try:
        answer = httpx.get(url, params=query, timeout=TIMEOUT_S)
    except (httpx.TransportError, httpx.InvalidURL) as error:
        what, mend = (
            f"{url} is not reached ({type(error).__name__})",
            "Is Covan running, and the proxy before it?",
        )
        return Finding(Level.FAIL, name, what, mend)
    if answer.status_code == httpx.codes.OK and answer.text == challenge:
        return Finding(Level.OK, name, url)
    mend = {
        403: "COVAN_MESSENGER_VERIFY_TOKEN was changed: restart Covan, then run: covan channel messenger",
        404: "Restart Covan with these settings; the proxy must hand on /webhooks/messenger/",
    }.get(answer.status_code, "Is Covan running, and does the proxy hand on /webhooks/messenger/?")
    return Finding(Level.FAIL, name, f"{url} answers {answer.status_code}", mend)


def _subscription(graph: Graph, app_id: str) -> Iterator[Finding]:
    name = "the page's subscription"
    apps = graph.get("me/subscribed_apps").get("data") or []
    fields = next((app.get("subscribed_fields") or [] for app in apps if str(app.get("id")) == app_id), [])
    lacking = [field for field in FIELDS if field not in fields]
    if lacking:
        yield Finding(Level.FAIL, name, f"the page does not hand on {', '.join(lacking)}", REGISTER)
    else:
        yield Finding(Level.OK, name, ", ".join(FIELDS))


def _shown(graph: Graph) -> Iterator[Finding]:
    name, wanted = "Messenger's greeting and menu", _profile()
    data = graph.get("me/messenger_profile", fields=",".join(wanted)).get("data") or [{}]
    lacking = [key for key in wanted if not data[0].get(key)]
    if lacking:
        yield Finding(Level.FAIL, name, f"not set: {', '.join(lacking)}", REGISTER)
    elif _payloads(data[0]) != _payloads(wanted):
        yield Finding(Level.WARN, name, "the menu is not this Covan's", REGISTER)
    else:
        yield Finding(Level.OK, name, "as in covan/messenger_profile.yml")


def _payloads(profile: dict[str, Any]) -> set[tuple[str, str]]:
    """Return the payloads of the menu items with their languages, without the properties that Facebook adds."""
    menus = profile.get("persistent_menu") or []
    begin = ("", str((profile.get("get_started") or {}).get("payload")))
    return {begin} | {
        (str(menu.get("locale")), str(item.get("payload")))
        for menu in menus
        for item in menu.get("call_to_actions") or []
    }


def _graph(settings: Settings) -> Graph:
    return Graph(
        settings.messenger_api_url,
        settings.messenger_token.get_secret_value(),
        settings.messenger_app_secret.get_secret_value(),
    )


def _missing(settings: Settings) -> list[str]:
    return [
        f"COVAN_{name.upper()}"
        for name in _SETTINGS
        if not getattr(settings, name).get_secret_value().strip()
    ]


def _webhook(settings: Settings) -> str:
    return settings.public_url.rstrip("/") + WEBHOOK_PATH if settings.public_url else ""


def _profile() -> dict[str, Any]:
    profile: dict[str, Any] = yaml.safe_load(PROFILE.read_text(encoding="utf-8"))
    return profile


def _advice(error: GraphError) -> str:
    """Return the advice for a refusal."""
    if error.code == BAD_TOKEN:
        return f"Make a new token of the page and put it into COVAN_MESSENGER_TOKEN: {DOCS}"
    if error.code == BAD_PARAMETER and "appsecret_proof" in str(error):
        return "COVAN_MESSENGER_APP_SECRET must be the secret of the app that the token was made for"
    if error.code in (3, 10, 200, 230):
        return f"The token needs the permissions {', '.join(SCOPES)}: {DOCS}"
    if error.code == NOT_VERIFIED:
        return "Covan must be running and reached from outside by https under COVAN_PUBLIC_URL"
    return "Try again in some minutes; if it stays, see https://metastatus.com"
