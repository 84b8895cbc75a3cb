"""Short forms that a document defines itself, found and written out."""

from __future__ import annotations

import pytest

from school.abbreviations import Abbreviations, agreed, definitions


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Sinh viên ở Ký túc xá (KTX) của trường.", {"KTX": "ký túc xá"}),
        ("Phòng Đào tạo (sau đây gọi tắt là P.ĐT) nhận đơn.", {"P.ĐT": "phòng đào tạo"}),
        ("Ban Quản lý ký túc xá (viết tắt là: BQL)", {"BQL": "ban quản lý ký túc xá"}),
        ("học bổng khuyến khích học tập (HBKKHT)", {"HBKKHT": "học bổng khuyến khích học tập"}),
        ("Hội đồng thi và xét tốt nghiệp (HĐXTN)", {"HĐXTN": "hội đồng thi và xét tốt nghiệp"}),
        ("tín chỉ (TC), học kỳ ( HK )", {"TC": "tín chỉ", "HK": "học kỳ"}),
        ("xem Phụ lục (A), đợt một (I), bảng (B2)", {}),
        ("điểm trung bình (xem Điều 4) và số (12)", {}),
        ("chương trình đào tạo (KTX)", {}),
        ("", {}),
    ],
)
def test_definitions(text: str, found: dict[str, str]) -> None:
    assert definitions(text) == found


def test_the_first_definition_counts() -> None:
    assert definitions("học phí (HP) và học phần (HP)") == {"HP": "học phí"}


def test_the_reading_that_most_documents_give_is_agreed_on() -> None:
    given = [{"HP": "học phí"}, {"HP": "học phần"}, {"HP": "học phần", "TC": "tín chỉ"}, {}]

    assert agreed(given) == {"HP": "học phần", "TC": "tín chỉ"}


@pytest.fixture
def short() -> Abbreviations:
    return Abbreviations(
        {"KTX": "ký túc xá", "P.ĐT": "phòng đào tạo", "KTXSV": "ký túc xá sinh viên", "AN": "an ninh"}
    )


@pytest.mark.parametrize(
    ("written", "in_full"),
    [
        ("Giá KTX?", "Giá ký túc xá?"),
        ("KTXSV, KTX; KTX-1", "ký túc xá sinh viên, ký túc xá; ký túc xá-1"),
        ("đến P.ĐT.", "đến phòng đào tạo."),
        ("KTXX và XKTX", "KTXX và XKTX"),
        ("ktx và an toàn", "ktx và an toàn"),
        ("lực lượng AN", "lực lượng an ninh"),
    ],
)
def test_in_a_document_a_short_form_counts_as_it_is_written(
    short: Abbreviations, written: str, in_full: str
) -> None:
    assert short.expand(written) == in_full


@pytest.mark.parametrize(
    ("typed", "in_full"),
    [
        ("giá ktx", "giá ký túc xá"),
        ("KTX o dau", "ký túc xá o dau"),
        ("an toàn, AN toàn", "an toàn, an ninh toàn"),
        ("", ""),
    ],
)
def test_in_a_question_also_in_lower_case_unless_it_is_a_syllable(
    short: Abbreviations, typed: str, in_full: str
) -> None:
    assert short.expand_question(typed) == in_full


@pytest.mark.parametrize(("typed", "in_full"), [("dkhp hk2", "đăng ký học phần hk2"), ("kem da", "kem da")])
def test_in_a_question_also_with_d_for_its_vietnamese_letter(typed: str, in_full: str) -> None:
    assert Abbreviations({"ĐKHP": "đăng ký học phần", "ĐA": "đồ án"}).expand_question(typed) == in_full


def test_without_short_forms_nothing_changes() -> None:
    none = Abbreviations({})

    assert none.expand("KTX") == none.expand_question("KTX") == "KTX"
