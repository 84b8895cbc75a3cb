"""The chat on a school's own site, on another origin: one script tag, the strictest policy, the worst style."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from chat_driver import GREETING, Chat
from playwright.sync_api import Browser, Page, expect
from school_pages import HOSTILE, PLAIN, embedded
from scripted_chat import ScriptedChat
from visiting import Visitor, faultless

pytestmark = pytest.mark.browser


@pytest.fixture
def site(address: str, bot: ScriptedChat) -> Iterator[str]:
    with embedded(address, bot, PLAIN) as url:
        yield url


@pytest.fixture(params=[pytest.param((1200, 800), id="desktop")])
def chat(request: pytest.FixtureRequest, visitor: Visitor, site: str, address: str) -> Iterator[Chat]:
    """The school's page, with the launcher in its corner."""
    page = visitor(*request.param).new_page()
    with faultless(page, site, address):
        page.goto(site)
        opened = Chat(page)
        opened.launcher.wait_for()
        yield opened


PHONE = pytest.mark.parametrize("chat", [pytest.param((390, 844), id="phone")], indirect=True)


def test_until_it_is_opened_the_chat_asks_nothing_of_the_server(chat: Chat, bot: ScriptedChat) -> None:
    asked: list[str] = []
    chat.page.on("request", lambda sent: asked.append(sent.url))
    sessions = len(bot.visits)

    chat.page.reload()
    chat.launcher.wait_for()

    assert [url for url in asked if "/webhooks/" in url or "/api/" in url] == []
    assert len(bot.visits) == sessions


def test_one_tag_is_a_chat(chat: Chat, bot: ScriptedChat) -> None:
    chat.launcher.click()
    chat.greeted()

    expect(chat.element.get_by_role("heading")).to_have_text("Trường Đại học Sao La")
    chat.answer_with_source()
    assert [sorted(body)[0] for body in bot.received] == ["command", "id", "id"]
    assert chat.page.locator("covan-chat").count() == 1


def test_escape_closes_and_the_focus_returns(chat: Chat) -> None:
    chat.launcher.focus()
    chat.page.keyboard.press("Enter")
    chat.greeted()
    expect(chat.box).to_be_focused()

    chat.page.keyboard.press("Escape")

    expect(chat.panel).not_to_be_visible()
    expect(chat.launcher).to_be_focused()
    expect(chat.launcher).to_have_attribute("aria-expanded", "false")


def test_what_is_typed_does_not_reach_the_pages_shortcuts(chat: Chat) -> None:
    chat.page.evaluate("window.heard = 0; addEventListener('keydown', () => { window.heard += 1; })")
    chat.launcher.click()
    chat.greeted()
    chat.box.press("/")

    assert chat.page.evaluate("heard") == 0
    expect(chat.box).to_have_value("/")


def test_a_late_reply_is_counted_on_the_closed_launcher_and_read_by_opening_it(
    chat: Chat, bot: ScriptedChat
) -> None:
    chat.launcher.click()
    chat.greeted()
    chat.ask("mình muốn gặp cố vấn")
    chat.page.keyboard.press("Escape")

    bot.say({"text": "Chào em, cô đây.", "author": "advisor", "by": "Cô Lan"})
    bot.say({"text": "Em cần gì?", "author": "advisor", "by": "Cô Lan"})

    expect(chat.launcher.locator(".count")).to_have_text("2")
    expect(chat.launcher).to_have_attribute("aria-label", "Mở khung trò chuyện, 2 tin mới")
    chat.page.reload()
    expect(chat.launcher.locator(".count")).to_have_text("2")
    chat.launcher.click()
    expect(chat.element.locator(".turn.advisor")).to_have_count(2)
    chat.page.keyboard.press("Escape")
    expect(chat.launcher.locator(".count")).to_have_count(0)


def test_on_another_page_of_the_site_the_conversation_goes_on(chat: Chat) -> None:
    chat.launcher.click()
    chat.greeted()
    chat.ask("câu ở trang đầu")

    chat.page.goto(chat.page.url + "?trang=2")
    chat.launcher.click()

    expect(chat.bubbles).to_have_count(3)


@PHONE
def test_on_a_phone_the_panel_is_the_screen_and_nothing_behind_it_is_reached(chat: Chat) -> None:
    chat.launcher.click()
    chat.greeted()

    assert chat.panel.bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 844}
    assert chat.panel.evaluate("panel => panel.matches(':modal')")
    chat.answer_with_source()
    assert chat.overflow() <= 0
    expect(chat.box).to_be_in_viewport(ratio=1)
    chat.button("Đóng khung trò chuyện").first.click()
    expect(chat.panel).not_to_be_visible()
    expect(chat.page.locator("#search")).to_be_visible()


