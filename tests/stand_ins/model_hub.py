"""A model hub on a loopback port: speaks the protocol of the hub's client, and serves the given models."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

COMMIT = "0123456789abcdef0123456789abcdef01234567"
"""The only revision there is of any model."""


class ModelHub:
    """`models` are folders by the name ORGANISATION/NAME; `asked` lists the paths that were asked for.

    While `down`, it ends every connection without a word.
    """

    def __init__(self, models: Mapping[str, Path]) -> None:
        self.models = models
        self.asked: list[str] = []
        self.url = ""
        self.down = False

    @contextmanager
    def serving(self) -> Iterator[ModelHub]:
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if hub.down:
                    self.close_connection = True
                    return
                hub.asked.append(self.path)
                path = self.path.partition("?")[0]
                if path.startswith("/api/models/"):
                    hub._tell_about(self, path.removeprefix("/api/models/"))
                else:
                    hub._send_file(self, path.lstrip("/"))

            do_HEAD = do_GET  # noqa: N815

            def log_message(self, format: str, *args: object) -> None:
                """Tests need no log."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()

    def _tell_about(self, request: BaseHTTPRequestHandler, path: str) -> None:
        name = "/".join(path.split("/")[:2])
        folder = self.models.get(name)
        if folder is None:
            _refuse(request, "RepoNotFound")
            return
        rest = path.removeprefix(name).strip("/")
        files = sorted(file for file in folder.rglob("*") if file.is_file())
        if rest.startswith("tree/"):
            below = rest.removeprefix("tree/").partition("/")[2]
            body = [
                {"type": "file", "path": inside, "size": file.stat().st_size, "oid": _hash(file)}
                for file in files
                if (inside := file.relative_to(folder).as_posix()).startswith(below)
            ]
            _send(request, json.dumps(body).encode(), {"Content-Type": "application/json"})
            return
        siblings = [{"rfilename": file.relative_to(folder).as_posix()} for file in files]
        about = {
            "id": name,
            "modelId": name,
            "sha": COMMIT,
            "siblings": siblings,
            "tags": [],
            "private": False,
        }
        _send(request, json.dumps(about).encode(), {"Content-Type": "application/json"})

    def _send_file(self, request: BaseHTTPRequestHandler, path: str) -> None:
        name, resolve, rest = path.partition("/resolve/")
        folder = self.models.get(name)
        if not resolve or folder is None:
            _refuse(request, "RepoNotFound")
            return
        file = folder / rest.partition("/")[2]
        if not file.is_file():
            _refuse(request, "EntryNotFound")
            return
        _send(request, file.read_bytes(), {"ETag": f'"{_hash(file)}"', "X-Repo-Commit": COMMIT})


def _hash(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def _refuse(request: BaseHTTPRequestHandler, code: str) -> None:
    request.send_response(HTTPStatus.NOT_FOUND)
    request.send_header("X-Error-Code", code)
    request.send_header("Content-Length", "0")
    request.end_headers()


def _send(request: BaseHTTPRequestHandler, body: bytes, headers: Mapping[str, str]) -> None:
    request.send_response(HTTPStatus.OK)
    for name, value in (*headers.items(), ("Content-Length", str(len(body)))):
        request.send_header(name, value)
    request.end_headers()
    if request.command == "GET":
        request.wfile.write(body)
