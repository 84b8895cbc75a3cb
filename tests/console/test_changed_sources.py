"""Entries that cite a clause whose text changed after they were last edited or reviewed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from console_driver import Enter, OpenPages, fill_day
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient
from playwright.sync_api import expect

from console.publishing import Publisher
from rag.ingest.build import build_index

ENTRY = "language-k48"
DOCUMENT = Path("documents/ngoai-ngu-k48.md")
FIELDS = ("question", "variants", "answer", "topic", "sources", "applies_to", "owner", "reviewed_at")


def rewrite(publisher: Publisher, file: Path, old: str, new: str) -> None:
    """Change a file of the folder by hand, and index it."""
    path = publisher.files.knowledge / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    build_index(publisher.files.knowledge, publisher.live.folder, EmbedderStandIn())


def flagged(client: TestClient) -> Sequence[str]:
    """Return the ids of flagged entries, which the list and its count agree on."""
    found = client.get("/api/faq", params={"changed": True}).json()
    ids = [entry["id"] for entry in found["entries"] if entry["changed"]]
    assert len(ids) == found["count"] == found["changed"]
    return ids


def save(client: TestClient, **changed: str) -> None:
    entry = client.get(f"/api/faq/entries/{ENTRY}").json()
    fields = {name: entry[name] for name in FIELDS}
    body: dict[str, Any] = {**fields, "version": entry["version"], **changed}
    saved = client.put(f"/api/faq/entries/{ENTRY}", json=body)
    assert saved.status_code == 200, saved.text


def test_an_entry_whose_clause_changed_is_flagged_until_it_is_saved(
    enter: Enter, publisher: Publisher
) -> None:
    client = enter("editor")
    assert flagged(client) == []

    rewrite(publisher, DOCUMENT, "TOEIC 450", "TOEIC 500")

    assert flagged(client) == [ENTRY]
    [source] = client.get(f"/api/faq/entries/{ENTRY}").json()["changed_sources"]
    assert (source["document"], source["locator"]) == ("ngoai-ngu-k48", "Điều 1")
    assert "TOEIC 450" in source["before"]
    assert "TOEIC 500" in source["now"]

    save(client, reviewed_at="2026-11-26")

    assert flagged(client) == []
    assert client.get(f"/api/faq/entries/{ENTRY}").json()["changed_sources"] == []
    # Against the text that the entry was reviewed over.
    rewrite(publisher, DOCUMENT, "TOEIC 500", "TOEIC 450")
    assert flagged(client) == [ENTRY]


def test_saving_an_entry_as_it_is_settles_it(enter: Enter, publisher: Publisher) -> None:
    client = enter("editor")
    save(client, reviewed_at="2026-11-26")
    rewrite(publisher, DOCUMENT, "TOEIC 450", "TOEIC 500")
    assert flagged(client) == [ENTRY]

    save(client)

    assert flagged(client) == []


def test_an_entry_that_was_reviewed_by_hand_is_settled(enter: Enter, publisher: Publisher) -> None:
    client = enter("editor")
    assert flagged(client) == []
    rewrite(publisher, DOCUMENT, "TOEIC 450", "TOEIC 500")
    assert flagged(client) == [ENTRY]

    [file] = {publisher.files.entry(ENTRY).file}  # type: ignore[union-attr]
    rewrite(publisher, Path(file), f"id: {ENTRY}\n", f"id: {ENTRY}\n  reviewed_at: 2026-11-26\n")

    assert flagged(client) == []


def test_another_clause_and_other_lines_do_not_matter(enter: Enter, publisher: Publisher) -> None:
    client = enter("editor")
    assert flagged(client) == []

    rewrite(publisher, DOCUMENT, "ít nhất 30 ngày", "ít nhất 45 ngày")
    rewrite(publisher, DOCUMENT, "1. Sinh viên phải đạt TOEIC", "1. Sinh viên  phải đạt TOEIC")

    assert flagged(client) == []


def test_a_clause_that_is_gone_is_a_change(enter: Enter, publisher: Publisher) -> None:
    client = enter("editor")
    assert flagged(client) == []

    rewrite(publisher, DOCUMENT, "### Điều 1. Mức chuẩn", "### Điều 5. Mức chuẩn")

    assert flagged(client) == [ENTRY]
    [source] = client.get(f"/api/faq/entries/{ENTRY}").json()["changed_sources"]
    assert (bool(source["before"]), source["now"]) == (True, "")


def test_flags_outlast_the_process(publisher: Publisher) -> None:
    publisher.sources.changed()
    rewrite(publisher, DOCUMENT, "TOEIC 450", "TOEIC 500")

    for _ in range(2):
        restarted = Publisher(publisher.files.knowledge, publisher.live.folder, EmbedderStandIn())
        assert list(restarted.sources.changed()) == [ENTRY]


def test_a_damaged_record_is_made_anew(publisher: Publisher, tmp_path: Path) -> None:
    publisher.sources.changed()
    [record] = tmp_path.glob("cited_clauses.json")
    shutil.copy(record, tmp_path / "before.json")
    for damaged in (b'{"entries": [', b"[]", b'{"entries": [], "texts": 1}'):
        record.write_bytes(damaged)

        restarted = Publisher(publisher.files.knowledge, publisher.live.folder, EmbedderStandIn())

        assert restarted.sources.changed() == {}
        assert record.read_bytes() == (tmp_path / "before.json").read_bytes()


@pytest.mark.browser
@pytest.mark.parametrize("size", [(1300, 850), (390, 844)], ids=["laptop", "phone"])
def test_a_changed_source_is_read_beside_the_old_text(
    open_pages: OpenPages, publisher: Publisher, school: Path, size: tuple[int, int]
) -> None:
    del school  # keeps versions
    publisher.sources.changed()
    rewrite(publisher, DOCUMENT, "TOEIC 450", "TOEIC 500")
    page = open_pages("editor", size)

    page.goto("/faq")
    page.get_by_text("Nguồn đã đổi: 1").click()
    entry = page.get_by_test_id("entry")
    expect(entry).to_have_count(1)
    expect(entry).to_contain_text("Nguồn đã đổi")
    entry.click()
    changed = page.get_by_test_id("changed-sources")
    expect(changed.get_by_role("link")).to_contain_text("Điều 1")
    expect(changed.locator("mark")).to_contain_text(["TOEIC 450", "TOEIC 500"])

    fill_day(page.get_by_label("Ngày rà soát gần nhất"), "2026-11-26")
    page.get_by_role("button", name="Đăng", exact=True).click()
    expect(page.get_by_text("Nguồn đã đổi: 0")).to_be_visible()
    expect(page.get_by_test_id("entry")).to_have_count(0)
