"""Each call of the API as each role and as nobody: without the right it is 403, and logged."""

from __future__ import annotations

import pytest
from console_driver import PASSWORD, Clock, Enter, calls

from console.api.dependencies import CSRF_HEADER, Console
from console.roles import ROLES, Right, rights_of

NEEDS: dict[tuple[str, str], Right | None] = {
    ("DELETE", "/api/session"): None,
    ("GET", "/api/session"): None,
    ("PUT", "/api/account/password"): None,
    ("GET", "/api/account/second-factor"): None,
    ("POST", "/api/account/second-factor"): None,
    ("POST", "/api/account/second-factor/confirm"): None,
    ("POST", "/api/account/second-factor/remove"): None,
    ("GET", "/api/today"): Right.READ,
    ("GET", "/api/conversations"): Right.READ,
    ("GET", "/api/conversations/filters"): Right.READ,
    ("GET", "/api/conversations/{trace}"): Right.READ,
    ("GET", "/api/gaps"): Right.READ,
    ("POST", "/api/gaps/aside"): Right.PUBLISH,
    ("GET", "/api/nlu"): Right.READ,
    ("POST", "/api/nlu/labels"): Right.PUBLISH,
    ("POST", "/api/nlu/aside"): Right.PUBLISH,
    ("GET", "/api/models"): Right.READ,
    ("GET", "/api/models/comparison"): Right.READ,
    ("POST", "/api/models/training"): Right.PUBLISH,
    ("POST", "/api/models/comparison"): Right.PUBLISH,
    ("POST", "/api/models/promotion"): Right.PUBLISH,
    ("POST", "/api/models/roll-back"): Right.PUBLISH,
    ("POST", "/api/models/discard"): Right.PUBLISH,
    ("GET", "/api/thresholds"): Right.READ,
    ("GET", "/api/thresholds/names"): Right.READ,
    ("POST", "/api/thresholds/questions"): Right.PUBLISH,
    ("POST", "/api/thresholds/checked"): Right.PUBLISH,
    ("PUT", "/api/thresholds"): Right.PUBLISH,
    ("PUT", "/api/model"): Right.ADMINISTER,
    ("POST", "/api/thresholds/try"): Right.PUBLISH,
    ("POST", "/api/thresholds/roll-back"): Right.PUBLISH,
    ("GET", "/api/faq"): Right.READ,
    ("GET", "/api/faq/sources"): Right.READ,
    ("GET", "/api/faq/entries/{entry_id}"): Right.READ,
    ("POST", "/api/faq/preview"): Right.PUBLISH,
    ("POST", "/api/faq/try"): Right.PUBLISH,
    ("POST", "/api/faq/entries"): Right.PUBLISH,
    ("PUT", "/api/faq/entries/{entry_id}"): Right.PUBLISH,
    ("GET", "/api/drafts"): Right.PUBLISH,
    ("POST", "/api/drafts"): Right.PUBLISH,
    ("GET", "/api/drafts/{number}"): Right.PUBLISH,
    ("PUT", "/api/drafts/{number}"): Right.PUBLISH,
    ("POST", "/api/drafts/{number}/review"): Right.PUBLISH,
    ("DELETE", "/api/drafts/{number}"): Right.PUBLISH,
    ("POST", "/api/drafts/publication"): Right.PUBLISH,
    ("GET", "/api/faq/duplicates"): Right.READ,
    ("PUT", "/api/faq/duplicates/differing"): Right.PUBLISH,
    ("POST", "/api/faq/duplicates/merge"): Right.PUBLISH,
    ("POST", "/api/try"): Right.READ,
    ("GET", "/api/try/drafts"): Right.PUBLISH,
    ("POST", "/api/try/drafts"): Right.PUBLISH,
    ("POST", "/api/try/drafts/set"): Right.PUBLISH,
    ("DELETE", "/api/try/drafts/{number}"): Right.PUBLISH,
    ("GET", "/api/query-rules"): Right.READ,
    ("POST", "/api/query-rules"): Right.PUBLISH,
    ("POST", "/api/query-rules/removal"): Right.PUBLISH,
    ("GET", "/api/checked-questions"): Right.READ,
    ("POST", "/api/checked-questions"): Right.PUBLISH,
    ("POST", "/api/checked-questions/removal"): Right.PUBLISH,
    ("POST", "/api/faq/entries/{entry_id}/removal"): Right.PUBLISH,
    ("POST", "/api/faq/spreadsheet"): Right.PUBLISH,
    ("POST", "/api/faq/spreadsheet/entries"): Right.PUBLISH,
    ("GET", "/api/documents"): Right.READ,
    ("GET", "/api/documents/published/{document_id}"): Right.READ,
    ("GET", "/api/documents/published/{document_id}/file"): Right.READ,
    ("GET", "/api/documents/published/{document_id}/pages/{number}"): Right.READ,
    ("GET", "/api/documents/published/{document_id}/passages/{place}/frames"): Right.READ,
    ("PUT", "/api/documents/published/{document_id}"): Right.PUBLISH,
    ("POST", "/api/documents/published/{document_id}/removal"): Right.PUBLISH,
    ("GET", "/api/documents/drafts"): Right.PUBLISH,
    ("POST", "/api/documents/drafts"): Right.PUBLISH,
    ("GET", "/api/documents/drafts/{draft_id}"): Right.PUBLISH,
    ("GET", "/api/documents/drafts/{draft_id}/nearer-entries"): Right.PUBLISH,
    ("GET", "/api/documents/drafts/{draft_id}/pages/{number}"): Right.PUBLISH,
    ("GET", "/api/documents/drafts/{draft_id}/passages/{place}/frames"): Right.PUBLISH,
    ("DELETE", "/api/documents/drafts/{draft_id}"): Right.PUBLISH,
    ("POST", "/api/documents/drafts/{draft_id}/publication"): Right.PUBLISH,
    ("GET", "/api/facts"): Right.READ,
    ("GET", "/api/facts/value"): Right.READ,
    ("POST", "/api/facts"): Right.PUBLISH,
    ("POST", "/api/facts/try"): Right.PUBLISH,
    ("POST", "/api/facts/removal"): Right.PUBLISH,
    ("PUT", "/api/facts/value"): Right.PUBLISH,
    ("PUT", "/api/facts/review"): Right.PUBLISH,
    ("GET", "/api/calculators"): Right.READ,
    ("GET", "/api/calculators/{calculator_id}"): Right.READ,
    ("POST", "/api/calculators"): Right.PUBLISH,
    ("POST", "/api/calculators/try"): Right.READ,
    ("POST", "/api/calculators/{calculator_id}/try"): Right.READ,
    ("PUT", "/api/calculators/{calculator_id}"): Right.PUBLISH,
    ("POST", "/api/calculators/{calculator_id}/removal"): Right.PUBLISH,
    ("GET", "/api/topics"): Right.READ,
    ("POST", "/api/topics"): Right.PUBLISH,
    ("PUT", "/api/topics/{topic_id}"): Right.PUBLISH,
    ("POST", "/api/topics/{topic_id}/removal"): Right.PUBLISH,
    ("GET", "/api/catalogue"): Right.READ,
    ("POST", "/api/catalogue/{section_id}"): Right.PUBLISH,
    ("PUT", "/api/catalogue/{section_id}/{part_id}"): Right.PUBLISH,
    ("POST", "/api/catalogue/{section_id}/{part_id}/removal"): Right.PUBLISH,
    ("POST", "/api/catalogue-sheet"): Right.PUBLISH,
    ("POST", "/api/catalogue-sheet/items"): Right.PUBLISH,
    ("POST", "/api/old-contacts/preview"): Right.PUBLISH,
    ("POST", "/api/old-contacts/replacement"): Right.PUBLISH,
    ("GET", "/api/first-run"): Right.PUBLISH,
    ("GET", "/api/inbox"): Right.REPLY,
    ("GET", "/api/inbox/{number}"): Right.REPLY,
    ("POST", "/api/inbox/{number}/take"): Right.REPLY,
    ("POST", "/api/inbox/{number}/reply"): Right.REPLY,
    ("POST", "/api/inbox/{number}/give-back"): Right.REPLY,
    ("GET", "/api/inbox/recipients"): Right.REPLY,
    ("GET", "/api/inbox/search"): Right.REPLY,
    ("GET", "/api/inbox/waiting"): Right.REPLY,
    ("POST", "/api/inbox/{number}/preview"): Right.REPLY,
    ("POST", "/api/inbox/{number}/notes"): Right.REPLY,
    ("POST", "/api/inbox/{number}/hand-on"): Right.REPLY,
    ("GET", "/api/canned-replies"): Right.REPLY,
    ("POST", "/api/canned-replies"): Right.REPLY,
    ("PUT", "/api/canned-replies/{number}"): Right.REPLY,
    ("DELETE", "/api/canned-replies/{number}"): Right.REPLY,
    ("GET", "/api/versions"): Right.READ,
    ("GET", "/api/versions/{commit}"): Right.READ,
    ("POST", "/api/versions/{commit}/restore"): Right.PUBLISH,
    ("POST", "/api/versions/{commit}/undo"): Right.PUBLISH,
    ("GET", "/api/graph"): Right.READ,
    ("GET", "/api/graph/nodes"): Right.READ,
    ("GET", "/api/graph/node"): Right.READ,
    ("GET", "/api/graph/passage"): Right.READ,
    ("GET", "/api/graph/problems"): Right.READ,
    ("GET", "/api/model"): Right.READ,
    ("GET", "/api/model/usage"): Right.READ,
    ("POST", "/api/model/check"): Right.PUBLISH,
    ("POST", "/api/model/try"): Right.PUBLISH,
    ("GET", "/api/invitations"): Right.PUBLISH,
    ("POST", "/api/invitations"): Right.PUBLISH,
    ("DELETE", "/api/invitations/{number}"): Right.PUBLISH,
    ("GET", "/api/invitations/{number}/turns"): Right.PUBLISH,
    ("GET", "/api/people"): Right.ADMINISTER,
    ("GET", "/api/people/new-accounts"): Right.ADMINISTER,
    ("PUT", "/api/people/new-accounts"): Right.ADMINISTER,
    ("DELETE", "/api/people/{login}/identity"): Right.ADMINISTER,
    ("POST", "/api/people"): Right.ADMINISTER,
    ("PATCH", "/api/people/{login}"): Right.ADMINISTER,
    ("DELETE", "/api/people/{login}/second-factor"): Right.ADMINISTER,
    ("GET", "/api/audit"): Right.ADMINISTER,
}
"""The right that each call needs; None: an account."""

