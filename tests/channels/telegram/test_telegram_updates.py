"""Parsing of Telegram's updates into inputs, and the updates that are ignored."""

from __future__ import annotations

import re
from typing import Any

import pytest
from telegram import Message
from telegram_api import BOT_ID, TOKEN, USERNAME, TelegramApi

from channels.delivery.incoming import (
    COMMANDS,
    ButtonPress,
    Content,
    Incoming,
    MenuCommand,
    TextInput,
    UnreadableInput,
)
from channels.telegram.updates import (
    ATTACHMENTS,
    NameUnknownError,
    Ourselves,
    UpdateContent,
    commands,
    read_update,
)

US = Ourselves(BOT_ID, USERNAME)
AN, BINH = 11, 22
GROUP = -1_001_234
TO_US = {
    "reply_to_message": {
        "message_id": 1,
        "date": 1,
        "chat": {"id": GROUP, "type": "supergroup"},
        "from": {"id": BOT_ID, "is_bot": True, "first_name": "Covan"},
    }
}


@pytest.fixture
def api() -> TelegramApi:
    """Only its student's side is used here."""
    return TelegramApi()


def understood(update: dict[str, Any], ourselves: Ourselves = US) -> UpdateContent:
    return read_update(update, ourselves)


def content(update: dict[str, Any]) -> Content | None:
    incoming = understood(update).incoming
    assert len(incoming) <= 1
    return incoming[0].content if incoming else None


def test_what_is_typed_is_the_students_own_under_the_updates_id(api: TelegramApi) -> None:
    update = api.writes(AN, "học phí bao nhiêu")

    assert understood(update).incoming == (
        Incoming(f"update:{update['update_id']}", "11", TextInput("học phí bao nhiêu"), {"chat": AN}),
    )


@pytest.mark.parametrize(
    ("typed", "does"),
    [
        ("/start", "start"),
        ("/start k47", "start"),
        ("/help", "help"),
        (f"/HOSO@{USERNAME.upper()}", "profile"),
        ("/profile", "profile"),
        ("/xoa", "forget"),
        ("/covan", "advisor"),
        ("/bot", "back_to_bot"),
    ],
)
def test_commands_of_the_menu(api: TelegramApi, typed: str, does: str) -> None:
    assert content(api.writes(AN, typed)) == MenuCommand(does)


@pytest.mark.parametrize(
    "typed", ["/hocphi", '/inform{"cohort": "47"}', "/start@another_bot", "/startx", "/", "5/10 /start"]
)
def test_anything_else_with_a_slash_is_only_typed(api: TelegramApi, typed: str) -> None:
    assert content(api.writes(AN, typed)) == TextInput(typed)


def test_the_menu_is_one_that_telegram_takes_and_the_channel_knows() -> None:
    assert set(commands().values()) == COMMANDS
    assert all(re.fullmatch(r"[a-z0-9_]{1,32}", name) for name in commands())


def test_an_edit_is_no_new_turn(api: TelegramApi) -> None:
    update = api.writes(AN, "học phí")
    edited = {"update_id": update["update_id"], "edited_message": {**update["message"], "edit_date": 2}}

    assert understood(edited) == UpdateContent()


@pytest.mark.parametrize("kind", ["channel_post", "edited_channel_post", "business_message"])
def test_what_stands_in_a_channel_is_not_said_to_us(api: TelegramApi, kind: str) -> None:
    assert understood({"update_id": 1, kind: api.writes(AN, "học phí")["message"]}) == UpdateContent()


@pytest.mark.parametrize(
    "update", [{"update_id": 1}, {"update_id": 2, "poll": None}, {"update_id": 3, "of_tomorrow": {"a": 1}}]
)
def test_updates_of_other_kinds_are_nothing(update: dict[str, Any]) -> None:
    assert understood(update) == UpdateContent()


def test_other_bots_are_not_talked_to(api: TelegramApi) -> None:
    update = api.writes(AN, "xin chào")
    update["message"]["from"]["is_bot"] = True

    assert understood(update) == UpdateContent()


