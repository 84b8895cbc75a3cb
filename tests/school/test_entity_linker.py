"""The linker finds the catalogue's names as students type them, and ignores look-alikes."""

from __future__ import annotations

import json
import re
import unicodedata
from datetime import date

import pytest

from school.catalog import Catalog, Cohort, Course, Major, Office, Program
from school.catalog_forms import entity_forms
from school.entity_linker import EntityLinker
from school.name_patterns import DOCUMENT_CUES, named_forms
from school.surface_forms import EntityForms
from vietnamese.text import fold

CATALOG = Catalog(
    cohorts=(
        Cohort("47", "Khóa 47", 2021, ("2k3",)),
        Cohort("48", "Khóa 48", 2022),
        Cohort("50", "Khóa 50", 2024, ("tân sinh viên",)),
    ),
    majors=(
        Major("cntt", "Công nghệ thông tin", "Information Technology", "7480201", aliases=("cntt", "it")),
        Major("ktpm", "Kỹ thuật phần mềm", "Software Engineering", aliases=("ktpm",)),
        Major("ktdien", "Kỹ thuật điện", "Electrical Engineering"),
        Major("ktdt", "Kỹ thuật điện tử - viễn thông", aliases=("đtvt",)),
        Major("ktck", "Kỹ thuật cơ khí", aliases=("cơ khí",)),
        Major("ketoan", "Kế toán", "Accounting"),
        Major("tcnh", "Tài chính - Ngân hàng", aliases=("tc ngân hàng",)),
        Major("marketing", "Marketing", "Marketing"),
        Major("luat", "Luật", "Law"),
        Major("thuy", "Thú y"),
        Major("duoc", "Dược học"),
        Major("hoa", "Hóa dược"),
    ),
    programs=(
        Program("standard", "Chương trình đại trà", "Đại trà", aliases=("hệ chuẩn", "chương trình thường")),
        Program("clc", "Chương trình chất lượng cao", "Chất lượng cao", aliases=("clc",)),
    ),
    offices=(
        Office("phong-dao-tao", "Phòng Đào tạo", aliases=("p.đt",)),
        Office("phong-tai-chinh", "Phòng Tài chính - Kế toán", aliases=("phòng kế toán",)),
        Office("tt-cntt", "Trung tâm Công nghệ thông tin"),
        Office("tt-ngoai-ngu", "Trung tâm Ngoại ngữ", aliases=("trung tâm tiếng anh", "tt ngoại ngữ")),
    ),
)
FORMS = entity_forms(CATALOG, named_forms("document", "quy-che", ("quy chế đào tạo",), DOCUMENT_CUES))
LINKER = EntityLinker(FORMS)
TODAY = date(2026, 11, 22)


def named(text: str) -> list[tuple[str, str]]:
    return [(mention.entity, mention.value) for mention in LINKER.link(text)]


@pytest.mark.parametrize(
    ("text", "cohort"),
    [
        ("K47 cần gì", "47"),
        ("sv k 47 cần gì", "47"),
        ("k.47", "47"),
        ("khóa 47", "47"),
        ("khoá47", "47"),
        ("KHOA 47", "47"),
        ("khóa 2021", "47"),
        ("khóa 2021-2025", "47"),
        ("khóa tuyển sinh năm 2022", "48"),
        ("em là sv 2021", "47"),
        ("sinh viên tuyển sinh 2021", "47"),
        ("nhập học năm 2022", "48"),
        ("mình 2k3", "47"),
        ("tan sinh vien can gi", "50"),
        ("class of 2021", "47"),
        ("sinh viên K50 ngành nào cũng vậy", "50"),
    ],
)
def test_cohorts_are_found_however_they_are_typed(text: str, cohort: str) -> None:
    assert named(text) == [("cohort", cohort)]


@pytest.mark.parametrize(
    "text",
    [
        "học phí năm 2021",
        "năm học 2021-2022",
        "tuyển sinh 2021-2022",
        "điều 47 quy chế",
        "học 47 tín chỉ",
        "k 47 tín chỉ có sao không",
        "phòng 47",
        "khoản 47",
        "k470",
        "ok47",
        "K46",
        "50k",
    ],
)
def test_numbers_that_are_no_cohorts(text: str) -> None:
    assert named(text) == []


@pytest.mark.parametrize(
    ("text", "major"),
    [
        ("ngành Công nghệ thông tin", "cntt"),
        ("CONG NGHE THONG TIN", "cntt"),
        ("information technology", "cntt"),
        ("mã 7480201", "cntt"),
        ("CNTT", "cntt"),
        ("kĩ thuật phần mềm", "ktpm"),
        ("Kỹ thuật điện tử – viễn thông", "ktdt"),
        ("kỹ thuật điện tử viễn thông", "ktdt"),
        ("dtvt", "ktdt"),
        ("cơ khí học mấy năm", "ktck"),
        ("ke toan hoc may nam", "ketoan"),
        ("kế toán", "ketoan"),
        ("dược học", "duoc"),
        ("Thú y", "thuy"),
        ("hoá dược", "hoa"),
        ("sinh viên luật", "luat"),
        ("nganh luat", "luat"),
        ("ngành IT", "cntt"),
    ],
)
def test_majors_are_found_however_they_are_typed(text: str, major: str) -> None:
    assert named(text) == [("major", major)]


