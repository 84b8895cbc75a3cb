"""A correction that says "no answer" or "ask back" holds in the next conversation, and later edits are tried on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from console_driver import Enter, Students, git
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient

from console.publishing import Publisher
from rag.engine import Engine
from rag.index.versions import open_index
from rag.ingest.build import build_index
from rag.ingest.checked_questions import CheckedQuestion
from rag.ingest.load import load_knowledge
from rag.live_engine import LiveEngine
from rag.types import DecisionKind, Question, Reply

ASKED = "Xin bảng điểm ở đâu?"
TRANSCRIPT, CARD = "study-transcript", "study-card"


@pytest.fixture
def live(tmp_path: Path) -> LiveEngine:
    return LiveEngine(tmp_path / "index", embedder=EmbedderStandIn())


def reply_to(live: LiveEngine, text: str) -> Reply:
    return live.current().reply(Question(text))


def ruled(client: TestClient, **body: Any) -> Any:
    return client.post("/api/query-rules", json={"question": ASKED, "reply": "no_answer", **body})


def rules(client: TestClient) -> list[dict[str, Any]]:
    return list(client.get("/api/query-rules").json()["rules"])


def tried(client: TestClient, **changes: Any) -> dict[str, Any]:
    """Return what a draft of the transcript's entry does to the checked questions."""
    entry = client.get(f"/api/faq/entries/{TRANSCRIPT}").json()
    names = ("question", "variants", "answer", "topic", "sources", "version")
    draft = {name: entry[name] for name in names} | {"entry_id": TRANSCRIPT, **changes}
    return dict(client.post("/api/faq/try", json=draft).json()["checked"])


def test_a_refusal_holds_in_the_next_conversation_and_stays_a_test(
    enter: Enter, students: Students, publisher: Publisher, live: LiveEngine, tmp_path: Path
) -> None:
    client = enter("editor")
    trace = students.asks(ASKED, decision="answer", answer_id=TRANSCRIPT, confidence=0.3)
    assert reply_to(live, ASKED).answer_id == TRANSCRIPT

    done = ruled(client, variants=["Lấy bảng điểm chỗ nào?"], settles=[trace])

    assert done.status_code == 201, done.text
    for text in (ASKED, "xin bang diem o dau a", "lay bang diem cho nao"):
        assert reply_to(live, text).decision.kind is DecisionKind.NO_ANSWER
    assert client.get("/api/gaps").json()["groups"] == []
    assert publisher.files.checked() == (CheckedQuestion(ASKED), CheckedQuestion("Lấy bảng điểm chỗ nào?"))

    # The whole build brings the same.
    school = tmp_path / "school"
    load_knowledge(school)
    build_index(school, tmp_path / "whole", EmbedderStandIn())
    whole = open_index(tmp_path / "whole", EmbedderStandIn())
    engine = Engine.over(whole, tmp_path / "whole", "covan", EmbedderStandIn())
    assert engine.reply(Question(ASKED)).decision.kind is DecisionKind.NO_ANSWER

    # Whoever tries a draft is told how many questions were asked of it; no edit of an entry breaks the rule.
    assert tried(client, answer="Ở phòng khác.") == {"count": 2, "changed": []}
    # A student who is refused by the rule is no gap.
    students.asks(ASKED, trace={"reasons": ["query_rule"]})
    assert client.get("/api/gaps").json()["groups"] == []


def test_a_question_back_for_a_dimension(enter: Enter, live: LiveEngine, publisher: Publisher) -> None:
    assert ruled(enter("editor"), reply="ask_back", dimension="cohort").status_code == 201

    assert reply_to(live, ASKED).decision.missing == ("cohort",)
    assert publisher.files.checked() == (CheckedQuestion(ASKED, dimension="cohort"),)


def test_a_choice_between_entries_until_the_rule_is_taken_away(
    enter: Enter, live: LiveEngine, publisher: Publisher
) -> None:
    client = enter("editor")
    asked = "Làm giấy tờ ở đâu?"
    assert ruled(client, question=asked, reply="ask_back", entries=[CARD, TRANSCRIPT]).status_code == 201
    assert [each.payload["faq"] for each in reply_to(live, asked).options] == [CARD, TRANSCRIPT]
    [rule] = rules(client)
    assert [each["id"] for each in rule["entries"]] == [CARD, TRANSCRIPT]

    # Its checked question goes with it; one that stays tells what is lost.
    kept = (publisher.files.knowledge / "checked.yml").read_text(encoding="utf-8")
    assert client.post("/api/query-rules/removal", json={"version": rule["version"]}).status_code == 200
    assert publisher.files.checked() == ()
    assert rules(client) == []
    assert reply_to(live, asked).decision.reasons != ("query_rule",)
    (publisher.files.knowledge / "checked.yml").write_text(kept, encoding="utf-8")
    assert tried(client, variants=[asked])["changed"][0]["right"] is False


