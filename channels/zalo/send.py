"""Send messages of the kind "tư vấn" (consultation) by Zalo's OA API and map its errors.

https://developers.zalo.me/docs/official-account/tin-nhan/tin-tu-van/gui-tin-tu-van-dang-van-ban
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from channels.delivery.message import Message
from channels.delivery.pace import Key, Limit, Pace
from channels.delivery.platform import (
    DeliveryError,
    Outgoing,
    OutsideWindowError,
    RefusedError,
    ReplyWindow,
    TryAgainError,
)
from channels.untrusted_json import parse_json
from channels.zalo import form
from channels.zalo.access import CHANNEL, Access
from channels.zalo.oauth import LIMIT_CODE

WINDOW_S = 7 * 24 * 3600.0
"""Seconds after a student's last message in which the OA may write.
https://developers.zalo.me/docs/official-account/tin-nhan/tin-tu-van/dieu-kien-gui-tin-tu-van"""

FREE_S = 48 * 3600.0
"""Seconds in which that is free; then the school's Zalo Cloud Account pays for each message.
https://developers.zalo.me/docs/official-account/tin-nhan/tong-quan"""

OVERALL = Limit(4_000, 60.0)
"""https://developers.zalo.me/docs/official-account/phu-luc/gioi-han-toc-do-api"""

LIMIT_PAUSE_S = 60.0
"""The limit counts calls of a minute."""

MORE_TOKENS = 2
"""Tokens that are tried after the first: another process may replace one just then."""

TIMEOUT_S = 30.0

UNREADABLE = -1
"""For an answer without a number; Zalo's own are other ones."""

# https://developers.zalo.me/docs/official-account/phu-luc/ma-loi
TOKEN_CODES = frozenset({-216, -220})
"""The access token is none, or no longer one."""

OUTSIDE_WINDOW_CODES = frozenset({-213, -230, -232})
"""The student does not follow the OA and has not written, or not for seven days."""

QUOTA_CODES = frozenset({-211, -218, -320, -321})
"""A quota is used up, or nobody pays for a message after 48 hours; the student's next message makes it free again."""

_REFUSALS: Mapping[int, str] = {
    -201: "Zalo does not take a part of the message.",
    -204: "The OA has been deleted.",
    -205: "There is no such OA.",
    -209: "The app is not active: developers.zalo.me → the app → Settings → Active.",
    -210: "A part of the message is too long for Zalo.",
    -212: "The app is not registered for the Official Account API: developers.zalo.me → the app.",
    -217: "The student has blocked the OA.",
    -219: "The app has been removed or disabled: developers.zalo.me → the app.",
    -221: "The OA must be verified first: oa.zalo.me.",
    -223: "The OA has not given the app this permission: run `covan channel zalo` and let it in again.",
    -224: "The OA's service package does not allow this: oa.zalo.me.",
    -227: "The student's account is closed, or has not been used for 45 days.",
    -233: "Zalo does not take this kind of message.",
    -235: "Zalo does not offer this to an OA of this kind.",
    -242: "The app asks for appsecret_proof: switch that off at developers.zalo.me → the app.",
    -244: "The student does not want messages of this kind from the OA.",
    -248: "Zalo says that the message breaks its rules.",
}
"""Explanations for operators by error code: final, unlike an unknown code."""


@dataclass(frozen=True)
class ZaloAnswer:
    """Zalo's answer to a call: HTTP's status, its own number (0 for a success) and words."""

    status: int
    error: int
    message: str
    data: Mapping[str, Any]


def limits(_student: int | str) -> Sequence[tuple[Key, Limit]]:
    """Return the limits for a message: Zalo counts those of the whole app."""
    return [(("all", 0), OVERALL)]


