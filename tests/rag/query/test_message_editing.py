"""Messages taken apart and completed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rag.index.format import Index
from rag.query.message_editing import MessagePart, is_said, message_parts, named_value
from school.catalog import Major
from school.dimensions import Profile
from school.reader import Reader


def test_a_short_reply_names_a_value_of_what_was_asked_for(reader: Reader, index: Index) -> None:
    catalog = index.dictionaries.catalog

    assert named_value(reader, "48", "cohort", catalog) == "48"
    assert named_value(reader, "dạ 48 ạ", "cohort", catalog) == "48"
    assert named_value(reader, "em không rõ", "cohort", catalog) is None
    assert named_value(reader, "", "program", catalog) is None


def test_a_reply_that_is_a_name_may_be_another_word_without_diacritics(reader: Reader, index: Index) -> None:
    law = Major("luat", "Luật", aliases=("được việc",))
    catalog = replace(index.dictionaries.catalog, majors=(*index.dictionaries.catalog.majors, law))

    assert named_value(reader, "duoc viec", "major", catalog) == "luat"
    assert named_value(reader, "được ạ", "major", catalog) is None
    assert named_value(reader, "duoc", "major", catalog) is None


def texts(parts: Sequence[MessagePart]) -> tuple[str, ...]:
    return tuple(part.text for part in parts)


def test_the_parts_of_a_message(reader: Reader, index: Index) -> None:
    catalog = index.dictionaries.catalog

    assert texts(message_parts(reader, "dạ chào ad. giá ktx bao nhiêu? thư viện ở đâu ạ", catalog)) == (
        "giá ktx bao nhiêu?",
        "thư viện ở đâu ạ",
    )
    [whole] = message_parts(reader, "chào ad, giá ktx bao nhiêu?", catalog)
    assert (whole.text, whole.typed) == ("chào ad, giá ktx bao nhiêu?", "chào ad, giá ktx bao nhiêu?")


def test_a_part_is_kept_as_it_was_typed(reader: Reader, index: Index) -> None:
    parts = message_parts(reader, "giá ktx bn? thư viện mở cửa lúc mấy h?", index.dictionaries.catalog)

    assert [part.typed for part in parts] == ["giá ktx bn?", "thư viện mở cửa lúc mấy h?"]
    assert texts(parts) == ("giá ktx bao nhiêu?", "thư viện mở cửa lúc mấy giờ?")


def test_a_known_major_says_which_one_is_meant(index: Index) -> None:
    catalog = index.dictionaries.catalog

    assert is_said("ngành học", Profile({"major": "cntt"}), catalog)
    assert not is_said("ngành học", Profile({"cohort": "48"}), catalog)
    assert not is_said("học bổng", Profile({"major": "cntt"}), catalog)


def test_a_letter_is_its_questions(reader: Reader, index: Index) -> None:
    letter = (
        "Kính gửi phòng đào tạo, em là Lan. Em xin hỏi mấy vấn đề sau: 1. giá ktx bao nhiêu? 2. thư viện ở đâu ạ? "
        "3. phúc khảo lệ phí bao nhiêu? 4. thực tập mấy tuần? 5. học bổng khi nào có? Em cảm ơn ạ."
    )
    assert texts(message_parts(reader, letter, index.dictionaries.catalog)) == (
        "giá ktx bao nhiêu?",
        "thư viện ở đâu ạ?",
        "phúc khảo lệ phí bao nhiêu?",
        "thực tập mấy tuần?",
        "học bổng khi nào có?",
    )
