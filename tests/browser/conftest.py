"""A real browser, and the page's own server before a stand-in for Rasa."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from page_server import serving
from playwright.sync_api import Browser, Page, sync_playwright
from rasa_stand_in import RasaStandIn, Turn, rasa_stand_in

from covan.page.guards import MessageRate
from covan.page.server import create_app
from covan.project import ROOT
from rag.settings import Settings

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM_FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

TABLE = "| Khóa | Chuẩn |\n|---|---|\n| K47 | B1 |"
QUOTE = "Sinh viên khóa 47 đến khóa 49 phải đạt bậc 3 (B1) hoặc tương đương."


def script(turn: Turn) -> list[dict[str, object]]:
    """A bot with a few answers, in the shapes that the real one sends."""
    said = turn.get("message") or turn.get("payload") or ""
    if "chuẩn tiếng Anh" in said:
        return [
            {
                "text": "Bạn thuộc khóa nào?",
                "buttons": [
                    {"title": "Khóa 47–49", "payload": '/inform{"cohort": "47"}'},
                    {"title": "Khóa 50 trở về sau", "payload": '/inform{"cohort": "50"}'},
                ],
            }
        ]
    if said == '/inform{"cohort": "47"}':
        return [
            {
                "text": f"Bạn cần đạt **bậc 3 (B1)**.\n\n{TABLE}",
                "buttons": [
                    {"title": "👍 Hữu ích", "payload": '/feedback_good{"answer_id": "a1"}'},
                    {"title": "👎 Chưa đúng ý", "payload": '/feedback_bad{"answer_id": "a1"}'},
                ],
                "custom": {
                    "type": "answer",
                    "tier": "document",
                    "confidence": 0.9,
                    "answer_id": "a1",
                    "citations": [
                        {
                            "document_id": "chuan-ngoai-ngu",
                            "title": "Quy định về chuẩn ngoại ngữ",
                            "number": "512/QĐ-ĐHSL",
                            "locator": "Điều 4, khoản 1",
                            "quote": QUOTE,
                            "url": "https://www.daihocsaola.example/512.pdf",
                        },
                        {"document_id": "d2", "title": "Sổ tay sinh viên", "url": "javascript:alert(1)"},
                    ],
                },
            }
        ]
    if said.startswith("/feedback"):
        return [{"text": "Cảm ơn bạn!"}]
    if "dài" in said:
        return [{"text": "\n\n".join(f"Đoạn thứ {number} của một câu trả lời dài." for number in range(60))}]
    return [{"text": f"Bạn vừa hỏi: {said}"}]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    assert executable, "the browser tests need Chromium, e.g.: sudo apt install chromium"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def rasa_server() -> Iterator[RasaStandIn]:
    with rasa_stand_in(script) as stand_in:
        yield stand_in


@pytest.fixture
def rasa(rasa_server: RasaStandIn) -> RasaStandIn:
    """The stand-in as it was at first."""
    rasa_server.turns.clear()
    rasa_server.delay_s = 0.0
    rasa_server.status = 200
    return rasa_server


@pytest.fixture(scope="module")
def address(rasa_server: RasaStandIn) -> Iterator[str]:
    app = create_app(
        Settings(knowledge_dir=ROOT / "knowledge"), rasa_url=rasa_server.url, rate=MessageRate(1_000, 1_000)
    )
    with serving(app) as url:
        yield url


class Chat:
    """What a student does on the page, and what they see."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.box = page.get_by_role("textbox")
        self.log = page.get_by_role("log")
        self.answers = page.locator(".turn.bot:not(.typing)")
        self.questions = page.locator(".turn.user")

    def ask(self, text: str) -> None:
        before = self.answers.count()
        self.box.fill(text)
        self.box.press("Enter")
        self.answers.nth(before).wait_for()

    def texts(self) -> list[str]:
        return [bubble.inner_text() for bubble in self.log.locator(".bubble").all()]


@pytest.fixture(params=[pytest.param((1200, 800), id="desktop")])
def chat(request: pytest.FixtureRequest, browser: Browser, address: str, rasa: RasaStandIn) -> Iterator[Chat]:  # noqa: ARG001
    """The page, freshly opened by a student who has never been here; fails on any error in the browser."""
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, locale="vi-VN")
    page = context.new_page()
    faults: list[str] = []
    outside: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console",
        lambda message: faults.append(message.text) if "Content Security Policy" in message.text else None,
    )
    page.on("request", lambda sent: None if sent.url.startswith(address) else outside.append(sent.url))
    page.goto(address)
    page.get_by_role("heading", level=1).wait_for()
    yield Chat(page)
    context.close()
    assert faults == []
    assert outside == []


def screenshot_folder() -> Path:
    return ROOT / ".covan" / "screenshots"
