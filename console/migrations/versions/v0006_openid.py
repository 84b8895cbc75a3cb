"""The people of an OpenID Connect provider, and who of them gets an account."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "console_identities",
        sa.Column(
            "account_id",
            _ID,
            sa.ForeignKey("console_accounts.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("issuer", sa.String(300), nullable=False),
        sa.Column("subject", sa.String(255), nullable=False),
        sa.UniqueConstraint("issuer", "subject"),
    )
    op.create_table(
        "console_new_accounts",
        sa.Column("domain", sa.String(200), primary_key=True),
        sa.Column("roles", sa.String(80), nullable=False),
    )
