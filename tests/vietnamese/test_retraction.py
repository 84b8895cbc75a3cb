"""Names that a message takes back do not count."""

from __future__ import annotations

from datetime import date

import pytest

from school.catalog import Catalog, Cohort, Course, Major, Office, Program
from school.catalog_forms import entity_forms
from school.entity_linker import EntityLinker
from vietnamese.retraction import Retraction

TODAY = date(2026, 11, 22)
LINKER = EntityLinker(
    entity_forms(
        Catalog(
            cohorts=(
                Cohort("47", "Khóa 47", 2021),
                Cohort("48", "Khóa 48", 2022),
                Cohort("49", "Khóa 49", 2023),
            ),
            majors=(Major("luat", "Luật"), Major("ketoan", "Kế toán"), Major("cntt", "CNTT")),
            programs=(Program("clc", "Chất lượng cao", aliases=("clc",)), Program("standard", "Đại trà")),
            courses=(Course("triet", "Triết học", aliases=("triết",)), Course("gdqp", "Quân sự")),
            offices=(Office("pdt", "Phòng Đào tạo"), Office("ctsv", "Phòng CTSV")),
        )
    )
)


def given(text: str) -> list[str]:
    return [mention.value for mention in LINKER.mentions(text, TODAY)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("không phải k47, k48 cơ", ["48"]),
        ("ko phai k47, k48", ["48"]),
        ("em k fải k47", []),
        ("em đâu có phải học luật", []),
        ("kế toán chứ không phải luật", ["ketoan"]),
        ("kế toán chứ không học luật", ["ketoan"]),
        ("em không học luật mà học kế toán", ["ketoan"]),
        ("em không còn học clc nữa", []),
        ("m k học luật", []),
        # "mk" is "mình".
        ("mk học luật", ["luat"]),
        ("không phải phòng đào tạo, phòng ctsv", ["ctsv"]),
        ("không phải môn triết, môn quân sự ạ", ["gdqp"]),
        ("not k47", []),
        ("nãy em ghi nhầm k47", []),
        ("em ghi nhầm k47 thành k48", ["47"]),
        ("trừ k47", []),
    ],
)
def test_what_is_denied_is_not_given(text: str, values: list[str]) -> None:
    assert given(text) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("k47 nhầm k48", ["48"]),
        ("k47 à nhầm k48 nhầm k49", ["49"]),
        ("em k47, ý em là k48", ["48"]),
        ("k47 à không k48", ["48"]),
        ("k47, k48 mới đúng", ["48"]),
        ("k47 sorry k48", ["48"]),
        ("em k47 ngành luật, à nhầm k48", ["luat", "48"]),
        ("em học luật k47, à nhầm, kế toán k48", ["ketoan", "48"]),
        ("k47, à nhầm", []),
        ("đổi k47 thành k48", ["48"]),
    ],
)
def test_what_is_corrected_is_not_given(text: str, values: list[str]) -> None:
    assert given(text) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("k47 với k48 khác gì", ["47", "48"]),
        ("k47 không cần chứng chỉ phải không", ["47"]),
        ("có phải k47 không", ["47"]),
        ("không riêng gì k47", ["47"]),
        ("em k47 ạ không phải k48", ["47"]),
        ("em k47 đăng ký nhầm lớp k48", ["47", "48"]),
        ("k47 không phải học quân sự hả", ["47", "gdqp"]),
        ("không học triết được không", ["triet"]),
        ("chuyển từ luật sang kế toán", ["luat", "ketoan"]),
        ("đổi ngành luật sang kế toán được không", ["luat", "ketoan"]),
        ("không biết k47 đóng bao nhiêu", ["47"]),
    ],
)
def test_a_no_that_is_about_something_else_takes_nothing_back(text: str, values: list[str]) -> None:
    assert given(text) == values


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("em đang học đại trà muốn chuyển lên clc", {"standard": "", "clc": "target"}),
        ("thế chuyển từ clc về đại trà thì sao", {"clc": "origin", "standard": "target"}),
        ("tu clc xuong dai tra co mat phi ko", {"clc": "origin", "standard": "target"}),
        ("đổi ngành luật sang kế toán", {"luat": "", "ketoan": "target"}),
        ("muon xin chuyen qua nganh luat can gi", {"luat": "target"}),
        ("em muốn qua clc", {"clc": "target"}),
        ("co bang cao dang cntt, mien tin hoc ko", {"cntt": "former"}),
        ("em đã tốt nghiệp đại học ngành luật giờ học kế toán", {"luat": "former", "ketoan": ""}),
        ("tốt nghiệp ngành luật cần gì", {"luat": ""}),
        ("còn chiều ngược lại, clc về đại trà thì sao", {"clc": "origin", "standard": "target"}),
        ("em muốn đổi từ cntt clc sang kế toán", {"cntt": "origin", "clc": "", "ketoan": "target"}),
        ("em chuyển qua cntt rồi", {"cntt": ""}),
        ("em mới chuyển sang học luật", {"luat": ""}),
        ("áp dụng từ k48 về sau", {"48": ""}),
        ("đổi khóa từ k47 thành k48", {"48": ""}),
        ("kế toán với cntt cái nào rẻ hơn", {"ketoan": "", "cntt": ""}),
        ("cntt có chất lượng cao không", {"cntt": "", "clc": "asked"}),
        ("ke toan co clc ko ad", {"ketoan": "", "clc": "asked"}),
        ("trường có đào tạo ngành luật không ạ", {"luat": "asked"}),
        ("em có clc không học nữa thì sao", {"clc": ""}),
        ("clc có được hoãn không", {"clc": ""}),
        ("đắt hơn đại trà bao nhiêu", {"standard": "beside"}),
        ("clc khác gì so với đại trà", {"clc": "", "standard": "beside"}),
        ("hoc phi cao hon nganh luat ko", {"luat": "beside"}),
        ("nghe nói học ké lớp đại trà thì rẻ hơn", {"standard": "beside"}),
        ("em học lớp clc", {"clc": ""}),
    ],
)
def test_what_a_student_leaves_goes_to_compares_with_or_asks_whether_there_is_is_told_apart(
    text: str, roles: dict[str, str]
) -> None:
    assert {mention.value: mention.role for mention in LINKER.mentions(text, TODAY)} == roles


def test_without_rules_everything_is_meant() -> None:
    mentions = list(LINKER.link("không phải k47"))

    assert Retraction([], "", "(?!)").kept("không phải k47", mentions) == mentions
