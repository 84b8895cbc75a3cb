"""Mistakes in calculators are reported with their file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.errors import KnowledgeError
from rag.ingest.load import load_knowledge

FILE = "calculators/dormitory.yml"
CALCULATOR = """- id: months
  question: Ở ký túc xá 5 tháng hết bao nhiêu tiền?
  topic: dormitory
  sources: [{document: noi-quy-ktx, locator: "Điều 3, khoản 2"}]
  inputs:
    months: {units: months, least: 1, most: 12, ask: "Bạn ở mấy tháng?"}
  steps:
    total: months * number("dormitory.2026.room")
  cases:
    - when: months > 10
      say: "Cả năm."
    - say: "{{ total | money }}"
"""


def problems(school: Path, text: str) -> list[str]:
    (school / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(KnowledgeError) as caught:
        load_knowledge(school)
    return [f"{problem.line}: {problem.message}" for problem in caught.value.problems if problem.file == FILE]


def test_a_right_one_is_loaded_with_the_facts(school: Path) -> None:
    (school / FILE).write_text(CALCULATOR, encoding="utf-8")

    knowledge = load_knowledge(school)

    [calculator] = knowledge.calculators
    assert (calculator.id, calculator.steps[0][0], len(calculator.cases)) == ("months", "total", 2)
    assert knowledge.facts["facts.dormitory.2026.room"]


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("units: months", "units: month", 6, "no unit 'month'; did you mean 'months'"),
        ("topic: dormitory", "topic: dorm", 3, "no topic 'dorm'"),
        ("noi-quy-ktx", "noi-quy", 4, "no document 'noi-quy'"),
        ("months * number", "month * number", 8, "'month' is neither an input nor a step above"),
        ("2026.room", "2025.room", 8, "there is no fact 'facts.dormitory.2025.room'"),
        ("months * number", "months ** number", 8, "Pow is not allowed"),
        ("months * number", "months * open", 8, "there is no function open"),
        ("months > 10", "months >", 10, "invalid syntax"),
        ("| money", "| dollars", 12, "no format 'dollars'"),
        ("total | money", "totals | money", 12, "'totals' is neither"),
        ("months * number", "months / (months - 12) * number", 1, "no result for months = 12.0"),
        (', ask: "Bạn ở mấy tháng?"', "", 6, "needs `ask`"),
        ("units: months", "unit: months", 6, "unknown key 'unit'"),
    ],
)
def test_a_mistake_is_reported_with_its_line(school: Path, old: str, new: str, line: int, said: str) -> None:
    assert old in CALCULATOR

    found = problems(school, CALCULATOR.replace(old, new, 1))

    assert any(problem.startswith(f"{line}: ") and said in problem for problem in found), found


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("format: points", "format: marks", "8: there is no format 'marks'"),
        ("months >= number", "weeks >= number", "7: 'weeks' is neither"),
        ("months >= number", "months / 0 >= number", "1: "),
    ],
)
def test_a_mistake_in_a_list_is_reported_with_its_line(school: Path, old: str, new: str, said: str) -> None:
    (school / "facts" / "fees.yml").write_text("least: {cntt: 4 tháng, ketoan: 6 tháng}\n", encoding="utf-8")
    text = """- id: majors
  question: Ở 5 tháng thì học được ngành nào?
  topic: dormitory
  sources: [{document: noi-quy-ktx, locator: "Điều 3, khoản 2"}]
  inputs: {months: {units: months, least: 1, most: 12, ask: "Mấy tháng?"}}
  compare: {over: major,
    where: 'months >= number("fees.least", major)',
    columns: [{title: Ít nhất, value: 'number("fees.least", major)', format: points}]}
  cases: [{say: "{{ fitting }} ngành"}]
"""
    (school / FILE).write_text(text, encoding="utf-8")
    [calculator] = load_knowledge(school).calculators
    assert calculator.comparison is not None
    assert (calculator.comparison.where is not None, calculator.comparison.columns[0].format) == (
        True,
        "points",
    )
    assert any(said in problem for problem in problems(school, text.replace(old, new, 1)))


def test_an_id_stands_once(school: Path) -> None:
    assert any("the id 'months' is taken" in problem for problem in problems(school, CALCULATOR + CALCULATOR))


OF_MAJORS = """- id: fee
  question: Học phí ngành kế toán bao nhiêu?
  topic: tuition
  sources: [{document: quy-che-2025}]
  inputs:
    major: {dimension: major}
  steps:
    group: fact("fees.group", major)
    base: number("fees.base", group)
    total: base * number("fees.share", major) / (0 if major == "ketoan" and base > 400000 else 1)
  cases:
    - say: "{{ total | money }}"
"""
FEES = """
group: {cntt: high, ketoan: low}
base: {high: 500.000 đồng, low: 400.000 đồng}
share: {cntt: "1", ketoan: "2"}
"""


def of_majors(school: Path, catalog: str, facts: str) -> list[str]:
    (school / "facts" / "fees.yml").write_text(facts, encoding="utf-8")
    path = school / "catalog.yml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("majors:\n", f"majors:\n{catalog}"), encoding="utf-8"
    )
    return problems(school, OF_MAJORS)


def test_all_facts_that_a_new_major_lacks_are_told_at_once(school: Path) -> None:
    new = "  - {id: luat, name: Luật, programs: [standard]}\n  - {id: duoc, name: Dược}\n"

    told = of_majors(school, new, FEES)

    assert len(told) == 4
    for fact in (
        "facts.fees.group.luat (Luật)",
        "facts.fees.share.luat (Luật)",
        "facts.fees.group.duoc (Dược)",
        "facts.fees.share.duoc (Dược)",
    ):
        assert any(fact in each and "Học phí ngành kế toán bao nhiêu?" in each for each in told), told
    assert any("facts.fees.group.cntt: 'high'" in each for each in told)


def test_a_failure_beside_a_lacking_fact_is_told_with_it(school: Path) -> None:
    told = of_majors(school, "  - {id: luat, name: Luật}\n", FEES.replace("400.000", "450.000"))

    assert [each for each in told if "no result for major = ketoan" in each]
    assert [each for each in told if "facts.fees.group.luat" in each]
