"""Facebook's Graph API on a loopback port, as much of it as a page's chat needs, with the real one's rules and errors.

    graph = GraphApi()
    base_url = graph.start()        # COVAN_MESSENGER_API_URL, with COVAN_MESSENGER_TOKEN=graph.token and so on
    graph.post(webhook, graph.message("31", "Học phí?"))
    graph.wait_for("31", 1)         # the messages that student 31 sees
    graph.stop()

It refuses what Facebook refuses: a wrong token or `appsecret_proof`, a message without type, over a limit or of a
retired tag. https://developers.facebook.com/documentation/business-messaging/messenger-platform/reference/send-api
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
from aiohttp import ClientError, ClientSession, web
from chat_platform import ChatPlatform, Json

OUTSIDE_WINDOW: Json = {
    "message": "(#10) This message is sent outside of allowed window.",
    "type": "OAuthException",
    "code": 10,
    "error_subcode": 2018278,
}
NO_SUCH_USER: Json = {
    "message": "(#100) No matching user found",
    "type": "OAuthException",
    "code": 100,
    "error_subcode": 2018001,
}
BLOCKED: Json = {
    "message": "(#551) This person isn't available right now.",
    "type": "OAuthException",
    "code": 551,
    "error_subcode": 1545041,
}
TOO_MANY: Json = {
    "message": "(#613) Calls to this api have exceeded the rate limit.",
    "type": "OAuthException",
    "code": 613,
}
PASSING: Json = {
    "message": "(#2) Service temporarily unavailable",
    "type": "OAuthException",
    "is_transient": True,
    "code": 2,
}
BAD_TOKEN: Json = {"message": "Invalid OAuth access token.", "type": "OAuthException", "code": 190}
BAD_PROOF: Json = {
    "message": "Invalid appsecret_proof provided in the API argument",
    "type": "GraphMethodException",
    "code": 100,
}

SCOPES = ("pages_messaging", "pages_manage_metadata", "pages_show_list")

_FIELDS = frozenset({"get_started", "greeting", "persistent_menu", "ice_breakers", "whitelisted_domains"})


class GraphError(Exception):
    """An answer other than a success."""

    def __init__(
        self, status: int, error: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(error.get("message"))
        self.status = status
        self.error = dict(error)
        self.headers = dict(headers or {})


def invalid(message: str) -> GraphError:
    """A parameter that Facebook does not take."""
    return GraphError(400, {"message": f"(#100) {message}", "type": "OAuthException", "code": 100})


@dataclass(frozen=True)
class Asked:
    """A request as it came, and the status that it was answered with."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Json
    status: int
    at: float


