"""The chat page as a student meets it, in a real browser, before a stand-in for Rasa."""

from __future__ import annotations

import re

import pytest
from chat_driver import QUOTE, Chat
from playwright.sync_api import expect
from rasa_stand_in import RasaStandIn

pytestmark = pytest.mark.browser

PHONE = pytest.mark.parametrize("chat", [pytest.param((360, 640), id="phone")], indirect=True)


def overflow(chat: Chat) -> int:
    """How many pixels the page is wider than the screen."""
    wider: int = chat.page.evaluate(
        "Math.max(document.documentElement.scrollWidth, document.querySelector('main').scrollWidth)"
        " - document.documentElement.clientWidth"
    )
    return wider


def answer_with_source(chat: Chat) -> None:
    chat.ask("Yêu cầu chuẩn tiếng Anh là gì?")
    chat.page.get_by_role("button", name="Khóa 47–49").click()
    chat.page.locator(".source").first.wait_for()


def test_a_question_is_answered(chat: Chat, rasa: RasaStandIn) -> None:
    chat.ask("học phí bao nhiêu")

    assert chat.texts() == ["học phí bao nhiêu", "Bạn vừa hỏi: học phí bao nhiêu"]
    assert rasa.turns[0]["message"] == "học phí bao nhiêu"
    expect(chat.box).to_have_value("")
    expect(chat.box).to_be_focused()


def test_the_greeting_names_the_school_and_offers_examples_by_topic(chat: Chat) -> None:
    expect(chat.page.get_by_role("heading", level=1)).to_have_text("Trường Đại học Sao La")

    chat.page.get_by_role("button", name="Học phí", exact=True).click()
    example = chat.page.locator(".example").first
    question = example.inner_text()
    example.click()

    chat.answers.first.wait_for()
    assert chat.texts() == [question, f"Bạn vừa hỏi: {question}"]


def test_a_question_back_is_answered_with_a_button_that_then_closes(chat: Chat, rasa: RasaStandIn) -> None:
    answer_with_source(chat)

    assert rasa.turns[1]["payload"] == '/inform{"cohort": "47"}'
    assert "message" not in rasa.turns[1]
    expect(chat.questions.last.locator(".bubble")).to_have_text("Khóa 47–49")
    for name in ("Khóa 47–49", "Khóa 50 trở về sau"):
        expect(chat.page.get_by_role("button", name=name)).to_be_disabled()
    expect(chat.answers.last.locator("strong")).to_have_text("bậc 3 (B1)")
    expect(chat.answers.last.locator("td").first).to_have_text("K47")


def test_the_source_names_the_clause_and_opens_to_its_words(chat: Chat) -> None:
    answer_with_source(chat)
    card = chat.page.locator(".source").first

    expect(card.locator("summary")).to_have_text(
        "Nguồn: Quy định về chuẩn ngoại ngữ (số 512/QĐ-ĐHSL), Điều 4, khoản 1"
    )
    expect(card.locator("blockquote")).not_to_be_visible()
    card.locator("summary").click()
    expect(card.locator("blockquote")).to_have_text(QUOTE)
    expect(card.get_by_role("link")).to_have_attribute("href", "https://www.daihocsaola.example/512.pdf")


def test_each_question_has_its_own_bubble_and_each_clause_its_place_and_number(chat: Chat) -> None:
    chat.ask("phúc khảo mất bao lâu, thời tiết thế nào")

    expect(chat.answers).to_have_count(2)
    first = chat.answers.first
    expect(first.locator("blockquote")).to_have_text("Phúc khảo mất bao lâu?")
    expect(first.locator("strong")).to_have_text(["Điều 3, khoản 2", "Điều 5"])
    expect(first.locator("ol")).to_have_attribute("start", "2")
    expect(chat.answers.nth(1).locator("blockquote")).to_have_text("Thời tiết thế nào?")


def test_a_source_cannot_carry_a_script_in_its_address(chat: Chat) -> None:
    answer_with_source(chat)

    card = chat.page.locator(".source").nth(1)
    expect(card).to_contain_text("Sổ tay sinh viên")
    expect(card.get_by_role("link")).to_have_count(0)


