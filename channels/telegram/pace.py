"""Telegram's rate limits: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this"""

from __future__ import annotations

from collections.abc import Sequence

from channels.delivery.pace import Key, Limit

OVERALL = Limit(30, 1.0)
IN_A_CHAT = Limit(3, 3.0)
"""One message a second with short bursts: an answer in three pieces is sent at once."""

IN_A_GROUP = Limit(20, 60.0)


def limits(chat: int | str) -> Sequence[tuple[Key, Limit]]:
    """Return the limits for a message to a chat."""
    # https://core.telegram.org/bots/api#chat: groups have negative ids.
    group = [(("group", chat), IN_A_GROUP)] if isinstance(chat, int) and chat < 0 else []
    return [(("all", 0), OVERALL), (("chat", chat), IN_A_CHAT), *group]
