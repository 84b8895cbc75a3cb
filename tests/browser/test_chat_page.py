"""The chat as a student meets it on its own page, in a real browser, before a scripted bot and advisor."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from chat_driver import CARDS, GREETING, QUOTE, Chat
from playwright.sync_api import expect
from scripted_chat import ScriptedChat
from students import eventually
from visiting import CONSENT_URL, Visitor, faultless

pytestmark = pytest.mark.browser

PHONE = pytest.mark.parametrize("chat", [pytest.param((390, 844), id="phone")], indirect=True)

HOSTILE = [
    "<img src=x onerror=document.body.remove()>",
    "<script>document.body.remove()</script>",
    "[x](javascript:document.body.remove())",
    "<a href='javascript:document.body.remove()'>x</a>",
    "![x](http://127.0.0.1:9/pixel.png)",
    "</textarea></p><svg onload=document.body.remove()>",
    "\u202eمرحبا txt.exe\u202c \u202eđảo ngược",
    "${alert(1)} {{constructor.constructor('document.body.remove()')()}}",
]


# --- asking and answering -----------------------------------------------------------------------------------


def test_the_bot_greets_once_and_offers_its_topics(chat: Chat, bot: ScriptedChat) -> None:
    expect(chat.bubbles).to_have_text([GREETING])
    expect(chat.element.get_by_role("heading", level=1)).to_have_text("Trường Đại học Sao La")

    chat.button("Học phí").click()

    expect(chat.bubbles).to_have_text([GREETING, "Học phí", "Bạn vừa hỏi: Học phí"])
    chat.page.reload()
    expect(chat.bubbles).to_have_count(3)
    assert [body for body in bot.received if "command" in body] == []


def test_a_question_is_answered(chat: Chat, bot: ScriptedChat) -> None:
    chat.ask("học phí bao nhiêu")

    assert chat.texts()[1:] == ["học phí bao nhiêu", "Bạn vừa hỏi: học phí bao nhiêu"]
    [body] = bot.received
    assert body["text"] == "học phí bao nhiêu"
    expect(chat.box).to_have_value("")
    expect(chat.box).to_be_focused()


def test_a_question_back_is_answered_with_a_button_that_then_closes(chat: Chat, bot: ScriptedChat) -> None:
    chat.answer_with_source()

    assert set(bot.received[1]) == {"id", "option"}
    assert re.fullmatch(r"[0-9a-f]{16}", bot.received[1]["option"])
    expect(chat.questions.last.locator(".bubble")).to_have_text("Khóa 47–49")
    expect(chat.button("Khóa 47–49")).to_be_disabled()
    expect(chat.button("Khóa 47–49")).to_have_attribute("aria-pressed", "true")
    expect(chat.button("Khóa 47–49").locator("svg")).to_have_count(1)
    expect(chat.button("Khóa 50 trở về sau")).to_be_disabled()
    expect(chat.answers.last.locator("strong").first).to_have_text("bậc 3 (B1)")
    expect(chat.answers.last.locator("td").first).to_have_text("K47–K49")
    expect(chat.answers.last.locator(".markdown ol li")).to_have_count(3)
    expect(chat.box).to_be_focused()


def test_the_sources_are_one_row_that_opens_to_the_clauses_words(chat: Chat) -> None:
    chat.answer_with_source()
    row = chat.sources.first
    first = row.locator(".source").first

    expect(chat.sources).to_have_count(1)
    expect(row.locator(".sources-title")).to_have_text("Nguồn (4)")
    expect(row.locator(".sources-places")).to_have_text(
        "Điều 4, khoản 1 · Sổ tay sinh viên · Thông báo số 3 · Thông báo số 4"
    )
    expect(row.locator(".source:visible")).to_have_count(0)
    row.locator("summary").click()
    expect(row.locator(".source:visible")).to_have_count(4)
    expect(first.locator(".source-line")).to_have_text(
        "Quy định về chuẩn ngoại ngữ (số 512/QĐ-ĐHSL), Điều 4, khoản 1"
    )
    expect(first.locator("blockquote")).to_have_text(QUOTE)
    expect(first.get_by_role("link")).to_have_attribute("href", "https://www.daihocsaola.example/512.pdf")
    expect(first.get_by_role("link")).to_have_attribute("rel", "noopener noreferrer")
    expect(row.get_by_role("link")).to_have_count(1)
    chat.ask("một câu nữa")
    expect(first.locator("blockquote")).to_be_visible()


@PHONE
def test_sources_that_are_opened_come_into_sight(chat: Chat) -> None:
    chat.answer_with_source()
    row = chat.sources.first
    row.locator("summary").scroll_into_view_if_needed()

    row.locator("summary").focus()
    chat.page.keyboard.press("Enter")

    expect(row.locator(".source").last).to_be_in_viewport(ratio=1)
    expect(row.locator("summary")).to_be_in_viewport()


def test_contacts_links_and_deadlines_are_cards(chat: Chat) -> None:
    chat.answer_with_source()

    contact = chat.element.get_by_role("group", name="Liên hệ: Trung tâm Ngoại ngữ")
    links = contact.get_by_role("link")
    expect(links.nth(0)).to_have_attribute("href", "tel:02923831530")
    expect(links.nth(1)).to_have_attribute("href", "mailto:ngoaingu@daihocsaola.example")
    expect(links.nth(2)).to_have_attribute("href", str(CARDS[0]["map_url"]))
    expect(contact).to_contain_text("Tầng 2, nhà C1")
    expect(chat.element.locator("a.card.link")).to_have_count(1)
    expect(chat.element.locator(".card.deadline time")).to_have_attribute("datetime", "2031-06-30")
    expect(chat.element.locator(".card.deadline")).to_contain_text("30 tháng 6, 2031")


def test_the_next_deadline_comes_first_and_those_that_are_over_last(chat: Chat) -> None:
    chat.ask("hạn nộp là khi nào")
    tiles = chat.element.locator(".card.deadline")

    expect(tiles.locator(".card-note")).to_have_text(["Đợt tới", "Đợt sau", "Đợt cũ", "Đợt rất cũ"])
    expect(chat.element.locator(".card.deadline.past")).to_have_count(2)
    expect(chat.element.locator("li:has(.past) ~ li:has(.deadline:not(.past))")).to_have_count(0)


def test_in_a_crisis_every_number_is_a_button(chat: Chat) -> None:
    chat.ask("mệt mỏi quá")

    calls = chat.answers.last.locator("a.call")
    assert [call.get_attribute("href") for call in calls.all()] == [
        "tel:115",
        "tel:113",
        "tel:02923800116",
        "tel:111",
    ]
    expect(chat.answers.last.locator(".bubble strong")).to_have_text(["Đừng"])


def test_a_line_tells_who_speaks_and_when(chat: Chat, bot: ScriptedChat) -> None:
    chat.ask("một")

    lines = chat.element.locator(".byline")
    expect(lines).to_have_text([re.compile(rf"{name}\s*\d\d:\d\d") for name in ("Trợ lý", "Bạn", "Trợ lý")])
    bot.say({"text": "Thêm một điều."})
    expect(chat.answers).to_have_count(3)
    expect(lines).to_have_count(3)


def test_an_answer_behind_other_words_names_its_question(chat: Chat, bot: ScriptedChat) -> None:
    bot.delay_s = 0.5
    chat.type("câu thứ nhất")
    chat.type("câu thứ hai")
    expect(chat.answers).to_have_count(3)

    expect(chat.element.locator(".reply-to")).to_have_text([re.compile(r"câu thứ nhất\s*$")])


def test_the_arrow_to_the_end_covers_no_word(chat: Chat) -> None:
    chat.ask("một câu trả lời dài")
    arrow = chat.button("Xuống tin mới nhất")
    expect(arrow).to_be_visible()

    scroller, button = chat.log.bounding_box(), arrow.bounding_box()
    assert scroller is not None
    assert button is not None
    assert button["y"] >= scroller["y"] + scroller["height"]
    arrow.click()
    expect(arrow).not_to_be_visible()


def test_each_question_has_its_own_bubble_and_each_clause_its_place_and_number(chat: Chat) -> None:
    chat.type("phúc khảo mất bao lâu, thời tiết thế nào")

    expect(chat.answers).to_have_count(3)
    first = chat.answers.nth(1)
    expect(first.locator("blockquote")).to_have_text("Phúc khảo mất bao lâu?")
    expect(first.locator("strong")).to_have_text(["Điều 3, khoản 2", "Điều 5"])
    expect(first.locator("ol")).to_have_attribute("start", "2")
    expect(chat.answers.nth(2).locator("blockquote")).to_have_text("Thời tiết thế nào?")


def test_while_the_bot_thinks_dots_are_shown_and_more_can_be_asked(chat: Chat, bot: ScriptedChat) -> None:
    bot.delay_s = 0.5
    chat.type("một")
    expect(chat.element.locator(".typing")).to_be_visible()
    chat.type("hai")

    expect(chat.answers).to_have_count(3)
    expect(chat.element.locator(".typing")).to_have_count(0)
    assert [body["text"] for body in bot.received] == ["một", "hai"]


# --- what students think of it ------------------------------------------------------------------------------


def ratings(bot: ScriptedChat, count: int) -> list[dict[str, Any]]:
    """Return what the bot was sent, as soon as there are `count`: the page thanks before they arrive."""
    return eventually(lambda: bot.ratings if len(bot.ratings) >= count else None, f"{count} ratings")


def test_a_thumb_up_is_sent_and_thanked_for(chat: Chat, bot: ScriptedChat) -> None:
    chat.answer_with_source()

    chat.button("Hữu ích").click()

    expect(chat.element.locator(".thanks")).to_have_text("Cảm ơn bạn đã đánh giá!")
    expect(chat.button("Hữu ích")).to_have_attribute("aria-pressed", "true")
    assert ratings(bot, 1) == [{"message": bot.visit.said[-1]["id"], "good": True}]


def test_a_thumb_down_asks_why_and_sends_the_reason(chat: Chat, bot: ScriptedChat) -> None:
    chat.answer_with_source()

    chat.button("Chưa đúng ý").click()
    form = chat.element.get_by_role("form", name="Điều gì chưa ổn?")
    expect(form).to_be_in_viewport(ratio=0.99)
    form.get_by_role("button", name="Thiếu ý").click()
    form.get_by_role("textbox").fill("hệ vừa làm vừa học thì sao?")
    form.get_by_role("button", name="Gửi góp ý").click()

    expect(form).to_have_count(0)
    expect(chat.element.locator(".thanks")).to_have_text("Cảm ơn bạn đã đánh giá!")
    rated = bot.visit.said[-1]["id"]
    assert ratings(bot, 2) == [
        {"message": rated, "good": False},
        {"message": rated, "good": False, "reason": "incomplete: hệ vừa làm vừa học thì sao?"},
    ]


def test_a_reason_may_be_kept_to_oneself(chat: Chat, bot: ScriptedChat) -> None:
    chat.answer_with_source()

    chat.button("Chưa đúng ý").click()
    chat.button("Bỏ qua").click()

    expect(chat.element.locator(".thanks")).to_have_text("Cảm ơn bạn đã đánh giá!")
    assert len(ratings(bot, 1)) == 1


def test_a_rating_that_was_not_taken_says_so(chat: Chat, bot: ScriptedChat) -> None:
    chat.answer_with_source()
    bot.refusing = {"POST /feedback": (503, "unavailable")}

    chat.button("Hữu ích").click()

    expect(chat.element.locator(".thanks")).to_have_text("Chưa gửi được đánh giá. Bạn thử lại nhé.")
    expect(chat.button("Hữu ích")).to_have_attribute("aria-pressed", "false")


# --- coming back --------------------------------------------------------------------------------------------


def test_a_reload_brings_everything_back_in_the_same_session(chat: Chat, bot: ScriptedChat) -> None:
    chat.answer_with_source()
    before = chat.texts()
    sessions = len(bot.visits)

    chat.page.reload()
    chat.sources.first.wait_for()

    assert chat.texts() == before
    expect(chat.button("Khóa 47–49")).to_be_disabled()
    assert len(bot.visits) == sessions


def test_older_messages_come_when_they_are_asked_for(chat: Chat, bot: ScriptedChat) -> None:
    for number in range(60):
        bot.say({"text": f"tin thứ {number}"})
    expect(chat.bubbles.last).to_have_text("tin thứ 59")

    chat.page.reload()
    expect(chat.bubbles.last).to_have_text("tin thứ 59")
    expect(chat.bubbles).to_have_count(50)
    first = chat.bubbles.first
    chat.button("Xem tin cũ hơn").click()

    expect(chat.bubbles).to_have_count(61)
    expect(first).to_have_text(GREETING)
    expect(chat.button("Xem tin cũ hơn")).to_have_count(0)


def test_two_tabs_show_one_conversation(chat: Chat) -> None:
    chat.ask("câu của trang thứ nhất")

    second = Chat(chat.page.context.new_page())
    second.page.goto(chat.page.url)
    expect(second.bubbles).to_have_count(3)
    second.ask("câu của trang thứ hai")

    expect(chat.bubbles.last).to_have_text("Bạn vừa hỏi: câu của trang thứ hai")
    assert chat.texts() == second.texts()


def test_what_one_tab_erases_is_gone_from_the_other(chat: Chat) -> None:
    second = Chat(chat.page.context.new_page())
    second.page.goto(chat.page.url)
    chat.ask("điều riêng tư")
    expect(second.bubbles).to_have_count(3)

    second.menu("Xóa cuộc trò chuyện")
    second.button("Xóa").click()

    expect(chat.bubbles).to_have_text([GREETING])
    expect(second.bubbles).to_have_text([GREETING])


def test_a_session_that_expired_is_followed_by_another_and_the_question_is_kept(
    chat: Chat, bot: ScriptedChat
) -> None:
    chat.ask("câu cũ")
    bot.visits.clear()
    chat.type("câu mới")

    expect(chat.bubbles.last).to_have_text("Bạn vừa hỏi: câu mới")
    expect(chat.bubbles.filter(has_text="câu cũ")).to_have_count(0)
    assert len({body["id"] for body in bot.received if body.get("text") == "câu mới"}) == 1


def test_without_any_storage_the_chat_works_as_long_as_the_page(
    visitor: Visitor, address: str, bot: ScriptedChat
) -> None:
    page = visitor().new_page()
    page.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, {get() { throw new DOMException('denied', 'SecurityError'); }});"
    )
    with faultless(page, address):
        page.goto(address)
        chat = Chat(page)
        chat.greeted()
        chat.ask("có nhớ mình không")
        chat.ask("câu sau")

    assert len(bot.visit.said) == 5


# --- a person behind it -------------------------------------------------------------------------------------


def test_an_advisors_reply_comes_by_itself_and_is_visibly_a_persons(chat: Chat, bot: ScriptedChat) -> None:
    chat.menu("Gặp cố vấn")
    expect(chat.bubbles.last).to_have_text("Mình đã chuyển câu hỏi cho cố vấn.")
    bot.speaks("waiting", quiet=True)
    expect(chat.element.locator(".bar.person")).to_contain_text("Đang chờ cố vấn")

    bot.speaks("taken", "Cô Lan", quiet=True)
    said = {"text": "Chào em, <b>cô</b> đây.\n**Em** cần gì?", "author": "advisor", "by": "Cô Lan"}
    bot.say({**said, "citations": [{"title": "Quy chế", "quote": "Em cần", "locator": "Điều 1"}]})

    reply = chat.element.locator(".turn.advisor")
    expect(reply.locator(".byline")).to_contain_text("Cô Lan")
    expect(reply.locator(".bubble")).to_have_text("Chào em, <b>cô</b> đây.Em cần gì?")
    expect(reply.locator(".bubble strong")).to_have_text("Em")
    expect(reply.locator(".sources summary")).to_contain_text("Điều 1")
    expect(chat.element.locator(".bar.person")).to_contain_text("Bạn đang trò chuyện với Cô Lan.")
    chat.page.reload()
    expect(chat.element.locator(".bar.person")).to_contain_text("Cô Lan")

    chat.button("Quay lại với trợ lý").click()
    expect(chat.bubbles.last).to_have_text("Bạn vừa hỏi: /back_to_bot")
    bot.speaks(None)
    expect(chat.element.locator(".bar.person")).to_have_count(0)
    assert [body["command"] for body in bot.received if "command" in body] == ["advisor", "back_to_bot"]


def test_no_dots_are_shown_for_what_only_a_person_answers_or_nobody(chat: Chat, bot: ScriptedChat) -> None:
    chat.answer_with_source()
    chat.button("Hữu ích").click()
    bot.typing(True)
    bot.say({"text": "Bạn xem thêm nhé."})
    bot.typing(True)
    bot.speaks("waiting")
    expect(chat.element.locator(".bar.person")).to_be_visible()
    expect(chat.element.locator(".typing")).to_have_count(0)

    bot.script = lambda _said: []
    bot.speaks("taken", "Cô Lan", quiet=True)
    chat.type("em đây ạ")
    expect(chat.questions.last).not_to_have_class(re.compile("sending|accepted"))
    bot.speaks("taken", "Thầy Minh", quiet=True)
    expect(chat.element.locator(".bar.person")).to_contain_text("Thầy Minh")
    expect(chat.element.locator(".typing")).to_have_count(0)


def test_what_is_erased_from_within_the_conversation_disappears(chat: Chat, bot: ScriptedChat) -> None:
    chat.ask("điều riêng tư")

    bot.forget()
    bot.say({"text": "Mình đã xóa tất cả.", "author": "notice"})

    expect(chat.bubbles).to_have_text(["Mình đã xóa tất cả."])


def test_outside_office_hours_the_bot_goes_on(chat: Chat, bot: ScriptedChat) -> None:
    bot.speaks("waiting")

    expect(chat.element.locator(".bar.person")).to_contain_text("vẫn có thể hỏi trợ lý")
    expect(chat.button("Quay lại với trợ lý")).to_have_count(0)


def test_a_reply_of_another_day_has_its_date(chat: Chat, bot: ScriptedChat) -> None:
    chat.ask("một câu hỏi")
    bot.visit.said[1]["at"] = bot.visit.said[0]["at"] = time.time() - 86_400

    chat.page.reload()

    expect(chat.element.locator("p.day")).to_have_text(["Hôm qua", "Hôm nay"])


def test_what_is_erased_is_asked_for_first_and_then_gone_everywhere(chat: Chat, bot: ScriptedChat) -> None:
    chat.ask("điều riêng tư")
    visit = bot.visit

    chat.menu("Xóa cuộc trò chuyện")
    chat.button("Giữ lại").click()
    expect(chat.bubbles).to_have_count(3)
    chat.menu("Xóa cuộc trò chuyện")
    chat.button("Xóa").click()

    expect(chat.bubbles).to_have_text([GREETING])
    assert visit.said == []
    assert bot.visit is not visit
    chat.page.reload()
    expect(chat.bubbles).to_have_text([GREETING])


def test_what_could_not_be_erased_is_still_there_and_said_to_be(chat: Chat, bot: ScriptedChat) -> None:
    chat.ask("điều riêng tư")
    bot.refusing = {"DELETE /conversation": (503, "unavailable")}

    chat.menu("Xóa cuộc trò chuyện")
    chat.button("Xóa").click()

    expect(chat.element.get_by_role("alert")).to_contain_text("Chưa xóa được")
    expect(chat.bubbles).to_have_count(3)


# --- hostile text -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_stays_text_whoever_writes_it(chat: Chat, bot: ScriptedChat, hostile: str) -> None:
    chat.ask(hostile)
    bot.say({"text": hostile, "author": "advisor", "by": hostile})
    bot.say({"text": "x", "buttons": [(hostile, hostile)]})
    bot.say(
        {
            "text": "y",
            "citations": [{"title": hostile, "quote": hostile, "locator": hostile}],
            "cards": [
                {"kind": "contact", "name": hostile, "phone": hostile, "email": hostile, "note": hostile},
                {"kind": "deadline", "text": hostile, "date": "2031-01-01"},
            ],
        }
    )

    expect(chat.questions.last.locator(".bubble")).to_have_text(hostile)
    expect(chat.element.locator(".turn.advisor .bubble")).not_to_be_empty()
    expect(chat.options.last).to_have_text(hostile)
    expect(chat.element.locator(".card.contact .card-title")).to_have_text(hostile)
    assert chat.log.locator("img, script, iframe, a[href^='javascript'], [onerror], [onload]").count() == 0
    chat.page.reload()
    expect(chat.questions.last.locator(".bubble")).to_have_text(hostile)


def test_ten_thousand_characters_are_shown_whole_and_break_nothing(chat: Chat, bot: ScriptedChat) -> None:
    endless = "ĩ" * 10_000
    bot.say({"text": endless, "author": "advisor", "by": "Cô Lan"})
    bot.say({"text": endless, "buttons": [(endless[:300], "x")]})

    expect(chat.element.locator(".turn.advisor .bubble")).to_have_text(endless)
    expect(chat.answers.last.locator(".bubble")).to_have_text(endless)
    assert chat.overflow() <= 0


def test_more_than_the_bot_reads_cannot_be_sent(chat: Chat, bot: ScriptedChat) -> None:
    chat.box.fill("a" * 10_000)

    expect(chat.element.locator("#counter")).to_have_text("Dài quá 8000 ký tự")
    expect(chat.button("Gửi")).to_be_disabled()
    chat.box.press("Enter")
    expect(chat.box).to_have_value("a" * 10_000)
    assert bot.received == []


# --- what goes wrong ----------------------------------------------------------------------------------------


def test_what_is_written_without_a_network_is_kept_and_sent_under_the_same_id(
    chat: Chat, bot: ScriptedChat
) -> None:
    chat.page.context.set_offline(True)
    trouble = chat.element.locator(".bar.trouble")
    expect(trouble).to_contain_text("ngoại tuyến")
    chat.type("câu hỏi lúc mất mạng")
    expect(chat.element.get_by_role("alert")).to_contain_text("sẽ tự gửi lại")

    chat.page.context.set_offline(False)

    expect(chat.bubbles.last).to_have_text("Bạn vừa hỏi: câu hỏi lúc mất mạng")
    expect(trouble).not_to_be_visible()
    expect(chat.element.get_by_role("alert")).to_have_count(0)
    assert [body["text"] for body in bot.received] == ["câu hỏi lúc mất mạng"]


def test_what_was_not_sent_survives_a_reload(chat: Chat, bot: ScriptedChat) -> None:
    bot.refusing = {"POST /messages": (503, "unavailable")}
    chat.type("câu hỏi lúc hệ thống nghỉ")
    expect(chat.element.get_by_role("alert")).to_contain_text("tạm gián đoạn")

    bot.refusing = {}
    chat.page.reload()

    expect(chat.bubbles.last).to_have_text("Bạn vừa hỏi: câu hỏi lúc hệ thống nghỉ")
    assert len(bot.received) == 1


def test_the_answer_to_a_lost_acknowledgement_comes_once(chat: Chat, bot: ScriptedChat) -> None:
    def lose(route: object) -> None:
        route.fetch()  # type: ignore[attr-defined]
        route.abort()  # type: ignore[attr-defined]

    chat.page.route("**/webhooks/web/messages", lose, times=1)
    chat.type("có nhận được không")

    expect(chat.bubbles.last).to_have_text("Bạn vừa hỏi: có nhận được không")
    expect(chat.element.get_by_role("alert")).to_have_count(0)
    expect(chat.bubbles).to_have_count(3)
    assert len({body["id"] for body in bot.received}) == 1


def test_what_the_server_refuses_says_why_and_can_be_sent_again_or_dropped(
    chat: Chat, bot: ScriptedChat
) -> None:
    bot.refusing = {"POST /messages": (413, "too_large")}
    chat.type("một")
    problem = chat.element.get_by_role("alert")
    expect(problem).to_contain_text("dài quá")

    bot.refusing = {}
    problem.get_by_role("button", name="Gửi lại").click()
    expect(chat.bubbles.last).to_have_text("Bạn vừa hỏi: một")

    bot.refusing = {"POST /messages": (400, "bad_request")}
    chat.type("hai")
    problem.get_by_role("button", name="Bỏ tin này").click()
    expect(chat.bubbles).to_have_count(3)


def test_a_message_that_came_too_fast_is_shown_as_not_sent_and_can_be_sent_again(
    chat: Chat, bot: ScriptedChat
) -> None:
    bot.refusing = {"POST /messages": (429, "too_fast")}
    chat.type("nhanh quá")
    problem = chat.element.get_by_role("alert")
    expect(problem).to_contain_text("chưa gửi được vì bạn nhắn quá nhanh")

    bot.refusing = {}
    problem.get_by_role("button", name="Gửi lại").click()

    expect(chat.bubbles.last).to_have_text("Bạn vừa hỏi: nhanh quá")
    expect(problem).to_have_count(0)
    assert [body["text"] for body in bot.received] == ["nhanh quá"]


def test_a_button_that_was_pressed_too_fast_is_shown_as_not_sent(chat: Chat, bot: ScriptedChat) -> None:
    bot.say({"text": "Bạn học khóa nào?", "buttons": [("Khóa 47", "khóa 47")]})
    bot.refusing = {"POST /messages": (429, "too_fast")}
    chat.element.get_by_role("button", name="Khóa 47").click()

    expect(chat.element.get_by_role("alert")).to_contain_text("bạn nhắn quá nhanh")


def test_a_server_that_was_away_is_found_again(chat: Chat, bot: ScriptedChat) -> None:
    bot.refusing = {"*": (503, "unavailable")}
    bot.break_off()
    expect(chat.element.locator(".bar.trouble")).to_contain_text("Đang thử lại", timeout=15_000)

    bot.say({"text": "Cô trả lời em sau nhé.", "author": "advisor", "by": "Cô Lan"})
    bot.refusing = {}

    expect(chat.element.locator(".turn.advisor")).to_be_visible(timeout=20_000)
    expect(chat.element.locator(".bar.trouble")).not_to_be_visible()


# --- how it is read -----------------------------------------------------------------------------------------


def test_a_long_answer_is_shown_from_its_question(chat: Chat) -> None:
    for number in range(6):
        chat.ask(f"câu {number}")
    chat.ask("câu trả lời dài")

    below = chat.button("Xuống tin mới nhất")
    expect(chat.questions.last).to_be_in_viewport(ratio=1)
    expect(below).to_be_visible()
    below.click()
    expect(chat.answers.last.get_by_text("Đoạn thứ 59")).to_be_in_viewport(ratio=1)


def test_who_reads_above_is_not_disturbed(chat: Chat, bot: ScriptedChat) -> None:
    chat.ask("câu trả lời dài")
    chat.log.evaluate("log => { log.scrollTop = 0; }")
    expect(chat.button("Xuống tin mới nhất")).to_be_visible()

    bot.say({"text": "tin mới"})

    expect(chat.bubbles.last).to_have_text("tin mới")
    assert chat.log.evaluate("log => log.scrollTop") == 0


def test_the_chat_speaks_english_when_asked_and_remembers(chat: Chat, bot: ScriptedChat) -> None:
    chat.button("EN: English").click()

    expect(chat.element.get_by_role("heading", level=1)).to_have_text("Sao La University")
    expect(chat.box).to_have_attribute("placeholder", "Type your question…")
    expect(chat.element.locator("[lang]").first).to_have_attribute("lang", "en")
    chat.page.reload()
    expect(chat.box).to_have_attribute("placeholder", "Type your question…")
    assert bot.visit.language == "en"


def test_the_theme_follows_the_device_until_the_student_chooses(chat: Chat) -> None:
    root = chat.element.locator(".root")
    chat.page.emulate_media(color_scheme="dark")
    expect(root).to_have_class(re.compile(r"\bdark\b"))

    chat.menu("Sáng")
    expect(root).not_to_have_class(re.compile(r"\bdark\b"))
    chat.page.reload()
    chat.greeted()
    expect(root).not_to_have_class(re.compile(r"\bdark\b"))


def test_consent_is_asked_for_before_the_first_word_and_its_page_stays_in_the_menu(chat: Chat) -> None:
    consent = chat.element.locator(".consent")
    expect(consent.get_by_role("link")).to_have_attribute("href", CONSENT_URL)

    chat.ask("câu đầu tiên")

    expect(consent).to_have_count(0)
    chat.element.locator("#menu-button").click()
    expect(chat.element.locator("#menu").get_by_role("link")).to_have_attribute("href", CONSENT_URL)


def test_the_menu_shows_the_profile_and_closes_with_escape(chat: Chat) -> None:
    chat.menu("Hồ sơ của tôi")
    expect(chat.bubbles.last).to_have_text("Mình chưa biết gì về bạn.")

    chat.element.locator("#menu-button").click()
    expect(chat.element.locator("#menu")).to_be_visible()
    chat.page.keyboard.press("Escape")
    expect(chat.element.locator("#menu")).not_to_be_visible()
    expect(chat.element.locator("#menu-button")).to_be_focused()


def test_the_whole_chat_can_be_used_from_the_keyboard(chat: Chat) -> None:
    chat.box.focus()
    chat.page.keyboard.type("chuẩn tiếng Anh")
    chat.page.keyboard.press("Enter")
    expect(chat.options.last).to_have_text("Khóa 50 trở về sau")

    chat.page.keyboard.press("Shift+Tab")
    expect(chat.options.last).to_be_focused()
    chat.page.keyboard.press("Shift+Tab")
    chat.page.keyboard.press("Enter")

    chat.sources.first.wait_for()
    expect(chat.box).to_be_focused()


@PHONE
def test_on_a_phone_nothing_is_cut_off(chat: Chat) -> None:
    assert chat.overflow() <= 0
    chat.answer_with_source()
    chat.element.locator("summary").first.click()
    chat.ask("một-từ-rất-dài-" * 20)

    assert chat.overflow() <= 0
    expect(chat.box).to_be_in_viewport(ratio=1)
    expect(chat.button("Gửi")).to_be_in_viewport(ratio=1)


@PHONE
def test_on_a_phone_what_is_pressed_is_large_enough_for_a_finger(chat: Chat) -> None:
    chat.answer_with_source()
    chat.button("Chưa đúng ý").click()
    chat.element.locator("#menu-button").click()

    for button in chat.element.get_by_role("button").all():
        box = button.bounding_box()
        if box is not None:
            assert min(box["height"], box["width"]) >= 32, button.inner_text()
