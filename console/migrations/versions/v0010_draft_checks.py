"""Checks of drafts before they are published."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "console_draft_checks",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("login", sa.String(80), nullable=False),
        sa.Column("place", sa.String(500), nullable=False),
        sa.Column("draft", sa.Text, nullable=False),
        sa.Column("seen", sa.String(64), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.UniqueConstraint("login", "place"),
        sqlite_autoincrement=True,
    )
