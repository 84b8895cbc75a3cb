"""Questions and statements about the stored profile, and its expiry."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from talk import Talk, k, names
from turns import AT, Respond

LANGUAGE = "Chuẩn ngoại ngữ để tốt nghiệp là gì?"
CREDITS = "Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?"
TUITION = "Học phí một tín chỉ là bao nhiêu?"
DAY_S = 24 * 3600


@pytest.fixture
def of_48(respond: Respond) -> Talk:
    talk = Talk(respond)
    talk.say("em k48", "inform", k("48"))
    return talk


def test_what_is_kept_is_shown(of_48: Talk) -> None:
    assert of_48.say("bạn biết gì về mình", "show_profile") == [
        {"response": "utter_profile_shown", "profile": "Khóa 48"}
    ]


@pytest.mark.parametrize(("confidence", "asks"), [(0.4, True), (0.8, False)])
def test_a_question_that_only_may_be_about_the_profile_is_the_engines(
    of_48: Talk, confidence: float, asks: bool
) -> None:
    said = of_48.say("em tố cáo thì có ai biết tên em không", "show_profile", confidence=confidence)

    assert (names(said) != ["utter_profile_shown"]) is asks


def test_nothing_kept_is_told_too(respond: Respond) -> None:
    assert Talk(respond).say("bạn biết gì về mình", "show_profile") == [
        {"response": "utter_profile_empty", "dimensions": "khóa, chương trình, ngành"}
    ]


def test_what_is_forgotten_is_gone_with_all_that_hung_on_it(of_48: Talk) -> None:
    of_48.say(LANGUAGE, "ask_language")

    assert of_48.say("/forget_profile", "forget_profile") == [
        {"response": "utter_profile_forgotten", "profile": "Khóa 48"}
    ]

    assert of_48.slots["profile"] is None
    assert of_48.slots["last_turn"] is None


def test_a_dimension_called_by_name_is_forgotten_alone(of_48: Talk) -> None:
    of_48.slots["profile"] = {**of_48.slots["profile"], "program": ["clc", AT]}

    assert of_48.say("quen khoa cua minh di", "forget_profile") == [
        {"response": "utter_profile_forgotten", "profile": "Khóa 48"}
    ]

    assert of_48.known("cohort") is None
    assert of_48.known("program") == "clc"


def test_a_dimension_that_is_not_stored_is_not_said_to_be_forgotten(of_48: Talk) -> None:
    assert names(of_48.say("quên ngành của mình đi", "forget_profile")) == ["utter_profile_shown"]


@pytest.mark.parametrize(
    "wish", ["xóa dữ liệu của em", "xoa het du lieu cua minh di", "xoá hết dl của e đi", "delete my data"]
)
@pytest.mark.parametrize(
    ("answer", "intent"), [("dạ", "affirm"), ("xoa het di", "forget_profile"), ("yes please", "nlu_fallback")]
)
def test_fault_3_the_wish_in_words_erases_everything_after_one_question(
    of_48: Talk, wish: str, answer: str, intent: str
) -> None:
    assert names(of_48.say(wish, "forget_profile")) == ["utter_forget_all_confirm"]
    assert of_48.known("cohort") == "48"

    assert of_48.say(answer, intent) == [{"custom": {"type": "erase"}}]


def test_fault_3_the_menu_asks_the_same_question(of_48: Talk) -> None:
    assert names(of_48.say("/erase_all", "erase_all")) == ["utter_forget_all_confirm"]
    assert of_48.say("ok", "affirm") == [{"custom": {"type": "erase"}}]


def test_fault_3_a_consent_that_is_run_again_erases_again(of_48: Talk) -> None:
    of_48.say("/erase_all", "erase_all")
    of_48.say("ok", "affirm")

    assert of_48.say("ok", "affirm") == [{"custom": {"type": "erase"}}]


@pytest.mark.parametrize(
    ("answer", "intent", "response"),
    [
        ("không", "deny", "utter_kept_all"),
        ("/deny", "deny", "utter_kept_all"),
        ("keep it", "more", "utter_kept_all"),
        ("thôi không xóa nữa", "forget_profile", "utter_kept_all"),
        ("giữ nguyên đi", "affirm", "utter_kept_all"),
        ("đúng ý em đó", "affirm", "utter_forget_all_confirm"),
        ("đừng xóa nhé", "forget_profile", "utter_forget_all_confirm"),
    ],
)
def test_fault_3_nothing_is_erased_without_a_clear_consent(
    of_48: Talk, answer: str, intent: str, response: str
) -> None:
    of_48.say("xóa dữ liệu của em", "forget_profile")

    assert names(of_48.say(answer, intent)) == [response]


def test_fault_3_yes_to_something_else_erases_nothing(of_48: Talk) -> None:
    of_48.say("xóa dữ liệu của em", "forget_profile")
    of_48.say(CREDITS, "ask_study")

    assert names(of_48.say("ok", "affirm")) == ["utter_affirm"]


def test_a_long_message_with_a_question_in_it_forgets_nothing(of_48: Talk) -> None:
    of_48.say(
        "cho em hỏi muốn xóa thông tin học phần đã đăng ký nhầm trên trang đăng ký thì cần làm những bước nào ạ",
        "forget_profile",
    )

    assert of_48.known("cohort") == "48"


def test_beginning_anew_keeps_who_the_student_is(of_48: Talk) -> None:
    of_48.say(LANGUAGE, "ask_language")

    assert names(of_48.say("làm lại từ đầu", "start_over")) == ["utter_restarted"]

    assert of_48.known("cohort") == "48"
    assert of_48.slots["last_turn"] is None


def test_a_change_without_a_value_asks_for_it(of_48: Talk) -> None:
    assert names(of_48.say("cập nhật lại khóa giúp mình", "change_profile")) == ["utter_change_profile"]
    assert of_48.say("đổi khóa của mình thành k49", "change_profile", k("49")) == [
        {"response": "utter_profile_noted", "profile": "Khóa 49"}
    ]


@pytest.mark.parametrize("intent", ["inform", "change_profile"])
def test_an_introduction_of_some_length_asks_nothing(respond: Respond, intent: str) -> None:
    talk = Talk(respond)

    said = talk.say("Chào bạn, mình là sinh viên k48 của trường ta đây", intent, k("48"))

    assert said == [{"response": "utter_profile_noted", "profile": "Khóa 48"}]


def test_what_was_said_a_day_ago_is_confirmed_before_it_is_answered_by(of_48: Talk) -> None:
    assert of_48.say(LANGUAGE, "ask_language", later_s=DAY_S + 60) == [
        {"response": "utter_confirm_profile", "profile": "Khóa 48"}
    ]

    [answer] = of_48.say("/affirm", "affirm")

    assert answer["custom"]["answer_id"] == "language-k48"
    assert names(of_48.say(LANGUAGE, "ask_language")) == ["utter_answer"]


def test_what_does_not_hang_on_it_is_answered_at_once(of_48: Talk) -> None:
    assert names(of_48.say(CREDITS, "ask_study", later_s=DAY_S + 60)) == ["utter_answer"]


def test_what_no_longer_holds_is_asked_for_anew(of_48: Talk) -> None:
    of_48.say(LANGUAGE, "ask_language", later_s=DAY_S + 60)

    of_48.say("không", "deny")

    assert of_48.known("cohort") is None
    assert of_48.slots["pending_question"] == LANGUAGE
    assert of_48.slots["missing_dimensions"] == ["cohort"]


def test_saying_what_holds_instead_confirms_it(of_48: Talk) -> None:
    of_48.say(LANGUAGE, "ask_language", later_s=DAY_S + 60)

    [answer] = of_48.say("giờ em k49 rồi", "inform", k("49"))

    assert answer["custom"]["answer_id"] == "language-k49"


def test_another_question_instead_is_answered_and_the_first_waits_no_longer(of_48: Talk) -> None:
    of_48.say(LANGUAGE, "ask_language", later_s=DAY_S + 60)

    [answer] = of_48.say(CREDITS, "ask_study")

    assert answer["custom"]["answer_id"] == "study-credits"
    assert of_48.slots["confirming"] is None
    assert names(of_48.say("dạ", "affirm")) == ["utter_affirm"]


def test_a_new_academic_year_asks_again_for_the_programme_but_not_for_the_cohort(respond: Respond) -> None:
    july = datetime(2026, 7, 1, tzinfo=UTC).timestamp()
    given = {"cohort": ["48", july], "program": ["clc", july]}
    talk = Talk(respond, profile=given)
    assert july < AT

    talk.say(TUITION, "ask_tuition")

    assert talk.known("program") is None
    assert talk.known("cohort") == "48"
    assert talk.slots["missing_dimensions"] == ["program"]


@pytest.mark.parametrize("intent", ["distress", "ask_discipline"])
def test_somebody_in_trouble_is_never_given_an_entry(respond: Respond, intent: str) -> None:
    [said] = Talk(respond).say("em không muốn sống nữa, em muốn nghỉ học", intent)

    assert said["response"] == "utter_distress"


def test_no_to_a_choice_is_none_of_these(respond: Respond) -> None:
    talk = Talk(respond, asked_back={"offered": ["faq:study-card", "faq:study-transcript"]})

    assert names(talk.say("không phải", "deny")) == ["utter_none_of_these"]
    assert names(talk.say("không", "deny")) == ["utter_deny"]
