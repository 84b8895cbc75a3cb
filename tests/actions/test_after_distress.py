"""Messages right after distress: "em đùa thôi", thanks, a farewell."""

from __future__ import annotations

from typing import Any

import pytest
from turns import Respond

from actions import counselling
from rag.types import FaqEntry, Matter
from school.catalog import Catalog, Counselling, School

Events = tuple[dict[str, Any], ...]


def said_before(*messages: tuple[str, str]) -> Events:
    return tuple(
        {"event": "user", "timestamp": float(at), "text": text, "parse_data": {"intent": {"name": intent}}}
        for at, (text, intent) in enumerate(messages)
    )


DISTRESS = said_before(("em không muốn sống nữa", "out_of_scope"))
JOKES = [
    ("thôi em nói chơi á", "cancel"),
    ("cam on", "thank"),
    ("bye", "goodbye"),
    ("em giỡn thôi", "out_of_scope"),
    ("ko sao dau", "deny"),
    ("ừ", "affirm"),
    ("just kidding", "nlu_fallback"),
]


@pytest.mark.parametrize(("text", "intent"), JOKES)
def test_it_is_not_passed_over(respond: Respond, text: str, intent: str) -> None:
    [message] = respond("action_answer", text, intent, before=DISTRESS)["responses"]

    assert message["response"] == "utter_after_distress"
    assert message["counselling"].startswith("**")


@pytest.mark.parametrize(("text", "intent"), JOKES)
def test_after_a_question_of_the_school_it_is_small_talk_again(
    respond: Respond, text: str, intent: str
) -> None:
    before = (*DISTRESS, *said_before(("Xin bảng điểm ở đâu?", "ask_study")))

    said = respond("action_answer", text, intent, before=before)["responses"]

    assert "utter_after_distress" not in [message["response"] for message in said]


def test_once_a_person_has_taken_over_thanks_are_thanks(respond: Respond) -> None:
    before = (*DISTRESS, *said_before(("/hand_over", "hand_over")))

    [message] = respond("action_answer", "cảm ơn bạn", "thank", before=before)["responses"]

    assert message["response"] == "utter_thank"


def test_a_question_is_looked_up_all_the_same(respond: Respond) -> None:
    [answer] = respond("action_answer", "Xin bảng điểm ở đâu?", "nlu_fallback", before=DISTRESS)["responses"]

    assert answer["custom"]["answer_id"] == "study-transcript"


def test_so_is_a_matter_of_the_school_that_is_only_named(respond: Respond) -> None:
    [answer] = respond("action_answer", "giấy xin bảng điểm", "nlu_fallback", before=DISTRESS)["responses"]

    assert answer["custom"]["answer_id"] == "study-transcript"


@pytest.mark.parametrize("text", ["giờ 1h sáng gọi ai", "mai em toi dau duoc", "which number at 2am"])
def test_who_asks_where_to_turn_gets_all_contacts(respond: Respond, text: str) -> None:
    [message] = respond("action_answer", text, "out_of_scope", before=DISTRESS)["responses"]

    assert message["response"] == "utter_whom_to_turn_to"


@pytest.mark.parametrize(("confidence", "is_crisis"), [(0.3, False), (0.55, True)])
def test_a_classifier_that_hardly_finds_distress_finds_none(
    respond: Respond, confidence: float, is_crisis: bool
) -> None:
    said = respond("action_answer", "tôi đi thay", "distress", confidence)["responses"]

    assert ("utter_distress" in [message["response"] for message in said]) == is_crisis


@pytest.mark.parametrize(
    "text", ["chán đời quá", "chan doi ghe", "cô đơn quá", "mất động lực luôn", "so lonely"]
)
@pytest.mark.parametrize("intent", ["praise", "complain"])
def test_weariness_is_neither_praise_nor_a_complaint(respond: Respond, text: str, intent: str) -> None:
    [mild] = respond("action_answer", text, intent)["responses"]
    [grave] = respond("action_answer", text, intent, also=(("distress", 0.3),))["responses"]

    assert (mild["response"], grave["response"]) == ("utter_grumble", "utter_distress")


def test_relief_gets_no_card_again_whatever_the_classifier_takes_it_for(respond: Respond) -> None:
    [message] = respond("action_answer", "da em cam on, noi ra do hon r", "distress", before=DISTRESS)[
        "responses"
    ]

    assert message["response"] == "utter_after_distress"


