"""Limits of the calls for one message: number, time, budget, circuit; the cache and the record."""

from __future__ import annotations

import sqlite3
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from chat_model import Says, scripted_model
from model_access import access_to

from rag.language_model.circuit_breaker import CircuitBreaker
from rag.language_model.ledger import Budget, Ledger
from rag.language_model.types import ChatMessage, ChatRequest, Completion, ModelFailure, ModelUnavailableError


def ask(text: str, max_tokens: int = 50) -> ChatRequest:
    return ChatRequest((ChatMessage("user", text),), max_tokens)


def test_a_call_is_counted_and_priced(tmp_path: Path) -> None:
    with scripted_model("ok") as server:
        access = access_to(server, tmp_path, Budget(prompt_price=10.0, completion_price=50.0))
        exchange = access.exchange(2)
        exchange.ask(ask("a"), "answer")

    (call,) = exchange.calls
    assert (call.purpose, call.outcome, call.prompt_tokens, call.completion_tokens) == (
        "answer",
        "ok",
        100,
        20,
    )
    assert call.cost == pytest.approx(0.002)
    (day,) = access.ledger.usage(1)
    assert (day.calls, day.failed, day.prompt_tokens, day.completion_tokens) == (1, 0, 100, 20)
    assert day.cost == pytest.approx(0.002)


def test_a_kept_reply_answers_the_same_request(tmp_path: Path) -> None:
    with scripted_model([Says("một"), Says("hai")]) as server:
        replies = []
        for text in ("a", "a", "b"):
            exchange = access_to(server, tmp_path).exchange(1)
            completion = exchange.ask(ask(text), "answer")
            exchange.keep(ask(text), completion)
            replies.append((completion.text, exchange.calls[0].cached))

    assert replies == [("một", False), ("một", True), ("hai", False)]
    assert len(server.sent) == 2


def test_a_reply_that_nobody_keeps_is_forgotten(tmp_path: Path) -> None:
    """It may repeat words of the student, who may erase them."""
    with scripted_model([Says("một"), Says("hai")]) as server:
        access = access_to(server, tmp_path)
        assert [access.exchange(1).ask(ask("a"), "x").text for _ in range(2)] == ["một", "hai"]


def test_the_ledger_holds_no_question(tmp_path: Path) -> None:
    with scripted_model("ok") as server:
        exchange = access_to(server, tmp_path).exchange(1)
        exchange.keep(ask("chuyện riêng của em"), exchange.ask(ask("chuyện riêng của em"), "answer"))

    assert all("riêng".encode() not in file.read_bytes() for file in tmp_path.iterdir())


def test_calls_of_a_message_are_limited(tmp_path: Path) -> None:
    with scripted_model("ok") as server:
        exchange = access_to(server, tmp_path).exchange(2)
        exchange.ask(ask("a"), "x")
        exchange.ask(ask("b"), "x")
        with pytest.raises(ModelUnavailableError) as caught:
            exchange.ask(ask("c"), "x")

    assert caught.value.failure is ModelFailure.CALLS_USED_UP
    assert len(server.sent) == 2
    assert [call.outcome for call in exchange.calls] == ["ok", "ok", "calls_used_up"]


@pytest.mark.parametrize(
    "budget", [Budget(tokens=200), Budget(cost=0.001, completion_price=20.0)], ids=["tokens", "cost"]
)
def test_a_day_cannot_be_overdrawn(tmp_path: Path, budget: Budget) -> None:
    with scripted_model("ok") as server:
        access = access_to(server, tmp_path, budget)
        access.exchange(1).ask(ask("a"), "x")
        exchange = access.exchange(1)
        with pytest.raises(ModelUnavailableError) as caught:
            exchange.ask(ask("b", 90), "x")

    assert caught.value.failure is ModelFailure.BUDGET
    assert len(server.sent) == 1


def test_the_next_day_begins_anew(tmp_path: Path) -> None:
    now = [datetime(2026, 11, 1, 12, tzinfo=UTC)]
    ledger = Ledger(tmp_path / "l.sqlite", Budget(tokens=100), lambda: now[0])
    ledger.settle(ledger.reserve(50, 50), "m", (60, 40), 1.0)
    with pytest.raises(ModelUnavailableError):
        ledger.reserve(1, 0)
    now[0] += timedelta(days=1)

    assert ledger.reserve(50, 50)


