"""A turn waits for an action server that is being started again, and not for ever."""

import asyncio
import time

from aiohttp import web
from rasa.utils.endpoints import EndpointConfig
from served import served

from server.action_server import wait_until_ready

AWAY = EndpointConfig("http://127.0.0.1:9/webhook")


def serving(statuses):
    """An action server whose health has these statuses, the last one for good."""
    asked = []

    async def health(request):
        asked.append(request.path)
        return web.Response(status=statuses[min(len(asked), len(statuses)) - 1])

    app = web.Application()
    app.router.add_get("/health", health)
    return asked, served(app)


def test_one_that_loads_is_waited_for():
    asked, server = serving([503, 503, 200])
    with server as url:
        asyncio.run(wait_until_ready(EndpointConfig(f"{url}/webhook")))

    assert asked == ["/health"] * 3


def test_one_that_is_ready_takes_no_time():
    asked, server = serving([200])
    with server as url:
        asyncio.run(wait_until_ready(EndpointConfig(f"{url}/webhook")))

    assert len(asked) == 1


def test_one_that_stays_away_is_not_waited_for_for_ever():
    began = time.monotonic()
    asyncio.run(wait_until_ready(AWAY, patience_s=0.5))

    assert 0.4 < time.monotonic() - began < 20


def test_without_an_action_server_there_is_nothing_to_wait_for():
    asyncio.run(wait_until_ready(None))
