"""The console's tables are those of the migrations, on SQLite and PostgreSQL."""

from __future__ import annotations

import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from console_driver import databases

from console.database import open_database
from console.schema import VERSION_TABLE
from console.tables import metadata


@databases
def test_the_migrations_end_at_the_tables_of_the_code(url: str) -> None:
    open_database(url).dispose()
    open_database(url).dispose()  # a second start finds all done

    engine = sa.create_engine(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, metadata) == []
    engine.dispose()
