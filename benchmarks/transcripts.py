"""Write the same conversation on every channel, with the real servers, as a student sees it, to docs/.

.venv/bin/python benchmarks/transcripts.py            # writes docs/hoi-thoai-mau.md
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import httpx

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "stand_ins"))

from graph_api import GraphApi
from platforms import serving
from telegram_api import SECRET, Call, TelegramApi
from zalo_api import ZaloApi

OUT = Path(__file__).parents[1] / "docs" / "hoi-thoai-mau.md"
QUESTION = "k47 ngành cntt cần chứng chỉ ngoại ngữ gì để tốt nghiệp?"
PRESSED = "Chương trình đại trà"
FOLLOW_UP = "còn k48 thì sao?"
PATIENCE_S = 60.0
STUDENT = 70_001

Lines = Sequence[str]


class Channel(Protocol):
    """A student's side of a channel; each returns what is seen then."""

    title: str

    def write(self, text: str) -> Lines: ...

    def press(self, title: str) -> Lines: ...


class OnTelegram:
    title = "Telegram"

    def __init__(self, rasa: str, api: TelegramApi) -> None:
        self._url, self._api, self._read = f"{rasa}/webhooks/telegram/webhook", api, 0

    def write(self, text: str) -> Lines:
        self._api.post(self._api.writes(STUDENT, text), self._url, SECRET)
        return self._new()

    def press(self, title: str) -> Lines:
        self._api.post(self._api.presses(STUDENT, title), self._url, SECRET)
        return self._new()

    def _new(self) -> Lines:
        _wait(lambda: len(self._api.messages(STUDENT)) > self._read)
        found: Sequence[Call] = self._api.messages(STUDENT)[self._read :]
        self._read += len(found)
        return [
            line
            for call in found
            for line in (*call.text.splitlines(), *(f"[ {button['text']} ]" for button in call.buttons))
        ]


class OnMessenger:
    title = "Messenger"

    def __init__(self, rasa: str, api: GraphApi) -> None:
        self._url, self._api, self._read = f"{rasa}/webhooks/messenger/webhook", api, 0

    def write(self, text: str) -> Lines:
        self._api.post(self._url, self._api.message(str(STUDENT), text))
        return self._new()

    def press(self, title: str) -> Lines:
        offered = self._api.seen_by(str(STUDENT))[-1]["quick_replies"]
        # Options that are too long for a button stand numbered in the text.
        text = _text(self._api.seen_by(str(STUDENT))[-1])
        number = next((line.partition(".")[0] for line in text.splitlines() if line.endswith(title)), "")
        chosen = next(
            reply for reply in offered if reply["title"] == title or reply["title"].split(".")[0] == number
        )
        self._api.post(self._url, self._api.quick_reply(str(STUDENT), chosen))
        return self._new()

    def _new(self) -> Lines:
        # A reply may be several messages; the last of them has what can be pressed.
        _wait(lambda: "quick_replies" in [{}, *self._api.seen_by(str(STUDENT))[self._read :]][-1])
        found = self._api.seen_by(str(STUDENT))[self._read :]
        self._read += len(found)
        return [
            line
            for message in found
            for line in (
                *_text(message).splitlines(),
                *(f"( {reply['title']} )" for reply in message.get("quick_replies", ())),
            )
        ]


class OnZalo:
    title = "Zalo"

    def __init__(self, rasa: str, api: ZaloApi) -> None:
        self._url, self._api, self._read = f"{rasa}/webhooks/zalo/webhook", api, 0

    def write(self, text: str) -> Lines:
        self._api.post(self._url, self._api.message(str(STUDENT), text))
        return self._new()

    def press(self, title: str) -> Lines:
        pressed = next(button for button in _buttons(self._seen()[-1]) if button["title"] == title)
        self._api.post(self._url, self._api.presses(str(STUDENT), pressed))
        return self._new()

    def _new(self) -> Lines:
        # A reply may be several messages; the last of them has what can be pressed.
        _wait(lambda: bool(_buttons([{}, *self._seen()[self._read :]][-1])))
        found = self._seen()[self._read :]
        self._read += len(found)
        return [
            line
            for message in found
            for line in (
                *message["text"].splitlines(),
                *(f"[ {button['title']} ]" for button in _buttons(message)),
            )
        ]

    def _seen(self) -> Sequence[dict[str, Any]]:
        return self._api.seen_by(str(STUDENT))


