"""Delete old events from the tracker store every hour, a few at a time."""

from __future__ import annotations

import asyncio
import logging
import time

from sanic import Sanic

from server.tracker_store import WindowTrackerStore, without_fallback

logger = logging.getLogger(__name__)

TIDY_EVERY_S = 3600.0

TIDY_PAUSE_S = 0.05
"""Seconds between two steps, in which turns go on."""

READY_POLL_S = 1.0


async def keep_tidy(app: Sanic) -> None:
    """Tidy the store of an application's agent until cancelled."""
    while getattr(app.ctx, "agent", None) is None:
        await asyncio.sleep(READY_POLL_S)
    while True:
        try:
            store = without_fallback(app.ctx.agent)
            if isinstance(store, WindowTrackerStore):
                while await store.tidy():
                    await asyncio.sleep(TIDY_PAUSE_S)
                store.tidied_at = time.time()
        except Exception:  # a locked database, say; the next round tries again
            logger.exception("Old conversations could not be deleted.")
        await asyncio.sleep(TIDY_EVERY_S)
