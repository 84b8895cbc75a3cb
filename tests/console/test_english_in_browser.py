"""The console in English: words that go with their number, and the school's own English names."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from console_driver import LAPTOP, NOW, Enter, OpenPages, Students
from embedder_stand_in import EmbedderStandIn
from playwright.sync_api import expect

from console.publishing import Publisher
from rag.ingest.build import build_index

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"
QUESTION = "Trường có cho thuê sân bóng không?"


@pytest.fixture
def publisher(tmp_path: Path) -> Publisher:
    """Of the small school, whose first topic has an English name here."""
    folder = Path(shutil.copytree(SMALL_SCHOOL, tmp_path / "school"))
    topics = folder / "topics.yml"
    named = topics.read_text(encoding="utf-8").replace("name: Học vụ,", "name: Học vụ, name_en: Studies,")
    topics.write_text(named, encoding="utf-8")
    index = tmp_path / "index"
    build_index(folder, index, EmbedderStandIn())
    return Publisher(folder, index, EmbedderStandIn())


@pytest.mark.parametrize(("language", "name"), [("", "Học vụ"), ("vi", "Học vụ"), ("en", "Studies")])
def test_topics_have_the_name_of_the_pages_language(
    enter: Enter, students: Students, language: str, name: str
) -> None:
    trace = students.asks(QUESTION, topic="study", trace={"intents": {"ask_study": 0.5}}, at=NOW - 50)
    client = enter("administrator")
    client.headers["Accept-Language"] = language

    def told(path: str) -> dict[str, Any]:
        answer = client.get(f"/api/{path}")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    assert {"id": "study", "name": name} in told("faq/sources")["topics"]
    assert told("conversations/filters")["topic_names"]["study"] == name
    [turn] = told(f"conversations/{trace}")["turns"].values()
    assert turn["trace"]["topics"] == {"ask_study": name}
    assert told("nlu")["topics"]["ask_study"] == name
    assert told("audit")["names"]["topic/study"] == name


@pytest.mark.browser
def test_one_of_a_thing_is_in_the_singular_and_topics_are_in_english(
    open_pages: OpenPages, students: Students
) -> None:
    students.asks(QUESTION, topic="study")
    page = open_pages("editor", LAPTOP)
    page.goto("/gaps")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_text("1 student", exact=False).first).to_be_visible()
    expect(page.get_by_text("1 students")).to_have_count(0)
    expect(page.get_by_text("1 questions")).to_have_count(0)

    students.asks(QUESTION, "binh", topic="study")
    page.reload()
    expect(page.get_by_text("2 students", exact=False).first).to_be_visible()

    page.goto("/faq")
    topic = page.get_by_role("combobox", name="Topic")
    topic.click()
    expect(page.get_by_role("option", name="Studies")).to_be_visible()
    # Those that are on the page change with it.
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Tiếng Việt").click()
    page.get_by_role("combobox", name="Chủ đề").click()
    expect(page.get_by_role("option", name="Học vụ")).to_be_visible()
