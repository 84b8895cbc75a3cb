"""A message with several questions is taken apart; one question never is."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from rag.query.question_splitting import MOST_PARTS, split_questions
from school.catalog import Catalog, Cohort, Major
from school.catalog_forms import entity_forms
from school.entity_linker import EntityLinker

CATALOG = Catalog(
    cohorts=tuple(Cohort(number, f"Khóa {number}") for number in ("47", "48", "49")),
    majors=(Major("cntt", "Công nghệ thông tin", aliases=("cntt",)), Major("luat", "Luật")),
)
SEVERAL = Path(__file__).parents[3] / "benchmarks" / "sample_school" / "several.csv"
mentions = EntityLinker(entity_forms(CATALOG)).link


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "học phí bao nhiêu và đóng ở đâu? còn ký túc xá thì đăng ký khi nào",
            ("học phí bao nhiêu", "học phí đóng ở đâu?", "ký túc xá thì đăng ký khi nào"),
        ),
        (
            "k47 cntt học phí bao nhiêu, tốt nghiệp cần ielts mấy chấm",
            ("k47 cntt học phí bao nhiêu", "k47, cntt: tốt nghiệp cần ielts mấy chấm"),
        ),
        # What ends a question in a chat: a choice, a reason, "nhiêu", a request, and the condition before it.
        (
            "thi lại được không hay học lại cả môn, học lại tốn nhiêu",
            ("thi lại được không hay học lại cả môn", "học lại tốn nhiêu"),
        ),
        (
            "sao môn đó tính khác vậy, mà có được gia hạn không, cuối tháng em mới có lương",
            ("sao môn đó tính khác vậy", "có được gia hạn không, cuối tháng em mới có lương"),
        ),
        ("kinh phí được cấp nhiêu, mấy đứa một nhóm", ("kinh phí được cấp nhiêu", "mấy đứa một nhóm")),
        (
            "cho em xin sđt trưởng khoa với ạ, với khoa ở đâu",
            ("cho em xin sđt trưởng khoa với ạ", "khoa ở đâu"),
        ),
        (
            "nếu được hoãn thì bao giờ thi lại, có mất tiền không",
            ("nếu được hoãn thì bao giờ thi lại", "nếu được hoãn thì thi lại có mất tiền không"),
        ),
        # A few words that begin with one that asks.
        (
            "mất thẻ thì làm lại hết bao nhiêu, bao lâu có, nộp ở đâu",
            (
                "mất thẻ thì làm lại hết bao nhiêu",
                "mất thẻ thì làm lại bao lâu có",
                "mất thẻ thì làm lại nộp ở đâu",
            ),
        ),
        ("ai được nhận, bao nhiêu tiền, nộp ở đâu", ("ai được nhận", "bao nhiêu tiền", "nộp ở đâu")),
        ("thi ngày nào, lệ phí nhiêu", ("thi ngày nào", "thi lệ phí nhiêu")),
        (
            "Is there a form I need, and where is the office?",
            ("Is there a form I need", "where is the office?"),
        ),
        (
            "can I rent for the whole term? Also do I need an insurance?",
            ("can I rent for the whole term?", "do I need an insurance?"),
        ),
        ("k48 học phí bao nhiêu? còn k49 thì sao?", ("k48 học phí bao nhiêu?", "k49 học phí bao nhiêu?")),
        (
            "phúc khảo ở đâu? lệ phí bao nhiêu? bao lâu có kết quả?",
            ("phúc khảo ở đâu?", "phúc khảo lệ phí bao nhiêu?", "phúc khảo bao lâu có kết quả?"),
        ),
        (
            "em học k48. thực tập mấy tuần? thư viện mở cửa lúc nào?",
            ("em học k48. thực tập mấy tuần?", "k48: thư viện mở cửa lúc nào?"),
        ),
        ("How do I apply? When is the deadline?", ("How do I apply?", "When is the deadline?")),
    ],
)
def test_several_questions_each_say_what_they_are_about(text: str, parts: tuple[str, ...]) -> None:
    assert split_questions(text, mentions) == parts


@pytest.mark.parametrize(
    "text",
    [
        "em là k48, hôm trước em bị cảnh báo học vụ. giờ em phải làm sao?",
        "điều kiện và hồ sơ xét tốt nghiệp là gì?",
        "khác nhau giữa chất lượng cao và đại trà là gì",
        "nếu rớt môn thì có được học lại không, và nếu được thì khi nào",
        "có được không hay phải chờ kỳ sau?",
        "ngành nào do TS. An phụ trách?",
        "GPA 3.2 có được bằng giỏi không?",
        "được hỗ trợ bao nhiêu đối với phí in?",
        "nếu chủ văn bằng, chứng chỉ đã mất thì người thân xin bản sao được không?",
        "học phí",
        "???",
        "",
    ],
)
def test_one_question_is_never_torn(text: str) -> None:
    assert split_questions(text, mentions) == (text,)


def test_a_long_list_of_questions_is_left_whole() -> None:
    text = "ký túc xá ở đâu? " * (MOST_PARTS + 1)
    assert split_questions(text) == (text,)


def test_single_questions_of_the_benchmark_stay_whole() -> None:
    with SEVERAL.open(encoding="utf-8", newline="") as file:
        single = [row["question"] for row in csv.DictReader(file) if row["parts"] == "one"]
    assert len(single) >= 20
    assert [text for text in single if len(split_questions(text, mentions)) > 1] == []
