"""Telegram's Bot API on a loopback port, with the rules of the real one that matter to a bot.

It refuses what Telegram refuses (https://core.telegram.org/bots/api): a wrong token, markup that is not closed, text
and button data that are too long, addresses on buttons that are none, chats that never wrote to the bot. The student's
side makes updates, which are posted to a webhook or kept for `getUpdates`.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

import httpx
from aiohttp import web

TOKEN = "123456789:AAE-the-token-of-the-tests-0123456789ab"
BOT_ID = int(TOKEN.partition(":")[0])
USERNAME = "covan_stand_in_bot"
SECRET = "telegram-secret-of-the-tests"

MAX_TEXT = 4096
MAX_DATA_BYTES = 64
MAX_BUTTONS = 100
TAGS = {
    "b": (),
    "i": (),
    "u": (),
    "s": (),
    "code": (),
    "pre": (),
    "a": ("href",),
    "blockquote": ("expandable",),
}

Json = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """What the bot has called, with its parameters as values; `error` is what it got for it."""

    method: str
    params: Mapping[str, Any]
    at: float = field(default_factory=time.monotonic)
    error: str = ""

    @property
    def text(self) -> str:
        """What a student sees of a message, without its marks."""
        text: str = self.params["text"]
        return seen(text) if self.params.get("parse_mode") == "HTML" else text

    @property
    def buttons(self) -> list[Json]:
        """All buttons of a message."""
        markup = self.params.get("reply_markup") or {}
        return [button for row in markup.get("inline_keyboard", []) for button in row]


class ApiError(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, description: str, parameters: Mapping[str, Any] | None = None) -> None:
        super().__init__(description)
        self.status, self.parameters = status, parameters


@dataclass
class _Failure:
    method: str
    status: int
    parameters: Mapping[str, Any] | None
    description: str
    chat: int | None


class TelegramApi:
    """One bot's Bot API. All methods may be called from any thread."""

    def __init__(self, token: str = TOKEN) -> None:
        self.token = token
        self.base_url = ""
        self.webhook: Json = {"url": ""}
        self.texts: Json = {}
        self.blocked: set[int] = set()
        self.last_error: Json = {}
        self._sent: list[Call] = []
        self._messages: dict[tuple[int, int], Json] = {}
        self._chats: dict[int, Json] = {}
        self._queries: set[str] = set()
        self._queue: list[Json] = []
        self._raw_updates: list[bytes] = []
        self.offsets: list[int | None] = []
        """The offset of each `getUpdates`, in order."""
        self._failures: list[_Failure] = []
        self._lock = threading.RLock()
        self._numbers = itertools.count(1)
        self._updates = itertools.count(500_000)
        self._delay_s = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._client = httpx.Client(trust_env=False, timeout=30)

    # --- up and down ------------------------------------------------------------------------------------------------

    def start(self) -> str:
        """Begins to serve; the address for COVAN_TELEGRAM_API_URL."""
        started = threading.Event()

        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            application = web.Application(client_max_size=2**20)
            application.router.add_route("*", "/bot{token}/{method}", self._handle)
            runner = web.AppRunner(application, access_log=None, handle_signals=False, shutdown_timeout=0.1)
            await runner.setup()
            site = web.TCPSite(runner, "127.0.0.1", urlsplit(self.base_url).port or 0)
            await site.start()
            host, port = runner.addresses[0][:2]
            self.base_url = f"http://{host}:{port}"
            self._stopping = asyncio.Event()
            started.set()
            await self._stopping.wait()
            await runner.cleanup()

        # What still waits for updates is cancelled at the end.
        self._thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
        self._thread.start()
        if not started.wait(10):
            raise RuntimeError("The stand-in of Telegram did not come up.")
        return self.base_url

    def stop(self) -> None:
        """Ends; started again, it has the same address."""
        if self._thread is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join(10)
            self._thread = None

    # --- what a test looks at and sets ------------------------------------------------------------------------------

    @property
    def sent(self) -> list[Call]:
        """Every call but `getUpdates`, in order."""
        with self._lock:
            return list(self._sent)

    def calls(self, method: str, chat: int | None = None, ok: bool = True) -> list[Call]:
        """The calls of a method that were carried out (or, not `ok`, refused)."""
        return [
            call
            for call in self.sent
            if call.method == method
            and bool(call.error) is not ok
            and chat in (None, call.params.get("chat_id"))
        ]

    def messages(self, chat: int) -> list[Call]:
        """What has reached a chat."""
        return self.calls("sendMessage", chat)

    def fail_next(
        self,
        method: str,
        status: int,
        parameters: Mapping[str, Any] | None = None,
        *,
        description: str = "",
        chat: int | None = None,
        times: int = 1,
    ) -> None:
        """Lets the next calls fail: 429 with {"retry_after": 1}, 502, 403."""
        with self._lock:
            self._failures += [_Failure(method, status, parameters, description, chat)] * times

    @property
    def failures_left(self) -> int:
        """The number of calls that are still to fail."""
        with self._lock:
            return len(self._failures)

    def slow_down(self, seconds: float) -> None:
        """Lets every call take so long."""
        self._delay_s = seconds

    # --- the student's side -----------------------------------------------------------------------------------------

    def writes(self, user: int, text: str | None = None, *, group: int | None = None, **fields: Any) -> Json:
        """The update of a message: of `user` to the bot, or in a group (a negative id)."""
        chat = self._chat(user, group)
        message = {
            "message_id": next(self._numbers),
            "date": int(time.time()),
            "chat": chat,
            "from": {"id": user, "is_bot": False, "first_name": f"Sinh viên {user}", "language_code": "vi"},
            **({"text": text, "entities": list(_entities(text))} if text is not None else {}),
            **fields,
        }
        with self._lock:
            self._messages[chat["id"], message["message_id"]] = message
        return {"update_id": next(self._updates), "message": message}

    def presses(self, user: int, title: str, *, group: int | None = None) -> Json:
        """The update of a button being pressed: the last one with this title in the chat. Raises LookupError."""
        chat = self._chat(user, group)
        with self._lock:
            shown = [message for (of, _), message in self._messages.items() if of == chat["id"]]
        for message in reversed(shown):
            for row in (message.get("reply_markup") or {}).get("inline_keyboard", []):
                for button in row:
                    if title in button["text"] and "callback_data" in button:
                        return self.presses_data(user, button["callback_data"], message)
        raise LookupError(f"no button {title!r} in chat {chat['id']}")

    def presses_data(self, user: int, data: str, message: Mapping[str, Any] | None) -> Json:
        """The update of a button with this data under `message` being pressed."""
        query = f"query{next(self._numbers)}"
        with self._lock:
            self._queries.add(query)
        return {
            "update_id": next(self._updates),
            "callback_query": {
                "id": query,
                "from": {"id": user, "is_bot": False, "first_name": f"Sinh viên {user}"},
                "chat_instance": "1",
                "data": data,
                **({"message": message} if message is not None else {}),
            },
        }

    def post(self, update: Mapping[str, Any], url: str, secret: str | None = SECRET) -> httpx.Response:
        """Brings an update to a webhook, once."""
        headers = {} if secret is None else {"X-Telegram-Bot-Api-Secret-Token": secret.encode()}
        return self._client.post(url, json=update, headers=headers)

    def keep(self, *updates: Json) -> None:
        """Keeps updates for who asks for them by `getUpdates`."""
        with self._lock:
            self._queue += updates

    def answer_updates(self, body: bytes) -> None:
        """Answers the next `getUpdates` with these bytes."""
        with self._lock:
            self._raw_updates.append(body)

    @property
    def has_updates(self) -> bool:
        """Whether an answer of `answer_updates` waits for a question."""
        with self._lock:
            return bool(self._raw_updates)

    @property
    def unconfirmed(self) -> list[int]:
        """The ids of the updates that nobody has confirmed yet."""
        with self._lock:
            return [update["update_id"] for update in self._queue]

    def _chat(self, user: int, group: int | None) -> Json:
        chat: Json = (
            {"id": user, "type": "private", "first_name": f"Sinh viên {user}"}
            if group is None
            else {"id": group, "type": "supergroup", "title": "Lớp"}
        )
        with self._lock:
            self._chats[chat["id"]] = chat
        return chat

    # --- the API ----------------------------------------------------------------------------------------------------

    async def _handle(self, request: web.Request) -> web.Response:
        method = request.match_info["method"]
        params = await _params(request)
        error: ApiError | None = None
        result: Any = None
        try:
            if request.match_info["token"] != self.token:
                raise ApiError(401, "Unauthorized")
            if self._delay_s and method != "getUpdates":
                await asyncio.sleep(self._delay_s)
            self._fail(method, params)
            result = await self._carry_out(method, params)
        except ApiError as refused:
            error = refused
        if method != "getUpdates":
            with self._lock:
                self._sent.append(Call(method, params, error=str(error or "")))
        if isinstance(result, bytes):
            return web.Response(body=result, content_type="application/json")
        if error is None:
            return web.json_response({"ok": True, "result": result})
        body: Json = {"ok": False, "error_code": error.status, "description": str(error)}
        if error.parameters:
            body["parameters"] = error.parameters
        return web.json_response(body, status=error.status)

    def _fail(self, method: str, params: Mapping[str, Any]) -> None:
        with self._lock:
            for failure in self._failures:
                if failure.method == method and failure.chat in (None, params.get("chat_id")):
                    self._failures.remove(failure)
                    break
            else:
                return
        usual = {
            403: "Forbidden: bot was blocked by the user",
            429: f"Too Many Requests: retry after {(failure.parameters or {}).get('retry_after')}",
        }
        described = failure.description or usual.get(failure.status, "Internal Server Error")
        raise ApiError(failure.status, described, failure.parameters)

    async def _carry_out(self, method: str, params: Json) -> Any:
        if method == "getUpdates":
            return await self._get_updates(params)
        known: Mapping[str, Callable[[Json], Any]] = {
            "getMe": lambda _params: {
                "id": BOT_ID,
                "is_bot": True,
                "first_name": "Covan",
                "username": USERNAME,
                "can_join_groups": True,
                "can_read_all_group_messages": False,
                "supports_inline_queries": False,
            },
            "sendMessage": self._send_message,
            "sendChatAction": self._send_chat_action,
            "answerCallbackQuery": self._answer_callback_query,
            "setWebhook": self._set_webhook,
            "deleteWebhook": self._delete_webhook,
            "getWebhookInfo": lambda _params: {
                "has_custom_certificate": False,
                "pending_update_count": len(self._queue),
                **{key: value for key, value in self.webhook.items() if key != "secret_token"},
                **self.last_error,
            },
        }
        if method == "getMyCommands":
            set_to = self.texts.get(("setMyCommands", params.get("language_code", "")))
            return set_to["commands"] if set_to else []
        if method in known:
            return known[method](params)
        if method in ("setMyCommands", "setMyDescription", "setMyShortDescription"):
            with self._lock:
                self.texts[method, params.get("language_code", "")] = params
            return True
        raise ApiError(404, "Not Found: method not found")

    def _send_message(self, params: Json) -> Json:
        chat = self._writable(params)
        text = params.get("text") or ""
        if params.get("parse_mode") == "HTML":
            text = seen(text)
        elif params.get("parse_mode"):
            raise ApiError(400, "Bad Request: unsupported parse_mode")
        if not text.strip():
            raise ApiError(400, "Bad Request: message text is empty")
        if len(text.encode("utf-16-le")) // 2 > MAX_TEXT:
            raise ApiError(400, "Bad Request: message is too long")
        _check_keyboard(params.get("reply_markup") or {})
        answered = params.get("reply_parameters") or {}
        with self._lock:
            known = (chat["id"], answered.get("message_id")) in self._messages
            if answered and not known and not answered.get("allow_sending_without_reply"):
                raise ApiError(400, "Bad Request: message to be replied not found")
            message = {
                "message_id": next(self._numbers),
                "date": int(time.time()),
                "chat": chat,
                "from": {"id": BOT_ID, "is_bot": True, "first_name": "Covan", "username": USERNAME},
                "text": text.strip(),
                **({"reply_markup": params["reply_markup"]} if params.get("reply_markup") else {}),
            }
            self._messages[chat["id"], message["message_id"]] = message
        return message

    def _send_chat_action(self, params: Json) -> bool:
        self._writable(params)
        if params.get("action") != "typing":
            raise ApiError(400, "Bad Request: wrong parameter action in request")
        return True

    def _writable(self, params: Json) -> Json:
        with self._lock:
            chat = self._chats.get(params.get("chat_id", 0))
            if chat is None:
                raise ApiError(400, "Bad Request: chat not found")
            if chat["id"] in self.blocked:
                raise ApiError(403, "Forbidden: bot was blocked by the user")
            return chat

    def _answer_callback_query(self, params: Json) -> bool:
        with self._lock:
            if params.get("callback_query_id") not in self._queries:
                described = (
                    "Bad Request: query is too old and response timeout expired or query ID is invalid"
                )
                raise ApiError(400, described)
            self._queries.discard(params["callback_query_id"])
        if len(params.get("text") or "") > 200:
            raise ApiError(400, "Bad Request: MESSAGE_TOO_LONG")
        return True

    def _set_webhook(self, params: Json) -> bool:
        if not params.get("url", "").startswith("https://"):
            raise ApiError(400, "Bad Request: bad webhook: An HTTPS URL must be provided for webhook")
        self.webhook = dict(params)
        return True

    def _delete_webhook(self, params: Json) -> bool:
        self.webhook = {"url": ""}
        if params.get("drop_pending_updates"):
            with self._lock:
                self._queue.clear()
        return True

    async def _get_updates(self, params: Json) -> list[Json] | bytes:
        if self.webhook["url"]:
            raise ApiError(
                409,
                "Conflict: can't use getUpdates method while webhook is active; "
                "use deleteWebhook to delete the webhook first",
            )
        offset = params.get("offset")
        self.offsets.append(offset)
        if offset is not None:
            with self._lock:
                self._queue = [update for update in self._queue if update["update_id"] >= offset]
        until = time.monotonic() + min(float(params.get("timeout", 0)), 1.0)
        while True:
            with self._lock:
                if self._raw_updates:
                    return self._raw_updates.pop(0)
                if self._queue:
                    return self._queue[:100]
            if time.monotonic() > until:
                return []
            await asyncio.sleep(0.005)


