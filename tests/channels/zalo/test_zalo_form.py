"""Messages in Zalo's form: what a student reads, and that Zalo takes all of it."""

import random

import pytest
from zalo_api import check_message

from channels.delivery.message import ADVISOR, NOTICE, Message, Option, Thumbs
from channels.zalo.form import MAX_BUTTONS, MAX_TEXT, calls

OFFICE = {
    "kind": "contact",
    "name": "Phòng Đào tạo",
    "phone": "(0292) 3832 663 - máy lẻ 12",
    "email": "pdt@truong.edu.vn",
    "address": "Khu II, đường 3/2",
    "map_url": "https://maps.example/pdt",
    "hours": "Thứ 2-6, 7:30-17:00",
    "note": "hồ sơ, bảng điểm",
}
NOBODY = {"kind": "contact", "name": "Văn phòng Khoa", "phone": "1900 1234", "map_url": "geo:1,2"}
LINK = {"kind": "link", "title": "Cổng thông tin", "url": "https://x.vn"}
THUMBS = Thumbs(Option("👍", "good"), Option("👎", "bad"))


def options(*titles):
    return tuple(Option(title, f"id{number}") for number, title in enumerate(titles, 1))


def rendered(text="", **rest):
    """The messages of the calls, each of which Zalo would take."""
    found = [call["message"] for call in calls(Message(text, **rest))]
    for message in found:
        check_message(message)
    return found


def buttons(message):
    return message["attachment"]["payload"]["buttons"] if "attachment" in message else []


def titles(message):
    return [button["title"] for button in buttons(message)]


# --- text -------------------------------------------------------------------------------------------------------------


def test_markdown_becomes_plain_text():
    assert rendered("**Hạn:** 30/9, xem [quy chế](https://x.vn/qc).\n\n- một\n- hai") == [
        {"text": "Hạn: 30/9, xem quy chế (https://x.vn/qc).\n\n• một\n• hai"}
    ]


def test_what_a_person_wrote_stays_as_written_under_their_name():
    assert rendered("1 * 2 * 3\n# một", author=ADVISOR, by="Cô Lan") == [
        {"text": "Cô Lan (cố vấn):\n1 * 2 * 3\n# một"}
    ]


def test_a_notice_is_the_houses_own_markdown():
    assert rendered("**Cô Lan** đã vào.", author=NOTICE) == [{"text": "Cô Lan đã vào."}]


def test_a_long_text_is_several_messages_with_what_can_be_pressed_on_the_last():
    text = " ".join(f"Câu thứ {number} của một câu trả lời dài." for number in range(300))
    found = rendered(text, options=options("Học phí"), thumbs=THUMBS)

    assert len(found) > 3
    assert " ".join(message["text"] for message in found) == text
    assert [bool(buttons(message)) for message in found] == [False] * (len(found) - 1) + [True]


def test_an_emoji_counts_as_two_so_that_no_way_of_counting_refuses_it():
    found = rendered("😀" * MAX_TEXT)

    assert [len(message["text"]) for message in found] == [MAX_TEXT // 2] * 2


def test_nothing_to_say_is_no_call():
    assert rendered("") == rendered(" \n ") == []


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


def test_choices_without_a_text_are_given_one():
    (message,) = rendered("", options=options("K47"), facts={"language": "en"})

    assert (message["text"], titles(message)) == ("Please choose:", ["K47"])


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


def test_an_office_without_anything_to_tap_is_text():
    assert rendered("Liên hệ nhé.", cards=(NOBODY,)) == [
        {"text": "Liên hệ nhé.\n\nVăn phòng Khoa\n☎ 1900 1234"}
    ]


def test_of_several_offices_each_button_says_whose_it_is():
    (message,) = rendered(
        "Liên hệ nhé.", cards=(OFFICE, NOBODY, {**OFFICE, "name": "Thư viện", "map_url": ""})
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


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "https://", "http:///x", "https://a b", "x.vn", "", "https://u:p@x"]
)
def test_what_is_no_address_of_a_page_is_no_button(url):
    assert rendered("Xem.", cards=({**LINK, "url": url},)) == [{"text": "Xem."}]


# --- anything at all --------------------------------------------------------------------------------------------------


def test_whatever_is_said_zalo_takes_it():
    chance = random.Random(7)
    letters = "aă ạ  \n*_#>`|-1.[](<&👩‍🎓\u0301\u202e\x00"

    def some(longest):
        return "".join(chance.choices(letters, k=chance.randrange(longest)))

    def card():
        return chance.choice(
            [
                {**OFFICE, "name": some(200), "address": some(900), "phone": some(30)},
                {**OFFICE, "name": "P" + some(100), "map_url": "https://x.vn/" + some(9)},
                {"kind": "link", "title": some(160), "url": "https://x.vn/" + "a" * chance.randrange(50)},
                {"kind": "deadline", "text": some(60), "date": some(12)},
            ]
        )

    for _ in range(60):
        message = Message(
            some(chance.choice([1, 50, 700, 9_000])),
            author=chance.choice(["bot", "advisor", "notice"]),
            by=some(30),
            options=options(*("t" + some(140) for _ in range(chance.randrange(15)))),
            thumbs=chance.choice([None, THUMBS]),
            citations=tuple(
                {"title": some(90), "locator": some(30), "url": ""} for _ in range(chance.randrange(4))
            ),
            cards=tuple(card() for _ in range(chance.randrange(6))),
        )
        made = [call["message"] for call in calls(message)]
        for each in made:
            check_message(each)
        pressed = [b["payload"] for each in made for b in buttons(each) if b["type"] == "oa.query.hide"]
        assert pressed[: len(message.options)] == [f"#o:{option.id}" for option in message.options]
        assert calls(message) == calls(Message.of_json(message.as_json()))
