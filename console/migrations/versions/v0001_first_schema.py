"""Accounts, sessions, the audit log, and the gaps that are settled."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "console_accounts",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("login", sa.String(80), nullable=False, unique=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("roles", sa.String(80), nullable=False),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("active", sa.Boolean, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("locked_until", sa.Float, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
    )
    op.create_table(
        "console_sessions",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column(
            "account_id", _ID, sa.ForeignKey("console_accounts.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("csrf", sa.String(64), nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("seen_at", sa.Float, nullable=False),
    )
    op.create_table(
        "console_audit",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("at", sa.Float, nullable=False, index=True),
        sa.Column("login", sa.String(80), nullable=False),
        sa.Column("action", sa.String(80), nullable=False),
        sa.Column("target", sa.String(200), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("allowed", sa.Boolean, nullable=False),
    )
    op.create_table(
        "console_settled",
        sa.Column("trace_id", _ID, primary_key=True, autoincrement=False),
        sa.Column("entry_id", sa.String(200), nullable=False),
        sa.Column("login", sa.String(80), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
