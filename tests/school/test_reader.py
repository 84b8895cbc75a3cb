"""The reader gives a message's wording, names, letters and intents before any search."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from embedder_stand_in import EmbedderStandIn

from rag.ingest.load import load_knowledge
from school.catalog import AdvisingHours
from school.clock import today
from school.kernel_classifier import KernelClassifier
from school.reader import Reader
from school.reading import Reading
from school.reading_knowledge import ReadingKnowledge
from vietnamese.lexicon import Lexicon
from vietnamese.small_talk import SmallTalk
from vietnamese.text import MAX_QUESTION_CHARS

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"


@pytest.fixture(scope="module")
def reader() -> Reader:
    knowledge = load_knowledge(SMALL_SCHOOL)
    return Reader(ReadingKnowledge.of(knowledge.catalog, knowledge.glossary, {"KTX": "ký túc xá"}))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("học phí bao nhiêu", {}),
        ("em K47 học phí bao nhiêu", {"cohort": "47"}),
        ("sv khoá 2025 thì sao", {"cohort": "49"}),
        ("ngành kế toán khóa 48", {"cohort": "48", "major": "ketoan"}),
        ("CLC cntt k49", {"cohort": "49", "major": "cntt", "program": "clc"}),
        ("chat luong cao hoc phi sao", {"program": "clc"}),
        ("K47 và K49 khác gì nhau", {}),
        ("khóa 99 thì sao", {}),
        ("không phải k47, k48 cơ", {"cohort": "48"}),
        ("em k47 à nhầm k48", {"cohort": "48"}),
        ("không phải k47 thì sao", {}),
    ],
)
def test_what_the_message_says_of_the_student(reader: Reader, text: str, values: dict[str, str]) -> None:
    assert reader.prepared(text).values(["cohort", "major", "program"]) == values


def test_the_text_is_clean_and_bounded(reader: Reader) -> None:
    understood = reader.prepared("học\0 phí\ud800 " * 10_000)

    assert understood.text.startswith("học phí học phí")
    assert len(understood.text) <= MAX_QUESTION_CHARS
    assert understood.normalized.startswith("học phí")


@pytest.mark.parametrize("text", ["", "  \n", "?!", "😀", "\0", "\u200b", "...", "—"])
def test_nothing_to_look_for(reader: Reader, text: str) -> None:
    assert reader.prepared(text).is_empty


@pytest.mark.parametrize("text", ["a", "7", "学", "😀 học"])
def test_something_to_look_for(reader: Reader, text: str) -> None:
    assert not reader.prepared(text).is_empty


def test_short_forms_are_written_out(reader: Reader) -> None:
    understood = reader.prepared("giá ktx k47")

    assert understood.text == "giá ktx k47"
    assert understood.normalized == "giá ký túc xá k47"


def test_another_school_is_named_as_it_was_typed(reader: Reader) -> None:
    assert reader.prepared("học phí ĐH Cần Thơ").foreign_institution == "ĐH Cần Thơ"
    assert reader.prepared("học phí trường mình").foreign_institution is None


def test_small_talk_and_greetings(reader: Reader) -> None:
    assert reader.prepared("cảm ơn ad nhé").small_talk is SmallTalk.THANKS
    greeted = reader.prepared("chào ad, cho em hỏi giá ktx")
    assert greeted.small_talk is None
    assert greeted.normalized == reader.prepared("giá ktx").normalized
    assert greeted.text == "chào ad, cho em hỏi giá ktx"


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("giá ktx K47", "gia ktx cohort"),
        ("chào ad, giá ktx k47 là bao nhiu", "chao ad, gia ktx cohort la bao nhieu"),
        ("what are the opening hours for k47", "what are the opening hours for cohort"),
    ],
)
def test_the_letters_are_those_of_the_whole_message(reader: Reader, text: str, letters: str) -> None:
    assert reader.prepared(text).letters == letters


def test_a_reading_survives_its_way_through_json(reader: Reader) -> None:
    reading = replace(
        reader.prepared("em k47, chào ad, giá ktx"),
        intents={"ask_dormitory": 0.75, "greet": 0.25},
        vector=np.array([0.25, -1.0], np.float32),
        embedder="a",
    )

    returned = Reading.from_json(json.loads(json.dumps(reading.to_json())))

    assert returned == reading
    assert returned.vector is not None
    assert returned.vector.tolist() == [0.25, -1.0]
    assert returned.topics == {"dormitory": 1.0}


def test_the_knowledge_survives_its_way_through_json() -> None:
    knowledge = load_knowledge(SMALL_SCHOOL)
    known = ReadingKnowledge.of(
        knowledge.catalog, knowledge.glossary, lexicon=Lexicon.learn(["học phí là gì"])
    )

    assert ReadingKnowledge.from_json(json.loads(json.dumps(known.to_json()))) == known


@pytest.mark.parametrize("time_zone", ["Pacific/Kiritimati", "Etc/GMT+12"])
def test_a_year_of_study_counts_from_the_day_at_the_school(time_zone: str) -> None:
    knowledge = load_knowledge(SMALL_SCHOOL)
    hours = AdvisingHours(time_zone, (("mon", ()),))
    school = replace(knowledge.catalog.school, advising_hours=hours)
    known = ReadingKnowledge.of(replace(knowledge.catalog, school=school))

    assert Reader(known).today() == today(time_zone)


def test_a_greeting_without_a_question_behind_it_is_read_whole(reader: Reader) -> None:
    assert reader.prepared("dạ em chào thầy cô ạ").embedded == "dạ em chào thầy cô ạ"


def test_a_message_is_embedded_once_and_classified_by_that_vector() -> None:
    embedder = EmbedderStandIn()
    unclassified = Reader(ReadingKnowledge())
    examples = unclassified.examples(
        [("học phí bao nhiêu", "ask_tuition"), ("thời tiết mai", "out_of_scope")]
    )
    classifier = KernelClassifier.taught(examples, embedder)
    embedder.forget()

    reading = Reader(ReadingKnowledge(), embedder, classifier).read("học phí bao nhiêu vậy")

    assert embedder.embedded_queries == [reading.embedded]
    assert list(reading.intents) == ["ask_tuition", "out_of_scope"]
    assert sum(reading.intents.values()) == pytest.approx(1.0, abs=1e-5)


def test_a_classifier_of_another_embedder_is_left_alone() -> None:
    examples = Reader(ReadingKnowledge()).examples([("một", "a"), ("hai", "b")])
    classifier = KernelClassifier.taught(examples, EmbedderStandIn("one"))

    reading = Reader(ReadingKnowledge(), EmbedderStandIn("other"), classifier).read("ba")

    assert reading.vector is not None
    assert reading.intents == {}


def test_several_messages_are_ranked_at_once_as_one_by_one_without_those_that_have_no_vector() -> None:
    embedder = EmbedderStandIn()
    examples = Reader(ReadingKnowledge()).examples(
        [("học phí", "ask_tuition"), ("thời tiết", "out_of_scope")]
    )
    reader = Reader(ReadingKnowledge(), embedder, KernelClassifier.taught(examples, embedder))
    fee, weather = (
        reader.embedded(reader.prepared(text)) for text in ("học phí kỳ này", "thời tiết hôm nay")
    )

    ranked = reader.ranked([fee, reader.prepared("thời tiết"), weather])

    assert [next(iter(one.intents), None) for one in ranked] == ["ask_tuition", None, "out_of_scope"]
    assert ranked[2].intents == pytest.approx(reader.ranked([weather])[0].intents)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Chuyển ngành", "k51 cần gpa bao nhiêu"),
        ("Học phí", "nganh duoc 12 tin het bao nhieu"),
        ("học bổng", "k51 dc ko"),
        ("Đăng ký học phần", "đk học phần"),
    ],
)
def test_one_message_behind_another_is_searched_by_as_if_both_were_one(first: str, second: str) -> None:
    knowledge = load_knowledge(SMALL_SCHOOL)
    reader = Reader(ReadingKnowledge.of(knowledge.catalog, knowledge.glossary, {}))
    message = reader.prepared(second)

    together = reader.behind(reader.prepared(first), message)

    as_one = reader.prepared(f"{first} {message.normalized}")
    for part in ("normalized", "asked", "embedded", "letters"):
        assert getattr(together, part) == getattr(as_one, part)
    assert {(m.entity, m.value) for m in together.mentions} == {(m.entity, m.value) for m in as_one.mentions}
    for value in together.written_values:
        own = message.written_values[together.written_values.index(value)]
        assert together.text[value.start : value.end] == message.text[own.start : own.end]
    for mention in together.mentions:
        named = together.text[mention.name_start : mention.end]
        assert named in message.text


class AlwaysPraise(KernelClassifier):
    """Takes everything for praise, and a little for a question on a topic."""

    shares: ClassVar[Mapping[str, float]] = {"praise": 0.7, "ask_tuition": 0.2, "abuse": 0.1}

    def __init__(self) -> None:
        self.embedder = EmbedderStandIn().name

    def rankings(self, letters: Sequence[str], vectors: object) -> list[dict[str, float]]:
        del vectors
        return [dict(self.shares) for _ in letters]


def test_a_question_about_a_matter_is_no_act_of_talk() -> None:
    knowledge = load_knowledge(SMALL_SCHOOL)
    known = ReadingKnowledge.of(knowledge.catalog, knowledge.glossary, {})
    reader = Reader(known, EmbedderStandIn(), AlwaysPraise())

    assert reader.read("Mức khen thưởng do ai quyết định?").intents == {"ask_tuition": 0.2}
    assert next(iter(reader.read("bạn giỏi quá").intents)) == "praise"


class BarelyPraise(AlwaysPraise):
    """Takes everything for praise, but hardly."""

    shares: ClassVar[Mapping[str, float]] = {"praise": 0.4, "ask_tuition": 0.3, "abuse": 0.2}


def test_an_act_of_talk_that_is_hardly_likely_is_a_question_unless_its_words_are_listed() -> None:
    reader = Reader(ReadingKnowledge(), EmbedderStandIn(), BarelyPraise())

    assert reader.read("mot tram tin").intents == {"ask_tuition": 0.3}
    assert next(iter(reader.read("hay quá").intents)) == "praise"


class AlwaysAnew(AlwaysPraise):
    """Takes everything for the wish to begin anew, and a little for a question on a topic."""

    shares: ClassVar[Mapping[str, float]] = {"start_over": 0.7, "ask_tuition": 0.3}


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("làm lại", "start_over"),
        ("làm lại được không", "start_over"),
        ("lam lai o dau", "ask_tuition"),
        ("thẻ làm lại hết bao nhiêu", "ask_tuition"),
    ],
)
def test_who_asks_where_or_how_much_begins_nothing_anew(text: str, first: str) -> None:
    reader = Reader(ReadingKnowledge(), EmbedderStandIn(), AlwaysAnew())

    assert next(iter(reader.read(text).intents)) == first


@pytest.mark.parametrize(
    ("text", "intents"), [("đk", ["ask_tuition"]), ("đk á ngu", ["praise", "ask_tuition", "abuse"])]
)
def test_a_few_letters_are_no_abuse(text: str, intents: list[str]) -> None:
    reader = Reader(ReadingKnowledge(), EmbedderStandIn(), AlwaysPraise())

    assert [name for name in reader.read(text).intents if name != "praise" or "praise" in intents] == intents


def test_listed_abuse_in_a_few_letters_stays_abuse() -> None:
    assert "abuse" in Reader(ReadingKnowledge(), EmbedderStandIn(), AlwaysPraise()).read("đm").intents


def test_a_people_is_read_as_one_of_the_minorities() -> None:
    read = Reader(ReadingKnowledge()).prepared("e dan toc tay thi co dc mien hoc phi ko")

    assert "dân tộc thiểu số tay" in read.normalized
    assert read.text == "e dan toc tay thi co dc mien hoc phi ko"