class ZaloPlatform:
    """Zalo's side of a conversation (see `channels.delivery.platform.Platform`); made inside the event loop."""

    name = CHANNEL
    options_last = False
    reply_window = ReplyWindow(WINDOW_S, FREE_S)

    def __init__(self, api_url: str, access: Access, pace: Pace | None = None) -> None:
        self._api_url = api_url
        self._access = access
        self._pace = pace or Pace(limits)
        self._client = httpx.AsyncClient(timeout=TIMEOUT_S)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def render(self, message: Message, address: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Return the calls that send `message`."""
        return form.calls(message)

    def preview(self, message: Message) -> Sequence[str]:
        """Return the texts of the calls."""
        return [call["message"]["text"] for call in form.calls(message)]

    async def send(self, outgoing: Outgoing) -> None:
        """Send one call. Raises a DeliveryError.

        A call whose answer is lost is sent again and may appear twice: Zalo accepts no id of ours.
        """
        if time.time() - outgoing.heard_at >= WINDOW_S:
            raise OutsideWindowError(
                "The student has not written for seven days: Zalo lets it through once they do."
            )
        body = {"recipient": {"user_id": outgoing.sender}, **outgoing.call}
        await self._pace.turn(outgoing.sender)
        answer = await self._call("POST", "/v3.0/oa/message/cs", body)
        if answer.error == LIMIT_CODE:
            self._pace.hold(("all", 0), LIMIT_PAUSE_S)
        if (failed := failure(answer)) is not None:
            raise failed

    async def typing(self, sender: str, address: Mapping[str, Any]) -> None:
        """Do nothing: Zalo has no such sign."""

    async def oa(self) -> ZaloAnswer:
        """Return Zalo's record of the OA. Raises TryAgainError."""
        return await self._call("GET", "/v2.0/oa/getoa", None)

    async def _call(self, method: str, path: str, body: Mapping[str, Any] | None) -> ZaloAnswer:
        """Make a call, and again with a new access token when Zalo refuses this one."""
        token = await self._access.token()
        answer = await self._ask(method, path, body, token)
        for _ in range(MORE_TOKENS):
            if answer.error not in TOKEN_CODES:
                break
            token = await self._access.after_refusal(token)
            answer = await self._ask(method, path, body, token)
        return answer

    async def _ask(self, method: str, path: str, body: Mapping[str, Any] | None, token: str) -> ZaloAnswer:
        try:
            response = await self._client.request(
                method, self._api_url + path, json=body, headers={"access_token": token}
            )
        except httpx.TransportError as error:
            raise TryAgainError(f"Zalo cannot be reached: {type(error).__name__}") from error
        return _answer(response, token)


def _answer(response: httpx.Response, token: str) -> ZaloAnswer:
    try:
        told = parse_json(response.content)
    except ValueError:
        told = None
    told = told if isinstance(told, dict) else {}
    data = told.get("data")
    data = data if isinstance(data, dict) else {}
    try:
        error = int(told["error"])
    except (KeyError, TypeError, ValueError, OverflowError):
        error = 0 if response.is_success and "message_id" in data else UNREADABLE
    message = str(told.get("message") or "no reason given").replace(token, "…")
    return ZaloAnswer(response.status_code, error, message[:300], data)


def failure(answer: ZaloAnswer) -> DeliveryError | None:
    """Return the error that an answer tells of; None for a success."""
    what = f"Zalo answered {answer.status}, error {answer.error}: {answer.message}"
    if answer.status == 429 or answer.status >= 500 or answer.error in TOKEN_CODES:
        return TryAgainError(what)
    if answer.error == LIMIT_CODE:
        return TryAgainError(what, LIMIT_PAUSE_S)
    if answer.error in OUTSIDE_WINDOW_CODES:
        return OutsideWindowError(f"{what}. It is sent when the student writes again.")
    if answer.error in QUOTA_CODES:
        return OutsideWindowError(
            f"{what}. Zalo's free 48 hours are over, or a quota is; it is sent when the student writes again."
        )
    if (hint := _REFUSALS.get(answer.error)) is not None:
        return RefusedError(f"{hint} ({what})")
    return None if answer.error == 0 else TryAgainError(what)
