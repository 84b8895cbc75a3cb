"""The console as an ASGI application: the API, and the built pages (console/ui)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import uvicorn
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, RedirectResponse
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware.gzip import GZipMiddleware

from console.api import router
from console.api.dependencies import Console, accepted_language
from console.api.errors import HANDLERS, on_http_error
from rag.ingest.entries import dotted
from rag.ingest.load import MAX_FILE_BYTES
from rag.messages import Message, in_language
from rag.wrong_values import said_wrong

MAX_BODY_BYTES = 512_000
MORE_BYTES = {
    # As `covan index` reads files. These three read their body themselves, once they know who sends it.
    "/api/documents/drafts": MAX_FILE_BYTES,
    "/api/faq/spreadsheet": 10 * 2**20,
    "/api/catalogue-sheet": 10 * 2**20,
    "/api/catalogue-sheet/items": 4 * 2**20,
    "/api/faq/spreadsheet/entries": 4 * 2**20,
}
"""The addresses whose bodies may be larger."""

SECURITY_HEADERS = {
    # Mantine puts its theme's variables into a style element.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

SCHEMA = "/api/openapi.json"

NOT_SERVED = frozenset({"api", "docs", "redoc"})
"""The first parts of addresses that are never one of the pages: calls, and FastAPI's own pages, which load scripts."""

LASTING = "public, max-age=31536000, immutable"


def create_app(console: Console, pages: Path) -> FastAPI:
    """Return the application; `pages` is the folder of the built pages."""
    app = FastAPI(
        title="Covan console",
        version="1",
        openapi_url=SCHEMA,
        docs_url=None,
        redoc_url=None,
    )
    app.state.console = console
    app.include_router(router)
    for error, handler in HANDLERS.items():
        app.add_exception_handler(error, handler)
    app.add_exception_handler(HTTPException, on_http_error)
    app.add_exception_handler(StarletteHTTPException, on_http_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    # Level 9 takes twice the time of a long list for a few bytes less.
    app.add_middleware(GZipMiddleware, minimum_size=1_000, compresslevel=6)

    @app.middleware("http")
    async def guard(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        length = request.headers.get("content-length", "0")
        most = MORE_BYTES.get(request.url.path, MAX_BODY_BYTES)
        if not length.isdecimal() or int(length) > most or "transfer-encoding" in request.headers:
            response: Response = JSONResponse(
                {"error": "too_large", "message": "the body is too large", "detail": {}}, 413
            )
        elif "\0" in request.scope["path"] or b"%00" in request.scope["query_string"]:
            response = JSONResponse(
                {"error": "invalid", "message": "the address has a null character", "detail": {}}, 422
            )
        else:
            response = await call_next(request)
        response.headers.update(SECURITY_HEADERS)
        if "cache-control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        return response

    @app.get("/health", include_in_schema=False)
    def health() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/openapi.json", include_in_schema=False)
    def schema() -> Response:
        """Lead tools that look for the schema at its usual address to it."""
        return RedirectResponse(SCHEMA)

    @app.get("/{path:path}", include_in_schema=False)
    def page(path: str) -> Response:
        """Return a file of the pages, or the page itself for one of its own addresses."""
        if path.partition("/")[0] in NOT_SERVED:
            raise HTTPException(404, {"error": "not_found", "message": "there is no such address"})
        file = (pages / path).resolve()
        if path and file.is_relative_to(pages.resolve()) and file.is_file():
            lasting = LASTING if path.startswith("assets/") else "no-cache"
            return FileResponse(file, headers={"Cache-Control": lasting})
        return FileResponse(pages / "index.html", headers={"Cache-Control": "no-cache"})

    return app


def serve(app: FastAPI, host: str, port: int) -> None:
    """Serve until a signal."""
    uvicorn.run(app, host=host, port=port, access_log=False, server_header=False, proxy_headers=False)


def _on_invalid(request: Request, error: Exception) -> Response:
    """Answer 422 with what is wrong, in the language of the request, if there are texts in it."""
    assert isinstance(error, RequestValidationError)
    language = accepted_language(request, "en")
    # Without the values: a password may be among them.
    faults = [
        Message("field_is_wrong", what=dotted(fault["loc"][1:]), why=said_wrong(fault), found="")
        for fault in error.errors()
    ]
    message = "; ".join(in_language(fault, language) for fault in faults)
    return JSONResponse({"error": "invalid", "message": message, "detail": {}}, 422)
