"""The ways into Covan for fuzzing: what comes in on each, and what must be true afterwards.

    with HostileDoor(tmp_path) as door:
        point = entry_points()["messenger"]
        door.play(point, case)          # a case that `point.cases()` has generated; the statuses of its answers
        door.faults                     # sentences; none, when all is well

A fault is a status of 500 or more, an exception, a traceback or an error in the log, no answer in time, an input that
is never done with, or a student's event that is not stored because a bad one came with it.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import itertools
import json
import logging
import os
import sqlite3
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol
from unittest.mock import patch
from urllib.parse import parse_qs, quote_from_bytes, urlsplit

import jwt
from answerers import Answerer
from asgi_request import HANG_S, Answer, AsgiRequest, ask
from front_door_server import NO_RASA, ReadyRasa, open_front_door
from graph_api import GraphApi
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from mutations import (
    JSON,
    METHODS,
    ODD_NUMBERS,
    ODD_SEGMENTS,
    Document,
    Header,
    addresses,
    bodies,
    documents,
    header_values,
    headers,
    json_texts,
    queries,
)
from reserved_ports import reserve_port
from telegram_api import SECRET, TOKEN, TelegramApi
from zalo_api import ZaloApi

from channels.app import create_app
from channels.delivery.incoming import Incoming, TextInput
from channels.delivery.token_store import TokenPair
from channels.front_door import FrontDoor
from channels.rasa_client import Replies
from channels.telegram import polling
from channels.zalo.authorization import ACCESS_PATH, CALLBACK_PATH, OPERATOR
from channels.zalo.events import MalformedPostError, parsed, timestamp_of
from covan.ports import is_free
from covan.project import ROOT
from covan.rasa import PYTHON
from rag.settings import Settings

WEB_SECRET = "a secret of the website of the tests"
WEB_ORIGIN = "https://www.example.edu.vn"
PUBLIC_URL = "https://tuvan.example.edu.vn"
ADVISOR_TOKEN = "a token of the advisors of the tests"
INTERNAL_TOKEN = "a token of the front door of the tests"
TOKEN_VARIABLE = "COVAN_INTERNAL_TOKEN"

SETTLED_S = 60.0
ANSWERED = ("messenger", "telegram", "web", "zalo")
"""The channels whose inputs are answered."""

JSON_TYPE: Header = (b"content-type", b"application/json")
HOST: Header = (b"host", b"tuvan.example.edu.vn")

GOOD = "câu hỏi của sinh viên khác"
"""What a student beside a bad event writes."""

Numbered = bytes
"""A text in which @N@ stands for the number of the case: ids are never the same twice."""


def numbered(text: Numbered, number: int) -> bytes:
    """Return the text with its number; `"@N#"` is the number without quotes."""
    digits = str(number).encode()
    return text.replace(b'"@N#"', digits).replace(b"@N@", digits)


class WordsOfRasa(ReadyRasa):
    """Rasa as far as the front door asks it outside of turns."""

    async def response(self, name: str, sender: str, channel: str, values: Mapping[str, str]) -> Replies:
        return Replies(({"text": " ".join((name, *values.values()))},), "vi")

    async def language(self, sender: str) -> str:
        return "vi"

    async def forget(self, sender: str) -> None:
        """Nothing is kept."""


class ErrorLog(logging.Handler):
    """Collects the errors and the tracebacks that are logged."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR or record.exc_info:
            self.found.append(f"logged: {self.format(record)}")


class EntryPoint(Protocol):
    """One way in. A case can be played any number of times."""

    def cases(self) -> SearchStrategy[Any]:
        """Generate cases."""

    async def play(self, door: HostileDoor, case: Any, number: int) -> Sequence[int]:
        """Send a case; return the statuses of its hostile requests. Raises AssertionError for a fault."""


