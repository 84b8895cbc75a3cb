"""The channel on Telegram: a webhook at /webhooks/telegram/webhook, or long polling (COVAN_TELEGRAM_UPDATES=polling).

`updates` parses updates; `form` and `calls` write and send messages. `covan channel
telegram` registers the webhook.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from telegram.error import TelegramError

from channels.body import CLOSE, BodyIncompleteError, BodyTooLargeError, read_body
from channels.delivery.delivery_worker import DeliveryWorker, StoreBusyError
from channels.raised_at import raised_at
from channels.rasa_client import RasaClient
from channels.telegram.calls import NAME, TelegramPlatform, quieten
from channels.telegram.polling import poll
from channels.telegram.updates import NameUnknownError, Ourselves, UpdateContent, is_update, read_update
from channels.untrusted_json import parse_json
from rag.settings import Settings

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
"""https://core.telegram.org/bots/api#setwebhook"""

MAX_BODY_BYTES = 256 * 1024
"""An update with a message of 4,096 characters that replies to another such one takes about 60 kB when escaped."""

ASK_NAME_AGAIN_S = 5.0
END_S = 2.0
"""Seconds that a closing server waits for the acknowledgements of pressed buttons."""

logger = logging.getLogger(__name__)


class MalformedUpdateError(Exception):
    """The body is not an update; the message says why."""


class TelegramChannel:
    """The routes below /webhooks/telegram; closed while COVAN_TELEGRAM_TOKEN is empty (see `Channel`)."""

    def __init__(self, delivery: DeliveryWorker, rasa: RasaClient) -> None:
        self._delivery = delivery
        self._receiver: Receiver | None = None

    async def open(self) -> None:
        """See `Channel`."""
        settings = self._delivery.settings
        if not settings.telegram_token.get_secret_value():
            return
        quieten()
        try:
            self._receiver = Receiver(settings, self._delivery)
        except ValueError:
            logger.error(
                "COVAN_TELEGRAM_TOKEN is no token: it looks like 123456:ABC-DEF... Telegram stays closed."
            )
            return
        await self._receiver.begin()

    def stop(self) -> None:
        """See `Channel`."""

    async def close(self) -> None:
        """See `Channel`."""
        if self._receiver is not None:
            await self._receiver.end()

    def routes(self) -> Sequence[BaseRoute]:
        """Return the route POST /webhook, which takes an update with the secret; it answers 404 with polling."""
        return [Route("/webhooks/telegram/webhook", self._webhook, methods=["POST"])]

    async def _webhook(self, request: Request) -> Response:  # noqa: PLR0911 one for each status
        receiver = self._receiver
        if receiver is None or receiver.polls:
            return JSONResponse({"error": "not set up"}, 404)
        if not receiver.knows(request.headers.get(SECRET_HEADER)):
            return JSONResponse({"error": "forbidden"}, 403)
        try:
            body = await read_body(request, MAX_BODY_BYTES)
        except BodyTooLargeError as error:
            return JSONResponse({"error": str(error)}, 413, CLOSE)
        except BodyIncompleteError as error:
            return JSONResponse({"error": str(error)}, 400)
        try:
            await receiver.take([_update(body)])
        except MalformedUpdateError as error:
            logger.warning("A post with the secret was refused: %s.", error)
            return JSONResponse({"error": str(error)}, 400)
        except (NameUnknownError, StoreBusyError) as error:
            return JSONResponse({"error": str(error)}, 503)
        except Exception:  # not stored: 503 makes Telegram repeat it
            logger.exception("An update of Telegram could not be stored.")
            return JSONResponse({"error": "not stored"}, 503)
        return JSONResponse({})


class Receiver:
    """Stores the inputs of updates that the webhook or the polling brings.

    Raises ValueError when the token is malformed.
    """

    def __init__(self, settings: Settings, delivery: DeliveryWorker) -> None:
        self.polls = settings.telegram_updates == "polling"
        self._secret = settings.telegram_secret.get_secret_value()
        self._delivery = delivery
        token = settings.telegram_token.get_secret_value()
        self._ourselves = Ourselves.of_token(token)
        self._platform = TelegramPlatform(token, settings.telegram_api_url.rstrip("/"))
        self._receiving: asyncio.Task[None] | None = None
        self._acknowledging: set[asyncio.Task[None]] = set()

    async def begin(self) -> None:
        """Start the channel, whether Telegram is reachable or not."""
        if not self.polls and not self._secret:
            logger.error("Telegram's webhook stays closed: COVAN_TELEGRAM_SECRET is empty.")
        await self._delivery.open(self._platform)
        self._receiving = asyncio.create_task(self._receive())

    async def end(self) -> None:
        """Stop the channel."""
        if self._receiving is not None:
            self._receiving.cancel()
            await asyncio.gather(self._receiving, return_exceptions=True)
        await self._delivery.close(NAME)
        if self._acknowledging:
            await asyncio.wait(self._acknowledging, timeout=END_S)
        await self._platform.close()

    def knows(self, shown: str | None) -> bool:
        """Return whether `shown` is the secret, compared in constant time; False when no secret is set."""
        if not self._secret or not shown:
            return False
        return hmac.compare_digest(shown.encode("utf-8", "replace"), self._secret.encode())

    async def take(self, updates: Sequence[Mapping[str, Any]]) -> None:
        """Store the inputs of updates, then acknowledge pressed buttons.

        Raises:
            NameUnknownError: as `read_update`; nothing is stored then.
        """
        found = [self._read_update(update) for update in updates]
        incoming = [each for one in found for each in one.incoming]
        if incoming:
            await self._delivery.accept(NAME, incoming)
        for one in found:
            if one.query:
                task = asyncio.create_task(self._platform.answer(one.query, one.notice))
                self._acknowledging.add(task)
                task.add_done_callback(self._acknowledging.discard)

    def _read_update(self, update: Mapping[str, Any]) -> UpdateContent:
        try:
            return read_update(update, self._ourselves)
        except NameUnknownError:
            raise
        except Exception as error:  # a repeated update would fail again and block the later ones
            logger.warning(
                "The update %s of Telegram cannot be understood, and is left out: %s.",
                *(update.get("update_id"), raised_at(error)),
            )
            return UpdateContent()

    async def _receive(self) -> None:
        await self._learn_name()
        if self.polls:
            await poll(self._platform, self.take)

    async def _learn_name(self) -> None:
        while self._ourselves.username is None:
            try:
                me = await self._platform.bot.get_me()
                self._ourselves = Ourselves(me.id, me.username)
            except TelegramError as error:
                logger.warning(
                    "Telegram does not tell the bot's name: %s", self._platform.without_token(error)
                )
                await asyncio.sleep(ASK_NAME_AGAIN_S)


def _update(body: bytes) -> Mapping[str, Any]:
    try:
        update = parse_json(body)
    except ValueError as error:
        raise MalformedUpdateError("the body is not JSON") from error
    if not is_update(update):
        raise MalformedUpdateError("the body is no update")
    read: Mapping[str, Any] = update
    return read
