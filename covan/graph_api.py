"""The part of Facebook's Graph API that sets up a page's chat. channels/messenger sends the messages.

Tokens go in a header, or in a body: never into an address, which proxies and logs keep.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx
import yaml

from covan.project import ROOT
from rag.errors import CovanError

VERSION_FILE = ROOT / "channels" / "messenger" / "graph_api.yml"
"""The version for this client and for the channel."""

TIMEOUT_S = 30.0

Json = dict[str, Any]


class GraphError(CovanError):
    """Facebook refused a request, or was not reached. `code` is its own number for why, 0 when it gave none."""

    def __init__(self, message: str, code: int = 0) -> None:
        super().__init__(message)
        self.code = code


class Graph:
    """A client with one page's token."""

    def __init__(self, api_url: str, token: str, app_secret: str) -> None:
        version = yaml.safe_load(VERSION_FILE.read_text(encoding="utf-8"))["version"]
        self._secrets = (token, app_secret)
        self._client = httpx.Client(base_url=f"{api_url.rstrip('/')}/{version}/", timeout=TIMEOUT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def get(self, path: str, *, of_app: str = "", **query: str) -> Json:
        """Return the object at `path`. Raises GraphError."""
        return self._object(self._ask("GET", path, of_app, query, None))

    def post(self, path: str, body: Json, *, of_app: str = "") -> Json:
        """Change the object at `path`. With `of_app`, the app of this id asks, not the page. Raises GraphError."""
        return self._object(self._ask("POST", path, of_app, {}, body))

    def delete(self, path: str, body: Json | None = None) -> Json:
        """Delete the object at `path`. Raises GraphError."""
        return self._object(self._ask("DELETE", path, "", {}, body))

    def inspected(self, app_id: str) -> Json:
        """Return Facebook's record of the page's token: `is_valid`, `type`, `scopes`, `expires_at`. Raises GraphError.

        Asked in a batch (https://developers.facebook.com/docs/graph-api/batch-requests), since a request of its own
        would have the token in its address.
        """
        asked = {
            "method": "GET",
            "relative_url": f"debug_token?input_token={quote(self._secrets[0], safe='')}",
        }
        answers = self._ask("POST", "", app_id, {}, {"batch": [asked], "include_headers": False})
        try:
            data = json.loads(answers[0]["body"])["data"]
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise GraphError("Facebook does not say what the token may do") from error
        return self._object(data)

    def _ask(self, method: str, path: str, app_id: str, query: Mapping[str, str], body: Json | None) -> Any:
        page_token, app_secret = self._secrets
        token = f"{app_id}|{app_secret}" if app_id else page_token
        proof = hmac.new(app_secret.encode(), token.encode(), hashlib.sha256).hexdigest()
        try:
            response = self._client.request(
                method,
                path,
                params={**query, "appsecret_proof": proof},
                headers={"Authorization": f"Bearer {token}"},
                json=body,
            )
        except httpx.TransportError as error:
            raise GraphError(f"Facebook cannot be reached ({type(error).__name__})") from error
        try:
            told = response.json()
        except ValueError:
            told = None
        if response.is_success and told is not None:
            return told
        raise self._refusal(response.status_code, told)

    def _refusal(self, status: int, told: Any) -> GraphError:
        error = told.get("error") if isinstance(told, dict) else None
        if not isinstance(error, dict):
            return GraphError(f"Facebook answered {status} without a reason")
        message, code = str(error.get("message")), error.get("code")
        for secret in filter(None, self._secrets):
            message = message.replace(secret, "…")
        return GraphError(f"Facebook answered: {message[:300]}", code if isinstance(code, int) else 0)

    @staticmethod
    def _object(told: Any) -> Json:
        if not isinstance(told, dict):
            raise GraphError("Facebook answered something that is not of the expected form")
        return told
