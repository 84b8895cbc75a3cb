"""The whole walk of a question, over a small school: answer with a source, ask back, or say that one does not know."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest
import yaml
from embedder_stand_in import EmbedderStandIn
from other_gates import with_gates
from readings import classified

import rag.query.ambiguity
from rag.decide.gate import CalibratedRule, Chosen
from rag.decide.probability import ProbabilityModel, ProbabilityModels
from rag.engine import Engine
from rag.errors import IndexUnusableError, SettingsError
from rag.index.format import Index
from rag.index.versions import open_index, read_manifest
from rag.ingest.build import build_index
from rag.json_file import write_json
from rag.language_model.choice import ModelChoice, choice_file
from rag.language_model.configured import ConfiguredModel
from rag.live_engine import LiveEngine
from rag.pipeline import PRESETS, load_pipeline
from rag.query.ambiguity import passage_key, shipped_rule
from rag.query.message_editing import with_matter
from rag.retrieve.embedder import E5Embedder, Embedder, load_embedder
from rag.settings import Settings
from rag.types import (
    DOCUMENT_SOURCE,
    FAQ_SOURCE,
    NO_SOURCE,
    Decision,
    DecisionKind,
    FaqEntry,
    Matter,
    Passage,
    Question,
    Reason,
    Reply,
)
from school.dimensions import Profile
from school.reader import Reader
from school.sentence_embedder import VectorArray

MakeEngine = Callable[..., Engine]

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"
TODAY = date(2026, 11, 1)

LANGUAGE = "Chuẩn ngoại ngữ để tốt nghiệp là gì?"
CERTIFICATE = "Nộp chứng chỉ ngoại ngữ trước đợt xét tốt nghiệp bao nhiêu ngày?"
WARNED = "Bị cảnh báo học vụ mấy lần liên tiếp thì bị buộc thôi học?"
GATE = "Cổng ký túc xá đóng lúc mấy giờ?"
ALL_COHORTS = {"46", "47", "48", "49"}

BAD_INPUT = {
    "empty": "",
    "blanks": " \n\t ",
    "NUL bytes": "\0\0\0",
    "emoji": "😀🎓👍🏽",
    "signs": "?!... --- ###",
    "a lone surrogate": "\ud83d",
    "invisible characters": "\u200b\u202e\ufeff",
}


def ask(engine: Engine, text: str, **known: str) -> Reply:
    return engine.reply(Question(text, profile=Profile(known)))


def said_in(folder: Path, document: str) -> str:
    """A document's text with all blanks alike."""
    (path,) = (folder / "documents").glob(f"{document}.[mt][dx]*")
    return " ".join(path.read_text(encoding="utf-8").split())


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """Return the embedder that students have: the limits of the shipped pipeline are set for it."""
    return load_embedder()


