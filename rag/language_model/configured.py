"""The language model of the settings."""

from __future__ import annotations

import logging
import threading

from rag.errors import SettingsError
from rag.json_file import changed_at
from rag.language_model.choice import choice_file, chosen_settings
from rag.language_model.circuit_breaker import CircuitBreaker
from rag.language_model.exchange import ModelAccess
from rag.language_model.ledger import Budget, Ledger
from rag.registry import registered
from rag.settings import Settings
from rag.types import DOCUMENT_SOURCE, STUDY_SOURCE

logger = logging.getLogger(__name__)

PROTOCOL = "openai"


def configured_model(settings: Settings) -> ModelAccess | None:
    """Return the access to the model of the settings, or of the choice in their place; None when they name none.

    It does not connect yet. Raises SettingsError when the choice cannot be read.
    """
    chosen = chosen_settings(settings)
    if not chosen.llm_url:
        return None
    model = registered("language_models", PROTOCOL)(chosen.llm_url, chosen.llm_model, chosen.llm_key)
    ledger = Ledger(chosen.llm_ledger, configured_budget(chosen))
    return ModelAccess(
        model,
        ledger,
        CircuitBreaker(),
        chosen.llm_timeout_s,
        chosen.llm_temperature,
        words_documents=DOCUMENT_SOURCE in chosen.llm_sources.split(),
        writes_study=STUDY_SOURCE in chosen.llm_sources.split(),
        fallback=chosen.llm_fallback,
    )


class ConfiguredModel:
    """The access to the language model in use: another one as soon as the choice is another. Safe for threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._seen: int | None = -1
        self._access: ModelAccess | None = None

    def __call__(self) -> ModelAccess | None:
        """Return the access; None when no model is used. A choice that cannot be read leaves the one before."""
        with self._lock:
            seen = changed_at(choice_file(self._settings))
            if seen != self._seen:
                self._seen = seen
                try:
                    self._access = configured_model(self._settings)
                except SettingsError as error:
                    logger.error("The choice of the language model cannot be used: %s", error)
            return self._access


def configured_budget(settings: Settings) -> Budget:
    """Return the day's budget and the prices of the settings."""
    return Budget(
        tokens=settings.llm_daily_tokens,
        cost=settings.llm_daily_cost,
        prompt_price=settings.llm_prompt_price,
        completion_price=settings.llm_completion_price,
    )
