"""The language model in the console: how it is set up, whether it answers, a try-out, and what it has cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chat_model import Says, ScriptedModel, Sent, scripted_model
from console_driver import Enter
from console_pages import DocumentsFirst
from embedder_stand_in import EmbedderStandIn
from fastapi.testclient import TestClient
from reserved_ports import reserve_port
from worded_documents import ASKED, first_passage

from console.api.dependencies import Console
from console.model_desk import ModelDesk
from console.publishing import Publisher
from rag.language_model.ledger import Budget, Ledger
from rag.settings import Settings

KEY, PASSWORD = "k-very-secret", "p-very-secret"
Set = Callable[..., None]


@pytest.fixture
def publisher(publisher: Publisher) -> Publisher:
    return DocumentsFirst(publisher.files.knowledge, publisher.live.folder, EmbedderStandIn())


@pytest.fixture
def console(console: Console, tmp_path: Path) -> Console:
    """A console whose state folder is its own."""
    return replace(console, model=ModelDesk(Settings(state_dir=tmp_path / "state")))


@pytest.fixture
def set_up(enter: Enter, console: Console, tmp_path: Path) -> Set:
    """Puts a model into the settings."""

    def put(url: str, **more: Any) -> None:
        named = {"llm_url": url, "llm_model": "scripted", "llm_key": KEY, "state_dir": tmp_path / "state"}
        app = enter().app
        app.state.console = replace(console, model=ModelDesk(Settings(**{**named, **more})))  # type: ignore[attr-defined]

    return put


@contextmanager
def answering(says: Callable[[str], str]) -> Iterator[ScriptedModel]:
    """A server that answers from the first passage it is given."""

    def script(body: Sent) -> Says:
        if "response_format" in body:
            return Says('{"capital": "Hà Nội"}')
        if body["stream"]:
            return Says("Hà Nội là thủ đô.")
        return Says(says(first_passage(body).splitlines()[0].rstrip(".")))

    with scripted_model(script) as server:
        yield server


def tried(client: TestClient, question: str = ASKED) -> dict[str, Any]:
    got = client.post("/api/model/try", json={"question": question})
    assert got.status_code == 200, got.text
    return dict(got.json())


def test_without_a_model_all_works_and_says_so(enter: Enter, tmp_path: Path) -> None:
    client = enter("editor")

    told = client.get("/api/model").json()
    assert (told["configured"], told["is_chosen"]) == (None, False)
    assert (told["tokens_today"], told["cost_today"]) == (0, 0)
    assert client.get("/api/model/usage").json() == {"days": []}
    assert not (tmp_path / "state").exists()
    for path, body in (("check", None), ("try", {"question": ASKED})):
        refused = client.post(f"/api/model/{path}", json=body)
        assert (refused.status_code, refused.json()["error"]) == (409, "no_model")


def test_the_set_up_is_told_without_its_secrets(enter: Enter, set_up: Set) -> None:
    set_up(f"https://me:{PASSWORD}@model.example/v1?token={PASSWORD}", llm_daily_tokens=5_000)

    answer = enter("advisor").get("/api/model")

    told = answer.json()["configured"]
    assert (told["url"], told["model"], told["has_key"]) == ("https://model.example/v1", "scripted", True)
    assert (told["daily_tokens"], told["sources"], told["preset_generates"]) == (
        5_000,
        ["document", "study"],
        True,
    )
    assert "very-secret" not in answer.text


def test_the_check_says_how_fast_it_answers_and_is_paid(enter: Enter, set_up: Set) -> None:
    client = enter("editor")
    with answering(lambda line: line) as server:
        set_up(server.url)
        told = client.post("/api/model/check").json()

    assert (told["holds_schema"], told["in_time"], told["answer_tokens"]) == (True, True, 200)
    assert told["answer_s"] >= told["first_s"] > 0
    [day] = client.get("/api/model/usage").json()["days"]
    assert (day["calls"], day["failed"]) == (2, 0)
    assert client.get("/api/model").json()["tokens_today"] == day["prompt_tokens"] + day["completion_tokens"]


@pytest.mark.parametrize(
    ("more", "failure"),
    [({}, "model_unreachable"), ({"llm_daily_tokens": 10}, "model_budget")],
    ids=["away", "no budget"],
)
def test_a_model_that_cannot_be_asked_is_told(
    enter: Enter, set_up: Set, more: dict[str, Any], failure: str
) -> None:
    set_up(f"http://127.0.0.1:{reserve_port()}/v1", **more)

    refused = enter("editor").post("/api/model/check")

    assert (refused.status_code, refused.json()["error"]) == (503, failure)
    assert "very-secret" not in refused.text


def test_a_question_is_worded_with_citations_and_counted(enter: Enter, set_up: Set) -> None:
    client = enter("editor")
    with answering(lambda line: f"{line} [1].") as server:
        set_up(server.url, llm_prompt_price=10.0)
        told = tried(client)

    assert "[1]" in told["reply"]["text"]
    assert told["reply"]["citations"][0]["quote"]
    assert told["without"]["text"]
    assert "[1]" not in told["without"]["text"]
    [call] = told["calls"]
    assert (call["outcome"], call["prompt_tokens"], call["completion_tokens"]) == ("ok", 100, 20)
    assert (call["cost"], told["dropped"]) == (pytest.approx(0.001), [])
    assert told["seconds"] > 0
    assert client.get("/api/conversations").json()["turns"] == []


def test_what_the_verifier_dropped_is_shown_with_its_reason(enter: Enter, set_up: Set) -> None:
    with answering(lambda line: f"{line} [1]. Sinh viên nộp phạt 999.000 đồng [1].") as server:
        set_up(server.url)
        told = tried(enter("editor"))

    assert [(each["text"], each["reason"]) for each in told["dropped"]] == [
        ("Sinh viên nộp phạt 999.000 đồng.", "value")
    ]
    assert "999.000" not in told["reply"]["text"]


def test_a_model_that_finds_no_answer_leaves_the_extract(enter: Enter, set_up: Set) -> None:
    with answering(lambda _: "KHÔNG CÓ") as server:
        set_up(server.url)
        told = tried(enter("editor"))

    assert told["reply"] == told["without"]
    assert ([call["outcome"] for call in told["calls"]], told["dropped"]) == (["ok"], [])


def test_a_model_that_is_away_leaves_the_extract(enter: Enter, set_up: Set) -> None:
    set_up(f"http://127.0.0.1:{reserve_port()}/v1")

    told = tried(enter("editor"))

    assert told["reply"]["text"] == told["without"]["text"]
    assert [call["outcome"] for call in told["calls"]] == ["unreachable"]


def test_the_days_stay_when_the_model_is_gone(enter: Enter, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "state" / "language_model.sqlite", Budget(prompt_price=10.0))
    ledger.settle(ledger.reserve(1, 1), "m", (1_000, 50), 1_500.0)

    [day] = enter("advisor").get("/api/model/usage?days=7").json()["days"]

    assert (day["model"], day["calls"], day["prompt_tokens"], day["cost"]) == ("m", 1, 1_000, 0.01)
    assert day["latency_ms"] == 1_500


def test_a_damaged_ledger_is_told(enter: Enter, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "language_model.sqlite").write_bytes(b"not a database at all, " * 99)

    refused = enter("advisor").get("/api/model/usage")

    assert (refused.status_code, refused.json()["error"]) == (503, "model_ledger")


def chosen(client: TestClient, version: str, choice: dict[str, Any] | None) -> Any:
    return client.put("/api/model", json={"choice": choice, "version": version})


def test_an_administrator_chooses_the_model_and_it_is_in_use_at_once(set_up: Set, enter: Enter) -> None:
    with answering(lambda _: "Một câu [1].") as server:
        set_up("http://127.0.0.1:9/v1", llm_daily_tokens=100_000)
        client = enter("administrator")
        seen = client.get("/api/model").json()
        assert not seen["is_chosen"]
        choice = {**seen["choice"], "url": server.url, "model": "other", "sources": [], "daily_tokens": 5_000}

        answered = chosen(client, seen["version"], choice)

        assert answered.status_code == 200
        now = answered.json()
        assert now["is_chosen"]
        assert now["choice"] == choice
        assert now["configured"]["model"] == "other"
        assert now["configured"]["daily_tokens"] == 5_000
        assert client.post("/api/model/check").status_code == 200
        # The key of the settings is for their address alone.
        assert not now["configured"]["has_key"]
        assert server.sent
        assert not any(KEY in key for key in server.keys)

        back = chosen(client, now["version"], None).json()
        assert not back["is_chosen"]
        assert back["choice"] == seen["choice"]
        assert back["configured"]["has_key"]


def test_another_model_chosen_meanwhile_is_seen_first(set_up: Set, enter: Enter) -> None:
    set_up("http://127.0.0.1:9/v1")
    client = enter("administrator")
    seen = client.get("/api/model").json()
    first = {**seen["choice"], "model": "first"}
    assert chosen(client, seen["version"], first).status_code == 200

    late = chosen(client, seen["version"], {**seen["choice"], "model": "second"})

    assert late.status_code == 409
    assert late.json()["detail"]["theirs"] == first
    assert client.get("/api/model").json()["choice"] == first


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "ftp://127.0.0.1/v1"},
        {"url": "http://name:password@127.0.0.1:9/v1"},
        {"model": ""},
        {"temperature": 3},
        {"sources": ["faq"]},
        {"daily_tokens": -1},
        {"key": "k"},
    ],
)
def test_a_choice_that_cannot_be_is_refused(set_up: Set, enter: Enter, wrong: dict[str, Any]) -> None:
    set_up("http://127.0.0.1:9/v1")
    client = enter("administrator")
    seen = client.get("/api/model").json()

    assert chosen(client, seen["version"], {**seen["choice"], **wrong}).status_code == 422
    assert client.get("/api/model").json() == seen


def test_a_damaged_choice_is_replaced_by_the_next_one(set_up: Set, enter: Enter, tmp_path: Path) -> None:
    set_up("http://127.0.0.1:9/v1")
    client = enter("administrator")
    file = tmp_path / "state" / "index" / "language_model.json"
    file.parent.mkdir(parents=True)
    file.write_text("{")

    seen = client.get("/api/model").json()
    assert (seen["is_chosen"], seen["configured"]["model"]) == (False, "scripted")
    assert chosen(client, seen["version"], {**seen["choice"], "model": "mended"}).json()["is_chosen"]
