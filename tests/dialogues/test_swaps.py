"""A newly trained model goes live while students talk: nothing is lost, nothing said twice, nothing left open."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest
from real_servers import RealServers

from covan.live_model import ModelRefusedError, announced, wait_until_live
from covan.ports import holder
from covan.rasa_model import ensure_model

pytestmark = pytest.mark.stack

SWAPS = 20
SETTLED = 4
"""After so many swaps pools and caches have their size; growth is counted from there."""

STUDENTS = 3
MESSAGES = ("tạm biệt", "Khi nào thì bị cảnh báo học vụ?", "cảm ơn bạn", "em k48")
LIVE_WITHIN_S = 60

MORE_FILES = 3
MORE_THREADS = 2
MORE_MEMORY = 60_000_000
"""Bytes that twenty swaps may add: a tenth of one server; one model kept by mistake each time would add more."""


def with_farewell(model: Path, text: str, to: Path) -> None:
    """Write a model that differs from `model` in how it says goodbye; complete, before it is at `to`."""
    unfinished = to.with_suffix(".unfinished")
    with tarfile.open(model) as before, tarfile.open(unfinished, "w:gz", compresslevel=0) as after:
        for member in before.getmembers():
            content = before.extractfile(member) if member.isfile() else None
            data = content.read() if content else b""
            if member.name.endswith("metadata.json"):
                metadata = json.loads(data)
                metadata["domain"]["responses"]["utter_goodbye"] = [{"text": text}]
                data = json.dumps(metadata).encode()
                member.size = len(data)
            after.addfile(member, io.BytesIO(data) if content else None)
    unfinished.replace(to)


class Traffic:
    """Students who send messages without a pause, each in conversations of their own."""

    def __init__(self, servers: RealServers) -> None:
        self._servers = servers
        self._over = threading.Event()
        self._pool = ThreadPoolExecutor(STUDENTS)
        self._students = [self._pool.submit(self._talk, number) for number in range(STUDENTS)]

    def _talk(self, number: int) -> tuple[str, list[str]]:
        sender, said = f"traffic-{number}", []
        while not self._over.is_set():
            message = MESSAGES[len(said) % len(MESSAGES)]
            replies = self._servers.say(sender, message)
            assert replies, message
            assert not any("xin lỗi" in reply["text"].lower() for reply in replies), replies
            said.append(message)
        return sender, said

    def end(self) -> list[tuple[str, list[str]]]:
        """Return the messages of each student; fail when one was not answered."""
        self._over.set()
        self._pool.shutdown()
        return [student.result() for student in self._students]


@pytest.fixture(scope="module")
def trained() -> Path:
    return ensure_model()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, trained: Path) -> Path:
    models = tmp_path_factory.mktemp("models")
    shutil.copy(trained, models / "first.tar.gz")
    return models


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[RealServers]:
    running = RealServers(tmp_path_factory.mktemp("state"), folder)
    try:
        running.up()
        yield running
    finally:
        running.close()


@pytest.fixture(scope="module", autouse=True)
def running(servers: RealServers) -> Iterator[None]:
    """The servers as `covan up` announces them."""
    with announced(servers.settings):
        yield


def live(servers: RealServers) -> dict[str, dict[str, str]]:
    status: dict[str, dict[str, str]] = httpx.get(
        f"http://127.0.0.1:{servers.settings.rasa_port}/webhooks/models/", trust_env=False, timeout=30
    ).json()
    return status


def events(servers: RealServers, sender: str, kind: str) -> list[str]:
    return [event["text"] for event in servers.tracker(sender, "ALL")["events"] if event["event"] == kind]


def test_twenty_swaps_under_traffic_lose_nothing_and_leave_nothing_open(
    servers: RealServers, folder: Path, trained: Path
) -> None:
    found = holder(servers.settings.rasa_port)
    assert found is not None
    process = psutil.Process(found.pid)
    traffic = Traffic(servers)
    seen: list[tuple[int, int, int]] = []
    try:
        for number in range(SWAPS):
            name, farewell = f"model-{number % 2}.tar.gz", f"Tạm biệt bạn, lần thứ {number}."
            with_farewell(trained, farewell, folder / name)
            deadline = time.monotonic() + LIVE_WITHIN_S
            while servers.say(f"swap-{number}", "tạm biệt")[0]["text"] != farewell:
                assert time.monotonic() < deadline, servers.log("rasa").read_text(encoding="utf-8")[-3000:]
                time.sleep(0.2)
            seen.append((process.num_fds(), process.num_threads(), process.memory_info().rss))
    finally:
        said = traffic.end()

    for sender, messages in said:
        assert len(messages) > SWAPS
        assert events(servers, sender, "user") == messages, "each message was taken once, in order"
        assert len(events(servers, sender, "bot")) == len(messages), "and answered once"
    files, threads, memory = (
        max(late) - max(early)
        for early, late in zip(
            zip(*seen[:SETTLED], strict=True), zip(*seen[SETTLED:], strict=True), strict=True
        )
    )
    assert files <= MORE_FILES
    assert threads <= MORE_THREADS
    assert memory <= MORE_MEMORY


def test_a_model_that_cannot_be_loaded_is_refused_and_the_one_before_stays(
    servers: RealServers, folder: Path, trained: Path
) -> None:
    before = live(servers)["model"]["name"]
    broken = folder / "broken.tar.gz"
    broken.write_bytes(b"no model")
    with pytest.raises(ModelRefusedError, match=broken.name):
        wait_until_live(servers.settings, broken)

    assert live(servers)["model"]["name"] == before
    assert servers.say("broken", "Khi nào thì bị cảnh báo học vụ?")[0]["text"]

    with_farewell(trained, "Hẹn gặp lại.", mended := folder / "mended.tar.gz")
    assert wait_until_live(servers.settings, mended)
    assert live(servers)["refused"] is None
    assert servers.say("mended", "tạm biệt")[0]["text"] == "Hẹn gặp lại."


def test_a_conversation_goes_on_with_the_next_model(
    servers: RealServers, folder: Path, trained: Path
) -> None:
    servers.say("goes-on", "em k48 ạ")
    with_farewell(trained, "Hẹn gặp lại.", new := folder / "next.tar.gz")
    assert wait_until_live(servers.settings, new)

    assert "48" in servers.say("goes-on", "hệ đại trà")[0]["text"]
    assert servers.known("goes-on") == {"cohort": "48", "program": "standard"}


def test_nothing_is_waited_for_where_nothing_runs(
    tmp_path: Path, servers: RealServers, trained: Path
) -> None:
    elsewhere = servers.settings.model_copy(update={"state_dir": tmp_path / "elsewhere"})

    assert not wait_until_live(elsewhere, trained)
