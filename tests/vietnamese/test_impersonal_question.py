"""A question about a matter is told from talk to the bot or about oneself."""

from __future__ import annotations

import pytest

from vietnamese.impersonal_question import (
    asks_for_a_person,
    asks_for_amount,
    asks_for_any,
    asks_for_consequence,
    asks_for_offer,
    asks_to_meet_an_office,
    is_impersonal_question,
    reason_beside_a_person,
)


@pytest.mark.parametrize(
    "text",
    [
        "Mức khen thưởng do ai quyết định?",
        "Khi nào sinh viên bị xóa tên khỏi danh sách lớp?",
        "Học phần là gì?",
        "Lớp chuyên ngành được tổ chức như thế nào?",
        "hoc phan nao khong duoc xoa",
        "Who decides on the amount of an award?",
        "What is this major about?",
    ],
)
def test_a_question_about_a_matter(text: str) -> None:
    assert is_impersonal_question(text)


@pytest.mark.parametrize(
    "text",
    [
        *("bạn là ai", "em học ngành gì bạn nhớ không", "xóa hết thông tin của mình đi", "who are you"),
        *("hỏi gì cũng không biết", "còn gì nữa không", "là sao", "không cần đâu ạ", "trả lời gì kỳ vậy"),
        *(
            "nhân viên hỗ trợ đâu rồi",
            "lam lai tu dau",
            "what can you do",
            "what can this bot do",
            "",
            "đây là kênh gì",
        ),
    ],
)
def test_talk(text: str) -> None:
    assert not is_impersonal_question(text)


@pytest.mark.parametrize(
    "text", ["phi ship ai tra", "phí gửi thư ai trả vậy", "ai trực ở phòng y tế", "buoi toi co ai k"]
)
def test_who_pays_and_who_is_there_is_asked_of_the_school(text: str) -> None:
    assert is_impersonal_question(text) is ("vậy" not in text)


@pytest.mark.parametrize(
    "text", ["bot trả lời kiểu gì thế", "ai trả lời em vậy", "cho em gặp trực tiếp ai đó"]
)
def test_answers_and_meetings_are_of_the_talk(text: str) -> None:
    assert not is_impersonal_question(text)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("thiếu bao nhiêu nữa lên xuất sắc", True),
        ("em còn bao lâu nữa thì hết hạn", True),
        ("do rac may gio", True),
        ("bot bao nhiêu tuổi rồi", False),
        ("how old are you and how much do you know", False),
        ("cảm ơn bạn nhiều lắm", False),
    ],
)
def test_who_asks_for_an_amount_asks_about_a_matter(text: str, asks: bool) -> None:
    assert asks_for_amount(text) is asks


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("trường có câu lạc bộ nào không", True),
        ("truong minh co clb nao ko ad", True),
        ("có học bổng nào cho sinh viên nghèo không", True),
        ("trường hỗ trợ gì", False),
        ("ngành này có gì hay", False),
        ("em có được học không", False),
    ],
)
def test_who_asks_whether_there_is_any_names_no_one(text: str, asks: bool) -> None:
    assert asks_for_any(text) is asks


@pytest.mark.parametrize(
    ("text", "asks"),
    [("k khai bi sao", True), ("không khai thì bị gì", True), ("không sao", False), ("bị sao", False)],
)
def test_who_asks_what_follows_asks_about_a_matter(text: str, asks: bool) -> None:
    assert asks_for_consequence(text) is asks


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("do you also have a medical school", True),
        ("is there a gym on campus", True),
        ("do you have a name", False),
        ("is there someone I can talk to", False),
        ("what do you know about me", False),
    ],
)
def test_a_question_about_what_there_is_is_known_from_talk(text: str, asks: bool) -> None:
    assert asks_for_offer(text) is asks


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("cho e gap co van voi a, e bi sai diem hoc phan", True),
        ("Em đóng nhầm học phí. Cho em nói chuyện với người thật đi", True),
        ("Can I talk to a person please, my grade is wrong", True),
        ("Em muốn gặp cố vấn ạ. Em bị sai điểm học phần", True),
        ("e muon gap co van hoc tap thi gap o dau", False),
        ("can gap, giay xac nhan bao lau co", False),
        ("gặp cố vấn ở đâu ạ", False),
        ("can I talk to my roommate about it", False),
    ],
)
def test_a_request_for_a_person_is_known_beside_its_reason(text: str, asks: bool) -> None:
    assert asks_for_a_person(text) is asks


@pytest.mark.parametrize(
    ("text", "gives"),
    [
        ("Cho e gặp cố vấn vs ạ, e bị sai điểm học phần", True),
        ("em bi tru tien hai lan. cho em gap can bo voi", True),
        ("ad ơi, cho em gặp cố vấn ạ", False),
        ("cho em gặp người thật", False),
        ("em bị trừ tiền hai lần, phải làm sao", False),
    ],
)
def test_a_reason_stands_beside_the_request_for_a_person(text: str, gives: bool) -> None:
    assert reason_beside_a_person(text) is gives


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("cho em gặp phòng tài chính với ạ", True),
        ("phòng ktx em bị dột nước, cho em gặp ban quản lý", True),
        ("em muon gap thay phu trach thuc tap", True),
        ("cho em gặp phòng nào để xin giấy", False),
        ("gặp phòng đào tạo ở đâu ạ", False),
        ("cho em hỏi phòng tài chính ở đâu", False),
    ],
)
def test_a_request_to_meet_an_office_is_known(text: str, asks: bool) -> None:
    assert asks_to_meet_an_office(text) is asks
