"""The turns whose messages have been labelled, or need no label."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "console_reviewed",
        sa.Column("trace_id", _ID, primary_key=True, autoincrement=False),
        sa.Column("login", sa.String(80), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