@pytest.mark.parametrize(
    "text", ["em bị sốt nhập viện á", "em bi tai nan gay chan", "mẹ em mới mất", "em bị zona thần kinh"]
)
@pytest.mark.parametrize("intent", ["distress", "out_of_scope", "nlu_fallback"])
def test_an_illness_is_no_crisis_but_gets_a_kind_word(respond: Respond, text: str, intent: str) -> None:
    said = [message["response"] for message in respond("action_answer", text, intent)["responses"]]

    assert said[0] in ("utter_hardship", "utter_answer")
    assert not {"utter_distress", "utter_no_answer", "utter_out_of_scope"} & set(said)


@pytest.mark.parametrize("text", ["em bị bạn trai đánh nhập viện", "mẹ mất rồi em không muốn sống nữa"])
def test_an_illness_with_a_crisis_is_one(respond: Respond, text: str) -> None:
    [message] = respond("action_answer", text, "out_of_scope")["responses"]

    assert message["response"] == "utter_distress"


def test_the_conversation_is_about_counselling_then(respond: Respond) -> None:
    events = dict(
        respond("action_answer", "em không muốn sống nữa", "distress", last_topic="tuition")["events"]
    )

    assert events["last_turn"]["history"] == [{"question": "Phòng Tham vấn Sông Mây", "answer_id": None}]
    assert events["last_topic"] is None


def test_the_matter_is_the_entry_of_the_counselling_office_or_the_name_of_the_service() -> None:
    entry = FaqEntry("talks", "Đặt hẹn tham vấn thế nào?", (), "...", "services", owner="care")
    contact = Counselling(office="care", name="Trung tâm Tham vấn", phone="1")
    line = Counselling(name="Đường dây nóng", phone="2")

    def matter(*named: Counselling, **owned: FaqEntry) -> Matter:
        return counselling.matter(Catalog(school=School(counselling=named)), owned.get)

    assert matter(contact, line, care=entry) == Matter(entry.question, "talks")
    assert matter(contact, line) == Matter("Trung tâm Tham vấn")
    assert matter(line, contact, care=entry) == Matter("Đường dây nóng")
    assert matter() == Matter("tham vấn tâm lý")


def test_a_follow_up_is_looked_up_within_counselling(respond: Respond) -> None:
    slots = dict(respond("action_answer", "em không muốn sống nữa", "distress")["events"])

    said = respond("action_answer", "đặt lịch sao", "out_of_scope", before=DISTRESS, **slots)["responses"]

    assert "utter_after_distress" not in [message["response"] for message in said]


@pytest.mark.parametrize("intent", ["who_are_you", "nlu_fallback", "ask_dormitory", "follow_up"])
@pytest.mark.parametrize(
    "text", ["em nên báo ai", "gặp ai bây giờ", "giờ em phải làm sao", "who should I tell"]
)
def test_a_question_whom_to_turn_to_gets_the_contacts(respond: Respond, text: str, intent: str) -> None:
    message, *rest = respond("action_answer", text, intent, before=DISTRESS)["responses"]

    assert message["response"] == "utter_whom_to_turn_to"
    assert message["custom"]["cards"]
    assert {each["response"] for each in rest} <= {"utter_answer"}


def test_without_distress_it_is_a_question_like_any_other(respond: Respond) -> None:
    said = respond("action_answer", "em nên báo ai", "who_are_you")["responses"]

    assert "utter_whom_to_turn_to" not in [message["response"] for message in said]


def test_a_question_of_a_matter_of_its_own_is_looked_up(respond: Respond) -> None:
    said = respond("action_answer", "xin bảng điểm thì gặp ai", "ask_study", before=DISTRESS)["responses"]

    assert "utter_whom_to_turn_to" not in [message["response"] for message in said]


@pytest.mark.parametrize(
    "text",
    [
        "bạn thân em muốn tự tử",
        "Cháu nó dạo này hay khóc, không muốn đi học nữa, tôi lo lắm",
        "cháu không chịu ra khỏi phòng mấy ngày rồi",
        "my roommate wants to kill herself",
    ],
)
def test_who_worries_about_somebody_is_not_spoken_to_as_the_one_in_danger(
    respond: Respond, text: str
) -> None:
    [message] = respond("action_answer", text, "out_of_scope")["responses"]

    assert message["response"] == "utter_distress_of_another"


def test_what_is_added_about_a_friend_is_of_the_friend(respond: Respond) -> None:
    before = said_before(("bạn thân em muốn tự tử", "distress"))

    [message] = respond("action_answer", "nó đang ở phòng một mình", "nlu_fallback", before=before)[
        "responses"
    ]

    assert message["response"] == "utter_distress_of_another"
