"""The inbox's calls: the student beside the chat, notes, handing on, previews, and canned replies."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from console_driver import NOW, Clock, Enter, FrontDoor, Students, databases

from console.advisors_api import Conversation, Waiting
from console.api.dependencies import Console
from console.canned_replies import CannedReplies, CannedReplyError
from console.database import open_database
from console.turns import Turns

GREETING = {"title": "Chào", "text": "Chào em, thầy cô xem rồi trả lời ngay."}


def test_the_student_stands_beside_the_conversation(
    enter: Enter, students: Students, front_door: FrontDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    students.asks("Học phí bao nhiêu?", at=NOW - 900, decision="answer", topic="tuition")
    students.asks("Còn thư viện?", trace={"profile": {"cohort": "48", "major": "cntt"}})
    students.asks("Của người khác", "binh", trace={"profile": {"cohort": "46"}})
    opened = datetime.fromtimestamp(NOW, UTC)
    waiting = Conversation(
        id=1, channel="web", sender="an", status="waiting", opened_at=opened, last_at=opened, messages=()
    )
    monkeypatch.setattr(front_door, "conversation", lambda _number: waiting)

    student = enter("advisor").get("/api/inbox/1").json()["student"]

    assert [each["value"] for each in student["profile"]] == ["Khóa 48", "Công nghệ thông tin"]
    assert [(each["question"], each["decision"]) for each in student["questions"]] == [
        ("Còn thư viện?", "no_answer"),
        ("Học phí bao nhiêu?", "answer"),
    ]
    assert student["questions"][1]["topic"] not in ("", "tuition")
    assert student["since"] == NOW - 900


def test_who_asked_for_a_person_at_once_is_listed_with_what_was_written_since(
    enter: Enter, students: Students, front_door: FrontDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    students.asks("Học phí bao nhiêu?", at=NOW - 900)
    students.asks("em k50 cntt muốn hỏi về học bổng", at=NOW - 200)
    students.asks("có ai không ạ", at=NOW - 100)
    opened = datetime.fromtimestamp(NOW - 300, UTC)
    queue = [
        Waiting(
            id=number,
            channel="web",
            sender=sender,
            status="waiting",
            question=question,
            opened_at=opened,
            last_at=opened,
        )
        for number, sender, question in ((1, "an", ""), (2, "binh", ""), (3, "an", "Điểm rèn luyện?"))
    ]
    monkeypatch.setattr(front_door, "queue", lambda _status: queue)

    listed = enter("advisor").get("/api/inbox").json()["conversations"]

    assert [each["question"] for each in listed] == [
        "em k50 cntt muốn hỏi về học bổng",
        "",
        "Điểm rèn luyện?",
    ]


@databases
def test_conversations_are_found_by_question_office_advisor_and_message(url: str, clock: Clock) -> None:
    students = Students(url)
    students.asks("Em bị trừ học phí hai lần", "an")
    students.asks("Mất thẻ rồi ạ", "binh")
    turns = Turns(url, clock)

    def found(text: str) -> list[str]:
        return sorted(sender for _, sender in turns.with_words({("web", "an"), ("web", "binh")}, text))

    assert found("HOC PHI") == ["an"]
    assert found("thẻ mất") == ["binh"]
    assert found("học thẻ") == []
    assert found("trả lời") == ["an", "binh"], "the bot's words"
    assert turns.with_words({("zalo", "an")}, "học phí") == set()
    students.database.close()


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("hoc phi", [1]),
        ("HỌC BỔNG", [2, 3]),
        ("phòng đào tạo", [3]),
        ("co mai", [2]),
        ("thư viện", []),
    ],
)
def test_the_inbox_is_searched(
    enter: Enter, students: Students, front_door: FrontDoor, text: str, ids: list[int]
) -> None:
    students.asks("Em bị trừ học phí hai lần", "an")
    students.asks("Thư viện ở đâu?", "chi")
    opened = datetime.fromtimestamp(NOW, UTC)

    def conversation(number: int, sender: str, status: Any, **told: str) -> Conversation:
        of = {"id": number, "channel": "web", "sender": sender, "status": status, "messages": ()}
        return Conversation(**of, opened_at=opened, last_at=opened, **told)

    front_door.conversations = [
        conversation(1, "an", "waiting"),
        conversation(2, "binh", "taken", question="Điểm học bổng", taken_by="Cô Mai"),
        conversation(3, "chi", "closed", question="Học bổng", office="Phòng Đào tạo"),
    ]

    found = enter("advisor").get("/api/inbox/search", params={"text": text})

    assert found.json() == {"ids": ids}


def test_what_advisors_do_is_under_their_name_and_the_log_has_no_words(
    enter: Enter, front_door: FrontDoor, console: Console
) -> None:
    advisor = enter("advisor")

    noted = advisor.post("/api/inbox/1/notes", json={"text": "Em ấy đang ốm"})
    office = {"office": "Phòng Tài chính", "text": "Về học phí", "taken_by": "Cô advisor"}
    handed = advisor.post("/api/inbox/1/hand-on", json=office)
    seen = advisor.post("/api/inbox/1/preview", json={"text": "Chào em"})

    assert (noted.status_code, handed.status_code) == (204, 204)
    assert front_door.noted == [("Cô advisor", "Em ấy đang ốm")]
    assert front_door.handed_on == [{"by": "Cô advisor", "to": "", **office}]
    assert seen.json() == {"messages": ["Cô advisor: Chào em"]}
    log = str(console.audit.page())
    assert "hand_on" in log
    assert "ốm" not in log
    assert "Về học phí" not in log


def test_a_conversation_goes_to_who_may_answer_and_to_the_schools_offices(
    enter: Enter, console: Console
) -> None:
    administrator, _, _ = enter("administrator"), enter("editor"), enter("advisor")
    console.accounts.create("gone", "Thầy Cũ", ["advisor"], "mat-khau-du-dai")
    console.accounts.change("gone", active=False)

    found = administrator.get("/api/inbox/recipients").json()

    assert found["advisors"] == ["Cô administrator", "Cô advisor"]
    assert "Phòng Tài chính" in found["offices"]


# --- canned replies ---------------------------------------------------------------------------------------------------


def test_a_canned_reply_is_written_changed_and_deleted(enter: Enter) -> None:
    advisor, other = enter("advisor"), enter("administrator")

    made = advisor.post("/api/canned-replies", json=GREETING)
    number = made.json()["id"]
    assert made.status_code == 201
    (found,) = other.get("/api/canned-replies").json()["replies"]
    assert found == {"id": number, "version": 1, **GREETING}

    changed = {**GREETING, "text": "Chào em."}
    assert other.put(f"/api/canned-replies/{number}", json={**changed, "version": 1}).status_code == 204
    (found,) = advisor.get("/api/canned-replies").json()["replies"]
    assert (found["text"], found["version"]) == ("Chào em.", 2)

    assert advisor.delete(f"/api/canned-replies/{number}?version=2").status_code == 204
    assert advisor.get("/api/canned-replies").json() == {"replies": []}


def test_of_two_who_change_a_canned_reply_the_second_sees_both(enter: Enter) -> None:
    advisor = enter("advisor")
    number = advisor.post("/api/canned-replies", json=GREETING).json()["id"]
    first = {**GREETING, "text": "Một.", "version": 1}
    enter("administrator").put(f"/api/canned-replies/{number}", json=first)

    second = advisor.put(f"/api/canned-replies/{number}", json={**GREETING, "text": "Hai.", "version": 1})
    deleted = advisor.delete(f"/api/canned-replies/{number}?version=1")

    for refused in (second, deleted):
        assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
        detail = refused.json()["detail"]
        assert detail["theirs"] == {"id": number, "version": 2, **GREETING, "text": "Một."}
        assert (detail["version"], detail["saved"]) == (2, {"name": "Cô administrator", "at": NOW})
    assert advisor.get("/api/canned-replies").json()["replies"][0]["text"] == "Một."


def test_who_deleted_a_canned_reply_is_told_to_who_changes_it(enter: Enter) -> None:
    advisor = enter("advisor")
    number = advisor.post("/api/canned-replies", json=GREETING).json()["id"]
    enter("administrator").delete(f"/api/canned-replies/{number}?version=1")

    for refused in (
        advisor.put(f"/api/canned-replies/{number}", json={**GREETING, "version": 1}),
        advisor.delete(f"/api/canned-replies/{number}?version=1"),
    ):
        assert (refused.status_code, refused.json()["error"]) == (404, "no_canned_reply")
        assert refused.json()["detail"]["deleted"] == {"name": "Cô administrator", "at": NOW}
    unknown = advisor.delete(f"/api/canned-replies/{number + 1}?version=1")
    assert (unknown.status_code, unknown.json()["detail"]["deleted"]) == (404, None)


@pytest.mark.parametrize(
    "body",
    [
        {"title": "", "text": "Chào em."},
        {"title": " \n", "text": "Chào em."},
        {"title": "x" * 81, "text": "Chào em."},
        {"title": "Chào", "text": "\u200b"},
        {"title": "Chào", "text": "x" * 4_001},
        {"title": "Chào"},
    ],
)
def test_a_canned_reply_has_a_title_and_a_text(enter: Enter, body: dict[str, str]) -> None:
    advisor = enter("advisor")

    assert advisor.post("/api/canned-replies", json=body).status_code == 422
    assert advisor.get("/api/canned-replies").json() == {"replies": []}


@databases
def test_canned_replies_in_the_database(url: str, clock: Clock) -> None:
    database = open_database(url)
    replies = CannedReplies(database, clock)
    hours = replies.add("Giờ làm việc", "7:30 đến 17:00.", "lan")
    greeting = replies.add("chào", "Chào em.", "lan")
    assert [each.id for each in replies.all()] == [greeting, hours]

    for write in (
        lambda: replies.add("chào", "Xin chào.", "nam"),
        lambda: replies.change(hours, 1, "chào", "Xin chào.", "nam"),
    ):
        with pytest.raises(CannedReplyError) as refused:
            write()
        assert refused.value.code == "title_taken"
    with pytest.raises(CannedReplyError) as refused:
        replies.change(greeting + 100, 1, "Khác", "Khác.", "nam")
    assert refused.value.code == "no_canned_reply"
    assert [(each.title, each.version) for each in replies.all()] == [("chào", 1), ("Giờ làm việc", 1)]
    database.dispose()