@pytest.fixture(scope="session")
def small_index(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Path:
    out = tmp_path_factory.mktemp("engine") / "index"
    build_index(SMALL_SCHOOL, out, embedder)
    return out


@pytest.fixture(scope="session")
def index(small_index: Path, embedder: Embedder) -> Index:
    return open_index(small_index, embedder)


@pytest.fixture(scope="session")
def engine(small_index: Path, embedder: Embedder) -> Engine:
    """Return the engine that students have: the shipped pipeline with its models."""
    return Engine.open(small_index, embedder=embedder, today=lambda: TODAY)


@pytest.fixture
def engine_of(tmp_path: Path, embedder: Embedder) -> MakeEngine:
    """Return a function that makes the engine over a knowledge folder, on a day."""

    def make(source: Path, today: date = TODAY) -> Engine:
        out = tmp_path / "index"
        build_index(source, out, embedder)
        return Engine.open(out, embedder=embedder, today=lambda: today)

    return make


@pytest.fixture
def expect_no_answer() -> Callable[..., None]:
    def check(reply: Reply, *reasons: Reason) -> None:
        assert reply.decision.kind is DecisionKind.NO_ANSWER
        assert reply.decision.reasons[: len(reasons)] == reasons
        assert (reply.source, reply.text, reply.citations, reply.answer_id) == (NO_SOURCE, "", (), None)

    return check


def test_without_a_clock_the_day_at_the_school_counts(
    school: Path, tmp_path: Path, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "Hạn đóng học phí học kỳ 1 là khi nào?"
    (school / "faq" / "han.yml").write_text(
        f"- {{id: han, question: '{question}', answer: Bạn nộp chậm nhất ngày 15/10/2026., topic: tuition}}",
        encoding="utf-8",
    )
    build_index(school, tmp_path / "index", embedder)
    engine = Engine.open(tmp_path / "index", embedder=embedder)
    monkeypatch.setenv("COVAN_TODAY", "2026-10-05")
    asked = Question("còn mấy ngày nữa", history=(Matter(question, "han"),))

    assert "Còn 10 ngày" in engine.reply(asked).text


# --- answers --------------------------------------------------------------------------------------------------------


def test_an_answer_of_an_office_is_said_as_it_was_written(engine: Engine, index: Index) -> None:
    reply = ask(engine, "Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?")

    (entry,) = (entry for entry in index.faq if entry.id == "study-credits")
    assert reply.decision == Decision(DecisionKind.ANSWER, (Reason.CONDITIONS_HOLD,))
    assert (reply.source, reply.answer_id, reply.topic) == (FAQ_SOURCE, "study-credits", "study")
    assert reply.text == entry.answer
    citation = reply.citations[0]
    assert (citation.document_id, citation.number) == ("quy-che-2025", "45/QĐ-ĐHSM")
    assert citation.title == "Quy chế học vụ năm 2025"
    assert citation.quote == "1. Mỗi học kỳ chính sinh viên đăng ký tối đa 25 tín chỉ."
    assert citation.url == "https://songmay.example/van-ban/quy-che-2025"
    assert 0 < reply.confidence <= 1


def test_the_curated_answer_comes_before_the_documents(engine: Engine) -> None:
    """Both know how many credits one may take; the office's own words win."""
    question = "dang ky toi da may tin chi"

    reply = ask(engine, question)

    assert any(c.source == DOCUMENT_SOURCE for c in reply.trace.candidates)
    assert (reply.source, reply.answer_id) == (FAQ_SOURCE, "study-credits")


def test_facts_are_filled_in(engine: Engine) -> None:
    reply = ask(engine, "Giá phòng KTX là bn?")

    assert reply.text == "Một chỗ trong ký túc xá giá 350.000 đồng một tháng."


def test_without_a_curated_answer_the_clause_itself_is_quoted(engine: Engine, school: Path) -> None:
    reply = ask(engine, "Lệ phí phúc khảo một bài thi là bao nhiêu?")

    assert (reply.decision.kind, reply.source) == (DecisionKind.ANSWER, DOCUMENT_SOURCE)
    assert "lệ phí phúc khảo một bài thi là 30.000 đồng" in reply.text
    for line in reply.text.splitlines():
        assert line in said_in(school, "quy-che-2025")
    citation = next(c for c in reply.citations if "30.000" in c.quote)
    assert (citation.document_id, citation.title) == ("quy-che-2025", "Quy chế học vụ năm 2025")
    assert (citation.number, citation.locator) == ("45/QĐ-ĐHSM", "Điều 3, khoản 2")
    assert citation.quote in reply.text


@pytest.mark.parametrize(
    "text",
    [GATE, "cong ky tuc xa dong luc may gio", "CỔNG KTX ĐÓNG LÚC MẤY GIỜ???", "cổng ktx đóng lúc mấy giờ"],
    ids=["in full", "without diacritics", "in capitals", "with a short form"],
)
def test_however_it_is_typed_the_same_clause_answers(engine: Engine, text: str) -> None:
    reply = ask(engine, text)

    assert reply.decision.kind is DecisionKind.ANSWER
    assert reply.citations[0].document_id == "noi-quy-ktx"
    assert "đóng lúc 22 giờ 30" in reply.text


def test_the_answer_names_the_place_in_its_part_of_the_document(engine: Engine) -> None:
    """The decision and the regulation attached to it both have an Điều 1 and an Điều 2."""
    reply = ask(engine, "Được rút học phần chậm nhất là tuần thứ mấy?")

    assert any(c.locator == "Điều 2, khoản 1 (QUY CHẾ HỌC VỤ)" for c in reply.citations)


def test_the_trace_has_what_the_gate_saw(engine: Engine) -> None:
    reply = ask(engine, GATE)

    trace = reply.trace
    for tier in ("faq", "document"):
        for signal in ("likeness", "margin", "topic"):
            assert 0 <= trace.signals[f"{tier}.{signal}"] <= 1
            assert f"{tier}.{signal}" in trace.thresholds
    assert {c.source for c in trace.candidates} == {FAQ_SOURCE, DOCUMENT_SOURCE}
    assert {"read", "embed", "faq", "document", "decide", "answer"} <= trace.stages_ms.keys()
    assert all(spent >= 0 for spent in trace.stages_ms.values())
    assert (trace.preset, trace.index_version) == ("covan", engine.index_version)


# --- what holds today -----------------------------------------------------------------------------------------------


def test_a_superseded_document_never_answers(engine: Engine) -> None:
    reply = ask(engine, WARNED)

    assert {c.document_id for c in reply.citations} == {"quy-che-2025"}
    assert "ba lần liên tiếp" in reply.text
    assert all(
        c.item.document_id != "quy-che-2021" for c in reply.trace.candidates if isinstance(c.item, Passage)
    )


def test_the_older_document_answers_until_the_newer_is_in_force(engine_of: MakeEngine, school: Path) -> None:
    before = engine_of(school, date(2025, 8, 31))

    reply = ask(before, WARNED)

    assert {c.document_id for c in reply.citations} == {"quy-che-2021"}


def test_a_document_superseded_by_an_undated_one_never_answers(engine_of: MakeEngine, school: Path) -> None:
    newer = school / "documents" / "quy-che-2025.md"
    dated = newer.read_text(encoding="utf-8")
    newer.write_text(
        "\n".join(line for line in dated.splitlines() if not line.startswith(("effective_from", "issued"))),
        encoding="utf-8",
    )

    reply = ask(engine_of(school), WARNED)

    assert {c.document_id for c in reply.citations} == {"quy-che-2025"}
    assert "quy-che-2021" not in {
        c.item.document_id for c in reply.trace.candidates if isinstance(c.item, Passage)
    }


def test_many_clauses_that_no_longer_hold_do_not_hide_the_one_that_does(
    engine_of: MakeEngine, school: Path
) -> None:
    """The old versions say it in the question's own words, and rank first."""
    front = "---\ntitle: Cũ\ntopic: study\neffective_from: 2020-01-01\neffective_to: 2021-01-01\n---\n"
    for year in range(8):
        (school / "documents" / f"cu-{year}.md").write_text(
            f"{front}### Điều 1. Lệ phí phúc khảo\n\n1. Lệ phí phúc khảo một bài thi là {year} đồng.\n",
            encoding="utf-8",
        )

    reply = ask(engine_of(school), "Lệ phí phúc khảo một bài thi là bao nhiêu?")

    assert {c.document_id for c in reply.citations} == {"quy-che-2025"}


@pytest.mark.parametrize(
    ("text", "document", "in_force"),
    [
        ("Hỗ trợ một nửa giá vé xe buýt tháng như thế nào?", "khuyen-mai-2024", date(2024, 12, 31)),
        ("Gửi xe đạp điện có được sạc pin miễn phí không?", "bai-do-xe-2030", date(2030, 1, 1)),
    ],
    ids=["expired", "future"],
)
def test_a_document_answers_on_its_days_only(
    engine: Engine, engine_of: MakeEngine, school: Path, text: str, document: str, in_force: date
) -> None:
    on_its_day = ask(engine_of(school, in_force), text)
    today = ask(engine, text)

    assert [c.document_id for c in on_its_day.citations] == [document]
    assert today.decision.kind is DecisionKind.NO_ANSWER
    assert document not in {c.item.document_id for c in today.trace.candidates if isinstance(c.item, Passage)}


def test_what_is_for_other_students_is_no_answer(
    tmp_path: Path, engine_of: MakeEngine, expect_no_answer: Callable[[Reply, Reason], None]
) -> None:
    source = tmp_path / "school"
    source.mkdir()
    (source / "only-k47.md").write_text(
        '---\napplies_to: {cohorts: ["47"]}\n---\n### Điều 1. Tham quan\n\nKhóa học đi tham quan Hạ Long.\n',
        encoding="utf-8",
    )
    engine = engine_of(source)

    assert ask(engine, "đi tham quan ở đâu", cohort="47").decision.kind is DecisionKind.ANSWER
    expect_no_answer(ask(engine, "đi tham quan ở đâu", cohort="48"), Reason.NOT_APPLICABLE)


# --- asking back ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tier"), [(LANGUAGE, FAQ_SOURCE), (CERTIFICATE, DOCUMENT_SOURCE)], ids=["FAQ", "documents"]
)
def test_a_question_that_depends_on_the_cohort_asks_for_it(engine: Engine, text: str, tier: str) -> None:
    reply = ask(engine, text)

    assert reply.decision == Decision(DecisionKind.CLARIFY, (Reason.DEPENDS_ON_PROFILE,), missing=("cohort",))
    assert (reply.source, reply.text, reply.citations) == (tier, "", ())
    assert {option.payload["cohort"] for option in reply.options} == ALL_COHORTS
    assert len(reply.options) == len(ALL_COHORTS)
    assert all(option.title == f"Khóa {option.payload['cohort']}" for option in reply.options)


@pytest.mark.parametrize(
    ("cohort", "answer"),
    [("46", "language-k48"), ("48", "language-k48"), ("49", "language-k49")],
)
def test_with_the_cohort_known_its_own_answer_is_given(engine: Engine, cohort: str, answer: str) -> None:
    reply = ask(engine, LANGUAGE, cohort=cohort)

    assert (reply.decision.kind, reply.answer_id) == (DecisionKind.ANSWER, answer)


@pytest.mark.parametrize(("cohort", "days"), [("47", "30 ngày"), ("49", "45 ngày")], ids=["older", "newer"])
def test_with_the_cohort_known_its_own_document_answers(engine: Engine, cohort: str, days: str) -> None:
    reply = ask(engine, CERTIFICATE, cohort=cohort)

    assert reply.source == DOCUMENT_SOURCE
    assert days in reply.text
    assert len({c.document_id for c in reply.citations}) == 1


def test_every_cohort_offered_leads_to_an_answer(engine: Engine) -> None:
    for option in ask(engine, LANGUAGE).options:
        assert ask(engine, LANGUAGE, **option.payload).decision.kind is DecisionKind.ANSWER


def test_the_program_is_asked_for_when_it_is_what_matters(engine: Engine) -> None:
    asked = ask(engine, "Học phí một tín chỉ là bao nhiêu?")
    given = ask(engine, "Học phí một tín chỉ là bao nhiêu?", program="clc")

    assert asked.decision.missing == ("program",)
    assert {option.payload["program"] for option in asked.options} == {"standard", "clc"}
    assert given.answer_id == "tuition-clc"


def test_what_is_known_and_does_not_matter_changes_nothing(engine: Engine) -> None:
    assert ask(engine, LANGUAGE, major="cntt", program="clc").decision.missing == ("cohort",)
    assert ask(engine, "Xin bảng điểm ở đâu?", cohort="46", major="ketoan").answer_id == "study-transcript"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Chuẩn ngoại ngữ để tốt nghiệp của K49 là gì?", "language-k49"),
        ("chuẩn ngoại ngữ để tốt nghiệp là gì, em khóa 47", "language-k48"),
        ("chuan ngoai ngu de tot nghiep la gi sv khoa 2025", "language-k49"),
    ],
)
def test_a_cohort_named_in_the_question_counts(engine: Engine, text: str, answer: str) -> None:
    assert ask(engine, text).answer_id == answer


