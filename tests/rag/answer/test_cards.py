"""Cards show the contacts, dates and links of an answer, and only those of the answer and the catalogue."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from covan.project import ROOT
from rag.answer.cards import MOST, as_many_as_fit, cards_of
from rag.answer.contacts import school_contact
from rag.ingest.load import Knowledge, load_knowledge
from rag.types import Card, Contact, Deadline, Link, Passage
from school.catalog import Catalog, Office, School, Topic

OFFICES = tuple(Office(id=f"p{n}", name=f"Phòng Số {n}", phone=f"0200 {n}") for n in range(6))
CATALOG = Catalog(school=School(name="Trường"), offices=OFFICES)
TOPICS = (Topic("study", "Học vụ", office="p1"), Topic("other", "Khác"))


def cards(answer: str, topic: str = "study", owner: str | None = None) -> tuple[Card, ...]:
    return cards_of(answer, owner, topic, CATALOG, TOPICS)


def names(found: tuple[Card, ...]) -> list[str]:
    return [card.name for card in found if isinstance(card, Contact)]


def test_an_answer_has_its_contacts_links_and_deadlines_in_this_order() -> None:
    found = cards("Nộp trước ngày 05/3/2027 trên https://x.example, vướng thì gọi 0200 2.", owner="p3")

    assert [card.kind for card in found] == ["contact", "link", "deadline"]
    assert names(found) == ["Phòng Số 2"], "the one that is named, not the one that keeps the entry"


def test_an_answer_that_sends_to_nobody_in_particular_has_the_office_that_keeps_it() -> None:
    assert names(cards("Bạn nộp đơn kèm minh chứng.", owner="p3")) == ["Phòng Số 3"]
    assert names(cards("Bạn nộp đơn kèm minh chứng.")) == ["Phòng Số 1"], "the topic's, when nobody keeps it"
    assert names(cards("Bạn nộp đơn kèm minh chứng.", topic="other")) == []
    assert names(cards("Bạn nộp đơn kèm minh chứng.", owner="gone")) == []


def test_an_answer_that_sends_to_nobody_at_all_has_no_contact() -> None:
    assert cards("Một học kỳ được đăng ký tối đa 25 tín chỉ.", owner="p3") == ()


def test_a_quoted_passage_has_the_office_of_its_topic() -> None:
    passage = Passage("d#1", "Sinh viên nộp đơn.", "d", "Quy chế", "Điều 1", topic="study")

    assert names(cards_of(passage.text, None, passage.topic, CATALOG, TOPICS)) == ["Phòng Số 1"]


def test_no_kind_crowds_out_the_answer() -> None:
    said = " ".join(
        [f"Phòng Số {n} https://x{n}.example/ nộp trước ngày 0{n + 1}/3/2027." for n in range(6)],
    )

    assert Counter(type(card) for card in cards(said)) == MOST


def test_of_several_answers_each_card_is_kept_once() -> None:
    link, contact = Link("a", "https://a.example"), school_contact(CATALOG)
    day = Deadline("Hạn 05/3/2027", date(2027, 3, 5))

    assert as_many_as_fit([link, day, contact, link, day, contact]) == (contact, link, day)


# --- the sample school -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sample() -> Knowledge:
    return load_knowledge(ROOT / "knowledge")


def test_nothing_is_on_a_card_that_neither_the_answer_nor_the_catalogue_says(sample: Knowledge) -> None:
    offices = {office.name: office for office in sample.catalog.offices}
    for each in sample.faq:
        plain = each.answer.replace("*", "").replace("`", "")
        for card in cards_of(each.answer, each.owner, each.topic, sample.catalog, sample.topics):
            match card:
                case Contact():
                    known = offices[card.name]
                    assert (card.phone, card.email, card.address) == (
                        known.phone,
                        known.email,
                        known.location,
                    )
                case Link():
                    assert card.url in each.answer
                case Deadline():
                    parts = [part.strip() for part in card.text.split("…")]
                    assert all(part in " ".join(plain.split()) for part in parts), card
                    assert any(f"{card.date.day:0{wide}}/" in card.text for wide in (1, 2))


@pytest.mark.parametrize(
    ("entry_id", "kinds"),
    [
        ("tuition-030", {Deadline: 3}),
        ("graduation-003", {Contact: 1, Deadline: 3}),
        ("services-026", {Contact: 1, Link: 1}),
        ("services-007", {Contact: 2}),
        ("language-028", {Contact: 1, Deadline: 2}),
        ("study-017", {}),
        ("admissions-006", {}),
        ("graduation-008", {}),
    ],
)
def test_answers_of_the_sample_school(sample: Knowledge, entry_id: str, kinds: dict[type[Card], int]) -> None:
    each = next(one for one in sample.faq if one.id == entry_id)

    assert (
        Counter(
            type(card)
            for card in cards_of(each.answer, each.owner, each.topic, sample.catalog, sample.topics)
        )
        == kinds
    )


def test_cards_are_for_the_answers_that_have_something_to_call_open_or_note(sample: Knowledge) -> None:
    having = Counter(
        kind
        for each in sample.faq
        for kind in {
            type(card)
            for card in cards_of(each.answer, each.owner, each.topic, sample.catalog, sample.topics)
        }
    )

    assert having[Contact] < len(sample.faq) / 2, "an answer that says all needs nobody to be called"
    assert having[Deadline] >= 30
    assert having[Link] >= 10
