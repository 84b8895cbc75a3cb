"""The page before a scripted chat: the real page's routes, and a relay to the stand-in of the website's channel."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
from scripted_chat import BASE
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from channels.page.headers import SecurityHeaders
from channels.page.routes import page_routes
from rag.settings import Settings

METHODS = ["GET", "POST", "DELETE", "OPTIONS"]
OF_CONNECTION = ("content-length", "transfer-encoding", "connection", "date", "server")


def scripted_page(settings: Settings, dist: Path, chat_url: str) -> Starlette:
    """Return the page; what it asks of its chat goes to `chat_url`."""
    client = httpx.AsyncClient(base_url=chat_url, trust_env=False, timeout=None)

    async def relay(request: Request) -> Response:
        asked = client.build_request(
            request.method,
            httpx.URL(request.url.path, query=request.url.query.encode()),
            headers=[(name, value) for name, value in request.headers.raw if name != b"host"],
            content=await request.body(),
        )
        answer = await client.send(asked, stream=True)

        async def parts() -> AsyncIterator[bytes]:
            with contextlib.suppress(httpx.HTTPError):
                async for part in answer.aiter_raw():
                    yield part

        return Relayed(answer, parts())

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        await client.aclose()

    return Starlette(
        routes=[
            Route(f"{BASE}/{{path:path}}", relay, methods=METHODS),
            *page_routes(settings, dist, _healthy),
        ],
        middleware=[Middleware(SecurityHeaders)],
        lifespan=lifespan,
    )


async def _healthy(_request: Request) -> dict[str, str]:
    return {"status": "ok"}


class Relayed(StreamingResponse):
    """An answer that is passed on while it comes; ends with either side."""

    def __init__(self, answer: httpx.Response, parts: AsyncIterator[bytes]) -> None:
        told = {name: value for name, value in answer.headers.items() if name not in OF_CONNECTION}
        super().__init__(parts, answer.status_code, told)
        self._answer = answer

    async def __call__(self, scope, receive, send) -> None:  # type: ignore[no-untyped-def]
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._answer.aclose()
