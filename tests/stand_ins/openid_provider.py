"""A small OpenID Connect provider over HTTP: signs in whoever the test names, and keeps the rules of the code flow."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlencode

from front_door_server import serving
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

CLIENT_ID, SECRET = "covan-console", "a-secret-of-the-client"


def new_key(kid: str) -> ECKey:
    return ECKey.generate_key("P-256", {"kid": kid, "use": "sig"})


@dataclass
class Provider:
    """`person` has the claims of whoever signs in; None: they press "cancel". `changed` alters an ID token's claims."""

    issuer: str = ""
    person: Mapping[str, Any] | None = None
    key: ECKey = field(default_factory=lambda: new_key("first"))
    in_token: bool = True
    """Whether the ID token has the person's claims, rather than the userinfo endpoint."""
    changed: Callable[[dict[str, Any]], dict[str, Any]] = lambda claims: claims
    signed: Callable[[dict[str, Any]], str] | None = None
    asked: list[Mapping[str, str]] = field(default_factory=list)
    codes: dict[str, Mapping[str, str]] = field(default_factory=dict)

    def reset(self) -> None:
        """Be as at first."""
        self.person, self.in_token, self.signed = None, True, None
        self.key = new_key("first")
        self.changed = lambda claims: claims
        self.asked.clear()
        self.codes.clear()

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self.describe),
                Route("/keys", self.keys),
                Route("/authorize", self.authorize),
                Route("/token", self.token, methods=["POST"]),
                Route("/userinfo", self.userinfo),
            ]
        )

    async def describe(self, _request: Request) -> Response:
        return JSONResponse(
            {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
                "jwks_uri": f"{self.issuer}/keys",
            }
        )

    async def keys(self, _request: Request) -> Response:
        return JSONResponse(KeySet([self.key]).as_dict(private=False))

    async def authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        self.asked.append(asked)
        if (asked.get("client_id"), asked.get("response_type")) != (CLIENT_ID, "code"):
            return Response("unknown client", 400)
        if asked.get("code_challenge_method") != "S256" or "openid" not in asked.get("scope", "").split():
            return Response("PKCE and openid are needed", 400)
        told = {"state": asked["state"], "iss": self.issuer}
        if self.person is None:
            told["error"] = "access_denied"
        else:
            told["code"] = secrets.token_urlsafe(8)
            self.codes[told["code"]] = asked
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(told)}", 303)

    async def token(self, request: Request) -> Response:
        given = dict(await request.form())
        scheme, _, shown = request.headers.get("authorization", "").partition(" ")
        user, _, password = base64.b64decode(shown).decode().partition(":")
        if (scheme, user, unquote(password)) != ("Basic", CLIENT_ID, SECRET):
            return JSONResponse({"error": "invalid_client"}, 401)
        asked = self.codes.pop(str(given.get("code")), None)
        digest = hashlib.sha256(str(given.get("code_verifier")).encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if (
            asked is None
            or asked["code_challenge"] != challenge
            or asked["redirect_uri"] != given.get("redirect_uri")
        ):
            return JSONResponse({"error": "invalid_grant"}, 400)
        now = int(time.time())
        assert self.person is not None
        claims = {"iss": self.issuer, "aud": CLIENT_ID, "exp": now + 300, "iat": now, "nonce": asked["nonce"]}
        claims |= self.person if self.in_token else {"sub": self.person["sub"]}
        claims = self.changed(claims)
        header = {"alg": "ES256", "kid": self.key.kid}
        id_token = self.signed(claims) if self.signed is not None else jwt.encode(header, claims, self.key)
        return JSONResponse({"access_token": "access", "token_type": "Bearer", "id_token": id_token})

    async def userinfo(self, request: Request) -> Response:
        if request.headers.get("authorization") != "Bearer access":
            return Response(status_code=401)
        return JSONResponse(dict(self.person or {}))


@contextmanager
def openid_provider() -> Iterator[Provider]:
    """Serve a provider; it calls itself "localhost", another site than 127.0.0.1 for a browser."""
    provider = Provider()
    with serving(provider.app()) as url:
        provider.issuer = url.replace("127.0.0.1", "localhost")
        yield provider
