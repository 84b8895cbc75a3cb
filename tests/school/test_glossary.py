"""Short forms are searched for both ways; chat spelling is written out."""

from __future__ import annotations

import pytest

from school.catalog import GlossaryEntry
from school.glossary import Glossary, own_chat_spelling
from vietnamese.lexicon import Lexicon
from vietnamese.spelling import SpellingCorrector

ENTRIES = (
    GlossaryEntry("HP", ("học phần", "học phí")),
    GlossaryEntry("ĐKHP", ("đăng ký học phần",), also=("đk hp",)),
    GlossaryEntry("ĐK", ("đăng ký", "điều kiện")),
    GlossaryEntry("ĐA", ("đồ án",)),
    GlossaryEntry("SV", ("sinh viên",)),
    GlossaryEntry("BT", ("bài tập", "biết")),
    GlossaryEntry("lun", ("luôn",), kind="teencode"),
    GlossaryEntry("sv", ("sao vậy",), kind="teencode"),
    GlossaryEntry("bt", ("bình thường", "biết"), kind="teencode"),
)
GLOSSARY = Glossary(ENTRIES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HP kỳ này", ("học phần", "học phí")),
        ("hp kỳ này", ("học phần", "học phí")),
        ("dkhp khi nào", ("đăng ký học phần",)),
        ("đk hp khi nào", ("đăng ký học phần",)),
        ("Đăng ký học phần khi nào", ("ĐKHP",)),
        ("dang ky hoc phan khi nao", ("ĐKHP",)),
        ("đăng ký xe", ("ĐK",)),
        ("sv hp", ("sinh viên", "học phần", "học phí")),
        ("da", ("đồ án",)),
        ("hỏi bt ở đâu", ("bài tập", "biết", "bình thường")),
    ],
)
def test_both_ways(text: str, expected: tuple[str, ...]) -> None:
    assert GLOSSARY.expansions(text) == expected


@pytest.mark.parametrize("text", ["đã đóng tiền", "thphp", "biết rồi", "", "học"])
def test_other_words_add_nothing(text: str) -> None:
    assert GLOSSARY.expansions(text) == ()


def test_what_the_text_says_already_is_not_added() -> None:
    assert GLOSSARY.expansions("học phần (HP)") == ("học phí",)
    assert GLOSSARY.expansions("SV là sinh viên, sinh viên là SV") == ()


def test_chat_spelling_is_the_languages_and_the_schools() -> None:
    assert own_chat_spelling(ENTRIES).write_out("ko lun, bt") == "không luôn, bt"
    assert own_chat_spelling([GlossaryEntry("sg", ("Sài Gòn",), kind="teencode")]).write_out("ko ở sg") == (
        "không ở Sài Gòn"
    )


def test_a_short_form_of_the_school_wins_over_chat_spelling() -> None:
    assert own_chat_spelling(ENTRIES).write_out("sv hỏi ntn") == "sv hỏi như thế nào"
    assert own_chat_spelling([GlossaryEntry("NTN", ("nhà thi đấu",))]).write_out("ntn ở đâu") == "ntn ở đâu"


TEXTS = (
    "Đăng ký học phần. Học phần tiên quyết là gì. Điều kiện để xét học bổng. Điều kiện xét tốt nghiệp. Em biết rồi.",
    "Học phí kỳ này là bao nhiêu. Học phí kỳ hè. Học phí bao nhiêu tiền.",
)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("hp kỳ này", "học phí kỳ này"),
        ("HP tiên quyết", "học phần tiên quyết"),
        ("đk để xét", "điều kiện để xét"),
        ("hp kỳ này, hp kỳ hè", "học phí kỳ này, học phí kỳ hè"),
        # Nothing beside them tells.
        ("đk hp", "đk hp"),
        ("hp", "hp"),
        # Those of one term are left to the search.
        ("sv đóng gì", "sv đóng gì"),
        ("", ""),
    ],
)
def test_neighbours_tell_which_of_several_terms_is_meant(text: str, written: str) -> None:
    corrector = SpellingCorrector(Lexicon.learn(TEXTS))
    assert GLOSSARY.written_out(text, corrector.log_probability) == written


TWO_READINGS = Glossary(
    [
        GlossaryEntry("ĐK", ("đăng ký", "điều kiện")),
        GlossaryEntry("HP", ("học phần", "học phí")),
    ]
)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("song ngành đk khi nào", "song ngành đăng ký khi nào"),
        ("dk duoc may tin", "đăng ký duoc may tin"),
        ("hp đóng trễ có sao không", "học phí đóng trễ có sao không"),
        ("hp rớt rồi thì sao", "học phần rớt rồi thì sao"),
        ("đk song ngành", "đk song ngành"),
        ("hp đóng rồi mà rớt", "hp đóng rồi mà rớt"),
    ],
    ids=["when", "undiacritised", "a fee is paid", "a course is failed", "nothing tells", "both"],
)
def test_where_the_neighbours_do_not_tell_other_words_may(text: str, written: str) -> None:
    assert TWO_READINGS.written_out(text, lambda words: 0.0 * len(words)) == written


def test_words_right_behind_a_short_form_go_before_its_neighbours() -> None:
    likes_conditions = TWO_READINGS.written_out("đk khi nào", lambda words: 9.0 * ("kiện" in words))
    assert likes_conditions == "đăng ký khi nào"
    assert (
        TWO_READINGS.written_out("đk học bổng", lambda words: 9.0 * ("kiện" in words)) == "điều kiện học bổng"
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("đăng ký hp kỳ 2 khi nào", "đăng ký học phần kỳ 2 khi nào"),
        ("đóng hp kỳ 2 khi nào", "đóng học phí kỳ 2 khi nào"),
    ],
)
def test_so_do_words_right_before_it(text: str, written: str) -> None:
    likes_the_other = {"đăng": "phí", "đóng": "phần"}[text.split(maxsplit=1)[0]]
    assert TWO_READINGS.written_out(text, lambda words: 9.0 * (likes_the_other in words)) == written


def test_an_english_short_form_is_no_vietnamese_one() -> None:
    glossary = Glossary([GlossaryEntry("GPA", ("điểm trung bình tích lũy", "điểm trung bình học kỳ"))])
    assert glossary.written_out("gpa học kỳ", lambda words: float("học" in words)) == "gpa học kỳ"


def test_an_empty_glossary_changes_nothing() -> None:
    assert Glossary().expansions("ko hp") == ()


@pytest.mark.parametrize(
    ("asked", "also"),
    [
        ("CVHT của em là ai", "cố vấn học tập"),
        ("cvht cua em la ai", "cố vấn học tập"),
        ("cố vấn học tập của em là ai", "CVHT"),
        ("co van hoc tap cua em la ai", "CVHT"),
        ("Co Van Hoc Tap", "CVHT"),
        ("dk cvht", "đăng ký"),
    ],
)
def test_both_ways_with_and_without_diacritics(asked: str, also: str) -> None:
    entries = [
        GlossaryEntry("CVHT", ("cố vấn học tập",)),
        GlossaryEntry("ĐK", ("đăng ký", "điều kiện")),
    ]
    assert also in Glossary(entries).expansions(asked)
