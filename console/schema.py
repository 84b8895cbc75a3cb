"""Bring the console's database to the schema of this release (Alembic; `migrations/versions/` has one file a step)."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

VERSION_TABLE = "console_schema_version"
"""Of this schema alone: the database may be that of the channels, too."""

_LOCK = 0x636F6E73
"""Key of PostgreSQL's advisory lock for migrations."""


def migrate(engine: sa.Engine) -> None:
    """Migrate, in one transaction. Raises sqlalchemy.exc.SQLAlchemyError."""
    config = Config()
    # Alembic's options are templates: a "%" of the path stands for itself when it is doubled.
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
