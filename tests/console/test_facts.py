"""Facts and calculators: who uses them, tried before they are published, and live at once."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from console_driver import Enter, git
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient

from console.api.facts import states
from console.first_run import Surroundings
from console.publishing import Publisher
from covan.project import NEW_SCHOOL
from rag.ingest.build import build_index
from rag.ingest.load import load_knowledge
from rag.live_engine import LiveEngine
from rag.types import Question

ROOM = "facts.dormitory.2026.room"
KEY = "facts.dormitory.2026.key"
FACTS = """# Giá năm nay.
"2026":
  room: 350.000 đồng  # Thông báo 12/TB-KTX

  # Khóa tủ
  key: "50.000 đồng"
"""


def edits(school: Path) -> list[str]:
    """Return the lines that the latest version changed."""
    shown = git(school, "show", "--format=", "-U0").splitlines()
    return [line for line in shown if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def the_calculator(client: TestClient) -> dict[str, Any]:
    return dict(client.get("/api/calculators/dormitory-months").json())


@pytest.fixture
def noted(school: Path) -> Path:
    """The school, with comments in its facts."""
    (school / "facts" / "dormitory.yml").write_text(FACTS, encoding="utf-8")
    git(school, "-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "-qam", "Ghi chú")
    return school


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ký túc xá", [ROOM, KEY]),  # its topic
        ("ky tuc xa thong bao", [ROOM]),
        ("cho o ktx gia", []),
        ("công nghệ thông tin", ["facts.tuition.2026.cntt"]),  # a major, by its id
        ("cntt", ["facts.tuition.2026.cntt"]),
        ("học phí", ["facts.tuition.2026.cntt"]),
        ("gia phong", [ROOM]),  # the question that it answers
    ],
)
def test_a_fact_is_found_by_the_names_of_what_it_is_about(
    enter: Enter, noted: Path, text: str, found: list[str]
) -> None:
    (noted / "facts" / "tuition.yml").write_text("2026: {cntt: 560.000 đồng}\n", encoding="utf-8")

    told = enter("advisor").get("/api/facts", params={"text": text}).json()["facts"]

    assert [each["name"] for each in told] == found


@pytest.mark.usefixtures("noted")
def test_a_fact_is_found_with_its_note_and_those_who_use_it(enter: Enter) -> None:
    client = enter("advisor")

    [fact] = client.get("/api/facts", params={"text": "thong bao room"}).json()["facts"]

    assert (fact["name"], fact["value"], fact["line"]) == (ROOM, "350.000 đồng", 3)
    assert fact["note"] == "Thông báo 12/TB-KTX"
    assert fact["used_by"] == {"entries": 1, "calculators": 1}
    seen = client.get("/api/facts/value", params={"name": ROOM}).json()
    assert [each["id"] for each in seen["calculators"]] == ["dormitory-months"]
    assert seen["entries"][0]["question"]
    assert "Điều 3" in {each["locator"] for each in seen["clauses"]}
    assert client.get("/api/facts", params={"text": "khong co"}).json()["count"] == 0
    assert client.get("/api/facts/value", params={"name": "facts.none"}).status_code == 404


def test_who_uses_a_fact_is_told_from_the_files_as_they_are_by_now(enter: Enter, noted: Path) -> None:
    client = enter("advisor")

    def users() -> tuple[dict[str, int], list[str], list[str]]:
        fact = client.get("/api/facts/value", params={"name": ROOM}).json()
        entries, calculators = ([each["id"] for each in fact[kind]] for kind in ("entries", "calculators"))
        return fact["used_by"], entries, calculators

    used, entries, calculators = users()
    assert (used, len(entries), calculators) == ({"entries": 1, "calculators": 1}, 1, ["dormitory-months"])

    # By hand, while the console runs.
    entry = (
        "- id: room-price\n  question: Phòng bao nhiêu?\n"
        "  answer: Phòng {{ facts.dormitory.2026.room }}.\n  topic: dormitory\n"
    )
    (noted / "faq" / "more.yml").write_text(entry, encoding="utf-8")
    (noted / "calculators" / "dormitory.yml").unlink()

    assert users() == ({"entries": 2, "calculators": 0}, [*entries, "room-price"], [])
    (noted / "faq" / "more.yml").unlink()
    assert users()[0] == {"entries": 1, "calculators": 0}


def test_a_value_is_tried_then_published_and_answers_at_once(
    enter: Enter, noted: Path, publisher: Publisher
) -> None:
    client = enter("editor")
    note = "Thông báo 12/TB-KTX"
    body = {"name": ROOM, "seen": "350.000 đồng", "value": "400.000 đồng", "seen_note": note, "note": note}
    engine = LiveEngine(publisher.live.folder, embedder=EmbedderStandIn())
    asked = Question("Ở ký túc xá 5 tháng hết bao nhiêu tiền?")
    assert "1.750.000" in engine.current().reply(asked).text

    tried = client.post("/api/facts/try", json=body).json()

    assert tried["count"] == 1
    assert "350.000" in tried["changed"][0]["before"]
    assert "400.000" in tried["changed"][0]["after"]
    assert tried["calculators"] == 1
    assert git(noted, "status", "--porcelain") == ""

    done = client.put("/api/facts/value", json=body)

    assert done.status_code == 200, done.text
    # One value, and nothing else: the comments stay.
    assert edits(noted) == [
        "-  room: 350.000 đồng  # Thông báo 12/TB-KTX",
        "+  room: 400.000 đồng  # Thông báo 12/TB-KTX",
    ]
    assert git(noted, "log", "-1", "--format=%an %s") == "Cô editor Ký túc xá › 2026 › room: 400.000 đồng"
    assert "2.000.000" in engine.current().reply(asked).text
    # As the whole build, which follows, has it.
    build_index(noted, publisher.live.folder, EmbedderStandIn())
    assert "2.000.000" in engine.current().reply(asked).text


@pytest.mark.usefixtures("noted")
@pytest.mark.parametrize("how", ["undo", "restore"])
def test_a_value_and_a_calculator_that_are_taken_back_answer_at_once(
    enter: Enter, noted: Path, publisher: Publisher, how: str
) -> None:
    client = enter("editor")
    note = "Thông báo 12/TB-KTX"
    body = {"name": ROOM, "seen": "350.000 đồng", "value": "400.000 đồng", "seen_note": note, "note": note}
    engine = LiveEngine(publisher.live.folder, embedder=EmbedderStandIn())
    asked = Question("Ở ký túc xá 5 tháng hết bao nhiêu tiền?")
    first = git(noted, "rev-parse", "HEAD")
    commit = client.put("/api/facts/value", json=body).json()["commit"]
    assert "2.000.000" in engine.current().reply(asked).text

    done = client.post(f"/api/versions/{commit if how == 'undo' else first}/{how}")

    # No build runs here: what answers is what was published at once.
    assert done.status_code == 200, done.text
    assert "1.750.000" in engine.current().reply(asked).text
    shown = the_calculator(client)
    text = shown["text"].replace("}} tháng", "}} tháng trời")
    assert text != shown["text"]
    added = client.put("/api/calculators/dormitory-months", json={"text": text, "version": shown["version"]})
    assert added.status_code == 200, added.text
    assert "tháng trời" in engine.current().reply(asked).text
    commit = added.json()["commit"]
    back = client.post(f"/api/versions/{commit if how == 'undo' else first}/{how}")
    assert back.status_code == 200, back.text
    assert "tháng trời" not in engine.current().reply(asked).text


@pytest.mark.usefixtures("noted")
def test_a_value_is_not_taken_back_when_a_calculator_could_not_use_it(enter: Enter, noted: Path) -> None:
    client = enter("editor")
    sound = (noted / "facts" / "dormitory.yml").read_bytes()
    (noted / "facts" / "dormitory.yml").write_bytes(
        sound.replace("350.000 đồng".encode(), "chưa có".encode())
    )
    git(noted, "-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "-qam", "chưa có")
    broken = git(noted, "rev-parse", "HEAD")
    (noted / "facts" / "dormitory.yml").write_bytes(sound)

    refused = client.post(f"/api/versions/{broken}/restore")

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty")
    assert (noted / "facts" / "dormitory.yml").read_bytes() == sound
    assert git(noted, "rev-parse", "HEAD") == broken


@pytest.mark.parametrize("value", ["yes: no", "# 5", "[a", '"', "'400'", "400.000 đồng # lạ", "~", "2027"])
def test_any_value_is_written_so_that_it_is_read_again(enter: Enter, noted: Path, value: str) -> None:
    client = enter("editor")

    done = client.put("/api/facts/value", json={"name": KEY, "seen": "50.000 đồng", "value": value})

    assert done.status_code == 200, done.text
    assert load_knowledge(noted).facts[KEY] == value
    assert len(edits(noted)) == 2


def test_a_value_that_a_calculator_cannot_use_publishes_nothing(enter: Enter, noted: Path) -> None:
    client = enter("editor")
    body = {"name": ROOM, "seen": "350.000 đồng", "value": "miễn phí", "seen_note": "Thông báo 12/TB-KTX"}

    for answer in (client.post("/api/facts/try", json=body), client.put("/api/facts/value", json=body)):
        assert (answer.status_code, answer.json()["error"]) == (422, "faulty")
        [problem] = answer.json()["detail"]["problems"]
        assert problem["file"] == "calculators/dormitory.yml"
    assert git(noted, "status", "--porcelain") == ""
    assert (noted / "facts" / "dormitory.yml").read_text(encoding="utf-8") == FACTS


def test_who_has_seen_another_value_gets_the_one_in_the_file(enter: Enter, noted: Path) -> None:
    client = enter("editor")
    path = noted / "facts" / "dormitory.yml"
    path.write_text(FACTS.replace("350.000", "360.000"), encoding="utf-8")

    refused = client.put(
        "/api/facts/value", json={"name": ROOM, "seen": "350.000 đồng", "value": "400.000 đồng"}
    )

    assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
    assert refused.json()["detail"]["theirs"] == "360.000 đồng  # Thông báo 12/TB-KTX"
    # Another fact can be changed; the edit by hand becomes a version of its own first.
    assert (
        client.put(
            "/api/facts/value",
            json={"name": KEY, "seen": "50.000 đồng", "value": "60.000 đồng"},
        ).status_code
        == 200
    )
    assert git(noted, "log", "-2", "--format=%(trailers:key=Covan-Action,valueonly)").split() == [
        "fact",
        "by_hand",
    ]


def test_the_note_beside_a_value_is_changed_with_it(enter: Enter, noted: Path) -> None:
    client = enter("editor")
    body = {"name": KEY, "seen": "50.000 đồng", "value": "60.000 đồng", "note": "TB 14 # 2"}
    assert client.put("/api/facts/value", json=body).status_code == 200
    assert edits(noted) == ['-  key: "50.000 đồng"', '+  key: "60.000 đồng"  # TB 14 # 2']

    # Somebody else's note is not overwritten either.
    again = {**body, "seen": "60.000 đồng", "note": "TB 15"}
    assert client.put("/api/facts/value", json=again).status_code == 409
    again |= {"seen_note": "TB 14 # 2", "note": "", "value": "60.000 đồng"}
    assert client.put("/api/facts/value", json=again).status_code == 200
    assert edits(noted) == ['-  key: "60.000 đồng"  # TB 14 # 2', '+  key: "60.000 đồng"']


def test_a_fact_is_added_with_the_groups_that_it_needs(enter: Enter, noted: Path) -> None:
    client = enter("editor")
    bed, next_year = "facts.dormitory.2026.bed", "facts.dormitory.2027.clc.room"

    for name, added in ((bed, "+  bed: 200.000 đồng"), (next_year, '+"2027": {clc: {room: 200.000 đồng}}')):
        made = client.post("/api/facts", json={"name": name, "value": "200.000 đồng"})

        assert made.status_code == 201, made.text
        assert edits(noted) == [added]
        assert load_knowledge(noted).facts[name] == "200.000 đồng"
    for name, status in ((ROOM, 409), ("facts.dormitory.2026", 409), (f"{ROOM}.x", 422),
                         ("facts.dormitory", 422), ("facts.dormitory.a b", 422)):  # fmt: skip
        refused = client.post("/api/facts", json={"name": name, "value": "1"})
        assert refused.status_code == status, (name, refused.text)
    assert git(noted, "status", "--porcelain") == ""


def test_a_fact_of_a_new_file_makes_it_and_the_last_one_takes_it_away(enter: Enter, noted: Path) -> None:
    client = enter("editor")
    made = client.post("/api/facts", json={"name": "facts.parking.2027.moto", "value": "5.000 đồng"})
    assert made.status_code == 201, made.text
    path = noted / "facts" / "parking.yml"
    assert path.read_text(encoding="utf-8") == '"2027": {moto: 5.000 đồng}\n'
    body = {"name": "facts.parking.2027.moto", "seen": "5.000 đồng"}

    gone = client.post("/api/facts/removal", json=body)

    assert gone.status_code == 200, gone.text
    assert not path.exists()
    assert git(noted, "status", "--porcelain") == ""
    assert (
        git(noted, "log", "-1", "--format=%(trailers:key=Covan-Action,valueonly)").strip() == "fact_removed"
    )
    assert client.post("/api/facts/removal", json=body).status_code == 409


def test_a_fact_that_nothing_uses_is_taken_away_alone(enter: Enter, noted: Path) -> None:
    client = enter("editor")
    bed = "facts.dormitory.2026.bed.old"
    assert client.post("/api/facts", json={"name": bed, "value": "1"}).status_code == 201
    stale = client.post("/api/facts/removal", json={"name": bed, "seen": "2"})
    assert (stale.status_code, stale.json()["detail"]["theirs"]) == (409, "1")

    for name, seen, line in ((bed, "1", '-  bed: {old: "1"}'), (KEY, "50.000 đồng", '-  key: "50.000 đồng"')):
        gone = client.post("/api/facts/removal", json={"name": name, "seen": seen})

        assert gone.status_code == 200, gone.text
        assert edits(noted) == [line]
        assert name not in load_knowledge(noted).facts
    assert load_knowledge(noted).facts[ROOM] == "350.000 đồng"


def test_a_fact_that_is_used_stays_and_the_places_are_named(enter: Enter, noted: Path) -> None:
    body = {"name": ROOM, "seen": "350.000 đồng", "seen_note": "Thông báo 12/TB-KTX"}

    refused = enter("editor").post("/api/facts/removal", json=body)

    assert (refused.status_code, refused.json()["error"]) == (409, "in_use")
    uses = refused.json()["detail"]["uses"]
    assert {each["kind"] for each in uses} == {"entry", "calculator"}
    [calculator] = [each for each in uses if each["kind"] == "calculator"]
    assert (calculator["id"], calculator["file"], calculator["line"]) == (
        "dormitory-months",
        "calculators/dormitory.yml",
        1,
    )
    assert "calculators/dormitory.yml:1 (dormitory-months)" in refused.json()["message"]
    assert git(noted, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("value", "text", "stated"),
    [
        ("560.000 đồng/tín chỉ", "Đơn giá (đồng/tín chỉ): 560.000", True),
        ("560.000 đồng/tín chỉ", "Đơn giá: 1.560.000", False),
        ("trước ngày 10/03/2027", "trước ngày 10/3", True),
        ("05/9/2026", "Thứ Bảy 05 tháng 9 năm 2026", True),
        ("05/9/2026", "15/9/2026", False),
        ("cả năm", "Mở cửa cả năm", True),
    ],
)
def test_whether_a_clause_states_a_value(value: str, text: str, stated: bool) -> None:
    assert states(text, value) is stated


def test_a_calculator_shows_its_rule_and_computes(enter: Enter) -> None:
    client = enter("advisor")
    assert [each["id"] for each in client.get("/api/calculators").json()["calculators"]] == [
        "dormitory-months"
    ]

    seen = the_calculator(client)

    assert [(each["name"], each["units"], each["most"]) for each in seen["inputs"]] == [
        ("months", ["months"], 12)
    ]
    assert seen["facts"] == [{"name": ROOM, "value": "350.000 đồng"}]
    assert [each["locator"] for each in seen["clauses"]] == ["Điều 3"]

    def tried(months: str) -> dict[str, Any]:
        sent = client.post("/api/calculators/dormitory-months/try", json={"values": {"months": months}})
        return dict(sent.json())

    assert "1.750.000" in tried("5")["said"]
    assert tried("")["missing"] == "months"
    assert (tried("13")["wrong"], tried("13")["most"]) == ("13", "12")
    assert tried("mấy nhỉ")["unread"] == ["months"]
    assert client.post("/api/calculators/none/try", json={}).status_code == 404


def test_a_draft_of_a_calculator_is_computed_and_its_faults_have_their_lines(
    enter: Enter, school: Path
) -> None:
    client = enter("editor")
    seen = the_calculator(client)
    body = {"version": seen["version"], "values": {"months": "5"}}

    doubled = seen["text"].replace("months * number", "2 * months * number")
    tried = client.post("/api/calculators/dormitory-months/try", json={**body, "text": doubled}).json()
    assert "3.500.000" in tried["said"]
    assert tried["checked"] == {"count": 0, "changed": []}

    wrong = seen["text"].replace("dormitory.2026.room", "dormitory.2026.romm", 1)
    tried = client.post("/api/calculators/dormitory-months/try", json={**body, "text": wrong}).json()
    line = 1 + next(row for row, each in enumerate(wrong.split("\n")) if "romm" in each)
    assert [each["line"] for each in tried["problems"]] == [line]
    assert ROOM in tried["problems"][0]["message"]
    refused = client.put(
        "/api/calculators/dormitory-months", json={"version": seen["version"], "text": wrong}
    )
    assert (refused.status_code, refused.json()["error"]) == (422, "faulty")
    assert git(school, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    "text", ["- id: other", "months: 5", "- id: dormitory-months\n- id: b", "- id: [", "a: b: c"]
)
def test_a_text_that_is_not_this_calculator_is_refused(enter: Enter, school: Path, text: str) -> None:
    client = enter("editor")
    version = the_calculator(client)["version"]

    refused = client.put("/api/calculators/dormitory-months", json={"version": version, "text": text})

    assert (refused.status_code, refused.json()["error"]) == (422, "faulty"), refused.text
    assert git(school, "status", "--porcelain") == ""


def test_a_calculator_is_changed_where_it_stands(enter: Enter, school: Path, publisher: Publisher) -> None:
    client = enter("editor")
    seen = the_calculator(client)
    text = seen["text"].replace("tháng hết **", "tháng ở ký túc xá hết **")
    engine = LiveEngine(publisher.live.folder, embedder=EmbedderStandIn())

    done = client.put("/api/calculators/dormitory-months", json={"version": seen["version"], "text": text})

    assert done.status_code == 200, done.text
    assert len(edits(school)) == 2
    said = engine.current().reply(Question("Ở ký túc xá 5 tháng hết bao nhiêu tiền?")).text
    assert "5 tháng ở ký túc xá hết" in said
    again = client.put("/api/calculators/dormitory-months", json={"version": seen["version"], "text": text})
    assert (again.status_code, again.json()["error"]) == (409, "conflict")
    assert again.json()["detail"]["theirs"] == text
    load_knowledge(school)


KEYS = """- id: dormitory-keys
  question: Mất 2 chìa khóa phải đền bao nhiêu?
  topic: dormitory
  sources: [{document: noi-quy-ktx}]
  inputs:
    keys: {units: [number], least: 1, most: 5, whole: true, ask: "Bạn mất mấy chìa?"}
  cases:
    - say: "Đền {{ keys * number('dormitory.2026.key') | money }}."
