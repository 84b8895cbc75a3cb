"""A page whose changes go live with a build says that the build runs, and when it is done."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import index_process
import pytest
from console_driver import SIZES, OpenPages, scrolling_sideways
from embedder_stand_in import EmbedderStandIn
from playwright.sync_api import Route, expect
from test_documents import TEXT

from console.publishing import Publisher

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"


@pytest.fixture
def publisher(tmp_path: Path, built: Path) -> Iterator[Publisher]:
    folder = Path(shutil.copytree(SMALL_SCHOOL, tmp_path / "school"))
    index = Path(shutil.copytree(built, tmp_path / "index"))
    made = Publisher(folder, index, EmbedderStandIn(), rebuild=index_process.command)
    yield made
    made.close()


@pytest.mark.browser
@pytest.mark.usefixtures("school")
@pytest.mark.parametrize("size", SIZES)
def test_a_document_is_said_to_be_live(open_pages: OpenPages, tmp_path: Path, size: tuple[int, int]) -> None:
    page = open_pages("editor", size)
    page.goto("/documents")
    file = tmp_path / "thue-tu-do.txt"
    file.write_text(TEXT, encoding="utf-8")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Đăng", exact=True).click()

    state = page.get_by_role("status")
    expect(state.filter(has_text="Đang đọc lại các văn bản")).to_be_visible()
    live = state.filter(has_text=re.compile(r"Xong lúc \d\d:\d\d\. Covan đang trả lời theo bản mới\."))
    expect(live).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Đang chờ đọc")).to_be_hidden()
    assert scrolling_sideways(page) == []
    live.get_by_role("button", name="Đóng").click()
    expect(live).to_be_hidden()


@pytest.mark.browser
@pytest.mark.usefixtures("school")
@pytest.mark.parametrize("size", SIZES)
def test_what_becomes_of_a_saved_topic_is_said_where_one_looks(
    open_pages: OpenPages, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    page.goto("/topics/topic~dormitory")
    page.get_by_label("Câu hỏi mẫu").fill(
        "\n".join(f"Phòng số {number} còn chỗ không?" for number in range(12))
    )
    page.get_by_role("button", name="Lưu", exact=True).scroll_into_view_if_needed()
    page.mouse.wheel(0, 5_000)
    page.get_by_role("button", name="Lưu", exact=True).click()

    state = page.get_by_role("status")
    live = state.filter(has_text="Covan đang trả lời theo bản mới.")
    expect(state.filter(has_text="Đang đọc lại các văn bản").or_(live)).to_be_in_viewport()
    expect(live).to_be_visible(timeout=60_000)
    expect(live).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Lưu", exact=True)).to_be_in_viewport()


@pytest.mark.browser
@pytest.mark.parametrize("path", ["documents", "topics"])
def test_the_wait_is_counted_from_its_beginning_not_from_when_the_page_was_opened(
    open_pages: OpenPages, path: str
) -> None:
    page = open_pages("editor", (1280, 800))

    def in_the_middle(route: Route) -> None:
        told = route.fetch().json()
        route.fulfill(json={**told, "building": True, "building_s": 75.0})

    page.route(f"**/api/{path}", in_the_middle)
    page.goto(f"/{path}")

    expect(page.get_by_role("status")).to_contain_text(re.compile(r"Đã chờ 7\d giây"))