@pytest.mark.parametrize(
    "text",
    [
        "em được học bổng không",
        "sv duoc hoc bong khong",
        "sinh viên được học vượt không",
        "có khi nào bị rớt không",
        "co khi nao bi rot khong",
        "cơ khi",
        "xin thư ý kiến",
        "thu y kien sinh vien",
        "bị kỷ luật thì sao",
        "pháp luật đại cương",
        "ít quá",
        "it qua",
        "kể toàn bộ",
        "ngành được học thêm",
    ],
)
def test_everyday_words_are_no_majors(text: str) -> None:
    assert named(text) == []


def test_behind_a_cue_a_lookalike_is_the_major() -> None:
    assert named("nganh duoc hoc hoc may nam") == [("major", "duoc")]
    assert named("nganh thu y") == [("major", "thuy")]


PHARMACY = EntityLinker(
    entity_forms(Catalog(majors=(Major("duoc", "Dược học", aliases=("dược",)), Major("baochi", "Báo chí"))))
)


def pharmacy(text: str) -> list[tuple[str, str]]:
    return [(mention.value, mention.text) for mention in PHARMACY.link(text)]


@pytest.mark.parametrize(
    "text",
    [
        "nganh duoc",
        "hoc phi nganh duoc bao nhieu",
        "truong co nganh duoc khong",
        "con nganh duoc thi sao",
        "the nganh duoc",
        "em hoc nganh duoc",
        "nganh duoc lay bao nhieu diem",
        "chuyen sang nganh duoc",
    ],
)
def test_a_short_lookalike_is_the_major_behind_its_cue(text: str) -> None:
    assert pharmacy(text) == [("duoc", "nganh duoc")]


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("con duoc thi sao", "duoc", "duoc"),
        ("con duoc hoc thi sao", "duoc", "duoc hoc"),
        ("the con bao chi thi sao", "baochi", "bao chi"),
        ("ny duoc k50 thi sao", "duoc", "duoc"),
        ("ban e hoc duoc dai tra", "duoc", "duoc"),
    ],
)
def test_a_lookalike_is_the_major_as_the_whole_object(text: str, value: str, words: str) -> None:
    assert pharmacy(text) == [(value, words)]


@pytest.mark.parametrize(
    "text",
    [
        "nganh duoc mien hoc phi",
        "nganh duoc tuyen thang la nganh nao",
        "doi nganh duoc khong",
        "chuyen nganh duoc ko",
        "em hoc 2 nganh duoc ko",
        "ban em hoc duoc",
        "con duoc bao luu thi sao",
        "con duoc hoc bong thi sao",
        "nganh nao duoc hoc bong",
        "ngành được",
    ],
)
def test_a_lookalike_that_may_be_the_verb_is_none(text: str) -> None:
    assert pharmacy(text) == []


def test_the_longest_name_wins_and_none_overlap() -> None:
    assert named("Phòng Kế toán") == [("office", "phong-tai-chinh")]
    assert named("trung tâm công nghệ thông tin") == [("office", "tt-cntt")]
    assert named("kỹ thuật điện tử viễn thông hay kỹ thuật điện") == [("major", "ktdt"), ("major", "ktdien")]


def test_several_things_are_found_in_order_with_their_places() -> None:
    text = "Học phí ngành kế toán CLC của K47 hỏi p.đt?"

    mentions = LINKER.link(text)

    assert [(mention.entity, mention.value) for mention in mentions] == [
        ("major", "ketoan"),
        ("program", "clc"),
        ("cohort", "47"),
        ("office", "phong-dao-tao"),
    ]
    assert all(text[mention.start : mention.end] == mention.text for mention in mentions)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("cong nghe thong tn", "cntt"),
        ("công ngệ thông tin", "cntt"),
        ("congnghe thongtin", "cntt"),
        ("e ketoan", "ketoan"),
        ("kỹ thuật phần mền", "ktpm"),
        ("marketting", "marketing"),
        ("chất lượg cao", "clc"),
    ],
)
def test_typos_in_long_names_are_forgiven(text: str, value: str) -> None:
    assert [value for _, value in named(text)] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "chương trình trường mình",
        "chương trình thư viện",
        "chất lượng cơm",
        "marketer",
        "tk ngân hàng",
        "tiếng Trung thay tiếng Anh",
        "ky thuat dieu kien",
        "ngoại ngữ",
    ],
)
def test_other_words_are_no_typos(text: str) -> None:
    assert named(text) == []


def test_an_empty_catalogue_finds_nothing() -> None:
    assert EntityLinker(entity_forms(Catalog())).link("K47 ngành CNTT") == ()
    assert LINKER.link("") == ()


def test_names_with_signs_of_regular_expressions_are_taken_as_they_are() -> None:
    linker = EntityLinker(
        entity_forms(Catalog(majors=(Major("cpp", "Lập trình C++ (nâng cao)", aliases=("[a-z]*",)),)))
    )

    assert [mention.value for mention in linker.link("ngành lập trình c nâng cao")] == ["cpp"]
    assert linker.link("bất kỳ chữ gì") == ()


