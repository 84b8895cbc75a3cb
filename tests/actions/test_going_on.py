"""Messages that continue the last question: follow-ups, corrections, "say that again"."""

from __future__ import annotations

from dataclasses import replace

import pytest
from talk import Talk, k, names
from turns import AT, Respond

from rag.decide.context import Weighed
from rag.engine import Engine
from rag.types import Candidate

LANGUAGE = "Chuẩn ngoại ngữ để tốt nghiệp là gì?"
CREDITS = "Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?"
TRANSCRIPT = "Xin bảng điểm ở đâu?"
CARD = "Mất thẻ sinh viên thì làm lại ở đâu?"
TUITION = "Học phí một tín chỉ là bao nhiêu?"
UNNAMED = "Có những quy định nào cho sinh viên?"


@pytest.fixture
def of_48(respond: Respond) -> Talk:
    """Return the talk of a student of cohort 48 after the answer on the language requirement."""
    talk = Talk(respond)
    [answer] = talk.say(f"k48 {LANGUAGE}", "ask_language", k("48"))
    assert answer["custom"]["answer_id"] == "language-k48"
    return talk


@pytest.mark.parametrize("text", ["còn k49?", "con k49 thi sao a", "thế k49 thì sao"])
def test_the_same_is_asked_for_another_cohort(of_48: Talk, text: str) -> None:
    [answer] = of_48.say(text, "follow_up", k("49"))

    assert answer["custom"]["answer_id"] == "language-k49"


def test_asking_for_a_friend_does_not_change_who_the_student_is(of_48: Talk) -> None:
    of_48.say("còn k49?", "follow_up", k("49"))

    assert of_48.known("cohort") == "48"
    [answer] = of_48.say(LANGUAGE, "ask_language")
    assert answer["custom"]["answer_id"] == "language-k48"


@pytest.mark.parametrize("text", ["bạn em k49", "nho ban em k49 nha", "em trai em k49 thi sao"])
def test_a_friend_is_answered_for_and_not_taken_for_the_student(of_48: Talk, text: str) -> None:
    [answer] = of_48.say(text, "inform", k("49"))

    assert answer["custom"]["answer_id"] == "language-k49"
    assert of_48.known("cohort") == "48"


def test_a_friend_in_the_first_message_is_not_the_student(respond: Respond) -> None:
    talk = Talk(respond)

    [answer] = talk.say(f"bạn em k49, {LANGUAGE}", "ask_language", k("49"))

    assert answer["custom"]["answer_id"] == "language-k49"
    assert talk.known("cohort") is None


def test_one_who_has_not_said_who_they_are_is_taken_at_their_word(respond: Respond) -> None:
    talk = Talk(respond)
    talk.say(LANGUAGE, "ask_language")

    [answer] = talk.say("còn k49?", "follow_up", k("49"))

    assert answer["custom"]["answer_id"] == "language-k49"
    assert talk.known("cohort") == "49"


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("à nhầm, k49", "correct"),
        ("k49 nha", "inform"),
        ("không phải k48, k49 cơ", "correct"),
        ("em ghi nhầm rồi, k49", "ask_language"),
    ],
)
def test_a_correction_answers_anew_and_stays(of_48: Talk, text: str, intent: str) -> None:
    [answer] = of_48.say(text, intent, k("49"))

    assert answer["custom"]["answer_id"] == "language-k49"
    assert of_48.known("cohort") == "49"


def test_what_the_last_answer_does_not_hang_on_is_only_noted(respond: Respond) -> None:
    talk = Talk(respond)
    talk.say(CREDITS, "ask_study")

    assert names(talk.say("em k48 ạ", "inform", k("48"))) == ["utter_profile_noted"]


OFFERED = {"offered": ["faq:study-card", "faq:language-k48", "faq:study-credits"]}
OPEN = {"last_turn": {"question": UNNAMED, "typed": UNNAMED, "at": AT}}


