"""Signing in at the school's OpenID Connect provider: the authorization code flow with PKCE (RFC 7636).

`begin` sends the browser there with a state, a nonce and a code challenge, and keeps them under a random token, which
the browser has as a cookie. `finish` takes what the browser brings back: the state must be that of the cookie, the
code is changed for an ID token with the verifier, and the token must be signed by the provider, for this client, now
and for this nonce (OpenID Connect Core 1.0, 3.1.3.7).
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import httpx
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import OAuth2Client
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jwt import JWTClaimsRegistry

from rag.errors import CovanError

PENDING_S = 600.0
"""Seconds for signing in at the provider."""

MOST_PENDING = 10_000
METADATA_S = 3600.0
TIMEOUT_S = 10.0
LEEWAY_S = 60
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures with a key of the provider's own: never "none", nor one made with the client's secret."""

SCOPE = "openid email profile"


class OpenIdError(CovanError):
    """Somebody cannot be signed in so; `code` is for programs.

    `openid_down`: the provider cannot be used. `openid_ended`: the sign-in is unknown or took too long.
    `openid_refused`: the provider refuses. `openid_faulty`: what it says cannot be believed.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Identity:
    """A person as the provider knows them; `mail` is empty when it is not known to be theirs."""

    issuer: str
    subject: str
    mail: str
    name: str


@dataclass(frozen=True, slots=True)
class _Pending:
    state: str
    nonce: str
    verifier: str
    at: float


@dataclass(frozen=True, slots=True)
class _Provider:
    metadata: Mapping[str, Any]
    keys: KeySet
    at: float


class SignInProvider(Protocol):
    """Where people sign in besides with a password."""

    name: str

    def begin(self) -> tuple[str, str]: ...

    def finish(self, token: str, told: Mapping[str, str]) -> Identity: ...


class OpenId:
    """One provider, by its address `issuer`."""

    def __init__(
        self,
        issuer: str,
        client: tuple[str, str],
        redirect_uri: str,
        name: str = "",
        trusts_mail: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`client` is an id and a secret; `trusts_mail`: addresses are believed that are not called verified."""
        self.name = name
        self._issuer = issuer
        self._client_id, self._secret = client
        self._redirect_uri = redirect_uri
        self._trusts_mail = trusts_mail
        self._now = clock
        self._pending: OrderedDict[str, _Pending] = OrderedDict()
        self._known: _Provider | None = None
        self._lock = threading.Lock()

    def begin(self) -> tuple[str, str]:
        """Return the provider's address for the browser, and the token for its cookie. Raises OpenIdError."""
        provider = self._provider()
        pending = _Pending(_token(), _token(), _token(), self._now())
        token = _token()
        with self._lock:
            self._pending[token] = pending
            while len(self._pending) > MOST_PENDING:
                self._pending.popitem(last=False)
        with self._session(provider) as session:
            url, _ = session.create_authorization_url(
                _endpoint(provider.metadata, "authorization_endpoint"),
                state=pending.state,
                code_verifier=pending.verifier,
                nonce=pending.nonce,
            )
        return str(url), token

    def finish(self, token: str, told: Mapping[str, str]) -> Identity:
        """Return who has signed in; `token` is the cookie's, `told` the query of the address that was come back to.

        Raises OpenIdError. A token is good for one try.
        """
        with self._lock:
            pending = self._pending.pop(token, None)
        if (
            pending is None
            or self._now() - pending.at > PENDING_S
            or not secrets.compare_digest(pending.state.encode(), told.get("state", "").encode())
        ):
            raise OpenIdError("openid_ended", "this sign-in is not known, or took too long; begin again")
        if told.get("iss") not in (None, self._issuer):
            raise OpenIdError("openid_faulty", "another provider answers (RFC 9207)")
        if "code" not in told:
            raise OpenIdError("openid_refused", "the provider did not sign the person in")
        provider = self._provider()
        with self._session(provider) as session:
            try:
                got = session.fetch_token(
                    _endpoint(provider.metadata, "token_endpoint"),
                    code=told["code"],
                    code_verifier=pending.verifier,
                )
            except OAuthError as error:
                raise OpenIdError("openid_refused", f"the provider takes no code: {error.error}") from error
            except (httpx.HTTPError, ValueError) as error:
                raise _down(error) from error
            claims = self._claims(provider, str(got.get("id_token") or ""), pending.nonce)
            if "email" not in claims:
                claims = {**self._userinfo(session, provider, claims["sub"]), **claims}
        return self._identity(claims)

    def _identity(self, claims: Mapping[str, Any]) -> Identity:
        is_known = claims.get("email_verified", self._trusts_mail) is True
        mail = str(claims.get("email") or "").strip().lower() if is_known else ""
        return Identity(self._issuer, str(claims["sub"]), mail, str(claims.get("name") or ""))

    def _claims(self, provider: _Provider, id_token: str, nonce: str) -> Mapping[str, Any]:
        """Return the claims of an ID token. Raises OpenIdError."""
        try:
            try:
                claims = jwt.decode(id_token, provider.keys, list(ALGORITHMS)).claims
            except InvalidKeyIdError:
                # The provider has changed its keys meanwhile.
                claims = jwt.decode(id_token, self._provider(anew=True).keys, list(ALGORITHMS)).claims
            JWTClaimsRegistry(
                now=int(self._now()),
                leeway=LEEWAY_S,
                iss={"essential": True, "value": self._issuer},
                aud={"essential": True, "value": self._client_id},
                sub={"essential": True},
                exp={"essential": True},
                iat={"essential": True},
                nonce={"essential": True, "value": nonce},
            ).validate(claims)
        except (JoseError, ValueError, TypeError) as error:
            raise OpenIdError("openid_faulty", f"the ID token is not right: {error}") from error
        if claims.get("azp", self._client_id) != self._client_id:
            raise OpenIdError("openid_faulty", "the ID token is for another client")
        return claims

    def _userinfo(self, session: OAuth2Client, provider: _Provider, subject: str) -> Mapping[str, Any]:
        """Return the claims that the provider tells apart from the ID token; none of another person."""
        if "userinfo_endpoint" not in provider.metadata:
            return {}
        try:
            told = session.get(_endpoint(provider.metadata, "userinfo_endpoint"))
            told.raise_for_status()
            claims: Mapping[str, Any] = told.json()
        except (httpx.HTTPError, OAuthError, ValueError) as error:
            raise _down(error) from error
        return claims if claims.get("sub") == subject else {}

    def _session(self, provider: _Provider) -> OAuth2Client:
        methods = provider.metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        method = "client_secret_basic" if "client_secret_basic" in methods else "client_secret_post"
        return OAuth2Client(
            self._client_id,
            self._secret or None,
            token_endpoint_auth_method=method if self._secret else "none",
            scope=SCOPE,
            redirect_uri=self._redirect_uri,
            code_challenge_method="S256",
            timeout=TIMEOUT_S,
        )

    def _provider(self, anew: bool = False) -> _Provider:
        """Return the provider's description and keys, read once an hour. Raises OpenIdError."""
        known = self._known
        if known is not None and not anew and self._now() - known.at < METADATA_S:
            return known
        try:
            with httpx.Client(timeout=TIMEOUT_S) as client:
                metadata = _read(client, f"{self._issuer.rstrip('/')}/.well-known/openid-configuration")
                if metadata.get("issuer") != self._issuer:
                    raise OpenIdError("openid_faulty", "the provider's description is of another issuer")
                keys = KeySet.import_key_set(_read(client, _endpoint(metadata, "jwks_uri")))  # type: ignore[arg-type]
        except (httpx.HTTPError, JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise _down(error) from error
        self._known = _Provider(metadata, keys, self._now())
        return self._known


def _read(client: httpx.Client, url: str) -> Mapping[str, Any]:
    told = client.get(url)
    told.raise_for_status()
    read: Mapping[str, Any] = told.json()
    return read


def _endpoint(metadata: Mapping[str, Any], name: str) -> str:
    """Return an address of the provider. Raises OpenIdError for one that is less protected than the issuer."""
    url = str(metadata.get(name) or "")
    scheme = str(metadata["issuer"]).partition(":")[0]
    if not url.startswith(("https://", f"{scheme}://")):
        raise OpenIdError("openid_faulty", f"the provider's {name} is not encrypted")
    return url


def _down(error: Exception) -> OpenIdError:
    return OpenIdError("openid_down", f"the provider cannot be used: {type(error).__name__}: {error}")


def _token() -> str:
    return secrets.token_urlsafe(32)