"""


def test_a_new_calculator_is_tried_then_published_and_taken_away(
    enter: Enter, noted: Path, publisher: Publisher
) -> None:
    build_index(noted, publisher.live.folder, EmbedderStandIn())
    client = enter("editor")
    wrong = KEYS.replace("2026.key", "2026.kye")
    [problem] = client.post("/api/calculators/try", json={"text": wrong}).json()["problems"]
    assert wrong.split("\n")[problem["line"] - 1].strip().startswith("- say")
    tried = client.post("/api/calculators/try", json={"text": KEYS, "values": {"keys": "2"}}).json()
    assert tried["said"] == "Đền 100.000 đồng."
    assert git(noted, "status", "--porcelain") == ""

    made = client.post("/api/calculators", json={"text": KEYS})

    assert (made.status_code, made.json()["id"]) == (201, "dormitory-keys"), made.text
    assert edits(noted) == ["+", *(f"+{line}" for line in KEYS.rstrip().split("\n"))]
    said = client.post("/api/calculators/dormitory-keys/try", json={"values": {"keys": "3"}}).json()
    assert said["said"] == "Đền 150.000 đồng."
    for text in (KEYS, KEYS.replace("dormitory-keys", "a b"), KEYS + KEYS.replace("keys", "k"), "a: b"):
        refused = client.post("/api/calculators", json={"text": text})
        assert (refused.status_code, refused.json()["error"]) == (422, "faulty"), refused.text

    version = client.get("/api/calculators/dormitory-keys").json()["version"]
    assert client.post("/api/calculators/dormitory-keys/removal", json={"version": "1"}).status_code == 409
    gone = client.post("/api/calculators/dormitory-keys/removal", json={"version": version})
    assert gone.status_code == 200, gone.text
    assert client.get("/api/calculators/dormitory-keys").status_code == 404
    assert "dormitory-keys" not in {each.id for each in publisher.live.index().calculators}
    assert [each.id for each in load_knowledge(noted).calculators] == ["dormitory-months"]


def test_the_last_calculator_of_a_file_takes_it_away(enter: Enter, school: Path) -> None:
    client = enter("editor")

    gone = client.post(
        "/api/calculators/dormitory-months/removal", json={"version": the_calculator(client)["version"]}
    )

    assert gone.status_code == 200, gone.text
    assert not (school / "calculators" / "dormitory.yml").exists()
    assert load_knowledge(school).calculators == ()


def test_a_calculator_gets_another_id_in_its_text(enter: Enter, school: Path, publisher: Publisher) -> None:
    client = enter("editor")
    seen = the_calculator(client)
    text = seen["text"].replace("dormitory-months", "ktx-thang", 1)

    done = client.put("/api/calculators/dormitory-months", json={"version": seen["version"], "text": text})

    assert (done.status_code, done.json()["id"]) == (200, "ktx-thang"), done.text
    assert edits(school) == ["-- id: dormitory-months", "+- id: ktx-thang"]
    assert [each.id for each in publisher.live.index().calculators] == ["ktx-thang"]


@pytest.mark.parametrize("language", ["vi", "en"])
def test_the_template_is_a_calculator_with_its_explanations(language: str, tmp_path: Path) -> None:
    template = Surroundings([NEW_SCHOOL / language]).calculator_template(language)

    [record] = yaml.safe_load(template)
    assert set(record) >= {"id", "question", "topic", "sources", "inputs", "steps", "cases"}
    assert template.count("#") > 5
    school = Path(shutil.copytree(NEW_SCHOOL / language, tmp_path / "school"))
    with (school / "facts" / "library.yml").open("a", encoding="utf-8") as facts:
        facts.write("fines: {per_day: 1.000 đồng}\n")
    (school / "calculators" / "new.yml").write_text(template, encoding="utf-8")
    assert [each.id for each in load_knowledge(school).calculators] == [record["id"]]


MORE = """- id: mean-mark
  question: Điểm trung bình của 7 và 8 là mấy?
  topic: study
  sources: [{document: quy-che-2025}]
  inputs:
    marks: {units: [points, number], least: 0, most: 10, many: true, ask: "Các điểm của bạn là gì?"}
    scale: {units: scale, default: "'10'"}
  cases:
    - say: "Trung bình: {{ mean(marks) | points }} (thang {{ scale }})."
