"""The tables of the channels' database, separate from Rasa's.

`turns` and `calls` are queues; `said` holds the messages of both sides. Times are seconds since 1970. A change here
needs a step in `migrations/versions/`; a test compares the two.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

metadata = sa.MetaData()

WAITING, SENT, HELD, REFUSED, DROPPED = "waiting", "sent", "held", "refused", "dropped"
"""States of calls: held until the student writes; refused by the platform for good; dropped, an outdated notice."""

PASSED_ON = "passed_on"
"""The decision of a trace whose turn is left to an advisor, whatever the engine decided."""

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_CHANNEL = sa.String(20)
_SENDER = sa.String(100)


def _of_sender() -> tuple[Any, Any]:
    return (
        sa.Column("channel", _CHANNEL, nullable=False),
        sa.Column("sender", _SENDER, nullable=False),
    )


_WAITING: Any = {"sqlite_where": sa.text("done_at IS NULL"), "postgresql_where": sa.text("done_at IS NULL")}
"""An index over turns that wait is small, however many turns there were."""

seen = sa.Table(
    "channel_seen",
    metadata,
    sa.Column("channel", _CHANNEL, primary_key=True),
    sa.Column("event_id", sa.String(200), primary_key=True),
    sa.Column("at", sa.Float, nullable=False, index=True),
)
"""Ids of deliveries that were accepted."""

senders = sa.Table(
    "channel_senders",
    metadata,
    sa.Column("channel", _CHANNEL, primary_key=True),
    sa.Column("sender", _SENDER, primary_key=True),
    sa.Column("address", sa.Text, nullable=False, default="{}"),
    sa.Column("heard_at", sa.Float, nullable=False, default=0.0),
    sa.Column("warned_at", sa.Float, nullable=False, default=0.0),
    sa.Column("held_by", sa.String(80), nullable=True),
    sa.Column("held_until", sa.Float, nullable=False, default=0.0),
)
"""`held_by` is the process that holds the lease on a sender; it expires at `held_until`."""

turns = sa.Table(
    "channel_turns",
    metadata,
    sa.Column("id", _ID, primary_key=True, autoincrement=True),
    *_of_sender(),
    sa.Column("content", sa.Text, nullable=False),
    sa.Column("said_id", _ID, nullable=True),
    sa.Column("at", sa.Float, nullable=False, index=True),
    sa.Column("done_at", sa.Float, nullable=True),
    sa.Column("passed_on", sa.Boolean, nullable=False, default=False, server_default=sa.false()),
    sa.Index("ix_channel_turns", "channel", "sender", "at"),
    sa.Index("ix_channel_turns_open", "channel", "sender", "id", **_WAITING),
    sqlite_autoincrement=True,
)
"""Inputs of students, in order of arrival; a turn without `done_at` waits. That of a turn `passed_on` is left to an
advisor, and the bot's reply to it is not said."""

said = sa.Table(
    "channel_said",
    metadata,
    sa.Column("id", _ID, primary_key=True, autoincrement=True),
    *_of_sender(),
    sa.Column("turn_id", _ID, nullable=True),
    sa.Column("author", sa.String(10), nullable=False),
    sa.Column("message", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False, index=True),
    sa.Index("ix_channel_said", "channel", "sender", "id"),
    # Ids are never reused: a page in a browser resumes after the last id it has.
    sqlite_autoincrement=True,
)

