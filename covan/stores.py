"""The servers that keep what Rasa knows. Without one of them at its start, Rasa uses its memory, and says nothing."""

from __future__ import annotations

import redis
import sqlalchemy as sa

from rag.errors import CovanError
from rag.settings import Settings

TIMEOUT_S = 5


def require_stores_of_rasa(settings: Settings) -> None:
    """Return when the database and Redis that the settings name for Rasa can be used. Raises CovanError."""
    if settings.tracker_db and not settings.tracker_db.startswith("sqlite"):
        try:
            engine = sa.create_engine(settings.tracker_db, connect_args={"connect_timeout": TIMEOUT_S})
            engine.connect().close()
            engine.dispose()
        except (sa.exc.SQLAlchemyError, ImportError) as error:
            raise _unusable("COVAN_TRACKER_DB", "the conversations", _reason(error)) from None
    if settings.locks_url:
        try:
            redis.Redis.from_url(
                settings.locks_url, socket_connect_timeout=TIMEOUT_S, socket_timeout=TIMEOUT_S
            ).ping()
        except (redis.RedisError, ValueError) as error:
            raise _unusable("COVAN_LOCKS_URL", "the locks", _reason(error)) from None


def _unusable(setting: str, what: str, why: str) -> CovanError:
    return CovanError(
        f"The server of {setting} cannot be used: {why}. Start it first, or mend the address; without it, Rasa would "
        f"keep {what} in its memory alone."
    )


def _reason(error: Exception) -> str:
    """Return the first line of what the driver says: it names the server, but no password."""
    said = str(getattr(error, "orig", None) or error).strip() or type(error).__name__
    return said.splitlines()[0].rstrip(".")
