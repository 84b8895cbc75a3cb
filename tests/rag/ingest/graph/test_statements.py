"""The statements that rules read in a clause, and how far a language model is believed."""

from __future__ import annotations

import json

import pytest

from rag.ingest.graph.rules import RuleExtractor
from rag.ingest.graph.statements import checked
from rag.types import Passage

RELATIONS = {"responsible_for": (("Office",), ("Clause", "Form")), "refers_to": (("Clause",), ("Clause",))}


def passage(text: str, locator: str = "Điều 7, khoản 2") -> Passage:
    return Passage("d#1", text, "d", "Quy định", locator)


def places(text: str, locator: str = "Điều 7, khoản 2") -> list[str]:
    said = RuleExtractor().extract(passage(text, locator))
    return [each.object for each in said if each.relation == "refers_to" and each.object_type == "Clause"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("theo khoản 2 Điều 12", ["Điều 12, khoản 2"]),
        ("quy định tại Điều 12, khoản 2, điểm b", ["Điều 12, khoản 2, điểm b"]),
        ("theo các điểm a, b và c của Điều 3", ["Điều 3, điểm a", "Điều 3, điểm b", "Điều 3, điểm c"]),
        ("tại khoản 1 và khoản 3 Điều 4", ["Điều 4, khoản 3", "Điều 7, khoản 1"]),
        ("theo quy định tại khoản 1", ["Điều 7, khoản 1"]),
        ("theo Điểm a, Khoản 2, Điều 34", ["Điều 34, khoản 2, điểm a"]),
        ("hưởng ưu đãi như ở khoản 1 - Điều 9 Nội quy này", ["Điều 9, khoản 1"]),
        ("tại điểm b thuộc khoản 5, Điều 3", ["Điều 3, khoản 5, điểm b"]),
        ("không thấp hơn mức tại khoản 1 Điều này", ["Điều 7, khoản 1"]),
        ("các điều kiện tại Điều này", []),
        ("Điều 7. Rút học phần", []),
        ("điểm trung bình từ 2,0 theo thang điểm 4", []),
    ],
)
def test_places_that_a_clause_refers_to(text: str, found: list[str]) -> None:
    assert sorted(places(text)) == sorted(found)


def test_a_place_in_another_document_names_it() -> None:
    said = RuleExtractor().extract(passage("theo Điều 5 của Quy chế đào tạo; sinh viên nộp đơn"))

    assert [(each.object, each.properties) for each in said if each.object_type == "Clause"] == [
        ("Điều 5", {"document": "Quy chế đào tạo"})
    ]


def test_a_replaced_decision_is_told_from_others_of_its_number_by_its_day() -> None:
    text = "Quy chế này thay thế Quyết định số 743/QĐ-ĐH ngày 26 tháng 7 năm 2021."

    said = [each for each in RuleExtractor().extract(passage(text)) if each.relation == "supersedes"]

    assert [each.properties for each in said] == [{"number": "743/QĐ-ĐH", "issued": "2021-07-26"}]


@pytest.mark.parametrize(
    "text", ["Giấy chứng nhận tạm thời thay thế bằng tốt nghiệp.", "Bổ sung kèm theo Quyết định số 9/QĐ-ĐH."]
)
def test_words_of_replacing_that_replace_no_document(text: str) -> None:
    said = RuleExtractor().extract(passage(text))

    assert not [each for each in said if each.relation in ("supersedes", "amends")]


def said_by_model(**changes: str) -> str:
    statement = {
        "subject": "Phòng Đào tạo",
        "subject_type": "Office",
        "relation": "responsible_for",
        "object": "giấy chứng nhận",
        "object_type": "Form",
        "quote": "Phòng Đào tạo cấp giấy chứng nhận",
    }
    return json.dumps([statement | changes])


TEXT = passage("1. Phòng Đào tạo cấp giấy  chứng nhận trong 3 ngày.")


def test_a_model_is_believed_in_what_the_passage_says() -> None:
    kept, refused = checked(TEXT, said_by_model(), RELATIONS)

    assert [(each.subject, each.object) for each in kept] == [("Phòng Đào tạo", "giấy chứng nhận")]
    assert refused == []


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"quote": "Phòng Đào tạo ký giấy chứng nhận"}, "quote"),
        ({"object": "bằng tốt nghiệp"}, "object"),
        ({"subject": "Phòng Tài chính"}, "subject"),
        ({"relation": "loves"}, "relation"),
        ({"object_type": "Person"}, "relation"),
    ],
)
def test_what_a_model_makes_up_is_refused(changes: dict[str, str], why: str) -> None:
    kept, refused = checked(TEXT, said_by_model(**changes), RELATIONS)

    assert (kept, [each.why for each in refused]) == ([], [why])


