"""Invitations of testers, and what they asked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "console_invitations",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("key", sa.String(64), nullable=False, unique=True),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("login", sa.String(80), nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("expires_at", sa.Float, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "console_tester_turns",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column(
            "invitation_id",
            _ID,
            sa.ForeignKey("console_invitations.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("tester", sa.String(32), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("turn", sa.Text, nullable=False),
    )
    op.create_index("ix_console_tester_turns", "console_tester_turns", ["invitation_id", "tester", "id"])
