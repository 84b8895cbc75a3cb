"""A front door on a free loopback port, with stand-ins behind it, in the running event loop or in a thread."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.types import ASGIApp

from channels.app import create_app, server_of
from channels.connections import Capacity, Connections, open_files
from channels.front_door import FrontDoor
from channels.proxies import TrustedProxies
from channels.refusals import Refusals
from rag.settings import Settings

START_S = END_S = 30.0
NO_RASA = "http://127.0.0.1:9"
"""An address at which nobody answers."""


class ReadyRasa:
    """Takes the place of the client when nobody asks Rasa anything."""

    ready = True

    async def start(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to do."""

    async def check(self) -> tuple[()]:
        """Nothing is known."""
        return ()


@asynccontextmanager
async def open_front_door(door: FrontDoor) -> AsyncIterator[str]:
    """Serve it in the running event loop; yields its address."""
    with TemporaryDirectory() as folder:
        dist = Path(folder)
        (dist / "index.html").write_text("<!doctype html><title>chat</title>")
        listening = socket.create_server(("127.0.0.1", 0))
        server = server_of(create_app(door, dist), "127.0.0.1", 0, door.stop, door.connections)
        serving = asyncio.create_task(server.serve([listening]))
        while not server.started:
            assert not serving.done(), "the front door did not start"
            await asyncio.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            await asyncio.wait_for(serving, END_S)


@contextmanager
def serving(
    app: ASGIApp,
    end_streams: Callable[[], None] = lambda: None,
    connections: Connections | None = None,
) -> Iterator[str]:
    """Serve `app` in a thread; yields its address."""
    connections = connections or Connections(
        Capacity.of_files(open_files()), TrustedProxies(Settings().proxy_networks), Refusals()
    )
    server = server_of(app, "127.0.0.1", 0, end_streams, connections)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + START_S
    while not server.started:
        if time.monotonic() > deadline or not thread.is_alive():
            raise TimeoutError("the server did not start")
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(END_S)
