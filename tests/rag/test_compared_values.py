"""Questions that name several values of a dimension: compared, or those of a change from one to another."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
import yaml

from rag.engine import Engine
from rag.ingest.build import build_index
from rag.retrieve.embedder import load_embedder
from rag.types import DecisionKind, Matter, Question, Reason, Reply
from school.dimensions import Profile

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """Return the engine over the small school with a rule for each change of programme."""
    folder = tmp_path_factory.mktemp("several")
    school = Path(shutil.copytree(SMALL_SCHOOL, folder / "school"))
    change, weeks = "Em muốn đổi chương trình trong cùng ngành thì làm thế nào?", "Thực tập bao nhiêu tuần?"
    locker = "Tiền đặt cọc tủ khóa là bao nhiêu?"
    rules = [
        (
            change,
            "đại trà muốn chuyển lên chất lượng cao",
            "Bạn được xin sau một học kỳ.",
            {"programs": ["standard"]},
        ),
        (change, "chuyển từ chất lượng cao về đại trà", "Bạn được xin ngay.", {"programs": ["clc"]}),
        (weeks, "thực tập thế nào", "08 tuần.", {"cohorts": ["-48"], "programs": ["standard"]}),
        (locker, "đặt cọc tủ khóa", "200.000 đồng, nộp tại nhà A.", {"cohorts": ["-48"]}),
        (locker, "đặt cọc tủ khóa", "200.000 đồng, nộp tại nhà B.", {"cohorts": ["49-"]}),
        (weeks, "thực tập thế nào", "12 tuần.", {"cohorts": ["49-"], "programs": ["standard"]}),
    ]
    entries = [
        {"id": f"rule-{n}", "question": q, "variants": [v], "answer": a, "topic": "study", "applies_to": to}
        for n, (q, v, a, to) in enumerate(rules)
    ]
    (school / "faq" / "change.yml").write_text(yaml.safe_dump(entries, allow_unicode=True), encoding="utf-8")
    for name, to, minutes in (("old", "-48", "30"), ("new", "49-", "45")):
        (school / "documents" / f"parking-{name}.md").write_text(
            f'---\ntitle: "Quy định gửi xe đạp điện ({name})"\napplies_to: {{cohorts: ["{to}"]}}\n---\n\n'
            "# Điều 1. Sạc xe đạp điện ở nhà xe\n\n"
            f"1. Mỗi lượt sạc xe đạp điện ở nhà xe kéo dài tối đa {minutes} phút.\n",
            encoding="utf-8",
        )
    embedder = load_embedder()
    build_index(school, folder / "index", embedder)
    return Engine.open(folder / "index", embedder=embedder, today=lambda: date(2026, 11, 1))


Ask = Callable[..., Reply]


@pytest.fixture
def ask(engine: Engine) -> Ask:
    return lambda text, **known: engine.reply(Question(text, profile=Profile(known)))


@pytest.mark.parametrize(
    "text",
    ["chuẩn ngoại ngữ để tốt nghiệp của k48 với k49 khác nhau gì", "so sanh chuan ngoai ngu k48 va k49"],
)
def test_a_comparison_is_answered_for_each_value(ask: Ask, text: str) -> None:
    reply = ask(text)

    assert [(part.question, part.answer_id) for part in reply.parts] == [
        ("Khóa 48", "language-k48"),
        ("Khóa 49", "language-k49"),
    ]
    assert all(part.text in reply.text and part.citations for part in reply.parts)
    assert set(reply.citations) == {citation for part in reply.parts for citation in part.citations}
    assert reply.compared == {"cohort": ("48", "49")}


def test_the_students_own_value_does_not_restrict_a_comparison(ask: Ask) -> None:
    reply = ask("chuẩn ngoại ngữ của k48 với k49 khác nhau gì", cohort="48")

    assert [part.answer_id for part in reply.parts] == ["language-k48", "language-k49"]


def test_what_is_the_same_for_all_is_said_once(ask: Ask) -> None:
    reply = ask("chuẩn ngoại ngữ để tốt nghiệp của k47 với k48 khác nhau gì")

    assert (reply.decision.kind, reply.answer_id, reply.parts) == (DecisionKind.ANSWER, "language-k48", ())


def test_clauses_that_hold_for_one_value_each_are_quoted_for_their_own(ask: Ask) -> None:
    reply = ask("mỗi lượt sạc xe đạp điện ở nhà xe của k48 và k49 khác nhau mấy phút")

    assert [part.question for part in reply.parts] == ["Khóa 48", "Khóa 49"]
    assert ["30 phút" in part.text for part in reply.parts] == [True, False]
    assert ["45 phút" in part.text for part in reply.parts] == [False, True]


def test_a_follow_up_goes_on_with_both_values(engine: Engine) -> None:
    matter = Matter("Chuẩn ngoại ngữ để tốt nghiệp là gì?", "language-k49")
    question = Question("thế cần ngoại ngữ gì", history=(matter,), compared={"cohort": ("48", "49")})

    assert [part.answer_id for part in engine.reply(question).parts] == ["language-k48", "language-k49"]


def test_what_a_comparison_needs_besides_is_asked_for_with_its_values_kept(ask: Ask) -> None:
    text = "thực tập của k48 với k49 khác nhau gì"

    reply = ask(text)

    assert reply.decision.reasons == (Reason.DEPENDS_ON_PROFILE,)
    assert (reply.decision.missing, reply.resolved) == (("program",), text)


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("em đang học đại trà muốn chuyển lên chất lượng cao thì sao", "rule-0"),
        ("thế chuyển từ clc về đại trà thì sao", "rule-1"),
        ("em học cntt muốn chuyển lên chất lượng cao thì sao", "rule-0"),
    ],
)
def test_a_change_is_answered_for_the_value_that_is_left(ask: Ask, text: str, entry: str) -> None:
    assert ask(text).answer_id == entry


def test_a_change_from_another_value_is_not_asked_by_the_student(ask: Ask) -> None:
    assert ask("thế chuyển từ clc về đại trà thì sao", program="standard").answer_id == "rule-1"


def test_the_target_of_a_change_is_not_the_students_own(ask: Ask) -> None:
    reply = ask("em muốn chuyển lên chất lượng cao thì sao", program="standard")

    assert reply.answer_id == "rule-0"


def test_a_value_that_the_student_was_asked_for_in_vain_is_answered_for_all(engine: Engine) -> None:
    text = "chuẩn ngoại ngữ để tốt nghiệp là gì"

    first = engine.reply(Question(text))
    again = engine.reply(Question(text, untold=frozenset({"cohort"})))

    assert first.decision.missing == ("cohort",)
    assert [(part.question, part.answer_id) for part in again.parts] == [
        ("Khóa 46–Khóa 48", "language-k48"),
        ("Khóa 49", "language-k49"),
    ]


def test_an_answer_for_some_alone_says_for_whom_it_is(engine: Engine) -> None:
    question = Question("thực tập thế nào", profile=Profile({"cohort": "48"}), untold=frozenset({"program"}))

    reply = engine.reply(question)

    assert reply.decision.kind is DecisionKind.ANSWER
    assert [(part.question, part.answer_id) for part in reply.parts] == [("Đại trà", "rule-2")]


def test_who_asks_for_the_cohort_is_not_asked_for_it(ask: Ask) -> None:
    reply = ask("khóa nào chuẩn ngoại ngữ để tốt nghiệp là b1")

    assert [part.question for part in reply.parts] == ["Khóa 46–Khóa 48", "Khóa 49"]


def test_what_is_asked_may_be_the_same_for_all_though_the_rest_is_not(ask: Ask) -> None:
    reply = ask("tiền đặt cọc tủ khóa là bao nhiêu tiền")

    assert [part.question for part in reply.parts] == ["Khóa 46–Khóa 48", "Khóa 49"]
    assert all("200.000 đồng" in part.text for part in reply.parts)
    assert ask("đặt cọc tủ khóa ở đâu").decision.missing == ("cohort",)
