"""The mark of a turn that is left to an advisor, and small talk that was stored as a question without an answer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the column; store the turns in which nothing was asked as the action server does now."""
    op.add_column(
        "channel_turns", sa.Column("passed_on", sa.Boolean, nullable=False, server_default=sa.false())
    )
    traces = sa.table("channel_traces", sa.column("decision"), sa.column("source"), sa.column("trace"))
    # The quotation marks of a student's own words are escaped in JSON.
    asks_nothing = (
        traces.c.trace.contains(f'"reasons": ["{reason}"]', autoescape=True)
        for reason in ("small_talk", "empty_question")
    )
    op.execute(
        sa.update(traces)
        .where(traces.c.decision == "no_answer", sa.or_(*asks_nothing))
        .values(decision="", source="")
    )
