"""From a gap to an answer: grouped, tried out, published, told, and live."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from console_driver import NOW, Clock, Enter, FrontDoor, Students, git
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient

from channels.delivery.markdown_lines import blocks_of
from console.api.dependencies import Console
from console.loose_search import bare
from console.personal_data import unlisted_contacts
from console.publishing import Publisher
from rag.live_engine import LiveEngine
from rag.types import Question

ASKED = "Trường có cho thuê sân bóng không?"
ENTRY = {
    "question": ASKED,
    "variants": ["truong co cho thue san bong khong", "thuê sân bóng ở đâu"],
    "answer": "Có, 200.000 đồng một giờ.",
    "topic": "study",
}
WORDINGS = (ENTRY["question"], *ENTRY["variants"])


def test_gaps_are_grouped_and_ranked_by_students(enter: Enter, students: Students) -> None:
    students.asks("Thầy hiệu trưởng tên gì?", "binh")
    students.asks(ASKED, "an")
    students.asks("truong co cho thue san bong khong", "an")
    students.asks("trường có cho thuê sân bóng không vậy", "chi")
    students.asks("Học phí bao nhiêu?", "an", decision="answer", confidence=0.95)
    students.asks("Cảm ơn nhé", "an", decision="")

    groups = enter("advisor").get("/api/gaps").json()["groups"]

    assert [(group["students"], group["questions"]) for group in groups] == [(2, 3), (1, 1)]
    assert "sân bóng" in groups[0]["question"]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"decision": "no_answer"}, ["no_answer"]),
        ({"decision": "answer", "confidence": 0.9, "good": False}, ["thumbs_down"]),
        ({"decision": "answer", "confidence": 0.5}, ["low_confidence"]),
        ({"decision": "answer", "confidence": 0.9, "handed_over": True}, ["hand_over"]),
        ({"decision": "no_answer", "handed_over": True}, ["no_answer", "hand_over"]),
        ({"decision": "answer", "confidence": 0.5, "good": True}, None),
        ({"decision": "answer", "confidence": 0.9}, None),
        ({"decision": "passed_on"}, ["no_answer"]),
        ({"decision": "passed_on", "source": "faq", "answer_id": "a", "confidence": 0.9}, None),
        ({"decision": "passed_on", "source": "faq", "answer_id": "a", "confidence": 0.5}, ["low_confidence"]),
        # It would have been asked back about.
        ({"decision": "passed_on", "source": "faq", "confidence": 0.5}, None),
        ({"decision": "clarify", "source": "faq", "confidence": 0.5}, None),
        (
            {
                "decision": "passed_on",
                "source": "faq",
                "answer_id": "a",
                "confidence": 0.5,
                "handed_over": True,
            },
            ["low_confidence", "hand_over"],
        ),
        ({"decision": ""}, None),
        ({"decision": "no_answer", "at": NOW - 100 * 86_400}, None),
    ],
)
def test_what_makes_a_gap(
    enter: Enter, students: Students, asked: dict[str, object], why: list[str] | None
) -> None:
    students.asks(ASKED, **asked)  # type: ignore[arg-type]

    groups = enter("advisor").get("/api/gaps").json()["groups"]

    assert [turn["why"] for group in groups for turn in group["turns"]] == ([] if why is None else [why])


def test_a_draft_is_tried_on_the_questions_and_changes_nothing(enter: Enter, publisher: Publisher) -> None:
    before = {entry.text for entry in publisher.files.entries()}

    tried = enter("editor").post(
        "/api/faq/try", json={**ENTRY, "questions": ["thue san bong o dau", "Xin chào"]}
    )

    assert [reply["by_this"] for reply in tried.json()["replies"]] == [True, False]
    assert {entry.text for entry in publisher.files.entries()} == before


def test_a_draft_is_tried_in_its_own_wordings_with_and_without_diacritics(enter: Enter) -> None:
    client, ruled = enter("editor"), "Sân bóng mở mấy giờ?"
    assert client.post("/api/query-rules", json={"question": ruled, "reply": "no_answer"}).status_code == 201

    def tried(*variants: str) -> Any:
        return client.post("/api/faq/try", json={**ENTRY, "variants": variants}).json()["wordings"]

    asked = tried(*ENTRY["variants"])
    assert asked == {
        "count": len({each for typed in WORDINGS for each in (typed, bare(typed))}),
        "missed": [],
    }
    missed = tried(*ENTRY["variants"], ruled)["missed"]
    assert [each["question"] for each in missed] == [ruled, "san bong mo may gio?"]
    assert {each["decision"] for each in missed} == {"no_answer"}
    # The latest of many wordings are asked.
    many = [f"thuê sân bóng số {number}" for number in range(40)]
    assert tried(*many, ruled)["count"] == 2 * 10
    assert [each["question"] for each in tried(*many, ruled)["missed"]] == [ruled, "san bong mo may gio?"]


def test_one_answer_settles_the_group_and_reaches_those_who_asked(
    enter: Enter,
    students: Students,
    front_door: FrontDoor,
    publisher: Publisher,
    console: Console,
    tmp_path: Path,
) -> None:
    traces = [students.asks(ASKED, "an"), students.asks("thue san bong", "binh"), students.asks(ASKED, "an")]
    front_door.unreachable = {"binh"}
    live = LiveEngine(tmp_path / "index", embedder=EmbedderStandIn())
    assert live.current().reply(Question("thuê sân bóng ở đâu")).answer_id is None

    client = enter("editor")
    made = client.post("/api/faq/entries", json={**ENTRY, "settles": traces, "tell": traces})

    assert made.status_code == 201, made.text
    entry_id = made.json()["id"]
    [(channel, sender, text)] = front_door.told
    assert (channel, sender) == ("web", "an")
    assert ASKED in text
    assert "200.000 đồng" in text
    assert made.json()["told"] == 1
    assert [each["why"] for each in made.json()["untold"]] == ["window"]
    assert client.get("/api/gaps").json()["groups"] == []
    # The engine that was open all the time, without a restart.
    assert live.current().reply(Question("thue san bong o dau")).answer_id == entry_id
    assert publisher.files.entry(entry_id) is not None
    assert "publish" in {each["action"] for each in console.audit.page()}


def test_an_entry_that_is_there_settles_a_group_with_the_students_wording_and_reaches_them(
    enter: Enter, students: Students, front_door: FrontDoor, tmp_path: Path
) -> None:
    client, other_words = enter("editor"), "cho mướn sân đá banh không"
    made = client.post("/api/faq/entries", json=ENTRY).json()["id"]
    traces = [students.asks(other_words, "an"), students.asks(other_words, "binh")]
    entry = client.get(f"/api/faq/entries/{made}").json()
    kept = {name: entry[name] for name in ("question", "answer", "topic", "version")}
    body = {**kept, "variants": [*entry["variants"], other_words], "settles": traces, "tell": traces}

    done = client.put(f"/api/faq/entries/{made}", json=body)

    assert done.status_code == 200, done.text
    assert (done.json()["told"], done.json()["untold"]) == (2, [])
    assert {sender for _, sender, _ in front_door.told} == {"an", "binh"}
    assert all(other_words in text and "200.000 đồng" in text for _, _, text in front_door.told)
    assert client.get("/api/gaps").json()["groups"] == []
    live = LiveEngine(tmp_path / "index", embedder=EmbedderStandIn())
    assert live.current().reply(Question(other_words)).answer_id == made
    # Nobody gets an answer twice unknowingly; a change that tells nobody is no second answer.
    again = {**body, "version": done.json()["version"]}
    refused = enter("administrator").put(f"/api/faq/entries/{made}", json=again)
    assert (refused.status_code, refused.json()["error"]) == (409, "already_settled"), refused.text
    assert len(front_door.told) == 2
    assert client.put(f"/api/faq/entries/{made}", json={**again, "tell": []}).status_code == 200


def test_of_two_who_answer_one_group_the_second_is_told_and_no_student_gets_both_unknowingly(
    enter: Enter, students: Students, front_door: FrontDoor, clock: Clock
) -> None:
    traces = [students.asks(ASKED, "an"), students.asks(ASKED, "binh")]
    first, second = enter("editor"), enter("administrator")
    assert first.post(
        "/api/faq/entries", json={**ENTRY, "settles": traces[:1], "tell": traces[:1]}
    ).is_success
    other = {**ENTRY, "question": "Thuê sân bóng?", "answer": "Chưa cho thuê.", "variants": []}
    clock.now += 60

    refused = second.post("/api/faq/entries", json={**other, "settles": traces, "tell": traces})

    assert (refused.status_code, refused.json()["error"]) == (409, "already_settled"), refused.text
    told = refused.json()["detail"]["settled"]
    assert (told["name"], told["at"], told["question"]) == ("Cô editor", NOW, ASKED)
    assert told["answer"] == ENTRY["answer"]
    assert [sender for _, sender, _ in front_door.told] == ["an"]
    # Whoever has seen it may want a second answer.
    body = {**other, "settles": traces, "tell": traces[1:], "knows_settled": True}
    assert second.post("/api/faq/entries", json=body).status_code == 201
    assert [sender for _, sender, _ in front_door.told] == ["an", "binh"]
    # The second advisor is told of a turn that was set aside, too.
    aside = students.asks("Có phòng gym không?", "chi")
    assert first.post("/api/gaps/aside", json={"traces": [aside]}).is_success
    refused = second.post("/api/faq/entries", json={**other, "question": "Gym?", "settles": [aside]})
    assert (refused.json()["detail"]["settled"]["entry"], refused.status_code) == ("", 409)


def test_a_late_answer_has_its_source_and_the_students_words_are_no_markup(
    enter: Enter, students: Students, front_door: FrontDoor
) -> None:
    trace = students.asks("**Sân** [bóng](https://x.example)\n# mấy giờ?", "an")
    source = {"document": "quy-che-2025", "locator": "Điều 1, khoản 1 (QUY CHẾ HỌC VỤ)"}

    made = enter("editor").post("/api/faq/entries", json={**ENTRY, "sources": [source], "tell": [trace]})

    assert made.json()["told"] == 1
    [(_, _, text)] = front_door.told
    [line, *_] = blocks_of(text, 0)[0][0]
    assert "**Sân** [bóng](https://x.example) # mấy giờ?" in line.text
    assert not any(span.styles or span.link for span in line.spans)
    [[citation]] = front_door.cited
    assert (citation.document_id, citation.locator) == (source["document"], source["locator"])
    assert citation.quote


def test_an_entry_with_a_problem_is_refused_with_its_reason(enter: Enter, publisher: Publisher) -> None:
    before = publisher.live.version

    answer = enter("editor").post(
        "/api/faq/entries", json={**ENTRY, "topic": "nowhere", "sources": [{"document": "no-document"}]}
    )

    assert answer.status_code == 422
    assert "nowhere" in answer.json()["message"]
    assert "no-document" in answer.json()["message"]
    assert publisher.live.version == before
    assert all(entry.record["question"] != ASKED for entry in publisher.files.entries())


def test_students_words_with_personal_data_are_not_published(enter: Enter, publisher: Publisher) -> None:
    variants = ["em là B2012345, thuê sân ở đâu", "goi 0912 345 678 nhe"]

    answer = enter("editor").post("/api/faq/entries", json={**ENTRY, "variants": variants})

    assert answer.status_code == 422
    assert "B2012345" not in answer.json()["message"]
    assert all(entry.record["question"] != ASKED for entry in publisher.files.entries())


def test_an_answer_with_an_unlisted_number_is_published_only_when_confirmed(enter: Enter) -> None:
    client = enter("editor")
    private = {**ENTRY, "answer": "Gọi cô Lan +84 912 345 678."}

    assert client.post("/api/faq/try", json=private).json()["contacts"] == ["+84 912 345 678"]
    refused = client.post("/api/faq/entries", json=private)
    assert (refused.status_code, refused.json()["error"]) == (422, "unlisted_contacts")
    assert refused.json()["detail"] == {"contacts": ["+84 912 345 678"]}
    made = client.post("/api/faq/entries", json={**private, "public_contacts": ["+84 912 345 678"]}).json()

    # What the entry says already is public; another number is asked for anew.
    version = client.get(f"/api/faq/entries/{made['id']}").json()["version"]
    also = {**ENTRY, "answer": "Gọi cô Lan 0912345678.", "version": version}
    other = {**also, "answer": "Gọi thầy Bình 0987654321."}
    assert client.put(f"/api/faq/entries/{made['id']}", json=other).status_code == 422
    assert client.put(f"/api/faq/entries/{made['id']}", json=also).status_code == 200


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("Gọi (0200) 3800 101 hoặc 3800 101.", []),
        ("Năm 2025-2026, trước 2026-10-05, 12.500.000 đồng.", []),
        ("Ghi B2012345 và 3800 102.", ["B2012345", "3800 102"]),
        ("Gặp thầy Đồng(0912345678)hoặc 84912345679", ["0912345678", "84912345679"]),
        ("Thư LAN@x.example, lan@x.example, an@x.example.", ["an@x.example"]),
    ],
)
def test_contacts_that_the_school_does_not_list(answer: str, found: Sequence[str]) -> None:
    assert unlisted_contacts(answer, ["phone: (0200) 3800 101", "email: lan@x.example"]) == found


def test_two_editors_of_one_entry_see_the_conflict_and_both_texts(enter: Enter) -> None:
    first, second = enter("editor"), enter("administrator")
    seen = first.get("/api/faq/entries/tuition-deadline").json()
    changed = {name: seen[name] for name in ("question", "variants", "topic", "sources", "version")}
    also = second.get("/api/faq/entries/tuition-deadline").json()

    won = first.put("/api/faq/entries/tuition-deadline", json={**changed, "answer": "Ngày 30."})
    lost = second.put(
        "/api/faq/entries/tuition-deadline",
        json={**changed, "version": also["version"], "answer": "Ngày 31."},
    )

    assert won.status_code == 200, won.text
    assert won.json()["answer"] == "Ngày 30.\n"
    assert (lost.status_code, lost.json()["error"]) == (409, "conflict")
    assert "Ngày 30." in lost.json()["detail"]["theirs"]
    assert lost.json()["detail"]["saved"] == {"name": "Cô editor", "at": NOW}


def version_of(client: TestClient, path: str) -> str:
    return str(client.get(path).json()["version"])


def test_a_conflict_names_who_went_back_to_a_version_or_nobody(
    enter: Enter, school: Path, clock: Clock
) -> None:
    first, second = enter("editor"), enter("administrator")
    path = "/api/faq/entries/tuition-deadline"
    changed = {"question": "Hạn?", "answer": "Ngày 31.", "topic": "study", "version": "an older one"}
    assert second.put(path, json=changed).json()["detail"]["saved"] is None

    before = git(school, "rev-parse", "HEAD")
    assert second.post("/api/faq/entries", json=ENTRY).status_code == 201
    assert second.put(path, json=changed).json()["detail"]["saved"] is None
    clock.now += 60
    assert first.post(f"/api/versions/{before}/restore").status_code == 200
    # It only took away what had been added.
    assert second.put(path, json=changed).json()["detail"]["saved"] is None
    assert second.put(path, json={**changed, "version": version_of(second, path)}).status_code == 200
    clock.now += 60
    assert first.post(f"/api/versions/{before}/restore").status_code == 200
    saved = {"name": "Cô editor", "at": clock.now}
    assert second.put(path, json=changed).json()["detail"]["saved"] == saved

    clock.now += 60
    assert second.post("/api/faq/entries", json=ENTRY).status_code == 201
    added = git(school, "rev-parse", "HEAD")
    assert second.post(f"/api/versions/{added}/undo").status_code == 200
    assert second.put(path, json=changed).json()["detail"]["saved"] == saved
    assert all("parts" not in each["detail"] for each in second.get("/api/audit").json()["entries"])


@pytest.mark.parametrize(
    ("file", "old", "new", "call", "path", "body"),
    [
        (
            "facts/dormitory.yml",
            "350.000",
            "360.000",
            "PUT",
            "/api/facts/value",
            {"name": "facts.dormitory.2026.room", "seen": "an older one", "value": "1 đồng"},
        ),
        (
            "calculators/dormitory.yml",
            "Bạn ở mấy tháng?",
            "Mấy tháng?",
            "PUT",
            "/api/calculators/dormitory-months",
            {"version": "older", "text": "- id: dormitory-months"},
        ),
        ("topics.yml", "Học vụ", "Việc học", "PUT", "/api/topics/study", {"version": "older", "name": "A"}),
        (
            "catalog.yml",
            "0200 111",
            "0200 112",
            "PUT",
            "/api/catalogue/office/phong-dao-tao",
            {"version": "older", "name": "A"},
        ),
        (
            "documents/noi-quy-ktx.meta.yml",
            "title: ",
            "number: 1/QĐ\ntitle: ",
            "PUT",
            "/api/documents/published/noi-quy-ktx",
            {"version": "older", "title": "A"},
        ),
    ],
)
def test_a_restoration_is_named_in_conflicts_of_each_kind(
    enter: Enter, school: Path, file: str, old: str, new: str, call: str, path: str, body: dict[str, Any]
) -> None:
    first, second = enter("editor"), enter("administrator")
    before = git(school, "rev-parse", "HEAD")
    text = (school / file).read_text(encoding="utf-8")
    assert old in text
    (school / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    untouched = {"question": "Hạn?", "answer": "Ngày 31.", "topic": "study", "version": "an older one"}

    assert first.post(f"/api/versions/{before}/restore").status_code == 200

    conflict = second.request(call, path, json=body)
    assert (conflict.status_code, conflict.json()["error"]) == (409, "conflict"), conflict.text
    assert conflict.json()["detail"]["saved"] == {"name": "Cô editor", "at": NOW}
    other = second.put("/api/faq/entries/tuition-deadline", json=untouched)
    assert other.json()["detail"]["saved"] is None


def test_a_publication_is_a_commit_in_the_knowledge_folders_own_repository(
    enter: Enter, tmp_path: Path
) -> None:
    school = tmp_path / "school"
    git(school, "init", "-q")
    git(school, "add", "-A")
    git(school, "-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "-qm", "start")
    (school / "notes.txt").write_text("not to be committed")

    made = enter("editor").post("/api/faq/entries", json=ENTRY).json()

    shown = git(school, "show", "--stat", "--format=%an <%ae>%n%s", made["commit"])
    assert "Cô editor <editor@covan.invalid>" in shown
    assert ENTRY["question"] in shown
    assert "1 file changed" in shown


def test_nothing_is_committed_to_a_repository_around_the_folder(enter: Enter, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")

    assert enter("editor").post("/api/faq/entries", json=ENTRY).json()["commit"] == ""


def test_lists_mask_personal_data_for_those_who_do_not_need_it(enter: Enter, students: Students) -> None:
    trace = students.asks("em B2012345, 0912345678, a.b@c.vn, đóng 12.500.000 năm 2025 phải không")
    masked = "em •••, •••, •••, đóng 12.500.000 năm 2025 phải không"

    editor, advisor = enter("editor"), enter("advisor")

    for place in ("/api/conversations", "/api/gaps", f"/api/conversations/{trace}"):
        assert "0912345678" not in editor.get(place).text
        assert "B2012345" not in editor.get(place).text
        assert "0912345678" in advisor.get(place).text
    assert editor.get("/api/conversations").json()["turns"][0]["question"] == masked
    assert "sender" not in advisor.get("/api/conversations").json()["turns"][0]


def test_todays_top_questions_are_masked_as_lists_are(enter: Enter, students: Students) -> None:
    students.asks("Học phí của B2012345", decision="answer", source="faq", answer_id="tuition")

    def top(role: str) -> str:
        return str(enter(role).get("/api/today").json()["top"][0]["question"])

    assert (top("editor"), top("advisor")) == ("Học phí của •••", "Học phí của B2012345")


def test_a_transcript_tells_why(enter: Enter, students: Students) -> None:
    reasons = {"reasons": ["similarity_low"], "candidates": [{"id": "study-credits"}]}
    trace = students.asks(ASKED, trace=reasons)

    found = enter("advisor").get(f"/api/conversations/{trace}").json()

    assert [message["author"] for message in found["messages"]] == ["student", "bot"]
    [turn] = found["turns"].values()
    assert turn["trace"]["reasons"] == ["similarity_low"]
    assert found["messages"][1]["turn"] == turn["turn_id"]
    assert "vector" not in turn["trace"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", 3),
        ("text=SÂN", 1),
        ("text=hoc+phi", 1),
        ("text=HỌC", 1),
        ("text=học", 1),
        ("text=%25", 0),
        ("decision=answer", 1),
        ("channel=zalo", 1),
        ("feedback=down", 1),
        ("confidence_below=0.5", 2),
        (f"since={NOW - 150}", 1),
        (f"until={NOW - 150}", 2),
        ("topic=study", 1),
        ("topic=-", 2),
    ],
)
def test_conversations_are_filtered(enter: Enter, students: Students, query: str, found: int) -> None:
    students.asks("Thuê sân bóng", "an", at=NOW - 300)
    students.asks(
        "Học phí", "binh", decision="answer", confidence=0.9, good=False, at=NOW - 200, topic="study"
    )
    students.asks("Thư viện", "chi", channel="zalo", at=NOW - 100)

    assert len(enter("advisor").get(f"/api/conversations?{query}").json()["turns"]) == found


def test_the_days_figures_stand_beside_those_before(enter: Enter, students: Students, clock: Clock) -> None:
    students.asks("Học phí", "an", decision="answer", source="faq", answer_id="tuition", good=True)
    students.asks("Sân bóng", "binh", handed_over=False)
    students.asks("Sân bóng", "an", at=clock.now - 10 * 86_400)

    today = enter("advisor").get("/api/today?days=7").json()

    assert today["decisions"] == {"answer": 1, "no_answer": 1}
    assert today["before"] == {"no_answer": 1}
    assert today["by"]["source"] == {"faq": {"answer": 1}, "none": {"no_answer": 1}}
    assert (today["students"], today["thumbs"]) == (2, {"up": 1, "down": 0})
    assert today["seconds"]["median"] == pytest.approx(0.5, abs=0.01)
    assert [row["answer_id"] for row in today["top"]] == ["tuition"]
    assert (today["waiting"], today["waiting_by"]) == (0, {})


def test_what_the_front_door_refuses_is_told(enter: Enter) -> None:
    answer = enter("advisor").post("/api/inbox/1/take")

    assert (answer.status_code, answer.json()["error"]) == (409, "taken")


def test_an_entry_whose_source_is_over_is_to_be_reviewed(enter: Enter) -> None:
    client = enter("editor")
    assert client.get("/api/faq").json()["outdated"] == 0

    made = client.post(
        "/api/faq/entries", json={**ENTRY, "sources": [{"document": "khuyen-mai-2024"}]}
    ).json()

    found = client.get("/api/faq", params={"outdated": True}).json()
    assert [(entry["id"], entry["outdated"]) for entry in found["entries"]] == [(made["id"], True)]
    assert (found["count"], found["outdated"]) == (1, 1)
    assert client.get("/api/faq", params={"text": "sân bóng"}).json()["entries"][0]["outdated"]


def test_a_preview_has_the_citations_of_its_sources_on_each_channel(enter: Enter) -> None:
    source = {"document": "noi-quy-ktx", "locator": "Điều 3, khoản 2"}

    seen = enter("editor").post(
        "/api/faq/preview", json={"answer": "Đăng ký **ở cổng**.", "sources": [source]}
    )

    assert seen.status_code == 200, seen.text
    [citation] = seen.json()["citations"]
    assert citation["locator"] == "Điều 3, khoản 2"
    told = f"Nguồn: {citation['title']}, Điều 3, khoản 2"
    assert seen.json()["channels"]["messenger"] == ["Đăng ký ở cổng.", told]
    unknown = {"answer": "Có.", "sources": [{"document": "khong-co"}]}
    assert enter("editor").post("/api/faq/preview", json=unknown).json()["citations"] == []


def test_lists_and_previews_have_the_values_of_facts(enter: Enter) -> None:
    client = enter("editor")
    [fact] = client.get("/api/facts", params={"text": "facts.dormitory.2026.room"}).json()["facts"]

    [listed] = client.get("/api/faq", params={"text": "Giá phòng ký túc xá"}).json()["entries"]
    seen = client.post(
        "/api/faq/preview", json={"answer": "**{{ facts.dormitory.2026.room }}** {{ facts.x.y }}"}
    )

    assert fact["value"] in listed["answer"]
    assert "{{" not in listed["answer"]
    told = f"{fact['value']} {{{{ facts.x.y }}}}"
    assert seen.json()["answer"] == f"**{fact['value']}** {{{{ facts.x.y }}}}"
    assert seen.json()["channels"]["messenger"] == [told]
    # Who edits the entry has the name of the fact.
    assert "{{" in client.get(f"/api/faq/entries/{listed['id']}").json()["answer"]


def test_a_draft_is_told_which_entry_answers_its_question_already(enter: Enter) -> None:
    client = enter("editor")
    made = client.post("/api/faq/entries", json=ENTRY).json()

    tried = client.post("/api/faq/try", json={**ENTRY, "answer": "Không.", "questions": [ASKED]}).json()
    assert [reply["now_by"] for reply in tried["replies"]] == [made["id"]]
    assert [reply["now_by_question"] for reply in tried["replies"]] == [ENTRY["question"]]

    version = client.get(f"/api/faq/entries/{made['id']}").json()["version"]
    own = {**ENTRY, "entry_id": made["id"], "version": version, "questions": [ASKED]}
    assert [reply["now_by"] for reply in client.post("/api/faq/try", json=own).json()["replies"]] == [""]
