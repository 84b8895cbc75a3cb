"""Messages in Messenger's form: what a student reads, and that Facebook takes all of it."""

import pytest
from plain_forms import MESSENGER, OFFICE, THUMBS, options

from channels.messenger.form import quick_replies

NOBODY = {
    "kind": "contact",
    "name": "Văn phòng Khoa",
    "phone": "",
    "email": "",
    "address": "",
    "map_url": "",
    "hours": "",
}

rendered, titles = MESSENGER.rendered, MESSENGER.titles


# --- text -------------------------------------------------------------------------------------------------------------


def test_sources_stand_under_the_answer_each_document_once():
    clause = {
        "document_id": "qc",
        "title": "Quy chế",
        "locator": "Điều 12",
        "quote": "…",
        "url": "https://x.vn/qc",
    }
    handbook = {**clause, "title": "Sổ tay", "locator": "", "url": "javascript:alert(1)"}
    unnamed = {**clause, "title": "", "locator": "", "url": "https://x.vn/a"}
    citations = (clause, clause, handbook, {**clause, "locator": "Điều 13, khoản 2"}, unnamed, {})

    assert rendered("Được.", citations=citations)[0]["text"] == (
        "Được.\n\nNguồn:\n• Quy chế: Điều 12; Điều 13, khoản 2\nhttps://x.vn/qc\n• Sổ tay\n• https://x.vn/a"
    )
    assert "\n\nSources:\n" in rendered("Yes.", citations=citations, facts={"language": "en"})[0]["text"]


def test_a_deadline_is_a_line():
    card = {"kind": "deadline", "text": "nộp học phí", "date": "2026-09-30"}

    assert rendered("Sắp hết hạn.", cards=(card,)) == [
        {"text": "Sắp hết hạn.\n\n⏰ Hạn 30/09/2026: nộp học phí"}
    ]
    assert rendered("", cards=({**card, "text": "trước 30/09/2026"},)) == [{"text": "⏰ trước 30/09/2026"}]
    assert rendered("", cards=({**card, "text": ""},)) == [{"text": "⏰ Hạn 30/09/2026"}]
    assert rendered("", cards=({**card, "date": "tuần sau"},)) == [{"text": "⏰ Hạn tuần sau: nộp học phí"}]


# --- options ----------------------------------------------------------------------------------------------------------


def test_an_option_is_a_quick_reply_that_carries_its_id_only():
    assert rendered("Khóa nào?", options=options("K47"))[0]["quick_replies"] == [
        {"content_type": "text", "title": "K47", "payload": "o:id1"}
    ]


def test_long_titles_stand_in_the_text_under_the_number_that_is_on_the_button():
    (message,) = rendered(
        "Bạn hỏi về điều nào?",
        options=options(
            "Điều kiện xét tốt nghiệp sớm",
            "Học phí",
            "Điều kiện xét tốt nghiệp đúng hạn",
            "Không phải",
            "Gặp cố vấn",
        ),
    )

    assert message["text"] == (
        "Bạn hỏi về điều nào?\n\n"
        "1. Điều kiện xét tốt nghiệp sớm\n2. Học phí\n3. Điều kiện xét tốt nghiệp đúng hạn"
    )
    assert titles(message) == [
        "1. Điều kiện xét…",
        "2. Học phí",
        "3. Điều kiện xét…",
        "Không phải",
        "Gặp cố vấn",
    ]


def test_titles_that_fit_are_not_repeated_in_the_text():
    (message,) = rendered("Khóa nào?", options=options("x" * 20, "K48"))

    assert message["text"] == "Khóa nào?"
    assert titles(message) == ["x" * 20, "K48"]


def test_a_number_that_makes_a_title_too_long_cuts_it():
    replies, listed = quick_replies(options("đ" * 20, "đ" * 21))

    assert [reply["title"] for reply in replies] == ["1. " + "đ" * 16 + "…", "2. " + "đ" * 16 + "…"]
    assert listed == ["đ" * 20, "đ" * 21]


def test_thumbs_come_after_the_options_while_there_is_room():
    assert titles(rendered("Được.", thumbs=THUMBS)[0]) == ["👍", "👎"]
    assert titles(rendered("Được.", options=options(*"abcdefghijk"), thumbs=THUMBS)[0])[-2:] == ["👍", "👎"]
    assert titles(rendered("Được.", options=options(*"abcdefghijkl"), thumbs=THUMBS)[0]) == list(
        "abcdefghijkl"
    )


