"""Runs the migrations for `console.schema`, on its connection and in its transaction."""

from alembic import context

from console.schema import VERSION_TABLE
from console.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
)
context.run_migrations()
