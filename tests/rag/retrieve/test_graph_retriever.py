"""Messages are understood by their entities and words, and answered from paths; anything else is left to others."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
import yaml
from graph_school import GRAPH_SCHOOL, built, stored

from rag.answer import graph_answers
from rag.graph.queries import compiled
from rag.ingest.graph.schema import base_schema
from rag.retrieve.graph import GraphRetriever, Understood
from rag.retrieve.graph_patterns import patterns

TODAY = date(2026, 11, 20)


@pytest.fixture(scope="module")
def retriever(tmp_path_factory: pytest.TempPathFactory) -> GraphRetriever:
    folder = tmp_path_factory.mktemp("graph")
    return GraphRetriever(stored(built(GRAPH_SCHOOL, folder), folder / "store"))


def understood(retriever: GraphRetriever, text: str, *history: str, **known: str) -> Understood | None:
    return retriever.understand([text], known, TODAY, history)


def found(retriever: GraphRetriever, text: str, *history: str, **known: str) -> list[tuple[str, list[str]]]:
    """Return the patterns that a message fits for sure, each with its subjects and what was found."""
    said = understood(retriever, text, *history, **known)
    if said is None or said.probability <= 0.65:
        return []
    return [
        (
            finding.pattern.id,
            [
                *(node.id for node in finding.subjects),
                *(row.node.id for rows in finding.rows.values() for row in rows),
            ],
        )
        for finding in said.findings
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Môn nào phải học trước Cấu trúc dữ liệu?",
        "muon hoc ctdl thi phai qua mon j",
        "ctdl có môn tiên quyết không",
        "tất cả các môn phải học trước CT201",
        "What are the prerequisites of Data Structures?",
    ],
)
def test_prerequisites_over_several_steps(retriever: GraphRetriever, text: str) -> None:
    assert found(retriever, text) == [("prerequisites", ["Course:CT201", "Course:CT103", "Course:CT101"])]


@pytest.mark.parametrize(
    ("text", "pattern", "ends"),
    [
        ("học xong ktlt thì học được môn gì", "opens", {"Course:CT201", "Course:CT204"}),
        ("th ctdl học song hành với môn nào", "corequisites", {"Course:CT201"}),
        ("hệ điều hành ai dạy vậy ad", "course_lecturers", {"Person:ngo-hoai-thuong"}),
        (
            "cô Ngô Hoài Thương dạy những môn nào",
            "person_courses",
            {"Course:CT201", "Course:CT204", "Course:CT210"},
        ),
        ("môn hđh thuộc bộ môn nào", "course_unit", {"Department:bm-khmt"}),
        ("nhập môn lập trình học sách gì", "course_books", {"Book:sach-lap-trinh"}),
        ("học kỳ 3 ngành cntt học những môn nào", "major_courses", {"Course:CT201", "Course:CT210"}),
        ("ai ký giấy xác nhận sinh viên", "form_signer", {"Person:tran-minh-que"}),
        ("giay xnsv xin o dau", "form_office", {"Office:phong-ctsv"}),
        ("trường có ngành cntt không", "major_taught", {"Major:cntt"}),
        ("truong minh co dao tao nganh cntt ko a", "major_taught", {"Major:cntt"}),
        ("clc co nhung nganh nao", "program_majors", {"Major:cntt"}),
        ("ngành nào có chương trình đại trà", "program_majors", {"Major:cntt", "Major:ketoan"}),
        ("kế toán có clc không", "major_programs", {"Program:standard"}),
        ("cntt co nhung chuong trinh nao", "major_programs", {"Program:standard", "Program:clc"}),
        ("trường có những ngành nào", "school_majors", {"School:dhg", "Major:cntt", "Major:ketoan"}),
        ("what majors do you have", "school_majors", {"Major:cntt", "Major:ketoan"}),
        ("trường có các chương trình nào", "school_programs", {"Program:standard", "Program:clc"}),
        ("truong minh co may khoa v ad", "school_faculties", {"Office:khoa-cntt"}),
        ("trường có mấy cơ sở", "school_place", {"Campus:Cơ sở 1", "Campus:Cơ sở 2 (Bờ Sông)"}),
        ("đơn chuyển ngành hạn tới khi nào", "form_deadline", {"Deadline:dl-chuyen-nganh"}),
        ("nhà B2 có những đơn vị nào", "building_offices", {"Department:bm-khmt", "Office:khoa-cntt"}),
        ("quy chế đào tạo 2021 bị thay bằng văn bản nào", "document_superseded", {"Document:quy-che-2025"}),
        (
            "điều 2 quy chế đào tạo 2025 dẫn chiếu đến điều nào",
            "clause_refers",
            {"Clause:quy-che-2025#Điều 1"},
        ),
    ],
)
def test_what_a_relation_leads_to(retriever: GraphRetriever, text: str, pattern: str, ends: set[str]) -> None:
    answers = dict(found(retriever, text))

    assert pattern in answers
    assert ends <= set(answers[pattern])


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("sdt phòng ctsv", "office_contact"),
        ("cho em xin sdt phòng ctsv", "office_contact"),
        ("cấu trúc dữ liệu mấy tín chỉ", "course_credits"),
        ("ctdl hoc ki may", "course_semester"),
        ("lệ phí chuyển ngành", "fee_amount"),
        ("giấy xác nhận sinh viên làm mất bao lâu", "form_days"),
        ("hạn nộp đơn chuyển ngành", "deadline_date"),
        ("trưởng phòng đào tạo là ai", "person_role"),
        ("truong nam o dau v ad", "school_place"),
        ("ĐHĐT thuộc quận nào", "school_place"),
        ("sdt của trường", "school_contact"),
        ("web trường là gì", "school_contact"),
        ("co so 2 o dau", "campus_place"),
        ("cơ sở bờ sông địa chỉ ở đâu vậy", "campus_place"),
    ],
)
def test_a_property_of_an_entity(retriever: GraphRetriever, text: str, pattern: str) -> None:
    assert [each for each, _ in found(retriever, text)] == [pattern]


@pytest.mark.parametrize(
    "text",
    [
        "cấu trúc dữ liệu thi ở đâu",
        "rớt cấu trúc dữ liệu thì đóng bao nhiêu tiền học lại",
        "ctdl có khó không",
        "Nhà riêng của thầy Trần Minh Quế ở đâu?",
        "học phí ngành cntt bao nhiêu",
        "ngành cntt có học bổng không",
        "ngành nào của chương trình đại trà học phí thấp nhất",
        "học cntt clc có được miễn học phí không",
        "cntt clc lấy bao nhiêu điểm",
        "đổi sang ngành cntt được không",
        "đăng ký tối đa bao nhiêu tín chỉ",
        "nộp học phí ở phòng đào tạo được không",
        "môn Thiên văn học mấy tín chỉ",
        "ở đâu vậy",
        "có những ngành nào",
        "gửi xe ở trường ở đâu",
        "trường có chỗ đậu ô tô cho sv hk",
        "trường có chỗ ăn ở đâu không",
        "hội trường lớn ở đâu",
        "trường hợp nào bị cấm thi",
        "môi trường học ở đây sao",
        "nộp hồ sơ ở đâu vậy trường",
        "trường có ngành nào học phí thấp",
        "email của trường trung học phổ thông ở đâu",
        "hôm nay trời đẹp",
        "",
        "'}) DETACH DELETE n //",
    ],
)
def test_other_questions_are_left_to_the_other_sources(retriever: GraphRetriever, text: str) -> None:
    assert found(retriever, text) == []


def test_a_phone_number_that_nobody_published_is_no_answer(retriever: GraphRetriever) -> None:
    assert found(retriever, "số điện thoại thầy Lê Văn Khánh") == []


def test_two_courses_are_compared(retriever: GraphRetriever) -> None:
    said = understood(retriever, "chưa học nmlt có học ctdl được không")

    assert said is not None
    finding = said.findings[0]
    assert finding.pattern.id == "course_between"
    assert finding.second is not None
    assert [row.steps for row in finding.rows["Course:CT101"]] == [2]


def test_the_documents_of_a_student_are_those_for_all_of_their_values(retriever: GraphRetriever) -> None:
    assert found(retriever, "quy định nào áp dụng cho k47 clc") == [
        ("documents_for_student", ["Cohort:47", "Program:clc", "Document:chuan-clc"])
    ]
    assert found(retriever, "quy định nào áp dụng cho k51 clc") == []
    of_profile = found(retriever, "quy định chuẩn ngoại ngữ nào áp dụng cho em", cohort="47", program="clc")
    assert of_profile[0][1][-1] == "Document:chuan-clc"


@pytest.mark.parametrize(
    ("history", "text", "pattern", "subject"),
    [
        ("cấu trúc dữ liệu mấy tín chỉ", "còn môn hệ điều hành thì sao?", "course_credits", "Course:CT204"),
        ("cấu trúc dữ liệu mấy tín chỉ", "ai dạy vậy", "course_lecturers", "Course:CT201"),
        ("cấu trúc dữ liệu mấy tín chỉ", "môn này học kỳ mấy", "course_semester", "Course:CT201"),
        ("hệ điều hành ai dạy", "email cô đó là gì", "person_contact", "Person:ngo-hoai-thuong"),
        ("hệ điều hành ai dạy", "mail của cô", "person_contact", "Person:ngo-hoai-thuong"),
        ("hệ điều hành ai dạy", "mail cua co", "person_contact", "Person:ngo-hoai-thuong"),
        ("hệ điều hành ai dạy", "cô dạy mấy môn", "person_courses", "Person:ngo-hoai-thuong"),
        ("sdt phòng đào tạo", "thế còn phòng ctsv?", "office_contact", "Office:phong-ctsv"),
    ],
)
def test_a_message_goes_on_with_the_matter_before(
    retriever: GraphRetriever, history: str, text: str, pattern: str, subject: str
) -> None:
    answers = found(retriever, text, history)

    assert [(each, ends[0]) for each, ends in answers] == [(pattern, subject)]


@pytest.mark.parametrize("text", ["cảm ơn bạn nhiều nha", "học phí bao nhiêu", "còn ký túc xá thì sao"])
def test_another_matter_does_not_go_on(retriever: GraphRetriever, text: str) -> None:
    assert found(retriever, text, "cấu trúc dữ liệu mấy tín chỉ") == []


def test_every_pattern_can_be_asked_and_said() -> None:
    queries = compiled("ladybug", sorted(base_schema().relations))
    said = yaml.safe_load(Path(graph_answers.__file__).with_suffix(".yml").read_text(encoding="utf-8"))[
        "answers"
    ]

    for pattern in patterns():
        for query in (*(query for step in pattern.steps for query in step), *pattern.related):
            assert query in queries or query == "self", (pattern.id, query)
        if pattern.answer != "course_between":
            assert set(said[pattern.answer]) == {"vi", "en"}, pattern.id
        assert not pattern.empty or set(said[pattern.empty]) == {"vi", "en"}, pattern.id
        assert {*pattern.of, *pattern.kinds} <= set(base_schema().types), pattern.id
    assert {"between_first", "between_far", "between_together", "between_none", "document_ended"} <= set(said)