def test_the_question_itself_wins_over_the_profile(engine: Engine) -> None:
    assert (
        ask(engine, "Chuẩn ngoại ngữ để tốt nghiệp của K49 là gì?", cohort="46").answer_id == "language-k49"
    )


def test_passages_for_the_student_are_told_from_those_for_everybody(engine: Engine) -> None:
    reply = engine.reply(Question("khóa 49 nộp chứng chỉ ngoại ngữ trước bao nhiêu ngày?"))
    fitness = {
        candidate.item.document_id: candidate.scores["entity"]
        for candidate in reply.trace.candidates
        if isinstance(candidate.item, Passage)
    }
    assert fitness["ngoai-ngu-k49"] == 1
    assert fitness["quy-che-2025"] == 0


def test_two_cohorts_in_one_question_are_both_answered(engine: Engine) -> None:
    reply = ask(engine, "Chuẩn ngoại ngữ để tốt nghiệp của K47 và K49 là gì?")

    assert [part.answer_id for part in reply.parts] == ["language-k48", "language-k49"]


def test_two_readings_are_offered_as_buttons(engine: Engine) -> None:
    reply = ask(engine, "Đăng ký như thế nào?")

    assert reply.decision == Decision(
        DecisionKind.CLARIFY, (Reason.MARGIN_LOW, Reason.SEVERAL_READINGS), missing=()
    )
    chosen = {option.payload["faq"]: option.title for option in reply.options}
    assert {"study-credits", "dormitory-register"} <= chosen.keys()
    assert chosen["dormitory-register"] == "Đăng ký ở ký túc xá như thế nào?"
    for faq_id in chosen:
        assert engine.reply_to_choice({"faq": faq_id}, Profile()).answer_id == faq_id


@pytest.mark.parametrize(
    "question",
    [WARNED, "Bị cảnh báo học vụ mấy lần thì thôi học?", GATE],
)
def test_topics_that_the_classifier_never_saw_decide_nothing(
    engine_of: MakeEngine, school: Path, question: str
) -> None:
    """The engine replies as if no document had a topic line: same decision, same words, same confidence."""
    shutil.rmtree(school / "faq")
    others = {"weather": 0.9, "football": 0.1}
    engine = engine_of(school)
    with_topics = engine.reply(classified(engine, question, others))
    for document in (school / "documents").iterdir():
        lines = document.read_text(encoding="utf-8").splitlines(keepends=True)
        document.write_text(
            "".join(line for line in lines if not line.startswith("topic:")), encoding="utf-8"
        )

    engine = engine_of(school)
    without = engine.reply(classified(engine, question, others))

    assert with_topics.decision.kind is DecisionKind.ANSWER
    assert (with_topics.decision, with_topics.text) == (without.decision, without.text)
    assert with_topics.confidence == pytest.approx(without.confidence)


# --- a chosen reading -----------------------------------------------------------------------------------------------


