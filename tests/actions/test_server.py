"""The action server as a process: readiness, the protocol, loopback only."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest
from reserved_ports import reserve_port

from covan.domain import read_domain
from covan.project import ROOT

pytestmark = pytest.mark.stack

START_TIMEOUT_S = 60


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, psutil.Process]]:
    """`covan actions` over a state folder without an index."""
    port = reserve_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "covan", "actions", "--port", str(port)],
        cwd=ROOT,
        env={**os.environ, "COVAN_STATE_DIR": str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(url, {200, 503})
        yield url, psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(timeout=30)


def wait_for(url: str, statuses: set[int]) -> httpx.Response:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        try:
            answer = httpx.get(f"{url}/health", trust_env=False)
            if answer.status_code in statuses:
                return answer
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    raise AssertionError(f"no answer with {statuses} within {START_TIMEOUT_S} s")


def test_without_an_index_it_is_not_ready_and_still_apologises(server: tuple[str, psutil.Process]) -> None:
    url, process = server

    health = httpx.get(f"{url}/health", trust_env=False)
    told = health.json()
    assert (health.status_code, told["status"]) == (503, "loading")
    # Opening begins after the start.
    deadline = time.monotonic() + START_TIMEOUT_S
    while not (told := httpx.get(f"{url}/health", trust_env=False).json())["problem"]:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert "covan index" in told["problem"]

    call = {
        "next_action": "action_answer",
        "sender_id": "student",
        "tracker": {
            "sender_id": "student",
            "slots": {},
            "latest_message": {"text": "học phí?", "intent": {}, "entities": []},
            "events": [],
            "paused": False,
            "active_loop": {},
            "latest_action_name": "action_listen",
        },
    }
    said = httpx.post(f"{url}/webhook", json=call, trust_env=False, timeout=30)
    assert said.status_code == 200
    assert [response["response"] for response in said.json()["responses"]] == ["utter_apology"]

    listening = [c.laddr.ip for c in process.net_connections(kind="tcp") if c.status == psutil.CONN_LISTEN]
    assert listening == ["127.0.0.1"]


def test_it_offers_exactly_the_actions_of_the_domain(server: tuple[str, psutil.Process]) -> None:
    url, _ = server
    domain = read_domain()

    offered = {action["name"] for action in httpx.get(f"{url}/actions", trust_env=False).json()}
    assert offered == set(domain["actions"])
