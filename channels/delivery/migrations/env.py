"""Runs the migrations for `channels.delivery.schema`, on its connection and in its transaction."""

from alembic import context

from channels.delivery.schema import VERSION_TABLE
from channels.delivery.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
)
context.run_migrations()