def test_many_sources_are_folded_and_can_be_opened(chat: Chat) -> None:
    answer_with_source(chat)
    more = chat.page.locator(".source", has_text="Thông báo số 4")

    expect(more).not_to_be_visible()
    chat.page.get_by_text("Xem thêm 2 nguồn").click()
    expect(more).to_be_visible()


def test_a_rating_is_sent_once_and_thanked_for(chat: Chat, rasa: RasaStandIn) -> None:
    answer_with_source(chat)
    thumb = chat.page.get_by_role("button", name="👍 Hữu ích")

    thumb.click()

    expect(chat.page.locator(".thanks")).to_have_text("Cảm ơn bạn đã đánh giá!")
    expect(thumb).to_be_disabled()
    expect(chat.page.get_by_role("button", name="👎 Chưa đúng ý")).to_be_disabled()
    assert [turn.get("payload") for turn in rasa.turns[2:]] == ['/feedback_good{"answer_id": "a1"}']


def test_a_reload_brings_everything_back_for_the_same_sender(chat: Chat, rasa: RasaStandIn) -> None:
    answer_with_source(chat)
    before = chat.texts()

    chat.page.reload()
    chat.page.locator(".source").first.wait_for()

    assert chat.texts() == before
    expect(chat.page.get_by_role("button", name="Khóa 47–49")).to_be_disabled()
    chat.ask("còn gì nữa")
    assert len({turn["sender"] for turn in rasa.turns}) == 1


def test_a_new_conversation_asks_first_then_forgets(chat: Chat, rasa: RasaStandIn) -> None:
    chat.ask("một")
    new = chat.page.get_by_role("button", name="Cuộc trò chuyện mới")

    new.click()
    chat.page.get_by_role("button", name="Giữ lại").click()
    expect(chat.answers).to_have_count(1)

    new.click()
    chat.page.get_by_role("button", name="Bắt đầu lại").click()
    expect(chat.answers).to_have_count(0)
    chat.ask("hai")

    assert len({turn["sender"] for turn in rasa.turns}) == 2


@pytest.mark.parametrize(
    "hostile",
    [
        "<img src=x onerror=document.body.remove()>",
        "<script>document.body.remove()</script>",
        "[x](javascript:document.body.remove())",
        "<a href='javascript:document.body.remove()'>x</a>",
        "![x](http://127.0.0.1:9/pixel.png)",
    ],
)
def test_hostile_text_stays_text_in_the_question_and_in_the_answer(chat: Chat, hostile: str) -> None:
    chat.ask(hostile)

    expect(chat.questions.last.locator(".bubble")).to_have_text(hostile)
    assert chat.log.locator("img, script, iframe, a[href^='javascript']").count() == 0
    chat.page.reload()
    expect(chat.questions.last.locator(".bubble")).to_have_text(hostile)


def test_when_the_service_is_down_the_apology_can_be_retried(chat: Chat, rasa: RasaStandIn) -> None:
    rasa.status = 503
    chat.box.fill("có ai không")
    chat.box.press("Enter")

    problem = chat.page.get_by_role("alert")
    expect(problem).to_contain_text("tạm gián đoạn")
    rasa.status = 200
    problem.get_by_role("button", name="Thử lại").click()

    chat.answers.first.wait_for()
    assert chat.texts() == ["có ai không", "Bạn vừa hỏi: có ai không"]
    expect(problem).to_have_count(0)


def test_without_a_network_the_page_says_so_and_keeps_the_question(chat: Chat) -> None:
    chat.page.context.set_offline(True)
    expect(chat.page.get_by_role("status")).to_contain_text("ngoại tuyến")
    chat.box.fill("câu hỏi lúc mất mạng")
    chat.box.press("Enter")

    expect(chat.page.get_by_role("alert")).to_contain_text("Chưa nhận được câu trả lời")
    chat.page.context.set_offline(False)
    expect(chat.page.get_by_role("status")).not_to_be_visible()
    chat.page.get_by_role("button", name="Thử lại").click()
    expect(chat.answers.last).to_contain_text("Bạn vừa hỏi: câu hỏi lúc mất mạng")


