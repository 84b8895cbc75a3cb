"""Redis as Debian ships it, on a free loopback port: it can be killed and started again while it is talked to."""

import shutil
import signal
import socket

from real_server import RealServer


class RealRedis(RealServer):
    """Keeps nothing on disk. `url` stays the same over restarts."""

    program = "redis-server"

    def __init__(self, password=""):
        super().__init__()
        self._password = password
        assert shutil.which(self.program), "these tests need Redis, e.g.: sudo apt install redis-server"
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def start(self):
        password = ("--requirepass", self._password) if self._password else ()
        place = ("--bind", "127.0.0.1", "--port", str(self.port))
        self._launch(self.program, *place, "--save", "", "--appendonly", "no", *password)

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