def test_a_reservation_counts_until_it_is_settled(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "l.sqlite", Budget(tokens=100))
    first = ledger.reserve(40, 40)
    with pytest.raises(ModelUnavailableError):
        ledger.reserve(30, 0)
    ledger.settle(first, "m", (5, 5), 1.0)

    assert ledger.reserve(30, 0)


def test_a_timeout_is_charged_for(tmp_path: Path) -> None:
    with scripted_model([Says("x", pause_s=30)]) as server:
        access = access_to(server, tmp_path, timeout_s=0.3)
        with pytest.raises(ModelUnavailableError) as caught:
            access.exchange(1).ask(ask("abcde", 70), "x")

    assert caught.value.failure is ModelFailure.TIMEOUT
    (day,) = access.ledger.usage(1)
    assert (day.failed, day.completion_tokens) == (1, 70)


def test_after_failures_the_server_is_left_alone(tmp_path: Path) -> None:
    with scripted_model([Says(status=500)] * 3) as server:
        access = access_to(server, tmp_path)
        failures = []
        for text in "abcd":
            with pytest.raises(ModelUnavailableError) as caught:
                access.exchange(1).ask(ask(text), "x")
            failures.append(caught.value.failure)

    assert failures == [ModelFailure.REFUSED] * 3 + [ModelFailure.CIRCUIT_OPEN]
    assert len(server.sent) == 3


def test_an_open_circuit_lets_one_call_try_after_its_pause() -> None:
    now = [0.0]
    breaker = CircuitBreaker(2, 10.0, lambda: now[0])
    breaker.failed()
    assert breaker.admits()
    breaker.failed()
    assert not breaker.admits()
    now[0] = 10.0
    assert [breaker.admits(), breaker.admits()] == [True, False]
    breaker.succeeded()
    assert [breaker.admits(), breaker.admits()] == [True, True]


def test_old_replies_are_forgotten(tmp_path: Path) -> None:
    now = [datetime(2026, 11, 1, tzinfo=UTC)]
    ledger = Ledger(tmp_path / "l.sqlite", Budget(), lambda: now[0])
    ledger.keep("k", Completion("cũ", 1, 1))
    now[0] += timedelta(days=31)
    assert ledger.reply("m", "k") is None
    ledger.keep("other", Completion("mới", 1, 1))

    assert "cũ" not in str(
        sqlite3.connect(tmp_path / "l.sqlite").execute("SELECT text FROM replies").fetchall()
    )


def test_a_ledger_that_cannot_be_written_means_no_call(tmp_path: Path) -> None:
    (tmp_path / "language_model.sqlite").mkdir()
    with scripted_model("ok") as server, pytest.raises(ModelUnavailableError) as caught:
        access_to(server, tmp_path).exchange(1).ask(ask("a"), "x")

    assert caught.value.failure is ModelFailure.LEDGER
    assert server.sent == []


def test_a_ledger_that_was_removed_begins_anew(tmp_path: Path) -> None:
    file = tmp_path / "l.sqlite"
    ledger = Ledger(file, Budget(tokens=100))
    ledger.reserve(50, 30)
    for each in tmp_path.iterdir():
        each.unlink()

    assert ledger.reserve(50, 30) == 1
    assert Ledger(file, Budget(tokens=100)).usage(1) == []
    with pytest.raises(ModelUnavailableError):
        Ledger(file, Budget(tokens=100)).reserve(50, 30)


def test_threads_share_a_ledger(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "l.sqlite", Budget(tokens=100))

    def failure(_: int) -> ModelFailure | None:
        try:
            ledger.reserve(10, 10)
        except ModelUnavailableError as error:
            return error.failure
        return None

    with ThreadPoolExecutor(4) as pool:
        failures = Counter(pool.map(failure, range(12)))

    assert failures == {None: 5, ModelFailure.BUDGET: 7}
