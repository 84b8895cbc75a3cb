"""Messages on their way to Messenger: Facebook's Send API, and what its errors mean for a message.

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

from server.channels import messenger_form
from server.delivery.message import ADVISOR, Message
from server.delivery.platform import (
    Call,
    DeliveryError,
    Outgoing,
    OutsideWindowError,
    RefusedError,
    TryAgainError,
)

GRAPH_API = Path(__file__).with_name("graph_api.yml")

ANSWER_WINDOW_S = 24 * 3600.0
"""How long after a student's last message one may write to them.
https://developers.facebook.com/documentation/business-messaging/messenger-platform/policy"""

ADVISOR_WINDOW_S = 7 * 24 * 3600.0
"""How long a person may, under the tag HUMAN_AGENT; a program never. (same page)"""

TYPING_S = 15.0
"""Facebook shows the sign of typing for 20 s, or until a message comes; it need not be asked for more often.
https://developers.facebook.com/documentation/business-messaging/messenger-platform/send-messages/sender-actions"""

TIMEOUT_S = 30.0
MAX_WAIT_S = 3600.0
"""What Facebook asks to wait for may be a day; a student's answer is worth a try every hour."""

BUSY_CODES = frozenset({1, 2, 4, 17, 32, 341, 368, 613, 1200, 80006})
"""Temporary faults (1, 2, 1200) and rate limits: of an app (4, 341), a user (17), a page (32), a call (613), Messenger
(80006); 368 is a temporary block.
https://developers.facebook.com/docs/graph-api/guides/error-handling
https://developers.facebook.com/documentation/business-messaging/messenger-platform/error-codes"""

OUTSIDE_WINDOW_SUBCODES = frozenset({2018065, 2018278, 2534022})
"""Of code 10: more time has passed since the student wrote than the message's type allows."""

BLOCKED_SUBCODES = frozenset({1545041, 2018108})
"""Of codes 200 and 551: this person takes no messages from the page, or not now."""

_REFUSALS: Mapping[int, str] = {
    3: "The app may not use the Send API: it needs the permission pages_messaging.",
    10: "The app lacks a permission for this: pages_messaging must be granted (App Review).",
    190: "The page's access token is no longer valid: make a new one, put it into COVAN_MESSENGER_TOKEN and restart.",
    200: "The app lacks a permission for this page, or the student has blocked it.",
    230: "The token lacks the permission pages_messaging: make one that has it.",
    551: "The student has blocked the page, or their account is closed.",
}
"""What an operator should know, by the error's code."""

logger = logging.getLogger(__name__)


def graph_version() -> str:
    """The release of the Graph API that is spoken: "v26.0"."""
    version: str = yaml.safe_load(GRAPH_API.read_text(encoding="utf-8"))["version"]
    return version


def proof(token: str, app_secret: str) -> str:
    """`appsecret_proof`: shows that who has the token is the app that it was made for.
    https://developers.facebook.com/docs/graph-api/guides/secure-requests"""
    return hmac.new(app_secret.encode(), token.encode(), hashlib.sha256).hexdigest()


class MessengerPlatform:
    """Implements `server.delivery.platform.Platform`. To be made inside the event loop, and closed."""

    name = "messenger"
    options_last = True

    def __init__(self, api_url: str, token: str, app_secret: str) -> None:
        # httpx tells every address at INFO: nobody needs them, and what they hold is none of a log's business.
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
        """End the connections."""
        await self._client.aclose()

    def render(self, message: Message, address: Mapping[str, Any]) -> Sequence[Call]:
        """See `messenger_form.calls`."""
        return messenger_form.calls(message)

    async def send(self, outgoing: Outgoing) -> None:
        """Carry out one call, as an answer or, later than a day, as a person's message.

        A call whose answer is lost on the way is made again, and may then be seen twice: Facebook takes no id of ours.
        """
        kind = messaging_type(outgoing.author, time.time() - outgoing.heard_at)
        self._typing_since.pop(outgoing.sender, None)
        await self._post({"recipient": {"id": outgoing.sender}, **kind, **outgoing.call})

    async def typing(self, sender: str, address: Mapping[str, Any]) -> None:
        """Show the student that the message was seen, and that an answer is being written."""
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
        told = _error_of(response)
        raise failure(response.status_code, told, response.headers, self._secrets, "tag" in body)


def messaging_type(author: str, silent_s: float) -> dict[str, str]:
    """How a message is declared, `silent_s` after the student last wrote.

    Raises:
        OutsideWindowError: when Facebook lets no message of this author through any more.
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
    """What an answer other than a success means.

    Args:
        status: the HTTP status.
        error: the object `error` of the body; empty when there is none.
        headers: those of the answer.
        secrets: what may not be seen in a message: Facebook repeats a token that it does not understand.
        tagged: whether the message was declared as a person's.
    """
    code, subcode = (
        value if isinstance(value, int) else 0 for value in map(error.get, ("code", "error_subcode"))
    )
    told = str(error.get("message") or "no reason given")
    for secret in filter(None, secrets):
        told = told.replace(secret, "…")
    what = f"Facebook answered {status}, code {code}/{subcode}: {told[:300]}"
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
    """How long Facebook wants us to wait: `Retry-After` (s), or the minutes of `X-Business-Use-Case-Usage`.
    https://developers.facebook.com/docs/graph-api/overview/rate-limiting"""
    try:
        wait_s = float(headers.get("Retry-After", ""))
    except ValueError:
        wait_s = 60.0 * _minutes(headers.get("X-Business-Use-Case-Usage", ""))
    return min(wait_s, MAX_WAIT_S) if wait_s > 0 else None


def _minutes(usage: str) -> float:
    """The longest `estimated_time_to_regain_access` in a header of the form {"id": [{...}]}; 0 when there is none."""
    try:
        told = [
            item["estimated_time_to_regain_access"] for items in json.loads(usage).values() for item in items
        ]
        return float(max(told, default=0))
    except (ValueError, KeyError, TypeError, AttributeError):
        return 0.0
