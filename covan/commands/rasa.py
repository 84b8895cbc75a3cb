"""`covan rasa`: one Rasa process, for a set-up with several; `covan up` starts the one of a trial."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from covan import rasa
from covan.project import ROOT
from covan.secrets import with_secrets
from covan.state_folder import keep_private
from covan.stores import require_stores_of_rasa
from rag.errors import CovanError
from rag.settings import settings


def run(
    port: Annotated[int | None, typer.Option(help="Port to listen on (COVAN_RASA_PORT).")] = None,
    actions_port: Annotated[
        int | None, typer.Option(help="Port of the action server that it asks (COVAN_ACTIONS_PORT).")
    ] = None,
) -> None:
    """Run Rasa on 127.0.0.1 with the newest model; the front door finds it by COVAN_RASA_URLS."""
    given = {"rasa_port": port, "actions_port": actions_port}
    wanted = settings().model_copy(
        update={
            "state_dir": ROOT / settings().state_dir,
            **{name: value for name, value in given.items() if value is not None},
        }
    )
    wanted = with_secrets(wanted)
    if not wanted.internal_token.get_secret_value():
        raise CovanError(
            "COVAN_INTERNAL_TOKEN is empty: Rasa would not start. Set it to the same value as for the front door; "
            "`covan up` makes one."
        )
    if not any(rasa.models_dir(wanted).glob("*.tar.gz")):
        raise CovanError(f"There is no model in {rasa.models_dir(wanted)}. Run: covan train")
    keep_private(wanted)
    require_stores_of_rasa(wanted)
    command = rasa.serve(wanted)
    # In the place of this process: what ends it ends Rasa.
    os.chdir(ROOT)
    os.execve(command[0], command, rasa.environment(wanted))
