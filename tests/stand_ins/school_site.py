"""A school's website: some pages on an origin of their own, into which the chat is embedded."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CSP = "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self' {chat}; connect-src {chat}"
"""As strict as it can be with the chat: no inline script or style, and no other site."""


@contextmanager
def school_site(pages: Mapping[str, str], chat: str) -> Iterator[str]:
    """Serve `pages` (text by path); `chat` is the origin of the chat, the only other one that may be used."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            body = pages.get(path)
            self.send_response(200 if body is not None else 404)
            kind = "text/css" if path.endswith(".css") else "text/html"
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Security-Policy", CSP.format(chat=chat))
            self.end_headers()
            self.wfile.write((body or "").encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