class HostileDoor:
    """A front door with every channel, before platforms that are ours, in an event loop that runs while a case does."""

    def __init__(self, directory: Path, **further: Any) -> None:
        """`further` are settings by name (`SETTINGS`)."""
        self.graph, self.telegram_api, self.zalo_api = GraphApi(), TelegramApi(), ZaloApi()
        self._directory = directory
        self._runner = asyncio.Runner()
        self._open = AsyncExitStack()
        self._log = ErrorLog()
        self._numbers = itertools.count(1)
        self._internal: subprocess.Popen[bytes] | None = None
        self._internal_log = directory / "internal.log"
        self._further = further
        self.url = ""
        self.faults: list[str] = []

    def __enter__(self) -> HostileDoor:
        settings = Settings(
            channels_db=f"sqlite:///{self._directory / 'channels.sqlite'}",
            rasa_urls=NO_RASA,
            web_secret=WEB_SECRET,
            web_origins=WEB_ORIGIN,
            advisor_token=ADVISOR_TOKEN,
            telegram_token=TOKEN,
            telegram_secret=SECRET,
            telegram_api_url=self.telegram_api.start(),
            messenger_token=self.graph.token,
            messenger_app_secret=self.graph.app_secret,
            messenger_verify_token=self.graph.verify_token,
            messenger_api_url=self.graph.start(),
            zalo_app_id=self.zalo_api.app_id,
            zalo_app_secret=self.zalo_api.app_secret,
            zalo_oa_secret=self.zalo_api.oa_secret,
            zalo_refresh_token=self.zalo_api.refresh_token,
            zalo_api_url=(zalo := self.zalo_api.start()),
            zalo_oauth_url=zalo,
            public_url=PUBLIC_URL,
            **self._further,
        )
        logging.getLogger().addHandler(self._log)
        # What cannot be read is asked for again after a pause.
        self._open.enter_context(patch.object(polling, "FIRST_PAUSE_S", 0.0))
        self._runner.run(self._start(settings))
        return self

    async def _start(self, settings: Settings) -> None:
        self.door = FrontDoor(settings, WordsOfRasa())
        self.door.delivery.answering = Answerer()
        self.url = await self._open.enter_async_context(open_front_door(self.door))
        dist = self._directory / "dist"
        (dist / "assets").mkdir(parents=True, exist_ok=True)
        for name in ("index.html", "widget.js", "assets/page.js"):
            (dist / name).write_text("<!doctype html><title>chat</title>" * 20)
        # The same door behind it; its life is that of the served one.
        self.app = create_app(self.door, dist)
        # The server's own errors are ours; it would print them.
        logging.getLogger("uvicorn").handlers[:] = [self._log]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                self._runner.run(self._settled())
            self._runner.run(self._open.aclose())
        finally:
            self._runner.close()
            logging.getLogger().removeHandler(self._log)
            self.graph.stop()
            self.telegram_api.stop()
            self.zalo_api.stop()
            if self._internal is not None:
                self._internal.kill()
                self._internal.wait()
                log = self._internal_log.read_text(errors="replace")
                self.faults += [f"logged: {log[-3_000:]}"] if "Traceback" in log else []

    def play(self, point: EntryPoint, case: Any) -> Sequence[int]:
        """Play a case and note its faults."""
        statuses: Sequence[int] = ()
        try:
            statuses = self._runner.run(point.play(self, case, next(self._numbers)))
        except Exception as error:  # whatever it is, it is what we look for
            self.faults.append(f"{type(error).__name__}: {error}")
        self.faults += self._log.found
        self._log.found.clear()
        self.faults += [f"answered {status}: {case!r:.3000}" for status in statuses if status >= 500]
        return statuses

    def internal_port(self) -> int:
        """Return the port of Rasa's internal channel, which is started when it is first asked for."""
        if self._internal is None:
            self._internal_port = reserve_port()
            with self._internal_log.open("wb") as log:
                self._internal = subprocess.Popen(
                    [
                        str(PYTHON),
                        str(Path(__file__).with_name("internal_channel_server.py")),
                        str(self._internal_port),
                    ],
                    cwd=ROOT,
                    env={**os.environ, "PYTHONPATH": str(ROOT), TOKEN_VARIABLE: INTERNAL_TOKEN},
                    stdout=log,
                    stderr=log,
                )
            deadline = time.monotonic() + SETTLED_S
            while is_free("127.0.0.1", self._internal_port):
                assert time.monotonic() < deadline, self._internal_log.read_text(errors="replace")
                assert self._internal.poll() is None, self._internal_log.read_text(errors="replace")
                time.sleep(0.05)
        return self._internal_port

    async def ask(self, request: AsgiRequest) -> Answer:
        """Send a request to the application in this process."""
        return await ask(self.app, request)

    async def hears(self, channel: str, sender: str, *texts: str) -> None:
        """Raises AssertionError unless what the student wrote is stored, in order."""
        history = await self.door.delivery.history(channel, sender)
        said = [message.text for message in history if message.author == "student"]
        assert said == list(texts), f"stored of {sender}: {said}, not {texts}"

    async def _settled(self) -> None:
        """Wait until every input is done with: one that is not would hold its sender's next messages for ever."""
        deadline = time.monotonic() + SETTLED_S
        while left := await asyncio.to_thread(self._unanswered):
            if time.monotonic() > deadline:
                self.faults.append(f"{left} inputs are never done with")
                return
            await asyncio.sleep(0.05)

    def _unanswered(self) -> int:
        with closing(sqlite3.connect(self._directory / "channels.sqlite", timeout=SETTLED_S)) as store:
            (left,) = store.execute(
                "SELECT count(*) FROM channel_turns WHERE done_at IS NULL AND channel IN (?, ?, ?, ?)",
                ANSWERED,
            ).fetchone()
        return int(left)


# --- the platforms' webhooks ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Post:
    """A post to a platform's webhook. `signed` of the body as it is; `about` are further headers."""

    body: Numbered
    readable: bool = True
    signed: bool = True
    about: Sequence[Header] = ()
    chunks: int = 1
    broken_off: bool = False


@st.composite
def posts(draw: Any, document: SearchStrategy[Document], valid: Sequence[Any]) -> Post:
    """A signed post of a mutated document, or of mutated bytes; some without a signature of ours."""
    how = draw(st.sampled_from(("document",) * 6 + ("bytes", "bytes", "unsigned")))
    chunks, broken_off = draw(st.integers(1, 4)), draw(st.sampled_from((False,) * 9 + (True,)))
    if how == "document":
        found = draw(document)
        return Post(found.text, found.readable, chunks=chunks, broken_off=broken_off)
    body = draw(bodies(json.dumps(draw(st.sampled_from(valid))).encode()))
    return Post(body, False, how == "bytes", draw(headers()), chunks, broken_off)


async def _posted(
    door: HostileDoor, post: Post, path: bytes, body: bytes, signature: Sequence[Header]
) -> int:
    given = {name for name, _ in post.about}
    ours = [pair for pair in (HOST, JSON_TYPE, *(signature if post.signed else ())) if pair[0] not in given]
    request = AsgiRequest(
        "POST", path, b"", [*ours, *post.about], body, chunks=post.chunks, broken_off=post.broken_off
    )
    return (await door.ask(request)).status


_SENDER = {"id": "9@N@"}
_MESSENGER_EVENT: Mapping[str, Any] = {
    "sender": _SENDER,
    "recipient": {"id": "1000001"},
    "timestamp": int(1000 * time.time()),
}
_MESSENGER_CONTENTS: Sequence[Mapping[str, Any]] = (
    {"message": {"mid": "m_bad@N@", "text": "Học phí?"}},
    {"message": {"mid": "m_bad@N@", "text": "A", "quick_reply": {"payload": "o:abcdefgh"}}},
    {
        "message": {
            "mid": "m_bad@N@",
            "attachments": [{"type": "image", "payload": {"url": "https://x", "sticker_id": 1}}],
        }
    },
    {"message": {"mid": "m_bad@N@", "text": "re", "reply_to": {"mid": "m_1"}, "nlp": {"entities": {}}}},
    {"message": {"mid": "m_bad@N@", "is_echo": True, "app_id": 1, "text": "x"}},
    {"message": {"mid": "m_bad@N@", "is_unsupported": True}},
    {"postback": {"title": "Bắt đầu", "payload": "c:start", "mid": "m_bad@N@", "referral": {"ref": "x"}}},
    {"postback": {"title": "A", "payload": "o:abcdefgh"}},
    {"reaction": {"mid": "m_1", "action": "react", "emoji": "❤"}},
    {"read": {"watermark": 1}},
    {"delivery": {"mids": ["m_1"], "watermark": 1}},
    {"optin": {"ref": "x"}},
)


