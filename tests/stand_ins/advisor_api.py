"""A server with the advisors' and the website's API, for tests of the commands that talk to it (advisor_server.py)."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from reserved_ports import reserve_port

from covan import front_door
from covan.project import ROOT
from rag.settings import Settings

START_TIMEOUT_S = 120.0
DEADLINE_S = 20.0


@dataclass
class Office:
    """The API, and what a student and the platform do."""

    url: str
    client: httpx.Client

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.url.rpartition(":")[2])

    def asked(self, sender: str, question: str = "Em muốn bảo lưu", **more: object) -> int:
        """A student who waits for a person; the number of the conversation."""
        told = self.client.post(
            f"{self.url}/test/hand_over", json={"sender": sender, "question": question, **more}
        )
        return int(told.raise_for_status().json()["id"])

    def sent(self, sender: str, count: int) -> list[str]:
        """What has reached a student, once it is so much."""
        deadline = time.monotonic() + DEADLINE_S
        while True:
            every = self.client.get(f"{self.url}/test/sent").raise_for_status().json()
            texts = [each["text"] for each in every if each["sender"] == sender]
            if len(texts) >= count or time.monotonic() > deadline:
                return texts
            time.sleep(0.05)

    def deliverable(self, sender: str) -> None:
        """What was in the way of a student's messages is gone."""
        self.client.post(f"{self.url}/test/deliverable", json={"sender": sender}).raise_for_status()


@contextmanager
def office(folder: Path, settings: Settings) -> Iterator[Office]:
    """Run one with these settings on a free port. Raises RuntimeError with its log when it does not start."""
    port = reserve_port()
    program = ROOT / "tests" / "stand_ins" / "advisor_server.py"
    own = settings.model_copy(update={"channels_db": f"sqlite:///{folder / 'channels.sqlite'}"})
    environment = {**os.environ, **front_door.environment(own)}
    with (
        (folder / "log").open("wb") as log,
        httpx.Client(trust_env=False) as client,
        subprocess.Popen(
            [sys.executable, str(program), str(port)], env=environment, stdout=log, stderr=log
        ) as server,
    ):
        try:
            url, deadline = f"http://127.0.0.1:{port}", time.monotonic() + START_TIMEOUT_S
            while True:
                try:
                    client.get(f"{url}/test/sent").raise_for_status()
                    break
                except httpx.HTTPError as error:
                    if server.poll() is not None or time.monotonic() > deadline:
                        raise RuntimeError((folder / "log").read_text(errors="replace")[-3000:]) from error
                    time.sleep(0.1)
            yield Office(url, client)
        finally:
            server.terminate()
