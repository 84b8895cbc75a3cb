"""Tables that cannot be used say so where they were chosen, what is wrong and what to do."""

from __future__ import annotations

import pytest
from console_driver import SIZES, OpenPages, in_view
from playwright.sync_api import FilePayload, expect

pytestmark = pytest.mark.browser

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


def file(content: bytes, name: str = "nhan.csv") -> FilePayload:
    return {"name": name, "mimeType": "text/csv", "buffer": content}


@pytest.mark.parametrize("size", SIZES)
def test_labelled_questions_that_cannot_be_used(open_pages: OpenPages, size: tuple[int, int]) -> None:
    page = open_pages("editor", size)
    page.goto("/models")
    page.get_by_role("tab", name="Ngưỡng trả lời").click()
    upload = page.locator("input[type=file]")
    told = page.get_by_role("alert")
    for content, words in (
        (PNG, "Tệp này không phải bảng chữ"),
        (b"PK\x03\x04 a workbook", "Đây là tệp Excel"),
        (b"id,question\n1,a\n", "chưa cho biết thế nào là đúng"),
    ):
        upload.set_input_files(file(content))
        expect(told).to_contain_text(words)
        expect(told).to_contain_text("nhan.csv")
        assert in_view(page)

    page.get_by_role("button", name="English").click()
    # The page asks in English once its texts are there.
    expect(page.locator("html")).to_have_attribute("lang", "en")
    upload.set_input_files(file(b"id,question,decision\n1,a,maybe\n"))
    expect(told).to_contain_text("1 problem in the questions")
    expect(told).to_contain_text("the decision must be one of")


@pytest.mark.parametrize("size", SIZES)
def test_labels_that_name_nothing_of_the_school(open_pages: OpenPages, size: tuple[int, int]) -> None:
    page = open_pages("editor", size)
    page.goto("/models")
    page.get_by_role("tab", name="Ngưỡng trả lời").click()
    page.locator("input[type=file]").set_input_files(
        file(b"id,question,decision,source,note\n1,a,answer,tuition-048,\n")
    )

    told = page.get_by_test_id("unknown-labels")
    expect(told).to_contain_text("2 chỗ trong tệp câu hỏi không khớp với dữ liệu của trường")
    expect(told).to_contain_text("Dòng 2, cột source: trường không có “tuition-048”")
    expect(told).to_contain_text("cột note không được dùng đến")
    assert in_view(page)


@pytest.mark.parametrize("size", SIZES)
def test_names_for_labels_are_found_on_the_page(open_pages: OpenPages, size: tuple[int, int]) -> None:
    page = open_pages("editor", size)
    page.goto("/models")
    page.get_by_role("tab", name="Ngưỡng trả lời").click()
    names = page.get_by_test_id("label-names")
    expect(names).to_contain_text("trả lời, hỏi lại hoặc không trả lời")
    names.get_by_label("Tìm tên để ghi vào tệp").fill("han dong")

    expect(names.get_by_test_id("label-name")).to_have_count(1)
    expect(names.get_by_test_id("label-name")).to_contain_text("Hạn đóng học phí là ngày nào?")
    expect(names.get_by_role("button", name="Chép tên: Hạn đóng học phí là ngày nào?")).to_be_visible()
    assert in_view(page)


def test_a_table_of_questions_that_cannot_be_used(open_pages: OpenPages) -> None:
    page = open_pages("editor", (1280, 800))
    page.goto("/faq")
    upload = page.locator("input[type=file]")
    upload.wait_for(state="attached")
    # The same file, chosen again, is read again.
    for _ in range(2):
        upload.set_input_files(file(PNG))
        told = page.get_by_text("Tệp này không phải bảng chữ").last
        expect(told).to_be_visible()
        page.locator(".mantine-Notification-closeButton").first.click()
        expect(page.get_by_text("Tệp này không phải bảng chữ")).to_have_count(0)
