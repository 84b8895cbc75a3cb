"""Whatever is searched in the console is found with and without diacritics, and a search without a finding says so."""

from __future__ import annotations

import unicodedata

import pytest
from console_driver import SIZES, Enter, OpenPages
from playwright.sync_api import expect

from console.entry_ranking import rank
from console.faq_files import SearchedEntry, entries_in, rendered
from console.loose_search import has_words, search_words
from console.publishing import Publisher


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


def test_clauses_come_by_their_nearness_to_the_question_and_the_answer(enter: Enter) -> None:
    client = enter("editor")

    def clauses(**wanted: str) -> list[dict[str, str]]:
        return list(client.get("/api/faq/sources", params=wanted).json()["clauses"])

    near = "Ra trường cần TOEIC bao nhiêu?\nKhóa 48 cần TOEIC 450."
    suggested = clauses(near=near)
    assert suggested[0]["document"].startswith("ngoai-ngu")
    assert "TOEIC" in suggested[0]["text"]
    # The words that are typed choose, the question ranks.
    assert {each["document"] for each in clauses(text="quy che", near=near)} == {
        each["document"] for each in clauses(text="quy che")
    }
    assert clauses(text="dieu", near=near)[0] == suggested[0]
    assert clauses() == []
    # Without such words, clauses that share a common one with the question are no suggestion.
    assert len(suggested) <= 10
    unrelated = "Sinh viên chơi bóng rổ ở sân nào?\nSân sau nhà thi đấu, mượn bóng của bảo vệ."
    assert clauses(near=unrelated) == []
    assert clauses(text="sinh vien", near=unrelated) != []
    places = [(each["document"], each["locator"]) for each in suggested]
    assert len(places) == len({*places})


@pytest.mark.parametrize(
    ("text", "nearest_first"),
    [
        ("hoc bong", ["phrase-bare", "phrase", "variant", "words", "answer-phrase", "answer"]),
        ("học bổng", ["phrase", "phrase-bare", "variant", "words", "answer-phrase", "answer"]),
        ("Xin học bổng?", ["exact", "phrase"]),
    ],
)
def test_an_entry_with_the_phrase_in_its_question_comes_first(text: str, nearest_first: list[str]) -> None:
    records = {
        "answer": {"question": "Bổ sung?", "answer": "Bổng lộc không có; học thì có."},
        "answer-phrase": {"question": "Giỏi thì sao?", "answer": "Được học bổng."},
        "words": {"question": "Bổng nào cho người học?", "answer": "a"},
        "variant": {"question": "Hỗ trợ tài chính?", "variants": ["có học bổng không"], "answer": "a"},
        "phrase-bare": {"question": "Hoc bong đá ở đâu?", "answer": "a"},
        "phrase": {"question": "Điều kiện xin học bổng là gì?", "answer": "a"},
        "exact": {"question": "Xin học bổng", "answer": "a"},
    }
    ranks = []
    for name in nearest_first:
        [entry] = entries_in("faq/a.yml", rendered({"id": name, **records[name]}))
        ranks.append(rank(SearchedEntry.of(entry), text))

    assert ranks == sorted({*ranks})


def test_the_list_of_the_faq_is_in_that_order(enter: Enter, publisher: Publisher) -> None:
    entry = {"variants": [], "topic": "study", "applies_to": {}, "sources": []}
    publisher.publish(
        lambda files: files.added(
            {**entry, "question": "Giỏi thì được gì?", "answer": "Được giấy khen vàng."},
            {**entry, "question": "Giấy khen vàng là gì?", "answer": "Là giấy."},
        ),
        ("Cô Mai", "mai"),
        "add",
    )

    found = enter("editor").get("/api/faq", params={"text": "giay khen vang"}).json()["entries"]

    assert [each["question"] for each in found] == ["Giấy khen vàng là gì?", "Giỏi thì được gì?"]


def test_the_list_begins_with_what_a_student_who_asks_would_get(enter: Enter) -> None:
    client = enter("editor")
    listed = client.get("/api/faq").json()

    for wanted in (listed["entries"][-1], listed["entries"][0]):
        found = client.get("/api/faq", params={"near": f"{wanted['question'].lower()} vậy ạ"}).json()
        assert found["entries"][0] == wanted
        assert found["count"] == listed["count"]
    assert client.get("/api/faq", params={"near": "hihi"}).json() == listed


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

    page.goto("/topics")
    topics = page.get_by_test_id("topic")
    page.get_by_role("textbox", name="Tìm chủ đề").fill("ky tuc")
    expect(topics).to_have_count(1)
    expect(topics).to_contain_text("Ký túc xá")
    page.get_by_role("textbox", name="Tìm chủ đề").fill("khong co")
    expect(topics).to_have_count(0)
    expect(page.get_by_text("Thử từ khác")).to_be_visible()

    page.goto("/faq")
    page.get_by_role("button", name="Thêm câu").click()
    form = page.get_by_role("dialog")
    topic = form.get_by_role("combobox", name="Chủ đề")
    topic.fill("khong co")
    expect(
        page.get_by_role("listbox", name="Chủ đề").get_by_text("Không tìm thấy", exact=True)
    ).to_be_visible()
    topic.fill("ky tuc")
    expect(page.get_by_role("option")).to_have_count(1)
    page.get_by_role("option", name="Ký túc xá").click()
    expect(topic).to_have_value("Ký túc xá")

    source = form.get_by_label("Căn cứ")
    source.fill("khong van ban nao noi the")
    expect(form.get_by_text("Không tìm thấy. Thử từ khác")).to_be_visible()
    source.fill("")
    form.get_by_role("textbox", name="Câu hỏi").fill("Bóng rổ chơi ở sân nào?")
    source.click()
    expect(form.get_by_text("Chưa thấy điều khoản nào gần với câu này.")).to_be_visible()
    form.get_by_role("textbox", name="Câu hỏi").fill("TOEIC và IELTS?")
    source.click()
    expect(page.get_by_role("option").first).to_contain_text("TOEIC")
    expect(page.get_by_role("option").first).to_contain_text("ngoại ngữ")
    source.fill("dieu 1 ielts")
    page.get_by_role("option", name="Chuẩn ngoại ngữ đến khóa 48").first.click()
    expect(form.get_by_text("Không tìm thấy. Thử từ khác")).to_be_hidden()
    expect(form.get_by_text("Chuẩn ngoại ngữ đến khóa 48 · ", exact=False)).to_be_visible()
