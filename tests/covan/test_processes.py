"""Servers are started, watched, restarted and ended, with nothing left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import psutil
import pytest
from reserved_ports import reserve_port

from covan.log_files import delete_old
from covan.processes import Child, Clock, Service, StartError, Supervisor, back_off

SERVER = textwrap.dedent(
    """
    import http.server, subprocess, sys
    port, marks = int(sys.argv[1]), sys.argv[2]
    # As Sanic does with its workers: a process of the server's own, in the same group.
    worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    open(marks, "a").write(f"{worker.pid}\\n")
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200); self.end_headers(); self.wfile.write(b"ok")
        def log_message(self, *args): pass
    print("listening", flush=True)
    http.server.HTTPServer(("127.0.0.1", port), Handler).serve_forever()
    """
)


class QuickClock(Clock):
    """Waits are noted and over at once."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        await asyncio.sleep(0)


def make_service(tmp_path: Path, code: str = SERVER, **changes: object) -> Service:
    port = reserve_port()
    (tmp_path / "server.py").write_text(code)
    values: dict[str, object] = {
        "name": "tiny",
        "title": "The tiny server",
        "command": [sys.executable, str(tmp_path / "server.py"), str(port), str(tmp_path / "workers")],
        "ready_url": f"http://127.0.0.1:{port}/",
        "cwd": tmp_path,
        "stop_timeout_s": 5.0,
        "start_timeout_s": 30.0,
    }
    return Service(**{**values, **changes})  # type: ignore[arg-type]


def workers(tmp_path: Path) -> list[int]:
    path = tmp_path / "workers"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def eventually(condition: Callable[[], bool], what: str, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"never happened: {what}"
        time.sleep(0.05)


async def start_and_wait(supervisor: Supervisor, service: Service) -> Child:
    async with httpx.AsyncClient(trust_env=False) as client:
        child = await supervisor.start(service)
        await supervisor.wait_until_ready(child, client)
    return child


def test_a_server_and_what_it_started_are_ended(tmp_path: Path) -> None:
    async def scenario() -> int:
        supervisor = Supervisor(tmp_path / "logs", print)
        child = await start_and_wait(supervisor, make_service(tmp_path))
        await supervisor.end_all()
        return child.process.pid

    pid = asyncio.run(scenario())

    assert len(workers(tmp_path)) == 1
    assert not is_alive(pid)
    assert not any(map(is_alive, workers(tmp_path)))
    assert "listening" in (tmp_path / "logs" / "tiny.log").read_text()


def test_a_server_that_will_not_end_is_killed(tmp_path: Path) -> None:
    stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + SERVER

    async def scenario() -> int:
        supervisor = Supervisor(tmp_path / "logs", print)
        child = await start_and_wait(supervisor, make_service(tmp_path, stubborn, stop_timeout_s=0.3))
        await supervisor.end_all()
        return child.process.pid

    assert not is_alive(asyncio.run(scenario()))
    # The signal cannot be refused, but the kernel takes a moment to carry it out.
    eventually(lambda: not any(map(is_alive, workers(tmp_path))), "what it had started ends")


def test_a_server_that_ends_at_once_is_told_with_the_end_of_its_log(tmp_path: Path) -> None:
    service = make_service(tmp_path, "raise SystemExit('no module named rasa')", hint="Run: make setup")

    with pytest.raises(StartError) as raised:
        asyncio.run(start_and_wait(Supervisor(tmp_path / "logs", print), service))

    message = str(raised.value)
    assert "The tiny server ended at once with code 1." in message
    assert "no module named rasa" in message
    assert message.endswith("Run: make setup")


def test_a_server_that_never_answers_is_given_up(tmp_path: Path) -> None:
    service = make_service(tmp_path, "import time; time.sleep(60)", start_timeout_s=0.5)

    async def scenario() -> None:
        supervisor = Supervisor(tmp_path / "logs", print)
        try:
            await start_and_wait(supervisor, service)
        finally:
            await supervisor.end_all()

    with pytest.raises(StartError, match="was not ready within"):
        asyncio.run(scenario())


def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    service = make_service(tmp_path, command=[str(tmp_path / "absent")])

    with pytest.raises(StartError, match="The tiny server cannot be started"):
        asyncio.run(Supervisor(tmp_path / "logs", print).start(service))


def test_a_crashed_server_is_started_again_more_and_more_slowly(tmp_path: Path) -> None:
    told: list[str] = []
    clock = QuickClock()

    async def scenario() -> None:
        supervisor = Supervisor(tmp_path / "logs", told.append, clock)
        service = make_service(tmp_path)
        child = await start_and_wait(supervisor, service)
        watching = asyncio.create_task(supervisor.keep_up(child))
        async with httpx.AsyncClient(trust_env=False) as client:
            for _ in range(3):
                (current,) = supervisor.children
                os.kill(current.process.pid, signal.SIGKILL)
                while supervisor.children == (current,):
                    await asyncio.sleep(0.01)
                await supervisor.wait_until_ready(supervisor.children[0], client)
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        await supervisor.end_all()

    asyncio.run(scenario())

    assert clock.waits == [1.0, 2.0, 4.0]
    assert told[0].startswith("The tiny server ended with code -9; it starts again in 1 s")
    assert told[1] == "The tiny server was started again."
    assert len(workers(tmp_path)) == 4
    assert not any(map(is_alive, workers(tmp_path)))


def test_the_pause_before_a_restart_doubles_up_to_a_minute() -> None:
    assert [back_off(failures) for failures in (1, 2, 3, 7, 50, 5_000)] == [1, 2, 4, 60, 60, 60]


def test_a_log_that_has_grown_large_is_put_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("covan.log_files.MAX_BYTES", 10)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "tiny.log").write_text("what was said before\n")

    async def scenario() -> None:
        supervisor = Supervisor(tmp_path / "logs", print)
        await start_and_wait(supervisor, make_service(tmp_path))
        await supervisor.end_all()

    asyncio.run(scenario())

    assert (tmp_path / "logs" / "tiny.log.1").read_text() == "what was said before\n"
    assert "before" not in (tmp_path / "logs" / "tiny.log").read_text()


