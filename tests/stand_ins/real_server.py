"""The part that the real servers for tests share: a process on a free loopback port, and its end."""

import signal
import socket
import subprocess
import time

START_TIMEOUT_S = 60


class RealServer:
    """A server's process. A kind of server names its `program`, begins it in `start` and knows when it `_answers`."""

    program: str
    ends_by = signal.SIGKILL

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
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

    def stop(self):
        if self._process is not None:
            self._process.send_signal(self.ends_by)
            self._process.wait(timeout=START_TIMEOUT_S)
            self._process = None

    def _launch(self, *command, **how):
        """Start the process, and return when it answers."""
        quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        self._process = subprocess.Popen(command, **quiet, **how)
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self._answers():
            assert self._process.poll() is None, f"{self.program} ended while it was starting"
            assert time.monotonic() < deadline, f"{self.program} did not start"
            time.sleep(0.02)