@dataclass
class GraphApi(ChatPlatform[Asked, GraphError]):
    """One page of one app. What it knows may be changed while it runs; all of it may be read from any thread."""

    token: str = "page-token-of-the-tests"
    app_secret: str = "app-secret-of-the-tests"
    verify_token: str = "verify-token-of-the-tests"
    page_id: str = "1000001"
    app_id: str = "2000002"
    scopes: Sequence[str] = SCOPES
    expires_at: int = 0
    human_agent: bool = True
    delay_s: float = 0.0
    profile: Json = field(default_factory=dict)
    subscribed: list[str] = field(default_factory=list)
    webhook: Json = field(default_factory=dict)
    url: str = ""

    handler_cancellation = False
    path = "/{version:v[0-9]+[.][0-9]}/{path:.*}"

    def __post_init__(self) -> None:
        super().__init__()

    # --- what was sent ----------------------------------------------------------------------------------------------

    @property
    def sent(self) -> list[Json]:
        """The bodies of the Send API's requests that were carried out, actions as "typing_on" among them."""
        return [each.body for each in self.asked if each.path == "me/messages" and each.status == 200]

    def forget(self) -> None:
        """Count from nothing again, and fail no more."""
        with self._lock:
            self._asked.clear()
            self._seen.clear()
            self._failures.clear()

    def fail_next(
        self,
        status: int,
        error: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        times: int = 1,
    ) -> None:
        """Answer the next messages (not the signs of typing) so; without `error`, with no JSON at all."""
        with self._lock:
            self._failures += [GraphError(status, error or {}, headers)] * times

    # --- a page's students ------------------------------------------------------------------------------------------

    def message(self, student: str, text: str | None, *, seconds_ago: float = 0.0, **rest: Any) -> Json:
        """A messaging event: a text, or with `quick_reply`, `attachments`, `is_echo`… what else a message can be."""
        body = {
            "mid": f"m_{next(self._numbers)}-{student}",
            **({} if text is None else {"text": text}),
            **rest,
        }
        return {**self._event(student, seconds_ago), "message": body}

    def quick_reply(self, student: str, reply: Mapping[str, Any], **rest: Any) -> Json:
        """A student taps on a quick reply of a message of ours."""
        return self.message(student, reply["title"], quick_reply={"payload": reply["payload"]}, **rest)

    def postback(self, student: str, payload: str, title: str = "…", *, with_id: bool = True) -> Json:
        """A student taps on a button, or on an item of the menu."""
        body = {"title": title, "payload": payload}
        if with_id:
            body["mid"] = f"m_{next(self._numbers)}-{student}"
        return {**self._event(student, 0.0), "postback": body}

    def _event(self, student: str, seconds_ago: float) -> Json:
        return {
            "sender": {"id": student},
            "recipient": {"id": self.page_id},
            "timestamp": round(1000 * (time.time() - seconds_ago)),
        }

    def batch(self, *events: Json) -> bytes:
        """The body of a post with these events; as Facebook does, with letters beyond ASCII escaped."""
        now = round(1000 * time.time())
        return json.dumps(
            {"object": "page", "entry": [{"id": self.page_id, "time": now, "messaging": list(events)}]}
        ).encode()

    def signature(self, body: bytes) -> str:
        """The value of `X-Hub-Signature-256`."""
        return "sha256=" + hmac.new(self.app_secret.encode(), body, hashlib.sha256).hexdigest()

    def post(self, webhook: str, *events: Json, body: bytes | None = None) -> httpx.Response:
        """Post events to a webhook, signed; `body` as it is, when it is given."""
        body = self.batch(*events) if body is None else body
        return self.post_signed(webhook, body, self.signature(body))

    @staticmethod
    def post_signed(webhook: str, body: bytes, signature: str | None) -> httpx.Response:
        """Post a body with a signature, or with none."""
        headers = {"content-type": "application/json"}
        if signature is not None:
            headers["X-Hub-Signature-256"] = signature
        with httpx.Client(trust_env=False, timeout=30) as client:
            return client.post(webhook, content=body, headers=headers)

    # --- the API ----------------------------------------------------------------------------------------------------

    async def _answer(self, request: web.Request) -> web.Response:
        path = request.match_info["path"].rstrip("/")
        try:
            raw = await request.read()
        except ConnectionError:
            # Who asked has changed their mind: typing is shown no longer once the answer is there.
            return web.Response(status=400)
        status, answer, headers, body = 200, {}, {}, {}
        try:
            body = json.loads(raw) if raw else {}
            await asyncio.sleep(self.delay_s)
            answer = await self._do(request, path, body)
        except ValueError:
            status, answer = 400, {"error": {"message": "(#100) Invalid JSON", "code": 100}}
        except GraphError as error:
            status, headers = error.status, error.headers
            answer = {"error": {**error.error, "fbtrace_id": "A1b2"}} if error.error else None
        with self._lock:
            self._asked.append(
                Asked(
                    *(request.method, path, dict(request.query), dict(request.headers)),
                    *(body, status, time.time()),
                )
            )
            if path == "me/messages" and status == 200 and body.get("message") is not None:
                self._seen.setdefault(body["recipient"]["id"], []).append(body["message"])
            self._lock.notify_all()
        if answer is None:
            return web.Response(
                status=status, text="<html>Sorry, something went wrong.</html>", headers=headers
            )
        return web.json_response(answer, status=status, headers=headers)

    async def _do(self, request: web.Request, path: str, body: Json) -> Any:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        of_app = hmac.compare_digest(token, f"{self.app_id}|{self.app_secret}")
        if not of_app and not hmac.compare_digest(token, self.token):
            raise GraphError(401, BAD_TOKEN)
        shown = request.query.get("appsecret_proof")
        if shown is not None and shown != self.proof(token):
            raise GraphError(400, BAD_PROOF)
        return await self._of_app(request, path, body) if of_app else self._of_page(request, path, body)

    def proof(self, token: str) -> str:
        """The `appsecret_proof` of a token."""
        return hmac.new(self.app_secret.encode(), token.encode(), hashlib.sha256).hexdigest()

    def _of_page(self, request: web.Request, path: str, body: Json) -> Any:
        told: Json = {
            "me": {"id": self.page_id, "name": "Trường Đại học Mẫu"},
            "app": {"id": self.app_id, "name": "Covan"},
            "me/subscribed_apps": {
                "data": [{"id": self.app_id, "name": "Covan", "subscribed_fields": self.subscribed}]
                if self.subscribed
                else []
            },
            "me/messenger_profile": {
                "data": [
                    {
                        key: self.profile[key]
                        for key in _listed(request.query.get("fields"))
                        if key in self.profile
                    }
                ]
            },
        }
        done = {
            "me/messages": self._message,
            "me/subscribed_apps": self._subscribe,
            "me/messenger_profile": self._set_profile,
        }
        if request.method == "GET" and path in told:
            return told[path]
        if request.method == "POST" and path in done:
            return done[path](body)
        if request.method == "DELETE" and path == "me/subscribed_apps":
            self.subscribed = []
            return {"success": True}
        if request.method == "DELETE" and path == "me/messenger_profile":
            return self._clear_profile(_listed(body.get("fields")))
        raise invalid(f"Unsupported request: {request.method} {path}")

    def _clear_profile(self, fields: Sequence[str]) -> Json:
        if "get_started" in fields and "persistent_menu" in self.profile and "persistent_menu" not in fields:
            raise invalid("You must delete the persistent menu before the Get Started button")
        for name in fields:
            self.profile.pop(name, None)
        return {"result": "success"}

    def _subscribe(self, body: Json) -> Json:
        self._need("pages_manage_metadata")
        self.subscribed = _listed(body.get("subscribed_fields"))
        return {"success": True}

    def _set_profile(self, body: Json) -> Json:
        self._need("pages_messaging")
        check_profile(body, self.profile)
        self.profile.update(body)
        return {"result": "success"}

    async def _of_app(self, request: web.Request, path: str, body: Json) -> Any:
        if (request.method, path) == ("POST", ""):
            return [self._debugged(each) for each in body["batch"]]
        if path != f"{self.app_id}/subscriptions":
            raise invalid(f"Unsupported request: {request.method} {path}")
        if request.method == "POST":
            await self._verify(body)
            self.webhook = {
                "object": body["object"],
                "callback_url": body["callback_url"],
                "active": True,
                "fields": [{"name": name, "version": "v26.0"} for name in _listed(body.get("fields"))],
            }
            return {"success": True}
        return {"data": [self.webhook] if self.webhook else []}

    def _debugged(self, asked: Json) -> Json:
        found = re.fullmatch(r"debug_token\?input_token=(.+)", str(asked.get("relative_url")))
        if asked.get("method") != "GET" or not found:
            return {
                "code": 400,
                "body": json.dumps({"error": {"message": "(#100) Unsupported", "code": 100}}),
            }
        data: Json = {"is_valid": httpx.QueryParams(f"t={found[1]}")["t"] == self.token}
        if data["is_valid"]:
            data |= {"app_id": self.app_id, "type": "PAGE", "profile_id": self.page_id}
            data |= {"scopes": list(self.scopes), "expires_at": self.expires_at}
        return {"code": 200, "body": json.dumps({"data": data})}

    async def _verify(self, body: Json) -> None:
        """As Facebook does, ask the address whether it knows the token."""
        challenge = str(time.time_ns())
        query = {
            "hub.mode": "subscribe",
            "hub.verify_token": body.get("verify_token", ""),
            "hub.challenge": challenge,
        }
        try:
            async with (
                ClientSession() as session,
                session.get(str(body.get("callback_url")), params=query) as answer,
            ):
                told = (await answer.text()) if answer.status == 200 else ""
        except (ClientError, ValueError):
            told = ""
        if told != challenge:
            raise GraphError(
                400,
                {
                    "message": "(#2200) Callback verification failed with the following errors",
                    "type": "OAuthException",
                    "code": 2200,
                },
            )

    def _need(self, scope: str) -> None:
        if scope not in self.scopes:
            raise GraphError(
                403,
                {
                    "message": f"(#200) Requires {scope} permission to manage the object",
                    "type": "OAuthException",
                    "code": 200,
                },
            )

    def _message(self, body: Json) -> Json:
        student = body.get("recipient", {}).get("id")
        if not isinstance(student, str) or not student.isdecimal():
            raise invalid('Param recipient[id] must be a valid ID string (e.g., "123")')
        if "sender_action" in body:
            if body["sender_action"] not in ("typing_on", "typing_off", "mark_seen") or "message" in body:
                raise invalid("Cannot send both message and state at the same time.")
            return {"recipient_id": student}
        with self._lock:
            failure = self._failures.pop(0) if self._failures else None
        if failure is not None:
            raise failure
        self._need("pages_messaging")
        self._check_type(body)
        check_message(body.get("message"))
        return {"recipient_id": student, "message_id": f"m_page_{next(self._numbers)}"}

    def _check_type(self, body: Json) -> None:
        kind, tag = body.get("messaging_type"), body.get("tag")
        if kind == "RESPONSE" and tag is None:
            return
        if kind != "MESSAGE_TAG" or tag != "HUMAN_AGENT":
            # Every other tag was retired on 27 April 2026.
            raise GraphError(400, {**invalid("Invalid parameter").error, "error_subcode": 1893061})
        if not self.human_agent:
            raise invalid("This message tag may only be used by apps with the feature Human Agent")


