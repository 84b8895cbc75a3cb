"""`covan mcp`: the school's knowledge for agents."""

from __future__ import annotations

import logging
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from covan.configured_engine import open_engine
from covan.mcp_server import http_app, mcp_server
from rag.errors import CovanError
from rag.settings import settings


class Transport(StrEnum):
    """The ways to reach the server: the agent starts it, or calls it over HTTP (streamable, and SSE)."""

    STDIO = "stdio"
    HTTP = "http"


def run(
    transport: Annotated[
        Transport, typer.Option(help="stdio, or http: /mcp and, for older clients, /sse.")
    ] = (Transport.STDIO),
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 8765,
    index: Annotated[Path | None, typer.Option(help="The index.", show_default=".covan/index")] = None,
    preset: Annotated[str | None, typer.Option(help="The pipeline.", show_default="covan")] = None,
) -> None:
    """Serve search_faq, search_documents, query_graph and ask over the Model Context Protocol.

    Over HTTP, agents must show COVAN_MCP_TOKEN as their bearer token.
    """
    # Over stdio, standard output belongs to the protocol.
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    token = settings().mcp_token.get_secret_value()
    if transport is Transport.HTTP and not token:
        raise CovanError(
            "COVAN_MCP_TOKEN is empty: anybody could ask. Write a long random value into .env, as "
            "`openssl rand -hex 32` makes it, and give the same to the agents."
        )
    server = mcp_server(open_engine(index, preset))
    if transport is Transport.STDIO:
        server.run("stdio")
        return

    import uvicorn  # noqa: PLC0415

    uvicorn.run(http_app(server, token, host), host=host, port=port, log_level="warning")
