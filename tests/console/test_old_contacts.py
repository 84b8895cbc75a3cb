"""A number that was changed in the catalogue: the answers, facts and documents that still have the old one are told."""

from __future__ import annotations

import re
from typing import Any

import pytest
from console_driver import SIZES, Enter, OpenPages, in_view
from fastapi.testclient import TestClient
from playwright.sync_api import expect

from console.old_contacts import _pattern

OLD, NEW = "(0200) 3800 111", "(0200) 3800 999"
OFFICE = "ban-ktx"
ASKED = "Gọi ai khi mất chìa khóa phòng?"


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("gọi (0200) 3800 111.", True),
        ("số 02003800111", True),
        ("+84 200 3800 111", True),
        ("số 3800 111, máy lẻ 3", True),
        ("3.800.111", True),
        ("3800 1112", False),
        ("93800 111", False),
        ("3800 112", False),
    ],
)
def test_a_number_is_found_however_it_is_written(text: str, has: bool) -> None:
    assert bool(re.search(_pattern("02003800111"), text)) is has


def office(client: TestClient) -> dict[str, Any]:
    sections = client.get("/api/catalogue").json()["sections"]
    parts = next(each for each in sections if each["id"] == "office")["parts"]
    return dict(next(each for each in parts if each["id"] == OFFICE))


def change(client: TestClient, **fields: str) -> dict[str, Any]:
    now = office(client)
    done = client.put(
        f"/api/catalogue/office/{OFFICE}", json={**now["values"], **fields, "version": now["version"]}
    )
    assert done.status_code == 200, done.text
    return dict(done.json()["old_contacts"])


def answer(client: TestClient, text: str) -> str:
    body = {
        "question": ASKED,
        "answer": text,
        "topic": "dormitory",
        "public_contacts": ["3800 111", "3800 999"],
    }
    made = client.post("/api/faq/entries", json=body)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def test_the_places_with_an_old_number_are_told_after_it_was_changed(enter: Enter) -> None:
    client = enter("editor")
    assert change(client, phone=OLD) == {"places": [], "count": 0}
    made = answer(client, "Gọi 3800 111.")
    assert (
        client.post(
            "/api/facts", json={"name": "facts.dormitory.2026.phone", "value": "0200 3800111"}
        ).status_code
        == 201
    )

    assert change(client, name="Ban Quản lý KTX") == {"places": [], "count": 0}
    told = change(client, phone=NEW)

    assert told["count"] == 2
    assert [(each["kind"], each["id"]) for each in told["places"]] == [
        ("entry", made),
        ("fact", "facts.dormitory.2026.phone"),
    ]
    assert told["places"][0]["name"] == ASKED


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_the_editor_goes_from_the_new_number_to_the_answers_with_the_old_one(
    open_pages: OpenPages, enter: Enter, size: tuple[int, int]
) -> None:
    client = enter("administrator")
    change(client, phone=OLD)
    answer(client, "Gọi 3800 111.")
    page = open_pages("editor", size)
    page.goto("/topics")
    page.get_by_text("Danh mục", exact=True).click()
    page.get_by_test_id("part").filter(has_text="Ban Quản lý ký túc xá").click()
    page.get_by_label("Điện thoại", exact=True).fill(NEW)
    page.get_by_role("button", name="Lưu", exact=True).click()

    told = page.get_by_test_id("old-contacts")
    expect(told).to_contain_text("còn ở 1 chỗ")
    assert in_view(page)
    told.get_by_role("link", name=ASKED).click()
    expect(page.get_by_role("dialog").get_by_role("textbox", name="Câu trả lời")).to_have_value(
        "Gọi 3800 111."
    )
