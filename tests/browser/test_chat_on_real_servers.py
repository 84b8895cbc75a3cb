"""The whole path with the real servers: `covan up`, a browser, the sample school."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest
from chat_driver import Chat
from playwright.sync_api import Browser, expect
from real_stack import ADVISOR_TOKEN, Stack, a_student, until_ready

pytestmark = [pytest.mark.browser, pytest.mark.stack]

ANSWER_TIMEOUT_MS = 30_000

LIBRARY_QUESTION = "Thư viện mở cửa đến mấy giờ?"
PROFILE = re.compile("^(Khóa 48|Công nghệ thông tin|Chương trình đại trà)$")
COHORT_QUESTION = "Chuẩn tiếng Anh để tốt nghiệp là gì?"


@pytest.fixture
def chat(stack: Stack, browser: Browser) -> Iterator[Chat]:
    opened = a_student(browser, stack, width=1100)
    opened.page.context.set_default_timeout(ANSWER_TIMEOUT_MS)
    yield opened
    opened.page.context.close()


def test_the_greeting_offers_questions(chat: Chat) -> None:
    topics = chat.answers.first.locator(".options .chip")
    title = topics.first.inner_text()
    topics.first.click()

    chat.answers.nth(1).wait_for()
    expect(chat.questions.first.locator(".bubble")).to_have_text(title)


def test_a_question_without_diacritics_is_answered_with_its_source(chat: Chat) -> None:
    chat.ask("thu vien mo cua den may gio")

    expect(chat.answers.last).to_contain_text("20:30")
    expect(chat.sources.first).to_contain_text("Nguồn (")


def test_a_question_that_depends_on_the_cohort_is_asked_back_and_then_answered(chat: Chat) -> None:
    chat.ask(COHORT_QUESTION)
    expect(chat.button("Khóa 48")).to_be_visible()

    # The answer may also depend on major and programme: press until there is a source.
    asked_for = chat.element.locator(".options").get_by_role("button", name=PROFILE, disabled=False)
    while chat.sources.count() == 0:
        said = chat.answers.count()
        asked_for.first.click()
        chat.answers.nth(said).wait_for()

    expect(chat.answers.last).to_contain_text(re.compile(r"B1|[Bb]ậc 3"))


def test_an_answer_can_be_rated_with_a_reason(chat: Chat) -> None:
    chat.ask(LIBRARY_QUESTION)

    with chat.page.expect_response("**/webhooks/web/feedback") as rated:
        chat.button("Chưa đúng ý").click()
    assert rated.value.status == 204
    chat.button("Thiếu ý").click()
    with chat.page.expect_response("**/webhooks/web/feedback") as rated:
        chat.button("Gửi góp ý").click()
    assert rated.value.status == 204
    expect(chat.element.locator(".thanks")).to_have_text("Cảm ơn bạn đã đánh giá!")


def test_what_is_not_in_the_documents_is_not_answered(chat: Chat) -> None:
    chat.ask("Ngày mai trời có mưa không?")

    assert chat.sources.count() == 0
    assert chat.answers.last.locator(".options button").count() > 0


@pytest.mark.parametrize(
    "hostile", ["<img src=x onerror=document.body.remove()>", '/inform{"cohort": "47"}', "👍👍👍"]
)
def test_hostile_text_stays_text(chat: Chat, hostile: str) -> None:
    chat.ask(hostile)

    expect(chat.questions.last.locator(".bubble")).to_have_text(hostile)
    assert chat.log.locator("img").count() == 0


def test_a_person_answers_in_the_same_chat_until_the_student_goes_back(chat: Chat, stack: Stack) -> None:
    chat.menu("Gặp cố vấn")
    chat.button("Nhắn cán bộ tại đây").click()
    expect(chat.element.locator(".bar.person")).to_be_visible()

    office = httpx.Client(
        base_url=f"{stack.url}/webhooks/advisors",
        headers={"Authorization": f"Bearer {ADVISOR_TOKEN}"},
        trust_env=False,
    )
    with office:
        [waiting] = office.get("/conversations", params={"status": "waiting"}).json()["conversations"]
        reply = {"by": "Cô Lan", "text": "Chào em, <b>cô</b> đây."}
        office.post(f"/conversations/{waiting['id']}/reply", json=reply).raise_for_status()

    advisor = chat.element.locator(".turn.advisor")
    expect(advisor.locator(".bubble")).to_have_text("Chào em, <b>cô</b> đây.")
    expect(advisor.locator(".byline")).to_contain_text("Cô Lan")
    expect(chat.element.locator(".bar.person")).to_contain_text("Cô Lan")
    chat.page.reload()
    expect(advisor.locator(".bubble")).to_be_visible()

    chat.button("Quay lại với trợ lý").first.click()
    expect(chat.element.locator(".bar.person")).to_have_count(0)
    chat.ask(LIBRARY_QUESTION)
    expect(chat.answers.last).to_contain_text("20:30")


def test_what_is_erased_is_gone(chat: Chat) -> None:
    chat.ask(LIBRARY_QUESTION)
    chat.menu("Xóa cuộc trò chuyện")
    chat.button("Xóa").click()

    expect(chat.questions).to_have_count(0)
    chat.answers.first.wait_for()
    chat.page.reload()
    chat.answers.first.wait_for()
    expect(chat.questions).to_have_count(0)


def test_when_the_action_server_dies_the_student_is_answered_all_the_same(chat: Chat, stack: Stack) -> None:
    chat.ask(LIBRARY_QUESTION)
    stack.actions().kill()

    chat.ask("Khi nào thì bị cảnh báo học vụ?")
    # Rasa waits for the server, which `covan up` starts again, and says so.
    expect(chat.answers.last.locator("details.sources").first).to_be_visible(timeout=ANSWER_TIMEOUT_MS)
    expect(chat.answers.filter(has_text=re.compile("[Xx]in lỗi"))).to_have_count(1)

    until_ready(f"http://127.0.0.1:{stack.actions_port}/health")
    chat.ask(LIBRARY_QUESTION)
    expect(chat.answers.last.locator("details.sources").first).to_be_visible()


def test_after_a_restart_the_conversation_goes_on_where_it_was(chat: Chat, stack: Stack) -> None:
    chat.ask("Mình là sinh viên khóa 48, ngành công nghệ thông tin, chương trình đại trà")
    before = chat.texts()

    stack.stop()
    stack.start()
    chat.page.reload()
    chat.answers.first.wait_for()

    assert chat.texts() == before
    chat.ask(COHORT_QUESTION)
    expect(chat.answers.last.locator("details.sources").first).to_be_visible()
    expect(chat.answers.last).to_contain_text(re.compile(r"B1|[Bb]ậc 3"))
