"""Access to a language model for tests: a scripted server behind everything that real calls go through."""

from __future__ import annotations

from pathlib import Path

from chat_model import ScriptedModel
from pydantic import SecretStr

from rag.language_model.circuit_breaker import CircuitBreaker
from rag.language_model.exchange import ModelAccess
from rag.language_model.ledger import Budget, Ledger
from rag.language_model.openai_chat import OpenAIChat


def access_to(
    model: ScriptedModel | str,
    folder: Path,
    budget: Budget | None = None,
    timeout_s: float = 5.0,
    *,
    fallback: bool = False,
    key: str = "",
) -> ModelAccess:
    """Return the access to a server, with its ledger in `folder`."""
    url = model if isinstance(model, str) else model.url
    chat = OpenAIChat(url, "scripted", SecretStr(key))
    ledger = Ledger(folder / "language_model.sqlite", budget or Budget())
    return ModelAccess(chat, ledger, CircuitBreaker(), timeout_s, fallback=fallback)
