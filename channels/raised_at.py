"""Name the place of an error for a log that must hold neither a student's words nor a traceback for each bad input."""

from __future__ import annotations

from pathlib import Path
from traceback import extract_tb


def raised_at(error: BaseException) -> str:
    """Return the error's type and where it was raised: "KeyError at telegram/_update.py:812"."""
    frames = extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    path = Path(frames[-1].filename)
    return f"{type(error).__name__} at {path.parent.name}/{path.name}:{frames[-1].lineno}"
