"""A calculator answers the questions that are its own, in any wording, and leaves the others to the rest."""

from __future__ import annotations

from datetime import date

import pytest
from sample_school import sample_index

from rag.engine import Engine
from rag.types import CALCULATOR_SOURCE, Matter, Question, Reply

ASKED = [
    ("needed-average", "e nam 4 gpa 2.45 con 30 tc nua thi can bao nhieu diem de dc bang kha"),
    ("needed-average", "40 tín còn lại phải trung bình mấy mới lên bằng giỏi, tích lũy em 3.1"),
    ("graduation-rank", "gpa 3.25 hoc lai 3 mon F tong 9tc co bi ha bang ko"),
    ("scholarship-eligibility", "ki nay e 3.45 drl 81 co hb ko"),
    ("weighted-average", "17 tín: 3 tín A, 8 tín B, 6 tín C"),
    ("weighted-average", "em hoc 20 tin ki nay: 10 tin A, 6 tin B, 4 tin C thi dtb may"),
    ("weighted-average", "tinh gpa: toan 4tc 8, ly 3tc 7, hoa 2tc 6"),
    ("weighted-average", "gpa kì này e: 4 tín 8.5 với 3 tín 7 và 2 tín 6.2"),
    ("cumulative-average", "hk1 em 2.8 18 tín, hk2 3.4 15 tín, gpa tích lũy là mấy"),
    ("scholarship-eligibility", "em gpa 3.2 mà rl có 76 thôi thì được học bổng không"),
    ("scholarship-eligibility", "hb khuyến khích kì này em 3.4 rl 78 thì dc loại j"),
    ("scholarship-eligibility", "3.7 voi 92 thi hoc bong loai gi"),
    ("scholarship-eligibility", "would a 3.5 GPA with conduct 88 get me a scholarship"),
    ("classification", "gpa 2.8 xếp loại học lực gì"),
    ("grade-from-10", "tổng kết 7.9 được điểm chữ gì"),
    ("grade-from-10", "mon nay em 8.4 thi la A hay B"),
    ("grade-from-10", "what letter grade is 7.2"),
    ("grade-from-10", "7,9 là B hay B+"),
    ("grade-from-4", "2.5 thang 4 bằng mấy hệ 10"),
    ("credits-added", "em đăng ký 18 tín rồi thêm 3 tín học lại thì tổng là bao nhiêu"),
    ("credits-added", "da co 21 tin dk them 5 tin nua duoc khong"),
    ("credits-in-term", "hè này đăng ký 13 tín được không ạ"),
    ("academic-warning", "gpa kỳ này 0.95 có bị cảnh cáo học vụ k"),
    ("tuition-for-credits", "hoc 21 tin cntt dong bao nhieu tien"),
    ("tuition-for-credits", "how much for 18 credits"),
    ("tuition-for-credits", "quay lại học phí, 17 tín hết nhiêu"),
    ("tuition-for-credits", "20 tín thì nhiêu tiền"),
    ("tuition-for-credits", "3 mon hoc lai moi mon 3 tin, nganh ke toan dai tra k51, het bao nhieu tien"),
    # As a request for the result is put: the last question with the values said before it.
    ("tuition-for-credits", "Học phí một tín chỉ bao nhiêu 16 tín"),
    ("tuition-after-withdrawal", "dk 20 tin xong rut 4 tin thi con dong nhieu"),
    ("graduation-rank", "tích lũy 3.15 có được bằng giỏi không"),
    ("regrade-fee", "phuc khao 2 mon het bn"),
    ("scholarship-requirement", "hb loai xuat sac thi can drl bao nhieu"),
    ("scholarship-requirement", "muon dc hoc bong loai kha can gpa may"),
    ("combination-admitted", "marketing xét khối c00 đc ko"),
    ("combination-admitted", "khoi d01 vo luat dc k ad"),
    ("combination-admitted", "c00 có xét kế toán đc ko ad"),
    ("combination-admitted", "nganh duoc co nhan a01 hong"),
    ("admission-exam", "em thi dc 23 diem d01 thi do nganh ke toan khong"),
    ("majors-for-exam", "e 23d thi dau nganh nao"),
    ("majors-for-exam", "được 24.5 điểm khối D01 nên đăng ký ngành nào ạ"),
    ("majors-for-record", "học bạ em 24 điểm vào được những ngành gì"),
    ("majors-for-aptitude", "dgnl 710 thi duoc nganh nao ad"),
    ("majors-for-exam", "what majors can I choose with 22 points"),
    ("admission-aptitude", "đgnl em 790 vào ktpm được không"),
    ("second-major-eligibility", "2.4 có học song ngành được không"),
    ("conduct-classification", "rl 83 loại gì"),
    ("conduct-missing", "drl 71 muốn lên tốt thì thiếu mấy điểm"),
    ("conduct-for-level", "diem ren luyen bao nhieu la kha"),
    ("conduct-for-level", "drl bn thì đc loại tốt z ad"),
    ("donation-points", "hien mau 2 lan dc may diem rl"),
    ("volunteering-points", "đi tình nguyện 3 buổi được cộng bao nhiêu điểm rèn luyện"),
    ("dormitory-room", "ktx phòng 4 người giá bao nhiêu"),
    ("dormitory-terms", "o ktx 2 ky phong 8 het bao nhieu"),
    ("admission-mark", "ngành luật xét học bạ lấy mấy điểm"),
    ("admission-mark", "đgnl thì điểm chuẩn kế toán bao nhiêu"),
]

