"""The way from the page to Rasa's channel of the website: its routes and no other, as they come, stream and all."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

import httpx
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

BASE = "/webhooks/web"

ROUTES: Mapping[str, tuple[str, ...]] = {
    "/": ("GET",),
    "/session": ("POST",),
    "/messages": ("GET", "POST"),
    "/events": ("GET",),
    "/feedback": ("POST",),
    "/conversation": ("DELETE",),
}
"""Those of server/channels/web.py. Browsers ask each with OPTIONS, besides, what another site's page may send."""

EVENTS = "/events"

CONNECT_TIMEOUT_S = 3.0
ANSWER_TIMEOUT_S = 30.0

SILENCE_TIMEOUT_S = 60.0
"""On a stream of events there is a comment every 15 s; after this long without any, Rasa is gone."""

CONNECTIONS = 200
STREAMS = 10_000

ASKED = (
    *("accept-language", "authorization", "content-type", "last-event-id", "origin"),
    *("access-control-request-headers", "access-control-request-method"),
)
TOLD = (
    *("access-control-allow-headers", "access-control-allow-methods", "access-control-allow-origin"),
    *("access-control-expose-headers", "access-control-max-age", "cache-control", "content-type"),
    *("retry-after", "vary", "www-authenticate", "x-accel-buffering"),
)
"""The headers that are handed on, and no other."""


class UnavailableError(Exception):
    """Rasa cannot be reached, or is broken."""


class SlowError(Exception):
    """Rasa did not answer in time."""


class RasaChannel:
    """Hands requests on to Rasa, and what it answers back."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url + BASE
        # Never through a proxy of the environment: Rasa is on this machine or in a private network.
        self._client = httpx.AsyncClient(
            trust_env=False, limits=httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=50)
        )
        # A stream stays open for hours, and must not take the place of a message.
        self._streams = httpx.AsyncClient(trust_env=False, limits=httpx.Limits(max_connections=STREAMS))

    async def close(self) -> None:
        """End every connection."""
        await self._client.aclose()
        await self._streams.aclose()

    async def hand_on(
        self,
        method: str,
        path: str,
        query: str,
        headers: Mapping[str, str],
        host: str,
        client: str,
        body: bytes,
    ) -> Response:
        """Rasa's answer. `host` is the name by which the page was called, `client` the address of who asks.

        Raises UnavailableError and SlowError.
        """
        streamed = path == EVENTS and method == "GET"
        request = (self._streams if streamed else self._client).build_request(
            method,
            httpx.URL(self._base_url + path, query=query.encode("ascii", "replace")),
            headers=[
                *((name.encode(), headers[name].encode("latin-1")) for name in ASKED if name in headers),
                # Rasa compares it with the Origin, to know its own pages.
                (b"host", host.encode("latin-1")),
                # In place of what the client said of itself: Rasa believes its last proxy, which is this one.
                (b"x-forwarded-for", client.encode("latin-1")),
            ],
            content=body or None,
            timeout=httpx.Timeout(
                SILENCE_TIMEOUT_S if streamed else ANSWER_TIMEOUT_S,
                connect=CONNECT_TIMEOUT_S,
                pool=CONNECT_TIMEOUT_S,
            ),
        )
        try:
            answer = await (self._streams if streamed else self._client).send(request, stream=streamed)
        except (httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise UnavailableError(type(error).__name__) from error
        except httpx.TimeoutException as error:
            raise SlowError from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise UnavailableError(type(error).__name__) from error
        told = {name: answer.headers[name] for name in TOLD if name in answer.headers}
        if answer.status_code >= 500 and not told.get("content-type", "").startswith("application/json"):
            await answer.aclose()
            raise UnavailableError(f"status {answer.status_code}")
        if streamed:
            return Relay(answer, told)
        return Response(answer.content, answer.status_code, told)

    async def is_up(self) -> bool:
        """Return whether a message would be answered."""
        try:
            answer = await self._client.get(f"{self._base_url}/", timeout=CONNECT_TIMEOUT_S)
        except httpx.HTTPError:
            return False
        return answer.status_code == httpx.codes.OK


class Relay(StreamingResponse):
    """An answer of Rasa's that is passed on while it comes; ends with either side."""

    def __init__(self, answer: httpx.Response, headers: Mapping[str, str]) -> None:
        super().__init__(self._parts(), answer.status_code, headers)
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._answer.aclose()

    async def _parts(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._answer.aiter_raw():
                yield part
        except httpx.HTTPError:
            # Rasa has gone in the middle: the page connects again, from the last event that it has.
            return
