"""Several processes run the tests side by side (`pytest -n 3 --dist loadgroup`): by groups, with ports of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from reserved_ports import reserve_port

RESERVE = "import reserved_ports, sys; print(reserved_ports.reserve_port(), flush=True); sys.stdin.read()"


def test_a_test_is_known_by_its_group(request: pytest.FixtureRequest) -> None:
    """pytest-xdist sends tests to processes by the end of their names."""
    if not hasattr(request.config, "workerinput"):
        pytest.skip("one process runs all tests")

    assert request.node.nodeid.endswith("@tests/test_several_processes.py")


def test_a_process_never_gets_the_same_port_twice() -> None:
    assert reserve_port() != reserve_port()


def test_two_processes_never_get_the_same_port() -> None:
    ports = [reserve_port()]
    stand_ins = Path(__file__).parent / "stand_ins"
    with subprocess.Popen(
        [sys.executable, "-c", RESERVE], cwd=stand_ins, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        ports += [int(other.stdout.readline()), reserve_port()]
        other.stdin.close()

    assert len(set(ports)) == 3