def test_a_chosen_entry_is_answered(engine: Engine) -> None:
    reply = engine.reply_to_choice({"faq": "study-transcript"}, Profile())

    assert reply.decision.kind is DecisionKind.ANSWER
    assert reply.text == "Bạn xin bảng điểm ở Phòng Đào tạo, nhận sau hai ngày."
    assert reply.confidence == 1


@pytest.mark.parametrize("chosen", ["language-k48", "language-k49"])
def test_a_chosen_entry_with_siblings_asks_for_the_profile_or_answers_by_it(
    engine: Engine, chosen: str
) -> None:
    assert engine.reply_to_choice({"faq": chosen}, Profile()).decision.missing == ("cohort",)
    assert engine.reply_to_choice({"faq": chosen}, Profile({"cohort": "49"})).answer_id == "language-k49"
    assert engine.reply_to_choice({"faq": chosen}, Profile({"cohort": "46"})).answer_id == "language-k48"


def test_a_chosen_entry_that_is_not_there_is_a_key_error(engine: Engine) -> None:
    with pytest.raises(KeyError):
        engine.reply_to_choice({"faq": "study-gone"}, Profile())


# --- no answer ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["Thời tiết hôm nay thế nào?", "ai thang world cup 2022", "Recommend me a restaurant downtown"]
)
def test_what_the_school_has_not_written_about_has_no_answer(
    engine: Engine, text: str, expect_no_answer: Callable[[Reply, Reason], None]
) -> None:
    expect_no_answer(ask(engine, text), Reason.SIMILARITY_LOW)


def test_no_answer_offers_topics_to_go_on_with(engine: Engine) -> None:
    reply = ask(engine, "Ký túc xá có thang máy, máy giặt, phòng tập thể hình với sân bóng rổ không?")

    assert reply.decision.kind is DecisionKind.NO_ANSWER
    names = {topic.id: topic.name for topic in engine.topics}
    assert reply.options[0].payload == {"topic": "dormitory"}
    for option in reply.options:
        assert option.title == names[option.payload["topic"]]


@pytest.mark.parametrize(
    "text",
    [
        "Học phí một tín chỉ ở Đại học Bách khoa Hà Nội là bao nhiêu?",
        "hoc phi 1 tin chi dai hoc can tho bao nhieu",
        "Hạn đóng học phí của NEU là ngày nào?",
    ],
)
def test_a_question_about_another_university_has_no_answer(
    engine: Engine, text: str, expect_no_answer: Callable[[Reply, Reason], None]
) -> None:
    reply = ask(engine, text)

    expect_no_answer(reply, Reason.FOREIGN_SCHOOL)
    assert reply.options == ()


@pytest.mark.parametrize("name", ["Đại học Sông Mây", "trường Sông Mây", "dhsm"])
def test_the_own_school_is_no_other(engine: Engine, name: str) -> None:
    reply = ask(engine, f"Hạn đóng học phí của {name} là ngày nào?")

    assert Reason.FOREIGN_SCHOOL not in reply.decision.reasons
    best = reply.trace.candidates[0].item
    assert isinstance(best, FaqEntry)
    assert best.id == "tuition-deadline"


WITHDRAWN = "Học phần này rút được không?"
ABOUT_TUITION = {"tuition": 1.0, "study": 0.0}


def test_a_topic_that_does_not_fit_closes_the_gate(engine: Engine) -> None:
    fits = classified(engine, WITHDRAWN, {"study": 0.9, "tuition": 0.1})
    assert engine.reply(fits).decision.kind is DecisionKind.ANSWER

    reply = engine.reply(classified(engine, WITHDRAWN, ABOUT_TUITION))
    assert reply.decision == Decision(DecisionKind.NO_ANSWER, (Reason.TOPIC_MISMATCH,))
    assert reply.topic is None


# --- what an open gate would say ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [GATE, "Xin bảng điểm ở đâu?", "Hạn đóng học phí?"])
def test_what_is_answered_is_what_is_proposed(engine: Engine, text: str) -> None:
    assert without_times(engine.propose(Question(text))) == without_times(engine.reply(Question(text)))


def test_what_the_gate_keeps_back_is_proposed_all_the_same(engine: Engine, index: Index) -> None:
    question = classified(engine, WITHDRAWN, ABOUT_TUITION)
    reply, proposed = engine.reply(question), engine.propose(question)

    assert reply.decision.kind is DecisionKind.NO_ANSWER
    assert proposed.decision.kind is DecisionKind.ANSWER
    assert proposed.source == DOCUMENT_SOURCE
    assert proposed.text
    assert proposed.answer_id in {passage.id for passage in index.passages}
    assert proposed.confidence == reply.confidence


def test_a_proposal_still_asks_for_what_it_depends_on(engine: Engine) -> None:
    assert engine.propose(Question(LANGUAGE)).decision.missing == ("cohort",)
    assert engine.propose(Question(LANGUAGE, profile=Profile({"cohort": "49"}))).answer_id == "language-k49"


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", Reason.EMPTY_QUESTION), ("Hạn đóng học phí của NEU là ngày nào?", Reason.FOREIGN_SCHOOL)],
)
def test_what_is_not_looked_up_is_not_proposed(
    engine: Engine, text: str, reason: Reason, expect_no_answer: Callable[[Reply, Reason], None]
) -> None:
    expect_no_answer(engine.propose(Question(text)), reason)


def test_every_signal_of_every_tier_has_a_name(engine: Engine) -> None:
    for text in (GATE, "Xin bảng điểm ở đâu?", "Thời tiết hôm nay thế nào?"):
        signals = engine.propose(Question(text)).trace.signals
        assert {"faq.cosine", "faq.dice", "faq.support", "faq.margin", "faq.similarity"} <= signals.keys()
        assert {
            "document.cosine",
            "document.coverage",
            "document.article",
            "document.score",
        } <= signals.keys()


