"""Values with their units are found as students type them; nothing that a message may hold raises."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vietnamese.text import fold
from vietnamese.written_values import amount_in, units, written_values

FOUND = [
    ("em gpa 3.3 rèn luyện 85 có được học bổng không", [("gpa", 3.3), ("conduct", 85.0)]),
    ("gpa 3,3", [("gpa", 3.3)]),
    ("điểm trung bình của em là 3 phẩy 2", [("gpa", 3.2)]),
    ("85 đrl", [("conduct", 85.0)]),
    ("đrl 85 gpa 3,3", [("conduct", 85.0), ("gpa", 3.3)]),
    ("85 đrl 3.3 gpa", [("conduct", 85.0), ("gpa", 3.3)]),
    ("18 tín", [("credits", 18.0)]),
    ("18tc", [("credits", 18.0)]),
    ("giữa kỳ 7.2 (30%)", [("number", 7.2), ("percent", 30.0)]),
    ("chiếm 40 phần trăm", [("percent", 40.0)]),
    ("học lại 8 tín", [("repeated_credits", 8.0)]),
    ("8 tín học lại", [("repeated_credits", 8.0)]),
    ("phòng 6 người hộ nghèo", [("people", 6.0), ("hardship", "poor")]),
    ("hộ cận nghèo", []),
    ("A 3 tín, B+ 2 tín", [("letter", "A"), ("credits", 3.0), ("letter", "B+"), ("credits", 2.0)]),
    ("dạ a 3 tín thì sao", [("credits", 3.0)]),
    ("lý 7 3tc, toán 8 2tc", [("number", 7.0), ("credits", 3.0), ("number", 8.0), ("credits", 2.0)]),
    ("lớp 12, 3 tín", [("credits", 3.0)]),
    ("-3 tín chỉ", [("credits", -3.0)]),
    ("25 điểm khối B00", [("points", 25.0), ("combination", "B00")]),
    ("25đ khối b", [("points", 25.0), ("combination", "B00")]),
    ("24 rưỡi điểm d01", [("points", 24.5), ("combination", "D01")]),
    ("thi đánh giá năng lực được 820 điểm", [("aptitude", 820.0)]),
    ("ielts 5.5", [("ielts", 5.5)]),
    ("8.5 triệu", [("money", 8_500_000.0)]),
    ("8tr5", [("money", 8_500_000.0)]),
    ("4 triệu rưỡi", [("money", 4_500_000.0)]),
    ("480.000đ", [("money", 480_000.0)]),
    ("500k", [("money", 500_000.0)]),
    ("phòng 6 người ở 5 tháng", [("people", 6.0), ("months", 5.0)]),
    ("ngày 15 tháng 9", []),
    ("được 7.8/10", [("score", 7.8)]),
    ("7.8 sang hệ 4", [("number", 7.8), ("scale", "4")]),
    ("3.2 hệ 4 sang hệ 10", [("gpa", 3.2), ("scale", "10")]),
    ("B+ là mấy điểm", [("letter", "B+")]),
    (
        "gpa 3 tín A 2 tín B+",
        [("credits", 3.0), ("letter", "A"), ("credits", 2.0), ("letter", "B+")],
    ),
    ("ngành nào học phí rẻ nhất", [("extreme", "lowest")]),
    ("gpa 2.6, điểm đầu vào 23", [("gpa", 2.6), ("entrance", 23.0)]),
    ("thế 1 kỳ hết bao nhiêu", [("terms", 1.0)]),
    ("học kỳ 1 này", [("term", "1")]),
    ("xét học bạ thì sao", [("admission_way", "hoc_ba")]),
    ("học bạ 25 đậu không", [("school_record", 25.0)]),
    ("em đc 26 đ học bạ", [("school_record", 26.0)]),
    ("muốn lên tốt thì cần mấy điểm", [("conduct_rank", "good")]),
    ("hk2 còn mấy ngày nữa", [("term", "2"), ("countdown", "days")]),
    ("giờ nộp còn kịp ko", [("countdown", "in_time")]),
    ("kv2-nt", [("region", "2nt")]),
    ("I have 18 credits and a GPA of 3.4", [("credits", 18.0), ("gpa", 3.4)]),
    ("em k51 cntt học bằng 2 đợt 1", []),
    ("em được 3", [("number", 3.0)]),
    ("gpa tụt xuống 1.9 thì sao", [("gpa", 1.9)]),
    ("cpa rớt còn 1,95", [("cumulative_gpa", 1.95)]),
    ("điểm trung bình kì này của em chỉ còn 2.4", [("gpa", 2.4)]),
    ("my gpa dropped to 1.9", [("gpa", 1.9)]),
    # Of two numbers beside a cue, the one of the unit's form.
    ("kì này em 3.4 rl 78", [("number", 3.4), ("conduct", 78.0)]),
    ("3,4 với rl 78", [("number", 3.4), ("conduct", 78.0)]),
    ("3 rl 78", [("number", 3.0), ("conduct", 78.0)]),
    ("78 rl 3.4", [("conduct", 78.0), ("number", 3.4)]),
    ("78.5 rl", [("conduct", 78.5)]),
    # A whole number counts or numbers the noun beside it.
    ("có 1 con F thì sao", [("letter", "F")]),
    ("ra trường có 2 bằng hả", []),
    ("hoc phi 1 tin chi", []),
    ("nganh 2 diem cao co dc xet hoc bong ko", []),
    ("em năm 3 điểm tích lũy 2.9", [("cumulative_gpa", 2.9)]),
    ("dạy thử cho học sinh lớp 12 tới nghe", []),
    ("năm 2027 học phí bao nhiêu", []),
    ("toi 25 tuoi roi", []),
    ("mở từ 7:30 đến 16:30", []),
    ("I have 2 brothers", []),
    ("điểm sàn đánh giá năng lực 2026", [("admission_way", "dgnl")]),
    ("thi đgnl 2 lần lấy điểm nào", [("admission_way", "dgnl"), ("times", 2.0)]),
    ("em được 85 thì sao", [("number", 85.0)]),
    ("e dc 85 co hb k", [("number", 85.0)]),
    ("78 với 3.4", [("number", 78.0), ("number", 3.4)]),
    ("85", [("number", 85.0)]),
    ("A00 24 có đậu không", [("combination", "A00"), ("number", 24.0)]),
    ("toán 8.0", [("number", 8.0)]),
    ("3.1x", []),
    ("số tài khoản 0123456789012345", []),
    ("tich luy 1.35, ki nay 0.95", [("cumulative_gpa", 1.35), ("number", 0.95)]),
    ("tích lũy được 96 tín", [("earned_credits", 96.0)]),
    ("em có 96 tín chỉ tích lũy", [("earned_credits", 96.0)]),
    ("30tc còn lại", [("remaining_credits", 30.0)]),
    ("còn 30 tín nữa", [("remaining_credits", 30.0)]),
    ("thêm 3 tín nữa", [("credits", 3.0)]),
    # The number of a term is no average.
    ("gpa học kỳ 1 2.8", [("term", "1"), ("gpa", 2.8)]),
    ("đtb năm 2 của em là 3.1", [("gpa", 3.1)]),
    ("gpa học kỳ 1 là bao nhiêu", [("term", "1")]),
    ("gpa năm 3", []),
    ("em nợ 26 tín F", [("failed_credits", 26.0), ("letter", "F")]),
    ("rớt 25 tín chỉ", [("failed_credits", 25.0)]),
    ("hoc lai 3 mon F tong 9tc", [("courses", 3.0), ("repeated_credits", 9.0)]),
    ("em được 2 môn B+", [("courses", 2.0), ("letter", "B+")]),
    ("rớt 2 môn 6 tín", [("courses", 2.0), ("failed_credits", 6.0)]),
    ("18 tín rút 3 tín", [("credits", 18.0), ("dropped_credits", 3.0)]),
    ("neu rut bot 1 mon 2 tin", [("courses", 1.0), ("dropped_credits", 2.0)]),
    ("tổng 62+4+2 = 68 điểm rèn luyện", [("conduct", 68.0)]),
    ("hb loại khá", [("rank", "fair")]),
    ("bằng khá cần gpa bao nhiêu", [("degree_rank", "fair")]),
    # What something falls short by is no value of it.
    ("thiếu 2 điểm rèn luyện", []),
    ("gpa 2.45 thieu co 0.05 thoi", [("gpa", 2.45)]),
    ("3 môn học lại, mỗi môn 3 tín", [("courses", 3.0), ("credits", 9.0)]),
    ("3 mon x moi mon co 2 tin", [("courses", 3.0), ("credits", 6.0)]),
    ("đi thi trễ 20 phút", [("minutes", 20.0)]),
    ("trễ 2 ngày", [("days", 2.0)]),
    ("3 môn, 18 tín", [("courses", 3.0), ("credits", 18.0)]),
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_a_value_has_its_unit(text: str, expected: list[tuple[str, float | str]]) -> None:
    assert [(value.unit, value.value) for value in written_values(text)] == expected


@pytest.mark.parametrize("text", [text for text, _ in FOUND])
def test_diacritics_and_capitals_do_not_matter(text: str) -> None:
    expected = [(value.unit, value.value) for value in written_values(text)]

    assert [(value.unit, value.value) for value in written_values(fold(text))] == expected
    assert [(value.unit, value.value) for value in written_values(text.upper())] == expected


@pytest.mark.parametrize(
    ("text", "letters"),
    [("cuối kỳ cần mấy để được B", ["B"]), ("để đạt C+", ["C+"]), ("em được a", []), ("EM ĐƯỢC A", [])],
)
def test_a_grade_to_be_reached_is_a_capital(text: str, letters: list[str]) -> None:
    assert [value.value for value in written_values(text) if value.unit == "letter"] == letters


def test_a_number_within_a_name_is_none_of_its_own() -> None:
    assert written_values("khóa 51", names=[(0, 7)]) == ()
    assert written_values("gpa 3.2", names=[(0, 7)]) != ()


def test_the_name_of_a_cohort_is_no_combination_of_subjects() -> None:
    assert [value.unit for value in written_values("20 tín, D25 kế toán", names=[(8, 11)])] == ["credits"]
    assert [value.unit for value in written_values("24 điểm D01")] == ["points", "combination"]


def test_a_number_beside_a_name_is_a_value() -> None:
    assert [value.value for value in written_values("luật 24 đậu không", names=[(0, 4)])] == [24.0]
    assert [value.value for value in written_values("24 luật đậu không", names=[(3, 7)])] == [24.0]


@given(
    st.lists(
        st.sampled_from([*(word for text, _ in FOUND for word in text.split()), "1", "-", ",", "nghìn"]),
        max_size=20,
    )
)
def test_values_stand_in_the_text_and_do_not_overlap(pieces: list[str]) -> None:
    text = " ".join(pieces)
    found = written_values(text)

    assert all(0 <= value.start < value.end <= len(text) and value.unit in units() for value in found)
    assert all(before.end <= after.start for before, after in pairwise(found))


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    written_values(text)
    amount_in(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("480.000 đồng/tín chỉ", 480_000.0),
        ("16,00 điểm", 16.0),
        ("15,4 triệu đồng", 15_400_000.0),
        ("1.100.000 đồng", 1_100_000.0),
        ("835", 835.0),
        ("không có", None),
    ],
)
def test_the_amount_of_a_fact(text: str, number: float | None) -> None:
    assert amount_in(text) == number


@pytest.mark.parametrize(
    "text", ["1 tín bao nhiêu", "năm ngoái 1 tín bn vậy", "một tín chỉ giá bao nhiêu", "1 tc nhiu tien"]
)
def test_the_price_of_a_credit_is_no_number_of_credits(text: str) -> None:
    assert all(value.unit != "credits" for value in written_values(text))


def test_who_takes_one_credit_gives_a_number() -> None:
    assert [value.value for value in written_values("em đăng ký 1 tín chỉ thì có được không")] == [1]


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("em nam 3 gpa 3.4 rl 82", "gpa", 3.4),
        ("năm 2 tích lũy 2.6 chuyển ngành được không", "cumulative_gpa", 2.6),
        ("em năm 4 toeic 600", "toeic", 600),
    ],
)
def test_the_year_of_study_is_no_value_of_the_unit_behind_it(text: str, unit: str, value: float) -> None:
    assert [each.value for each in written_values(text) if each.unit == unit] == [value]


@pytest.mark.parametrize(
    "text", ["hệ 4 hệ 4 là mấy", "điểm chữ và hệ 4 hệ 4 là mấy", "thang điểm 10 thang điểm 10"]
)
def test_the_number_of_a_scale_is_no_mark(text: str) -> None:
    assert {value.unit for value in written_values(text)} == {"scale"}
