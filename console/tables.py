"""The tables of the console's database. Times are seconds since 1970.

A student's words stand in none of them: they are read from the channels' database (`console.turns`), which erases and
expires them. Testers' words do, apart from students' (`console.invitations`), and wordings that an editor has put into
a kept draft or the school's checked questions, which are free of personal data (`console.kept_drafts`,
`console.draft_checks`). A change here needs a step in `migrations/versions/`; a test compares the two.
"""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")

accounts = sa.Table(
    "console_accounts",
    metadata,
    sa.Column("id", _ID, primary_key=True, autoincrement=True),
    sa.Column("login", sa.String(80), nullable=False, unique=True),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("roles", sa.String(80), nullable=False),
    sa.Column("password", sa.Text, nullable=False),
    sa.Column("active", sa.Boolean, nullable=False),
    sa.Column("failures", sa.Integer, nullable=False),
    sa.Column("locked_until", sa.Float, nullable=False),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("mail", sa.String(200), nullable=False, server_default=""),
    sa.Column("offices", sa.Text, nullable=False, server_default=""),
)
"""`roles` are names of `console.roles`, with commas between; `password` is argon2's encoded hash. `offices` are ids of
the catalogue's, with commas between; empty: all of them."""

sessions = sa.Table(
    "console_sessions",
    metadata,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("account_id", _ID, sa.ForeignKey("console_accounts.id", ondelete="CASCADE"), nullable=False),
    sa.Column("csrf", sa.String(64), nullable=False),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("seen_at", sa.Float, nullable=False),
)
"""`key` is the SHA-256 of the cookie's token: whoever reads the database cannot use it."""

second_factors = sa.Table(
    "console_second_factors",
    metadata,
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
"""`secret` is that of the person's authenticator app (RFC 6238), in base32: codes are made from it, so it cannot be a
hash. Signing in needs it once it is `active`; a code of `last_step` or before was used or has passed."""

recovery_codes = sa.Table(
    "console_recovery_codes",
    metadata,
    sa.Column(
        "account_id",
        _ID,
        sa.ForeignKey("console_accounts.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    sa.Column("key", sa.String(64), primary_key=True),
)
"""The SHA-256 of each code that is left."""

audit = sa.Table(
    "console_audit",
    metadata,
    sa.Column("id", _ID, primary_key=True, autoincrement=True),
    sa.Column("at", sa.Float, nullable=False, index=True),
    sa.Column("login", sa.String(80), nullable=False),
    sa.Column("action", sa.String(80), nullable=False),
    sa.Column("target", sa.String(200), nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
    sa.Column("allowed", sa.Boolean, nullable=False),
)
"""Every change and every refused request; never a student's words."""

canned_replies = sa.Table(
    "console_canned_replies",
    metadata,
    sa.Column("id", _ID, primary_key=True, autoincrement=True),
    sa.Column("title", sa.String(80), nullable=False, unique=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("login", sa.String(80), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sqlite_autoincrement=True,
)
"""The advisors' own short texts. `version` grows with each change; `login` made the last one."""

settled = sa.Table(
    "console_settled",
    metadata,
    sa.Column("trace_id", _ID, primary_key=True, autoincrement=False),
    sa.Column("entry_id", sa.String(200), nullable=False),
    sa.Column("login", sa.String(80), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("how", sa.String(16), nullable=False, server_default="aside"),
)
"""Traces that are no gap any longer. `how` is "entry" (answered by `entry_id`), "rule" (a query rule) or "aside"."""

reviewed = sa.Table(
    "console_reviewed",
    metadata,
    sa.Column("trace_id", _ID, primary_key=True, autoincrement=False),
    sa.Column("login", sa.String(80), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
"""Traces whose messages have been labelled, or need no label."""

told_of_waiting = sa.Table(
    "console_told_of_waiting",
    metadata,
    sa.Column("conversation", _ID, primary_key=True, autoincrement=False),
    sa.Column("office", sa.String(200), primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
)
"""The conversations of whose waiting at an office a mail has told."""

identities = sa.Table(
    "console_identities",
    metadata,
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
"""The person of an OpenID Connect provider who signs in to an account, since they did so first."""

new_accounts = sa.Table(
    "console_new_accounts",
    metadata,
    sa.Column("domain", sa.String(200), primary_key=True),
    sa.Column("roles", sa.String(80), nullable=False),
)
"""The domains of mail addresses whose owners get an account with `roles` when they first sign in at the provider."""

invitations = sa.Table(
    "console_invitations",
    metadata,
    sa.Column("id", _ID, primary_key=True, autoincrement=True),
    sa.Column("key", sa.String(64), nullable=False, unique=True),
    sa.Column("title", sa.String(80), nullable=False),
    sa.Column("login", sa.String(80), nullable=False),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("expires_at", sa.Float, nullable=False),
    sa.Column("draft", sa.Text, nullable=False, server_default=""),
    sqlite_autoincrement=True,
)
"""Links for testers; `key` is the SHA-256 of the link's token. `draft` is the JSON of what they chat with
(`console.api.models.Draft`); empty: what is live."""

tester_turns = sa.Table(
    "console_tester_turns",
    metadata,
    sa.Column("id", _ID, primary_key=True, autoincrement=True),
    sa.Column(
        "invitation_id",
        _ID,
        sa.ForeignKey("console_invitations.id", ondelete="CASCADE"),
        nullable=False,
    ),
    sa.Column("tester", sa.String(32), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("turn", sa.Text, nullable=False),
    sa.Index("ix_console_tester_turns", "invitation_id", "tester", "id"),
)
"""What testers asked and were answered, as JSON of `console.invitations.TesterTurn`; it goes with its invitation."""

kept_drafts = sa.Table(
    "console_kept_drafts",
    metadata,
    sa.Column("id", _ID, primary_key=True, autoincrement=True),
    sa.Column("draft", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("login", sa.String(80), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("reviewed_by", sa.String(80), nullable=False),
    sqlite_autoincrement=True,
)
"""Edits that are not published; `draft` is the JSON of `console.api.models.AnyKept`. `version` grows with each change;
`login` saved it last, `reviewed_by` is empty until it is reviewed as it was saved."""

draft_checks = sa.Table(
    "console_draft_checks",
    metadata,
    sa.Column("id", _ID, primary_key=True, autoincrement=True),
    sa.Column("login", sa.String(80), nullable=False),
    sa.Column("place", sa.String(500), nullable=False),
    sa.Column("draft", sa.Text, nullable=False),
    sa.Column("seen", sa.String(64), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("result", sa.Text, nullable=False),
    sa.UniqueConstraint("login", "place"),
    sqlite_autoincrement=True,
)
"""Drafts that the school's checked questions are asked of; `draft` is the JSON of `console.api.models.BuiltDraft`, of
what was seen at the version `seen`. `result` is JSON, empty until all are asked (`console.draft_checks`)."""

differing_entries = sa.Table(
    "console_differing_entries",
    metadata,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("login", sa.String(80), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
"""Pairs of FAQ entries that nearly ask the same and are found to differ (`console.differing_entries`)."""

unfinished_publications = sa.Table(
    "console_unfinished_publications",
    metadata,
    sa.Column("id", _ID, primary_key=True, autoincrement=True),
    sa.Column("login", sa.String(80), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("publication", sa.Text, nullable=False),
)
"""Publications of entries that are under way, or were at the last crash (`console.unfinished_publications`)."""
