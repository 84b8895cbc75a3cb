"""A chat model behind any server of the OpenAI protocol: OpenAI, vLLM, Ollama, llama.cpp.

Requests run in an event loop of their own thread. A synchronous client's time-outs count between two reads, so a server
that sends a byte now and then holds it for ever; here the whole request is cancelled when its time is over.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import SecretStr

from rag.language_model.types import (
    ChatMessage,
    ChatRequest,
    Completion,
    ModelFailure,
    ModelUnavailableError,
    ToolCall,
)

if TYPE_CHECKING:
    from openai import AsyncOpenAI

T = TypeVar("T")

NO_KEY = "none"
"""Sent where a server needs no key: the client refuses to send none."""

GRACE_S = 0.5
"""How much longer than a request its caller waits for the request's own cancellation."""

CHARS_PER_TOKEN = 2.5
"""Vietnamese text in the vocabularies of 2026, on the safe side; for servers that count no tokens."""

MAX_REPLY_CHARS = 100_000

NOT_READY = frozenset({502, 503, 504})
"""Statuses of a server that is loading its model, or of a proxy in front of one that is away."""

logging.getLogger("openai").setLevel(logging.WARNING)
logging.getLogger("httpx2").setLevel(logging.WARNING)


class OpenAIChat:
    """Implements `rag.language_model.types.LanguageModel`. Thread-safe; connects at the first request."""

    def __init__(self, base_url: str, model: str, key: SecretStr | None = None) -> None:
        self._base_url = base_url
        self._model = model
        self._key = key or SecretStr("")
        self._lock = threading.Lock()
        self._opened: tuple[asyncio.AbstractEventLoop, AsyncOpenAI] | None = None
        self._limit_name = "max_tokens"
        self._has_temperature = True

    @property
    def name(self) -> str:
        return self._model

    def complete(self, request: ChatRequest, timeout_s: float) -> Completion:
        return self._run(self._completed(request), timeout_s)

    def stream(self, request: ChatRequest, timeout_s: float) -> Iterator[str]:
        pieces: queue.SimpleQueue[str | Exception | None] = queue.SimpleQueue()

        async def fill() -> None:
            try:
                async for piece in self._streamed(request):
                    pieces.put(piece)
            finally:
                pieces.put(None)

        def end(done: Future[None]) -> None:
            if not done.cancelled() and (error := done.exception()) is not None:
                pieces.put(error if isinstance(error, Exception) else RuntimeError(repr(error)))
            pieces.put(None)

        future = self._submit(asyncio.wait_for(_told(fill()), timeout_s))
        future.add_done_callback(end)
        try:
            while (piece := pieces.get()) is not None:
                if isinstance(piece, Exception):
                    raise piece
                yield piece
            self._result(future, GRACE_S)
        finally:
            future.cancel()

    def _run(self, coroutine: Coroutine[Any, Any, T], timeout_s: float) -> T:
        return self._result(self._submit(asyncio.wait_for(_told(coroutine), timeout_s)), timeout_s + GRACE_S)

    def _result(self, future: Future[T], timeout_s: float) -> T:
        try:
            return future.result(timeout_s)
        except (TimeoutError, FutureTimeoutError):
            future.cancel()
            raise ModelUnavailableError(ModelFailure.TIMEOUT) from None

    def _submit(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop_and_client()[0])

    def _loop_and_client(self) -> tuple[asyncio.AbstractEventLoop, AsyncOpenAI]:
        with self._lock:
            if self._opened is None:
                # Half a second to import: only for those who use it.
                from openai import AsyncOpenAI  # noqa: PLC0415

                loop = asyncio.new_event_loop()
                threading.Thread(target=loop.run_forever, name="language-model", daemon=True).start()
                client = AsyncOpenAI(
                    base_url=self._base_url, api_key=self._key.get_secret_value() or NO_KEY, max_retries=0
                )
                self._opened = loop, client
            return self._opened

    async def _completed(self, request: ChatRequest) -> Completion:
        reply = await self._created(request, stream=False)
        if not getattr(reply, "choices", None):
            raise ModelUnavailableError(ModelFailure.MALFORMED, "a reply without choices")
        choice, usage = reply.choices[0], reply.usage
        text = (choice.message.content or "")[:MAX_REPLY_CHARS]
        calls = tuple(
            ToolCall(call.id, call.function.name, call.function.arguments)
            for call in choice.message.tool_calls or ()
            if call.type == "function"
        )
        sent = round(request.chars / CHARS_PER_TOKEN)
        return Completion(
            text=text,
            prompt_tokens=usage.prompt_tokens if usage else sent,
            completion_tokens=usage.completion_tokens if usage else round(len(text) / CHARS_PER_TOKEN),
            is_whole=choice.finish_reason != "length",
            tool_calls=calls,
        )

    async def _streamed(self, request: ChatRequest) -> AsyncIterator[str]:
        length = 0
        async with await self._created(request, stream=True) as chunks:
            async for chunk in chunks:
                piece = (chunk.choices[0].delta.content or "") if chunk.choices else ""
                if piece and (length := length + len(piece)) <= MAX_REPLY_CHARS:
                    yield piece

    async def _created(self, request: ChatRequest, *, stream: bool) -> Any:
        """Return the server's reply, in the one of the protocol's two dialects that the server speaks."""
        from openai import BadRequestError  # noqa: PLC0415

        client = self._loop_and_client()[1]
        for _ in range(3):
            try:
                return await client.chat.completions.create(**self._parameters(request), stream=stream)
            except BadRequestError as error:
                # Newer models of OpenAI know another name for the limit, and some no temperature.
                if self._limit_name == "max_tokens" and "max_completion_tokens" in str(error):
                    self._limit_name = "max_completion_tokens"
                elif self._has_temperature and "temperature" in str(error):
                    self._has_temperature = False
                else:
                    raise
        raise ModelUnavailableError(ModelFailure.REFUSED, "the server refuses every form of the request")

    def _parameters(self, request: ChatRequest) -> dict[str, Any]:
        said: dict[str, Any] = {
            "model": self._model,
            "messages": [_as_json(message) for message in request.messages],
            self._limit_name: request.max_tokens,
        }
        if self._has_temperature:
            said["temperature"] = request.temperature
        if request.schema is not None:
            described = {"name": "reply", "strict": True, "schema": request.schema}
            said["response_format"] = {"type": "json_schema", "json_schema": described}
        if request.tools:
            said["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": tool.name,
                        "description": tool.description,
                        "parameters": tool.parameters,
                        "strict": True,
                    },
                }
                for tool in request.tools
            ]
        return said


