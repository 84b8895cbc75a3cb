"""Kept drafts of all kinds in the table that had those of FAQ entries."""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Rename the table; a row's JSON tells its kind."""
    op.rename_table("console_entry_drafts", "console_kept_drafts")
