"""Texts of the school in the console: shown as on the chat page, and as an excerpt without marks."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from console_driver import LAPTOP, NOW, FrontDoor, OpenPages, Students
from playwright.sync_api import expect

from console.advisors_api import Conversation
from console.publishing import Publisher

pytestmark = pytest.mark.browser

SAID = """**Học phí** nộp ở [trang này](https://hoc-phi.example/a), không ở [đây](javascript:alert(1)).
Hạn: 30/9

3. Nộp đơn. <img src=x onerror=alert(1)> ![sơ đồ](https://e.example/a.png)
"""


def test_a_message_is_shown_as_on_the_chat_page(
    open_pages: OpenPages, students: Students, front_door: FrontDoor
) -> None:
    students.asks("Học phí?")
    at = datetime.fromtimestamp(NOW, UTC)
    message = {"id": 1, "at": at, "author": "bot", "text": SAID}
    about = {"id": 1, "channel": "web", "sender": "an", "status": "waiting", "opened_at": at, "last_at": at}
    front_door.conversations.append(Conversation.model_validate({**about, "messages": [message]}))
    page = open_pages("advisor", LAPTOP)
    page.goto("/inbox/1")

    shown = page.locator(".markdown")
    expect(shown.locator("strong")).to_have_text("Học phí")
    expect(shown.locator("br")).to_have_count(1)
    expect(shown.locator("ol")).to_have_attribute("start", "3")
    [link] = shown.locator("a[href]").all()
    assert link.get_attribute("href") == "https://hoc-phi.example/a"
    assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener noreferrer")
    expect(shown.locator("img")).to_have_count(0)
    expect(shown).to_contain_text("<img src=x onerror=alert(1)> sơ đồ")


def test_an_excerpt_has_the_words_alone(open_pages: OpenPages, publisher: Publisher) -> None:
    entry = {
        "question": "Nộp học phí ở đâu?",
        "variants": [],
        "topic": "study",
        "applies_to": {},
        "sources": [],
    }
    answer = "**Ở ngân hàng**\nhoặc tại trường.\n"
    publisher.publish(lambda files: files.added({**entry, "answer": answer}), ("Cô Mai", "mai"), "add")
    page = open_pages("editor", LAPTOP)
    page.goto("/faq")
    page.get_by_placeholder("Tìm trong câu hỏi").fill("Nộp học phí ở đâu?")

    listed = page.get_by_test_id("entry").filter(has_text="Nộp học phí ở đâu?")
    expect(listed).to_contain_text("Ở ngân hàng hoặc tại trường.")
