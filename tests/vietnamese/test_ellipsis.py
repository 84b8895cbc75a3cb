"""Elliptic messages continue the question before them."""

from __future__ import annotations

import pytest

from vietnamese.ellipsis import (
    MOST_WORDS,
    Correction,
    asks,
    asks_for_result,
    begins_with_writer,
    comes_back_to_writer,
    concludes,
    continuation,
    correction,
    doubts,
    goes_on_about_them,
    is_about_somebody_else,
    is_mere_topic,
    is_puzzled,
    matter_name,
    names_nothing,
    share_of_empty_words,
    sums_values,
    supposes,
    supposes_values,
)


@pytest.mark.parametrize(
    "text",
    [
        "ở đâu vậy?",
        "Ở đâu ạ",
        "nop o dau z",
        "nộp cho ai?",
        "mất bao lâu",
        "khi nào có",
        "how much is it",
        "thế à",
    ],
)
def test_a_message_of_question_words_names_nothing(text: str) -> None:
    assert names_nothing(text)


@pytest.mark.parametrize(
    "text",
    ["", "   ", "?!", "học phí bao nhiêu", "ký túc xá ở đâu", "xin bảng điểm ở đâu", "ở đâu " * MOST_WORDS],
)
def test_a_message_with_a_matter_of_its_own_does_not(text: str) -> None:
    assert not names_nothing(text)


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("còn k48?", "k48"),
        ("con k48", "k48"),
        ("thế học phí thì sao?", "học phí"),
        ("vậy còn ngành luật thì sao ạ", "ngành luật"),
        ("Thế còn  chất lượng cao", "chất lượng cao"),
        ("what about dormitory", "dormitory"),
    ],
)
def test_what_a_message_adds_to_the_question_before(text: str, added: str) -> None:
    assert continuation(text) == added


@pytest.mark.parametrize(
    "text",
    [
        "",
        "còn",
        "thế nào là cảnh báo học vụ",
        "vay vốn sinh viên thì sao",
        "con em học k48 thì sao",
        "còn gì nữa không",
        "học phí thì sao",
        "còn bao nhiêu chỗ ở ký túc xá cho sinh viên năm nhất vậy",
    ],
)
def test_a_question_that_stands_alone_adds_nothing(text: str) -> None:
    assert continuation(text) is None


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Điều kiện được học bổng khuyến khích học tập là gì?", "học bổng khuyến khích học tập"),
        ("Xin giấy xác nhận ở đâu?", "giấy xác nhận"),
        ("Ký túc xá một tháng bao nhiêu tiền?", "Ký túc xá"),
        ("Thư viện mở cửa mấy giờ?", "Thư viện mở cửa"),
        ("Những ai được miễn học phí?", "miễn học phí"),
        ("Bảo lưu tối đa bao lâu?", "Bảo lưu tối đa"),
        ("TOEFL iBT bao nhiêu điểm thì đạt chuẩn tốt nghiệp?", "TOEFL iBT"),
        ("nop o dau vay a", ""),
        ("", ""),
    ],
)
def test_a_question_holds_the_name_of_its_matter(question: str, name: str) -> None:
    assert matter_name(question) == name


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("bạn em k49 thì sao", True),
        ("ban e k52 co khi", True),
        ("vậy em trai em mới vô năm nhất thì sao", True),
        ("nhỏ bạn em học chất lượng cao", True),
        ("ny dc 105 tin", True),
        ("con be em e k52", True),
        ("em trai 3.62 thì loại gì", True),
        ("em trải qua mấy kỳ rồi", False),
        ("bạn ơi cho em hỏi", False),
        ("em k49 thì sao", False),
        ("anh ơi em học luật", False),
    ],
)
def test_a_message_about_somebody_else(text: str, is_so: bool) -> None:
    assert is_about_somebody_else(text) is is_so


@pytest.mark.parametrize(
    ("text", "is_topic"),
    [
        ("quy định về học phí", True),
        ("em muốn hỏi về quy định, cho mình hỏi chút về học phí", True),
        ("thong tin tuyen sinh", True),
        ("quy định về học phí thế nào", False),
        ("quy định về phúc khảo bài thi cuối kỳ", False),
        ("chuyển ngành", False),
    ],
)
def test_a_topic_that_is_only_introduced(text: str, is_topic: bool) -> None:
    assert is_mere_topic(text) is is_topic


