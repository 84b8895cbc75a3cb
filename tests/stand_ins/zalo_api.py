"""Zalo's OA API and its OAuth server on a loopback port, as much of them as an OA's chat needs, with Zalo's rules.

    zalo = ZaloApi()
    url = zalo.start()              # COVAN_ZALO_API_URL and COVAN_ZALO_OAUTH_URL; COVAN_ZALO_APP_ID=zalo.app_id…
    zalo.post(webhook, zalo.message("31", "Học phí?"))
    zalo.wait_for("31", 1)          # the messages that student 31 sees
    zalo.stop()

It refuses what Zalo refuses: an access token that is old, a refresh token that was used, a message over a limit, or to
somebody who has not written for seven days. An error comes with status 200, and `error` in the body.
https://developers.zalo.me/docs/official-account
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
from aiohttp import web
from chat_platform import ChatPlatform, Json

WINDOW_S = 7 * 24 * 3600.0
ACCESS_TOKEN_S = 25 * 3600
CODE_S = 600.0

MAX_TEXT = 2_000
MAX_BUTTONS = 5
MAX_TITLE = 100
MAX_PAYLOAD = 1_000

# https://developers.zalo.me/docs/official-account/phu-luc/ma-loi
LIMIT = (-32, "Your application reached limit call api")
FAILED = (-200, "Send message failed")
NOT_FOLLOWED = (-213, "User has not followed OA")
BAD_TOKEN = (-216, "Access token is invalid")
EXPIRED_TOKEN = (-220, "access_token is expired or removed")
BLOCKED = (-227, "User is banned or has been inactive for more than 45 days")
OUTSIDE_WINDOW = (-230, "User has not interacted with the OA in the past 7 days")
NO_MONEY = (-321, "Zalo Cloud Account associated with this app is out of money or unable to be charged")

# Of the OAuth server.
BAD_SECRET = (-14004, "Invalid secret key")
BAD_CODE = (-14009, "Invalid code")
BAD_REFRESH_TOKEN = (-14014, "Invalid refresh token")


class ZaloError(Exception):
    """An answer other than a success: Zalo's number and words, and HTTP's status."""

    def __init__(self, code: int, message: str, status: int = 200) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


def invalid(name: str) -> ZaloError:
    """A parameter that Zalo does not take."""
    return ZaloError(-201, f"{name} is invalid!")


@dataclass(frozen=True)
class Asked:
    """A request as it came, and Zalo's number for what became of it."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Json
    error: int
    at: float


