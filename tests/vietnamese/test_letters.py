"""The frame of a letter is taken away, and nothing of what its questions are about."""

import pytest

from vietnamese.letters import introduces_only, is_numbering, without_frame, without_numbering


def places(text, *names):
    return [(text.index(name), text.index(name) + len(name)) for name in names]


@pytest.mark.parametrize(
    ("text", "named", "left"),
    [
        (
            "Kính gửi Phòng Đào tạo, em là Lê Văn C, MSSV 24110045, K50 ngành Luật. Em muốn rút môn. "
            "Hạn là khi nào? Em xin cảm ơn.",
            ("K50", "Luật"),
            "Em muốn rút môn. Hạn là khi nào?",
        ),
        ("Em xin hỏi mấy vấn đề sau: 1. A là gì? 2. B ra sao?", (), "1. A là gì? 2. B ra sao?"),
        ("em có mấy câu hỏi: học phí bao nhiêu, hạn khi nào", (), "học phí bao nhiêu, hạn khi nào"),
        ("Thưa thầy cô, con tôi là sinh viên năm nhất. Học phí bao nhiêu?", (), "Học phí bao nhiêu?"),
        (
            "Dear Sir, I am Kim Lee, from K50. How much is the dormitory? Thank you very much.",
            ("K50",),
            "from K50. How much is the dormitory?",
        ),
        ("thầy cô ơi, hạn nộp khi nào", (), "hạn nộp khi nào"),
        ("Chào nhà trường, con tôi mới vào năm nhất Luật, hạn nộp khi nào", ("Luật",), "hạn nộp khi nào"),
        ("cháu nhà tôi học K50, hạn nộp khi nào", ("K50",), "hạn nộp khi nào"),
    ],
)
def test_the_frame_of_a_letter_is_taken_away(text, named, left):
    assert without_frame(text, lambda _: places(text, *named)) == left


@pytest.mark.parametrize(
    "text",
    [
        "em là con thương binh, được giảm học phí không",
        "em là Đảng viên, có được cộng điểm không",
        "gửi xe máy, xe đạp bao nhiêu tiền",
        "Gửi đơn ở đâu, khi nào?",
        "to graduate, what do I need?",
        "em cảm ơn",
        "Kính gửi thầy cô.",
        "em bị sốt, em phải làm gì?",
        "em mới vào ký túc xá, em phải làm gì?",
        "em học hai ngành, học phí tính sao?",
        "",
        ":::",
    ],
)
def test_what_is_told_of_the_matter_stays(text):
    assert without_frame(text) == text


def test_an_introduction_alone_is_a_reply():
    text = "I'm cohort 51, Computer Science, advanced program"
    named = places(text, "cohort 51", "Computer Science", "advanced program")
    assert without_frame(text, lambda _: named) == text


@pytest.mark.parametrize(
    ("typed", "question"),
    [("2) Hạn nộp?", "Hạn nộp?"), ("Câu 3: ở đâu", "ở đâu"), ("- ở đâu", "ở đâu"), ("3 tín A", "3 tín A")],
)
def test_a_question_loses_its_number(typed, question):
    assert without_numbering(typed) == question


def test_a_number_alone_is_no_question():
    assert is_numbering("1.")
    assert not is_numbering("1. Hạn?")
    assert not is_numbering("25 tín")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Chào Bông Lau, mình là sinh viên K50 ngành Luật.", ("K50", "Luật")),
        ("chào nhà trường, tôi là phụ huynh em học K50", ("K50",)),
        ("Hello, I am an exchange student.", ()),
        ("em là tân sinh viên", ()),
    ],
)
def test_who_only_says_who_writes_asks_nothing(text, named):
    assert introduces_only(text, places(text, *named))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("em là sinh viên K50, em bị mất thẻ", ("K50",)),
        ("em là sinh viên K50?", ("K50",)),
        ("em là ai", ()),
        ("chào Covan", ()),
        ("K50", ("K50",)),
    ],
)
def test_a_matter_or_a_bare_value_is_no_introduction(text, named):
    assert not introduces_only(text, places(text, *named))