PUBLIC = {
    ("POST", "/api/session"),
    ("GET", "/api/session/methods"),
    ("GET", "/api/session/openid"),
    ("GET", "/api/session/openid/callback"),
    ("GET", "/api/invited/{token}"),
    ("POST", "/api/invited/{token}/questions"),
}
"""Neither signing in nor an invitation's link needs an account."""

ENTRY = {"question": "Hỏi gì?", "answer": "Đáp thế.", "topic": "study"}
BODIES: dict[tuple[str, str], dict[str, object]] = {
    ("POST", "/api/gaps/aside"): {"traces": [1]},
    ("POST", "/api/nlu/labels"): {"labels": [{"parts": [{"text": "học gì"}], "intent": "ask_study"}]},
    ("POST", "/api/nlu/aside"): {"traces": [1]},
    ("POST", "/api/models/promotion"): {"model": "none"},
    ("POST", "/api/models/roll-back"): {"model": "none"},
    ("POST", "/api/models/discard"): {"model": "none"},
    ("PUT", "/api/thresholds"): {"version": "none", "risk": 0.05},
    ("PUT", "/api/model"): {"version": "none", "choice": None},
    ("POST", "/api/thresholds/roll-back"): {"version": "none"},
    ("POST", "/api/thresholds/try"): {"risk": 0.05},
    ("POST", "/api/try/drafts"): {"draft": {"kind": "topic", "id": "none", "fields": {"name": "Học vụ"}}},
    ("POST", "/api/try/drafts/set"): {"drafts": [{"id": 1, "version": 1}]},
    ("POST", "/api/drafts/publication"): {"drafts": [{"id": 1, "version": 1}]},
    ("POST", "/api/faq/try"): ENTRY,
    ("POST", "/api/faq/entries"): ENTRY,
    ("PUT", "/api/faq/entries/{entry_id}"): {**ENTRY, "version": "none"},
    ("POST", "/api/drafts"): {"kind": "entry", "fields": ENTRY},
    ("PUT", "/api/drafts/{number}"): {"version": 1, "draft": {"kind": "entry", "fields": ENTRY}},
    ("POST", "/api/drafts/{number}/review"): {"version": 1},
    ("POST", "/api/try"): {"question": "Học phí?"},
    ("POST", "/api/model/try"): {"question": "Học phí?"},
    ("PUT", "/api/people/new-accounts"): {"domains": [], "seen": {"domains": []}},
    ("POST", "/api/invitations"): {"title": "Khoa CNTT", "days": 7},
    ("POST", "/api/query-rules"): {"question": "Hỏi gì?", "reply": "no_answer", "version": "none"},
    ("POST", "/api/query-rules/removal"): {"version": "none"},
    ("POST", "/api/checked-questions"): {"question": "Hỏi gì?", "reply": "no_answer"},
    ("POST", "/api/checked-questions/removal"): {"question": "Hỏi gì?"},
    ("POST", "/api/faq/entries/{entry_id}/removal"): {"version": "none"},
    ("POST", "/api/faq/spreadsheet/entries"): {"entries": [ENTRY]},
    ("PUT", "/api/documents/published/{document_id}"): {"title": "Quy chế"},
    ("POST", "/api/documents/published/{document_id}/removal"): {"version": "none"},
    ("POST", "/api/documents/drafts/{draft_id}/publication"): {"title": "Quy chế"},
    ("POST", "/api/facts"): {"name": "facts.none.a", "value": "1"},
    ("POST", "/api/facts/try"): {"name": "none", "seen": "", "value": "1"},
    ("PUT", "/api/facts/value"): {"name": "none", "seen": "", "value": "1"},
    ("PUT", "/api/facts/review"): {"name": "facts.none"},
    ("POST", "/api/facts/removal"): {"name": "none", "seen": ""},
    ("POST", "/api/calculators"): {"text": "- id: none"},
    ("POST", "/api/calculators/try"): {"text": "- id: none"},
    ("POST", "/api/calculators/{calculator_id}/removal"): {"version": "none"},
    ("POST", "/api/topics/{topic_id}/removal"): {"version": "none"},
    ("POST", "/api/catalogue/{section_id}/{part_id}/removal"): {"version": "none"},
    ("POST", "/api/calculators/{calculator_id}/try"): {"values": {"months": "5"}},
    ("PUT", "/api/calculators/{calculator_id}"): {"version": "none", "text": "- id: none"},
    ("POST", "/api/topics"): {"id": "study", "name": "Học vụ"},
    ("PUT", "/api/topics/{topic_id}"): {"name": "Học vụ", "version": "none"},
    ("POST", "/api/catalogue/{section_id}"): {"id": "none", "name": "Phòng"},
    ("PUT", "/api/catalogue/{section_id}/{part_id}"): {"version": "none", "name": "Phòng"},
    ("POST", "/api/catalogue-sheet/items"): {"section_id": "none", "items": [{"id": "none"}]},
    ("POST", "/api/inbox/{number}/reply"): {"text": "Chào em"},
    ("POST", "/api/inbox/{number}/preview"): {"text": "Chào em"},
    ("POST", "/api/inbox/{number}/notes"): {"text": "Đã gọi điện"},
    ("POST", "/api/inbox/{number}/hand-on"): {"office": "Phòng Đào tạo"},
    ("POST", "/api/canned-replies"): {"title": "Chào", "text": "Chào em"},
    ("PUT", "/api/canned-replies/{number}"): {"title": "Chào", "text": "Chào em", "version": 1},
    ("POST", "/api/people"): {"login": "an", "name": "An", "roles": ["advisor"], "password": "mat-khau-moi"},
    ("PATCH", "/api/people/{login}"): {"version": "none", "name": "An"},
    ("POST", "/api/account/second-factor"): {"password": PASSWORD},
    ("POST", "/api/account/second-factor/confirm"): {"code": "not one"},
    ("POST", "/api/account/second-factor/remove"): {"password": PASSWORD},
}


