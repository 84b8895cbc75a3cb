"""Kept drafts of FAQ entries."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "console_entry_drafts",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("draft", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("login", sa.String(80), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("reviewed_by", sa.String(80), nullable=False),
        sqlite_autoincrement=True,
    )
