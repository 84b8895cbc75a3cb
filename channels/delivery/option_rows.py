"""The buttons that students were shown."""

from __future__ import annotations

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


def find_option(db: Connection, channel: str, sender: str, option: str, now: float) -> ChosenOption | None:
    """Return the option of a button; None when the student has no such button, or had it too long ago."""
    query = of_student(sa.select(options), options, channel, sender).where(
        options.c.id == option, options.c.at > now - OPTION_FOR_S
    )
    row = db.execute(query).first()
    return None if row is None else ChosenOption(row.title, row.payload, row.said_id)