def _as_json(message: ChatMessage) -> dict[str, Any]:
    said: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        said["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.answers:
        said["tool_call_id"] = message.answers
    return said


async def _told(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return what `coroutine` returns. Raises ModelUnavailableError for every error of the client or the server."""
    from openai import APIConnectionError, APIStatusError, APITimeoutError  # noqa: PLC0415

    try:
        return await coroutine
    except (ModelUnavailableError, asyncio.CancelledError):
        raise
    except APITimeoutError as error:
        raise ModelUnavailableError(ModelFailure.TIMEOUT) from error
    except APIConnectionError as error:
        raise ModelUnavailableError(ModelFailure.UNREACHABLE, type(error.__cause__).__name__) from error
    except APIStatusError as error:
        is_away = error.status_code in NOT_READY
        failure = ModelFailure.UNREACHABLE if is_away else ModelFailure.REFUSED
        raise ModelUnavailableError(failure, f"HTTP {error.status_code}") from error
    except Exception as error:
        # The name alone: the text of the error may hold a part of the request.
        broken = ("ReadError", "RemoteProtocolError", "ConnectError")
        failure = ModelFailure.UNREACHABLE if type(error).__name__ in broken else ModelFailure.MALFORMED
        raise ModelUnavailableError(failure, type(error).__name__) from error
    finally:
        with suppress(RuntimeError):
            coroutine.close()
