"""Indexes by age: what is older than the school keeps it is looked for every hour."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create an index of each table that grows with every message."""
    for table in ("channel_turns", "channel_said", "channel_calls"):
        op.create_index(f"ix_{table}_at", table, ["at"])
