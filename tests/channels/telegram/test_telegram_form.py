"""Messages as Telegram calls: within its limits, and without text that becomes markup."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from telegram_api import seen

from channels.delivery.markdown import utf16_units
from channels.delivery.message import ADVISOR, NOTICE, STUDENT, Message, Option, Thumbs
from channels.telegram.form import MAX_CALLBACK_DATA, MAX_TEXT, READABLE_TITLE, render

CHAT = {"chat": 11}
HOSTILE = '<img src=x onerror="alert(1)"> </b> & \u202e'
CONTACT = {
    "kind": "contact",
    "name": "Phòng Đào tạo",
    "phone": "0292 3832 663",
    "email": "pdt@truong.edu.vn",
    "address": "Nhà điều hành, tầng 1",
    "map_url": "https://maps.example.com/pdt",
    "hours": "7:30-16:30",
    "note": "Hỏi về học vụ.",
}
CITATION = {
    "document_id": "quy-che",
    "title": "Quy chế đào tạo",
    "number": "08",
    "locator": "Điều 12, khoản 2",
    "quote": "Sinh viên nộp đơn trước khi học kỳ bắt đầu.",
    "url": "https://truong.edu.vn/quy-che.pdf",
}


def texts(said: Message) -> list[str]:
    return [call["text"] for call in render(said, CHAT)]


def rows(said: Message) -> list[list[str]]:
    (*_, last) = render(said, CHAT)
    return [[button["text"] for button in row] for row in last.get("keyboard", [])]


def options(*titles: str) -> dict[str, Any]:
    return {"options": tuple(Option(title, f"id{number}") for number, title in enumerate(titles))}


def test_a_short_answer_is_one_message_to_the_address() -> None:
    address = {"chat": -5, "reply_to": 7, "thread": 9}

    assert render(Message("**Hạn** là 30/9"), address) == [
        {"method": "sendMessage", "chat": -5, "reply_to": 7, "thread": 9, "text": "<b>Hạn</b> là 30/9"}
    ]


def test_a_long_answer_is_several_and_the_buttons_stand_under_the_last() -> None:
    said = Message("Sinh viên được xét học bổng. " * 600, **options("K47"))

    calls = render(said, CHAT)

    assert len(calls) > 1
    assert all(0 < utf16_units(seen(call["text"])) <= MAX_TEXT for call in calls)
    assert ["keyboard" in call for call in calls] == [False] * (len(calls) - 1) + [True]


@pytest.mark.parametrize("author", [NOTICE, ADVISOR, "bot"])
def test_nobodys_words_become_markup(author: str) -> None:
    said = Message(
        HOSTILE,
        author=author,
        by=HOSTILE,
        **options(HOSTILE),
        citations=({**CITATION, "title": HOSTILE, "quote": HOSTILE + "x"},),
        cards=(
            {**CONTACT, "name": HOSTILE, "address": HOSTILE + "y"},
            {"kind": "deadline", "text": HOSTILE + "z", "date": HOSTILE},
        ),
    )

    (text,) = texts(said)

    assert "<img" not in text
    assert '<img src=x onerror="alert(1)"> </b> &' in seen(text)
    assert "\u202e" not in text


def test_an_advisor_is_named_and_their_words_are_markdown_with_their_sources() -> None:
    said = Message("Em **nhớ** nộp <đơn>\n5 < 6", author=ADVISOR, by="Cô Lan", citations=(CITATION,))

    (text,) = texts(said)

    assert text.startswith("<b>Cô Lan (cố vấn):</b>\nEm <b>nhớ</b> nộp &lt;đơn&gt;\n5 &lt; 6")
    assert "Quy chế đào tạo" in text


def test_the_students_own_message_is_not_said_to_them() -> None:
    assert render(Message("học phí", author=STUDENT), CHAT) == []


# --- buttons ----------------------------------------------------------------------------------------------------------


def test_each_option_has_a_row_and_short_ones_share_one() -> None:
    said = Message(
        "Bạn khóa nào?", **options("K45", "K46", "K47", "K48", "Mình không rõ", "Gặp cán bộ tư vấn")
    )

    assert rows(said) == [["K45", "K46", "K47"], ["K48"], ["Mình không rõ"], ["Gặp cán bộ tư vấn"]]
    assert rows(Message("Chắc chưa?", **options("Xóa hết", "Giữ lại"))) == [["Xóa hết"], ["Giữ lại"]]


def test_a_button_carries_the_options_id_and_no_more_than_telegram_takes() -> None:
    (call,) = render(Message("?", options=(Option("K47", "A" * 16),)), CHAT)

    assert call["keyboard"] == [[{"text": "K47", "callback_data": "o:" + "A" * 16}]]
    with pytest.raises(ValueError, match="64 bytes"):
        render(Message("?", options=(Option("K47", "A" * MAX_CALLBACK_DATA),)), CHAT)


def test_titles_that_a_phone_would_cut_stand_in_the_text_too() -> None:
    long = "Điều kiện để được xét học bổng khuyến khích học tập"
    said = Message("Bạn muốn hỏi điều nào?", **options("Học bổng", long, "Không phải ý nào"))

    assert len(long) > READABLE_TITLE
    assert texts(said) == [f"Bạn muốn hỏi điều nào?\n\n1. Học bổng\n2. {long}"]
    assert rows(said) == [["1. Học bổng"], [f"2. {long}"], ["Không phải ý nào"]]


def test_thumbs_stand_beside_each_other_below_everything() -> None:
    said = Message(
        "…", **options("Xem thêm"), thumbs=Thumbs(Option("👍 Hữu ích", "g"), Option("👎 Chưa đúng ý", "b"))
    )

    assert rows(said) == [["Xem thêm"], ["👍 Hữu ích", "👎 Chưa đúng ý"]]


def test_options_without_words_get_some_in_the_language_of_the_conversation() -> None:
    assert texts(Message("", **options("K47"))) == ["Bạn chọn một mục nhé:"]
    assert texts(Message("", **options("K47"), facts={"language": "en"})) == ["Please choose:"]


def test_more_options_than_telegram_takes_are_not_all_shown() -> None:
    calls = render(Message("?", **options(*(f"Lựa chọn số {number}" for number in range(300)))), CHAT)

    assert sum(map(len, calls[-1]["keyboard"])) <= 100


# --- sources and cards ------------------------------------------------------------------------------------------------


def test_an_answer_names_its_sources_with_what_they_say() -> None:
    assert texts(Message("Bạn nộp đơn sớm.", citations=(CITATION, CITATION))) == [
        "Bạn nộp đơn sớm.\n\nNguồn:\n"
        '• <a href="https://truong.edu.vn/quy-che.pdf">Quy chế đào tạo</a>: Điều 12, khoản 2\n'
        "<blockquote expandable>Sinh viên nộp đơn trước khi học kỳ bắt đầu.</blockquote>"
    ]


def test_a_document_is_named_once_with_the_places_in_it() -> None:
    further = {**CITATION, "locator": "Điều 13", "quote": "Nộp muộn không được xét."}

    assert texts(Message("Bạn nộp đơn sớm.", citations=(CITATION, further)))[0].split("Nguồn:\n")[1] == (
        '• <a href="https://truong.edu.vn/quy-che.pdf">Quy chế đào tạo</a>: Điều 12, khoản 2; Điều 13\n'
        "<blockquote expandable><b>Điều 12, khoản 2</b>\nSinh viên nộp đơn trước khi học kỳ bắt đầu.\n"
        "<b>Điều 13</b>\nNộp muộn không được xét.</blockquote>"
    )


def test_a_quotation_that_the_answer_is_made_of_is_not_shown_twice() -> None:
    said = Message("> Sinh viên **nộp đơn** trước khi\n> học kỳ bắt đầu.", citations=(CITATION,))

    assert "expandable" not in texts(said)[0]


@pytest.mark.parametrize(
    "url", [None, "", "quy-che.pdf", "javascript:alert(1)", "http://localhost/x", "https://[bad"]
)
def test_a_source_without_a_page_is_named_all_the_same(url: Any) -> None:
    assert texts(
        Message("Có.", citations=({**CITATION, "url": url, "quote": ""},), facts={"language": "en"})
    ) == ["Có.\n\nSources:\n• Quy chế đào tạo: Điều 12, khoản 2"]


def test_a_contact_can_be_called_written_to_and_found() -> None:
    said = Message("Bạn liên hệ nhé.", cards=(CONTACT,))

    assert texts(said) == [
        "Bạn liên hệ nhé.\n\n<b>Phòng Đào tạo</b>\n📞 0292 3832 663\n✉️ pdt@truong.edu.vn\n"
        "📍 Nhà điều hành, tầng 1\n🕒 7:30-16:30\nHỏi về học vụ."
    ]
    assert render(said, CHAT)[-1]["keyboard"] == [
        [{"text": "Xem bản đồ: Phòng Đào tạo", "url": "https://maps.example.com/pdt"}]
    ]


def test_what_the_answer_says_already_no_card_says_again() -> None:
    card: Mapping[str, Any] = {**CONTACT, "address": "", "hours": "", "note": "", "email": ""}

    assert texts(Message("Bạn gọi **Phòng Đào tạo**, 0292.3832.663.", cards=(card,))) == [
        "Bạn gọi <b>Phòng Đào tạo</b>, 0292.3832.663."
    ]


def test_a_page_is_a_button_and_an_address_that_is_none_is_not() -> None:
    cards = (
        {"kind": "link", "title": "Cổng sinh viên", "url": "https://sv.truong.edu.vn"},
        {"kind": "link", "title": "Hỏng", "url": "javascript:alert(1)"},
    )

    assert render(Message("Xem:", cards=cards), CHAT) == [
        {
            "method": "sendMessage",
            "chat": 11,
            "text": "Xem:\n\nHỏng",
            "keyboard": [[{"text": "Cổng sinh viên", "url": "https://sv.truong.edu.vn"}]],
        }
    ]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("vi", "📅 <b>Hạn: 30/09/2026</b> – Nộp đơn"),
        ("en", "📅 <b>Deadline: 30 September 2026</b> – Nộp đơn"),
    ],
)
def test_a_deadline_is_a_line(language: str, line: str) -> None:
    card = {"kind": "deadline", "text": "Nộp đơn", "date": "2026-09-30"}

    assert texts(Message("Nhớ nhé.", cards=(card,), facts={"language": language})) == [f"Nhớ nhé.\n\n{line}"]
    assert texts(Message("Nộp đơn nhé.", cards=(card,)))[0].endswith("📅 <b>Hạn: 30/09/2026</b>")


def test_deadlines_that_the_answer_explains_share_a_line() -> None:
    cards = tuple(
        {"kind": "deadline", "text": text, "date": date}
        for text, date in (
            ("Hạn nộp: học kỳ 1 ngày 15/10", "2026-10-15"),
            ("Hạn nộp: … học kỳ 2 ngày 15/3", "2027-03-15"),
        )
    )

    assert texts(Message("Hạn nộp: học kỳ 1 ngày **15/10**, học kỳ 2 ngày 15/3.", cards=cards))[0].endswith(
        "\n\n📅 <b>Hạn: 15/10/2026 · 15/03/2027</b>"
    )


def test_a_card_of_a_kind_of_tomorrow_does_no_harm() -> None:
    assert texts(Message("Có.", cards=({"kind": "hologram"},))) == ["Có."]
