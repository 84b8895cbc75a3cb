"""HTTP connections with limits: uvicorn's protocol, and a time for all that a client has to do.

uvicorn limits the silence between two requests only (https://github.com/Kludex/uvicorn/issues/157): a client that never
sends a request, or sends it a byte at a time, would keep its connection for ever.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import Any

from starlette.responses import PlainTextResponse
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from channels.connections import Connections, Place
from channels.refusals import Reason

HEADERS_WITHIN_S = 10.0
"""Seconds from the opening of a connection, or from the first byte of a further request, to the end of its headers."""

BODY_WITHIN_S = 30.0
"""Seconds from the end of the headers to the end of the body; the largest that is read has a megabyte or two."""

READS_WITHIN_S = 60.0
"""Seconds for which a client may take nothing of what is sent to it."""

REFUSED_WITHIN_S = 2.0
"""Seconds for which a connection without a place is held to be told so."""

MAX_HEADER_BYTES = 32 * 1024
"""Address and headers of a request; nginx allows as much (large_client_header_buffers)."""

TRY_AGAIN_S = 15

NO_PLACE = "Too many connections are open. Please try again in a moment.\n"
TOO_SLOW = "The request took too long to arrive.\n"
TOO_LARGE = "The headers of the request are too large.\n"
CLOSE = {"Connection": "close"}


class _Gathering:
    """A transport that sends the headers of an answer together with its body.

    uvicorn writes one after the other, and uvloop makes a system call and a packet of each, for which a client wakes
    up. Headers without a body, as of a stream, are sent with the next step of the event loop.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._written: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Send `data` with what was written before in this step, or wait for what follows in it."""
        self._written.append(data)
        if len(self._written) > 1:
            self._send()
        else:
            self._loop.call_soon(self._send)

    def close(self) -> None:
        """Send what was written, and close."""
        self._send()
        self._transport.close()

    def is_closing(self) -> bool:
        """See asyncio.BaseTransport."""
        return self._transport.is_closing()

    def _send(self) -> None:
        written, self._written = self._written, []
        if written and not self._transport.is_closing():
            self._transport.write(b"".join(written))


class HttpProtocol(HttpToolsProtocol):
    """One connection (see `channels.connections`)."""

    def __init__(self, connections: Connections, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._connections = connections
        self._place = Place.FREE
        self._deadline: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._in_headers = True
        self._header_bytes = 0
        self._progressed = False
        self._receiving = False

    # --- asyncio's side -----------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See asyncio.Protocol."""
        super().connection_made(transport)
        self._gathering = _Gathering(transport, self.loop)
        self._place = self._connections.enter(self, self.client[0] if self.client else "")
        if self._place is Place.NONE_AT_ALL:
            transport.abort()
            return
        connected = transport.get_extra_info("socket")
        if connected is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
            # A peer that has gone without a word is noticed by what is sent to it (a stream's comments).
            with contextlib.suppress(OSError):
                connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(READS_WITHIN_S * 1000))
        self._within(HEADERS_WITHIN_S if self._place is Place.FREE else REFUSED_WITHIN_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio.Protocol."""
        self._end_deadline()
        self._end_reading()
        self._connections.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """See asyncio.Protocol."""
        if self._deadline is None:
            self._within(HEADERS_WITHIN_S)
        still_headers, self._progressed = self._in_headers, False
        super().data_received(data)
        if still_headers and not self._progressed and not self.transport.is_closing():
            self._header_bytes += len(data)
            if self._header_bytes > MAX_HEADER_BYTES:
                self._connections.refusals.count(Reason.HEADERS)
                self._tell(431, TOO_LARGE)

    def pause_writing(self) -> None:
        """See asyncio.Protocol."""
        super().pause_writing()
        self._end_reading()
        self._reading = self.loop.call_later(READS_WITHIN_S, self._reads_nothing)

    def resume_writing(self) -> None:
        """See asyncio.Protocol."""
        super().resume_writing()
        self._end_reading()

    # --- the parser's side ------------------------------------------------------------------------------------------

    def on_headers_complete(self) -> None:
        """Start the request, or its refusal in its place."""
        self._in_headers = False
        self._header_bytes = 0
        self._progressed = True
        self._receiving = True
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        self.app = self.config.loaded_app
        if self._place is not Place.FREE:
            self.app = PlainTextResponse(NO_PLACE, 503, {**CLOSE, "Retry-After": str(TRY_AGAIN_S)})
        elif size > MAX_HEADER_BYTES:
            self._connections.refusals.count(Reason.HEADERS)
            self.app = PlainTextResponse(TOO_LARGE, 431, CLOSE)
        else:
            self._connections.wait(self)
            self._within(BODY_WITHIN_S)
        super().on_headers_complete()
        self.cycle.transport = self._gathering  # type: ignore[assignment]

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header. What a chunked body carries as trailers is left out."""
        if self._in_headers:
            super().on_header(name, value)

    def on_message_complete(self) -> None:
        """Note that the client has done its part."""
        self._in_headers = True
        self._receiving = False
        self._end_deadline()
        if not self.cycle.response_complete:
            self._connections.serve(self)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        # Of pipelined requests, `cycle` is the last one.
        if self.cycle.response_complete and not self._receiving:
            self._connections.wait(self)

    # --- the ends -----------------------------------------------------------------------------------------------------

    def give_way(self) -> None:
        """See `channels.connections.Connection`."""
        if self._is_asking():
            self._tell(503, NO_PLACE)
        else:
            self.transport.close()

    def _too_slow(self) -> None:
        self._connections.refusals.count(Reason.SLOW)
        if self._is_asking():
            self._tell(408, TOO_SLOW)
        else:
            self.transport.close()

    def _reads_nothing(self) -> None:
        self._connections.refusals.count(Reason.SLOW)
        self.transport.abort()

    def _is_asking(self) -> bool:
        """Return whether the client has begun a request that has no answer yet."""
        if self._receiving:
            return not self.cycle.response_started
        return bool(self._header_bytes) and (self.cycle is None or self.cycle.response_complete)

    def _tell(self, status: int, text: str) -> None:
        """Answer in place of the application, and close."""
        retry = f"retry-after: {TRY_AGAIN_S}\r\n" if status == 503 else ""
        head = (
            f"HTTP/1.1 {status} {_PHRASES[status]}\r\ncontent-type: text/plain; charset=utf-8\r\n"
            f"content-length: {len(text)}\r\n{retry}connection: close\r\n\r\n"
        )
        self.transport.write((head + text).encode("ascii"))
        self.transport.close()

    def _within(self, seconds: float) -> None:
        self._end_deadline()
        self._deadline = self.loop.call_later(seconds, self._too_slow)

    def _end_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _end_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None


_PHRASES = {
    408: "Request Timeout",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}
