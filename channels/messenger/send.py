"""Send calls to Facebook's Send API and map its errors.

https://developers.facebook.com/documentation/business-messaging/messenger-platform/send-messages
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import yaml

from channels.delivery.message import ADVISOR, Message
from channels.delivery.platform import (
    Call,
    DeliveryError,
    Outgoing,
    OutsideWindowError,
    RefusedError,
    ReplyWindow,
    TryAgainError,
)
from channels.messenger import form

GRAPH_API = Path(__file__).with_name("graph_api.yml")

ANSWER_WINDOW_S = 24 * 3600.0
"""Seconds after a student's last message in which the bot may write.
https://developers.facebook.com/documentation/business-messaging/messenger-platform/policy"""

ADVISOR_WINDOW_S = 7 * 24 * 3600.0
"""The same for a person, with the tag HUMAN_AGENT (same page)."""

TYPING_S = 15.0
"""Facebook shows the typing indicator for 20 s or until a message arrives.
https://developers.facebook.com/documentation/business-messaging/messenger-platform/send-messages/sender-actions"""

TIMEOUT_S = 30.0
MAX_WAIT_S = 3600.0
"""Facebook may ask for a pause of a day; the worker tries every hour."""

BUSY_CODES = frozenset({1, 2, 4, 17, 32, 341, 368, 613, 1200, 80006})
"""Temporary faults (1, 2, 1200); rate limits of an app (4, 341), a user (17), a page (32), a call (613) and Messenger
(80006); a temporary block (368).
https://developers.facebook.com/docs/graph-api/guides/error-handling
https://developers.facebook.com/documentation/business-messaging/messenger-platform/error-codes"""

OUTSIDE_WINDOW_SUBCODES = frozenset({2018065, 2018278, 2534022})
"""Subcodes of code 10: the messaging window of the message's type is closed."""

BLOCKED_SUBCODES = frozenset({1545041, 2018108})
"""Subcodes of codes 200 and 551: the student receives no messages from the page."""

_REFUSALS: Mapping[int, str] = {
    3: "The app may not use the Send API: it needs the permission pages_messaging.",
    10: "The app lacks a permission for this: pages_messaging must be granted (App Review).",
    190: "The page's access token is no longer valid: make a new one, put it into COVAN_MESSENGER_TOKEN and restart.",
    200: "The app lacks a permission for this page, or the student has blocked it.",
    230: "The token lacks the permission pages_messaging: make one that has it.",
    551: "The student has blocked the page, or their account is closed.",
}
"""Explanations for operators by error code."""

logger = logging.getLogger(__name__)


def graph_version() -> str:
    """Return the version of the Graph API in use, such as "v26.0"."""
    version: str = yaml.safe_load(GRAPH_API.read_text(encoding="utf-8"))["version"]
    return version


def proof(token: str, app_secret: str) -> str:
    """Return `appsecret_proof`, which binds the token to its app.
    https://developers.facebook.com/docs/graph-api/guides/secure-requests"""
    return hmac.new(app_secret.encode(), token.encode(), hashlib.sha256).hexdigest()


class MessengerPlatform:
    """Messenger's side of a conversation (see `channels.delivery.platform.Platform`); made inside the event loop."""

    name = "messenger"
    options_last = True
    reply_window = ReplyWindow(ADVISOR_WINDOW_S)

    def __init__(self, api_url: str, token: str, app_secret: str) -> None:
        # httpx logs every address at INFO, and the addresses hold secrets.
        logging.getLogger("httpx").setLevel(logging.WARNING)
        self._secrets = (token, app_secret)
        self._messages = f"{api_url}/{graph_version()}/me/messages"
        self._client = httpx.AsyncClient(
            headers={"Authorization": f"Bearer {token}"},
            params={"appsecret_proof": proof(token, app_secret)},
            timeout=TIMEOUT_S,
        )
        self._typing_since: dict[str, float] = {}

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def render(self, message: Message, address: Mapping[str, Any]) -> Sequence[Call]:
        """Return the calls that send `message`."""
        return form.calls(message)

    def preview(self, message: Message) -> Sequence[str]:
        """Return the texts of the calls."""
        return [call["message"]["text"] for call in form.calls(message)]

    async def send(self, outgoing: Outgoing) -> None:
        """Send one call, as a response or, after a day, as a person's message. Raises a DeliveryError.

        A call whose acknowledgement is lost is sent again and may appear twice: Facebook accepts no id of ours.
        """
        kind = messaging_type(outgoing.author, time.time() - outgoing.heard_at)
        self._typing_since.pop(outgoing.sender, None)
        await self._post({"recipient": {"id": outgoing.sender}, **kind, **outgoing.call})

    async def typing(self, sender: str, address: Mapping[str, Any]) -> None:
        """Show that the message was seen and that a reply is being written."""
        now = time.monotonic()
        if now - self._typing_since.get(sender, -TYPING_S) < TYPING_S:
            return
        self._typing_since[sender] = now
        for action in ("mark_seen", "typing_on"):
            await self._post({"recipient": {"id": sender}, "sender_action": action})

    async def _post(self, body: Mapping[str, Any]) -> None:
        try:
            response = await self._client.post(self._messages, json=body)
        except httpx.TransportError as error:
            raise TryAgainError(f"Facebook cannot be reached: {type(error).__name__}") from error
        if response.is_success:
            return
        reported = _error_of(response)
        raise failure(response.status_code, reported, response.headers, self._secrets, "tag" in body)