# --- files ------------------------------------------------------------------------------------------------------------

FILE = {"file_id": "x", "file_unique_id": "y"}


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        (
            {
                "sticker": {
                    **FILE,
                    "type": "regular",
                    "width": 1,
                    "height": 1,
                    "is_animated": False,
                    "is_video": False,
                }
            },
            "sticker",
        ),
        ({"voice": {**FILE, "duration": 1}}, "voice"),
        ({"document": {**FILE, "file_name": "don.pdf"}}, "document"),
        ({"photo": [{**FILE, "width": 1, "height": 1}]}, "photo"),
        ({"location": {"latitude": 10.0, "longitude": 105.7}}, "location"),
        ({"contact": {"phone_number": "+84", "first_name": "A"}}, "contact"),
    ],
)
def test_a_file_cannot_be_read(api: TelegramApi, fields: dict[str, Any], what: str) -> None:
    assert content(api.writes(AN, **fields)) == UnreadableInput(what)


def test_of_a_file_with_words_the_words_are_read_too(api: TelegramApi) -> None:
    update = api.writes(AN, photo=[{**FILE, "width": 1, "height": 1}], caption="học phí kỳ này bao nhiêu")

    incoming = understood(update).incoming

    assert [each.content for each in incoming] == [
        UnreadableInput("photo"),
        TextInput("học phí kỳ này bao nhiêu"),
    ]
    assert len({each.event_id for each in incoming}) == 2


def test_an_album_is_one_file(api: TelegramApi) -> None:
    updates = [
        api.writes(AN, photo=[{**FILE, "width": 1, "height": 1}], media_group_id="77") for _ in range(3)
    ]

    events = {each.event_id for update in updates for each in understood(update).incoming}

    assert len(events) == 1


def test_news_about_a_chat_is_nothing_said(api: TelegramApi) -> None:
    assert understood(api.writes(AN, group_chat_created=True)) == UpdateContent()


def test_every_kind_of_file_is_a_field_of_a_message() -> None:
    unknown = [name for name in ATTACHMENTS if name not in Message.__slots__]
    assert unknown == []


# --- groups -----------------------------------------------------------------------------------------------------------


def test_in_a_group_what_does_not_name_us_is_not_for_us(api: TelegramApi) -> None:
    assert understood(api.writes(AN, "mai học phòng nào vậy", group=GROUP)) == UpdateContent()
    assert understood(api.writes(AN, "@another_bot học phí", group=GROUP)) == UpdateContent()
    assert understood(api.writes(AN, "/help@another_bot", group=GROUP)) == UpdateContent()
    assert understood(api.writes(AN, "/of_another_bot", group=GROUP)) == UpdateContent()
    assert understood(api.writes(AN, voice={**FILE, "duration": 1}, group=GROUP)) == UpdateContent()


@pytest.mark.parametrize(
    "typed", [f"@{USERNAME} học phí K47", f"học phí K47 @{USERNAME}", f"@{USERNAME.upper()}: học phí K47"]
)
def test_in_a_group_our_name_calls_us_and_is_no_part_of_the_question(api: TelegramApi, typed: str) -> None:
    assert content(api.writes(AN, typed, group=GROUP)) == TextInput("học phí K47")


def test_our_name_is_found_behind_what_telegram_counts_twice(api: TelegramApi) -> None:
    assert content(api.writes(AN, f"🎓🇻🇳 @{USERNAME} học phí", group=GROUP)) == TextInput("🎓🇻🇳  học phí")


def test_in_a_group_our_name_alone_asks_for_help(api: TelegramApi) -> None:
    assert content(api.writes(AN, f"@{USERNAME}", group=GROUP)) == MenuCommand("help")


