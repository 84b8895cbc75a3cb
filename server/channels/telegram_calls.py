"""Calls to Telegram's Bot API, and what its errors mean for a message: https://core.telegram.org/bots/api#making-requests"""

from __future__ import annotations

import asyncio
import html
import logging
import re
import warnings
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from telegram import Bot, InlineKeyboardMarkup, LinkPreviewOptions, ReplyParameters
from telegram.constants import ChatAction, ParseMode
from telegram.error import (
    BadRequest,
    ChatMigrated,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    RetryAfter,
    TelegramError,
)
from telegram.request import HTTPXRequest
from telegram.warnings import PTBUserWarning

from server.channels.telegram_form import render
from server.channels.telegram_pace import Pace
from server.channels.telegram_updates import wanted
from server.delivery.message import Said
from server.delivery.platform import Call, DeliveryError, Outgoing, Refused, TryAgain

NAME = "telegram"

CONNECTIONS = 32
"""Telegram takes 30 messages a second."""

READ_TIMEOUT_S = 20.0
"""Ample: a message whose acknowledgement is lost is sent again, and the student has it twice."""

POLL_S = 30
"""How long Telegram keeps a request for updates open when there are none."""

WRONG_TOKEN_PAUSE_S = 60.0

_TAGS = re.compile(r"</?[a-z][^>]*>")

logger = logging.getLogger(__name__)


def plain(markup: str) -> str:
    """The text of what `server.delivery.markdown.TelegramHtml` wrote."""
    return html.unescape(_TAGS.sub("", markup))


def quieten() -> None:
    """httpx logs the address of every request, and the token stands in it; the library logs what students write."""
    for name in ("httpx", "httpcore", "telegram"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # `updates` has its reason.
    warnings.filterwarnings("ignore", "Please use 'Bot.getUpdates'", PTBUserWarning)


class TelegramPlatform:
    """Telegram's side of a conversation (see `server.delivery.platform.Platform`)."""

    name = NAME
    options_last = False

    def __init__(self, token: str, api_url: str, pace: Pace | None = None) -> None:
        self._token = token
        self._requests = (
            HTTPXRequest(CONNECTIONS, READ_TIMEOUT_S, READ_TIMEOUT_S, pool_timeout=READ_TIMEOUT_S),
            HTTPXRequest(1, READ_TIMEOUT_S, READ_TIMEOUT_S),
        )
        # The library puts the token right behind this address.
        self.bot = Bot(
            token, f"{api_url}/bot", request=self._requests[0], get_updates_request=self._requests[1]
        )
        self._pace = pace or Pace()

    async def close(self) -> None:
        """Ends the connections."""
        await asyncio.gather(*(request.shutdown() for request in self._requests))

    # --- Platform ---------------------------------------------------------------------------------------------------

    def render(self, message: Said, address: Mapping[str, Any]) -> Sequence[Call]:
        """The calls that say `message`."""
        return render(message, address)

    async def send(self, outgoing: Outgoing) -> None:
        """Raises TryAgain or Refused."""
        call = dict(outgoing.call)
        await self._pace.turn(call["chat"])
        try:
            await self._send_as_well_as_it_goes(call)
        except TelegramError as error:
            failed = self._meaning(error)
            if isinstance(error, RetryAfter) and isinstance(failed, TryAgain) and failed.after_s:
                self._pace.hold(call["chat"], failed.after_s)
            # What comes before it in the traceback may hold the address of the request, and so the token.
            raise failed from None

    async def typing(self, sender: str, address: Mapping[str, Any]) -> None:
        """Shows "typing…" for five seconds."""
        await self.bot.send_chat_action(
            address["chat"], ChatAction.TYPING, message_thread_id=address.get("thread")
        )

    # --- other calls ------------------------------------------------------------------------------------------------

    async def answer(self, query: str, notice: str) -> None:
        """Ends the waiting that a pressed button shows. Telegram refuses it for a press of long ago: nobody waits then."""
        try:
            await self.bot.answer_callback_query(query, notice or None)
        except TelegramError as error:
            logger.info("A pressed button was not acknowledged: %s", self.without_token(error))

    async def updates(self, offset: int | None) -> Sequence[Mapping[str, Any]]:
        """The updates from `offset` on, as JSON; those before it count as received. Raises TelegramError."""
        asked: dict[str, Any] = {"timeout": POLL_S, "allowed_updates": list(wanted())}
        if offset is not None:
            asked["offset"] = offset
        # As JSON, so that of many updates one that cannot be understood can be left out.
        found: Sequence[Mapping[str, Any]] = await self.bot.do_api_request(
            "getUpdates", asked, read_timeout=POLL_S + READ_TIMEOUT_S
        )
        return found

    # --- in detail --------------------------------------------------------------------------------------------------

    async def _send_as_well_as_it_goes(self, call: dict[str, Any]) -> None:
        """Sends a message; what Telegram does not take of it is left out, one thing after the other."""
        while True:
            try:
                await self._send(call)
                return
            except ChatMigrated as moved:
                if call["chat"] == moved.new_chat_id:
                    raise
                call = {**call, "chat": moved.new_chat_id, "reply_to": None}
            except BadRequest as error:
                simpler = _simpler(call, error.message)
                if simpler is None:
                    raise
                logger.warning("A message is sent in a simpler form: %s", self.without_token(error))
                call = simpler

    async def _send(self, call: Mapping[str, Any]) -> None:
        reply_to, keyboard = call.get("reply_to"), call.get("keyboard")
        await self.bot.send_message(
            call["chat"],
            call["text"],
            parse_mode=None if call.get("plain") else ParseMode.HTML,
            link_preview_options=LinkPreviewOptions(is_disabled=True),
            reply_markup=InlineKeyboardMarkup.de_json({"inline_keyboard": keyboard}, None)
            if keyboard
            else None,
            # The student may have deleted what they had written.
            reply_parameters=ReplyParameters(reply_to, allow_sending_without_reply=True)
            if reply_to
            else None,
            message_thread_id=call.get("thread"),
        )

    def _meaning(self, error: TelegramError) -> DeliveryError:
        why = self.without_token(error)
        if isinstance(error, RetryAfter):
            after = error.retry_after
            return TryAgain(why, after.total_seconds() if isinstance(after, timedelta) else float(after))
        if isinstance(error, Forbidden):
            return Refused(f"The student has blocked the bot, or the group has removed it: {why}")
        if isinstance(error, (InvalidToken, EndPointNotFound)):
            logger.error("Telegram does not know the bot's token: mend COVAN_TELEGRAM_TOKEN and restart.")
            return TryAgain("Telegram does not know the bot's token.", WRONG_TOKEN_PAUSE_S)
        if isinstance(error, (BadRequest, ChatMigrated)):
            return Refused(f"Telegram refuses the message: {why}")
        return TryAgain(why)

    def without_token(self, error: Exception) -> str:
        """An error in words that may be shown."""
        return str(error).replace(self._token, "<token>")


def _simpler(call: Mapping[str, Any], why: str) -> dict[str, Any] | None:
    """The call without what Telegram has refused; None when that is nothing that a message can do without."""
    why = why.lower()
    if "parse entities" in why and not call.get("plain"):
        return {**call, "text": plain(call["text"]), "plain": True}
    if "button" in why and "url" in why and call.get("keyboard"):
        rows = [[button for button in row if "url" not in button] for row in call["keyboard"]]
        kept = [row for row in rows if row]
        return {**call, "keyboard": kept} if kept != call["keyboard"] else None
    if "thread not found" in why and call.get("thread"):
        return {**call, "thread": None}
    return None