@pytest.mark.parametrize("text", ["k49", "em k49 ạ", "dạ k49 đó ad", "I'm k49"])
def test_a_profile_after_options_takes_the_one_that_goes_by_it(respond: Respond, text: str) -> None:
    talk = Talk(respond, asked_back=OFFERED, **OPEN)

    said = talk.say(text, "inform", k("49"))

    assert (names(said)[-1], talk.answers()) == ("utter_answer", "language-k49")
    assert talk.known("cohort") == "49"


def test_options_that_do_not_go_by_it_leave_it_noted(respond: Respond) -> None:
    talk = Talk(respond, asked_back={"offered": ["faq:study-card", "faq:study-credits"]}, **OPEN)

    assert names(talk.say("em k49", "inform", k("49"))) == ["utter_profile_noted"]


def test_a_profile_after_a_refusal_asks_the_refused_question_again(respond: Respond) -> None:
    refused = {"question": TRANSCRIPT, "typed": LANGUAGE, "at": AT, "answer_id": "study-transcript"}
    talk = Talk(respond, last_turn=refused, unresolved=1)

    talk.say("em k49", "inform", k("49"))

    assert talk.answers() == "language-k49"


@pytest.mark.parametrize("text", ["k49", "dạ k49 ạ"])
def test_a_value_that_the_answer_goes_by_answers_anew_whatever_the_intent(of_48: Talk, text: str) -> None:
    of_48.say(text, "ask_study", k("49"))

    assert of_48.answers() == "language-k49"


def test_a_matter_beside_the_value_is_another_question(of_48: Talk) -> None:
    of_48.say("bảng điểm k49", "ask_study", k("49"))

    assert of_48.answers() != "language-k49"


@pytest.mark.parametrize(
    "text", ["em k48 nợ học phí có bị gì ko", "k48 co duoc bao luu khong", "k48 gpa 2.7 được học bổng ko"]
)
def test_a_question_beside_the_profile_is_looked_up(respond: Respond, text: str) -> None:
    assert names(Talk(respond).say(text, "inform", k("48"))) != ["utter_profile_noted"]


def test_who_tells_values_and_asks_nothing_is_heard(respond: Respond) -> None:
    talk = Talk(respond)
    noted = talk.say("k48, tích lũy 95tc gpa 2.45 ạ", "inform", k("48"))

    assert [said.get("profile") for said in noted] == ["Khóa 48, tích lũy 95tc, gpa 2.45"]


def test_comparing_two_cohorts_says_nothing_of_the_student(of_48: Talk) -> None:
    of_48.say("k48 với k49 khác gì nhau về ngoại ngữ", "ask_language", k("48"), k("49"))

    assert of_48.known("cohort") == "48"


@pytest.mark.parametrize("text", ["ở đâu vậy?", "o dau z", "nộp cho ai ạ", "mất bao lâu"])
def test_a_question_without_a_matter_is_about_the_last_one(respond: Respond, text: str) -> None:
    talk = Talk(respond)
    talk.say(TRANSCRIPT, "ask_study")

    said = talk.say(text, "follow_up")

    assert names(said) == ["utter_same_answer", "utter_answer"]
    assert said[-1]["custom"]["answer_id"] == "study-transcript"


def test_it_goes_on_with_the_question_however_often(respond: Respond) -> None:
    talk = Talk(respond)
    talk.say(TRANSCRIPT, "ask_study")
    talk.say("ở đâu vậy", "follow_up")
    talk.say("mất bao lâu", "follow_up")

    assert talk.slots["last_turn"]["question"] == TRANSCRIPT


def test_the_first_message_has_nothing_to_go_on_with(respond: Respond) -> None:
    assert names(Talk(respond).say("nộp ở đâu vậy?", "follow_up")) == ["utter_follow_up_unclear"]


