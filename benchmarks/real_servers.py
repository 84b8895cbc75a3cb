"""Covan's servers as a school runs them, on ports and in a folder of their own: for dialogues, walks and channels.

Unlike `covan up`, Rasa's HTTP API is open here (with a token): a test must see the slots, and be able to break things.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
from pydantic import SecretStr

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "stand_ins"))

from reserved_ports import reserve_port

from covan import front_door, priority, rasa
from covan.project import ROOT
from covan.rasa_model import ensure_model
from rag.errors import CovanError
from rag.settings import Settings

START_TIMEOUT_S = 240.0
TURN_TIMEOUT_S = 90.0
"""Longer than the channel's own limit: a turn that hangs is the channel's to end."""

SAMPLE_SCHOOL = ROOT / "knowledge"
NAMES = ("actions", "rasa")
WITH_CHANNELS = (*NAMES, "channels")
"""The front door, too, for tests of the channels; dialogues are played over Rasa's internal channel."""

A_TIME = 1.5e9
"""Numbers above this in a slot are seconds since 1970 (2017 and later): nothing else that slots hold is so large."""

Said = list[dict[str, Any]]


class ServerError(CovanError):
    """A server did not come up or did not answer; the message has the end of its log."""


class RealServers:
    """The servers `names`. Each can be ended and started again; what they know stays in `directory`.

    `knowledge` is the school's folder; the sample school is indexed and trained in the project's own state folder, once
    for all tests. `model` is a file, or a folder whose newest model is used. `further` are settings by name: those of
    the channels, for one.
    """

    def __init__(
        self,
        directory: Path,
        model: Path | None = None,
        *,
        knowledge: Path = SAMPLE_SCHOOL,
        names: Sequence[str] = NAMES,
        **further: Any,
    ) -> None:
        self.settings = Settings(
            knowledge_dir=knowledge,
            state_dir=directory,
            rasa_port=reserve_port(),
            actions_port=reserve_port(),
            page_port=reserve_port(),
            # Without its token nobody would receive a conversation, and none would be handed over.
            **{
                "advisor_token": SecretStr(secrets.token_hex(16)),
                "internal_token": SecretStr(secrets.token_hex(16)),
                **further,
            },
        )
        self._names = names
        self._directory = directory
        self._model = model
        self._token = secrets.token_hex(16)
        self.variables: dict[str, str] = {}
        """Of the environment, for the next start: COVAN_NOW, for one."""
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._client = httpx.Client(
            trust_env=False, timeout=TURN_TIMEOUT_S, limits=httpx.Limits(max_connections=20)
        )

    @property
    def rasa_url(self) -> str:
        """The address of Rasa."""
        return f"http://127.0.0.1:{self.settings.rasa_port}"

    @property
    def url(self) -> str:
        """The address of the front door."""
        return f"http://127.0.0.1:{self.settings.page_port}"

    # --- up and down ------------------------------------------------------------------------------------------------

    def up(self) -> None:
        """Make index and model if they are not there, and start the servers."""
        made_in = self.settings
        if self.settings.knowledge_dir == SAMPLE_SCHOOL:
            made_in = self.settings.model_copy(update={"state_dir": ROOT / ".covan"})
        model = ensure_model(made_in)
        if not self.settings.index_dir.exists():
            shutil.copytree(made_in.index_dir, self.settings.index_dir)
        self._model = self._model or model
        self.restart(*self._names)

    def restart(self, *names: str) -> None:
        """End the servers of these names, where they run, and start them again."""
        for name in names:
            if name in self._running:
                self.end(name)
        for name in names:
            self.start(name)
        for name in names:
            self.wait(name)

    def start(self, name: str) -> None:
        """Start a server without waiting for it."""
        commands = {
            "actions": lambda: priority.with_niceness(
                priority.ANSWERING, [sys.executable, "-m", "covan", "actions"]
            ),
            # A model of its own: another training must not swap it under a test.
            "rasa": lambda: rasa.serve(
                self.settings,
                models=self._model,
                api_token=self._token,
            ),
            "channels": lambda: [sys.executable, "-m", "covan", "channels"],
        }
        environment = rasa.environment(self.settings, {**os.environ, **self.variables})
        if name != "rasa":
            environment |= front_door.environment(self.settings)
        with self.log(name).open("ab") as log:
            self._running[name] = subprocess.Popen(
                commands[name](),
                cwd=ROOT,
                env=environment,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )

    def wait(self, name: str) -> None:
        """Return once the server can work. Raises ServerError when it ends or takes too long."""
        health = {
            "actions": f"http://127.0.0.1:{self.settings.actions_port}/health",
            "rasa": f"{self.rasa_url}/webhooks/internal/",
            "channels": f"{self.url}/api/health",
        }
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline and self._running[name].poll() is None:
            try:
                if self._client.get(health[name]).status_code == httpx.codes.OK:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.05)
        tail = self.log(name).read_text(encoding="utf-8", errors="replace")[-4000:]
        raise ServerError(f"The server `{name}` did not come up. The end of its log:\n{tail}")

    def end(self, name: str, how: signal.Signals = signal.SIGTERM) -> None:
        """End a server and wait until it is gone."""
        process = self._running.pop(name)
        process.send_signal(how)
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def crash(self, name: str) -> None:
        """End a server without a warning."""
        self.end(name, signal.SIGKILL)

    @contextmanager
    def without(self, name: str, how: signal.Signals = signal.SIGKILL) -> Iterator[None]:
        """Be without a server for the length of the block; whatever happens in it, the next test finds the server."""
        self.end(name, how)
        try:
            yield
        finally:
            self.restart(name)

    def close(self) -> None:
        """End what runs."""
        for name in list(self._running):
            self.end(name)
        self._client.close()

    def pid(self, name: str) -> int:
        """Return the id of a server's process."""
        return self._running[name].pid

    def log(self, name: str) -> Path:
        """Return the path of a server's log."""
        return self._directory / f"{name}.log"

    # --- a student's side -------------------------------------------------------------------------------------------

    def post(self, content: bytes) -> httpx.Response:
        """Send a request for a turn as it is."""
        token = self.settings.internal_token.get_secret_value()
        return self._client.post(
            f"{self.rasa_url}/webhooks/internal/turn",
            content=content,
            headers={"content-type": "application/json", "authorization": f"Bearer {token}"},
        )

    def say(self, sender: str, message: str | None = None, *, payload: str | None = None) -> Said:
        """Send typed text, or a button, and return the reply. Raises ServerError when the channel refuses it."""
        turn = (
            {"sender": sender, "message": message}
            if payload is None
            else {"sender": sender, "payload": payload}
        )
        answer = self.post(json.dumps(turn).encode())
        if answer.status_code != httpx.codes.OK:
            raise ServerError(f"The channel answered {answer.status_code}: {answer.text[:300]}")
        said: Said = answer.json()["messages"]
        return said

    # --- Rasa's API -------------------------------------------------------------------------------------------------

    def tracker(self, sender: str, events: str = "AFTER_RESTART") -> dict[str, Any]:
        """Return a conversation as Rasa keeps it; `events` as in `include_events` of its API."""
        answer = self._client.get(
            f"{self.rasa_url}/conversations/{sender}/tracker",
            params={"token": self._token, "include_events": events},
        )
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found

    def known(self, sender: str) -> dict[str, str]:
        """Return what is known of the student: a value by dimension."""
        kept = self.tracker(sender, "NONE")["slots"]["profile"] or {}
        return {dimension: value for dimension, (value, _) in kept.items()}

    def add_events(self, sender: str, events: list[dict[str, Any]]) -> None:
        """Put events at the end of a conversation, as if they had happened."""
        answer = self._client.post(
            f"{self.rasa_url}/conversations/{sender}/tracker/events",
            params={"token": self._token},
            json=events,
        )
        answer.raise_for_status()

    def set_slots(self, sender: str, values: Mapping[str, Any]) -> None:
        """Set slots, past all that would set them."""
        self.add_events(sender, [{"event": "slot", "name": name, "value": v} for name, v in values.items()])

    def wedge(self, sender: str) -> None:
        """Put a conversation into the state that Rasa's circuit breaker takes for stuck."""
        self.add_events(sender, [{"event": "action", "name": "action_answer"}] * 10)

    def chat_on(self, sender: str, turns: int) -> None:
        """Let so many turns of small talk go by, without the time that they take."""
        turn = [
            {
                "event": "user",
                "text": "cảm ơn",
                "parse_data": {"intent": {"name": "thank", "confidence": 1.0}},
            },
            {"event": "action", "name": "action_answer"},
            {"event": "bot", "text": "…", "metadata": {"utter_action": "utter_thank"}},
            {"event": "action", "name": "action_listen"},
        ]
        for done in range(0, turns, 100):
            self.add_events(sender, turn * min(100, turns - done))

    # --- time -------------------------------------------------------------------------------------------------------

    def make_older(self, sender: str, seconds: float) -> None:
        """Let time pass: all that is stored of a conversation has happened `seconds` earlier than it did."""
        with closing(sqlite3.connect(self.settings.state_dir / "tracker.sqlite", timeout=30)) as store, store:
            rows = store.execute("SELECT id, data FROM events WHERE sender_id = ?", (sender,)).fetchall()
            for row, data in rows:
                event = json.loads(data)
                event["timestamp"] -= seconds
                if event.get("event") == "slot":
                    event["value"] = _earlier(event.get("value"), seconds)
                store.execute(
                    "UPDATE events SET timestamp = ?, data = ? WHERE id = ?",
                    (event["timestamp"], json.dumps(event), row),
                )


def _earlier(value: Any, seconds: float) -> Any:
    if isinstance(value, dict):
        return {key: _earlier(each, seconds) for key, each in value.items()}
    if isinstance(value, list):
        return [_earlier(each, seconds) for each in value]
    if isinstance(value, int | float) and not isinstance(value, bool) and value > A_TIME:
        return value - seconds
    return value
