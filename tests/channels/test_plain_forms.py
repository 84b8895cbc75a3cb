"""Messages on platforms that show plain text: what a student reads, and that the platform takes all of it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from plain_forms import LINK, MESSENGER, NOTHING_TO_TAP, OFFICE, THUMBS, ZALO, PlainForm, options

from channels.delivery.message import ADVISOR, NOTICE, Message


@pytest.fixture(params=[MESSENGER, ZALO], ids=["messenger", "zalo"])
def form(request: pytest.FixtureRequest) -> PlainForm:
    found: PlainForm = request.param
    return found


def test_markdown_becomes_plain_text(form: PlainForm) -> None:
    assert form.rendered("**Hạn:** 30/9, xem [quy chế](https://x.vn/qc).\n\n- một\n- hai") == [
        {"text": "Hạn: 30/9, xem quy chế (https://x.vn/qc).\n\n• một\n• hai"}
    ]


def test_what_a_person_wrote_is_markdown_under_their_name(form: PlainForm) -> None:
    assert form.rendered("**Hạn:** 30/9, 1 * 2 * 3\nTầng 2\n\n- một\n- hai", author=ADVISOR, by="Cô Lan") == [
        {"text": "Cô Lan (cố vấn):\nHạn: 30/9, 1 * 2 * 3\nTầng 2\n\n• một\n• hai"}
    ]


def test_a_notice_is_the_houses_own_markdown(form: PlainForm) -> None:
    assert form.rendered("**Cô Lan** đã vào.", author=NOTICE) == [{"text": "Cô Lan đã vào."}]


def test_a_long_text_is_several_messages_with_what_can_be_pressed_on_the_last(form: PlainForm) -> None:
    text = " ".join(f"Câu thứ {number} của một câu trả lời dài." for number in range(300))
    found = form.rendered(text, options=options("Học phí"), thumbs=THUMBS)

    assert len(found) > 3
    assert " ".join(message["text"] for message in found) == text
    assert [bool(form.titles(message)) for message in found] == [False] * (len(found) - 1) + [True]


def test_nothing_to_say_is_no_call(form: PlainForm) -> None:
    assert form.rendered("") == form.rendered(" \n ") == []


def test_choices_without_a_text_are_given_one(form: PlainForm) -> None:
    (message,) = form.rendered("", options=options("K47"), facts={"language": "en"})

    assert (message["text"], form.titles(message)) == ("Please choose:", ["K47"])


def test_an_office_without_anything_to_tap_is_text(form: PlainForm) -> None:
    assert form.rendered("Liên hệ nhé.", cards=(NOTHING_TO_TAP,)) == [
        {"text": "Liên hệ nhé.\n\nVăn phòng Khoa\n☎ 1900 1234"}
    ]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "https://",
        "http:///x",
        "https://a b",
        "x.vn",
        "",
        "https://u:p@x",
    ],
)
def test_what_is_no_address_of_a_page_is_no_button(form: PlainForm, url: str) -> None:
    assert form.rendered("Xem.", cards=({**LINK, "url": url},)) == [{"text": "Xem."}]


def test_a_card_of_a_kind_that_is_not_known_here_breaks_nothing(form: PlainForm) -> None:
    assert form.rendered("Được.", cards=({"kind": "table", "rows": []}, {}, {"kind": "contact"})) == [
        {"text": "Được."}
    ]


def test_whatever_is_said_the_platform_takes_it(form: PlainForm) -> None:
    chance = random.Random(7)
    letters = "aă ạ  \n*_#>`|-1.[](<&👩‍🎓\u0301\u202e\x00"

    def some(longest: int) -> str:
        return "".join(chance.choices(letters, k=chance.randrange(longest)))

    def card() -> dict[str, Any]:
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
        made = form.messages(message)
        pressed = [payload for each in made for payload, _ in form.pressable(each)]
        shown = message.options[: form.most_options]
        assert pressed[: len(shown)] == [form.prefix + option.id for option in shown]
        if message.options and form.options_last:
            assert [bool(form.pressable(each)) for each in made] == [False] * (len(made) - 1) + [True]
        assert form.calls(message) == form.calls(Message.of_json(message.as_json()))