def test_a_question_of_yesterday_is_not_gone_on_with(respond: Respond) -> None:
    talk = Talk(respond)
    talk.say(TRANSCRIPT, "ask_study")

    assert names(talk.say("ở đâu vậy?", "follow_up", later_s=20 * 3600)) == ["utter_follow_up_unclear"]


def test_another_matter_is_another_question(of_48: Talk) -> None:
    [answer] = of_48.say("thế hạn đóng học phí thì sao?", "ask_tuition")

    assert answer["custom"]["answer_id"] == "tuition-deadline"


def test_what_a_follow_up_names_takes_the_place_of_the_last_matter(respond: Respond) -> None:
    talk = Talk(respond)
    talk.say("Phòng Tài chính giá phòng là bao nhiêu?", "ask_tuition")

    talk.say("còn ký túc xá?", "ask_dormitory")

    assert talk.answers() == "dormitory-fee"


def test_a_follow_up_is_never_the_answer_before(respond: Respond) -> None:
    talk = Talk(respond)
    talk.say("Giá phòng ký túc xá là bao nhiêu?", "ask_dormitory")
    assert talk.answers() == "dormitory-fee"

    said = talk.say("còn sân bóng?", "follow_up")

    assert said[-1].get("custom", {}).get("answer_id") != "dormitory-fee"


def test_what_was_misunderstood_is_replaced_in_the_question(respond: Respond) -> None:
    talk = Talk(respond)
    talk.say("Đăng ký ở thẻ sinh viên như thế nào?", "ask_services")

    [answer] = talk.say("ý em là ký túc xá chứ không phải thẻ sinh viên", "correct")

    assert answer["custom"]["answer_id"] == "dormitory-register"


def test_say_that_again(of_48: Talk) -> None:
    said = of_48.say("nói lại giúp em", "repeat")

    assert names(said) == ["utter_repeat", "utter_answer"]
    assert said[-1]["custom"]["answer_id"] == "language-k48"


@pytest.mark.parametrize(
    ("text", "intent"), [("chac chua", "deny"), ("thật ko ad", "affirm"), ("are you sure?", "nlu_fallback")]
)
def test_who_asks_whether_it_is_sure_gets_the_answer_with_its_source_again(
    of_48: Talk, text: str, intent: str
) -> None:
    said = of_48.say(text, intent)

    assert names(said) == ["utter_sure", "utter_answer"]
    assert said[-1]["custom"]["answer_id"] == "language-k48"


def test_before_any_answer_nothing_is_sure(respond: Respond) -> None:
    assert names(Talk(respond).say("chắc chưa", "deny")) == ["utter_deny"]


def test_there_is_nothing_to_say_again_at_the_beginning(respond: Respond) -> None:
    assert names(Talk(respond).say("nói lại đi", "repeat")) == ["utter_nothing_to_repeat"]


def test_more_is_what_else_there_is_on_the_matter(respond: Respond) -> None:
    talk = Talk(respond)
    talk.say(TRANSCRIPT, "ask_study")

    [said] = talk.say("còn gì nữa không", "more")

    assert said["response"] in ("utter_more", "utter_no_more")
    assert all("study-transcript" not in button["payload"] for button in said.get("buttons", ()))
    assert talk.answers() == "study-transcript"


def test_two_turns_without_an_answer_and_a_person_is_offered(respond: Respond) -> None:
    talk = Talk(respond)
    assert names(talk.say("Trường có đội bóng chuyền bãi biển không?")) == ["utter_no_answer"]
    assert names(talk.say("Phi hành gia ăn gì?")) == ["utter_no_answer", "utter_offer_advisor"]
    assert names(talk.say(TRANSCRIPT)) == ["utter_answer"]
    assert names(talk.say("Trường có đội bóng chuyền bãi biển không?")) == ["utter_no_answer"]


IN_VIETNAMESE = ["utter_quoted_in_vietnamese", "utter_answer"]