class Messenger:
    """Facebook's webhook. Beside a bad event stand two good ones of another student."""

    path = b"/webhooks/messenger/webhook"
    bad: Sequence[Any] = tuple({**_MESSENGER_EVENT, **content} for content in _MESSENGER_CONTENTS)
    batches: Sequence[Any] = tuple(
        {"object": "page", "entry": [{"id": "1000001", "time": 1, "messaging": [event]}]} for event in bad
    )

    def cases(self) -> SearchStrategy[Post | AsgiRequest]:
        """See `EntryPoint`."""
        beside = documents(self.bad).map(self._beside_good)
        verifying = st.builds(
            AsgiRequest,
            st.sampled_from(("GET",) * 40 + METHODS),
            st.just(self.path),
            queries((b"hub.mode", b"hub.challenge", b"hub.verify_token")),
            headers().map(lambda some: [HOST, *some]),
        )
        one = posts(beside, self.batches)
        return st.one_of(one, one, one, one, posts(documents(self.batches), self.batches), verifying)

    @staticmethod
    def _beside_good(bad: Document) -> Document:
        first, last = (
            json.dumps(
                {
                    **_MESSENGER_EVENT,
                    "sender": {"id": "8@N@"},
                    "message": {"mid": f"m_good{i}_@N@", "text": f"{GOOD} {i}"},
                }
            ).encode()
            for i in (1, 2)
        )
        other = b'{"id": "1000001", "messaging": [' + last + b"]}"
        batch = (
            b'{"object": "page", "entry": [{"id": "1000001", "messaging": ['
            + first
            + b","
            + bad.text
            + b"]}, "
            + other
        )
        return Document(batch + b"]}", bad.readable)

    async def play(self, door: HostileDoor, case: Post | AsgiRequest, number: int) -> Sequence[int]:
        """See `EntryPoint`."""
        if isinstance(case, AsgiRequest):
            return [(await door.ask(case)).status]
        body = numbered(case.body, number)
        status = await _posted(
            door, case, self.path, body, [(b"x-hub-signature-256", door.graph.signature(body).encode())]
        )
        if b"m_good1" in body and case.readable and case.signed and not case.broken_off:
            assert status == 200, f"a batch with a bad event got {status}: {case!r:.3000}"
            await door.hears("messenger", f"8{number}", f"{GOOD} 1", f"{GOOD} 2")
        return [status]


