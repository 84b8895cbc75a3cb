"""Take the pictures of the chat page in docs/images/: the sample school's answers, in a real browser, in a minute.

.venv/bin/python benchmarks/page_pictures.py            # writes docs/images/page-*.png

The engine and the actions make what the bot says; a stand-in of the website's channel says it, and no model has to be
trained. Each scene is a conversation of its own, on a computer, on a phone and in the dark. Chromium must be there.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

# benchmarks/channels.py would hide the package of this name.
sys.path.remove(str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "stand_ins"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "browser"))

from chat_driver import Chat
from conftest import CHROMIUM_FLAGS, CHROMIUM_NAMES
from front_door_server import serving
from playwright.sync_api import Browser, Page, sync_playwright
from rasa_sdk import Tracker
from school_pages import PLAIN, embedded
from scripted_chat import Saying, ScriptedChat, scripted_chat
from scripted_page import scripted_page

from actions import messages
from actions.base import Message
from actions.dialogue_acts import distress_message
from actions.greeting import greeting
from covan.domain import read_domain
from covan.front_door import DIST
from covan.project import ROOT
from dialogue.acts import act_of
from rag.engine import Engine
from rag.ingest.build import build_index
from rag.retrieve.embedder import load_embedder
from rag.settings import Settings
from rag.types import DecisionKind, Question
from school.dimensions import Profile
from vietnamese.distress import distress

OUT = ROOT / "docs" / "images"
KNOWLEDGE = ROOT / "knowledge"
SETTLED_MS = 700
"""Milliseconds after which nothing moves any more."""

NOW = datetime.fromisoformat("2026-11-23T09:00:00+07:00")
"""The time in the pictures, and that of the answers."""

VIEWS: Mapping[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1000, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 780}},
    "dark": {"viewport": {"width": 390, "height": 780}, "color_scheme": "dark"},
}

ADVISOR = "Cô Lan"
HANDED_OVER = "em bị trừ tiền học phí hai lần"


class SampleBot:
    """Answers from the engine, with the sentences of domain.yml; knows what the student has chosen."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._responses = read_domain()["responses"]
        self._asked = ""
        self._profile = Profile()

    def __call__(self, said: str) -> list[Saying]:
        """Return what is said to a text, a button's payload or a command."""
        if said == "/start":
            self._profile = Profile()
            return [self._saying(greeting(_tracker("/greet"), self._engine), bot="**Covan**")]
        if distress(said):
            return [self._saying(distress_message(_tracker(said), self._engine))]
        if said == HANDED_OVER:
            return [
                self._saying({"response": "utter_handed_over"}),
                self._saying({"response": "utter_with_advisor"}),
            ]
        dimension, _, value = said.partition("=")
        if self._engine.catalog.dimension(dimension) is not None:
            self._profile = self._profile.with_values({dimension: value})
        else:
            self._asked = said
        reply = self._engine.reply(Question(self._asked, profile=self._profile))
        if reply.decision.missing:
            return [self._question_for(reply.decision.missing[0], reply.options)]
        if reply.decision.kind is DecisionKind.ANSWER:
            return [self._saying(messages.answer(reply))]
        asks = reply.decision.kind is DecisionKind.CLARIFY
        return [self._saying(messages.choice(reply, "vi") if asks else messages.no_answer(reply))]

    def _question_for(self, name: str, options: Any) -> Saying:
        dimension = self._engine.catalog.dimension(name)
        assert dimension is not None
        own = [
            (button["title"], button["payload"]) for button in self._variation("utter_ask_profile")["buttons"]
        ]
        offered = [(option.title, f"{name}={option.payload[name]}") for option in options]
        return {"text": dimension.questions("vi")[0], "act": "ask", "buttons": [*offered, *own]}

    def _saying(self, message: Message, **values: str) -> Saying:
        variation = self._variation(message["response"])
        text = str(message.get("text") or variation["text"])
        for name, value in ({"lead": ""} | message | values).items():
            text = text.replace(f"{{{name}}}", str(value))
        buttons = [*(message.get("buttons") or ()), *(variation.get("buttons") or ())]
        data = message.get("json_message") or {}
        return {
            "text": text,
            "act": act_of(message["response"]),
            "author": "notice" if message["response"] == "utter_with_advisor" else "bot",
            "buttons": [(button["title"], button["payload"]) for button in buttons],
            "citations": data.get("citations", []),
            "cards": data.get("cards", []),
            "thumbs": "answer_id" in data,
        }

    def _variation(self, name: str) -> Mapping[str, Any]:
        first: Mapping[str, Any] = self._responses[name][0]
        return first


