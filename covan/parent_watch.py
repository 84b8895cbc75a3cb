"""The end of a process with the one that started it, however that ended.

A server that is killed cannot end what it has begun. Linux could (`covan.processes`), but counts the thread that began
it as the parent, and the console's threads come and go.
"""

from __future__ import annotations

import os
import signal
import threading
import time

LOOK_EVERY_S = 0.5


def end_with(parent: int) -> None:
    """End this process, with its group where it leads one, once it is no child of the process `parent` any longer."""
    if os.getppid() != parent:
        _end()
    threading.Thread(target=_watch, args=(parent,), name="parent watch", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_EVERY_S)
    _end()


def _end() -> None:
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGTERM)
    os._exit(1)
