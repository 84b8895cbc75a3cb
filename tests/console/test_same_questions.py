"""Two answers to one question are published only by somebody who has seen both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from console_driver import Enter, Students
from httpx import Response

from console.publishing import Publisher
from console.same_questions import overlap
from school.catalog import Catalog, Major, Program
from school.dimensions import AppliesTo

DEADLINE = {"question": "Hạn đóng học phí là ngày nào?", "answer": "Ngày 15 tháng 10.", "topic": "tuition"}
SPORTS = {"question": "Trường có cho thuê sân bóng không?", "answer": "Có, ở khu B.", "topic": "dormitory"}
LANGUAGE = {"question": "Chuẩn ngoại ngữ để tốt nghiệp là gì?", "answer": "TOEIC 550.", "topic": "language"}


def named(answer: Response) -> list[str]:
    """Return the ids of the entries that a refusal names."""
    assert (answer.status_code, answer.json()["error"]) == (409, "same_question"), answer.text
    return [each["id"] for each in answer.json()["detail"]["entries"]]


@pytest.mark.parametrize(
    "words",
    [
        {},
        {"question": "han dong hoc phi la ngay nao"},
        {"question": "HẠN ĐÓNG HỌC PHÍ LÀ NGÀY NÀO ?!"},
        {"question": "Đóng tiền học tới hôm nào?", "variants": ["Han nop hoc phi."]},
    ],
)
def test_a_question_that_another_entry_answers_is_published_only_when_confirmed(
    enter: Enter, publisher: Publisher, words: Mapping[str, Any]
) -> None:
    client, entry = enter("editor"), {**DEADLINE, **words}

    refused = client.post("/api/faq/entries", json=entry)

    assert named(refused)[0] == "tuition-deadline"
    told = refused.json()["detail"]["entries"][0]
    assert told["question"] == DEADLINE["question"]
    assert "30 tháng 9" in told["answer"]
    assert told["applies_to"] == {}
    assert len([each for each in publisher.files.entries() if each.record.get("topic") == "tuition"]) == 3
    assert client.post("/api/faq/entries", json={**entry, "same_entries": ["study-card"]}).status_code == 409
    made = client.post("/api/faq/entries", json={**entry, "same_entries": named(refused)})
    assert made.status_code == 201, made.text


def test_the_second_of_two_that_ask_the_same_is_asked_about_the_first(enter: Enter) -> None:
    client = enter("editor")
    first = client.post("/api/faq/entries", json=SPORTS)
    assert first.status_code == 201, first.text

    second = client.post("/api/faq/entries", json={**SPORTS, "answer": "Không cho thuê."})

    assert named(second) == [first.json()["id"]]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "Trường mình có phòng tập gym cho sinh viên không ạ?",
            "Trường có phòng tập gym cho sinh viên không?",
        ),
        (
            "Trường có cho thuê sân bóng không?",
            "Dạ em chào thầy cô, cho em hỏi trường có cho thuê sân bóng không ạ",
        ),
        ("Cho mình hỏi giá vé gửi xe là bao nhiêu vậy ạ?", "gia ve gui xe bao nhieu"),
    ],
)
def test_politeness_makes_no_other_question(enter: Enter, first: str, second: str) -> None:
    client = enter("editor")
    made = client.post("/api/faq/entries", json={**SPORTS, "question": first})
    assert made.status_code == 201, made.text

    named_now = named(client.post("/api/faq/entries", json={**SPORTS, "question": second}))

    assert named_now[0] == made.json()["id"]


def test_a_word_of_its_own_makes_another_question(enter: Enter) -> None:
    client = enter("editor")
    first = client.post("/api/faq/entries", json={**SPORTS, "question": "Trường có phòng tập gym không ạ?"})

    second = client.post("/api/faq/entries", json={**SPORTS, "question": "Trường có phòng tự học không?"})

    assert (first.status_code, second.status_code) == (201, 201)


@pytest.mark.parametrize(
    ("students", "ids"),
    [
        ({}, ["language-k48", "language-k49"]),
        ({"cohorts": ["50"]}, ["language-k49"]),
        ({"cohorts": ["K47-49"]}, ["language-k48", "language-k49"]),
        ({"cohorts": ["-45"], "programs": ["clc"]}, ["language-k48"]),
    ],
)
def test_only_entries_for_some_of_the_same_students_are_named(
    enter: Enter, students: Mapping[str, Any], ids: list[str]
) -> None:
    refused = enter("editor").post("/api/faq/entries", json={**LANGUAGE, "applies_to": students})

    assert sorted(named(refused)) == ids


def test_siblings_for_other_students_are_published_at_once(enter: Enter) -> None:
    client = enter("editor")
    fee = {"question": "Giá vé gửi xe?", "answer": "3.000 đồng.", "topic": "dormitory"}

    first = client.post("/api/faq/entries", json={**fee, "applies_to": {"cohorts": ["49"]}})
    second = client.post("/api/faq/entries", json={**fee, "applies_to": {"cohorts": ["50-"]}})

    assert (first.status_code, second.status_code) == (201, 201)


def test_a_change_is_asked_about_its_new_wordings_alone(enter: Enter) -> None:
    client = enter("editor")
    path = "/api/faq/entries/study-card"
    seen = client.get(path).json()
    fields = {name: seen[name] for name in ("question", "variants", "topic", "sources", "applies_to")}
    other = {
        **fields,
        "question": "Hạn đóng học phí là ngày nào?",
        "answer": "Ngày 1.",
        "version": seen["version"],
    }

    assert named(client.put(path, json=other)) == ["tuition-deadline"]
    changed = client.put(path, json={**other, "same_entries": ["tuition-deadline"]})
    assert changed.status_code == 200, changed.text
    # Both have it now: who changes the answer alone is not asked again; who widens the students is.
    again = {**other, "answer": "Ngày 2.", "version": changed.json()["version"]}
    changed = client.put(path, json=again)
    assert changed.status_code == 200, changed.text
    narrow = {**again, "applies_to": {"cohorts": ["50"]}, "version": changed.json()["version"]}
    assert named(client.put(path, json=narrow)) == ["tuition-deadline"]


def test_the_answer_of_a_gap_and_a_draft_are_asked_about_too(enter: Enter, students: Students) -> None:
    client = enter("editor")
    trace = students.asks(DEADLINE["question"])
    fields = {name: DEADLINE.get(name, "") for name in ("question", "answer", "topic")}
    kept = client.post(
        "/api/drafts",
        json={"kind": "entry", "fields": fields, "settles": [trace], "checks": [], "tell": []},
    ).json()
    draft = {"id": kept["id"], "version": kept["version"]}

    refused = client.post("/api/faq/entries", json={**DEADLINE, "settles": [trace], "draft": draft})

    assert named(refused) == ["tuition-deadline"]
    assert client.get(f"/api/drafts/{kept['id']}").status_code == 200
    assert client.get("/api/gaps").json()["groups"] != []


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ({}, {"cohort": ("49",)}, True),
        ({"cohort": ("49",)}, {"cohort": ("50",)}, False),
        ({"cohort": ("-48",)}, {"cohort": ("49-",)}, False),
        ({"cohort": ("47-49",)}, {"cohort": ("49-51",)}, True),
        ({"cohort": ("40-60",)}, {"cohort": ("45-46",)}, True),
        ({"cohort": ("49",), "major": ("cntt",)}, {"cohort": ("49",), "major": ("ketoan",)}, False),
        ({"cohort": ("49",)}, {"major": ("ketoan",)}, True),
        ({"major": ("cntt", "ketoan")}, {"major": ("ketoan", "luat")}, True),
        ({"program": ("clc",)}, {"major": ("ketoan",)}, False),
        ({"program": ("clc",)}, {"major": ("ketoan", "cntt")}, True),
    ],
)
def test_students_in_common(one: Any, other: Any, together: bool) -> None:
    majors = (
        Major("cntt", "CNTT", programs=("standard", "clc")),
        Major("ketoan", "Kế toán", programs=("standard",)),
    )
    programs = (Program("standard", "Đại trà"), Program("clc", "Chất lượng cao"))
    catalog = Catalog(majors=majors, programs=programs)

    assert overlap(AppliesTo(one), AppliesTo(other), catalog) is together
    assert overlap(AppliesTo(other), AppliesTo(one), catalog) is together