def test_the_gate_weighs_every_signal_that_the_trace_shows(index: Index, embedder: Embedder) -> None:
    """A threshold is certified on the signals of the trace, so the trace has the gate's signals only."""
    model = ProbabilityModel(
        names=("ambiguity.spread",), means=(0.0,), scales=(1.0,), weights=(0.1,), bias=3.0
    )
    models = ProbabilityModels(by_source={FAQ_SOURCE: model, DOCUMENT_SOURCE: model})
    gate = CalibratedRule(rule="calibrated", probability=0.5)
    pipeline = with_gates(load_pipeline("covan"), {"faq": gate, "document": gate})
    engine = Engine(index, pipeline, embedder, chosen=Chosen(models))

    reply, proposed = ask(engine, GATE), engine.propose(Question(GATE))

    assert reply.trace.signals["ambiguity.spread"] > 0
    assert reply.confidence == proposed.confidence == model.probability(proposed.trace.signals)


@pytest.mark.parametrize(
    ("text", "depends_on"),
    [(LANGUAGE, ("cohort",)), ("Một học kỳ được đăng ký tối đa bao nhiêu tín chỉ?", ())],
)
def test_an_answer_tells_what_of_the_profile_it_goes_by(
    engine: Engine, text: str, depends_on: tuple[str, ...]
) -> None:
    reply = engine.reply(Question(text, profile=Profile({"cohort": "49"})))

    assert reply.decision.kind is DecisionKind.ANSWER
    assert reply.depends_on == depends_on


def test_what_else_there_is_leaves_out_the_answer_that_was_given(engine: Engine) -> None:
    options = engine.related(Question("Giá phòng ký túc xá là bao nhiêu?"), shown="dormitory-fee")

    assert len(options) > 1
    assert "dormitory-fee" not in {option.payload.get("faq") for option in options}
    everything = engine.related(Question("Giá phòng ký túc xá là bao nhiêu?"))
    assert everything[0].payload == {"faq": "dormitory-fee"}


@pytest.mark.parametrize("text", ["", "cảm ơn bạn", "Hạn đóng học phí của NEU là ngày nào?"])
def test_there_is_nothing_else_on_no_matter(engine: Engine, text: str) -> None:
    assert engine.related(Question(text)) == ()


def test_a_question_can_be_asked_for_another_cohort(engine: Engine) -> None:
    text = "k48 ngành cntt cần chuẩn ngoại ngữ gì?"

    assert engine.without_profile(text, {"cohort"}) == "ngành cntt cần chuẩn ngoại ngữ gì?"
    assert engine.without_profile(text, {"cohort", "major"}) == "cần chuẩn ngoại ngữ gì?"
    assert engine.without_profile(text, set()) == text


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Phòng Đào tạo mở cửa mấy giờ?", "ký túc xá mở cửa mấy giờ?"),
        ("Mấy giờ Phòng Đào tạo mở cửa?", None),
        ("Song ngành thì học phí tính thế nào?", None),
        ("", None),
    ],
)
def test_a_matter_is_replaced_where_its_end_is_known(engine: Engine, text: str, asked: str | None) -> None:
    assert with_matter(engine.reader, text, "ký túc xá") == asked


def test_what_is_left_of_an_address_is_no_part_of_the_question(engine: Engine) -> None:
    assert engine.without_profile("em k47, thực tập mấy tuần ạ", {"cohort"}) == "thực tập mấy tuần ạ"


@pytest.mark.parametrize(("lead", "tier"), [(0.0, DOCUMENT_SOURCE), (0.05, FAQ_SOURCE)])
def test_between_equals_the_curated_answer_is_given(
    index: Index, embedder: Embedder, lead: float, tier: str
) -> None:
    sure = ProbabilityModel(names=("faq.margin",), means=(0.0,), scales=(1.0,), weights=(0.0,), bias=3.0)
    surer = sure.model_copy(update={"bias": 3.2})
    chosen = Chosen(ProbabilityModels(by_source={FAQ_SOURCE: sure, DOCUMENT_SOURCE: surer}))
    default = load_pipeline("covan")
    clarify = default.clarify.model_copy(update={"despite_ambiguity": None})
    gate = CalibratedRule(rule="calibrated", probability=0.5)
    pipeline = with_gates(default, {"faq": gate, "document": gate}).model_copy(
        update={"curated_lead": lead, "clarify": clarify}
    )

    assert ask(Engine(index, pipeline, embedder, chosen=chosen), GATE).source == tier


@pytest.mark.parametrize(
    "text", ["Hạn đóng học phí năm {} là ngày nào?", "Giá phòng ký túc xá năm {} là bao nhiêu?"]
)
def test_what_is_announced_each_year_is_no_answer_for_another_year(
    engine: Engine, expect_no_answer: Callable[..., None], text: str
) -> None:
    assert ask(engine, text.format(TODAY.year)).decision.kind is DecisionKind.ANSWER

    for year in (TODAY.year - 2, TODAY.year + 2):
        expect_no_answer(ask(engine, text.format(year)))


def test_a_rule_without_a_year_holds_for_any(engine: Engine) -> None:
    reply = ask(engine, f"năm {TODAY.year + 2} mất thẻ sinh viên thì làm lại ở đâu")

    assert reply.answer_id == "study-card"


# --- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", BAD_INPUT.values(), ids=BAD_INPUT)
def test_nothing_to_look_for_is_an_empty_question(
    engine: Engine, text: str, expect_no_answer: Callable[[Reply, Reason], None]
) -> None:
    reply = ask(engine, text)

    expect_no_answer(reply, Reason.EMPTY_QUESTION)
    assert reply.trace.normalized.isprintable()


