"""Publishes one FAQ entry in a process of its own, which dies before the Nth step that changes a file's place.

.venv/bin/python tests/stand_ins/publishing_process.py SCHOOL INDEX N
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from embedder_stand_in import EmbedderStandIn

from console.publishing import Publisher

QUESTION = "Trường có cho thuê sân bóng không?"
ENTRY = {
    "question": QUESTION,
    "answer": "Có, 200.000 đồng một giờ.\n",
    "topic": "study",
}


def publish(school: Path, index: Path, question: str = QUESTION) -> str:
    """Publish the entry as the console does; return its id."""
    publisher = Publisher(school, index, EmbedderStandIn())
    fields = {**ENTRY, "question": question}
    done = publisher.publish(lambda files: files.added(fields), ("Cô Lan", "lan"), "add", [question])
    return done.entries[0].id


def dying_before(step: int) -> None:
    """Kill this process at the `step`th call that puts a file or a folder in its place."""
    left = step

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **named)

        return call

    os.replace, os.rename = counted(os.replace), counted(os.rename)


if __name__ == "__main__":
    dying_before(int(sys.argv[3]))
    print(json.dumps(publish(Path(sys.argv[1]), Path(sys.argv[2]))))
