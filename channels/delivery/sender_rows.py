"""The rows of the students: their address, and when they last wrote."""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from channels.delivery.database import insert_into, of_student
from channels.delivery.tables import senders

NO_ADDRESS = "{}"


def store_senders(db: Connection, addresses: Mapping[tuple[str, str], Mapping[str, Any]], now: float) -> None:
    """Store the address and the time of senders; an empty address leaves the one before."""
    if not addresses:
        return
    row = insert_into(db, senders)
    address = sa.case((row.excluded.address == NO_ADDRESS, senders.c.address), else_=row.excluded.address)
    stored = row.on_conflict_do_update(
        index_elements=[senders.c.channel, senders.c.sender],
        set_={"heard_at": row.excluded.heard_at, "address": address},
    )
    db.execute(
        stored,
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


def by_channel(keys: Collection[tuple[str, str]]) -> Sequence[tuple[str, Sequence[str]]]:
    """Return each channel with its senders."""
    return [
        (channel, [sender for _, sender in of_channel])
        for channel, of_channel in itertools.groupby(sorted(keys), key=lambda key: key[0])
    ]
