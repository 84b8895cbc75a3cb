"""Rasa's web channel as the page's server sees it."""

from __future__ import annotations

from typing import Any

import httpx
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)

MAX_SENDER_CHARS = 64
MAX_PAYLOAD_CHARS = 1_000
CONNECT_TIMEOUT_S = 3.0
ANSWER_TIMEOUT_S = 30.0


class ChatRequest(BaseModel):
    """What the page sends: typed text, or the payload of a pressed button; never both.

    The sender is a random id that the browser made; it is the only key to the conversation.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    sender: str = Field(min_length=8, max_length=MAX_SENDER_CHARS, pattern=r"^[A-Za-z0-9_-]+$")
    message: str | None = None
    payload: str | None = Field(None, max_length=MAX_PAYLOAD_CHARS)

    @field_validator("message", mode="before")
    @classmethod
    def _without_lone_surrogates(cls, value: Any) -> Any:
        # JSON can carry half a character, UTF-8 cannot: what a broken keyboard sends is still a question.
        return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value

    @model_validator(mode="after")
    def _one_of_both(self) -> ChatRequest:
        if (self.message is None) == (self.payload is None):
            raise ValueError("exactly one of message and payload is needed")
        return self


class UnavailableError(Exception):
    """Rasa cannot be reached, or answered with something other than messages."""


class SlowError(Exception):
    """Rasa did not answer in time."""


_MESSAGES = TypeAdapter(list[dict[str, Any]])


class RasaChannel:
    """Sends a turn to Rasa and returns its messages as they are.

    The client must not follow proxies of the environment: Rasa is on this machine or in a private network.
    """

    def __init__(self, base_url: str, client: httpx.AsyncClient) -> None:
        self._url = f"{base_url}/webhooks/web/webhook"
        self._health_url = f"{base_url}/webhooks/web/"
        self._client = client

    async def send(self, turn: ChatRequest) -> list[dict[str, Any]]:
        """Raises UnavailableError and SlowError."""
        try:
            answer = await self._client.post(
                self._url,
                json=turn.model_dump(exclude_none=True),
                timeout=httpx.Timeout(ANSWER_TIMEOUT_S, connect=CONNECT_TIMEOUT_S),
            )
        except httpx.ConnectTimeout as error:
            raise UnavailableError from error
        except httpx.TimeoutException as error:
            raise SlowError from error
        except httpx.HTTPError as error:
            raise UnavailableError from error
        if answer.status_code != httpx.codes.OK:
            raise UnavailableError(f"status {answer.status_code}")
        try:
            return _MESSAGES.validate_json(answer.content)
        except ValidationError as error:
            raise UnavailableError("not a list of messages") from error

    async def is_up(self) -> bool:
        try:
            answer = await self._client.get(self._health_url, timeout=CONNECT_TIMEOUT_S)
        except httpx.HTTPError:
            return False
        return answer.status_code == httpx.codes.OK
