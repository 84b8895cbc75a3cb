"""Small talk is told from questions; a question keeps all of its words but the greeting."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from vietnamese.small_talk import SmallTalk, asks_beside_small_talk, small_talk, without_small_talk

QUESTIONS = Path(__file__).parents[2] / "benchmarks" / "sample_school" / "questions.csv"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Xin chàooo", "greet"),
        ("chao ad", "greet"),
        ("dạ em chào thầy cô ạ", "greet"),
        ("cho em hỏi với ạ", "greet"),
        ("hế lô", "greet"),
        ("cảm ơn ad nhiều ạ", "thank"),
        ("chào ad, cảm ơn nhé", "thank"),
        ("thank you so much!", "thank"),
        ("tạm biệt nhé", "goodbye"),
        ("ban la ai vay", "who_are_you"),
        ("bot hả", "who_are_you"),
        ("ai tạo ra bạn?", "who_are_you"),
        ("who made you", "who_are_you"),
        ("bạn khỏe không", "how_are_you"),
        ("giỏi quá ad ơi", "praise"),
        ("bot ngu quá", "abuse"),
        ("bot vô dụng quá", "complain"),
        ("tra loi sai roi", "complain"),
        ("hahaha", "laughter"),
        ("kkkkk", "laughter"),
        ("😂😂", "laughter"),
        ("uầy căng 😭", "reaction"),
        ("ghê vậy trời", "reaction"),
        ("ok", "affirm"),
        ("dạ em hiểu rồi ạ", "affirm"),
        ("ok hieu r", "affirm"),
        ("ok để em ghi lại", "affirm"),
        ("test", "test"),
    ],
)
def test_small_talk_has_a_kind(text: str, kind: str) -> None:
    assert small_talk(text) is SmallTalk(kind)


@pytest.mark.parametrize(
    "text",
    [
        "chào ad, cho em hỏi học phí k48",
        "học phí",
        "k48",
        "vắng",
        "toi da",
        "dinh chi",
        "bảo lưu ạ",
        "ai được ở ktx",
        "cảm ơn, còn học bổng thì sao",
        "không",
        "bạn là sinh viên k48 hả",
        "???",
        "",
    ],
)
def test_what_may_be_a_question_is_no_small_talk(text: str) -> None:
    assert small_talk(text) is None


def test_no_question_of_the_sample_school_is_small_talk() -> None:
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        asked = [row["question"] for row in csv.DictReader(file)]
    assert len(asked) > 200
    assert [text for text in asked if small_talk(text)] == []


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("chào ad, cho em hỏi học phí k48", "học phí k48"),
        ("hi ad ơi hạn đóng học phí khi nào", "hạn đóng học phí khi nào"),
        ("dạ em chào thầy cô ạ cho em hỏi khi nào thi? em cảm ơn ạ", "khi nào thi?"),
        ("Hello, how do I pay?", "how do I pay?"),
        ("kế hoạch học tập là gì", "kế hoạch học tập là gì"),
        ("2 lần cảnh báo thì sao", "2 lần cảnh báo thì sao"),
        ("em lỡ hạn nộp rồi", "em lỡ hạn nộp rồi"),
        ("bot ngu vl trả lời đàng hoàng coi, phúc khảo mất bao tiền", "phúc khảo mất bao tiền"),
        ("đm hạn mấy ngày", "hạn mấy ngày"),
        ("bao lâu có kết quả, lâu vl", "bao lâu có kết quả, lâu"),
        ("e ngu quen, co dc thi bu ko", "e ngu quen, co dc thi bu ko"),
        ("bot ngu vl", "bot ngu vl"),
        ("tôi muốn hỏi hạn đóng tiền", "hạn đóng tiền"),
        ("xin chào", "xin chào"),
        ("cảm ơn ạ", "cảm ơn ạ"),
        ("", ""),
        ("rồi quay lại cái chuẩn tiếng anh", "chuẩn tiếng anh"),
        ("thôi quay lai vu hoc bong, khi nao co tien", "hoc bong, khi nao co tien"),
        ("back to the dormitory, when does it open", "the dormitory, when does it open"),
        ("em muốn quay lại học thì nộp gì", "em muốn quay lại học thì nộp gì"),
    ],
)
def test_a_question_loses_its_small_talk_only(text: str, question: str) -> None:
    assert without_small_talk(text) == question


@pytest.mark.parametrize(
    "text",
    ["m giúp đc gì cho t", "mày làm đc gì", "mày giúp t đc gì", "m biết gì", "m giúp tao được những gì z"],
)
def test_among_close_friends_the_bot_is_asked_what_it_can_do(text: str) -> None:
    assert small_talk(text) is SmallTalk.WHO_ARE_YOU


@pytest.mark.parametrize("text", ["m giúp t đăng ký môn đc k", "t được học bổng gì", "t nợ môn thì sao"])
def test_a_question_among_close_friends_is_no_small_talk(text: str) -> None:
    assert small_talk(text) is None


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("thoi hoi cai khac, phuc khao bao nhieu tien", "phuc khao bao nhieu tien"),
        ("thôi khỏi, hỏi tiếp: phúc khảo hết bao nhiêu", "phúc khảo hết bao nhiêu"),
        ("oke quay lại vụ rút môn, có được trả lại tiền không", "rút môn, có được trả lại tiền không"),
        ("rồi cho em hỏi cái khác nha ad, ktx giá sao", "ktx giá sao"),
        ("quay lại học sau bảo lưu cần gì", "quay lại học sau bảo lưu cần gì"),
        ("thôi học thì có được trả học phí không", "thôi học thì có được trả học phí không"),
        ("thôi hỏi cái khác", "thôi hỏi cái khác"),
        ("ok cảm ơn ad nha, mà rớt môn có phải học lại ko", "mà rớt môn có phải học lại ko"),
        ("Thank you! One last thing, where can I pay?", "One last thing, where can I pay?"),
        ("cảm ơn ad, để em hỏi lại phòng", "cảm ơn ad, để em hỏi lại phòng"),
    ],
)
def test_what_turns_to_a_question_is_none_of_it(text: str, question: str) -> None:
    assert without_small_talk(text) == question


def test_a_question_behind_thanks_asks() -> None:
    assert asks_beside_small_talk("cảm ơn ad, vậy nộp đơn ở đâu")
    assert not asks_beside_small_talk("cảm ơn ad nhiều nha")
    assert not asks_beside_small_talk("vậy nộp đơn ở đâu")
