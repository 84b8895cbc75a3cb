"""Questions within their history: what a follow-up costs, and which calculators count beside an entry."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from embedder_stand_in import EmbedderStandIn

from rag.context_lookup import ContextLookup
from rag.conversational_qa import ConversationalQA
from rag.decide.context import ContextWeigher, Weighed
from rag.decide.gate import Verdict
from rag.engine import Engine
from rag.index.dense import FaissIndex
from rag.index.format import Index
from rag.index.versions import open_index
from rag.pipeline import load_pipeline
from rag.query_trace import QueryTrace
from rag.types import Candidate, Decision, DecisionKind, FollowUp, Matter, Question, Reason, Reply

FEE, REGISTER = "Giá phòng ký túc xá là bao nhiêu?", "Đăng ký ở ký túc xá như thế nào?"


@pytest.fixture
def engine(small_index: Path, counting: EmbedderStandIn) -> Engine:
    return Engine.open(small_index, embedder=counting, today=lambda: date(2026, 11, 1))


def asked(engine: Engine, text: str, *history: Matter) -> Question:
    return Question(text, engine.reader.read(text), history=history)


def test_a_follow_up_of_a_known_matter_embeds_nothing_but_itself(
    engine: Engine, counting: EmbedderStandIn
) -> None:
    engine.reply(asked(engine, "nộp ở đâu vậy", Matter(REGISTER, "dormitory-register")))
    counting.forget()

    engine.reply(asked(engine, "khi nào hết hạn", Matter(REGISTER, "dormitory-register")))

    assert len(counting.embedded_queries) == 1


def test_behind_its_matter_a_message_has_a_vector_between_both(engine: Engine) -> None:
    history = Matter(FEE, "dormitory-fee")
    question = asked(engine, "nộp ở đâu", history)
    reads = ContextLookup(engine._alone).reads(engine._alone.read(question), question)
    whole = engine.reader.read(f"{FEE.rstrip('?')} nộp ở đâu")
    alone, behind, whole_vector = (
        np.asarray(reading.vector) for reading in (reads["alone"].reading, reads["last"].reading, whole)
    )

    assert float(np.linalg.norm(behind)) == pytest.approx(1.0, abs=1e-5)
    assert float(behind @ whole_vector) > float(alone @ whole_vector)


@pytest.mark.parametrize(("text", "is_english"), [("where do I submit it", True), ("nop o dau", False)])
def test_behind_words_with_diacritics_a_message_is_read_as_it_is_alone(
    engine: Engine, text: str, is_english: bool
) -> None:
    question = asked(engine, text, Matter(FEE, "dormitory-fee"))
    reads = ContextLookup(engine._alone).reads(engine._alone.read(question), question)

    assert reads["last"].reading.asked.endswith("nộp ở đâu")
    assert reads["last"].reading.is_english == is_english


def test_the_words_of_an_answered_entry_are_not_embedded_again(
    engine: Engine, counting: EmbedderStandIn
) -> None:
    question = asked(engine, "nộp ở đâu vậy ạ", Matter(FEE, "dormitory-fee"))
    trace = engine._alone.read(question)
    counting.forget()

    reads = ContextLookup(engine._alone).reads(trace, question)

    assert reads.keys() == {"alone", "matter", "last"}
    assert counting.embedded_queries == []


def test_readings_looked_up_together_find_what_each_finds_alone(engine: Engine) -> None:
    question = asked(engine, "nộp ở đâu vậy ạ", Matter(FEE, "dormitory-fee"))
    reads = ContextLookup(engine._alone).reads(engine._alone.read(question), question)

    for read in reads.values():
        for source, found in engine._alone.retrieve(read.trace, read.reading):
            together = read.found[source.name]
            assert [one.item for one in together.candidates] == [one.item for one in found.candidates]
            for one, alone in zip(together.candidates, found.candidates, strict=True):
                assert one.scores == pytest.approx(alone.scores, abs=1e-5)


@pytest.fixture
def taught(small_index: Path, counting: EmbedderStandIn) -> Engine:
    """An engine over follow-ups that lead from the price of a room to a student card."""
    index = open_index(small_index, counting)
    said = {
        "bao lau co": ("study-card", "study-transcript"),
        "in màu dc ko": (),
        "ai cấp": ("study-card",),
        "50 ngày có kịp": ("study-card",),
    }
    follow_ups = tuple(FollowUp("dormitory-fee", text, entries) for text, entries in said.items())
    follow_ups += (FollowUp("dormitory-fee", "ai cap", ("study-transcript",)),)
    vectors = np.stack([counting.query(one.said) for one in follow_ups])
    index = replace(
        index, follow_ups=follow_ups, follow_up_vectors=FaissIndex.build(vectors, counting.dimension)
    )
    return Engine(index, load_pipeline("covan"), counting, lambda: date(2026, 11, 1))


def test_a_follow_up_in_the_same_words_is_answered_as_the_school_says(taught: Engine) -> None:
    reply = taught.reply(asked(taught, "Bao lâu có ạ?", Matter(FEE, "dormitory-fee")))

    assert reply.decision.kind is DecisionKind.ANSWER
    assert reply.answer_id == "study-card"


@pytest.mark.parametrize(
    ("text", "history"),
    [
        ("bao lau co", Matter(REGISTER, "dormitory-register")),
        ("bao lau thi co", Matter(FEE, "dormitory-fee")),
        ("50 ngày có kịp", Matter(FEE, "dormitory-fee")),
        ("ai cấp", Matter(FEE, "dormitory-fee")),
        ("in màu dc ko", Matter(FEE, "dormitory-fee")),
    ],
    ids=["another matter", "other words", "a value", "two answers", "no answer"],
)
def test_other_messages_are_not(taught: Engine, text: str, history: Matter) -> None:
    reply = taught.reply(asked(taught, text, history))

    assert not any("a follow-up in these words" in note for note in reply.trace.notes)


@pytest.mark.parametrize(("lacking", "counts"), [(0.9, False), (0.1, True)])
def test_the_last_answer_is_not_given_again_for_something_that_it_lacks(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, lacking: float, counts: bool
) -> None:
    in_context = engine._in_context
    question = asked(engine, "nộp ở đâu vậy ạ", Matter(FEE, "dormitory-fee"))
    trace = engine._alone.read(question)
    reads = ContextLookup(engine._alone).reads(trace, question)
    entry = next(one.candidates[0] for one in reads["last"].judged if one.candidates and one.source == "faq")
    first = replace(reads["last"].judged[0], candidates=(entry,), group=(entry,), specific=False)
    reads["last"] = replace(reads["last"], judged=[first])
    sure = replace(
        engine._alone.reply(trace, reads["alone"].judged),
        decision=Decision(DecisionKind.ANSWER, (Reason.CONDITIONS_HOLD,)),
        confidence=0.99,
    )
    monkeypatch.setattr(engine._alone, "reply", lambda *_: sure)

    reply = in_context._by_its_words(question, reads, {"faq": [Weighed(entry, 0.0, {"lacking": lacking})]})

    assert (reply is sure) == counts


@pytest.mark.parametrize(("text", "stays"), [("gọi số điện thoại nào", False), ("bao nhiêu tiền", True)])
def test_the_last_answer_is_weighed_again_only_for_what_it_has(
    engine: Engine, text: str, stays: bool
) -> None:
    question = asked(engine, text, Matter(FEE, "dormitory-fee"))
    reads = ContextLookup(engine._alone).reads(engine._alone.read(question), question)

    weighed = engine._in_context._weigher.weigh("faq", reads, question.history)

    assert ("dormitory-fee" in {one.candidate.item.id for one in weighed}) is stays


def test_an_answer_that_was_not_meant_is_not_given_again(engine: Engine) -> None:
    question = asked(engine, FEE)

    assert engine.reply(question).answer_id == "dormitory-fee"
    assert engine.reply(replace(question, rejected="dormitory-fee")).answer_id != "dormitory-fee"


def test_a_dimension_is_not_asked_for_the_sake_of_an_entry_that_the_conversation_would_not_offer(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_context = engine._in_context
    question = asked(engine, "giá phòng", Matter(REGISTER, "dormitory-register"))
    trace = engine._alone.read(question)
    reads = ContextLookup(engine._alone).reads(trace, question)
    asks = replace(
        engine._alone.reply(trace, reads["alone"].judged),
        decision=Decision(DecisionKind.CLARIFY, (Reason.DEPENDS_ON_PROFILE,), ("cohort",)),
    )
    monkeypatch.setattr(engine._alone, "reply", lambda *_: asks)
    entry = reads["alone"].judged[0].candidates[0]

    def by_words(probability: float) -> Reply | None:
        return in_context._by_its_words(question, reads, {"faq": [Weighed(entry, probability, {})]})

    assert by_words(0.5) is asks
    assert by_words(0.01) is None


@pytest.mark.parametrize(
    ("text", "is_answered"),
    [
        ("Em học chất lượng cao khóa 50 thì mỗi học kỳ phải đóng bao nhiêu tiền?", True),
        ("Mỗi học kỳ bao nhiêu?", False),
    ],
)
def test_a_whole_question_is_answered_by_itself_after_a_matter_that_has_nothing_to_do_with_it(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, text: str, is_answered: bool
) -> None:
    in_context = engine._in_context
    question = asked(engine, text, Matter(FEE, "dormitory-fee"))
    trace = engine._alone.read(question)
    reads = ContextLookup(engine._alone).reads(trace, question)
    entry = next(one.candidates[0] for one in reads["alone"].judged if one.candidates)
    answer = replace(
        engine._alone.reply(trace, reads["alone"].judged),
        decision=Decision(DecisionKind.ANSWER, (Reason.CONDITIONS_HOLD,)),
        confidence=0.7,
    )
    reads["alone"] = replace(
        reads["alone"], judged=[replace(reads["alone"].judged[0], candidates=(entry,), group=(entry,))]
    )
    monkeypatch.setattr(engine._alone, "reply", lambda *_: answer)

    reply = in_context._by_its_words(question, reads, {entry.source: [Weighed(entry, 0.01, {})]})

    assert (reply is answer) is is_answered


@pytest.mark.parametrize(
    ("probability", "missing", "same", "repeats", "is_given"),
    [
        (0.6, 1, 0, False, True),
        (0.2, 1, 0, False, False),
        (0.6, 2, 0, False, False),
        (0.6, 1, 1, False, False),
        (0.6, 1, 1, True, True),
    ],
)
def test_an_entry_of_the_matter_with_as_many_words_goes_before_that_of_the_words_alone(
    engine: Engine,
    monkeypatch: pytest.MonkeyPatch,
    probability: float,
    missing: int,
    same: int,
    repeats: bool,
    is_given: bool,
) -> None:
    in_context = engine._in_context
    monkeypatch.setattr(in_context, "_is_small", False)
    question = asked(engine, FEE, Matter(REGISTER, "dormitory-register"))
    trace = engine._alone.read(question)
    by_itself = engine._alone.reply(trace)
    both = [
        Candidate("faq", engine._alone.entries[name], 0.5) for name in ("dormitory-register", "dormitory-fee")
    ]
    weighed = {
        "faq": [
            Weighed(both[0], probability, {"missing_words": missing, "before_1.same": same}),
            Weighed(both[1], 0.1, {"missing_words": 1, "before_1.same": 0}),
        ]
    }

    within = in_context._within_the_matter(trace, by_itself, weighed, repeats=repeats)

    assert by_itself.answer_id == "dormitory-fee"
    assert (within is not None and within.answer_id == "dormitory-register") is is_given


@pytest.mark.parametrize(
    ("text", "is_alone"), [("số điện thoại phòng tài chính", True), ("số điện thoại để hỏi", False)]
)
def test_the_name_of_an_office_is_a_matter_of_its_own(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, text: str, is_alone: bool
) -> None:
    in_context = engine._in_context
    question = asked(engine, text, Matter(REGISTER, "dormitory-register"))
    trace = engine._alone.read(question)
    reads = ContextLookup(engine._alone).reads(trace, question)
    limits = engine._alone.pipeline.context_limits(is_small=True)
    between = (limits.alone + limits.stands_alone) / 2
    reads["alone"] = replace(reads["alone"], confidence={"faq": between})
    answer = replace(
        engine._alone.reply(trace, reads["alone"].judged),
        decision=Decision(DecisionKind.ANSWER, (Reason.CONDITIONS_HOLD,)),
    )
    monkeypatch.setattr(ContextLookup, "reads", lambda *_: reads)
    monkeypatch.setattr(ConversationalQA, "_by_its_words", lambda *_: None)
    monkeypatch.setattr(engine._alone, "reply", lambda *_: answer)

    assert (in_context.reply(trace, question) is answer) is is_alone


@pytest.mark.parametrize(
    ("alone", "extract", "is_given"), [(0.78, 0.64, True), (0.45, 0.3, False), (0.7, 0.8, False)]
)
def test_an_entry_that_is_sure_of_the_words_alone_goes_before_an_extract(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, alone: float, extract: float, is_given: bool
) -> None:
    in_context = engine._in_context
    question = asked(engine, "giá phòng ký túc xá là bao nhiêu", Matter(REGISTER, "dormitory-register"))
    trace = engine._alone.read(question)
    read = replace(ContextLookup(engine._alone).reads(trace, question)["alone"], confidence={"faq": alone})
    passage = replace(read.judged[0], source="document", verdict=Verdict((), extract))
    answer = replace(
        engine._alone.reply(trace, read.judged),
        decision=Decision(DecisionKind.ANSWER, (Reason.CONDITIONS_HOLD,)),
        source="faq",
    )
    monkeypatch.setattr(engine._alone, "reply", lambda *_: answer)

    assert in_context._entry_alone(trace, question, read, passage) is (answer if is_given else None)


@pytest.mark.parametrize(
    ("text", "counts"), [("phòng ký túc xá dài mấy mét, trần cao không", False), ("tiền phòng", True)]
)
def test_an_entry_that_lacks_the_matters_words_must_be_surer(engine: Engine, text: str, counts: bool) -> None:
    in_context = engine._in_context
    question = asked(engine, text, Matter(FEE, "dormitory-fee"))
    reads = ContextLookup(engine._alone).reads(engine._alone.read(question), question)

    def found(unnamed: float) -> set[str]:
        weighed = in_context._weigher.weigh("faq", reads, question.history, 0.0, unnamed)
        return {one.candidate.item.id for one in weighed}

    assert "dormitory-fee" in found(0.0)
    assert ("dormitory-fee" in found(1.0)) is counts


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("thế học phí thì sao", "học phí"),
        ("còn ký túc xá", None),
        ("còn giá phòng", None),
        ("học phí bao nhiêu", None),
    ],
)
def test_a_message_may_go_over_to_another_topic_by_its_name(
    engine: Engine, text: str, name: str | None
) -> None:
    question = asked(engine, text, Matter(FEE, "dormitory-fee"))
    assert engine._in_context._another_topic(question) == name


def test_a_calculator_applies_the_rule_of_the_entries_that_it_follows(index: Index) -> None:
    months = replace(index.calculators[0], follows=("dormitory-fee",))
    fee, register = (
        next(entry for entry in index.faq if entry.id == name)
        for name in ("dormitory-fee", "dormitory-register")
    )
    weigher = ContextWeigher(index)

    assert weigher.applies_rule_of(months, fee)
    assert not weigher.applies_rule_of(months, register)
    assert not weigher.applies_rule_of(fee, fee)


@pytest.mark.parametrize(("probability", "counts"), [(0.9, False), (0.01, True)])
def test_beside_an_entry_that_would_answer_only_a_calculator_of_its_rule_counts(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, probability: float, counts: bool
) -> None:
    def weigh(self: ContextWeigher, *args: object) -> list[object]:
        return [replace(one, probability=probability) for one in weighed(self, *args)]  # type: ignore[arg-type]

    weighed = ContextWeigher.weigh
    monkeypatch.setattr(ContextWeigher, "weigh", weigh)
    question = asked(engine, "ở ký túc xá 5 tháng", Matter(REGISTER, "dormitory-register"))
    in_context: ConversationalQA = engine._in_context
    trace = engine._alone.read(question)

    reads = ContextLookup(engine._alone).reads(trace, question)
    _, in_order = in_context._weighed(trace, question, reads, names_none=False)

    [confidence] = [probable for source, _, probable in in_order if source.name == "calculator"]
    assert (confidence > 0) is counts


@pytest.mark.parametrize(
    ("before", "text", "counts"),
    [
        (Matter(FEE, "dormitory-fee"), "5 tháng thì sao", True),
        (Matter("Khi nào nộp học phí?", "tuition-deadline"), "5 tháng thì sao", False),
        (Matter("Khi nào nộp học phí?", "tuition-deadline"), "ở ký túc xá 5 tháng hết bao nhiêu", True),
        (Matter("Khi nào nộp học phí?"), "5 tháng thì sao", True),
    ],
)
def test_values_alone_are_no_matter_of_another_topic(
    engine: Engine, before: Matter, text: str, counts: bool
) -> None:
    in_context = engine._in_context
    question = asked(engine, text, before)
    reads = ContextLookup(engine._alone).reads(engine._alone.read(question), question)

    _, probability = in_context._computed("calculator", question, reads, {})

    assert (probability > 0) == counts


@pytest.mark.parametrize(
    ("probabilities", "before", "also"),
    [
        ((0.8, 0.5), "insurance", "dormitory-register"),
        ((0.8, 0.2), "insurance", None),
        ((0.8, 0.5), "dormitory-register", None),
    ],
    ids=["nearly as probable", "much less probable", "the last answer"],
)
def test_an_entry_that_is_nearly_as_probable_is_given_behind_the_answer(
    engine: Engine,
    monkeypatch: pytest.MonkeyPatch,
    probabilities: tuple[float, float],
    before: str,
    also: str | None,
) -> None:
    entries = [engine.entry("dormitory-fee"), engine.entry("dormitory-register")]
    weighed = [
        Weighed(Candidate("faq", entry, probability), probability, {})
        for entry, probability in zip(entries, probabilities, strict=True)
        if entry is not None
    ]
    weigh = engine._in_context._weigher.weigh
    monkeypatch.setattr(
        engine._in_context._weigher,
        "weigh",
        lambda source, *read: weighed if source == "faq" else weigh(source, *read),
    )

    reply = engine.reply(asked(engine, "bao nhiêu vậy ạ", Matter(FEE, before)))

    assert reply.answer_id == "dormitory-fee"
    assert (reply.also.answer_id if reply.also else None) == also
    assert [each.answer_id for each in reply.said] == ["dormitory-fee", *([also] if also else [])]
    if reply.also is not None:
        assert (reply.also.question, reply.also.confidence) == (REGISTER, 0.5)
        assert "nearly as probable: dormitory-register (0.50)" in reply.trace.notes


@pytest.mark.parametrize(("confidence", "is_asked_again"), [(0.4, False), (0.9, True)])
def test_a_question_back_left_open_is_not_asked_again_where_its_answer_is_hardly_meant(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, confidence: float, is_asked_again: bool
) -> None:
    question = replace(
        asked(engine, "giá phòng tính sao", Matter(FEE, "dormitory-fee")), untold=frozenset({"cohort"})
    )
    trace = engine._alone.read(question)
    found = engine._alone.reply(trace)
    asks_back = Decision(DecisionKind.CLARIFY, (Reason.DEPENDS_ON_PROFILE,), ("cohort",))
    answers = Decision(DecisionKind.ANSWER, (Reason.CONDITIONS_HOLD,))

    def reply(trace: QueryTrace, _: Question) -> Reply:
        left = trace.rejected is None
        return replace(found, decision=asks_back if left else answers, confidence=confidence)

    monkeypatch.setattr(engine._in_context, "_reply", reply)

    assert bool(engine._in_context.reply(trace, question).decision.missing) is is_asked_again
