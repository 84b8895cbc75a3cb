"""The buttons that students were shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from channels.delivery.database import of_student
from channels.delivery.retention import OPTION_FOR_S
from channels.delivery.tables import options

GOOD, BAD = "!good", "!bad"
"""Payloads of the buttons that rate an answer."""


@dataclass(frozen=True)
class ChosenOption:
    """The title and payload of a pressed button, and the message it belongs to."""

    title: str
    payload: str
    said_id: int


@dataclass(frozen=True)
class OfferedOption(ChosenOption):
    """An option of the bot's last reply; `asks` when its message waits for a choice."""

    asks: bool


def find_option(db: Connection, channel: str, sender: str, option: str, now: float) -> ChosenOption | None:
    """Return the option of a button; None when the student has no such button, or had it too long ago."""
    query = of_student(sa.select(options), options, channel, sender).where(
        options.c.id == option, options.c.at > now - OPTION_FOR_S
    )
    row = db.execute(query).first()
    return None if row is None else ChosenOption(row.title, row.payload, row.said_id)


def payloads(
    db: Connection, channel: str, sender: str, said_ids: Collection[int], now: float
) -> Mapping[str, str]:
    """Return the payloads of the buttons of messages, by the buttons' ids, without those that are too old."""
    query = of_student(sa.select(options.c.id, options.c.payload), options, channel, sender).where(
        options.c.said_id.in_(said_ids), options.c.at > now - OPTION_FOR_S
    )
    return {row.id: row.payload for row in db.execute(query)}