def test_while_the_bot_thinks_dots_are_shown_and_nothing_is_sent_twice(chat: Chat, rasa: RasaStandIn) -> None:
    rasa.delay_s = 1.0
    chat.box.fill("một")
    chat.box.press("Enter")

    expect(chat.page.locator(".typing")).to_be_visible()
    chat.box.fill("hai")
    chat.box.press("Enter")

    chat.answers.first.wait_for()
    expect(chat.page.locator(".typing")).to_have_count(0)
    expect(chat.box).to_have_value("hai")
    assert [turn["message"] for turn in rasa.turns] == ["một"]


def test_more_than_the_bot_reads_cannot_be_sent(chat: Chat, rasa: RasaStandIn) -> None:
    chat.box.fill("a" * 2_001)

    expect(chat.page.locator("#counter")).to_have_text("Dài quá 1 ký tự")
    expect(chat.page.get_by_role("button", name="Gửi")).to_be_disabled()
    chat.box.press("Enter")
    assert rasa.turns == []


def test_a_long_answer_is_shown_from_its_question(chat: Chat) -> None:
    for number in range(6):
        chat.ask(f"câu {number}")
    chat.ask("câu trả lời dài")

    below = chat.page.get_by_role("button", name="Xuống tin mới nhất")
    expect(chat.questions.last).to_be_in_viewport(ratio=1)
    expect(below).to_be_visible()
    below.click()
    expect(chat.answers.last.get_by_text("Đoạn thứ 59")).to_be_in_viewport(ratio=1)


def test_a_short_answer_is_shown_to_its_end(chat: Chat) -> None:
    for number in range(8):
        chat.ask(f"câu {number}")
    answer_with_source(chat)

    expect(chat.page.locator(".rating").last).to_be_in_viewport(ratio=1)


def test_the_page_speaks_english_when_asked_and_remembers(chat: Chat) -> None:
    chat.page.get_by_role("button", name="English").click()

    expect(chat.page.get_by_role("heading", level=1)).to_have_text("Sao La University")
    expect(chat.box).to_have_attribute("placeholder", "Type your question…")
    expect(chat.page.locator("html")).to_have_attribute("lang", "en")
    chat.page.reload()
    expect(chat.page.get_by_role("button", name="Tuition fees")).to_be_visible()


def test_the_whole_chat_can_be_used_from_the_keyboard(chat: Chat) -> None:
    chat.box.focus()
    chat.page.keyboard.type("chuẩn tiếng Anh")
    chat.page.keyboard.press("Enter")
    chat.answers.first.wait_for()

    chat.page.keyboard.press("Shift+Tab")
    chat.page.keyboard.press("Shift+Tab")
    focused = chat.page.evaluate("document.activeElement.textContent")
    chat.page.keyboard.press("Enter")

    assert focused in ("Khóa 47–49", "Khóa 50 trở về sau")
    expect(chat.answers).to_have_count(2)
    expect(chat.box).to_be_focused()


@PHONE
def test_on_a_phone_nothing_is_cut_off(chat: Chat) -> None:
    assert overflow(chat) <= 0
    answer_with_source(chat)
    chat.page.locator("summary").first.click()
    chat.ask("một-từ-rất-dài-" * 20)

    assert overflow(chat) <= 0
    expect(chat.box).to_be_in_viewport(ratio=1)
    expect(chat.page.get_by_role("button", name="Gửi")).to_be_in_viewport(ratio=1)


@PHONE
def test_on_a_phone_what_is_pressed_is_large_enough_for_a_finger(chat: Chat) -> None:
    answer_with_source(chat)

    for button in chat.page.get_by_role("button").all():
        box = button.bounding_box()
        if box is not None:
            assert min(box["height"], box["width"]) >= 32, button.inner_text()


def test_what_the_bot_says_is_announced(chat: Chat) -> None:
    expect(chat.log).to_have_attribute("aria-live", "polite")
    expect(chat.log).to_have_attribute("aria-label", re.compile(r"\w"))