_USER = {"id": "@N#", "is_bot": False, "first_name": "An", "username": "an", "language_code": "vi"}
_PRIVATE = {"id": "@N#", "type": "private", "first_name": "An"}
_GROUP = {"id": -100123, "type": "supergroup", "title": "Lớp", "is_forum": True}
_MENTION = [{"type": "mention", "offset": 0, "length": 19}]
_PHOTO = [{"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1, "file_size": 1}]


def _message(**fields: Any) -> dict[str, Any]:
    return {"message_id": 5, "date": 1_700_000_000, "chat": _PRIVATE, "from": _USER, **fields}


_ANSWERED = _message(
    text="trước", **{"from": {"id": int(TOKEN.partition(":")[0]), "is_bot": True, "first_name": "C"}}
)
_PRESSED = {"id": "7", "from": _USER, "chat_instance": "1", "data": "o:abcdefgh"}
_BUTTON = {"inline_keyboard": [[{"text": "A", "callback_data": "o:abcdefgh"}]]}
_TELEGRAM_UPDATES: Sequence[Mapping[str, Any]] = (
    {"message": _message(text="Học phí?", entities=[{"type": "bold", "offset": 0, "length": 3}])},
    {"message": _message(text="/start x", entities=[{"type": "bot_command", "offset": 0, "length": 6}])},
    {
        "message": _message(
            chat=_GROUP,
            text="@covan_stand_in_bot 😀 học phí?",
            entities=_MENTION,
            message_thread_id=3,
            is_topic_message=True,
        )
    },
    {"message": _message(chat=_GROUP, text="thế ạ", reply_to_message=_ANSWERED)},
    {"message": _message(photo=_PHOTO, caption="đây", media_group_id="12", caption_entities=_MENTION)},
    {
        "message": _message(
            location={"latitude": 1.5, "longitude": 1.5},
            venue={"location": {"latitude": 1, "longitude": 1}, "title": "x", "address": "y"},
        )
    },
    {
        "message": _message(
            poll={
                "id": "1",
                "question": "?",
                "options": [],
                "total_voter_count": 0,
                "is_closed": False,
                "is_anonymous": True,
                "type": "regular",
                "allows_multiple_answers": False,
            }
        )
    },
    {"callback_query": {**_PRESSED, "message": _message(text="x", reply_markup=_BUTTON)}},
    {"callback_query": {**_PRESSED, "message": {"chat": _PRIVATE, "message_id": 5, "date": 0}}},
    {"callback_query": {**_PRESSED, "inline_message_id": "1"}},
    {"edited_message": _message(text="sửa", edit_date=1)},
    {
        "my_chat_member": {
            "chat": _PRIVATE,
            "from": _USER,
            "date": 1,
            "old_chat_member": {"status": "member", "user": _USER},
            "new_chat_member": {"status": "kicked", "user": _USER, "until_date": 0},
        }
    },
)


class Telegram:
    """Telegram's webhook. After a bad update comes a good one of another student."""

    path = b"/webhooks/telegram/webhook"
    updates: Sequence[Any] = tuple({"update_id": "@N#", **update} for update in _TELEGRAM_UPDATES)

    def cases(self) -> SearchStrategy[Post]:
        """See `EntryPoint`."""
        return posts(documents(self.updates), self.updates)

    async def play(self, door: HostileDoor, case: Post, number: int) -> Sequence[int]:
        """See `EntryPoint`."""
        known = [(b"x-telegram-bot-api-secret-token", SECRET.encode())]
        status = await _posted(door, case, self.path, numbered(case.body, 10_000_000 + number), known)
        sender = 20_000_000 + number
        good = json.dumps(
            {
                "update_id": sender,
                "message": {
                    **_message(text=GOOD),
                    "chat": {"id": sender, "type": "private"},
                    "from": {**_USER, "id": sender},
                },
            }
        ).encode()
        assert await _posted(door, Post(good), self.path, good, known) == 200
        await door.hears("telegram", str(sender), GOOD)
        return [status]


@dataclass(frozen=True)
class UpdatesAnswer:
    """An answer to `getUpdates`. Its good updates must be taken from it when it is `readable`."""

    body: Numbered
    readable: bool


def _good_update(number: int, sender: int, text: str) -> bytes:
    message = {**_message(text=text), "chat": {"id": sender, "type": "private"}}
    return json.dumps({"update_id": number, "message": {**message, "from": {**_USER, "id": sender}}}).encode()


class TelegramPolling:
    """Answers of Telegram to `getUpdates`. A bad update stands between good ones of another student."""

    first = 30_000_000

    def cases(self) -> SearchStrategy[UpdatesAnswer]:
        """See `EntryPoint`."""
        bad = st.lists(documents(Telegram.updates), min_size=1, max_size=3)
        whole = {"ok": True, "result": list(Telegram.updates[:2])}
        odd = st.one_of(
            documents([whole], whole=True).map(lambda document: document.text),
            bodies(json.dumps(whole).encode()),
        )
        among = bad.map(
            lambda some: UpdatesAnswer(
                b",".join(each.text for each in some), all(each.readable for each in some)
            )
        )
        return st.one_of(among, among, among, odd.map(lambda body: UpdatesAnswer(body, False)))

    async def play(self, door: HostileDoor, case: UpdatesAnswer, number: int) -> Sequence[int]:
        """See `EntryPoint`."""
        number, sender = 10 * number, self.first + number
        before, after, later = (_good_update(number + i, sender, f"{GOOD} {i}") for i in range(3))
        bad = numbered(case.body, 10_000_000 + number)
        if case.readable:
            bad = before + b"," + bad + b"," + after
            await self._answer(door, b'{"ok": true, "result": [' + bad + b"]}")
            await door.hears("telegram", str(sender), f"{GOOD} 0", f"{GOOD} 1")
            return [200]
        await self._answer(door, bad)
        await self._answer(door, b'{"ok": true, "result": [' + later + b"]}")
        await door.hears("telegram", str(sender), f"{GOOD} 2")
        return [200]

    @staticmethod
    async def _answer(door: HostileDoor, body: bytes) -> None:
        """Answer the next question for updates, and return when the one after it has come."""
        offsets = door.telegram_api.offsets
        door.telegram_api.answer_updates(body)
        async with asyncio.timeout(HANG_S):
            while door.telegram_api.has_updates:
                await asyncio.sleep(0.002)
            answered = len(offsets)
            while len(offsets) == answered:
                await asyncio.sleep(0.002)


_ZALO_EVENT: Mapping[str, Any] = {
    "app_id": "1450975846052622442",
    "sender": {"id": "9@N@"},
    "recipient": {"id": "1423847451268726170"},
    "timestamp": str(int(1000 * time.time())),
    "user_id_by_app": "99",
}
_ZALO_EVENTS: Sequence[Mapping[str, Any]] = (
    {"event_name": "user_send_text", "message": {"msg_id": "bad@N@", "text": "Học phí?"}},
    {
        "event_name": "user_send_text",
        "message": {"msg_id": "bad@N@", "text": "#o:abcdefgh", "quote_msg_id": "1"},
    },
    {"event_name": "user_click_button", "message": {"msg_id": "bad@N@", "payload": "#o:abcdefgh"}},
    {
        "event_name": "user_send_image",
        "message": {
            "msg_id": "bad@N@",
            "text": "đây",
            "attachments": [{"payload": {"url": "https://x"}, "type": "image"}],
        },
    },
    {
        "event_name": "user_send_location",
        "message": {
            "msg_id": "bad@N@",
            "text": "Trường",
            "attachments": [
                {"payload": {"coordinates": {"latitude": "1.5", "longitude": 2.5}}, "type": "location"}
            ],
        },
    },
    {"event_name": "follow", "oa_id": "1", "follower": {"id": "9@N@"}, "source": "oa_profile"},
    {"event_name": "unfollow", "oa_id": "1", "follower": {"id": "9@N@"}},
    {"event_name": "oa_send_text", "message": {"msg_id": "bad@N@", "text": "x"}},
    {"event_name": "user_received_message", "message": {"msg_ids": ["1"]}},
)


class Zalo:
    """Zalo's webhook. After a bad event comes a good one of another student."""

    path = b"/webhooks/zalo/webhook"
    events: Sequence[Any] = tuple({**_ZALO_EVENT, **event} for event in _ZALO_EVENTS)

    def cases(self) -> SearchStrategy[Post]:
        """See `EntryPoint`."""
        return posts(documents(self.events), self.events)

    async def play(self, door: HostileDoor, case: Post, number: int) -> Sequence[int]:
        """See `EntryPoint`."""
        status = await self._post(door, case, numbered(case.body, number))
        good = door.zalo_api.message(f"8{number}", GOOD)
        assert await self._post(door, Post(b""), door.zalo_api.body(good)) == 200
        await door.hears("zalo", f"8{number}", GOOD)
        return [status]

    async def _post(self, door: HostileDoor, post: Post, body: bytes) -> int:
        try:
            # As the channel reads it: Zalo signs the time as it stands in the body.
            written = timestamp_of(parsed(body))
        except MalformedPostError:
            written = ""
        signature = door.zalo_api.signature(body, written)
        return await _posted(door, post, self.path, body, [(b"x-zevent-signature", signature.encode())])


_TOKENS = ({"access_token": "an access token", "refresh_token": "a refresh token", "expires_in": "90000"},)
_OA = ({"error": 0, "message": "Success", "data": {"oa_id": "1", "name": "Trường"}},)


@dataclass(frozen=True)
class OperatorCase:
    """A request with @CODE@, @STATE@ and @PROOF@ in it, and what Zalo answers the front door meanwhile."""

    request: AsgiRequest
    answer: bytes | None


@st.composite
def _operator_cases(draw: Any, request: SearchStrategy[AsgiRequest], answers: Sequence[Any]) -> OperatorCase:
    answer = st.one_of(
        documents(answers).map(lambda document: document.text), bodies(json.dumps(answers[0]).encode())
    )
    return OperatorCase(draw(request), draw(answer) if draw(st.booleans()) else None)


class ZaloOperator:
    """The routes for Zalo's operator. After each case the app can be authorized, and what became of it is told."""

    async def link(self, door: HostileDoor) -> str:
        """Ask for a link as the command does, and return its challenge."""
        link = await self.operates(door, "POST")
        (challenge,) = parse_qs(urlsplit(link["url"]).query)["code_challenge"]
        return challenge

    async def operates(self, door: HostileDoor, method: str) -> Any:
        """Ask as the commands do. Raises AssertionError for anything but a success."""
        about = [INSIDE, (b"authorization", b"Bearer " + self.proof(door))]
        answer = await door.ask(AsgiRequest(method, ACCESS_PATH.encode(), b"", about))
        assert answer.status == 200, f"{method} of the operator got {answer.status}: {answer.body!r}"
        return json.loads(answer.body)

    @staticmethod
    def proof(door: HostileDoor) -> bytes:
        """Return what shows that the commands know the app's secret."""
        return hmac.new(door.zalo_api.app_secret.encode(), OPERATOR, hashlib.sha256).hexdigest().encode()

    @staticmethod
    async def has_tokens(door: HostileDoor) -> None:
        """Store the tokens that Zalo knows: a case may have replaced or deleted them."""
        delivery, api = door.door.delivery, door.zalo_api
        pair = TokenPair(api.access_token, api.refresh_token, time.time() + 90_000.0)
        await delivery.run(delivery.store.tokens.save, "zalo", pair, "")


class ZaloAuthorized(ZaloOperator):
    """The address to which Zalo sends an administrator's browser back, with a link open and a code that counts."""

    def cases(self) -> SearchStrategy[OperatorCase]:
        """See `EntryPoint`."""
        given = st.sampled_from((b"@CODE@", b"@STATE@"))
        values = st.one_of(
            given, given, st.sampled_from(ODD_SEGMENTS), header_values().map(quote_from_bytes).map(str.encode)
        )
        names = (b"code", b"state", b"code_challenge", b"oa_id", b"%ff")
        pairs = st.lists(st.tuples(st.sampled_from(names), values), max_size=4)
        right = st.just([(b"code", b"@CODE@"), (b"state", b"@STATE@")])
        request = st.builds(
            AsgiRequest,
            st.sampled_from(("GET",) * 30 + METHODS),
            st.one_of(*[st.just(CALLBACK_PATH.encode())] * 4, addresses([CALLBACK_PATH.encode()])),
            st.one_of(right, right, pairs).map(lambda some: b"&".join(b"=".join(each) for each in some)),
            headers().map(lambda some: [HOST, *some]),
        )
        return _operator_cases(request, _TOKENS)

    async def play(self, door: HostileDoor, case: OperatorCase, number: int) -> Sequence[int]:
        """See `EntryPoint`."""
        status = await self._authorizes(door, case.request, case.answer)
        right = AsgiRequest("GET", CALLBACK_PATH.encode(), b"code=@CODE@&state=@STATE@", [HOST])
        assert await self._authorizes(door, right, None) == 200
        assert (await self.operates(door, "GET"))["authorized"]
        return [status]

    async def _authorizes(self, door: HostileDoor, request: AsgiRequest, answer: bytes | None) -> int:
        challenge = await self.link(door)
        code = door.zalo_api.authorize(challenge).encode()
        if answer is not None:
            door.zalo_api.answer_next("v4/oa/access_token", answer)
        query = request.query.replace(b"@CODE@", code).replace(b"@STATE@", challenge.encode())
        status = (await door.ask(replace(request, query=query))).status
        door.zalo_api.forget_answers()
        return status


class ZaloAccess(ZaloOperator):
    """The address for the operator's commands, mostly with the proof of the app's secret."""

    def cases(self) -> SearchStrategy[OperatorCase]:
        """See `EntryPoint`."""
        proof = st.just((b"authorization", b"Bearer @PROOF@"))
        shown = st.one_of(proof, proof, proof, header_values().map(lambda value: (b"authorization", value)))
        about = st.tuples(shown, st.one_of(st.just([]), headers())).map(
            lambda both: [INSIDE, *(each for each in both[1] if each[0] != b"host"), both[0]]
        )
        request = st.builds(
            AsgiRequest,
            st.sampled_from(("GET", "GET", "POST", "DELETE") * 8 + METHODS),
            st.one_of(*[st.just(ACCESS_PATH.encode())] * 4, addresses([ACCESS_PATH.encode()])),
            queries((b"code", b"url")),
            about,
            st.one_of(st.just(b""), json_texts(), st.binary(max_size=64)),
            st.integers(1, 3),
            st.sampled_from((False,) * 9 + (True,)),
        )
        return _operator_cases(request, _OA)

    async def play(self, door: HostileDoor, case: OperatorCase, number: int) -> Sequence[int]:
        """See `EntryPoint`."""
        if case.answer is not None:
            door.zalo_api.answer_next("v2.0/oa/getoa", case.answer)
        proof = self.proof(door)
        about = [(name, value.replace(b"@PROOF@", proof)) for name, value in case.request.headers]
        status = (await door.ask(replace(case.request, headers=about))).status
        door.zalo_api.forget_answers()
        await self.has_tokens(door)
        told = await self.operates(door, "GET")
        assert told["authorized"]
        assert told["oa"]
        return [status]


# --- the website ------------------------------------------------------------------------------------------------------

_WEB_BODIES: Mapping[bytes, Sequence[Any]] = {
    b"/session": ({}, {"language": "vi"}),
    b"/messages": (
        {"id": "message-@N@", "text": "Học phí?"},
        {"id": "message-@N@", "option": "abcdefgh"},
        {"id": "message-@N@", "command": "help"},
    ),
    b"/feedback": ({"message": 1, "good": True, "reason": "hay"}, {"message": 1, "good": False}),
    b"/conversation": ({},),
    b"/events": ({},),
    b"/": ({},),
}
_WEB_METHODS = {b"/session": "POST", b"/messages": "POST", b"/feedback": "POST", b"/conversation": "DELETE"}


@dataclass(frozen=True)
class WebCase:
    """A request of a page; `claims` replace some of its token's, `token` the whole."""

    request: AsgiRequest
    claims: Mapping[str, Any]
    token: bytes | None
    kind: Sequence[Header]


class Website:
    """The website's channel, each time with a session of its own."""

    base = b"/webhooks/web"

    def cases(self) -> SearchStrategy[WebCase]:
        """See `EntryPoint`."""
        return _web_cases()

    async def play(self, door: HostileDoor, case: WebCase, number: int) -> Sequence[int]:
        """See `EntryPoint`."""
        # Each from a house of their own, or the limits would be all that is met.
        house = (b"x-forwarded-for", f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}".encode())
        about = [HOST, *case.kind, *case.request.headers]
        names = {name for name, _ in about}
        if b"authorization" not in names:
            about.append((b"authorization", b"Bearer " + (case.token or self._token(case.claims, number))))
        if b"x-forwarded-for" not in names:
            about.append(house)
        request = replace(case.request, headers=about, body=numbered(case.request.body, number))
        status = (await door.ask(request)).status
        text, session = f"{GOOD} {number}", f"good{number:020d}"
        good = AsgiRequest(
            "POST",
            b"/webhooks/web/messages",
            b"",
            [HOST, JSON_TYPE, house, (b"authorization", b"Bearer " + self._token({"sub": session}, number))],
            json.dumps({"id": "good-message", "text": text}).encode(),
        )
        assert (await door.ask(good)).status == 202
        await door.hears("web", session, text)
        return [status]

    @staticmethod
    def _token(claims: Mapping[str, Any], number: int) -> bytes:
        now = int(time.time())
        whole = {"aud": "covan-web", "sub": f"session{number:017d}", "iat": now, "exp": now + 3600, **claims}
        return jwt.encode(whole, WEB_SECRET, algorithm="HS256").encode()


_FINITE = JSON.filter(lambda value: "\\ud" not in json.dumps(value))


@st.composite
def _web_cases(draw: Any) -> WebCase:
    path = draw(st.sampled_from(list(_WEB_BODIES)))
    valid = _WEB_BODIES[path]
    method = _WEB_METHODS.get(path, "GET")
    body = b""
    if method == "POST" or draw(st.booleans()):
        body = draw(
            st.one_of(
                documents(valid).map(lambda document: document.text),
                documents(valid).map(lambda document: document.text),
                bodies(json.dumps(valid[0]).encode()),
                json_texts(),
            )
        )
    if not draw(st.integers(0, 3)):
        method = draw(st.sampled_from(METHODS))
    about = draw(st.one_of(st.just([]), headers()))
    if not draw(st.integers(0, 3)):
        about = [*about, (b"origin", draw(header_values()))]
    claims: Mapping[str, Any] = {}
    token = None
    odd = draw(st.integers(0, 7))
    if odd == 0:
        claims = draw(
            st.dictionaries(
                st.sampled_from(("aud", "sub", "iat", "exp", "nbf", "lang", "iss")), _FINITE, max_size=3
            )
        )
        claims = {name: value for name, value in claims.items() if name != "iss" or isinstance(value, str)}
    elif odd == 1:
        token = draw(header_values())
    request = AsgiRequest(
        method,
        draw(st.one_of(st.just(Website.base + path), addresses([Website.base + path]))),
        draw(queries((b"before", b"limit", b"after"))),
        about,
        body,
        chunks=draw(st.integers(1, 4)),
        broken_off=not draw(st.integers(0, 9)),
    )
    kind = () if any(name == b"content-type" for name, _ in about) else (JSON_TYPE,)
    return WebCase(request, claims, token, kind)


# --- the advisors' API and the page -----------------------------------------------------------------------------------

_ADVISORS = b"/webhooks/advisors"
INSIDE: Header = (b"host", b"127.0.0.1:8000")
_ADVISOR_BODIES = ({"by": "Lan"}, {"by": "Lan", "text": "Chào em"})


class Advisors:
    """The advisors' API, mostly with its token; the conversations of each case are handed over anew."""

    def cases(self) -> SearchStrategy[AsgiRequest]:
        """See `EntryPoint`."""
        return _advisor_cases()

    async def play(self, door: HostileDoor, case: AsgiRequest, number: int) -> Sequence[int]:
        """See `EntryPoint`."""
        delivery = door.door.delivery
        sender = f"{number:024d}"
        await delivery.accept("web", [Incoming(f"handed-{number}", sender, TextInput(GOOD))])
        told = {"topic": "study", "office": "Phòng", "question": GOOD}
        conversation = await delivery.run(delivery.store.hand_overs.open, "web", sender, told, True, None)
        path = case.path.replace(b"@N@", str(conversation).encode())
        statuses = [(await door.ask(replace(case, path=path))).status]
        known = [INSIDE, (b"authorization", b"Bearer " + ADVISOR_TOKEN.encode())]
        # The list of all grows with each case.
        for further in (b"", b"/%d" % conversation)[number % 20 != 0 :]:
            read = await door.ask(AsgiRequest("GET", _ADVISORS + b"/conversations" + further, b"", known))
            assert read.status == 200, f"the conversations got {read.status} after {case!r}"
            assert json.loads(read.body)
        return statuses


@st.composite
def _advisor_cases(draw: Any) -> AsgiRequest:
    method, path = draw(
        st.sampled_from(
            (
                ("GET", b"/conversations"),
                ("GET", b"/conversations/@N@"),
                ("POST", b"/conversations/@N@/take"),
                ("POST", b"/conversations/@N@/reply"),
                ("POST", b"/conversations/@N@/reply"),
                ("POST", b"/conversations/@N@/give_back"),
                ("GET", b"/undelivered"),
                ("POST", b"/undelivered/@N@/send_again"),
            )
        )
    )
    if not draw(st.integers(0, 3)):
        path = path.replace(b"@N@", draw(st.sampled_from(ODD_NUMBERS)))
    body = b""
    if method == "POST":
        body = draw(
            st.one_of(
                documents(_ADVISOR_BODIES).map(lambda document: document.text),
                documents(_ADVISOR_BODIES).map(lambda document: document.text),
                bodies(json.dumps(_ADVISOR_BODIES[1]).encode()),
            )
        )
    if not draw(st.integers(0, 5)):
        method = draw(st.sampled_from(METHODS))
    about = draw(st.one_of(st.just([]), st.just([]), headers()))
    if not any(name == b"authorization" for name, _ in about):
        about = [*about, (b"authorization", b"Bearer " + ADVISOR_TOKEN.encode())]
    return AsgiRequest(
        method,
        draw(st.one_of(st.just(_ADVISORS + path), addresses([_ADVISORS + path]))),
        draw(queries((b"status", b"status", b"limit"))),
        [INSIDE, JSON_TYPE, *about],
        body,
        chunks=draw(st.integers(1, 4)),
        broken_off=not draw(st.integers(0, 9)),
    )


class Page:
    """The page's files, the school's names and the health of the front door."""

    paths = (
        b"/",
        b"/index.html",
        b"/widget.js",
        b"/assets/page.js",
        b"/api/health",
        b"/api/school",
        b"/webhooks/none",
    )

    def cases(self) -> SearchStrategy[AsgiRequest]:
        """See `EntryPoint`."""
        return st.builds(
            AsgiRequest,
            st.sampled_from(("GET",) * 40 + METHODS),
            addresses(self.paths),
            queries((b"v",)),
            headers().map(lambda some: [*(() if any(n == b"host" for n, _ in some) else (HOST,)), *some]),
            st.one_of(st.just(b""), st.binary(max_size=64)),
            st.integers(1, 3),
            st.sampled_from((False,) * 9 + (True,)),
        )

    async def play(self, door: HostileDoor, case: AsgiRequest, number: int) -> Sequence[int]:
        """See `EntryPoint`."""
        return [(await door.ask(case)).status]


# --- bytes on a socket ------------------------------------------------------------------------------------------------

_TELEGRAM_BODY = (
    json.dumps({"update_id": 1, "message": _message(text="Học phí?")}).replace('"@N#"', "11").encode()
)
_LINES = (
    b"GET / HTTP/1.1",
    b"GET /api/school HTTP/1.1",
    b"GET /webhooks/web/messages HTTP/1.1",
    b"POST /webhooks/web/session HTTP/1.1",
    b"POST /webhooks/web/messages HTTP/1.1",
    b"OPTIONS /webhooks/web/messages HTTP/1.1",
    b"POST /webhooks/telegram/webhook HTTP/1.1",
    b"POST /webhooks/messenger/webhook HTTP/1.1",
    b"GET /webhooks/advisors/conversations HTTP/1.1",
)
_ODD_LINES = (
    *(b"GET http://[::1/ HTTP/1.1", b"GET * HTTP/1.1", b"CONNECT a:1 HTTP/1.1", b"GET /\xff\xfe HTTP/1.1"),
    *(
        b"GET /\xc3\xa9 HTTP/1.1",
        b"GET //x HTTP/1.1",
        b"GET /?\xff HTTP/1.1",
        b"GET /#x HTTP/1.1",
        b"GET HTTP/1.1",
    ),
    *(
        b"GET / HTTP/9.9",
        b"GET / HTTP/1.0",
        b"GET /",
        b"PRI * HTTP/2.0",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b" ",
        b"",
    ),
    *(b"GET /" + b"a" * 70_000 + b" HTTP/1.1", b"GET http://x:99999/ HTTP/1.1", b"GET ;//%zz HTTP/1.1"),
)
_FRAMINGS: Sequence[Sequence[bytes]] = (
    *((b"Content-Length: @L@",), (b"Content-Length: @L@", b"Content-Length: 1"), (b"Content-Length: -1",)),
    *((b"Content-Length: +5",), (b"Content-Length: 99999999999999999999",), (b"Content-Length: 1, 1",)),
    *(
        (b"Transfer-Encoding: chunked",),
        (b"Transfer-Encoding: chunked, identity",),
        (b"Transfer-Encoding: x",),
    ),
    *((b"Transfer-Encoding: identity",), (b"Transfer-Encoding: chunked", b"Content-Length: 5"), ()),
    *((b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked"), (b"Transfer-Encoding : chunked",)),
)
_EXTRA = (
    *(
        b"Connection: close",
        b"Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13",
    ),
    *(
        b"Connection: upgrade\r\nUpgrade: h2c",
        b"Expect: 100-continue",
        b"Expect: x",
        b"No colon",
        b": x",
        b"A: b\r\n c",
    ),
    *(b"X: \xff\xfe", b"X: a\x00b", b"H\xc3: x", b"X: " + b"a" * 70_000, b"\r\n".join([b"A: b"] * 2_000)),
    *(
        b"Origin: http://[",
        b"Host: [",
        b"Host: a b",
        b"Host: x\r\nHost: y",
        b"Content-Type: application/json",
    ),
    b"X-Telegram-Bot-Api-Secret-Token: " + SECRET.encode(),
)


@st.composite
def _raw_requests(draw: Any) -> bytes:
    line = draw(st.sampled_from((*_LINES, *_LINES, *_ODD_LINES)))
    body = draw(
        st.one_of(
            st.sampled_from((b"", b"{}", _TELEGRAM_BODY)), bodies(_TELEGRAM_BODY), st.binary(max_size=40)
        )
    )
    framing = draw(st.sampled_from(_FRAMINGS))
    if any(b"chunked" in each for each in framing) and draw(st.integers(0, 3)):
        size = draw(
            st.sampled_from(
                (b"%x" % len(body), b"0", b"-1", b"ffffffffffffffffff", b"x", b"%x;a=b" % len(body))
            )
        )
        body = (
            size
            + b"\r\n"
            + body
            + b"\r\n0\r\n"
            + draw(st.sampled_from((b"\r\n", b"", b"A: b\r\n\r\n", b"\x00")))
        )
    lines = [line, b"Host: x", *framing, *draw(st.lists(st.sampled_from(_EXTRA), max_size=3))]
    whole = b"\r\n".join(lines).replace(b"@L@", b"%d" % len(body)) + b"\r\n\r\n" + body
    how = draw(st.sampled_from(("whole", "whole", "whole", "mutated", "two")))
    if how == "mutated":
        return draw(bodies(whole[:4_000]))
    return whole + whole if how == "two" else whole


class Connections:
    """Sends bytes on connections of their own."""

    silence_s = 0.25
    """How long a server may think before the client ends its half: a request that has no end gets no answer."""

    async def send(self, port: int, request: bytes) -> bytes:
        """Return what is answered, as much of it as comes at once. Raises TimeoutError when nothing ends."""
        async with asyncio.timeout(HANG_S):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            answer = b""
            try:
                writer.write(request)
                try:
                    answer = await asyncio.wait_for(reader.read(65_536), self.silence_s)
                except TimeoutError:
                    writer.write_eof()
                    answer = await reader.read(65_536)
            except ConnectionError:
                pass  # the server may close before it has read everything
            finally:
                writer.close()
        return answer


class Socket(Connections):
    """Bytes on a connection of the served front door; ten connections at a time."""

    def cases(self) -> SearchStrategy[list[bytes]]:
        """See `EntryPoint`."""
        return st.lists(_raw_requests(), min_size=10, max_size=10)

    async def play(self, door: HostileDoor, case: list[bytes], number: int) -> Sequence[int]:
        """See `EntryPoint`."""
        port = int(door.url.rpartition(":")[2])
        answers = await asyncio.gather(*(self.send(port, each) for each in case))
        statuses = [_status(answer) for answer in answers]
        (last,) = await asyncio.gather(
            self.send(port, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        )
        assert _status(last) == 200, f"the page got {last!r:.200} after {case!r:.3000}"
        return statuses


def _status(answer: bytes) -> int:
    """Return the status of an answer; 0 for none."""
    words = answer.split(b" ", 2)
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


# --- Rasa's internal channel ------------------------------------------------------------------------------------------

_TURN = {"sender": "web:an", "channel": "web", "turn": "17"}
_INTERNAL_BODIES: Mapping[bytes, Sequence[Any]] = {
    b"/turn": (
        {**_TURN, "message": "Học phí?"},
        {**_TURN, "payload": "/cancel"},
        {**_TURN, "payload": '/inform{"cohort": "47"}'},
        {**_TURN, "payload": "Hạn đóng học phí?"},
    ),
    b"/response": ({**_TURN, "name": "utter_help", "values": {"name": "Lan"}},),
    b"/language": ({"sender": "web:an"},),
    b"/intent": ({"sender": "web:an", "message": "Xóa dữ liệu của em"},),
    b"/forget": ({"sender": "web:an"},),
    b"/": ({},),
}


@st.composite
def _internal_requests(draw: Any) -> bytes:
    path = draw(st.sampled_from(list(_INTERNAL_BODIES)))
    valid = _INTERNAL_BODIES[path]
    one = documents(valid).map(lambda document: document.text)
    body = draw(st.one_of(one, one, one, bodies(json.dumps(valid[0]).encode())))
    method = draw(st.sampled_from(("POST",) * 30 + METHODS)) if path != b"/" else "GET"
    token = draw(st.sampled_from((INTERNAL_TOKEN,) * 9 + ("another token", "")))
    size = len(body) + draw(st.sampled_from((0,) * 9 + (1,)))
    lines = [
        method.encode() + b" /webhooks/internal" + path + b" HTTP/1.1",
        b"Host: x\r\nConnection: close\r\nContent-Type: application/json",
        b"Authorization: Bearer " + token.encode(),
        b"Content-Length: %d" % size,
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


class Internal(Connections):
    """Rasa's internal channel, ten connections at a time; what is sent is HTTP, since it is on loopback."""

    def cases(self) -> SearchStrategy[list[bytes]]:
        """See `EntryPoint`."""
        return st.lists(_internal_requests(), min_size=10, max_size=10)

    async def play(self, door: HostileDoor, case: list[bytes], number: int) -> Sequence[int]:
        """See `EntryPoint`."""
        port = door.internal_port()
        return [_status(answer) for answer in await asyncio.gather(*(self.send(port, each) for each in case))]


def entry_points() -> Mapping[str, EntryPoint]:
    """Return the ways in by name."""
    return {
        "telegram": Telegram(),
        "telegram-polling": TelegramPolling(),
        "messenger": Messenger(),
        "zalo": Zalo(),
        "zalo-authorized": ZaloAuthorized(),
        "zalo-access": ZaloAccess(),
        "website": Website(),
        "advisors": Advisors(),
        "page": Page(),
        "socket": Socket(),
        "internal": Internal(),
    }


SETTINGS: Mapping[str, Mapping[str, Any]] = {"telegram-polling": {"telegram_updates": "polling"}}
"""What the front door needs for a way in, besides its channels."""

BATCHED = frozenset({"socket", "internal"})
"""The ways whose case has ten inputs."""
