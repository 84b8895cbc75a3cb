"""Bring a database to the schema of this release: Alembic's steps, one file each in a folder `migrations`.

Every process does so at its start; of several that start together, one migrates and the others wait.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config


def migrate_by(migrations: Path, engine: sa.Engine, lock: int) -> None:
    """Migrate in one transaction; `lock` is the key of PostgreSQL's advisory lock for these migrations.

    Raises sqlalchemy.exc.SQLAlchemyError.
    """
    config = Config()
    # Alembic's options are templates: a "%" of the path stands for itself when it is doubled.
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(lock)))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
