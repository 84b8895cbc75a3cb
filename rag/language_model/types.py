"""The values that pass between the engine and a language model, and the error of a call that brought nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool that the model asks for; `arguments` is JSON as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message of a chat; `tool_calls` are those of an assistant, `answers` is the id of the call a tool answers."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    answers: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool the model may call; `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request to a model. `schema` is the JSON schema that the reply must follow; None: plain text."""

    messages: tuple[ChatMessage, ...]
    max_tokens: int
    temperature: float = 0.0
    schema: Mapping[str, Any] | None = field(default=None, hash=False)
    tools: tuple[Tool, ...] = ()

    @property
    def chars(self) -> int:
        """The number of characters that are sent."""
        return sum(len(message.content) for message in self.messages)


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's reply. `is_whole` is False when the model stopped at the limit of tokens."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    is_whole: bool = True
    tool_calls: tuple[ToolCall, ...] = ()


class ModelFailure(StrEnum):
    """Reasons why a call of a model brought nothing."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    MALFORMED = "malformed"
    CIRCUIT_OPEN = "circuit_open"
    BUDGET = "budget"
    CALLS_USED_UP = "calls_used_up"
    LEDGER = "ledger"


class ModelUnavailableError(Exception):
    """A call of a model brought nothing; `failure` says why. The text names neither the key nor the question."""

    def __init__(self, failure: ModelFailure, detail: str = "") -> None:
        super().__init__(f"{failure.value}: {detail}" if detail else failure.value)
        self.failure = failure


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A call of a model, for the trace. `outcome` is "ok" or a `ModelFailure`; `cost` is in the prices' currency."""

    purpose: str
    model: str
    outcome: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    latency_ms: float = 0.0
    cached: bool = False


class LanguageModel(Protocol):
    """A chat model. `name` stands in the trace and in the key of cached replies.

    Both methods raise ModelUnavailableError, at the latest after `timeout_s` seconds.
    """

    @property
    def name(self) -> str: ...

    def complete(self, request: ChatRequest, timeout_s: float) -> Completion:
        """Return the model's reply."""
        ...

    def stream(self, request: ChatRequest, timeout_s: float) -> Iterator[str]:
        """Yield the text of the model's reply, piece by piece."""
        ...
