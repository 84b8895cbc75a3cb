"""A language model's server by script: the OpenAI protocol over HTTP, with replies and faults as the test says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from served import served

Sent = Mapping[str, Any]
"""The body of a request."""


@dataclass
class Says:
    """A reply. `calls` are (name, arguments) of tools; `pause_s` passes before each piece of `pieces`.

    `breaks` ends the connection in the middle of the reply, `status` is an error instead of it, `raw` another body.
    """

    text: str = ""
    calls: Sequence[tuple[str, str]] = ()
    pause_s: float = 0.0
    pieces: int = 3
    finish: str = "stop"
    breaks: bool = False
    status: int = 200
    raw: str | None = None
    usage: bool = True


Script = Callable[[Sent], Says] | Sequence[Says]


@dataclass
class ScriptedModel:
    """The state of a scripted server: what it was sent, and with which headers."""

    script: Script
    url: str = ""
    sent: list[Sent] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    going: int = 0
    ended: int = 0

    def next(self, body: Sent) -> Says:
        self.sent.append(body)
        if callable(self.script):
            return self.script(body)
        # A request more than the script has is a fault of the caller.
        return self.script[len(self.sent) - 1] if len(self.sent) <= len(self.script) else Says(status=418)

    @property
    def prompts(self) -> list[str]:
        """All that was sent, a text for each request."""
        return ["\n".join(str(message["content"]) for message in body["messages"]) for body in self.sent]


@contextmanager
def scripted_model(script: Script | str) -> Iterator[ScriptedModel]:
    """Serve a script: a text for every request, a reply for each, or a function of the request."""
    model = ScriptedModel((lambda _: Says(script)) if isinstance(script, str) else script)
    app = web.Application()

    async def chat(request: web.Request) -> web.StreamResponse:
        model.going += 1
        try:
            return await _reply(request, model)
        finally:
            model.going -= 1
            model.ended += 1

    async def models(request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    app.router.add_post("/v1/chat/completions", chat)
    app.router.add_get("/v1/models", models)
    with served(app) as address:
        model.url = f"{address}/v1"
        yield model


async def _reply(request: web.Request, model: ScriptedModel) -> web.StreamResponse:
    body = await request.json()
    model.keys.append(request.headers.get("Authorization", ""))
    says = model.next(body)
    if says.status != 200:
        return web.json_response({"error": {"message": says.text or "scripted"}}, status=says.status)
    if body.get("stream"):
        return await _streamed(request, says)
    reply = says.raw if says.raw is not None else json.dumps(_whole(says, body))
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.content_length = len(reply.encode())
    await response.prepare(request)
    for piece in _pieces(reply, says.pieces):
        await asyncio.sleep(says.pause_s)
        await response.write(piece.encode())
        if says.breaks:
            assert request.transport is not None
            request.transport.close()
            return response
    return response


async def _streamed(request: web.Request, says: Says) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for piece in _pieces(says.text, says.pieces):
        await asyncio.sleep(says.pause_s)
        chunk = {
            "id": "c",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": "scripted",
            "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}],
        }
        await response.write(f"data: {json.dumps(chunk)}\n\n".encode())
        if says.breaks:
            assert request.transport is not None
            request.transport.close()
            return response
    await response.write(b"data: [DONE]\n\n")
    return response


def _whole(says: Says, body: Sent) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": says.text}
    if says.calls:
        message["tool_calls"] = [
            {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for number, (name, arguments) in enumerate(says.calls)
        ]
    reply: dict[str, Any] = {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": says.finish}],
    }
    if says.usage:
        reply["usage"] = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return reply


def _pieces(text: str, count: int) -> list[str]:
    size = max(1, -(-len(text) // count))
    return [text[start : start + size] for start in range(0, len(text), size)]
