"""The mail addresses and the offices of accounts, and the students of whose waiting a mail has told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the columns, and create the table."""
    op.add_column("console_accounts", sa.Column("mail", sa.String(200), nullable=False, server_default=""))
    op.add_column("console_accounts", sa.Column("offices", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "console_told_of_waiting",
        sa.Column("conversation", _ID, primary_key=True, autoincrement=False),
        sa.Column("office", sa.String(200), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
    )
