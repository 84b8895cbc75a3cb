"""Typed choices: by the option's own words, and by its place; everything else chooses nothing."""

from __future__ import annotations

import pytest

from vietnamese.choices import chosen_position, chosen_title, chosen_words, counts_off

TITLES = [
    "Học phí học kỳ hè tính thế nào?",
    "Điều kiện xét học bổng khuyến khích",
    "Miễn, giảm học phí",
    "Không phải ý nào",
]


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("2", 1),
        (" 2. ", 1),
        ("#2", 1),
        ("(2)", 1),
        ("số 2", 1),
        ("so 2", 1),
        ("em chọn số 2 ạ", 1),
        ("dạ câu 2 nhé", 1),
        ("ý thứ 3", 2),
        ("y thu 3", 2),
        ("cái thứ hai", 1),
        ("cai thu hai", 1),
        ("thứ nhất", 0),
        ("câu thứ tư", 3),
        ("lựa chọn 1", 0),
        ("phương án số 3", 2),
        ("cái đầu tiên", 0),
        ("cai dau tien", 0),
        ("cái đầu", 0),
        ("đầu tiên ạ", 0),
        ("câu cuối", 3),
        ("cau cuoi cung", 3),
        ("cái cuối đi", 3),
        ("the first one", 0),
        ("first", 0),
        ("the last one please", 3),
        ("option 2", 1),
        ("the 2nd one", 1),
        ("number two", None),
        ("câu hai", 1),
    ],
)
def test_a_place_is_typed_in_many_ways(typed: str, place: int | None) -> None:
    assert chosen_position(typed, 4) == place


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "0",
        "5",
        "số 5",
        "50",
        "k50",
        "năm 2",
        "khóa 2",
        "học kỳ 2",
        "điều 2",
        "2 ngành",
        "2 và 3",
        "1 2",
        "2.5",
        "2,5",
        "3.2 gpa",
        "hai",
        "ba",
        "đầu",
        "tín chỉ cuối",
        "hạn cuối",
        "hạn cuối là khi nào",
        "học phí",
        "cái thứ 9",
        "2" * 500,
        "\ud800",
        "?",
    ],
)
def test_a_value_and_a_number_beyond_the_options_are_no_place(typed: str) -> None:
    assert chosen_position(typed, 4) is None
    assert chosen_position(typed, 0) is None


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("Học phí học kỳ hè tính thế nào?", 0),
        ("hoc phi hoc ky he tinh the nao", 0),
        ("MIỄN GIẢM HỌC PHÍ", 2),
        ("em chọn miễn giảm học phí ạ", 2),
        ("không phải ý nào", 3),
        ("học phí", None),
        ("miễn giảm hoc phí", 2),
        ("miên giảm học phí", None),
        ("", None),
    ],
)
def test_the_whole_title_may_be_typed_without_diacritics(typed: str, title: int | None) -> None:
    assert chosen_title(typed, TITLES) == title


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("học bổng", 1),
        ("hoc bong", 1),
        ("điều kiện học bổng", 1),
        ("kỳ hè", 0),
        ("miễn giảm", 2),
        ("cho em hỏi về học bổng", 1),
        ("học phí", None),
        ("học phí hè", 0),
        ("thế nào", None),
        ("không", None),
        ("học bổng?", None),
        ("học bổng bao nhiêu tiền", None),
        ("hóc bong", None),
    ],
)
def test_words_choose_when_one_title_alone_has_them(typed: str, title: int | None) -> None:
    assert chosen_words(typed, TITLES) == title


def test_a_number_chooses_a_short_title_that_has_it_and_no_long_one() -> None:
    assert chosen_words("50", ["Khóa 51", "Khóa 50", "Khóa 49"]) == 1
    assert chosen_words("2", ["Học kỳ 1", "Học kỳ 2"]) == 1
    assert chosen_words("2", ["Học 2 ngành cùng lúc được không?", "Điểm"]) is None


def test_two_equal_titles_are_no_choice() -> None:
    assert chosen_title("học phí", ["Học phí", "học phí"]) is None


@pytest.mark.parametrize(
    "typed", ["cái đầu tiên", "cau cuoi", "ý 2 ạ", "cái thứ ba", "the last one", "option 4"]
)
def test_words_that_only_count_off_an_option(typed: str) -> None:
    assert counts_off(typed)


@pytest.mark.parametrize(
    "typed", ["2", "50 ạ", "học phí", "lần đầu tiên đi học", "bắt đầu lại", "", "cái 6 tháng"]
)
def test_numbers_alone_and_other_words_count_off_nothing(typed: str) -> None:
    assert not counts_off(typed)