def test_forms_that_were_written_and_read_again_find_the_same() -> None:
    read = EntityForms.from_json(json.loads(json.dumps(FORMS.to_json())))

    assert read == FORMS
    text = "k47 năm 3 nganh duoc hoc, cong nghe thong tn, quy chế đào tạo, mai"
    assert EntityLinker(read).mentions(text, TODAY) == LINKER.mentions(text, TODAY)


@pytest.mark.parametrize("text", ["ngành vật lý", "ngành vật lí", "nganh vat li", "môn lí"])
def test_a_syllable_that_is_spelled_with_either_letter(text: str) -> None:
    catalog = Catalog(majors=(Major("vl", "Vật lý"),), courses=(Course("ly", "Lý"),))

    assert len(EntityLinker(entity_forms(catalog)).link(text)) == 1


def test_a_needle_is_in_every_match_of_its_pattern() -> None:
    texts = ["k47 khoá 2021 kĩ thuật phần mềm p.đt cntt", "ngành luật sv 2022 thú y hệ chuẩn"]
    for form in FORMS.patterns:
        for text in texts:
            for match in re.finditer(form.pattern, fold(text)):
                assert form.needle in match[0]


@pytest.mark.parametrize(
    "text", ["K48 đóng học phí khi nào", "k48 điểm rèn luyện chấm ở đâu", "khóa 48 tín chỉ"]
)
def test_what_follows_a_cohort_does_not_make_it_an_amount(text: str) -> None:
    assert named(text) == [("cohort", "48")]


def meant(text: str, today: date = TODAY) -> list[tuple[str, str]]:
    return [(mention.entity, mention.value) for mention in LINKER.mentions(text, today)]


def test_documents_dates_and_years_of_study_are_mentioned_too() -> None:
    assert meant("quy chế đào tạo có từ 15/12 không") == [("document", "quy-che"), ("date", "2026-12-15")]
    assert meant("em năm 3") == [("cohort", "50")]
    assert meant("em năm 3", date(2025, 11, 22)) == []
    assert meant("luật năm 3 ạ") == [("major", "luat"), ("cohort", "50")]


def test_a_number_is_surer_than_a_year_of_study() -> None:
    assert meant("em k48 năm 3") == [("cohort", "48")]


def test_what_is_denied_is_linked_but_not_mentioned() -> None:
    assert named("không phải k47, k48 cơ") == [("cohort", "47"), ("cohort", "48")]
    assert meant("không phải k47, k48 cơ") == [("cohort", "48")]


def test_dates_are_mentioned_but_not_linked() -> None:
    assert named("k47 nộp trước 15/12") == [("cohort", "47")]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_offsets_count_characters_of_the_text_as_given(form: str) -> None:
    text = unicodedata.normalize(form, "Dạ em học luật, sinh viên khóa 47 ạ")
    law, cohort = LINKER.mentions(text, TODAY)

    composed = unicodedata.normalize("NFC", law.text), unicodedata.normalize("NFC", cohort.text)
    assert composed == ("học luật", "khóa 47")
    assert [text[mention.start : mention.end] for mention in (law, cohort)] == [law.text, cohort.text]
    assert unicodedata.normalize("NFC", text[law.name_start : law.end]) == "luật"


def test_a_long_message_is_linked_up_to_its_limit() -> None:
    text = "ạ " * 5_000 + "k47"

    assert LINKER.mentions(text, TODAY) == ()


@pytest.mark.parametrize(
    ("text", "majors"),
    [
        ("học phí luật với thú y cái nào mắc hơn", ["luat", "thuy"]),
        ("điểm chuẩn cntt và luật", ["cntt", "luat"]),
        ("hp cntt va luat", ["cntt", "luat"]),
        ("ngành kế toán, luật", ["ketoan", "luat"]),
        ("kế toán thi luật lao động khi nào", ["ketoan"]),
        ("điểm chuẩn luật và học phí cntt", ["cntt"]),
    ],
)
def test_a_name_of_one_syllable_is_one_beside_another_major(text: str, majors: list[str]) -> None:
    assert [value for entity, value in named(text) if entity == "major"] == majors


@pytest.mark.parametrize(
    ("text", "unlisted"),
    [
        ("em k43 đóng bao nhiêu", "k43"),
        ("k-43 thì sao", "k-43"),
        ("khóa 60 học phí", "khóa 60"),
        ("khoá 2015 còn học không", "khoá 2015"),
        ("k49 với k50 khác gì", None),  # about the one that is there
        ("k50 thì sao", None),
        ("khóa 2024 thì sao", None),
        ("khóa 10 buổi", None),
        ("k 43 tín chỉ", None),
        ("học phí 43 đồng", None),
        ("k100", None),
    ],
)
def test_a_cohort_that_the_school_does_not_have_is_told(text: str, unlisted: str | None) -> None:
    linker = EntityLinker(EntityForms.from_json(json.loads(json.dumps(entity_forms(CATALOG).to_json()))))

    assert linker.unlisted(text) == unlisted
