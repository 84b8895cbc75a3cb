"""The list of FAQ entries: page by page, by owner, those due for a review, and whom each one holds for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from console_driver import LAPTOP, NOW, Enter, OpenPages
from fastapi.testclient import TestClient
from playwright.sync_api import expect

from console.api.faq import MOST_FOUND
from console.faq_files import rendered
from console.publishing import Publisher
from console.reviews import REVIEW_DAYS

TODAY = date.fromtimestamp(NOW)
MORE = 60


@pytest.fixture
def faq(publisher: Publisher) -> Path:
    """The folder of the small school's entries."""
    return publisher.files.knowledge / "faq"


def write(faq: Path, *entries: dict[str, Any]) -> None:
    text = "".join(rendered({"topic": "study", "answer": "Có.", **each}) for each in entries)
    (faq / "more.yml").write_text(text, encoding="utf-8")


def found(client: TestClient, **wanted: str | int) -> dict[str, Any]:
    got = client.get("/api/faq", params=wanted)
    assert got.status_code == 200, got.text
    return dict(got.json())


def ids(told: dict[str, Any]) -> Sequence[str]:
    return [each["id"] for each in told["entries"]]


def test_all_entries_are_reached_page_by_page_each_once(enter: Enter, faq: Path) -> None:
    write(faq, *({"id": f"more-{each}", "question": f"Câu thêm {each}?"} for each in range(MORE)))
    client = enter("advisor")

    first = found(client)
    assert len(first["entries"]) == MOST_FOUND < first["count"]
    seen = [*ids(first)]
    while len(seen) < first["count"]:
        seen += ids(found(client, skip=len(seen)))
    assert len({*seen}) == len(seen) == first["count"]
    assert ids(found(client, skip=first["count"])) == []
    # What is searched goes on behind its own first page.
    assert len(found(client, text="cau them", skip=MOST_FOUND)["entries"]) == MORE - MOST_FOUND


def test_an_owners_entries_are_found(enter: Enter, faq: Path) -> None:
    write(
        faq,
        {"id": "a", "question": "A?", "owner": "phong-dao-tao"},
        {"id": "b", "question": "B?", "owner": "ban-ktx"},
    )
    client = enter("advisor")

    assert ids(found(client, owner="ban-ktx")) == ["b"]
    assert ids(found(client, owner="nobody")) == []


def test_entries_without_a_review_within_a_year_are_due_the_oldest_first(enter: Enter, faq: Path) -> None:
    ago = {"just-now": 0, "in-time": REVIEW_DAYS, "late": REVIEW_DAYS + 1, "very-late": 3 * REVIEW_DAYS}
    reviewed = {name: (TODAY - timedelta(days)).isoformat() for name, days in ago.items()}
    write(
        faq,
        *({"id": name, "question": f"{name}?", "reviewed_at": day} for name, day in reviewed.items()),
        {"id": "never", "question": "never?"},
    )
    client = enter("advisor")

    due = found(client, due=True)
    listed = [each for each in ids(due) if each in {*ago, "never"}]
    assert listed == ["never", "very-late", "late"]
    assert due["due_days"] == REVIEW_DAYS
    assert due["count"] == due["due"] == found(client)["due"]
    assert ids(found(client, due=True, text="late?")) == ["very-late", "late"]


def test_an_entry_tells_whom_it_holds_for(enter: Enter, faq: Path) -> None:
    write(faq, {"id": "all", "question": "Cho mọi người?"})
    told = {each["id"]: each["applies_to"] for each in found(enter("advisor"))["entries"]}

    assert told["language-k48"] == {"cohorts": ["-48"]}
    assert told["tuition-clc"] == {"programs": ["clc"]}
    assert told["all"] == {}


@pytest.mark.browser
def test_the_page_shows_more_on_demand_and_tells_entries_of_one_question_apart(
    open_pages: OpenPages, faq: Path
) -> None:
    late = (TODAY - timedelta(REVIEW_DAYS + 1)).isoformat()
    of_one = {
        "owner": "ban-ktx",
        "reviewed_at": late,
        "applies_to": {"majors": ["cntt"], "cohorts": ["47-49"]},
    }
    more = [{"id": f"more-{each}", "question": f"Câu thêm {each}?"} for each in range(MORE)]
    write(faq, {**more[0], **of_one}, *more[1:])
    page = open_pages("editor", LAPTOP)
    page.goto("/faq")
    entries = page.get_by_test_id("entry")

    total = MORE + 10
    expect(page.get_by_text(f"Đang hiện {MOST_FOUND} trong {total} câu")).to_be_visible()
    page.get_by_role("button", name="Xem thêm").click()
    expect(entries).to_have_count(total)
    expect(page.get_by_text("Đang hiện")).to_have_count(0)

    alike = entries.filter(has_text="Chuẩn ngoại ngữ để tốt nghiệp là gì?").get_by_test_id("applies-to")
    expect(alike).to_have_text(["đến Khóa 48", "từ Khóa 49"])

    page.get_by_role("combobox", name="Phòng phụ trách").click()
    page.get_by_role("option", name="Ban Quản lý ký túc xá").click()
    expect(entries).to_have_count(1)
    expect(entries.get_by_test_id("applies-to")).to_have_text(["Công nghệ thông tin", "Khóa 47 đến Khóa 49"])

    page.get_by_role("combobox", name="Phòng phụ trách").click()
    page.get_by_role("option", name="Ban Quản lý ký túc xá").click()
    page.get_by_text(f"Chưa rà soát trong {REVIEW_DAYS} ngày qua: {total}").click()
    page.get_by_role("textbox", name="Tìm trong câu hỏi").fill(f"câu thêm {MORE - 1}")
    expect(entries).to_have_count(1)


def test_a_file_that_was_broken_by_hand_is_told_in_the_readers_language(enter: Enter, school: Path) -> None:
    client = enter("editor")
    path = school / "faq" / "faq.yml"
    path.write_text(path.read_text(encoding="utf-8") + "- id: [\n", encoding="utf-8")

    vi = client.get("/api/faq", headers={"Accept-Language": "vi"})
    en = client.get("/api/faq", headers={"Accept-Language": "en"})

    assert vi.status_code == en.status_code == 422
    assert re.search(r"Tệp faq/faq\.yml .* dòng \d+: .*Phiên bản", vi.json()["message"])
    assert re.search(r"faq/faq\.yml .* line \d+: .*Versions", en.json()["message"])
