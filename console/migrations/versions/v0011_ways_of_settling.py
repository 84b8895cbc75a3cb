"""How turns were settled: a question that an advisor has corrected is told from one that was set aside."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the column; of the turns so far, those with an entry are known to be answered by it."""
    op.add_column("console_settled", sa.Column("how", sa.String(16), nullable=False, server_default="aside"))
    op.execute("UPDATE console_settled SET how = 'entry' WHERE entry_id != ''")