@pytest.mark.parametrize(
    "title",
    [
        "👩‍🎓" * 9,
        "a" * 16 + "👍🏽👍🏽",
        "o\u0302\u0323" * 30,
        " ".join("ab" * 12),
        "\u202eevil" * 9,
        "a\nb" * 9,
    ],
)
def test_a_title_is_not_cut_within_a_letter_or_an_emoji(title):
    (message,) = rendered("?", options=options(title, title))
    cut = titles(message)[0]

    assert cut.startswith("1. ")
    assert cut.endswith("…")
    assert "\u202e" not in cut
    assert "\n" not in cut
    assert not cut[:-1].endswith("\u200d")
    assert len(set(titles(message))) == 2


# --- cards ------------------------------------------------------------------------------------------------------------


def test_an_office_is_all_in_one_message_with_a_tap_to_call_and_to_the_map():
    text, office = rendered("Liên hệ nhé.", cards=(OFFICE,), options=options("Học phí"))

    assert text == {"text": "Liên hệ nhé."}
    payload = office["attachment"]["payload"]
    assert payload["text"].split("\n") == [
        "Phòng Đào tạo",
        "☎ (0292) 3832 663 - máy lẻ 12",
        "✉ pdt@truong.edu.vn",
        "📍 Khu II, đường 3/2",
        "🕐 Thứ 2-6, 7:30-17:00",
        "hồ sơ, bảng điểm",
    ]
    assert payload["buttons"] == [
        {"type": "phone_number", "title": "Gọi điện", "payload": "+842923832663"},
        {"type": "web_url", "title": "Xem bản đồ", "url": "https://maps.example/pdt"},
    ]
    assert titles(office) == ["Học phí"]


def test_of_several_offices_all_is_in_the_text_and_a_carousel_has_what_can_be_tapped():
    text, carousel = rendered("Liên hệ nhé.", cards=(OFFICE, NOBODY, {**OFFICE, "name": "Phòng " + "Đ" * 99}))

    assert "✉ pdt@truong.edu.vn" in text["text"]
    assert "Văn phòng Khoa" in text["text"]
    elements = carousel["attachment"]["payload"]["elements"]
    assert [element["title"][:9] for element in elements] == ["Phòng Đào", "Phòng ĐĐĐ"]
    assert [button["type"] for button in elements[1]["buttons"]] == ["phone_number", "web_url"]


def test_a_link_is_a_button_under_the_answer():
    links = ({"kind": "link", "title": "Cổng thông tin", "url": "https://x.vn"},)
    (message,) = rendered("Xem ở đây.", cards=links, options=options("Học phí"))

    payload = message["attachment"]["payload"]
    assert payload["text"] == "Xem ở đây."
    assert payload["buttons"] == [{"type": "web_url", "title": "Cổng thông tin", "url": "https://x.vn"}]
    assert titles(message) == ["Học phí"]


def test_the_whole_title_of_a_link_can_be_read():
    link = {"kind": "link", "title": "Biểu mẫu đăng ký học phần tự chọn", "url": "https://x.vn"}
    (message,) = rendered("Xem ở đây.", cards=(link,))

    payload = message["attachment"]["payload"]
    assert payload["text"] == "Xem ở đây.\n\n• Biểu mẫu đăng ký học phần tự chọn"
    assert payload["buttons"][0]["title"] == "Biểu mẫu đăng ký…"


@pytest.mark.parametrize(("text", "count"), [("Xem ở đây.", 4), ("x" * 641, 1), ("", 2)])
def test_links_that_do_not_fit_under_the_answer_come_after_it(text, count):
    links = tuple({"kind": "link", "title": f"Trang {n}", "url": f"https://x.vn/{n}"} for n in range(count))
    found = rendered(text, cards=links)

    templates = [message["attachment"]["payload"] for message in found if "attachment" in message]
    assert [button["url"] for each in templates for button in each["buttons"]] == [
        link["url"] for link in links
    ]
    assert "\n".join(each["text"] for each in templates).split("\n") == [f"• Trang {n}" for n in range(count)]
    assert [message for message in found if "text" in message] == ([{"text": text}] if text else [])
