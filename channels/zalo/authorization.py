"""Routes for the operator: the link by which an administrator of the OA authorizes the app, and what became of it.

`covan channel zalo` and `covan doctor --channel zalo` ask the front door directly, and prove that they know the app's
secret; a request that a reverse proxy has handed on gets 404. Zalo sends the administrator's browser back to
/webhooks/zalo/authorized, with a code that only the link's secret can redeem.
https://developers.zalo.me/docs/official-account/bat-dau/xac-thuc-va-uy-quyen-cho-ung-dung-new
"""

from __future__ import annotations

import hashlib
import hmac
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from channels.delivery.delivery_worker import DeliveryWorker
from channels.delivery.platform import TryAgainError
from channels.inside import is_inside
from channels.words import words
from channels.zalo.access import CHANNEL, Access
from channels.zalo.oauth import RefusedTokenError
from channels.zalo.send import ZaloPlatform

logger = logging.getLogger(__name__)

CALLBACK_PATH = "/webhooks/zalo/authorized"

ACCESS_PATH = "/webhooks/zalo/access"

OPERATOR = b"covan channel zalo"
"""The bytes that the commands sign with the app's secret, to prove that they know it."""

MAX_PARAMETER = 2_000

Handler = Callable[[Request], Awaitable[Response]]

_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class Authorization:
    """The routes below /webhooks/zalo for the operator; closed until `open`."""

    def __init__(self, delivery: DeliveryWorker) -> None:
        self._delivery = delivery
        self._access: Access | None = None
        self._platform: ZaloPlatform | None = None

    def open(self, access: Access, platform: ZaloPlatform) -> None:
        """Begin to serve."""
        self._access, self._platform = access, platform

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes."""
        return [
            Route(CALLBACK_PATH, _guarded(self._authorized), methods=["GET"]),
            Route(ACCESS_PATH, _guarded(self._tell), methods=["GET"]),
            Route(ACCESS_PATH, _guarded(self._link), methods=["POST"]),
            Route(ACCESS_PATH, _guarded(self._forget), methods=["DELETE"]),
        ]

    async def _authorized(self, request: Request) -> Response:
        """Take the code that an administrator's browser brings."""
        if self._access is None:
            return closed()
        say = words(self._delivery.settings.locale)
        asked = request.query_params
        code, state = asked.get("code", ""), asked.get("state") or asked.get("code_challenge") or ""
        if not code or max(len(code), len(state)) > MAX_PARAMETER:
            return PlainTextResponse(say["authorization_refused"], 400, _HEADERS)
        try:
            await self._access.redeem(code, state)
        except RefusedTokenError as error:
            logger.warning("The app is not authorized: %s", error)
            return PlainTextResponse(say["authorization_refused"], 403, _HEADERS)
        except TryAgainError as error:
            logger.warning("The app is not authorized: %s", error)
            return PlainTextResponse(say["authorization_later"], 503, _HEADERS)
        logger.info("The app is authorized.")
        return PlainTextResponse(say["authorized"], headers=_HEADERS)

    async def _link(self, request: Request) -> Response:
        """Return a link for an administrator."""
        if self._access is None or not self._is_operator(request):
            return closed()
        public = self._delivery.settings.public_url.rstrip("/")
        if not public:
            return JSONResponse({"error": "no public_url"}, 409, _HEADERS)
        return JSONResponse({"url": await self._access.link(public + CALLBACK_PATH)}, headers=_HEADERS)

    async def _tell(self, request: Request) -> Response:
        """Return whether the app is authorized, and what Zalo says of that now."""
        if self._access is None or self._platform is None or not self._is_operator(request):
            return closed()
        found = await self._access.known()
        told: dict[str, Any] = {
            "authorized": found is not None,
            "obtained_at": found.obtained_at if found else 0.0,
            "expires_at": found.pair.expires_at if found else 0.0,
            "why": found.why if found else "",
            "heard_at": await self._delivery.read(self._delivery.store.conversations.last_heard, CHANNEL),
            "oa": None,
        }
        if found is not None:
            try:
                answer = await self._platform.oa()
            except TryAgainError as error:
                told["why"] = told["why"] or str(error)
            else:
                if answer.error == 0:
                    told["oa"] = {"id": str(answer.data.get("oa_id")), "name": str(answer.data.get("name"))}
                else:
                    told["why"] = f"Zalo answered error {answer.error}: {answer.message}"
        return JSONResponse(told, headers=_HEADERS)

    async def _forget(self, request: Request) -> Response:
        """Delete the tokens."""
        if self._access is None or not self._is_operator(request):
            return closed()
        await self._access.forget()
        return JSONResponse({}, headers=_HEADERS)

    def _is_operator(self, request: Request) -> bool:
        secret = self._delivery.settings.zalo_app_secret.get_secret_value()
        proof = hmac.new(secret.encode(), OPERATOR, hashlib.sha256).hexdigest()
        shown = request.headers.get("authorization", "").encode("utf-8", "surrogateescape")
        same = hmac.compare_digest(shown, f"Bearer {proof}".encode())
        return bool(secret) and same and is_inside(request, self._delivery.settings.host)


def _guarded(route: Handler) -> Handler:
    """Answer 503 when a route fails; the traceback goes to the log only."""

    @wraps(route)
    async def guarded(request: Request) -> Response:
        try:
            return await route(request)
        except Exception:
            logger.exception("A request of Zalo's operator failed.")
            return JSONResponse({"error": "unavailable"}, 503, _HEADERS)

    return guarded


def closed() -> Response:
    """Return the answer of a route that is not open, or not for who asks."""
    return JSONResponse({"error": "not set up"}, 404)
