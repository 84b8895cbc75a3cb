"""Ask the action server how it is, and wait for one that is away: `covan up` starts it again within seconds."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from typing import Any
from urllib.parse import urljoin

import aiohttp
from rasa.utils.endpoints import EndpointConfig

logger = logging.getLogger(__name__)

PATIENCE_S = 12.0
"""Seconds; the start of the action server takes about three, and a turn may take 60 (server/bot.py)."""

POLL_S = 0.25
ANSWER_S = 2.0
"""Seconds; a frozen action server is not waited for longer than one that is gone."""

UNAVAILABLE = 503
READY, LOADING, SILENT = "ok", "loading", "silent"


async def wait_until_ready(endpoint: EndpointConfig | None, patience_s: float = PATIENCE_S) -> None:
    """Return when the action server is ready, or after `patience_s`; at once when it was never away."""
    if endpoint is None or not endpoint.url:
        return
    deadline = time.monotonic() + patience_s
    async with aiohttp.ClientSession() as session:
        while (await _told(session, endpoint.url, ANSWER_S))["status"] != READY:
            if time.monotonic() > deadline:
                logger.warning("The action server at %s stays away.", endpoint.url)
                return
            await asyncio.sleep(POLL_S)


async def health(endpoint: EndpointConfig | None, within_s: float = ANSWER_S) -> dict[str, Any]:
    """Return the body of the action server's `/health`; its `status` is READY, LOADING or SILENT."""
    if endpoint is None or not endpoint.url:
        return {"status": SILENT}
    async with aiohttp.ClientSession() as session:
        return await _told(session, endpoint.url, within_s)


async def _told(session: aiohttp.ClientSession, url: str, within_s: float) -> dict[str, Any]:
    try:
        async with session.get(
            urljoin(url, "/health"), timeout=aiohttp.ClientTimeout(total=within_s)
        ) as answer:
            said = await answer.read()
            told = json.loads(said) if said else {}
            return {"status": LOADING if answer.status == UNAVAILABLE else READY, **told}
    except (aiohttp.ClientError, asyncio.TimeoutError, ValueError, TypeError):
        return {"status": SILENT}
