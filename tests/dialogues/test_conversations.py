"""Conversations with the real Rasa and the real action server, over HTTP."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from covan import rasa
from covan.commands.index import ensure_index
from covan.commands.train import ensure_model
from covan.ports import next_free
from covan.project import ROOT
from rag.decide.breadth import passage_key
from rag.knowledge.index import open_index
from rag.retrieve.embedder import load_embedder
from rag.settings import Settings

pytestmark = pytest.mark.stack

START_TIMEOUT_S = 180
COHORT_QUESTION = "Thực tập tốt nghiệp bao nhiêu tuần?"
ANSWER_FOR_K48 = "08 tuần"
TWO_THINGS_QUESTION = "Chuẩn tiếng Anh để tốt nghiệp là gì?"
PLAIN_QUESTION = "Khi nào thì bị cảnh báo học vụ?"
VAGUE_QUESTION = "em muốn hỏi về quy định"
NONE_OF_THESE = '/inform{"choice": "none"}'


class Stack:
    """Rasa and the action server on ports of their own; each can be killed and started again."""

    def __init__(self, directory: Path) -> None:
        first = 26_000 + os.getpid() % 900
        rasa_port = next_free("127.0.0.1", first)
        self.settings = Settings(
            state_dir=directory,
            rasa_port=rasa_port,
            actions_port=next_free("127.0.0.1", rasa_port, [rasa_port]),
        )
        self._directory = directory
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._client = httpx.Client(trust_env=False, timeout=90)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.settings.rasa_port}/webhooks/web"

    def start(self, name: str) -> None:
        commands: Mapping[str, list[str]] = {
            "actions": [sys.executable, "-m", "covan", "actions"],
            "rasa": rasa.command(
                *("run", "--interface", "127.0.0.1", "--port", str(self.settings.rasa_port)),
                *("--endpoints", "endpoints.yml", "--credentials", "credentials.yml"),
                *("--model", str(rasa.MODELS)),
            ),
        }
        environment = rasa.environment(self.settings) | {
            "COVAN_STATE_DIR": str(self.settings.state_dir),
            "COVAN_ACTIONS_PORT": str(self.settings.actions_port),
        }
        with (self._directory / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                commands[name], cwd=ROOT, env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )

    def wait(self, name: str) -> None:
        health = {
            "actions": f"http://127.0.0.1:{self.settings.actions_port}/health",
            "rasa": f"{self.url}/",
        }
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline:
            try:
                if self._client.get(health[name]).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.3)
        pytest.fail((self._directory / f"{name}.log").read_text(encoding="utf-8")[-4000:])

    def end(self, name: str, how: signal.Signals = signal.SIGTERM) -> None:
        process = self._running.pop(name)
        process.send_signal(how)
        process.wait(timeout=60)

    def post(self, content: bytes) -> httpx.Response:
        return self._client.post(
            f"{self.url}/webhook", content=content, headers={"content-type": "application/json"}
        )

    def say(self, sender: str, message: str | None = None, **fields: str) -> list[dict[str, Any]]:
        turn = {"sender": sender, **({} if message is None else {"message": message}), **fields}
        answer = self.post(json.dumps(turn).encode())
        assert answer.status_code == 200, answer.text
        said: list[dict[str, Any]] = answer.json()
        assert said
        assert all("Traceback" not in part.get("text", "") for part in said)
        return said

    def close(self) -> None:
        for name in list(self._running):
            self.end(name)
        self._client.close()


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    running = Stack(tmp_path_factory.mktemp("state"))
    ensure_index(running.settings.model_copy(update={"knowledge_dir": ROOT / "knowledge"}))
    ensure_model()
    try:
        for name in ("actions", "rasa"):
            running.start(name)
        for name in ("actions", "rasa"):
            running.wait(name)
        yield running
    finally:
        running.close()


def payloads(said: list[dict[str, Any]]) -> list[str]:
    return [button["payload"] for part in said for button in part.get("buttons", ())]


def citations(said: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [cited for part in said for cited in part.get("custom", {}).get("citations", ())]


def test_an_answer_comes_with_its_source_and_feedback(stack: Stack) -> None:
    said = stack.say("plain", PLAIN_QUESTION)

    assert "0,80" in said[0]["text"]
    assert citations(said)[0]["locator"]
    assert any(payload.startswith('/feedback_good{"answer_id": ') for payload in payloads(said))

    assert stack.say("plain", payload=payloads(said)[0])[0]["text"]


def test_the_cohort_is_asked_for_and_the_original_question_answered(stack: Stack) -> None:
    asked = stack.say("cohort", COHORT_QUESTION)
    assert '/inform{"cohort": "48"}' in payloads(asked)

    answered = stack.say("cohort", payload='/inform{"cohort": "48"}')
    assert ANSWER_FOR_K48 in answered[0]["text"]
    assert citations(answered)

    again = stack.say("cohort", COHORT_QUESTION)
    assert ANSWER_FOR_K48 in again[0]["text"], "the cohort is known by now"


def test_two_missing_things_are_asked_for_one_after_the_other(stack: Stack) -> None:
    asked = stack.say("two", TWO_THINGS_QUESTION)
    assert '/inform{"cohort": "48"}' in payloads(asked)

    asked = stack.say("two", payload='/inform{"cohort": "48"}')
    assert '/inform{"program": "standard"}' in payloads(asked)

    assert "B1" in stack.say("two", "em hoc ke toan dai tra")[0]["text"]


def test_a_bare_word_is_a_major_when_the_major_was_asked_for(stack: Stack) -> None:
    stack.say("bare", TWO_THINGS_QUESTION)
    stack.say("bare", "48")
    asked = stack.say("bare", "đại trà")
    assert any(payload.startswith('/inform{"major": ') for payload in payloads(asked))

    assert "B1" in stack.say("bare", "luật")[0]["text"]


def test_asking_for_a_person_ends_the_form_with_one_answer(stack: Stack) -> None:
    stack.say("person", COHORT_QUESTION)
    said = stack.say("person", "cho em gặp cố vấn")
    assert len(said) == 1
    assert "(0200)" in said[0]["text"]

    assert "0,80" in stack.say("person", PLAIN_QUESTION)[0]["text"]


def test_an_introduction_is_remembered_not_searched_for(stack: Stack) -> None:
    said = stack.say("intro", "Chào bạn, mình học kế toán, hệ đại trà")
    assert "Kế toán" in said[0]["text"]


def test_free_text_fills_the_form_too(stack: Stack) -> None:
    stack.say("typed", COHORT_QUESTION)

    assert ANSWER_FOR_K48 in stack.say("typed", "dạ em khoá 48 ạ")[0]["text"]


def test_a_cohort_named_in_the_question_is_not_asked_for(stack: Stack) -> None:
    said = stack.say("named", f"k48: {COHORT_QUESTION}")

    assert ANSWER_FOR_K48 in said[0]["text"]


def test_another_question_leaves_the_form(stack: Stack) -> None:
    stack.say("other", COHORT_QUESTION)
    said = stack.say("other", PLAIN_QUESTION)
    assert len(said) == 1
    assert "0,80" in said[0]["text"]

    noted = stack.say("other", "k48")
    assert ANSWER_FOR_K48 not in noted[0]["text"], "the question before was let go"


def test_not_knowing_ends_the_form_with_a_way_on(stack: Stack) -> None:
    stack.say("unknown", COHORT_QUESTION)
    said = stack.say("unknown", "em không biết")
    assert "/ask_advisor" in payloads(said)

    assert "0,80" in stack.say("unknown", PLAIN_QUESTION)[0]["text"]


def test_a_vague_question_is_asked_back_once_and_then_left_to_an_advisor(stack: Stack) -> None:
    asked = stack.say("vague", VAGUE_QUESTION)
    assert len(payloads(asked)) >= 3
    assert payloads(asked)[-1] == NONE_OF_THESE, "the way out comes last"

    again = stack.say("vague", VAGUE_QUESTION)
    assert payloads(again) == ["/ask_advisor"]
    assert not citations(again)


def test_one_of_the_choices_is_answered_and_none_of_them_is_no_guess(stack: Stack) -> None:
    asked = stack.say("choice", VAGUE_QUESTION)
    none = stack.say("choice", payload=NONE_OF_THESE)
    assert payloads(none) == ["/ask_advisor"]

    chosen = stack.say("choice", payload=payloads(asked)[0])
    assert citations(chosen) or payloads(chosen), "the buttons of an earlier message still work"


def test_a_chosen_passage_is_quoted_with_its_source(stack: Stack) -> None:
    passages = open_index(stack.settings.state_dir / "index", load_embedder()).passages
    chosen = next(p for p in passages if p.document_id == "thu-vien" and not p.applies_to.cohorts)

    said = stack.say("passage", payload=f'/inform{{"passage": "{passage_key(chosen)}"}}')
    assert chosen.text.splitlines()[0] in said[0]["text"]
    assert citations(said)[0]["locator"]


def test_a_choice_that_is_gone_is_said_to_be_gone(stack: Stack) -> None:
    said = stack.say("gone", payload='/inform{"passage": "no-longer-there#1"}')
    assert not citations(said)
    assert "không còn" in said[0]["text"]

    assert "0,80" in stack.say("gone", PLAIN_QUESTION)[0]["text"]


def test_the_cohort_is_not_asked_for_again_when_the_same_is_asked_instead(stack: Stack) -> None:
    assert '/inform{"cohort": "48"}' in payloads(stack.say("twice", COHORT_QUESTION))

    said = stack.say("twice", COHORT_QUESTION)
    assert payloads(said) == ["/ask_advisor"]


def test_several_questions_are_answered_each(stack: Stack) -> None:
    known, unknown = "Xin bảng điểm ở đâu?", "Ngày mai trời có mưa không?"
    first, second = stack.say("several", f"{known} {unknown}")

    assert first["text"].startswith(f"> {known}")
    assert citations([first])
    assert any(payload.startswith("/feedback_good") for payload in payloads([first]))
    assert second["text"].startswith(f"> {unknown}")
    assert payloads([second])[-1] == "/ask_advisor"


def test_of_several_questions_the_one_that_needs_the_cohort_is_answered_last(stack: Stack) -> None:
    known = "Xin bảng điểm ở đâu?"
    said = stack.say("several-form", f"{COHORT_QUESTION} {known}")
    assert said[0]["text"].startswith(f"> {known}")
    assert said[1]["text"].startswith(f"> {COHORT_QUESTION}")
    assert '/inform{"cohort": "48"}' in payloads(said[2:])

    answered = stack.say("several-form", payload='/inform{"cohort": "48"}')
    assert ANSWER_FOR_K48 in answered[0]["text"]
    assert known not in answered[0]["text"]


@pytest.mark.parametrize("message", ["bạn là ai vậy", "bot hả", "ai tạo ra bạn vậy ạ", "who made you"])
def test_it_says_that_it_is_no_person(stack: Stack, message: str) -> None:
    said = stack.say("who", message)

    assert "không phải người thật" in said[0]["text"]
    assert not citations(said)


def test_what_the_school_has_not_published_is_said_to_be_unknown(stack: Stack) -> None:
    said = stack.say("weather", "thời tiết hôm nay thế nào")

    assert not citations(said)
    assert payloads(said)[-1] == "/ask_advisor"
    assert stack.say("weather", payload="/ask_advisor")[0]["text"]


@pytest.mark.parametrize(
    "message",
    [
        "",
        "x" * 100_000,
        "a\x00b",
        "\x00",
        "😀😀😀",
        "\ud800",
        "\ufdfa" * 1000,
        "/restart",
        '/inform{"cohort": "47"}',
        "/inform{",
        "thư viện\x00 mở cửa mấy giờ \ud83d",
        "{answer} {0} %s",
    ],
    ids=[
        *("empty", "long", "nul-in", "nul", "emoji", "surrogate", "fdfa"),
        *("restart", "inform", "inform-open", "mixed", "format"),
    ],
)
def test_bad_input_gets_a_polite_sentence_and_the_conversation_goes_on(stack: Stack, message: str) -> None:
    sender = f"bad-{abs(hash(message))}"
    stack.say(sender, "em k48 ạ")
    said = stack.say(sender, message)
    assert said[0]["text"]

    noted = stack.say(sender, payload='/inform{"program": "standard"}')
    assert "48" in noted[0]["text"], "what was known is still known"


def test_a_request_that_no_page_sends_is_refused(stack: Stack) -> None:
    assert stack.post(b"{").status_code == 400
    assert stack.post(b'{"sender": "x", "payload": "/restart"}').status_code == 400


def test_without_the_action_server_there_is_an_apology_and_then_it_goes_on(stack: Stack) -> None:
    stack.say("crash", COHORT_QUESTION)
    stack.end("actions", signal.SIGKILL)
    sorry = [stack.say("crash", text)[0]["text"] for text in ("k48", PLAIN_QUESTION, "k48 ạ")]
    assert all("Xin lỗi" in text for text in sorry)

    stack.start("actions")
    stack.wait("actions")
    assert ANSWER_FOR_K48 in stack.say("crash", "k48")[0]["text"]


def test_after_a_restart_of_everything_the_profile_is_still_there(stack: Stack) -> None:
    stack.say("restart", "em học khóa 48 chương trình đại trà")
    for name in ("rasa", "actions"):
        stack.end(name)
    for name in ("actions", "rasa"):
        stack.start(name)
    for name in ("actions", "rasa"):
        stack.wait(name)

    assert ANSWER_FOR_K48 in stack.say("restart", COHORT_QUESTION)[0]["text"]
