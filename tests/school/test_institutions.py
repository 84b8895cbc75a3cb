"""A question about another university is recognised, and no everyday phrase is taken for one."""

from __future__ import annotations

import pytest

from school.catalog import Campus, Catalog, Major, Office, School
from school.institutions import Institutions, OwnNames

OWN = School(
    id="dhsm",
    name="Trường Đại học Sông Mây",
    name_en="Song May University",
    short="ĐHSM",
    aliases=("Đại học Sông Mây", "SMU"),
)


def of(school: School, *offices: Office, majors: tuple[Major, ...] = ()) -> Institutions:
    return Institutions(OwnNames.of(Catalog(school, offices=offices, majors=majors)))


@pytest.fixture(scope="module")
def institutions() -> Institutions:
    return of(OWN)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("kinh tế quốc dân lấy bao nhiêu điểm ngành marketing", "kinh tế quốc dân"),
        ("bach khoa hoc phi bao nhieu", "bach khoa"),
        ("thế ngoại thương lấy mấy điểm", "ngoại thương"),
        ("điểm chuẩn Tôn Đức Thắng", "Tôn Đức Thắng"),
    ],
)
def test_other_universities_by_their_names_alone(institutions: Institutions, text: str, name: str) -> None:
    assert institutions.foreign(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "nộp học phí qua ngân hàng ngoại thương được không",
        "cơ sở ở đường Tôn Đức Thắng đi xe buýt nào",
        "ngành ngoại thương học những gì",
    ],
)
def test_what_is_called_like_a_university_is_none(institutions: Institutions, text: str) -> None:
    assert institutions.foreign(text) is None


def test_a_subject_or_an_office_of_the_school_is_no_other_university() -> None:
    school = of(OWN, Office("bk", "Khoa Bách khoa"), majors=(Major("nt", "Ngoại thương"),))

    assert school.foreign("bách khoa ở đâu") is None
    assert school.foreign("ngoại thương học phí bao nhiêu") is None
    assert school.foreign("kinh tế quốc dân học phí bao nhiêu") is not None


@pytest.mark.parametrize(
    "text",
    [
        "chứng chỉ tin học của đại học sư phạm cấp có dùng được không",
        "ielts thi o ngoai thuong co duoc chap nhan khong",
        "so với bách khoa thì học phí trường mình cao hơn không",
    ],
)
def test_what_another_university_issues_is_asked_of_this_one(institutions: Institutions, text: str) -> None:
    said = institutions.within_own(text)

    assert "trường khác" in said
    assert institutions.foreign(said) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "em đang học đh thương mại muốn chuyển về sông mây thì cần gì",
            "em đang học trường khác muốn chuyển về sông mây thì cần gì",
        ),
        (
            "em hoc bach khoa muon qua truong minh hoc dc ko",
            "em hoc trường khác muon qua truong minh hoc dc ko",
        ),
        ("em sv năm 2 đại học cần thơ xin chuyển về đây", "em sv năm 2 trường khác xin chuyển về đây"),
        ("em muốn chuyển sang đh bách khoa thì làm gì", "em muốn chuyển sang trường khác thì làm gì"),
        ("từ ĐH Huế chuyển về Đại học Sông Mây cần gì", "từ trường khác chuyển về Đại học Sông Mây cần gì"),
    ],
)
def test_a_change_between_schools_is_asked_of_this_one(
    institutions: Institutions, text: str, said: str
) -> None:
    assert institutions.within_own(text) == said
    assert institutions.foreign(said) is None


@pytest.mark.parametrize(
    "text", ["em muốn vào đại học huế", "học phí đại học huế", "em học kế toán muốn chuyển ngành"]
)
def test_other_messages_are_no_change_between_schools(institutions: Institutions, text: str) -> None:
    assert institutions.within_own(text) == text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Học phí Đại học Bách khoa Hà Nội?", "Đại học Bách khoa"),
        ("hoc phi dai hoc can tho", "dai hoc can tho"),
        ("HỌC PHÍ ĐH KINH TẾ QUỐC DÂN", "ĐH KINH TẾ QUỐC DÂN"),
        ("Trường Đại học Ngoại thương xét học bạ không", "Trường Đại học Ngoại thương"),
        ("điểm chuẩn của NEU năm nay", "NEU"),
        ("em muốn vào rmit", "rmit"),
        ("so với Harvard thì sao", "Harvard"),
        ("học viện ngân hàng có ký túc xá không", "học viện ngân hàng"),
        ("Đại học Mở tuyển sinh khi nào", "Đại học Mở"),
    ],
)
def test_other_universities(institutions: Institutions, text: str, name: str) -> None:
    found = institutions.foreign(text)

    assert found is not None
    assert name in found or found in name
    assert found in text


