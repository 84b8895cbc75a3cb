"""The language model as advisors see it: how it is set up, whether it answers, and what it has used."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any, TypeVar

from rag.errors import CovanError, SettingsError
from rag.json_file import remove_json, write_json
from rag.language_model.choice import ModelChoice, choice_file, kept_choice, with_choice, without_secrets
from rag.language_model.configured import ConfiguredModel
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


class ModelChoiceConflictError(CovanError):
    """Another choice is in use than the one that was seen; `now` is it, and `version` its version."""

    def __init__(self, now: ModelChoice, version: str) -> None:
        super().__init__("somebody has set up the language model otherwise meanwhile")
        self.now = now
        self.version = version


class ModelDesk:
    """The model of the settings, or of the choice in their place. Nothing that it returns has the key, or a password
    of the address.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._file = choice_file(settings)
        self._current = ConfiguredModel(settings)
        self._lock = threading.Lock()

    @property
    def access(self) -> ModelAccess:
        """The access to the model. Raises NoModelError."""
        access = self._current()
        if access is None:
            raise NoModelError("no language model is configured")
        return access

    def state(self) -> Mapping[str, Any]:
        """Return the choice in use, its version, and how the model is set up (`configured`); None without a model.

        `is_chosen`: there is a choice in place of what the settings say. Raises SettingsError for an unknown preset.
        """
        kept = self._kept()
        choice = self._in_use(kept)
        return {
            "configured": self._configuration(kept),
            "choice": choice.model_dump(mode="json"),
            "is_chosen": kept is not None,
            "version": _version(choice),
        }

    def choose(self, choice: ModelChoice | None, version: str) -> None:
        """Use a choice from the next question on, or what the settings say; `version` is that of what was seen.

        Raises ModelChoiceConflictError.
        """
        with self._lock:
            now = self._in_use(self._kept())
            if version != _version(now):
                raise ModelChoiceConflictError(now, _version(now))
            if choice is None:
                remove_json(self._file)
            else:
                write_json(self._file, choice)

    def _in_use(self, kept: ModelChoice | None) -> ModelChoice:
        return kept or ModelChoice.of(self._settings)

    def _kept(self) -> ModelChoice | None:
        """Return the choice; None without one, or when its file is damaged: the next one takes its place."""
        with contextlib.suppress(SettingsError):
            return kept_choice(self._settings)
        return None

    def _configuration(self, kept: ModelChoice | None) -> Mapping[str, Any] | None:
        chosen = with_choice(self._settings, kept)
        if not chosen.llm_url:
            return None
        return {
            "url": without_secrets(chosen.llm_url),
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


def _version(choice: ModelChoice) -> str:
    """Return a version that two choices with different content do not share."""
    return sha256(choice.model_dump_json().encode()).hexdigest()[:16]
