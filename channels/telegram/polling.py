"""Poll Telegram for updates, for a server that Telegram cannot reach: https://core.telegram.org/bots/api#getupdates"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from telegram.error import Conflict, EndPointNotFound, InvalidToken, RetryAfter, TelegramError

from channels.telegram.calls import WRONG_TOKEN_PAUSE_S, TelegramPlatform
from channels.telegram.updates import is_update

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
MOST_DOUBLINGS = 10
"""Of the pause; 2.0 to the power of 1024 is an OverflowError, which ended the polling after 17 hours of failures."""

logger = logging.getLogger(__name__)


async def poll(
    platform: TelegramPlatform,
    take: Callable[[Sequence[Mapping[str, Any]]], Awaitable[None]],
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Pass updates to `take` until cancelled.

    The offset that confirms updates is sent after `take` has returned, so that Telegram repeats the updates of a
    process that died.
    """
    offset: int | None = None
    failed = 0
    while True:
        try:
            found = await platform.updates(offset)
            updates = [each for each in found if is_update(each)]
            if found and not updates:
                raise TelegramError("no update has an id, so that none can be confirmed")
            if updates:
                await take(updates)
                offset = max(update["update_id"] for update in updates) + 1
            failed = 0
        except Exception as error:  # polling ends with the server only
            failed += 1
            wait = _wait(error, failed)
            _tell(error, wait, platform)
            await pause(wait)


def _wait(error: Exception, failed: int) -> float:
    if isinstance(error, RetryAfter):
        after = error.retry_after
        return float(after if isinstance(after, int) else after.total_seconds())
    if isinstance(error, (InvalidToken, EndPointNotFound)):
        return WRONG_TOKEN_PAUSE_S
    return min(FIRST_PAUSE_S * 2.0 ** min(failed - 1, MOST_DOUBLINGS), LONGEST_PAUSE_S)


def _tell(error: Exception, wait: float, platform: TelegramPlatform) -> None:
    why = platform.without_token(error)
    if isinstance(error, Conflict):
        logger.error(
            "Telegram gives no updates: %s. A webhook is set (remove it: covan channel telegram --remove), or another "
            "process asks for the updates of the same bot (end it). Next try in %.0f s.",
            *(why, wait),
        )
    elif isinstance(error, (InvalidToken, EndPointNotFound)):
        logger.error("Telegram does not know the bot's token: mend COVAN_TELEGRAM_TOKEN and restart.")
    elif isinstance(error, TelegramError):
        logger.warning("Asking Telegram for updates failed; next try in %.0f s: %s", wait, why)
    else:
        logger.error("Updates of Telegram could not be taken; next try in %.0f s.", wait, exc_info=error)
