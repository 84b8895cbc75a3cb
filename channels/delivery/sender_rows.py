"""The rows of the students: their address, and when they last wrote."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from channels.delivery.database import insert_into, of_student
from channels.delivery.tables import senders

NO_ADDRESS = "{}"

KEYS_OF_A_STATEMENT = 500
"""Students of one statement; SQLite before 3.32 takes 999 values."""

CHANNELS: sa.BindParameter[Any] = sa.bindparam("channels", expanding=True)
NAMES: sa.BindParameter[Any] = sa.bindparam("names", expanding=True)
"""The students that `among` names, and others of equal names: pairs would keep SQLite from using its indexes."""


def store_senders(db: Connection, addresses: Mapping[tuple[str, str], Mapping[str, Any]], now: float) -> None:
    """Store the address and the time of senders; an empty address leaves the one before."""
    if not addresses:
        return
    db.execute(
        _storing(db.dialect.name),
        [
            {
                "channel": channel,
                "sender": sender,
                "heard_at": now,
                "address": json.dumps(dict(addresses[channel, sender])),
            }
            for channel, sender in sorted(addresses)
        ],
    )


@cache
def _storing(dialect: str) -> Any:
    row = insert_into(dialect, senders)
    address = sa.case((row.excluded.address == NO_ADDRESS, senders.c.address), else_=row.excluded.address)
    return row.on_conflict_do_update(
        index_elements=[senders.c.channel, senders.c.sender],
        set_={"heard_at": row.excluded.heard_at, "address": address},
    )


def ensure_sender(db: Connection, channel: str, sender: str) -> None:
    """Make the row by whose lease a student is served; it is missing after an erasure."""
    if db.execute(of_student(sa.select(senders.c.sender), senders, channel, sender)).first() is not None:
        return
    # Another process may be quicker.
    with suppress(sa.exc.IntegrityError), db.begin_nested():
        db.execute(senders.insert().values(channel=channel, sender=sender))


def locked_address(db: Connection, channel: str, sender: str) -> dict[str, Any]:
    """Return the sender's address; the row stays locked to the end of the transaction."""
    query = of_student(sa.select(senders.c.address), senders, channel, sender).with_for_update()
    found: dict[str, Any] = json.loads(db.execute(query).scalar() or "{}")
    return found


def among(keys: Collection[tuple[str, str]]) -> Iterator[Mapping[str, Sequence[str]]]:
    """Yield the values of `CHANNELS` and `NAMES` for students by channel and name, so many as a statement takes."""
    ordered = list(keys)
    for first in range(0, len(ordered), KEYS_OF_A_STATEMENT):
        some = ordered[first : first + KEYS_OF_A_STATEMENT]
        yield {"channels": sorted({channel for channel, _ in some}), "names": [name for _, name in some]}
