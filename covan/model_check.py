"""The check of the language model for `covan doctor`: server, model, JSON mode and speed. It makes two short calls."""

from __future__ import annotations

from collections.abc import Iterator

from covan.diagnosis import Finding, Level
from rag.language_model.choice import chosen_settings
from rag.language_model.openai_chat import OpenAIChat
from rag.language_model.probe import ANSWER_TOKENS, holds_schema, speed_of
from rag.language_model.types import LanguageModel, ModelFailure, ModelUnavailableError
from rag.settings import Settings

NAME = "Language model"

_MENDS = {
    ModelFailure.UNREACHABLE: "Start the server, or mend COVAN_LLM_URL in .env (it usually ends with /v1).",
    ModelFailure.TIMEOUT: "Choose a smaller model or a faster server; students get extracts meanwhile.",
    ModelFailure.REFUSED: "Look at COVAN_LLM_MODEL and COVAN_LLM_KEY in .env: 401 is the key, 404 the model.",
    ModelFailure.MALFORMED: "COVAN_LLM_URL must be the address of an OpenAI-compatible API, usually ending with /v1.",
}


def check(settings: Settings) -> Iterator[Finding]:
    """Yield the findings about the model of the settings, or of the choice in their place; none when they name none."""
    settings = chosen_settings(settings)
    if not settings.llm_url:
        return
    model = OpenAIChat(settings.llm_url, settings.llm_model, settings.llm_key)
    try:
        yield _speed(model, settings.llm_timeout_s)
        yield _json_mode(model)
    except ModelUnavailableError as error:
        mend = _MENDS.get(error.failure, _MENDS[ModelFailure.REFUSED])
        yield Finding(Level.FAIL, NAME, f"{settings.llm_model} does not answer: {error}", mend)


def _speed(model: LanguageModel, most_s: float) -> Finding:
    speed = speed_of(model)
    said = (
        f"{model.name} answers; first words after {speed.first_s:.1f} s, "
        f"{ANSWER_TOKENS} tokens in {speed.answer_s:.0f} s"
    )
    if speed.answer_s > most_s:
        mend = f"Raise COVAN_LLM_TIMEOUT_S (now {most_s:g}), or choose a faster model: students would get extracts."
        return Finding(Level.WARN, NAME, said, mend)
    return Finding(Level.OK, NAME, said)


def _json_mode(model: LanguageModel) -> Finding:
    name = f"{NAME}, JSON"
    mend = "Answers work. The presets urasys and umentor need a server that holds replies to a JSON schema."
    if not holds_schema(model):
        return Finding(Level.WARN, name, "replies are not held to a JSON schema", mend)
    return Finding(Level.OK, name, "replies are held to a JSON schema")