def check_message(message: Any) -> None:
    """Raises GraphError for a message beyond the documented limits."""
    if not isinstance(message, dict) or ("text" in message) == ("attachment" in message):
        raise invalid("Message cannot be empty, must provide valid attachment or text")
    if "text" in message:
        _check_text(message["text"], 2000, "message[text]")
    else:
        _check_template(message["attachment"])
    replies = message.get("quick_replies", [{"content_type": "text", "title": "-", "payload": "-"}])
    if not isinstance(replies, list) or not 1 <= len(replies) <= 13:
        raise invalid("Param message[quick_replies] must have 1 to 13 elements")
    for reply in replies:
        if reply.get("content_type") != "text":
            raise invalid("Param content_type must be one of {TEXT, USER_PHONE_NUMBER, USER_EMAIL}")
        _check_text(reply.get("title"), 20, "quick_replies[title]")
        _check_text(reply.get("payload"), 1000, "quick_replies[payload]")


def _check_template(attachment: Json) -> None:
    payload = attachment.get("payload", {})
    if attachment.get("type") != "template" or payload.get("template_type") not in ("button", "generic"):
        raise invalid("Param message[attachment] is of no known type")
    if payload["template_type"] == "button":
        _check_text(payload.get("text"), 640, "payload[text]")
        _check_buttons(payload.get("buttons"), 1)
        return
    elements = payload.get("elements")
    if not isinstance(elements, list) or not 1 <= len(elements) <= 10:
        raise invalid("Param payload[elements] must have 1 to 10 elements")
    for element in elements:
        _check_text(element.get("title"), 80, "elements[title]")
        if "subtitle" in element:
            _check_text(element["subtitle"], 80, "elements[subtitle]")
        elif not element.get("buttons") and "image_url" not in element:
            raise invalid("Each element needs one property beside its title")
        _check_buttons(element.get("buttons", []), 0)


