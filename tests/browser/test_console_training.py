"""A message that was not understood is labelled, and a model is trained on it and promoted, with the real servers."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from real_stack import ADVISOR, TIMEOUT_MS, Stack, a_student, running

pytestmark = [pytest.mark.browser, pytest.mark.stack]

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"
UNSURE = "thầy ơi vụ kia k47 sao rồi ta"
PAUSE_MS = 3_500
"""Between the messages of a student, who may send so many a minute."""

SURE = 0.7
TRAINING_MS = 1_200_000
"""The index is built and Rasa trains, beside the other tests."""

GOES_ON = ("Xin bảng điểm ở đâu?", "Hạn đóng học phí là ngày nào?")
"""The questions that a student asks again and again while a model is trained."""

SELECT = """(element, name) => {
  const words = element.firstChild, at = words.data.indexOf(name), range = document.createRange();
  range.setStart(words, at + 1);
  range.setEnd(words, at + name.length);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}"""


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The servers over the small school, which is indexed in seconds."""
    knowledge = Path(shutil.copytree(SMALL_SCHOOL, tmp_path_factory.mktemp("school") / "knowledge"))
    with running(Stack(tmp_path_factory.mktemp("state"), knowledge)) as stack:
        yield stack


def test_an_unsure_message_is_labelled_trained_compared_promoted_and_understood(
    browser: Browser, stack: Stack, console: Page
) -> None:
    a_student(browser, stack).ask(UNSURE)
    assert understood(console, stack, 1)[0] != "ask_study"

    label(console)
    labelled = stack.knowledge / "nlu" / "messages.yml"
    assert "- thầy ơi vụ kia {cohort} sao rồi ta" in labelled.read_text(encoding="utf-8")

    # A student talks all the while, and is known from the first message on.
    student = a_student(browser, stack)
    student.ask("Mình là sinh viên khóa 48, ngành công nghệ thông tin, chương trình đại trà")
    asked = 1
    console.get_by_role("link", name="Dạy Covan hiểu").click()
    console.get_by_role("button", name="Huấn luyện ngay").click()
    candidate, training = console.get_by_test_id("candidate"), console.get_by_test_id("training")
    expect(training).to_be_visible()
    deadline = time.monotonic() + TRAINING_MS / 1_000
    while training.count():
        assert time.monotonic() < deadline
        console.wait_for_timeout(PAUSE_MS)
        student.ask(GOES_ON[asked % 2])
        asked += 1

    # The new model is not live: what it would change is looked at first.
    expect(candidate.get_by_test_id("changed-message").filter(has_text=UNSURE)).to_contain_text("Học vụ")
    expect(candidate.get_by_test_id("changed-label").filter(has_text="thầy ơi vụ")).to_contain_text("Học vụ")
    a_student(browser, stack).ask(UNSURE)
    assert understood(console, stack, 2)[0] != "ask_study"

    candidate.get_by_role("button", name="Đưa vào dùng").click()
    console.get_by_role("dialog").get_by_role("button", name="Đưa vào dùng").click()
    for _ in range(4):
        student.ask(GOES_ON[asked % 2])
        asked += 1
    expect(console.get_by_text("Covan đang dùng mô hình mới.")).to_be_visible(timeout=2 * TIMEOUT_MS)
    expect(candidate).to_have_count(0)

    a_student(browser, stack).ask(UNSURE)
    intent, probability = understood(console, stack, 3)
    assert intent == "ask_study"
    assert probability >= SURE
    # Nothing of the conversation is lost, and what it knows of the student is known.
    student.ask("Chuẩn ngoại ngữ để tốt nghiệp là gì?")
    expect(student.questions).to_have_count(asked + 1)
    expect(student.answers.last).to_contain_text("TOEIC 450")
    said = "\n".join(student.answers.all_inner_texts())
    assert "xin lỗi" not in said.lower()

    # The model before is one press away.
    console.get_by_role("button", name="Quay lại mô hình trước").click()
    console.get_by_role("dialog").get_by_role("button", name="Quay lại mô hình trước").click()
    expect(console.get_by_text("Đã quay lại mô hình trước.")).to_be_visible(timeout=2 * TIMEOUT_MS)
    a_student(browser, stack).ask(UNSURE)
    assert understood(console, stack, 4)[0] != "ask_study"
    expect(console.get_by_test_id("history")).to_contain_text(f"{ADVISOR} · quay lại mô hình")


def label(console: Page) -> None:
    """Label the unsure message as a question on studies that names a cohort."""
    console.get_by_role("link", name="Dạy Covan hiểu").click()
    message = console.get_by_test_id("unsure").filter(has_text="thầy ơi vụ")
    # The cohort is marked already; without the mark, it is selected as by hand, its first letter missed.
    message.locator("mark").click()
    expect(message.locator("mark")).to_have_count(0)
    words = message.get_by_text(UNSURE)
    words.evaluate(SELECT, "k47")
    message.get_by_role("button", name="khóa", exact=True).click()
    expect(message.locator("mark")).to_have_text("k47")
    message.get_by_role("combobox", name="Ý định").click()
    console.get_by_role("option", name="Học vụ", exact=True).click()
    console.get_by_role("button", name="Lưu 1 nhãn").click()

    expect(console.get_by_text("Đã lưu 1 nhãn.")).to_be_visible()
    expect(message).to_have_count(0)
    console.get_by_test_id("saved-labels").get_by_role("link", name="Phiên bản").click()
    expect(console.get_by_test_id("changed-thing")).to_contain_text("thầy ơi vụ kia {cohort} sao rồi ta")


def understood(console: Page, stack: Stack, times: int) -> tuple[str, float]:
    """Return the intent, and its probability, of the unsure message when it was asked for the last of `times`."""
    deadline = time.monotonic() + TIMEOUT_MS / 1_000
    address = f"{stack.console_url}/api/conversations"
    turns: list[dict[str, int]] = []
    # A trace is stored a moment after its reply.
    while len(turns) < times:
        assert time.monotonic() < deadline
        time.sleep(0.2)
        turns = console.request.get(address, params={"text": UNSURE}).json()["turns"]
    found = console.request.get(f"{address}/{turns[0]['id']}").json()
    intents = found["turns"][str(turns[0]["turn_id"])]["trace"]["intents"]
    intent = max(intents, key=intents.get)
    return intent, intents[intent]
