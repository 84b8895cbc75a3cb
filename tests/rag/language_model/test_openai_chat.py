"""The client of the OpenAI protocol: requests, streaming, time-outs and faults, over HTTP."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from chat_model import Says, Sent, scripted_model
from pydantic import SecretStr
from reserved_ports import reserve_port

from rag.language_model.openai_chat import OpenAIChat
from rag.language_model.types import ChatMessage, ChatRequest, ModelFailure, ModelUnavailableError, Tool

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}
ASK = ChatRequest((ChatMessage("system", "Be brief."), ChatMessage("user", "Xin chào")), 50, 0.2)
WELL_BEYOND = 20.0
"""Seconds that no test waits for, though its server would take them."""


def failure(call: Callable[[], Any]) -> ModelFailure:
    with pytest.raises(ModelUnavailableError) as caught:
        call()
    return caught.value.failure


def test_a_request_is_sent_as_the_protocol_says() -> None:
    with scripted_model("Chào bạn") as server:
        reply = OpenAIChat(server.url, "m", SecretStr("k-1")).complete(ASK, 5)

    assert (reply.text, reply.prompt_tokens, reply.completion_tokens, reply.is_whole) == (
        "Chào bạn",
        100,
        20,
        True,
    )
    assert server.keys == ["Bearer k-1"]
    assert server.sent == [
        {
            "model": "m",
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Xin chào"}],
            "max_tokens": 50,
            "temperature": 0.2,
            "stream": False,
        }
    ]


def test_schema_and_tools_are_sent_strict() -> None:
    tool = Tool("search", "Searches.", SCHEMA)
    with scripted_model([Says(calls=[("search", '{"n": 1}')], finish="tool_calls")]) as server:
        reply = OpenAIChat(server.url, "m").complete(
            ChatRequest(ASK.messages, 50, schema=SCHEMA, tools=(tool,)), 5
        )

    (call,) = reply.tool_calls
    assert (call.name, call.arguments) == ("search", '{"n": 1}')
    assert server.sent[0]["response_format"]["json_schema"]["strict"] is True
    assert server.sent[0]["response_format"]["json_schema"]["schema"] == SCHEMA
    assert server.sent[0]["tools"][0]["function"]["strict"] is True


def test_a_reply_that_was_cut_off_says_so() -> None:
    with scripted_model([Says("Một nửa", finish="length")]) as server:
        assert OpenAIChat(server.url, "m").complete(ASK, 5).is_whole is False


def test_a_server_that_counts_no_tokens_has_them_estimated() -> None:
    with scripted_model([Says("x" * 250, usage=False)]) as server:
        reply = OpenAIChat(server.url, "m").complete(ASK, 5)

    assert reply.completion_tokens == 100
    assert reply.prompt_tokens > 0


@pytest.mark.parametrize(
    ("word", "gone", "there"), [("max_completion_tokens", "max_tokens", "max_completion_tokens")]
)
def test_the_newer_name_of_the_limit_is_learnt_once(word: str, gone: str, there: str) -> None:
    def script(body: Sent) -> Says:
        return Says("ok") if there in body else Says(f"Use '{word}' instead.", status=400)

    with scripted_model(script) as server:
        chat = OpenAIChat(server.url, "m")
        assert [chat.complete(ASK, 5).text for _ in range(2)] == ["ok", "ok"]

    assert [gone in body for body in server.sent] == [True, False, False]


def test_a_model_without_temperature_gets_none() -> None:
    def script(body: Sent) -> Says:
        return Says("Unsupported value: 'temperature'", status=400) if "temperature" in body else Says("ok")

    with scripted_model(script) as server:
        assert OpenAIChat(server.url, "m").complete(ASK, 5).text == "ok"


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        (Says("Loading model", status=503), ModelFailure.UNREACHABLE),
        (Says("bad", status=400), ModelFailure.REFUSED),
        (Says("who are you", status=401), ModelFailure.REFUSED),
        (Says(raw="{"), ModelFailure.MALFORMED),
        (Says(raw='{"choices": []}'), ModelFailure.MALFORMED),
        (Says("in the middle", breaks=True), ModelFailure.UNREACHABLE),
    ],
    ids=["503", "400", "401", "no json", "no choices", "breaks"],
)
def test_a_fault_has_its_name(says: Says, expected: ModelFailure) -> None:
    with scripted_model([says] * 3) as server:
        assert failure(lambda: OpenAIChat(server.url, "m").complete(ASK, 5)) is expected


def test_a_server_that_is_not_there_is_unreachable() -> None:
    chat = OpenAIChat(f"http://127.0.0.1:{reserve_port()}/v1", "m")

    assert failure(lambda: chat.complete(ASK, 5)) is ModelFailure.UNREACHABLE


def test_a_server_that_trickles_is_left_in_time() -> None:
    """A byte now and then keeps a connection alive for ever; the request has an end all the same."""
    start = time.monotonic()
    with scripted_model([Says("x" * 100, pause_s=0.1, pieces=1000)]) as server:
        assert failure(lambda: OpenAIChat(server.url, "m").complete(ASK, 0.4)) is ModelFailure.TIMEOUT
        while server.going:
            time.sleep(0.01)
    assert time.monotonic() - start < WELL_BEYOND


def test_no_error_tells_the_key_or_the_question() -> None:
    with (
        scripted_model([Says("Xin chào k-1", status=400)]) as server,
        pytest.raises(ModelUnavailableError) as caught,
    ):
        OpenAIChat(server.url, "m", SecretStr("k-1")).complete(ASK, 5)

    assert "k-1" not in str(caught.value)
    assert "Xin" not in str(caught.value)


def test_a_stream_comes_in_pieces() -> None:
    with scripted_model([Says("Chào bạn nhé", pieces=4)]) as server:
        pieces = list(OpenAIChat(server.url, "m").stream(ASK, 5))

    assert "".join(pieces) == "Chào bạn nhé"
    assert len(pieces) == 4
    assert server.sent[0]["stream"] is True


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        (Says("x" * 100, pause_s=0.1, pieces=100), ModelFailure.TIMEOUT),
        (Says("half", breaks=True), ModelFailure.UNREACHABLE),
        (Says("no", status=500), ModelFailure.REFUSED),
    ],
    ids=["slow", "breaks", "500"],
)
def test_a_stream_that_fails_says_so_after_its_pieces(says: Says, expected: ModelFailure) -> None:
    with scripted_model([says]) as server:
        assert failure(lambda: list(OpenAIChat(server.url, "m").stream(ASK, 0.5))) is expected


def test_a_stream_that_nobody_reads_on_ends_at_the_server() -> None:
    with scripted_model([Says("x" * 100, pause_s=0.05, pieces=100)]) as server:
        stream = OpenAIChat(server.url, "m").stream(ASK, 60)
        next(stream)
        stream.close()  # type: ignore[attr-defined]
        while server.going:
            time.sleep(0.01)

    assert server.ended == 1
