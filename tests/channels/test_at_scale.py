"""Two Rasa processes, two action servers, two front doors on PostgreSQL and Redis, started as docs/van-hanh.md says."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import jwt
import pytest
from operators_guide import blocks, variables
from real_postgres import RealPostgres
from real_redis import RealRedis
from reserved_ports import reserve_port

from channels.rasa_client import weight
from covan.project import ROOT
from covan.rasa_model import ensure_model
from rag.settings import Settings

pytestmark = [pytest.mark.stack, pytest.mark.services]

HEADING = "Nhiều tiến trình"
PASSWORD = "p@ss:w/o%rd#?&"
START_S = 240.0
REPLY_S = 90.0
STUDENTS = 6


class Outside:
    """A proxy that everything would go through that asks an outside host; it counts, and refuses."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.asked: list[str] = []
        threading.Thread(target=self._refuse, daemon=True).start()

    def _refuse(self) -> None:
        while True:
            try:
                asking, _ = self._listening.accept()
            except OSError:
                return
            with asking:
                self.asked.append(asking.recv(500).decode("latin-1").partition("\r\n")[0])

    def close(self) -> None:
        self._listening.close()


@dataclass
class Scale:
    """The processes by the words of their commands, and where they listen."""

    directory: Path
    environment: Mapping[str, str]
    ports: Mapping[str, str]
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, line: str) -> None:
        """Run a line of the guide, with other ports."""
        command = line.split()
        command = [self.ports.get(word, word) for word in command]
        with (self.directory / f"{len(self.running)}.log").open("wb") as log:
            self.running[line] = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, **self.environment},
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def logs(self) -> str:
        """Return all that the processes have said."""
        return "\n".join(path.read_text(errors="replace") for path in sorted(self.directory.glob("*.log")))

    def url(self, port: str) -> str:
        return f"http://127.0.0.1:{self.ports[port]}"

    def stop(self) -> None:
        for process in self.running.values():
            process.send_signal(signal.SIGTERM)
        for process in self.running.values():
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


@pytest.fixture(scope="module")
def outside() -> Iterator[Outside]:
    proxy = Outside()
    yield proxy
    proxy.close()


@pytest.fixture(scope="module")
def scale(tmp_path_factory: pytest.TempPathFactory, outside: Outside) -> Iterator[Scale]:
    directory = tmp_path_factory.mktemp("scale")
    # What `covan index` and `covan train` make, which the tests have already.
    made = ROOT / ".covan"
    model = ensure_model(Settings(state_dir=made))
    (directory / "models").mkdir()
    shutil.copy(model, directory / "models")
    shutil.copytree(made / "rasa", directory / "rasa")
    shutil.copytree(Settings(state_dir=made).index_dir, Settings(state_dir=directory).index_dir)
    env, prepare, commands = blocks(HEADING)
    assert [line.split()[1] for line in prepare.splitlines()] == ["index", "train"]
    ports = {port: str(reserve_port()) for port in ("5005", "5006", "5055", "5056", "8000", "8001")}
    with RealPostgres() as postgres, RealRedis(PASSWORD) as redis:
        user, place, name = postgres.new_database_with_password(PASSWORD)
        written = {
            key: value.replace("covan:MAT_KHAU@10.0.0.5/covan", f"{user}:{PASSWORD}@{place}/{name}")
            .replace(":MAT_KHAU@10.0.0.5:6379", f":{PASSWORD}@127.0.0.1:{redis.port}")
            .replace("…", f"{key.lower()}-of-the-tests-of-scale")
            for key, value in variables(env).items()
        }
        for port, other in ports.items():
            written["COVAN_RASA_URLS"] = written["COVAN_RASA_URLS"].replace(port, other)
        assert "MAT_KHAU" not in str(written)
        proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), outside.url)
        running = Scale(directory, {**written, **proxies, "COVAN_STATE_DIR": str(directory)}, ports)
        try:
            for line in commands.splitlines():
                running.start(line)
            for port in ("8000", "8001"):
                until(lambda port=port: answers(running.url(port)), START_S, running)  # type: ignore[misc]
            # Both Rasa processes, too: a front door is ready with one.
            for port in ("5005", "5006"):
                until(
                    lambda port=port: answers(running.url(port), "/webhooks/internal/"),  # type: ignore[misc]
                    START_S,
                    running,
                )
            yield running
        finally:
            running.stop()


def until(condition: Callable[[], object], timeout_s: float, scale: Scale) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        ended = [
            line for line, process in scale.running.items() if process.poll() not in (None, -signal.SIGKILL)
        ]
        assert not ended, f"{ended} ended:\n{scale.logs()[-4_000:]}"
        assert time.monotonic() < deadline, scale.logs()[-4_000:]
        time.sleep(0.05)


def answers(url: str, path: str = "/api/health") -> bool:
    try:
        return httpx.get(url + path, timeout=5, trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


class Visitor:
    """A student on the website, who may reach any front door."""

    def __init__(self, doors: Sequence[str]) -> None:
        self._client = httpx.Client(trust_env=False, timeout=30)
        self._doors = doors
        token = self._client.post(f"{doors[0]}/webhooks/web/session", json={}).json()["token"]
        self._headers = {"Authorization": f"Bearer {token}"}
        self.sender = f"web:{jwt.decode(token, options={'verify_signature': False})['sub']}"

    def send(self, door: int, **content: str) -> None:
        body = {"id": str(uuid.uuid4()), **content}
        answer = self._client.post(
            f"{self._doors[door]}/webhooks/web/messages", json=body, headers=self._headers
        )
        assert answer.status_code == 202

    def heard(self, door: int) -> list[str]:
        answer = self._client.get(f"{self._doors[door]}/webhooks/web/messages", headers=self._headers)
        return [each["text"] for each in answer.json()["messages"] if each["author"] == "bot"]


def test_fault_14_a_set_up_at_scale_by_the_guide_answers_and_outlives_a_rasa(
    scale: Scale, outside: Outside
) -> None:
    doors = [scale.url("8000"), scale.url("8001")]
    students = [Visitor(doors) for _ in range(STUDENTS)]
    for number, student in enumerate(students):
        student.send(number % 2, text="em là sinh viên khóa 47")
    for number, student in enumerate(students):
        # What one front door took, the other shows.
        until(lambda s=student, n=number: s.heard(1 - n % 2), REPLY_S, scale)  # type: ignore[misc]

    rasas = scale.environment["COVAN_RASA_URLS"].split(",")
    mine = [max(rasas, key=lambda url: weight(url, student.sender)) for student in students]
    gone = mine[0]
    port = next(port for port in ("5005", "5006") if scale.ports[port] == gone.rpartition(":")[2])
    (line,) = (line for line in scale.running if f"rasa --port {port}" in line)
    scale.running[line].kill()
    before = [len(student.heard(0)) for student in students]
    for number, student in enumerate(students):
        student.send(1 - number % 2, command="profile")
    for student, count in zip(students, before, strict=True):
        until(lambda s=student, c=count: len(s.heard(0)) > c, REPLY_S, scale)  # type: ignore[misc]
        # Whichever Rasa answers knows what was said to the other.
        assert "47" in student.heard(0)[-1]

    assert outside.asked == []
    said = scale.logs()
    assert PASSWORD not in said
    assert "Traceback" not in said