@dataclass
class ZaloApi(ChatPlatform[Asked, ZaloError]):
    """One OA and one app. What it knows may be changed while it runs; all of it may be read from any thread."""

    app_id: str = "1450975846052622442"
    app_secret: str = "app-secret-of-the-tests"
    oa_secret: str = "oa-secret-of-the-tests"
    oa_id: str = "1423847451268726170"
    oa_name: str = "Trường Đại học Mẫu"
    access_token: str = "access-token-0"
    refresh_token: str = "refresh-token-0"
    per_minute: int = 4_000
    delay_s: float = 0.0
    refresh_delay_s: float = 0.0
    url: str = ""
    expired: bool = False
    window_closed: set[str] = field(default_factory=set)
    used_again: list[str] = field(default_factory=list)
    """Refresh tokens that came a second time."""

    def __post_init__(self) -> None:
        super().__init__()
        self._refresh_failures: list[ZaloError | str] = []
        self._raw_answers: dict[str, bytes] = {}
        self._codes: dict[str, tuple[str, float]] = {}
        self._used: set[str] = set()
        self._recent: deque[float] = deque()

    # --- what was sent ----------------------------------------------------------------------------------------------

    @property
    def refreshed(self) -> int:
        """How often a refresh token was exchanged."""
        return sum(
            each.path == "v4/oa/access_token"
            and each.body.get("grant_type") == "refresh_token"
            and not each.error
            for each in self.asked
        )

    def fail_next(self, error: tuple[int, str], status: int = 200, times: int = 1) -> None:
        """Answer the next messages so."""
        with self._lock:
            self._failures += [ZaloError(*error, status)] * times

    def fail_refresh(self, error: tuple[int, str], status: int = 200, times: int = 1) -> None:
        """Answer the next exchanges of a token so; the token is not used up."""
        with self._lock:
            self._refresh_failures += [ZaloError(*error, status)] * times

    def lose_refresh(self) -> None:
        """Exchange the next token, and break the connection off before the answer."""
        with self._lock:
            self._refresh_failures.append("lost")

    def answer_next(self, path: str, body: bytes) -> None:
        """Carry out the next request for a path, and answer it with these bytes."""
        with self._lock:
            self._raw_answers[path] = body

    def forget_answers(self) -> None:
        """Answer nothing by `answer_next` any longer."""
        with self._lock:
            self._raw_answers.clear()

    # --- an OA's students -------------------------------------------------------------------------------------------

    def message(self, student: str, text: str | None, *, seconds_ago: float = 0.0, **rest: Any) -> Json:
        """The event of a text; `rest` is what else a message can hold."""
        return self.sends(student, "text", text, seconds_ago=seconds_ago, **rest)

    def sends(
        self, student: str, kind: str, text: str | None = None, *, seconds_ago: float = 0.0, **rest: Any
    ) -> Json:
        """The event of a message of any kind: "sticker", "image", "file"."""
        self.window_closed.discard(student)
        said = {} if text is None else {"text": text}
        message = {"msg_id": f"{next(self._numbers):08x}{student}", **said, **rest}
        return {
            "event_name": f"user_send_{kind}",
            "app_id": self.app_id,
            "sender": {"id": student},
            "recipient": {"id": self.oa_id},
            "message": message,
            "timestamp": _milliseconds(seconds_ago),
            "user_id_by_app": f"9{student}",
        }

    def presses(self, student: str, button: Mapping[str, Any]) -> Json:
        """The event of a press on a button of a message of ours: a text that is its payload."""
        if button["type"] not in ("oa.query.show", "oa.query.hide"):
            raise LookupError(f"nothing is sent by {button}")
        return self.message(student, button["payload"])

    def follow(self, student: str, *, seconds_ago: float = 0.0) -> Json:
        """The event of a new follower."""
        return self._of_follower("follow", student, seconds_ago)

    def unfollow(self, student: str) -> Json:
        """The event of somebody who follows no longer."""
        return self._of_follower("unfollow", student, 0.0)

    def _of_follower(self, name: str, student: str, seconds_ago: float) -> Json:
        return {
            "oa_id": self.oa_id,
            "follower": {"id": student},
            "event_name": name,
            "source": "oa_profile",
            "app_id": self.app_id,
            "timestamp": _milliseconds(seconds_ago),
        }

    @staticmethod
    def body(event: Mapping[str, Any]) -> bytes:
        """The body of a post with an event."""
        return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")

    def signature(self, body: bytes, timestamp: str | None = None) -> str:
        """The value of `X-ZEvent-Signature`; `timestamp` is the body's own unless given."""
        if timestamp is None:
            try:
                timestamp = str(json.loads(body, parse_int=str, parse_float=str)["timestamp"])
            except (ValueError, KeyError, TypeError, RecursionError):
                timestamp = ""
        signed = self.app_id.encode() + body + timestamp.encode("utf-8", "replace") + self.oa_secret.encode()
        return "mac=" + hashlib.sha256(signed).hexdigest()

    def post(self, webhook: str, event: Mapping[str, Any] | bytes) -> httpx.Response:
        """Post an event to a webhook, signed; bytes as they are."""
        body = event if isinstance(event, bytes) else self.body(event)
        return self.post_signed(webhook, body, self.signature(body))

    @staticmethod
    def post_signed(webhook: str, body: bytes, signature: str | None) -> httpx.Response:
        """Post a body with a signature, or with none."""
        headers = {"content-type": "application/json", "num_retry": "0"}
        if signature is not None:
            headers["X-ZEvent-Signature"] = signature
        with httpx.Client(trust_env=False, timeout=30) as client:
            return client.post(webhook, content=body, headers=headers)

    def authorize(self, code_challenge: str) -> str:
        """Somebody who runs the OA lets the app in; the code that their browser brings to the callback address."""
        code = f"code-{next(self._numbers)}"
        self._codes[code] = (code_challenge, time.monotonic())
        return code

    # --- the API ----------------------------------------------------------------------------------------------------

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        path = request.match_info["path"].rstrip("/")
        body: Json = {}
        error: ZaloError | None = None
        answer: Json = {}
        try:
            if path == "v4/oa/access_token":
                body = {key: str(value) for key, value in (await request.post()).items()}
                answer = await self._tokens(request, body)
            else:
                body = await self._json(request)
                await asyncio.sleep(self.delay_s)
                answer = self._of_oa(request, path, body)
        except ZaloError as refused:
            error = refused
            answer = {"error": refused.code, "message": str(refused), "error_name": str(refused)}
        except ConnectionResetError:
            assert request.transport is not None
            request.transport.abort()
        with self._lock:
            self._asked.append(
                Asked(
                    request.method,
                    path,
                    dict(request.headers),
                    body,
                    error.code if error else 0,
                    time.time(),
                )
            )
            if path == "v3.0/oa/message/cs" and error is None:
                self._seen.setdefault(body["recipient"]["user_id"], []).append(body["message"])
            self._lock.notify_all()
        with self._lock:
            raw = self._raw_answers.pop(path, None)
        if raw is not None:
            return web.Response(body=raw, content_type="application/json")
        if error is not None and error.status >= 500:
            return web.Response(status=error.status, text="<html>Bad gateway</html>")
        return web.json_response(answer, status=error.status if error else 200)

    @staticmethod
    async def _json(request: web.Request) -> Json:
        raw = await request.read()
        try:
            body = json.loads(raw) if raw else {}
        except ValueError:
            raise invalid("body") from None
        if not isinstance(body, dict):
            raise invalid("body")
        return body

    # --- tokens -----------------------------------------------------------------------------------------------------

    async def _tokens(self, request: web.Request, form: Json) -> Json:
        await asyncio.sleep(self.refresh_delay_s)
        with self._lock:
            failure = self._refresh_failures.pop(0) if self._refresh_failures else None
            if isinstance(failure, ZaloError):
                raise failure
            if request.headers.get("secret_key") != self.app_secret or form.get("app_id") != self.app_id:
                raise ZaloError(*BAD_SECRET)
            if form.get("grant_type") == "refresh_token":
                self._use(form.get("refresh_token", ""))
            else:
                self._redeem(form.get("code", ""), form.get("code_verifier", ""))
            number = next(self._numbers)
            self.access_token, self.refresh_token = f"access-token-{number}", f"refresh-token-{number}"
            self.expired = False
        if failure is not None:
            raise ConnectionResetError
        return {
            "access_token": self.access_token,
            "refresh_token": self.refresh_token,
            "expires_in": str(ACCESS_TOKEN_S),
        }

    def _use(self, refresh_token: str) -> None:
        if refresh_token in self._used:
            self.used_again.append(refresh_token)
        if refresh_token != self.refresh_token:
            raise ZaloError(*BAD_REFRESH_TOKEN)
        self._used.add(refresh_token)

    def _redeem(self, code: str, verifier: str) -> None:
        challenge, made_at = self._codes.pop(code, ("", 0.0))
        digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        if not challenge or digest != challenge or time.monotonic() - made_at > CODE_S:
            raise ZaloError(*BAD_CODE)

    # --- messages ---------------------------------------------------------------------------------------------------

    def _of_oa(self, request: web.Request, path: str, body: Json) -> Json:
        with self._lock:
            if path == "v3.0/oa/message/cs" and self._failures:
                raise self._failures.pop(0)
            if request.headers.get("access_token") != self.access_token:
                raise ZaloError(*BAD_TOKEN)
            if self.expired:
                raise ZaloError(*EXPIRED_TOKEN)
            self._count()
        if request.method == "GET" and path == "v2.0/oa/getoa":
            return _success({"oa_id": self.oa_id, "name": self.oa_name, "is_verified": True})
        if request.method == "POST" and path == "v3.0/oa/message/cs":
            return self._message(body)
        raise ZaloError(-233, "message type is invalid or not support")

    def _count(self) -> None:
        now = time.monotonic()
        while self._recent and self._recent[0] <= now - 60.0:
            self._recent.popleft()
        if len(self._recent) >= self.per_minute:
            raise ZaloError(*LIMIT)
        self._recent.append(now)

    def _message(self, body: Json) -> Json:
        student = (body.get("recipient") or {}).get("user_id")
        message = body.get("message")
        if not isinstance(student, str) or not student.isdigit():
            raise invalid("user_id")
        check_message(message)
        if student in self.window_closed:
            raise ZaloError(*OUTSIDE_WINDOW)
        return _success(
            {
                "message_id": f"{next(self._numbers):08x}",
                "user_id": student,
                "sent_time": _milliseconds(0.0),
                "quota": {"quota_type": "reply"},
            }
        )