@pytest.mark.parametrize(
    ("text", "share"),
    [("nộp ở đâu vậy ạ", 1.0), ("học bổng", 0.0), ("", 1.0), ("bảo lưu", 0.0), ("bao lau", 1.0)],
)
def test_the_words_that_name_no_matter_are_a_share_of_all(text: str, share: float) -> None:
    assert share_of_empty_words(text) == share


@pytest.mark.parametrize(
    ("text", "put_right"),
    [
        ("không phải k47, k48 cơ", Correction("k48", "k47")),
        ("k48 chứ không phải k47", Correction("k48", "k47")),
        ("à nhầm k48", Correction("k48")),
        ("ý em là học phí chứ không phải học bổng", Correction("học phí", "học bổng", is_plain=True)),
        ("y em la hoc phi chu ko phai hoc bong", Correction("hoc phi", "hoc bong", is_plain=True)),
        ("nhầm, em học luật chứ ko phải kế toán", Correction("học luật", "kế toán")),
        ("e nham, e hoc dai tra", Correction("e hoc dai tra")),
        ("em ghi nhầm rồi, k50 ạ", Correction("k50")),
        ("e nham e k50", Correction("e k50")),
        ("không phải học bổng mà là học phí", Correction("học phí", "học bổng")),
        ("em hỏi ký túc xá mà", Correction("ký túc xá")),
        ("sai rồi k48", Correction("k48")),
        ("ko, han dk co ad", Correction("han dk", is_plain=True)),
        ("ko, y e la han chot dong la ngay nao", Correction("han chot dong la ngay nao", is_plain=True)),
        ("I meant tuition not scholarship", Correction("tuition", "scholarship", is_plain=True)),
    ],
)
def test_what_a_correction_puts_right(text: str, put_right: Correction) -> None:
    assert correction(text) == put_right


@pytest.mark.parametrize(
    "text", ["", "không", "không phải", "sai rồi", "học phí bao nhiêu ạ", "?" * 5_000, "không phải " * 500]
)
def test_what_puts_nothing_right_is_no_correction(text: str) -> None:
    assert correction(text) is None


@pytest.mark.parametrize(
    "text",
    [
        *(
            "em k51 cntt chuyển qua clc dc ko",
            "em ngành luật cần gì",
            "k50 co phai thi lai khong a",
            "em k49 nợ mấy môn",
        ),
        *("cntt k51 học cái này được chưa", "có mất tiền k", "I'm in law, can I apply", "k50, which office"),
        *("cntt dai tra thi dc nhiu", "em k49 kế toán được nhiêu ạ", "dược nhận nhiêu tiền"),
    ],
)
def test_words_that_ask_are_found_beside_a_profile(text: str) -> None:
    assert asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "dạ em k47 ạ",
        "em mới đậu k52",
        "em học ngành gì cũng được, luật",
        "em k51 luật, được nhiều bạn giúp",
        "I'm cohort 51, Computer Science",
        "what about batch 2024?",
    ],
)
def test_a_mere_introduction_asks_nothing(text: str) -> None:
    assert not asks(text)


QUESTION = ("Bạn học chương trình nào, khóa nào?", "Chương trình đại trà", "Hệ vừa làm vừa học")


@pytest.mark.parametrize(
    "text",
    [
        *("là sao ad", "y la gi", "khóa là gì vậy", "sao lại hỏi", "hoi lam gi", "what do you mean?"),
        *("dai tra la gi", "cái này là gì vậy"),
    ],
)
def test_a_puzzled_reply_is_told(text: str) -> None:
    assert is_puzzled(text, QUESTION)


@pytest.mark.parametrize("text", ["chắc chưa", "thật ko ad", "co chac k", "đúng không ạ", "are you sure?"])
def test_a_doubt_is_told(text: str) -> None:
    assert doubts(text)


@pytest.mark.parametrize("text", ["chưa", "chắc em học k50", "đúng hạn không", "ko chắc", "thật", ""])
def test_any_other_message_is_no_doubt(text: str) -> None:
    assert not doubts(text)


@pytest.mark.parametrize(
    "text",
    [
        *("ở đâu vậy", "ko làm thì sao", "nguồn đâu ad", "k47", "where is it", ""),
        *("điều kiện là gì", "dk la gi", "học phí đại trà là sao"),
    ],
)
def test_any_other_message_is_not_puzzled(text: str) -> None:
    assert not is_puzzled(text, QUESTION)


