"""`covan channels`: the front door."""

from __future__ import annotations

import logging
from typing import Annotated

import typer

from channels.app import serve
from covan.front_door import DIST
from covan.project import ROOT
from covan.secrets import with_secrets
from covan.state_folder import keep_private
from rag.errors import CovanError
from rag.settings import settings


def run(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; loopback unless set (COVAN_HOST).")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on (COVAN_PAGE_PORT).")] = None,
) -> None:
    """Serve the page with the chat and the channels' webhooks; Rasa answers behind them."""
    # Libraries tell addresses at INFO, which hold tokens.
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    for name in ("channels", "privacy"):
        logging.getLogger(name).setLevel(logging.INFO)
    given = {"host": host, "page_port": port}
    wanted = settings().model_copy(
        update={
            "knowledge_dir": ROOT / settings().knowledge_dir,
            "state_dir": ROOT / settings().state_dir,
            **{name: value for name, value in given.items() if value is not None},
        }
    )
    wanted = with_secrets(wanted)
    if not wanted.internal_token.get_secret_value():
        raise CovanError(
            "COVAN_INTERNAL_TOKEN is empty: Rasa would take no message. Set it to the same value for Rasa and for "
            "this command; `covan up` makes one."
        )
    keep_private(wanted)
    serve(wanted, DIST)
