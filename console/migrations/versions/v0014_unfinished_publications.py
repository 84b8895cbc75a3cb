"""Publications of entries that are under way, with the students who are to get the answer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "console_unfinished_publications",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            primary_key=True,
            autoincrement=True,
        ),
        sa.Column("login", sa.String(80), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("publication", sa.Text, nullable=False),
    )
