"""The language model as advisors see it: how it is set up, whether it answers, and what it has used."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeVar
from urllib.parse import urlsplit

from rag.language_model.configured import configured_model
from rag.language_model.exchange import ModelAccess
from rag.language_model.ledger import Budget, DayUsage, Ledger
from rag.language_model.openai_chat import CHARS_PER_TOKEN
from rag.language_model.probe import ANSWER_TOKENS, SCHEMA_REQUEST, SPEED_REQUEST, holds_schema, speed_of
from rag.language_model.types import ChatRequest
from rag.pipeline import load_pipeline
from rag.settings import Settings

Told = TypeVar("Told")


class NoModelError(Exception):
    """The settings name no language model."""


class ModelDesk:
    """The model of the settings. Nothing that it returns has the key, or a password of the address."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._access = configured_model(settings)

    @property
    def access(self) -> ModelAccess:
        """The access to the model. Raises NoModelError."""
        if self._access is None:
            raise NoModelError("no language model is configured")
        return self._access

    def configuration(self) -> Mapping[str, Any] | None:
        """Return how the model is set up; None without one. Raises SettingsError for an unknown preset."""
        chosen = self._settings
        if self._access is None:
            return None
        return {
            "url": _without_secrets(chosen.llm_url),
            "model": chosen.llm_model,
            "has_key": bool(chosen.llm_key.get_secret_value()),
            "timeout_s": chosen.llm_timeout_s,
            "temperature": chosen.llm_temperature,
            "sources": chosen.llm_sources.split(),
            "fallback": chosen.llm_fallback,
            "preset": chosen.preset,
            "preset_generates": load_pipeline(chosen.preset).generation is not None,
            "daily_tokens": chosen.llm_daily_tokens,
            "daily_cost": chosen.llm_daily_cost,
            "prompt_price": chosen.llm_prompt_price,
            "completion_price": chosen.llm_completion_price,
        }

    def usage(self, days: int) -> Sequence[DayUsage]:
        """Return what was used in the last days (UTC), the latest first. Raises ModelUnavailableError."""
        file = self._settings.llm_ledger
        # Without a model ever used, none is made.
        return Ledger(file, Budget()).usage(days) if file.exists() else []

    def check(self) -> Mapping[str, Any]:
        """Return how fast the model answers, by two calls that the day's budget pays.

        Raises NoModelError or ModelUnavailableError.
        """
        access = self.access
        speed = self._paid(access, SPEED_REQUEST, lambda: speed_of(access.model))
        held = self._paid(access, SCHEMA_REQUEST, lambda: holds_schema(access.model))
        return {
            **asdict(speed),
            "answer_tokens": ANSWER_TOKENS,
            "in_time": speed.answer_s <= self._settings.llm_timeout_s,
            "holds_schema": held,
        }

    @staticmethod
    def _paid(access: ModelAccess, request: ChatRequest, call: Callable[[], Told]) -> Told:
        """Return what `call` returns, counted with the most tokens that its request may use."""
        most = round(request.chars / CHARS_PER_TOKEN), request.max_tokens
        reservation = access.ledger.reserve(*most)
        start = time.monotonic()
        used, failed = (0, 0), True
        try:
            told = call()
            used, failed = most, False
        finally:
            elapsed_ms = 1000 * (time.monotonic() - start)
            access.ledger.settle(reservation, access.model.name, used, elapsed_ms, failed=failed)
        return told


def _without_secrets(url: str) -> str:
    """Return an address without its user, password, query and fragment."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
