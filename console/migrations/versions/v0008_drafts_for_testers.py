"""The draft that the testers of an invitation chat with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column; invitations without a draft are for what is live."""
    op.add_column("console_invitations", sa.Column("draft", sa.Text, nullable=False, server_default=""))
