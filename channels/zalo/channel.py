"""The channel on a Zalo Official Account, at /webhooks/zalo/webhook.

Zalo expects 200 within 2 s; it repeats a post after 30 s, 5 min, 15 min, 30 min and 1 h, and then switches the webhook
off. The channel stores a post, acknowledges it, and answers later. `events` parses posts; `form` and `send` write and
send messages; `access` keeps the access token; `authorization` serves the operator.
https://developers.zalo.me/docs/official-account/webhook/tong-quan
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from channels.body import CLOSE, BodyIncompleteError, BodyTooLargeError, read_body
from channels.delivery.delivery_worker import DeliveryWorker
from channels.delivery.receipt import stored_and_answered
from channels.raised_at import raised_at
from channels.rasa_client import RasaClient
from channels.zalo.access import CHANNEL as NAME
from channels.zalo.access import Access
from channels.zalo.authorization import Authorization, closed
from channels.zalo.events import (
    MAX_BODY_BYTES,
    MalformedPostError,
    incoming,
    is_signed,
    parsed,
    timestamp_of,
)
from channels.zalo.oauth import OAuth
from channels.zalo.send import ZaloPlatform
from rag.settings import Settings

logger = logging.getLogger(__name__)

NOT_TAKEN = "NOT_SET_UP"
"""The answer, with 200, while the channel is being set up: whatever comes is thrown away."""


class ZaloChannel:
    """The routes below /webhooks/zalo; closed while the app's id or its secret is missing (`Channel`)."""

    def __init__(self, delivery: DeliveryWorker, rasa: RasaClient) -> None:
        self._delivery = delivery
        self._authorization = Authorization(delivery)
        self._oauth: OAuth | None = None
        self._access: Access | None = None
        self._platform: ZaloPlatform | None = None

    async def open(self) -> None:
        """See `Channel`."""
        settings = self._delivery.settings
        if not is_set_up(settings):
            if settings.zalo_app_id:
                logger.warning(
                    "Zalo stays closed: COVAN_ZALO_APP_SECRET and COVAN_ZALO_OA_SECRET must be set beside "
                    "COVAN_ZALO_APP_ID."
                )
            return
        app_secret = settings.zalo_app_secret.get_secret_value()
        self._oauth = OAuth(settings.zalo_oauth_url.rstrip("/"), settings.zalo_app_id, app_secret)
        seed = settings.zalo_refresh_token.get_secret_value()
        self._access = Access(self._delivery, self._oauth, seed)
        self._platform = ZaloPlatform(settings.zalo_api_url.rstrip("/"), self._access)
        self._authorization.open(self._access, self._platform)
        await self._access.open()
        await self._delivery.open(self._platform)

    def stop(self) -> None:
        """See `Channel`."""

    async def close(self) -> None:
        """See `Channel`."""
        if self._access is None or self._platform is None or self._oauth is None:
            return
        # First: new tokens are stored while there is a database.
        await self._access.close()
        await self._delivery.close(NAME)
        await self._platform.close()
        await self._oauth.close()

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes: POST /webhook receives events, the others are the operator's."""
        return [
            Route("/webhooks/zalo/webhook", self._receive, methods=["POST"]),
            *self._authorization.routes(),
        ]

    async def _receive(self, request: Request) -> Response:
        settings = self._delivery.settings
        if settings.zalo_app_id and not settings.zalo_oa_secret.get_secret_value():
            # Zalo takes an address that answers its trial with 200, and shows the OA's secret on the same page.
            logger.warning(
                "A post to Zalo's webhook was thrown away: COVAN_ZALO_OA_SECRET is not set, nothing can be verified."
            )
            return PlainTextResponse(NOT_TAKEN)
        if not is_set_up(settings):
            return closed()
        shown = request.headers.get("x-zevent-signature")
        if not shown:
            return PlainTextResponse("", 403)
        try:
            body = await read_body(request, MAX_BODY_BYTES)
        except BodyTooLargeError:
            return PlainTextResponse("", 413, CLOSE)
        except BodyIncompleteError:
            return PlainTextResponse("", 400)
        return await self._accept(body, shown)

    async def _accept(self, body: bytes, shown: str) -> Response:
        settings = self._delivery.settings
        malformed: MalformedPostError | None = None
        try:
            event = parsed(body)
        except MalformedPostError as error:
            event, malformed = {}, error
        if not is_signed(
            body,
            timestamp_of(event),
            shown,
            settings.zalo_app_id,
            settings.zalo_oa_secret.get_secret_value(),
        ):
            logger.warning("A post with a wrong signature was refused.")
            return PlainTextResponse("", 403)
        if malformed is not None:
            logger.warning("A signed post was refused: %s.", malformed)
            return PlainTextResponse("", 400)
        try:
            happened = incoming(event, time.time())
        except Exception as error:  # whatever it is, Zalo would repeat it and then switch the webhook off
            logger.warning("An event of Zalo cannot be understood, and is left out: %s.", raised_at(error))
            happened = None
        return await stored_and_answered(self._delivery, NAME, [] if happened is None else [happened])


def is_set_up(settings: Settings) -> bool:
    """Return whether the app's id, its secret and the OA's secret are all set."""
    secrets = (settings.zalo_app_secret, settings.zalo_oa_secret)
    return bool(settings.zalo_app_id) and all(secret.get_secret_value() for secret in secrets)
