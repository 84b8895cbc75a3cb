"""The traces of turns: the way from each question to its reply."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "channel_traces",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("channel", sa.String(20), nullable=False),
        sa.Column("sender", sa.String(100), nullable=False),
        sa.Column("turn_id", _ID, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("decision", sa.String(12), nullable=False),
        sa.Column("source", sa.String(40), nullable=False),
        sa.Column("topic", sa.Text, nullable=False),
        sa.Column("intent", sa.Text, nullable=False),
        sa.Column("confidence", sa.Float, nullable=False),
        sa.Column("answer_id", sa.Text, nullable=False),
        sa.Column("trace", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_channel_traces", "channel_traces", ["channel", "sender", "turn_id"])
    op.create_index(
        "ix_channel_traces_at",
        "channel_traces",
        ["at", "decision", "source", "topic", "channel", "answer_id", "sender", "turn_id"],
    )
    op.create_index("ix_channel_traces_decision", "channel_traces", ["decision", "at"])
