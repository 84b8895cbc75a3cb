"""The real servers, as `covan up` runs them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest
from chat_driver import Chat
from playwright.sync_api import Browser, Page
from reserved_ports import reserve_port

from covan.project import ROOT

START_TIMEOUT_S = 900
"""The model may have to be trained and the index to be built first."""

STOP_TIMEOUT_S = 60
RESTART_TIMEOUT_S = 120

TIMEOUT_MS = 60_000
"""Of a page, and of an answer."""

ADVISOR_TOKEN = "a-token-of-the-advisors-office"

LOGIN, PASSWORD, ADVISOR = "lan@truong.example", "mat-khau-thu-nghiem", "Cô Lan"
"""The console's administrator."""


class Stack:
    """`covan up` on ports and in a state folder of its own."""

    def __init__(self, state_dir: Path, knowledge: Path) -> None:
        self._state_dir = state_dir
        self.knowledge = knowledge
        self.rasa_port, self.actions_port, self._page_port, self._console_port = (
            reserve_port() for _ in range(4)
        )
        self.url = f"http://127.0.0.1:{self._page_port}"
        self.console_url = f"http://127.0.0.1:{self._console_port}"

    @property
    def environment(self) -> dict[str, str]:
        """The variables of its commands."""
        return {
            **os.environ,
            "COVAN_STATE_DIR": str(self._state_dir),
            "COVAN_KNOWLEDGE_DIR": str(self.knowledge),
            "COVAN_ADVISOR_TOKEN": ADVISOR_TOKEN,
        }

    def prepare(self) -> None:
        """Make the knowledge folder a git repository, and create the console's administrator."""
        for command in (
            ["init", "-q"],
            ["add", "-A"],
            ["-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "-qm", "start"],
        ):
            subprocess.run(["git", "-C", str(self.knowledge), *command], check=True)
        subprocess.run(
            [sys.executable, "-m", "covan", "console", "create-admin", LOGIN, "--name", ADVISOR],
            cwd=ROOT,
            env={**self.environment, "COVAN_CONSOLE_PASSWORD": PASSWORD},
            check=True,
        )

    def start(self) -> None:
        """Return once the page can be used; fails with all that was said when it does not come to that."""
        self._up = subprocess.Popen(
            [
                *(sys.executable, "-m", "covan", "up", "--no-browser"),
                *("--rasa-port", str(self.rasa_port), "--actions-port", str(self.actions_port)),
                *("--page-port", str(self._page_port), "--console-port", str(self._console_port)),
            ],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        said: list[str] = []
        too_long = threading.Timer(START_TIMEOUT_S, self._up.kill)
        too_long.start()
        try:
            assert self._up.stdout is not None
            for line in self._up.stdout:
                said.append(line)
                if "The advisors' console is at" in line:
                    return
        finally:
            too_long.cancel()
        pytest.fail("".join(said))

    def below(self) -> list[psutil.Process]:
        return psutil.Process(self._up.pid).children(recursive=True)

    def actions(self) -> psutil.Process:
        """The action server's own process, not a worker of it."""
        servers = psutil.Process(self._up.pid).children()
        return next(server for server in servers if "actions" in server.cmdline())

    def stop(self) -> None:
        """End it as Ctrl-C does; nothing of it may be left."""
        below = self.below()
        self._up.send_signal(signal.SIGINT)
        try:
            self._up.communicate(timeout=STOP_TIMEOUT_S)
        finally:
            self._up.kill()
        assert self._up.returncode == 0
        assert [process for process in below if process.is_running()] == []


@contextlib.contextmanager
def running(stack: Stack) -> Iterator[Stack]:
    """Prepare and start the servers; end them after the block."""
    stack.prepare()
    stack.start()
    yield stack
    stack.stop()


def a_student(browser: Browser, stack: Stack, width: int = 420) -> Chat:
    """Return the chat of a new student, greeted, in a window of `width` pixels: that of a phone by default."""
    context = browser.new_context(viewport={"width": width, "height": 800}, locale="vi-VN")
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    page.goto(stack.url)
    chat = Chat(page)
    chat.answers.first.wait_for()
    return chat


def advisors_page(browser: Browser, stack: Stack) -> Iterator[Page]:
    """Yield the console, with its administrator signed in; fail on any error in it and any request to elsewhere."""
    context = browser.new_context(viewport={"width": 1300, "height": 850}, locale="vi-VN")
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "request", lambda sent: None if sent.url.startswith(stack.console_url) else faults.append(sent.url)
    )
    page.goto(stack.console_url)
    page.get_by_label("Tên đăng nhập").fill(LOGIN)
    page.get_by_role("textbox", name="Mật khẩu").fill(PASSWORD)
    page.get_by_role("button", name="Đăng nhập").click()
    page.get_by_role("link", name="Khoảng trống").wait_for()
    yield page
    assert faults == []
    context.close()


def until_ready(url: str) -> None:
    """Wait until a server that is being restarted answers 200."""
    deadline = time.monotonic() + RESTART_TIMEOUT_S
    while True:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(url, trust_env=False).status_code == httpx.codes.OK:
                return
        assert time.monotonic() < deadline, f"{url} did not come back"
        time.sleep(0.05)