- id: fees-by-major
  question: Ngành nào học phí cao nhất?
  topic: tuition
  sources: [{document: quy-che-2025}]
  compare:
    over: major
    columns:
      - {title: Học phí, value: 'number("fees", major)'}
  cases:
    - when: extreme == "highest"
      say: "Cao nhất: {{ highest_names }}."
    - say: "Chênh nhau {{ difference | money }}."
"""


def test_values_of_every_kind_can_be_tried(enter: Enter, publisher: Publisher) -> None:
    school = publisher.files.knowledge
    (school / "calculators" / "more.yml").write_text(MORE, encoding="utf-8")
    (school / "facts" / "fees.yml").write_text(
        "{cntt: 500.000 đồng, ketoan: 400.000 đồng}\n", encoding="utf-8"
    )
    build_index(school, publisher.live.folder, EmbedderStandIn())
    client = enter("advisor")

    def said(calculator: str, **given: Any) -> str:
        tried = client.post(f"/api/calculators/{calculator}/try", json=given).json()
        return f"{tried['said']}{tried['missing']}"

    assert said("mean-mark", values={"marks": "7; 8,5"}) == "Trung bình: 7,75 (thang 10)."
    assert said("mean-mark", values={"marks": "7", "scale": "4"}) == "Trung bình: 7,00 (thang 4)."
    assert said("mean-mark", values={"marks": "7; 11"}) == "marks"
    assert said("fees-by-major", compared=["highest"]) == "Cao nhất: Công nghệ thông tin."
    assert said("fees-by-major", compared=["cntt", "ketoan"]).startswith("Chênh nhau 100.000 đồng.")
    assert said("fees-by-major") == ""
    # Picked by the major: known to be used, and a value beside them is not.
    used = client.get("/api/facts", params={"file": "facts/fees.yml"}).json()["facts"]
    assert [each["used_by"]["calculators"] for each in used] == [1, 1]
    [room] = client.get("/api/facts", params={"text": "room"}).json()["facts"]
    assert room["used_by"]["calculators"] == 1


def test_a_dimension_that_leaves_a_calculator_without_a_fact_is_not_published(
    enter: Enter, school: Path, publisher: Publisher
) -> None:
    (school / "calculators" / "more.yml").write_text(MORE, encoding="utf-8")
    (school / "facts" / "fees.yml").write_text(
        "{cntt: 500.000 đồng, ketoan: 400.000 đồng}\n", encoding="utf-8"
    )
    build_index(school, publisher.live.folder, EmbedderStandIn())
    client = enter("editor")
    major = {"id": "luat", "name": "Luật", "programs": ["standard"]}

    refused = client.post("/api/catalogue/major", json=major)
    assert (refused.status_code, refused.json()["error"]) == (422, "faulty")
    assert "facts.fees.luat" in refused.json()["message"]

    added = client.post("/api/facts", json={"name": "facts.fees.luat", "value": "450.000 đồng"})
    assert added.status_code == 201, added.text
    assert client.post("/api/catalogue/major", json=major).status_code == 201


def test_faults_of_values_and_calculators_come_in_the_language_of_the_page(enter: Enter, noted: Path) -> None:
    del noted
    client = enter("editor")
    vietnamese, english = {"Accept-Language": "vi"}, {"Accept-Language": "en"}
    value = {"name": ROOM, "seen": "350.000 đồng", "seen_note": "Thông báo 12/TB-KTX", "note": ""}

    def of_value(language: dict[str, str]) -> str:
        refused = client.post("/api/facts/try", json={**value, "value": "một nghìn"}, headers=language)
        assert refused.status_code == 422, refused.text
        return str(refused.json()["message"])

    def of_text(text: str) -> str:
        refused = client.post("/api/calculators", json={"text": text}, headers=vietnamese)
        assert refused.status_code == 422, refused.text
        return str(refused.json()["message"])

    assert f"số liệu {ROOM} đang ghi 'một nghìn', không có số để tính" in of_value(vietnamese)
    assert f"the fact {ROOM} has no number in 'một nghìn'" in of_value(english)
    broken = '- id: thu\n  question: "Thử"\n   topic: study\n'
    assert "dòng 3: YAML sai cú pháp: " in of_text(broken)
    assert "Công thức bắt đầu bằng dòng '- id: TÊN'" in of_text("- id: hai từ\n")
    assert "đúng một công thức" in of_text("một câu")
    tried = client.post(
        "/api/calculators/try",
        json={"text": broken, "values": {}, "profile": {}, "compared": []},
        headers=vietnamese,
    ).json()
    assert [each["line"] for each in tried["problems"]] == [3]


@pytest.mark.parametrize(("length", "status"), [(400, 200), (401, 422)])
def test_a_line_that_is_too_long_is_refused_and_not_cut(
    enter: Enter, noted: Path, length: int, status: int
) -> None:
    del noted
    client = enter("editor")
    seen = client.get("/api/facts/value", params={"name": KEY}).json()
    body = {"name": KEY, "seen": seen["value"], "seen_note": seen["note"], "note": seen["note"]}
    changed = client.put("/api/facts/value", json={**body, "value": "5" * length})
    assert changed.status_code == status, changed.text
