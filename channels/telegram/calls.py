"""Send calls to Telegram's Bot API and map its errors: https://core.telegram.org/bots/api#making-requests"""

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

from channels.delivery.message import Message
from channels.delivery.pace import Pace
from channels.delivery.platform import Call, DeliveryError, Outgoing, RefusedError, TryAgainError
from channels.telegram.form import render
from channels.telegram.pace import limits
from channels.telegram.updates import wanted
from channels.untrusted_json import parse_json
from privacy.wordless_logs import without_quotes

NAME = "telegram"

CONNECTIONS = 32
"""Telegram accepts 30 messages a second."""

READ_TIMEOUT_S = 20.0
"""Long, because a message without an acknowledgement is sent twice."""

POLL_S = 30
"""Seconds that Telegram keeps a request for updates open."""

WRONG_TOKEN_PAUSE_S = 60.0

_TAGS = re.compile(r"</?[a-z][^>]*>")

logger = logging.getLogger(__name__)


def plain(markup: str) -> str:
    """Return the text of HTML that `channels.delivery.markdown.TelegramHtml` wrote."""
    return html.unescape(_TAGS.sub("", markup))


def quieten() -> None:
    """Silence loggers: httpx logs addresses, which hold the token; the library logs students' messages."""
    for name in ("httpx", "httpcore", "telegram"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # `updates` has its reason.
    warnings.filterwarnings("ignore", "Please use 'Bot.getUpdates'", PTBUserWarning)


class _Request(HTTPXRequest):
    """Reads Telegram's answers like any text of somebody else's."""

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """Return an answer. Raises TelegramError; the library would log the whole of it, with students' words."""
        try:
            told = parse_json(payload)
        except ValueError:
            raise TelegramError("the answer is not JSON") from None
        if not isinstance(told, dict):
            raise TelegramError("the answer is no object")
        return told


class TelegramPlatform:
    """Telegram's side of a conversation (see `channels.delivery.platform.Platform`)."""

    name = NAME
    options_last = False
    reply_window = None

    def __init__(self, token: str, api_url: str, pace: Pace | None = None) -> None:
        self._token = token
        self._requests = (
            _Request(CONNECTIONS, READ_TIMEOUT_S, READ_TIMEOUT_S, pool_timeout=READ_TIMEOUT_S),
            _Request(1, READ_TIMEOUT_S, READ_TIMEOUT_S),
        )
        # The library puts the token right behind this address.
        self.bot = Bot(
            token, f"{api_url}/bot", request=self._requests[0], get_updates_request=self._requests[1]
        )
        self._pace = pace or Pace(limits)

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.gather(*(request.shutdown() for request in self._requests))

    # --- Platform ---------------------------------------------------------------------------------------------------

    def render(self, message: Message, address: Mapping[str, Any]) -> Sequence[Call]:
        """Return the calls that send `message`."""
        return render(message, address)

    def preview(self, message: Message) -> Sequence[str]:
        """Return the texts of the calls without their markup."""
        return [plain(call["text"]) for call in render(message, {})]

    async def send(self, outgoing: Outgoing) -> None:
        """Send one call. Raises TryAgainError or RefusedError."""
        call = dict(outgoing.call)
        await self._pace.turn(call["chat"])
        try:
            await self._send_as_well_as_it_goes(call)
        except TelegramError as error:
            failed = self._meaning(error)
            if isinstance(error, RetryAfter) and isinstance(failed, TryAgainError) and failed.after_s:
                self._pace.hold(("chat", call["chat"]), failed.after_s)
            # The original error may hold the request's address, and so the token.
            raise failed from None

    async def typing(self, sender: str, address: Mapping[str, Any]) -> None:
        """Show "typing…" for five seconds."""
        await self.bot.send_chat_action(
            address["chat"], ChatAction.TYPING, message_thread_id=address.get("thread")
        )

    # --- other calls ------------------------------------------------------------------------------------------------

    async def answer(self, query: str, notice: str) -> None:
        """Acknowledge a pressed button. Telegram refuses it for an old press, which is logged and ignored."""
        try:
            await self.bot.answer_callback_query(query, notice or None)
        except TelegramError as error:
            logger.info("A pressed button was not acknowledged: %s", self.without_token(error))

    async def updates(self, offset: int | None) -> Sequence[Mapping[str, Any]]:
        """Return the updates from `offset` on as JSON; earlier ones are confirmed. Raises TelegramError."""
        asked: dict[str, Any] = {"timeout": POLL_S, "allowed_updates": list(wanted())}
        if offset is not None:
            asked["offset"] = offset
        # As JSON, so that one malformed update can be skipped.
        try:
            found = await self.bot.do_api_request("getUpdates", asked, read_timeout=POLL_S + READ_TIMEOUT_S)
        except KeyError:
            found = None
        if not isinstance(found, list):
            raise TelegramError("the answer holds no updates")
        return found

    # --- in detail --------------------------------------------------------------------------------------------------

    async def _send_as_well_as_it_goes(self, call: dict[str, Any]) -> None:
        """Send a message; when Telegram refuses a part of it, send it again without that part."""
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
                why = without_quotes(self.without_token(error))
                logger.warning("A message is sent in a simpler form: %s", why)
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
            return TryAgainError(why, after.total_seconds() if isinstance(after, timedelta) else float(after))
        if isinstance(error, Forbidden):
            return RefusedError(f"The student has blocked the bot, or the group has removed it: {why}")
        if isinstance(error, (InvalidToken, EndPointNotFound)):
            logger.error("Telegram does not know the bot's token: mend COVAN_TELEGRAM_TOKEN and restart.")
            return TryAgainError("Telegram does not know the bot's token.", WRONG_TOKEN_PAUSE_S)
        if isinstance(error, (BadRequest, ChatMigrated)):
            return RefusedError(f"Telegram refuses the message: {why}")
        return TryAgainError(why)

    def without_token(self, error: Exception) -> str:
        """Return an error's message without the token."""
        return str(error).replace(self._token, "<token>")


def _simpler(call: Mapping[str, Any], why: str) -> dict[str, Any] | None:
    """Return the call without the part that Telegram refused; None when the part is essential."""
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
