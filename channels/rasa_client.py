"""The client of Rasa's internal channel (server/internal_channel.py), and the only place that knows it.

One student's turns go to one Rasa process while it lives: the process with the highest hash of address and sender
(rendezvous hashing, Thaler and Ravishankar 1998), so that a process that comes or goes moves its own students only.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from channels.fair_turns import FairTurns
from rag.settings import Settings

logger = logging.getLogger(__name__)

BASE = "/webhooks/internal"

CHECK_EVERY_S = 0.5
"""Seconds between two health checks of a Rasa process."""

CHECK_TIMEOUT_S = 5.0
"""Rasa's event loop stands still while it understands a message, for up to some hundred milliseconds each."""

CONNECT_TIMEOUT_S = 3.0

TURN_TIMEOUT_S = 100.0
"""Seconds; longer than the 60 s after which Rasa itself ends a turn with an apology."""

CHECKED_WITHIN_S = 8.0
"""Seconds; the checks within Rasa take five at most, and Rasa may stand still meanwhile."""

SHORT_TIMEOUT_S = 20.0
"""Seconds for requests that run no turn."""

TURNS_AT_ONCE = 8
"""Turns that one Rasa process runs at a time; further turns wait before their time limit starts. Understanding blocks
Rasa's event loop, so that more turns at a time get no reply sooner."""

KEEP_ALIVE_S = 2.0
"""Seconds; Sanic closes an idle connection after five, and a request that comes at that moment would be lost."""

DEFAULT_LANGUAGE = "vi"

RasaMessage = Mapping[str, Any]
"""A message of Rasa's: `text`, `buttons`, `custom` and the like, and its `act` (`dialogue.acts`)."""


class RasaError(Exception):
    """Rasa did not do what it was asked for.

    RasaError
    ├── RasaUnavailableError    it is away, starts, or loads a model: the request was not begun and can be repeated
    └── RasaBrokeOffError       it went away or fell silent during the request, which it may have carried out
    """


class RasaUnavailableError(RasaError):
    """No Rasa process takes the request."""


class RasaBrokeOffError(RasaError):
    """The connection broke off, or no answer came in time."""


@dataclass(frozen=True)
class Replies:
    """The messages of a turn or of a response, and the language that the student writes in (vi or en)."""

    messages: Sequence[RasaMessage]
    language: str


@dataclass(frozen=True)
class Turn:
    """The properties of a turn that the client needs besides its input.

    Rasa runs the turn of an `id` once, and answers the same when it is asked again. Where turns must wait, the channels
    take it in turn, and within a channel the origins. `begins` is called when the turn waits no longer.
    """

    id: str = ""
    origin: str = ""
    begins: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class CheckedProcess:
    """The health of a Rasa process (server/health_check.py); `told` is None when it did not answer in time."""

    url: str
    told: Mapping[str, Any] | None


@dataclass
class _Process:
    """A Rasa process: its address, and whether it had a model when it was last asked."""

    url: str
    ready: bool = False
    complained: bool = field(default=False, repr=False)
    turns: FairTurns = field(default_factory=lambda: FairTurns(TURNS_AT_ONCE), repr=False)


