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


def test_a_major_without_the_figures_of_calculators_is_told_all_that_it_lacks(
    enter: Enter, fees: Path
) -> None:
    client, body = enter("editor"), {"id": "luat", "name": "Luật"}

    refused = client.post("/api/catalogue/major", json=body)

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty"), refused.text
    assert refused.json()["detail"]["problems"] == []
    fee = {"id": "fee", "question": "Học phí ngành kế toán bao nhiêu?"}
    least = {"id": "least", "question": "Ngành nào học phí thấp nhất?"}
    like = {"label": "Fees › group › Công nghệ thông tin", "value": "high", "note": "theo Điều 4"}
    assert refused.json()["detail"]["lacking"] == [
        {
            "name": "facts.fees.group.luat",
            "label": "Fees › group › luật",
            "of": "Luật",
            "like": like,
            "calculators": [fee, least],
        },
        {
            "name": "facts.fees.share.luat",
            "label": "Fees › share › luật",
            "of": "Luật",
            "like": {"label": "Fees › share › Công nghệ thông tin", "value": "1", "note": ""},
            "calculators": [fee],
        },
    ]
    assert git(fees, "status", "--porcelain") == ""
    for name, value in (("group.luat", "low"), ("share.luat", "2")):
        assert (
            client.post("/api/facts", json={"name": f"facts.fees.{name}", "value": value}).status_code == 201
        )
    assert client.post("/api/catalogue/major", json=body).status_code == 201


def test_a_file_of_facts_that_cannot_be_read_is_told_among_the_faults(enter: Enter, fees: Path) -> None:
    (fees / "facts" / "broken.yml").write_text("a: [", encoding="utf-8")

    refused = enter("editor").post("/api/catalogue/major", json={"id": "luat", "name": "Luật"})

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty"), refused.text
    detail = refused.json()["detail"]
    assert [each["file"] for each in detail["problems"]] == ["facts/broken.yml"]
    assert [each["name"] for each in detail["lacking"]] == ["facts.fees.group.luat", "facts.fees.share.luat"]


def test_a_section_that_is_not_there(enter: Enter) -> None:
    client = enter("editor")
    body = {"id": "a", "name": "A"}

    assert client.post("/api/catalogue/planet", json=body).status_code == 404
    assert client.post("/api/catalogue/school", json=body).status_code == 404
    assert client.post("/api/catalogue/office", json={"name": "A"}).status_code == 422
    assert client.post("/api/catalogue/counselling", json={**body, "phone": "1"}).status_code == 422


def remove(client: TestClient, path: str, seen: dict[str, Any]) -> Any:
    return client.post(f"/api/{path}/{seen['id']}/removal", json={"version": seen["version"]})


def used_by(answer: Any) -> set[tuple[str, str]]:
    """Return the kind and the id of the places that a refusal names."""
    assert (answer.status_code, answer.json()["error"]) == (409, "in_use"), answer.text
    uses = answer.json()["detail"]["uses"]
    assert all(f"{each['file']}:{each['line']}" in answer.json()["message"] for each in uses)
    return {(each["kind"], each["id"]) for each in uses}


def test_a_topic_that_is_used_stays_and_the_places_are_named(enter: Enter, noted: Path) -> None:
    client = enter("editor")
    (noted / "nlu").mkdir()
    (noted / "nlu" / "own.yml").write_text(
        "nlu:\n  - intent: ask_dormitory\n    examples: |\n      - ktx ở đâu\n", encoding="utf-8"
    )

    for refused in (
        remove(client, "topics", topic(client, "dormitory")),
        change(client, "dormitory", id="hostel"),
    ):
        uses = used_by(refused)
        assert {("calculator", "dormitory-months"), ("document", "noi-quy-ktx")} <= uses
        assert ("file", "catalog.yml") in uses
        assert ("file", "nlu/own.yml") in uses
        assert "entry" in {kind for kind, _ in uses}
    assert git(noted, "status", "--porcelain").split() == ["??", "nlu/"]