def messaging_type(author: str, silent_s: float) -> dict[str, str]:
    """Return the declaration of a message, `silent_s` seconds after the student last wrote.

    Raises:
        OutsideWindowError: when the messaging window for this author is closed.
    """
    if silent_s < ANSWER_WINDOW_S:
        return {"messaging_type": "RESPONSE"}
    if author == ADVISOR and silent_s < ADVISOR_WINDOW_S:
        return {"messaging_type": "MESSAGE_TAG", "tag": "HUMAN_AGENT"}
    days = "seven days" if author == ADVISOR else "24 hours"
    raise OutsideWindowError(
        f"The student has not written for {days}: Facebook lets it through once they do."
    )


def failure(
    status: int,
    error: Mapping[str, Any],
    headers: Mapping[str, str],
    secrets: Sequence[str] = (),
    tagged: bool = False,
) -> DeliveryError:
    """Return the error for a response without success.

    Args:
        status: the HTTP status.
        error: the object `error` of the body; empty without one.
        headers: the response's headers.
        secrets: texts to remove from the message, since Facebook repeats a token that it rejects.
        tagged: whether the message has the tag HUMAN_AGENT.
    """
    code, subcode = (
        value if isinstance(value, int) else 0 for value in map(error.get, ("code", "error_subcode"))
    )
    reason = str(error.get("message") or "no reason given")
    for secret in filter(None, secrets):
        reason = reason.replace(secret, "…")
    what = f"Facebook answered {status}, code {code}/{subcode}: {reason[:300]}"
    if subcode in OUTSIDE_WINDOW_SUBCODES:
        return OutsideWindowError(f"{what} It is sent when the student writes again.")
    if subcode in BLOCKED_SUBCODES:
        return RefusedError(f"{_REFUSALS[551]} ({what})")
    if tagged and code in (10, 100, 200) and subcode != _NO_SUCH_USER:
        return OutsideWindowError(
            f"{what} The app needs the feature Human Agent to write now; sent when the student writes again."
        )
    if status == 429 or status >= 500 or error.get("is_transient") or code in BUSY_CODES:
        return TryAgainError(what, _wait_s(headers))
    if subcode == _NO_SUCH_USER:
        return RefusedError(
            f"There is no such student on this page: the account is gone, or of another page. ({what})"
        )
    hint = _REFUSALS.get(code)
    return RefusedError(f"{hint} ({what})" if hint else what)


_NO_SUCH_USER = 2018001


def _error_of(response: httpx.Response) -> Mapping[str, Any]:
    try:
        error = response.json()["error"]
    except (ValueError, KeyError, TypeError):
        return {}
    return error if isinstance(error, dict) else {}


def _wait_s(headers: Mapping[str, str]) -> float | None:
    """Return the requested pause in seconds, from `Retry-After` or the minutes of `X-Business-Use-Case-Usage`.
    https://developers.facebook.com/docs/graph-api/overview/rate-limiting"""
    try:
        wait_s = float(headers.get("Retry-After", ""))
    except ValueError:
        wait_s = 60.0 * _minutes(headers.get("X-Business-Use-Case-Usage", ""))
    return min(wait_s, MAX_WAIT_S) if wait_s > 0 else None


def _minutes(usage: str) -> float:
    """Return the longest `estimated_time_to_regain_access` in a header {"id": [{...}]}; 0 without one."""
    try:
        waits = [
            item["estimated_time_to_regain_access"] for items in json.loads(usage).values() for item in items
        ]
        return float(max(waits, default=0))
    except (ValueError, KeyError, TypeError, AttributeError):
        return 0.0