def test_each_answer_in_vietnamese_to_an_english_question_says_so(respond: Respond) -> None:
    talk = Talk(respond, language="en")

    assert names(talk.say(CREDITS, "ask_study")) == IN_VIETNAMESE
    assert names(talk.say(TRANSCRIPT, "ask_study")) == IN_VIETNAMESE
    assert names(talk.say("say it again", "repeat")) == ["utter_repeat", *IN_VIETNAMESE]


def test_an_answer_after_no_answer_in_english_says_that_it_is_in_vietnamese(respond: Respond) -> None:
    talk = Talk(respond, language="en")
    assert names(talk.say("Trường có đội bóng chuyền bãi biển không?")) == ["utter_no_answer"]

    assert names(talk.say(TRANSCRIPT, "ask_study")) == IN_VIETNAMESE


def test_an_answer_in_english_needs_no_note(respond: Respond, monkeypatch: pytest.MonkeyPatch) -> None:
    english = "You can register for **25 credits** in each semester."
    reply = Engine.reply
    monkeypatch.setattr(Engine, "reply", lambda engine, asked: replace(reply(engine, asked), text=english))
    talk = Talk(respond, language="en")

    assert names(talk.say(CREDITS, "ask_study")) == ["utter_answer"]


def test_several_answers_to_one_english_message_say_once_that_they_are_in_vietnamese(
    respond: Respond,
) -> None:
    talk = Talk(respond, language="en")

    assert names(talk.say(f"{CREDITS} {TRANSCRIPT}")) == [*IN_VIETNAMESE, "utter_answer"]


@pytest.mark.parametrize(
    "text", ["tính ra số tiền luôn giúp em", "tinh tien luon dum e", "vậy tổng cộng là bao nhiêu tiền"]
)
def test_a_result_is_computed_with_the_values_said_before(respond: Respond, text: str) -> None:
    talk = Talk(respond)
    talk.say("Ở ký túc xá 5 tháng hết bao nhiêu tiền?", "ask_dormitory")
    talk.say("cảm ơn", "thank")

    [answer] = talk.say(text, "follow_up")

    assert "1.750.000 đồng" in answer["text"]


@pytest.mark.parametrize("text", ["cái nào dễ hơn", "thế khóa nào dễ hơn"])
def test_a_choice_is_between_the_values_asked_about_one_after_the_other(of_48: Talk, text: str) -> None:
    of_48.say("còn k49?", "follow_up", k("49"))

    of_48.say(text, "out_of_scope")

    typed = of_48.slots["last_turn"]["typed"]
    assert "Khóa 48" in typed
    assert "Khóa 49" in typed


def test_a_choice_among_things_not_compared_is_read_as_it_stands(of_48: Talk) -> None:
    of_48.say("cái nào dễ hơn", "follow_up")

    assert of_48.slots["last_turn"]["typed"] == "cái nào dễ hơn"


def test_what_may_be_meant_as_well_stands_behind_the_answer_under_its_own_question(
    respond: Respond, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = [("study-transcript", 0.8), ("study-card", 0.5)]
    weighed = [
        Weighed(Candidate("faq", entry, probability), probability, {})
        for entry_id, probability in near
        if (entry := engine.entry(entry_id)) is not None
    ]
    monkeypatch.setattr(
        engine._in_context._weigher, "weigh", lambda source, *_: weighed if source == "faq" else []
    )
    talk = Talk(respond)
    talk.say(TRANSCRIPT, "ask_study")

    said = talk.say("ở đâu vậy?", "follow_up")

    assert names(said) == ["utter_perhaps_same_answer", "utter_answer", "utter_other_meaning", "utter_answer"]
    first, other = said[1], said[3]
    assert first["text"].startswith(f"> {TRANSCRIPT}")
    assert other["text"].startswith(f"> {CARD}")
    assert [each["custom"]["answer_id"] for each in (first, other)] == ["study-transcript", "study-card"]
    assert talk.answers() == "study-transcript"
