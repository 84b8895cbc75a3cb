"""The schema of the channels' database (`migrations/versions/` has one file a step)."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from rag.schema_migration import migrate_by

VERSION_TABLE = "channel_schema_version"
"""Of this schema alone: a PostgreSQL database may hold other programs' tables."""

_LOCK = 0x636F76616E


def migrate(engine: sa.Engine) -> None:
    """Migrate, in one transaction. Raises sqlalchemy.exc.SQLAlchemyError."""
    migrate_by(Path(__file__).with_name("migrations"), engine, _LOCK)
