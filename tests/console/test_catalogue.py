"""Topics and catalogue: changed where they stand, checked with the whole folder, and never overwritten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from console_driver import Enter, git
from fastapi.testclient import TestClient

from rag.ingest.load import load_knowledge

TOPICS = """# Thứ tự ở đây là thứ tự trên màn hình.
- id: study
  name: Học vụ  # tên trên nút
  office: phong-dao-tao
- {id: language, name: Ngoại ngữ, office: phong-dao-tao}

# Tiền
- id: tuition
  name: "Học phí"
  office: phong-tai-chinh
  examples:
    - Học phí bao nhiêu?  # câu hay gặp
- {id: dormitory, name: Ký túc xá, office: ban-ktx}
"""


def edits(school: Path) -> list[str]:
    """Return the lines that the latest version changed."""
    shown = git(school, "show", "--format=", "-U0").splitlines()
    return [line for line in shown if line[:1] in "+-" and line[:3] not in ("+++", "---")]


@pytest.fixture
def noted(school: Path) -> Path:
    """The school, with comments in its topics."""
    (school / "topics.yml").write_text(TOPICS, encoding="utf-8")
    git(school, "-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "-qam", "Ghi chú")
    return school


def topic(client: TestClient, topic_id: str) -> dict[str, Any]:
    found = client.get("/api/topics").json()["topics"]
    return dict(next(each for each in found if each["id"] == topic_id))


FIELDS = ("name", "name_en", "description", "office", "examples", "assumes", "version")


def change(client: TestClient, topic_id: str, **fields: Any) -> Any:
    seen = {name: value for name, value in topic(client, topic_id).items() if name in FIELDS}
    return client.put(f"/api/topics/{topic_id}", json={**seen, **fields})


def part(client: TestClient, section: str, part_id: str) -> dict[str, Any]:
    sections = client.get("/api/catalogue").json()["sections"]
    parts = next(each for each in sections if each["id"] == section)["parts"]
    return dict(next(each for each in parts if each["id"] == part_id))


@pytest.mark.usefixtures("noted")
def test_topics_have_the_counts_of_what_is_about_them(enter: Enter) -> None:
    found = {each["id"]: each for each in enter("advisor").get("/api/topics").json()["topics"]}

    assert list(found) == ["study", "language", "tuition", "dormitory"]
    assert found["dormitory"]["calculators"] == 1
    assert found["dormitory"]["entries"] > 0
    assert sum(each["documents"] for each in found.values()) > 0
    assert found["tuition"]["examples"] == ["Học phí bao nhiêu?"]
    assert all(each["live"] for each in found.values())


def test_a_topic_is_changed_where_it_stands(enter: Enter, noted: Path) -> None:
    client = enter("editor")

    assert change(client, "study", name="Học tập", name_en="Studies").status_code == 200
    assert edits(noted) == [
        "-  name: Học vụ  # tên trên nút",
        "+  name: Học tập  # tên trên nút",
        "+  name_en: Studies",
    ]
    added = ["Học phí bao nhiêu?", "Hạn đóng: khi nào?"]
    assert change(client, "tuition", examples=added, assumes={"program": "standard"}).status_code == 200
    assert edits(noted) == ['+    - "Hạn đóng: khi nào?"', "+  assumes: {program: standard}"]
    assert change(client, "language", description="Chuẩn, chứng chỉ").status_code == 200
    assert edits(noted)[1] == (
        '+- {id: language, name: Ngoại ngữ, description: "Chuẩn, chứng chỉ", office: phong-dao-tao}'
    )

    topics = {each.id: each for each in load_knowledge(noted).topics}
    assert (topics["study"].name, topics["study"].name_en) == ("Học tập", "Studies")
    assert topics["tuition"].examples == tuple(added)
    assert topics["tuition"].assumes == {"program": "standard"}
    assert topics["language"].description == "Chuẩn, chứng chỉ"
    assert (noted / "topics.yml").read_text(encoding="utf-8").count("#") == TOPICS.count("#")


def test_a_topic_is_added_at_the_end(enter: Enter, noted: Path) -> None:
    client = enter("editor")

    made = client.post("/api/topics", json={"id": "sport", "name": "Thể thao", "office": "phong-dao-tao"})

    assert made.status_code == 201, made.text
    assert edits(noted) == ["+- {id: sport, name: Thể thao, office: phong-dao-tao}"]
    assert "sport" in made.json()["warnings"][0]
    assert not topic(client, "sport")["live"]
    again = client.post("/api/topics", json={"id": "sport", "name": "Thể thao"})
    assert (again.status_code, again.json()["error"]) == (409, "id_taken")


@pytest.mark.parametrize(
    "fields", [{"office": "no-office"}, {"assumes": {"program": "none"}}, {"assumes": {"none": "x"}}]
)
def test_a_topic_that_means_nothing_publishes_nothing(
    enter: Enter, noted: Path, fields: dict[str, Any]
) -> None:
    refused = change(enter("editor"), "study", **fields)

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty")
    [problem] = refused.json()["detail"]["problems"]
    assert problem["file"] == "topics.yml"
    assert problem["line"]
    assert git(noted, "status", "--porcelain") == ""


def test_who_has_seen_another_topic_gets_the_text_in_the_file(enter: Enter, noted: Path) -> None:
    client = enter("editor")
    seen = {name: value for name, value in topic(client, "study").items() if name in FIELDS}
    other = TOPICS.replace("name: Học vụ", "name: Đào tạo")
    (noted / "topics.yml").write_text(other, encoding="utf-8")

    refused = client.put("/api/topics/study", json={**seen, "name": "Học tập"})

    assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
    assert "name: Đào tạo" in refused.json()["detail"]["theirs"]
    # Another topic is changed beside it; the edit by hand becomes a version first.
    assert change(client, "dormitory", name="KTX").status_code == 200
    assert git(noted, "log", "-2", "--format=%(trailers:key=Covan-Action,valueonly)").split() == [
        "topic",
        "by_hand",
    ]
    assert topic(client, "study")["name"] == "Đào tạo"


def test_a_contact_is_changed_where_it_stands(enter: Enter, school: Path) -> None:
    client = enter("editor")
    office = part(client, "office", "ban-ktx")
    assert office["values"]["phone"] == "0200 333"

    done = client.put(
        "/api/catalogue/office/ban-ktx",
        json={
            "version": office["version"],
            "phone": "0200 999",
            "email": "ktx@truong.example",
            "aliases": ["ktx", "bql, ktx"],
        },
    )

    assert done.status_code == 200, done.text
    assert edits(school)[1:] == [
        "+  - {id: ban-ktx, name: Ban Quản lý ký túc xá, phone: 0200 999, email: ktx@truong.example, "
        'handles: [dormitory], aliases: [ktx, "bql, ktx"]}'
    ]
    [saved] = [each for each in load_knowledge(school).catalog.offices if each.id == "ban-ktx"]
    assert (saved.phone, saved.email) == ("0200 999", "ktx@truong.example")
    assert saved.aliases == ("ktx", "bql, ktx")
    again = client.put("/api/catalogue/office/ban-ktx", json={"version": office["version"], "phone": "1"})
    assert (again.status_code, again.json()["error"]) == (409, "conflict")
    assert "0200 999" in again.json()["detail"]["theirs"]


def test_a_value_and_its_names_are_added(enter: Enter, school: Path) -> None:
    client = enter("editor")
    major = part(client, "major", "ketoan")

    named = client.put(
        "/api/catalogue/major/ketoan", json={"version": major["version"], "aliases": ["ke toan", "kt dn"]}
    )
    made = client.post("/api/catalogue/cohort", json={"id": "50", "name": "Khóa 50", "year": "2026"})
    called = client.post("/api/catalogue/counselling", json={"name": "Đường dây 111", "phone": "111"})

    assert [each.status_code for each in (named, made, called)] == [200, 201, 201], (named.text, made.text)
    catalog = load_knowledge(school).catalog
    assert next(each for each in catalog.majors if each.id == "ketoan").aliases == ("ke toan", "kt dn")
    assert (catalog.cohorts[-1].id, catalog.cohorts[-1].year) == ("50", 2026)
    assert [each.phone for each in catalog.school.counselling] == ["0200 444", "111"]
    again = client.post("/api/catalogue/cohort", json={"id": "50", "name": "Khóa 50"})
    assert (again.status_code, again.json()["error"]) == (409, "id_taken")


@pytest.mark.parametrize(
    ("section", "part_id", "fields"),
    [
        ("office", "ban-ktx", {"name": "Phòng Đào tạo"}),
        ("office", "ban-ktx", {"map_url": "javascript:alert(1)"}),
        ("office", "ban-ktx", {"handles": ["no-topic"]}),
        ("office", "ban-ktx", {"name": ""}),
        ("office", "ban-ktx", {"year": "2026"}),
        ("major", "ketoan", {"programs": ["none"]}),
        ("school", "school", {"year_begins": "13"}),
    ],
)
def test_a_part_that_means_nothing_publishes_nothing(
    enter: Enter, school: Path, section: str, part_id: str, fields: dict[str, Any]
) -> None:
    client = enter("editor")
    version = part(client, section, part_id)["version"]

    refused = client.put(f"/api/catalogue/{section}/{part_id}", json={"version": version, **fields})

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty"), refused.text
    assert git(school, "status", "--porcelain") == ""


def test_a_section_that_is_not_there(enter: Enter) -> None:
    client = enter("editor")
    body = {"id": "a", "name": "A"}

    assert client.post("/api/catalogue/planet", json=body).status_code == 404
    assert client.post("/api/catalogue/school", json=body).status_code == 404
    assert client.post("/api/catalogue/office", json={"name": "A"}).status_code == 422
    assert client.post("/api/catalogue/counselling", json={**body, "phone": "1"}).status_code == 422