# --- parameters and their rules -----------------------------------------------------------------------------------


async def _params(request: web.Request) -> Json:
    """Parameters as values: the API takes JSON, and forms in which what is no string is JSON."""
    if request.content_type == "application/json":
        params: Json = await request.json()
        return params
    return {
        key: _value(key, str(value))
        for key, value in (*request.query.items(), *(await request.post()).items())
    }


def _value(key: str, written: str) -> Any:
    if key in ("text", "url", "secret_token", "callback_query_id", "description", "short_description"):
        return written
    try:
        return json.loads(written)
    except ValueError:
        return written


def _check_keyboard(markup: Mapping[str, Any]) -> None:
    buttons = [button for row in markup.get("inline_keyboard", []) for button in row]
    if len(buttons) > MAX_BUTTONS:
        raise ApiError(400, "Bad Request: reply markup is too long")
    for button in buttons:
        if not button.get("text"):
            raise ApiError(400, "Bad Request: inline keyboard button text must be non-empty")
        if "callback_data" in button and not 1 <= len(button["callback_data"].encode()) <= MAX_DATA_BYTES:
            raise ApiError(400, "Bad Request: BUTTON_DATA_INVALID")
        if "url" in button:
            parts = urlsplit(button["url"])
            if parts.scheme not in ("http", "https", "tg") or "." not in (parts.hostname or ""):
                described = f"inline keyboard button URL '{button['url']}' is invalid: Wrong HTTP URL"
                raise ApiError(400, f"Bad Request: {described}")
        if ("callback_data" in button) == ("url" in button):
            raise ApiError(400, "Bad Request: text buttons are unallowed in the inline keyboard")


def seen(markup: str) -> str:
    """The text that Telegram's HTML shows. Raises ApiError for what Telegram cannot parse."""
    parser = _Markup()
    parser.feed(markup)
    parser.close()
    if parser.open:
        raise ApiError(
            400, f"Bad Request: can't parse entities: Can't find end tag corresponding to {parser.open[-1]}"
        )
    return parser.text


class _Markup(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS or not {name for name, _ in attrs} <= set(TAGS[tag]):
            raise ApiError(400, f'Bad Request: can\'t parse entities: Unsupported start tag "{tag}"')
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            raise ApiError(400, "Bad Request: can't parse entities: Unmatched end tag")

    def handle_data(self, data: str) -> None:
        self.text += data


def _entities(text: str) -> Iterator[Json]:
    """Commands and names in a text, as Telegram marks them: in UTF-16 code units."""
    done = 0
    for word in text.split(" "):
        bare = word.rstrip(",.!?:")
        kind = {"/": "bot_command", "@": "mention"}.get(word[:1])
        if kind and len(bare) > 1:
            yield {"type": kind, "offset": done, "length": len(bare.encode("utf-16-le")) // 2}
        done += len(word.encode("utf-16-le")) // 2 + 1
