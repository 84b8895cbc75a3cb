"""Indexes of traces for the console's gaps: answers with a low confidence, the turn before a hand-over."""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the indexes anew."""
    for name, columns in (
        ("ix_channel_traces", ["channel", "sender", "turn_id", "at", "decision"]),
        ("ix_channel_traces_decision", ["decision", "at", "confidence"]),
    ):
        op.drop_index(name, "channel_traces")
        op.create_index(name, "channel_traces", columns)
