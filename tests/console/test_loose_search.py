"""Whatever is searched in the console is found with and without diacritics, and a search without a finding says so."""

from __future__ import annotations

import unicodedata

import pytest
from console_driver import SIZES, Enter, OpenPages
from playwright.sync_api import expect

from console.loose_search import has_words, search_words


@pytest.mark.parametrize("typed", ["học phí", "hoc phi", "HỌC PHÍ", "phi  hoc", "đinh", "DINH", "oc ph", ""])
def test_words_are_found_as_people_type_them(typed: str) -> None:
    text = "Quy định về mức học phí"

    for form in ("NFC", "NFD"):
        assert has_words(unicodedata.normalize(form, text), search_words(unicodedata.normalize(form, typed)))


@pytest.mark.parametrize("typed", ["học bổng", "hoc phi lop", "dhinh"])
def test_other_words_are_not(typed: str) -> None:
    assert not has_words("Quy định về mức học phí", search_words(typed))


@pytest.mark.parametrize(
    "text", ["chuẩn toeic", "chuan toeic", "CHUAN TOEIC", "Điều 1 ielts", "dieu 1 ielts"]
)
def test_a_clause_to_rest_on_is_found(enter: Enter, text: str) -> None:
    clauses = enter("editor").get("/api/faq/sources", params={"text": text}).json()["clauses"]

    assert "ngoai-ngu-k48" in {clause["document"] for clause in clauses}


@pytest.mark.parametrize("text", ["tín chỉ tối đa", "tin chi toi da"])
def test_an_entry_is_found(enter: Enter, text: str) -> None:
    [first, *_] = enter("editor").get("/api/faq", params={"text": text}).json()["entries"]

    assert first["question"] == "Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?"


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_lists_and_choosers_find_without_diacritics(open_pages: OpenPages, size: tuple[int, int]) -> None:
    page = open_pages("editor", size)
    page.goto("/documents")
    page.get_by_placeholder("Tìm theo tên hoặc số hiệu").fill("ngoai ngu 48")
    expect(page.get_by_test_id("drop").locator(".list .row")).to_have_count(1)

    page.goto("/faq")
    page.get_by_role("button", name="Thêm câu").click()
    form = page.get_by_role("dialog")
    topic = form.get_by_role("combobox", name="Chủ đề")
    topic.fill("khong co")
    expect(page.get_by_text("Không tìm thấy", exact=True)).to_be_visible()
    topic.fill("ky tuc")
    expect(page.get_by_role("option")).to_have_count(1)
    page.get_by_role("option", name="Ký túc xá").click()
    expect(topic).to_have_value("Ký túc xá")

    source = form.get_by_label("Căn cứ")
    source.fill("khong van ban nao noi the")
    expect(form.get_by_text("Không tìm thấy. Thử từ khác")).to_be_visible()
    source.fill("dieu 1 ielts")
    page.get_by_role("option", name="Chuẩn ngoại ngữ đến khóa 48").first.click()
    expect(form.get_by_text("Không tìm thấy. Thử từ khác")).to_be_hidden()
    expect(form.get_by_text("Chuẩn ngoại ngữ đến khóa 48 · ", exact=False)).to_be_visible()
