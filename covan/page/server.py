"""The page's server: static files, the school's names, and a narrow way to Rasa."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from covan.page.guards import BodyTooLargeError, MessageRate, SecurityHeaders, read_body
from covan.page.locale import preferred, texts
from covan.page.rasa import ChatRequest, RasaChannel, SlowError, UnavailableError
from covan.page.school import SchoolFiles
from covan.project import ROOT
from rag.errors import SettingsError
from rag.settings import Settings
from rag.text import MAX_QUESTION_CHARS
from rag.types import Language

logger = logging.getLogger(__name__)

DIST = ROOT / "widget" / "dist"
RETRY_AFTER_S = 15
GRACEFUL_STOP_S = 5


class RefusedError(Exception):
    """A request that is not handed on: `error` names the sentence to show, `status` is HTTP's."""

    def __init__(self, error: str, status: int) -> None:
        super().__init__(error)
        self.error = error
        self.status = status


class Page:
    """The routes of the page, over one connection pool to Rasa."""

    def __init__(self, rasa: RasaChannel, school: SchoolFiles, rate: MessageRate, language: Language) -> None:
        self._rasa = rasa
        self._school = school
        self._rate = rate
        self._language = language

    async def chat(self, request: Request) -> Response:
        """POST /api/chat: one turn. Answers Rasa's messages, or `{"error", "message"}` to be shown."""
        try:
            return JSONResponse(await self._rasa.send(await self._admit(request)))
        except RefusedError as refused:
            error, status = refused.error, refused.status
        except SlowError:
            logger.warning("Rasa did not answer in time")
            error, status = "timeout", 504
        except UnavailableError as unavailable:
            logger.warning("Rasa cannot be used: %s", str(unavailable) or repr(unavailable.__cause__))
            error, status = "unavailable", 503
        language = preferred(request.headers.get("accept-language", ""), self._language)
        headers = {"Retry-After": str(RETRY_AFTER_S)} if status in (429, 503) else {}
        return JSONResponse({"error": error, "message": texts(language)[error]}, status, headers)

    async def _admit(self, request: Request) -> ChatRequest:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            # Also what keeps another site's form from writing into a conversation.
            raise RefusedError("bad_request", 415)
        try:
            turn = ChatRequest.model_validate(json.loads(await read_body(request)))
        except BodyTooLargeError as error:
            raise RefusedError("too_large", 413) from error
        except (ValueError, RecursionError) as error:
            # pydantic's ValidationError and JSON's own errors are ValueErrors.
            raise RefusedError("bad_request", 400) from error
        if not await self._rate.admits(turn.sender, request.client.host if request.client else ""):
            raise RefusedError("too_many", 429)
        return turn

    async def health(self, _request: Request) -> Response:
        """GET /api/health: 200 when a message would reach Rasa, 503 otherwise."""
        up = await self._rasa.is_up()
        return JSONResponse({"status": "ok" if up else "unavailable", "rasa": up}, 200 if up else 503)

    async def school(self, _request: Request) -> Response:
        """GET /api/school: the school's names, the topics with examples, the longest question."""
        school, topics = self._school.read()
        return JSONResponse(
            {
                **school.model_dump(),
                "topics": [topic.model_dump() for topic in topics],
                "max_question_chars": MAX_QUESTION_CHARS,
            }
        )


def create_app(
    settings: Settings,
    *,
    dist: Path = DIST,
    rasa_url: str | None = None,
    rate: MessageRate | None = None,
) -> Starlette:
    """The page as an ASGI application. Raises SettingsError when the front end has not been built."""
    if not (dist / "index.html").is_file():
        raise SettingsError(
            f"the chat page has not been built: {dist / 'index.html'} is missing. Run: make setup"
        )
    # Never through a proxy: Rasa is on this machine.
    client = httpx.AsyncClient(trust_env=False, limits=httpx.Limits(max_connections=200))
    page = Page(
        RasaChannel(rasa_url or f"http://127.0.0.1:{settings.rasa_port}", client),
        SchoolFiles(settings.knowledge_dir),
        rate or MessageRate(),
        "en" if settings.locale == "en" else "vi",
    )

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with client:
            yield

    return Starlette(
        routes=[
            Route("/api/chat", page.chat, methods=["POST"]),
            Route("/api/health", page.health),
            Route("/api/school", page.school),
            Mount("/", StaticFiles(directory=dist, html=True)),
        ],
        middleware=[Middleware(SecurityHeaders)],
        lifespan=lifespan,
    )


def server_config(app: ASGIApp, host: str, port: int) -> uvicorn.Config:
    """How the page is served; `X-Forwarded-For` is believed only from a proxy on this machine."""
    return uvicorn.Config(
        app, host=host, port=port, server_header=False, timeout_graceful_shutdown=GRACEFUL_STOP_S
    )


def serve(settings: Settings) -> None:
    """Serve until a signal."""
    uvicorn.Server(server_config(create_app(settings), settings.host, settings.page_port)).run()
