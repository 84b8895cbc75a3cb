"""The page of the language model in a real browser: an administrator chooses a model, and others only look."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from console_driver import SIZES, OpenPages, scrolling_sideways
from playwright.sync_api import expect

from console.api.dependencies import Console
from console.model_desk import ModelDesk
from rag.language_model.choice import ModelChoice
from rag.settings import Settings

pytestmark = pytest.mark.browser


@pytest.fixture
def console(console: Console, tmp_path: Path) -> Console:
    """A console whose state folder is its own, without a model in its settings."""
    return replace(console, model=ModelDesk(Settings(state_dir=tmp_path / "state")))


@pytest.mark.parametrize("size", SIZES)
def test_an_administrator_chooses_a_model_and_goes_back(
    open_pages: OpenPages, console: Console, size: tuple[int, int]
) -> None:
    page = open_pages("administrator", size)
    page.goto("/model")
    page.get_by_role("button", name="Chọn mô hình ngôn ngữ").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Máy chủ").fill("http://127.0.0.1:9/v1")
    expect(form.get_by_role("button", name="Lưu", exact=True)).to_be_disabled()
    form.get_by_label("Mô hình", exact=True).fill("qwen2.5:7b-instruct")
    form.get_by_label("Token nhiều nhất mỗi ngày").fill("5000")
    assert not scrolling_sideways(page)
    form.get_by_role("button", name="Lưu", exact=True).click()

    set_up = page.get_by_test_id("set-up")
    expect(set_up).to_contain_text("qwen2.5:7b-instruct")
    expect(set_up).to_contain_text("Do quản trị chọn ở đây")
    assert console.model.state()["choice"]["daily_tokens"] == 5000

    set_up.get_by_role("button", name="Đổi").click()
    page.get_by_role("button", name="Theo lại tệp .env").click()
    expect(page.get_by_text("Chưa dùng mô hình nào")).to_be_visible()
    assert not console.model.state()["is_chosen"]


def test_what_somebody_else_has_chosen_meanwhile_is_shown_first(
    open_pages: OpenPages, console: Console
) -> None:
    page = open_pages("administrator", (1280, 800))
    page.goto("/model")
    page.get_by_role("button", name="Chọn mô hình ngôn ngữ").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Máy chủ").fill("http://127.0.0.1:9/v1")
    form.get_by_label("Mô hình", exact=True).fill("mine")
    theirs = ModelChoice(url="http://127.0.0.1:8/v1", model="theirs")
    console.model.choose(theirs, console.model.state()["version"])

    form.get_by_role("button", name="Lưu", exact=True).click()
    expect(form.get_by_text("Mô hình: theirs")).to_be_visible()
    form.get_by_role("button", name="Giữ bản của tôi để lưu").click()
    form.get_by_role("button", name="Lưu", exact=True).click()

    expect(page.get_by_test_id("set-up")).to_contain_text("mine")


def test_an_editor_only_looks(open_pages: OpenPages) -> None:
    page = open_pages("editor", (1280, 800))
    page.goto("/model")

    expect(page.get_by_text("Chưa dùng mô hình nào")).to_be_visible()
    expect(page.get_by_role("button", name="Chọn mô hình ngôn ngữ")).to_have_count(0)