def test_in_a_group_an_answer_to_us_is_for_us(api: TelegramApi) -> None:
    assert content(api.writes(AN, "còn khóa 48?", group=GROUP, **TO_US)) == TextInput("còn khóa 48?")
    assert content(api.writes(AN, voice={**FILE, "duration": 1}, group=GROUP, **TO_US)) == UnreadableInput(
        "voice"
    )


@pytest.mark.parametrize("typed", ["/help", f"/help@{USERNAME}"])
def test_in_a_group_our_commands_are_for_us(api: TelegramApi, typed: str) -> None:
    assert content(api.writes(AN, typed, group=GROUP)) == MenuCommand("help")


def test_in_a_group_each_member_is_a_student_and_is_answered_where_they_wrote(api: TelegramApi) -> None:
    topic = {"message_thread_id": 9, "is_topic_message": True}
    update = api.writes(AN, "/help", group=GROUP, **topic)
    (of_an,), (of_binh,) = (
        understood(update).incoming,
        understood(api.writes(BINH, "/help", group=GROUP)).incoming,
    )

    assert (of_an.sender, of_binh.sender) == (f"{GROUP}.{AN}", f"{GROUP}.{BINH}")
    assert of_an.address == {"chat": GROUP, "reply_to": update["message"]["message_id"], "thread": 9}
    assert re.fullmatch(r"[A-Za-z0-9_.:-]{1,100}", of_an.sender)


def test_before_we_know_our_name_a_group_has_to_wait_but_a_student_does_not(api: TelegramApi) -> None:
    nameless = Ourselves.of_token(TOKEN)

    with pytest.raises(NameUnknownError):
        understood(api.writes(AN, "học phí", group=GROUP), nameless)
    assert understood(api.writes(AN, "/help"), nameless).incoming[0].content == MenuCommand("help")


# --- buttons ----------------------------------------------------------------------------------------------------------


def shown(chat: int, kind: str = "private") -> dict[str, Any]:
    keyboard = {"inline_keyboard": [[{"text": "Khóa 47", "callback_data": "o:abc-_1"}]]}
    return {
        "message_id": 5,
        "date": 1,
        "chat": {"id": chat, "type": kind},
        "text": "Bạn khóa nào?",
        "reply_markup": keyboard,
    }


def test_a_pressed_button_is_its_option_and_its_title_is_shown_for_a_moment(api: TelegramApi) -> None:
    update = api.presses_data(AN, "o:abc-_1", shown(AN))

    found = understood(update)

    assert found.incoming == (
        Incoming(f"update:{update['update_id']}", "11", ButtonPress("abc-_1"), {"chat": AN}),
    )
    assert (found.query, found.notice) == (update["callback_query"]["id"], "Khóa 47")


def test_in_a_group_a_button_is_pressed_by_who_presses_it(api: TelegramApi) -> None:
    (incoming,) = understood(api.presses_data(BINH, "o:abc-_1", shown(GROUP, "supergroup"))).incoming

    assert incoming.sender == f"{GROUP}.{BINH}"
    assert incoming.address == {"chat": GROUP, "reply_to": 5}


@pytest.mark.parametrize("data", ["", "x", '/inform{"cohort": "47"}', "o:" + "é" * 5, "o:a b"])
def test_a_button_of_nobody_knows_whom_is_answered_like_an_old_one(api: TelegramApi, data: str) -> None:
    found = understood(api.presses_data(AN, data, shown(AN)))

    assert [each.content for each in found.incoming] == [ButtonPress("unknown")]
    assert found.query


def test_a_button_under_a_message_that_telegram_has_forgotten_works(api: TelegramApi) -> None:
    forgotten = {"message_id": 5, "date": 0, "chat": {"id": AN, "type": "private"}}

    assert understood(api.presses_data(AN, "o:abc", forgotten)).incoming[0].content == ButtonPress("abc")


def test_a_press_without_any_message_is_acknowledged_at_least(api: TelegramApi) -> None:
    found = understood(api.presses_data(AN, "o:abc", None))

    assert found.incoming == ()
    assert found.query
