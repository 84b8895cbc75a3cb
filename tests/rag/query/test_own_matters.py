"""What is published for part-time students or teachers answers the students who have said that they are such."""

from __future__ import annotations

from datetime import date

import pytest
from sample_school import sample_index

from rag.engine import Engine
from rag.query.own_matters import OwnMatters
from rag.types import FAQ_SOURCE, DecisionKind, FaqEntry, Question, families_of
from school.catalog import Catalog, Program
from school.dimensions import AppliesTo, Profile

PART_TIME = Profile({"program": "vlvh"})
TEACHER = Profile({"cohort": "52", "major": "sptoan"})


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.open(sample_index(), today=lambda: date(2026, 11, 23))


def entry(name: str, question: str, *programs: str) -> FaqEntry:
    applies_to = AppliesTo({"program": programs} if programs else {})
    return FaqEntry(name, question, (), "Có.", "study", applies_to)


@pytest.fixture
def own() -> OwnMatters:
    catalog = Catalog(
        programs=tuple(
            Program(each, name)
            for each, name in (
                ("day", "Chương trình ban ngày"),
                ("evening", "Hệ buổi tối"),
                ("online", "Hệ trực tuyến"),
            )
        )
    )
    entries = [
        entry("a", "Hệ buổi tối học ở đâu?", "evening"),
        entry("b", "Sinh viên hệ buổi tối mượn sách thế nào?", "evening"),
        *(entry(each, f"Câu {each} là gì?", "day", "online") for each in ("c", "e", "f")),
        entry("d", "Thư viện mở cửa mấy giờ?"),
    ]
    return OwnMatters(families_of(entries).values(), catalog, ("program",), lambda _: ())


def test_a_value_is_named_as_its_own_questions_name_it(own: OwnMatters) -> None:
    assert own.names_beside("vay vốn được không", Profile({"program": "evening"})) == {
        "program": "hệ buổi tối"
    }


def test_a_value_without_matters_of_its_own_is_not_named(own: OwnMatters) -> None:
    assert own.names_beside("vay vốn được không", Profile({"program": "day"})) == {}


def test_a_name_that_the_question_has_is_not_put_before_it_again(own: OwnMatters) -> None:
    assert own.names_beside("He buoi toi vay von duoc khong", Profile({"program": "evening"})) == {}


def test_an_entry_for_the_value_tells_of_it_and_one_for_all_does_not(own: OwnMatters) -> None:
    assert own.tells_of(entry("a", "Học ở đâu?", "evening"), "program", "evening")
    assert not own.tells_of(entry("d", "Thư viện mở cửa mấy giờ?"), "program", "evening")


@pytest.mark.parametrize(
    ("profile", "text", "entry_id", "told"),
    [
        (PART_TIME, "có phải mua bhyt ở trường không", "student_affairs-013", "vừa làm vừa học"),
        (PART_TIME, "vay vốn được không", "scholarship-040", "vừa làm vừa học"),
        (TEACHER, "em có phải đóng học phí không?", "scholarship-033", "Sư phạm"),
    ],
)
def test_the_rule_for_the_students_own_kind_goes_before_the_general_one(
    engine: Engine, profile: Profile, text: str, entry_id: str, told: str
) -> None:
    reply = engine.reply(Question(text, profile=profile))

    assert reply.decision.kind is DecisionKind.ANSWER
    assert reply.answer_id == entry_id
    assert told in reply.text


def test_it_is_found_when_the_same_message_says_what_the_student_is(engine: Engine) -> None:
    reply = engine.reply(Question("Em học sư phạm toán khóa 52, em có phải đóng học phí không?"))

    assert reply.answer_id == "scholarship-033"


@pytest.mark.parametrize("text", ["thư viện mấy giờ đóng cửa", "hạn đóng học phí học kỳ 2"])
def test_a_sure_answer_for_everybody_stays(engine: Engine, text: str) -> None:
    of_all, of_part_time = (engine.reply(Question(text, profile=p)) for p in (Profile(), PART_TIME))

    assert of_part_time.source == FAQ_SOURCE
    assert of_part_time.answer_id == of_all.answer_id
