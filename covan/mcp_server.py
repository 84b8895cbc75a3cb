"""The school's knowledge for agents, over the Model Context Protocol: tools that search it, and one that answers."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Mapping, Sequence
from typing import Annotated

from mcp.server import MCPServer
from pydantic import BaseModel, Field
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from covan.profile_arguments import resolved
from rag.answer_sources.source import SAID
from rag.engine import Engine
from rag.types import DOCUMENT_SOURCE, FAQ_SOURCE, GRAPH_SOURCE, Citation, FaqEntry, Passage, Question
from vietnamese.text import MAX_QUESTION_CHARS

MAX_RESULTS = 20
MAX_REQUEST_BYTES = 64_000

Text = Annotated[
    str, Field(min_length=1, max_length=MAX_QUESTION_CHARS, description="The question, in any wording.")
]
Count = Annotated[int, Field(ge=1, le=MAX_RESULTS, description="The most results.")]
Known = Annotated[
    dict[str, str] | None,
    Field(description="What is known of the student, by dimension: {'cohort': '48'}."),
]


class Cited(BaseModel):
    """A place in a published document."""

    document_id: str
    title: str
    locator: str
    quote: str
    url: str | None = None


class Entry(BaseModel):
    """A question with the answer that an office has written."""

    id: str
    question: str
    answer: str
    applies_to: dict[str, list[str]]
    score: float


class Clause(BaseModel):
    """A citable piece of a document."""

    id: str
    document_id: str
    title: str
    locator: str
    text: str
    applies_to: dict[str, list[str]]
    url: str | None = None
    score: float


class FromGraph(BaseModel):
    """An answer from the knowledge graph; `text` is empty when the graph does not know what is asked."""

    text: str
    citations: list[Cited]


class Answered(BaseModel):
    """The engine's reply: `decision` is answer, clarify or no_answer; `missing` are dimensions to give in `known`."""

    decision: str
    text: str
    citations: list[Cited]
    options: list[str]
    missing: list[str]
    confidence: float


def mcp_server(engine: Engine) -> MCPServer:
    """Return the server with the tools that the engine's pipeline can serve."""
    server = MCPServer(
        "covan",
        instructions="Searches and answers from what a university has published. Quote the sources with every answer.",
    )

    @server.tool()
    async def search_faq(question: Text, count: Count = 5, known: Known = None) -> list[Entry]:
        """Find the curated FAQ entries that are nearest to a question. Their answers may be quoted word for word."""
        found = await asyncio.to_thread(engine.candidates, _question(engine, question, known), FAQ_SOURCE)
        return [
            Entry(
                id=item.id,
                question=item.question,
                answer=item.answer,
                applies_to=_lists(item.applies_to.allowed),
                score=candidate.score,
            )
            for candidate in found[:count]
            if isinstance(item := candidate.item, FaqEntry)
        ]

    @server.tool()
    async def search_documents(question: Text, count: Count = 5, known: Known = None) -> list[Clause]:
        """Find the clauses of regulations that are nearest to a question, those that hold for the student today."""
        found = await asyncio.to_thread(
            engine.candidates, _question(engine, question, known), DOCUMENT_SOURCE
        )
        return [
            Clause(
                id=item.id,
                document_id=item.document_id,
                title=item.title,
                locator=item.locator,
                text=item.text,
                applies_to=_lists(item.applies_to.allowed),
                url=item.url,
                score=candidate.score,
            )
            for candidate in found[:count]
            if isinstance(item := candidate.item, Passage)
        ]

    if GRAPH_SOURCE in engine.sources:

        @server.tool()
        async def query_graph(question: Text, known: Known = None) -> FromGraph:
            """Ask the knowledge graph about offices, courses, people and their relations, with the entities by name."""
            found = await asyncio.to_thread(
                engine.candidates, _question(engine, question, known), GRAPH_SOURCE
            )
            if not found:
                return FromGraph(text="", citations=[])
            text, citations = found[0].meta[SAID]
            return FromGraph(text=text, citations=_cited(citations))

    @server.tool()
    async def ask(question: Text, known: Known = None) -> Answered:
        """Answer a student's question as the chat does: with sources, a question back, or no answer."""
        reply = await asyncio.to_thread(engine.reply, _question(engine, question, known))
        return Answered(
            decision=reply.decision.kind.value,
            text=reply.text,
            citations=_cited(reply.citations),
            options=[option.title for option in reply.options],
            missing=list(reply.decision.missing),
            confidence=reply.confidence,
        )

    return server


def http_app(server: MCPServer, token: str, host: str) -> ASGIApp:
    """Return the app that serves streamable HTTP at /mcp and SSE at /sse to those who show the token.

    Raises ValueError for an empty token.
    """
    if not token:
        raise ValueError("a token is needed")
    app = server.streamable_http_app(max_request_body_size=MAX_REQUEST_BYTES, host=host)
    app.router.routes.extend(server.sse_app(max_request_body_size=MAX_REQUEST_BYTES, host=host).routes)
    return _Authenticated(app, token)


class _Authenticated:
    """Lets requests through that show the bearer token; compared in constant time."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._is_shown(scope):
            await self._app(scope, receive, send)
            return
        refusal = PlainTextResponse("Unauthorized", 401, {"WWW-Authenticate": "Bearer"})
        await refusal(scope, receive, send)

    def _is_shown(self, scope: Scope) -> bool:
        shown = [value for name, value in scope.get("headers", ()) if name == b"authorization"]
        return len(shown) == 1 and hmac.compare_digest(shown[0], self._expected)


def _question(engine: Engine, text: str, known: Mapping[str, str] | None) -> Question:
    return Question(text, profile=resolved(known or {}, engine))


def _lists(allowed: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {dimension: list(values) for dimension, values in allowed.items()}


def _cited(citations: Sequence[Citation]) -> list[Cited]:
    return [
        Cited(document_id=c.document_id, title=c.title, locator=c.locator, quote=c.quote, url=c.url)
        for c in citations
    ]