@pytest.mark.parametrize(
    "text",
    [
        "Học phí của trường là bao nhiêu?",
        "Học phí Đại học Sông Mây?",
        "truong dai hoc song may o dau",
        "smu có ký túc xá không",
        "ĐHSM tuyển sinh ngành gì",
        "ngành kinh tế học những gì",
        "khoa công nghệ thông tin ở đâu",
        "điều kiện học đại học từ xa",
        "phòng tài chính ở đâu",
        "em neu ly do trong don",
        "",
    ],
)
def test_the_own_school_and_common_words(institutions: Institutions, text: str) -> None:
    assert institutions.foreign(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Trường mở đăng ký học phần khi nào?",
        "Nhà trường mở lớp hè vào tháng mấy?",
        "truong mo cong dang ky luc may gio",
        "trường xây dựng thời khóa biểu thế nào",
        "trường vinh danh sinh viên xuất sắc khi nào",
        "trường có an ninh không",
    ],
)
def test_what_a_school_does_is_not_its_name(institutions: Institutions, text: str) -> None:
    assert institutions.foreign(text) is None


def test_a_comparison_with_the_own_school_is_about_the_own_school(institutions: Institutions) -> None:
    assert institutions.foreign("Đại học Sông Mây khác gì Đại học Cần Thơ?") is None


def test_a_well_known_name_that_is_the_own_one_is_no_other() -> None:
    can_tho = of(School(id="ctu", name="Trường Đại học Cần Thơ", short="CTU", aliases=("ĐH Cần Thơ",)))

    assert can_tho.foreign("học phí đại học cần thơ") is None
    assert can_tho.foreign("CTU ở đâu") is None
    assert can_tho.foreign("học phí ĐH Cần Thơ") is None
    assert can_tho.foreign("học phí đại học đà nẵng") is not None


def test_a_folder_that_does_not_name_its_school_knows_no_other() -> None:
    assert of(School()).foreign("học phí Đại học Bách khoa") is None


CAN_THO = of(
    School(name="Trường Đại học Cần Thơ", campuses=(Campus("Khu Hòa An"),)),
    Office("cict", "Trường Công nghệ thông tin và Truyền thông", "College of Information Technology"),
    Office("ke", "Trường Kinh tế", "College of Economics"),
    Office("bk", "Trường Bách khoa"),
)


@pytest.mark.parametrize(
    "text",
    [
        "học phí đại học cần thơ",
        "CTU ở đâu",
        "ĐHCT tuyển sinh ngành gì",
        "Can Tho University có ký túc xá không",
        "How do I apply to the University of Can Tho?",
        "trường Kinh tế ở khu nào",
        "truong bach khoa o dau",
        "Trường Công nghệ thông tin có mấy khoa",
        "trường công nghệ thông tin và truyền thông",
        "Where is the College of Economics?",
        "ĐH Cần Thơ khác gì Đại học Đà Nẵng",
    ],
)
def test_a_listed_school_its_faculties_and_its_english_name_are_no_strangers(text: str) -> None:
    assert CAN_THO.foreign(text) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("đại học y dược cần thơ lấy bao nhiêu điểm", "đại học y dược"),
        ("Đại học Bách khoa Hà Nội", "Đại học Bách khoa Hà Nội"),
        ("trường bách khoa hà nội", "trường bách khoa hà nội"),
        ("đại học kinh tế ở thành phố", "đại học kinh tế"),
        ("trường kinh tế quốc dân", "trường kinh tế quốc dân"),
        ("trường đà nẵng", "trường đà nẵng"),
        ("College of Law", "College of Law"),
    ],
)
def test_others_with_a_part_of_its_names_are_strangers(text: str, name: str) -> None:
    found = CAN_THO.foreign(text)

    assert found is not None
    assert name in found or found in name


@pytest.mark.parametrize(
    ("school", "own", "other"),
    [
        (
            School(name="Trường Đại học Kinh tế Quốc dân", name_en="National Economics University"),
            (
                "đại học kinh tế quốc dân",
                "trường kinh tế",
                "NEU xét học bạ không",
                "National Economics University",
            ),
            ("đại học kinh tế luật", "UEL", "đại học ngoại thương"),
        ),
        (
            School(name="Trường Đại học Kinh tế", short="UEH"),
            ("đại học kinh tế", "ueh"),
            ("đại học kinh tế quốc dân", "kinh tế quốc dân hay đại học kinh tế luật"),
        ),
        (
            School(name="Trường Đại học Bách khoa - Đại học Đà Nẵng"),
            ("đại học bách khoa", "Đại học Đà Nẵng", "bách khoa đà nẵng"),
            ("đại học bách khoa hà nội", "đại học cần thơ"),
        ),
        (
            School(name="Trường Đại học FPT", campuses=(Campus("Cơ sở Cần Thơ"), Campus("Đà Nẵng"))),
            ("đại học fpt cần thơ", "cơ sở cần thơ", "trường đà nẵng có ngành gì", "FPT University"),
            ("đại học cần thơ", "trường huế"),
        ),
        (
            School(name="Harvard University", short="HU"),
            ("harvard", "Harvard University", "HU"),
            ("stanford", "Stanford University"),
        ),
    ],
    ids=["neu", "ueh", "dut", "fpt", "harvard"],
)
def test_schools_of_the_list(school: School, own: tuple[str, ...], other: tuple[str, ...]) -> None:
    institutions = of(school)

    assert [text for text in own if institutions.foreign(text) is not None] == []
    assert [text for text in other if institutions.foreign(text) is None] == []