def filled(path: str) -> str:
    return path.format(
        trace=1,
        entry_id="none",
        document_id="none",
        calculator_id="none",
        topic_id="none",
        section_id="office",
        part_id="none",
        draft_id="0" * 16,
        number=1,
        place=0,
        login="nobody-here",
        commit="0" * 40,
    )


def test_every_call_is_in_the_table() -> None:
    assert set(calls()) - PUBLIC == set(NEEDS)


@pytest.mark.parametrize("role", ["", *ROLES])
def test_each_call_needs_its_right(enter: Enter, console: Console, role: str) -> None:
    for (method, path), right in sorted(
        NEEDS.items(), key=lambda each: each[0] == ("DELETE", "/api/session")
    ):
        client = enter(role) if role else enter()
        allowed = bool(role) and (right is None or right in rights_of([role]))

        last = max((each["id"] for each in console.audit.page()[:1]), default=0)

        answer = client.request(method, filled(path), json=BODIES.get((method, path)))

        assert (answer.status_code != 403) is allowed, f"{method} {path}: {answer.text}"
        assert answer.status_code < 500, f"{method} {path}: {answer.text}"
        noted = [each for each in console.audit.page() if each["id"] > last]
        refused = [(each["login"], each["action"]) for each in noted if not each["allowed"]]
        assert refused == ([] if allowed else [(role, f"{method} {path}")])


