"""Tokens that are used once and replaced (Zalo's), for all processes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "channel_tokens",
        sa.Column("channel", sa.String(20), primary_key=True),
        sa.Column("access_token", sa.Text, nullable=False),
        sa.Column("refresh_token", sa.Text, nullable=False),
        sa.Column("expires_at", sa.Float, nullable=False),
        sa.Column("obtained_at", sa.Float, nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("link", sa.String(64), nullable=False),
        sa.Column("link_until", sa.Float, nullable=False),
        sa.Column("held_by", sa.String(80), nullable=True),
        sa.Column("held_until", sa.Float, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("refused_at", sa.Float, nullable=False),
    )
