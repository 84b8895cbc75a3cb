"""The page of `covan graph view` in a real browser: search, expand, filter, open the source."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from graph_school import GRAPH_SCHOOL, built, stored
from playwright.sync_api import Browser, Error, Page, Request, expect

from covan.graph_view import write_view
from covan.locale import sentences
from rag.graph.sources import PlaceNames
from rag.settings import Settings


@pytest.fixture
def requested() -> list[str]:
    return []


@pytest.fixture
def page(browser: Browser, tmp_path: Path, requested: list[str]) -> Iterator[Page]:
    store = stored(built(GRAPH_SCHOOL, tmp_path), tmp_path / "store")
    words = sentences(Settings(locale="vi"), "graph")
    write_view(store, PlaceNames((), store.tables), (), words, "vi", tmp_path / "graph.html")
    opened = browser.new_page()
    faults: list[str] = []

    def note(request: Request) -> None:
        requested.append(request.url)

    def fail(error: Error) -> None:
        faults.append(error.message)

    opened.on("pageerror", fail)
    opened.on("request", note)
    opened.goto((tmp_path / "graph.html").as_uri())
    yield opened
    opened.close()
    assert faults == []


def test_a_course_is_found_shown_and_followed_without_a_network(page: Page, requested: list[str]) -> None:
    page.get_by_label("Tìm theo tên hoặc mã").fill("cau truc du lieu")
    page.locator("#results .entry").first.click()

    expect(page.get_by_role("heading", level=2)).to_have_text("Cấu trúc dữ liệu")
    page.locator("#details ul .entry", has_text="Kỹ thuật lập trình").first.click()
    expect(page.get_by_role("heading", level=2)).to_have_text("Kỹ thuật lập trình")
    page.get_by_role("button", name="Mở rộng").click()
    assert len(requested) == 1


def test_a_type_that_is_filtered_out_is_not_found(page: Page) -> None:
    page.get_by_label("Học phần").uncheck()
    page.get_by_label("Tìm theo tên hoặc mã").fill("CT201")

    expect(page.locator("#results .entry")).to_have_count(0)
