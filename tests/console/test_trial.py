"""A question tried in the console: the live reply and why, recorded nowhere."""

from __future__ import annotations

from typing import Any

import pytest
from console_driver import Enter
from fastapi.testclient import TestClient

LANGUAGE = "Chuẩn ngoại ngữ để tốt nghiệp là gì?"


def tried(client: TestClient, question: str, **profile: str) -> dict[str, Any]:
    got = client.post("/api/try", json={"question": question, "profile": profile})
    assert got.status_code == 200, got.text
    return dict(got.json())


def test_the_answer_is_the_one_for_the_student(enter: Enter) -> None:
    client = enter("advisor")

    asked_back = tried(client, LANGUAGE)
    [said] = asked_back["said"]
    assert (said["decision"], said["asks"]) == ("clarify", ["khóa"])

    answers = {cohort: tried(client, LANGUAGE, cohort=cohort) for cohort in ("48", "49")}
    given = {cohort: each["turn"]["answer_id"] for cohort, each in answers.items()}
    assert "" not in given.values()
    assert len(set(given.values())) == 2
    trace = answers["48"]["turn"]["trace"]
    assert (trace["reasons"], trace["profile"]) == (["conditions_hold"], [["khóa", "Khóa 48"]])
    assert trace["candidates"][0]["id"] == given["48"]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("em muốn chết quá", "không ai phải chịu đựng một mình"),
        ("cảm ơn ad nhiều nha", ""),
        ("hihi", ""),
        ("?", ""),
    ],
)
def test_what_the_chat_takes_for_talk_is_no_answer(enter: Enter, typed: str, told: str) -> None:
    found = tried(enter("advisor"), typed)

    [said] = found["said"]
    assert (said["decision"], found["turn"]["decision"], found["turn"]["answer_id"]) == ("", "", "")
    assert told in said["text"]
    assert said["text"]
    assert "{" not in said["text"]


def test_words_that_an_entry_has_are_a_question_whatever_they_sound_like(enter: Enter) -> None:
    typed, client = "cảm ơn ad nhiều nha", enter("editor")
    entry = client.get("/api/faq/entries/study-transcript").json()
    fields = {name: entry[name] for name in ("question", "answer", "topic", "sources", "version")}
    assert tried(client, typed)["turn"]["decision"] == ""

    done = client.put(
        "/api/faq/entries/study-transcript", json={**fields, "variants": [*entry["variants"], typed]}
    )

    assert done.status_code == 200, done.text
    assert tried(client, typed)["turn"]["answer_id"] == "study-transcript"
    assert tried(client, "Cảm ơn ạ")["turn"]["decision"] == ""


def test_nothing_of_it_is_recorded(enter: Enter) -> None:
    client = enter("advisor")
    tried(client, LANGUAGE)

    assert client.get("/api/conversations").json()["turns"] == []


@pytest.mark.parametrize(
    "body",
    [
        {"question": ""},
        {"question": "x" * 2_001},
        {"question": "Học phí?", "profile": {"cohort": "999"}},
        {"question": "Học phí?", "profile": {"planet": "1"}},
        {"question": "Học phí?", "profile": {"cohort": 48}},
    ],
)
def test_what_cannot_be_asked(enter: Enter, body: dict[str, Any]) -> None:
    refused = enter("advisor").post("/api/try", json=body)

    assert (refused.status_code, refused.json()["error"]) == (422, "invalid")
