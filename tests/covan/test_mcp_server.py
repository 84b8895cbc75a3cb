"""`covan mcp`: the tools, over memory and over HTTP with a token."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from command_line import covan
from embedder_stand_in import EmbedderStandIn
from mcp import Client
from mcp_http_server import McpHttpServer, engine_of

from covan.mcp_server import mcp_server
from rag.decide.gate import Chosen
from rag.engine import Engine
from rag.ingest.build import build_index
from rag.pipeline import load_pipeline

SMALL_SCHOOL = Path(__file__).parents[1] / "small_school"
TOKEN = "t" * 40


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("mcp") / "index"
    build_index(SMALL_SCHOOL, out, EmbedderStandIn())
    return out


@pytest.fixture(scope="module")
def engine(index: Path) -> Engine:
    return engine_of(index)


def called(engine: Engine, tool: str, **arguments: Any) -> Any:
    async def call() -> Any:
        async with Client(mcp_server(engine)) as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(call())


def test_the_tools_have_strict_schemas(engine: Engine) -> None:
    async def tools() -> Any:
        async with Client(mcp_server(engine)) as client:
            return (await client.list_tools()).tools

    found = {tool.name: tool for tool in asyncio.run(tools())}
    assert set(found) == {"search_faq", "search_documents", "query_graph", "ask"}
    question = found["ask"].input_schema["properties"]["question"]
    assert (question["type"], question["maxLength"]) == ("string", 2000)
    assert all(tool.output_schema for tool in found.values())


def test_without_a_graph_source_there_is_no_graph_tool(engine: Engine) -> None:
    plain = Engine(engine._index, load_pipeline("urag"), EmbedderStandIn(), None, Chosen())

    async def names() -> set[str]:
        async with Client(mcp_server(plain)) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    assert asyncio.run(names()) == {"search_faq", "search_documents", "ask"}


def test_entries_and_clauses_are_found(engine: Engine) -> None:
    text = "Cổng ký túc xá đóng lúc mấy giờ?"
    entries = called(engine, "search_faq", question=text, count=2).structured_content["result"]
    clauses = called(engine, "search_documents", question=text, count=3).structured_content["result"]

    assert 0 < len(entries) <= 2
    assert {"question", "answer"} <= entries[0].keys()
    assert 0 < len(clauses) <= 3
    assert all(clause["text"] and clause["title"] for clause in clauses)


def test_a_question_is_answered_as_in_the_chat(engine: Engine) -> None:
    reply = called(engine, "ask", question="Chuẩn ngoại ngữ để tốt nghiệp là gì?").structured_content

    assert reply["decision"] in {"answer", "clarify", "no_answer"}
    assert (reply["text"] != "") == (reply["decision"] == "answer")


@pytest.mark.parametrize(
    "arguments",
    [
        {"question": ""},
        {"question": "x" * 2001},
        {"question": "x", "count": 0},
        {"question": "x", "count": 1000},
    ],
)
def test_arguments_beyond_their_limits_are_refused(engine: Engine, arguments: dict[str, Any]) -> None:
    assert called(engine, "search_faq", **arguments).is_error


@pytest.mark.slow
def test_over_http_a_token_is_needed(index: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    accept = {"Accept": "application/json, text/event-stream"}
    with McpHttpServer(index, TOKEN) as server:
        url = server.url
        shown = [
            {},
            {"Authorization": "Bearer wrong"},
            {"Authorization": TOKEN},
            {"Authorization": f"Bearer {TOKEN}x"},
        ]
        refused = [httpx.post(f"{url}/mcp", json=hello, headers=accept | headers) for headers in shown]
        refused.append(httpx.get(f"{url}/sse"))
        welcome = httpx.post(f"{url}/mcp", json=hello, headers=accept | {"Authorization": f"Bearer {TOKEN}"})
        with httpx.stream("GET", f"{url}/sse", headers={"Authorization": f"Bearer {TOKEN}"}) as events:
            first = next(events.iter_lines())

    assert [reply.status_code for reply in refused] == [401] * 5
    assert refused[0].headers["WWW-Authenticate"] == "Bearer"
    assert welcome.status_code == 200
    assert "covan" in welcome.text
    assert first.startswith("event: endpoint")


def test_without_a_token_http_is_not_served() -> None:
    result = covan("mcp", "--transport", "http")

    assert result.exit_code != 0
    assert "COVAN_MCP_TOKEN" in result.output