def _tracker(text: str) -> Tracker:
    event = {"event": "user", "text": text, "input_channel": "web", "timestamp": NOW.timestamp()}
    return Tracker("student", {}, {"text": text}, [event], False, None, {}, "action_listen")


def start(chat: Chat) -> None:
    """Look at what a student meets first."""
    chat.greeted()


def choice(chat: Chat) -> None:
    """Ask what depends on the student."""
    chat.ask("k47 ngành cntt cần chứng chỉ ngoại ngữ gì để tốt nghiệp?")


def answer(chat: Chat) -> None:
    """Choose, and open the sources."""
    choice(chat)
    chat.options.filter(has_text="Chương trình đại trà").last.click()
    chat.sources.last.wait_for()
    chat.sources.last.locator("summary").click()


def deadline(chat: Chat) -> None:
    """Ask for a deadline."""
    chat.ask("hạn đóng học phí học kỳ 1 là ngày nào?")


def calculator(chat: Chat) -> None:
    """Ask for what a rule has to be applied to."""
    chat.ask("em k51 cntt đại trà đăng ký 18 tín chỉ thì đóng bao nhiêu học phí?")


def crisis(chat: Chat) -> None:
    """Tell of great distress."""
    chat.ask("em tuyệt vọng lắm, em không muốn sống nữa")


SCENES: Mapping[str, Callable[[Chat], None]] = {
    "start": start,
    "choice": choice,
    "answer": answer,
    "deadline": deadline,
    "calculator": calculator,
    "crisis": crisis,
}


def opened(browser: Browser, url: str, view: str) -> Page:
    """Return a page of a new student in one of the views."""
    context = browser.new_context(**VIEWS[view], locale="vi-VN", timezone_id="Asia/Ho_Chi_Minh")
    page = context.new_page()
    page.clock.set_fixed_time(NOW)
    page.goto(url)
    return page


def take(page: Page, path: Path) -> None:
    """Save what is seen once it stands still."""
    page.wait_for_timeout(SETTLED_MS)
    page.screenshot(path=path, animations="disabled")
    page.context.close()
    print(f"Written: {path}")


def on_a_schools_page(browser: Browser, chat_url: str, bot: ScriptedChat, out: Path) -> None:
    """Take the chat on a school's own page."""
    with embedded(chat_url, bot, PLAIN) as url:
        page = opened(browser, url, "desktop")
        chat = Chat(page)
        chat.launcher.click()
        chat.greeted()
        chat.ask("thư viện mở cửa mấy giờ?")
        take(page, out / "page-school-site.png")


def with_an_advisor(browser: Browser, chat_url: str, bot: ScriptedChat, out: Path) -> None:
    """Take a conversation that a person has taken over."""
    page = opened(browser, chat_url, "desktop")
    chat = Chat(page)
    chat.greeted()
    chat.ask(HANDED_OVER)
    bot.speaks("taken", ADVISOR, quiet=True)
    text = "Chào em, em gửi cô mã số sinh viên và ngày chuyển khoản nhé."
    bot.say({"text": text, "author": "advisor", "by": ADVISOR, "act": "hand_over", "at": NOW.timestamp()})
    chat.element.locator(".turn.advisor").wait_for()
    take(page, out / "page-advisor.png")


def main() -> None:
    """Take all pictures, or those of some scenes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--scenes", nargs="+", choices=[*SCENES, "school-site", "advisor"])
    given = parser.parse_args()
    wanted = given.scenes or [*SCENES, "school-site", "advisor"]
    directory = Path(tempfile.mkdtemp(prefix="covan-pictures-"))
    try:
        build_index(KNOWLEDGE, directory / "index", load_embedder())
        engine = Engine.open(directory / "index", today=NOW.date)
        pictures(SampleBot(engine), wanted, given.out)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def pictures(bot: SampleBot, wanted: list[str], out: Path) -> None:
    """Take the wanted pictures."""
    executable = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    with scripted_chat(bot) as chat:
        chat.clock = NOW.timestamp
        app = scripted_page(Settings(knowledge_dir=KNOWLEDGE), DIST, chat.url)
        with serving(app) as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS)
            for scene in filter(SCENES.__contains__, wanted):
                for view in VIEWS:
                    page = opened(browser, url, view)
                    seen = Chat(page)
                    seen.greeted()
                    SCENES[scene](seen)
                    take(page, out / f"page-{scene}-{view}.png")
            if "school-site" in wanted:
                on_a_schools_page(browser, url, chat, out)
            if "advisor" in wanted:
                with_an_advisor(browser, url, chat, out)
            browser.close()


if __name__ == "__main__":
    main()
