"""The schema of the console's database (`migrations/versions/` has one file a step)."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from rag.schema_migration import migrate_by

VERSION_TABLE = "console_schema_version"
"""Of this schema alone: the database may be that of the channels, too."""

_LOCK = 0x636F6E73


def migrate(engine: sa.Engine) -> None:
    """Migrate, in one transaction. Raises sqlalchemy.exc.SQLAlchemyError."""
    migrate_by(Path(__file__).with_name("migrations"), engine, _LOCK)