class OnWebsite:
    title = "Website"

    def __init__(self, rasa: str) -> None:
        self._client = httpx.Client(base_url=f"{rasa}/webhooks/web", trust_env=False)
        token = self._client.post("/session", json={}).raise_for_status().json()["token"]
        self._client.headers["Authorization"] = f"Bearer {token}"
        self._last: list[dict[str, Any]] = []
        self._read = 0

    def write(self, text: str) -> Lines:
        return self._post({"text": text})

    def press(self, title: str) -> Lines:
        options = [option for message in self._last for option in message["options"]]
        return self._post({"option": next(option["id"] for option in options if option["title"] == title)})

    def _post(self, body: dict[str, str]) -> Lines:
        self._client.post("/messages", json={"id": str(uuid.uuid4()), **body}).raise_for_status()
        _wait(lambda: bool(self._replies()))
        self._last = self._replies()
        self._read = self._last[-1]["id"]
        lines: list[str] = []
        for message in self._last:
            lines += message["text"].splitlines()
            lines += [f"▸ {citation['locator']}, {citation['title']}" for citation in message["citations"]]
            lines += [f"( {option['title']} )" for option in message["options"]]
            lines += ["👍 👎"] if message["thumbs"] else []
        return lines

    def _replies(self) -> list[dict[str, Any]]:
        found = self._client.get("/messages").raise_for_status().json()["messages"]
        return [message for message in found if message["id"] > self._read and message["author"] != "student"]


def _buttons(message: dict[str, Any]) -> Sequence[dict[str, Any]]:
    found: Sequence[dict[str, Any]] = message.get("attachment", {}).get("payload", {}).get("buttons", ())
    return found


def _text(message: dict[str, Any]) -> str:
    if "text" in message:
        return str(message["text"])
    payload = message["attachment"]["payload"]
    buttons = payload.get("buttons") or payload["elements"][0].get("buttons", [])
    text = payload.get("text") or payload["elements"][0]["title"]
    return "\n".join([str(text), *(f"[ {button['title']} ]" for button in buttons)])


def _wait(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("no reply came")
        time.sleep(0.05)


def talk(channel: Channel) -> str:
    """Return the conversation, as Markdown."""
    parts = [f"## {channel.title}\n"]
    for who, lines in (
        (QUESTION, channel.write(QUESTION)),
        (f"[bấm nút] {PRESSED}", channel.press(PRESSED)),
        (FOLLOW_UP, channel.write(FOLLOW_UP)),
    ):
        parts += [f"**Sinh viên:** {who}\n", "```text", *lines, "```\n"]
    return "\n".join(parts)


INTRODUCTION = """\
# Hội thoại mẫu trên bốn kênh

Cùng một cuộc trò chuyện, ghi lại bằng `benchmarks/transcripts.py`: máy chủ thật, trường mẫu; Telegram, Facebook và
Zalo được giả lập qua HTTP. Câu hỏi phụ thuộc chương trình đào tạo nên Covan hỏi lại bằng nút bấm; sau đó sinh viên hỏi
tiếp cho khóa khác. Dòng trong `[ ]` và `( )` là nút bấm.

"""


def main() -> None:
    """Write the transcripts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    out: Path = parser.parse_args().out
    directory = Path(tempfile.mkdtemp(prefix="covan-transcripts-"))
    with serving(directory, web_secret=uuid.uuid4().hex) as (servers, telegram, messenger, zalo):
        channels: Sequence[Channel] = (
            OnWebsite(servers.url),
            OnTelegram(servers.url, telegram),
            OnMessenger(servers.url, messenger),
            OnZalo(servers.url, zalo),
        )
        out.write_text(INTRODUCTION + "\n".join(map(talk, channels)), encoding="utf-8")
        print(f"Written: {out}")


if __name__ == "__main__":
    main()
