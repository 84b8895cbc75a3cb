"""The page with the chat and the widget as files, the school's names, and the health of the front door."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from channels.page.school_names import SchoolFiles
from rag.errors import SettingsError
from rag.settings import Settings
from vietnamese.text import MAX_QUESTION_CHARS


def page_routes(
    settings: Settings, dist: Path, health_of: Callable[[Request], Awaitable[Mapping[str, Any]]]
) -> Sequence[BaseRoute]:
    """Return the routes. They take every address that is left: they come last.

    - `GET /api/health`: 200 when a message would be answered, else 503.
    - `GET /api/school`: the school's names, the topics with examples, the longest question, the page on consent.

    `dist` is the built page; `health_of` returns the body of the health for a request: its `status` is "ok" or
    "unavailable".
    Raises SettingsError without a built page.
    """
    if not (dist / "index.html").is_file():
        raise SettingsError(
            f"the chat page has not been built: {dist / 'index.html'} is missing. Run: make setup"
        )
    files = SchoolFiles(settings.knowledge_dir)

    async def health(request: Request) -> Response:
        told = await health_of(request)
        return JSONResponse(told, 200 if told["status"] == "ok" else 503)

    async def school(_request: Request) -> Response:
        names, topics = files.read()
        return JSONResponse(
            {
                **names.model_dump(),
                "topics": [topic.model_dump() for topic in topics],
                "max_question_chars": MAX_QUESTION_CHARS,
                "consent_url": settings.consent_url,
            },
            # It is on the school's website anyway: any site that has the chat may read it.
            headers={"Access-Control-Allow-Origin": "*"},
        )

    return (
        Route("/api/health", health),
        Route("/api/school", school),
        Mount("/", StaticFiles(directory=dist, html=True)),
    )
