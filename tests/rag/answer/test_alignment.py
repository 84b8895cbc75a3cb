"""The way of a sentence through a passage repeats its words in runs, and jumps as little as it can."""

from __future__ import annotations

from rag.answer.alignment import Alignment, Track, aligned, skipped, track_of
from rag.answer.comparable_text import comparable

PLACES = (
    "Sinh viên được hoãn thi khi ốm đau, nếu có giấy xác nhận, và nộp đơn cho khoa.",
    "Thư viện mở cửa lúc 7 giờ, đóng cửa lúc 20 giờ.",
)


def way_of(text: str, places: tuple[str, ...] = PLACES) -> tuple[Alignment, Track]:
    said = comparable(text)
    track = track_of(tuple(comparable(place).text for place in places))
    return aligned(said.tokens, said.telling, track), track


def test_a_track_numbers_places_and_what_stands_between_marks() -> None:
    track = track_of(tuple(comparable(place).text for place in PLACES))

    assert len(track.tokens) == len(track.places) == len(track.segments)
    assert sorted(set(track.places)) == [0, 1]
    condition = track.tokens.index("nếu")
    assert track.segments[condition] == track.segments[condition + 1] != track.segments[condition - 1]
    assert track.places[track.tokens.index("lúc")] == 1


def test_a_sentence_word_for_word_goes_straight_on() -> None:
    way, _ = way_of("Sinh viên được hoãn thi khi ốm đau")

    numbers = [number for _, number in way.pairs]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert None not in way.at
    assert way.cost == 0


def test_of_two_places_with_a_word_the_nearer_one_is_repeated() -> None:
    way, track = way_of("đóng cửa lúc 20 giờ")

    numbers = [number for _, number in way.pairs]
    assert [track.tokens[number] for number in numbers[:4]] == ["đóng", "cửa", "lúc", "20"]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_what_is_jumped_over_within_a_place_is_skipped() -> None:
    way, track = way_of("Sinh viên được hoãn thi khi ốm đau và nộp đơn cho khoa.")

    assert [track.tokens[number] for number in skipped(way, track)] == ["nếu", "có", "giấy", "xác", "nhận"]


def test_a_jump_to_another_place_skips_nothing() -> None:
    way, track = way_of("Sinh viên được hoãn thi lúc 7 giờ.")

    assert {track.places[number] for _, number in way.pairs} == {0, 1}
    assert skipped(way, track) == []


def test_words_that_the_passage_does_not_say_repeat_none_and_cost_most_when_they_tell_something() -> None:
    way, _ = way_of("Sinh viên được hoãn thi miễn phí")
    free, _ = way_of("Sinh viên được hoãn thi nhé")

    assert way.at[-1] is None
    assert free.at[-1] is None
    assert way.cost > free.cost > 0


def test_without_words_there_is_no_way() -> None:
    assert aligned((), frozenset(), track_of(())) == Alignment((), 0.0)
    way, _ = way_of("Không câu nào", ())
    assert way.pairs == []


def test_of_a_word_without_end_the_first_occurrences_are_looked_at() -> None:
    way, track = way_of("Học phí học phí", ("học phí " * 500,))

    assert len(track.tokens) == 1000
    assert [number for _, number in way.pairs] == [0, 1, 2, 3]