def _check_buttons(buttons: Any, least: int) -> None:
    if not isinstance(buttons, list) or not least <= len(buttons) <= 3:
        raise invalid(f"Param buttons must have {least} to 3 elements")
    for button in buttons:
        _check_text(button.get("title"), 20, "buttons[title]")
        match button.get("type"):
            case "web_url" if re.match(r"https?://[^/\s]+", str(button.get("url"))):
                pass
            case "phone_number" if re.fullmatch(r"\+\d{8,15}", str(button.get("payload"))):
                pass
            case "postback":
                _check_text(button.get("payload"), 1000, "buttons[payload]")
            case kind:
                raise invalid(f"Param buttons has a button of type {kind} that cannot be pressed: {button}")


def check_profile(profile: Json, known: Mapping[str, Any]) -> None:
    """Raises GraphError for properties that a page which has those `known` cannot be given."""
    if not profile or not profile.keys() <= _FIELDS:
        raise invalid("Param messenger_profile has an unknown property")
    if "get_started" in profile:
        _check_text(profile["get_started"].get("payload"), 1000, "get_started[payload]")
    for name, kept in (("greeting", "text"), ("persistent_menu", "call_to_actions")):
        found = profile.get(name)
        if found is not None and "default" not in [each.get("locale") for each in found]:
            raise invalid(f"Param {name} must specify the locale default")
        for each in found or []:
            if kept == "text":
                _check_text(each.get("text"), 160, "greeting[text]")
                continue
            if not 1 <= len(each[kept]) <= 20:
                raise invalid("Param call_to_actions must have 1 to 20 elements")
            for item in each[kept]:
                _check_text(item.get("title"), 30, "call_to_actions[title]")
    if "persistent_menu" in profile and "get_started" not in {**known, **profile}:
        raise invalid("You must set a Get Started button if you also wish to use persistent menu")


def _check_text(text: Any, limit: int, name: str) -> None:
    if not isinstance(text, str) or not text.strip():
        raise invalid(f"Param {name} must be a non-empty string")
    if len(text) > limit:
        raise invalid(f"Length of param {name} must be less than or equal to {limit}")


def _listed(names: Any) -> list[str]:
    found = names.split(",") if isinstance(names, str) else list(names or [])
    return [str(name).strip() for name in found if str(name).strip()]
