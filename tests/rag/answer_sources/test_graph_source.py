"""The graph among the other sources: it answers what it surely knows, and never stands in their way."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from embedder_stand_in import EmbedderStandIn
from graph_school import GRAPH_SCHOOL

from rag.decide.gate import Chosen
from rag.engine import Engine
from rag.graph.store import GraphError
from rag.index.versions import current_version, open_index
from rag.ingest.build import build_index
from rag.pipeline import load_pipeline
from rag.types import DecisionKind, Matter, Question, Reply
from school.dimensions import Profile

Ask = Callable[..., Reply]
TODAY = date(2026, 11, 20)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("graph_school") / "index"
    build_index(GRAPH_SCHOOL, out, EmbedderStandIn())
    return out


def asking(folder: Path) -> Ask:
    engine = Engine.open(folder, "covan-graph", EmbedderStandIn(), Chosen(), lambda: TODAY)

    def ask(text: str, *history: str, **profile: str) -> Reply:
        matters = tuple(Matter(each, f"before-{number}") for number, each in enumerate(history))
        return engine.reply(Question(text, profile=Profile(profile), history=matters))

    return ask


@pytest.fixture(scope="module")
def ask(folder: Path) -> Ask:
    return asking(folder)


def test_a_relational_question_is_answered_with_its_source(ask: Ask) -> None:
    reply = ask("môn nào phải học trước cấu trúc dữ liệu")

    assert (reply.decision.kind, reply.source) == (DecisionKind.ANSWER, "graph")
    assert "Kỹ thuật lập trình (CT103)" in reply.text
    assert "Nhập môn lập trình (CT101)" in reply.text
    cited = reply.citations[0]
    assert (cited.document_id, cited.title) == ("courses/cntt", "Kế hoạch học tập ngành Công nghệ thông tin")
    assert cited.number == "12/QĐ-ĐHĐT"
    assert not reply.curated


def test_the_catalogue_comes_before_any_document(ask: Ask) -> None:
    reply = ask("số điện thoại phòng CTSV")

    assert "0200 102" in reply.text
    assert reply.citations[0].title == "Danh bạ của Trường Đại học Đồ Thị"


def test_the_school_tells_of_itself(ask: Ask) -> None:
    where, majors = ask("trường mình ở đâu vậy ad"), ask("trường có những ngành nào")

    assert where.text.split("\n\n")[1].splitlines() == [
        "- **Cơ sở 1**: 12 phố Cung",
        "- **Cơ sở 2 (Bờ Sông)**: 5 đường Bờ Sông",
    ]
    assert majors.text == "**Trường Đại học Đồ Thị** đào tạo 2 ngành: Công nghệ thông tin, Kế toán."
    assert "https://www.dothi.example" in ask("web của trường").text
    assert ask("cơ sở 2 ở đâu").text == "**Cơ sở 2 (Bờ Sông)**: 5 đường Bờ Sông."
    assert where.citations[0].title == "Danh bạ của Trường Đại học Đồ Thị"


def test_a_school_without_campuses_has_an_address(tmp_path: Path) -> None:
    knowledge = tmp_path / "knowledge"
    shutil.copytree(GRAPH_SCHOOL, knowledge)
    catalog = knowledge / "catalog.yml"
    said = catalog.read_text("utf-8")
    begin, end = said.index("  campuses:"), said.index("  counselling:")
    catalog.write_text(f"{said[:begin]}  address: 12 phố Cung\n{said[end:]}", "utf-8")
    build_index(knowledge, tmp_path / "index", EmbedderStandIn())

    assert (
        asking(tmp_path / "index")("trường nằm ở đâu").text
        == "Địa chỉ của **Trường Đại học Đồ Thị**: 12 phố Cung."
    )


def test_what_a_clause_refers_to_is_quoted(ask: Ask) -> None:
    reply = ask("điều 2 quy chế đào tạo 2025 dẫn chiếu đến điều nào")

    assert "Sinh viên đăng ký từ 14 đến 25 tín chỉ" in reply.text
    assert {cited.locator for cited in reply.citations} == {"Điều 1", "Điều 2"}


def test_a_plan_is_a_table_with_its_total(ask: Ask) -> None:
    reply = ask("học kỳ 3 em học những môn nào", major="cntt")

    assert "| CT201 | Cấu trúc dữ liệu | 4 |" in reply.text
    assert "Cộng: 5 tín chỉ." in reply.text


def test_a_form_says_who_signs_it_and_where(ask: Ask) -> None:
    assert "Trần Minh Quế, Trưởng phòng Đào tạo" in ask("ai ký giấy xác nhận sinh viên").text
    where = ask("xin giấy xác nhận sinh viên ở đâu").text
    assert "Phòng Công tác sinh viên" in where
    assert "nhận tại phòng 105" in where


def test_english_is_answered_in_english(ask: Ask) -> None:
    assert "has **4 credits**" in ask("How many credits is the course Data Structures worth?").text


def test_what_the_faq_answers_is_left_to_it(ask: Ask) -> None:
    assert ask("Đăng ký tối đa bao nhiêu tín chỉ?").source != "graph"


def test_the_conversation_goes_on_over_several_turns(ask: Ask) -> None:
    first = ask("cấu trúc dữ liệu mấy tín chỉ")
    second = ask("còn môn hệ điều hành thì sao?", first.resolved)
    third = ask("ai dạy vậy", second.resolved, first.resolved)
    fourth = ask("email cô đó là gì", third.resolved, second.resolved)

    assert "Hệ điều hành (CT204)" in second.text
    assert "3 tín chỉ" in second.text
    assert "Ngô Hoài Thương" in third.text
    assert "thuong@dothi.example" in fourth.text


@pytest.mark.parametrize("what", ["damaged", "missing"])
def test_without_its_graph_the_other_sources_answer(folder: Path, tmp_path: Path, what: str) -> None:
    out = Path(shutil.copytree(folder, tmp_path / "index"))
    graph = out / "versions" / str(current_version(out)) / "graph"
    if what == "missing":
        shutil.rmtree(graph)
    else:
        (graph / "graph.lbug").write_bytes(b"damaged")
    ask = asking(out)

    assert ask("Đăng ký tối đa bao nhiêu tín chỉ?").text == "Tối đa 25 tín chỉ."
    assert ask("sdt phòng ctsv").source != "graph"


def test_a_graph_that_fails_while_it_is_asked_stops_no_answer(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing:
        def __init__(self, store: object) -> None:
            self._store = store

        def __getattr__(self, name: str) -> object:
            return getattr(self._store, name)

        def run(self, query: str, **parameters: object) -> object:
            raise GraphError(f"the server is gone ({query}, {sorted(parameters)})")

    embedder = EmbedderStandIn()
    index = open_index(folder, embedder)
    failing = replace(index, store=Failing(index.store))  # type: ignore[arg-type]
    engine = Engine(failing, load_pipeline("covan-graph"), embedder, lambda: TODAY)

    assert engine.reply(Question("Đăng ký tối đa bao nhiêu tín chỉ?")).text == "Tối đa 25 tín chỉ."
    assert engine.reply(Question("ctdl học trước môn gì")).source != "graph"
    assert "The knowledge graph has failed" in caplog.text


def test_expansion_leads_to_the_clauses_of_an_entity(folder: Path) -> None:
    engine = Engine.open(folder, "catrag", EmbedderStandIn(), Chosen(), lambda: TODAY)

    reply = engine.reply(Question("phòng công tác sinh viên"))

    first = reply.trace.candidates[0]
    assert first.scores["graph"] == 1.0
    assert "Phòng Công tác sinh viên" in first.item.text  # type: ignore[attr-defined]


def test_a_deadline_is_quoted_with_the_clause_that_names_it(ask: Ask) -> None:
    reply = ask("hạn nộp đơn chuyển ngành năm 2027 là khi nào")

    assert "**30/06/2027**" in reply.text
    answer, _, quoted = reply.text.partition("\n\n> ")
    assert answer == "**Hạn nộp đơn chuyển ngành năm 2027**: **30/06/2027**."
    assert quoted.endswith(
        "2. Sinh viên nộp đơn chuyển ngành tại Phòng Đào tạo trước ngày 30 tháng 6 năm 2027."
    )


def test_an_entry_that_is_sure_goes_before_the_graph(folder: Path) -> None:
    pipeline = load_pipeline("covan-graph")
    source = next(rule for rule in pipeline.sources if rule.source == "graph")

    def reply(yields_to: float, question: str) -> Reply:
        gate = source.gate.model_copy(update={"yields_to": yields_to})
        rules = [
            source.model_copy(update={"gate": gate}) if rule is source else rule for rule in pipeline.sources
        ]
        own = pipeline.model_copy(update={"sources": tuple(rules)})
        embedder = EmbedderStandIn()
        return Engine(open_index(folder, embedder), own, embedder, lambda: TODAY).reply(Question(question))

    entry = "Lệ phí chuyển ngành là bao nhiêu tiền?"
    assert reply(1.0, entry).source == "graph"
    assert reply(0.3, entry).source == "faq"
    assert reply(0.0, "môn nào phải học trước cấu trúc dữ liệu").source == "graph"


def test_the_text_of_a_clause_is_quoted_with_what_it_refers_to(ask: Ask) -> None:
    reply = ask("điều 2 quy chế đào tạo 2025 quy định gì")

    text, _, references = reply.text.partition("Dẫn chiếu đến:")
    assert "Phòng Công tác sinh viên cấp giấy xác nhận" in text
    assert "Điều 1" in references
    assert "từ 14 đến 25 tín chỉ" in references


def test_as_the_last_resort_it_goes_on_with_its_own_answers_alone(folder: Path) -> None:
    engine = Engine.open(folder, "covan", EmbedderStandIn(), Chosen(), lambda: TODAY)
    first = engine.reply(Question("cấu trúc dữ liệu mấy tín chỉ"))

    def then(answer_id: str | None) -> Reply:
        matter = Matter(first.resolved, answer_id)
        return engine.reply(Question("còn môn hệ điều hành thì sao?", history=(matter,)))

    assert (first.decision.kind, first.source) == (DecisionKind.ANSWER, "graph")
    assert then(first.answer_id).source == "graph"
    assert then("office-hours").source != "graph"


@pytest.mark.parametrize(("text", "is_told"), [("giấy đó ai ký vậy", True), ("ai ký vậy", False)])
def test_behind_an_entry_it_tells_who_signs_the_paper_that_a_message_points_at(
    folder: Path, text: str, is_told: bool
) -> None:
    engine = Engine.open(folder, "covan", EmbedderStandIn(), Chosen(), lambda: TODAY)
    matter = Matter("Xin giấy xác nhận sinh viên ở đâu?", "office-hours")

    reply = engine.reply(Question(text, history=(matter,)))

    assert (reply.source == "graph") is is_told


def test_as_the_last_resort_it_answers_in_place_of_what_is_less_sure(folder: Path) -> None:
    pipeline = load_pipeline("covan")

    def source_of(enough: float) -> str:
        gates = {rule.source: rule.gate for rule in pipeline.sources}
        gate = gates["graph"].model_copy(update={"yields_to": enough})
        rules = [
            rule.model_copy(update={"gate": gate}) if rule.source == "graph" else rule
            for rule in pipeline.sources
        ]
        own = pipeline.model_copy(update={"sources": tuple(rules)})
        embedder = EmbedderStandIn()
        engine = Engine(open_index(folder, embedder), own, embedder, lambda: TODAY)
        return engine.reply(Question("Lệ phí chuyển ngành là bao nhiêu tiền?")).source

    # The entry is right with a probability between the two.
    assert source_of(1.0) == "graph"
    assert source_of(0.3) == "faq"


@pytest.mark.parametrize(
    ("variants", "source"), [("[]", "graph"), ("[ai ký giấy xác nhận sinh viên]", "faq")]
)
def test_how_the_school_is_built_up_goes_before_an_entry_in_other_words(
    tmp_path: Path, variants: str, source: str
) -> None:
    school = tmp_path / "school"
    shutil.copytree(GRAPH_SCHOOL, school)
    with (school / "faq" / "faq.yml").open("a", encoding="utf-8") as entries:
        entries.write(
            "- {id: paper, question: Xin giấy xác nhận sinh viên ký ở đâu?, answer: Phòng Đào tạo., topic: study, "
            'sources: [{document: quy-che-2025, locator: "Điều 2, khoản 1"}], '
            f"variants: {variants}}}\n"
        )
    build_index(school, tmp_path / "index", EmbedderStandIn())
    engine = Engine.open(tmp_path / "index", "covan", EmbedderStandIn(), Chosen(), lambda: TODAY)

    reply = engine.reply(Question("ai ký giấy xác nhận sinh viên"))

    assert (reply.decision.kind, reply.source) == (DecisionKind.ANSWER, source)
    assert engine.reply(Question("Xin giấy xác nhận sinh viên ký ở đâu?")).answer_id == "paper"
