"""The channel on Facebook Messenger, at /webhooks/messenger/webhook.

Facebook expects a response within 20 s and repeats a post until it gets one: the channel stores a post, acknowledges
it, and answers later. `messenger_events` parses posts; `messenger_form` and `messenger_send` write and send messages.
https://developers.facebook.com/documentation/business-messaging/messenger-platform/webhooks
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

from rasa.core.channels.channel import InputChannel, UserMessage
from sanic import Blueprint, Sanic, response
from sanic.request import Request
from sanic.response import HTTPResponse

from server.channels.body import BodyTooLargeError, read_body
from server.channels.messenger_events import MAX_BODY_BYTES, MalformedPostError, events, is_signed, is_token
from server.channels.messenger_send import MessengerPlatform
from server.delivery.container import delivery
from server.settings import ChannelSettings

logger = logging.getLogger(__name__)

NAME = "messenger"
RECEIVED = "EVENT_RECEIVED"


class MessengerChannel(InputChannel):
    """The routes below /webhooks/messenger; closed while token, app secret or verify token is missing."""

    @classmethod
    def name(cls) -> str:
        """Return the name in the address and in Rasa's sender ids."""
        return NAME

    def blueprint(self, on_new_message: Callable[[UserMessage], Awaitable[Any]]) -> Blueprint:
        """Return the routes: GET /webhook verifies the address for Facebook, POST /webhook receives events."""
        routes = Blueprint("messenger_channel")
        opened: list[MessengerPlatform] = []

        @routes.listener("after_server_start")
        async def begin(app: Sanic, loop: asyncio.AbstractEventLoop) -> None:
            settings = delivery(app).settings
            if not is_set_up(settings):
                if settings.messenger_token:
                    logger.warning(
                        "Messenger stays closed: COVAN_MESSENGER_APP_SECRET and COVAN_MESSENGER_VERIFY_TOKEN "
                        "must be set beside COVAN_MESSENGER_TOKEN."
                    )
                return
            platform = MessengerPlatform(
                settings.messenger_api_url, settings.messenger_token, settings.messenger_app_secret
            )
            opened.append(platform)
            await delivery(app).open(platform)

        @routes.listener("before_server_stop")
        async def end(app: Sanic, loop: asyncio.AbstractEventLoop) -> None:
            while opened:
                await delivery(app).close(NAME)
                await opened.pop().close()

        @routes.get("/webhook")
        async def verify(request: Request) -> HTTPResponse:
            settings = delivery(request.app).settings
            if not is_set_up(settings):
                return _closed()
            challenge = request.args.get("hub.challenge")
            known = is_token(request.args.get("hub.verify_token"), settings.messenger_verify_token)
            if request.args.get("hub.mode") != "subscribe" or not known or challenge is None:
                return response.text("", status=403)
            return response.text(challenge, headers={"X-Content-Type-Options": "nosniff"})

        @routes.post("/webhook", stream=True)
        async def receive(request: Request) -> HTTPResponse:  # noqa: PLR0911 one for each status
            settings = delivery(request.app).settings
            if not is_set_up(settings):
                return _closed()
            shown = request.headers.get("x-hub-signature-256")
            if not shown:
                return response.text("", status=403)
            try:
                body = await read_body(request, MAX_BODY_BYTES)
            except BodyTooLargeError:
                return response.text("", status=413)
            if not is_signed(body, shown, settings.messenger_app_secret):
                logger.warning("A post with a wrong signature was refused.")
                return response.text("", status=403)
            try:
                happened = events(body, time.time())
            except MalformedPostError as error:
                logger.warning("A signed post was refused: %s.", error)
                return response.text("", status=400)
            try:
                if happened:
                    await delivery(request.app).accept(NAME, happened)
            except Exception:  # not stored: 503 makes Facebook repeat it
                logger.exception("A post of Facebook could not be stored.")
                return response.text("", status=503)
            return response.text(RECEIVED)

        return routes


def is_set_up(settings: ChannelSettings) -> bool:
    """Return whether token, app secret and verify token are all set."""
    return bool(
        settings.messenger_token and settings.messenger_app_secret and settings.messenger_verify_token
    )


def _closed() -> HTTPResponse:
    return response.json({"error": "not set up"}, status=404)
