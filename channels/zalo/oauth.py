"""Get tokens from Zalo: the first pair with a code that an administrator of the OA has given, later ones by renewal.

An access token lives 25 hours. A refresh token lives three months and is used once. A code lives ten minutes.
https://developers.zalo.me/docs/official-account/bat-dau/xac-thuc-va-uy-quyen-cho-ung-dung-new
"""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeGuard
from urllib.parse import urlencode

import httpx

from channels.delivery.platform import TryAgainError
from channels.delivery.token_store import TokenPair
from channels.untrusted_json import parse_json

ACCESS_TOKEN_S = 25 * 3600.0
LIMIT_CODE = -32
"""Too many requests in this minute: https://developers.zalo.me/docs/official-account/phu-luc/ma-loi"""

TIMEOUT_S = 60.0
"""Seconds; long, since a refresh token whose answer is lost is lost with it."""


class RefusedTokenError(Exception):
    """Zalo gives no tokens for this code or refresh token; the message never holds one."""


class OAuth:
    """Zalo's OAuth server, for one app; made inside the event loop."""

    def __init__(
        self, url: str, app_id: str, app_secret: str, clock: Callable[[], float] = time.time
    ) -> None:
        self._url = url
        self._app_id = app_id
        self._app_secret = app_secret
        self._clock = clock
        self._client = httpx.AsyncClient(timeout=TIMEOUT_S)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def permission_url(self, callback: str, secret: str) -> str:
        """Return the address at which an administrator authorizes the app; `secret` is for `redeem` (RFC 7636)."""
        query = {
            "app_id": self._app_id,
            "redirect_uri": callback,
            "code_challenge": challenge(secret),
            "state": challenge(secret),
        }
        return f"{self._url}/v4/oa/permission?{urlencode(query)}"

    async def redeem(self, code: str, secret: str) -> TokenPair:
        """Return the first pair. Raises RefusedTokenError, TryAgainError."""
        return await self._exchange(
            {"grant_type": "authorization_code", "code": code, "code_verifier": secret}
        )

    async def renew(self, refresh_token: str) -> TokenPair:
        """Use a refresh token up for the next pair. Raises RefusedTokenError, TryAgainError."""
        return await self._exchange({"grant_type": "refresh_token", "refresh_token": refresh_token})

    async def _exchange(self, form: Mapping[str, str]) -> TokenPair:
        try:
            response = await self._client.post(
                f"{self._url}/v4/oa/access_token",
                data={**form, "app_id": self._app_id},
                headers={"secret_key": self._app_secret},
            )
        except httpx.TransportError as error:
            raise TryAgainError(f"Zalo's OAuth server cannot be reached: {type(error).__name__}") from error
        told = _object(response)
        code = told.get("error", 0)
        if response.status_code == 429 or response.status_code >= 500 or str(code) == str(LIMIT_CODE):
            raise TryAgainError(f"Zalo's OAuth server answered {response.status_code}, error {code}.")
        access, refresh = told.get("access_token"), told.get("refresh_token")
        if not (_is_token(access) and _is_token(refresh)):
            raise RefusedTokenError(self._reason(told, [*form.values(), str(access), str(refresh)]))
        return TokenPair(access, refresh, self._clock() + _lifetime(told.get("expires_in")))

    def _reason(self, told: Mapping[str, Any], secrets: list[str]) -> str:
        reason = str(told.get("error_description") or told.get("error_name") or "no reason given")
        for secret in filter(None, [*secrets, self._app_secret]):
            reason = reason.replace(secret, "…")
        return f"Zalo answered error {told.get('error', 'none')}: {reason[:300]}"


def challenge(secret: str) -> str:
    """Return what Zalo is shown of a secret before it is told (RFC 7636, S256)."""
    return base64.urlsafe_b64encode(hashlib.sha256(secret.encode()).digest()).decode().rstrip("=")


def _is_token(told: Any) -> TypeGuard[str]:
    """Return whether a value can be sent in a header."""
    return isinstance(told, str) and bool(told) and told.isascii() and told.isprintable()


def _object(response: httpx.Response) -> Mapping[str, Any]:
    try:
        told = parse_json(response.content)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _lifetime(told: Any) -> float:
    """Return `expires_in` in seconds, which Zalo writes as a string."""
    try:
        seconds = float(told)
    except (TypeError, ValueError, OverflowError):
        return ACCESS_TOKEN_S
    return seconds if 0.0 < seconds <= ACCESS_TOKEN_S else ACCESS_TOKEN_S
