"""The calculators of the sample school at the boundaries of the clauses they apply; no value makes one fail."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covan.project import ROOT
from rag.answer.compute import Computation, Given, compute, values_said
from rag.calculators.calculator import Calculator
from rag.ingest.load import Knowledge, load_knowledge
from school.dimensions import Profile
from vietnamese.language_detection import Language
from vietnamese.written_values import WrittenValue, units, word_values, written_values

TODAY = date(2026, 11, 23)


@lru_cache(maxsize=1)
def sample() -> Knowledge:
    return load_knowledge(ROOT / "knowledge")


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return sample()


@pytest.fixture(scope="module")
def calculators(knowledge: Knowledge) -> Mapping[str, Calculator]:
    return {calculator.id: calculator for calculator in knowledge.calculators}


def said(
    knowledge: Knowledge,
    calculator: str,
    text: str,
    language: Language = "vi",
    which: Collection[str] = (),
    **profile: str,
) -> Computation | None:
    """Return the outcome of a calculator for the values of a text; `over_major=("a", "b")` names two majors.

    `which` are the dimensions of which the text asks for a value.
    """
    one = next(each for each in knowledge.calculators if each.id == calculator)
    named = {
        name.removeprefix("over_"): tuple(v.split())
        for name, v in profile.items()
        if name.startswith("over_")
    }
    known = Profile({name: value for name, value in profile.items() if not name.startswith("over_")})
    given = Given(written_values(text), profile=known, named=named, which=frozenset(which))
    return compute(one, given, knowledge.facts, TODAY, knowledge.catalog, language)


BOUNDARIES = [
    # cong-nhan-tot-nghiep, Điều 7: khá từ 2,50, giỏi từ 3,20; (2,50 x 130 - 2,45 x 100) / 30 = 2,667
    ("needed-average", "gpa 2.45 còn 30 tín nữa, bằng khá", "ít nhất **2,67**"),
    ("needed-average", "tích lũy 90 tín gpa 2.5, 10 tín còn lại, bằng khá", "ít nhất **2,50**"),
    ("needed-average", "tích lũy 90 tín gpa 3.1, 10 tín còn lại, bằng giỏi", "**không lên được hạng giỏi**"),
    ("needed-average", "tích lũy 90 tín gpa 3.12, 10 tín còn lại, bằng giỏi", "ít nhất **3,92**"),
    ("needed-average", "tích lũy 120 tín gpa 2.9, 10 tín còn lại, bằng khá", "đã đủ cho hạng **khá**"),
    # quy-che-dao-tao-2025, Điều 6: nhiều nhất 25 tín chỉ, đang bị cảnh báo học vụ 18; học kỳ hè 12
    ("credits-added", "22 tín thêm 3 tín", "**25 tín chỉ, không vượt mức**"),
    ("credits-added", "18 tín rồi thêm 3 tín học lại", "**21 tín chỉ, không vượt mức**"),
    (
        "credits-added",
        "23 tín thêm 3 tín",
        "**26 tín chỉ, vượt mức tối đa** 25 tín chỉ của học kỳ chính là 1 tín chỉ",
    ),
    ("credits-added", "kỳ hè 10 tín thêm 3 tín", "vượt mức tối đa** 12"),
    # hoc-bong-kkht-2025, Điều 5: 3,60 và 90; 3,20 và 80; 2,50 và 70; ví dụ ở khoản 3
    ("scholarship-eligibility", "gpa 3.6 rèn luyện 90", "loại xuất sắc"),
    ("scholarship-eligibility", "gpa 3.59 rèn luyện 90", "loại giỏi"),
    ("scholarship-eligibility", "gpa 3.7 rèn luyện 85", "loại giỏi"),
    ("scholarship-eligibility", "gpa 3.7 rèn luyện 85", "thiếu **5 điểm rèn luyện**"),
    ("scholarship-eligibility", "gpa 3.3 rèn luyện 75", "loại khá"),
    ("scholarship-eligibility", "gpa 3.2 rèn luyện 80", "loại giỏi"),
    ("scholarship-eligibility", "gpa 3.19 rèn luyện 80", "loại khá"),
    ("scholarship-eligibility", "gpa 2.5 rèn luyện 70", "loại khá"),
    ("scholarship-eligibility", "gpa 2.49 rèn luyện 70", "thiếu 0,01 điểm trung bình"),
    ("scholarship-eligibility", "gpa 3.9 rèn luyện 69", "thiếu 1 điểm rèn luyện"),
    ("scholarship-eligibility", "gpa 2 rèn luyện 60", "0,50 điểm trung bình"),
    ("scholarship-eligibility", "gpa 3.9 rèn luyện 95 14 tín", "thiếu 1 tín chỉ"),
    # Numbers without a unit go to the input whose form and limits they fit.
    ("scholarship-eligibility", "em 3.4 rl 78", "loại khá"),
    ("scholarship-eligibility", "3 rl 80", "loại khá"),
    ("scholarship-eligibility", "82 với 3", "loại khá"),
    ("scholarship-eligibility", "3.6 va 92", "loại xuất sắc"),
    # danh-gia-ren-luyen, Điều 3 (80, 90) và Điều 7 (4 điểm, 2 điểm, tối đa 8)
    ("conduct-missing", "rl 79 lên tốt", "cần thêm 1 điểm"),
    ("conduct-missing", "rl 80 lên tốt", "đã đạt"),
    ("conduct-missing", "rl 89 lên xuất sắc", "cần thêm 1 điểm"),
    ("conduct-for-level", "rèn luyện bao nhiêu là loại khá", "**65 điểm"),
    ("conduct-for-level", "rèn luyện bao nhiêu là loại tốt", "**80 điểm"),
    ("conduct-for-level", "rèn luyện bao nhiêu là loại xuất sắc", "**90 điểm"),
    ("donation-points", "hiến máu 1 lần", "**4 điểm**"),
    ("donation-points", "hiến máu 3 lần", "**8 điểm**"),
    ("volunteering-points", "tình nguyện 3 buổi", "**6 điểm**"),
    ("volunteering-points", "tình nguyện 5 buổi", "**8 điểm**"),
    # dang-ky-va-phi-ktx, Điều 7
    ("dormitory-room", "phòng 6 người", "300.000 đồng/tháng"),
    ("dormitory-room", "phòng 5 người", "không có phòng 5 người"),
    # Điều 7, khoản 4: hộ nghèo 30 %, diện ưu tiên 50 %, không áp dụng cho phòng 4 người
    ("dormitory-room", "phòng 6 người hộ nghèo", "**1.050.000 đồng**"),
    ("dormitory-room", "phòng 8 người mồ côi", "**110.000 đồng/tháng**"),
    ("dormitory-room", "phòng 4 người hộ nghèo", "**550.000 đồng/tháng** mỗi người (mức giảm không áp dụng"),
    ("dormitory-terms", "phòng 6 người 2 kỳ hộ nghèo", "2.100.000"),
    ("dormitory-total", "phòng 8 người 5 tháng hộ nghèo", "770.000"),
    ("dormitory-terms", "phòng 4 người 2 kỳ", "5.500.000"),
    ("dormitory-difference", "phòng 8 với phòng 4", "**330.000 đồng một tháng**, tức 1.650.000 đồng"),
    ("dormitory-difference", "phòng 6 với phòng 8", "**80.000 đồng một tháng**, tức 400.000 đồng"),
    ("dormitory-difference", "phòng 4 với phòng 6", "**250.000 đồng một tháng**"),
    ("dormitory-difference", "phòng 4 với phòng 4", "cùng một loại phòng"),
    ("dormitory-difference", "phòng 5 với phòng 8", "chỉ có phòng 8 người, 6 người và 4 người"),
    ("transfer-eligibility", "gpa 2.5 điểm đầu vào 23", "của bạn: 23"),
    ("transfer-eligibility", "gpa 2.49 điểm đầu vào 23", "còn thiếu 0,01"),
    # Điều 10: thang điểm
    ("grade-from-10", "9.0 điểm", "**A**"),
    ("grade-from-10", "8.9 điểm", "**B+**"),
    ("grade-from-10", "8.94 điểm", "**B+**"),
    ("grade-from-10", "8.95 điểm", "**A**"),
    ("grade-from-10", "7 điểm", "**B**"),
    ("grade-from-10", "6.5 điểm", "**C+**"),
    ("grade-from-10", "5.5 điểm", "**C**"),
    ("grade-from-10", "5.4 điểm", "**D+**"),
    ("grade-from-10", "4 điểm", "**D**"),
    ("grade-from-10", "3.9 điểm", "không đạt"),
    ("grade-from-4", "3.5 hệ 4", "**B+**"),
    ("grade-from-4", "3.2 hệ 4", "không có bảng quy đổi"),
    ("grade-from-letter", "điểm C+", "**6,5** đến **6,9**"),
    ("grade-from-letter", "A+", "không có điểm **A+**"),
    ("weighted-average", "3 tín A 2 tín B+ 3 tín C", "**3,13**"),
    ("weighted-average", "A 3 tín, B+ 2 tín, C 4 tín", "**3,00**"),
    ("weighted-average", "17 tín: 3 tín A, 8 tín B, 6 tín C", "17 tín chỉ này là **2,82**"),
    ("weighted-average", "3 tín A, 8 tín B, 6 tín C, tổng 17 tín", "17 tín chỉ này là **2,82**"),
    ("weighted-average", "3 tín A, 1 tín B, 2 tín C", "6 tín chỉ này là **3,17**"),
    ("weighted-average", "toán 4 tín 8.5, lý 3 tín 7, anh 3 tín 5.2", "(10 tín chỉ) là **2,75**"),
    ("weighted-average", "toán 7 3tc, lý 8 2tc và anh 3 2tc", "(7 tín chỉ) là **2,29**"),
    ("cumulative-average", "gpa 3.0 16 tín, kỳ này 3.26 17 tín", "33 tín chỉ này là **3,13**"),
    # Điều 9, khoản 2: điểm thành phần nhân với trọng số, làm tròn đến một chữ số
    (
        "course-grade",
        "8 điểm cuối kì chiếm 60%, quá trình 7 điểm 40%",
        "**7,6** (thang điểm 10), điểm chữ **B**",
    ),
    (
        "course-grade",
        "chuyên cần 10 10%, giữa kỳ 3 30%, thi 3 60%",
        "**3,7** (thang điểm 10), điểm chữ **F**",
    ),
    ("course-grade", "giữa kỳ 7 30%, thi 8 60%", "**90 %**"),
    # 7,2 × 0,3 + 6,9 × 0,7 = 6,99, với 6,8 chỉ có 6,92
    ("needed-exam-grade", "7.2 giữa kỳ 30%, cuối kỳ để được B", "**6,9 điểm**"),
    ("needed-exam-grade", "giữa kỳ 3 50%, cuối kỳ để được B", "không đạt được điểm B"),
    ("needed-exam-grade", "giữa kỳ 9 50%, cuối kỳ để đạt D", "Phần đã có đủ"),
    # Điểm D là mức qua môn: 4,0 × 0,5 + 4,0 × 0,5
    ("needed-exam-grade", "giữa kỳ 4 50%, cuối kỳ cần mấy điểm để qua môn", "được **D**"),
    # Điều 12, khoản 2
    ("classification", "gpa 3.6", "xuất sắc"),
    ("classification", "gpa 3.59", "giỏi"),
    ("classification", "gpa 2.5", "khá"),
    ("classification", "gpa 2", "trung bình"),
    ("classification", "gpa 1.99", "**yếu**"),
    ("classification", "gpa 0.99", "**kém**"),
    # Điều 6
    ("credits-in-term", "25 tín", "**Được**"),
    ("credits-in-term", "26 tín", "**1 tín chỉ**"),
    ("credits-in-term", "14 tín", "**Được**"),
    ("credits-in-term", "13 tín", "thiếu 1 tín chỉ"),
    ("credits-in-term", "kỳ hè 12 tín", "**Được**"),
    ("credits-in-term", "kỳ hè 13 tín", "Không được"),
    # Điều 12, khoản 1
    ("year-level", "32 tín", "năm thứ nhất"),
    ("year-level", "33 tín", "năm thứ hai"),
    ("year-level", "65 tín", "năm thứ hai"),
    ("year-level", "66 tín", "năm thứ ba"),
    ("year-level", "99 tín", "năm thứ tư"),
    ("year-level", "130 tín", "năm thứ năm"),
    # Điều 13
    ("academic-warning", "gpa 0.79", "**Có**"),
    ("academic-warning", "gpa 0.8", "từ học kỳ thứ hai thì có"),
    ("academic-warning", "gpa 1.0", "không bị cảnh báo"),
    ("failed-credits-warning", "nợ 24 tín", "**Không**"),
    ("failed-credits-warning", "nợ 25 tín", "**1 tín chỉ**"),
    # Điều 15 và 17
    ("thesis-eligibility", "gpa 2.8 110 tín", "**Được**"),
    ("thesis-eligibility", "gpa 2.79 110 tín", "0,01"),
    ("thesis-eligibility", "gpa 2.8 109 tín", "**1 tín chỉ**"),
    ("thesis-eligibility", "gpa 2.8", "**Đạt về điểm trung bình tích lũy** (2,80, cần từ 2,80)"),
    ("internship-eligibility", "100 tín", "**Được**"),
    ("internship-eligibility", "99 tín", "thiếu 1 tín chỉ"),
    ("second-major-eligibility", "gpa 2.5", "**Được**"),
    ("second-major-eligibility", "gpa 2.49", "thiếu 0,01"),
    ("transfer-eligibility", "gpa 2.5", "**Đạt"),
    ("transfer-eligibility", "gpa 2.4", "thiếu 0,10"),
    # cong-nhan-tot-nghiep, Điều 7
    ("graduation-rank", "gpa 3.6", "**xuất sắc**"),
    ("graduation-rank", "gpa 3.59", "**giỏi**"),
    ("graduation-rank", "gpa 2.49", "**trung bình**"),
    ("graduation-rank", "gpa 1.99", "chưa đủ để tốt nghiệp"),
    # danh-gia-ren-luyen, Điều 3
    ("conduct-classification", "90 đrl", "xuất sắc"),
    ("conduct-classification", "89 đrl", "**tốt**"),
    ("conduct-classification", "65 đrl", "**khá**"),
    ("conduct-classification", "64 đrl", "**trung bình**"),
    ("conduct-classification", "34 đrl", "**kém**"),
    # phí và tiền phạt
    ("dormitory-total", "phòng 6 người 5 tháng", "1.500.000 đồng"),
    ("dormitory-total", "phòng 5 người 5 tháng", "không có phòng 5 người"),
    ("insurance-total", "9 tháng", "473.850 đồng"),
    ("library-fine", "2 cuốn trễ 5 ngày", "10.000 đồng"),
    ("printing", "20 trang", "10.000 đồng"),
    # tuyen-sinh-2026, Điều 9, khoản 3
    ("ielts-points", "ielts 4.5", "chưa được quy đổi"),
    ("ielts-points", "ielts 5.0", "8,00 điểm"),
    ("ielts-points", "ielts 6.5", "9,50 điểm"),
    ("ielts-points", "ielts 8", "10,00 điểm"),
]


@pytest.mark.parametrize(("calculator", "text", "expected"), BOUNDARIES)
def test_the_boundaries_of_a_clause(knowledge: Knowledge, calculator: str, text: str, expected: str) -> None:
    found = said(knowledge, calculator, text)

    assert found is not None
    assert expected in found.text


@pytest.mark.parametrize(
    ("calculator", "text", "profile", "expected"),
    [
        ("tuition-for-credits", "18 tín", {"major": "cntt"}, "10.080.000 đồng"),
        ("tuition-for-credits", "18 tín", {"major": "luat", "program": "vlvh"}, "11.232.000 đồng"),
        # Hệ vừa làm vừa học: 1,3 lần đơn giá, cả với giáo dục thể chất
        ("tuition-for-credits", "18 tín", {"major": "cntt", "program": "vlvh"}, "624.000 đồng/tín chỉ"),
        # Điều 14, khoản 1: 15 × 560.000; 16,5 × 560.000; 3 × 560.000 × 50 %
        ("tuition-after-withdrawal", "18 tín rút 3 tín", {"major": "cntt"}, "**8.400.000 đồng**"),
        ("tuition-after-withdrawal", "18 tín rút 3 tín", {"major": "cntt"}, "**9.240.000 đồng**"),
        ("tuition-after-withdrawal", "rút 3 tín", {"major": "cntt"}, "**840.000 đồng**"),
        ("tuition-after-withdrawal", "3 tín rút 4 tín", {"major": "cntt"}, "không rút được 4 tín chỉ"),
        (
            "tuition-after-withdrawal",
            "18 tín rút 3 tín",
            {"major": "cntt", "program": "clc"},
            "trọn gói",
        ),
        (
            "tuition-for-credits",
            "6 tín",
            {"program": "clc", "cohort": "50"},
            "6.600.000 đồng",
        ),
        (
            "tuition-for-credits",
            "6 tín",
            {"program": "clc", "cohort": "49"},
            "5.520.000 đồng",
        ),
        # Điều 8: quá 5 % của 130 là từ 7, của 160 là từ 9; hạng khá không bị giảm
        ("graduation-rank", "gpa 3.65 học lại 8 tín", {"major": "cntt"}, "hạng tốt nghiệp là **giỏi**"),
        ("graduation-rank", "gpa 3.3 học lại 7 tín", {"major": "cntt"}, "hạng tốt nghiệp là **khá**"),
        ("graduation-rank", "gpa 3.65 học lại 8 tín", {"major": "duoc"}, "**xuất sắc**: 8 tín chỉ"),
        # A sentence names the major: it may be a friend's.
        ("tuition-for-credits", "16 tín", {"major": "duoc"}, "ngành Dược học, chương trình đại trà"),
        ("tuition-for-credits", "học lại 3 tín", {"major": "cntt"}, "1.680.000 đồng"),
        ("scholarship-amount", "loại giỏi", {"major": "cntt"}, "10.080.000 đồng"),
        ("scholarship-amount", "loại khá", {"major": "duoc"}, "14.700.000 đồng"),
        ("scholarship-amount-by-marks", "gpa 3.6 rèn luyện 90", {"major": "cntt"}, "**12.600.000 đồng**"),
        ("scholarship-amount-by-marks", "gpa 3.59 rèn luyện 90", {"major": "cntt"}, "**10.080.000 đồng**"),
        ("scholarship-amount-by-marks", "3.7 với 92 điểm", {"major": "duoc"}, "**22.050.000 đồng**"),
        ("scholarship-amount-by-marks", "gpa 2.5 rèn luyện 70", {"major": "cntt"}, "**8.400.000 đồng**"),
        ("scholarship-amount-by-marks", "gpa 2.49 rèn luyện 70", {"major": "cntt"}, "**Chưa đủ**"),
        ("graduation-eligibility", "125 tín gpa 2.4", {"major": "duoc"}, "35 tín chỉ"),
        ("graduation-eligibility", "130 tín gpa 2.0", {"major": "cntt"}, "**đủ số tín chỉ"),
        ("graduation-eligibility", "130 tín gpa 1.99", {"major": "cntt"}, "0,01 điểm trung bình"),
        (
            "combination-admitted",
            "khối c00",
            {"major": "marketing"},
            "**không xét tổ hợp C00**, chỉ xét A00, A01, D01, D07",
        ),
        ("regrade-fee", "3 môn", {}, "**90.000 đồng**"),
        ("scholarship-requirement", "loại giỏi", {}, "từ **3,20** và từ **80 điểm rèn luyện**"),
        ("scholarship-requirement", "loại khá", {}, "từ **2,50** và từ **70 điểm rèn luyện**"),
        ("scholarship-requirement", "loại xuất sắc", {}, "từ **3,60** và từ **90 điểm rèn luyện**"),
        ("regrade-fee", "1 môn", {}, "**30.000 đồng**"),
        ("combination-admitted", "d14", {"major": "luat"}, "**Có**, năm 2026 ngành này xét tổ hợp **D14**"),
        ("combination-admitted", "a00", {"major": "cntt", "program": "clc"}, "**không xét tổ hợp A00**"),
        ("combination-admitted", "a01", {"major": "khmt", "program": "cttt"}, "**A01**"),
        ("priority-points", "24 điểm khu vực 1", {}, "**0,60 điểm**. Tổng là **24,60 điểm**"),
        ("priority-points", "22.4 điểm kv1", {}, "**0,75 điểm** ưu tiên khu vực: tổng là **23,15 điểm**"),
        ("priority-points", "22.5 điểm kv1", {}, "**0,75 điểm**. Tổng là **23,25 điểm**"),
        ("priority-points", "khu vực 2 nông thôn", {}, "**0,50 điểm**"),
        ("priority-points", "29 điểm kv3", {}, "**không được cộng**"),
        ("admission-exam", "25 điểm khối b00", {"major": "duoc"}, "đủ điểm"),
        ("admission-exam", "23.75 điểm", {"major": "duoc"}, "đủ điểm"),
        ("admission-exam", "23.7 điểm", {"major": "duoc"}, "thiếu 0,05 điểm"),
        ("admission-exam", "25 điểm khối c00", {"major": "duoc"}, "không xét tổ hợp C00"),
        # Điều 9, khoản 2: (30 - 24) / 7,5 × 0,75 = 0,60
        ("admission-exam", "24 điểm kv1", {"major": "cntt"}, "**24,60 điểm đã cộng ưu tiên đủ điểm**"),
        (
            "admission-record",
            "26 đ học bạ",
            {"major": "marketing"},
            "(xét học bạ) là 26,25 thì 26,00 điểm **chưa đủ, còn thiếu 0,25 điểm**",
        ),
        ("admission-record", "26,25 điểm học bạ", {"major": "marketing"}, "**26,25 điểm đủ điểm**"),
        ("admission-exam", "22 điểm kv1", {"major": "qtkd"}, "22,75 điểm"),
        ("admission-aptitude", "đgnl 835", {"major": "cntt"}, "đủ điểm"),
        ("admission-aptitude", "đgnl 830", {"major": "cntt"}, "thiếu 5 điểm"),
        ("admission-aptitude", "đgnl 780", {"major": "cntt", "program": "clc"}, "đủ điểm"),
    ],
)
def test_with_what_is_known_of_the_student(
    knowledge: Knowledge, calculator: str, text: str, profile: Mapping[str, str], expected: str
) -> None:
    found = said(knowledge, calculator, text, **profile)

    assert found is not None
    assert expected in found.text
    # An answer goes by a programme that it takes for granted, too: the student may name another.
    inputs = next(each for each in knowledge.calculators if each.id == calculator).inputs
    assumed = {each.dimension for each in inputs if each.dimension and each.default}
    assert set(found.depends_on) == set(profile) | assumed


def test_values_are_compared_in_a_table(knowledge: Knowledge) -> None:
    found = said(knowledge, "tuition-by-program", "khác nhau", major="cntt", over_program="standard clc")

    assert found is not None
    assert "18.080.000 đồng" in found.text
    assert "| Chương trình đại trà | 17.920.000 |" in found.text
    assert "| Chương trình chất lượng cao | 36.000.000 |" in found.text
    assert "tiên tiến" not in found.text


def test_what_is_compared_may_not_go_by_what_is_unknown(knowledge: Knowledge) -> None:
    flat = said(knowledge, "tuition-by-program", "khác nhau", over_program="clc cttt")
    by_major = said(knowledge, "tuition-by-program", "khác nhau", over_program="standard clc")

    assert flat is not None
    assert by_major is not None
    assert "4.000.000 đồng" in flat.text
    assert by_major.missing == "major"


def test_the_highest_and_the_lowest_are_named_with_all_that_share_them(knowledge: Knowledge) -> None:
    lowest = said(knowledge, "tuition-by-major", "rẻ nhất")
    highest = said(knowledge, "admission-by-major", "cao nhất")

    assert lowest is not None
    assert "**480.000 đồng/tín chỉ**: Quản trị kinh doanh, Kế toán" in lowest.text
    assert highest is not None
    assert "**26,25**: Sư phạm Toán học" in highest.text


def listed(knowledge: Knowledge, calculator: str, text: str, *which: str) -> str | None:
    found = said(knowledge, calculator, text, which=which)
    return None if found is None else found.text


def test_the_majors_that_a_mark_is_enough_for_are_listed_from_the_highest(knowledge: Knowledge) -> None:
    # tuyen-sinh-2026, Phụ lục 2: Sư phạm Toán học 26,25 là cao nhất, Kỹ thuật xây dựng 18,50 là thấp nhất
    at_least = listed(knowledge, "majors-for-exam", "26.25 điểm", "major")
    below = listed(knowledge, "majors-for-exam", "26.24 điểm", "major")
    one = listed(knowledge, "majors-for-exam", "18.5 điểm", "major")
    none = listed(knowledge, "majors-for-exam", "18.49 điểm", "major")

    assert at_least is not None
    assert below is not None
    assert one is not None
    rows = [line for line in at_least.splitlines() if line.startswith("| ")][1:]
    marks = [float(row.split("|")[2].replace(",", ".")) for row in rows]
    assert rows[0].startswith("| Sư phạm Toán học |")
    assert marks == sorted(marks, reverse=True)
    assert f"đủ cho {len(rows)} ngành" in at_least
    assert "Sư phạm Toán học" not in below
    assert "đủ cho 1 ngành" in one
    assert "Kỹ thuật xây dựng" in one
    assert none is not None
    assert "**chưa đủ cho ngành nào**. Thấp nhất của mọi tổ hợp là 18,50: Kỹ thuật xây dựng" in none
    assert "|" not in none


def test_a_list_of_majors_goes_by_the_combination_and_the_way_of_admission(knowledge: Knowledge) -> None:
    # tuyen-sinh-2026, Phụ lục 1: Luật xét A00, C00, D01, D14; Khoa học máy tính A00, A01, D01, D07
    by_subjects = listed(knowledge, "majors-for-exam", "27 điểm khối C00", "major")
    by_record = listed(knowledge, "majors-for-record", "học bạ 21", "major")
    by_aptitude = listed(knowledge, "majors-for-aptitude", "đgnl 620", "major")

    assert by_subjects is not None
    assert "điểm tổ hợp C00 đủ cho" in by_subjects
    assert "| Luật |" in by_subjects
    assert "Khoa học máy tính" not in by_subjects
    for told in (by_record, by_aptitude):
        assert told is not None
        assert "đủ cho 1 ngành" in told
        assert "| Kỹ thuật xây dựng |" in told


def test_a_list_is_made_only_for_a_mark_and_for_who_asks_which_majors(knowledge: Knowledge) -> None:
    assert listed(knowledge, "majors-for-exam", "23 điểm") is None
    assert listed(knowledge, "majors-for-exam", "23 điểm", "cohort") is None
    assert listed(knowledge, "majors-for-exam", "nên học", "major") is None
    # A student who asks which major is not told about their own.
    assert listed(knowledge, "admission-exam", "23 điểm", "major") is None


def test_each_missing_value_is_asked_for_and_what_was_given_is_kept(knowledge: Knowledge) -> None:
    found = said(knowledge, "scholarship-eligibility", "gpa 3.3")

    assert found is not None
    assert found.needs is not None
    assert (found.needs.name, found.needs.least, found.needs.most) == ("conduct", "0", "100")
    assert found.values == {"gpa": 3.3}


@pytest.mark.parametrize(
    ("calculator", "text", "name", "wrong"),
    [
        ("scholarship-eligibility", "gpa 11", "gpa", "11"),
        ("scholarship-eligibility", "gpa 3.2 rèn luyện 185", "conduct", "185"),
        ("tuition-for-credits", "-3 tín", "credits", "-3"),
        ("tuition-for-credits", "2.5 tín", "credits", "2,5"),
        ("classification", "5.2 hệ 4", "gpa", "5,2"),
        ("grade-from-10", "78 hệ 10", "score", "78"),
        ("insurance-total", "15 tháng", "months", "15"),
        ("ielts-points", "ielts 65", "ielts", "65"),
    ],
)
def test_a_wrong_value_gets_a_question_back(
    knowledge: Knowledge, calculator: str, text: str, name: str, wrong: str
) -> None:
    found = said(knowledge, calculator, text)

    assert found is not None
    assert found.needs is not None
    assert (found.needs.name, found.needs.wrong) == (name, wrong)
    assert found.needs.ask
    assert not found.text


@pytest.mark.parametrize(
    ("calculator", "text"),
    [
        ("scholarship-eligibility", "điều kiện học bổng là gì"),
        ("tuition-for-credits", "1 tín chỉ bao nhiêu tiền"),
        ("tuition-by-program", "học phí chất lượng cao"),
        ("scholarship-amount", "học bổng bao nhiêu tiền"),
    ],
)
def test_a_question_for_the_rule_is_not_computed(knowledge: Knowledge, calculator: str, text: str) -> None:
    assert said(knowledge, calculator, text) is None


def test_there_are_enough_and_each_rests_on_a_clause_that_exists(
    knowledge: Knowledge, calculators: Mapping[str, Calculator]
) -> None:
    ids = {document.meta.id for document in knowledge.documents}

    assert len(calculators) >= 15
    assert all(
        each.sources and {source.document for source in each.sources} <= ids for each in calculators.values()
    )
    assert all(case.say_en for each in calculators.values() for case in each.cases)


NUMBERS = st.one_of(
    st.floats(min_value=-1e6, max_value=1e9),
    st.integers(-10, 2000).map(float),
    st.sampled_from([0.0, 2.5, 3.6, 3.595, 1e-9]),
)


def a_value(unit: str) -> st.SearchStrategy[float | str]:
    return st.sampled_from(words) if (words := word_values(unit)) else NUMBERS


WRITTEN = st.lists(
    st.sampled_from(sorted(units())).flatmap(lambda unit: st.tuples(st.just(unit), a_value(unit))), max_size=6
).map(
    lambda pairs: tuple(
        WrittenValue(unit, value if unit not in ("letter", "combination") else "B+", 3 * place, 3 * place + 2)
        for place, (unit, value) in enumerate(pairs)
    )
)


@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_no_value_makes_a_calculator_fail(data: st.DataObject) -> None:
    knowledge = sample()
    catalog = knowledge.catalog
    calculator = knowledge.calculators[data.draw(st.integers(0, len(knowledge.calculators) - 1))]
    names = [each.name for each in calculator.inputs if each.units]
    profile = {d: data.draw(st.sampled_from([*catalog.ids(d), None])) for d in catalog.dimension_ids}
    given = Given(
        written=data.draw(WRITTEN),
        filled=data.draw(st.dictionaries(st.sampled_from(names), NUMBERS, max_size=2)) if names else {},
        known=data.draw(st.dictionaries(st.sampled_from(names), NUMBERS, max_size=2)) if names else {},
        profile=Profile({d: value for d, value in profile.items() if value is not None}),
        named={
            d: tuple(data.draw(st.sets(st.sampled_from(catalog.ids(d)), max_size=3)))
            for d in catalog.dimension_ids
        },
    )

    for language in ("vi", "en"):
        found = compute(calculator, given, knowledge.facts, TODAY, catalog, language)
        assert found is None or bool(found.text) + bool(found.needs) + bool(found.missing) == 1


@pytest.mark.parametrize(
    ("text", "profile", "mark"),
    [
        ("xét học bạ", {"major": "cntt"}, "**27,00**"),
        ("đgnl", {"major": "cntt"}, "**835**"),
        ("xét học bạ", {"major": "cntt", "program": "clc"}, "**25,25**"),
        ("xét học bạ", {"major": "khmt", "program": "cttt"}, "**25,00**"),
    ],
)
def test_the_mark_of_another_way_of_admission(
    knowledge: Knowledge, text: str, profile: Mapping[str, str], mark: str
) -> None:
    found = said(knowledge, "admission-mark", text, **profile)

    assert found is not None
    assert mark in found.text


@pytest.mark.parametrize(
    "profile", [{}, {"major": "luat", "program": "clc"}, {"major": "cntt", "program": "vlvh"}]
)
def test_without_a_mark_there_is_no_answer(knowledge: Knowledge, profile: Mapping[str, str]) -> None:
    assert said(knowledge, "admission-mark", "xét học bạ", **profile) is None


def test_a_comparison_depends_on_what_it_is_over(knowledge: Knowledge) -> None:
    found = said(knowledge, "tuition-by-major", "so sánh", over_major="luat duoc")

    assert found is not None
    assert "major" in found.depends_on


def test_values_said_without_a_calculation_are_those_of_its_inputs(knowledge: Knowledge) -> None:
    of_rooms = [one for one in knowledge.calculators if one.topic == "dormitory"]

    assert values_said(of_rooms, written_values("ktx phong 6 ng bn 1 thang")) == {"people": 6.0}
    assert values_said(of_rooms, written_values("phòng 60 người, gpa 3.2, 12")) == {}