def test_a_topic_that_nothing_uses_is_renamed_and_taken_away(enter: Enter, noted: Path) -> None:
    client = enter("editor")
    assert client.post("/api/topics", json={"id": "sprot", "name": "Thể thao"}).status_code == 201

    assert change(client, "sprot", id="study").json()["error"] == "id_taken"
    renamed = change(client, "sprot", id="sport")
    assert (renamed.status_code, renamed.json()["id"]) == (200, "sport"), renamed.text
    assert edits(noted) == ["-- {id: sprot, name: Thể thao}", "+- {id: sport, name: Thể thao}"]
    stale = client.post("/api/topics/sport/removal", json={"version": "another"})
    assert (stale.status_code, stale.json()["error"]) == (409, "conflict")
    assert "Thể thao" in stale.json()["detail"]["theirs"]

    gone = remove(client, "topics", topic(client, "sport"))

    assert gone.status_code == 200, gone.text
    assert edits(noted) == ["-- {id: sport, name: Thể thao}"]
    assert (noted / "topics.yml").read_text(encoding="utf-8") == TOPICS
    assert (
        git(noted, "log", "-1", "--format=%(trailers:key=Covan-Action,valueonly)").strip() == "topic_removed"
    )


@pytest.mark.parametrize(
    ("section", "part_id", "place"),
    [
        ("program", "clc", ("entry", "tuition-clc")),
        ("office", "ban-ktx", ("topic", "dormitory")),
        ("office", "phong-dao-tao", ("topic", "study")),
        # A range that would hold nobody any longer.
        ("cohort", "49", ("entry", "language-k49")),
    ],
)
def test_a_value_that_is_used_stays_and_the_places_are_named(
    enter: Enter, school: Path, section: str, part_id: str, place: tuple[str, str]
) -> None:
    client = enter("editor")
    seen = part(client, section, part_id)

    assert place in used_by(remove(client, f"catalogue/{section}", seen))
    renamed = client.put(
        f"/api/catalogue/{section}/{part_id}",
        json={"version": seen["version"], "id": "4" if section == "cohort" else "x"},
    )
    assert place in used_by(renamed)
    assert git(school, "status", "--porcelain") == ""


def test_a_calculator_with_a_rule_for_a_value_is_a_place_that_uses_it(enter: Enter, school: Path) -> None:
    rule = """
- id: by-major
  question: Ngành nào miễn phí?
  topic: tuition
  sources: [{document: quy-che-2025}]
  inputs:
    major: {dimension: major}
  cases:
    - when: major == 'ketoan'
      say: Miễn phí.
    - say: Không miễn.
"""
    with (school / "calculators" / "dormitory.yml").open("a", encoding="utf-8") as file:
        file.write(rule)
    client = enter("editor")

    assert used_by(remove(client, "catalogue/major", part(client, "major", "ketoan"))) == {
        ("calculator", "by-major")
    }


def test_a_value_that_nothing_uses_is_renamed_and_taken_away(enter: Enter, school: Path) -> None:
    client = enter("editor")
    seen = part(client, "major", "ketoan")
    body = {"version": seen["version"], "id": "ke-toan"}

    renamed = client.put("/api/catalogue/major/ketoan", json=body)
    assert (renamed.status_code, renamed.json()["id"]) == (200, "ke-toan"), renamed.text
    assert edits(school)[1:] == ["+  - {id: ke-toan, name: Kế toán, programs: [standard]}"]
    gone = remove(client, "catalogue/major", part(client, "major", "ke-toan"))
    assert gone.status_code == 200, gone.text
    assert [each.id for each in load_knowledge(school).catalog.majors] == ["cntt"]
    # Without a contact, a school does not publish.
    last = remove(client, "catalogue/counselling", part(client, "counselling", "0"))
    assert (last.status_code, last.json()["error"]) == (422, "faulty")
    school_itself = part(client, "school", "school")
    assert remove(client, "catalogue/school", school_itself).status_code == 404
    body = {"version": school_itself["version"], "id": "x"}
    assert client.put("/api/catalogue/school/school", json=body).status_code == 422
