"""Leave the processors to the front door first.

A platform repeats what is not acknowledged in time, while a student waits for a reply as for a person's. Reading,
answering and training fill every processor of a small machine; with a lower priority they leave the front door what it
needs, and share the rest.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

ANSWERING = 10
"""Niceness of Rasa and the action server: the Linux scheduler gives the front door nine times their share."""

TRAINING = 15
"""Niceness of a training, and of building the index: the students' replies come before it."""


def with_niceness(niceness: int, command: Sequence[str]) -> list[str]:
    """Return the command line that runs `command` with a lower priority; unchanged where there is no `nice`."""
    nice = shutil.which("nice")
    return [*(() if nice is None else (nice, "-n", str(niceness))), *command]


def give_way(niceness: int) -> None:
    """Lower the priority of this process, and of the processes and threads that it starts, to `niceness`, unless it has
    a lower one. Nothing happens where the system has no such thing."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, max(niceness, os.getpriority(os.PRIO_PROCESS, 0)))