def test_the_right_entry_takes_the_place_of_a_rule(
    enter: Enter, live: LiveEngine, publisher: Publisher
) -> None:
    client = enter("editor")
    assert ruled(client, variants=["Lấy bảng điểm chỗ nào?"]).status_code == 201
    entry = client.get(f"/api/faq/entries/{TRANSCRIPT}").json()
    names = ("question", "variants", "answer", "topic", "sources", "version")
    body = {name: entry[name] for name in names} | {"checks": [ASKED]}

    draft = {**body, "entry_id": TRANSCRIPT, "questions": [ASKED]}
    told = client.post("/api/faq/try", json=draft).json()
    assert told["replies"][0]["by_this"]
    assert told["checked"] == {"count": 1, "changed": []}
    assert client.put(f"/api/faq/entries/{TRANSCRIPT}", json=body).status_code == 200

    assert reply_to(live, ASKED).answer_id == TRANSCRIPT
    # Its other wording keeps the rule.
    assert [rule["question"] for rule in rules(client)] == ["Lấy bảng điểm chỗ nào?"]
    assert set(publisher.files.checked()) == {
        CheckedQuestion(ASKED, TRANSCRIPT),
        CheckedQuestion("Lấy bảng điểm chỗ nào?"),
    }


def test_two_advisors_do_not_overwrite_each_others_rule(enter: Enter, publisher: Publisher) -> None:
    client = enter("editor")
    by_hand = publisher.files.knowledge / "query_rules.yml"
    by_hand.write_text(
        "# Quy tắc của phòng\n- question: Trường có cho vay không?\n  reply: no_answer  # đã hỏi\n",
        encoding="utf-8",
    )
    assert ruled(client).status_code == 201

    refused = ruled(client, question="xin bang diem o dau", reply="ask_back", dimension="cohort")
    assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
    assert "reply: no_answer" in refused.json()["detail"]["theirs"]

    seen = refused.json()["detail"]["version"]
    assert ruled(client, reply="ask_back", dimension="cohort", version=seen).status_code == 201
    assert client.post("/api/query-rules/removal", json={"version": seen}).status_code == 409
    # What was written by hand stays as it was.
    assert by_hand.read_text(encoding="utf-8") == (
        "# Quy tắc của phòng\n- question: Trường có cho vay không?\n  reply: no_answer  # đã hỏi\n"
        f'- question: "{ASKED}"\n  reply: ask_back\n  dimension: cohort\n'
    )


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"reply": "ask_back"}, "either a dimension or two entries"),
        ({"reply": "ask_back", "entries": [CARD]}, "either a dimension or two entries"),
        ({"dimension": "cohort"}, "a refusal neither"),
        ({"reply": "ask_back", "dimension": "colour"}, "colour"),
        ({"reply": "ask_back", "entries": [CARD, "nobody"]}, "nobody"),
        ({"question": "em là B2012345, xin bảng điểm ở đâu"}, "student numbers"),
    ],
)
def test_a_faulty_rule_changes_nothing(
    enter: Enter, publisher: Publisher, body: dict[str, Any], says: str
) -> None:
    refused = ruled(enter("editor"), **body)

    assert refused.status_code == 422
    assert says in refused.text
    assert publisher.rules.rules() == []
    assert publisher.files.checked() == ()


def test_a_rule_is_a_version_and_a_version_brings_it_back(
    enter: Enter, school: Path, live: LiveEngine
) -> None:
    client = enter("editor")
    before = git(school, "rev-parse", "HEAD")
    with_rule = ruled(client).json()["commit"]
    assert git(school, "show", "--name-only", "--format=%s", with_rule).split("\n\n") == [
        ASKED,
        "checked.yml\nquery_rules.yml",
    ]

    assert client.post(f"/api/versions/{before}/restore").status_code == 200
    assert reply_to(live, ASKED).answer_id == TRANSCRIPT
    assert client.post(f"/api/versions/{with_rule}/restore").status_code == 200
    assert reply_to(live, ASKED).decision.kind is DecisionKind.NO_ANSWER


def test_the_log_says_who_corrected_a_turn_and_how_and_the_latest_counts(
    enter: Enter, students: Students
) -> None:
    trace, other = students.asks(ASKED, decision="answer"), students.asks("Cho em hỏi xíu", "binh")
    editor, second = enter("editor"), enter("administrator")

    def corrected(turn: int) -> Any:
        listed = {each["id"]: each["corrected"] for each in editor.get("/api/conversations").json()["turns"]}
        [told] = [
            each["corrected"]
            for each in editor.get(f"/api/conversations/{turn}").json()["turns"].values()
            if each["id"] == turn
        ]
        assert told == listed[turn]
        return told and (told["how"], told["name"], told["entry"])

    assert corrected(trace) is None
    assert ruled(editor, settles=[trace]).status_code == 201
    assert corrected(trace) == ("rule", "Cô editor", "")

    entry = second.get(f"/api/faq/entries/{TRANSCRIPT}").json()
    names = ("question", "variants", "answer", "topic", "sources", "version")
    body = {name: entry[name] for name in names} | {"checks": [ASKED], "settles": [trace]}
    assert second.put(f"/api/faq/entries/{TRANSCRIPT}", json=body).status_code == 200
    assert corrected(trace) == ("entry", "Cô administrator", TRANSCRIPT)

    # To set aside corrects nothing.
    assert editor.post("/api/gaps/aside", json={"traces": [trace, other]}).status_code == 204
    assert corrected(trace) == ("entry", "Cô administrator", TRANSCRIPT)
    assert corrected(other) is None
