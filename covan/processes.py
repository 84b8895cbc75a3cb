"""Starting the servers, keeping them up, and ending every one of them.

Each server is a child in a session of its own, so that Ctrl-C in the terminal reaches only the supervisor.
It then ends them, together with whatever they started themselves. Should the supervisor be killed outright,
Linux ends its children for it (PR_SET_PDEATHSIG).
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from covan.log_files import delete_old, put_aside
from rag.errors import CovanError

READY_POLL_S = 0.3
LOG_TAIL_LINES = 15
LOG_LOOK_S = 10.0
"""Seconds between two looks at the sizes of the logs."""

FIRST_BACK_OFF_S = 1.0
LONGEST_BACK_OFF_S = 60.0
MOST_DOUBLINGS = 10
"""Of the back-off; 2.0 to the power of 1024 is an OverflowError."""
STEADY_S = 120.0
"""After running this long a server counts as stable: its next crash restarts the back-off."""

_PR_SET_PDEATHSIG = 1


class StartError(CovanError):
    """A server did not come up; the message holds the end of its log and what to do."""


@dataclass(frozen=True, slots=True)
class Service:
    """One server to run: its command, and the address that answers 200 once it can work."""

    name: str
    title: str
    command: Sequence[str]
    ready_url: str
    cwd: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    start_timeout_s: float = 180.0
    stop_timeout_s: float = 10.0
    hint: str = ""


class Clock:
    """The passing of time, so that a test need not wait for a back-off."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def back_off(failures: int) -> float:
    """Return seconds to wait before the next start after so many crashes in a row (1, 2, 4, ... up to a minute)."""
    return min(FIRST_BACK_OFF_S * 2.0 ** min(max(failures - 1, 0), MOST_DOUBLINGS), LONGEST_BACK_OFF_S)


def log_tail(path: Path, lines: int = LOG_TAIL_LINES) -> str:
    """Return the last lines of a log, indented; empty when there is none."""
    try:
        with path.open("rb") as log:
            log.seek(max(0, path.stat().st_size - 16_384))
            text = log.read().decode("utf-8", errors="replace")
    except OSError:
        return ""
    return "\n".join(f"    {line}" for line in text.splitlines()[-lines:])


def _bind_to_parent() -> Callable[[], None] | None:
    """Return the function that ties a child's life to this process, for `preexec_fn`; None where impossible."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        prctl = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):
        return None
    parent = os.getpid()

    def bind() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return bind


class Child:
    """A running server."""

    def __init__(
        self, service: Service, log: Path, process: asyncio.subprocess.Process, started: float
    ) -> None:
        self.service = service
        self.log = log
        self.process = process
        self.started = started

    @property
    def exit_code(self) -> int | None:
        return self.process.returncode

    def signal_group(self, number: signal.Signals) -> None:
        """Signal the server and all that it started; the group may be gone already."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)

    def group_is_gone(self) -> bool:
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        return False

    async def end(self) -> None:
        """Ask the server and its own children to end; insist after `stop_timeout_s`."""
        self.signal_group(signal.SIGTERM)
        try:
            async with asyncio.timeout(self.service.stop_timeout_s):
                await self.process.wait()
                while not self.group_is_gone():
                    await asyncio.sleep(0.05)
        except TimeoutError:
            pass
        finally:
            # Also when the wait itself was cancelled by a second Ctrl-C: nothing may be left behind.
            self.signal_group(signal.SIGKILL)
        await self.process.wait()


class Supervisor:
    """Starts services, waits until they are ready, restarts those that crash, ends all at the end.

    `report` is told in a sentence whatever the person at the terminal should know.
    """

    def __init__(self, log_dir: Path, report: Callable[[str], None], clock: Clock | None = None) -> None:
        self._log_dir = log_dir
        self._report = report
        self._clock = clock or Clock()
        self._children: dict[str, Child] = {}
        self._ended = False

    @property
    def children(self) -> Sequence[Child]:
        return tuple(self._children.values())

    async def start(self, service: Service) -> Child:
        """Start a service without waiting for it. Raises StartError when its program cannot be run at all."""
        self._log_dir.mkdir(parents=True, exist_ok=True)
        log = self._log_dir / f"{service.name}.log"
        put_aside(log)
        try:
            with log.open("ab") as output:
                process = await asyncio.create_subprocess_exec(
                    *service.command,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=output,
                    stderr=asyncio.subprocess.STDOUT,
                    cwd=service.cwd,
                    env={**os.environ, **service.environment},
                    start_new_session=True,
                    preexec_fn=_bind_to_parent(),
                )
        except OSError as error:
            raise StartError(
                f"{service.title} cannot be started: {error}.\n{service.hint or 'Run: make setup'}"
            ) from error
        child = Child(service, log, process, self._clock.now())
        self._children[service.name] = child
        if self._ended:
            await child.end()
        return child

    async def wait_until_ready(self, child: Child, client: httpx.AsyncClient) -> None:
        """Return once the service answers 200. Raises StartError when it ends before, or takes too long."""
        service = child.service
        try:
            async with asyncio.timeout(service.start_timeout_s):
                while not await _answers(client, service.ready_url):
                    if child.exit_code is not None:
                        raise StartError(self._failure(child, f"ended at once with code {child.exit_code}"))
                    await asyncio.sleep(READY_POLL_S)
        except TimeoutError as error:
            problem = f"was not ready within {service.start_timeout_s:.0f} seconds"
            raise StartError(self._failure(child, problem)) from error

    def _failure(self, child: Child, problem: str) -> str:
        parts = [f"{child.service.title} {problem}."]
        if tail := log_tail(child.log):
            parts.append(f"The end of {child.log}:\n{tail}")
        parts.append(child.service.hint or "See the log above; `covan doctor` checks the installation.")
        return "\n".join(parts)

    async def keep_up(self, child: Child) -> None:
        """Restart the service whenever it ends by itself, more and more slowly; runs until cancelled."""
        failures = 0
        while True:
            code = await child.process.wait()
            failures = 1 if self._clock.now() - child.started > STEADY_S else failures + 1
            # Children of the dead server must not keep its port.
            child.signal_group(signal.SIGKILL)
            pause = back_off(failures)
            self._report(
                f"{child.service.title} ended with code {code}; it starts again in {pause:.0f} s "
                f"(its log: {child.log})."
            )
            await self._clock.sleep(pause)
            try:
                child = await self.start(child.service)
            except StartError as error:
                self._report(str(error))
                continue
            self._report(f"{child.service.title} was started again.")

    async def keep_logs_small(self, days: float) -> None:
        """Put logs aside that grow too large, and delete those put aside `days` ago (0: never); runs until
        cancelled."""
        while True:
            # On a full disk, say; the next look tries again.
            with contextlib.suppress(OSError):
                await asyncio.to_thread(self._tidy_logs, days)
            await self._clock.sleep(LOG_LOOK_S)

    def _tidy_logs(self, days: float) -> None:
        for child in self.children:
            put_aside(child.log)
        delete_old(self._log_dir, days)

    async def end_all(self) -> None:
        """End every service; safe to call twice."""
        self._ended = True
        await asyncio.gather(*(child.end() for child in self.children))

    def kill_all(self) -> None:
        """End every service at once without waiting: the last resort of an impatient Ctrl-C."""
        for child in self.children:
            child.signal_group(signal.SIGKILL)


async def _answers(client: httpx.AsyncClient, url: str) -> bool:
    try:
        return (await client.get(url, timeout=5.0)).status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False