OTHERS = [
    "gpa 2.4 thì dc ko",
    "em 2.4 có sao không",
    "is 3.0 enough",
    "có 1 con F thì sao",
    "ra trường có 2 bằng hả",
    "trường có dạy thử cho học sinh lớp 12 tới nghe ko ạ",
    "6.7 có học cải thiện dc k",
    "em được 5.2 muốn học lại có được không",
    "được 8 thì có phải thi lại không",
    "8.5 có được miễn học phí không",
    "đgnl 2 lần lấy điểm nào",
    "điểm sàn đánh giá năng lực 2026",
    "24 tuổi có thi đại học được không",
    "50 sinh viên một lớp hả",
    "gpa 2.9 có vay vốn được không",
    "can I take a loan with a gpa of 2.5",
    "phòng 6 người có máy lạnh không",
    "phòng 4 người còn chỗ không ạ",
    "xét học bạ cần tổng điểm bao nhiêu",
    "học lại 2 lần thì tính điểm nào",
    "2.9 với 115 tín đủ rồi, đăng ký khóa luận ngày nào",
    "Học phí trọn gói của chất lượng cao, tiên tiến gồm những gì học lại thì tính sao",
]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.open(sample_index(), today=lambda: date(2026, 11, 23))


def calculated(reply: Reply) -> str:
    """Return the id of the calculator that answers, or asks for a value or a dimension; empty for none."""
    is_asked_back = bool(reply.decision.needs or reply.decision.missing)
    if reply.source != CALCULATOR_SOURCE or not (reply.answer_id or is_asked_back):
        return ""
    return (reply.answer_id or "…").partition("?")[0]


@pytest.mark.parametrize(("calculator", "text"), ASKED)
def test_a_question_for_a_calculator_is_computed(engine: Engine, calculator: str, text: str) -> None:
    assert calculated(engine.reply(Question(text))) in (calculator, "…")


@pytest.mark.parametrize("text", OTHERS)
def test_a_question_of_another_matter_is_not(engine: Engine, text: str) -> None:
    assert calculated(engine.reply(Question(text))) == ""


@pytest.mark.parametrize(
    ("matter", "text", "calculator"),
    [
        ("Điều kiện để học song ngành là gì?", "gpa 2.4 thì dc ko", "second-major-eligibility"),
        ("Em muốn chuyển ngành thì cần điều kiện gì?", "gpa 2.4 thì dc ko", "transfer-eligibility"),
        ("Em muốn chuyển ngành thì cần điều kiện gì?", "gpa e 2.6, điểm đầu vào 23", "transfer-eligibility"),
        ("Ký túc xá một tháng bao nhiêu tiền?", "phòng 6 người thì sao", "dormitory-room"),
        ("Ký túc xá một tháng bao nhiêu tiền?", "thế 1 kỳ hết bao nhiêu", "…"),
        ("Hiến máu được cộng bao nhiêu điểm rèn luyện?", "hiến 2 lần thì được 8 hả", "donation-points"),
        ("Điểm rèn luyện xếp loại thế nào?", "em muốn lên tốt thì cần thêm bn điểm", "…"),
    ],
)
def test_values_alone_are_of_the_matter_under_discussion(
    engine: Engine, matter: str, text: str, calculator: str
) -> None:
    before = engine.reply(Question(matter))

    reply = engine.reply(Question(text, history=(Matter(matter, before.answer_id),)))

    assert calculated(reply) == calculator


SCHOLARSHIP = "gpa ky 3.45 drl 78 thi đc hb loai gi"


@pytest.mark.parametrize(
    ("text", "computed"),
    [
        ("e chỉ học 14 tín", "scholarship-eligibility?gpa=3.45&conduct=78&credits=14"),
        ("à nhầm drl 85", "scholarship-eligibility?gpa=3.45&conduct=85"),
        ("16 tín", "scholarship-eligibility?gpa=3.45&conduct=78&credits=16"),
    ],
)
def test_a_value_that_is_stated_after_a_calculation_is_put_into_it(
    engine: Engine, text: str, computed: str
) -> None:
    before = engine.reply(Question(SCHOLARSHIP))
    last = Matter(before.resolved or SCHOLARSHIP, before.answer_id)

    reply = engine.reply(Question(text, history=(last,), known=before.values or {}))

    assert reply.answer_id == computed


