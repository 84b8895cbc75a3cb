"""The rasa-sdk action server on loopback, with a health check that reports whether the engine is loaded."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from rasa_sdk.endpoint import create_app
from rasa_sdk.executor import ActionExecutor
from sanic import Request, Sanic
from sanic.response import HTTPResponse, json

from actions.advisor import ActionAskAdvisor
from actions.answer import ActionAnswer
from actions.hand_over import ActionHandOver
from actions.profile_form import AskProfile, AskValue, ValidateProfileForm
from actions.turn_trace import Record
from rag.errors import CovanError
from rag.live_engine import LiveEngine

logger = logging.getLogger(__name__)

RETRY_S = 5.0
"""Seconds between attempts to open the index."""


class _Executor(ActionExecutor):
    """An executor of actions that do not read the domain, which is longer than all else that a turn sends.

    endpoints.yml has Rasa send it to the actions that ask for it in domain.yml (`send_domain`).
    """

    def update_and_return_domain(self, payload: dict[str, Any], action_name: str) -> dict[str, Any]:
        del action_name
        return payload.get("domain") or {}


def executor(engine: LiveEngine, record: Record | None = None) -> ActionExecutor:
    """Return an executor with all actions of the domain on `engine`; `record` takes the traces of turns."""
    actions = _Executor()
    for action in (
        ActionAnswer(engine.current, record),
        ActionAskAdvisor(engine.current),
        ActionHandOver(engine.current),
        ValidateProfileForm(engine.current),
        AskProfile(engine.current),
        AskValue(engine.current),
    ):
        actions.register_action(action)
    return actions


def app(engine: LiveEngine, record: Record | None = None) -> Sanic[Any, Any]:
    """Return the Sanic app. It listens before the engine is loaded; /health responds 503 until then."""
    server: Sanic[Any, Any] = create_app(executor(engine, record), cors_origins=[])
    version: list[str] = []
    problem = ""

    # The /health of rasa-sdk is always "ok"; this middleware responds in its place.
    @server.on_request
    async def readiness(request: Request) -> HTTPResponse | None:
        if request.path != "/health":
            return None
        if not version:
            return json({"status": "loading", "problem": problem}, status=503)
        current = engine.current()
        return json({"status": "ok", "index": current.index_version, "problem": engine.problem})

    async def load(_: Sanic[Any, Any]) -> None:
        nonlocal problem
        while not version:
            try:
                version.append((await asyncio.to_thread(engine.current)).index_version)
            except Exception as error:
                # Once for each cause: it is tried again every few seconds.
                if problem != (problem := str(error) or type(error).__name__):
                    logger.error(
                        "The index cannot be opened, and no question is answered until it can: %s",
                        problem,
                        exc_info=not isinstance(error, CovanError),
                    )
                await asyncio.sleep(RETRY_S)

    @server.after_server_start
    async def begin_loading(started: Sanic[Any, Any]) -> None:
        started.add_task(load(started))

    return server


def serve(engine: LiveEngine, port: int, record: Record | None = None) -> None:
    """Run the server until it is stopped, on 127.0.0.1 only: it has no authentication."""
    app(engine, record).run(host="127.0.0.1", port=port, single_process=True, access_log=False, motd=False)
