"""The deadlines among the days of an answer, with their labels."""

from __future__ import annotations

from datetime import date

import pytest

from rag.answer.deadlines import LONGEST_TEXT, deadlines_in


def found(text: str) -> list[tuple[str, str]]:
    return [(deadline.date.isoformat(), deadline.text) for deadline in deadlines_in(text)]


@pytest.mark.parametrize(
    ("sentence", "day"),
    [
        ("Hạn nộp học phí hè là 15/7/2027.", "2027-07-15"),
        ("Hồ sơ nộp trước ngày 20 tháng 6 năm 2025.", "2025-06-20"),
        ("Phần còn thiếu nộp trước 15/10/2026.", "2026-10-15"),
        ("Bạn được nhập học muộn nhất đến 18/9/2026.", "2026-09-18"),
        ("Bạn làm bài thu hoạch (hạn của K52 là 30/9/2026).", "2026-09-30"),
        ("Trước ngày học chính thức (07/9/2026), bạn nộp đơn tại phòng.", "2026-09-07"),
        ("Ngày 05.03.2027 là hạn chót nộp đơn.", "2027-03-05"),
        ("Deadline: 2027-03-05.", "2027-03-05"),
        ("Please apply by 5 March 2027.", "2027-03-05"),
        ("Send it before March 5, 2027.", "2027-03-05"),
        (
            "Bạn đóng cho năm 2027 trong 01/11/2026 – 10/12/2026; thẻ có giá trị 01/01/2027 – 31/12/2027.",
            "2026-12-10",
        ),
        ("Hè 2027: đăng ký từ 07/06/2027 đến 13/06/2027, bắt đầu học ngày 05/07/2027.", "2027-06-13"),
        ("Đăng ký thi trong 04/5/2026 – 05/6/2026 và thi 20/6/2026 – 21/6/2026.", "2026-06-05"),
        ("Register from 2027-03-01 to 2027-03-05.", "2027-03-05"),
    ],
)
def test_a_day_that_a_sentence_makes_a_deadline_of_is_one(sentence: str, day: str) -> None:
    assert found(sentence) == [(day, sentence)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Đợt học kỳ 2 bắt đầu ngày 22/02/2027.",
        "Chứng chỉ còn hạn đến 30/6/2026 được quy đổi.",
        "Thẻ có giá trị 01/10/2026 – 30/9/2027, gia hạn tại trạm.",
        "Kỳ thi diễn ra từ 28/12/2026 đến 17/01/2027.",
        "Quy định ban hành trước ngày 01/9/2025 hết hiệu lực.",
        "Điểm đã có trước ngày 01 tháng 9 năm 2025 được giữ nguyên.",
        "Bạn nộp đơn trước ngày 10 của tháng xét.",
        "Đăng ký đến hết 20/8 hằng năm.",
        "Hạn nộp là ngày 31/02/2027.",
        "Hạn nộp là ngày 15/13/2027.",
        "Gọi (0200) 3800 106 trước 11/2026.",
        "| Học kỳ 1 | Hạn cuối | 15/10/2026 |",
    ],
)
def test_other_days_are_none(sentence: str) -> None:
    assert found(sentence) == []


def test_of_a_span_only_the_last_day_is_a_deadline() -> None:
    assert [
        day
        for day, _ in found("Nộp đơn từ 01/12/2026 đến hết 15/12/2026 hoặc từ 01/6/2027 đến hết 30/6/2027.")
    ] == [
        "2026-12-15",
        "2027-06-30",
    ]
    assert [day for day, _ in found("Hạn đăng ký: 24–28/8/2026.")] == ["2026-08-28"]
    assert [day for day, _ in found("Hạn đăng ký: 24/8/2026 – 28/8/2026.")] == ["2026-08-28"]


def test_a_day_of_another_clause_is_not_drawn_in() -> None:
    said = "Lễ dự kiến ngày 24/04/2027, đăng ký dự lễ đến hết 10/04/2027, lệ phí nộp ngày 12/04/2027."

    assert found(said) == [("2027-04-10", said)]


def test_each_deadline_of_a_sentence_has_the_words_that_are_its_own() -> None:
    said = "Đợt tháng 12: nộp đơn **trước ngày 10/12/2026**, chứng chỉ nộp chậm nhất 25/11/2026, không nhận muộn."

    assert found(said) == [
        ("2026-12-10", "Đợt tháng 12: nộp đơn trước ngày 10/12/2026"),
        ("2026-11-25", "chứng chỉ nộp chậm nhất 25/11/2026, không nhận muộn."),
    ]


def test_what_stands_before_a_colon_is_said_with_each_day_behind_it() -> None:
    assert found("Hạn cuối năm học: học kỳ 1 ngày **15/10/2026**, học kỳ 2 ngày **15/3/2027**.") == [
        ("2026-10-15", "Hạn cuối năm học: học kỳ 1 ngày 15/10/2026"),
        ("2027-03-15", "Hạn cuối năm học: … học kỳ 2 ngày 15/3/2027."),
    ]


def test_a_line_above_a_list_holds_for_its_items_and_no_further() -> None:
    said = "Hạn nộp đơn:\n- Đợt 1: 15/10/2026\n- Đợt 2: 15/3/2027\nLễ ngày 01/4/2027.\n- Trao bằng 02/4/2027"

    assert found(said) == [
        ("2026-10-15", "Hạn nộp đơn: Đợt 1: 15/10/2026"),
        ("2027-03-15", "Hạn nộp đơn: Đợt 2: 15/3/2027"),
    ]


def test_the_text_is_plain_and_as_the_answer_has_it() -> None:
    assert found("Xem [lịch](https://x.example): nộp `TC-02` *trước ngày 10/12/2026*.") == [
        ("2026-12-10", "Xem lịch: nộp TC-02 trước ngày 10/12/2026.")
    ]


def test_a_long_sentence_is_shortened_at_the_ends_of_clauses() -> None:
    filler = "bạn chuẩn bị đầy đủ giấy tờ theo mẫu của nhà trường, "
    [(_, said)] = found(f"{filler * 4}bạn nộp đơn trước ngày 10/12/2026, {filler * 4}rồi chờ.")

    assert "bạn nộp đơn trước ngày 10/12/2026" in said
    assert said.startswith("…bạn chuẩn bị")
    assert said.endswith("10/12/2026…")
    assert len(said) <= LONGEST_TEXT + 2


def test_a_long_clause_is_shortened_between_words() -> None:
    [(_, said)] = found(f"{'rất nhiều chữ ' * 40}nộp trước ngày 10/12/2026 {'nữa là hết ' * 40}.")

    assert "nộp trước ngày 10/12/2026" in said
    assert len(said) <= LONGEST_TEXT + 2
    whole = {"rất", "nhiều", "chữ", "nộp", "trước", "ngày", "10/12/2026", "nữa", "là", "hết"}
    assert set(said.strip("…").split()) <= whole


def test_the_same_said_twice_is_one_deadline() -> None:
    assert len(deadlines_in("Hạn nộp: 15/7/2027.\n\nHạn nộp: 15/7/2027.")) == 1


def test_the_day_is_a_date() -> None:
    assert deadlines_in("Hạn nộp: 15/7/2027.")[0].date == date(2027, 7, 15)


def test_a_line_about_something_to_do_leads_in_to_spans() -> None:
    text = (
        "Lịch đăng ký:\n- Đợt 1: từ 8:00 ngày 21/12/2026 đến 17:00 ngày 27/12/2026\n- Bắt đầu học: 22/02/2027"
    )

    assert [day for day, _ in found(text)] == ["2026-12-27"]
