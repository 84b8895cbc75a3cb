"""Conversations beyond the dialogues of advisors: malformed requests, random texts, old buttons."""

from __future__ import annotations

import hashlib

import pytest
from real_servers import RealServers, Said

from rag.index.versions import open_index
from rag.query.ambiguity import passage_key
from rag.retrieve.embedder import load_embedder

pytestmark = pytest.mark.stack

COHORT_QUESTION = "Thực tập tốt nghiệp bao nhiêu tuần?"
PLAIN_QUESTION = "Khi nào thì bị cảnh báo học vụ?"
GREETINGS = 16


def payloads(said: Said) -> list[str]:
    return [button["payload"] for part in said for button in part.get("buttons", ())]


def citations(said: Said) -> list[dict[str, str]]:
    return [cited for part in said for cited in part.get("custom", {}).get("citations", ())]


def test_an_answer_comes_with_all_that_a_page_shows_of_its_source(servers: RealServers) -> None:
    said = servers.say("plain", PLAIN_QUESTION)

    [cited, *_] = citations(said)
    assert all(cited[key] for key in ("document_id", "title", "locator", "quote"))
    assert 0 < said[-1]["custom"]["confidence"] <= 1
    assert said[-1]["act"] == "answer"
    assert not payloads(said), "what a student thinks of it is asked by the channels"


def test_a_chosen_passage_is_quoted_with_its_source(servers: RealServers) -> None:
    passages = open_index(servers.settings.index_dir, load_embedder()).passages
    chosen = next(p for p in passages if p.document_id == "thu-vien" and not p.applies_to.values("cohort"))

    said = servers.say("passage", payload=f'/inform{{"passage": "{passage_key(chosen)}"}}')
    assert chosen.text.splitlines()[0] in said[0]["text"]
    assert citations(said)[0]["document_id"] == "thu-vien"


def test_a_passage_for_other_students_is_not_quoted_before_the_student_is_known(servers: RealServers) -> None:
    passages = open_index(servers.settings.index_dir, load_embedder()).passages
    # One whose heading does not name the cohort itself: who chooses that one has said enough.
    of_k49 = (p for p in passages if p.document_id == "thuc-tap-k49")
    chosen = next(p for p in of_k49 if p.context and "K49" not in p.context[-1])
    button = f'/inform{{"passage": "{passage_key(chosen)}"}}'

    said = servers.say("passage-k49", payload=button)
    assert not citations(said)
    assert '/inform{"cohort": "48"}' in payloads(said)

    said = servers.say("passage-k49", payload='/inform{"cohort": "51"}')
    assert "thuc-tap-k49" not in [cited["document_id"] for cited in citations(said)]


def test_a_choice_that_is_gone_is_said_to_be_gone(servers: RealServers) -> None:
    said = servers.say("gone", payload='/inform{"passage": "no-longer-there#1"}')
    assert not citations(said)
    assert said[0]["text"]

    assert "0,80" in servers.say("gone", PLAIN_QUESTION)[-1]["text"]


def test_the_same_greeting_is_not_always_replied_to_in_the_same_words(servers: RealServers) -> None:
    said = [servers.say("greetings", "xin chào")[0]["text"] for _ in range(GREETINGS)]

    assert len(set(said)) > 1


@pytest.mark.parametrize(
    "message",
    [
        *(
            "",
            "x" * 100_000,
            "a\x00b",
            "\x00",
            "😀😀😀",
            "\ud800",
            "\ufdfa" * 1000,
            "e\u0301\u0302\u0303" * 500,
        ),
        *(
            "/restart",
            "/session_start",
            '/inform{"cohort": "47"}',
            "/inform{",
            "/ask_advisor",
            "EXTERNAL: x",
        ),
        *("thư viện\x00 mở cửa mấy giờ \ud83d", "{answer} {0} %s", "\u202ethư viện\u202c", "\r\n\r\n"),
    ],
    ids=[
        *("empty", "long", "nul-in", "nul", "emoji", "surrogate", "fdfa", "marks"),
        *("restart", "session", "inform", "inform-open", "advisor", "external"),
        *("mixed", "format", "bidirectional", "lines"),
    ],
)
def test_bad_input_gets_a_polite_sentence_and_the_conversation_goes_on(
    servers: RealServers, message: str
) -> None:
    sender = f"bad-{hashlib.sha256(message.encode('utf-16', 'surrogatepass')).hexdigest()[:12]}"
    assert "48" in servers.say(sender, "em k48 ạ")[0]["text"]
    said = servers.say(sender, message)
    assert said
    assert all(part["text"] and "Traceback" not in part["text"] for part in said)

    servers.say(sender, payload='/inform{"program": "standard"}')
    assert servers.known(sender) == {"cohort": "48", "program": "standard"}, "what was known is still known"


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b'{"sender": "x"}',
        b'{"sender": "x", "message": "a", "payload": "/cancel"}',
        b'{"sender": "../x", "message": "a"}',
        b'{"sender": "x", "payload": "/restart"}',
        b'{"sender": "x", "payload": "/inform{\\"requested_slot\\": \\"cohort\\"}"}',
        b'{"sender": "x", "payload": "/inform{\\"cohort\\": {\\"a\\": 1}}"}',
    ],
)
def test_a_request_that_no_page_sends_is_refused(servers: RealServers, body: bytes) -> None:
    assert servers.post(body).status_code == 400


def test_a_form_is_answered_once_for_each_conversation(servers: RealServers) -> None:
    """Two students at a time: the form of one leaves the conversation of the other alone."""
    assert '/inform{"cohort": "48"}' in payloads(servers.say("first", COHORT_QUESTION))
    assert '/inform{"cohort": "48"}' in payloads(servers.say("second", COHORT_QUESTION))

    assert "08 tuần" in servers.say("first", "k48")[0]["text"]
    assert "12 tuần" in servers.say("second", "k51")[0]["text"]
    assert servers.known("first") == {"cohort": "48"}