@PHONE
def test_turning_the_phone_keeps_the_conversation(chat: Chat) -> None:
    chat.launcher.click()
    chat.greeted()
    chat.page.set_viewport_size({"width": 1200, "height": 800})
    expect(chat.panel).to_be_visible()
    assert not chat.panel.evaluate("panel => panel.matches(':modal')")
    chat.page.set_viewport_size({"width": 844, "height": 390})
    expect(chat.panel).to_be_visible()
    expect(chat.box).to_be_in_viewport(ratio=1)
    expect(chat.bubbles).to_have_text([GREETING])


def looks(page: Page) -> object:
    """What would show that a style has leaked in."""
    return page.evaluate(
        """() => {
          const root = document.querySelector('covan-chat').shadowRoot;
          const of = (selector) => {
            const style = getComputedStyle(root.querySelector(selector));
            const {width, height} = root.querySelector(selector).getBoundingClientRect();
            return [style.color, style.backgroundColor, style.fontSize, style.letterSpacing, style.textTransform,
              style.direction, style.visibility, style.display, Math.round(width), Math.round(height)];
          };
          return ['.launcher', '.panel', '.bubble', '.chip', 'textarea', '.send', 'h2'].map(of);
        }"""
    )


def test_no_style_leaks_in_or_out(visitor: Visitor, address: str, bot: ScriptedChat) -> None:
    seen = []
    for style in (PLAIN, HOSTILE):
        with embedded(address, bot, style) as url:
            page = visitor().new_page()
            page.goto(url)
            chat = Chat(page)
            chat.launcher.click()
            chat.greeted()
            seen.append(looks(page))
            chat.ask("có thấy gì không")
    assert seen[0] == seen[1]


def test_the_page_looks_as_it_did_without_the_chat(chat: Chat) -> None:
    def measure() -> object:
        return chat.page.evaluate(
            "[...document.querySelectorAll('body, h1, nav a, #search, article')].map((each) =>"
            " [getComputedStyle(each).font, JSON.stringify(each.getBoundingClientRect())])"
        )

    with_chat = measure()
    chat.page.evaluate("document.querySelector('covan-chat').remove()")

    assert measure() == with_chat


def test_a_site_that_is_not_allowed_is_told_so_and_asks_on_quietly(
    visitor: Visitor, address: str, bot: ScriptedChat
) -> None:
    with embedded(address, bot, PLAIN) as url:
        bot.origins = frozenset()
        page = visitor().new_page()
        page.goto(url)
        chat = Chat(page)
        chat.launcher.click()

        expect(chat.element.locator(".bar.trouble")).to_be_visible()
        bot.origins = frozenset({url})
        chat.greeted()


def test_the_element_can_be_placed_instead_and_the_tag_adds_no_second(
    visitor: Visitor, address: str, bot: ScriptedChat
) -> None:
    element = '<covan-chat mode="page" heading="Hỏi đáp" language="en" theme="dark"></covan-chat>'
    with embedded(address, bot, PLAIN, element=element) as url:
        page = visitor().new_page()
        page.goto(url)
        chat = Chat(page)
        chat.greeted()

        assert page.locator("covan-chat").count() == 1
        expect(chat.launcher).to_have_count(0)
        expect(chat.element.get_by_role("heading")).to_have_text("Hỏi đáp")
        expect(chat.box).to_have_attribute("placeholder", "Type your question…")
        expect(chat.element.locator(".root")).to_have_class(re.compile(r"\bdark\b"))


def test_the_theme_is_the_schools(visitor: Visitor, address: str, bot: ScriptedChat) -> None:
    style = (
        PLAIN
        + "covan-chat { --covan-accent: rgb(20, 49, 94); --covan-offset-x: 40px; --covan-width: 360px; }"
    )
    with embedded(address, bot, style, more='data-position="left" data-theme="light"') as url:
        page = visitor(color_scheme="dark").new_page()
        page.goto(url)
        chat = Chat(page)
        chat.launcher.click()
        chat.greeted()

        assert chat.launcher.evaluate("it => getComputedStyle(it).backgroundColor") == "rgb(20, 49, 94)"
        box = chat.panel.bounding_box()
        assert box is not None
        assert (box["x"], box["width"]) == (40, 360)
        expect(chat.element.locator(".root")).not_to_have_class(re.compile(r"\bdark\b"))


def test_it_can_be_opened_by_a_link_of_the_page(browser: Browser, chat: Chat) -> None:  # noqa: ARG001
    chat.page.evaluate("document.querySelector('covan-chat').show()")
    chat.greeted()
    chat.page.evaluate("document.querySelector('covan-chat').hide()")
    expect(chat.panel).not_to_be_visible()
