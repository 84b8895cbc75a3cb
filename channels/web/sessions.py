"""Sessions of the website's visitors: a random id in a signed token.

Sessions are not stored: every process with the same secret accepts the tokens of the others.
"""

from __future__ import annotations

import re
import secrets
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jwt

MIN_SECRET_CHARS = 16
LIFETIME_S = 30 * 24 * 3600
"""Seconds since the last renewal; a visitor who returns within a month finds the conversation."""

MAX_TOKEN_CHARS = 1_000
"""Our tokens have 250; longer ones are refused before any computation."""

REMEMBERED = 5_000
"""Tokens whose signature is not computed again: a page shows the same one with each request."""

LANGUAGES = ("vi", "en")

_ALGORITHM = "HS256"
_AUDIENCE = "covan-web"
"""Distinguishes our tokens from others signed with the same secret."""

_ID = re.compile(r"[A-Za-z0-9_-]{24}")
_ID_BYTES = 18


@dataclass(frozen=True)
class Session:
    """A visitor's session. `expires_at` in seconds since 1970; `language` of the page, or empty."""

    id: str
    expires_at: int
    language: str = ""


class Sessions:
    """Issues and reads tokens."""

    def __init__(self, secret: str, clock: Callable[[], float] = time.time) -> None:
        """Raises ValueError when the secret has fewer than MIN_SECRET_CHARS characters."""
        if len(secret) < MIN_SECRET_CHARS:
            raise ValueError(f"COVAN_WEB_SECRET must have {MIN_SECRET_CHARS} characters or more")
        self._secret = secret
        self._clock = clock
        self._signed = lru_cache(maxsize=REMEMBERED)(self._read)
        # The library recommends 32 characters and warns at each signature.
        warnings.filterwarnings("ignore", category=jwt.InsecureKeyLengthWarning)

    def new(self, language: str = "") -> Session:
        """Return a new session."""
        return self._until(secrets.token_urlsafe(_ID_BYTES), language)

    def renewed(self, session: Session, language: str = "") -> Session:
        """Return the session with a lifetime from now."""
        return self._until(session.id, language or session.language)

    def token(self, session: Session) -> str:
        """Return the session's token."""
        claims: dict[str, Any] = {
            "aud": _AUDIENCE,
            "sub": session.id,
            "iat": int(self._clock()),
            "exp": session.expires_at,
        }
        if session.language:
            claims["lang"] = session.language
        return jwt.encode(claims, self._secret, algorithm=_ALGORITHM)

    def of_token(self, token: str) -> Session | None:
        """Return the session of a token; None when the token is invalid or has expired.

        The library compares the signature in constant time.
        """
        if len(token) > MAX_TOKEN_CHARS:
            return None
        session = self._signed(token)
        return session if session is not None and session.expires_at > self._clock() else None

    def _read(self, token: str) -> Session | None:
        """Return the session of a token that we signed, expired or not."""
        try:
            claims = jwt.decode(
                token,
                self._secret,
                algorithms=[_ALGORITHM],
                audience=_AUDIENCE,
                options={"require": ["aud", "sub", "iat", "exp"], "verify_exp": False, "verify_iat": False},
            )
        except (jwt.InvalidTokenError, UnicodeError):
            return None
        expires_at, session_id, language = claims["exp"], claims["sub"], claims.get("lang", "")
        if not isinstance(expires_at, int):
            return None
        if not isinstance(session_id, str) or not _ID.fullmatch(session_id):
            return None
        return Session(session_id, expires_at, language if language in LANGUAGES else "")

    def of_header(self, authorization: str) -> Session | None:
        """Return the session of an Authorization header (`Bearer TOKEN`)."""
        scheme, _, token = authorization.partition(" ")
        return self.of_token(token.strip()) if scheme.lower() == "bearer" else None

    def _until(self, session_id: str, language: str) -> Session:
        return Session(session_id, int(self._clock()) + LIFETIME_S, language)
