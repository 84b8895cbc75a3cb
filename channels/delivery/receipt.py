"""The answer to a platform's post: received, or to be repeated because nothing was stored."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from starlette.responses import PlainTextResponse, Response

from channels.delivery.delivery_worker import DeliveryWorker, StoreBusyError
from channels.delivery.incoming import Incoming

logger = logging.getLogger(__name__)

RECEIVED = "EVENT_RECEIVED"


async def stored_and_answered(
    delivery: DeliveryWorker, channel: str, happened: Sequence[Incoming]
) -> Response:
    """Store the events of a post and return 200; or 503, at which the platform repeats the post."""
    try:
        if happened:
            await delivery.accept(channel, happened)
    except StoreBusyError:
        return PlainTextResponse("", 503)
    except Exception:  # not stored, whatever the reason
        logger.exception("A post to the channel %s could not be stored.", channel)
        return PlainTextResponse("", 503)
    return PlainTextResponse(RECEIVED)
