"""The language model of the settings."""

from __future__ import annotations

from rag.language_model.circuit_breaker import CircuitBreaker
from rag.language_model.exchange import ModelAccess
from rag.language_model.ledger import Budget, Ledger
from rag.registry import registered
from rag.settings import Settings
from rag.types import DOCUMENT_SOURCE, STUDY_SOURCE

PROTOCOL = "openai"


def configured_model(settings: Settings) -> ModelAccess | None:
    """Return the access to the model of the settings; None when they name none. It does not connect yet."""
    if not settings.llm_url:
        return None
    model = registered("language_models", PROTOCOL)(settings.llm_url, settings.llm_model, settings.llm_key)
    ledger = Ledger(settings.llm_ledger, configured_budget(settings))
    return ModelAccess(
        model,
        ledger,
        CircuitBreaker(),
        settings.llm_timeout_s,
        settings.llm_temperature,
        words_documents=DOCUMENT_SOURCE in settings.llm_sources.split(),
        writes_study=STUDY_SOURCE in settings.llm_sources.split(),
        fallback=settings.llm_fallback,
    )


def configured_budget(settings: Settings) -> Budget:
    """Return the day's budget and the prices of the settings."""
    return Budget(
        tokens=settings.llm_daily_tokens,
        cost=settings.llm_daily_cost,
        prompt_price=settings.llm_prompt_price,
        completion_price=settings.llm_completion_price,
    )
