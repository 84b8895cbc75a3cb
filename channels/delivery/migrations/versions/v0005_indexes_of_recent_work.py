"""Indexes for what is looked at every few seconds: a student's turns of the last minute, the quiet hand-overs."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Replace the index of a student's turns, and create that of the quiet hand-overs."""
    op.drop_index("ix_channel_turns", "channel_turns")
    op.create_index("ix_channel_turns", "channel_turns", ["channel", "sender", "at"])
    op.create_index("ix_channel_hand_overs_quiet", "channel_hand_overs", ["channel", "quiet"])
