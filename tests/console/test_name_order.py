"""Names are listed in the order of the Vietnamese alphabet."""

from __future__ import annotations

from console_driver import Enter

from console.name_order import name_order


def test_letters_come_first_then_tones_then_numbers_by_their_size() -> None:
    names = ["Đoàn", "Dung", "ạ", "ơ", "Khóa 10", "á", "o", "Khóa 9", "a", "ă", "khoa 9", "à", "Eo", "ô", "Ê"]

    assert sorted(names, key=name_order) == [
        *("a", "à", "á", "ạ", "ă", "Dung", "Đoàn", "Eo", "Ê", "khoa 9", "Khóa 9", "Khóa 10", "o", "ô", "ơ")
    ]


def test_offices_and_topics_to_choose_from_are_in_that_order(enter: Enter) -> None:
    known = enter("editor").get("/api/faq/sources").json()

    for kind in ("topics", "offices"):
        names = [each["name"] for each in known[kind]]
        assert names == sorted(names, key=name_order)
    assert [each["name"] for each in known["topics"]] == ["Học phí", "Học vụ", "Ký túc xá", "Ngoại ngữ"]