def check_message(message: Any) -> None:
    """Raises ZaloError for a message that Zalo does not take."""
    if not isinstance(message, dict) or set(message) - {"text", "attachment"}:
        raise invalid("message")
    text = message.get("text")
    if not isinstance(text, str) or not text.strip():
        raise invalid("text")
    if _units(text) > MAX_TEXT:
        raise ZaloError(-210, "Parameter exceeds allowable limit")
    if "attachment" in message:
        _check_attachment(message["attachment"])


def _check_attachment(attachment: Any) -> None:
    if not isinstance(attachment, dict) or attachment.get("type") != "template":
        raise invalid("attachment")
    payload = attachment.get("payload")
    buttons = payload.get("buttons") if isinstance(payload, dict) else None
    if not isinstance(buttons, list) or not 1 <= len(buttons) <= MAX_BUTTONS:
        raise invalid("buttons")
    for button in buttons:
        title, kind, load = button.get("title"), button.get("type"), button.get("payload")
        if not isinstance(title, str) or not title.strip() or _units(title) > MAX_TITLE:
            raise invalid("title")
        if kind == "oa.open.url":
            good = isinstance(load, dict) and str(load.get("url", "")).startswith(("http://", "https://"))
        elif kind == "oa.open.phone":
            good = isinstance(load, dict) and str(load.get("phone_code", "")).isdigit()
        else:
            good = kind in ("oa.query.show", "oa.query.hide") and isinstance(load, str)
            good = good and load.startswith("#") and len(load) <= MAX_PAYLOAD
        if not good:
            raise invalid("payload")


def _success(data: Json) -> Json:
    return {"data": data, "error": 0, "message": "Success"}


def _milliseconds(seconds_ago: float) -> str:
    return str(round(1000 * (time.time() - seconds_ago)))


def _units(text: str) -> int:
    """The length of a text in UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
