"""Nobody is shut out: axe finds nothing wrong in either mode and theme, and a screen reader is told what happens."""

from __future__ import annotations

import re

import pytest
from accessibility import violations
from chat_driver import Chat
from playwright.sync_api import expect
from school_pages import PLAIN, embedded
from scripted_chat import ScriptedChat
from visiting import Visitor

pytestmark = pytest.mark.browser

THEMES = pytest.mark.parametrize("theme", ["light", "dark"])


@THEMES
def test_axe_finds_nothing_on_the_chats_own_page(chat: Chat, bot: ScriptedChat, theme: str) -> None:
    # Colours are looked at when they have settled.
    chat.page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    assert violations(chat.page) == []

    everything(chat, bot)
    assert violations(chat.page) == []
    chat.element.locator("#menu-button").click()
    assert violations(chat.page) == []
    chat.button("Xóa cuộc trò chuyện").click()
    assert violations(chat.page) == []


@THEMES
@pytest.mark.parametrize("size", [(1200, 800), (390, 844)], ids=["desktop", "phone"])
def test_axe_finds_nothing_on_a_schools_page(
    visitor: Visitor, address: str, bot: ScriptedChat, theme: str, size: tuple[int, int]
) -> None:
    with embedded(address, bot, PLAIN) as url:
        page = visitor(*size, color_scheme=theme).new_page()
        page.goto(url)
        chat = Chat(page)
        chat.launcher.wait_for()
        assert violations(page) == []

        chat.launcher.click()
        chat.greeted()
        everything(chat, bot)
        assert violations(page) == []

        chat.button("Đóng khung trò chuyện").first.click()
        bot.say({"text": "Chào em!", "author": "advisor", "by": "Cô Lan"})
        expect(chat.launcher.locator(".count")).to_have_text("1")
        assert violations(page) == []


def everything(chat: Chat, bot: ScriptedChat) -> None:
    """Brings about all that can be in a conversation."""
    chat.answer_with_source()
    chat.element.locator("summary").first.click()
    chat.button("Chưa đúng ý").click()
    bot.speaks("taken", "Cô Lan", quiet=True)
    bot.say({"text": "Chào em, cô đây.", "author": "advisor", "by": "Cô Lan"})
    bot.say({"text": "Cố vấn đã vào cuộc trò chuyện.", "author": "notice"})
    bot.refusing = {"POST /messages": (413, "too_large")}
    chat.type("tin bị từ chối")
    chat.element.get_by_role("alert").first.wait_for()
    bot.refusing = {}
    bot.speaks("waiting")
    expect(chat.element.locator(".bar.person button")).to_have_count(0)
    bot.delay_s = 5
    chat.type("một câu nữa")
    chat.element.locator(".typing").wait_for()
    bot.delay_s = 0


def test_what_is_said_is_announced_and_only_that(chat: Chat) -> None:
    expect(chat.log).to_have_attribute("aria-live", "polite")
    expect(chat.log).to_have_attribute("aria-label", re.compile(r"\w"))
    expect(chat.log).to_have_attribute("aria-busy", "false")
    chat.page.evaluate(
        """() => {
          window.added = [];
          const log = document.querySelector('covan-chat').shadowRoot.querySelector('[role=log] .column');
          new MutationObserver((changes) => {
            for (const change of changes)
              for (const node of change.addedNodes) if (node.nodeType === 1) added.push(node.textContent.trim());
          }).observe(log, {childList: true});
        }"""
    )
    chat.ask("học phí bao nhiêu")

    added: list[str] = chat.page.evaluate("added")
    assert sum("Bạn vừa hỏi" in each for each in added) == 1
    assert not any("Mình là trợ lý" in each for each in added)


def test_nothing_moves_for_who_asks_for_rest(chat: Chat, bot: ScriptedChat) -> None:
    chat.page.emulate_media(reduced_motion="reduce")
    bot.delay_s = 5
    chat.type("một câu hỏi")
    dot = chat.element.locator(".dots i").first

    assert dot.evaluate("dot => getComputedStyle(dot).animationName") == "none"
    assert chat.options.first.evaluate("chip => getComputedStyle(chip).transitionDuration") == "0s"


def test_at_twice_the_letter_size_nothing_is_lost(chat: Chat) -> None:
    chat.element.evaluate("chat => chat.style.setProperty('--covan-font-size', '32px')")
    chat.answer_with_source()

    assert chat.overflow() <= 0
    expect(chat.box).to_be_in_viewport(ratio=1)


def test_axe_would_find_a_fault_inside_of_the_chat(chat: Chat) -> None:
    chat.element.locator(".send").evaluate(
        "button => { button.removeAttribute('aria-label'); button.title = ''; }"
    )

    assert any("button-name" in each for each in violations(chat.page))
