"""The check of the language model for `covan doctor`: server, model, JSON mode and speed. It makes two short calls."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

from covan.diagnosis import Finding, Level
from rag.language_model.openai_chat import CHARS_PER_TOKEN, OpenAIChat
from rag.language_model.types import (
    ChatMessage,
    ChatRequest,
    LanguageModel,
    ModelFailure,
    ModelUnavailableError,
)
from rag.settings import Settings

NAME = "Language model"
TIMEOUT_S = 60.0
ANSWER_TOKENS = 200
"""The length of a usual answer, to say how long a student would wait."""

SCHEMA = {
    "type": "object",
    "properties": {"capital": {"type": "string", "maxLength": 40}},
    "required": ["capital"],
    "additionalProperties": False,
}
_ASKED = "Thủ đô của Việt Nam là gì?"

_MENDS = {
    ModelFailure.UNREACHABLE: "Start the server, or mend COVAN_LLM_URL in .env (it usually ends with /v1).",
    ModelFailure.TIMEOUT: "Choose a smaller model or a faster server; students get extracts meanwhile.",
    ModelFailure.REFUSED: "Look at COVAN_LLM_MODEL and COVAN_LLM_KEY in .env: 401 is the key, 404 the model.",
    ModelFailure.MALFORMED: "COVAN_LLM_URL must be the address of an OpenAI-compatible API, usually ending with /v1.",
}


def check(settings: Settings) -> Iterator[Finding]:
    """Yield the findings about the model of the settings; none when they name none."""
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
    request = ChatRequest((ChatMessage("user", f"{_ASKED} Viết năm câu về thành phố đó."),), ANSWER_TOKENS)
    start = time.monotonic()
    first, length = 0.0, 0
    for piece in model.stream(request, TIMEOUT_S):
        first = first or time.monotonic() - start
        length += len(piece)
    whole = time.monotonic() - start
    if not length:
        raise ModelUnavailableError(ModelFailure.MALFORMED, "an empty reply")
    each = (whole - first) * CHARS_PER_TOKEN / length
    answer = first + ANSWER_TOKENS * each
    said = f"{model.name} answers; first words after {first:.1f} s, {ANSWER_TOKENS} tokens in {answer:.0f} s"
    if answer > most_s:
        mend = f"Raise COVAN_LLM_TIMEOUT_S (now {most_s:g}), or choose a faster model: students would get extracts."
        return Finding(Level.WARN, NAME, said, mend)
    return Finding(Level.OK, NAME, said)


def _json_mode(model: LanguageModel) -> Finding:
    request = ChatRequest((ChatMessage("user", f"{_ASKED} Answer in JSON."),), ANSWER_TOKENS, schema=SCHEMA)
    name = f"{NAME}, JSON"
    mend = "Answers work. The presets urasys and umentor need a server that holds replies to a JSON schema."
    try:
        reply = model.complete(request, TIMEOUT_S)
        is_held = set(json.loads(reply.text)) == {"capital"}
    except (ModelUnavailableError, ValueError, TypeError):
        is_held = False
    if not is_held:
        return Finding(Level.WARN, name, "replies are not held to a JSON schema", mend)
    return Finding(Level.OK, name, "replies are held to a JSON schema")