class RasaClient:
    """Hands turns to Rasa's processes. Every method but `start` and `close` raises RasaError."""

    def __init__(self, urls: Sequence[str], token: str) -> None:
        self._processes = [_Process(url.rstrip("/")) for url in urls]
        # Never through a proxy of the environment: Rasa is on this machine or in a private network.
        self._client = httpx.AsyncClient(
            trust_env=False,
            headers={b"Authorization": b"Bearer " + token.encode()},
            limits=httpx.Limits(
                max_connections=None, max_keepalive_connections=50, keepalive_expiry=KEEP_ALIVE_S
            ),
        )
        self._checking: list[asyncio.Task[None]] = []

    @classmethod
    def of(cls, settings: Settings) -> RasaClient:
        """Return a client of the settings' Rasa processes."""
        # httpx logs the address of each request.
        logging.getLogger("httpx").setLevel(logging.WARNING)
        return cls(settings.rasa_addresses, settings.internal_token.get_secret_value())

    async def start(self) -> None:
        """Ask each process once whether it is ready, and go on asking in the background."""
        await asyncio.gather(*(self._check(process) for process in self._processes))
        self._checking = [asyncio.create_task(self._keep_checking(process)) for process in self._processes]

    async def close(self) -> None:
        """Close the connections."""
        for task in self._checking:
            task.cancel()
        await asyncio.gather(*self._checking, return_exceptions=True)
        await self._client.aclose()

    @property
    def ready(self) -> bool:
        """Return whether a process with a model is there."""
        return any(process.ready for process in self._processes)

    async def check(self) -> Sequence[CheckedProcess]:
        """Let each process that is ready answer a question; returns within CHECKED_WITHIN_S."""
        asked = [process for process in self._processes if process.ready]
        return await asyncio.gather(*(self._checked(process) for process in asked))

    async def _checked(self, process: _Process) -> CheckedProcess:
        try:
            return CheckedProcess(
                process.url, await self._ask_process(process, "check", {}, CHECKED_WITHIN_S)
            )
        except RasaError:
            return CheckedProcess(process.url, None)

    async def text_turn(self, sender: str, channel: str, text: str, *, turn: Turn | None = None) -> Replies:
        """Run the turn of a text that the student typed; Rasa never reads it as a command."""
        return await self._turn({"sender": sender, "channel": channel, "message": text}, turn or Turn())

    async def payload_turn(
        self, sender: str, channel: str, payload: str, *, turn: Turn | None = None
    ) -> Replies:
        """Run the turn of a payload: that of a button of ours, or of a menu command."""
        return await self._turn({"sender": sender, "channel": channel, "payload": payload}, turn or Turn())

    async def response(self, name: str, sender: str, channel: str, values: Mapping[str, str]) -> Replies:
        """Return a response of the domain outside of a turn, in the student's language."""
        body = {"sender": sender, "channel": channel, "name": name, "values": dict(values)}
        return _replies(await self._ask("response", body, SHORT_TIMEOUT_S))

    async def language(self, sender: str) -> str:
        """Return the language that the student writes in: vi or en."""
        told = await self._ask("language", {"sender": sender}, SHORT_TIMEOUT_S)
        return str(told.get("language") or DEFAULT_LANGUAGE)

    async def intent(self, sender: str, text: str) -> str:
        """Return the intent of text that is not for the bot; empty when it is uncertain."""
        told = await self._ask("intent", {"sender": sender, "message": text}, SHORT_TIMEOUT_S)
        return str(told.get("intent") or "")

    async def forget(self, sender: str) -> None:
        """Erase the conversation from Rasa's tracker store."""
        await self._ask("forget", {"sender": sender}, TURN_TIMEOUT_S)

    async def _turn(self, body: Mapping[str, Any], turn: Turn) -> Replies:
        process = self._process_of(str(body["sender"]))
        identified = {**body, "turn": turn.id} if turn.id else body
        async with process.turns.turn(str(body["channel"]), turn.origin or str(body["sender"])):
            turn.begins()
            return _replies(await self._ask_process(process, "turn", identified, TURN_TIMEOUT_S))

    async def _ask(self, what: str, body: Mapping[str, Any], timeout_s: float) -> Mapping[str, Any]:
        return await self._ask_process(self._process_of(str(body["sender"])), what, body, timeout_s)

    async def _ask_process(
        self, process: _Process, what: str, body: Mapping[str, Any], timeout_s: float
    ) -> Mapping[str, Any]:
        try:
            answer = await self._client.post(
                f"{process.url}{BASE}/{what}",
                # ASCII: a student's text may hold half a character, which UTF-8 cannot carry.
                content=json.dumps(body).encode("ascii"),
                headers={"Content-Type": "application/json"},
                timeout=httpx.Timeout(timeout_s, connect=CONNECT_TIMEOUT_S),
            )
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            process.ready = False
            raise RasaUnavailableError(f"Rasa at {process.url} cannot be reached") from error
        except httpx.TimeoutException as error:
            raise RasaBrokeOffError(f"Rasa at {process.url} did not answer in time") from error
        except httpx.HTTPError as error:
            process.ready = False
            raise RasaBrokeOffError(f"Rasa at {process.url} went away: {type(error).__name__}") from error
        if answer.status_code == httpx.codes.SERVICE_UNAVAILABLE:
            process.ready = False
            raise RasaUnavailableError(f"Rasa at {process.url} has no model")
        if answer.status_code == httpx.codes.NO_CONTENT:
            return {}
        if not answer.is_success:
            raise RasaError(f"Rasa at {process.url} answered {answer.status_code}: {answer.text[:200]}")
        told: Mapping[str, Any] = answer.json()
        return told

    def _process_of(self, sender: str) -> _Process:
        ready = [process for process in self._processes if process.ready]
        if not ready:
            raise RasaUnavailableError("no Rasa process with a model is there")
        return max(ready, key=lambda process: weight(process.url, sender))

    # --- health -----------------------------------------------------------------------------------------------------

    async def _keep_checking(self, process: _Process) -> None:
        while True:
            await asyncio.sleep(CHECK_EVERY_S)
            await self._check(process)

    async def _check(self, process: _Process) -> None:
        try:
            answer = await self._client.get(f"{process.url}{BASE}/", timeout=CHECK_TIMEOUT_S)
            process.ready = answer.status_code == httpx.codes.OK
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.RemoteProtocolError, httpx.ReadError):
            process.ready = False
        except httpx.TimeoutException:
            # Busy: what it does not answer in time is told by the turn itself.
            return
        if not process.ready and not process.complained:
            logger.warning("Rasa at %s is not ready; students' messages wait for it.", process.url)
        if process.ready and process.complained:
            logger.warning("Rasa at %s is ready.", process.url)
        process.complained = not process.ready


def weight(url: str, sender: str) -> bytes:
    """Return the rank of a process for a sender; the highest one serves the sender."""
    return hashlib.blake2b(f"{url}\0{sender}".encode(), digest_size=16).digest()


def _replies(told: Mapping[str, Any]) -> Replies:
    return Replies(tuple(told["messages"]), str(told.get("language") or DEFAULT_LANGUAGE))
