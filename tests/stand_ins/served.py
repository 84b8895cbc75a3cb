"""A stand-in's application on a free loopback port, in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from aiohttp import web

START_S = END_S = 10.0


@contextmanager
def served(
    app: web.Application,
    loop: asyncio.AbstractEventLoop | None = None,
    *,
    handler_cancellation: bool = True,
) -> Iterator[str]:
    """Run it in `loop`, or one of its own; gives its address. A client that goes ends the handler, as in Rasa, unless
    `handler_cancellation` is off."""
    loop = loop or asyncio.new_event_loop()
    runner = web.AppRunner(app, handler_cancellation=handler_cancellation, shutdown_timeout=1)
    started = threading.Event()

    async def start() -> None:
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()

    def run() -> None:
        loop.run_until_complete(start())
        # Not before the loop runs for good, or an end that comes at once would end the beginning.
        loop.call_soon(started.set)
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    if not started.wait(START_S):
        raise TimeoutError("the stand-in did not start")
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(END_S)