calls = sa.Table(
    "channel_calls",
    metadata,
    sa.Column("id", _ID, primary_key=True, autoincrement=True),
    *_of_sender(),
    sa.Column("said_id", _ID, nullable=False),
    sa.Column("author", sa.String(10), nullable=False),
    sa.Column("call", sa.Text, nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("tries", sa.Integer, nullable=False, default=0),
    sa.Column("not_before", sa.Float, nullable=False, default=0.0),
    sa.Column("why", sa.Text, nullable=False, default=""),
    sa.Column("at", sa.Float, nullable=False, index=True),
    sa.Index("ix_channel_calls", "channel", "sender", "id"),
    sa.Index("ix_channel_calls_state", "state", "channel", "sender", "id"),
    sqlite_autoincrement=True,
)
"""Requests to the platform, in order."""

options = sa.Table(
    "channel_options",
    metadata,
    sa.Column("id", sa.String(24), primary_key=True),
    *_of_sender(),
    sa.Column("said_id", _ID, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False, index=True),
    sa.Index("ix_channel_options", "channel", "sender"),
)

ratings = sa.Table(
    "channel_ratings",
    metadata,
    sa.Column("said_id", _ID, primary_key=True, autoincrement=False),
    *_of_sender(),
    sa.Column("answer_id", sa.Text, nullable=False),
    sa.Column("good", sa.Boolean, nullable=False),
    sa.Column("reason", sa.Text, nullable=False, default=""),
    sa.Column("at", sa.Float, nullable=False),
    sa.Index("ix_channel_ratings", "channel", "sender"),
)
"""Ratings of answers; the last one counts."""

hand_overs = sa.Table(
    "channel_hand_overs",
    metadata,
    sa.Column("id", _ID, primary_key=True, autoincrement=True),
    *_of_sender(),
    sa.Column("status", sa.String(10), nullable=False, index=True),
    sa.Column("quiet", sa.Boolean, nullable=False),
    sa.Column("noted", sa.Boolean, nullable=False, default=False),
    sa.Column("topic", sa.Text, nullable=False, default=""),
    sa.Column("office", sa.Text, nullable=False, default=""),
    sa.Column("question", sa.Text, nullable=False, default=""),
    sa.Column("hours", sa.Text, nullable=False, default="null"),
    sa.Column("opened_at", sa.Float, nullable=False),
    sa.Column("expected_at", sa.Float, nullable=True),
    sa.Column("taken_by", sa.Text, nullable=False, default=""),
    sa.Column("taken_at", sa.Float, nullable=True),
    sa.Column("closed_by", sa.Text, nullable=False, default=""),
    sa.Column("closed_at", sa.Float, nullable=True),
    sa.Column("last_at", sa.Float, nullable=False),
    sa.Index("ix_channel_hand_overs", "channel", "sender", "id"),
    sa.Index("ix_channel_hand_overs_quiet", "channel", "quiet"),
    sqlite_autoincrement=True,
)
"""Conversations handed over to a person: waiting, taken or closed; while `quiet`, the bot does not reply."""

notes = sa.Table(
    "channel_notes",
    metadata,
    sa.Column("id", _ID, primary_key=True, autoincrement=True),
    *_of_sender(),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("handed_to", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Index("ix_channel_notes", "channel", "sender", "id"),
    sqlite_autoincrement=True,
)
"""The advisors' notes on a student, which no channel sends. `handed_to` is the office or the advisor to whom the writer
has handed the conversation on; empty for a note alone."""

traces = sa.Table(
    "channel_traces",
    metadata,
    sa.Column("id", _ID, primary_key=True, autoincrement=True),
    *_of_sender(),
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
    # Beside the turn, what the console asks of a student's turns.
    sa.Index("ix_channel_traces", "channel", "sender", "turn_id", "at", "decision"),
    # All that the console counts: rows with their traces are long, and reading them took a second.
    sa.Index(
        "ix_channel_traces_at",
        "at",
        "decision",
        "source",
        "topic",
        "channel",
        "answer_id",
        "sender",
        "turn_id",
    ),
    # The confidence, too: most turns are answered, and few of them with a low one.
    sa.Index("ix_channel_traces_decision", "decision", "at", "confidence"),
    sqlite_autoincrement=True,
)
"""The way from a question to its reply (`actions.turn_trace`), written by the action server (`trace_recorder`) and read
by the console. `turn_id` is the turn's id in `channel_turns`; `decision` is empty where nothing was
asked, and `PASSED_ON` where the turn was."""

tokens = sa.Table(
    "channel_tokens",
    metadata,
    sa.Column("channel", _CHANNEL, primary_key=True),
    sa.Column("access_token", sa.Text, nullable=False),
    sa.Column("refresh_token", sa.Text, nullable=False),
    sa.Column("expires_at", sa.Float, nullable=False),
    sa.Column("obtained_at", sa.Float, nullable=False),
    sa.Column("seed", sa.String(64), nullable=False, default=""),
    sa.Column("link", sa.String(64), nullable=False, default=""),
    sa.Column("link_until", sa.Float, nullable=False, default=0.0),
    sa.Column("held_by", sa.String(80), nullable=True),
    sa.Column("held_until", sa.Float, nullable=False, default=0.0),
    sa.Column("why", sa.Text, nullable=False, default=""),
    sa.Column("refused_at", sa.Float, nullable=False, default=0.0),
)
"""A platform's tokens (`token_store`); the refresh token is being used by `held_by` until `held_until`. `link` is the
secret of a link by which a person may authorize the app."""

OF_SENDER = (turns, said, calls, options, ratings, hand_overs, notes, traces, senders)
"""Tables erased with a student's data."""
