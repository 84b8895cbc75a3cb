"""The page's server: the demo page and the widget as files, the school's names, and a narrow way to Rasa's channel.

By that way the page and its chat are of one origin; a school's other sites come in by it too (COVAN_WEB_ORIGINS).
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import AsyncIterator
from pathlib import Path

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
from covan.page.rasa import BASE, ROUTES, RasaChannel, SlowError, UnavailableError
from covan.page.school import SchoolFiles
from covan.project import ROOT
from rag.errors import SettingsError
from rag.settings import Settings
from vietnamese.language_detection import Language
from vietnamese.text import MAX_QUESTION_CHARS

logger = logging.getLogger(__name__)

DIST = ROOT / "widget" / "dist"
RETRY_AFTER_S = 15
GRACEFUL_STOP_S = 5
WRITING = ("POST", "DELETE")


class RefusedError(Exception):
    """A request that is not handed on: `error` names the sentence to show, `status` is HTTP's."""

    def __init__(self, error: str, status: int) -> None:
        super().__init__(error)
        self.error = error
        self.status = status


class Page:
    """The routes of the page."""

    def __init__(
        self,
        rasa: RasaChannel,
        school: SchoolFiles,
        rate: MessageRate,
        language: Language,
        consent_url: str,
    ) -> None:
        self._rasa = rasa
        self._school = school
        self._rate = rate
        self._language = language
        self._consent_url = consent_url

    async def chat(self, request: Request) -> Response:
        """/webhooks/web/...: Rasa's own answer, or `{"error", "message"}` with a sentence to show."""
        try:
            return await self._hand_on(request)
        except RefusedError as refused:
            error, status = refused.error, refused.status
        except BodyTooLargeError:
            error, status = "too_large", 413
        except SlowError:
            logger.warning("Rasa did not answer in time")
            error, status = "timeout", 504
        except UnavailableError as unavailable:
            logger.warning("Rasa cannot be used: %s", unavailable)
            error, status = "unavailable", 503
        language = preferred(request.headers.get("accept-language", ""), self._language)
        headers = {"Retry-After": str(RETRY_AFTER_S)} if status in (429, 503) else {}
        return JSONResponse({"error": error, "message": texts(language)[error]}, status, headers)

    async def _hand_on(self, request: Request) -> Response:
        client = request.client.host if request.client else ""
        if request.method in WRITING:
            # Counted by what tells visitors apart; the token itself is kept nowhere.
            token = request.headers.get("authorization", "")
            sender = hashlib.sha256(token.encode()).hexdigest() if token else ""
            if not await self._rate.admits(sender, client):
                raise RefusedError("too_many", 429)
        return await self._rasa.hand_on(
            request.method,
            request.url.path.removeprefix(BASE) or "/",
            request.url.query,
            request.headers,
            request.headers.get("host", ""),
            client,
            await read_body(request),
        )

    async def health(self, _request: Request) -> Response:
        """GET /api/health: 200 when a message would reach Rasa, 503 otherwise."""
        up = await self._rasa.is_up()
        return JSONResponse({"status": "ok" if up else "unavailable", "rasa": up}, 200 if up else 503)

    async def school(self, _request: Request) -> Response:
        """GET /api/school: the school's names, the topics with examples, the longest question, the page on consent.

        It is on the school's website anyway: any site that has the chat may read it.
        """
        school, topics = self._school.read()
        return JSONResponse(
            {
                **school.model_dump(),
                "topics": [topic.model_dump() for topic in topics],
                "max_question_chars": MAX_QUESTION_CHARS,
                "consent_url": self._consent_url,
            },
            headers={"Access-Control-Allow-Origin": "*"},
        )


def create_app(
    settings: Settings,
    *,
    dist: Path = DIST,
    rasa_url: str | None = None,
    rate: MessageRate | None = None,
) -> Starlette:
    """Return the page as an ASGI application. Raises SettingsError when the front end has not been built."""
    if not (dist / "index.html").is_file():
        raise SettingsError(
            f"the chat page has not been built: {dist / 'index.html'} is missing. Run: make setup"
        )
    rasa = RasaChannel(rasa_url or f"http://127.0.0.1:{settings.rasa_port}")
    page = Page(
        rasa,
        SchoolFiles(settings.knowledge_dir),
        rate or MessageRate(),
        "en" if settings.locale == "en" else "vi",
        settings.consent_url,
    )

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await rasa.close()

    return Starlette(
        routes=[
            *(
                Route(BASE + path, page.chat, methods=[*methods, "OPTIONS"])
                for path, methods in ROUTES.items()
            ),
            Route("/api/health", page.health),
            Route("/api/school", page.school),
            Mount("/", StaticFiles(directory=dist, html=True)),
        ],
        middleware=[Middleware(SecurityHeaders)],
        lifespan=lifespan,
    )


def server_config(app: ASGIApp, host: str, port: int) -> uvicorn.Config:
    """Return the configuration of the page's server, which trusts `X-Forwarded-For` of a proxy on this machine only."""
    return uvicorn.Config(
        app, host=host, port=port, server_header=False, timeout_graceful_shutdown=GRACEFUL_STOP_S
    )


def serve(settings: Settings) -> None:
    """Serve until a signal."""
    uvicorn.Server(server_config(create_app(settings), settings.host, settings.page_port)).run()
