"""Redis as Debian ships it, on a free loopback port: it can be killed and started again while it is talked to."""

import shutil
import signal
import socket
import subprocess
import time

START_TIMEOUT_S = 20


class RealRedis:
    """Keeps nothing on disk. `url` stays the same over restarts."""

    def __init__(self, password=""):
        self._password = password
        self._program = shutil.which("redis-server")
        assert self._program, "these tests need Redis, e.g.: sudo apt install redis-server"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process = None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        self._process = subprocess.Popen(
            [
                self._program,
                "--bind",
                "127.0.0.1",
                "--port",
                str(self.port),
                "--save",
                "",
                "--appendonly",
                "no",
                *(("--requirepass", self._password) if self._password else ()),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self._answers():
            assert self._process.poll() is None, "redis-server ended while it was starting"
            assert time.monotonic() < deadline, "redis-server did not start"
            time.sleep(0.02)

    def stop(self):
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self):
        """Connections stay open, and nothing comes: a network that swallows what is sent."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self._process.send_signal(signal.SIGCONT)

    def _answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as asking:
                asking.sendall(b"PING\r\n")
                return asking.recv(7) in (b"+PONG\r\n", b"-NOAUTH")
        except OSError:
            return False
