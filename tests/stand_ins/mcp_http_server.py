"""The MCP server over HTTP as a process of its own: what ends one server of a process ends the SSE streams of all.

    .venv/bin/python tests/stand_ins/mcp_http_server.py INDEX PORT

Reads the token from COVAN_MCP_TOKEN. The index is one of `EmbedderStandIn`.
"""

import os
import socket
import sys
from datetime import date
from pathlib import Path

import uvicorn
from embedder_stand_in import EmbedderStandIn
from real_server import RealServer

from covan.mcp_server import http_app, mcp_server
from rag.decide.gate import Chosen
from rag.engine import Engine
from rag.index.versions import open_index
from rag.pipeline import load_pipeline

ROOT = Path(__file__).parents[2]


def engine_of(index: Path) -> Engine:
    embedder = EmbedderStandIn()
    opened = open_index(index, embedder)
    return Engine(opened, load_pipeline("covan-graph"), embedder, lambda: date(2026, 11, 1), Chosen())


class McpHttpServer(RealServer):
    """The process that serves an index to those who show the token."""

    program = "the MCP server"

    def __init__(self, index: Path, token: str):
        super().__init__()
        self._index, self._token = index, token

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        environment = {**os.environ, "COVAN_MCP_TOKEN": self._token}
        self._launch(sys.executable, __file__, str(self._index), str(self.port), env=environment, cwd=ROOT)

    def _answers(self):
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", self.port)) == 0


def main(index: Path, port: int) -> None:
    app = http_app(mcp_server(engine_of(index)), os.environ["COVAN_MCP_TOKEN"], "127.0.0.1")
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