@pytest.mark.parametrize(
    "text",
    [
        "tính ra số tiền luôn giúp em",
        "tinh ra so tien luon dum e",
        "tính tiền giúp mình luôn ạ",
        "tính thử giùm em đi",
        "vậy tổng cộng là bao nhiêu tiền",
        "can you work it out for me",
        "how much is that in total",
    ],
)
def test_asks_for_the_result_of_values_said_before(text: str) -> None:
    assert asks_for_result(text)


@pytest.mark.parametrize(
    "text",
    [
        "điểm trung bình tính ra sao",
        "môn gdtc có tính luôn vào gpa không",
        "cách tính điểm",
        "học phí tính sao",
    ],
)
def test_a_question_about_the_way_of_calculating_asks_for_no_result(text: str) -> None:
    assert not asks_for_result(text)


@pytest.mark.parametrize(
    ("text", "is_theirs"),
    [
        ("nó có ielts 5.0 thì xài được không", True),
        ("no can giay to gi", True),
        ("thế bạn ấy học lại thì sao", True),
        ("nhật ký của ổng ghi trên giấy hay web", True),
        ("em nó thi chưa đủ tín thì sao", True),
        ("nhật ký của em ghi ở đâu", False),
        ("nợ môn thì sao", False),
        ("no mon thi sao", False),
        ("no 2 mon thi sao", False),
        ("con cho nao khong", False),
    ],
)
def test_a_message_that_goes_on_about_somebody_else(text: str, is_theirs: bool) -> None:
    assert goes_on_about_them(text) is is_theirs


@pytest.mark.parametrize(
    ("text", "comes_back"),
    [
        ("còn em thì sao", True),
        ("con phan em thi duoc gi", True),
        ("còn em gái em thì sao", False),
        ("nộp ở đâu", False),
    ],
)
def test_a_message_that_comes_back_to_its_writer(text: str, comes_back: bool) -> None:
    assert comes_back_to_writer(text) is comes_back


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("e con no 2 mon 6 tin thi dong bn", True),
        ("em đang làm công ty 8 tháng rồi", True),
        ("I still owe two courses", True),
        ("em trai k52 thì sao", False),
        ("em nó 16 tín thì đóng bao nhiêu", False),
        ("em muốn hỏi nộp ở đâu", False),
        ("nộp ở đâu", False),
    ],
)
def test_a_message_that_begins_with_its_writer(text: str, is_so: bool) -> None:
    assert begins_with_writer(text) is is_so


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Học phí một tín chỉ bao nhiêu?", "Học phí"),
        ("Ký túc xá một tháng bao nhiêu tiền?", "Ký túc xá"),
        ("Học kỳ 1 năm học này bắt đầu ngày nào?", "Học kỳ 1 năm học này bắt đầu ngày"),
    ],
)
def test_the_name_of_a_matter_ends_before_the_unit_of_its_amount(question: str, name: str) -> None:
    assert matter_name(question) == name


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("vậy là học lực gì", True),
        ("v co dc hoc bong ko", True),
        ("gpa đó đủ làm khóa luận chưa ạ", True),
        ("có bị cảnh báo học vụ không", True),
        ("so do I get the scholarship", True),
        ("thư viện mở cửa mấy giờ", False),
        ("điều kiện học bổng là gì", False),
        ("vậy còn học phí", False),
    ],
)
def test_a_message_that_concludes_from_what_was_found(text: str, is_so: bool) -> None:
    assert concludes(text) is is_so


@pytest.mark.parametrize(
    ("text", "is_so"),
    [("nếu 14 tín thì sao", True), ("gia su em dc 3.5", True), ("em được 3.5 thì sao", False)],
)
def test_a_message_that_supposes_something(text: str, is_so: bool) -> None:
    assert supposes(text) is is_so


@pytest.mark.parametrize(
    ("rest", "supposes"),
    [
        ("neu keo len  thi sao", True),
        ("thì sao", True),
        ("nếu rớt  thì sao", False),
        ("em chỉ được", False),
        ("", False),
    ],
)
def test_values_that_are_supposed_stand_beside_no_matter(rest: str, supposes: bool) -> None:
    assert supposes_values(rest) is supposes


@pytest.mark.parametrize(
    ("rest", "sums"),
    [
        ("the  het nhiu", True),
        ("vậy  hết bao nhiêu tiền ạ", True),
        ("thì học phí bao nhiêu", False),
        ("vậy  thì sao", False),
        ("đóng  rồi", False),
    ],
)
def test_what_values_come_to_is_asked_for_without_a_matter(rest: str, sums: bool) -> None:
    assert sums_values(rest) is sums