@pytest.mark.parametrize("said", ["[{", "7", '"x"', "[[]]", '[{"relation": 1, "object": [], "quote": null}]'])
def test_an_answer_of_another_form_is_refused(said: str) -> None:
    kept, refused = checked(TEXT, said, RELATIONS)

    assert kept == []
    assert {each.why for each in refused} == {"form"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("điểm trung bình tích lũy từ 3,2 trở lên", [(">=", "3.2", "")]),
        ("đã tích lũy ít nhất 120 tín chỉ", [(">=", "120", "tín chỉ")]),
        ("Tối đa 25 tín chỉ, tối thiểu là 14 tín chỉ", [("<=", "25", "tín chỉ"), (">=", "14", "tín chỉ")]),
        ("không quá 5% số sinh viên", [("<=", "5", "%")]),
        ("vắng từ 20 % trở xuống", [("<=", "20", "%")]),
        ("nghỉ không quá 2 học kỳ", [("<=", "2", "học kỳ")]),
        ("từ khóa 47 trở lên", []),
        ("từ ngày 10 đến ngày 20", []),
        ("ít nhất một lần", []),
        ("tối thiểu 2 ngàymai", []),
    ],
)
def test_thresholds_that_a_clause_sets(text: str, found: list[tuple[str, str, str]]) -> None:
    said = [each for each in RuleExtractor().extract(passage(text)) if each.object_type == "Threshold"]

    assert [tuple(each.properties[key] for key in ("comparison", "value", "unit")) for each in said] == found


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("Phòng Đào tạo có trách nhiệm kiểm tra hồ sơ.", ["Phòng Đào tạo"]),
        ("Phòng Đào tạo phối hợp với các đơn vị tổ chức kiểm tra.", ["Phòng Đào tạo"]),
        ("Đơn vị lưu một bản và gửi về Phòng Đào tạo một (01) bản.", ["Phòng Đào tạo"]),
        ("Hội đồng xét tốt nghiệp chịu trách nhiệm xét đúng hạn.", ["Hội đồng xét tốt nghiệp"]),
        ("Khoa gửi điểm về Hội đồng đánh giá cấp Trường (qua email).", ["Hội đồng đánh giá cấp Trường"]),
        ("Phòng Tài chính - Kế toán cung cấp hóa đơn.", ["Phòng Tài chính - Kế toán"]),
        ("Trung tâm Ngoại ngữ sẽ xác minh chứng chỉ.", ["Trung tâm Ngoại ngữ"]),
        # The verb is a part of the name, or tells which unit is meant.
        ("Ban quản lý chương trình báo cáo hằng năm.", []),
        ("Sinh viên báo cáo kết quả cho Tổ quản lý chương trình.", []),
        ("Sinh viên do Khoa quản lý được xét trước.", []),
        ("Phòng Đào tạo phối hợp các Khoa xét điểm.", []),
        # Another one acts.
        ("Khoa đề xuất trình Hiệu trưởng xem xét.", []),
        ("Trưởng Khoa chịu trách nhiệm biên soạn.", []),
        ("Chứng chỉ tiếng Tây Ban Nha được cấp bởi Viện Cervantes.", []),
    ],
)
def test_units_that_are_responsible(text: str, units: list[str]) -> None:
    said = RuleExtractor().extract(passage(text))

    assert [each.subject for each in said if each.relation == "responsible_for"] == units


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("theo quy định của Luật Giáo dục đại học và của Trường.", "Luật Giáo dục đại học"),
        ("theo Quy định công tác học vụ hiện hành của Trường.", "Quy định công tác học vụ"),
        (
            "theo Quy định hiện hành về tiếp nhận sinh viên nước ngoài.",
            "Quy định hiện hành về tiếp nhận sinh viên nước ngoài",
        ),
    ],
)
def test_the_name_of_a_document_ends_before_what_is_said_of_it(text: str, name: str) -> None:
    said = RuleExtractor().extract(passage(text))

    assert [each.object for each in said if each.object_type == "Document"] == [name]


def test_two_articles_of_another_document_are_both_of_it() -> None:
    said = RuleExtractor().extract(
        passage("theo Điều 12 và Điều 13 trong quyết định số 622/QĐ-ĐHQG; nộp đơn")
    )

    assert {
        (each.object, each.properties.get("document", "")[:9])
        for each in said
        if each.object_type == "Clause"
    } == {
        ("Điều 12", "quyết địn"),
        ("Điều 13", "quyết địn"),
    }


def test_the_decision_that_a_regulation_comes_with_is_no_reference() -> None:
    said = RuleExtractor().extract(passage("(Kèm theo Quyết định số 45/QĐ-ĐHCT của Hiệu trưởng)"))

    assert [each.relation for each in said] == ["issued_by"]
