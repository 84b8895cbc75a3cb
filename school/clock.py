"""The current day, which "em năm 2", "mai" and "tuần sau" count from."""

from __future__ import annotations

import os
from datetime import date

TODAY = "COVAN_TODAY"
"""The environment variable that sets the day (2026-11-22) for tests and rehearsals."""


def today() -> date:
    """Return the day of COVAN_TODAY, else that of the machine's clock.

    Raises:
        ValueError: when COVAN_TODAY is set and is no ISO date.
    """
    set_day = os.environ.get(TODAY)
    if not set_day:
        return date.today()
    try:
        return date.fromisoformat(set_day)
    except ValueError as error:
        raise ValueError(f"{TODAY} must be a day like 2026-11-22, not '{set_day}'") from error
