"""Offices in charge of what editors write, and the parts of it that nobody has reviewed for a year."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from console_driver import LAPTOP, NOW, SIZES, Enter, OpenPages, fill_day, git, in_view
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient
from playwright.sync_api import expect

from console.publishing import Publisher
from console.reviews import REVIEW_DAYS
from rag.ingest.build import build_index
from rag.ingest.load import load_knowledge

TODAY = date.fromtimestamp(NOW)
IN_TIME = (TODAY - timedelta(REVIEW_DAYS)).isoformat()
LATE = (TODAY - timedelta(REVIEW_DAYS + 1)).isoformat()
ROOM = "facts.dormitory.2026.room"
BESIDE = "facts/dormitory.meta.yml"


def listed(client: TestClient, address: str, key: str, **wanted: Any) -> dict[str, dict[str, Any]]:
    """Return what a list has, by id or full name."""
    told = client.get(f"/api/{address}", params=wanted).json()
    assert told["due_days"] == REVIEW_DAYS
    return {each.get("id") or each["name"]: each for each in told[key]}


def review(client: TestClient, name: str, owner: str, day: str, **seen: str) -> Any:
    body = {"name": name, "owner": owner, "reviewed_at": day, **seen}
    return client.put("/api/facts/review", json=body)


def told_of(client: TestClient, name: str = ROOM) -> list[Mapping[str, str]]:
    return list(client.get("/api/facts/value", params={"name": name}).json()["told"])


# --- documents ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("document", ["quy-che-2025", "noi-quy-ktx"])
def test_a_document_gets_an_owner_and_a_review_date(
    enter: Enter, school: Path, publisher: Publisher, document: str
) -> None:
    client = enter("editor")
    found = client.get(f"/api/documents/published/{document}").json()
    assert listed(client, "documents", "documents")[document]["due"] is True
    passages = {each.id: each.text for each in publisher.live.index().passages}
    hashes = {each.meta.id: each.content_hash for each in load_knowledge(school).documents}

    said = {**found["fields"], "owner": "ban-ktx", "reviewed_at": IN_TIME}
    done = client.put(f"/api/documents/published/{document}", json={**said, "version": found["version"]})

    assert done.status_code == 200, done.text
    now = listed(client, "documents", "documents")[document]
    assert (now["owner"], now["reviewed_at"], now["due"]) == ("ban-ktx", IN_TIME, False)
    assert client.get(f"/api/documents/published/{document}").json()["fields"] == said
    # Nothing that is searched or embedded knows of it.
    assert {each.meta.id: each.content_hash for each in load_knowledge(school).documents} == hashes
    build_index(school, publisher.live.folder, EmbedderStandIn())
    assert {each.id: each.text for each in publisher.live.index().passages} == passages


def test_a_documents_review_stands_in_its_own_metadata_or_beside_it(enter: Enter, school: Path) -> None:
    beside = school / "documents" / "noi-quy-ktx.meta.yml"
    beside.write_text(
        f"{beside.read_text(encoding='utf-8')}owner: ban-ktx\nreviewed_at: {LATE}\n", encoding="utf-8"
    )
    inside = school / "documents" / "quy-che-2025.md"
    inside.write_text(
        inside.read_text(encoding="utf-8").replace("topic: study", f"topic: study\nreviewed_at: {IN_TIME}"),
        encoding="utf-8",
    )

    found = listed(enter("advisor"), "documents", "documents")

    assert (found["noi-quy-ktx"]["owner"], found["noi-quy-ktx"]["due"]) == ("ban-ktx", True)
    assert (found["quy-che-2025"]["owner"], found["quy-che-2025"]["due"]) == ("", False)
    # Never reviewed.
    assert found["quy-che-2021"]["due"] is True


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [("owner", "ban-ktz", "owner"), ("reviewed_at", "2026-02-30", "2026-02-30")],
)
@pytest.mark.usefixtures("school")
def test_an_unknown_office_or_day_is_refused(enter: Enter, field: str, value: str, said: str) -> None:
    client = enter("editor")
    found = client.get("/api/documents/published/noi-quy-ktx").json()

    refused = client.put(
        "/api/documents/published/noi-quy-ktx",
        json={**found["fields"], field: value, "version": found["version"]},
    )

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty")
    assert value in refused.text or said in refused.text
    assert client.get("/api/documents/published/noi-quy-ktx").json()["version"] == found["version"]


# --- topics and calculators -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("school")
def test_a_topic_gets_a_review_date(enter: Enter, publisher: Publisher) -> None:
    client = enter("editor")
    before = listed(client, "topics", "topics")["study"]
    assert (before["reviewed_at"], before["due"]) == ("", True)

    done = client.put(
        "/api/topics/study",
        json={
            "name": "Học vụ",
            "office": "phong-dao-tao",
            "reviewed_at": IN_TIME,
            "version": before["version"],
        },
    )

    assert done.status_code == 200, done.text
    now = listed(client, "topics", "topics")["study"]
    assert (now["reviewed_at"], now["due"], now["office"]) == (IN_TIME, False, "phong-dao-tao")
    assert load_knowledge(publisher.files.knowledge).topics[0].name == "Học vụ"


SECTIONS = {"school": "school", "counselling": "0", "office": "ban-ktx", "cohort": "49", "major": "ketoan"}


def part(client: TestClient, section: str, part_id: str) -> dict[str, Any]:
    told = client.get("/api/catalogue").json()
    assert told["due_days"] == REVIEW_DAYS
    parts = next(each for each in told["sections"] if each["id"] == section)["parts"]
    return dict(next(each for each in parts if each["id"] == part_id))


@pytest.mark.parametrize(("section", "part_id"), SECTIONS.items())
def test_an_item_of_the_catalogue_gets_an_owner_and_a_review_date(
    enter: Enter, school: Path, section: str, part_id: str
) -> None:
    client, before = enter("editor"), load_knowledge(school).catalog
    address, seen = f"/api/catalogue/{section}/{part_id}", part(client, section, part_id)
    assert seen["due"] is True

    body = {"owner": "phong-dao-tao", "reviewed_at": IN_TIME, "version": seen["version"]}
    done = client.put(address, json=body)

    assert done.status_code == 200, done.text
    now = part(client, section, part_id)
    review = {"owner": "phong-dao-tao", "reviewed_at": IN_TIME}
    assert (now["values"], now["due"]) == ({**seen["values"], **review}, False)
    # The engine knows nothing of it.
    assert load_knowledge(school).catalog == before
    late = client.put(address, json={"reviewed_at": LATE, "version": now["version"]})
    assert late.status_code == 200, late.text
    # A day that was replaced is no phone number that is gone.
    assert late.json()["old_contacts"]["count"] == 0
    overdue = part(client, section, part_id)
    assert overdue["due"] is True
    none = {"owner": "", "reviewed_at": "", "version": overdue["version"]}
    assert client.put(address, json=none).status_code == 200
    assert part(client, section, part_id)["values"] == seen["values"]


def test_a_new_item_of_the_catalogue_has_its_review_behind_its_other_fields(
    enter: Enter, school: Path
) -> None:
    body = {"id": "luat", "name": "Luật", "owner": "phong-dao-tao", "reviewed_at": IN_TIME, "code": "7380101"}

    made = enter("editor").post("/api/catalogue/major", json=body)

    assert made.status_code == 201, made.text
    shown = git(school, "show", "-U0")
    assert f'code: "7380101", owner: phong-dao-tao, reviewed_at: "{IN_TIME}"}}' in shown


@pytest.mark.parametrize(
    ("fields", "said"),
    [({"owner": "ban-ktz"}, "ban-ktx"), ({"reviewed_at": "2026-02-30"}, "2026-02-30")],
)
def test_an_item_of_the_catalogue_with_an_unknown_office_or_day_is_refused(
    enter: Enter, school: Path, fields: dict[str, str], said: str
) -> None:
    client = enter("editor")
    seen = part(client, "cohort", "49")

    refused = client.put("/api/catalogue/cohort/49", json={**fields, "version": seen["version"]})

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty"), refused.text
    assert (said in refused.text, refused.json()["detail"]["problems"][0]["file"]) == (True, "catalog.yml")
    assert git(school, "status", "--porcelain") == ""


@pytest.mark.usefixtures("school")
def test_an_office_in_charge_of_an_item_of_the_catalogue_stays(enter: Enter) -> None:
    client = enter("editor")
    made = client.post("/api/catalogue/office", json={"id": "phong-moi", "name": "Phòng Mới"})
    assert made.status_code == 201, made.text
    seen = part(client, "cohort", "49")
    body = {"owner": "phong-moi", "version": seen["version"]}
    assert client.put("/api/catalogue/cohort/49", json=body).status_code == 200

    version = part(client, "office", "phong-moi")["version"]
    refused = client.post("/api/catalogue/office/phong-moi/removal", json={"version": version})

    assert (refused.status_code, refused.json()["error"]) == (409, "in_use"), refused.text
    (use,) = refused.json()["detail"]["uses"]
    assert (use["file"], use["line"]) == ("catalog.yml", part(client, "cohort", "49")["line"])


@pytest.mark.usefixtures("school")
def test_the_index_is_the_same_with_a_review_of_the_catalogue(enter: Enter, publisher: Publisher) -> None:
    client = enter("editor")
    before = publisher.live.index()
    body = {"owner": "ban-ktx", "reviewed_at": IN_TIME}
    for section in ("office", "cohort"):
        seen = part(client, section, SECTIONS[section])
        done = client.put(
            f"/api/catalogue/{section}/{SECTIONS[section]}", json={**body, "version": seen["version"]}
        )
        assert done.status_code == 200, done.text

    build_index(publisher.files.knowledge, publisher.live.folder, EmbedderStandIn())

    after = publisher.live.index()
    assert after is not before
    assert after.dictionaries.catalog == before.dictionaries.catalog
    assert [(each.id, each.text) for each in after.passages] == [
        (each.id, each.text) for each in before.passages
    ]


def test_calculators_tell_their_owner_and_whether_they_are_due(enter: Enter, fees: Path) -> None:
    path = fees / "calculators" / "fees.yml"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("- id: fee\n", f"- id: fee\n  owner: phong-tai-chinh\n  reviewed_at: {IN_TIME}\n"),
        encoding="utf-8",
    )
    client = enter("advisor")

    found = listed(client, "calculators", "calculators")

    assert (found["fee"]["owner"], found["fee"]["reviewed_at"], found["fee"]["due"]) == (
        "phong-tai-chinh",
        IN_TIME,
        False,
    )
    assert found["least"]["due"] is True
    assert client.get("/api/calculators/fee").json()["owner"] == "phong-tai-chinh"


# --- facts ----------------------------------------------------------------------------------------------------------


def test_a_review_of_a_group_is_one_of_each_fact_in_it(enter: Enter, school: Path) -> None:
    (school / "facts" / "dormitory.yml").write_text(
        '"2026": {room: 350.000 đồng, key: 50.000 đồng}\n"2025": {room: 300.000 đồng}\n', encoding="utf-8"
    )
    git(school, "-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "-qam", "Giá")
    client = enter("editor")
    assert len(listed(client, "facts", "facts", due=True)) == 3

    for name, owner, day in (
        ("facts.dormitory", "ban-ktx", LATE),
        ("facts.dormitory.2026", "", IN_TIME),
        (ROOM, "phong-tai-chinh", LATE),
    ):
        done = review(client, name, owner, day)
        assert done.status_code == 200, done.text

    assert (school / BESIDE).read_text(encoding="utf-8").count("- name:") == 3
    assert git(school, "status", "--porcelain") == ""
    found = listed(client, "facts", "facts")
    # The nearest office, and the latest day.
    told = {name: (each["owner"], each["reviewed_at"]) for name, each in found.items()}
    assert told == {
        ROOM: ("phong-tai-chinh", IN_TIME),
        "facts.dormitory.2026.key": ("ban-ktx", IN_TIME),
        "facts.dormitory.2025.room": ("ban-ktx", LATE),
    }
    assert [*listed(client, "facts", "facts", due=True)] == ["facts.dormitory.2025.room"]
    assert [*listed(client, "facts", "facts", owner="phong-tai-chinh")] == [ROOM]
    assert told_of(client) == [
        {"name": ROOM, "owner": "phong-tai-chinh", "reviewed_at": LATE},
        {"name": "facts.dormitory.2026", "owner": "", "reviewed_at": IN_TIME},
        {"name": "facts.dormitory", "owner": "ban-ktx", "reviewed_at": LATE},
    ]


def test_a_review_is_changed_and_taken_back_without_another_value(enter: Enter, school: Path) -> None:
    client = enter("editor")
    values = load_knowledge(school).facts
    assert review(client, ROOM, "ban-ktx", LATE).status_code == 200

    again = review(client, ROOM, "ban-ktx", IN_TIME, seen_owner="ban-ktx", seen_reviewed_at=LATE)

    assert again.status_code == 200, again.text
    assert (school / BESIDE).read_text(encoding="utf-8") == (
        f'- name: {ROOM}\n  owner: ban-ktx\n  reviewed_at: "{IN_TIME}"\n'
    )
    assert load_knowledge(school).facts == values
    gone = review(client, ROOM, "", "", seen_owner="ban-ktx", seen_reviewed_at=IN_TIME)
    assert gone.status_code == 200, gone.text
    assert not (school / BESIDE).exists()


@pytest.mark.usefixtures("school")
def test_a_second_editor_sees_the_review_of_the_first(enter: Enter) -> None:
    first, second = enter("editor"), enter("editor")
    assert review(first, ROOM, "ban-ktx", IN_TIME).status_code == 200

    refused = review(second, ROOM, "phong-tai-chinh", LATE)

    assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
    assert refused.json()["detail"]["theirs"] == f"ban-ktx · {IN_TIME}"
    assert refused.json()["detail"]["saved"]["name"]
    assert told_of(first)[0]["owner"] == "ban-ktx"


@pytest.mark.usefixtures("school")
def test_only_facts_and_offices_that_there_are_can_be_told_about(enter: Enter) -> None:
    client = enter("editor")

    assert review(client, "facts.dormitory.2027", "ban-ktx", IN_TIME).status_code == 409
    refused = review(client, ROOM, "ban-ktz", IN_TIME)
    assert (refused.status_code, refused.json()["error"]) == (422, "faulty")
    assert "ban-ktz" in refused.text
    assert told_of(client)[0]["owner"] == ""


def test_a_fact_that_is_removed_leaves_nothing_told_about_it(enter: Enter, school: Path) -> None:
    client = enter("editor")
    added = client.post("/api/facts", json={"name": "facts.parking.2026.bike", "value": "2.000 đồng"})
    assert added.status_code == 201, added.text
    for name in ("facts.parking", "facts.parking.2026.bike", ROOM):
        assert review(client, name, "ban-ktx", IN_TIME).status_code == 200

    gone = client.post("/api/facts/removal", json={"name": "facts.parking.2026.bike", "seen": "2.000 đồng"})

    assert gone.status_code == 200, gone.text
    assert not (school / "facts" / "parking.yml").exists()
    assert not (school / "facts" / "parking.meta.yml").exists()
    assert told_of(client)[0]["owner"] == "ban-ktx"
    undone = client.post(f"/api/versions/{gone.json()['commit']}/undo")
    assert undone.status_code == 200, undone.text
    assert told_of(client, "facts.parking.2026.bike")[0]["owner"] == "ban-ktx"


# --- on the pages ---------------------------------------------------------------------------------------------------


@pytest.mark.browser
@pytest.mark.usefixtures("school")
@pytest.mark.parametrize("size", SIZES)
def test_a_fact_is_reviewed_on_its_page_with_all_of_its_group(
    open_pages: OpenPages, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    page.goto(f"/facts/{ROOM}")
    told = page.get_by_test_id("review")
    expect(told).to_contain_text("Chưa rà soát lần nào")

    told.get_by_role("button", name="Ghi phụ trách, ngày rà soát").click()
    told.get_by_role("combobox", name="Ghi cho").click()
    page.get_by_role("option", name="Mọi số liệu trong dormitory.2026").click()
    told.get_by_role("combobox", name="Phòng phụ trách").click()
    page.get_by_role("option", name="Ban Quản lý ký túc xá").click()
    fill_day(told.get_by_label("Ngày rà soát gần nhất"), IN_TIME)
    assert in_view(page)
    told.get_by_role("button", name="Lưu").click()

    expect(told).to_contain_text("Ban Quản lý ký túc xá")
    expect(told).to_contain_text(f"Rà soát {date.fromisoformat(IN_TIME):%-d/%-m/%Y}")


@pytest.mark.browser
def test_the_lists_show_what_is_due_and_who_is_in_charge(open_pages: OpenPages, school: Path) -> None:
    beside = school / "documents" / "noi-quy-ktx.meta.yml"
    fields = f"owner: ban-ktx\nreviewed_at: {IN_TIME}\n"
    beside.write_text(beside.read_text(encoding="utf-8") + fields, encoding="utf-8")
    (school / BESIDE).write_text(f"- {{name: facts.dormitory, reviewed_at: {LATE}}}\n", encoding="utf-8")
    page = open_pages("editor", LAPTOP)

    page.goto("/documents")
    documents = page.get_by_test_id("document")
    documents.first.wait_for()
    total = documents.count()
    page.get_by_text(f"Chưa rà soát trong {REVIEW_DAYS} ngày qua: {total - 1}").click()
    expect(documents).to_have_count(total - 1)
    page.get_by_text(f"Chưa rà soát trong {REVIEW_DAYS} ngày qua").click()
    page.get_by_role("combobox", name="Phòng phụ trách").click()
    page.get_by_role("option", name="Ban Quản lý ký túc xá").click()
    expect(documents).to_have_count(1)
    documents.click()
    expect(page.get_by_label("Ngày rà soát gần nhất")).to_have_value(
        f"{date.fromisoformat(IN_TIME):%d/%m/%Y}"
    )

    page.goto("/facts")
    page.get_by_text(f"Chưa rà soát trong {REVIEW_DAYS} ngày qua: 1").click()
    expect(page.get_by_test_id("fact")).to_contain_text("Rà soát")
    page.get_by_text("Công thức", exact=True).first.click()
    expect(page.get_by_text(f"Chưa rà soát trong {REVIEW_DAYS} ngày qua: 1")).to_be_visible()

    page.goto("/topics/topic~study")
    expect(page.get_by_text(f"Chưa rà soát trong {REVIEW_DAYS} ngày qua: 4")).to_be_visible()
    fill_day(page.get_by_label("Ngày rà soát gần nhất"), IN_TIME)
    page.get_by_role("button", name="Lưu", exact=True).click()
    expect(page.get_by_text(f"Chưa rà soát trong {REVIEW_DAYS} ngày qua: 3")).to_be_visible()


@pytest.mark.browser
@pytest.mark.usefixtures("school")
@pytest.mark.parametrize("size", SIZES)
def test_an_item_of_the_catalogue_is_reviewed_in_its_form_and_found_by_its_office(
    open_pages: OpenPages, size: tuple[int, int]
) -> None:
    page = open_pages("editor", size)
    page.goto("/topics/cohort~49")
    owner = page.get_by_role("combobox", name="Phòng phụ trách")
    owner.last.click()
    page.get_by_role("option", name="Ban Quản lý ký túc xá").click()
    fill_day(page.get_by_label("Ngày rà soát gần nhất"), IN_TIME)
    assert in_view(page)
    page.get_by_role("button", name="Lưu", exact=True).click()
    expect(page.get_by_text("Đã lưu").first).to_be_visible()

    page.goto("/topics?kind=part")
    page.get_by_role("combobox", name="Phần của danh mục").click()
    page.get_by_role("option", name="Khóa").click()
    items = page.get_by_test_id("part")
    items.first.wait_for()
    total = items.count()
    expect(items.filter(has_text="Khóa 49")).to_contain_text(
        f"Rà soát {date.fromisoformat(IN_TIME):%-d/%-m/%Y}"
    )
    due = page.get_by_text(f"Chưa rà soát trong {REVIEW_DAYS} ngày qua: {total - 1}")
    due.click()
    expect(items).to_have_count(total - 1)
    due.click()
    owner.click()
    page.get_by_role("option", name="Ban Quản lý ký túc xá").click()
    expect(items).to_have_count(1)
    expect(items).to_contain_text("Khóa 49")