def test_visitors_do_not_bury_the_log(enter: Enter, console: Console, clock: Clock) -> None:
    """A page whose session has ended goes on looking, and anybody can send a thousand requests."""
    visitor, advisor = enter(), enter("advisor")
    for _ in range(3):
        visitor.get("/api/today")
        visitor.get("/api/faq")
        advisor.get("/api/people")
    clock.now += 61
    visitor.get("/api/today")

    refused = [(each["login"], each["action"]) for each in console.audit.page() if not each["allowed"]]

    assert refused.count(("", "GET /api/today")) == 2
    assert refused.count(("", "GET /api/faq")) == 1
    assert refused.count(("advisor", "GET /api/people")) == 3


def test_a_change_without_the_sessions_token_is_refused(enter: Enter) -> None:
    client = enter("administrator")
    del client.headers[CSRF_HEADER]
    for method, path in (call for call in NEEDS if call[0] != "GET"):
        for headers in ({}, {CSRF_HEADER: ""}, {CSRF_HEADER: "another"}):
            answer = client.request(method, filled(path), json=BODIES.get((method, path)), headers=headers)

            assert (answer.status_code, answer.json()["error"]) == (403, "csrf"), f"{method} {path}"


def test_the_cookie_is_for_this_site_and_no_script(enter: Enter, console: Console) -> None:
    console.accounts.create("lan", "Cô Lan", ["advisor"], "mat-khau-du-dai")
    signed = enter().post("/api/session", json={"login": "lan", "password": "mat-khau-du-dai"})

    cookie = signed.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_a_failed_sign_in_is_logged_without_the_password(enter: Enter, console: Console) -> None:
    answer = enter().post("/api/session", json={"login": "lan", "password": "secret-password"})

    assert answer.status_code == 403
    [noted] = console.audit.page()
    assert (noted["login"], noted["allowed"]) == ("lan", False)
    assert "secret" not in str(noted)


def test_the_api_describes_itself(enter: Enter) -> None:
    described = enter().get("/api/openapi.json").json()

    assert {(m.upper(), path) for path, some in described["paths"].items() for m in some} == set(calls())


def test_no_page_is_taken_for_the_description(enter: Enter) -> None:
    client = enter()

    assert client.get("/openapi.json").json() == client.get("/api/openapi.json").json()
    for address in ("/docs", "/docs/", "/redoc", "/docs/oauth2-redirect", "/api"):
        answer = client.get(address)
        assert (answer.status_code, answer.json()["error"]) == (404, "not_found"), address
    assert client.get("/documents").text == "<title>console</title>"


def test_pages_are_sent_with_their_policy_and_nothing_beside_them(enter: Enter) -> None:
    client = enter()

    page = client.get("/gaps")
    assert page.text == "<title>console</title>"
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert client.get("/../conftest.py").text == "<title>console</title>"
    assert client.get("/api/nothing").status_code == 404


def test_a_large_body_is_refused(enter: Enter) -> None:
    answer = enter("editor").post("/api/faq/entries", content=b"x" * 600_000)

    assert answer.status_code == 413
