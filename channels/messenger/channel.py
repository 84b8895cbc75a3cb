"""The channel on Facebook Messenger, at /webhooks/messenger/webhook.

Facebook expects a response within 20 s and repeats a post until it gets one: the channel stores a post, acknowledges
it, and answers later. `events` parses posts; `form` and `send` write and send messages.
https://developers.facebook.com/documentation/business-messaging/messenger-platform/webhooks
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from channels.body import CLOSE, BodyIncompleteError, BodyTooLargeError, read_body
from channels.delivery.delivery_worker import DeliveryWorker
from channels.delivery.receipt import stored_and_answered
from channels.messenger.events import MAX_BODY_BYTES, MalformedPostError, events, is_signed, is_token
from channels.messenger.send import MessengerPlatform
from channels.rasa_client import RasaClient
from rag.settings import Settings

logger = logging.getLogger(__name__)

NAME = "messenger"

LARGE_BYTES = 100_000
"""A larger post is read in a thread: one of 7.6 MB takes 0.7 s, in which every other channel would stand still."""


class MessengerChannel:
    """The routes below /webhooks/messenger; closed while token, app secret or verify token is missing (`Channel`)."""

    def __init__(self, delivery: DeliveryWorker, rasa: RasaClient) -> None:
        self._delivery = delivery
        self._platform: MessengerPlatform | None = None

    async def open(self) -> None:
        """See `Channel`."""
        settings = self._delivery.settings
        if not is_set_up(settings):
            if settings.messenger_token.get_secret_value():
                logger.warning(
                    "Messenger stays closed: COVAN_MESSENGER_APP_SECRET and COVAN_MESSENGER_VERIFY_TOKEN "
                    "must be set beside COVAN_MESSENGER_TOKEN."
                )
            return
        self._platform = MessengerPlatform(
            settings.messenger_api_url.rstrip("/"),
            settings.messenger_token.get_secret_value(),
            settings.messenger_app_secret.get_secret_value(),
        )
        await self._delivery.open(self._platform)

    def stop(self) -> None:
        """See `Channel`."""

    async def close(self) -> None:
        """See `Channel`."""
        if self._platform is not None:
            await self._delivery.close(NAME)
            await self._platform.close()

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes: GET /webhook verifies the address for Facebook, POST /webhook receives events."""
        path = "/webhooks/messenger/webhook"
        return [
            Route(path, self._verify, methods=["GET"]),
            Route(path, self._receive, methods=["POST"]),
        ]

    async def _verify(self, request: Request) -> Response:
        settings = self._delivery.settings
        if not is_set_up(settings):
            return _closed()
        asked = request.query_params
        challenge = asked.get("hub.challenge")
        known = is_token(asked.get("hub.verify_token"), settings.messenger_verify_token.get_secret_value())
        if asked.get("hub.mode") != "subscribe" or not known or challenge is None:
            return PlainTextResponse("", 403)
        return PlainTextResponse(challenge, headers={"X-Content-Type-Options": "nosniff"})

    async def _receive(self, request: Request) -> Response:  # noqa: PLR0911 one for each status
        settings = self._delivery.settings
        if not is_set_up(settings):
            return _closed()
        shown = request.headers.get("x-hub-signature-256")
        if not shown:
            return PlainTextResponse("", 403)
        try:
            body = await read_body(request, MAX_BODY_BYTES)
        except BodyTooLargeError:
            return PlainTextResponse("", 413, CLOSE)
        except BodyIncompleteError:
            return PlainTextResponse("", 400)
        if not is_signed(body, shown, settings.messenger_app_secret.get_secret_value()):
            logger.warning("A post with a wrong signature was refused.")
            return PlainTextResponse("", 403)
        try:
            happened = (
                events(body, time.time())
                if len(body) <= LARGE_BYTES
                else await asyncio.to_thread(events, body, time.time())
            )
        except MalformedPostError as error:
            logger.warning("A signed post was refused: %s.", error)
            return PlainTextResponse("", 400)
        return await stored_and_answered(self._delivery, NAME, happened)


def is_set_up(settings: Settings) -> bool:
    """Return whether token, app secret and verify token are all set."""
    needed = (settings.messenger_token, settings.messenger_app_secret, settings.messenger_verify_token)
    return all(secret.get_secret_value() for secret in needed)


def _closed() -> Response:
    return JSONResponse({"error": "not set up"}, 404)