UP = textwrap.dedent(
    """
    import asyncio, sys
    from pathlib import Path
    from rich.console import Console
    from covan.commands.up import serve
    from covan.processes import Service
    from rag.settings import Settings
    home, script, *ports = sys.argv[1:]
    servers = [
        Service(
            name=f"tiny{port}", title=f"Server {port}", cwd=Path(home), ready_url=f"http://127.0.0.1:{port}/",
            command=[sys.executable, script, port, f"{home}/workers"], start_timeout_s=30.0,
        )
        for port in ports
    ]
    asyncio.run(serve(servers, Settings(state_dir=Path(home)), Console(), browser=False))
    """
)


def start_up(tmp_path: Path, code: str = SERVER) -> tuple[subprocess.Popen[str], list[psutil.Process]]:
    """`covan up`'s own loop over two tiny servers, once both are ready; and all the processes below it."""
    (tmp_path / "server.py").write_text(code)
    first = reserve_port()
    second = reserve_port()
    up = subprocess.Popen(
        [sys.executable, "-c", UP, str(tmp_path), str(tmp_path / "server.py"), str(first), str(second)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert up.stdout is not None
    for line in up.stdout:
        if "The chat is at" in line:
            break
    return up, psutil.Process(up.pid).children(recursive=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_every_process_that_was_started(tmp_path: Path, number: signal.Signals) -> None:
    up, below = start_up(tmp_path)

    up.send_signal(number)

    assert up.wait(20) == 0
    assert len(below) == 4
    assert not any(is_alive(process.pid) for process in below)


def test_a_second_ctrl_c_does_not_wait_for_a_stubborn_server(tmp_path: Path) -> None:
    up, below = start_up(tmp_path, "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + SERVER)

    up.send_signal(signal.SIGINT)
    assert up.stdout is not None
    for line in up.stdout:
        if "Ending" in line:
            break
    up.send_signal(signal.SIGINT)

    assert up.wait(20) == 0
    assert not any(is_alive(process.pid) for process in below)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends children with their parent")
def test_when_up_itself_is_killed_its_servers_end_too(tmp_path: Path) -> None:
    up, _ = start_up(tmp_path)
    servers = psutil.Process(up.pid).children()
    orphans = [
        process for process in psutil.Process(up.pid).children(recursive=True) if process not in servers
    ]

    up.kill()
    up.wait(20)

    eventually(lambda: not any(is_alive(server.pid) for server in servers), "the servers end")
    for orphan in orphans:
        orphan.kill()


def test_when_a_server_does_not_come_up_the_others_are_ended(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(f"import sys\nif sys.argv[1] == '1': sys.exit('broken')\n{SERVER}")
    port = reserve_port()

    result = subprocess.run(
        [sys.executable, "-c", UP, str(tmp_path), str(tmp_path / "server.py"), str(port), "1"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert result.returncode == 1
    assert "Server 1 ended at once" in result.stderr
    assert not any(map(is_alive, workers(tmp_path)))


CHATTERBOX = textwrap.dedent(
    """
    import time
    for number in range(1_000_000):
        print(f"line {number:06}", flush=True)
        time.sleep(0.002)
    """
)


def test_fault_12_a_log_is_put_aside_while_its_server_writes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("covan.log_files.MAX_BYTES", 1000)
    monkeypatch.setattr("covan.processes.LOG_LOOK_S", 0.02)
    logs = tmp_path / "logs"
    log, aside = logs / "tiny.log", logs / "tiny.log.1"

    async def scenario() -> None:
        supervisor = Supervisor(logs, print)
        await supervisor.start(make_service(tmp_path, CHATTERBOX))
        looking = asyncio.create_task(supervisor.keep_logs_small(180))
        await asyncio.to_thread(eventually, aside.exists, "a log put aside")
        size = log.stat().st_size
        await asyncio.to_thread(eventually, lambda: log.stat().st_size > size, "more lines")
        before = aside.read_bytes()
        await asyncio.to_thread(eventually, lambda: aside.read_bytes() not in (before, b""), "a second time")
        looking.cancel()
        await supervisor.end_all()

    asyncio.run(scenario())

    assert log.stat().st_size < 100_000
    for part in (log, aside):
        lines = part.read_text().splitlines()
        assert all(line.startswith("line ") and len(line) == 11 for line in lines[1:-1])


@pytest.mark.parametrize(
    ("days", "left"), [(180, ["new.log.1", "old.log"]), (0, ["new.log.1", "old.log", "old.log.1"])]
)
def test_fault_12_logs_that_were_put_aside_long_ago_are_deleted(
    tmp_path: Path, days: float, left: list[str]
) -> None:
    for name in ("old.log", "old.log.1", "new.log.1"):
        (tmp_path / name).write_text("a line")
        if name.startswith("old"):
            os.utime(tmp_path / name, (time.time(), time.time() - 181 * 24 * 3600))

    delete_old(tmp_path, days)

    assert sorted(path.name for path in tmp_path.iterdir()) == left
