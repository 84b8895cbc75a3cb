"""Indexes for what waits: the queues are looked at every few seconds, and what is done is much."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Replace the two indexes of the queues."""
    waiting = sa.text("done_at IS NULL")
    op.drop_index("ix_channel_turns_open", "channel_turns")
    op.create_index(
        "ix_channel_turns_open",
        "channel_turns",
        ["channel", "sender", "id"],
        sqlite_where=waiting,
        postgresql_where=waiting,
    )
    op.drop_index("ix_channel_calls_state", "channel_calls")
    op.create_index("ix_channel_calls_state", "channel_calls", ["state", "channel", "sender", "id"])
