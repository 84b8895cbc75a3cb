"""Wait for an action server that is away: `covan up` starts a crashed one again within seconds."""

from __future__ import annotations

import asyncio
import logging
import time
from urllib.parse import urljoin

import aiohttp
from rasa.utils.endpoints import EndpointConfig

logger = logging.getLogger(__name__)

PATIENCE_S = 12.0
"""Seconds; the start of the action server takes about three, and a turn may take 60 (server/bot.py)."""

POLL_S = 0.25
ANSWER_S = 2.0
"""Seconds; a frozen action server is not waited for longer than one that is gone."""

LOADING = 503


async def wait_until_ready(endpoint: EndpointConfig | None, patience_s: float = PATIENCE_S) -> None:
    """Return when the action server is ready, or after `patience_s`; at once when it was never away."""
    if endpoint is None or not endpoint.url:
        return
    health = urljoin(endpoint.url, "/health")
    deadline = time.monotonic() + patience_s
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=ANSWER_S)) as session:
        while not await _ready(session, health):
            if time.monotonic() > deadline:
                logger.warning("The action server at %s stays away.", health)
                return
            await asyncio.sleep(POLL_S)


async def _ready(session: aiohttp.ClientSession, health: str) -> bool:
    try:
        async with session.get(health) as answer:
            return answer.status != LOADING
    except (aiohttp.ClientError, asyncio.TimeoutError):
        return False
