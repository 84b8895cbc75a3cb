"""The current day at the school, which "em năm 2", "mai" and days until a deadline count from."""

from __future__ import annotations

import os
from datetime import date, datetime
from zoneinfo import ZoneInfo

TODAY = "COVAN_TODAY"
"""The environment variable that sets the day (2026-11-22) for tests and rehearsals."""


def today(time_zone: str = "") -> date:
    """Return the day of COVAN_TODAY, else the day it is now in a time zone of the IANA database.

    Without a time zone, the machine's counts.

    Raises:
        ValueError: when COVAN_TODAY is set and is no ISO date.
    """
    set_day = os.environ.get(TODAY)
    if not set_day:
        return datetime.now(ZoneInfo(time_zone) if time_zone else None).date()
    try:
        return date.fromisoformat(set_day)
    except ValueError as error:
        raise ValueError(f"{TODAY} must be a day like 2026-11-22, not '{set_day}'") from error
