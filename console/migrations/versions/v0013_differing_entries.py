"""Pairs of entries that nearly ask the same and are found to differ."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "console_differing_entries",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("login", sa.String(80), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