HOSTILE = {
    "100,000 characters": "học phí " * 12_500,
    "100,000 letters in one word": "a" * 100_000,
    "a ligature that grows": "\ufdfa" * 1000,
    "a command": "/restart",
    "an intent with entities": '/inform{"cohort": "47"}',
    "template signs": "{{ facts.dormitory.2026.room }} {% raw %} ${HOME}",
    "markup": "<script>alert(1)</script>",
    "signs of a query language": "'; DROP TABLE vectors; --",
    "signs of a regular expression": "(((((.*)+)+)+ học [",
    "a lone surrogate in words": "học\udc80 phí\ud83d",
    "decomposed letters": "ho\u0323c phi\u0301",
    "other scripts": "学費はいくらですか الرسوم",
    "many marks on a letter": "a" + "\u0301" * 5000,
    "digits": "9" * 5000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_any_text_gets_a_decision(engine: Engine, text: str) -> None:
    reply = ask(engine, text)

    assert isinstance(reply.decision.kind, DecisionKind)
    assert len(reply.trace.normalized) <= 10_000
    assert text not in reply.text
    reply.trace.normalized.encode("utf-8")


@pytest.mark.parametrize("command", ["/restart", "/inform{}", '/intent{"a": 1}'])
def test_a_command_is_only_words(engine: Engine, command: str) -> None:
    assert ask(engine, f"{command} hạn đóng học phí là ngày nào").answer_id == "tuition-deadline"


def test_rubbish_inside_a_question_does_not_hide_it(engine: Engine) -> None:
    assert ask(engine, "Hạn\0 đóng học\u200b phí \udc80là ngày nào? 😀😀").answer_id == "tuition-deadline"


@pytest.mark.parametrize("cohort", ["K47", "²", "-1", "", "9" * 5000, "khoa47"])
def test_a_cohort_that_is_none_does_no_harm(engine: Engine, cohort: str) -> None:
    assert isinstance(ask(engine, LANGUAGE, cohort=cohort).decision.kind, DecisionKind)
    assert ask(engine, "Xin bảng điểm ở đâu?", cohort=cohort).answer_id == "study-transcript"


# --- search ---------------------------------------------------------------------------------------------------------


def test_search_ranks_documents_by_their_best_passage(engine: Engine) -> None:
    ranking = engine.search("nuôi mèo trong ký túc xá", 3)

    assert ranking[0] == "noi-quy-ktx"
    assert len(ranking) == len(set(ranking)) == 3


def test_search_finds_every_document_when_asked_for_all(engine: Engine, index: Index) -> None:
    everything = engine.search("sinh viên", 100)

    assert set(everything) == {passage.document_id for passage in index.passages}


def test_search_ranks_what_is_in_force_and_for_this_student_first(
    engine: Engine, engine_of: MakeEngine
) -> None:
    question = "hỗ trợ nửa giá vé xe buýt"

    assert engine_of(SMALL_SCHOOL, date(2024, 6, 1)).search(question, 1) == ["khuyen-mai-2024"]
    assert engine.search(question, 1) != ["khuyen-mai-2024"]
    assert engine.search("k48 cần chuẩn ngoại ngữ gì", 1) == ["ngoai-ngu-k48"]
    assert engine.search("k49 cần chuẩn ngoại ngữ gì", 1) == ["ngoai-ngu-k49"]


def test_search_for_nothing_finds_nothing(engine: Engine) -> None:
    assert engine.search("", 10) == []


# --- what it is opened from -----------------------------------------------------------------------------------------


def test_an_engine_is_opened_from_a_folder(small_index: Path, embedder: Embedder) -> None:
    engine = Engine.open(small_index, embedder=embedder)

    assert engine.index_version == read_manifest(small_index).version
    assert engine.catalog.school.name == "Trường Đại học Sông Mây"
    assert [topic.id for topic in engine.topics] == ["study", "language", "tuition", "dormitory"]


def test_without_an_index_the_error_says_what_to_run(tmp_path: Path, embedder: Embedder) -> None:
    with pytest.raises(IndexUnusableError, match="covan index"):
        Engine.open(tmp_path / "nothing", embedder=embedder)


def test_an_unknown_preset_is_named_with_those_there_are(small_index: Path, embedder: Embedder) -> None:
    with pytest.raises(SettingsError, match=r"'covann'.*covan"):
        Engine.open(small_index, "covann", embedder)


@pytest.mark.parametrize("kept", ["documents", "faq"])
def test_a_school_with_documents_only_or_faq_only_is_served(
    engine_of: MakeEngine, tmp_path: Path, kept: str
) -> None:
    source = tmp_path / "school"
    if kept == "documents":
        source.mkdir()
        (source / "a.md").write_text("### Điều 1. Bơi\n\nHồ bơi mở cửa lúc 6 giờ.\n", encoding="utf-8")
    else:
        (source / "faq").mkdir(parents=True)
        (source / "faq" / "a.yml").write_text(
            "- {id: a, question: Hồ bơi mở cửa lúc mấy giờ?, answer: Lúc 6 giờ., topic: life}\n",
            encoding="utf-8",
        )
    engine = engine_of(source)

    assert "6 giờ" in ask(engine, "Hồ bơi mở cửa lúc mấy giờ?").text
    assert ask(engine, "thời tiết hôm nay").decision.kind is DecisionKind.NO_ANSWER
    # Which school it is stands nowhere: no other can be told from it.
    elsewhere = ask(engine, "Hồ bơi Đại học Bách khoa mở cửa lúc mấy giờ?")
    assert Reason.FOREIGN_SCHOOL not in elsewhere.decision.reasons


# --- together -------------------------------------------------------------------------------------------------------


def without_times(reply: Reply) -> tuple[object, ...]:
    trace = reply.trace
    return (
        reply.decision,
        reply.source,
        reply.text,
        reply.citations,
        reply.options,
        reply.confidence,
        reply.answer_id,
        tuple((c.item.id, c.score) for c in trace.candidates),
        dict(trace.signals),
    )


def test_threads_get_the_replies_that_one_gets_alone(engine: Engine) -> None:
    questions = [
        Question(text, profile=profile)
        for text in (LANGUAGE, CERTIFICATE, GATE, WARNED, "", "Hạn đóng học phí?", HOSTILE["markup"])
        for profile in (Profile(), Profile({"cohort": "47"}), Profile({"cohort": "49", "program": "clc"}))
    ]
    alone = [without_times(engine.reply(question)) for question in questions]

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(engine.reply, questions * 3))

    assert [without_times(reply) for reply in together] == alone * 3


# --- live -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def preset(tmp_path: Path) -> str:
    """The default preset in a file of its own."""
    path = tmp_path / "own.yml"
    described = yaml.safe_load((PRESETS / "covan.yml").read_text(encoding="utf-8"))
    path.write_text(yaml.safe_dump(described | {"name": "own"}), encoding="utf-8")
    return str(path)


def rewrite(school: Path, old: str, new: str) -> None:
    faq = school / "faq" / "faq.yml"
    text = faq.read_text(encoding="utf-8")
    assert old in text
    faq.write_text(text.replace(old, new), encoding="utf-8")


