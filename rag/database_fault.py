"""Faults of a database in words for the person who must act: which file, and the way back."""

from __future__ import annotations

from dataclasses import dataclass

GUIDE = "docs/van-hanh.md"


@dataclass(frozen=True, slots=True)
class DatabaseFault:
    """A fault and its remedy. A `lasting` one does not end by itself: the file must be replaced."""

    message: str
    mend: str
    lasting: bool = False


def explain(error: str, place: str) -> DatabaseFault:
    """Return the fault behind a database's error message. `place` is the file, or the server without its password."""
    told = error.lower()
    if "malformed" in told or "not a database" in told or "corrupt" in told:
        return DatabaseFault(
            f"{place} is damaged ({error})",
            f"Stop Covan, put {place} aside with its -wal and -shm files, and copy the last backup to its place; "
            f"without a backup: sqlite3 ASIDE .recover | sqlite3 {place}, or start without the file "
            f"({GUIDE}, Sao lưu và phục hồi).",
            lasting=True,
        )
    if "full" in told or "no space" in told:
        return DatabaseFault(
            f"there is no space left for {place} ({error})",
            "Free space on its disk; Covan goes on by itself, and platforms repeat what it could not take.",
        )
    if "locked" in told or "busy" in told:
        return DatabaseFault(
            f"{place} is locked by another program ({error})",
            f"End the program that holds it (fuser {place} names it); Covan goes on by itself.",
        )
    if "readonly" in told or "read-only" in told or "unable to open" in told or "permission" in told:
        return DatabaseFault(
            f"{place} cannot be written to ({error})",
            f"Give it, and its folder, to the user that runs Covan: sudo chown -R USER FOLDER of {place}.",
        )
    return DatabaseFault(
        f"{place} does not work ({error})",
        "Is the database server running? See .covan/logs, and " + GUIDE + ".",
    )
