"""The agent of UMentor: it reasons and acts (ReAct, arXiv:2210.03629) with two tools, passages first.

Its first observation are the passages that the engine has found, so passages come before the graph. At each step the
model calls a tool or answers. Steps, tokens and time are bounded by the exchange; the last call has no tools, so that
it must answer. The steps stand among the calls of the trace, and the student sees none of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rag.answer.generate import (
    Asked,
    GeneratedAnswer,
    checked_answer,
    fence_of,
    fenced,
    grounded_request,
    place_of,
    texts,
)
from rag.language_model.exchange import Exchange
from rag.language_model.injection import addresses_model
from rag.language_model.types import ChatMessage, ChatRequest, Tool, ToolCall
from rag.pipeline import GenerationRule
from rag.types import Passage

MAX_QUERY_CHARS = 300
MOST_TOOL_CALLS = 3
"""Of one step; a model that asks for more gets no answer to the rest."""


class ReactAgent:
    """Implements `rag.answer.generate.Answerer`."""

    def __init__(self, rule: GenerationRule) -> None:
        self._rule = rule

    def answer(
        self, asked: Asked, passages: Sequence[Passage], exchange: Exchange, temperature: float
    ) -> GeneratedAnswer:
        rule = self._rule
        seen = list(passages)
        first = grounded_request(asked, seen, rule, temperature)
        messages = list(first.messages)
        queries: set[tuple[str, str]] = set()
        for step in range(rule.max_calls):
            tools = _tools(asked) if step < rule.max_calls - 1 else ()
            request = ChatRequest(tuple(messages), rule.max_tokens, temperature, tools=tools)
            completion = exchange.ask(request, "answer" if not tools else f"step {step + 1}")
            if not tools or not completion.tool_calls:
                return checked_answer(completion, asked, seen, rule)
            messages.append(ChatMessage("assistant", completion.text, completion.tool_calls))
            for number, call in enumerate(completion.tool_calls):
                said = texts()[asked.language]["tools"]["refused"]
                if number < MOST_TOOL_CALLS:
                    said = self._observation(call, asked, seen, queries)
                messages.append(ChatMessage("tool", said, answers=call.id))
        return GeneratedAnswer()

    def _observation(
        self, call: ToolCall, asked: Asked, seen: list[Passage], queries: set[tuple[str, str]]
    ) -> str:
        """Return what a tool finds, as numbered passages that are added to `seen`."""
        said: Mapping[str, Any] = texts()[asked.language]
        query, search = _query(call), asked.searches.get(call.name)
        if query is None or search is None or call.name not in said["tools"]:
            return str(said["tools"]["refused"])
        if (call.name, query) in queries:
            return str(said["tools"]["again"])
        queries.add((call.name, query))
        known = {passage.id for passage in seen}
        found = [
            p
            for p in search(asked.question.unmasked(query))
            if p.id not in known and not addresses_model(p.text)
        ]
        if not found:
            return str(said["tools"]["nothing"])
        fence = fence_of([passage.text for passage in found])
        blocks = []
        for passage in found[: self._rule.passages]:
            seen.append(passage)
            heading = said["passage"].format(number=len(seen), place=place_of(passage))
            blocks.append(fenced(heading, passage.text, fence))
        return "\n\n".join(blocks)


def _query(call: ToolCall) -> str | None:
    """Return the query of a call; None for arguments that the schema does not allow."""
    try:
        arguments = json.loads(call.arguments)
    except ValueError:
        return None
    if not isinstance(arguments, dict) or set(arguments) != {"query"}:
        return None
    query = arguments["query"]
    return query if isinstance(query, str) and 0 < len(query) <= MAX_QUERY_CHARS else None


def _tools(asked: Asked) -> tuple[Tool, ...]:
    said: Mapping[str, str] = texts()[asked.language]["tools"]
    query = {"type": "string", "minLength": 1, "maxLength": MAX_QUERY_CHARS, "description": said["query"]}
    schema = {
        "type": "object",
        "properties": {"query": query},
        "required": ["query"],
        "additionalProperties": False,
    }
    return tuple(Tool(name, said[name], schema) for name in asked.searches if name in said)