def test_a_live_engine_picks_up_a_swapped_index(
    school: Path, tmp_path: Path, embedder: Embedder, preset: str
) -> None:
    out = tmp_path / "index"
    build_index(school, out, embedder)
    live = LiveEngine(out, preset, embedder)
    before = live.current()
    assert "30 tháng 9" in ask(before, "Hạn đóng học phí là ngày nào?").text
    assert live.current() is before

    rewrite(school, "30 tháng 9", "15 tháng 10")
    build_index(school, out, embedder)
    after = live.current()

    assert "15 tháng 10" in ask(after, "Hạn đóng học phí là ngày nào?").text
    assert after.index_version != before.index_version
    assert ask(after, "Hạn đóng học phí là ngày nào?").trace.preset == "own"
    # Whoever is in the middle of a turn goes on with what they have.
    assert "30 tháng 9" in ask(before, "Hạn đóng học phí là ngày nào?").text


def test_a_live_engine_waits_for_the_first_index(school: Path, tmp_path: Path, embedder: Embedder) -> None:
    live = LiveEngine(tmp_path / "index", embedder=embedder)
    with pytest.raises(IndexUnusableError, match="covan index"):
        live.current()

    build_index(school, tmp_path / "index", embedder)

    assert ask(live.current(), "Hạn đóng học phí là ngày nào?").answer_id == "tuition-deadline"


def test_a_live_engine_outlives_its_index(school: Path, tmp_path: Path, embedder: Embedder) -> None:
    build_index(school, tmp_path / "index", embedder)
    live = LiveEngine(tmp_path / "index", embedder=embedder)
    engine = live.current()

    shutil.rmtree(tmp_path / "index")

    assert live.current() is engine
    assert ask(engine, "Hạn đóng học phí là ngày nào?").answer_id == "tuition-deadline"


def test_fault_11_a_live_engine_keeps_what_it_has_when_the_new_index_cannot_be_used_and_says_so(
    school: Path, tmp_path: Path, embedder: Embedder, caplog: pytest.LogCaptureFixture
) -> None:
    out = tmp_path / "index"
    build_index(school, out, embedder)
    live = LiveEngine(out, embedder=embedder)
    engine = live.current()

    build_index(school, out, EmbedderStandIn("another-model", 64))

    for _ in range(2):
        assert live.current() is engine
        assert "another-model" in live.problem
    (logged,) = [record for record in caplog.records if "stays in use" in record.getMessage()]
    assert live.problem in logged.getMessage()
    rewrite(school, "30 tháng 9", "15 tháng 10")
    build_index(school, out, embedder)
    assert "15 tháng 10" in ask(live.current(), "Hạn đóng học phí là ngày nào?").text
    assert live.problem == ""


def test_a_live_engine_takes_another_language_model_at_the_next_question(
    school: Path, tmp_path: Path, embedder: Embedder
) -> None:
    build_index(school, tmp_path / "index", embedder)
    settings = Settings(state_dir=tmp_path)
    live = LiveEngine(tmp_path / "index", embedder=embedder, model=ConfiguredModel(settings))
    engine = live.current()
    assert live.current() is engine

    write_json(choice_file(settings), ModelChoice(url="http://127.0.0.1:9/v1", model="chosen"))

    assert live.current() is not engine
    assert live.current() is live.current()


def test_threads_open_one_live_engine(school: Path, tmp_path: Path, embedder: Embedder) -> None:
    build_index(school, tmp_path / "index", embedder)
    live = LiveEngine(tmp_path / "index", embedder=embedder)

    with ThreadPoolExecutor(8) as pool:
        engines = set(pool.map(lambda _: id(live.current()), range(32)))

    assert len(engines) == 1


def test_candidates_are_entries_or_passages(engine: Engine) -> None:
    for candidate in ask(engine, GATE).trace.candidates:
        expected = FaqEntry if candidate.source == FAQ_SOURCE else Passage
        assert isinstance(candidate.item, expected)
        assert candidate.scores


# --- several questions, broad questions, small talk -------------------------------------------------------------------

TRANSCRIPT = "Xin bảng điểm ở đâu?"
CARD = "Mất thẻ sinh viên thì làm lại ở đâu?"
BROAD = "Sinh viên được làm gì?"


def test_each_question_of_a_message_has_the_reply_that_it_has_alone(engine: Engine) -> None:
    reply = ask(engine, f"{TRANSCRIPT} {CARD}")

    assert [part.question for part in reply.parts] == [TRANSCRIPT, CARD]
    alone = [ask(engine, question) for question in (TRANSCRIPT, CARD)]
    assert [part.text for part in reply.parts] == [one.text for one in alone]
    assert [part.citations for part in reply.parts] == [one.citations for one in alone]
    assert all(one.text in reply.text for one in alone)


def test_a_part_that_depends_on_the_cohort_does_not_hold_up_the_others(engine: Engine) -> None:
    answered, asked = ask(engine, f"{TRANSCRIPT} {LANGUAGE}").parts

    assert answered.answer_id == "study-transcript"
    assert (asked.decision.kind, asked.decision.missing) == (DecisionKind.CLARIFY, ("cohort",))


def test_a_part_that_is_not_known_is_no_answer(engine: Engine) -> None:
    answered, unknown = ask(engine, f"{TRANSCRIPT} Trời hôm nay nắng hay mưa vậy?").parts

    assert answered.decision.kind is DecisionKind.ANSWER
    assert unknown.decision.kind is DecisionKind.NO_ANSWER


def test_one_question_has_no_parts(engine: Engine) -> None:
    assert ask(engine, TRANSCRIPT).parts == ()


def test_a_broad_question_offers_passages_and_each_of_them_can_be_chosen(
    engine: Engine, index: Index
) -> None:
    reply = ask(engine, BROAD)

    assert reply.decision.kind is DecisionKind.CLARIFY
    assert reply.decision.reasons == (Reason.TOO_BROAD,)
    assert len(reply.options) > 1
    for option in reply.options:
        chosen = engine.reply_to_choice(option.payload, Profile({"cohort": "48", "program": "standard"}))
        assert chosen.decision.kind is DecisionKind.ANSWER
        if "faq" in option.payload:
            assert (chosen.source, chosen.answer_id) == (FAQ_SOURCE, option.payload["faq"])
            continue
        keys = {passage_key(passage): passage.id for passage in index.passages}
        assert (chosen.source, chosen.answer_id) == (DOCUMENT_SOURCE, keys[option.payload["passage"]])
        assert chosen.citations[0].quote in chosen.text


