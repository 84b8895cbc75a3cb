"""`covan page`: the page with the chat."""

from __future__ import annotations

from typing import Annotated

import typer

from covan.page.server import serve
from rag.settings import settings


def run(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; loopback unless set (COVAN_HOST).")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on (COVAN_PAGE_PORT).")] = None,
) -> None:
    """Serve the page with the chat; it hands what students write to Rasa."""
    changes = {"host": host, "page_port": port}
    serve(settings().model_copy(update={name: value for name, value in changes.items() if value is not None}))
