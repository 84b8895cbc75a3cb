"""The second factor of accounts, and the codes for a lost phone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "console_second_factors",
        sa.Column(
            "account_id",
            _ID,
            sa.ForeignKey("console_accounts.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("active", sa.Boolean, nullable=False),
        sa.Column("last_step", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "console_recovery_codes",
        sa.Column(
            "account_id",
            _ID,
            sa.ForeignKey("console_accounts.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("key", sa.String(64), primary_key=True),
    )
