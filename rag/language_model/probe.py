"""A probe of a language model: how fast it answers, and whether it holds replies to a JSON schema."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from rag.language_model.openai_chat import CHARS_PER_TOKEN
from rag.language_model.types import (
    ChatMessage,
    ChatRequest,
    LanguageModel,
    ModelFailure,
    ModelUnavailableError,
)

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

SPEED_REQUEST = ChatRequest((ChatMessage("user", f"{_ASKED} Viết năm câu về thành phố đó."),), ANSWER_TOKENS)
SCHEMA_REQUEST = ChatRequest(
    (ChatMessage("user", f"{_ASKED} Answer in JSON."),), ANSWER_TOKENS, schema=SCHEMA
)


@dataclass(frozen=True, slots=True)
class Speed:
    """The seconds to a model's first words, and to the end of an answer of `ANSWER_TOKENS`."""

    first_s: float
    answer_s: float


def speed_of(model: LanguageModel) -> Speed:
    """Return a model's speed by one call. Raises ModelUnavailableError."""
    start = time.monotonic()
    first, length = 0.0, 0
    for piece in model.stream(SPEED_REQUEST, TIMEOUT_S):
        first = first or time.monotonic() - start
        length += len(piece)
    whole = time.monotonic() - start
    if not length:
        raise ModelUnavailableError(ModelFailure.MALFORMED, "an empty reply")
    each = (whole - first) * CHARS_PER_TOKEN / length
    return Speed(first, first + ANSWER_TOKENS * each)


def holds_schema(model: LanguageModel) -> bool:
    """Return whether a model holds its reply to a JSON schema, by one call; a failed call is a no."""
    try:
        reply = model.complete(SCHEMA_REQUEST, TIMEOUT_S)
        return set(json.loads(reply.text)) == {"capital"}
    except (ModelUnavailableError, ValueError, TypeError):
        return False
