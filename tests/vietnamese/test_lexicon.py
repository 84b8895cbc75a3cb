"""The words of a school's texts are counted once and kept as data."""

from __future__ import annotations

import json

import pytest

from vietnamese.diacritics import Diacritics
from vietnamese.lexicon import NUMBER, START, Lexicon, spoken
from vietnamese.text import fold

REGULATION = "Điều 5. Sinh viên bị cảnh báo học vụ hai học kỳ liên tiếp thì bị buộc thôi học."


def test_words_and_their_neighbours_are_counted() -> None:
    before, after = Lexicon.learn([]), Lexicon.learn([REGULATION])

    assert after.counts["buộc"] == before.counts.get("buộc", 0) + 1
    assert after.pairs["liên"]["tiếp"] == before.pairs["liên"].get("tiếp", 0) + 1
    assert after.counts[START] > before.counts[START]
    assert START not in after.seen


def test_words_without_their_diacritics_are_not_counted() -> None:
    learned = Lexicon.learn(["Em muốn hoc đại học và chat với bạn."])

    assert "hoc" not in learned.counts
    assert learned.counts["chat"] >= 1


def test_a_lexicon_is_the_same_after_json() -> None:
    learned = Lexicon.learn([REGULATION, "hoc phi zoc toi da"])
    stored = json.dumps(learned.to_json(), ensure_ascii=False)

    assert Lexicon.from_json(json.loads(stored)) == learned
    assert (
        json.dumps(Lexicon.learn([REGULATION, "hoc phi zoc toi da"]).to_json(), ensure_ascii=False) == stored
    )


def test_a_lexicon_with_a_part_missing_is_refused() -> None:
    with pytest.raises(KeyError):
        Lexicon.from_json({"counts": {}, "pairs": {}})


def test_a_text_without_diacritics_adds_words_and_no_counts() -> None:
    learned = Lexicon.learn(["hoc phi zoc toi da " * 50])

    assert "zoc" not in learned.counts
    assert "zoc" in learned.seen
    assert Diacritics(learned).readings("hoc") == Diacritics(Lexicon.learn([])).readings("hoc")


def test_everyday_questions_are_written_with_diacritics() -> None:
    """A bare line among them would not be counted."""
    assert not [line for line in spoken() if fold(line) == line.lower()]


def test_a_part_of_a_large_collection_is_enough() -> None:
    learned = Lexicon.learn(["Sinh viên nộp hồ sơ bảo lưu tại Phòng Đào tạo. " * 100] * 1000)

    assert learned.counts["lưu"] < 100_000
    assert learned.pairs["bảo"]["lưu"] > 100


def test_numbers_are_counted_as_one_word() -> None:
    learned = Lexicon.learn(["Sinh viên khóa 3001 và khóa 3002 học tại trường."])
    choices = [[("khoa", 0.0), ("khóa", 0.0)], [("3003", 0.0)]]

    assert learned.pairs["khóa"][NUMBER] >= 2
    assert "3001" in learned.seen
    assert NUMBER not in learned.seen
    assert Diacritics(learned).most_probable(choices) == ["khóa", "3003"]


def test_further_texts_are_counted_as_if_they_had_been_learnt_from() -> None:
    first, second = ["Thư viện mở cửa lúc mấy giờ?"], ["Phòng vắt sữa ở đâu, mở cửa lúc nào?"]

    assert Lexicon.learn(first).with_texts(second) == Lexicon.learn([*first, *second])
