"""Load a newly trained model into the running server.

Rasa registers it like a channel (credentials.yml). A task checks the folder of models (`--model models`) every second,
loads a newer model in a thread and replaces the current one between two steps of the event loop. A running turn ends
with the model it began with. Tracker store, locks and connections are kept: Rasa's own ways (`PUT /model`, a model
server) open a new tracker store and event broker each time and close none, block all turns while they load, or reach
one worker only.

`GET /webhooks/models/` returns the current model, and the refused one with the reason.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import hashlib
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rasa.core.agent import Agent
from rasa.core.channels.channel import InputChannel, UserMessage
from rasa.core.nlg.response import TemplatedNaturalLanguageGenerator
from rasa.core.processor import MessageProcessor
from rasa.model import get_latest_model
from sanic import Blueprint, Sanic, response
from sanic.request import Request
from sanic.response import HTTPResponse

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0


class ModelFile(NamedTuple):
    """A model's file, identified by its hash: two files may have the same name."""

    name: str
    sha256: str


class RefusedModel(NamedTuple):
    """A model that failed to load; the previous one stays in use."""

    model: ModelFile
    why: str


class LiveModel:
    """Keeps an application's agent on the newest model of the folder that it was started with."""

    def __init__(self, app: Sanic) -> None:
        self._app = app
        self._folder: Path | None = None
        self._seen: tuple[Any, ...] | None = None
        self.current: ModelFile | None = None
        self.refused: RefusedModel | None = None

    async def watch(self) -> None:
        """Watch the folder until cancelled. Return at once when Rasa was started with a single file."""
        agent: Agent | None = getattr(self._app.ctx, "agent", None)
        if agent is not None and agent.processor is not None:
            started_with = agent.processor.model_path
            if not started_with.is_dir():
                self.current = _identified(started_with)
                return
            self._folder = started_with
            self.current = _identified(started_with / agent.processor.model_filename)
        while self._folder is not None:
            try:
                await self._look()
            except OSError:  # the folder is being written to; the next check retries
                logger.debug("The folder of models could not be read.", exc_info=True)
            await asyncio.sleep(LOOK_EVERY_S)

    async def _look(self) -> None:
        latest = get_latest_model(str(self._folder))
        if latest is None:
            return
        path = Path(latest)
        status = path.stat()
        seen = (path.name, status.st_ino, status.st_mtime_ns, status.st_size)
        if seen == self._seen:
            return
        found = await asyncio.get_running_loop().run_in_executor(None, _identified, path)
        if found != self.current and not (self.refused and found == self.refused.model):
            await self._load(path, found)
        self._seen = seen

    async def _load(self, path: Path, model: ModelFile) -> None:
        agent: Agent = self._app.ctx.agent
        build = partial(
            MessageProcessor,
            model_path=path,
            tracker_store=agent.tracker_store,
            lock_store=agent.lock_store,
            action_endpoint=agent.action_endpoint,
            generator=agent.nlg,
            http_interpreter=agent.http_interpreter,
        )
        try:
            processor = await asyncio.get_running_loop().run_in_executor(None, build)
        except Exception as error:
            logger.exception("The model %s cannot be loaded; the one before stays in use.", model.name)
            self.refused = RefusedModel(model, str(error) or type(error).__name__)
            return
        adopt(agent, processor)
        self.current, self.refused = model, None
        _free_memory()
        logger.info("The model %s is live.", model.name)


def adopt(agent: Agent, processor: MessageProcessor) -> None:
    """Give an agent another model as `Agent.load_model` does, but without an `await` in between."""
    agent.processor = processor
    agent.domain = processor.domain
    agent.tracker_store.domain = processor.domain
    if isinstance(agent.nlg, TemplatedNaturalLanguageGenerator):
        agent.nlg.responses = processor.domain.responses
    agent._set_fingerprint()


class ModelRoutes(InputChannel):
    """Starts the watcher with the server and reports its state."""

    @classmethod
    def name(cls) -> str:
        """Return the name in the address: /webhooks/models/."""
        return "models"

    def blueprint(self, on_new_message: Callable[[UserMessage], Awaitable[Any]]) -> Blueprint:
        """Return the route GET /, which reports the current and the refused model."""
        routes = Blueprint("models")

        @routes.listener("after_server_start")
        async def begin(app: Sanic, loop: asyncio.AbstractEventLoop) -> None:
            app.ctx.live_model = LiveModel(app)
            app.add_task(app.ctx.live_model.watch())

        @routes.get("/")
        async def status(request: Request) -> HTTPResponse:
            live: LiveModel = request.app.ctx.live_model
            return response.json(
                {
                    "model": live.current and live.current._asdict(),
                    "refused": live.refused and {**live.refused.model._asdict(), "why": live.refused.why},
                }
            )

        return routes


def _free_memory() -> None:
    """Free the previous model, which has reference cycles, and return its tens of megabytes to the system."""
    gc.collect()
    # glibc alone has it; without it the memory is kept for the next model.
    with contextlib.suppress(AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def _identified(path: Path) -> ModelFile:
    return ModelFile(path.name, hashlib.sha256(path.read_bytes()).hexdigest())
