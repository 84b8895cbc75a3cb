"""The schema before migrations were kept; a database of that time has the tables already."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _of_sender() -> list[sa.Column[Any]]:
    return [
        sa.Column("channel", sa.String(20), nullable=False),
        sa.Column("sender", sa.String(100), nullable=False),
    ]


def _id() -> sa.Column[Any]:
    return sa.Column("id", _ID, primary_key=True, autoincrement=True)


def upgrade() -> None:
    """Create the tables of an empty database."""
    if sa.inspect(op.get_bind()).has_table("channel_seen"):
        return
    op.create_table(
        "channel_seen",
        sa.Column("channel", sa.String(20), primary_key=True),
        sa.Column("event_id", sa.String(200), primary_key=True),
        sa.Column("at", sa.Float, nullable=False, index=True),
    )
    op.create_table(
        "channel_senders",
        sa.Column("channel", sa.String(20), primary_key=True),
        sa.Column("sender", sa.String(100), primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("heard_at", sa.Float, nullable=False),
        sa.Column("warned_at", sa.Float, nullable=False),
        sa.Column("held_by", sa.String(80), nullable=True),
        sa.Column("held_until", sa.Float, nullable=False),
    )
    op.create_table(
        "channel_turns",
        _id(),
        *_of_sender(),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("said_id", _ID, nullable=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("done_at", sa.Float, nullable=True),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_channel_turns", "channel_turns", ["channel", "sender", "id"])
    op.create_index("ix_channel_turns_open", "channel_turns", ["done_at"])
    op.create_table(
        "channel_said",
        _id(),
        *_of_sender(),
        sa.Column("turn_id", _ID, nullable=True),
        sa.Column("author", sa.String(10), nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_channel_said", "channel_said", ["channel", "sender", "id"])
    op.create_table(
        "channel_calls",
        _id(),
        *_of_sender(),
        sa.Column("said_id", _ID, nullable=False),
        sa.Column("author", sa.String(10), nullable=False),
        sa.Column("call", sa.Text, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("not_before", sa.Float, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_channel_calls", "channel_calls", ["channel", "sender", "id"])
    op.create_index("ix_channel_calls_state", "channel_calls", ["state"])
    op.create_table(
        "channel_options",
        sa.Column("id", sa.String(24), primary_key=True),
        *_of_sender(),
        sa.Column("said_id", _ID, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False, index=True),
    )
    op.create_index("ix_channel_options", "channel_options", ["channel", "sender"])
    op.create_table(
        "channel_ratings",
        sa.Column("said_id", _ID, primary_key=True, autoincrement=False),
        *_of_sender(),
        sa.Column("answer_id", sa.Text, nullable=False),
        sa.Column("good", sa.Boolean, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("ix_channel_ratings", "channel_ratings", ["channel", "sender"])
    op.create_table(
        "channel_hand_overs",
        _id(),
        *_of_sender(),
        sa.Column("status", sa.String(10), nullable=False, index=True),
        sa.Column("quiet", sa.Boolean, nullable=False),
        sa.Column("noted", sa.Boolean, nullable=False),
        sa.Column("topic", sa.Text, nullable=False),
        sa.Column("office", sa.Text, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("hours", sa.Text, nullable=False),
        sa.Column("opened_at", sa.Float, nullable=False),
        sa.Column("expected_at", sa.Float, nullable=True),
        sa.Column("taken_by", sa.Text, nullable=False),
        sa.Column("taken_at", sa.Float, nullable=True),
        sa.Column("closed_by", sa.Text, nullable=False),
        sa.Column("closed_at", sa.Float, nullable=True),
        sa.Column("last_at", sa.Float, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_channel_hand_overs", "channel_hand_overs", ["channel", "sender", "id"])
