"""A real language model, small enough for any machine, behind llama.cpp's server of the OpenAI protocol.

python tests/stand_ins/local_model.py MODEL.gguf PORT
"""

from __future__ import annotations

import sys
import time
import urllib.request
from pathlib import Path

from real_server import RealServer

CONTEXT_TOKENS = 2048


class LocalModel(RealServer):
    """The server in a process of its own, so that it can be killed in the middle of an answer."""

    program = "llama.cpp"

    def __init__(self, model: Path) -> None:
        super().__init__()
        self._model = model

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def start(self) -> None:
        self._launch(sys.executable, __file__, str(self._model), str(self.port))

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=1) as reply:
                return bool(reply.status == 200)
        except OSError:
            return False


def serve(model: str, port: int) -> None:
    """Serve a model until the process is killed."""
    import xllamacpp  # noqa: PLC0415

    wanted = xllamacpp.CommonParams()
    wanted.model.path = model
    wanted.port = port
    wanted.n_ctx = CONTEXT_TOKENS
    wanted.n_parallel = 1
    wanted.cpuparams.n_threads = 2
    server = xllamacpp.Server(wanted)
    assert server.listening_address
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
