"""The front door as an ASGI application, and its server.

One address serves the page (`/`, `/api/...`) and the channels (`/webhooks/...`).
"""

from __future__ import annotations

import contextlib
import gc
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from channels.connections import Connections, raise_open_files
from channels.delivery.delivery_worker import fault_of
from channels.front_door import FrontDoor
from channels.health import outside
from channels.http_protocol import HttpProtocol
from channels.inside import is_inside
from channels.page.headers import SecurityHeaders
from channels.page.routes import page_routes
from privacy.wordless_logs import leave_words_out
from rag.errors import CovanError
from rag.settings import Settings

Endpoint = Callable[[Request], Awaitable[Response]]

KEEP_ALIVE_S = 75
"""Seconds; longer than nginx keeps an idle connection to us (60 s), or it would send a request into one that closes.
https://nginx.org/en/docs/http/ngx_http_upstream_module.html#keepalive_timeout"""

SWITCH_INTERVAL_S = 0.001
"""Seconds for which the event loop keeps the interpreter from the thread that writes. That thread gives it up at every
statement; with Python's 5 ms the acknowledgements of 2,000 messages took a quarter longer."""

COLLECT_EVERY = 20_000
"""Objects, made and not yet gone, after which the young ones are collected; 200 messages at one moment make as many."""

GRACEFUL_STOP_S = 5
"""Seconds that a closing server waits for its open requests."""


class Posts:
    """ASGI application that hands posts to fixed addresses to their endpoints, and all else to `app`.

    Between server and endpoint, Starlette has its middleware, a search through the routes and two handlers of
    exceptions: a third of what a message costs until it is acknowledged. An endpoint answers its errors itself.
    """

    def __init__(self, app: ASGIApp, routes: Sequence[BaseRoute]) -> None:
        self._app = app
        self._endpoints: Mapping[str, Endpoint] = {
            route.path: route.endpoint
            for route in routes
            if isinstance(route, Route) and route.methods == {"POST"} and not route.param_convertors
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        posted = scope["type"] == "http" and scope["method"] == "POST"
        endpoint = self._endpoints.get(scope["path"]) if posted else None
        if endpoint is None:
            await self._app(scope, receive, send)
            return
        answer = await endpoint(Request(scope, receive))
        await answer(scope, receive, send)


def create_app(door: FrontDoor, dist: Path) -> ASGIApp:
    """Return the application. `dist` is the built page; raises SettingsError when there is none."""

    async def health(request: Request) -> Mapping[str, Any]:
        await door.health.look()
        report = door.health.report()
        return report if is_inside(request, door.settings.host) else outside(report)

    pages = page_routes(door.settings, dist, health)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with door.running():
            yield

    routes = door.routes()
    with_pages = Starlette(
        routes=[*routes, *pages], middleware=[Middleware(SecurityHeaders)], lifespan=lifespan
    )
    return Posts(with_pages, routes)


class DatabaseUnusableError(CovanError):
    """The channels' database cannot be opened."""


class Server(uvicorn.Server):
    """A server that ends the streams of events before it waits for its connections."""

    def __init__(self, config: uvicorn.Config, end_streams: Callable[[], None]) -> None:
        super().__init__(config)
        self._end_streams = end_streams

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn."""
        self._end_streams()
        await super().shutdown(sockets)


def server_of(
    app: ASGIApp, host: str, port: int, end_streams: Callable[[], None], connections: Connections
) -> Server:
    """Return a server for the application, which does not run yet."""

    class LimitedProtocol(HttpProtocol):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(connections, *args, **kwargs)

    return Server(
        uvicorn.Config(
            app,
            host=host,
            port=port,
            http=LimitedProtocol,
            ws="none",
            server_header=False,
            # The channels read X-Forwarded-For themselves (`trusted_proxies`).
            proxy_headers=False,
            # A line for each request would hold the verify token that Facebook sends in the address.
            access_log=False,
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=GRACEFUL_STOP_S,
        ),
        end_streams,
    )


def settle_garbage_collection() -> None:
    """Leave what is there now out of garbage collection, and collect the rest less often.

    A full collection would go through 130,000 objects that stay, in which everybody waits 44 ms; and with Python's own
    threshold (700), the young objects of 2,000 messages at one moment take 14 % of the event loop's time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_EVERY)


def serve(settings: Settings, dist: Path) -> None:
    """Serve until a signal."""
    leave_words_out()
    raise_open_files()
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    try:
        door = FrontDoor(settings)
    except SQLAlchemyError as error:
        fault = fault_of(error, settings.channels_place)
        raise DatabaseUnusableError(f"{fault.message}. {fault.mend}") from error
    app = create_app(door, dist)
    settle_garbage_collection()
    server_of(app, settings.host, settings.page_port, door.stop, door.connections).run()
