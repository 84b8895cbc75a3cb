"""Messages in Zalo's form: what a student reads, and that Zalo takes all of it."""

import pytest
from plain_forms import LINK, NOTHING_TO_TAP, OFFICE, THUMBS, ZALO, buttons, options

from channels.zalo.form import MAX_BUTTONS, MAX_TEXT

rendered = ZALO.rendered


def titles(message):
    return [button["title"] for button in buttons(message)]


# --- text -------------------------------------------------------------------------------------------------------------


def test_an_emoji_counts_as_two_so_that_no_way_of_counting_refuses_it():
    found = rendered("😀" * MAX_TEXT)

    assert [len(message["text"]) for message in found] == [MAX_TEXT // 2] * 2


def test_sources_and_deadlines_stand_under_the_answer():
    clause = {"title": "Quy chế", "locator": "Điều 12", "url": "https://x.vn/qc"}
    deadline = {"kind": "deadline", "text": "nộp học phí", "date": "2026-09-30"}

    assert rendered("Được.", citations=(clause,), cards=(deadline,)) == [
        {"text": "Được.\n\n⏰ Hạn 30/09/2026: nộp học phí\n\nNguồn:\n• Quy chế: Điều 12\nhttps://x.vn/qc"}
    ]


# --- options ----------------------------------------------------------------------------------------------------------


def test_an_option_is_a_button_that_sends_its_id_and_shows_nothing_of_it():
    (message,) = rendered("Khóa nào?", options=options("K47"))

    assert buttons(message) == [{"title": "K47", "type": "oa.query.hide", "payload": "#o:id1"}]


@pytest.mark.parametrize(
    ("count", "split"),
    [(1, [3]), (3, [5]), (4, [4]), (5, [5]), (6, [5, 3]), (8, [5, 5]), (9, [5, 4]), (13, [5, 5, 5])],
)
def test_more_options_than_a_message_takes_are_several_messages(count, split):
    names = [f"K{number}" for number in range(count)]
    found = rendered("Khóa nào?", options=options(*names), thumbs=THUMBS)

    assert [len(buttons(message)) for message in found] == split
    assert [title for message in found for title in titles(message)][:count] == names
    assert [message["text"] for message in found] == ["Khóa nào?"] + ["Bạn chọn một mục nhé:"] * (
        len(split) - 1
    )
    rest = [title for message in found for title in titles(message)][count:]
    assert rest in ([], ["👍", "👎"]), "both thumbs or none"


def test_titles_that_are_too_long_stand_in_the_text_under_the_number_on_the_button():
    long = "Điều kiện " * 20
    (message,) = rendered("Điều nào?", options=options(long, "Học phí", "Không phải"))

    assert message["text"] == f"Điều nào?\n\n1. {long.strip()}"
    assert titles(message)[0].startswith("1. Điều kiện")
    assert titles(message)[0].endswith("…")
    assert titles(message)[1:] == ["Học phí", "Không phải"]


# --- cards ------------------------------------------------------------------------------------------------------------


def test_an_office_is_in_the_text_with_a_tap_to_call_and_to_the_map():
    (message,) = rendered("Liên hệ nhé.", cards=(OFFICE,), options=options("Học phí"))

    assert message["text"].split("\n")[2:] == [
        "Phòng Đào tạo",
        "☎ (0292) 3832 663 - máy lẻ 12",
        "✉ pdt@truong.edu.vn",
        "📍 Khu II, đường 3/2",
        "🕐 Thứ 2-6, 7:30-17:00",
        "hồ sơ, bảng điểm",
    ]
    assert buttons(message) == [
        {"title": "Gọi điện", "type": "oa.open.phone", "payload": {"phone_code": "842923832663"}},
        {"title": "Xem bản đồ", "type": "oa.open.url", "payload": {"url": "https://maps.example/pdt"}},
        {"title": "Học phí", "type": "oa.query.hide", "payload": "#o:id1"},
    ]


def test_of_several_offices_each_button_says_whose_it_is():
    (message,) = rendered(
        "Liên hệ nhé.", cards=(OFFICE, NOTHING_TO_TAP, {**OFFICE, "name": "Thư viện", "map_url": ""})
    )

    assert titles(message) == ["Gọi điện: Phòng Đào tạo", "Xem bản đồ: Phòng Đào tạo", "Gọi điện: Thư viện"]


def test_links_and_options_that_do_not_fit_together_are_two_messages():
    links = tuple({**LINK, "title": f"Trang {n}"} for n in range(4))
    first, second = rendered("Xem ở đây.", cards=links, options=options("K47", "K48"))

    assert (first["text"], titles(first)) == ("Xem ở đây.", [f"Trang {n}" for n in range(4)])
    assert (second["text"], titles(second)) == ("Bạn chọn một mục nhé:", ["K47", "K48"])


def test_links_alone_are_given_a_text():
    first, second = rendered("", cards=tuple({**LINK, "title": f"Trang {n}"} for n in range(6)))

    assert first["text"] == second["text"] == "Bạn xem thêm ở đây nhé:"
    assert [len(buttons(first)), len(buttons(second))] == [MAX_BUTTONS, 1]