@pytest.mark.parametrize("text", ["em nuôi 2 con mèo 14 tín", "14 tín ở ktx 4 người"])
def test_what_states_more_than_values_of_the_calculation_is_no_part_of_it(engine: Engine, text: str) -> None:
    before = engine.reply(Question(SCHOLARSHIP))
    last = Matter(before.resolved or SCHOLARSHIP, before.answer_id)

    reply = engine.reply(Question(text, history=(last,), known=before.values or {}))

    assert "credits=14" not in (reply.answer_id or "")


@pytest.mark.parametrize(
    ("between", "is_computed"),
    [("mà e có 1 môn F", True), ("Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?", False)],
    ids=["of its topic", "of another topic"],
)
def test_a_calculation_goes_on_behind_other_answers_of_its_topic(
    engine: Engine, between: str, is_computed: bool
) -> None:
    first = engine.reply(Question(SCHOLARSHIP))
    earlier = Matter(first.resolved or SCHOLARSHIP, first.answer_id)
    last = Matter(between, engine.reply(Question(between, history=(earlier,))).answer_id)

    reply = engine.reply(
        Question("nhưng chỉ có 14 tín thôi", history=(last, earlier), known=first.values or {})
    )

    assert (reply.answer_id == "scholarship-eligibility?gpa=3.45&conduct=78&credits=14") is is_computed


@pytest.mark.parametrize("before", ["Trình độ năm học xếp thế nào?", "Thế nào là sinh viên năm thứ hai?"])
def test_a_calculator_of_all_values_goes_before_one_of_the_matter_that_leaves_some_over(
    engine: Engine, before: str
) -> None:
    last = Matter(before, engine.reply(Question(before)).answer_id)
    text = "e tích lũy 60 tín được 2.9, kì này 15 tín 3.5 thì tích lũy mới là mấy"

    assert calculated(engine.reply(Question(text, history=(last,)))) == "cumulative-average"


@pytest.mark.parametrize("text", ["e 64 thi loai j", "em được 64 thì loại gì", "64 thi sao"])
def test_behind_the_classes_of_conduct_a_number_alone_is_a_score(engine: Engine, text: str) -> None:
    before = "drl bao nhieu la tot"
    first = engine.reply(Question(before))
    last = Matter(first.resolved or before, first.answer_id)

    assert engine.reply(Question(text, history=(last,))).answer_id == "conduct-classification?conduct=64"


@pytest.mark.parametrize("text", ["chỉ tiêu ngành luật", "điểm trúng tuyển ngành marketing theo phụ lục"])
def test_rows_about_another_major_answer_nothing(engine: Engine, text: str) -> None:
    major = engine.reader.read(text).values(["major"])["major"]
    found = engine.context_signals(Question(text))["document"]

    rows = [c.item.text.partition(";")[0] for c, _ in found if "bảng, hàng" in c.item.locator]
    named = {value for row in rows for value in engine.reader.prepared(row).values(["major"]).values()}
    assert named <= {major}


@pytest.mark.parametrize(
    ("text", "calculator"),
    [
        ("vậy em có bị cảnh báo không", "academic-warning"),
        ("v co chuyen nganh dc ko", "transfer-eligibility"),
        ("vậy có được học bổng không", "…"),
        ("thư viện mở cửa mấy giờ", ""),
    ],
)
def test_a_message_concludes_from_the_value_just_computed(engine: Engine, text: str, calculator: str) -> None:
    before = engine.reply(Question("tính gpa: 3 tín A, 8 tín B, 6 tín C"))
    matter = Matter(before.resolved, before.answer_id)

    reply = engine.reply(Question(text, history=(matter,), known=before.values))

    assert before.values == {"gpa": 2.82, "credits": 17.0}
    assert calculated(reply) == calculator


def test_a_supposed_value_takes_no_known_ones_place(engine: Engine) -> None:
    first = engine.reply(Question("gpa 3.2 rèn luyện 82 có được học bổng không"))
    supposed = Question("nếu gpa 3.2 rèn luyện 78 thì có được học bổng không", known=first.values)

    assert engine.reply(supposed).values["conduct"] == first.values["conduct"] == 82


@pytest.mark.parametrize(
    ("calculator", "text"),
    [
        ("internship-eligibility", "đi thực tập được chưa"),
        ("thesis-eligibility", "em co dc lam khoa luan ko"),
        ("transfer-eligibility", "em có được chuyển ngành không"),
        ("", "có được bảo lưu không"),
        ("", "học phí bao nhiêu"),
    ],
)
def test_a_rule_is_applied_to_what_a_student_has_told(engine: Engine, calculator: str, text: str) -> None:
    told = {"earned_credits": 95.0, "gpa": 2.45}

    assert calculated(engine.reply(Question(text, known=told))) == calculator