def test_what_is_surely_not_the_schools_matter_is_not_asked_back_about(engine: Engine) -> None:
    in_doubt = engine.reply(classified(engine, BROAD, {"study": 0.3}, out_of_scope=0.7))
    surely = engine.reply(classified(engine, BROAD, {"study": 0.01}, out_of_scope=0.99))

    assert in_doubt.decision.reasons == (Reason.TOO_BROAD,)
    assert Reason.TOO_BROAD not in surely.decision.reasons


def test_what_is_left_unnamed_is_named_in_the_decision(engine: Engine) -> None:
    reply = ask(engine, "Sinh viên ngành này phải làm gì?")

    assert reply.decision.reasons == (Reason.UNDERSPECIFIED,)
    assert reply.decision.unnamed == ("ngành",)


def test_a_chosen_passage_for_some_cohorts_asks_for_the_cohort_or_quotes_it(
    engine: Engine, index: Index
) -> None:
    passage = next(passage for passage in index.passages if passage.id == "ngoai-ngu-k49#0")
    payload = {"passage": passage_key(passage)}

    asked = engine.reply_to_choice(payload, Profile())
    assert (asked.decision.kind, asked.decision.missing) == (DecisionKind.CLARIFY, ("cohort",))
    quoted = engine.reply_to_choice(payload, Profile({"cohort": "49"}))
    assert {citation.document_id for citation in quoted.citations} == {"ngoai-ngu-k49"}
    other = engine.reply_to_choice(payload, Profile({"cohort": "48"}))
    assert other.decision == Decision(DecisionKind.NO_ANSWER, (Reason.NOT_APPLICABLE,))


def test_a_chosen_passage_that_no_longer_holds_is_not_quoted(engine: Engine, index: Index) -> None:
    old = next(passage for passage in index.passages if passage.document_id == "quy-che-2021")

    reply = engine.reply_to_choice({"passage": passage_key(old)}, Profile())
    assert reply.decision == Decision(DecisionKind.NO_ANSWER, (Reason.NOT_APPLICABLE,))


class SlowEmbedder(E5Embedder):
    """Takes at least `SECONDS` to embed a question."""

    SECONDS = 0.02

    def query(self, text: str) -> VectorArray:
        time.sleep(self.SECONDS)
        return super().query(text)


def test_the_trace_has_the_time_that_embedding_the_question_took(small_index: Path) -> None:
    reply = ask(Engine.open(small_index, embedder=SlowEmbedder()), GATE)

    assert reply.trace.stages_ms["embed"] >= 1000 * SlowEmbedder.SECONDS


def test_a_chosen_passage_that_is_not_there_is_a_key_error(engine: Engine) -> None:
    with pytest.raises(KeyError):
        engine.reply_to_choice({"passage": "gone#1"}, Profile())


@pytest.mark.parametrize(
    "text", ["bạn là ai vậy", "cảm ơn ad nhiều ạ", "who made you?", "bot hả", "chào ad ạ", "hic", "ok ạ"]
)
def test_small_talk_is_not_looked_up(
    engine: Engine, expect_no_answer: Callable[[Reply, Reason], None], text: str
) -> None:
    reply = ask(engine, text)

    expect_no_answer(reply, Reason.SMALL_TALK)
    assert reply.trace.stages_ms.keys() <= {"read", "embed"}
    assert reply.trace.candidates == ()


def test_a_question_behind_a_greeting_is_looked_up(engine: Engine) -> None:
    assert ask(engine, f"Chào ad, cho em hỏi {CARD.lower()}").answer_id == "study-card"


@pytest.fixture
def with_sure_entries(index: Index, embedder: Embedder) -> Callable[..., Engine]:
    """Return a function that makes an engine with limits for questions back; it holds every entry to be right."""
    even = ProbabilityModel(names=("faq.margin",), means=(0.0,), scales=(1.0,), weights=(0.0,), bias=0.0)
    by_source = {
        FAQ_SOURCE: even.model_copy(update={"bias": 3.0}),
        DOCUMENT_SOURCE: even.model_copy(update={"bias": -3.0}),
    }
    gate = CalibratedRule(rule="calibrated", probability=0.5)

    def make(**limits: float) -> Engine:
        pipeline = with_gates(load_pipeline("covan"), {"faq": gate, "document": gate})
        clarify = pipeline.clarify.model_copy(update=limits)
        chosen = Chosen(ProbabilityModels(by_source=by_source))
        return Engine(index, pipeline.model_copy(update={"clarify": clarify}), embedder, chosen=chosen)

    return make


@pytest.fixture
def easily_general(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a question with one particular word, which is general while this fixture is used."""
    rule = shipped_rule().model_copy(update={"threshold": 0.2})
    monkeypatch.setattr(rag.query.ambiguity, "shipped_rule", lambda: rule)
    return "Thẻ có những gì?"


def test_a_general_question_is_answered_by_an_entry_that_its_gate_lets_through(
    with_sure_entries: Callable[..., Engine], easily_general: str
) -> None:
    reply = ask(with_sure_entries(despite_ambiguity=0.99), easily_general)

    assert (reply.answer_id, reply.decision.kind) == ("study-card", DecisionKind.ANSWER)


def test_a_question_that_says_nothing_in_particular_is_answered_by_no_entry(
    with_sure_entries: Callable[..., Engine], index: Index
) -> None:
    sure = with_sure_entries(despite_ambiguity=0.0)

    assert ask(sure, BROAD).decision.reasons == (Reason.TOO_BROAD,)
    for entry in index.faq:
        assert not {Reason.TOO_BROAD, Reason.UNDERSPECIFIED} & set(ask(sure, entry.question).decision.reasons)


@pytest.mark.parametrize(("fewest_words", "is_asked_back"), [(10, True), (0, False)])
def test_a_few_words_are_no_question_that_an_office_has_written_down(
    with_sure_entries: Callable[..., Engine], easily_general: str, fewest_words: int, *, is_asked_back: bool
) -> None:
    asking = with_sure_entries(fewest_words=fewest_words)

    assert (Reason.TOO_BROAD in ask(asking, easily_general).decision.reasons) is is_asked_back


def test_a_question_in_the_words_of_an_entry_is_compared_as_they_are(index: Index) -> None:
    reader = Reader(index.reading)
    phrasings = [text for entry in index.faq for text in (entry.question, *entry.variants)]

    assert {reader.prepared(text).asked for text in phrasings} == set(index.faq_texts)
