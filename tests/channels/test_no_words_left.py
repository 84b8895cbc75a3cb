"""The running servers' files hold none of a student's words: after an erasure, after faults, after their time."""

from __future__ import annotations

import json
import random
import re
import shutil
import sqlite3
import string
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx
import pytest
from students import Chat, OnTelegram, OnWebsite, eventually
from telegram_api import SECRET
from words_in_files import files_with

from vietnamese.text import fold

if TYPE_CHECKING:
    from conftest import Channels
    from real_servers import RealServers

pytestmark = pytest.mark.stack

WITHIN_S = 60.0
"""After an erasure no file holds the words."""

OLDER_S = 181 * 24 * 3600.0
LIBRARY, LIBRARY_CLOSES = "thư viện mở cửa mấy giờ", "20:30"


class Words:
    """Words that nobody else says, in every form in which a file may hold them."""

    def __init__(self) -> None:
        self.name = "".join(random.choices(string.ascii_lowercase, k=9))
        self.place = f"hẻm Đường Quýt Gãy {random.randrange(10**6, 10**7)}"

    def __str__(self) -> str:
        return f"tên em là {self.name.title()}, em trọ ở {self.place}"

    def forms(self) -> Sequence[str]:
        """Return the words as written, decomposed, in small letters, folded; of each also JSON and URLs."""
        texts = [
            form
            for text in (self.name, self.name.title(), self.place)
            for each in (text, text.lower(), text.upper(), fold(text))
            for form in (each, unicodedata.normalize("NFD", each))
        ]
        escaped = [json.dumps(text)[1:-1] for text in texts]
        written = {*texts, *escaped, *(json.dumps(each)[1:-1] for each in escaped), *map(quote, texts)}
        return sorted(written)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Another program holds the database."""
    with closing(sqlite3.connect(file, isolation_level=None, timeout=30)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.fixture
def state(channels: Channels) -> Path:
    folder: Path = channels.servers.settings.state_dir
    return folder


def answered(chat: Chat, text: str) -> str:
    """Write, and return what is heard next."""
    before = len(chat.heard())
    chat.write(text)
    heard: str = eventually(lambda: chat.heard()[before:], f"a reply to {text!r}")[0]
    return heard


def hears(chat: Chat, *one_of: str) -> None:
    """Wait for a message with one of these phrases."""
    eventually(lambda: any(each in text.lower() for text in chat.heard() for each in one_of), one_of[0])


# --- erased -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("channel", ["web", "telegram"])
def test_fault_2_a_minute_after_an_erasure_no_file_of_the_running_servers_holds_a_word(
    channels: Channels, state: Path, channel: str
) -> None:
    student: Chat = (
        OnWebsite(channels.url) if channel == "web" else OnTelegram(channels.url, channels.telegram)
    )
    other, words = OnWebsite(channels.url), Words()
    for text in (f"{words}, em k48", f"học phí bao nhiêu, {words}", f"{LIBRARY} {words.place}"):
        answered(student, text)
    kept = files_with(words.forms(), state)
    assert any(name.startswith("channels.sqlite") for name in kept), kept
    assert any(name.startswith("tracker.sqlite") for name in kept), kept

    student.write("xóa dữ liệu của em")
    hears(student, "không lấy lại được", "không khôi phục được")
    student.write("dạ xóa đi")
    hears(student, "đã xóa")

    ends = time.monotonic() + WITHIN_S
    while left := files_with(words.forms(), state):
        assert time.monotonic() < ends, left
        # Others write and read meanwhile.
        assert LIBRARY_CLOSES in answered(other, LIBRARY)
        time.sleep(1.0)


# --- faults -----------------------------------------------------------------------------------------------------------


def test_fault_13_no_log_of_the_running_servers_holds_a_word_after_a_run_of_faults(
    channels: Channels, state: Path, tmp_path: Path
) -> None:
    servers, words = channels.servers, Words()
    logs = {name: servers.log(name) for name in ("rasa", "actions", "channels")}
    began = {name: log.stat().st_size for name, log in logs.items()}
    student = OnTelegram(channels.url, channels.telegram)

    with locked(state / "tracker.sqlite"):
        answered(student, f"{words}, em k48")
    with locked(state / "channels.sqlite"):
        update = channels.telegram.writes(int(student.sender), str(words))
        assert (
            channels.telegram.post(update, f"{channels.url}/webhooks/telegram/webhook", SECRET).status_code
            == 503
        )
    with servers.without("actions"):
        before = len(student.heard())
        student.write(f"{words} hỏi học phí")
    eventually(lambda: student.heard()[before:], "a reply after the action server was away")
    before = len(student.heard())
    student.write(f"{words} hỏi học bổng")
    with servers.without("rasa"):
        pass
    eventually(lambda: student.heard()[before:], "a reply after Rasa was away")
    # Rasa warns of commands that it cannot read, and quotes them.
    answered(student, f'/inform{{"cohort": "{words}')
    _malformed_turns(servers, str(words))
    _malformed_calls_of_actions(servers.settings.actions_port, str(words))
    _malformed_posts(channels, str(words))
    channels.telegram.fail_next(
        "sendMessage",
        400,
        description=f'Bad Request: can\'t parse entities: unsupported start tag "{words}"',
        chat=int(student.sender),
        times=2,
    )
    # With its formatting and without it: then the message is given up, and the next one arrives.
    student.write(LIBRARY)
    eventually(lambda: not channels.telegram.failures_left, "a refused message")
    answered(student, LIBRARY)

    told = {}
    for name, log in logs.items():
        copy = tmp_path / log.name
        shutil.copyfile(log, copy)
        told[name] = copy.read_bytes()[began[name] :].decode("utf-8", "replace")
    assert "could not be read or stored" in told["rasa"]
    assert re.search(
        r"^\d{4}-\d\d-\d\d \S+ WARNING channels\S+ .*takes messages again", told["channels"], re.MULTILINE
    )
    assert "Traceback" in told["actions"]
    assert files_with(words.forms(), tmp_path) == []


def _malformed_turns(servers: RealServers, words: str) -> None:
    sender = {"sender": "web:malformed", "channel": "web", "turn": "17"}
    bodies = (
        json.dumps({**sender, "message": words}).encode()[:-9],
        json.dumps({**sender, "message": {"text": words}}).encode(),
        json.dumps({**sender, "sender": words, "message": words}).encode(),
        json.dumps({**sender, "payload": f'/inform{{"cohort": "{words}"}}'}).encode(),
        json.dumps({**sender, "payload": f"/{words}"}).encode(),
        b'{"sender": "web:malformed", "message": "' + words.encode() + b'\xff\xfe\\ud800"}',
        words.encode("utf-16"),
    )
    for body in bodies:
        assert servers.post(body).status_code < 500


def _malformed_calls_of_actions(port: int, words: str) -> None:
    """Nobody but Rasa reaches the action server; what it is asked holds the conversation."""
    tracker = {
        "sender_id": "web:malformed",
        "slots": {"profile": words},
        "latest_message": {"text": words, "intent": words, "entities": [words]},
        "events": [{"event": "user", "text": words, "parse_data": words}, words],
        "active_loop": words,
        "latest_action_name": words,
        "paused": False,
    }
    calls: Sequence[Any] = (
        {"next_action": "action_answer", "sender_id": "x", "tracker": tracker, "domain": {}},
        {"next_action": "validate_profile_form", "sender_id": "x", "tracker": tracker, "domain": {}},
        {"next_action": "action_answer", "tracker": words},
        [words],
    )
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60) as client:
        for call in calls:
            client.post("/webhook", json=call)
        client.post("/webhook", content=json.dumps(calls[0]).encode()[:-9])
        client.get("/webhook", params={"text": words})


def _malformed_posts(channels: Channels, words: str) -> None:
    """Bad events of each platform, signed as it signs."""
    telegram, messenger, zalo = channels.telegram, channels.messenger, channels.zalo
    with httpx.Client(base_url=f"{channels.url}/webhooks", trust_env=False, timeout=60) as client:
        known = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
        message = telegram.writes(9_900_001, words)["message"]
        for odd in (
            {**message, "chat": words},
            {**message, "entities": words},
            {**message, "from": [words]},
            words,
        ):
            client.post(
                "/telegram/webhook",
                json={"update_id": random.randrange(10**9), "message": odd},
                headers=known,
            )
        client.post("/telegram/webhook", content=json.dumps(message).encode()[:-9], headers=known)
        event = messenger.message("9900002", words)
        for odd in ({**event, "sender": words}, {**event, "message": words}, {**event, "timestamp": words}):
            messenger.post(f"{channels.url}/webhooks/messenger/webhook", odd)
        written = zalo.message("9900003", words)
        for odd in (
            {**written, "sender": words},
            {**written, "message": words},
            {**written, "timestamp": words},
        ):
            zalo.post(f"{channels.url}/webhooks/zalo/webhook", odd)
        zalo.post_signed(f"{channels.url}/webhooks/zalo/webhook", zalo.body(written), words.encode().hex())
        token = client.post("/web/session", json={}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        for body in ({"id": "client-id-0001", "text": [words]}, {"id": words, "text": words}, [words]):
            client.post("/web/messages", json=body)
        client.post("/web/feedback", json={"message": 1, "good": False, "reason": words})
        client.post(
            "/web/messages", content=json.dumps({"id": "client-id-0002", "text": words}).encode()[:-2]
        )
        client.get("/web/messages", params={"before": words})
        client.get("/zalo/authorized", params={"code": words, "state": words})
        client.get(f"/advisors/conversations/{quote(words)}")


# --- old --------------------------------------------------------------------------------------------------------------


def test_fault_12_the_running_servers_delete_what_is_older_than_the_school_keeps_it(
    channels: Channels, state: Path
) -> None:
    servers = channels.servers
    student, recent = OnTelegram(channels.url, channels.telegram), OnTelegram(channels.url, channels.telegram)
    for each in (student, recent):
        assert LIBRARY_CLOSES in answered(each, LIBRARY)
    # A trace is written shortly after the reply.
    eventually(
        lambda: all(_rows(state, name, each.sender) for name in _ROWS for each in (student, recent)),
        "a row of each kind",
    )
    servers.make_older(f"telegram:{student.sender}", OLDER_S)
    _make_older(state / "channels.sqlite", student.sender)

    servers.restart("rasa", "channels")

    eventually(lambda: not any(_rows(state, name, student.sender) for name in _ROWS), "the tidying")
    assert all(_rows(state, name, recent.sender) for name in _ROWS)
    assert LIBRARY_CLOSES in answered(student, LIBRARY)
    for name in ("rasa", "channels"):
        assert "could not be deleted" not in servers.log(name).read_text(errors="replace")


_ROWS = {
    "events": "SELECT count(*) FROM events WHERE sender_id = 'telegram:' || ?",
    "windows": "SELECT count(*) FROM conversation_windows WHERE sender_id = 'telegram:' || ?",
    "said": "SELECT count(*) FROM channel_said WHERE channel = 'telegram' AND sender = ?",
    "turns": "SELECT count(*) FROM channel_turns WHERE channel = 'telegram' AND sender = ?",
    "traces": "SELECT count(*) FROM channel_traces WHERE channel = 'telegram' AND sender = ?",
    "senders": "SELECT count(*) FROM channel_senders WHERE channel = 'telegram' AND sender = ?",
}


def _rows(state: Path, name: str, sender: str) -> int:
    file = "tracker.sqlite" if name in ("events", "windows") else "channels.sqlite"
    with closing(sqlite3.connect(state / file, timeout=30)) as store:
        (count,) = store.execute(_ROWS[name], (sender,)).fetchone()
    return int(count)


def _make_older(file: Path, sender: str) -> None:
    """Let all of a student's rows be of half a year ago."""
    with closing(sqlite3.connect(file, timeout=30)) as store, store:
        for table in ("said", "turns", "calls", "options", "traces"):
            store.execute(f"UPDATE channel_{table} SET at = at - ? WHERE sender = ?", (OLDER_S, sender))
        store.execute("UPDATE channel_turns SET done_at = done_at - ? WHERE sender = ?", (OLDER_S, sender))
        store.execute(
            "UPDATE channel_senders SET heard_at = heard_at - ? WHERE sender = ?", (OLDER_S, sender)
        )
