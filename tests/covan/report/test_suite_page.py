"""The report of a suite has its claims, tables, and every mistake with its trace; it fetches and executes nothing."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest
from labelled_replies import ANSWER, CLARIFY, NO_ANSWER, judged, labelled, reply

from covan.evaluation.figures import measures
from covan.evaluation.judged import Judged
from covan.evaluation.measure import Run
from covan.evaluation.suite import Suite, claims
from covan.report import suite_page
from covan.report.suite_files import write
from covan.report.suite_page import best, meaning, page, reading
from covan.report.suite_report import Report
from rag.types import DOCUMENT_SOURCE
from school.dimensions import Profile

HOSTILE = "<script>alert('x')</script>\" onload=\"x"
SUITE = Suite.model_validate(
    {
        "title": "Small school",
        "about": f"Questions of {HOSTILE}",
        "knowledge": "k",
        "questions": "q",
        "command": "covan eval small",
        "at_least": {"accuracy": 0.25, "answered.right": 0.9, "no.such": 1},
    }
)
ITEMS = (
    judged(labelled(ANSWER, "a", id="fine", text="Câu hỏi không sai"), reply(ANSWER, answer_id="a")),
    judged(
        labelled(ANSWER, "doc", id="bad", text=HOSTILE, profile=Profile({"cohort": "47"})),
        reply(ANSWER, answer_id=HOSTILE, text=HOSTILE, cited=HOSTILE, confidence=0.9, source=DOCUMENT_SOURCE),
        ranking=("x", "doc"),
    ),
    judged(labelled(NO_ANSWER, id="asked", topic=HOSTILE), reply(CLARIFY, missing=("cohort",))),
    judged(labelled(ANSWER, "a", id="silent"), reply(NO_ANSWER)),
)


def run(preset: str, items: tuple[Judged, ...] = ITEMS) -> Run:
    return Run(preset, "v1", items, measures(items, frozenset({"doc"})))


def report(*runs: Run) -> Report:
    return Report(
        "small", SUITE, runs, tuple(claims(SUITE, runs[0].figures)), datetime(2030, 1, 2, tzinfo=UTC)
    )


class Page(HTMLParser):
    """The tags with their attributes, and the text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_nothing_is_executed_or_fetched() -> None:
    found = Page(page(report(run("covan"), run(HOSTILE))))

    assert not {"script", "img", "link", "iframe", "object"} & {tag for tag, _ in found.tags}
    for _, attributes in found.tags:
        assert not [name for name in attributes if name.startswith("on") or name == "src"]
        assert all(
            (value or "").startswith("#") for name, value in attributes.items() if name.endswith("href")
        )
    policy = next(a["content"] for _, a in found.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert found.text.count(HOSTILE) >= 5


def test_claims_beside_what_was_measured() -> None:
    rows = re.findall(r"<tr><th>([\w.]+)<span.*?verdict (\w+)", page(report(run("covan"))), re.DOTALL)

    assert rows == [("accuracy", "good"), ("answered.right", "bad"), ("no.such", "bad")]


def test_mistakes_the_most_harmful_first_with_what_led_to_them() -> None:
    html = page(report(run("covan")))
    found = Page(html)

    classes = [
        a["class"] for tag, a in found.tags if tag == "details" and "mistake" in (a.get("class") or "")
    ]
    assert classes == ["mistake wrong_answer harmful", "mistake not_answered", "mistake not_refused"]
    assert "Câu hỏi không sai" not in found.text
    assert "cohort 47" in found.text
    assert "the right document is number 2" in found.text
    assert "asks for cohort" in found.text


def test_mistakes_are_filtered_by_kinds_that_there_are() -> None:
    html = page(report(run("covan")))

    kinds = {a["id"] for tag, a in Page(html).tags if tag == "input"}
    assert kinds == {"only-all", "only-wrong_answer", "only-not_answered", "only-not_refused"}
    for kind in kinds - {"only-all"}:
        assert f"body:has(#{kind}:checked)" in html


def test_a_page_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite_page, "MOST_MISTAKES", 1)

    html = page(report(run("covan")))

    assert html.count('<details class="mistake') == 1
    assert "The last 2 are only in the JSON file." in html


def test_a_suite_without_mistakes_or_answers_has_a_page_too() -> None:
    silent = judged(labelled(NO_ANSWER, topic=""), reply(NO_ANSWER, embed=0))

    text = Page(page(report(run("covan", (silent,))))).text

    assert "None." in text
    assert "By topic" not in text


def test_presets_side_by_side_with_the_best_of_each_column() -> None:
    mended = judged(labelled(ANSWER, "doc", id="bad"), reply(ANSWER, cited="doc"), ranking=("doc",))
    better = run("better", (ITEMS[0], mended, ITEMS[2], ITEMS[3]))
    html = page(report(run("covan"), better))

    text = Page(html).text
    assert "0 questions that covan gets right and better does not" in text
    assert "1 question that better gets right and covan does not" in text
    figures = best([run("covan"), better])
    assert figures["accuracy"] == better.figures["accuracy"] == 0.5
    assert figures["aurc"] == better.figures["aurc"] == 0
    assert "answered" not in figures


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("accuracy", 0.8155, "81.5\N{NO-BREAK SPACE}%"),
        ("aurc", 0.0631, "0.063"),
        ("nDCG@10", 0.92, "0.920"),
        ("undiacritised.nDCG@10", 0.92, "0.920"),
        ("latency_ms.p50", 21.04, "21.0\N{NO-BREAK SPACE}ms"),
        ("latency_ratio.p95", 1.5, "1.50\N{MULTIPLICATION SIGN}"),
    ],
)
def test_figures_are_read_in_their_units(name: str, value: float, read: str) -> None:
    assert reading(name, value) == read


def test_every_figure_is_explained() -> None:
    assert [name for name in run("covan").figures if not meaning(name)] == []
    assert "in_scope" in meaning("in_scope.right")
    assert meaning("no.such") == ""


def test_both_files_are_written_where_they_are_wanted(tmp_path: Path) -> None:
    made = write(report(run("covan")), tmp_path / "reports")
    compared = write(report(run("presets/own.yml"), run("covan")), tmp_path / "reports")

    assert [path.name for path in made] == ["small-covan.html", "small-covan.json"]
    assert [path.name for path in compared] == ["small-own-compared.html", "small-own-compared.json"]
    data = json.loads(made[1].read_text(encoding="utf-8"))
    assert data["runs"][0]["figures"]["accuracy"] == 0.25
    assert [claim["kept"] for claim in data["claims"]] == [True, False, False]
    assert data["runs"][0]["confusion"]["answer"]["answered_wrong"] == 1
    wrong = data["runs"][0]["questions"][1]
    assert (wrong["id"], wrong["right"], wrong["mistake"]) == ("bad", False, "wrong_answer")
    assert wrong["ranking"] == ["x", "doc"]

    own, beside = json.loads(compared[1].read_text(encoding="utf-8"))["runs"]
    assert own["questions"][1]["answer"] == HOSTILE
    assert [(item["id"], item["right"]) for item in beside["questions"]] == [
        ("fine", True),
        ("bad", False),
        ("asked", False),
        ("silent", False),
    ]
